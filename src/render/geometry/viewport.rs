//! From clip space to the screen: Vulkan's viewport transform, the guard band, and which planes a vertex is outside of.

use super::screen_vertex::ScreenVertex;
use azulejo_math::{DoubleDouble, SUBPIXELS, Subpixel};
use azulejo_simd::Lanes;

/// Half the guard band's extent, pixels from the screen's centre. With 8 sub-pixel bits, edge coefficients stay within
/// 23 bits and edge values within a tile of at most 128 pixels within 31 bits.
const GUARD_PX: f32 = 16384.0;

/// Rounding of a vertex's clip position, as a part of its largest coordinate: eight steps of 24 bits, doubled.
const DOUBT: f32 = 1.0 / (1 << 20) as f32;

/// A rectangle of pixels that shows all of clip space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewport {
    /// Left and upper edge, in pixels.
    pub origin: [f32; 2],
    /// Width in pixels.
    pub width: f32,
    /// Height in pixels.
    pub height: f32,
    /// Depths of the near and the far plane.
    pub depth: [f32; 2],
}

/// Sixteen vertices on the screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed<L: Lanes> {
    /// Column in 1/256 pixel, to the right.
    pub(super) x: L::I,
    /// Row in 1/256 pixel, downwards.
    pub(super) y: L::I,
    /// Depth after projection, 0 near to 1 far.
    pub(super) z: L::F,
    /// Reciprocal of clip w, for perspective-correct interpolation.
    pub(super) inv_w: L::F,
    /// Outcode: bits of [`super::vertex::Outcode`].
    pub(super) outcode: L::I,
}

impl Viewport {
    /// The whole of a screen.
    #[must_use]
    pub const fn of_screen(width: u32, height: u32) -> Self {
        Self {
            origin: [0.0; 2],
            width: width as f32,
            height: height as f32,
            depth: [0.0, 1.0],
        }
    }

    /// Depth in the viewport's range of a depth in clip space.
    fn ranged(&self, z: f32) -> f32 {
        let [near, far] = self.depth;
        if self.depth == [0.0, 1.0] {
            z
        } else {
            near + z * (far - near)
        }
    }

    /// Guard band in normalised device coordinates: |x| and |y| up to these have a screen position.
    #[must_use]
    pub(super) fn guard_ndc(&self) -> [f32; 2] {
        [GUARD_PX * 2.0 / self.width, GUARD_PX * 2.0 / self.height]
    }

    /// Screen positions and outcodes of sixteen clip positions. Coordinates that are not finite have no screen position, so
    /// that every primitive with such a vertex comes to the clipper.
    #[inline(always)]
    pub(super) fn place<L: Lanes>(&self, l: L, clip: [L::F; 4]) -> Placed<L> {
        let [x, y, z, w] = clip;
        let zero = l.f(0.0);
        let [guard_x, guard_y] = self.guard_ndc();
        let (limit_x, limit_y) = (w * l.f(guard_x), w * l.f(guard_y));
        // Comparisons that are true when inside, so that NaN counts as outside. An infinite limit would let infinity pass,
        // and below the smallest normal number 1 / w may overflow.
        let inside = l.le(l.abs(x), l.min(limit_x, l.f(f32::MAX)))
            & l.le(l.abs(y), l.min(limit_y, l.f(f32::MAX)))
            & l.le(zero, z)
            & l.le(z, w)
            & l.le(l.f(f32::MIN_POSITIVE), w)
            & l.le(w, l.f(f32::MAX));

        // On which side of a plane the clipper sees it, which is more exact, is known beyond what rounding may have moved
        // it.
        let size = l.max(l.max(l.abs(x), l.abs(y)), l.max(l.abs(z), l.abs(w)));
        let doubt = l.select(inside, zero, size * l.f(DOUBT));
        let (low, high) = (-w - doubt, w + doubt);
        let planes = bit(l, l.lt(x, low), 1)
            | bit(l, l.lt(high, x), 2)
            | bit(l, l.lt(y, low), 4)
            | bit(l, l.lt(high, y), 8)
            | bit(l, l.lt(z, -doubt), 16)
            | bit(l, l.lt(high, z), 32);

        let inv_w = l.f(1.0) / l.select(inside, w, l.f(1.0));
        let [near, far] = self.depth;
        Placed {
            x: steps(l, inside, x * inv_w, (self.origin[0], self.width)),
            y: steps(l, inside, y * inv_w, (self.origin[1], self.height)),
            z: if self.depth == [0.0, 1.0] {
                z * inv_w
            } else {
                l.f(near) + z * inv_w * l.f(far - near)
            },
            inv_w,
            outcode: planes | l.select_i(inside, l.i(0), l.i(0x40)),
        }
    }

