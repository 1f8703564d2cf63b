//! Resolve against double-precision formulas, on every backend of this machine.

use super::resolve::resolve;
use super::{Transfer, linear_from_srgb, srgb_from_linear};
use crate::ToneMap;
use azulejo_simd::{LANES, LaneJob, Lanes, SimdLevel, dispatch};

const TONE_MAPS: [ToneMap; 4] = [
    ToneMap::Neutral,
    ToneMap::Aces,
    ToneMap::AcesBoosted,
    ToneMap::None,
];

/// Pixels through [`resolve`], sixteen at a time.
struct Resolve<'a> {
    pixels: &'a [[f32; 4]],
    tone_map: ToneMap,
    exposure: f32,
}

impl LaneJob for Resolve<'_> {
    type Output = Vec<[u8; 4]>;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Vec<[u8; 4]> {
        let mut bytes = Vec::new();
        for chunk in self.pixels.chunks(LANES) {
            let channel = |k: usize| {
                l.load(&std::array::from_fn(|lane| {
                    chunk.get(lane).map_or(0.0, |pixel| pixel[k])
                }))
            };
            let premultiplied = std::array::from_fn(channel);
            let packed = resolve(
                l,
                premultiplied,
                &Transfer {
                    exposure: self.exposure,
                    tone_map: self.tone_map,
                    backdrop: None,
                },
            );
            let mut words = [0; LANES];
            l.store_i(packed, &mut words);
            bytes.extend(words[..chunk.len()].iter().map(|word| word.to_le_bytes()));
        }
        bytes
    }
}

/// Resolves the pixels on every backend; all must agree.
fn resolved(pixels: &[[f32; 4]], tone_map: ToneMap, exposure: f32) -> Vec<[u8; 4]> {
    let run = |level: SimdLevel| {
        let job = Resolve {
            pixels,
            tone_map,
            exposure,
        };
        dispatch(level.backend().expect("listed as available"), job)
    };
    let expected = run(SimdLevel::Scalar);
    for level in SimdLevel::available() {
        assert_eq!(run(level), expected, "{level}");
    }
    expected
}

fn opaque(grey: f32) -> [f32; 4] {
    [grey, grey, grey, 1.0]
}

/// Exact encoding, 0..255, not rounded.
fn encoded(linear: f64) -> f64 {
    255.0
        * if linear <= 0.003_130_8 {
            12.92 * linear
        } else {
            1.055 * linear.powf(1.0 / 2.4) - 0.055
        }
}

/// Khronos PBR Neutral, step by step as its reference code.
fn neutral(mut color: [f64; 3]) -> [f64; 3] {
    let start_compression = 0.8 - 0.04;
    let x = color[0].min(color[1]).min(color[2]);
    let offset = if x < 0.08 { x - 6.25 * x * x } else { 0.04 };
    color = color.map(|c| c - offset);
    let peak = color[0].max(color[1]).max(color[2]);
    if peak < start_compression {
        return color;
    }
    let d = 1.0 - start_compression;
    let new_peak = 1.0 - d * d / (peak + d - start_compression);
    let g = 1.0 - 1.0 / (0.15 * (peak - new_peak) + 1.0);
    color.map(|c| (c * new_peak / peak) * (1.0 - g) + new_peak * g)
}

/// Hill's fit, row by row.
fn aces([r, g, b]: [f64; 3]) -> [f64; 3] {
    let curve =
        |v: f64| (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081);
    let x = curve(0.59719 * r + 0.35458 * g + 0.04823 * b);
    let y = curve(0.07600 * r + 0.90834 * g + 0.01566 * b);
    let z = curve(0.02840 * r + 0.13383 * g + 0.83777 * b);
    [
        1.60475 * x - 0.53108 * y - 0.07367 * z,
        -0.10208 * x + 1.10813 * y - 0.00605 * z,
        -0.00327 * x - 0.07276 * y + 1.07602 * z,
    ]
}

/// Colours from dark to very bright, grey and saturated.
fn colors() -> Vec<[f32; 3]> {
    let steps = [
        0.0, 0.003, 0.02, 0.079, 0.081, 0.3, 0.79, 0.81, 1.0, 2.5, 20.0, 900.0,
    ];
    let mut all = Vec::new();
    for r in steps {
        for g in steps {
            all.extend(steps.map(|b| [r, g, b]));
        }
    }
    all
}

