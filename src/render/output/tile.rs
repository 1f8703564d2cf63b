//! Tile flush: a tile's colour buffer, block by block, to the rows of the picture that the tile owns.

use super::resolve::{Transfer, resolve};
use super::targets::TileTarget;
use crate::raster::TileBuffers;
use azulejo_simd::{Backend, LANES, LaneJob, Lanes, dispatch, each};

/// Writes the tile's colours through `transfer` to `target`. A tile in which nothing was drawn is filled with one colour.
#[doc(hidden)]
pub fn resolve_tile(
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
    let block: [[[u8; 4]; 4]; 4] = bytemuck::cast(block_rows(pixels));
    if let [a, b, c, d] = rows
        && let Some(a) = four(a, x)
        && let Some(b) = four(b, x)
        && let Some(c) = four(c, x)
        && let Some(d) = four(d, x)
    {
        [*a, *b, *c, *d] = block;
        return;
    }
    for (row, pixels) in rows.iter_mut().zip(block) {
        for (to, pixel) in row[x..].iter_mut().zip(pixels) {
            *to = pixel;
        }
    }
}

/// The rows of a block, whose lanes go quad by quad.
#[inline(always)]
pub(super) const fn block_rows<T: Copy>(lanes: &[T; LANES]) -> [[T; 4]; 4] {
    let l = lanes;
    [
        [l[0], l[1], l[4], l[5]],
        [l[2], l[3], l[6], l[7]],
        [l[8], l[9], l[12], l[13]],
        [l[10], l[11], l[14], l[15]],
    ]
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
