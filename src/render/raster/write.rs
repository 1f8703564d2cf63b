//! Output of shaded fragments: opaque colours replace, masked ones after the late depth test, blended ones are laid over.
//!
//! A whole block is written sixteen lanes at a time, other quads four at a time.

use bytemuck::Pod;

use super::batch::{Batch, QuadBatch};
use super::buffers::TileBuffers;
use super::observe::quads;
use super::scene::{DepthUse, RasterDraw};
use crate::shading::FragmentOutput;
use azulejo_simd::{LANES, Lanes, each};

/// A number for each pixel of a quad.
pub(super) type QuadPixels = [f32; 4];

/// Quads and fragments that discard and the late depth test dropped.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct KilledLate {
    /// Quads of which no fragment survived.
    pub(super) quads: u32,
    /// Fragments that discard or depth dropped.
    pub(super) fragments: u32,
    /// Lanes of the last batch that survived.
    pub(super) survivors: u32,
}

impl KilledLate {
    /// Adds the counts of one more batch.
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
            let mask = l.mask(u32::from(block.mask));
            buffers.set_colors(l, block.block.into(), mask, sources);
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
                l.store_where(mask, mixed, &mut plane[at]);
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
#[derive(Clone, Copy)]
pub(super) struct LateDepth<L: Lanes> {
    depth: L::F,
    compare: bool,
    write: bool,
}

impl<L: Lanes> LateDepth<L> {
    #[inline(always)]
    pub(super) fn new<P>(depth: L::F, draw: &RasterDraw<'_, P>) -> Self {
        let DepthUse { test, write } = draw.mode.depth(draw.depth);
        Self {
            depth,
            compare: test,
            write,
        }
    }
}

/// Fragments that the program keeps are tested against the depth buffer now, one quad after the other, and update it.
#[inline(always)]
pub(super) fn replace_late<L: Lanes>(
    l: L,
    buffers: &mut TileBuffers,
    batch: &Batch<'_>,
    output: &FragmentOutput<L>,
    late: &LateDepth<L>,
    killed: &mut KilledLate,
) {
    let [r, g, b, _] = output.rgba;
    let sources = [r, g, b, l.f(1.0)];
    let (shaded, alive) = match batch {
        Batch::Block { block, number } => {
            let at = usize::from(block.block);
            let shaded = u32::from(block.mask);
            let mut pixels = l.mask(shaded) & output.keep;
            let under = l.load(&buffers.depth[at]);
            if late.compare {
                pixels = pixels & l.le(late.depth, under);
            }
            if l.any(pixels) {
                if late.write {
                    l.store_where(pixels, late.depth, &mut buffers.depth[at]);
                }
                buffers.own(l, at, pixels, *number);
                buffers.set_colors(l, at, pixels, sources);
            }
            (shaded, l.mask_bits(pixels))
        }
        Batch::Quads(batch) => {
            let (depth, keep) = (stored(l, late.depth), l.mask_bits(output.keep));
            let sources = each!(4, k => stored(l, sources[k]));
            let (mut shaded, mut alive) = (0, 0);
            for_each_quad(
                batch,
                #[inline(always)]
                |block, first, k, mask| {
                    let z = pixels_of(&depth, 4 * k);
                    let under = pixels_of(&buffers.depth[block], first);
                    let mut pixels = mask & (keep >> (4 * k)) as u8;
                    if late.compare {
                        let passes = each!(4, pixel => u8::from(z[pixel] <= under[pixel]) << pixel);
                        pixels &= passes[0] | passes[1] | passes[2] | passes[3];
                    }
                    shaded |= u32::from(mask) << (4 * k);
                    alive |= u32::from(pixels) << (4 * k);
                    if pixels == 0 {
                        return;
                    }
                    if late.write {
                        *pixels_of_mut(&mut buffers.depth[block], first) = chosen(pixels, z, under);
                    }
                    let owners = pixels_of_mut(&mut buffers.owner[block], first);
                    *owners = chosen_words(pixels, [batch.numbers[k]; 4], *owners);
                    for (plane, source) in buffers.color.iter_mut().zip(&sources) {
                        let under = pixels_of(&plane[block], first);
                        *pixels_of_mut(&mut plane[block], first) =
                            chosen(pixels, pixels_of(source, 4 * k), under);
                    }
                },
            );
            (shaded, alive)
        }
    };
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
pub(super) fn pixels_of<T: Pod>(lanes: &[T; LANES], first: usize) -> &[T; 4] {
    let quads: &[[T; 4]; LANES / 4] = bytemuck::cast_ref(lanes);
    &quads[first / 4]
}

/// Mutable pixels of the quad, for writing.
#[inline(always)]
pub(super) fn pixels_of_mut<T: Pod>(lanes: &mut [T; LANES], first: usize) -> &mut [T; 4] {
    let quads: &mut [[T; 4]; LANES / 4] = bytemuck::cast_mut(lanes);
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

/// `new` where a bit of `mask` is set, else `old`, for words.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::raster::batch::Quad;
    use crate::raster::coverage::QueuedBlock;
    use azulejo_simd::{LaneJob, SimdLevel, dispatch};

    /// Input of the late test in the only block of a tile.
    #[derive(Debug, Clone)]
    struct Case {
        visible: u16,
        keep: u16,
        /// Few different ones, so that some are equal.
        depths: [u8; LANES],
        under: [u8; LANES],
        compare: bool,
        write: bool,
    }

    fn case() -> impl Strategy<Value = Case> {
        let depths = || prop::array::uniform16(0..4_u8);
        let drawn = (any::<u16>(), any::<u16>(), depths());
        (drawn, depths(), any::<[bool; 2]>()).prop_map(
            |((visible, keep, depths), under, [compare, write])| Case {
                visible,
                keep,
                depths,
                under,
                compare,
                write,
            },
        )
    }

    const NUMBER: u32 = 7;
    const COLOR: [f32; 4] = [0.25, 0.5, 0.75, 1.0];

    impl Case {
        fn buffers(&self) -> TileBuffers {
            let mut buffers = TileBuffers::default();
            buffers.clear(4);
            buffers.depth[0] = self.under.map(f32::from);
            buffers
        }

        /// One pixel after the other; buffers, and quads and fragments that were dropped.
        fn expected(&self) -> (TileBuffers, [u32; 2]) {
            let mut buffers = self.buffers();
            let (mut alive, mut killed) = (0_u32, 0);
            for pixel in (0..LANES).filter(|pixel| self.visible >> pixel & 1 == 1) {
                let is_hidden = self.compare && self.depths[pixel] > self.under[pixel];
                if self.keep >> pixel & 1 == 0 || is_hidden {
                    killed += 1;
                    continue;
                }
                alive |= 1 << pixel;
                if self.write {
                    buffers.depth[0][pixel] = self.depths[pixel].into();
                }
                buffers.owner[0][pixel] = NUMBER;
                for (plane, value) in buffers.color.iter_mut().zip(COLOR) {
                    plane[0][pixel] = value;
                }
            }
            let drops = |quad: &u32| {
                let of = |pixels: u32| pixels >> (4 * quad) & 0xf != 0;
                of(self.visible.into()) && !of(alive)
            };
            (buffers, [(0..4).filter(drops).count() as u32, killed])
        }
    }

    /// The case as a whole block, or by quads.
    struct Late<'a>(&'a Case, bool);

    impl LaneJob for Late<'_> {
        type Output = (TileBuffers, [u32; 2]);

        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> Self::Output {
            let Self(case, by_quads) = self;
            let mut quads = QuadBatch::default();
            for at in 0..4 {
                let mask = (case.visible >> (4 * at)) as u8 & 0xf;
                if mask != 0 {
                    quads.push(Quad { setup: 0, at, mask }, NUMBER);
                }
            }
            let mut lanes = QuadLanes::default();
            let batch = if by_quads {
                lanes = QuadLanes::of(&quads);
                Batch::Quads(&quads)
            } else {
                let block = QueuedBlock {
                    setup: 0,
                    block: 0,
                    mask: case.visible,
                };
                Batch::Block {
                    block,
                    number: NUMBER,
                }
            };
            let depths = lanes.moved(&case.depths.map(f32::from));
            let keep = (0..LANES).filter(|&lane| case.keep >> lanes.0[lane] & 1 == 1);
            let output = FragmentOutput {
                rgba: each!(4, k => l.f(COLOR[k])),
                keep: l.mask(keep.fold(0, |bits, lane| bits | 1 << lane)),
            };
            let late = LateDepth::<L> {
                depth: l.load(&depths),
                compare: case.compare,
                write: case.write,
            };
            let (mut buffers, mut killed) = (case.buffers(), KilledLate::default());
            replace_late(l, &mut buffers, &batch, &output, &late, &mut killed);
            (buffers, [killed.quads, killed.fragments])
        }
    }

