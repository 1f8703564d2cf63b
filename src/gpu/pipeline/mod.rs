//! The ways from triangles to pixels, and from workgroups to threads, each a value behind one trait that one
//! engine runs: tiled, immediate, compute.

mod common;
mod compute;
mod contract;
pub mod immediate;
mod tiled;

pub(crate) use common::{Common, Pass};
pub(crate) use compute::ComputePipeline;
pub(crate) use contract::{PipelineCounters, PixelPipeline, Role};
pub(crate) use tiled::TiledPipeline;
