//! What Raster Units read: the frame's draws and its Parameter Buffer.

use crate::grid::{SampleCount, TileGrid};
use crate::render::geometry::{Chunk, ShadedVertices};
use crate::render::tiling::TileLists;
use crate::scene::DepthState;

/// What becomes of a fragment's colour.
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
    /// In one word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opaque => "opaque",
            Self::Masked => "masked",
            Self::Blended => "blended",
        }
    }

    /// What fragments of such a draw do with the depth buffer.
    #[must_use]
    pub fn depth(self, state: DepthState) -> DepthUse {
        DepthUse {
            test: state != DepthState::Off,
            write: state == DepthState::TestAndWrite && self != Self::Blended,
        }
    }
}

/// What a draw's fragments do with the depth buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DepthUse {
    /// They are dropped where something nearer is drawn already.
    pub test: bool,
    /// Those that are not dropped leave their depth.
    pub write: bool,
}

/// A draw as Raster Units see it.
#[derive(Debug, Clone, Copy)]
pub struct RasterDraw<'a, P> {
    /// Its fragment program, constants bound.
    pub program: &'a P,
    /// What becomes of its fragments.
    pub mode: FragmentMode,
    /// What it does with the depth buffer.
    pub depth: DepthState,
    /// Its vertices after the vertex program.
    pub vertices: &'a ShadedVertices,
    /// Floats a vertex.
    pub n_varyings: usize,
    /// CRC32 of its constants and bindings; 0 where nobody looks at every quad.
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
    /// In submission order.
    pub draws: &'a [RasterDraw<'a, P>],
    /// Assembled triangles of all draws, in program order.
    pub chunks: &'a [Chunk],
    /// Which triangles each tile draws.
    pub lists: &'a TileLists,
    /// In a pixel of the tile buffers.
    pub samples: SampleCount,
}
