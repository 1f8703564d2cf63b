//! Bounds of a texture's alphas in a triangle with perspective: where samples of a 4x4 block of a tile can read only
//! transparent, or only opaque, texels, found for sixteen blocks at once before any of them is sampled.
//!
//! A coordinate is `N / W`, where `W` is 1/w and both are affine over the screen. If `W` is positive, such a quotient is
//! monotonous along every line, so over a rectangle it is lowest and highest at corners. Its derivative along x is
//! `(N_x W - N W_x) / W^2`, and the numerator depends on y alone, as that of the derivative along y does on x: so levels of
//! detail have bounds too. The rounding error of single precision on the way of a sample to its texels is added to all
//! bounds.

use super::flat::{FlatTexture, MARGIN, alphas_of};
use super::shape::TextureShape;
use azulejo_scene::{Alphas, CELL, Wrap};
use azulejo_simd::{LANES, Lanes, each};

/// The corners of a triangle in a tile, as far as alphas depend on them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SlantedTriangle<'a> {
    /// Gradients of the barycentric coordinates of corners 1 and 2, by x and y in pixels.
    pub(crate) gradients: [[f32; 2]; 2],
    /// Reciprocal of w, by corner.
    pub(crate) inv_w: [f32; 3],
    /// Distance from corner 0 to the centre of the tile's first pixel, in pixels.
    pub(crate) tile_px: [f32; 2],
    /// Blocks across the tile.
    pub(crate) blocks_wide: u32,
    /// Varyings of the triangle, by corner.
    pub(crate) varyings: [&'a [f32]; 3],
}

/// Bounds of the alphas that samples may read, by block of a tile.
#[derive(Debug)]
pub(in crate::shading) struct BlockAlphas<'a> {
    texture: &'a FlatTexture<'a>,
    inv_w: Linear,
    axes: [Axis; 2],
    blocks_wide: u32,
}

/// Cells that samples in sixteen blocks of a triangle may read.
#[derive(Debug, Default)]
struct SixteenBlocks {
    /// Blocks whose cells are known, a bit each.
    known: u32,
    /// Blocks that may read levels from the second on, a bit each.
    two_levels: u32,
    cells: [Cells; 2],
}

/// Affine over the tile: at its first pixel's centre, a pixel further right, and a pixel further down.
#[derive(Debug, Clone, Copy, Default)]
struct Linear {
    value: f32,
    dx: f32,
    dy: f32,
    /// More than rounding can add to or take from it anywhere in the tile.
    error: f32,
}

/// One of the two coordinates.
#[derive(Debug, Clone, Copy)]
struct Axis {
    /// Coordinate times 1/w, over the tile.
    over_w: Linear,
    /// Numerators of the derivatives along x and along y at the tile's first pixel. The first grows by `twist` a pixel
    /// down, the second falls by it a pixel to the right.
    derivatives: [f32; 2],
    twist: f32,
    /// More than rounding can add to the numerators.
    derivative_error: f32,
    /// Lowest and highest in the triangle.
    bounds: [f32; 2],
    /// How far a sample's coordinate may be from where it should be.
    error: f32,
    /// Texels of the first level.
    size: f32,
    wrap: Wrap,
}

/// Cells of one level by block ([`azulejo_scene::TexelRows`]).
#[derive(Debug, Clone, Copy, Default)]
struct Cells {
    level: [i32; LANES],
    /// First and last one across, and down.
    range: [[[i32; LANES]; 2]; 2],
}

/// Step of single precision from 1 to the next number.
const EPSILON: f64 = f32::EPSILON as f64;

/// Error of coordinates, in texels, from which on no bounds are given.
const MOST_ERROR: f64 = 0.25;

/// Cells across or down that are looked at for one block: a level of detail reads a texel or two a pixel, in the direction
/// where they are most.
const MOST_CELLS: i32 = 6;

impl<'a> BlockAlphas<'a> {
    /// Prepares a triangle; `None` if nothing could be said of any block.
    pub(in crate::shading) fn new(
        texture: &'a FlatTexture<'a>,
        triangle: &SlantedTriangle<'_>,
    ) -> Option<Self> {
        let over_tile = OverTile::new(triangle);
        let inv_w = over_tile.affine(over_tile.inv_w);
        let [u, v] = over_tile.coordinates(texture, triangle)?;
        let TextureShape {
            sampler,
            widths,
            heights,
            ..
        } = texture.shape;
        Some(Self {
            texture,
            inv_w: Linear::new(inv_w, over_tile.edge),
            axes: [
                Axis::new(&over_tile, u, inv_w, (widths[0], sampler.wrap_u))?,
                Axis::new(&over_tile, v, inv_w, (heights[0], sampler.wrap_v))?,
            ],
            blocks_wide: triangle.blocks_wide,
        })
    }

