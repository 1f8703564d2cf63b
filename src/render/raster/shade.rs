//! The fragment queue's end: blocks are taken one by one, interpolated, shaded, and written to the colour buffer.
//!
//! A block with visible pixels in all its quads fills the lanes by itself. Quads of other blocks are gathered four at a
//! time; they may come from different triangles of the same draw, so small triangles fill the lanes as well as large ones.
//! A whole block does not wait for gathered quads, unless one of them lies in it: the order does not matter to pixels of
//! other blocks. Nor do blocks of flat triangles ([`super::flat`]), whole or not.

use super::batch::{BATCH, Batch, Quad, QuadBatch};
use super::coverage::QueuedBlock;
use super::flat::{LastSurface, shade_flat};
use super::observe::quads;
use super::scene::TileScene;
use super::shader::{Shader, interpolate, prepare, run_program, visible, write_batch};
use super::unit::RasterUnit;
use super::waiting::Waiting;
use super::write::KilledLate;
use crate::shading::FragmentProgram;
use azulejo_math::PixelRect;
use azulejo_simd::{Backend, LaneJob, Lanes};

/// All quads of a block, as [`quads`] has them.
const WHOLE: u32 = 0x1111;

/// Shades these blocks of the unit's queue, in order.
pub(super) struct ShadeQuads<'a, P> {
    /// Instruction set of programs that execute themselves.
    pub(super) backend: Backend,
    pub(super) unit: &'a mut RasterUnit,
    pub(super) scene: &'a TileScene<'a, P>,
    pub(super) tile: PixelRect,
    pub(super) blocks: std::ops::Range<usize>,
    /// Room for batches that wait for code. Nothing that must be dropped lives in the job itself: each of its thousands of
    /// checks would then have to unwind, and take minutes to compile.
    pub(super) waiting: &'a mut Option<Box<Waiting>>,
}

impl<P: FragmentProgram> LaneJob for ShadeQuads<'_, P> {
    type Output = KilledLate;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> KilledLate {
        let Self {
            backend,
            unit,
            scene,
            tile,
            blocks,
            waiting,
        } = self;
        let mut shader = Shader::new(l);
        let mut feed = Feed::new(blocks);
        let mut surface = LastSurface::default();
        // One call of the shader in the source is one copy of it in the program.
        loop {
            let step = feed.next(l, unit, scene);
            if P::HAS_CODE
                && let Some(waiting) = waiting
                && waiting.is_due(step.draw(unit, scene, &feed.gathered))
            {
                let draw = &scene.draws[waiting.draw as usize];
                if let Some(code) = draw.program.code() {
                    waiting.shade(&mut shader, unit, (draw, code), (backend, tile));
                }
            }
            let (batch, number) = match step {
                Step::Block { block, number } => {
                    if shade_flat(l, unit, scene, &mut surface, tile, (block, number)).is_some() {
                        continue;
                    }
                    let chunk = unit.setups[block.setup as usize].chunk;
                    let draw = scene.chunks[chunk as usize].draw;
                    (Batch::Block { block, number }, draw)
                }
                Step::Quads => (Batch::Quads(&feed.gathered), feed.gathered.draw),
                Step::End => break,
            };
            let draw = &scene.draws[number as usize];
            if P::HAS_CODE && draw.program.code().is_some() {
                let depth = interpolate(&mut shader, unit, draw, tile, &batch);
                let waiting = waiting.get_or_insert_with(|| Waiting::new(number));
                waiting.draw = number;
                waiting.push(&shader, draw.n_varyings, &batch, depth);
            } else {
                let (said, depth) = run_program(&mut shader, unit, draw, tile, &batch);
                write_batch(&mut shader, unit, draw, tile, &batch, (&said, depth));
            }
            if matches!(batch, Batch::Quads(_)) {
                feed.gathered.len = 0;
            }
        }
        shader.killed
    }
}

/// Next unit of work for the shader.
enum Step {
    /// All visible pixels of a block.
    Block {
        block: QueuedBlock,
        number: u32,
    },
    /// Quads that [`Feed::gathered`] holds.
    Quads,
    End,
}

impl Step {
    /// Draw of the fragments.
    #[inline(always)]
    fn draw<P>(
        &self,
        unit: &RasterUnit,
        scene: &TileScene<'_, P>,
        gathered: &QuadBatch,
    ) -> Option<u32> {
        match self {
            Self::Block { block, .. } => {
                let chunk = unit.setups[block.setup as usize].chunk;
                Some(scene.chunks[chunk as usize].draw)
            }
            Self::Quads => Some(gathered.draw),
            Self::End => None,
        }
    }
}

/// Takes blocks from the queue.
struct Feed {
    /// Positions in the queue.
    blocks: std::ops::Range<usize>,
    /// Quads that wait for others.
    gathered: QuadBatch,
    /// The block that quads are taken from, with the pixels that are left of it.
    open: QueuedBlock,
}

impl Feed {
    #[inline(always)]
    fn new(blocks: std::ops::Range<usize>) -> Self {
        Self {
            blocks,
            gathered: QuadBatch::default(),
            open: QueuedBlock::default(),
        }
    }

    /// The next visible block or quads of one draw.
    #[inline(always)]
    fn next<L: Lanes, P>(&mut self, l: L, unit: &mut RasterUnit, scene: &TileScene<'_, P>) -> Step {
        loop {
            while self.open.mask != 0 {
                if self.gathered.len == BATCH {
                    return Step::Quads;
                }
                let quad = self.open.mask.trailing_zeros() / 4;
                let mask = self.open.mask >> (4 * quad) & 0xf;
                self.open.mask &= !(0xf << (4 * quad));
                self.gathered.push(
                    Quad {
                        setup: self.open.setup,
                        at: self.open.block * 4 + quad as u16,
                        mask: mask as u8,
                    },
                    self.blocks.start as u32,
                );
            }
            let at = self.blocks.start;
            if at >= self.blocks.end {
                let left = self.gathered.len > 0;
                return if left { Step::Quads } else { Step::End };
            }
            let (mut block, number) = (unit.queue[at], at as u32 + 1);
            block.mask &= visible(l, &unit.buffers, block.block, number);
            if block.mask != 0 {
                let is_flat = unit.setups[block.setup as usize].flat.is_some();
                if is_flat || quads(block.mask.into()) == WHOLE {
                    if self.gathered.touches(block.block) {
                        return Step::Quads;
                    }
                    if !is_flat {
                        prepare(unit, scene, block.setup);
                    }
                    self.blocks.start += 1;
                    return Step::Block { block, number };
                }
                let draw = prepare(unit, scene, block.setup);
                if self.gathered.len > 0 && draw != self.gathered.draw {
                    return Step::Quads;
                }
                self.gathered.draw = draw;
                self.open = block;
            }
            self.blocks.start += 1;
        }
    }
}
