//! What becomes of shaded fragments: opaque colours replace, masked ones after the late depth test, blended ones are laid over.
//!
//! A whole block is written sixteen lanes at a time, other quads four at a time.

use super::batch::{Batch, QuadBatch};
use super::buffers::TileBuffers;
use super::observe::quads;
use super::scene::{DepthUse, RasterDraw};
use crate::render::shading::FragmentOutput;
use crate::simd::{LANES, Lanes, each};

/// A number for each pixel of a quad.
pub(super) type QuadPixels = [f32; 4];

/// What discard and the late depth test dropped.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct KilledLate {
    /// Quads without survivors.
    pub(super) quads: u32,
    /// Fragments that discard or depth dropped.
    pub(super) fragments: u32,
    /// Lanes of the last batch that survived.
    pub(super) survivors: u32,
}

impl KilledLate {
    /// Of one batch more.
    pub(super) fn add(&mut self, batch: Self) {
        self.quads += batch.quads;
        self.fragments += batch.fragments;
        self.survivors = batch.survivors;
    }
}

/// Opaque pixels take the fragment's colour.
#[inline(always)]
pub(super) fn replace<L: Lanes>(
    l: L,
    buffers: &mut TileBuffers,
    batch: &Batch<'_>,
    output: &FragmentOutput<L>,
) {
    let [r, g, b, _] = output.rgba;
    let sources = [r, g, b, l.f(1.0)];
    match batch {
        Batch::Block { block, .. } => {
            let at = usize::from(block.block);
            let mask = l.mask(u32::from(block.mask));
            for (plane, value) in buffers.color.iter_mut().zip(sources) {
                let under = l.load(&plane[at]);
                l.store(l.select(mask, value, under), &mut plane[at]);
            }
        }
        Batch::Quads(batch) => {
            let sources = each!(4, k => stored(l, sources[k]));
            for_each_quad(
                batch,
                #[inline(always)]
                |block, first, k, mask| {
                    for (plane, source) in buffers.color.iter_mut().zip(&sources) {
                        let under = pixels_of(&plane[block], first);
                        *pixels_of_mut(&mut plane[block], first) =
                            chosen(mask, pixels_of(source, 4 * k), under);
                    }
                },
            );
        }
    }
}

/// Source-over in linear light on premultiplied colours (Porter and Duff, 1984), in program order.
#[inline(always)]
pub(super) fn blend<L: Lanes>(
    l: L,
    buffers: &mut TileBuffers,
    batch: &Batch<'_>,
    output: &FragmentOutput<L>,
) {
    let alpha = l.min(l.max(output.rgba[3], l.f(0.0)), l.f(1.0));
    if !l.any(l.lt(l.f(0.0), alpha)) {
        return;
    }
    let [r, g, b, _] = output.rgba;
    let keep = l.f(1.0) - alpha;
    let sources = [r * alpha, g * alpha, b * alpha, alpha];
    match batch {
        Batch::Block { block, .. } => {
            let at = usize::from(block.block);
            let mask = l.mask(u32::from(block.mask));
            for (plane, source) in buffers.color.iter_mut().zip(sources) {
                let under = l.load(&plane[at]);
                let mixed = under * keep + source;
                l.store(l.select(mask, mixed, under), &mut plane[at]);
            }
        }
        Batch::Quads(batch) => {
            let keep = stored(l, keep);
            let sources = each!(4, k => stored(l, sources[k]));
            for_each_quad(
                batch,
                #[inline(always)]
                |block, first, k, mask| {
                    let keep = pixels_of(&keep, 4 * k);
                    for (plane, source) in buffers.color.iter_mut().zip(&sources) {
                        let under = pixels_of(&plane[block], first);
                        let source = pixels_of(source, 4 * k);
                        let mixed = each!(4, pixel => under[pixel] * keep[pixel] + source[pixel]);
                        *pixels_of_mut(&mut plane[block], first) = chosen(mask, &mixed, under);
                    }
                },
            );
        }
    }
}

/// The depth test after the fragment program.
pub(super) struct LateDepth {
    /// By lane.
    depth: [f32; LANES],
    compare: bool,
    write: bool,
}

impl LateDepth {
    #[inline(always)]
    pub(super) fn new<L: Lanes, P>(l: L, depth: L::F, draw: &RasterDraw<'_, P>) -> Self {
        let DepthUse { test, write } = draw.mode.depth(draw.depth);
        Self {
            depth: stored(l, depth),
            compare: test,
            write,
        }
    }
}

