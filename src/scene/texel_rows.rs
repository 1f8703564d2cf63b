//! An image's texels in linear light, row by row, with a border of what lies beyond the edges: two neighbours lie side by
//! side wherever they are, so that one wide read brings both, decoded, and no address has to be wrapped. Beside them stands
//! where alpha is 0 or 1 all over, so that what cannot be seen need not be sampled.
//!
//! A level is cut into strips of [`STRIP`] columns, one strip after the other, so that what is near on the screen is near
//! in memory: rows of whole images would lie on a page each. Rows of a strip have one texel more, the first of the next
//! strip.
//!
//! Which texels a sample reads is said in the plain layout ([`super::MipLevel`]); these rows are how colours are made here.

use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::mip_chain::{Linear, decode};
use super::texel_layout::{Encoding, MipLevel};

/// Words of a texel: red and green, blue and alpha, 16 bits each in linear light, as `Lanes::bilinear` of `simd` reads
/// them: 65535 is one, 32768 is subtracted, and the first of a word is its low half.
pub(crate) const TEXEL_WORDS: usize = 2;

/// Columns of a strip.
#[doc(hidden)]
pub const STRIP: u32 = 16;

/// Texels from a row of a strip to the next.
#[doc(hidden)]
pub const STRIP_STRIDE: u32 = STRIP + 1;

/// Edge of a cell in texels.
#[doc(hidden)]
pub const CELL: u32 = 4;

/// Cells that are looked at together.
const TOGETHER: usize = 8;

/// Place of a level's rows in the words, in texels and cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[doc(hidden)]
pub struct RowLevel {
    /// The border's first texel, which lies before the level's first column and row.
    pub origin: u32,
    /// Texels from a strip to the next.
    pub strip: u32,
    /// Columns and rows, those of the border included.
    size: [u32; 2],
    /// The level's first cell.
    pub cells: u32,
    /// Cells in a row.
    pub cells_wide: u32,
}

/// Range of several alphas: whether any is above 0, and whether any is below 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[doc(hidden)]
pub struct Alphas(u8);

impl Alphas {
    const ABOVE_ZERO: u8 = 1;
    const BELOW_ONE: u8 = 2;

    /// Alphas of any values.
    pub const MIXED: Self = Self(Self::ABOVE_ZERO | Self::BELOW_ONE);

    /// Range of one alpha, which may be beyond 0..=1.
    pub fn of(alpha: f32) -> Self {
        let unknown = alpha.is_nan();
        let above_zero = if alpha > 0.0 || unknown {
            Self::ABOVE_ZERO
        } else {
            0
        };
        let below_one = if alpha < 1.0 || unknown {
            Self::BELOW_ONE
        } else {
            0
        };
        Self(above_zero | below_one)
    }

    /// Range of these and others together.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The products of these and others.
    #[must_use]
    pub const fn times(self, other: Self) -> Self {
        Self(self.0 & other.0 & Self::ABOVE_ZERO | (self.0 | other.0) & Self::BELOW_ONE)
    }

    /// Nothing can be seen.
    pub const fn all_zero(self) -> bool {
        self.0 & Self::ABOVE_ZERO == 0
    }

    /// Nothing can be seen through it.
    pub const fn all_one(self) -> bool {
        self.0 & Self::BELOW_ONE == 0
    }
}

/// All levels of an image in rows.
#[derive(Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct TexelRows {
    /// Words of all texels, [`TEXEL_WORDS`] each.
    pub words: Vec<u32>,
    /// Range of alphas by level and cell, which is [`CELL`] x [`CELL`] texels of the rows: of all texels that samples read
    /// whose left upper texel lies in the cell, in the level and in the next one. Behind the last cell are [`TOGETHER`]
    /// more.
    pub alphas: Vec<Alphas>,
    /// Range of the alphas of all texels.
    pub all: Alphas,
}

/// Places of the rows of these levels, and the number of texels of all.
#[doc(hidden)]
pub fn row_levels(levels: &[MipLevel]) -> (Vec<RowLevel>, usize) {
    let (mut origin, mut cells) = (0, 0);
    let of = |level: &MipLevel| {
        let [columns, rows] = [level.width + 2, level.height + 2];
        let level = RowLevel {
            origin,
            strip: STRIP_STRIDE * rows,
            size: [columns, rows],
            cells,
            cells_wide: columns.div_ceil(CELL),
        };
        origin += level.strip * columns.div_ceil(STRIP);
        cells += level.cells_wide * rows.div_ceil(CELL);
        level
    };
    let levels = levels.iter().map(of).collect();
    (levels, origin as usize)
}

