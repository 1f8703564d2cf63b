//! The machine's clock: when time alone lets some unit go on, what an interval of it has counted, and which unit waits for
//! what where it stands still.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::{FrameRun, Gpu};
use crate::failure::Deadlock;
use crate::frame::PreparedFrame;
use crate::report::{INTERVAL, Interval};
use crate::shading::Core;
use azulejo_units::Cycles;

impl Gpu {
    /// Tiles that Raster Units have begun or that were left out, of all frames so far, the one under way included: brought
    /// up to date every [`INTERVAL`] cycles, so that another thread can see how far a long frame is.
    #[must_use]
    pub fn tiles_begun(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.n_tiles_begun)
    }

    /// Frames are given up, with [`FrameError::Interrupted`](crate::FrameError::Interrupted), while the flag is set:
    /// another thread needs them no more.
    pub fn interrupt_by(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = flag;
    }

    /// The next cycle in which some unit can do something; none if it is `Cycles::MAX`.
    pub(super) fn next_wake(&self) -> Cycles {
        let (now, common) = (self.now, &self.common);
        let cores = common.cores.iter().map(|core| core.wake);
        let cores = cores.fold(Cycles::MAX, Cycles::min);
        // Nothing can be earlier, and while anything is drawn that is the rule.
        if cores <= now.next() {
            return now.next();
        }
        let memory = common.memory.next_wake(now).min(self.display.due());
        let pipeline = self.pipeline.next_wake(now, common);
        cores.min(memory).min(pipeline).max(now.next())
    }

    /// Counts of the frame under way.
    pub(super) fn counted(&self) -> Interval {
        let (cores, memory) = (&self.common.cores, &self.common.memory);
        let (controller, l2) = (&memory.controller, &memory.l2.counters);
        let mut dram_lines = controller.counters.reads;
        dram_lines += controller.counters.writes;
        Interval {
            start: Cycles::ZERO,
            dram_lines,
            core_busy: cores.iter().map(Core::busy).sum(),
            arithmetic: cores.iter().map(Core::arithmetic).sum(),
            l2_accesses: l2.reads.total() + l2.writes.total(),
            l2_misses: l2.read_misses.total(),
            dram_queue: controller.lines_under_way(),
        }
    }

    /// Notes the counts of the current interval and begins the next one.
    pub(super) fn end_interval(&mut self, run: &mut FrameRun) {
        let counted = Interval {
            start: Cycles(run.intervals.len() as u64 * INTERVAL),
            ..self.counted()
        };
        let n_begun = self.n_tiles_before + self.pipeline.n_tiles_begun();
        self.n_tiles_begun.store(n_begun, Ordering::Relaxed);
        let before = std::mem::replace(&mut run.interval_base, counted);
        run.intervals.push(counted.since(&before));
    }

    /// Grows with everything that is done in a frame, but for what the display does.
    pub(super) fn work_done(&self) -> u64 {
        let common = &self.common;
        let cores = common.cores.iter().map(Core::work_done).sum::<u64>();
        let rest = common.geometry.work_done() + common.memory.work_done();
        cores + rest + self.pipeline.work_done()
    }

    /// Deadlock report: the waits of all units, as far as one can say from outside.
    pub(super) fn deadlock(&self, facts: &PreparedFrame<'_>) -> Deadlock {
        let mut waiting = self.pipeline.waiting(self.now, facts, &self.common);
        if !self.common.memory.is_idle() {
            waiting.push("the memory has lines under way".to_owned());
        }
        if !self.techniques.is_empty() {
            waiting.push(format!("techniques: {}", self.techniques.join(", ")));
        }
        Deadlock {
            cycle: self.now,
            waiting: waiting.join("; "),
        }
    }
}
