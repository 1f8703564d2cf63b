//! Tile flush of a pass that later draws look at: a tile's colour buffer to RGB9E5 words, and the smaller levels when all tiles are done.

use std::sync::atomic::{AtomicU32, Ordering};

use glam::Vec3;
use rayon::prelude::*;

use crate::math::PixelRect;
use crate::render::raster::TileBuffers;
use crate::scene::{MipLevel, linear_from_rgb9e5, rgb9e5_from_linear};

/// Words of a picture of radiance that tiles are written to, on any thread: each word belongs to one tile.
pub(in crate::render) type RadianceWords = Vec<AtomicU32>;

/// Writes the pixels of `tile` to `level`, what is drawn before `backdrop`.
pub(in crate::render) fn store_radiance(
    buffers: &TileBuffers,
    tile: PixelRect,
    backdrop: Vec3,
    level: &MipLevel,
    words: &[AtomicU32],
) {
    for y in tile.y0..tile.y1 {
        for x in tile.x0..tile.x1 {
            let [column, row] = [x - tile.x0, y - tile.y0].map(i32::cast_unsigned);
            let place = buffers.place(column, row);
            let [r, g, b, alpha] =
                [0, 1, 2, 3].map(|plane: usize| buffers.color[plane][place.block][place.lane]);
            let color = Vec3::new(r, g, b) + backdrop * (1.0 - alpha);
            let at = level.texel_index(x.cast_unsigned(), y.cast_unsigned());
            words[at].store(rgb9e5_from_linear(color), Ordering::Relaxed);
        }
    }
}

/// All levels from the first one's words: each texel is the mean of 4x4 texels of the level before, the inner ones weighted by 9 to 3 to 1,
/// so that magnified levels show no blocks.
pub(in crate::render) fn fill_radiance_levels(
    levels: &[MipLevel],
    words: RadianceWords,
) -> Vec<u32> {
    let mut words: Vec<u32> = words.into_iter().map(AtomicU32::into_inner).collect();
    let Some((first, smaller)) = levels.split_first() else {
        return words;
    };
    let mut above = *first;
    let mut source = vec![Vec3::ZERO; (above.width * above.height) as usize];
    let rows = source.par_chunks_mut(above.width as usize).enumerate();
    rows.for_each(|(y, row)| {
        for (x, texel) in row.iter_mut().enumerate() {
            *texel = linear_from_rgb9e5(words[above.texel_index(x as u32, y as u32)]);
        }
    });
    for level in smaller {
        let mut target = vec![Vec3::ZERO; (level.width * level.height) as usize];
        let rows = target.par_chunks_mut(level.width as usize).enumerate();
        rows.for_each(|(y, row)| {
            for (x, texel) in row.iter_mut().enumerate() {
                *texel = halved(&source, &above, [x, y]);
            }
        });
        for (at, color) in target.iter().enumerate() {
            let (x, y) = (at as u32 % level.width, at as u32 / level.width);
            words[level.texel_index(x, y)] = rgb9e5_from_linear(*color);
        }
        (source, above) = (target, *level);
    }
    words
}

/// The texel at `[x, y]` of the level after `above`.
fn halved(source: &[Vec3], above: &MipLevel, [x, y]: [usize; 2]) -> Vec3 {
    const WEIGHTS: [f32; 4] = [0.125, 0.375, 0.375, 0.125];
    let [width, height] = [above.width, above.height].map(|edge| edge as usize);
    let inside =
        |at: usize, tap: usize, edge: usize| (2 * at + tap).saturating_sub(1).min(edge - 1);
    let mut sum = Vec3::ZERO;
    for (row, by_row) in WEIGHTS.into_iter().enumerate() {
        let line = inside(y, row, height) * width;
        for (column, by_column) in WEIGHTS.into_iter().enumerate() {
            sum += source[line + inside(x, column, width)] * (by_row * by_column);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::level_table;

    fn filled(
        width: u32,
        height: u32,
        color: impl Fn(u32, u32) -> Vec3,
    ) -> (Vec<MipLevel>, Vec<u32>) {
        let (levels, n_words) = level_table(width, height);
        let words: RadianceWords = (0..n_words).map(|_| AtomicU32::new(0)).collect();
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let word = rgb9e5_from_linear(color(x, y));
            words[levels[0].texel_index(x, y)].store(word, Ordering::Relaxed);
        }
        let words = fill_radiance_levels(&levels, words);
        (levels, words)
    }

    #[test]
    fn radiance_of_one_colour_has_it_on_all_levels() {
        let color = Vec3::new(1.0, 0.5, 8.0);
        let (levels, words) = filled(37, 20, |_, _| color);
        for level in &levels {
            let [x, y] = [level.width, level.height].map(|edge| edge - 1);
            let found = linear_from_rgb9e5(words[level.texel_index(x, y)]);
            assert!((found - color).abs().max_element() < 1e-5, "{found}");
        }
    }

    #[test]
    fn radiance_levels_keep_the_mean() {
        let (levels, words) = filled(64, 64, |x, y| Vec3::splat(((x * 7 + y * 3) % 16) as f32));
        let last = levels.last().expect("one texel");
        let mean = linear_from_rgb9e5(words[last.texel_index(0, 0)]);
        assert!(
            (mean - Vec3::splat(7.5)).abs().max_element() < 0.3,
            "{mean}"
        );
    }
}
