//! From texels to a colour: decoding and the weighted sum.
//!
//! The sRGB curve is decoded before filtering, as Vulkan asks, by arithmetic: six fused multiply-adds a channel instead of
//! a second gather through a table.

use azulejo_scene::Encoding;
use azulejo_simd::{Lanes, each};

/// Channels of a texture that a program uses: bit k for channel k of RGBA.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channels(pub u8);

impl Channels {
    /// Red alone, such as occlusion.
    pub const R: Self = Self(0b0001);
    /// Green alone, such as a coat's roughness.
    pub const G: Self = Self(0b0010);
    /// Green and blue, such as roughness and metalness.
    pub const GB: Self = Self(0b0110);
    /// Red, green, blue, such as emission.
    pub const RGB: Self = Self(0b0111);
    /// Alpha alone, such as the specular factor.
    pub const A: Self = Self(0b1000);
    /// Colour and alpha, such as base colour.
    pub const RGBA: Self = Self(0b1111);

    /// The bits of these channels in an RGBA8 word.
    pub(super) fn word_mask(self) -> u32 {
        let bytes = [0, 1, 2, 3].map(|channel| if self.has(channel) { 0xff } else { 0 });
        u32::from_le_bytes(bytes)
    }

    const fn has(self, channel: u32) -> bool {
        self.0 >> channel & 1 == 1
    }
}

/// Adds the weighted texels of one footprint to the sums of the channels in use. Divide by [`full_scale`] when all are in.
/// `TAPS` is 1 for a footprint that is one texel: the others, which would weigh nothing, are not looked at.
#[inline(always)]
pub(super) fn accumulate<L: Lanes, const TAPS: usize>(
    l: L,
    encoding: Encoding,
    channels: Channels,
    texels: [L::I; 4],
    weights: &[L::F; 4],
    sums: &mut [L::F; 4],
) {
    match encoding {
        Encoding::Srgb => {
            let [red, green, blue] = linear_from_srgb(l, texels);
            sums[0] = weighted::<L, TAPS>(l, red, weights, sums[0]);
            sums[1] = weighted::<L, TAPS>(l, green, weights, sums[1]);
            sums[2] = weighted::<L, TAPS>(l, blue, weights, sums[2]);
        }
        Encoding::Linear => {
            if channels.has(0) {
                sums[0] = weighted::<L, TAPS>(l, scaled_bytes::<L, 0>(l, texels), weights, sums[0]);
            }
            if channels.has(1) {
                sums[1] = weighted::<L, TAPS>(l, scaled_bytes::<L, 8>(l, texels), weights, sums[1]);
            }
            if channels.has(2) {
                sums[2] =
                    weighted::<L, TAPS>(l, scaled_bytes::<L, 16>(l, texels), weights, sums[2]);
            }
        }
    }
    if channels.has(3) {
        let alpha = each!(4, k => l.to_float(l.shr::<24>(texels[k])));
        sums[3] = weighted::<L, TAPS>(l, alpha, weights, sums[3]);
    }
}

/// Sums of [`accumulate`] for white, by channel: decoding leaves powers of two for the end.
pub(super) const fn full_scale(encoding: Encoding) -> [f32; 4] {
    match encoding {
        Encoding::Srgb => [1.0, 1.0, 1.0, 255.0],
        Encoding::Linear => [255.0, 255.0 * 256.0, 255.0 * 65536.0, 255.0],
    }
}

/// The sum of the first `TAPS` of four values times their weights, added to `sum`.
#[inline(always)]
fn weighted<L: Lanes, const TAPS: usize>(
    l: L,
    values: [L::F; 4],
    weights: &[L::F; 4],
    sum: L::F,
) -> L::F {
    let sum = l.mul_add(values[0], weights[0], sum);
    if TAPS == 1 {
        return sum;
    }
    let sum = l.mul_add(values[1], weights[1], sum);
    let sum = l.mul_add(values[2], weights[2], sum);
    l.mul_add(values[3], weights[3], sum)
}

/// The bytes at bits `SHIFT`.. (0, 8 or 16) as numbers, times 2^`SHIFT`.
#[inline(always)]
fn scaled_bytes<L: Lanes, const SHIFT: u32>(l: L, texels: [L::I; 4]) -> [L::F; 4] {
    each!(4, k => l.to_float(texels[k] & l.i(0xff << SHIFT)))
}

/// Linear light, 0..=1, of the red, green and blue of four sRGB texels. Twelve polynomials go step by step together: one
/// after the other they would wait for each other's results.
#[inline(always)]
pub(super) fn linear_from_srgb<L: Lanes>(l: L, texels: [L::I; 4]) -> [[L::F; 4]; 3] {
    let byte = l.i(0xff);
    let bytes = [
        each!(4, k => l.to_float(texels[k] & byte)),
        each!(4, k => l.to_float(l.shr::<8>(texels[k]) & byte)),
        each!(4, k => l.to_float(l.shr::<16>(texels[k]) & byte)),
    ];
    let mut curve = [[l.f(CURVE[0]); 4]; 3];
    for &coefficient in &CURVE[1..] {
        let coefficient = l.f(coefficient);
        curve = each!(3, c => each!(4, k => l.mul_add(curve[c][k], bytes[c][k], coefficient)));
    }
    let (slope, end) = (l.f(LINE), l.f(FIRST_ON_CURVE));
    each!(3, c => each!(4, k => {
        l.select(l.lt(bytes[c][k], end), bytes[c][k] * slope, curve[c][k])
    }))
}

/// Slope of the curve's linear part on bytes.
const LINE: f32 = 1.0 / (12.92 * 255.0);

/// The first byte beyond the linear part.
const FIRST_ON_CURVE: f32 = 11.0;

/// ((byte / 255 + 0.055) / 1.055)^2.4 for bytes 11 to 255, highest power first: minimax by linear programming on these
/// bytes under the condition that white is exact; the largest error is 5.8e-6.
const CURVE: [f32; 7] = [
    -1.912_615_1e-16,
    2.048_173_4e-13,
    -1.012_864_4e-10,
    4.304_943_2e-8,
    7.877_28e-6,
    1.296_446_4e-4,
    9.171_284e-4,
];