#[test]
fn srgb_codes_come_back() {
    let codes: Vec<u8> = (0..=255).collect();
    let pixels: Vec<_> = codes
        .iter()
        .map(|&code| opaque(linear_from_srgb(f32::from(code) / 255.0)))
        .collect();
    let bytes = resolved(&pixels, ToneMap::None, 1.0);
    let expected: Vec<_> = codes.iter().map(|&c| [c, c, c, 255]).collect();
    assert_eq!(bytes, expected, "decode and encode are inverse");
}

#[test]
fn srgb_scalars_are_inverse() {
    for step in 0_u16..=1000 {
        let value = f32::from(step) / 1000.0;
        let back = srgb_from_linear(linear_from_srgb(value));
        assert!((back - value).abs() < 1e-6, "{value} came back as {back}");
    }
}

#[test]
fn encoding_is_the_nearest_code_and_monotone() {
    // Every 256th float from below the first code to white.
    let values: Vec<f32> = (0x3800_0000_u32..=0x3f80_0000)
        .step_by(256)
        .map(f32::from_bits)
        .collect();
    let pixels: Vec<_> = values.iter().map(|&value| opaque(value)).collect();
    let bytes = resolved(&pixels, ToneMap::None, 1.0);
    for (value, pixel) in values.iter().zip(&bytes) {
        let error = (f64::from(pixel[0]) - encoded(f64::from(*value))).abs();
        assert!(error < 0.5006, "{value}: {error} codes off");
    }
    let falls = bytes.windows(2).filter(|pair| pair[1][0] < pair[0][0]);
    assert_eq!(falls.count(), 0, "brighter never gets a smaller code");
}

#[test]
fn tone_maps_follow_their_published_formulas() {
    let colors = colors();
    let pixels: Vec<_> = colors.iter().map(|&[r, g, b]| [r, g, b, 1.0]).collect();
    for tone_map in TONE_MAPS {
        for (color, pixel) in colors.iter().zip(resolved(&pixels, tone_map, 1.0)) {
            let exact = match tone_map {
                ToneMap::Neutral => neutral(color.map(f64::from)),
                ToneMap::Aces => aces(color.map(f64::from)),
                ToneMap::AcesBoosted => aces(color.map(|channel| f64::from(channel) / 0.6)),
                ToneMap::None => color.map(f64::from),
            };
            for (channel, byte) in exact.iter().zip(pixel) {
                let error = (f64::from(byte) - encoded(channel.clamp(0.0, 1.0))).abs();
                assert!(error < 0.51, "{tone_map:?} {color:?}: {error} codes off");
            }
        }
    }
}

#[test]
fn exposure_is_a_factor_before_the_tone_map() {
    for tone_map in TONE_MAPS {
        let brighter = resolved(&[[0.4, 0.2, 0.1, 1.0]], tone_map, 2.0);
        let twice = resolved(&[[0.8, 0.4, 0.2, 1.0]], tone_map, 1.0);
        assert_eq!(brighter, twice, "{tone_map:?}");
    }
}

#[test]
fn alpha_becomes_straight() {
    let half = resolved(&[[0.25, 0.125, 0.0, 0.5]], ToneMap::None, 1.0);
    let full = resolved(&[[0.5, 0.25, 0.0, 1.0]], ToneMap::None, 1.0);
    assert_eq!(half[0][..3], full[0][..3], "the same colour");
    assert_eq!(half[0][3], 128, "alpha 127.5 rounds up");
}

#[test]
fn nothing_becomes_nothing() {
    let pixels = [[0.0; 4], [1.0, 1.0, 1.0, 0.0], [5.0, 0.0, 0.0, -1.0]];
    let bytes = resolved(&pixels, ToneMap::Neutral, 1.0);
    assert_eq!(bytes, [[0; 4]; 3], "alpha 0 has no colour");
}

#[test]
fn strange_numbers_give_a_colour() {
    let strange = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -3.0];
    let pixels: Vec<_> = strange.iter().map(|&value| opaque(value)).collect();
    for tone_map in TONE_MAPS {
        let bytes = resolved(&pixels, tone_map, 1.0);
        let red: Vec<u8> = bytes.iter().map(|pixel| pixel[0]).collect();
        assert_eq!(red, [0, 255, 0, 255, 0], "{tone_map:?}: black or white");
        assert!(bytes.iter().all(|pixel| pixel[3] == 255), "alpha stays");
    }
}
