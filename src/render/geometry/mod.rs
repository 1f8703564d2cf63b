//! Geometry: vertex shading, assembly, culling and clipping; vertices become screen-space triangles.
//!
//! [`ShadedVertices::shade`] runs a draw's [`VertexProgram`]; [`Chunk::assemble`] makes triangles of [`CHUNK_PRIMITIVES`] primitives at
//! most. [`raster`](super::raster) has an example of all stages by hand.

mod assemble;
mod buffer;
mod clip;
mod exact;
mod fan;
mod program;
mod screen_vertex;
mod varyings;
mod vertex;
mod viewport;

#[cfg(test)]
pub(crate) use assemble::doubled_area;
pub use assemble::{Assembly, CHUNK_PRIMITIVES, Chunk, Cull, Triangle};
pub(crate) use assemble::{pixel_at_or_after, pixel_at_or_before};
pub(crate) use buffer::give_back_spare;
pub use exact::{ClipPositions, ExactPosition};
pub use program::{Placement, VertexProgram};
pub use screen_vertex::{Outcode, ScreenVertex};
pub use varyings::{MAX_TEX_COORDS, MAX_VARYINGS, VaryingLayout};
pub use vertex::ShadedVertices;
pub use viewport::Viewport;
