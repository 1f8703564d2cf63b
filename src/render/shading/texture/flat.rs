//! A texture in a triangle over which its coordinates are affine: level of detail, layout and wrapping are the same at all of its
//! pixels, so they are found once, and so is where nothing, or nothing beneath, can be seen.

use super::footprint::{levels_of_scale, second_of_size, wrapped};
use super::row_layout::texel_before;
use super::rows::{BELOW, Rows, between, normalized};
use super::shape::TextureShape;
use crate::scene::{Alphas, CELL, Wrap};
use crate::simd::{LANES, Lanes, each};

/// The only texture of a program, in rows.
#[derive(Debug, Clone, Copy)]
pub(in crate::render::shading) struct FlatTexture<'a> {
    pub(super) shape: &'a TextureShape,
    pub(super) rows: &'a Rows,
    /// Rows that (u, v, 1) is multiplied with; `None` for the identity.
    pub(super) transform: Option<[[f32; 3]; 2]>,
    /// Where its coordinates are among the varyings.
    pub(in crate::render::shading) first_varying: usize,
}

/// A quantity that is affine over the screen: at the triangle's corner 0, a pixel further right, and a pixel further down.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::render::shading) struct Plane {
    pub(in crate::render::shading) value: f32,
    pub(in crate::render::shading) dx: f32,
    pub(in crate::render::shading) dy: f32,
}

/// Coordinates that grow by more than this over a triangle's bounds along one axis, though they stay within one period, belong to a
/// sliver: there they lack the digits that tell texels apart.
const MOST_GROWTH: f32 = 8.0;

/// Texels that rounding may move a sample, and then some.
const MARGIN: f32 = 1.0 / 32.0;

/// How a triangle samples its texture.
#[derive(Debug, Clone, Copy)]
pub(in crate::render::shading) struct FlatSample {
    /// u and v.
    planes: [Plane; 2],
    /// Coordinates leave 0..=1, so they have to be wrapped.
    wraps: bool,
    /// Lowest and highest coordinates in the triangle.
    bounds: [[f32; 2]; 2],
    /// u depends on x alone, and v on y.
    along_axes: bool,
    levels: [FlatLevel; 2],
    n_levels: usize,
    /// Share of the second level.
    fraction: f32,
}

#[derive(Debug, Clone, Copy, Default)]
struct FlatLevel {
    /// Texels across and down.
    size: [f32; 2],
    /// Of the rows.
    origin: i32,
    strip: i32,
    /// Of the cells.
    cells: u32,
    cells_wide: u32,
}

impl FlatSample {
    /// Of a triangle whose corners have these coordinates before the texture's transform; `plane` is the one through values at the
    /// corners, and `extent_px` the size of the triangle's bounds. `None` where coordinates lack digits.
    #[inline(always)]
    pub(in crate::render::shading) fn new<L: Lanes>(
        l: L,
        texture: &FlatTexture<'_>,
        corners: [[f32; 2]; 3],
        plane: impl Fn([f32; 3]) -> Plane,
        extent_px: [f32; 2],
    ) -> Option<Self> {
        let mut corners = corners;
        if let Some([[a, b, c], [d, e, f]]) = texture.transform {
            for corner in &mut corners {
                let [u, v] = *corner;
                *corner = [a * u + b * v + c, d * u + e * v + f];
            }
        }
        let sampler = texture.shape.sampler;
        let along = |axis: usize, mode: Wrap| {
            let mut values = each!(3, k => corners[k][axis]);
            let lowest = || values[0].min(values[1]).min(values[2]);
            if mode == Wrap::Repeat && lowest().is_finite() {
                let period = lowest().floor();
                values = each!(3, k => values[k] - period);
            }
            let low = values[0].min(values[1]).min(values[2]);
            let high = values[0].max(values[1]).max(values[2]);
            (plane(values), [low, high])
        };
        let (u, u_bounds) = along(0, sampler.wrap_u);
        let (v, v_bounds) = along(1, sampler.wrap_v);
        let planes = [u, v];
        let grows = |plane: &Plane| plane.dx.abs() * extent_px[0] + plane.dy.abs() * extent_px[1];
        let bounds = [u_bounds, v_bounds];
        let within = |[low, high]: &[f32; 2]| *low >= 0.0 && *high <= 1.0;
        let wraps = !bounds.iter().all(within);
        // Not a number fails too.
        let known = |(plane, [low, high]): (&Plane, &[f32; 2])| {
            grows(plane) <= MOST_GROWTH * (high - low).max(1.0) && high - low <= 1024.0
        };
        if !planes.iter().zip(&bounds).all(known) {
            return None;
        }
        let (levels, fraction) = levels(l, texture, planes);
        Some(Self {
            planes,
            wraps,
            bounds,
            along_axes: u.dy == 0.0 && v.dx == 0.0,
            levels,
            n_levels: if fraction > 0.0 { 2 } else { 1 },
            fraction,
        })
    }

