//! Triangles without perspective of programs that are flat surfaces ([`FlatSurface`]): blocks of them are shaded by
//! themselves, whichever pixels they have. Transparent blocks do not join the queue, and opaque ones hide the blocks under
//! them.

use super::batch::Batch;
use super::buffers::column_and_row;
use super::coverage::QueuedBlock;
use super::interpolate::block_centres;
use super::scene::{FragmentMode, TileScene};
use super::setup::Planes;
use super::unit::RasterUnit;
use super::write::{blend, replace};
use crate::geometry::ScreenVertex;
use crate::shading::{
    AffineTriangle, BlockCells, FlatPlace, FlatSurface, FlatTriangle, FragmentOutput,
    FragmentProgram, Reach,
};
use azulejo_math::PixelRect;
use azulejo_scene::Alphas;
use azulejo_simd::Lanes;

/// The flat triangle with these corners and varyings, if it has no perspective.
#[inline(always)]
pub(super) fn flat_triangle<L: Lanes>(
    l: L,
    surface: &FlatSurface<'_>,
    planes: &Planes,
    corners: &[ScreenVertex; 3],
    varyings: [&[f32]; 3],
) -> Option<FlatTriangle> {
    let [a, b, c] = corners;
    if a.inv_w != b.inv_w || a.inv_w != c.inv_w {
        return None;
    }
    let extent = |of: fn(&ScreenVertex) -> f32| {
        let [a, b, c] = [of(a), of(b), of(c)];
        a.max(b).max(c) - a.min(b).min(c)
    };
    let [_, _, b1_dx, b1_dy] = planes.corner_b1;
    let [b2_dx, b2_dy, ..] = planes.b2_w01;
    let triangle = AffineTriangle {
        gradients: [[b1_dx, b1_dy], [b2_dx, b2_dy]],
        extent_px: [
            extent(|vertex| vertex.x.to_px()),
            extent(|vertex| vertex.y.to_px()),
        ],
        varyings,
    };
    surface.triangle(l, &triangle)
}

/// A flat triangle that is walked.
#[derive(Debug, Clone, Copy)]
pub(super) struct WalkedFlat<'a> {
    surface: &'a FlatSurface<'a>,
    triangle: &'a FlatTriangle,
    /// Distance from corner 0 to the centre of the tile's first pixel.
    tile_px: [f32; 2],
    /// Change of texture coordinates over a block.
    reach: Reach,
    cells: Option<BlockCells>,
}

impl<'a> WalkedFlat<'a> {
    /// Prepares a triangle for the walk over `tile`.
    #[inline(always)]
    pub(super) fn new(
        surface: &'a FlatSurface<'a>,
        triangle: &'a FlatTriangle,
        planes: &Planes,
        tile: PixelRect,
    ) -> Self {
        let [x0, y0, ..] = planes.corner_b1;
        Self {
            surface,
            triangle,
            tile_px: [tile.x0 as f32 + 0.5 - x0, tile.y0 as f32 + 0.5 - y0],
            reach: triangle.reach([3.0, 3.0]),
            cells: None,
        }
    }

    /// Prepares the alphas of these blocks of the tile, for [`Self::alphas`].
    #[inline(always)]
    pub(super) fn by_block(self, blocks: PixelRect) -> Self {
        let first = [blocks.x0.cast_unsigned(), blocks.y0.cast_unsigned()];
        let end = [blocks.x1.cast_unsigned(), blocks.y1.cast_unsigned()];
        let cells = (self.surface).block_cells(self.triangle, self.tile_px, [first, end]);
        Self { cells, ..self }
    }

    /// Bounds of the alphas in this part of the tile.
    #[inline(always)]
    pub(super) fn alphas_in(&self, tile: PixelRect, part: &PixelRect) -> Alphas {
        let [x, y] = self.tile_px;
        let first = [
            x + (part.x0 - tile.x0) as f32,
            y + (part.y0 - tile.y0) as f32,
        ];
        let size_px = [
            (part.x1 - part.x0 - 1) as f32,
            (part.y1 - part.y0 - 1) as f32,
        ];
        let reach = self.triangle.reach(size_px);
        self.surface.alphas(self.triangle, first, reach)
    }

    /// Bounds of the alphas in the block with this number.
    #[inline(always)]
    pub(super) fn alphas(&self, block: usize, blocks_wide: u32) -> Alphas {
        let at = column_and_row(block as u32, blocks_wide);
        if let Some(cells) = &self.cells {
            return self.surface.alphas_of_block(self.triangle, cells, at);
        }
        let [x, y] = self.tile_px;
        let first = [x + (4 * at[0]) as f32, y + (4 * at[1]) as f32];
        self.surface.alphas(self.triangle, first, self.reach)
    }
}

/// The flat surface of the draw that was asked about last: blocks of one draw come together.
#[derive(Debug, Default)]
pub(super) struct LastSurface<'a>(Option<(u32, FlatSurface<'a>)>);

impl<'a> LastSurface<'a> {
    /// Flat surface of the draw with this number, if its program is one.
    #[inline(always)]
    fn of<P: FragmentProgram>(&mut self, draw: u32, program: &'a P) -> Option<&FlatSurface<'a>> {
        if !matches!(self.0, Some((last, _)) if last == draw) {
            self.0 = program.flat().map(
                #[inline(always)]
                |surface| (draw, surface),
            );
        }
        self.0.as_ref().map(
            #[inline(always)]
            |(_, surface)| surface,
        )
    }
}

/// Shades the visible pixels of a flat triangle's block, which has this number in the queue, and writes them; also returns
/// what all of the block's pixels have, or nothing if the triangle is not flat.
#[inline(always)]
pub(super) fn shade_flat<'a, L: Lanes, P: FragmentProgram>(
    l: L,
    unit: &mut RasterUnit,
    scene: &'a TileScene<'a, P>,
    last: &mut LastSurface<'a>,
    tile: PixelRect,
    (block, number): (QueuedBlock, u32),
) -> Option<FragmentOutput<L>> {
    let setup = &unit.setups[block.setup as usize];
    let flat = setup.flat?;
    let draw_number = scene.chunks[setup.chunk as usize].draw;
    let draw = &scene.draws[draw_number as usize];
    let surface = last.of(draw_number, draw.program)?;
    let blocks_wide = unit.buffers.blocks_wide();
    let centres = block_centres(l, tile, block.block, blocks_wide);
    let place = FlatPlace {
        triangle: block.setup,
        block: column_and_row(block.block.into(), blocks_wide),
        distance: distance(l, &setup.planes, centres),
    };
    let flat = &unit.flats[flat as usize];
    let rgba = surface.color(l, flat, &place, &mut unit.flat_memo);
    let output = FragmentOutput {
        rgba,
        keep: l.mask(0xffff),
    };
    let batch = Batch::Block { block, number };
    match draw.mode {
        FragmentMode::Opaque | FragmentMode::Masked => {
            replace(l, &mut unit.buffers, &batch, &output)
        }
        FragmentMode::Blended => blend(l, &mut unit.buffers, &batch, &output),
    }
    Some(output)
}

/// Distance from corner 0 to these places, in pixels.
#[inline(always)]
fn distance<L: Lanes>(l: L, planes: &Planes, [x_px, y_px]: [L::F; 2]) -> [L::F; 2] {
    let [x0, y0, ..] = planes.corner_b1;
    [x_px - l.f(x0), y_px - l.f(y0)]
}
