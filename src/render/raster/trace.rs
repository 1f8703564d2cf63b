//! A tile traced in full: every quad in raster order, and the texels that each shaded quad read.
//!
//! To know those, every quad that passes the early test is shaded, hidden or not, one at a time: what a quad reads must
//! not depend on the quads that happen to share its lanes.

use std::cell::RefCell;

use super::batch::{Batch, Quad, QuadBatch};
use super::buffers::TileBuffers;
use super::coverage::{Block, QueuedBlock};
use super::flat::{LastSurface, shade_flat};
use super::observe::{TileObserver, quads};
use super::scene::{FragmentMode, TileScene};
use super::setup::{LANE_X, LANE_Y};
use super::shade::{Shader, run_program, shade_batch, visible};
use super::unit::RasterUnit;
use super::write::{KilledLate, stored};
use crate::math::PixelRect;
use crate::render::shading::{FragmentOutput, FragmentProgram};
use crate::simd::{LANES, LaneJob, Lanes, TexelLog, TexelLogging, each};
use crate::trace::{self, QuadIdx, TEXELS_PER_BLOCK, TileDigests, TileTrace, TileTraceBuilder};

/// Builds the trace of one tile, by the thread that draws it: what it takes on the way is many times the facts.
#[derive(Debug, Default)]
pub(in crate::render) struct TraceObserver {
    builder: TileTraceBuilder,
    /// Once the tile is done.
    trace: TileTrace,
    /// Names of the quads in the queue, in its order, and whether they will be blended.
    queued: Vec<(QuadIdx, bool)>,
    texture_instructions: usize,
    blends: bool,
    /// Hashes of fragments' inputs are wanted.
    hashes: bool,
}

impl TraceObserver {
    /// Of a tile; with hashes of its fragments' inputs.
    #[must_use]
    pub(in crate::render) fn new(hashes: bool) -> Self {
        Self {
            hashes,
            ..Self::default()
        }
    }

    /// The trace of the tile, which is done, with the digests of its inputs and of its pixels.
    #[must_use]
    pub(in crate::render) fn finish(self, digests: TileDigests) -> TileTrace {
        TileTrace {
            digests,
            ..self.trace
        }
    }
}

impl TileObserver for TraceObserver {
    const RECORDS: bool = true;
    const EVERY_QUAD: bool = true;

    fn begin_draw(&mut self, _: u32, texture_samples: u32, blends: bool) {
        self.texture_instructions = texture_samples as usize;
        self.blends = blends;
    }

    fn fetch(&mut self, primitive: u32, _: u64) {
        self.builder.primitive(primitive, self.texture_instructions);
    }

    fn rasterised(&mut self, block: &Block, blocks_wide: u32) {
        let number = block.number as u32;
        let (column, row) = (number % blocks_wide * 2, number / blocks_wide * 2);
        for quad in (0..4).filter(|quad| quads(block.covered) & (1 << (4 * quad)) != 0) {
            let bits = |pixels: u32| (pixels >> (4 * quad)) & 0xf;
            let (x, y) = (LANE_X[4 * quad as usize] / 2, LANE_Y[4 * quad as usize] / 2);
            let at = (column + x.cast_unsigned(), row + y.cast_unsigned());
            let name = self.builder.quad(trace::Quad::new(
                at.0,
                at.1,
                bits(block.covered),
                bits(block.passed),
            ));
            if bits(block.passed) != 0 {
                self.queued.push((name, self.blends));
            }
        }
    }

    fn killed_late(&mut self, _: u32, _: u32) {}

    fn shaded(&mut self, position: usize, live: u32, survivors: u32, log: &TexelLog) {
        let (name, blends) = self.queued[position];
        for (instruction, texels) in &log.taps {
            let mut blocks = [0; 4];
            let mut n_blocks = 0;
            for lane in (0..4).filter(|lane| live & (1 << lane) != 0) {
                blocks[n_blocks] = texels[lane].cast_unsigned() / TEXELS_PER_BLOCK;
                n_blocks += 1;
            }
            self.builder.texels(name, *instruction, &blocks[..n_blocks]);
        }
        self.builder.shaded(name, survivors, blends);
    }

    fn wants_inputs(&self) -> bool {
        self.hashes
    }

    fn inputs(&mut self, position: usize, live: u32, hashes: &[u32; 4]) {
        let of_live = (0..4).filter(|lane| live & (1 << lane) != 0);
        let hashes: Vec<u32> = of_live.map(|lane| hashes[lane]).collect();
        let (name, _) = self.queued[position];
        self.builder.fragment_hashes(name, &hashes);
    }

    fn finished(&mut self, _: &TileBuffers) {
        self.trace = std::mem::take(&mut self.builder).finish(TileDigests::default());
        self.queued = Vec::new();
    }
}

/// What happened to a quad of the queue, by its four fragments.
pub(super) struct ShadedQuad<'a> {
    /// In the queue.
    position: usize,
    /// One bit a fragment.
    live: u32,
    survivors: u32,
    /// Texels that it fetched.
    log: &'a TexelLog,
    /// What the program said, and which fragments it keeps; where colours are wanted.
    colors: Option<([[f32; 4]; 4], u32)>,
    /// Of the program's inputs, where they are wanted.
    hashes: Option<[u32; 4]>,
}

/// What of [`TileObserver`] shading needs.
pub(super) trait QuadObserver {
    fn wants_colors(&self) -> bool;
    fn wants_hashes(&self) -> bool;
    fn quad(&mut self, quad: &ShadedQuad<'_>);
}

impl<O: TileObserver> QuadObserver for O {
    fn wants_colors(&self) -> bool {
        O::STEPS
    }

