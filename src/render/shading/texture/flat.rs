//! A texture in a triangle over which its coordinates are affine: level of detail, layout and wrapping are the same at all
//! of its pixels, so they are found once, and so is where nothing, or nothing beneath, can be seen. If coordinates go
//! along the axes, what the blocks of a column share is found once for it, and for each row.

use super::footprint::{levels_of_scale, second_of_size, wrapped};
use super::row_layout::{column_before, row_before, texel_before};
use super::rows::{BELOW, Rows, between, normalized};
use super::shape::TextureShape;
use azulejo_scene::{Alphas, CELL, TexelRows, Wrap};
use azulejo_simd::{Across, BlockSamples, Down, LANES, Lanes, each};

/// The only texture of a program, in rows.
#[derive(Debug, Clone, Copy)]
pub(in crate::shading) struct FlatTexture<'a> {
    pub(super) shape: &'a TextureShape,
    pub(super) rows: &'a Rows,
    /// Rows that (u, v, 1) is multiplied with; `None` for the identity.
    pub(super) transform: Option<[[f32; 3]; 2]>,
    /// Position of its coordinates among the varyings.
    pub(in crate::shading) first_varying: usize,
}

/// A quantity that is affine over the screen: at the triangle's corner 0, a pixel further right, and a pixel further down.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::shading) struct Plane {
    pub(in crate::shading) value: f32,
    pub(in crate::shading) dx: f32,
    pub(in crate::shading) dy: f32,
}

/// Coordinates that grow by more than this over a triangle's bounds along one axis, though they stay within one period,
/// belong to a sliver: there they lack the digits that tell texels apart.
const MOST_GROWTH: f32 = 8.0;

/// Texels that rounding may move a sample, and then some.
pub(super) const MARGIN: f32 = 1.0 / 32.0;

/// How a triangle samples its texture.
#[derive(Debug, Clone, Copy)]
pub(in crate::shading) struct FlatSample {
    /// Planes of u and v.
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
    /// First texel of the rows.
    origin: i32,
    strip: i32,
    /// First of the cells.
    cells: u32,
    cells_wide: u32,
}

impl FlatLevel {
    /// First cell, and the cells in a row.
    const fn cells(&self) -> [u32; 2] {
        [self.cells, self.cells_wide]
    }
}

