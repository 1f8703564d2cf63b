//! Shape of a texture, on which its texel addresses depend: its sampler and the layout of its mip levels, not its texels.
//! Textures of one shape that are sampled at the same coordinates share all of that work.

use azulejo_scene::{MipLevel, Sampler, TextureImage};
use azulejo_simd::LANES;

/// Sampler and mip levels, as tables for [`azulejo_simd::Lanes::lookup`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextureShape {
    /// How texels are selected.
    pub(super) sampler: Sampler,
    /// Index of the smallest level.
    pub(super) last_level: i32,
    /// Texels across, by level.
    pub(super) widths: [i32; LANES],
    /// Texels down, by level.
    pub(super) heights: [i32; LANES],
    /// Texels from a row of layout tiles to the next, by level.
    pub(super) row_strides: [i32; LANES],
    /// First texel, by level.
    pub(super) offsets: [i32; LANES],
}

/// Texels of a layout tile: 16 x 16.
const TILE_TEXELS: u32 = 256;

impl TextureShape {
    /// The shape of `image` under `sampler`. Levels from the seventeenth on, of images beyond 32768 texels, are left out.
    pub(super) fn new(image: &TextureImage, sampler: Sampler) -> Self {
        Self::of_levels(&image.levels, sampler)
    }

    /// The shape of levels alone.
    pub(super) fn of_levels(levels: &[MipLevel], sampler: Sampler) -> Self {
        let n_levels = levels.len().clamp(1, LANES);
        let table = |value: fn(&MipLevel) -> u32| {
            std::array::from_fn(|level| levels.get(level).map_or(1, value).cast_signed())
        };
        Self {
            sampler,
            last_level: n_levels as i32 - 1,
            widths: table(|level| level.width),
            heights: table(|level| level.height),
            row_strides: table(|level| level.tiles_wide * TILE_TEXELS),
            offsets: table(|level| level.offset),
        }
    }
}