impl RowLevel {
    /// The texel at a place of the level with its border.
    const fn texel(&self, column: u32, row: u32) -> usize {
        let strip = column / STRIP * self.strip;
        (self.origin + strip + row * STRIP_STRIDE + column % STRIP) as usize
    }
}

impl TexelRows {
    /// The rows of an image with these levels and RGBA8 texels; whether it repeats along u and v, else its edges do.
    pub(super) fn new(
        encoding: Encoding,
        levels: &[MipLevel],
        texels: &[u32],
        repeats: [bool; 2],
    ) -> Self {
        let (rows, n_texels) = row_levels(levels);
        let mut words = vec![0; n_texels * TEXEL_WORDS];
        let mut rest = words.as_mut_slice();
        for (level, rows) in levels.iter().zip(&rows) {
            let [columns, n_rows] = rows.size;
            let len = (rows.strip * columns.div_ceil(STRIP)) as usize * TEXEL_WORDS;
            let (of_level, after) = rest.split_at_mut(len);
            rest = after;
            let in_rows = of_level.par_chunks_exact_mut(STRIP_STRIDE as usize * TEXEL_WORDS);
            in_rows.enumerate().with_min_len(64).for_each(|(at, to)| {
                let (strip, row) = (at as u32 / n_rows, at as u32 % n_rows);
                let y = inside(row, level.height, repeats[1]);
                for (column, to) in (strip * STRIP..columns).zip(to.as_chunks_mut().0) {
                    let x = inside(column, level.width, repeats[0]);
                    let texel = texels[level.texel_index(x, y)];
                    *to = in_words(decode(encoding, texel.to_le_bytes()));
                }
            });
        }
        let mut alphas = alphas(levels, &rows, &words);
        let all = alphas
            .iter()
            .copied()
            .fold(Alphas::default(), Alphas::union);
        alphas.extend([Alphas::MIXED; TOGETHER]);
        Self { words, alphas, all }
    }

    /// Range of the alphas of `n` cells in a row, this one the first.
    #[inline(always)]
    pub fn alphas_in_row(&self, first: usize, n: usize) -> Alphas {
        let eight: Option<&[Alphas; TOGETHER]> =
            self.alphas.get(first..).and_then(<[_]>::first_chunk);
        if let (Some(eight), 1..=TOGETHER) = (eight, n) {
            let mut bits = 0;
            for (k, alphas) in eight.iter().enumerate() {
                bits |= u64::from(alphas.0) << (8 * k);
            }
            let bits = bits & u64::MAX >> (64 - 8 * n);
            let bits = bits | bits >> 32;
            let bits = bits | bits >> 16;
            return Alphas((bits | bits >> 8) as u8);
        }
        let cells = self.alphas.get(first..first + n);
        (cells.unwrap_or(&[Alphas::MIXED]).iter())
            .fold(Alphas::default(), |all, alphas| all.union(*alphas))
    }
}

/// The texel of a level that stands at this place of a row (or column) with a border.
fn inside(at: u32, size: u32, repeats: bool) -> u32 {
    match (at, repeats) {
        (0, true) => size - 1,
        (at, true) if at > size => 0,
        _ => at.saturating_sub(1).min(size - 1),
    }
}

fn in_words([r, g, b, a]: Linear) -> [u32; TEXEL_WORDS] {
    let word = |low: u16, high: u16| (u32::from(low) | u32::from(high) << 16) ^ BIAS;
    [word(r, g), word(b, a)]
}

/// The sign bits of both halves of a word: to turn them over is to subtract 32768, and to add it again.
const BIAS: u32 = 0x8000_8000;

/// The alphas of all levels' cells.
fn alphas(levels: &[MipLevel], rows: &[RowLevel], words: &[u32]) -> Vec<Alphas> {
    let alpha = |of: &RowLevel, x: u32, y: u32| {
        Alphas::of(((words[of.texel(x, y) * TEXEL_WORDS + 1] ^ BIAS) >> 16) as f32 / 65535.0)
    };
    let within = |of: &RowLevel, columns: RangeInclusive<u32>, rows: RangeInclusive<u32>| {
        let places = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
        places.fold(Alphas::default(), |all, (x, y)| all.union(alpha(of, x, y)))
    };
    let of_level = |number: usize| {
        let (level, of) = (&levels[number], &rows[number]);
        let next = levels.get(number + 1).zip(rows.get(number + 1));
        let cell = move |column: u32, row: u32| {
            let own = within(of, reach(column, of.size[0]), reach(row, of.size[1]));
            let Some((smaller, rows)) = next else {
                return own;
            };
            let columns = reach_below(column, level.width, smaller.width);
            own.union(within(
                rows,
                columns,
                reach_below(row, level.height, smaller.height),
            ))
        };
        let columns = of.cells_wide;
        let cells_high = of.size[1].div_ceil(CELL);
        (0..cells_high)
            .into_par_iter()
            .flat_map_iter(move |row| (0..columns).map(move |column| cell(column, row)))
            .collect::<Vec<_>>()
    };
    (0..levels.len()).flat_map(of_level).collect()
}