    /// Bounds of the alphas that samples may read in the triangle's part of each of the first `n` of these blocks, which
    /// have these numbers in the tile.
    #[inline(always)]
    pub(in crate::shading) fn of_blocks<L: Lanes>(
        &self,
        l: L,
        numbers: &[i32; LANES],
        n: usize,
    ) -> [Alphas; LANES] {
        let mut blocks = SixteenBlocks::default();
        self.look_at(l, numbers, &mut blocks);
        let rows = self.texture.rows;
        let mut alphas = [Alphas::MIXED; LANES];
        for (at, alphas) in alphas.iter_mut().enumerate().take(n) {
            if blocks.known >> at & 1 == 0 {
                continue;
            }
            *alphas = Alphas::default();
            let n_levels = 1 + (blocks.two_levels >> at & 1) as usize;
            for Cells { level, range } in &blocks.cells[..n_levels] {
                let [across, down] = range;
                let range = [
                    [across[0][at].cast_unsigned(), across[1][at].cast_unsigned()],
                    [down[0][at].cast_unsigned(), down[1][at].cast_unsigned()],
                ];
                let of_level = match rows.levels.get(level[at] as usize) {
                    Some(level) => {
                        let cells = [level.cells, level.cells_wide];
                        alphas_of(&rows.texels[0], cells, range)
                    }
                    None => Alphas::MIXED,
                };
                *alphas = alphas.union(of_level);
            }
        }
        alphas
    }

    /// Finds the levels and cells that sixteen blocks with these numbers may read.
    #[inline(always)]
    fn look_at<L: Lanes>(&self, l: L, numbers: &[i32; LANES], blocks: &mut SixteenBlocks) {
        let shape = self.texture.shape;
        let numbers = l.to_float(l.load_i(numbers));
        // Exact: as many blocks are across as a power of two.
        let row = l.floor(numbers * l.f(1.0 / self.blocks_wide as f32));
        let column = numbers - row * l.f(self.blocks_wide as f32);
        let place = [column * l.f(4.0), row * l.f(4.0)];

        let inv_w = self.inv_w.at_corners(l, place);
        let error = l.f(self.inv_w.error);
        let nearest = lowest(l, inv_w) - error;
        let farthest = highest(l, inv_w) + error;
        let w = each!(4, k => l.f(1.0) / inv_w[k]);
        let per_nearest = l.f(1.0) / nearest;
        let mut known = l.lt(l.f(0.0), nearest);
        let ranges = each!(2, k => self.axes[k].range(l, place, w, per_nearest, error));

        let mut longest = [l.f(0.0); 2];
        for along in 0..2 {
            let of_axes = each!(2, k => self.axes[k].derivative(l, place, along));
            for (longest, end) in longest.iter_mut().zip(0..2) {
                let squared = each!(2, k => of_axes[k][end] * of_axes[k][end]);
                *longest = l.max(*longest, squared[0] + squared[1]);
            }
        }
        let per_farthest = l.f(1.0) / farthest;
        let [low, high] = [(longest[0], per_farthest), (longest[1], per_nearest)].map(
            #[inline(always)]
            |(longest, per_w)| {
                let squared = per_w * per_w;
                longest * (squared * squared)
            },
        );
        // (s + e)^2 <= s^2 65/64 + 65 e^2, and (s - e)^2 >= s^2 63/64 - 63 e^2: s the scale, e what a difference of
        // coordinates may lack.
        let off = |axis: &Axis| 4.0 * axis.error * axis.size;
        let off = off(&self.axes[0]) + off(&self.axes[1]);
        let low = l.mul_add(low, l.f(0.98), l.f(-63.0 * off * off));
        let high = l.mul_add(high, l.f(1.02), l.f(65.0 * off * off));
        let by_level = shape.last_level > 0 && shape.sampler.mip.is_some();
        let smallest = l.i(if by_level { shape.last_level } else { 0 });
        let [first, second] = [low, high].map(
            #[inline(always)]
            |scale| {
                let scale = l.min(l.max(scale, l.f(1e-12)), l.f(1e12));
                let exponent = l.shr::<23>(l.to_bits(scale)) - l.i(127);
                l.min_i(l.max_i(l.sar::<1>(exponent), l.i(0)), smallest)
            },
        );
        known = known & l.not(l.lt_i(first + l.i(1), second));

        blocks.two_levels = l.mask_bits(l.lt_i(first, second));
        for (cells, level) in blocks.cells.iter_mut().zip([first, second]) {
            l.store_i(level, &mut cells.level);
            for (k, (axis, range)) in self.axes.iter().zip(&ranges).enumerate() {
                let sizes = [&shape.widths, &shape.heights][k];
                let (ends, within) = axis.cells(l, *range, l.to_float(l.lookup(sizes, level)));
                known = known & within;
                for (to, end) in cells.range[k].iter_mut().zip(ends) {
                    l.store_i(end, to);
                }
            }
        }
        blocks.known = l.mask_bits(known);
    }
}

