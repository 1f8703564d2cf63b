//! Nodes of the hierarchy: what hangs where, and the local transform at rest.

use glam::{DMat4, DQuat, DVec3, Mat4};

use super::{MeshId, NodeId};

/// One node of the hierarchy of the chosen glTF scene.
#[derive(Debug, Clone, Default)]
pub struct Node {
    /// Name from the file; may be empty.
    pub name: String,
    /// `None` for a root. Always a smaller index than the node's own.
    pub parent: Option<NodeId>,
    /// Local transform at rest.
    pub transform: Transform,
    /// Hidden nodes are not drawn, nor anything below them (`KHR_node_visibility`); cameras see from them all the same.
    pub hidden: bool,
    /// Geometry drawn at this node.
    pub mesh: Option<MeshId>,
    /// `node_from_copy` of every copy of the mesh (`EXT_mesh_gpu_instancing`); `None` draws it once, at the node. Skinned
    /// meshes are drawn once in any case.
    pub copies: Option<Vec<Mat4>>,
    /// Skin of the mesh, an index into [`super::Scene::skins`].
    pub skin: Option<u32>,
    /// Camera at this node, an index into [`super::Scene::cameras`].
    pub camera: Option<u32>,
    /// Light at this node, an index into [`super::Scene::lights`].
    pub light: Option<u32>,
    /// Morph weights at rest; overrides the mesh's where not empty.
    pub morph_weights: Vec<f32>,
}

/// `parent_from_local` of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Transform {
    /// A matrix as the file gives it; such nodes cannot be animated (glTF 2.0, 3.5.3).
    Matrix(Mat4),
    /// Translation, rotation and scale, applied in the order scale, rotation, translation.
    Trs {
        /// Shift in metres, by axis.
        translation: glam::Vec3,
        /// Rotation as a unit quaternion.
        rotation: glam::Quat,
        /// Factors by axis; may be negative.
        scale: glam::Vec3,
    },
    /// [`Self::Matrix`] in double precision, of a file with places that single precision does not tell apart.
    FarMatrix(DMat4),
    /// [`Self::Trs`] in double precision, likewise.
    FarTrs {
        /// Shift in metres, by axis.
        translation: DVec3,
        /// Rotation as a unit quaternion.
        rotation: DQuat,
        /// Factors by axis; may be negative.
        scale: DVec3,
    },
}

/// Metres from zero within which single precision tells places apart to 0.06 mm.
const NEARBY: f64 = 1024.0;

/// Whether every coordinate lies within [`NEARBY`].
#[must_use]
pub(crate) fn is_nearby(position: DVec3) -> bool {
    position.abs().max_element() < NEARBY
}

impl Default for Transform {
    fn default() -> Self {
        Self::Trs {
            translation: glam::Vec3::ZERO,
            rotation: glam::Quat::IDENTITY,
            scale: glam::Vec3::ONE,
        }
    }
}

impl Transform {
    /// `parent_from_local` as a matrix.
    #[must_use]
    pub fn parent_from_local(&self) -> DMat4 {
        match *self {
            Self::Matrix(matrix) => matrix.as_dmat4(),
            Self::Trs {
                translation,
                rotation,
                scale,
            } => Mat4::from_scale_rotation_translation(scale, rotation, translation).as_dmat4(),
            Self::FarMatrix(matrix) => matrix,
            Self::FarTrs {
                translation,
                rotation,
                scale,
            } => DMat4::from_scale_rotation_translation(scale, rotation, translation),
        }
    }
}
