//! From clip space to the screen: Vulkan's viewport transform, the guard band, and which planes a vertex is outside of.

use glam::Vec4;

use super::screen_vertex::ScreenVertex;
use crate::math::SUBPIXELS;
use crate::simd::Lanes;

/// Half the guard band's extent, pixels from the screen's centre. With 8 sub-pixel bits, edge coefficients stay within
/// 23 bits and edge values within a tile of at most 128 pixels within 31 bits.
const GUARD_PX: f32 = 16384.0;

/// A screen of `width` x `height` pixels that shows all of clip space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewport {
    /// Width in pixels, whole.
    pub width: f32,
    /// Height in pixels, whole.
    pub height: f32,
}

/// Sixteen vertices on the screen.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed<L: Lanes> {
    /// Column, 1/256 pixel.
    pub(super) x: L::I,
    /// Row, 1/256 pixel.
    pub(super) y: L::I,
    /// Depth after projection, 0 near to 1 far.
    pub(super) z: L::F,
    /// 1 / w.
    pub(super) inv_w: L::F,
    /// Bits of [`super::vertex::Outcode`].
    pub(super) outcode: L::I,
}

impl Viewport {
    /// Guard band in normalised device coordinates: |x| and |y| up to these have a screen position.
    #[must_use]
    pub(super) fn guard_ndc(&self) -> [f32; 2] {
        [GUARD_PX * 2.0 / self.width, GUARD_PX * 2.0 / self.height]
    }

    /// Screen positions and outcodes of sixteen clip positions. What is not finite has no screen position, so that the clipper
    /// drops every primitive with such a vertex; Vulkan leaves open what becomes of it.
    #[inline(always)]
    pub(super) fn place<L: Lanes>(&self, l: L, clip: [L::F; 4]) -> Placed<L> {
        let [x, y, z, w] = clip;
        let zero = l.f(0.0);
        let planes = bit(l, l.lt(x, -w), 1)
            | bit(l, l.lt(w, x), 2)
            | bit(l, l.lt(y, -w), 4)
            | bit(l, l.lt(w, y), 8)
            | bit(l, l.lt(z, zero), 16)
            | bit(l, l.lt(w, z), 32);
        let [guard_x, guard_y] = self.guard_ndc();
        let (limit_x, limit_y) = (w * l.f(guard_x), w * l.f(guard_y));
        // Comparisons that are true when inside, so that NaN counts as outside. An infinite limit would let infinity pass, and
        // below the smallest normal number 1 / w may overflow.
        let inside = l.le(l.abs(x), l.min(limit_x, l.f(f32::MAX)))
            & l.le(l.abs(y), l.min(limit_y, l.f(f32::MAX)))
            & l.le(zero, z)
            & l.le(z, w)
            & l.le(l.f(f32::MIN_POSITIVE), w)
            & l.le(w, l.f(f32::MAX));

        let inv_w = l.f(1.0) / l.select(inside, w, l.f(1.0));
        Placed {
            x: steps(l, inside, x * inv_w, self.width),
            y: steps(l, inside, y * inv_w, self.height),
            z: z * inv_w,
            inv_w,
            outcode: planes | l.select_i(inside, l.i(0), l.i(0x40)),
        }
    }

    /// Screen position of a clip position inside the guard band and the depth range; `None` for others.
    #[must_use]
    pub(super) fn place_one(&self, clip: Vec4) -> Option<ScreenVertex> {
        use crate::math::Subpixel;
        let [guard_x, guard_y] = self.guard_ndc();
        let inv_w = 1.0 / clip.w;
        let (x, y) = (clip.x * inv_w, clip.y * inv_w);
        // Clipping rounds: a vertex on the band's edge may come out a little beyond it.
        let inside = x.abs() <= guard_x * 1.001
            && y.abs() <= guard_y * 1.001
            && clip.w > 0.0
            && clip.is_finite()
            && inv_w.is_finite();
        #[expect(
            clippy::cast_possible_truncation,
            reason = "inside the guard band, 23 bits"
        )]
        let steps = |ndc: f32, extent: f32| {
            let half = extent * 0.5 * SUBPIXELS as f32;
            Subpixel((ndc.mul_add(half, half) + 0.5).floor() as i32)
        };
        inside.then(|| ScreenVertex {
            x: steps(x, self.width),
            y: steps(y, self.height),
            z: clip.z * inv_w,
            inv_w,
        })
    }

    /// The clip position whose screen position is `vertex`.
    #[must_use]
    pub(super) fn clip_position(&self, vertex: &ScreenVertex) -> Vec4 {
        let w = 1.0 / vertex.inv_w;
        let x = vertex.x.to_px() * 2.0 / self.width - 1.0;
        let y = vertex.y.to_px() * 2.0 / self.height - 1.0;
        Vec4::new(x * w, y * w, vertex.z * w, w)
    }
}

/// `bit` where the mask is set.
#[inline(always)]
fn bit<L: Lanes>(l: L, mask: L::M, bit: i32) -> L::I {
    l.select_i(mask, l.i(bit), l.i(0))
}

/// Sub-pixel steps of a normalised device coordinate; 0 in lanes that are not `inside`.
#[inline(always)]
fn steps<L: Lanes>(l: L, inside: L::M, ndc: L::F, extent: f32) -> L::I {
    let half = l.f(extent * 0.5 * SUBPIXELS as f32);
    let at = l.select(inside, l.mul_add(ndc, half, half), l.f(0.0));
    l.to_int(l.floor(at + l.f(0.5)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::render::geometry::Outcode;
    use crate::simd::{LANES, Scalar};

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
            let viewport = Viewport { width, height };
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
        fn viewport_places_one_only_where_the_numbers_are_finite(
            clip in [number(), number(), number(), number()],
        ) {
            let viewport = Viewport { width: 64.0, height: 1.0 };
            if let Some(placed) = viewport.place_one(Vec4::from_array(clip)) {
                prop_assert!(placed.inv_w.is_finite(), "1 / w is {}", placed.inv_w);
                for at in [placed.x, placed.y] {
                    prop_assert!(f64::from(at.to_px()).abs() <= f64::from(GUARD_PX) * 1.01 + 64.0, "{at:?}");
                }
            }
        }
    }
}
