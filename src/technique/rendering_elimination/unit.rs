//! The Signature Unit (section III-F, Figs. 7 to 11): its busy times, and the stalls that it causes the Polygon List
//! Builder.
//!
//! Signatures themselves are facts of the trace. Here is their price: Compute CRC takes a cycle for every 64 bits of
//! constants, when the Command Processor sets them, and of attributes, when the Polygon List Builder writes them; a Shift
//! subunit of Accumulate CRC takes as many cycles for each tile of the OT Queue, to shift the tile's signature by the
//! block's length. Both work side by side, on a primitive and on the one before; between them stand the registers Primitive
//! CRC and Constants CRC, which change when the last tile that needs them is done.
//!
//! All times follow from those before, so nothing is ticked: a queue of start times says how full the OT Queue is.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::spec::ReSpec;
use crate::crc_tables::{SHIFT_TABLES, SIGN_TABLES, SUBBLOCK, TABLE};
use azulejo_gpu::{MemoryKind, TechniqueMemory};
use azulejo_grid::TileId;
use azulejo_trace::DrawTrace;
use azulejo_units::{Bytes, Cycles};

/// Bytes of an entry of the primitive queue: those of Table I's triangle queue, which holds as much of a primitive.
const PRIMITIVE_BYTES: u64 = 388;
/// Bytes of a Shift Amount register: blocks of 65,535 sub-blocks.
const SHIFT_AMOUNT: Bytes = Bytes(2);

/// Counters of the unit in a frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct UnitCounters {
    /// Sub-blocks that Compute CRC signed.
    pub(super) signed: u64,
    /// Sub-blocks among them that came through the primitive queue.
    pub(super) queued: u64,
    /// Blocks that they formed: primitives, and the constants of draws that set any.
    pub(super) blocks: u64,
    /// Shifts of Accumulate CRC.
    pub(super) shifted: u64,
    /// Tiles that went through the OT Queue.
    pub(super) tiles: u64,
    /// Updates of a signature: one for each of these, and another for constants that were set since the tile's last.
    pub(super) updates: u64,
    /// Cycles in which the Polygon List Builder waited.
    pub(super) stalled: u64,
}

/// Signature Unit: times at which each of its parts is free again, in GPU cycles.
#[derive(Debug, Clone)]
pub(super) struct SignatureUnit {
    ot_queue: usize,
    primitive_queue: usize,
    /// The constants bitmap: tiles that have taken the last constants set.
    seen: Vec<bool>,
    draw: Option<u32>,
    /// Registers Shift Amount C and P.
    shift_constants: Cycles,
    shift_primitive: Cycles,
    /// Cycle from which on the registers hold the current primitive's CRC.
    loaded_at: Cycles,
    /// Cycle from which on Compute CRC can begin with something else.
    compute_free: Cycles,
    /// Cycles in which Compute CRC begins with the primitives that wait for it.
    waiting: VecDeque<Cycles>,
    /// Cycle at which each Shift subunit of Accumulate CRC is done with the tiles that it will take, the earliest on top.
    shift_free: BinaryHeap<Reverse<Cycles>>,
    /// Cycle at which all subunits are done.
    accumulate_free: Cycles,
    /// Cycles at which the entries of the OT Queue leave it.
    queue: VecDeque<Cycles>,
    counters: UnitCounters,
}

impl SignatureUnit {
    /// Returns the unit of a machine.
    #[must_use]
    pub(super) fn new(spec: ReSpec) -> Self {
        Self {
            ot_queue: spec.ot_queue as usize,
            primitive_queue: spec.primitive_queue as usize,
            seen: Vec::new(),
            draw: None,
            shift_constants: Cycles::ZERO,
            shift_primitive: Cycles::ZERO,
            loaded_at: Cycles::ZERO,
            compute_free: Cycles::ZERO,
            waiting: VecDeque::new(),
            shift_free: (0..spec.shift_subunits)
                .map(|_| Reverse(Cycles::ZERO))
                .collect(),
            accumulate_free: Cycles::ZERO,
            queue: VecDeque::new(),
            counters: UnitCounters::default(),
        }
    }

    /// Begins a frame of `n_tiles` tiles.
    pub(super) fn begin_frame(&mut self, n_tiles: usize) {
        self.draw = None;
        self.shift_constants = Cycles::ZERO;
        self.seen.clear();
        self.seen.resize(n_tiles, false);
    }

    /// First cycle from `now` on in which a primitive can come.
    #[must_use]
    pub(super) fn takes_primitive_at(&mut self, now: Cycles) -> Cycles {
        room_at(&mut self.waiting, self.primitive_queue, now)
    }

    /// First cycle from `now` on in which the OT Queue has room.
    #[must_use]
    pub(super) fn takes_tile_at(&mut self, now: Cycles) -> Cycles {
        room_at(&mut self.queue, self.ot_queue, now)
    }

    /// Counts `cycles` that the Polygon List Builder waits for the unit.
    pub(super) fn stall(&mut self, cycles: Cycles) {
        self.counters.stalled += cycles.0;
    }

    /// Takes a draw's constants from the Command Processor. Their CRC waits in front of the register for the draw's first
    /// primitive.
    pub(super) fn constants(&mut self, facts: &DrawTrace, now: Cycles) {
        let cycles = constant_cycles(facts);
        self.compute_free = self.compute_free.max(now) + cycles;
        self.counters.signed += cycles.0;
        self.counters.blocks += u64::from(cycles > Cycles::ZERO);
    }

