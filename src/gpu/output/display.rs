//! The display controller: reads the picture shown line by line at a constant rate. A line that finds no way into the
//! memory is late.

use crate::access::AccessKind;
use crate::machine::DisplaySpec;
use crate::memory::{MemorySystem, NOBODY, Requester, Traffic};
use azulejo_units::Cycles;

/// Counters of the display's scan-out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct DisplayCounters {
    /// Lines requested from the memory.
    pub lines: u64,
    /// Lines requested later than they were due.
    pub late: u64,
}

/// Display controller: the picture shown and the pace of its lines.
#[derive(Debug, Clone)]
pub(crate) struct Display {
    spec: DisplaySpec,
    /// GPU cycles a second.
    clock: u64,
    /// Picture shown: first byte and lines.
    base: u64,
    n_lines: u64,
    line_bytes: u64,
    /// Next line, counted from switch-on; counters began at `began`.
    next: u64,
    began: Cycles,
    counters: DisplayCounters,
}

impl Display {
    pub(crate) fn new(spec: DisplaySpec, clock: u64, line_bytes: u64) -> Self {
        Self {
            spec,
            clock,
            base: 0,
            n_lines: 0,
            line_bytes,
            next: 0,
            began: Cycles::ZERO,
            counters: DisplayCounters::default(),
        }
    }

    /// Shows another picture of `bytes` bytes from `base`.
    pub(crate) fn show(&mut self, base: u64, bytes: u64, now: Cycles) {
        let n_lines = if self.spec.refresh == 0 {
            0
        } else {
            bytes.div_ceil(self.line_bytes)
        };
        if n_lines != self.n_lines {
            self.next = 0;
            self.began = now;
        }
        self.base = base;
        self.n_lines = n_lines;
    }

    /// When the next line is due.
    pub(crate) fn due(&self) -> Cycles {
        if self.n_lines == 0 {
            return Cycles::MAX;
        }
        let lines_per_second = u128::from(self.spec.refresh) * u128::from(self.n_lines);
        let since = u128::from(self.next) * u128::from(self.clock) / lines_per_second;
        self.began + Cycles(since as u64)
    }

    pub(crate) fn tick(&mut self, now: Cycles, memory: &mut MemorySystem) {
        while self.due() <= now {
            let line = self.base + self.next % self.n_lines * self.line_bytes;
            let requester = Requester {
                traffic: Traffic::Display,
                tile: NOBODY,
                draw: NOBODY,
            };
            if !memory.push_direct(now, line, AccessKind::Read, requester) {
                return;
            }
            self.counters.lines += 1;
            self.counters.late += u64::from(self.due() < now);
            self.next += 1;
        }
    }

    pub(crate) fn take_counters(&mut self) -> DisplayCounters {
        std::mem::take(&mut self.counters)
    }
}
