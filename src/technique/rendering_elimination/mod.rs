//! Rendering Elimination: M. Anglada, E. de Lucas, J.-M. Parcerisa, J. L. Aragón, P. Marcuello, A. González, "Rendering
//! Elimination: Early Discard of Redundant Tiles in the Graphics Pipeline", HPCA 2019, section III.
//!
//! While primitives are binned, a Signature Unit folds constants and attributes into a CRC32 for each tile. When a tile is
//! scheduled whose signature is that of the frame which last wrote this frame buffer, its Raster Pipeline is left out. The
//! colours are in memory already.
//!
//! Differences from the paper, and the reasons:
//! - Signatures hold fixed-function state, clear colour and the identity of programs and textures too. The paper leaves
//!   these to the driver, which would switch the technique off for a frame; with two buffers one frame is not enough.
//! - A tile counts as unchanged where its inputs are equal, which the trace says in 64 bits. Tiles whose CRC alone is equal
//!   are counted as collisions and drawn. `--set technique.re.trust_signatures=true` leaves them out, as the chip does.
//! - The paper's `ComputeCRC(CRC << 64)` is read as a multiplication by x^64: Fig. 11 shows the CRC before 32 zeros.
//! - One Shift subunit, as Fig. 9 draws it, excludes another number of the paper: signing the average primitive takes 18
//!   cycles, and as many again for each tile that it overlaps, so that one layer over the 3600 tiles of its screen takes
//!   64,800 cycles, of which a queue of 16 tiles hides 288. That these are the 0.64 % by which geometry grows would need 10
//!   million cycles of geometry, 25 ms at 400 MHz, in games that draw such a background in every frame. The technique's
//!   gain hardly depends on it, as the Raster Pipeline is so much longer. Eight frames, one and sixteen subunits: geometry
//!   of match3 19.5 and 2.1 times as long, of rope 28.9 and 2.7, of towers 7.6 and 1.3, of corridor 1.031 and 1.004; time
//!   of the baseline's 14 and 4 %, 21 and 7 %, 26 and 12 %, 100.9 and 100.0 %. `--set technique.re.shift_subunits=16` has
//!   as many as the average primitive has sub-blocks, nearly, and begins a tile in almost every cycle. A deeper OT Queue
//!   does not stand in for them: what is missing is throughput.
//! - The constants of a draw are signed whole, but charged as the paper charges them: its "average command that updates
//!   constants modifies 16 values", so Compute CRC and the tiles pay for the words that differ from those which the
//!   programs read last, and the bitmap is cleared where there are any. Constants are set up to two draws ahead; their CRC
//!   waits in front of its register for the draw's first primitive.
//! - Primitives wait for Compute CRC in a queue as deep as the OT Queue. The paper draws none, and has the Polygon List
//!   Builder wait for the OT Queue alone. Its entries are those of Table I's triangle queue; it is charged as the other
//!   memories are, as are the registers of Figs. 7 to 9, which the paper charges without saying their number: cells of a
//!   memory of their size.
//! - The paper "could" switch the technique off for a frame periodically (section III-E), and gives no period:
//!   `technique.re.refresh` is off where a machine says nothing. Each buffer is drawn whole once in the period, so that
//!   many frames in a row are.
//! - The Signature Buffer holds two sets of signatures, as section IV-C counts them. Comparing with the frame before last
//!   while a new set is made takes a third: `--set technique.re.signature_sets=3`, which changes energy alone.
//! - The paper does not say what its tables are made of. They are constants, so here they are read-only memories.
//! - The comparison takes the cycle in which the Tile Fetcher schedules the tile.
//!
//! Seam: [`azulejo_gpu::elide`].

mod spec;
mod unit;

#[cfg(test)]
mod tests;

pub use spec::ReSpec;
use unit::{SignatureUnit, UnitCounters};

use super::history::TileHistory;
use azulejo_gpu::elide::{BinningItem, Elider, Verdict};
use azulejo_gpu::{CounterUnit, MemoryKind, TechniqueCounter, TechniqueMemory, TechniqueReport};
use azulejo_grid::TileId;
use azulejo_trace::{DrawTrace, FrameTrace, TileTrace};
use azulejo_units::{Bytes, Cycles};

/// Name on the command line, in machine files and in reports.
pub(super) const NAME: &str = "re";

