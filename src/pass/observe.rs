//! Facts of a tile for a trace, while it is drawn: its list, its quads with their paths, the texels that they read and the
//! lines of buffers that they access, and a signature of all that its colours come from.

use std::cell::RefCell;
use std::hash::BuildHasher;
use std::sync::Arc;

use azulejo_shader::{Batch, TracedCode};
use azulejo_trace::{
    PathIdx, PathInterner, ProgramId, Quad as TracedQuad, QuadIdx, TileDigests, TileTrace,
    TileTraceBuilder,
};
use foldhash::quality::FixedState;

use crate::blocks::TexelNotes;
use crate::lines::LineNotes;

/// Programs of a pipeline that note their paths.
#[derive(Debug)]
pub(crate) struct TracedPipeline {
    pub(crate) vertex: TracedCode,
    pub(crate) fragment: Option<TracedCode>,
    /// Digest of programs and state.
    pub(crate) digest: u64,
}

impl TracedPipeline {
    /// Words of storage buffers that both programs load once a draw.
    pub(crate) fn constant_words(&self) -> usize {
        let fragment = self.fragment.as_ref().map(TracedCode::constant_words);
        self.vertex.constant_words() + fragment.unwrap_or(0)
    }
}

/// A draw as its quads are traced.
#[derive(Debug)]
pub(crate) struct TracedDraw {
    pub(crate) pipeline: Arc<TracedPipeline>,
    /// Fragment program.
    pub(crate) program: ProgramId,
    /// Texture instructions of it.
    pub(crate) n_textures: usize,
    /// Images of its code that these are.
    pub(crate) noted: Vec<bool>,
    /// Whether its fragment program accesses buffers.
    pub(crate) accesses: bool,
    pub(crate) blends: bool,
    /// Digest of programs, state and resources.
    pub(crate) digest: u64,
}

impl TracedDraw {
    fn branches(&self) -> bool {
        let fragment = self.pipeline.fragment.as_ref();
        fragment.is_some_and(|code| code.program().branches())
    }
}

/// Signature of bytes: the CRC32 that techniques compare, and 64 bits that tell whether they are right.
#[derive(Debug, Clone, Default)]
pub(crate) struct Signature {
    crc: crc32fast::Hasher,
    wide: u64,
}

impl Signature {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.crc.update(bytes);
        self.wide = FixedState::default().hash_one((self.wide, bytes));
    }

    pub(crate) const fn wide(&self) -> u64 {
        self.wide
    }
}

/// Facts of a tile so far.
#[derive(Debug, Default)]
pub(crate) struct TileFacts {
    builder: TileTraceBuilder,
    paths: PathInterner,
    pub(crate) inputs: Signature,
}

impl TileFacts {
    /// The tile's trace, once it is done, with the CRC32 of what it leaves in memory; its paths become some of the pass's.
    pub(crate) fn finish(mut self, color_crc: u32, paths: &mut PathInterner) -> TileTrace {
        let digests = TileDigests {
            input_crc: self.inputs.crc.clone().finalize(),
            inputs: self.inputs.wide(),
            color_crc,
        };
        let mut trace = self.builder.finish(digests);
        let own = self.paths.finish();
        let own: Vec<PathIdx> = (own.iter())
            .map(|(program, steps)| paths.intern(program, steps))
            .collect();
        for path in &mut trace.paths {
            *path = own[path.0 as usize];
        }
        trace
    }
}

/// Facts of one draw's triangles of a tile.
#[derive(Debug)]
pub(crate) struct DrawFacts<'t> {
    pub(crate) tile: &'t mut TileFacts,
    pub(crate) draw: &'t TracedDraw,
    pub(crate) notes: &'t RefCell<TexelNotes>,
    pub(crate) lines: &'t LineNotes,
    /// First column and row of the tile.
    pub(crate) corner: [i32; 2],
}

impl DrawFacts<'_> {
    /// A triangle of the tile's list, by its number in the pass, with the bytes that its fragments come from.
    pub(crate) fn primitive(&mut self, number: u32, content: &[&[u8]]) {
        let samples = if self.draw.branches() {
            0
        } else {
            self.draw.n_textures
        };
        self.tile.builder.primitive(number, samples);
        content.iter().for_each(|part| self.tile.inputs.add(part));
    }

    /// A quad of it: pixels that it covers, and those for which the program runs.
    pub(crate) fn quad(&mut self, at: [i32; 2], covered: u8, live: u8) -> QuadIdx {
        let [column, row] = [0, 1].map(|axis| (at[axis] - self.corner[axis]).cast_unsigned() / 2);
        let quad = TracedQuad::new(column, row, covered.into(), live.into());
        self.tile.builder.quad(quad)
    }

    /// Another batch begins.
    pub(crate) fn begin_batch(&self) {
        self.notes.borrow_mut().clear();
        self.lines.clear();
    }

    /// A batch has run with these lanes, by these quads.
    pub(crate) fn executed(&mut self, batch: &Batch, lanes: u64, quads: &[Option<QuadIdx>]) {
        let notes = self.notes.borrow();
        let fragment = self.draw.pipeline.fragment.as_ref();
        let paths = fragment.filter(|_| self.draw.branches());
        let paths = paths.map(|code| code.paths(batch, lanes));
        for (number, name) in quads.iter().enumerate() {
            let Some(name) = *name else { continue };
            let read = notes.of_quad(number);
            if let Some(path) = paths.as_ref().and_then(|paths| paths.get(number)) {
                let path = self.tile.paths.intern(self.draw.program, path.steps());
                self.tile.builder.path(name, path, read.len());
            }
            for (execution, blocks) in read.iter().enumerate() {
                self.tile.builder.texels(name, execution, blocks);
            }
            if self.draw.accesses {
                let accesses = self.lines.take(number);
                self.tile.builder.accesses(name, accesses);
            }
        }
    }

    /// A quad has run and changed these pixels.
    pub(crate) fn shaded(&mut self, quad: QuadIdx, written: u8) {
        let blends = self.draw.blends;
        self.tile.builder.shaded(quad, written.into(), blends);
    }
}
