//! A tile traced in full: every quad in raster order, and the texels that each shaded quad read.
//!
//! To find those texels, every quad that passes the early test is shaded, hidden or not: the quads of a block together. The
//! texels that a quad reads must not depend on others in its lanes, so quads that would read more by company run again, one
//! by one. Code that executes itself says what its quads read.

use std::cell::RefCell;

use super::batch::{BATCH, Batch};
use super::coverage::QueuedBlock;
use super::flat::{LastSurface, shade_flat};
use super::observe::{TileObserver, quads};
use super::scene::{FragmentMode, RasterDraw, TileScene};
use super::shader::{Shader, interpolate, prepare, run_program, visible, write_batch};
use super::unit::RasterUnit;
use super::write::{KilledLate, pixels_of, stored};
use crate::shading::{
    CodeBatch, CodeQuad, CodeQuads, FragmentCode, FragmentOutput, FragmentProgram,
};
use azulejo_math::PixelRect;
use azulejo_record::{QuadTexels, TexelLog, TexelLogging};
use azulejo_simd::{Backend, LaneJob, Lanes, each};

/// Outcome of a quad of the queue, by its four fragments.
pub(super) struct ShadedQuad<'a> {
    /// Position in the queue.
    position: usize,
    /// One bit a fragment.
    live: u32,
    survivors: u32,
    /// Texels that it fetched.
    texels: QuadTexels<'a>,
    /// Execution by code.
    executed: Option<&'a CodeQuad>,
    /// Output of the program, and the fragments that it keeps; where the observer takes colours.
    colors: Option<([[f32; 4]; 4], u32)>,
    /// Hashes of the program's inputs, where the observer takes them.
    hashes: Option<[u32; 4]>,
}

/// Part of [`TileObserver`] that shading needs.
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
        if let Some(executed) = quad.executed {
            self.executed(position, executed);
        }
        self.shaded(position, live, quad.survivors, quad.texels);
    }
}

/// Shades these blocks of the queue and reports each of their quads.
pub(super) struct TraceQuads<'a, P> {
    /// Instruction set of programs that execute themselves.
    pub(super) backend: Backend,
    pub(super) unit: &'a mut RasterUnit,
    pub(super) scene: &'a TileScene<'a, P>,
    pub(super) tile: PixelRect,
    pub(super) blocks: std::ops::Range<usize>,
    pub(super) observer: &'a mut dyn QuadObserver,
    pub(super) room: &'a mut TraceRoom,
}

/// Room for what tracing keeps from block to block, outside of the job for the same reason as
/// [`ShadeQuads::waiting`](super::shade::ShadeQuads::waiting).
#[derive(Default)]
pub(super) struct TraceRoom {
    log: RefCell<TexelLog>,
    by_code: Option<Box<CodeBlock>>,
}

impl<P: FragmentProgram> LaneJob for TraceQuads<'_, P> {
    type Output = KilledLate;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> KilledLate {
        let Self {
            backend,
            unit,
            scene,
            tile,
            blocks,
            observer,
            room: TraceRoom { log, by_code },
        } = self;
        let mut shader = Shader::new(TexelLogging { lanes, log });
        let mut surface = LastSurface::default();
        for at in blocks {
            let (queued, number) = (unit.queue[at], at as u32 + 1);
            if queued.mask == 0 {
                continue;
            }
            let block = shown_part(lanes, unit, at);
            let draw_number = prepare(unit, scene, block.setup);
            let draw = &scene.draws[draw_number as usize];
            if P::HAS_CODE
                && let Some(code) = draw.program.code()
            {
                let block = (at, u32::from(queued.mask), Batch::Block { block, number });
                let by_code = by_code.get_or_insert_with(|| CodeBlock::new(backend, tile));
                by_code.trace(&mut shader, unit, (draw, code), &block, observer);
                continue;
            }
            // The program then runs for what it reads; colours come by the shorter way, as without an observer.
            let mut said = shade_flat(lanes, unit, scene, &mut surface, tile, (block, number));
            log.borrow_mut().reads_alone = said.is_some();
            let batch = Batch::Block { block, number };
            let live = u32::from(queued.mask);
            // All at once, or one by one where together they read what one by itself does not.
            let (mut left, mut together) = (live, live);
            while left != 0 {
                log.borrow_mut().begin(together);
                let (own, depth) = run_program(&mut shader, unit, draw, tile, &batch);
                if said.is_none() {
                    write_batch(&mut shader, unit, draw, tile, &batch, (&own, depth));
                }
                let FragmentOutput { rgba, keep } = *said.get_or_insert(FragmentOutput {
                    rgba: own.rgba,
                    keep: own.keep,
                });
                let log = log.borrow();
                if !log.is_mixed() {
                    let first = unit.quads_before[at] as usize;
                    let output = FragmentOutput { rgba, keep };
                    let shaded = ShadedBlock::of(&shader, draw, (first, live), output);
                    for quad in (0..BATCH).filter(|quad| of_quad(together, *quad) != 0) {
                        shaded.report(lanes, quad, (log.of_quad(quad), None), observer);
                    }
                    left &= !together;
                }
                together = first_quad(left);
            }
        }
        shader.killed
    }
}

/// Block of the queue with the outputs of its lanes.
struct ShadedBlock<'a, L: Lanes> {
    /// Position of its first quad among those of the queue.
    first: usize,
    /// Fragments that ran, one bit each.
    live: u32,
    survivors: u32,
    output: FragmentOutput<L>,
    varyings: &'a [L::F],
    front: L::M,
    /// State CRC of the draw.
    state: u32,
}

/// A block that code shades.
struct CodeBlock {
    backend: Backend,
    tile: PixelRect,
    fragments: CodeBatch,
    /// Those of the block come first.
    quads: CodeQuads,
}

