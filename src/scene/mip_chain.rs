//! Mip chains: RGBA8 rows in, all levels in the block layout of [`super::texel_layout`] out.
//!
//! Averages are taken in linear light in 16-bit integers, so that every machine gets the same bytes. Levels of odd size
//! are filtered with the polyphase box of Guthe and Heckbert ("Non-Power-of-Two Mipmapping", Nvidia 2005): each texel of
//! the smaller level covers its exact share of the larger one.

use std::sync::LazyLock;

use rayon::prelude::*;

use super::texel_layout::{Encoding, LAYOUT_TILE, MipLevel};

/// Linear RGBA, 65535 is one.
pub(super) type Linear = [u16; 4];

/// The chain of levels down to 1x1 for an image of `width` x `height` texels, and the texels of all of them.
#[doc(hidden)]
pub fn level_table(width: u32, height: u32) -> (Vec<MipLevel>, usize) {
    let (mut width, mut height, mut offset) = (width, height, 0);
    let mut levels = Vec::new();
    loop {
        let tiles_wide = width.div_ceil(LAYOUT_TILE);
        levels.push(MipLevel {
            width,
            height,
            tiles_wide,
            offset,
        });
        offset += tiles_wide * height.div_ceil(LAYOUT_TILE) * LAYOUT_TILE * LAYOUT_TILE;
        if width == 1 && height == 1 {
            return (levels, offset as usize);
        }
        width = (width / 2).max(1);
        height = (height / 2).max(1);
    }
}

/// Writes the first levels as they are `given` (row by row) and filters those below from the last of them.
pub(super) fn fill_levels(
    encoding: Encoding,
    levels: &[MipLevel],
    given: &[&[[u8; 4]]],
    texels: &mut [u32],
) {
    for (level, rgba) in levels.iter().zip(given) {
        write_blocks(level, texels, |x, y| {
            u32::from_le_bytes(rgba[(y * level.width + x) as usize])
        });
    }
    let n_given = given.len().min(levels.len());
    let (Some(&rgba), Some((_, [first, smaller @ ..]))) = (
        given.get(n_given.wrapping_sub(1)),
        levels.split_at_checked(n_given.wrapping_sub(1)),
    ) else {
        return;
    };
    let mut above = *first;
    let mut source: Vec<Linear> = Vec::new();
    for level in smaller {
        let target = if source.is_empty() {
            halve(&above, level, |x, y| {
                decode(encoding, rgba[(y * above.width + x) as usize])
            })
        } else {
            halve(&above, level, |x, y| source[(y * above.width + x) as usize])
        };
        write_blocks(level, texels, |x, y| {
            encode(encoding, target[(y * level.width + x) as usize])
        });
        source = target;
        above = *level;
    }
}

/// Writes one level's texels into its layout tiles, one row of tiles a task.
fn write_blocks(level: &MipLevel, texels: &mut [u32], texel: impl Fn(u32, u32) -> u32 + Sync) {
    let row = (level.tiles_wide * LAYOUT_TILE * LAYOUT_TILE) as usize;
    let rows = level.height.div_ceil(LAYOUT_TILE) as usize;
    let start = level.offset as usize;
    let in_row = MipLevel {
        offset: 0,
        ..*level
    };
    texels[start..start + rows * row]
        .par_chunks_mut(row)
        .enumerate()
        .for_each(|(tile_row, tiles)| {
            let top = tile_row as u32 * LAYOUT_TILE;
            for y in top..(top + LAYOUT_TILE).min(level.height) {
                for x in 0..level.width {
                    tiles[in_row.texel_index(x, y - top)] = texel(x, y);
                }
            }
        });
}

/// The texels of `to`, each the mean of what it covers in `from`.
fn halve(from: &MipLevel, to: &MipLevel, texel: impl Fn(u32, u32) -> Linear + Sync) -> Vec<Linear> {
    let mut target = vec![[0; 4]; (to.width * to.height) as usize];
    let even = from.width == 2 * to.width && from.height == 2 * to.height;
    target
        .par_chunks_mut(to.width as usize)
        .enumerate()
        .with_min_len(8)
        .for_each(|(y, row)| {
            let y = y as u32;
            for (out, x) in row.iter_mut().zip(0u32..) {
                *out = if even {
                    mean_of_four(x, y, &texel)
                } else {
                    mean_of_shares(
                        Shares::of(x, from.width),
                        Shares::of(y, from.height),
                        &texel,
                    )
                };
            }
        });
    target
}

