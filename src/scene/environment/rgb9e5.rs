//! RGB9E5: three 9-bit mantissas that share a 5-bit exponent, 32 bits a colour.
//!
//! Formulas and names from the Khronos extension `EXT_texture_shared_exponent`: a channel is mantissa x 2^(exponent - 15 -
//! 9), red in the low bits, the exponent in the top five.

use glam::Vec3;

const MANTISSA_BITS: i32 = 9;
const EXPONENT_BIAS: i32 = 15;

/// The largest value of a channel: 511/512 x 2^16.
pub const RGB9E5_MAX: f32 = 65408.0;

/// The nearest RGB9E5 colour; negative and NaN channels become 0, large ones [`RGB9E5_MAX`].
#[must_use]
#[doc(hidden)]
pub fn rgb9e5_from_linear(color: Vec3) -> u32 {
    let color = color.to_array().map(channel);
    let largest = color[0].max(color[1]).max(color[2]);
    let mut exponent = floor_log2(largest).max(-EXPONENT_BIAS - 1) + 1 + EXPONENT_BIAS;
    // Dividing by a power of two is exact, and `as` rounds down.
    let mantissa = |c: f32, exponent: i32| (c * step_reciprocal(exponent) + 0.5) as u32;
    if mantissa(largest, exponent) == 1 << MANTISSA_BITS {
        exponent += 1;
    }
    let [r, g, b] = color.map(|c| mantissa(c, exponent));
    r | g << 9 | b << 18 | (exponent as u32) << 27
}

/// Clamps `value` to the range of a channel: NaN and negative values become 0, large ones [`RGB9E5_MAX`].
pub(super) fn channel(value: f32) -> f32 {
    if value > 0.0 {
        value.min(RGB9E5_MAX)
    } else {
        0.0
    }
}

/// The colour of an RGB9E5 word; exact.
#[must_use]
#[doc(hidden)]
pub fn linear_from_rgb9e5(word: u32) -> Vec3 {
    let mantissa = |shift: u32| ((word >> shift) & 511) as f32;
    Vec3::new(mantissa(0), mantissa(9), mantissa(18)) * step((word >> 27) as i32)
}

/// Value of one mantissa step: 2^(exponent - 15 - 9), put together as the bits of an `f32`.
fn step(exponent: i32) -> f32 {
    f32::from_bits(((exponent - EXPONENT_BIAS - MANTISSA_BITS + 127) as u32) << 23)
}

/// Reciprocal of [`step`]: 2^(15 + 9 - exponent).
fn step_reciprocal(exponent: i32) -> f32 {
    f32::from_bits(((EXPONENT_BIAS + MANTISSA_BITS - exponent + 127) as u32) << 23)
}

/// floor(log2(value)) of a non-negative normal number, -127 for zero and denormals: the exponent bits.
fn floor_log2(value: f32) -> i32 {
    (value.to_bits() >> 23) as i32 - 127
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rgb9e5_words_survive_a_round_trip() {
        for exponent in 0..32u32 {
            for mantissa in [256u32, 300, 511] {
                let word = mantissa | 17 << 9 | 255 << 18 | exponent << 27;
                assert_eq!(
                    rgb9e5_from_linear(linear_from_rgb9e5(word)),
                    word,
                    "normalised words are exact"
                );
            }
        }
    }

    #[test]
    fn rgb9e5_error_is_at_most_half_a_step_of_the_largest_channel() {
        for i in 0..2000 {
            let x = i as f32 * 0.37;
            let color = Vec3::new(
                x.sin().abs() * 90.0,
                x.cos().abs() * 0.4,
                (x * 3.7).sin().abs().powi(9) * 900.0,
            );
            let error = (linear_from_rgb9e5(rgb9e5_from_linear(color)) - color).abs();
            assert!(
                error.max_element() <= color.max_element() / 511.0,
                "{color} came back off by {error}"
            );
        }
    }

    #[test]
    fn rgb9e5_mantissas_that_round_up_take_the_next_exponent() {
        let almost_one = Vec3::splat(0.999_9);
        assert_eq!(
            linear_from_rgb9e5(rgb9e5_from_linear(almost_one)),
            Vec3::ONE,
            "rounds to one"
        );
    }

    #[test]
    fn rgb9e5_takes_what_is_not_a_colour() {
        let word = rgb9e5_from_linear(Vec3::new(f32::NAN, -4.0, f32::INFINITY));
        assert_eq!(
            linear_from_rgb9e5(word),
            Vec3::new(0.0, 0.0, RGB9E5_MAX),
            "clamped"
        );
        assert_eq!(rgb9e5_from_linear(Vec3::ZERO), 0, "black is zero");
    }
}
