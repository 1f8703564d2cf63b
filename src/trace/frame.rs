//! One frame, whole: resources, programs, draws, tiles.

use super::{DrawTrace, PathTable, Program, TileTrace};
use azulejo_grid::{Binning, SampleCount, TileGrid};

/// Bytes of a block of uncompressed texels, the unit of texture traffic: a cache line.
pub const BLOCK_BYTES: u64 = 64;

/// Uncompressed texels of four bytes in a block.
pub const TEXELS_PER_BLOCK: u32 = 16;

/// How texels are stored. A block of uncompressed ones is 4x4 texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TexelFormat {
    /// 4 bytes a texel, 64 a block.
    Rgba8,
    /// Four half floats: 8 bytes a texel; a traced block is half of the 4x4 texels, 64 bytes.
    Rgba16F,
    /// Three mantissas of 9 bits with one exponent of 5: 4 bytes a texel, 64 a block.
    Rgb9E5,
    /// Compressed blocks, several to a line of memory, which are decoded behind the cache: ETC, ASTC or BC.
    Blocks {
        /// Width of a block in texels, 1 to 16.
        width: u8,
        /// Height of a block in texels, 1 to 16.
        height: u8,
        /// Size of a block in memory: a power of two up to 64.
        bytes: u8,
    },
}

impl TexelFormat {
    /// Bytes of a block.
    #[must_use]
    pub const fn block_bytes(self) -> u64 {
        match self {
            Self::Rgba8 | Self::Rgba16F | Self::Rgb9E5 => BLOCK_BYTES,
            Self::Blocks { bytes, .. } => bytes as u64,
        }
    }
}

/// A texture as the traffic sees it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TextureInfo {
    /// Shown to people; need not be unique.
    pub name: String,
    /// Width of the largest level, in texels.
    pub width: u32,
    /// Height of the largest level, in texels.
    pub height: u32,
    /// Mip levels, the largest included.
    pub n_levels: u32,
    /// How texels are stored.
    pub format: TexelFormat,
    /// Blocks of all levels, padding included, each of [`TexelFormat::block_bytes`].
    pub n_blocks: u32,
}

impl TextureInfo {
    /// Size in memory, padding included.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        u64::from(self.n_blocks) * self.format.block_bytes()
    }
}

/// A vertex or index buffer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BufferInfo {
    /// Shown to people; need not be unique.
    pub name: String,
    /// Size in bytes, padding included.
    pub bytes: u64,
}

/// One colour target of the pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TargetInfo {
    /// Size of a pixel in memory, bytes.
    pub bytes_per_pixel: u32,
    /// Whether tiles begin with what memory holds, instead of being cleared.
    pub load: bool,
    /// Whether finished tiles are written to memory.
    pub store: bool,
}

impl Default for TargetInfo {
    /// RGBA8, cleared and stored.
    fn default() -> Self {
        Self {
            bytes_per_pixel: 4,
            load: false,
            store: true,
        }
    }
}

/// The facts of one frame: of the pass that is shown, and of one before whose picture that one samples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameTrace {
    /// Number of the frame in its sequence.
    pub frame: u64,
    /// The screen and its tiles.
    pub grid: TileGrid,
    /// How its triangles were listed.
    pub binning: Binning,
    /// Samples a pixel of the tile buffers. Quads name pixels: one is covered, passed or was written if any of its samples
    /// is.
    pub samples: SampleCount,
    /// Targets that tiles are flushed to; the first is displayed.
    pub targets: Vec<TargetInfo>,
    /// Textures that draws sample.
    pub textures: Vec<TextureInfo>,
    /// Buffers that draws fetch vertices and indices from.
    pub buffers: Vec<BufferInfo>,
    /// Programs that draws run.
    pub programs: Vec<Program>,
    /// Paths of quads and vertices through the programs that branch.
    pub paths: PathTable,
    /// Draws in submission order.
    pub draws: Vec<DrawTrace>,
    /// One for each tile, by [`azulejo_grid::TileId`].
    pub tiles: Vec<TileTrace>,
    /// The pass that is drawn first, on a grid like this one, with resources of its own; nothing lies behind it.
    pub behind: Option<Box<Self>>,
}

impl FrameTrace {
    /// Triangles in the Parameter Buffer.
    #[must_use]
    pub fn n_primitives(&self) -> u64 {
        self.draws
            .iter()
            .map(|draw| u64::from(draw.n_primitives))
            .sum()
    }

    /// The draw of every primitive number.
    #[must_use]
    pub fn draw_of_primitive(&self) -> Vec<u32> {
        (0_u32..)
            .zip(&self.draws)
            .flat_map(|(idx, draw)| std::iter::repeat_n(idx, draw.n_primitives as usize))
            .collect()
    }

    /// Whether a program branches, so that quads or vertices may have paths.
    #[must_use]
    pub fn branches(&self) -> bool {
        self.programs.iter().any(Program::branches)
    }

    /// Texture instructions of each draw's fragment program.
    #[must_use]
    pub fn texture_instructions(&self) -> Vec<usize> {
        self.draws.iter().map(|draw| draw.textures.len()).collect()
    }
}
