//! Four samples a pixel (MSAA): coverage, depth and colour by sample, shading by pixel.
//!
//! A triangle is tested at each sample as it is at pixel centres otherwise ([`mod@cover`]). A pixel of which any sample passed is shaded once, at
//! its centre, by the code that shades every pixel; attributes are extrapolated where the centre lies outside the triangle, as in Vulkan
//! without `centroid`. What comes out is written to the samples that passed ([`mod@write`]). When the tile is done each pixel becomes the mean
//! of its samples in linear light, before tone mapping, as render targets of GPUs are resolved. All of it stays in the tile buffers: no
//! sample ever leaves them.
//!
//! Most blocks of 4x4 pixels lie within triangles, and their pixels have one colour each. Samples have colours of their own only in blocks
//! where a triangle covered a part of a pixel, from then on; before, the tile's colour buffer holds the colour of all four.

mod cover;
mod write;

pub(super) use cover::RasteriseSamples;
pub(super) use write::{ShadedBatch, write};

use super::buffers::TileBuffers;
use super::coverage::QueuedBlock;
use super::unit::RasterUnit;
use crate::simd::{Backend, LANES, LaneJob, Lanes, dispatch, each};

/// Samples a pixel.
const SAMPLES: usize = 4;

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
    const fn is_by_pixel(self) -> bool {
        let [a, b, c, d] = self.0;
        a == b && a == c && a == d
    }
}

/// A number for each pixel of a block, by sample.
type BlockSamples<T> = [[T; LANES]; SAMPLES];

/// What a tile's samples hold, by block.
#[derive(Debug, Default)]
pub(super) struct SampleBuffers {
    /// Runs what the fragment program does not depend on; none where pixels have one sample.
    pub(super) backend: Option<Backend>,
    depth: Vec<BlockSamples<f32>>,
    /// As [`TileBuffers::owner`], which is 0 everywhere here.
    owner: Vec<BlockSamples<u32>>,
    /// Samples of the block have colours of their own.
    is_spread: Vec<bool>,
    /// Red, green, blue and alpha by sample, in blocks that are spread; others hold anything.
    color: Vec<[[[f32; LANES]; 4]; SAMPLES]>,
    /// By place in the queue: the samples that passed the depth test, and once they are to be shaded those of them that can be seen.
    masks: Vec<SampleMasks>,
}

impl SampleBuffers {
    /// Forgets the last tile; the next one has `n_blocks` blocks.
    pub(super) fn clear(&mut self, backend: Backend, n_blocks: usize) {
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
    fn spread(&mut self, buffers: &TileBuffers, block: usize) {
        if !std::mem::replace(&mut self.is_spread[block], true) {
            let pixels = each!(4, k => buffers.color[k][block]);
            self.color[block] = [pixels; SAMPLES];
        }
    }
}

/// Drops from the queue what later triangles replace, sample by sample. Observers of every quad want the pixels to stay.
pub(super) fn hide_replaced(
    backend: Backend,
    unit: &mut RasterUnit,
    blocks: std::ops::Range<usize>,
    pixels_stay: bool,
) {
    dispatch(
        backend,
        HideReplaced {
            unit,
            blocks,
            pixels_stay,
        },
    );
}

struct HideReplaced<'a> {
    unit: &'a mut RasterUnit,
    blocks: std::ops::Range<usize>,
    pixels_stay: bool,
}

impl LaneJob for HideReplaced<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let samples = &mut self.unit.samples;
        for at in self.blocks {
            let QueuedBlock { block, mask, .. } = &mut self.unit.queue[at];
            if *mask == 0 {
                continue;
            }
            let number = l.i((at as u32 + 1).cast_signed());
            let masks = &mut samples.masks[at].0;
            for (mask, owner) in masks.iter_mut().zip(&samples.owner[usize::from(*block)]) {
                let owner = l.load_i(bytemuck::cast_ref(owner));
                *mask &= !l.mask_bits(l.lt_i(number, owner)) as u16;
            }
            if !self.pixels_stay {
                *mask = samples.masks[at].pixels();
            }
        }
    }
}

/// Gives each pixel of the tile's colour buffer the mean of its samples, and the depth of the first. Returns the pixels whose samples differ.
pub(super) fn resolve(backend: Backend, unit: &mut RasterUnit) -> u32 {
    for (depth, samples) in unit.buffers.depth.iter_mut().zip(&unit.samples.depth) {
        *depth = samples[0];
    }
    dispatch(backend, Resolve { unit })
}

struct Resolve<'a> {
    unit: &'a mut RasterUnit,
}

impl LaneJob for Resolve<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> u32 {
        let RasterUnit {
            buffers, samples, ..
        } = self.unit;
        let mut n_different = 0;
        let spread = samples.is_spread.iter().zip(&samples.color);
        for (block, (_, colors)) in spread.enumerate().filter(|(_, (is_spread, _))| **is_spread) {
            let [a, b, c, d] = each!(4, sample => each!(4, k => l.load(&colors[sample][k])));
            let different = differ(l, &a, &b) | differ(l, &a, &c) | differ(l, &a, &d);
            n_different += l.mask_bits(different).count_ones();
            for k in 0..4 {
                let mean = ((a[k] + b[k]) + (c[k] + d[k])) * l.f(0.25);
                let first = l.load(&colors[0][k]);
                let plane = &mut buffers.color[k][block];
                l.store(l.select(different, mean, first), plane);
            }
        }
        n_different
    }
}

/// Lanes in which two colours differ.
#[inline(always)]
fn differ<L: Lanes>(l: L, a: &[L::F; 4], b: &[L::F; 4]) -> L::M {
    let [r, g, b, a] = each!(4, k => l.to_bits(a[k]) ^ l.to_bits(b[k]));
    l.not(l.eq_i((r | g) | (b | a), l.i(0)))
}

#[cfg(test)]
mod tests;
