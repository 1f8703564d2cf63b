//! Resolve: sixteen pixels of a tile's colour buffer to sixteen pixels of the picture.

use glam::Vec3;

use super::srgb::encode8;
use super::tone_map::tone_map;
use crate::{Background, RenderSettings, ToneMap};
use azulejo_simd::{Lanes, each};

/// Transfer from a colour buffer's radiance to the picture's colours.
#[derive(Debug, Clone, Copy, PartialEq)]
#[doc(hidden)]
pub struct Transfer {
    /// Linear factor on radiance.
    pub(super) exposure: f32,
    /// Curve from scene-linear to displayable.
    pub(super) tone_map: ToneMap,
    /// A linear RGB colour behind everything; not tone-mapped, so that it comes out as it was chosen.
    pub(super) backdrop: Option<Vec3>,
}

impl Transfer {
    /// Transfer of a frame with these settings.
    #[must_use]
    #[doc(hidden)]
    pub const fn new(settings: &RenderSettings) -> Self {
        let backdrop = match settings.background {
            Background::Color(rgb) => Some(rgb),
            Background::Transparent | Background::Environment => None,
        };
        Self {
            exposure: settings.exposure,
            tone_map: settings.tone_map,
            backdrop,
        }
    }
}

/// Turns linear RGBA, colour premultiplied by alpha, into sRGB-encoded RGBA8 with straight alpha, red in the lowest byte.
///
/// Steps in order: divide by alpha, multiply by the exposure, tone map, lay over the backdrop, encode. Without a backdrop,
/// pixels of alpha 0 become 0; NaN becomes 0.
#[inline(always)]
pub(super) fn resolve<L: Lanes>(l: L, premultiplied: [L::F; 4], transfer: &Transfer) -> L::I {
    let [r, g, b, alpha] = premultiplied;
    let (zero, one) = (l.f(0.0), l.f(1.0));
    let alpha = l.min(l.max(alpha, zero), one);
    // Opaque lanes keep what they have: a division would be by 1, and nothing behind them shows.
    let translucent = l.any(l.lt(alpha, one));
    let straight = if translucent {
        l.select(l.lt(zero, alpha), one / alpha, zero)
    } else {
        one
    };
    let scale = straight * l.f(transfer.exposure);
    let rgb = [r, g, b];
    let displayed = tone_map(l, transfer.tone_map, each!(3, k => rgb[k] * scale));
    if !translucent {
        return packed(l, displayed) | l.i(OPAQUE);
    }
    let (mut displayed, mut alpha) = (displayed, alpha);
    if let Some(backdrop) = transfer.backdrop {
        let behind = one - alpha;
        displayed = each!(3, k => l.mul_add(displayed[k], alpha, behind * l.f(backdrop[k])));
        alpha = one;
    }
    let a = l.to_int(l.mul_add(alpha, l.f(255.0), l.f(0.5)));
    let packed = packed(l, displayed) | l.shl::<24>(a);
    l.select_i(l.lt(zero, alpha), packed, l.i(0))
}

/// Alpha of 1 in a pixel.
const OPAQUE: i32 = 0xff_u32.rotate_left(24).cast_signed();

/// Encoded RGB, and alpha of 0.
#[inline(always)]
fn packed<L: Lanes>(l: L, linear: [L::F; 3]) -> L::I {
    let [r, g, b] = each!(3, k => encode8(l, linear[k]));
    r | l.shl::<8>(g) | l.shl::<16>(b)
}
