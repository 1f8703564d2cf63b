//! Tiling: the Polygon List Builder sorts triangles into tiles; its lists are half of the Parameter Buffer.
//!
//! Lists keep program order. A triangle enters the list of every tile whose pixel centres' rectangle it touches, and no
//! other: bounds and edges together separate a triangle from a rectangle exactly. With four samples a pixel it is the rectangles of all
//! first samples, of all second ones and so on, and an edge excludes them together.
//!
//! [`bin_chunk`] finds the tiles of a chunk's triangles, [`TileLists::fill`] sorts them by tile. [`raster`](super::raster) has an example
//! of all stages by hand.

mod bin;
mod edges;
mod lists;

pub(crate) use bin::pixel_bounds;
pub use bin::{BinTest, BinnedChunk, bin_chunk};
pub(crate) use edges::{Edges, SampleEdges};
pub use lists::{TileEntry, TileLists};
