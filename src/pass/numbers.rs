//! Numbers of few bits: fixed point, small floats, a shared exponent, sRGB.

use std::sync::LazyLock;

/// Nearest step of 0 to 1.
pub(crate) fn unorm(value: f32, most: f32) -> u32 {
    // NaN becomes 0.
    (value.clamp(0.0, 1.0) * most).round_ties_even() as u32
}

/// Power of two, as a normal number.
pub(crate) const fn exp2(exponent: i32) -> f32 {
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

/// Three floats with one exponent (Vulkan 1.3, 16.1.8, "RGB to shared exponent conversion").
pub(crate) fn shared_exponent(rgb: [f32; 3]) -> u32 {
    let largest = 511.0 / 512.0 * exp2(16);
    let rgb = rgb.map(|part| {
        if part.is_nan() {
            0.0
        } else {
            part.clamp(0.0, largest)
        }
    });
    let most = rgb.iter().copied().fold(0.0, f32::max);
    let floor_log = ((most.to_bits() >> 23).cast_signed() - 127).max(-16);
    let mut exponent = floor_log + 16;
    let step = |exponent: i32| exp2(exponent - 24);
    if (most / step(exponent) + 0.5).floor() >= 512.0 {
        exponent += 1;
    }
    let [r, g, b] = rgb.map(|part| (part / step(exponent) + 0.5).floor() as u32);
    r | g << 9 | b << 18 | exponent.cast_unsigned() << 27
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