impl CodeBlock {
    fn new(backend: Backend, tile: PixelRect) -> Box<Self> {
        Box::new(Self {
            backend,
            tile,
            fragments: CodeBatch::default(),
            quads: CodeQuads::default(),
        })
    }

    /// Shades the fragments of a place in the queue that passed, writes those that are shown, and reports all.
    #[inline(always)]
    fn trace<L: Lanes, P>(
        &mut self,
        shader: &mut Shader<TexelLogging<'_, L>>,
        unit: &mut RasterUnit,
        (draw, code): (&RasterDraw<'_, P>, &dyn FragmentCode),
        (at, live, shown): &(usize, u32, Batch<'_>),
        observer: &mut dyn QuadObserver,
    ) {
        let l = shader.lanes;
        let depth = interpolate(shader, unit, draw, self.tile, shown);
        let inputs = (&shader.inputs, draw.n_varyings);
        (self.fragments).put(l, 0, inputs, [depth.z, depth.inv_w], *live);
        code.run(self.backend, &mut self.fragments, Some(&mut self.quads));
        let output = self.fragments.output(l, 0);
        write_batch(shader, unit, draw, self.tile, shown, (&output, depth.z));
        let FragmentOutput { rgba, keep } = output;
        let first = unit.quads_before[*at] as usize;
        let shaded = ShadedBlock::of(shader, draw, (first, *live), FragmentOutput { rgba, keep });
        for (quad, executed) in self.quads.iter().enumerate().take(BATCH) {
            if of_quad(*live, quad) != 0 {
                let reads = (executed.texels.texels(), Some(executed));
                shaded.report(l.lanes, quad, reads, observer);
            }
        }
    }
}

impl<'a, L: Lanes> ShadedBlock<'a, L> {
    /// The block whose inputs the shader has; `first` is the position of its first quad.
    #[inline(always)]
    fn of<P>(
        shader: &'a Shader<TexelLogging<'_, L>>,
        draw: &RasterDraw<'_, P>,
        (first, live): (usize, u32),
        output: FragmentOutput<L>,
    ) -> Self {
        Self {
            first,
            live,
            survivors: match draw.mode {
                FragmentMode::Masked => shader.killed.survivors,
                FragmentMode::Opaque | FragmentMode::Blended => live,
            },
            output,
            varyings: &shader.inputs.varyings[..draw.n_varyings],
            front: shader.inputs.front_facing,
            state: draw.state,
        }
    }

    /// Reports one of its quads, with the texels that it read and what it executed of code.
    #[inline(always)]
    fn report(
        &self,
        lanes: L,
        quad: usize,
        (texels, executed): (QuadTexels<'_>, Option<&CodeQuad>),
        observer: &mut dyn QuadObserver,
    ) {
        let before = quads(self.live & ((1 << (4 * quad)) - 1)).count_ones();
        let FragmentOutput { rgba, keep } = self.output;
        let mut colors = None;
        if observer.wants_colors() {
            colors = Some(quad_colors(lanes, rgba, keep, quad));
        }
        let mut hashes = None;
        if observer.wants_hashes() {
            hashes = Some(hash_inputs(
                lanes,
                self.varyings,
                self.front,
                quad,
                self.state,
            ));
        }
        observer.quad(&ShadedQuad {
            position: self.first + before as usize,
            live: of_quad(self.live, quad),
            survivors: of_quad(self.survivors, quad),
            texels,
            executed,
            colors,
            hashes,
        });
    }
}

/// Bits of a quad of the lanes.
const fn of_quad(lanes: u32, quad: usize) -> u32 {
    lanes >> (4 * quad) & 0xf
}

/// The lanes of the first quad that has one of these.
const fn first_quad(lanes: u32) -> u32 {
    lanes & (0xf << (lanes.trailing_zeros() & 0x1c))
}

/// The block at this place in the queue, with those of its pixels that nothing after it replaces.
#[inline(always)]
fn shown_part<L: Lanes>(lanes: L, unit: &RasterUnit, at: usize) -> QueuedBlock {
    let block = unit.queue[at];
    let mask = block.mask & visible(lanes, &unit.buffers, block.block, at as u32 + 1);
    QueuedBlock { mask, ..block }
}

/// Colours of a quad of the lanes, and which of them are kept.
#[inline(always)]
fn quad_colors<L: Lanes>(
    lanes: L,
    rgba: [L::F; 4],
    keep: L::M,
    quad: usize,
) -> ([[f32; 4]; 4], u32) {
    let rgba = each!(4, k => stored(lanes, rgba[k]));
    let [r, g, b, a] = each!(4, k => *pixels_of(&rgba[k], 4 * quad));
    let colors = [0, 1, 2, 3].map(|pixel| [r[pixel], g[pixel], b[pixel], a[pixel]]);
    (colors, of_quad(lanes.mask_bits(keep), quad))
}

/// CRC32 of what the program sees of each fragment of a quad of the lanes: varyings, facing, and the draw's state.
#[inline(always)]
fn hash_inputs<L: Lanes>(
    lanes: L,
    varyings: &[L::F],
    front: L::M,
    quad: usize,
    state: u32,
) -> [u32; 4] {
    let front = of_quad(lanes.mask_bits(front), quad);
    let start = |pixel: u32| crc32fast::Hasher::new_with_initial(state ^ (front >> pixel & 1));
    let mut hashers = [0, 1, 2, 3].map(start);
    for varying in varyings {
        let values = stored(lanes, *varying);
        for (hasher, value) in hashers.iter_mut().zip(pixels_of(&values, 4 * quad)) {
            hasher.update(&value.to_le_bytes());
        }
    }
    hashers.map(crc32fast::Hasher::finalize)
}
