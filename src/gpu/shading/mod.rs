//! Shader cores: warps of the recorded programs, issued cycle by cycle, with their texture pipelines.

mod core;
mod pool;
mod texture;
mod warps;

pub(crate) use self::core::Core;
pub use self::core::CoreCounters;
pub use texture::TextureCounters;
pub(crate) use texture::{TexelCursor, TexturePorts};
pub(crate) use warps::{MAX_QUADS, WarpJob};

#[cfg(test)]
mod tests;
