//! Lanes of one call of a fragment program: a block of one triangle, or quads from here and there.

use super::coverage::QueuedBlock;
use azulejo_simd::LANES;

/// Quads that run together.
pub(super) const BATCH: usize = LANES / 4;

/// Four pixels of one triangle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Quad {
    /// Position of the triangle in the tile's setups.
    pub(super) setup: u32,
    /// Four times the block's number plus the quad's number in the block.
    pub(super) at: u16,
    /// Visible pixels, bit `2 y + x`.
    pub(super) mask: u8,
}

/// Up to four quads of one draw with visible pixels, with the numbers of their blocks in the queue (from 1).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct QuadBatch {
    pub(super) draw: u32,
    pub(super) len: usize,
    pub(super) quads: [Quad; BATCH],
    pub(super) numbers: [u32; BATCH],
}

/// Contents of the lanes.
#[derive(Debug)]
pub(super) enum Batch<'a> {
    /// Visible pixels in all quads of a block of one triangle.
    Block {
        /// Block with its visible pixels.
        block: QueuedBlock,
        /// Position in the queue, from 1.
        number: u32,
    },
    /// Quads from here and there.
    Quads(&'a QuadBatch),
}

/// Position of a quad of a batch in the tile.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct QuadPlace {
    /// Block of the quad, by number in the tile.
    pub(super) block: usize,
    /// First lane of the quad in that block.
    pub(super) first: usize,
    /// Visible pixels, one bit each.
    pub(super) mask: u8,
    /// Number of its block in the queue, from 1.
    pub(super) number: u32,
}

impl Batch<'_> {
    /// Places of its quads, with the number of those in use.
    #[inline(always)]
    pub(super) fn places(&self) -> ([QuadPlace; BATCH], usize) {
        let mut places = [QuadPlace::default(); BATCH];
        match *self {
            Self::Block { block, number } => {
                for (k, place) in places.iter_mut().enumerate() {
                    *place = QuadPlace {
                        block: usize::from(block.block),
                        first: 4 * k,
                        mask: (block.mask >> (4 * k)) as u8 & 0xf,
                        number,
                    };
                }
                (places, BATCH)
            }
            Self::Quads(batch) => {
                for (k, place) in places.iter_mut().enumerate().take(batch.len) {
                    let quad = batch.quads[k];
                    *place = QuadPlace {
                        block: usize::from(quad.at / 4),
                        first: usize::from(quad.at % 4) * 4,
                        mask: quad.mask,
                        number: batch.numbers[k],
                    };
                }
                (places, batch.len)
            }
        }
    }
}

impl QuadBatch {
    #[inline(always)]
    pub(super) fn push(&mut self, quad: Quad, number: u32) {
        self.quads[self.len] = quad;
        self.numbers[self.len] = number;
        self.len += 1;
    }

    /// Whether one of the quads lies in the block.
    #[inline(always)]
    pub(super) fn touches(&self, block: u16) -> bool {
        self.quads[..self.len]
            .iter()
            .any(|quad| quad.at / 4 == block)
    }
}