/// The mean of the 2x2 texels under (x, y).
fn mean_of_four(x: u32, y: u32, texel: impl Fn(u32, u32) -> Linear) -> Linear {
    let (x, y) = (2 * x, 2 * y);
    let [a, b, c, d] = [
        texel(x, y),
        texel(x + 1, y),
        texel(x, y + 1),
        texel(x + 1, y + 1),
    ];
    std::array::from_fn(|k| {
        narrow((u64::from(a[k]) + u64::from(b[k]) + u64::from(c[k]) + u64::from(d[k]) + 2) / 4)
    })
}

/// Filter footprint of one texel of the smaller level along one axis of the larger one: whole-numbered weights.
#[derive(Clone, Copy)]
struct Shares {
    first: u32,
    weights: [u64; 3],
    count: u32,
}

impl Shares {
    /// The shares of texel `at` in the level below one of `size` texels.
    fn of(at: u32, size: u32) -> Self {
        let half = size / 2;
        let (at64, half64) = (u64::from(at), u64::from(half));
        let (weights, count) = match (size, size % 2) {
            (1, _) => ([1, 0, 0], 1),
            (_, 0) => ([1, 1, 0], 2),
            _ => ([half64 - at64, half64, at64 + 1], 3),
        };
        Self {
            first: 2 * at,
            weights,
            count,
        }
    }
}

/// The weighted mean of up to 3x3 texels.
fn mean_of_shares(across: Shares, down: Shares, texel: impl Fn(u32, u32) -> Linear) -> Linear {
    let (mut sums, mut total) = ([0u64; 4], 0);
    for (y, weight_y) in (0..down.count).zip(down.weights) {
        for (x, weight_x) in (0..across.count).zip(across.weights) {
            let weight = weight_x * weight_y;
            let value = texel(across.first + x, down.first + y);
            for (sum, channel) in sums.iter_mut().zip(value) {
                *sum += weight * u64::from(channel);
            }
            total += weight;
        }
    }
    sums.map(|sum| narrow((sum + total / 2) / total))
}

/// A mean of 16-bit values, which fits in 16 bits.
fn narrow(mean: u64) -> u16 {
    u16::try_from(mean).unwrap_or(u16::MAX)
}

pub(super) fn decode(encoding: Encoding, [r, g, b, a]: [u8; 4]) -> Linear {
    let widen = |value: u8| u16::from(value) * 257;
    match encoding {
        Encoding::Linear => [widen(r), widen(g), widen(b), widen(a)],
        Encoding::Srgb => {
            let table = &SRGB.linear_from_srgb;
            [
                table[usize::from(r)],
                table[usize::from(g)],
                table[usize::from(b)],
                widen(a),
            ]
        }
    }
}

fn encode(encoding: Encoding, texel: Linear) -> u32 {
    let narrow = |value: u16| ((u32::from(value) * 255 + 32767) / 65535) as u8;
    let [r, g, b, a] = texel;
    u32::from_le_bytes(match encoding {
        Encoding::Linear => [narrow(r), narrow(g), narrow(b), narrow(a)],
        Encoding::Srgb => {
            let table = &SRGB.srgb_from_linear;
            [
                table[usize::from(r)],
                table[usize::from(g)],
                table[usize::from(b)],
                narrow(a),
            ]
        }
    })
}

/// The sRGB byte of a linear value in 0..1.
#[doc(hidden)]
pub fn srgb_byte(linear: f32) -> u8 {
    SRGB.srgb_from_linear[usize::from((linear * 65535.0 + 0.5) as u16)]
}

/// The sRGB transfer function (IEC 61966-2-1) as tables.
struct SrgbTables {
    linear_from_srgb: [u16; 256],
    srgb_from_linear: Vec<u8>,
}

static SRGB: LazyLock<SrgbTables> = LazyLock::new(|| {
    let linear = |encoded: f64| {
        if encoded <= 0.04045 {
            encoded / 12.92
        } else {
            ((encoded + 0.055) / 1.055).powf(2.4)
        }
    };
    let linear_from_srgb =
        std::array::from_fn(|byte| (linear(byte as f64 / 255.0) * 65535.0).round() as u16);
    let mut srgb_from_linear = vec![255; 65536];
    let mut start = 0;
    for byte in 0..255u8 {
        let end = (linear((f64::from(byte) + 0.5) / 255.0) * 65535.0).ceil() as usize;
        srgb_from_linear[start..end].fill(byte);
        start = end;
    }
    SrgbTables {
        linear_from_srgb,
        srgb_from_linear,
    }
});
