//! Triangle setup: the planes that a triangle is rasterised and interpolated with.
//!
//! Barycentric coordinates and depth are planes over the distance from corner 0, which is exact in `f32`; nothing depends
//! on the tile, so a pixel gets the same values whatever the tile size.

use crate::geometry::{ScreenVertex, Triangle};
use azulejo_math::PixelRect;
use azulejo_simd::{LANES, each};

/// Floats that [`Interpolants`] takes for four varyings: value at corner 0, and differences to corners 1 and 2.
const ROWS_PER_GROUP: usize = 3;

/// A triangle that has quads in the tile.
#[derive(Debug, Clone, Copy)]
pub(super) struct TriangleSetup {
    /// Chunk of the frame.
    pub chunk: u32,
    /// Corners and facing of the triangle.
    pub triangle: Triangle,
    /// Planes, in rows of four for [`azulejo_simd::Lanes::quad_columns`].
    pub planes: Planes,
    /// Start of its varyings in [`Interpolants`], once some quad needs them.
    pub interpolants: Option<u32>,
    /// Position among the unit's flat triangles, if it is one.
    pub flat: Option<u32>,
}

/// Planes over the screen; distances from corner 0 in pixels.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Planes {
    /// Corner 0 (x, y) and the gradient of the barycentric coordinate of corner 1.
    pub corner_b1: [f32; 4],
    /// Gradient of the barycentric coordinate of corner 2; 1/w of corners 0 and 1.
    pub b2_w01: [f32; 4],
    /// 1/w of corner 2; depth at corner 0 and its gradient.
    pub w2_depth: [f32; 4],
}

impl Planes {
    /// Planes of a triangle with positive area.
    #[must_use]
    pub fn new([v0, v1, v2]: &[ScreenVertex; 3]) -> Self {
        let (x0, y0) = (v0.x.to_px(), v0.y.to_px());
        let side = |v: &ScreenVertex| {
            (
                f64::from(v.x.to_px()) - f64::from(x0),
                f64::from(v.y.to_px()) - f64::from(y0),
            )
        };
        let ((x1, y1), (x2, y2)) = (side(v1), side(v2));
        let per_area = 1.0 / (x1 * y2 - x2 * y1);
        let b1 = (y2 * per_area, -x2 * per_area);
        let b2 = (-y1 * per_area, x1 * per_area);
        let (z1, z2) = (
            f64::from(v1.z) - f64::from(v0.z),
            f64::from(v2.z) - f64::from(v0.z),
        );
        let depth = (b1.0 * z1 + b2.0 * z2, b1.1 * z1 + b2.1 * z2);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "rounding to the lanes' precision is what is wanted"
        )]
        let lane = |value: f64| value as f32;
        Self {
            corner_b1: [x0, y0, lane(b1.0), lane(b1.1)],
            b2_w01: [lane(b2.0), lane(b2.1), v0.inv_w, v1.inv_w],
            w2_depth: [v2.inv_w, v0.z, lane(depth.0), lane(depth.1)],
        }
    }

    /// No pixel of `bounds` gets a smaller depth, with what its arithmetic in single precision may lose.
    #[must_use]
    #[inline(always)]
    pub(super) fn nearest_depth(&self, bounds: &PixelRect) -> f32 {
        let [x0, y0, ..] = self.corner_b1;
        let [_, z0, z_dx, z_dy] = self.w2_depth;
        // At the first pixel's centre and the last one's, as distances from corner 0.
        let left = z_dx * (bounds.x0 as f32 + 0.5 - x0);
        let right = z_dx * (bounds.x1 as f32 - 0.5 - x0);
        let top = z_dy * (bounds.y0 as f32 + 0.5 - y0);
        let bottom = z_dy * (bounds.y1 as f32 - 0.5 - y0);
        let size = z0.abs() + left.abs().max(right.abs()) + top.abs().max(bottom.abs());
        z0 + left.min(right) + top.min(bottom) - size * (4.0 * f32::EPSILON)
    }
}

