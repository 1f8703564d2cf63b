//! The contract between the wings: what the renderer says of a frame. Facts only, never verdicts, no addresses.
//!
//! Two levels: [`FrameCounters`] (cheap, sums) and [`FrameTrace`] (everything that the hardware model needs to execute the
//! frame again). This page says what the renderer must produce for a [`FrameTrace`].
//!
//! # Producers of the parts
//!
//! | part | made by | when |
//! |---|---|---|
//! | [`TextureInfo`], [`BufferInfo`] | the renderer, from the scene | once a frame; all textures and buffers that a draw names |
//! | [`Program`] | the recording lanes, once for each distinct vertex or fragment program | once a frame |
//! | [`PathTable`] | a [`PathInterner`], of the quads and vertices whose program branches | once a frame |
//! | [`DrawTrace`] | geometry, one for each draw in submission order | as the draw is transformed and binned |
//! | [`DispatchTrace`] | compute, one for each dispatch of a compute pass | as its workgroups end |
//! | [`TileTrace`] | the tile's worker, with a [`TileTraceBuilder`] | any thread, any order; assembled by [`azulejo_grid::TileId`] |
//!
//! The values are independent of each other until [`FrameTrace`] puts them together; [`FrameTrace::validate`] checks every
//! index between them and is what a test of the renderer should call.
//!
//! # Numbers that link the parts
//!
//! - *Primitive number*: position in the Parameter Buffer, 0 for the first triangle binned in the frame. Draws own
//!   consecutive ranges: draw d has the numbers from the sum of [`DrawTrace::n_primitives`] before it.
//! - *Texture instruction*: the k-th [`InstructionClass::Texture`] of the draw's fragment program.
//!   [`DrawTrace::textures`]`[k]` names the texture it samples; [`TileTrace::block_counts`] has one number for every
//!   (shaded quad, k). In a program that branches a quad has one for each that it executed, as often as it did.
//! - *Block*: number of a 64-byte line of a texture's storage, `texel_index / 16` for RGBA8 in 4x4 blocks, all mip levels
//!   in one count. In a compressed texture ([`TexelFormat::Blocks`]), number of one of its blocks, several to a line.
//! - *Access*: the k-th load, store or atomic of a program. [`DrawTrace::fragment_buffers`]`[k]` names its buffer, and
//!   [`TileTrace::accesses`] has, for every (shaded quad, access that it executed), the 64-byte lines of that buffer which its
//!   live lanes touched. Vertices have theirs in [`DrawTrace::vertex_accesses`], quads of invocations in
//!   [`DispatchTrace::accesses`].
//!
//! # Geometry
//!
//! For each draw: [`DrawTrace::vertices`] lists the vertex indices in the order in which the vertex program ran for them,
//! after the reuse of transformed vertices; [`DrawTrace::assembled`] has one entry for each primitive that came in, with
//! the number of vertices that had to be run before it could be assembled (so these sum to `vertices.len()`), and how many
//! triangles of it went to the Parameter Buffer (0 = culled; these sum to `n_primitives`).
//!
//! # Tiles
//!
//! A worker makes one builder for a tile and calls, in program order:
//!
//! ```
//! # mod azulejo { pub use azulejo_trace as trace; }
//! use azulejo::trace::{Quad, TileDigests, TileTraceBuilder};
//!
//! let mut builder = TileTraceBuilder::default();
//! builder.primitive(7, 1); // entry of the tile's list: primitive 7, whose program has one texture instruction
//! let hidden = Quad::new(0, 0, 0b1111, 0); // no fragment passed the early test
//! builder.quad(hidden);
//! let visible = builder.quad(Quad::new(1, 0, 0b1111, 0b0111)); // three of four did
//! for tap in [[12, 12, 13], [12, 13, 13]] {
//!     builder.texels(visible, 0, &tap); // blocks of one tap of texture instruction 0, live lanes only
//! }
//! builder.shaded(visible, 0b0011, false); // one was dropped late, two were written, none blended
//! let tile = builder.finish(TileDigests::default());
//! assert_eq!(tile.blocks, [12, 13], "distinct blocks in order of first touch");
//! ```
//!
//! `texels` and `shaded` may come late and in any order between quads (a worker that fills its lanes across primitives need
//! not care): [`TileTraceBuilder::finish`] puts everything into quad order.
//! Only *live* lanes count as touching texels: helper lanes take part in the derivative, not in the fetch.
//!
//! A quad whose program branches tells its path before its texels, which are counted in the order of execution:
//!
//! ```
//! # mod azulejo { pub use azulejo_trace as trace; }
//! use azulejo::trace::{PathIdx, Quad, TileDigests, TileTraceBuilder};
//!
//! let mut builder = TileTraceBuilder::default();
//! builder.primitive(8, 0); // how many texture instructions depends on the quad
//! let quad = builder.quad(Quad::new(0, 0, 0b1111, 0b1111));
//! builder.path(quad, PathIdx(3), 2); // two of them on path 3 of the frame
//! builder.texels(quad, 1, &[40, 41]);
//! let tile = builder.finish(TileDigests::default());
//! assert_eq!((tile.paths, tile.block_counts), (vec![PathIdx(3)], vec![0, 2]));
//! ```
//!
//! # The seam
//!
//! A Raster Unit does not depend on this room. It reports to a `TileObserver` (in `render::raster::observe`), a trait with
//! one call for each thing that happens in a tile: the null observer's calls are empty and compiled away, another one
//! counts, and the one that traces feeds a [`TileTraceBuilder`].

mod accesses;
mod builder;
mod columns;
mod counters;
mod dispatch;
mod draw;
#[cfg(feature = "files")]
mod file;
mod frame;
mod invalid;
mod limits;
mod path_check;
mod paths;
mod program;
mod samples;
pub mod synthetic;
mod tile;
mod validate;

pub use accesses::BufferAccesses;
pub use builder::{QuadIdx, TileTraceBuilder};
pub use counters::{DrawCounters, FrameCounters, GeometryCounters, RasterCounters, TileCounters};
pub use dispatch::{DispatchTrace, MAX_DISPATCH_QUADS, MAX_GROUP_THREADS};
pub use draw::{
    ATTRIBUTE_BYTES, Assembled, DrawTrace, FixedFunction, IndexFetch, PathIdx, ProgramId,
    TextureIdx, VertexStream,
};
#[cfg(feature = "files")]
pub use file::{TraceFileError, TraceReader, TraceWriter};
pub use frame::{
    BLOCK_BYTES, BufferInfo, FrameTrace, TEXELS_PER_BLOCK, TargetInfo, TargetTexture, TexelFormat,
    TextureInfo, block_of_texels,
};
pub use invalid::InvalidTrace;
pub use paths::{Executed, PathInterner, PathMisfit, PathRecorder, PathTable};
pub use program::{Instruction, InstructionClass, Program, Region, ShaderStage};
pub use samples::QuadSamples;
pub use tile::{Quad, TileDigests, TilePrimitive, TileTrace};