    /// Straight colours of a 4x4 block whose pixels' centres are at these distances from corner 0, in pixels.
    #[inline(always)]
    pub(in crate::render::shading) fn color<L: Lanes>(
        &self,
        l: L,
        texture: &FlatTexture<'_>,
        [dx, dy]: [L::F; 2],
    ) -> [L::F; 4] {
        let mut uv = each!(2, k => {
            let plane = self.planes[k];
            l.mul_add(l.f(plane.dx), dx, l.mul_add(l.f(plane.dy), dy, l.f(plane.value)))
        });
        if self.wraps {
            uv = wrapped(l, texture.shape, uv);
        }
        let words = &texture.rows.texels[0].words;
        let mut color = [l.f(0.0); 4];
        for (number, level) in self.levels[..self.n_levels].iter().enumerate() {
            let (column, x) = second_of_size(l, uv[0], l.f(level.size[0]));
            let (row, y) = second_of_size(l, uv[1], l.f(level.size[1]));
            let (origin, strip) = (l.i(level.origin), l.i(level.strip));
            let first = texel_before(l, [column, row], origin, strip);
            let of_block = if self.along_axes {
                l.bilinear_block(words, first, BELOW, [x, y])
            } else {
                None
            };
            let of_level = match of_block {
                Some(of_level) => of_level,
                None => l.bilinear(words, first, BELOW, [x, y]),
            };
            color = if number == 0 {
                of_level
            } else {
                between(l, color, of_level, l.f(self.fraction))
            };
        }
        normalized(l, color)
    }

    /// How coordinates change over a rectangle of pixels with these distances from the first centre to the last.
    #[inline(always)]
    pub(in crate::render::shading) fn reach(&self, [width, height]: [f32; 2]) -> Reach {
        Reach(each!(2, k => {
            let plane = &self.planes[k];
            let [x, y] = [width * plane.dx, height * plane.dy];
            [x.min(0.0) + y.min(0.0), x.abs() + y.abs()]
        }))
    }

    /// What alphas samples read in the triangle's part of a rectangle that reaches so far; its first pixel's centre is at this distance
    /// from corner 0, in pixels.
    #[inline(always)]
    pub(in crate::render::shading) fn alphas(
        &self,
        texture: &FlatTexture<'_>,
        [dx, dy]: [f32; 2],
        reach: Reach,
    ) -> Alphas {
        let texels = &texture.rows.texels[0];
        if self.wraps || texels.all != Alphas::MIXED {
            return texels.all;
        }
        // The cells of a level know of the next one too.
        let FlatLevel {
            size,
            cells,
            cells_wide,
            ..
        } = self.levels[0];
        let range = |axis: usize| {
            let (plane, [low, high]) = (&self.planes[axis], self.bounds[axis]);
            let [lowest, extent] = reach.0[axis];
            let first = plane.dx * dx + plane.dy * dy + plane.value + lowest;
            let place = |at: f32| (at * size[axis] + 0.5).max(MARGIN);
            [
                (place(first.max(low)) - MARGIN) as u32 / CELL,
                (place((first + extent).min(high)) + MARGIN) as u32 / CELL,
            ]
        };
        let [[left, right], [top, bottom]] = [range(0), range(1)];
        let first = (cells + top * cells_wide + left) as usize;
        let (across, down) = (right.wrapping_sub(left), bottom.wrapping_sub(top));
        // Most blocks lie in up to two cells across and down.
        if across <= 1 && down <= 1 {
            let (across, down) = (across as usize, (down * cells_wide) as usize);
            return match texels.alphas.get(first..=first + down + across) {
                Some(cells) => {
                    (cells[0].union(cells[across])).union(cells[down].union(cells[down + across]))
                }
                None => Alphas::MIXED,
            };
        }
        let mut all = Alphas::default();
        let mut row = first;
        for _ in top..bottom + 1 {
            let of_row = texels.alphas.get(row..row + across as usize + 1);
            for alphas in of_row.unwrap_or(&[Alphas::MIXED]) {
                all = all.union(*alphas);
            }
            if all == Alphas::MIXED {
                break;
            }
            row += cells_wide as usize;
        }
        all
    }
}

/// How coordinates change over a rectangle: for u and v the lowest, from that of the first pixel's centre, and from there to the highest.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::render) struct Reach([[f32; 2]; 2]);

/// The levels that are read where coordinates have these planes, and the share of the second.
#[inline(always)]
fn levels<L: Lanes>(l: L, texture: &FlatTexture<'_>, planes: [Plane; 2]) -> ([FlatLevel; 2], f32) {
    let shape = texture.shape;
    let size = [shape.widths[0] as f32, shape.heights[0] as f32];
    let squared = |[u, v]: [f32; 2]| {
        let [u, v] = [u * size[0], v * size[1]];
        u * u + v * v
    };
    let [u, v] = planes;
    let along_x = squared([u.dx, v.dx]);
    let along_y = squared([u.dy, v.dy]);
    let scale = along_x.max(along_y).clamp(1e-12, 1e12);
    let levels = levels_of_scale(l, shape, l.f(scale));
    let (mut first, mut second) = ([0; LANES], [0; LANES]);
    let mut fraction = [0.0; LANES];
    l.store_i(levels.first, &mut first);
    l.store_i(levels.second, &mut second);
    l.store(levels.fraction, &mut fraction);
    let of = |number: i32| {
        let at = number.clamp(0, shape.last_level) as usize;
        let rows = &texture.rows.levels[at];
        FlatLevel {
            size: [shape.widths[at] as f32, shape.heights[at] as f32],
            origin: rows.origin.cast_signed(),
            strip: rows.strip.cast_signed(),
            cells: rows.cells,
            cells_wide: rows.cells_wide,
        }
    };
    ([of(first[0]), of(second[0])], fraction[0])
}
