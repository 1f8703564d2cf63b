//! Shader cores: warps of the recorded programs, issued cycle by cycle, with their texture pipelines and load/store units.

mod barrier;
mod core;
mod counters;
mod data;
mod due;
mod job;
mod merged;
mod outcome;
mod pool;
mod registers;
mod residents;
mod texture;
mod touches;
mod warps;

pub(crate) use self::core::Core;
pub use counters::CoreCounters;
pub use data::DataCounters;
pub(crate) use due::tick_cores;
pub(crate) use job::{MAX_QUADS, MAX_THREADS, TexelCursor, WarpJob};
pub(crate) use residents::Residents;
pub use texture::TextureCounters;
pub(crate) use texture::TexturePorts;

#[cfg(test)]
mod tests;
