//! One frame, whole: resources, programs, draws, tiles.

use super::{DispatchTrace, DrawTrace, PathTable, Program, TextureIdx, TileTrace};
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
    /// Texels of this many bytes, a power of two up to 64; a block has 64 bytes of them, in rows as [`block_of_texels`] says.
    Plain {
        /// Size of a texel, its samples included.
        bytes: u8,
    },
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
            Self::Rgba8 | Self::Rgba16F | Self::Rgb9E5 | Self::Plain { .. } => BLOCK_BYTES,
            Self::Blocks { bytes, .. } => bytes as u64,
        }
    }

    /// Whether blocks are decoded behind the cache.
    #[must_use]
    pub const fn is_compressed(self) -> bool {
        matches!(self, Self::Blocks { .. })
    }

    /// Width and height of a block in texels.
    #[must_use]
    pub fn block_size(self) -> [u32; 2] {
        match self {
            Self::Rgba8 | Self::Rgb9E5 => block_of_texels(4),
            Self::Rgba16F => block_of_texels(8),
            Self::Plain { bytes } => block_of_texels(bytes),
            Self::Blocks { width, height, .. } => [width, height].map(u32::from),
        }
    }
}

/// Width and height of a block of uncompressed texels, each of so many bytes: a square, or twice as wide as high.
#[must_use]
pub fn block_of_texels(bytes: u8) -> [u32; 2] {
    let texels = (BLOCK_BYTES / u64::from(bytes).clamp(1, BLOCK_BYTES)) as u32;
    let height = 1 << (texels.ilog2() / 2);
    [texels / height, height]
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
    /// Texture whose storage it is, where programs write that; it has as many bytes, and its blocks are lines.
    pub texture: Option<TextureIdx>,
}

/// Texture that a pass draws to: one level and layer of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TargetTexture {
    /// Texture, among those of the pass. A pass that has an equal one has the same texture.
    pub texture: TextureIdx,
    /// Number of the level's and layer's first block in the texture. Its blocks follow row by row.
    pub first_block: u32,
}

/// One target of the pass: colours, or depth and stencil.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TargetInfo {
    /// Size of a pixel in memory, its samples included, in bytes.
    pub bytes_per_pixel: u32,
    /// Whether tiles begin with what memory holds, instead of being cleared.
    pub load: bool,
    /// Whether finished tiles are written to memory.
    pub store: bool,
    /// Texture that it is part of; `None` for a frame buffer.
    pub texture: Option<TargetTexture>,
}

impl Default for TargetInfo {
    /// RGBA8, cleared and stored.
    fn default() -> Self {
        Self {
            bytes_per_pixel: 4,
            load: false,
            store: true,
            texture: None,
        }
    }
}

/// The facts of one frame: of its last pass, which is shown, and of the passes before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameTrace {
    /// Name of the pass, shown to people; empty where the frame has but one.
    pub name: String,
    /// Number of the frame in its sequence.
    pub frame: u64,
    /// The screen and its tiles.
    pub grid: TileGrid,
    /// How its triangles were listed.
    pub binning: Binning,
    /// Samples a pixel of the tile buffers. Quads name pixels: one is covered, passed or was written if any of its samples
    /// is.
    pub samples: SampleCount,
    /// Bytes of a pixel in the tile buffers: all attachments and samples, whether memory holds them or not.
    pub pixel_bytes: u32,
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
    /// Dispatches of a compute pass, in submission order, each of which begins when the one before has ended. Such a pass has no
    /// draws, no targets, and a screen without pixels; it is none that is shown.
    pub dispatches: Vec<DispatchTrace>,
    /// Passes that are drawn first, in this order, each with a grid and resources of its own; none has passes before it.
    pub before: Vec<Self>,
}

impl FrameTrace {
    /// Passes of the frame in order, this one last.
    pub fn passes(&self) -> impl Iterator<Item = &Self> {
        self.before.iter().chain(std::iter::once(self))
    }

    /// A compute pass, which has no pixels; its resources, programs and paths are to be filled in.
    #[must_use]
    pub fn of_dispatches(name: String, frame: u64, dispatches: Vec<DispatchTrace>) -> Self {
        Self {
            name,
            frame,
            grid: TileGrid {
                width: 0,
                height: 0,
                tile_size: 8,
            },
            binning: Binning::Exact,
            samples: SampleCount::One,
            pixel_bytes: 0,
            targets: Vec::new(),
            textures: Vec::new(),
            buffers: Vec::new(),
            programs: Vec::new(),
            paths: PathTable::default(),
            draws: Vec::new(),
            tiles: Vec::new(),
            dispatches,
            before: Vec::new(),
        }
    }

    /// Whether it is a compute pass.
    #[must_use]
    pub fn is_compute(&self) -> bool {
        !self.dispatches.is_empty()
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_of_texels_fills_a_line_and_is_no_more_than_twice_as_wide_as_high() {
        for bytes in [1, 2, 4, 8, 16, 32, 64] {
            let [width, height] = block_of_texels(bytes);
            assert_eq!(u64::from(width * height) * u64::from(bytes), BLOCK_BYTES);
            assert!(width == height || width == 2 * height, "{width}x{height}");
        }
        assert_eq!(TexelFormat::Rgba8.block_size(), [4, 4], "as the renderer's");
    }
}
