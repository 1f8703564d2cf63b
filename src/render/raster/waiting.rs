//! Batches of one draw that wait until there are enough of them for its code, which shades several at once.
//!
//! They are written in their order when they are shaded, so the picture is that of batches shaded one by one.

use super::batch::{Batch, QuadBatch};
use super::coverage::QueuedBlock;
use super::interpolate::Depth;
use super::scene::RasterDraw;
use super::shader::{Shader, write_batch};
use super::unit::RasterUnit;
use crate::shading::{CODE_BLOCKS, CodeBatch, FragmentCode};
use azulejo_math::PixelRect;
use azulejo_simd::{Backend, LANES, Lanes};

/// Batches that wait, in blocks of the code's batch.
pub(super) struct Waiting {
    pub(super) draw: u32,
    len: usize,
    held: [Held; CODE_BLOCKS],
    fragments: CodeBatch,
}

/// A batch that waits.
#[derive(Clone, Copy)]
enum Held {
    Block { block: QueuedBlock, number: u32 },
    Quads(QuadBatch),
}

impl Waiting {
    /// Room for batches of this draw.
    pub(super) fn new(draw: u32) -> Box<Self> {
        Box::new(Self {
            draw,
            len: 0,
            held: [Held::Quads(QuadBatch::default()); CODE_BLOCKS],
            fragments: CodeBatch::default(),
        })
    }

    /// Whether no other batch has room, or none of this draw.
    pub(super) const fn is_due(&self, draw: Option<u32>) -> bool {
        let goes_on = matches!(draw, Some(draw) if draw == self.draw);
        self.len > 0 && (self.len == CODE_BLOCKS || !goes_on)
    }

    /// Takes a batch with its inputs.
    #[inline(always)]
    pub(super) fn push<L: Lanes>(
        &mut self,
        shader: &Shader<L>,
        n_varyings: usize,
        batch: &Batch<'_>,
        depth: Depth<L>,
    ) {
        let covered = covered(batch);
        let inputs = (&shader.inputs, n_varyings);
        let depth = [depth.z, depth.inv_w];
        (self.fragments).put(shader.lanes, self.len, inputs, depth, covered);
        self.held[self.len] = match *batch {
            Batch::Block { block, number } => Held::Block { block, number },
            Batch::Quads(quads) => Held::Quads(*quads),
        };
        self.len += 1;
    }

    /// Shades and writes all of them.
    #[inline(always)]
    pub(super) fn shade<L: Lanes, P>(
        &mut self,
        shader: &mut Shader<L>,
        unit: &mut RasterUnit,
        (draw, code): (&RasterDraw<'_, P>, &dyn FragmentCode),
        (backend, tile): (Backend, PixelRect),
    ) {
        code.run(backend, &mut self.fragments, None);
        let l = shader.lanes;
        for (block, held) in self.held.iter().enumerate().take(self.len) {
            let output = self.fragments.output(l, block);
            let depth = l.load(&self.fragments.position[2][block]);
            let batch = match held {
                Held::Block { block, number } => Batch::Block {
                    block: *block,
                    number: *number,
                },
                Held::Quads(quads) => Batch::Quads(quads),
            };
            write_batch(shader, unit, draw, tile, &batch, (&output, depth));
        }
        self.len = 0;
        self.fragments.covered = 0;
    }
}

/// Visible pixels of a batch, a bit a lane.
fn covered(batch: &Batch<'_>) -> u32 {
    let (places, len) = batch.places();
    let quads = (0..).step_by(LANES / 4).zip(&places[..len]);
    quads.fold(0, |lanes, (first, place)| {
        lanes | u32::from(place.mask) << first
    })
}
