//! Geometry: vertex shading, assembly, culling and clipping; vertices become screen-space triangles.

mod assemble;
mod buffer;
mod clip;
mod program;
mod varyings;
mod vertex;
mod viewport;

pub use assemble::{
    Assembly, CHUNK_PRIMITIVES, Chunk, EXTRA_VERTEX, Triangle, centre_at_or_after,
    centre_at_or_before, doubled_area,
};
pub(in crate::render) use buffer::give_back_spare;
pub use program::{Placement, ShadedLanes, VertexProgram};
pub use varyings::{MAX_TEX_COORDS, MAX_VARYINGS, VaryingLayout};
pub use vertex::{Outcode, ScreenVertex, ShadedVertices};
pub use viewport::{Placed, Viewport};
