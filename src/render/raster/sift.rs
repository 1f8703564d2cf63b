//! Blocks of triangles with perspective that need not be shaded: where a texture is transparent all over, nothing of them
//! can be seen.

use super::observe::{TileObserver, quads};
use super::setup::TriangleSetup;
use super::unit::RasterUnit;
use crate::geometry::{Chunk, ShadedVertices};
use crate::shading::{FlatSurface, SlantedAlphas, SlantedTriangle};
use azulejo_math::PixelRect;
use azulejo_simd::{LANES, LaneJob, Lanes, each};

/// Blocks of a triangle that are shaded sooner than it takes to find out which of them need be.
const FEWEST_BLOCKS: usize = 6;

/// Takes those blocks of the last triangle out of the queue in which nothing of it can be seen; those that are opaque all
/// over hide what was drawn before. A triangle without perspective was asked while it was rasterised.
pub(super) struct SiftBlocks<'a, O> {
    pub(super) unit: &'a mut RasterUnit,
    pub(super) chunks: &'a [Chunk],
    pub(super) vertices: &'a ShadedVertices,
    /// Varyings of each vertex, in floats.
    pub(super) n_varyings: usize,
    pub(super) surface: &'a FlatSurface<'a>,
    pub(super) tile: PixelRect,
    pub(super) observer: &'a mut O,
}

/// Whether it pays to sift the last triangle, whose blocks are in the queue from `first` on.
#[inline(always)]
pub(super) fn pays(unit: &RasterUnit, first: usize) -> bool {
    let has_perspective = |setup: &TriangleSetup| setup.flat.is_none();
    unit.queue.len() - first >= FEWEST_BLOCKS && unit.setups.last().is_some_and(has_perspective)
}

impl<'a, O> SiftBlocks<'a, O> {
    /// Bounds of the last triangle's alphas, if it has any.
    #[inline(always)]
    fn alphas(&self) -> Option<SlantedAlphas<'a>> {
        let TriangleSetup {
            chunk,
            triangle,
            planes,
            ..
        } = self.unit.setups.last()?;
        let chunk = &self.chunks[*chunk as usize];
        let [x0, y0, b1_dx, b1_dy] = planes.corner_b1;
        let [b2_dx, b2_dy, w0, w1] = planes.b2_w01;
        self.surface.slanted(&SlantedTriangle {
            gradients: [[b1_dx, b1_dy], [b2_dx, b2_dy]],
            inv_w: [w0, w1, planes.w2_depth[0]],
            tile_px: [
                self.tile.x0 as f32 + 0.5 - x0,
                self.tile.y0 as f32 + 0.5 - y0,
            ],
            blocks_wide: self.unit.buffers.blocks_wide(),
            varyings: each!(3, k => {
                chunk.varyings(self.vertices, self.n_varyings, triangle.vertices[k])
            }),
        })
    }
}

impl<O: TileObserver> LaneJob for SiftBlocks<'_, O> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Some(alphas) = self.alphas() else {
            return;
        };
        let Self {
            unit,
            surface,
            observer,
            ..
        } = self;
        let RasterUnit {
            buffers,
            queue,
            setups,
            ..
        } = unit;
        let last = setups.len() as u32 - 1;
        let first = (queue.iter().rposition(|block| block.setup != last)).map_or(0, |at| at + 1);
        let mut end = first;
        for from in (first..queue.len()).step_by(LANES) {
            let n = LANES.min(queue.len() - from);
            let mut numbers = [0; LANES];
            for (number, block) in numbers.iter_mut().zip(&queue[from..]) {
                *number = block.block.into();
            }
            let alphas = alphas.of_blocks(l, &numbers, n);
            for (at, alphas) in (from..).zip(alphas).take(n) {
                let block = queue[at];
                if alphas.all_zero() {
                    if O::RECORDS && surface.is_masked() {
                        let mask = block.mask.into();
                        observer.killed_late(quads(mask).count_ones(), mask.count_ones());
                    }
                    continue;
                }
                queue[end] = block;
                end += 1;
                if alphas.all_one() && !surface.is_masked() {
                    buffers.own(l, block.block.into(), l.mask(block.mask.into()), end as u32);
                }
            }
        }
        queue.truncate(end);
    }
}
