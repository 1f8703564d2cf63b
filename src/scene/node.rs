//! Nodes of the hierarchy: what hangs where, and the local transform at rest.

use glam::Mat4;

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
    /// Not drawn, nor anything below it (`KHR_node_visibility`); cameras see from it all the same.
    pub hidden: bool,
    /// Geometry drawn here.
    pub mesh: Option<MeshId>,
    /// `node_from_copy` of every copy of the mesh (`EXT_mesh_gpu_instancing`); `None` draws it once, at the node. Skinned meshes
    /// are drawn once in any case.
    pub copies: Option<Vec<Mat4>>,
    /// Index into [`super::Scene::skins`].
    pub skin: Option<u32>,
    /// Index into [`super::Scene::cameras`].
    pub camera: Option<u32>,
    /// Index into [`super::Scene::lights`].
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
        /// Shift in metres.
        translation: glam::Vec3,
        /// Rotation as a unit quaternion.
        rotation: glam::Quat,
        /// Factors by axis; may be negative.
        scale: glam::Vec3,
    },
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
    pub fn matrix(&self) -> Mat4 {
        match *self {
            Self::Matrix(matrix) => matrix,
            Self::Trs {
                translation,
                rotation,
                scale,
            } => Mat4::from_scale_rotation_translation(scale, rotation, translation),
        }
    }
}
