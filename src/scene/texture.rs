//! Textures: RGBA8 texels in 4x4 blocks with their mip chain, and how they are sampled.
//!
//! Layout of one level: 16x16-texel tiles row by row, padded to whole tiles; in a tile the sixteen 4x4 blocks in Morton
//! order (column is the low bit); in a block the texels row by row. One block is 64 bytes: one cache line. It is the shape
//! of Arm's 16x16 block-interleaved layout, and keeps the padding of odd sizes small.

use super::ImageId;

/// How a texel's colour channels are stored. Alpha is always linear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// As they are.
    Linear,
    /// With the sRGB transfer function; decoded before filtering.
    Srgb,
}

/// Where one mip level lies in [`TextureImage::texels`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct MipLevel {
    /// Texels across.
    pub width: u32,
    /// Texels down.
    pub height: u32,
    /// 16x16 tiles across, the padding included.
    pub tiles_wide: u32,
    /// Index of the level's first texel.
    pub offset: u32,
}

/// Edge of a layout tile in texels.
const LAYOUT_TILE: u32 = 16;

impl MipLevel {
    /// Index into [`TextureImage::texels`] of the texel at (x, y), which must lie inside the level.
    #[must_use]
    pub const fn texel_index(&self, x: u32, y: u32) -> usize {
        let tile = (y / LAYOUT_TILE) * self.tiles_wide + x / LAYOUT_TILE;
        let block = ((x >> 2) & 1) | ((y >> 1) & 2) | ((x >> 1) & 4) | (y & 8);
        (self.offset + (tile << 8) + (block << 4) + ((y & 3) << 2) + (x & 3)) as usize
    }
}

/// Texels of one image in one encoding, all mip levels, largest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextureImage {
    /// Name or file for people; may be empty.
    pub name: String,
    /// How colours are stored.
    pub encoding: Encoding,
    /// The mip chain down to 1x1; each level is half the one before, rounded down.
    pub levels: Vec<MipLevel>,
    /// RGBA8 texels, red in the low byte; padding repeats nothing and is never sampled.
    pub texels: Vec<u32>,
}

impl TextureImage {
    /// The RGBA8 texel at (x, y) of `level`.
    #[must_use]
    pub fn texel(&self, level: usize, x: u32, y: u32) -> [u8; 4] {
        self.texels[self.levels[level].texel_index(x, y)].to_le_bytes()
    }
}

/// Texel selection within a level or between levels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    /// The nearest.
    Nearest,
    /// Weighted mean of the neighbours.
    #[default]
    Linear,
}

/// What coordinates outside 0..1 mean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// The image repeats.
    #[default]
    Repeat,
    /// Every second repetition is mirrored.
    MirroredRepeat,
    /// The edge texel continues.
    ClampToEdge,
}

/// How a texture is sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// Where a texel is larger than a pixel.
    pub mag: Filter,
    /// Where a texel is smaller than a pixel.
    pub min: Filter,
    /// Between mip levels; `None` always takes the largest level.
    pub mip: Option<Filter>,
    /// Across.
    pub wrap_u: Wrap,
    /// Down.
    pub wrap_v: Wrap,
}

impl Default for Sampler {
    /// Trilinear, repeating: what glTF leaves to the implementation.
    fn default() -> Self {
        Self {
            mag: Filter::Linear,
            min: Filter::Linear,
            mip: Some(Filter::Linear),
            wrap_u: Wrap::Repeat,
            wrap_v: Wrap::Repeat,
        }
    }
}

/// An image with a sampler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Texture {
    /// Whose texels.
    pub image: ImageId,
    /// How they are sampled.
    pub sampler: Sampler,
}
