//! From clip space to the screen: Vulkan's viewport transform, the guard band, and which planes a vertex is outside of.

use glam::Vec4;

use super::vertex::ScreenVertex;
use crate::math::SUBPIXELS;
use crate::simd::Lanes;

/// Half the guard band's extent, pixels from the screen's centre. With 8 sub-pixel bits, edge coefficients stay within
/// 23 bits and edge values within a tile of at most 128 pixels within 31 bits.
const GUARD_PX: f32 = 16384.0;

/// A screen of `width` x `height` pixels that shows all of clip space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewport {
    /// Pixels across.
    pub width: f32,
    /// Pixels down.
    pub height: f32,
}

/// Sixteen vertices on the screen.
#[derive(Debug, Clone, Copy)]
pub struct Placed<L: Lanes> {
    /// Column, 1/256 pixel.
    pub x: L::I,
    /// Row, 1/256 pixel.
    pub y: L::I,
    /// Depth.
    pub z: L::F,
    /// 1 / w.
    pub inv_w: L::F,
    /// Bits of [`super::vertex::Outcode`].
    pub outcode: L::I,
}

impl Viewport {
    /// Guard band in normalised device coordinates: |x| and |y| up to these have a screen position.
    #[must_use]
    pub fn guard_ndc(&self) -> [f32; 2] {
        [GUARD_PX * 2.0 / self.width, GUARD_PX * 2.0 / self.height]
    }

    /// Screen positions and outcodes of sixteen clip positions.
    #[inline(always)]
    pub fn place<L: Lanes>(&self, l: L, clip: [L::F; 4]) -> Placed<L> {
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
        // Comparisons that are true when inside, so that NaN counts as outside.
        let inside = l.le(l.abs(x), limit_x)
            & l.le(l.abs(y), limit_y)
            & l.le(zero, z)
            & l.le(z, w)
            & l.lt(zero, w);

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
    pub fn place_one(&self, clip: Vec4) -> Option<ScreenVertex> {
        use crate::math::Subpixel;
        let [guard_x, guard_y] = self.guard_ndc();
        let inv_w = 1.0 / clip.w;
        let (x, y) = (clip.x * inv_w, clip.y * inv_w);
        // Clipping rounds: a vertex on the band's edge may come out a little beyond it.
        let inside = x.abs() <= guard_x * 1.001 && y.abs() <= guard_y * 1.001 && clip.w > 0.0;
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
    pub fn clip_position(&self, vertex: &ScreenVertex) -> Vec4 {
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
