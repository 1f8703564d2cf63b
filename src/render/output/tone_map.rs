//! Tone mapping: scene-linear RGB to displayable linear RGB, on lanes.
//!
//! - Neutral: "Khronos PBR Neutral Tone Mapper", Khronos Group 2024, specification and reference code. Base colours come
//!   through unchanged below 0.8; brighter ones are compressed and desaturated.
//! - Aces: Stephen Hill's fit of the Academy's RRT and sRGB ODT, from the MIT-licensed `ACES.hlsl` of Matt Pettineo's
//!   `BakingLab`; without the exposure factor of 1 / 0.6 that some viewers put before it, or, as `AcesBoosted`, with it.

use crate::ToneMap;
use azulejo_simd::{Lanes, each};

/// Brightest radiance after exposure that is told apart: the largest half float, as a GPU's 16-bit target would hold.
const BRIGHTEST: f32 = 65_504.0;

/// Start of compression: 0.8 less the Fresnel offset of 0.04.
const START_COMPRESSION: f32 = 0.8 - 0.04;
/// How fast compressed colours lose saturation.
const DESATURATION: f32 = 0.15;

/// The factor that viewers put before the fit, so that mid grey stays about where it is.
const ACES_BOOST: f32 = 1.0 / 0.6;

/// sRGB primaries to the fit's working space (D65 to D60 and RRT saturation folded in), by row.
const ACES_INPUT: [[f32; 3]; 3] = [
    [0.59719, 0.35458, 0.04823],
    [0.07600, 0.90834, 0.01566],
    [0.02840, 0.13383, 0.83777],
];
/// The fit's working space back to sRGB primaries (ODT saturation and D60 to D65 folded in), by row.
const ACES_OUTPUT: [[f32; 3]; 3] = [
    [1.60475, -0.53108, -0.07367],
    [-0.10208, 1.10813, -0.00605],
    [-0.00327, -0.07276, 1.07602],
];

/// Maps radiance to displayable colour in 0..=1; negative numbers and NaN become 0.
#[inline(always)]
pub(super) fn tone_map<L: Lanes>(l: L, tone_map: ToneMap, rgb: [L::F; 3]) -> [L::F; 3] {
    let radiance = clamped(l, rgb, BRIGHTEST);
    let mapped = match tone_map {
        ToneMap::Neutral => neutral(l, radiance),
        ToneMap::Aces => aces(l, radiance),
        ToneMap::AcesBoosted => aces(l, each!(3, k => radiance[k] * l.f(ACES_BOOST))),
        ToneMap::None => return clamped(l, rgb, 1.0),
    };
    clamped(l, mapped, 1.0)
}

/// A colour in 0..=`most`; NaN becomes 0.
#[inline(always)]
fn clamped<L: Lanes>(l: L, rgb: [L::F; 3], most: f32) -> [L::F; 3] {
    each!(3, k => l.min(l.max(rgb[k], l.f(0.0)), l.f(most)))
}

/// Khronos PBR Neutral, as published, with the early return as a selection.
#[inline(always)]
fn neutral<L: Lanes>(l: L, rgb: [L::F; 3]) -> [L::F; 3] {
    let darkest = l.min(rgb[0], l.min(rgb[1], rgb[2]));
    let toe = darkest - l.f(6.25) * darkest * darkest;
    let offset = l.select(l.lt(darkest, l.f(0.08)), toe, l.f(0.04));
    let base = each!(3, k => rgb[k] - offset);
    let peak = l.max(base[0], l.max(base[1], base[2]));
    let compressed = l.le(l.f(START_COMPRESSION), peak);
    if l.any(compressed) {
        let bright = neutral_compressed(l, base, peak);
        each!(3, k => l.select(compressed, bright[k], base[k]))
    } else {
        base
    }
}

/// The part of [`neutral`] above [`START_COMPRESSION`]: newPeak = 1 - d^2 / (peak + d - start), then a step of
/// g = 1 - 1 / (desaturation (peak - newPeak) + 1) towards white.
#[inline(always)]
fn neutral_compressed<L: Lanes>(l: L, base: [L::F; 3], peak: L::F) -> [L::F; 3] {
    let (one, d) = (l.f(1.0), l.f(1.0 - START_COMPRESSION));
    let new_peak = one - d * d / (peak + d - l.f(START_COMPRESSION));
    let scale = new_peak / peak;
    let keep = one / l.mul_add(l.f(DESATURATION), peak - new_peak, one);
    let white = new_peak * (one - keep);
    each!(3, k => l.mul_add(base[k] * scale, keep, white))
}

/// Stephen Hill's fit: matrix, rational curve, matrix.
#[inline(always)]
fn aces<L: Lanes>(l: L, rgb: [L::F; 3]) -> [L::F; 3] {
    let linear = transform(l, &ACES_INPUT, rgb);
    let curved = each!(3, k => {
        let v = linear[k];
        let a = l.mul_add(v, v + l.f(0.024_578_6), l.f(-0.000_090_537));
        let b = l.mul_add(
            v,
            l.mul_add(l.f(0.983_729), v, l.f(0.432_951)),
            l.f(0.238_081),
        );
        a / b
    });
    transform(l, &ACES_OUTPUT, curved)
}

/// Matrix by rows times a colour.
#[inline(always)]
fn transform<L: Lanes>(l: L, rows: &[[f32; 3]; 3], rgb: [L::F; 3]) -> [L::F; 3] {
    each!(3, k => {
        let [r, g, b] = rows[k];
        l.mul_add(l.f(r), rgb[0], l.mul_add(l.f(g), rgb[1], l.f(b) * rgb[2]))
    })
}
