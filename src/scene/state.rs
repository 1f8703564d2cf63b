//! The scene at one moment: what is drawn, in submission order, with world transforms.

use std::ops::Range;

use glam::{Mat4, Vec3};

use super::{LightKind, MaterialId, MeshId};

/// One primitive of one mesh, placed in the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// Whose geometry.
    pub mesh: MeshId,
    /// Position in [`super::Mesh::primitives`].
    pub primitive: u32,
    /// Surface.
    pub material: MaterialId,
    /// Placement; identity for skinned meshes, whose joints carry it (glTF 2.0, 3.7.3.3).
    pub world_from_local: Mat4,
    /// Part of [`FrameState::joints`]; empty without skin.
    pub joints: Range<u32>,
    /// Part of [`FrameState::morph_weights`]; empty without morph targets.
    pub morph_weights: Range<u32>,
}

/// A light in world space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LightInstance {
    /// Shape.
    pub kind: LightKind,
    /// Linear RGB times intensity: lux (directional) or candela.
    pub radiance: Vec3,
    /// Where it is.
    pub position_world: Vec3,
    /// Unit vector in which it shines.
    pub direction_world: Vec3,
    /// Metres; infinite where unlimited.
    pub range: f32,
}

/// Everything that changes from frame to frame.
///
/// `instances` is the submission order: opaque, then masked, in file order, then blended from back to front.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FrameState {
    /// What is drawn, in order.
    pub instances: Vec<Instance>,
    /// `world_from_mesh` of every joint of every skinned instance: `world_from_joint` x inverse bind.
    pub joints: Vec<Mat4>,
    /// Weights of every morphed instance.
    pub morph_weights: Vec<f32>,
    /// Lights that shine.
    pub lights: Vec<LightInstance>,
}
