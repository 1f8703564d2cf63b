//! The smaller levels of a picture of radiance, when all of its tiles are done: each texel is the mean of 4x4 texels of the
//! level before, weighted by 1, 3, 3, 1 along both axes, so that magnified levels show no blocks.
//!
//! Levels are filtered from numbers, not from the words of the level before, lest roundings add up. Sixteen rows of a
//! level, which is a row of tiles of the layout, are one piece of work.

use std::ops::Range;

use rayon::prelude::*;

use crate::rgb9e5::{decoded, encoded};
use azulejo_scene::{LAYOUT_TILE, MipLevel};
use azulejo_simd::{Backend, LANES, LaneJob, Lanes, dispatch, each};

/// Rows of texels in one piece of work.
const STRIP: usize = LAYOUT_TILE as usize;

/// Weights of four neighbours: the two in the middle, and the two beside them.
const INNER: f32 = 0.375;
const OUTER: f32 = 0.125;

/// Rows of numbers: each has its red ones, its green and its blue ones, padded to whole lanes.
#[derive(Debug, Clone, Default)]
struct Rows {
    /// Number of the first row.
    first: usize,
    /// Numbers of a channel in a row, the padding included.
    stride: usize,
    numbers: Vec<f32>,
}

impl Rows {
    /// Zeros for all rows of a level, whole strips of them.
    fn of(level: &MipLevel) -> Self {
        let stride = (level.tiles_wide * LAYOUT_TILE) as usize;
        let rows = (level.height as usize).next_multiple_of(STRIP);
        Self {
            first: 0,
            stride,
            numbers: vec![0.0; rows * 3 * stride],
        }
    }

    /// A channel of a row.
    #[inline(always)]
    fn row(&self, y: usize, channel: usize) -> &[f32] {
        let at = ((y - self.first) * 3 + channel) * self.stride;
        &self.numbers[at..at + self.stride]
    }
}

/// Buffers that a thread keeps between its strips.
#[derive(Debug, Default)]
struct Scratch {
    /// Rows of the first level.
    decoded: Rows,
    /// A row of means down columns, extended beyond its ends.
    line: Vec<f32>,
}

/// Fills the levels after the first one.
pub(crate) fn fill_radiance_levels(backend: Backend, levels: &[MipLevel], words: &mut [u32]) {
    let mut above: Option<Rows> = None;
    for (source, level) in levels.iter().zip(levels.iter().skip(1)) {
        let (finished, unfinished) = words.split_at_mut(level.offset as usize);
        let mut rows = Rows::of(level);
        let stride = rows.stride;
        let strips = (unfinished.par_chunks_mut(STRIP * stride))
            .zip(rows.numbers.par_chunks_mut(STRIP * 3 * stride))
            .enumerate();
        strips.for_each_init(Scratch::default, |scratch, (strip, (words, numbers))| {
            let rows = strip * STRIP..((strip + 1) * STRIP).min(level.height as usize);
            let Scratch { decoded, line } = scratch;
            let numbers_above = above.as_ref().unwrap_or_else(|| {
                let [first, ..] = taps(rows.start, source.height);
                let [.., last] = taps(rows.end - 1, source.height);
                let decode = Decode {
                    level: source,
                    words: finished,
                    needed: first..last + 1,
                    to: decoded,
                };
                dispatch(backend, decode);
                decoded
            });
            let halve = Halve {
                source,
                above: numbers_above,
                level,
                rows,
                line,
                numbers,
                words,
            };
            dispatch(backend, halve);
        });
        above = Some(rows);
    }
}

/// The four rows, of a level of this height, whose mean the row with this number of the next level is; columns likewise.
#[inline(always)]
fn taps(y: usize, height: u32) -> [usize; 4] {
    let last = height as usize - 1;
    each!(4, tap => (2 * y + tap).saturating_sub(1).min(last))
}

/// Decoding of a level's RGB9E5 words to floats.
struct Decode<'a> {
    level: &'a MipLevel,
    /// Words of all levels, in the layout of mip chains.
    words: &'a [u32],
    /// Rows to decode, by their number in the level.
    needed: Range<usize>,
    to: &'a mut Rows,
}

