//! What becomes of shaded fragments where pixels have four samples: the colour goes to each sample that passed.
//!
//! As without samples, opaque colours replace and blended ones are laid over. Those of a program that may discard are kept by sample: alpha
//! becomes coverage, and what is kept is tested against the depth buffer at each sample.

use std::ops::{Add, Mul};

use super::super::batch::{BATCH, Batch, Quad};
use super::super::interpolate::{QUAD_LANE_X, QUAD_LANE_Y, quad_origin};
use super::super::observe::quads;
use super::super::scene::{DepthUse, FragmentMode};
use super::super::unit::RasterUnit;
use super::super::write::{KilledLate, chosen, chosen_words, pixels_of, pixels_of_mut};
use super::buffers::{SAMPLES, SampleMasks};
use super::cover::offset;
use crate::math::PixelRect;
use crate::simd::{Backend, LANES, LaneJob, Lanes, dispatch, each};

/// A batch after shading.
pub(in crate::render::raster) struct ShadedBatch<'a> {
    pub(in crate::render::raster) batch: &'a Batch<'a>,
    /// What the program says, by lane: linear RGB, straight alpha.
    pub(in crate::render::raster) rgba: [[f32; LANES]; 4],
    /// Lanes that the program keeps.
    pub(in crate::render::raster) keep: u32,
    pub(in crate::render::raster) mode: FragmentMode,
    /// Of the late test.
    pub(in crate::render::raster) depth: DepthUse,
    pub(in crate::render::raster) tile: PixelRect,
}

/// Writes a batch to its samples; returns what was dropped of a program that may discard. One function for all programs: it is called from
/// the code of each.
#[inline(never)]
pub(in crate::render::raster) fn write(
    backend: Backend,
    unit: &mut RasterUnit,
    shaded: &ShadedBatch<'_>,
) -> KilledLate {
    dispatch(backend, WriteSamples { unit, shaded })
}

struct WriteSamples<'a> {
    unit: &'a mut RasterUnit,
    shaded: &'a ShadedBatch<'a>,
}

impl LaneJob for WriteSamples<'_> {
    type Output = KilledLate;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> KilledLate {
        let Self { unit, shaded } = self;
        let mut killed = KilledLate::default();
        let [r, g, b, alpha] = each!(4, k => l.load(&shaded.rgba[k]));
        let layer = match shaded.mode {
            FragmentMode::Opaque => Layer::replacing(l, [r, g, b]),
            FragmentMode::Masked => {
                killed = test_late(l, unit, shaded);
                Layer::replacing(l, [r, g, b])
            }
            FragmentMode::Blended => {
                let alpha = l.min(l.max(alpha, l.f(0.0)), l.f(1.0));
                if !l.any(l.lt(l.f(0.0), alpha)) {
                    return killed;
                }
                Layer {
                    rgba: [r * alpha, g * alpha, b * alpha, alpha],
                    keep: l.f(1.0) - alpha,
                    replaces: false,
                }
            }
        };
        match shaded.batch {
            Batch::Block { block, number } => {
                let masks = unit.samples.masks[*number as usize - 1];
                layer.over_block(l, unit, block.block.into(), masks);
            }
            Batch::Quads(batch) => {
                let layer = layer.stored(l);
                for k in 0..batch.len {
                    let masks = quad_masks(unit, &batch.quads[k], batch.numbers[k]);
                    layer.over_quad(unit, &batch.quads[k], k, masks);
                }
            }
        }
        killed
    }
}

/// Samples of a quad, a bit a pixel of it, whose block has this number in the queue.
#[inline(always)]
fn quad_masks(unit: &RasterUnit, quad: &Quad, number: u32) -> [u8; SAMPLES] {
    let SampleMasks(masks) = unit.samples.masks[number as usize - 1];
    let first = quad.at % 4 * 4;
    each!(4, sample => (masks[sample] >> first) as u8 & 0xf)
}

/// Premultiplied colours, and how much stays of what is below.
struct Layer<F> {
    rgba: [F; 4],
    keep: F,
    /// Nothing stays.
    replaces: bool,
}

