//! The ways from triangles to pixels, each a value behind one trait that one engine runs: tiled and immediate.

mod common;
mod contract;
pub mod immediate;
mod tiled;

pub(crate) use common::{Common, Pass};
pub(crate) use contract::{PipelineCounters, PixelPipeline, Role};
pub(crate) use tiled::TiledPipeline;
