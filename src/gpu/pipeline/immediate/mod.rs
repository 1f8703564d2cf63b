//! The pipeline of a machine that renders immediately, as Emerald does (Gubran and Aamodt, ISCA 2019, section 3.3): triangles in draw order
//! to clusters by their place on the screen, raster tiles, Tile Coalescing, depth and colour operations in the shader. Facts are those
//! of a tiled machine, without a Parameter Buffer.

mod cluster;
mod coalescer;
mod counters;
mod front;
mod operations;
mod order;
mod pipeline;
mod port;
mod quads;
mod screen;
mod surface;

pub use counters::{ClusterCounters, CoalescerCounters, FrontCounters, ImmediateReport};
pub(crate) use pipeline::{ImmediatePipeline, n_sources};

#[cfg(test)]
mod tests;
