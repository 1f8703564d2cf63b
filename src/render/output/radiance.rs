//! Tile flush of a pass that later draws look at: a tile's colour buffer, block by block, to the RGB9E5 words of a picture
//! of radiance.

use std::sync::{Mutex, PoisonError};

use glam::Vec3;

use super::tile::block_rows;
use crate::raster::TileBuffers;
use crate::rgb9e5::encoded;
use azulejo_math::PixelRect;
use azulejo_scene::{LAYOUT_TILE, MipLevel};
use azulejo_simd::{Backend, LANES, LaneJob, Lanes, dispatch, each};

/// Words of a 16x16 tile of the layout.
const LAYOUT_WORDS: usize = (LAYOUT_TILE * LAYOUT_TILE) as usize;

/// The first level of a picture of radiance, to be written by any thread.
#[derive(Debug)]
pub(crate) struct RadianceTarget<'a> {
    level: MipLevel,
    /// The level's words, tile by tile of the layout: those of the screen may be smaller.
    layout_tiles: Vec<Mutex<&'a mut [u32]>>,
}

impl<'a> RadianceTarget<'a> {
    /// Target over the words of this level, which come first in `words`.
    pub(crate) fn new(level: MipLevel, words: &'a mut [u32]) -> Self {
        let n_tiles = level.tiles_wide * level.height.div_ceil(LAYOUT_TILE);
        let layout_tiles = words.chunks_exact_mut(LAYOUT_WORDS).map(Mutex::new);
        Self {
            level,
            layout_tiles: layout_tiles.take(n_tiles as usize).collect(),
        }
    }

    /// Writes the pixels of `tile`, what is drawn before `backdrop`.
    pub(crate) fn store(
        &self,
        backend: Backend,
        buffers: &TileBuffers,
        tile: PixelRect,
        backdrop: Vec3,
    ) {
        let edge = LAYOUT_TILE.cast_signed();
        for y0 in (tile.y0 / edge * edge..tile.y1).step_by(LAYOUT_TILE as usize) {
            for x0 in (tile.x0 / edge * edge..tile.x1).step_by(LAYOUT_TILE as usize) {
                let layout_tile = PixelRect {
                    x0,
                    y0,
                    x1: x0 + edge,
                    y1: y0 + edge,
                };
                let first = (self.level).texel_index(x0.cast_unsigned(), y0.cast_unsigned());
                // No writer leaves anything behind that others rely on.
                let mut words = (self.layout_tiles[first / LAYOUT_WORDS].lock())
                    .unwrap_or_else(PoisonError::into_inner);
                dispatch(
                    backend,
                    StorePart {
                        buffers,
                        tile,
                        part: tile.intersect(layout_tile),
                        backdrop,
                        level: &self.level,
                        first,
                        words: &mut words,
                    },
                );
            }
        }
    }
}

/// Part of a screen tile that lies in one tile of the layout.
struct StorePart<'a> {
    buffers: &'a TileBuffers,
    tile: PixelRect,
    part: PixelRect,
    backdrop: Vec3,
    level: &'a MipLevel,
    /// Number of the first word of the layout's tile.
    first: usize,
    words: &'a mut [u32],
}

impl LaneJob for StorePart<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self {
            buffers,
            tile,
            part,
            ..
        } = self;
        for y in (part.y0..part.y1).step_by(4) {
            for x in (part.x0..part.x1).step_by(4) {
                let [column, row] = [x - tile.x0, y - tile.y0].map(i32::cast_unsigned);
                let block = buffers.place(column, row).block;
                let [r, g, b, alpha] = each!(4, plane => l.load(&buffers.color[plane][block]));
                let behind = l.f(1.0) - alpha;
                let drawn = [r, g, b];
                let color = each!(3, k => drawn[k] + l.f(self.backdrop[k]) * behind);
                let mut words = [0; LANES];
                l.store_i(encoded(l, color), &mut words);
                let mut rows = block_rows(bytemuck::cast_ref::<_, [u32; LANES]>(&words));
                // The level ends here: texels beyond it stay 0.
                if part.x1 - x < 4 || part.y1 - y < 4 {
                    keep_inside(&mut rows, [part.x1 - x, part.y1 - y]);
                }
                let at = (self.level).texel_index(x.cast_unsigned(), y.cast_unsigned());
                self.words[at - self.first..][..LANES].copy_from_slice(rows.as_flattened());
            }
        }
    }
}

/// Clears the texels from this column or row of a block on.
fn keep_inside(rows: &mut [[u32; 4]; 4], [width, height]: [i32; 2]) {
    for (y, row) in (0..).zip(rows) {
        for (x, word) in (0..).zip(row) {
            if x >= width || y >= height {
                *word = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use azulejo_grid::{TileGrid, TileId};
    use azulejo_scene::{level_table, rgb9e5_from_linear};
    use azulejo_simd::SimdLevel;

    /// A number for each pixel and channel, from 0 to 4.
    fn number(x: u32, y: u32, channel: usize) -> f32 {
        ((x * 7 + y * 13 + channel as u32 * 5) % 29) as f32 / 7.0
    }

    proptest! {
        #[test]
        fn radiance_words_are_those_of_each_pixel_over_the_backdrop(
            width in 1_u32..90,
            height in 1_u32..70,
            tile_size in prop_oneof![Just(8_u32), Just(16), Just(32), Just(64)],
        ) {
            let grid = TileGrid { width, height, tile_size };
            let (levels, n_words) = level_table(width, height);
            let backdrop = Vec3::new(0.25, 0.5, 3.0);
            for simd in SimdLevel::available() {
                let backend = simd.backend().expect("available");
                let mut words = vec![0; n_words];
                let target = RadianceTarget::new(levels[0], &mut words);
                for id in (0..grid.n_tiles()).map(TileId) {
                    let tile = grid.rect(id);
                    let [x0, y0] = [tile.x0, tile.y0].map(i32::cast_unsigned);
                    let n_blocks = (tile_size * tile_size / 16) as usize;
                    let mut buffers = TileBuffers {
                        size: tile_size,
                        color: [(); 4].map(|()| vec![[9.0; LANES]; n_blocks]),
                        ..TileBuffers::default()
                    };
                    // Pixels of a tile beyond the screen are not looked at.
                    for (y, x) in (0..tile_size).flat_map(|y| (0..tile_size).map(move |x| (y, x))) {
                        let place = buffers.place(x, y);
                        for (channel, plane) in buffers.color.iter_mut().enumerate() {
                            let value = number(x0 + x, y0 + y, channel);
                            plane[place.block][place.lane] = if channel == 3 { value / 4.0 } else { value };
                        }
                    }
                    target.store(backend, &buffers, tile, backdrop);
                }
                let mut expected = vec![0; n_words];
                for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
                    let [r, g, b, alpha] = [0, 1, 2, 3].map(|channel| number(x, y, channel));
                    let color = Vec3::new(r, g, b) + backdrop * (1.0 - alpha / 4.0);
                    expected[levels[0].texel_index(x, y)] = rgb9e5_from_linear(color);
                }
                prop_assert_eq!(&words, &expected, "{}", simd);
            }
        }
    }
}