/// Varyings of the tile's triangles, in rows of four for [`azulejo_simd::Lanes::quad_columns`].
#[derive(Debug, Clone, Default)]
pub(super) struct Interpolants {
    rows: Vec<[f32; 4]>,
}

impl Interpolants {
    /// Forgets the last tile.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
    }

    /// Adds the varyings of a triangle's corners; returns where they begin.
    pub(super) fn push(&mut self, corners: [&[f32]; 3]) -> u32 {
        let first = self.rows.len();
        let [(fours, rest), (fours_1, rest_1), (fours_2, rest_2)] =
            each!(3, k => corners[k].as_chunks::<4>());
        for ((c0, c1), c2) in fours.iter().zip(fours_1).zip(fours_2) {
            self.rows.extend(group(c0, c1, c2));
        }
        if !rest.is_empty() {
            let mut padded = [[0.0; 4]; 3];
            for (to, rest) in padded.iter_mut().zip([rest, rest_1, rest_2]) {
                to.iter_mut().zip(rest).for_each(|(to, value)| *to = *value);
            }
            let [c0, c1, c2] = &padded;
            self.rows.extend(group(c0, c1, c2));
        }
        first as u32
    }

    /// The groups of four varyings of one triangle, three rows each.
    #[inline(always)]
    pub(super) fn groups(
        &self,
        first: u32,
        n_groups: usize,
    ) -> std::slice::Iter<'_, [[f32; 4]; ROWS_PER_GROUP]> {
        let rows = &self.rows[first as usize..first as usize + n_groups * ROWS_PER_GROUP];
        rows.as_chunks().0.iter()
    }

    /// Row `row` (value, difference 1, difference 2) of varyings `4 group` to `4 group + 3`.
    #[must_use]
    #[inline(always)]
    pub(super) fn row(&self, first: u32, group: usize, row: usize) -> &[f32; 4] {
        &self.rows[first as usize + group * ROWS_PER_GROUP + row]
    }
}

/// The rows of four varyings.
fn group(c0: &[f32; 4], c1: &[f32; 4], c2: &[f32; 4]) -> [[f32; 4]; ROWS_PER_GROUP] {
    [
        *c0,
        each!(4, k => c1[k] - c0[k]),
        each!(4, k => c2[k] - c0[k]),
    ]
}

/// Column of each lane in its 4x4 block.
pub(super) const LANE_X: [i32; LANES] = [0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3];

/// Row of each lane in its 4x4 block.
pub(super) const LANE_Y: [i32; LANES] = [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use azulejo_math::Subpixel;

    fn vertex() -> impl Strategy<Value = ScreenVertex> {
        (-20_000..60_000_i32, -20_000..60_000_i32, 0.0_f32..=1.0).prop_map(|(x, y, z)| {
            ScreenVertex {
                x: Subpixel(x),
                y: Subpixel(y),
                z,
                inv_w: 1.0,
            }
        })
    }

    proptest! {
        #[test]
        fn nearest_depth_is_no_farther_than_any_pixel(
            vertices in [vertex(), vertex(), vertex()],
            first in [0..200_i32, 0..200_i32],
            size in [1..33_i32, 1..33_i32],
        ) {
            let planes = Planes::new(&vertices);
            let bounds = PixelRect { x0: first[0], y0: first[1], x1: first[0] + size[0], y1: first[1] + size[1] };
            let nearest = planes.nearest_depth(&bounds);
            let [x0, y0, ..] = planes.corner_b1;
            let [_, z0, z_dx, z_dy] = planes.w2_depth;
            for y in bounds.y0..bounds.y1 {
                for x in bounds.x0..bounds.x1 {
                    // As the lanes compute it.
                    let (dx, dy) = (x as f32 + 0.5 - x0, y as f32 + 0.5 - y0);
                    let depth = z_dx.mul_add(dx, z_dy.mul_add(dy, z0));
                    prop_assert!(depth >= nearest || depth.is_nan(), "{depth} at {x}, {y} is nearer than {nearest}");
                }
            }
        }
    }
}