/// Columns (or rows) that samples read whose first one lies in a cell.
fn reach(cell: u32, size: u32) -> RangeInclusive<u32> {
    cell * CELL..=((cell + 1) * CELL).min(size - 1)
}

/// Columns (or rows) that these samples read in the next level, which has `smaller` texels where theirs has `size`.
/// Coordinate u is at u size + 1/2 in its row, and the texels before and behind it are read.
fn reach_below(cell: u32, size: u32, smaller: u32) -> RangeInclusive<u32> {
    let place = |at: f64| {
        let u = (at - 0.5) / f64::from(size);
        u.clamp(0.0, 1.0) * f64::from(smaller) + 0.5
    };
    let margin = 1.0 / 16.0;
    let first = place(f64::from(cell * CELL)) - margin;
    let last = place(f64::from((cell + 1) * CELL)) + margin;
    first.max(0.0) as u32..=(last as u32 + 1).min(smaller + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::TextureImage;
    use super::*;

    proptest! {
        #[test]
        fn rows_hold_the_texels_and_what_lies_beyond_the_edges(
            size in (1_u32..40, 1_u32..40),
            repeats in prop::array::uniform2(any::<bool>()),
            seed in any::<u32>(),
        ) {
            let bytes: Vec<u8> = (0..size.0 * size.1 * 4)
                .map(|at| ((at ^ seed).wrapping_mul(2_654_435_761) >> 19) as u8)
                .collect();
            let image = TextureImage::from_rgba8("noise", Encoding::Srgb, size.0, size.1, &bytes).unwrap();
            let rows = image.rows(repeats);
            for (number, (level, of)) in image.levels.iter().zip(row_levels(&image.levels).0).enumerate() {
                let [width, height] = [i64::from(level.width), i64::from(level.height)];
                for (x, y) in (-1..=width).flat_map(|x| (-1..=height).map(move |y| (x, y))) {
                    let inside = |at: i64, size: i64, repeats: bool| {
                        (if repeats { at.rem_euclid(size) } else { at.clamp(0, size - 1) }) as u32
                    };
                    let texel = image.texel(number, inside(x, width, repeats[0]), inside(y, height, repeats[1]));
                    let at = of.texel((x + 1) as u32, (y + 1) as u32);
                    let words = [rows.words[2 * at] ^ BIAS, rows.words[2 * at + 1] ^ BIAS];
                    let found = [words[0] & 0xffff, words[0] >> 16, words[1] & 0xffff, words[1] >> 16];
                    for (k, (found, byte)) in found.into_iter().zip(texel).enumerate() {
                        let encoded = f64::from(byte) / 255.0;
                        let linear = match (k, encoded <= 0.04045) {
                            (3, _) => encoded,
                            (_, true) => encoded / 12.92,
                            (_, false) => ((encoded + 0.055) / 1.055).powf(2.4),
                        };
                        prop_assert!((f64::from(found) - linear * 65535.0).abs() <= 0.5001, "{found} for {byte}");
                    }
                }
            }
        }
    }
    #[test]
    fn alphas_in_a_row_are_those_of_its_cells_one_by_one() {
        let texel = |at: u32| [9, 9, 9, [0, 255, 7][(at / 37 % 3) as usize]];
        let rgba: Vec<u8> = (0..90 * 41).flat_map(texel).collect();
        let image = TextureImage::from_rgba8("strips", Encoding::Srgb, 90, 41, &rgba).unwrap();
        let rows = image.rows([false; 2]);
        let n_cells = rows.alphas.len() - TOGETHER;
        for (first, n) in (0..n_cells).flat_map(|first| (1..12).map(move |n| (first, n))) {
            if first + n <= n_cells {
                let cells = rows.alphas[first..first + n].iter().copied();
                let one_by_one = cells.fold(Alphas::default(), Alphas::union);
                assert_eq!(rows.alphas_in_row(first, n), one_by_one, "{n} from {first}");
            }
        }
        assert_eq!(
            rows.alphas_in_row(n_cells + 50, 2),
            Alphas::MIXED,
            "beyond the last"
        );
    }
}
