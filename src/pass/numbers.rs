//! Numbers of few bits: fixed point, small floats, sRGB.

use std::sync::LazyLock;

/// Nearest step of 0 to 1.
pub(crate) fn unorm(value: f32, most: f32) -> u32 {
    // NaN becomes 0.
    (value.clamp(0.0, 1.0) * most).round_ties_even() as u32
}

/// Power of two, as a normal number.
const fn exp2(exponent: i32) -> f32 {
    f32::from_bits((exponent + 127).cast_unsigned() << 23)
}

/// A float without sign, five bits of exponent, so many of mantissa.
pub(crate) fn small_float(bits: u32, mantissa: u32) -> f32 {
    let (exponent, fraction) = (bits >> mantissa, bits & ((1 << mantissa) - 1));
    match exponent {
        0 => fraction as f32 * exp2(-14 - mantissa.cast_signed()),
        31 if fraction == 0 => f32::INFINITY,
        31 => f32::NAN,
        _ => f32::from_bits((exponent + 112) << 23 | fraction << (23 - mantissa)),
    }
}

/// Nearest such float; what is larger than the largest becomes that, as Direct3D 11.3, 3.2.3 has it.
pub(crate) fn to_small_float(value: f32, mantissa: u32) -> u32 {
    let infinite = 31 << mantissa;
    if value.is_nan() {
        return infinite | 1;
    }
    if value == f32::INFINITY {
        return infinite;
    }
    let value = value.max(0.0);
    if value < exp2(-14) {
        return (value / exp2(-14 - mantissa.cast_signed())).round_ties_even() as u32;
    }
    let bits = value.to_bits();
    let dropped = 23 - mantissa;
    let half = (1 << (dropped - 1)) - 1 + (bits >> dropped & 1);
    let rounded = ((bits + half) >> dropped) - (112 << mantissa);
    rounded.min(infinite - 1)
}

/// Linear values of the bytes of sRGB (IEC 61966-2-1).
pub(crate) static LINEAR: LazyLock<[f32; 256]> =
    LazyLock::new(|| std::array::from_fn(|byte| linear(byte as f64 / 255.0)));

/// Linear values half way from a byte to the next.
static BETWEEN: LazyLock<[f32; 255]> =
    LazyLock::new(|| std::array::from_fn(|byte| linear((byte as f64 + 0.5) / 255.0)));

#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding to what programs see"
)]
fn linear(encoded: f64) -> f32 {
    if encoded <= 0.04045 {
        (encoded / 12.92) as f32
    } else {
        ((encoded + 0.055) / 1.055).powf(2.4) as f32
    }
}

/// Nearest byte of sRGB.
pub(crate) fn srgb_byte(value: f32) -> u8 {
    BETWEEN.partition_point(|&between| between <= value) as u8
}