/// Fragments that the program keeps are tested against the depth buffer now, one after the other, and update it.
#[inline(always)]
pub(super) fn replace_late<L: Lanes>(
    l: L,
    buffers: &mut TileBuffers,
    batch: &Batch<'_>,
    output: &FragmentOutput<L>,
    late: &LateDepth,
    killed: &mut KilledLate,
) {
    let [r, g, b, _] = output.rgba;
    let (r, g, b) = (stored(l, r), stored(l, g), stored(l, b));
    let z = &late.depth;
    let keep = l.mask_bits(output.keep);
    let (mut alive, mut shaded) = (0_u32, 0_u32);
    let mut test = |block: usize, pixel: usize, lane: usize, number: u32| {
        shaded |= 1 << lane;
        let passes = !late.compare || z[lane] <= buffers.depth[block][pixel];
        if keep & (1 << lane) != 0 && passes {
            alive |= 1 << lane;
            if late.write {
                buffers.depth[block][pixel] = z[lane];
            }
            buffers.owner[block][pixel] = number;
            let color = [r[lane], g[lane], b[lane], 1.0];
            for (plane, value) in buffers.color.iter_mut().zip(color) {
                plane[block][pixel] = value;
            }
        }
    };
    let (places, len) = batch.places();
    for (k, place) in places.iter().enumerate().take(len) {
        for pixel in (0..4).filter(|pixel| place.mask >> pixel & 1 == 1) {
            test(
                place.block,
                place.first + pixel,
                4 * k + pixel,
                place.number,
            );
        }
    }
    killed.quads += quads(shaded).count_ones() - quads(alive).count_ones();
    killed.fragments += (shaded & !alive).count_ones();
    killed.survivors = alive;
}

/// The batch's quads: block, first lane there, number in the batch, visible pixels.
#[inline(always)]
fn for_each_quad(batch: &QuadBatch, mut visit: impl FnMut(usize, usize, usize, u8)) {
    for k in 0..batch.len {
        let quad = batch.quads[k];
        let (block, first) = (usize::from(quad.at / 4), usize::from(quad.at % 4) * 4);
        visit(block, first, k, quad.mask);
    }
}

/// Four pixels from lane `first` (0, 4, 8 or 12) on.
#[inline(always)]
pub(super) fn pixels_of(lanes: &[f32; LANES], first: usize) -> &QuadPixels {
    let quads: &[QuadPixels; LANES / 4] = bytemuck::cast_ref(lanes);
    &quads[first / 4]
}

/// The same, to be written.
#[inline(always)]
pub(super) fn pixels_of_mut(lanes: &mut [f32; LANES], first: usize) -> &mut QuadPixels {
    let quads: &mut [QuadPixels; LANES / 4] = bytemuck::cast_mut(lanes);
    &mut quads[first / 4]
}

/// `new` where a bit of `mask` is set, else `old`.
#[inline(always)]
pub(super) fn chosen(mask: u8, new: &QuadPixels, old: &QuadPixels) -> QuadPixels {
    let (new, old) = (
        each!(4, k => new[k].to_bits()),
        each!(4, k => old[k].to_bits()),
    );
    let words = chosen_words(mask, new, old);
    each!(4, k => f32::from_bits(words[k]))
}

/// The same of numbers.
#[inline(always)]
pub(super) fn chosen_words(mask: u8, new: [u32; 4], old: [u32; 4]) -> [u32; 4] {
    let bits = &LANE_BITS[usize::from(mask & 0xf)];
    each!(4, k => (new[k] & bits[k]) | (old[k] & !bits[k]))
}

/// Masks of four lanes for each set of pixels.
const LANE_BITS: [[u32; 4]; 16] = {
    let mut table = [[0; 4]; 16];
    let mut set = 0;
    while set < 16 {
        let mut lane = 0;
        while lane < 4 {
            table[set][lane] = if set >> lane & 1 == 1 { u32::MAX } else { 0 };
            lane += 1;
        }
        set += 1;
    }
    table
};

/// The lanes as numbers.
#[inline(always)]
pub(super) fn stored<L: Lanes>(l: L, lanes: L::F) -> [f32; LANES] {
    let mut values = [0.0; LANES];
    l.store(lanes, &mut values);
    values
}
