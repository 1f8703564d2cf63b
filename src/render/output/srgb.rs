//! The sRGB transfer function (IEC 61966-2-1): scalars for reference, and lanes that encode to eight bits without `pow`.
//!
//! Encoding needs x^(5/12). Subtracting a twelfth of a float's bit pattern from a constant guesses z ~ x^(-1/12) within
//! 3 %, because the pattern is nearly a logarithm (Blinn, "Floating-Point Tricks", IEEE CG&A 1997). The guess is made
//! exact by the factor it misses: with r = x z^12, x^(5/12) = x z^7 r^(-7/12), and r stays within a factor of 2.07, where
//! a polynomial of degree 6 gives r^(-7/12) to 3.5e-6. No division, no square root, no table: the whole error is below
//! 0.001 of an 8-bit step, so the result is the nearest code, or one of the two where the exact value lies half-way.

use crate::simd::Lanes;

/// Where the linear part of the curve ends, in linear light.
const LINEAR_END: f32 = 0.003_130_8;

/// Bit pattern from which a twelfth of the argument's is subtracted; tuned to balance the error of the guess.
const GUESS: f32 = 1_153_885_184.0;

/// Coefficients of r^(-7/12) from r^6 down on 0.8226 to 1.69976, relative minimax (Remez exchange), error 3.5e-6.
const CORRECTION: [f32; 7] = [
    0.082_180_13,
    -0.730_459_34,
    2.766_515_7,
    -5.806_067,
    7.353_414_4,
    -5.778_781,
    3.113_194,
];

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
    let curve = l.mul_add(
        power_five_twelfths(l, linear),
        l.f(1.055 * 255.0),
        l.f(-0.055 * 255.0 + 0.5),
    );
    let line = l.mul_add(linear, l.f(12.92 * 255.0), l.f(0.5));
    l.to_int(l.select(l.lt(linear, l.f(LINEAR_END)), line, curve))
}

/// x^(5/12) for x from [`LINEAR_END`] to 1; finite for smaller ones.
#[inline(always)]
fn power_five_twelfths<L: Lanes>(l: L, x: L::F) -> L::F {
    let pattern = l.to_float(l.to_bits(x));
    let z = l.of_bits(l.to_int(l.mul_add(pattern, l.f(-1.0 / 12.0), l.f(GUESS))));
    let z2 = z * z;
    let z4 = z2 * z2;
    let r = x * (z4 * z4 * z4);
    let mut correction = l.f(CORRECTION[0]);
    for &coefficient in &CORRECTION[1..] {
        correction = l.mul_add(correction, r, l.f(coefficient));
    }
    x * (z4 * (z2 * z)) * correction
}