impl FlatSample {
    /// Sample of a triangle whose corners have these coordinates before the texture's transform; `plane` is the one through
    /// values at the corners, and `extent_px` the size of the triangle's bounds. `None` where coordinates lack digits.
    #[inline(always)]
    pub(in crate::shading) fn new<L: Lanes>(
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

    /// Straight colours of a block.
    #[inline(always)]
    pub(in crate::shading) fn color<L: Lanes>(
        &self,
        l: L,
        texture: &FlatTexture<'_>,
        place: &FlatPlace<L>,
        memo: &mut FlatMemo,
    ) -> [L::F; 4] {
        let words = &texture.rows.texels[0].words;
        let mut color = [l.f(0.0); 4];
        if self.along_axes {
            let (across, down) = memo.of(l, self, texture, place);
            for number in 0..self.n_levels {
                let of_level = l.bilinear_block(&BlockSamples {
                    table: words,
                    stride: BELOW,
                    across: &across[number],
                    down: &down[number],
                });
                color = self.with_level(l, number, color, of_level);
            }
            return normalized(l, color);
        }
        let uv = self.coordinates(l, texture, place.distance);
        for number in 0..self.n_levels {
            let level = &self.levels[number];
            let (column, x) = second_of_size(l, uv[0], l.f(level.size[0]));
            let (row, y) = second_of_size(l, uv[1], l.f(level.size[1]));
            let (origin, strip) = (l.i(level.origin), l.i(level.strip));
            let first = texel_before(l, [column, row], origin, strip);
            let of_level = l.bilinear(words, first, BELOW, [x, y]);
            color = self.with_level(l, number, color, of_level);
        }
        normalized(l, color)
    }

    /// Wrapped coordinates at these distances from corner 0.
    #[inline(always)]
    fn coordinates<L: Lanes>(
        &self,
        l: L,
        texture: &FlatTexture<'_>,
        [dx, dy]: [L::F; 2],
    ) -> [L::F; 2] {
        let uv = each!(2, k => {
            let plane = self.planes[k];
            l.mul_add(l.f(plane.dx), dx, l.mul_add(l.f(plane.dy), dy, l.f(plane.value)))
        });
        if self.wraps {
            wrapped(l, texture.shape, uv)
        } else {
            uv
        }
    }

    /// Filtered colour of the levels up to this one.
    #[inline(always)]
    fn with_level<L: Lanes>(
        &self,
        l: L,
        number: usize,
        before: [L::F; 4],
        of_level: [L::F; 4],
    ) -> [L::F; 4] {
        if number == 0 {
            of_level
        } else {
            between(l, before, of_level, l.f(self.fraction))
        }
    }

    /// How coordinates change over a rectangle of pixels with these distances from the first centre to the last.
    #[inline(always)]
    pub(in crate::shading) fn reach(&self, [width, height]: [f32; 2]) -> Reach {
        Reach(each!(2, k => {
            let plane = &self.planes[k];
            let [x, y] = [width * plane.dx, height * plane.dy];
            [x.min(0.0) + y.min(0.0), x.abs() + y.abs()]
        }))
    }

    /// Bounds of the alphas that samples read in the triangle's part of a rectangle of this reach; its first pixel's centre
    /// is at this distance from corner 0, in pixels.
    #[inline(always)]
    pub(in crate::shading) fn alphas(
        &self,
        texture: &FlatTexture<'_>,
        [dx, dy]: [f32; 2],
        reach: Reach,
    ) -> Alphas {
        let texels = &texture.rows.texels[0];
        if self.wraps || texels.all != Alphas::MIXED {
            return texels.all;
        }
        let cells = each!(2, axis => self.cells(axis, [dx, dy], reach));
        alphas_of(texels, self.levels[0].cells(), cells)
    }

    /// Cells of the columns and rows of blocks, to find alphas of one block after the other, if that pays; in a tile whose
    /// first pixel's centre is at this distance from corner 0. Blocks from `first` to `end` are prepared.
    #[inline(always)]
    pub(in crate::shading) fn block_cells(
        &self,
        texture: &FlatTexture<'_>,
        [dx, dy]: [f32; 2],
        [first, end]: [[u32; 2]; 2],
    ) -> Option<BlockCells> {
        let known = self.wraps || texture.rows.texels[0].all != Alphas::MIXED;
        if known || !self.along_axes || end[0].max(end[1]) > KEPT as u32 {
            return None;
        }
        let reach = self.reach([3.0, 3.0]);
        let mut cells = BlockCells::default();
        for column in first[0]..end[0] {
            let dx = dx + (4 * column) as f32;
            cells.columns[column as usize] = self.cells(0, [dx, dy], reach);
        }
        for row in first[1]..end[1] {
            let dy = dy + (4 * row) as f32;
            cells.rows[row as usize] = self.cells(1, [dx, dy], reach);
        }
        Some(cells)
    }

    /// Bounds of the alphas of a block whose cells are known.
    #[inline(always)]
    pub(in crate::shading) fn alphas_of_block(
        &self,
        texture: &FlatTexture<'_>,
        cells: &BlockCells,
        [column, row]: [u32; 2],
    ) -> Alphas {
        let at = |of: &[[u32; 2]; KEPT], block: u32| of[block as usize % KEPT];
        let cells = [at(&cells.columns, column), at(&cells.rows, row)];
        alphas_of(&texture.rows.texels[0], self.levels[0].cells(), cells)
    }

    /// The first and the last cell along an axis that samples in a rectangle may read.
    #[inline(always)]
    fn cells(&self, axis: usize, [dx, dy]: [f32; 2], reach: Reach) -> [u32; 2] {
        let size = self.levels[0].size[axis];
        let (plane, [low, high]) = (&self.planes[axis], self.bounds[axis]);
        let [lowest, extent] = reach.0[axis];
        let first = plane.dx * dx + plane.dy * dy + plane.value + lowest;
        let place = |at: f32| (at * size + 0.5).max(MARGIN);
        [
            (place(first.max(low)) - MARGIN) as u32 / CELL,
            (place((first + extent).min(high)) + MARGIN) as u32 / CELL,
        ]
    }
}

/// Bounds of all alphas of these cells of a level, which cover the next level too. The level's first cell and the cells in
/// a row are given.
#[inline(always)]
pub(super) fn alphas_of(
    texels: &TexelRows,
    [cells, cells_wide]: [u32; 2],
    [[left, right], [top, bottom]]: [[u32; 2]; 2],
) -> Alphas {
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
        all = all.union(texels.alphas_in_row(row, across as usize + 1));
        if all == Alphas::MIXED {
            break;
        }
        row += cells_wide as usize;
    }
    all
}