impl<F: Copy + Mul<Output = F> + Add<Output = F>> Layer<F> {
    #[inline(always)]
    fn replacing<L: Lanes<F = F>>(l: L, [r, g, b]: [F; 3]) -> Self {
        Self {
            rgba: [r, g, b, l.f(1.0)],
            keep: l.f(0.0),
            replaces: true,
        }
    }

    #[inline(always)]
    fn stored<L: Lanes<F = F>>(&self, l: L) -> Layer<[f32; LANES]> {
        let lanes = |value: F| {
            let mut lanes = [0.0; LANES];
            l.store(value, &mut lanes);
            lanes
        };
        Layer {
            rgba: each!(4, k => lanes(self.rgba[k])),
            keep: lanes(self.keep),
            replaces: self.replaces,
        }
    }

    /// Lays it over the samples of a block.
    #[inline(always)]
    fn over_block<L: Lanes<F = F>>(
        &self,
        l: L,
        unit: &mut RasterUnit,
        block: usize,
        masks: SampleMasks,
    ) {
        let RasterUnit {
            buffers, samples, ..
        } = unit;
        let SampleMasks(by_sample) = masks;
        let fills = self.replaces && masks.is_by_pixel() && by_sample[0] == u16::MAX;
        if fills || (masks.is_by_pixel() && !samples.is_spread[block]) {
            samples.is_spread[block] = false;
            for k in 0..4 {
                self.over(l, &mut buffers.color[k][block], by_sample[0], k);
            }
            return;
        }
        samples.spread(buffers, block);
        for (colors, mask) in samples.color[block].iter_mut().zip(by_sample) {
            if mask != 0 {
                for (k, plane) in colors.iter_mut().enumerate() {
                    self.over(l, plane, mask, k);
                }
            }
        }
    }

    /// Lays channel `k` over the pixels in the mask.
    #[inline(always)]
    fn over<L: Lanes<F = F>>(&self, l: L, plane: &mut [f32; LANES], mask: u16, k: usize) {
        let under = l.load(plane);
        let mixed = if self.replaces {
            self.rgba[k]
        } else {
            under * self.keep + self.rgba[k]
        };
        l.store(l.select(l.mask(u32::from(mask)), mixed, under), plane);
    }
}

impl Layer<[f32; LANES]> {
    /// Lays quad number `k` of the lanes over the samples of a quad.
    #[inline(always)]
    fn over_quad(&self, unit: &mut RasterUnit, quad: &Quad, k: usize, masks: [u8; SAMPLES]) {
        let RasterUnit {
            buffers, samples, ..
        } = unit;
        let (block, first) = (usize::from(quad.at / 4), usize::from(quad.at % 4) * 4);
        let [a, b, c, d] = masks;
        if a == b && a == c && a == d && !samples.is_spread[block] {
            for channel in 0..4 {
                let plane = &mut buffers.color[channel][block];
                self.over_pixels(pixels_of_mut(plane, first), a, k, channel);
            }
            return;
        }
        samples.spread(buffers, block);
        for (colors, mask) in samples.color[block].iter_mut().zip(masks) {
            if mask != 0 {
                for (channel, plane) in colors.iter_mut().enumerate() {
                    self.over_pixels(pixels_of_mut(plane, first), mask, k, channel);
                }
            }
        }
    }

    #[inline(always)]
    fn over_pixels(&self, under: &mut [f32; 4], mask: u8, k: usize, channel: usize) {
        let source = pixels_of(&self.rgba[channel], 4 * k);
        let mixed = if self.replaces {
            *source
        } else {
            let keep = pixels_of(&self.keep, 4 * k);
            each!(4, pixel => under[pixel] * keep[pixel] + source[pixel])
        };
        *under = chosen(mask, &mixed, under);
    }
}