/// A triangle over a tile, in double precision.
struct OverTile {
    /// Reciprocal of w, by corner.
    inv_w: [f64; 3],
    gradients: [[f64; 2]; 2],
    /// Distance from corner 0 to the centre of the tile's first pixel, in pixels.
    tile_px: [f64; 2],
    /// Edge of the tile, in pixels.
    edge: f64,
}

/// A coordinate at the corners of a triangle, and how far a sample may be from where it should be.
#[derive(Debug, Clone, Copy)]
struct Coordinate {
    at_corners: [f64; 3],
    error: f64,
}

impl OverTile {
    fn new(triangle: &SlantedTriangle<'_>) -> Self {
        Self {
            inv_w: triangle.inv_w.map(f64::from),
            gradients: triangle.gradients.map(|of| of.map(f64::from)),
            tile_px: triangle.tile_px.map(f64::from),
            edge: f64::from(4 * triangle.blocks_wide),
        }
    }

    /// Affine function with these values at the corners: at the tile's first pixel, and its changes to the right and down.
    fn affine(&self, [at_0, at_1, at_2]: [f64; 3]) -> [f64; 3] {
        let (to_1, to_2) = (at_1 - at_0, at_2 - at_0);
        let [b1, b2] = self.gradients;
        let [dx, dy] = each!(2, k => b1[k] * to_1 + b2[k] * to_2);
        [at_0 + dx * self.tile_px[0] + dy * self.tile_px[1], dx, dy]
    }

    /// More than rounding can change a corner's share of a varying, anywhere in the tile.
    fn error_of_shares(&self) -> f64 {
        let farthest = self.tile_px.map(|px| px.abs().max((px + self.edge).abs()));
        let reach = |[dx, dy]: [f64; 2]| dx.abs() * farthest[0] + dy.abs() * farthest[1];
        // First the error of barycentric coordinates.
        let [b1, b2] = self.gradients;
        let of_weights = 4.0 * EPSILON * (reach(b1) + reach(b2) + 1.0);
        let [lowest, highest] = range(self.inv_w);
        6.0 * of_weights * highest / lowest
    }

    /// Texture coordinates after the texture's transform.
    fn coordinates(
        &self,
        texture: &FlatTexture<'_>,
        triangle: &SlantedTriangle<'_>,
    ) -> Option<[Coordinate; 2]> {
        let at = texture.first_varying;
        let corner = |varyings: &[f32]| Some([*varyings.get(at)?, *varyings.get(at + 1)?]);
        let [a, b, c] = triangle.varyings;
        let corners = [corner(a)?, corner(b)?, corner(c)?];
        let of_shares = self.error_of_shares();
        let [u, v] = each!(2, axis => {
            let at_corners = each!(3, k => f64::from(corners[k][axis]));
            let [a, b, c] = at_corners;
            let spread = (b - a).abs() + (c - a).abs();
            let error = spread * of_shares + 8.0 * EPSILON * (a.abs() + spread);
            Coordinate { at_corners, error }
        });
        let Some(rows) = texture.transform else {
            return Some([u, v]);
        };
        Some(rows.map(|row| {
            let [a, b, c] = row.map(f64::from);
            let at_corners = each!(3, k => a * u.at_corners[k] + b * v.at_corners[k] + c);
            let [of_u, of_v] = [u, v].map(|along| magnitude(along.at_corners));
            let greatest = a.abs() * of_u + b.abs() * of_v + c.abs();
            let error = a.abs() * u.error + b.abs() * v.error + 4.0 * EPSILON * greatest;
            Coordinate { at_corners, error }
        }))
    }
}

