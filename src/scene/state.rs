//! The scene at one moment: what is drawn, in submission order, with world transforms.

use std::ops::Range;

use glam::{DVec3, Mat4, Vec3};

use super::{LightKind, Material, MaterialId, Mesh, MeshId, Primitive, Scene, View};

/// One primitive of one mesh, placed in the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// Mesh with the geometry: the scene's meshes, then those of [`FrameState::meshes`].
    pub mesh: MeshId,
    /// Index into [`super::Mesh::primitives`] of its mesh.
    pub primitive: u32,
    /// Material of the draw: the scene's materials, then those of [`FrameState::materials`].
    pub material: MaterialId,
    /// Global transform of the mesh's node, times that of the copy. Skinned vertices follow their joints instead (glTF 2.0,
    /// 3.7.3.3), but their triangles face as it says ([`Instance::mirrored`]).
    pub world_from_local: Mat4,
    /// Part of [`FrameState::joints`]; empty without skin.
    pub joints: Range<u32>,
    /// Part of [`FrameState::morph_weights`]; empty without morph targets.
    pub morph_weights: Range<u32>,
    /// View that turns the world into clip space.
    pub through: ThroughView,
}

impl Instance {
    /// Whether counter-clockwise triangles are clockwise ones in the world: the determinant of the node's global transform
    /// is below 0, with or without a skin (glTF 2.0, 3.7.4).
    #[must_use]
    pub fn mirrored(&self) -> bool {
        mirrors(&self.world_from_local)
    }

    /// Volume in the world, below 0 if mirrored, of what has volume 1 in the mesh's space; 1 for skinned meshes, which no
    /// single transform places.
    #[must_use]
    pub fn volume(&self) -> f32 {
        match self.joints.is_empty() {
            true => self.world_from_local.determinant(),
            false => 1.0,
        }
    }
}

/// Whether the determinant is below 0, in digits that hold it for any scale that 32 bits hold.
#[doc(hidden)]
pub fn mirrors(matrix: &Mat4) -> bool {
    matrix.as_dmat4().determinant() < 0.0
}

/// Which of a frame's views transforms an instance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum ThroughView {
    /// The frame's own camera.
    #[default]
    Camera,
    /// One of [`FrameState::layers`]: a display or a plane whose constants stay when the camera moves. Lighting, if any, is
    /// seen from the camera's eye.
    Layer(u32),
}

/// A light in world space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LightInstance {
    /// Directional, point or spot.
    pub kind: LightKind,
    /// Linear RGB times intensity: lux (directional) or candela.
    pub radiance: Vec3,
    /// Position in world space, metres.
    pub position_world: Vec3,
    /// Unit vector in which it shines.
    pub direction_world: Vec3,
    /// Metres; infinite where unlimited.
    pub range: f32,
}

/// State of a scene that changes from frame to frame.
///
/// `instances` is the submission order. Loaded scenes give opaque, then masked, in file order, then blended from back to
/// front; demos give the order in which their engine would submit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FrameState {
    /// Position in the world of this frame's zero, metres: all placements and lights are told from here, and the view that
    /// the frame is seen from. Zero unless the scene, or the viewpoint, is far away.
    pub origin_world: DVec3,
    /// Instances to draw, in submission order.
    pub instances: Vec<Instance>,
    /// `world_from_mesh` of every joint of every skinned instance: `world_from_joint` x inverse bind.
    pub joints: Vec<Mat4>,
    /// Weights of every morphed instance.
    pub morph_weights: Vec<f32>,
    /// Lights of the frame, in world space.
    pub lights: Vec<LightInstance>,
    /// Geometry of this frame alone, as engines stream it: sprites, particles, text. Numbered after the scene's meshes.
    pub meshes: Vec<Mesh>,
    /// Materials of this frame alone, as animations change them. Numbered after the scene's.
    pub materials: Vec<Material>,
    /// Views beside the camera's.
    pub layers: Vec<View>,
}

impl FrameState {
    /// The mesh of `id`: the scene's or, beyond those, the frame's.
    #[must_use]
    pub fn mesh<'a>(&'a self, scene: &'a Scene, id: MeshId) -> &'a Mesh {
        match id.index().checked_sub(scene.meshes.len()) {
            None => &scene.meshes[id.index()],
            Some(streamed) => &self.meshes[streamed],
        }
    }

    /// The material of `id`: the scene's or, beyond those, the frame's.
    #[must_use]
    pub fn material<'a>(&'a self, scene: &'a Scene, id: MaterialId) -> &'a Material {
        match id.index().checked_sub(scene.materials.len()) {
            None => &scene.materials[id.index()],
            Some(changed) => &self.materials[changed],
        }
    }

    /// The geometry of `instance`, which is one of this frame's.
    #[must_use]
    pub fn primitive<'a>(&'a self, scene: &'a Scene, instance: &Instance) -> &'a Primitive {
        &self.mesh(scene, instance.mesh).primitives[instance.primitive as usize]
    }

    /// The view that transforms `instance`; `camera` is the frame's.
    #[must_use]
    pub fn view<'a>(&'a self, camera: &'a View, instance: &Instance) -> &'a View {
        match instance.through {
            ThroughView::Camera => camera,
            ThroughView::Layer(layer) => &self.layers[layer as usize],
        }
    }
}
