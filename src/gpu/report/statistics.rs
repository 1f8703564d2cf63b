//! Counters of units while they run: cycles by activity, and costs by tile and by draw.

use crate::memory::{NOBODY, Traffic, TrafficCounts};
use azulejo_units::Cycles;

/// Activity of a unit in a cycle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum State {
    /// Has nothing to do.
    #[default]
    Idle,
    /// Has something and cannot go on.
    Stalled,
    /// Does something in this cycle.
    Busy,
}

/// Cycles of a unit; they sum to the cycles of the frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct ActivityCounters {
    /// In which it did something.
    pub busy: Cycles,
    /// In which it had something to do and could not.
    pub stalled: Cycles,
    /// In which it had nothing to do.
    pub idle: Cycles,
}

impl ActivityCounters {
    /// Busy, stalled and idle together.
    #[must_use]
    pub fn total(&self) -> Cycles {
        self.busy + self.stalled + self.idle
    }
}

impl std::ops::AddAssign for ActivityCounters {
    fn add_assign(&mut self, other: Self) {
        self.busy += other.busy;
        self.stalled += other.stalled;
        self.idle += other.idle;
    }
}

/// Counts cycles by state; a state holds until the next is set, so skipped cycles cost nothing.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Activity {
    state: State,
    since: Cycles,
    counters: ActivityCounters,
}

impl Activity {
    /// From `now` on the unit is in this state.
    pub(crate) fn set(&mut self, state: State, now: Cycles) {
        if state != self.state {
            self.count_until(now);
            self.state = state;
        }
    }

    fn count_until(&mut self, now: Cycles) {
        let cycles = now.saturating_sub(self.since);
        self.since = self.since.max(now);
        match self.state {
            State::Idle => self.counters.idle += cycles,
            State::Stalled => self.counters.stalled += cycles,
            State::Busy => self.counters.busy += cycles,
        }
    }

    /// Cycles since the last call, up to `now`.
    pub(crate) fn take(&mut self, now: Cycles) -> ActivityCounters {
        self.count_until(now);
        std::mem::take(&mut self.counters)
    }
}

/// Cost of a tile or of a draw.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct CostCounters {
    /// Warps that ran for it.
    pub warps: u64,
    /// Cycles from a warp's launch to its last result, summed over warps: as many run in a core at once as it has places.
    pub warp_cycles: Cycles,
    /// Warp instructions issued, one for all threads of a warp.
    pub instructions: u64,
    /// Instructions of all threads of these warps.
    pub thread_instructions: u64,
    /// Thread instructions among these that are special functions.
    pub transcendental_threads: u64,
    /// Thread instructions among these that are texture samples.
    pub texture_threads: u64,
    /// Thread instructions among these that are loads, stores and atomics.
    #[serde(skip_serializing_if = "is_zero")]
    pub buffer_threads: u64,
    /// Accesses to texture caches, merged within a warp.
    pub texture_accesses: u64,
    /// Texture accesses that did not find their line there.
    pub texture_misses: u64,
    /// Lines of buffers that programs accessed, merged within a warp.
    #[serde(skip_serializing_if = "is_zero")]
    pub buffer_accesses: u64,
    /// Lines that went over the DRAM's pins for it. Commands, vertices and attributes are a draw's, lists and colours a
    /// tile's, texels and attributes that are read back are both.
    pub dram_lines: TrafficCounts,
}

impl std::ops::AddAssign for CostCounters {
    fn add_assign(&mut self, other: Self) {
        self.warps += other.warps;
        self.warp_cycles += other.warp_cycles;
        self.instructions += other.instructions;
        self.thread_instructions += other.thread_instructions;
        self.transcendental_threads += other.transcendental_threads;
        self.texture_threads += other.texture_threads;
        self.buffer_threads += other.buffer_threads;
        self.texture_accesses += other.texture_accesses;
        self.texture_misses += other.texture_misses;
        self.buffer_accesses += other.buffer_accesses;
        self.dram_lines += other.dram_lines;
    }
}