    /// Takes a primitive; there is room.
    pub(super) fn primitive(&mut self, draw: u32, facts: &DrawTrace, now: Cycles) {
        let constants = constant_cycles(facts);
        if self.draw.replace(draw) != Some(draw) && constants > Cycles::ZERO {
            self.seen.fill(false);
            self.shift_constants = constants;
        }
        self.shift_primitive = primitive_cycles(facts);
        self.counters.signed += self.shift_primitive.0;
        self.counters.queued += self.shift_primitive.0;
        self.counters.blocks += 1;
        let start = self.compute_free.max(now);
        self.waiting.push_back(start);
        // The result moves on when the last tile of the primitive before has been taken care of.
        self.loaded_at = (start + self.shift_primitive).max(self.accumulate_free);
        self.compute_free = self.loaded_at;
    }

    /// Takes a tile that the primitive overlaps; there is room.
    pub(super) fn tile(&mut self, tile: TileId, now: Cycles) {
        let free = self
            .shift_free
            .pop()
            .map_or(Cycles::ZERO, |Reverse(free)| free);
        let start = now.next().max(free).max(self.loaded_at);
        let first = !std::mem::replace(&mut self.seen[tile.0 as usize], true);
        let constants = if first {
            self.shift_constants
        } else {
            Cycles::ZERO
        };
        let cycles = constants + self.shift_primitive;
        self.queue.push_back(start);
        self.shift_free.push(Reverse(start + cycles));
        self.accumulate_free = self.accumulate_free.max(start + cycles);
        self.counters.tiles += 1;
        self.counters.updates += 1 + u64::from(first);
        self.counters.shifted += cycles.0;
    }

    /// Cycle at which all that came is signed.
    #[must_use]
    pub(super) fn done_at(&self) -> Cycles {
        self.accumulate_free.max(self.loaded_at)
    }

    /// Takes the counters since the last call.
    pub(super) fn take_counters(&mut self) -> UnitCounters {
        std::mem::take(&mut self.counters)
    }
}

impl UnitCounters {
    /// Cycles in which a unit worked, one after the other.
    #[must_use]
    pub(super) const fn busy(&self) -> Cycles {
        Cycles(self.signed + self.shifted)
    }

    /// Memories of the unit, and their accesses; the bitmap has `n_tiles` bits.
    #[must_use]
    pub(super) fn memories(&self, spec: ReSpec, n_tiles: u64) -> [TechniqueMemory; 7] {
        let tables = |name, count, reads| TechniqueMemory {
            name,
            kind: MemoryKind::Rom,
            size: TABLE,
            count,
            word: Bytes(4),
            reads,
            writes: 0,
        };
        let queue = |name, entries: u32, entry: u64, word, passed| TechniqueMemory {
            name,
            kind: MemoryKind::Ram,
            size: Bytes(entry * u64::from(entries)),
            count: 1,
            word,
            reads: passed,
            writes: passed,
        };
        let sign_and_shift = SIGN_TABLES + SHIFT_TABLES;
        let [crcs, amounts] = self.registers(spec);
        [
            tables(
                "Compute CRC tables",
                sign_and_shift,
                u64::from(sign_and_shift) * self.signed,
            ),
            tables(
                "Accumulate CRC tables",
                SHIFT_TABLES * spec.shift_subunits,
                u64::from(SHIFT_TABLES) * self.shifted,
            ),
            queue("OT Queue", spec.ot_queue, 2, Bytes(2), self.tiles),
            queue(
                "primitive queue",
                spec.primitive_queue,
                PRIMITIVE_BYTES,
                Bytes(SUBBLOCK),
                self.queued,
            ),
            crcs,
            amounts,
            TechniqueMemory {
                name: "constants bitmap",
                kind: MemoryKind::Ram,
                size: Bytes(n_tiles.div_ceil(8)),
                count: 1,
                word: Bytes(1),
                reads: self.tiles,
                writes: self.updates - self.tiles,
            },
        ]
    }

    /// The registers of Figs. 7 to 9. 32 bits have: Primitive CRC, Constants CRC, and the CRC Out of Compute CRC and of each
    /// Shift subunit, which every sub-block reads and writes. Shift Amount P and C count the sub-blocks of a block; a Shift
    /// subunit counts them down.
    fn registers(&self, spec: ReSpec) -> [TechniqueMemory; 2] {
        let register = |name, size, fixed: u32, [reads, writes]: [u64; 2]| TechniqueMemory {
            name,
            kind: MemoryKind::Ram,
            size,
            count: fixed + spec.shift_subunits,
            word: size,
            reads,
            writes,
        };
        let steps = self.signed + self.shifted;
        let crcs = [steps + self.updates, steps + self.blocks];
        let amounts = [steps + self.updates, steps + self.updates];
        [
            register("CRC registers", Bytes(4), 3, crcs),
            register("Shift Amount registers", SHIFT_AMOUNT, 2, amounts),
        ]
    }
}

/// The first cycle from `now` on in which a queue whose entries leave it at these times has room.
fn room_at(leave_at: &mut VecDeque<Cycles>, entries: usize, now: Cycles) -> Cycles {
    while leave_at.front().is_some_and(|at| *at <= now) {
        leave_at.pop_front();
    }
    match leave_at.front() {
        Some(at) if leave_at.len() >= entries => *at,
        _ => now,
    }
}

/// Cycles to sign the constants that are set for a draw, padded to whole sub-blocks.
#[must_use]
pub(super) const fn constant_cycles(draw: &DrawTrace) -> Cycles {
    Cycles((draw.set_constant_bytes as u64).div_ceil(SUBBLOCK))
}

/// Cycles to sign the attributes of one of a draw's primitives.
#[must_use]
pub(super) fn primitive_cycles(draw: &DrawTrace) -> Cycles {
    Cycles(draw.primitive_bytes().div_ceil(SUBBLOCK))
}
