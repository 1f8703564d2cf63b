//! The machine's clock: when time alone lets some unit go on, and what an interval of it has counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::gpu::engine::{FrameRun, Gpu, Phase};
use crate::gpu::report::{INTERVAL, Interval};
use crate::gpu::shading::Core;
use crate::units::Cycles;

impl Gpu {
    /// Tiles that Raster Units have begun or that were left out, of all frames so far, the one under way included: brought
    /// up to date every [`INTERVAL`] cycles, so that another thread can see how far a long frame is.
    #[must_use]
    pub fn tiles_begun(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.n_tiles_begun)
    }

    /// Frames are given up, with [`FrameError::Interrupted`](crate::gpu::FrameError::Interrupted), while the flag is set:
    /// another thread needs them no more.
    pub fn interrupt_by(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = flag;
    }

    /// The next cycle in which some unit can do something; none if it is `Cycles::MAX`.
    pub(super) fn next_wake(&self, phase: Phase) -> Cycles {
        let now = self.now;
        let cores = self.cores.iter().map(|core| core.wake);
        let mut wake = cores.fold(Cycles::MAX, Cycles::min);
        // Nothing can be earlier, and while anything is drawn that is the rule.
        if wake <= now.next() {
            return now.next();
        }
        wake = wake.min(self.memory.next_wake(now)).min(self.display.due());
        match phase {
            Phase::Geometry => {
                wake = wake.min(self.geometry.next_wake(now));
                wake = wake.min(self.builder.next_wake(now));
                let ready = self.techniques_ready_at();
                wake = wake.min(if ready > now { ready } else { Cycles::MAX });
            }
            Phase::Immediate | Phase::Flush => {
                wake = wake.min(self.geometry.next_wake(now));
                let triangle = self.builder.queue.front().map(|(at, _)| *at);
                let triangle = triangle.filter(|at| *at > now);
                wake = wake.min(triangle.unwrap_or(Cycles::MAX));
                let immediate = self.immediate.as_ref();
                let immediate = immediate.map(|unit| unit.next_wake(now));
                wake = wake.min(immediate.unwrap_or(Cycles::MAX));
            }
            Phase::Raster => {
                wake = wake.min(self.fetcher.next_wake(now));
                for unit in &self.units {
                    wake = wake.min(unit.next_wake(now));
                }
            }
        }
        debug_assert!(
            self.cores.iter().all(|core| core.wake >= wake),
            "no core is forgotten"
        );
        wake.max(now.next())
    }

    /// The phase's work is done: no unit has any from now on, whatever it did in the last cycle.
    pub(super) fn rest(&mut self) {
        let now = self.now;
        self.geometry.rest(now);
        self.builder.rest(now);
        self.fetcher.rest(now);
        self.units.iter_mut().for_each(|unit| unit.rest(now));
        if let Some(immediate) = &mut self.immediate {
            immediate.rest(now);
        }
    }

    /// Notes the counts of the current interval and begins the next one.
    pub(super) fn end_interval(&mut self, run: &mut FrameRun) {
        let (memory, l2) = (&self.memory.controller, &self.memory.l2.counters);
        let mut dram_lines = memory.counters.reads;
        dram_lines += memory.counters.writes;
        let counted = Interval {
            start: Cycles(run.intervals.len() as u64 * INTERVAL),
            dram_lines,
            core_busy: self.cores.iter().map(Core::busy).sum(),
            arithmetic: self.cores.iter().map(Core::arithmetic).sum(),
            l2_accesses: l2.reads.total() + l2.writes.total(),
            l2_misses: l2.read_misses.total(),
            dram_queue: memory.lines_under_way(),
        };
        let n_begun = self.n_tiles_before + self.fetcher.n_begun();
        self.n_tiles_begun.store(n_begun, Ordering::Relaxed);
        let before = std::mem::replace(&mut run.interval_base, counted);
        run.intervals.push(counted.since(&before));
    }
}