impl LaneJob for Decode<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self {
            level,
            words,
            needed,
            to,
        } = self;
        let first = needed.start / 4 * 4;
        let n_rows = (needed.end - first).next_multiple_of(4);
        to.first = first;
        to.stride = (level.tiles_wide * LAYOUT_TILE) as usize;
        to.numbers.resize(n_rows * 3 * to.stride, 0.0);
        for (block_row, rows) in (to.numbers.chunks_exact_mut(4 * 3 * to.stride)).enumerate() {
            let y = (first + 4 * block_row) as u32;
            for x in (0..level.width).step_by(4) {
                let at = level.texel_index(x, y);
                let Some(block) = words[at..].first_chunk() else {
                    continue;
                };
                let colors = decoded(l, l.load_i(bytemuck::cast_ref::<[u32; LANES], _>(block)));
                for (channel, color) in colors.into_iter().enumerate() {
                    let mut texels = [0.0; LANES];
                    l.store(color, &mut texels);
                    for (row, texels) in texels.as_chunks::<4>().0.iter().enumerate() {
                        let to = (row * 3 + channel) * to.stride + x as usize;
                        rows[to..to + 4].copy_from_slice(texels);
                    }
                }
            }
        }
    }
}

/// A strip of a level from the level before.
struct Halve<'a> {
    source: &'a MipLevel,
    above: &'a Rows,
    level: &'a MipLevel,
    /// Rows of the strip, by their number in the level.
    rows: Range<usize>,
    line: &'a mut Vec<f32>,
    /// Floats of the strip, row by row, channel by channel.
    numbers: &'a mut [f32],
    /// Words of the strip, in the layout's order.
    words: &'a mut [u32],
}

