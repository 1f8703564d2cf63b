//! How a slot of a material uses a texture.

use glam::Mat3;

use super::TextureId;

/// A texture as one slot of a material uses it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureRef {
    /// Index into the scene's [`super::Scene::textures`].
    pub texture: TextureId,
    /// Number of the TEXCOORD set that is sampled.
    pub tex_coord: u32,
    /// Applied to (u, v, 1); identity without `KHR_texture_transform`.
    pub transform: Mat3,
}