    fn wants_hashes(&self) -> bool {
        self.wants_inputs()
    }

    fn quad(&mut self, quad: &ShadedQuad<'_>) {
        let ShadedQuad { position, live, .. } = *quad;
        if let Some((rgba, kept)) = &quad.colors {
            self.colored(position, rgba, *kept);
        }
        if let Some(hashes) = &quad.hashes {
            self.inputs(position, live, hashes);
        }
        self.shaded(position, live, quad.survivors, quad.log);
    }
}

/// Shades the quads of these blocks of the queue one by one and reports each.
pub(super) struct TraceQuads<'a, P> {
    pub(super) unit: &'a mut RasterUnit,
    pub(super) scene: &'a TileScene<'a, P>,
    pub(super) tile: PixelRect,
    pub(super) blocks: std::ops::Range<usize>,
    pub(super) observer: &'a mut dyn QuadObserver,
}

impl<P: FragmentProgram> LaneJob for TraceQuads<'_, P> {
    type Output = KilledLate;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> KilledLate {
        let Self {
            unit,
            scene,
            tile,
            blocks,
            observer,
        } = self;
        let log = RefCell::new(TexelLog::default());
        let mut shader = Shader::new(TexelLogging { lanes, log: &log });
        let mut surface = LastSurface::default();
        for at in blocks {
            let (block, number) = (unit.queue[at], at as u32 + 1);
            let shown = shown_part(lanes, unit, at);
            let chunk = unit.setups[block.setup as usize].chunk;
            let draw = &scene.draws[scene.chunks[chunk as usize].draw as usize];
            // The program then runs for what it reads; colours come by the shorter way, as where nobody watches.
            let flat = shade_flat(lanes, unit, scene, &mut surface, tile, (shown, number));
            log.borrow_mut().reads_alone = flat.is_some();
            let present = (0..4).filter(|quad| block.mask >> (4 * quad) & 0xf != 0);
            for (rank, quad) in present.enumerate() {
                log.borrow_mut().clear();
                let mask = block.mask >> (4 * quad) & 0xf;
                let place = Quad {
                    setup: block.setup,
                    at: block.block * 4 + quad,
                    mask: (shown.mask >> (4 * quad) & 0xf) as u8,
                };
                let batch = Batch::Quads(&QuadBatch::single(unit, scene, place, number));
                let (rgba, keep, first) = if let Some(FragmentOutput { rgba, keep }) = flat {
                    run_program(&mut shader, unit, draw, tile, &batch);
                    (rgba, keep, 4 * quad)
                } else {
                    let said = shade_batch(&mut shader, unit, draw, tile, &batch);
                    (said.rgba, said.keep, 0)
                };
                let live = u32::from(mask);
                let mut colors = None;
                if observer.wants_colors() {
                    colors = Some(quad_colors(lanes, rgba, keep, first));
                }
                let mut hashes = None;
                if observer.wants_hashes() {
                    let varyings = &shader.inputs.varyings[..draw.n_varyings];
                    let front = shader.inputs.front_facing;
                    hashes = Some(hash_inputs(lanes, varyings, front, draw.state));
                }
                let survivors = match draw.mode {
                    FragmentMode::Masked => shader.killed.survivors,
                    FragmentMode::Opaque | FragmentMode::Blended => live,
                };
                observer.quad(&ShadedQuad {
                    position: unit.quads_before[at] as usize + rank,
                    live,
                    survivors,
                    log: &log.borrow(),
                    colors,
                    hashes,
                });
            }
        }
        shader.killed
    }
}

/// The block at this place in the queue, with those of its pixels that nothing after it replaces.
#[inline(always)]
fn shown_part<L: Lanes>(lanes: L, unit: &RasterUnit, at: usize) -> QueuedBlock {
    let block = unit.queue[at];
    let mask = block.mask & visible(lanes, &unit.buffers, block.block, at as u32 + 1);
    QueuedBlock { mask, ..block }
}

/// Colours of four lanes from `first` on, and which of them are kept.
#[inline(always)]
fn quad_colors<L: Lanes>(
    lanes: L,
    rgba: [L::F; 4],
    keep: L::M,
    first: u16,
) -> ([[f32; 4]; 4], u32) {
    let [r, g, b, a] = each!(4, k => stored(lanes, rgba[k]));
    let of = |lane: usize| [r[lane], g[lane], b[lane], a[lane]];
    let colors = std::array::from_fn(|lane| of(usize::from(first) + lane));
    (colors, lanes.mask_bits(keep) >> first)
}

/// CRC32 of what the program sees of each of the first four fragments: varyings, facing, and the draw's state.
#[inline(always)]
fn hash_inputs<L: Lanes>(lanes: L, varyings: &[L::F], front: L::M, state: u32) -> [u32; 4] {
    let front = lanes.mask_bits(front);
    let start = |lane: u32| crc32fast::Hasher::new_with_initial(state ^ (front >> lane & 1));
    let mut hashers = [0, 1, 2, 3].map(start);
    for varying in varyings {
        let mut values = [0.0; LANES];
        lanes.store(*varying, &mut values);
        for (hasher, value) in hashers.iter_mut().zip(&values) {
            hasher.update(&value.to_le_bytes());
        }
    }
    hashers.map(crc32fast::Hasher::finalize)
}