impl Linear {
    fn new([value, dx, dy]: [f64; 3], edge: f64) -> Self {
        let greatest = value.abs() + (dx.abs() + dy.abs()) * edge;
        Self {
            value: lane(value),
            dx: lane(dx),
            dy: lane(dy),
            error: lane(8.0 * EPSILON * greatest),
        }
    }

    /// Values at the centres of the four corner pixels of blocks that begin at these pixels.
    #[inline(always)]
    fn at_corners<L: Lanes>(&self, l: L, [x, y]: [L::F; 2]) -> [L::F; 4] {
        let first = l.mul_add(l.f(self.dx), x, l.mul_add(l.f(self.dy), y, l.f(self.value)));
        let (right, down) = (3.0 * self.dx, 3.0 * self.dy);
        [
            first,
            first + l.f(right),
            first + l.f(down),
            first + l.f(right + down),
        ]
    }
}

impl Axis {
    /// `None` where samples are too far from where they should be.
    fn new(
        over_tile: &OverTile,
        Coordinate { at_corners, error }: Coordinate,
        [w, w_dx, w_dy]: [f64; 3],
        (size, wrap): (i32, Wrap),
    ) -> Option<Self> {
        let [lowest_w, _] = range(over_tile.inv_w);
        // Not a number fails too.
        let is_close = error * f64::from(size) < MOST_ERROR && lowest_w > 0.0;
        let over_w = over_tile.affine(each!(3, k => at_corners[k] * over_tile.inv_w[k]));
        let [n, n_dx, n_dy] = over_w;
        let derivatives = [n_dx * w - n * w_dx, n_dy * w - n * w_dy];
        let twist = n_dx * w_dy - n_dy * w_dx;
        let greatest =
            magnitude([derivatives[0], derivatives[1], 0.0]) + twist.abs() * over_tile.edge;
        is_close.then(|| Self {
            over_w: Linear::new(over_w, over_tile.edge),
            derivatives: derivatives.map(lane),
            twist: lane(twist),
            derivative_error: lane(4.0 * EPSILON * greatest),
            bounds: range(at_corners).map(lane),
            error: lane(error),
            size: size as f32,
            wrap,
        })
    }

    /// Lowest and highest coordinate in blocks that begin at these pixels, with what they may be off.
    #[inline(always)]
    fn range<L: Lanes>(
        &self,
        l: L,
        place: [L::F; 2],
        w: [L::F; 4],
        per_nearest: L::F,
        inv_w_error: L::F,
    ) -> [L::F; 2] {
        let over_w = self.over_w.at_corners(l, place);
        let at = each!(4, k => over_w[k] * w[k]);
        let (low, high) = (lowest(l, at), highest(l, at));
        let greatest = l.max(l.abs(low), l.abs(high));
        let of_quotient = l.mul_add(greatest, inv_w_error, l.f(self.over_w.error)) * per_nearest;
        let error = of_quotient + l.f(self.error);
        let [lowest, highest] = self.bounds;
        [
            l.max(low - error, l.f(lowest - self.error)),
            l.min(high + error, l.f(highest + self.error)),
        ]
    }

    /// Least and greatest size of the numerator of a derivative, along x or along y, in texels of the first level.
    #[inline(always)]
    fn derivative<L: Lanes>(&self, l: L, [x, y]: [L::F; 2], along: usize) -> [L::F; 2] {
        let (at, twist) = if along == 0 {
            (y, self.twist)
        } else {
            (x, -self.twist)
        };
        let first = l.mul_add(l.f(twist), at, l.f(self.derivatives[along]));
        let last = first + l.f(3.0 * twist);
        let (low, high) = (l.min(first, last), l.max(first, last));
        let error = l.f(self.derivative_error);
        let least = l.max(l.max(low, -high) - error, l.f(0.0));
        let greatest = l.max(high, -low) + error;
        [least * l.f(self.size), greatest * l.f(self.size)]
    }