impl LaneJob for Halve<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self {
            source,
            above,
            level,
            rows,
            line,
            numbers,
            words,
        } = self;
        let width = source.width as usize;
        // Numbers at the ends repeat beyond them: one before, two behind.
        line.resize(above.stride + 4, 0.0);
        let stride = (level.tiles_wide * LAYOUT_TILE) as usize;
        for (y, target) in rows.clone().zip(numbers.chunks_exact_mut(3 * stride)) {
            let taps = taps(y, source.height);
            for (channel, target) in target.chunks_exact_mut(stride).enumerate() {
                let [a, b, c, d] = each!(4, tap => above.row(taps[tap], channel).as_chunks().0);
                for (at, to) in line[1..].as_chunks_mut().0.iter_mut().enumerate() {
                    if at * LANES >= width {
                        break;
                    }
                    let (a, d) = (l.load(&a[at]), l.load(&d[at]));
                    let (b, c) = (l.load(&b[at]), l.load(&c[at]));
                    l.store((b + c) * l.f(INNER) + (a + d) * l.f(OUTER), to);
                }
                line[0] = line[1];
                let last = line[width];
                line[width + 1..width + 3].fill(last);
                let pairs = line.as_chunks().0.array_windows();
                let target = &mut target[..level.width as usize];
                for (to, &[[a, b], [c, d]]) in target.iter_mut().zip(pairs) {
                    *to = (b + c) * INNER + (a + d) * OUTER;
                }
            }
        }
        let first_word = level.texel_index(0, rows.start as u32);
        for y in rows.clone().step_by(4) {
            for x in (0..level.width).step_by(4) {
                let color = each!(3, channel => {
                    let texels = each!(4, row => {
                        let at = ((y - rows.start + row) * 3 + channel) * stride + x as usize;
                        let texels: [f32; 4] = std::array::from_fn(|column| numbers[at + column]);
                        texels
                    });
                    l.load(bytemuck::cast_ref(&texels))
                });
                let mut block = [0; LANES];
                l.store_i(encoded(l, color), &mut block);
                let at = level.texel_index(x, y as u32) - first_word;
                words[at..at + LANES].copy_from_slice(bytemuck::cast_slice(&block));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{DVec3, Vec3};
    use proptest::prelude::*;

    use super::*;
    use azulejo_scene::{level_table, linear_from_rgb9e5, rgb9e5_from_linear};
    use azulejo_simd::SimdLevel;

    /// Levels and words of a picture, filled at this level.
    fn filled(
        [width, height]: [u32; 2],
        simd: SimdLevel,
        color: impl Fn(u32, u32) -> Vec3,
    ) -> (Vec<MipLevel>, Vec<u32>) {
        let (levels, n_words) = level_table(width, height);
        let mut words = vec![0; n_words];
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            words[levels[0].texel_index(x, y)] = rgb9e5_from_linear(color(x, y));
        }
        fill_radiance_levels(simd.backend().expect("available"), &levels, &mut words);
        (levels, words)
    }

    #[test]
    fn radiance_of_one_colour_has_it_on_all_levels() {
        let color = Vec3::new(1.0, 0.5, 8.0);
        let (levels, words) = filled([37, 20], SimdLevel::Auto, |_, _| color);
        for level in &levels {
            let [x, y] = [level.width, level.height].map(|edge| edge - 1);
            let found = linear_from_rgb9e5(words[level.texel_index(x, y)]);
            assert!((found - color).abs().max_element() < 1e-5, "{found}");
        }
    }

    #[test]
    fn radiance_levels_keep_the_mean() {
        let ramp = |x: u32, y: u32| Vec3::splat(((x * 7 + y * 3) % 16) as f32);
        let (levels, words) = filled([64, 64], SimdLevel::Auto, ramp);
        let last = levels.last().expect("one texel");
        let mean = linear_from_rgb9e5(words[last.texel_index(0, 0)]);
        assert!(
            (mean - Vec3::splat(7.5)).abs().max_element() < 0.3,
            "{mean}"
        );
    }

    /// Every texel from all sixteen of the level before, in double precision and without rounding between levels.
    fn naive(levels: &[MipLevel], first: &dyn Fn(u32, u32) -> DVec3) -> Vec<Vec<DVec3>> {
        let in_level = |level: &MipLevel| {
            let width = level.width;
            (0..level.height).flat_map(move |y| (0..width).map(move |x| (x, y)))
        };
        let mut all = vec![
            in_level(&levels[0])
                .map(|(x, y)| first(x, y))
                .collect::<Vec<_>>(),
        ];
        for (above, level) in levels.iter().zip(&levels[1..]) {
            let before = all.last().expect("the first level");
            let texel = |x: i64, y: i64| {
                let [x, y] = [
                    x.clamp(0, i64::from(above.width) - 1),
                    y.clamp(0, i64::from(above.height) - 1),
                ];
                before[(y * i64::from(above.width) + x) as usize]
            };
            let mean = |(x, y): (u32, u32)| {
                let mut sum = DVec3::ZERO;
                for (row, down) in (-1..3).zip([1.0, 3.0, 3.0, 1.0]) {
                    for (column, across) in (-1..3).zip([1.0, 3.0, 3.0, 1.0]) {
                        let texel = texel(2 * i64::from(x) + column, 2 * i64::from(y) + row);
                        sum += texel * (down * across / 64.0);
                    }
                }
                sum
            };
            all.push(in_level(level).map(mean).collect());
        }
        all
    }

    proptest! {
        #[test]
        fn radiance_levels_are_those_of_double_precision(
            size in prop::array::uniform2(1_u32..75),
            seed in any::<u32>(),
        ) {
            let color = |x: u32, y: u32| {
                let hash = (x * 73 + y * 151 + 1).wrapping_mul(seed | 1);
                Vec3::new((hash % 97) as f32, (hash >> 7 & 63) as f32 / 64.0, (hash >> 16) as f32)
            };
            let levels = level_table(size[0], size[1]).0;
            let exact = naive(&levels, &|x, y| linear_from_rgb9e5(rgb9e5_from_linear(color(x, y))).as_dvec3());
            for simd in SimdLevel::available() {
                let (levels, words) = filled(size, simd, color);
                for (level, exact) in levels.iter().zip(&exact) {
                    for (at, exact) in (0..).zip(exact) {
                        let found = words[level.texel_index(at % level.width, at / level.width)];
                        let error = (linear_from_rgb9e5(found).as_dvec3() - *exact).abs().max_element();
                        // Half a step of the largest channel, and what single precision leaves.
                        let most = exact.max_element() * (1.0 / 511.0 + 1e-5);
                        prop_assert!(error <= most, "{}: {} is off by {}", simd, exact, error);
                    }
                }
            }
        }

        #[test]
        fn radiance_levels_are_the_same_at_every_simd_level(size in prop::array::uniform2(1_u32..150)) {
            let color = |x: u32, y: u32| Vec3::new(x as f32 * 0.37, (x ^ y) as f32, y as f32 * 3.1);
            let [first, rest @ ..] = &SimdLevel::available()[..] else { unreachable!() };
            let words = filled(size, *first, color).1;
            for simd in rest {
                prop_assert_eq!(&filled(size, *simd, color).1, &words, "{}", simd);
            }
        }
    }
}