    /// Which pixel of the block each lane has.
    struct QuadLanes([usize; LANES]);

    impl Default for QuadLanes {
        fn default() -> Self {
            Self(std::array::from_fn(|lane| lane))
        }
    }

    impl QuadLanes {
        /// Quads that are there come first.
        fn of(batch: &QuadBatch) -> Self {
            let quad = |lane: usize| usize::from(batch.quads[lane / 4].at);
            Self(std::array::from_fn(|lane| 4 * quad(lane) + lane % 4))
        }

        fn moved(&self, pixels: &[f32; LANES]) -> [f32; LANES] {
            self.0.map(|pixel| pixels[pixel])
        }
    }

    proptest! {
        #[test]
        fn late_test_of_blocks_and_quads_is_that_of_each_pixel(case in case()) {
            let (buffers, killed) = case.expected();
            for level in SimdLevel::available() {
                let backend = level.backend().expect("available");
                for by_quads in [false, true] {
                    let (found, dropped) = dispatch(backend, Late(&case, by_quads));
                    prop_assert_eq!(dropped, killed, "{}, by quads: {}", level, by_quads);
                    prop_assert_eq!(&found.depth, &buffers.depth, "{}, by quads: {}", level, by_quads);
                    prop_assert_eq!(&found.owner, &buffers.owner, "{}, by quads: {}", level, by_quads);
                    prop_assert_eq!(&found.color, &buffers.color, "{}, by quads: {}", level, by_quads);
                }
            }
        }
    }
}
