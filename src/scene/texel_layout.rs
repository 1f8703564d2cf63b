//! Layout of texels in memory: RGBA8 in 4x4 blocks, level by level.
//!
//! Layout of one level: 16x16-texel tiles row by row, padded to whole tiles; in a tile the sixteen 4x4 blocks in Morton
//! order (column is the low bit); in a block the texels row by row. One block is 64 bytes: one cache line. It is the shape
//! of Arm's 16x16 block-interleaved layout, and keeps the padding of odd sizes small.

/// How a texel's colour channels are stored. Alpha is always linear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Linear values, stored as they are.
    Linear,
    /// Values with the sRGB transfer function; decoded before filtering.
    Srgb,
}

/// Place of one mip level in [`super::TextureImage::texels`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct MipLevel {
    /// Width in texels, 1 or more.
    pub width: u32,
    /// Height in texels, 1 or more.
    pub height: u32,
    /// 16x16 tiles across, the padding included.
    pub tiles_wide: u32,
    /// Index of the level's first texel.
    pub offset: u32,
}

/// Edge of a layout tile in texels.
#[doc(hidden)]
pub const LAYOUT_TILE: u32 = 16;

impl MipLevel {
    /// Index into [`super::TextureImage::texels`] of the texel at (x, y), which must lie inside the level.
    #[must_use]
    pub const fn texel_index(&self, x: u32, y: u32) -> usize {
        let tile = (y / LAYOUT_TILE) * self.tiles_wide + x / LAYOUT_TILE;
        let block = ((x >> 2) & 1) | ((y >> 1) & 2) | ((x >> 1) & 4) | (y & 8);
        (self.offset + (tile << 8) + (block << 4) + ((y & 3) << 2) + (x & 3)) as usize
    }

    /// Place of the texel with this index, the inverse of [`MipLevel::texel_index`]; the index must not lie before the level.
    pub(crate) const fn place(&self, texel_index: u32) -> [u32; 2] {
        let at = texel_index - self.offset;
        let (tile, block, texel) = (at >> 8, at >> 4 & 15, at & 15);
        let column = (block & 1) | (block >> 1 & 2);
        let row = (block >> 1 & 1) | (block >> 2 & 2);
        [
            tile % self.tiles_wide * LAYOUT_TILE + column * 4 + (texel & 3),
            tile / self.tiles_wide * LAYOUT_TILE + row * 4 + (texel >> 2),
        ]
    }
}
