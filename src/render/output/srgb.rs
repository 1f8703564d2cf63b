//! The sRGB transfer function (IEC 61966-2-1): scalars for reference, and lanes that encode to eight bits without `pow`.
//!
//! Encoding needs x^(5/12). With x = 2^e m, 1 <= m < 2, that is 2^(5 e / 12) m^(5/12): the first factor comes from a table
//! of the sixteen exponents that matter, the second is a polynomial of degree 5 with a relative error of 1.5e-6 that is
//! exact at 1 and 2, so that the curve has no steps. The whole error is below 0.0005 of an 8-bit step, so the result is the
//! nearest code, or one of the two where the exact value lies half-way.

use azulejo_simd::{LANES, Lanes};

/// End of the curve's linear part, in linear light.
const LINEAR_END: f32 = 0.003_130_8;

/// Coefficients of m^(5/12) from m^5 down on 1 to 2, relative minimax (Lawson's iteration) among those that are exact at
/// both ends.
const MANTISSA: [f32; 6] = [
    0.005_456_22,
    -0.051_649_28,
    0.209_481_66,
    -0.493_396,
    0.954_252_6,
    0.375_854_8,
];

/// 1.055 x 255 x 2^(5 e / 12) as bits, by the low four bits of a float's biased exponent: e = -15 to 0.
const SCALES: [i32; LANES] = {
    /// Step of the scale from one exponent down to the next: 2^(-5/12).
    const STEP: f64 = 0.749_153_538_438_340_7;
    let (mut table, mut scale, mut at) = ([0; LANES], 1.055 * 255.0, LANES);
    while at > 0 {
        at -= 1;
        table[at] = (scale as f32).to_bits().cast_signed();
        scale *= STEP;
    }
    table
};

/// Linear light of an sRGB value, both 0..1.
#[must_use]
pub fn linear_from_srgb(encoded: f32) -> f32 {
    if encoded <= 0.040_45 {
        encoded / 12.92
    } else {
        ((encoded + 0.055) / 1.055).powf(2.4)
    }
}

/// sRGB value of linear light, both 0..1.
#[must_use]
pub fn srgb_from_linear(linear: f32) -> f32 {
    if linear <= LINEAR_END {
        12.92 * linear
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    }
}

/// The 8-bit sRGB code of linear light in 0..=1, rounded to nearest.
#[inline(always)]
pub(super) fn encode8<L: Lanes>(l: L, linear: L::F) -> L::I {
    let bits = l.to_bits(linear);
    let scale = l.of_bits(l.lookup(&SCALES, l.shr::<23>(bits)));
    let mantissa = l.of_bits((bits & l.i(0x007f_ffff)) | l.i(0x3f80_0000));
    let mut power = l.f(MANTISSA[0]);
    for &coefficient in &MANTISSA[1..] {
        power = l.mul_add(power, mantissa, l.f(coefficient));
    }
    let curve = l.mul_add(power, scale, l.f(-0.055 * 255.0 + 0.5));
    let line = l.mul_add(linear, l.f(12.92 * 255.0), l.f(0.5));
    l.to_int(l.select(l.lt(linear, l.f(LINEAR_END)), line, curve))
}
