//! Output of shaded fragments where pixels have four samples: the colour goes to each sample that passed.
//!
//! As without samples, opaque colours replace and blended ones are laid over. Those of a program that may discard are kept
//! by sample: alpha becomes coverage, and what is kept is tested against the depth buffer at each sample.

use std::ops::{Add, Mul};

use super::super::batch::{BATCH, Batch};
use super::super::interpolate::{QUAD_LANE_X, QUAD_LANE_Y, quad_origin};
use super::super::observe::quads;
use super::super::scene::{DepthUse, FragmentMode};
use super::super::unit::RasterUnit;
use super::super::write::{KilledLate, chosen, chosen_words, pixels_of, pixels_of_mut, stored};
use super::cover::offset;
use super::masks::{SAMPLES, SampleMasks};
use azulejo_math::PixelRect;
use azulejo_simd::{Backend, LANES, LaneJob, Lanes, dispatch, each};

/// All quads of a block, as [`quads`] has them.
const EVERY_QUAD: u16 = 0x1111;

/// A batch after shading.
pub(in crate::raster) struct ShadedBatch<'a> {
    pub(in crate::raster) batch: &'a Batch<'a>,
    /// Output of the program, by lane: linear RGB, straight alpha.
    pub(in crate::raster) rgba: [[f32; LANES]; 4],
    /// Lanes that the program keeps.
    pub(in crate::raster) keep: u32,
    pub(in crate::raster) mode: FragmentMode,
    /// Depth use of the late test.
    pub(in crate::raster) depth: DepthUse,
    pub(in crate::raster) tile: PixelRect,
}

/// Writes a batch to its samples; returns what was dropped of a program that may discard. One function for all programs: it
/// is called from the code of each.
#[inline(never)]
pub(in crate::raster) fn write(
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
        let [r, g, b, alpha] = &shaded.rgba;
        let opaque = Layer {
            rgba: [r, g, b, &[1.0; LANES]],
            keep: &[0.0; LANES],
            replaces: true,
        };
        match shaded.mode {
            FragmentMode::Opaque => opaque.over(l, unit, shaded.batch),
            FragmentMode::Masked => {
                killed = test_late(l, unit, shaded);
                opaque.over(l, unit, shaded.batch);
            }
            FragmentMode::Blended => {
                let alpha = l.min(l.max(l.load(alpha), l.f(0.0)), l.f(1.0));
                if l.any(l.lt(l.f(0.0), alpha)) {
                    let [r, g, b] = each!(3, k => stored(l, l.load(&shaded.rgba[k]) * alpha));
                    let blended = Layer {
                        rgba: [&r, &g, &b, &stored(l, alpha)],
                        keep: &stored(l, l.f(1.0) - alpha),
                        replaces: false,
                    };
                    blended.over(l, unit, shaded.batch);
                }
            }
        }
        killed
    }
}

/// Premultiplied colours by lane, and how much stays of what is below.
struct Layer<'a> {
    rgba: [&'a [f32; LANES]; 4],
    keep: &'a [f32; LANES],
    /// The source replaces all of the colour under it.
    replaces: bool,
}

