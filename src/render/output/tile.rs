//! Tile flush: a tile's colour buffer, block by block, to the rows of the picture that the tile owns.

use super::resolve::{Transfer, resolve};
use super::targets::TileTarget;
use crate::render::raster::TileBuffers;
use crate::simd::{Backend, LANES, LaneJob, Lanes, dispatch, each};

/// Writes the tile's colours through `transfer` to `target`. A tile in which nothing was drawn is filled with one colour.
pub(crate) fn resolve_tile(
    backend: Backend,
    buffers: &TileBuffers,
    drawn: bool,
    transfer: &Transfer,
    target: &mut TileTarget<'_, '_>,
) {
    if drawn {
        dispatch(
            backend,
            ResolveTile {
                buffers,
                transfer,
                target,
            },
        );
    } else {
        let pixel = dispatch(backend, ResolveNothing { transfer });
        let columns = target.column..target.column + target.width;
        (target.rows.iter_mut()).for_each(|row| row[columns.clone()].fill(pixel));
    }
}

struct ResolveTile<'a, 'b, 'c> {
    buffers: &'a TileBuffers,
    transfer: &'a Transfer,
    target: &'a mut TileTarget<'b, 'c>,
}

impl LaneJob for ResolveTile<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Self {
            buffers,
            transfer,
            target,
        } = self;
        let blocks_wide = buffers.blocks_wide() as usize;
        for (block_y, rows) in target.rows.chunks_mut(4).enumerate() {
            for block_x in 0..target.width.div_ceil(4) {
                let block = block_y * blocks_wide + block_x;
                let colors = each!(4, channel => l.load(&buffers.color[channel][block]));
                let mut pixels = [0; LANES];
                l.store_i(resolve(l, colors, transfer), &mut pixels);
                write_block(&pixels, rows, target.column + block_x * 4);
            }
        }
    }
}

/// Copies a block, whose lanes go quad by quad, to up to four rows from column `x` on.
#[inline(always)]
fn write_block(pixels: &[i32; LANES], rows: &mut [&mut [[u8; 4]]], x: usize) {
    if let [a, b, c, d] = rows
        && let Some(a) = four(a, x)
        && let Some(b) = four(b, x)
        && let Some(c) = four(c, x)
        && let Some(d) = four(d, x)
    {
        let [q0, q1, q2, q3]: &[[[u8; 4]; 4]; 4] = bytemuck::cast_ref(pixels);
        *a = [q0[0], q0[1], q1[0], q1[1]];
        *b = [q0[2], q0[3], q1[2], q1[3]];
        *c = [q2[0], q2[1], q3[0], q3[1]];
        *d = [q2[2], q2[3], q3[2], q3[3]];
        return;
    }
    for (y, row) in rows.iter_mut().enumerate() {
        // A row of the block runs through two quads: lanes 0, 1, 4, 5 and so on.
        let first = (y / 2) * 8 + (y % 2) * 2;
        let lanes = [first, first + 1, first + 4, first + 5];
        for (pixel, lane) in row[x..].iter_mut().zip(lanes) {
            *pixel = pixels[lane].to_le_bytes();
        }
    }
}

/// Four pixels of a row, unless it ends before.
#[inline(always)]
fn four(row: &mut [[u8; 4]], x: usize) -> Option<&mut [[u8; 4]; 4]> {
    row.get_mut(x..)?.first_chunk_mut()
}

struct ResolveNothing<'a> {
    transfer: &'a Transfer,
}

impl LaneJob for ResolveNothing<'_> {
    type Output = [u8; 4];

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> [u8; 4] {
        let mut pixels = [0; LANES];
        l.store_i(resolve(l, [l.f(0.0); 4], self.transfer), &mut pixels);
        pixels[0].to_le_bytes()
    }
}
