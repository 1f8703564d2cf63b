//! RGB9E5 words on lanes: colours to words and back. The scalar twins are
//! [`rgb9e5_from_linear`](azulejo_scene::rgb9e5_from_linear) and [`linear_from_rgb9e5`](azulejo_scene::linear_from_rgb9e5),
//! which say what the format is.

use azulejo_scene::RGB9E5_MAX;
use azulejo_simd::{Lanes, each};

/// Value of a mantissa step of a word: 2^(exponent - 24).
#[inline(always)]
pub(super) fn step<L: Lanes>(l: L, word: L::I) -> L::F {
    l.of_bits(l.shl::<23>(l.shr::<27>(word) + l.i(127 - 24)))
}

/// The colours of words; exact.
#[inline(always)]
pub(super) fn decoded<L: Lanes>(l: L, word: L::I) -> [L::F; 3] {
    let step = step(l, word);
    let [r, g, b] = [word, l.shr::<9>(word), l.shr::<18>(word)];
    let mantissas = [r, g, b];
    each!(3, k => l.to_float(mantissas[k] & l.i(0x1ff)) * step)
}

/// The nearest words of colours; negative and NaN channels become 0, large ones [`RGB9E5_MAX`].
#[inline(always)]
pub(super) fn encoded<L: Lanes>(l: L, color: [L::F; 3]) -> L::I {
    let color = each!(3, k => l.min(l.max(color[k], l.f(0.0)), l.f(RGB9E5_MAX)));
    let largest = l.max(l.max(color[0], color[1]), color[2]);
    // Least exponent of an `f32` that has one of its own in a word.
    let least = l.i(127 - 16);
    let exponent = l.max_i(l.shr::<23>(l.to_bits(largest)), least) - least;
    // A largest mantissa that rounds up to 512 takes the next exponent.
    let exponent = exponent + l.shr::<9>(mantissa(l, largest, exponent));
    let [r, g, b] = each!(3, k => mantissa(l, color[k], exponent));
    r | l.shl::<9>(g) | l.shl::<18>(b) | l.shl::<27>(exponent)
}

/// The nearest number of steps of words of this exponent. Multiplying by a power of two is exact.
#[inline(always)]
fn mantissa<L: Lanes>(l: L, channel: L::F, exponent: L::I) -> L::I {
    let steps = l.of_bits(l.shl::<23>(l.i(127 + 24) - exponent));
    l.to_int(channel * steps + l.f(0.5))
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use proptest::prelude::*;

    use super::*;
    use azulejo_scene::{linear_from_rgb9e5, rgb9e5_from_linear};
    use azulejo_simd::{LANES, LaneJob, SimdLevel, dispatch};

    /// Words of colours, and their colours.
    struct ThereAndBack([[f32; LANES]; 3]);

    impl LaneJob for ThereAndBack {
        type Output = ([i32; LANES], [[f32; LANES]; 3]);

        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> Self::Output {
            let (mut words, mut colors) = ([0; LANES], [[0.0; LANES]; 3]);
            let encoded = encoded(l, each!(3, k => l.load(&self.0[k])));
            l.store_i(encoded, &mut words);
            let decoded = decoded(l, encoded);
            for (channel, to) in decoded.into_iter().zip(&mut colors) {
                l.store(channel, to);
            }
            (words, colors)
        }
    }

    /// Numbers of every kind, and many that colours have.
    fn channel() -> impl Strategy<Value = f32> {
        prop_oneof![
            any::<u32>().prop_map(f32::from_bits),
            0.0..2.0_f32,
            (0_u32..512, 0_i32..32).prop_map(|(mantissa, exponent)| {
                (mantissa as f32 + 0.5) * 2.0_f32.powi(exponent - 24)
            }),
            Just(RGB9E5_MAX),
        ]
    }

    proptest! {
        #[test]
        fn rgb9e5_of_lanes_is_that_of_one_colour(
            colors in prop::array::uniform3(prop::array::uniform16(channel())),
        ) {
            for level in SimdLevel::available() {
                let backend = level.backend().expect("available");
                let (words, decoded) = dispatch(backend, ThereAndBack(colors));
                for lane in 0..LANES {
                    let color = Vec3::from(colors.map(|channel| channel[lane]));
                    let word = rgb9e5_from_linear(color);
                    prop_assert_eq!(words[lane].cast_unsigned(), word, "{}: {}", level, color);
                    let decoded = Vec3::from(decoded.map(|channel| channel[lane]));
                    prop_assert_eq!(decoded, linear_from_rgb9e5(word), "{}: {}", level, word);
                }
            }
        }
    }
}