/// Keeps of the batch's samples those that the program, alpha to coverage and the late depth test leave; these replace depths and owners.
#[inline(always)]
fn test_late<L: Lanes>(l: L, unit: &mut RasterUnit, shaded: &ShadedBatch<'_>) -> KilledLate {
    let (places, len) = shaded.batch.places();
    let z = late_depths(l, unit, shaded);
    let kept = alpha_to_coverage(l, shaded);
    let (mut alive, mut tested) = (0_u32, 0_u32);
    let RasterUnit { samples, .. } = unit;
    for (k, place) in places.iter().enumerate().take(len) {
        tested |= u32::from(place.mask) << (4 * k);
        let SampleMasks(masks) = &mut samples.masks[place.number as usize - 1];
        let depths = &mut samples.depth[place.block];
        let owners = &mut samples.owner[place.block];
        for sample in 0..SAMPLES {
            let depth = pixels_of_mut(&mut depths[sample], place.first);
            let z = pixels_of(&z[sample], 4 * k);
            let nearer = (0..4).fold(0, |bits, at| bits | (u8::from(z[at] <= depth[at]) << at));
            let compared = if shaded.depth.test { nearer } else { 0xf };
            let lanes = (kept[sample] >> (4 * k)) as u8;
            let passed = (masks[sample] >> place.first) as u8 & lanes & compared & place.mask;
            alive |= u32::from(passed) << (4 * k);
            masks[sample] &= !(u16::from(place.mask & !passed) << place.first);
            if shaded.depth.write {
                *depth = chosen(passed, z, depth);
            }
            let owners: &mut [[u32; 4]; LANES / 4] = bytemuck::cast_mut(&mut owners[sample]);
            let owner = &mut owners[place.first / 4];
            *owner = chosen_words(passed, [place.number; 4], *owner);
        }
    }
    KilledLate {
        quads: quads(tested).count_ones() - quads(alive).count_ones(),
        fragments: (tested & !alive).count_ones(),
        survivors: alive,
    }
}

/// Lanes whose fragment each sample keeps: of an alpha above 0, 1/4, 1/2 and 3/4 the first, second, third and fourth.
#[inline(always)]
fn alpha_to_coverage<L: Lanes>(l: L, shaded: &ShadedBatch<'_>) -> [u32; SAMPLES] {
    let alpha = l.load(&shaded.rgba[3]);
    each!(4, sample => l.mask_bits(l.lt(l.f(sample as f32 / SAMPLES as f32), alpha)) & shaded.keep)
}

/// The depth of each lane's triangle at its pixel's samples.
#[inline(always)]
fn late_depths<L: Lanes>(
    l: L,
    unit: &RasterUnit,
    shaded: &ShadedBatch<'_>,
) -> [[f32; LANES]; SAMPLES] {
    let (places, len) = shaded.batch.places();
    let setup = |k: usize| match shaded.batch {
        Batch::Block { block, .. } => block.setup,
        Batch::Quads(batch) => batch.quads[if k < len { k } else { 0 }].setup,
    };
    let planes = [0, 1, 2, 3].map(|k| &unit.setups[setup(k) as usize].planes);
    let centre = |k: usize| {
        let place = places[if k < len { k } else { 0 }];
        let at = (place.block * BATCH + place.first / 4) as u16;
        let (x, y) = quad_origin(at, unit.buffers.blocks_wide());
        let [x, y] = [shaded.tile.x0 + x, shaded.tile.y0 + y];
        [x as f32 + 0.5, y as f32 + 0.5, 0.0, 0.0]
    };
    let [x, y, ..] = l.quad_columns([&centre(0), &centre(1), &centre(2), &centre(3)]);
    let [p0, p1, p2, p3] = planes;
    let corners = [&p0.corner_b1, &p1.corner_b1, &p2.corner_b1, &p3.corner_b1];
    let [corner_x, corner_y, ..] = l.quad_columns(corners);
    let depths = [&p0.w2_depth, &p1.w2_depth, &p2.w2_depth, &p3.w2_depth];
    let [_, z0, z_dx, z_dy] = l.quad_columns(depths);
    let dx = x + l.load(&QUAD_LANE_X) - corner_x;
    let dy = y + l.load(&QUAD_LANE_Y) - corner_y;
    each!(4, sample => {
        let [ox, oy] = offset(sample);
        let row = l.mul_add(z_dy, dy + l.f(oy), z0);
        let mut depths = [0.0; LANES];
        l.store(l.mul_add(z_dx, dx + l.f(ox), row), &mut depths);
        depths
    })
}