/// Seam of Rendering Elimination: the Signature Unit and the signatures of earlier frames.
#[derive(Debug, Clone)]
pub struct RenderingElimination {
    spec: ReSpec,
    unit: SignatureUnit,
    history: TileHistory,
    frames: u64,
    whole: bool,
    n_tiles: u64,
    comparisons: Comparisons,
}

/// Results of comparing signatures in a frame, in tiles.
#[derive(Debug, Clone, Copy, Default)]
struct Comparisons {
    compared: u64,
    /// Tiles with the signature of other inputs: false positives, which a chip would leave as they were.
    collisions: u64,
    /// Tiles whose inputs changed and whose colours did not: false negatives.
    false_negatives: u64,
}

impl RenderingElimination {
    /// Returns the technique before its first frame.
    #[must_use]
    pub fn new(spec: ReSpec) -> Self {
        Self {
            spec,
            unit: SignatureUnit::new(spec),
            history: TileHistory::default(),
            frames: 0,
            whole: false,
            n_tiles: 0,
            comparisons: Comparisons::default(),
        }
    }
}

impl Elider for RenderingElimination {
    fn begin_frame(&mut self, frame: &FrameTrace, frame_buffers: u32) {
        self.history.begin_frame(frame, frame_buffers);
        self.unit.begin_frame(frame.tiles.len());
        let since = self.frames.checked_rem(self.spec.refresh.into());
        self.whole = since.is_some_and(|since| since < frame_buffers.into());
        self.frames += 1;
        self.comparisons = Comparisons::default();
        self.n_tiles = frame.tiles.len() as u64;
    }

    fn ready(&mut self, item: BinningItem, now: Cycles) -> Cycles {
        let at = match item {
            BinningItem::Primitive => self.unit.takes_primitive_at(now),
            BinningItem::Tile => self.unit.takes_tile_at(now),
        };
        self.unit.stall(at - now);
        at
    }

    fn constants(&mut self, _: u32, facts: &DrawTrace, now: Cycles) {
        self.unit.constants(facts, now);
    }

    fn primitive(&mut self, draw: u32, facts: &DrawTrace, now: Cycles) {
        self.unit.primitive(draw, facts, now);
    }

    fn overlap(&mut self, tile: TileId, now: Cycles) {
        self.unit.tile(tile, now);
    }

    fn done_at(&self) -> Cycles {
        self.unit.done_at()
    }

    fn tile(&mut self, tile: TileId, facts: &TileTrace) -> Verdict {
        self.comparisons.compared += 1;
        let Some(before) = self.history.before(tile) else {
            return Verdict::Keep;
        };
        let now = facts.digests;
        let equal = before.inputs == now.inputs;
        let signed = before.input_crc == now.input_crc;
        self.comparisons.collisions += u64::from(signed && !equal);
        let same_colors = before.color_crc == now.color_crc;
        self.comparisons.false_negatives += u64::from(!equal && same_colors);
        if !self.whole && signed && (equal || self.spec.trust_signatures) {
            Verdict::Skip
        } else {
            Verdict::Keep
        }
    }

    fn take_report(&mut self) -> Option<TechniqueReport> {
        let counters = self.unit.take_counters();
        let mut memories = counters.memories(self.spec, self.n_tiles).to_vec();
        memories.push(TechniqueMemory {
            name: "Signature Buffer",
            kind: MemoryKind::Ram,
            size: self.history.signature_buffer(self.spec.signature_sets),
            count: 1,
            word: Bytes(4),
            reads: counters.updates + 2 * self.comparisons.compared,
            writes: counters.updates,
        });
        Some(TechniqueReport {
            technique: NAME,
            counters: self.comparisons.and(&counters).to_vec(),
            memories,
            maps: Vec::new(),
        })
    }
}

impl Comparisons {
    /// Counters of the report, with those of the unit.
    fn and(&self, unit: &UnitCounters) -> [TechniqueCounter; 4] {
        let counter = |name, about, unit, value| TechniqueCounter {
            name,
            about,
            unit,
            value,
        };
        let (tiles, cycles) = (CounterUnit::Tiles, CounterUnit::Cycles);
        [
            counter(
                "false_negatives",
                "drawn for nothing (equal colours)",
                tiles,
                self.false_negatives,
            ),
            counter(
                "collisions",
                "collisions of signatures",
                tiles,
                self.collisions,
            ),
            counter("stall_cycles", "tiling waited", cycles, unit.stalled),
            counter(
                "busy_cycles",
                "Signature Unit worked",
                cycles,
                unit.busy().0,
            ),
        ]
    }
}
