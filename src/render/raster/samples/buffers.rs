//! Sample buffers of a Raster Unit: depth, owner and colour of each.

use super::super::batch::BATCH;
use super::super::buffers::TileBuffers;
use super::super::write::pixels_of;
use super::masks::{SAMPLES, SampleMasks};
use azulejo_simd::{Backend, LANES, Lanes, each};

/// A number for each pixel of a block, by sample.
pub(super) type BlockSamples<T> = [[T; LANES]; SAMPLES];

/// A colour for each pixel of a quad: four reds, then greens, blues and alphas.
pub(super) type QuadColors = [f32; LANES];

/// Samples of a tile, by block.
#[derive(Debug, Default)]
pub(in crate::raster) struct SampleBuffers {
    /// Runs what the fragment program does not depend on; none where pixels have one sample.
    pub(in crate::raster) backend: Option<Backend>,
    pub(super) depth: Vec<BlockSamples<f32>>,
    /// Owners as in [`TileBuffers::owner`], which is 0 everywhere here.
    pub(super) owner: Vec<BlockSamples<u32>>,
    /// Quads of each block whose samples have colours of their own, as [`super::super::observe::quads`] has them.
    pub(super) spread: Vec<u16>,
    /// Colours by block, quad and sample; undefined for quads that are not spread.
    pub(super) color: Vec<[[QuadColors; SAMPLES]; BATCH]>,
    /// Masks by place in the queue: the samples that passed the depth test, and once they are to be shaded those of them
    /// that can be seen.
    pub(super) masks: Vec<SampleMasks>,
}

impl SampleBuffers {
    /// Forgets the last tile; the next one has `n_blocks` blocks.
    pub(in crate::raster) fn clear(&mut self, backend: Backend, n_blocks: usize) {
        self.backend = Some(backend);
        self.depth.clear();
        self.depth.resize(n_blocks, [[1.0; LANES]; SAMPLES]);
        self.owner.clear();
        self.owner.resize(n_blocks, [[0; LANES]; SAMPLES]);
        self.spread.clear();
        self.spread.resize(n_blocks, 0);
        self.color
            .resize(n_blocks, [[[0.0; LANES]; SAMPLES]; BATCH]);
        self.masks.clear();
    }

    /// The colours of a quad's samples, which become those of their pixels if they had none of their own.
    #[inline(always)]
    pub(super) fn spread<L: Lanes>(
        &mut self,
        l: L,
        buffers: &TileBuffers,
        block: usize,
        quad: usize,
    ) -> &mut [QuadColors; SAMPLES] {
        let colors = &mut self.color[block][quad];
        if self.spread[block] >> (4 * quad) & 1 == 0 {
            self.spread[block] |= 1 << (4 * quad);
            let planes = &buffers.color;
            let pixels = l.quad_rows(each!(4, k => pixels_of(&planes[k][block], 4 * quad)));
            for color in colors.iter_mut() {
                l.store(pixels, color);
            }
        }
        colors
    }
}
