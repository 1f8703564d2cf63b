//! Activity over time: counts of parts of a frame.

use serde::Serialize;

use crate::memory::TrafficCounts;
use azulejo_units::Cycles;

/// Cycles of an interval (LIBRA, Fig. 7).
pub const INTERVAL: u64 = 5000;

/// Activity in a part of a frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Interval {
    /// From the start of the frame.
    pub start: Cycles,
    /// Lines over the DRAM's pins.
    pub dram_lines: TrafficCounts,
    /// Cycles in which a core issued something, summed over all cores.
    pub core_busy: Cycles,
    /// Warp instructions issued but those of textures, by all cores.
    pub arithmetic: u64,
    /// Reads and writes that the L2 accepted, in lines.
    pub l2_accesses: u64,
    /// Reads among these that did not find their line.
    pub l2_misses: u64,
    /// Lines that wait for the DRAM or are on their way, but for the display's, at the end of the interval.
    pub dram_queue: u64,
}

impl Interval {
    /// Counts added since `before`, of counters that only grow; `start` and the queue are this one's.
    pub(crate) fn since(&self, before: &Self) -> Self {
        let mut lines = self.dram_lines;
        for (now, before) in lines.0.iter_mut().zip(before.dram_lines.0) {
            *now -= before;
        }
        Self {
            dram_lines: lines,
            core_busy: self.core_busy.saturating_sub(before.core_busy),
            arithmetic: self.arithmetic - before.arithmetic,
            l2_accesses: self.l2_accesses - before.l2_accesses,
            l2_misses: self.l2_misses - before.l2_misses,
            ..*self
        }
    }
}
