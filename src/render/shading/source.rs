//! Source of the built-in surface programs: a material on a primitive of a scene, under the light of a frame.

use super::frame_constants::FrameConstants;
use azulejo_scene::{Material, Primitive, Scene};

/// Source that a surface program resolves into its constants, textures and varyings.
#[derive(Debug, Clone, Copy)]
pub struct ProgramSource<'a, 's> {
    /// Scene that holds the textures.
    pub scene: &'a Scene,
    /// How the surface looks.
    pub material: &'s Material,
    /// Which attributes there are; their values are not looked at.
    pub primitive: &'s Primitive,
    /// Eye and lights of the frame.
    pub frame: &'s FrameConstants<'a>,
}

impl ProgramSource<'_, '_> {
    /// Whether normal maps and directions of roughness have a frame to lie in.
    pub(super) const fn has_tangents(&self) -> bool {
        !self.primitive.tangents.is_empty()
    }
}
