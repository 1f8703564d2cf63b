//! Coverage and early-Z: which quads of a triangle go to the fragment queue.
//!
//! A triangle is walked in 4x4 blocks. Edges that have the whole walk on their inside are not tested at all; the others
//! are small enough over a tile for 32-bit lanes.

use super::block_row::BlockRow;
use super::buffers::TileBuffers;
use super::samples::SampleMasks;
use super::setup::{LANE_X, LANE_Y, Planes};
use super::walk::Walk;
use azulejo_math::PixelRect;
use azulejo_simd::{LANES, Lanes};

/// Pixels of one triangle in one block that wait to be shaded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct QueuedBlock {
    /// Position of the triangle in the tile's setups.
    pub setup: u32,
    /// The block's number in the tile.
    pub block: u16,
    /// Covered pixels that passed the depth test, one bit each; at least one.
    pub mask: u16,
}

/// One block of the walk after coverage and depth test; a bit a pixel.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    /// Number of the block in the tile.
    pub number: usize,
    /// Covered pixels, one bit each.
    pub covered: u32,
    /// Covered pixels that passed.
    pub passed: u32,
    /// Covered samples with four samples a pixel; none otherwise.
    pub samples_covered: SampleMasks,
    /// Covered samples that passed the depth test.
    pub samples_passed: SampleMasks,
    /// Nothing passed, and the nearest covered depth lies behind the farthest depth of the block's sixteen pixels. Computed
    /// where [`TileObserver::EVERY_QUAD`](super::observe::TileObserver::EVERY_QUAD) asks for it.
    pub behind: bool,
}

/// The nearest depth of these pixels of a block.
#[inline(always)]
pub(super) fn nearest<L: Lanes>(l: L, pixels: u32, depths: L::F) -> f32 {
    let mut by_lane = [0.0; LANES];
    l.store(depths, &mut by_lane);
    let of_pixels = (0..LANES).filter(|lane| pixels >> lane & 1 != 0);
    of_pixels
        .map(|lane| by_lane[lane])
        .fold(f32::INFINITY, f32::min)
}

/// The farthest depth of a block.
#[inline(always)]
pub(super) fn farthest(depths: &[f32; LANES]) -> f32 {
    depths.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

/// Takes the blocks of a triangle. (Not a closure: see [`azulejo_simd::each`].)
pub(super) trait BlockSink {
    /// Depths are looked at, whether they are tested or not.
    const WANTS_DEPTHS: bool;

    /// The triangle has covered pixels in this block, and these depths; mark implementations `#[inline(always)]`.
    fn block<L: Lanes>(&mut self, l: L, buffers: &mut TileBuffers, block: Block, depths: L::F);
}

/// Depth test and update in the walk over one triangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct DepthTest<'a> {
    /// Depth plane and barycentric planes of the triangle.
    pub planes: &'a Planes,
    /// Only pixels that are no farther than the depth buffer pass.
    pub compare: bool,
    /// Pixels that pass replace the depth at once.
    pub update: bool,
}

/// Rasterises one triangle and tests its depth; `sink` gets every block with a covered pixel. Pixels beyond `tile`, which
/// the screen's edge may cut, are not covered.
#[inline(always)]
pub(super) fn rasterise<L: Lanes, S: BlockSink>(
    l: L,
    walk: &Walk,
    tile: PixelRect,
    depth_test: DepthTest<'_>,
    buffers: &mut TileBuffers,
    sink: &mut S,
) {
    let edge_rows = BlockRow::new(l, walk, [0; 3]);
    let [corner_x, corner_y, ..] = depth_test.planes.corner_b1;
    let [_, z0, z_dx, z_dy] = depth_test.planes.w2_depth;
    let (z0, z_dx, z_dy) = (l.f(z0), l.f(z_dx), l.f(z_dy));
    let (lane_x, lane_y) = (l.load_i(&LANE_X), l.load_i(&LANE_Y));
    let (centre_x, centre_y) = (l.to_float(lane_x) + l.f(0.5), l.to_float(lane_y) + l.f(0.5));
    let size = buffers.size.cast_signed();
    let cut = [tile.x1 - tile.x0, tile.y1 - tile.y0] != [size; 2];
    let whole = !(walk.tests(0) || walk.tests(1) || walk.tests(2));
    let uses_depth = S::WANTS_DEPTHS || depth_test.compare || depth_test.update;
    for block_y in walk.blocks().y0..walk.blocks().y1 {
        let y = block_y * 4;
        let dy = centre_y + l.f((tile.y0 + y) as f32 - corner_y);
        let z_row = l.mul_add(z_dy, dy, z0);
        let mut blocks = edge_rows.blocks(l, walk, block_y);
        while let Some(block_x) = edge_rows.next(l, walk, &mut blocks) {
            let x = block_x * 4;
            let mut covered = 0xffff;
            if !whole {
                let [e0, e1, e2] = edge_rows.edges(l, &blocks, block_x);
                covered &= !l.mask_bits(l.lt_i(e0 | e1 | e2, l.i(0)));
            }
            if cut {
                covered &= pixels_inside(l, tile, x, y);
            }
            if covered == 0 {
                continue;
            }
            let number = (block_y.cast_unsigned() * buffers.blocks_wide() + block_x.cast_unsigned())
                as usize;
            let (mut passed, mut z) = (covered, z0);
            if uses_depth {
                let dx = centre_x + l.f((tile.x0 + x) as f32 - corner_x);
                z = l.mul_add(z_dx, dx, z_row);
                let old = l.load(&buffers.depth[number]);
                if depth_test.compare {
                    passed &= l.mask_bits(l.le(z, old));
                }
                if depth_test.update && passed != 0 {
                    l.store_where(l.mask(passed), z, &mut buffers.depth[number]);
                }
            }
            let block = Block {
                number,
                covered,
                passed,
                samples_covered: SampleMasks::default(),
                samples_passed: SampleMasks::default(),
                behind: false,
            };
            sink.block(l, buffers, block, z);
        }
    }
}

/// Bits of the 4x4 block that lie inside of a tile; the block is so far from the tile's first pixel.
#[inline(always)]
pub(super) fn pixels_inside<L: Lanes>(l: L, tile: PixelRect, x: i32, y: i32) -> u32 {
    let columns = l.lt_i(l.load_i(&LANE_X), l.i(tile.x1 - tile.x0 - x));
    let rows = l.lt_i(l.load_i(&LANE_Y), l.i(tile.y1 - tile.y0 - y));
    l.mask_bits(columns & rows)
}