    /// First and last cell of a level of this size that coordinates in a range read, and where that is known.
    #[inline(always)]
    fn cells<L: Lanes>(&self, l: L, [low, high]: [L::F; 2], size: L::F) -> ([L::I; 2], L::M) {
        let (zero, one) = (l.f(0.0), l.f(1.0));
        let [low, high] = match self.wrap {
            Wrap::Repeat => {
                let period = l.floor(low);
                [low - period, high - period]
            }
            Wrap::ClampToEdge => [low, high].map(
                #[inline(always)]
                |end| l.min(l.max(end, zero), one),
            ),
            Wrap::MirroredRepeat => [low, high],
        };
        // Not a number fails too.
        let within = l.le(zero, low) & l.le(low, high) & l.le(high, one);
        let margin = l.f(MARGIN);
        let texel = |at: L::F| l.mul_add(at, size, l.f(0.5));
        let cell = |texel: L::F| l.shr::<{ CELL.ilog2() }>(l.to_int(texel));
        let first = cell(l.max(texel(low) - margin, zero));
        let last = cell(l.min(texel(high), size + l.f(0.5)) + margin);
        let few = l.lt_i(last - first, l.i(MOST_CELLS));
        ([first, last], within & few)
    }
}

#[inline(always)]
fn lowest<L: Lanes>(l: L, [a, b, c, d]: [L::F; 4]) -> L::F {
    l.min(l.min(a, b), l.min(c, d))
}

#[inline(always)]
fn highest<L: Lanes>(l: L, [a, b, c, d]: [L::F; 4]) -> L::F {
    l.max(l.max(a, b), l.max(c, d))
}

fn range([a, b, c]: [f64; 3]) -> [f64; 2] {
    [a.min(b).min(c), a.max(b).max(c)]
}

fn magnitude(values: [f64; 3]) -> f64 {
    values
        .into_iter()
        .fold(0.0, |most, value| value.abs().max(most))
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding to the lanes' precision is counted among the errors"
)]
fn lane(value: f64) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests {
    use super::super::tests::{group_of, half_clear, scene_with};
    use super::*;
    use azulejo_scene::Sampler;
    use azulejo_simd::Scalar;

    const EDGE_PX: f32 = 64.0;
    const INV_W: [f32; 3] = [1.0, 0.4, 0.7];

    /// u at a pixel of a triangle whose corners are at 0, to the right and below, where u is 0, 1 and 0.
    fn exact_u([x, y]: [f64; 2]) -> f64 {
        let [a, b, c] = INV_W.map(f64::from);
        let (to_b, to_c) = (x / f64::from(EDGE_PX), y / f64::from(EDGE_PX));
        to_b * b / ((1.0 - to_b - to_c) * a + to_b * b + to_c * c)
    }

    #[test]
    fn block_alphas_know_a_picture_that_is_transparent_on_its_left() {
        let sampler = Sampler {
            wrap_u: Wrap::ClampToEdge,
            wrap_v: Wrap::ClampToEdge,
            ..Sampler::default()
        };
        let scene = scene_with(&half_clear(256), sampler);
        let mut groups = group_of(&scene);
        groups.pack();
        let texture = groups.0[0].flat(0).expect("one texture, filtered linearly");
        let alphas = BlockAlphas::new(
            &texture,
            &SlantedTriangle {
                gradients: [[1.0 / EDGE_PX, 0.0], [0.0, 1.0 / EDGE_PX]],
                inv_w: INV_W,
                tile_px: [0.5, 0.5],
                blocks_wide: 16,
                varyings: [&[0.0, 0.0], &[1.0, 0.0], &[0.0, 1.0]],
            },
        );
        let alphas = alphas.expect("coordinates with all their digits");
        // Blocks of the tile's second row that lie within the triangle.
        let numbers = std::array::from_fn(|at| 16 + at as i32);
        let found = alphas.of_blocks(Scalar, &numbers, 14);
        let (mut clear, mut opaque) = (0, 0);
        for (column, found) in (0_u8..14).zip(found) {
            let at = |pixel: u8| f64::from(4 * column + pixel) + 0.5;
            let reach =
                [[0, 0], [3, 0], [0, 3], [3, 3]].map(|[x, y]| exact_u([at(x), f64::from(y) + 4.5]));
            let (low, high) = (
                reach.into_iter().fold(1.0, f64::min),
                reach.into_iter().fold(0.0, f64::max),
            );
            // A cell of the largest level and a half on either side of the middle.
            let margin = 6.0 / 256.0;
            if high < 0.5 - margin {
                assert!(found.all_zero(), "column {column}, u up to {high}");
                clear += 1;
            } else if low > 0.5 + margin {
                assert!(found.all_one(), "column {column}, u from {low}");
                opaque += 1;
            } else if low < 0.5 && high > 0.5 {
                assert_eq!(found, Alphas::MIXED, "column {column}");
            }
        }
        assert!(
            clear >= 2 && opaque >= 2,
            "both were asked: {clear}, {opaque}"
        );
    }
}
