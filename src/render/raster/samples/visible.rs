//! Samples of a tile before and after shading: what later triangles replace leaves the queue, and pixels become the mean of their samples.

use super::super::coverage::QueuedBlock;
use super::super::unit::RasterUnit;
use crate::simd::{Backend, LaneJob, Lanes, dispatch, each};

/// Drops from the queue what later triangles replace, sample by sample. Observers of every quad want the pixels to stay.
pub(in crate::render::raster) fn hide_replaced(
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
pub(in crate::render::raster) fn resolve(backend: Backend, unit: &mut RasterUnit) -> u32 {
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
