//! Samples of a tile before and after shading: samples that later triangles replace leave the queue, and pixels become the
//! mean of their samples.

use super::super::coverage::QueuedBlock;
use super::super::unit::RasterUnit;
use super::super::write::{pixels_of, pixels_of_mut, stored};
use super::masks::{SAMPLES, SampleMasks};
use super::write::by_channel;
use azulejo_simd::{Backend, LaneJob, Lanes, dispatch, each};

/// Drops from the queue the samples that later triangles replace. Observers of every quad need the pixels to stay.
pub(in crate::raster) fn hide_replaced(
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
            let SampleMasks(passed) = samples.masks[at];
            let owners = &samples.owner[usize::from(*block)];
            let seen = SampleMasks(each!(4, sample => {
                let owner = l.load_i(bytemuck::cast_ref(&owners[sample]));
                passed[sample] & !l.mask_bits(l.lt_i(number, owner)) as u16
            }));
            samples.masks[at] = seen;
            if !self.pixels_stay {
                *mask = seen.pixels();
            }
        }
    }
}

/// Gives each pixel of the tile's colour buffer the mean of its samples, and the depth of the first. Returns the pixels
/// whose samples differ.
pub(in crate::raster) fn resolve(backend: Backend, unit: &mut RasterUnit) -> u32 {
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
        for (block, (spread, colors)) in samples.spread.iter().zip(&samples.color).enumerate() {
            let mut left = *spread;
            while left != 0 {
                let quad = left.trailing_zeros() as usize / 4;
                left &= left - 1;
                let [a, b, c, d] = each!(4, sample => l.load(&colors[quad][sample]));
                let different = differ(l, [a, b, c, d]);
                n_different += different.count_ones();
                let mean = ((a + b) + (c + d)) * l.f(0.25);
                let resolved = l.select(by_channel(l, different), mean, a);
                let resolved = stored(l, resolved);
                for (k, plane) in buffers.color.iter_mut().enumerate() {
                    *pixels_of_mut(&mut plane[block], 4 * quad) = *pixels_of(&resolved, 4 * k);
                }
            }
        }
        n_different
    }
}

/// Pixels of a quad, a bit each, in which the colours of samples differ.
#[inline(always)]
fn differ<L: Lanes>(l: L, colors: [L::F; SAMPLES]) -> u8 {
    let [a, b, c, d] = each!(4, sample => l.to_bits(colors[sample]));
    let same = l.eq_i(((a ^ b) | (a ^ c)) | (a ^ d), l.i(0));
    let channels = !l.mask_bits(same);
    let pairs = channels | (channels >> 8);
    (pairs | (pairs >> 4)) as u8 & 0xf
}
