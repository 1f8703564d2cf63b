//! What a Raster Unit keeps of samples: which of a block are set, and depth, owner and colour of each.

use super::super::buffers::TileBuffers;
use crate::simd::{Backend, LANES, each};

/// Samples a pixel.
pub(super) const SAMPLES: usize = 4;

/// A bit a pixel of a block, by sample.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SampleMasks(pub [u16; SAMPLES]);

impl SampleMasks {
    /// Pixels of which any sample is set.
    #[must_use]
    pub const fn pixels(self) -> u16 {
        let [a, b, c, d] = self.0;
        a | b | c | d
    }

    /// Samples that are set.
    #[must_use]
    pub fn count(self) -> u32 {
        self.0.iter().map(|mask| mask.count_ones()).sum()
    }

    /// Whether all samples of a pixel are alike, in every pixel.
    pub(super) const fn is_by_pixel(self) -> bool {
        let [a, b, c, d] = self.0;
        a == b && a == c && a == d
    }
}

/// A number for each pixel of a block, by sample.
pub(super) type BlockSamples<T> = [[T; LANES]; SAMPLES];

/// What a tile's samples hold, by block.
#[derive(Debug, Default)]
pub(in crate::render::raster) struct SampleBuffers {
    /// Runs what the fragment program does not depend on; none where pixels have one sample.
    pub(in crate::render::raster) backend: Option<Backend>,
    pub(super) depth: Vec<BlockSamples<f32>>,
    /// As [`TileBuffers::owner`], which is 0 everywhere here.
    pub(super) owner: Vec<BlockSamples<u32>>,
    /// Samples of the block have colours of their own.
    pub(super) is_spread: Vec<bool>,
    /// Red, green, blue and alpha by sample, in blocks that are spread; others hold anything.
    pub(super) color: Vec<[[[f32; LANES]; 4]; SAMPLES]>,
    /// By place in the queue: the samples that passed the depth test, and once they are to be shaded those of them that can be seen.
    pub(super) masks: Vec<SampleMasks>,
}

impl SampleBuffers {
    /// Forgets the last tile; the next one has `n_blocks` blocks.
    pub(in crate::render::raster) fn clear(&mut self, backend: Backend, n_blocks: usize) {
        self.backend = Some(backend);
        self.depth.clear();
        self.depth.resize(n_blocks, [[1.0; LANES]; SAMPLES]);
        self.owner.clear();
        self.owner.resize(n_blocks, [[0; LANES]; SAMPLES]);
        self.is_spread.clear();
        self.is_spread.resize(n_blocks, false);
        self.color.resize(n_blocks, [[[0.0; LANES]; 4]; SAMPLES]);
        self.masks.clear();
    }

    /// Gives every sample of the block the colour of its pixel.
    #[inline(always)]
    pub(super) fn spread(&mut self, buffers: &TileBuffers, block: usize) {
        if !std::mem::replace(&mut self.is_spread[block], true) {
            let pixels = each!(4, k => buffers.color[k][block]);
            self.color[block] = [pixels; SAMPLES];
        }
    }
}
