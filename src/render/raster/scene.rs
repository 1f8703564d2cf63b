//! Input of Raster Units: the frame's draws and its Parameter Buffer.

use crate::geometry::{Chunk, ShadedVertices};
use crate::tiling::TileLists;
use azulejo_grid::{SampleCount, TileGrid};
use azulejo_scene::DepthState;

/// Path of a fragment's colour to the frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FragmentMode {
    /// Early depth test and write; replaces.
    Opaque,
    /// The program may discard: early test, late test and write; replaces.
    Masked,
    /// Early depth test, no write; source-over.
    Blended,
}

impl FragmentMode {
    /// Name of the mode in tables: one lower-case word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opaque => "opaque",
            Self::Masked => "masked",
            Self::Blended => "blended",
        }
    }

    /// Depth test and write of this mode's fragments, in a draw with this state.
    #[must_use]
    pub fn depth(self, state: DepthState) -> DepthUse {
        DepthUse {
            test: state != DepthState::Off,
            write: state == DepthState::TestAndWrite && self != Self::Blended,
        }
    }
}

/// Depth test and depth write of a draw's fragments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DepthUse {
    /// Fragments are dropped where something nearer is drawn already.
    pub test: bool,
    /// Fragments that are not dropped leave their depth.
    pub write: bool,
}

/// A draw as Raster Units see it.
#[derive(Debug, Clone, Copy)]
pub struct RasterDraw<'a, P> {
    /// Fragment program of the draw, constants bound.
    pub program: &'a P,
    /// Discard and blending of its fragments.
    pub mode: FragmentMode,
    /// Depth test and depth write that the draw asks for.
    pub depth: DepthState,
    /// Vertices of the draw after the vertex program.
    pub vertices: &'a ShadedVertices,
    /// Varyings of each vertex, in floats.
    pub n_varyings: usize,
    /// CRC32 of its constants and bindings; 0 where no observer takes every quad.
    pub state: u32,
    /// Texture instructions of its program; 0 where nothing is recorded.
    pub texture_samples: u32,
    /// Bytes of one triangle's attributes in the Parameter Buffer.
    pub triangle_bytes: u64,
}

/// A frame after tiling.
#[derive(Debug, Clone, Copy)]
pub struct TileScene<'a, P> {
    /// The screen, cut into tiles.
    pub grid: TileGrid,
    /// Draws in submission order; tile lists name them by position.
    pub draws: &'a [RasterDraw<'a, P>],
    /// Assembled triangles of all draws, in program order.
    pub chunks: &'a [Chunk],
    /// Which triangles each tile draws.
    pub lists: &'a TileLists,
    /// Samples in a pixel of the tile buffers.
    pub samples: SampleCount,
}
