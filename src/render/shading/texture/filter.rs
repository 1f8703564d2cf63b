//! From texels to a colour: decoding and the weighted sum.
//!
//! The sRGB curve is decoded before filtering, as Vulkan asks, by arithmetic: six fused multiply-adds a channel instead of a
//! second gather through a table.

use super::super::vector::polynomial;
use crate::scene::Encoding;
use crate::simd::Lanes;

/// Channels of a texture that a program uses: bit k for channel k of RGBA.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channels(pub u8);

impl Channels {
    /// Red.
    pub const R: Self = Self(0b0001);
    /// Green and blue.
    pub const GB: Self = Self(0b0110);
    /// Red, green, blue.
    pub const RGB: Self = Self(0b0111);
    /// All four.
    pub const RGBA: Self = Self(0b1111);

    const fn has(self, channel: u32) -> bool {
        self.0 >> channel & 1 == 1
    }
}

/// Adds the weighted texels of one footprint to the sums of the channels in use. Divide by [`full_scale`] when all are in.
#[inline(always)]
pub(super) fn accumulate<L: Lanes>(
    l: L,
    encoding: Encoding,
    channels: Channels,
    texels: [L::I; 4],
    weights: &[L::F; 4],
    sums: &mut [L::F; 4],
) {
    match encoding {
        Encoding::Srgb => add_srgb(l, channels, texels, weights, sums),
        Encoding::Linear => add_linear(l, channels, texels, weights, sums),
    }
    if channels.has(3) {
        sums[3] = weighted(
            l,
            texels,
            weights,
            sums[3],
            #[inline(always)]
            |t| l.to_float(l.shr::<24>(t)),
        );
    }
}

/// Adds red, green and blue in linear light of sRGB texels.
#[inline(always)]
fn add_srgb<L: Lanes>(
    l: L,
    channels: Channels,
    texels: [L::I; 4],
    weights: &[L::F; 4],
    sums: &mut [L::F; 4],
) {
    if channels.has(0) {
        sums[0] = weighted(
            l,
            texels,
            weights,
            sums[0],
            #[inline(always)]
            |t| srgb::<L, 0>(l, t),
        );
    }
    if channels.has(1) {
        sums[1] = weighted(
            l,
            texels,
            weights,
            sums[1],
            #[inline(always)]
            |t| srgb::<L, 8>(l, t),
        );
    }
    if channels.has(2) {
        sums[2] = weighted(
            l,
            texels,
            weights,
            sums[2],
            #[inline(always)]
            |t| srgb::<L, 16>(l, t),
        );
    }
}

/// Adds red, green and blue of linear texels.
#[inline(always)]
fn add_linear<L: Lanes>(
    l: L,
    channels: Channels,
    texels: [L::I; 4],
    weights: &[L::F; 4],
    sums: &mut [L::F; 4],
) {
    if channels.has(0) {
        sums[0] = weighted(
            l,
            texels,
            weights,
            sums[0],
            #[inline(always)]
            |t| scaled_byte::<L, 0>(l, t),
        );
    }
    if channels.has(1) {
        sums[1] = weighted(
            l,
            texels,
            weights,
            sums[1],
            #[inline(always)]
            |t| scaled_byte::<L, 8>(l, t),
        );
    }
    if channels.has(2) {
        sums[2] = weighted(
            l,
            texels,
            weights,
            sums[2],
            #[inline(always)]
            |t| scaled_byte::<L, 16>(l, t),
        );
    }
}

/// What [`accumulate`] gives for white, by channel: decoding leaves powers of two for the end.
pub(super) const fn full_scale(encoding: Encoding) -> [f32; 4] {
    match encoding {
        Encoding::Srgb => [1.0, 1.0, 1.0, 255.0],
        Encoding::Linear => [255.0, 255.0 * 256.0, 255.0 * 65536.0, 255.0],
    }
}

#[inline(always)]
fn weighted<L: Lanes>(
    l: L,
    texels: [L::I; 4],
    weights: &[L::F; 4],
    mut sum: L::F,
    decode: impl Fn(L::I) -> L::F,
) -> L::F {
    for tap in 0..4 {
        sum = l.mul_add(decode(texels[tap]), weights[tap], sum);
    }
    sum
}

/// The byte at bits `SHIFT`.. (0, 8 or 16) as a number, times 2^`SHIFT`.
#[inline(always)]
fn scaled_byte<L: Lanes, const SHIFT: u32>(l: L, texel: L::I) -> L::F {
    l.to_float(texel & l.i(0xff << SHIFT))
}

/// Linear light, 0..=1, of the sRGB byte at bits `SHIFT`..
#[inline(always)]
fn srgb<L: Lanes, const SHIFT: u32>(l: L, texel: L::I) -> L::F {
    // At 2^16 the highest coefficient would be denormal.
    let (texel, shift) = if SHIFT == 16 {
        (l.shr::<16>(texel), 0)
    } else {
        (texel, SHIFT)
    };
    let byte = l.to_float(texel & l.i(0xff << shift));
    let scale = 1.0 / (1 << shift) as f32;
    let line = byte * l.f(LINE * scale);
    let curve = polynomial(l, byte, const { &scaled_curve(SHIFT % 16) });
    l.select(l.lt(byte, l.f(FIRST_ON_CURVE / scale)), line, curve)
}

/// Slope of the curve's linear part on bytes.
const LINE: f32 = 1.0 / (12.92 * 255.0);

/// The first byte beyond the linear part.
const FIRST_ON_CURVE: f32 = 11.0;

/// ((byte / 255 + 0.055) / 1.055)^2.4 for bytes 11 to 255, highest power first: minimax by linear programming on these bytes
/// under the condition that white is exact; the largest error is 5.8e-6.
const CURVE: [f32; 7] = [
    -1.912_615_1e-16,
    2.048_173_4e-13,
    -1.012_864_4e-10,
    4.304_943_2e-8,
    7.877_28e-6,
    1.296_446_4e-4,
    9.171_284e-4,
];

/// [`CURVE`] for arguments that come multiplied by 2^`shift`: a power of two changes no digit of the result.
const fn scaled_curve(shift: u32) -> [f32; 7] {
    let mut curve = CURVE;
    let mut power = curve.len() - 1;
    let mut factor = 1.0;
    while power > 0 {
        power -= 1;
        factor /= (1 << shift) as f32;
        curve[power] *= factor;
    }
    curve
}