    /// Screen position of an exact clip position inside the guard band and the depth range; `None` where w is 0, at the
    /// eye.
    #[must_use]
    pub(super) fn place_exact(&self, clip: &[DoubleDouble; 4]) -> Option<ScreenVertex> {
        let [x, y, z, w] = *clip;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "inside the guard band, 23 bits"
        )]
        let steps = |at: DoubleDouble, origin: f32, extent: f32| {
            let half = f64::from(extent) * 0.5 * f64::from(SUBPIXELS);
            let middle = half + f64::from(origin) * f64::from(SUBPIXELS);
            let ndc = (at / w).to_f64();
            Subpixel((ndc.mul_add(half, middle) + 0.5).floor() as i32)
        };
        #[expect(
            clippy::cast_possible_truncation,
            reason = "rounding to what a vertex on the screen holds"
        )]
        let single = |value: DoubleDouble| value.to_f64() as f32;
        (w > DoubleDouble::ZERO).then(|| ScreenVertex {
            x: steps(x, self.origin[0], self.width),
            y: steps(y, self.origin[1], self.height),
            z: self.ranged(single(z / w)),
            inv_w: single(DoubleDouble::ONE / w).clamp(f32::MIN_POSITIVE, f32::MAX),
        })
    }
}

/// `bit` where the mask is set.
#[inline(always)]
fn bit<L: Lanes>(l: L, mask: L::M, bit: i32) -> L::I {
    l.select_i(mask, l.i(bit), l.i(0))
}

/// Sub-pixel steps of a normalised device coordinate; 0 in lanes that are not `inside`.
#[inline(always)]
fn steps<L: Lanes>(l: L, inside: L::M, ndc: L::F, (origin, extent): (f32, f32)) -> L::I {
    let half = extent * 0.5 * SUBPIXELS as f32;
    let middle = l.f(half + origin * SUBPIXELS as f32);
    let at = l.select(inside, l.mul_add(ndc, l.f(half), middle), l.f(0.0));
    l.to_int(l.floor(at + l.f(0.5)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::geometry::Outcode;
    use azulejo_simd::{LANES, Scalar};

    /// Numbers of all magnitudes, with those at the ends of the range often.
    fn number() -> impl Strategy<Value = f32> {
        let ends = [
            0.0,
            -0.0,
            f32::MIN_POSITIVE,
            1e-45,
            1e-39,
            f32::MAX,
            f32::MIN,
            1e36,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ];
        prop_oneof![
            any::<u32>().prop_map(f32::from_bits),
            prop::sample::select(ends.to_vec()),
            -3.0_f32..3.0,
        ]
    }

    /// Whether a clip position lies in the guard band and the depth range, in double precision; `slack` widens the band.
    fn is_inside(clip: [f32; 4], guard: [f32; 2], slack: f64) -> bool {
        let [x, y, z, w] = clip.map(f64::from);
        let within = |at: f64, guard: f32| at.abs() <= w * f64::from(guard) * slack;
        w >= f64::from(f32::MIN_POSITIVE)
            && clip.iter().all(|part| part.is_finite())
            && within(x, guard[0])
            && within(y, guard[1])
            && (0.0..=w).contains(&z)
    }

    proptest! {
        #[test]
        fn viewport_places_what_is_finite_and_inside_and_nothing_else(
            clip in [number(), number(), number(), number()],
            edges in [1_u16..=16384, 1_u16..=16384],
        ) {
            let [width, height] = edges.map(f32::from);
            let viewport = Viewport { width, height, ..Viewport::of_screen(1, 1) };
            let placed = viewport.place(Scalar, clip.map(|part| Scalar.f(part)));
            let (mut x, mut y, mut code) = ([0; LANES], [0; LANES], [0; LANES]);
            Scalar.store_i(placed.x, &mut x);
            Scalar.store_i(placed.y, &mut y);
            Scalar.store_i(placed.outcode, &mut code);
            let mut inv_w = [0.0; LANES];
            Scalar.store(placed.inv_w, &mut inv_w);
            let guard = viewport.guard_ndc();
            if code[0] & i32::from(Outcode::CLIP) == 0 {
                prop_assert!(is_inside(clip, guard, 1.0 + 1e-6), "{clip:?} has a place");
                prop_assert!(inv_w[0].is_finite() && inv_w[0] > 0.0, "1 / w is {}", inv_w[0]);
                for (at, edge) in [(x[0], width), (y[0], height)] {
                    let from_centre = f64::from(at) / f64::from(SUBPIXELS) - f64::from(edge) / 2.0;
                    prop_assert!(from_centre.abs() <= f64::from(GUARD_PX) + 1.0, "at {at}");
                }
            } else {
                prop_assert!(!is_inside(clip, guard, 1.0 - 1e-6), "{clip:?} has no place");
            }
        }

        #[test]
        fn viewport_places_an_exact_position_where_the_lanes_do(
            x in -1.0_f32..1.0, y in -1.0_f32..1.0, z in 0.0_f32..1.0, w in 1e-30_f32..1e30,
        ) {
            let viewport = Viewport::of_screen(64, 1);
            let guard = viewport.guard_ndc();
            let clip = [x * guard[0] * w, y * guard[1] * w, z * w, w];
            let placed = viewport.place_exact(&clip.map(DoubleDouble::from)).expect("w is positive");
            let lanes = viewport.place(Scalar, clip.map(|part| Scalar.f(part)));
            let (mut columns, mut depths) = ([0; LANES], [0.0; LANES]);
            Scalar.store_i(lanes.x, &mut columns);
            Scalar.store(lanes.z, &mut depths);
            prop_assert!((placed.x.0 - columns[0]).abs() <= 1, "{} and {}", placed.x.0, columns[0]);
            prop_assert!((placed.z - depths[0]).abs() <= 1e-6, "{} and {}", placed.z, depths[0]);
        }
    }
}