impl Layer<'_> {
    /// Lays it over the samples of a batch.
    #[inline(always)]
    fn over<L: Lanes>(&self, l: L, unit: &mut RasterUnit, batch: &Batch<'_>) {
        match batch {
            Batch::Block { block, number } => {
                let masks = unit.samples.masks[*number as usize - 1];
                self.over_block(l, unit, block.block.into(), masks);
            }
            Batch::Quads(batch) => {
                for (k, quad) in batch.quads.iter().enumerate().take(batch.len) {
                    let masks = unit.samples.masks[batch.numbers[k] as usize - 1];
                    self.over_quad(l, unit, quad.at, k, masks);
                }
            }
        }
    }

    /// Lays all lanes over the samples of a block.
    #[inline(always)]
    fn over_block<L: Lanes>(&self, l: L, unit: &mut RasterUnit, block: usize, masks: SampleMasks) {
        let by_pixel = self.by_pixel(masks, unit.samples.spread[block]);
        unit.samples.spread[block] &= !by_pixel;
        let pixels = masks.whole_pixels() & (by_pixel * 0xf);
        if pixels != 0 {
            let mask = l.mask(u32::from(pixels));
            let keep = l.load(self.keep);
            for (plane, source) in unit.buffers.color.iter_mut().zip(self.rgba) {
                let under = l.load(&plane[block]);
                let over = self.mix(l.load(source), keep, under);
                l.store(l.select(mask, over, under), &mut plane[block]);
            }
        }
        let mut left = quads(masks.pixels().into()) as u16 & !by_pixel;
        while left != 0 {
            let quad = left.trailing_zeros() as usize / 4;
            left &= left - 1;
            self.over_samples(l, unit, (block, quad), quad, masks);
        }
    }

    /// Lays quad number `k` of the lanes over the samples of the quad at this place of the tile.
    #[inline(always)]
    fn over_quad<L: Lanes>(
        &self,
        l: L,
        unit: &mut RasterUnit,
        at: u16,
        k: usize,
        masks: SampleMasks,
    ) {
        let (block, quad) = (usize::from(at) / BATCH, usize::from(at) % BATCH);
        let by_pixel = self.by_pixel(masks, unit.samples.spread[block]) & (1 << (4 * quad));
        if by_pixel == 0 {
            self.over_samples(l, unit, (block, quad), k, masks);
            return;
        }
        unit.samples.spread[block] &= !by_pixel;
        let mask = (masks.whole_pixels() >> (4 * quad)) as u8 & 0xf;
        let keep = pixels_of(self.keep, 4 * k);
        for (plane, source) in unit.buffers.color.iter_mut().zip(self.rgba) {
            let under = pixels_of_mut(&mut plane[block], 4 * quad);
            let source = pixels_of(source, 4 * k);
            let over = each!(4, pixel => self.mix(source[pixel], keep[pixel], under[pixel]));
            *under = chosen(mask, &over, under);
        }
    }

    /// Quads of a block, as [`quads`] has them, whose samples keep the colour of their pixel, or get it back.
    #[inline(always)]
    fn by_pixel(&self, masks: SampleMasks, spread: u16) -> u16 {
        let touched = |pixels: u16| quads(pixels.into()) as u16;
        let whole = masks.whole_pixels();
        let alike = !(touched(masks.pixels() & !whole) | spread);
        let filled = if self.replaces { !touched(!whole) } else { 0 };
        (alike | filled) & EVERY_QUAD
    }

    /// Lays quad number `k` of the lanes over each sample of a quad of a block.
    #[inline(always)]
    fn over_samples<L: Lanes>(
        &self,
        l: L,
        unit: &mut RasterUnit,
        (block, quad): (usize, usize),
        k: usize,
        SampleMasks(masks): SampleMasks,
    ) {
        let colors = (unit.samples).spread(l, &unit.buffers, block, quad);
        let source = l.quad_rows(each!(4, channel => pixels_of(self.rgba[channel], 4 * k)));
        let keep = l.quad_rows([pixels_of(self.keep, 4 * k); 4]);
        for (color, mask) in colors.iter_mut().zip(masks) {
            let under = l.load(color);
            let over = self.mix(source, keep, under);
            let mask = by_channel(l, (mask >> (4 * quad)) as u8 & 0xf);
            l.store(l.select(mask, over, under), color);
        }
    }

    /// Visible sum of a source and the colour under it.
    #[inline(always)]
    fn mix<F: Mul<Output = F> + Add<Output = F>>(&self, source: F, keep: F, under: F) -> F {
        if self.replaces {
            source
        } else {
            under * keep + source
        }
    }
}

/// Pixels of a quad, in each of the four channels.
#[inline(always)]
pub(super) fn by_channel<L: Lanes>(l: L, pixels: u8) -> L::M {
    l.mask(u32::from(pixels) * u32::from(EVERY_QUAD))
}

/// Keeps of the batch's samples those that the program, alpha to coverage and the late depth test leave; these replace
/// depths and owners.
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
        let z = l.quad_rows(each!(4, sample => pixels_of(&z[sample], 4 * k)));
        let old = l.quad_rows(each!(4, sample => pixels_of(&depths[sample], place.first)));
        let nearer = if shaded.depth.test {
            l.mask_bits(l.le(z, old))
        } else {
            u32::MAX
        };
        let passed = each!(4, sample => {
            let lanes = (kept[sample] >> (4 * k)) & (nearer >> (4 * sample));
            (masks[sample] >> place.first) as u8 & lanes as u8 & place.mask
        });
        for (mask, passed) in masks.iter_mut().zip(passed) {
            *mask &= !(u16::from(place.mask & !passed) << place.first);
            alive |= u32::from(passed) << (4 * k);
        }
        if passed == [0; SAMPLES] {
            continue;
        }
        let z = stored(l, z);
        for sample in 0..SAMPLES {
            if shaded.depth.write {
                let depth = pixels_of_mut(&mut depths[sample], place.first);
                *depth = chosen(passed[sample], pixels_of(&z, 4 * sample), depth);
            }
            let owners = &mut samples.owner[place.block][sample];
            let owners: &mut [[u32; 4]; LANES / 4] = bytemuck::cast_mut(owners);
            let owner = &mut owners[place.first / 4];
            *owner = chosen_words(passed[sample], [place.number; 4], *owner);
        }
    }
    KilledLate {
        quads: quads(tested).count_ones() - quads(alive).count_ones(),
        fragments: (tested & !alive).count_ones(),
        survivors: alive,
    }
}

/// Lanes whose fragment each sample keeps: alpha above 0, 1/4, 1/2 and 3/4 for the first, second, third and fourth sample.
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
