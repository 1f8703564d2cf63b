//! Places of compressed blocks in memory: tiles of 4x4 blocks row by row, in a tile the blocks in Morton order, level after
//! level.
//!
//! It is the order in which uncompressed texels lie (see [`MipLevel`]), with blocks of another size: where blocks have 4x4
//! texels, the numbers are the same. A cache line holds 2x2 blocks of 16 bytes or 4x2 of 8.

use super::BlockShape;
use crate::MipLevel;

/// Edge of a tile in blocks.
const TILE: u32 = 4;

/// Numbers of a texture's compressed blocks, by place and by uncompressed texel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockLayout {
    shape: BlockShape,
    levels: Vec<Level>,
    n_blocks: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Level {
    mip: MipLevel,
    /// Tiles of blocks across, the padding included.
    tiles_wide: u32,
    /// Number of the first block.
    first: u32,
}

impl BlockLayout {
    /// Layout of a texture with these levels, the largest first.
    #[must_use]
    pub fn new(shape: BlockShape, mips: &[MipLevel]) -> Self {
        let mut n_blocks = 0;
        let levels = mips.iter().map(|&mip| {
            let tiles_wide = mip.width.div_ceil(TILE * shape.width);
            let first = n_blocks;
            n_blocks += tiles_wide * mip.height.div_ceil(TILE * shape.height) * TILE * TILE;
            Level {
                mip,
                tiles_wide,
                first,
            }
        });
        Self {
            shape,
            levels: levels.collect(),
            n_blocks,
        }
    }

    /// Texels and bytes of a block.
    #[must_use]
    pub const fn shape(&self) -> BlockShape {
        self.shape
    }

    /// Blocks of all levels, padding included.
    #[must_use]
    pub const fn n_blocks(&self) -> u32 {
        self.n_blocks
    }

    /// Number of the block that holds the texel at (x, y) of a level.
    #[must_use]
    pub fn block_at(&self, level: usize, x: u32, y: u32) -> u32 {
        let level = &self.levels[level];
        let (column, row) = (x / self.shape.width, y / self.shape.height);
        let tile = (row / TILE) * level.tiles_wide + column / TILE;
        let within = (column & 1) | (row & 1) << 1 | (column & 2) << 1 | (row & 2) << 2;
        level.first + tile * TILE * TILE + within
    }

    /// Number of the block that holds the texel which lies at `texel_index` of [`crate::TextureImage::texels`].
    #[must_use]
    pub fn block_of(&self, texel_index: u32) -> u32 {
        if (self.shape.width, self.shape.height) == (TILE, TILE) {
            return texel_index / (TILE * TILE);
        }
        let after = (self.levels).partition_point(|level| level.mip.offset <= texel_index);
        let level = after.saturating_sub(1);
        let Some(found) = self.levels.get(level) else {
            return 0;
        };
        let [x, y] = found.mip.place(texel_index);
        self.block_at(level, x, y)
    }
}
