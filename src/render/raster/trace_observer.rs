//! Facts of one tile put together while it is drawn: a trace's quads in raster order, with the blocks of texels that each
//! fetched, and its path.

use std::sync::Arc;

use super::buffers::TileBuffers;
use super::coverage::Block;
use super::observe::{TileObserver, quads};
use super::setup::{LANE_X, LANE_Y};
use crate::shading::CodeQuad;
use azulejo_record::QuadTexels;
use azulejo_scene::BlockLayout;
use azulejo_trace::{
    PathIdx, PathInterner, ProgramId, QuadIdx, TEXELS_PER_BLOCK, TextureIdx, TileDigests,
    TileTrace, TileTraceBuilder,
};

/// Draws of a frame that are not written down in the plainest way: with compressed textures, or programs that branch.
#[derive(Debug)]
pub(crate) struct TracedDraws {
    /// Layout of each texture; `None` where it is not compressed.
    pub(crate) layouts: Vec<Option<BlockLayout>>,
    /// Textures by draw and texture instruction.
    pub(crate) textures: Vec<Vec<TextureIdx>>,
    /// Program of each draw, if it branches.
    pub(crate) branching: Vec<Option<ProgramId>>,
}

impl TracedDraws {
    fn branches(&self, draw: u32) -> Option<ProgramId> {
        self.branching.get(draw as usize).copied().flatten()
    }

    fn layout(&self, draw: u32, instruction: usize) -> Option<&BlockLayout> {
        let texture = self.textures.get(draw as usize)?.get(instruction)?;
        self.layouts.get(texture.0 as usize)?.as_ref()
    }
}

/// A quad in the queue.
#[derive(Debug, Clone, Copy)]
struct QueuedQuad {
    name: QuadIdx,
    draw: u32,
    /// It will be blended.
    blends: bool,
}

/// Builds the trace of one tile, on the thread that draws it: its intermediate data are many times the finished facts.
#[derive(Debug, Default)]
pub(crate) struct TraceObserver {
    builder: TileTraceBuilder,
    /// Once the tile is done.
    trace: TileTrace,
    /// Quads in the queue, in its order.
    queued: Vec<QueuedQuad>,
    texture_instructions: usize,
    draw: u32,
    blends: bool,
    /// More on the frame's draws, where they need it.
    draws: Option<Arc<TracedDraws>>,
    /// Paths of the tile's quads.
    paths: PathInterner,
    /// Hashes of fragments' inputs are wanted.
    hashes: bool,
}

impl TraceObserver {
    /// Observer of one tile; with hashes of its fragments' inputs, and more on the frame's draws where they need it.
    #[must_use]
    pub(crate) fn new(hashes: bool, draws: Option<Arc<TracedDraws>>) -> Self {
        Self {
            hashes,
            draws,
            ..Self::default()
        }
    }

    /// The trace of the tile, which is done, with the digests of its inputs and of its pixels; its paths become some of the
    /// frame's.
    #[must_use]
    pub(crate) fn finish(self, digests: TileDigests, paths: &mut PathInterner) -> TileTrace {
        let own = self.paths.finish();
        let own: Vec<PathIdx> = own
            .iter()
            .map(|(id, steps)| paths.intern(id, steps))
            .collect();
        let mut trace = self.trace;
        for path in &mut trace.paths {
            *path = own[path.0 as usize];
        }
        TileTrace { digests, ..trace }
    }
}

impl TileObserver for TraceObserver {
    const RECORDS: bool = true;
    const EVERY_QUAD: bool = true;

    fn begin_draw(&mut self, draw: u32, texture_samples: u32, blends: bool) {
        let branches = (self.draws.as_ref()).is_some_and(|draws| draws.branches(draw).is_some());
        // A program that branches leaves it to its quads.
        self.texture_instructions = if branches {
            0
        } else {
            texture_samples as usize
        };
        (self.draw, self.blends) = (draw, blends);
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
            let quad =
                azulejo_trace::Quad::new(at.0, at.1, bits(block.covered), bits(block.passed));
            let name = self.builder.quad(quad.with_behind(block.behind));
            if bits(block.passed) != 0 {
                let (draw, blends) = (self.draw, self.blends);
                self.queued.push(QueuedQuad { name, draw, blends });
            }
        }
    }

    fn killed_late(&mut self, _: u32, _: u32) {}

    fn executed(&mut self, position: usize, quad: &CodeQuad) {
        let QueuedQuad { name, draw, .. } = self.queued[position];
        if let Some(program) = (self.draws.as_ref()).and_then(|draws| draws.branches(draw)) {
            let path = self.paths.intern(program, &quad.steps);
            self.builder.path(name, path, quad.texels.executions());
        }
    }

    fn shaded(&mut self, position: usize, live: u32, survivors: u32, texels: QuadTexels<'_>) {
        let QueuedQuad { name, draw, blends } = self.queued[position];
        let draws = self.draws.as_deref();
        for (tap, texels) in texels.executions() {
            let layout = draws.and_then(|draws| draws.layout(draw, tap.instruction));
            let mut blocks = match layout {
                None => texels.map(|texel| texel / TEXELS_PER_BLOCK),
                Some(layout) => texels.map(|texel| layout.block_of(texel)),
            };
            let mut n_blocks = 4;
            if live != 0xf {
                n_blocks = 0;
                for pixel in (0..4).filter(|pixel| live & (1 << pixel) != 0) {
                    blocks[n_blocks] = blocks[pixel];
                    n_blocks += 1;
                }
            }
            (self.builder).texels(name, tap.execution, &blocks[..n_blocks]);
        }
        self.builder.shaded(name, survivors, blends);
    }

    fn wants_inputs(&self) -> bool {
        self.hashes
    }

    fn inputs(&mut self, position: usize, live: u32, hashes: &[u32; 4]) {
        let of_live = (0..4).filter(|lane| live & (1 << lane) != 0);
        let hashes: Vec<u32> = of_live.map(|lane| hashes[lane]).collect();
        let name = self.queued[position].name;
        self.builder.fragment_hashes(name, &hashes);
    }

    fn finished(&mut self, _: &TileBuffers) {
        self.trace = std::mem::take(&mut self.builder).finish(TileDigests::default());
        self.queued = Vec::new();
    }
}