/// Cells of a triangle along the axes: the first and the last by column of blocks in the tile, and by row.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BlockCells {
    columns: [[u32; 2]; KEPT],
    rows: [[u32; 2]; KEPT],
}

/// Which block is sampled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlatPlace<L: Lanes> {
    /// A number that no other triangle of the tile has.
    pub(crate) triangle: u32,
    /// The block's column and row in the tile.
    pub(crate) block: [u32; 2],
    /// Distance from corner 0 of the triangle to the centres of the block's pixels, in pixels.
    pub(crate) distance: [L::F; 2],
}

/// Blocks across and down that are kept.
const KEPT: usize = 8;

/// Cache of the last triangle along the axes: terms that the blocks of a column share, and those of a row.
#[derive(Debug, Clone, Default)]
pub(crate) struct FlatMemo {
    /// Entries by the last bits of a block's column: its name, and the columns of pixels by level.
    columns: [(u64, [Across; 2]); KEPT],
    /// Entries by the last bits of a block's row: its name, and the rows of pixels by level.
    rows: [(u64, [Down; 2]); KEPT],
}

impl FlatMemo {
    /// Forgets the last tile.
    pub(crate) fn clear(&mut self) {
        self.columns.iter_mut().for_each(|(name, _)| *name = 0);
        self.rows.iter_mut().for_each(|(name, _)| *name = 0);
    }

    /// Terms that the block's columns and rows share.
    #[inline(always)]
    fn of<L: Lanes>(
        &mut self,
        l: L,
        sample: &FlatSample,
        texture: &FlatTexture<'_>,
        place: &FlatPlace<L>,
    ) -> (&[Across; 2], &[Down; 2]) {
        // No name is 0.
        let named = |at: u32| u64::from(place.triangle) << 32 | u64::from(at) << 1 | 1;
        let [at_column, at_row] = place.block;
        let (name, across) = &mut self.columns[at_column as usize % KEPT];
        if *name != named(at_column) {
            *name = named(at_column);
            let [u, _] = sample.coordinates(l, texture, place.distance);
            for (to, level) in across.iter_mut().zip(&sample.levels[..sample.n_levels]) {
                let (column, x) = second_of_size(l, u, l.f(level.size[0]));
                let (origin, strip) = (l.i(level.origin), l.i(level.strip));
                *to = l.across(column_before(l, column, origin, strip), x);
            }
        }
        let (name, down) = &mut self.rows[at_row as usize % KEPT];
        if *name != named(at_row) {
            *name = named(at_row);
            let [_, v] = sample.coordinates(l, texture, place.distance);
            for (to, level) in down.iter_mut().zip(&sample.levels[..sample.n_levels]) {
                let (row, y) = second_of_size(l, v, l.f(level.size[1]));
                *to = l.down(row_before(l, row), y);
            }
        }
        (across, down)
    }
}

/// How coordinates change over a rectangle: for u and v the lowest, from that of the first pixel's centre, and from there
/// to the highest.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Reach([[f32; 2]; 2]);

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
