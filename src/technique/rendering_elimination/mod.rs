//! Rendering Elimination: M. Anglada, E. de Lucas, J.-M. Parcerisa, J. L. Aragón, P. Marcuello, A. González, "Rendering
//! Elimination: Early Discard of Redundant Tiles in the Graphics Pipeline", HPCA 2019, section III.
//!
//! While primitives are binned, a Signature Unit folds constants and attributes into a CRC32 for each tile. When a tile is
//! scheduled whose signature is that of the frame which last wrote this frame buffer, its Raster Pipeline is left out. The
//! colours are in memory already.
//!
//! Where we differ, and why:
//! - Signatures hold fixed-function state, clear colour and the identity of programs and textures too. The paper leaves these
//!   to the driver, which would switch the technique off for a frame; with two buffers one frame is not enough.
//! - A tile counts as unchanged where its inputs are equal, which the trace says in 64 bits. Tiles whose CRC alone is equal
//!   are counted as collisions and drawn, unless [`RenderingElimination::new`] is told to trust them.
//! - The paper's `ComputeCRC(CRC << 64)` is read as a multiplication by x^64: Fig. 11 shows the CRC before 32 zeros.
//! - Fig. 9 draws one Shift subunit, our machines have sixteen: nearly as many as the average primitive has sub-blocks, so that
//!   a tile is begun in almost every cycle. With one, a layer of two triangles over the whole screen takes 2 x 3600 x 18 =
//!   130,000 cycles to accumulate, which no queue hides, where the paper states 0.64 % more geometry cycles. Measured growth of
//!   the geometry, of all cycles, with 1, 2, 4, 8 subunits: match3 11.3, 5.4, 2.6, 1.1 %, corridor 2.9, 0.5, 0.1, 0.0 %. Sixteen
//!   are the fewest, of powers of two, with which no demo loses more than 1 % of its time, as the paper says of its games.
//!   `--set signature_unit.shift_subunits=1` is the unit of the figure. A deeper OT Queue does not stand in for them: with one
//!   subunit, tiling waits 1,566,202 cycles in four frames of match3 behind a queue of 16, and 1,556,100 behind one of 4096.
//! - Constants are signed when the draw's first primitive comes, not when the Command Processor sets them.
//! - The comparison takes the cycle in which the Tile Fetcher schedules the tile.
//!
//! Seam: [`crate::gpu::elide`].

mod unit;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;

pub use unit::{
    SHIFT_TABLES, SIGN_TABLES, SUBBLOCK, SignatureUnit, TABLE, UnitCounters, constant_cycles,
    primitive_cycles,
};

use crate::gpu::elide::{ArrayUse, BinningItem, Elider, ElisionReport, Verdict};
use crate::gpu::machine::SignatureUnitSpec;
use crate::grid::{TileGrid, TileId};
use crate::trace::{DrawTrace, FrameTrace, TileDigests, TileTrace};
use crate::units::{Bytes, Cycles};

/// The digests of the tiles of earlier frames, as the Signature Buffer keeps them.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// The current frame's at the end; those of the frame in the same buffer at the front, if the history goes so far.
    frames: VecDeque<Option<Vec<TileDigests>>>,
    grid: Option<TileGrid>,
    buffers: usize,
}

impl History {
    /// A frame begins. With several render targets, tiles are not comparable (section III-E).
    pub fn begin_frame(&mut self, frame: &FrameTrace, frame_buffers: u32) {
        if self.grid.replace(frame.grid) != Some(frame.grid) {
            self.frames.clear();
        }
        self.buffers = frame_buffers.max(1) as usize;
        let comparable = frame.targets.len() <= 1;
        let digests = || frame.tiles.iter().map(|tile| tile.digests).collect();
        self.frames.push_back(comparable.then(digests));
        while self.frames.len() > self.buffers + 1 {
            self.frames.pop_front();
        }
    }

    /// The tile's digests when its frame buffer was last written; none if that is not known.
    #[must_use]
    pub fn before(&self, tile: TileId) -> Option<TileDigests> {
        if self.frames.len() <= self.buffers || self.frames.back()?.is_none() {
            return None;
        }
        let frame = self.frames.front()?.as_ref()?;
        frame.get(tile.0 as usize).copied()
    }