/// Cost of a tile, and the times of its drawing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct TileCost {
    /// Raster Unit that drew it.
    pub raster_unit: u32,
    /// From the start of the frame to its fetch.
    pub start: Cycles,
    /// From the start of the frame to the end of its flush.
    pub end: Cycles,
    /// Cycles between its first quad's entry into the fragment stage and its last quad's leaving it.
    pub fragment_cycles: Cycles,
    /// Left out as a whole.
    pub skipped: bool,
    /// Drawn, but its flush left out.
    pub flush_skipped: bool,
    /// Warps, instructions, texture accesses and DRAM lines.
    #[serde(flatten)]
    pub cost: CostCounters,
}

/// Whether a report leaves a count out that not every frame has.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
pub(crate) const fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Instructions that a warp has run from its first to its last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct WarpWork {
    pub(crate) instructions: u64,
    pub(crate) transcendentals: u64,
    pub(crate) thread_instructions: u64,
    pub(crate) transcendental_threads: u64,
    pub(crate) texture_threads: u64,
    pub(crate) buffer_threads: u64,
}

/// Costs by tile and by draw, of the frame under way.
#[derive(Debug, Clone, Default)]
pub(crate) struct Attribution {
    pub(crate) tiles: Vec<TileCost>,
    pub(crate) draws: Vec<CostCounters>,
}

impl Attribution {
    pub(crate) fn new(n_tiles: usize, n_draws: usize) -> Self {
        Self {
            tiles: vec![TileCost::default(); n_tiles],
            draws: vec![CostCounters::default(); n_draws],
        }
    }

    fn add(&mut self, tile: u32, draw: u32, mut change: impl FnMut(&mut CostCounters)) {
        if tile != NOBODY {
            change(&mut self.tiles[tile as usize].cost);
        }
        if draw != NOBODY {
            change(&mut self.draws[draw as usize]);
        }
    }

    pub(crate) fn warp(&mut self, tile: u32, draw: u32, work: &WarpWork, cycles: Cycles) {
        self.add(tile, draw, |cost| {
            cost.warps += 1;
            cost.warp_cycles += cycles;
            cost.instructions += work.instructions;
            cost.thread_instructions += work.thread_instructions;
            cost.transcendental_threads += work.transcendental_threads;
            cost.texture_threads += work.texture_threads;
            cost.buffer_threads += work.buffer_threads;
        });
    }

    pub(crate) fn texture_accesses(&mut self, tile: u32, draw: u32, lines: u64) {
        self.add(tile, draw, |cost| cost.texture_accesses += lines);
    }

    pub(crate) fn texture_miss(&mut self, tile: u32, draw: u32) {
        self.add(tile, draw, |cost| cost.texture_misses += 1);
    }

    pub(crate) fn buffer_accesses(&mut self, tile: u32, draw: u32, lines: u64) {
        self.add(tile, draw, |cost| cost.buffer_accesses += lines);
    }

    pub(crate) fn dram_line(&mut self, tile: u32, draw: u32, traffic: Traffic) {
        self.add(tile, draw, |cost| cost.dram_lines[traffic] += 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn activity_counts_skipped_cycles_in_the_state_that_held() {
        let mut activity = Activity::default();
        activity.set(State::Busy, Cycles(10));
        activity.set(State::Busy, Cycles(15));
        activity.set(State::Stalled, Cycles(20));
        let counters = activity.take(Cycles(50));
        assert_eq!(counters.idle, Cycles(10), "before the first");
        assert_eq!(counters.busy, Cycles(10), "10 to 20");
        assert_eq!(counters.stalled, Cycles(30), "20 to 50");
        assert_eq!(
            activity.take(Cycles(60)).stalled,
            Cycles(10),
            "the state holds on"
        );
    }
}