    /// Sets of signatures that are alive at a time: the one that is made, and those of all frame buffers.
    #[must_use]
    pub fn signature_buffer(&self) -> Bytes {
        let n_tiles = self.grid.map_or(0, |grid| u64::from(grid.n_tiles()));
        Bytes(4 * n_tiles * (self.buffers as u64 + 1))
    }
}

/// The technique.
#[derive(Debug, Clone)]
pub struct RenderingElimination {
    spec: SignatureUnitSpec,
    refresh: Option<u64>,
    trust_signatures: bool,
    unit: SignatureUnit,
    history: History,
    frames: u64,
    whole: bool,
    report: ElisionReport,
    compared: u64,
}

impl RenderingElimination {
    /// The technique. With `refresh`, every buffer is drawn whole once in so many frames; with `trust_signatures`, tiles are
    /// left out by their CRC alone, as the chip does: one changed tile in four billion stays as it was.
    #[must_use]
    pub fn new(spec: SignatureUnitSpec, refresh: Option<u64>, trust_signatures: bool) -> Self {
        Self {
            spec,
            refresh,
            trust_signatures,
            unit: SignatureUnit::new(spec),
            history: History::default(),
            frames: 0,
            whole: false,
            report: ElisionReport::default(),
            compared: 0,
        }
    }
}

impl Elider for RenderingElimination {
    fn begin_frame(&mut self, frame: &FrameTrace, frame_buffers: u32) {
        self.history.begin_frame(frame, frame_buffers);
        self.unit.begin_frame(frame.tiles.len());
        let since = |period: u64| self.frames % period.max(1);
        self.whole = (self.refresh).is_some_and(|period| since(period) < frame_buffers.into());
        self.frames += 1;
        self.compared = 0;
        self.report = ElisionReport {
            tiles: frame.tiles.len() as u64,
            ..ElisionReport::default()
        };
    }

    fn ready(&mut self, item: BinningItem, now: Cycles) -> Cycles {
        let at = match item {
            BinningItem::Primitive => self.unit.takes_primitive_at(now.0),
            BinningItem::Tile => self.unit.takes_tile_at(now.0),
        };
        self.unit.stall(at - now.0);
        Cycles(at)
    }

    fn primitive(&mut self, draw: u32, facts: &DrawTrace, now: Cycles) {
        self.unit.primitive(draw, facts, now.0);
    }

    fn overlap(&mut self, tile: TileId, now: Cycles) {
        self.unit.tile(tile, now.0);
    }

    fn done_at(&self) -> Cycles {
        Cycles(self.unit.done_at())
    }

    fn tile(&mut self, tile: TileId, facts: &TileTrace) -> Verdict {
        self.compared += 1;
        let Some(before) = self.history.before(tile) else {
            return Verdict::Keep;
        };
        let now = facts.digests;
        let equal = before.inputs == now.inputs;
        let signed = before.input_crc == now.input_crc;
        self.report.collisions += u64::from(signed && !equal);
        let same_colors = before.color_crc == now.color_crc;
        self.report.false_negatives += u64::from(!equal && same_colors);
        if !self.whole && signed && (equal || self.trust_signatures) {
            self.report.tiles_skipped += 1;
            Verdict::Skip
        } else {
            Verdict::Keep
        }
    }

    fn take_report(&mut self) -> Option<ElisionReport> {
        let mut report = std::mem::take(&mut self.report);
        let counters = self.unit.take_counters();
        report.stall_cycles = Cycles(counters.stalled);
        report.busy_cycles = counters.busy();
        report.arrays = counters.arrays(self.spec, report.tiles).to_vec();
        report.arrays.push(ArrayUse {
            name: "Signature Buffer",
            size: self.history.signature_buffer(),
            count: 1,
            word: Bytes(4),
            reads: counters.updates + 2 * self.compared,
            writes: counters.updates,
        });
        Some(report)
    }
}
