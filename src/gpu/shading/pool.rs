//! Equal units that start one instruction per interval, fed in order: the arithmetic or the special-function units of a
//! core. Everything about them is known when an instruction is issued, so they need no cycle of their own.

use crate::machine::CoreSpec;
use azulejo_units::Cycles;

/// Most units of a kind in a core.
const MAX_UNITS: usize = 32;

/// The units' next free cycles.
#[derive(Debug, Clone)]
pub(super) struct UnitPool {
    free_at: [Cycles; MAX_UNITS],
    /// The unit that is free first: in turn, because all intervals are equal.
    next: usize,
    n_units: usize,
    interval: Cycles,
}

impl UnitPool {
    pub(super) fn new(n_units: u32, interval: Cycles) -> Self {
        Self {
            free_at: [Cycles::ZERO; MAX_UNITS],
            next: 0,
            n_units: (n_units as usize).clamp(1, MAX_UNITS),
            interval,
        }
    }

    /// The cycle, not before `from`, in which the next instruction starts.
    #[inline]
    pub(super) fn start(&mut self, from: Cycles) -> Cycles {
        let free_at = &mut self.free_at[self.next % MAX_UNITS];
        let start = from.max(*free_at);
        *free_at = start.after(self.interval);
        self.next += 1;
        if self.next == self.n_units {
            self.next = 0;
        }
        start
    }
}

/// Units that start an instruction every cycle: only the cycle that is filled up matters.
#[derive(Debug, Clone)]
pub(super) struct FullRatePool {
    n_units: u32,
    /// The last cycle in which an instruction starts, and how many do.
    last: Cycles,
    n_started: u32,
}

impl FullRatePool {
    pub(super) fn new(n_units: u32) -> Self {
        Self {
            n_units: n_units.max(1),
            last: Cycles::ZERO,
            n_started: 0,
        }
    }

    /// The cycle, not before `from`, in which the next instruction starts.
    #[inline]
    pub(super) fn start(&mut self, from: Cycles) -> Cycles {
        if self.last < from {
            self.last = from;
            self.n_started = 0;
        } else if self.n_started == self.n_units {
            self.last = self.last.next();
            self.n_started = 0;
        }
        self.n_started += 1;
        self.last
    }
}

/// Arithmetic units of any kind. One for each core, so their difference in size does not matter.
#[expect(
    clippy::large_enum_variant,
    reason = "one a core, and the large one is the rare one"
)]
#[derive(Debug, Clone)]
pub(super) enum AluPool {
    /// As many as can be issued in a cycle, each starting an instruction every cycle: no instruction waits.
    Unbounded,
    FullRate(FullRatePool),
    Slow(UnitPool),
}

impl AluPool {
    pub(super) fn new(core: &CoreSpec) -> Self {
        if core.alu_interval.0 > 1 {
            Self::Slow(UnitPool::new(core.alus, core.alu_interval))
        } else if core.alus < core.issue_width {
            Self::FullRate(FullRatePool::new(core.alus))
        } else {
            Self::Unbounded
        }
    }

    /// Whether no instruction waits for a unit.
    pub(super) const fn is_unbounded(&self) -> bool {
        matches!(self, Self::Unbounded)
    }

    /// The cycle, not before `from`, in which the next instruction starts.
    #[inline]
    pub(super) fn start(&mut self, from: Cycles) -> Cycles {
        match self {
            Self::Unbounded => from,
            Self::FullRate(pool) => pool.start(from),
            Self::Slow(pool) => pool.start(from),
        }
    }
}

/// Cycles that collector units are released ahead; longer waits are excluded when a machine is validated.
const AHEAD: usize = 64;

/// Collector units that will become free, by cycle.
#[derive(Debug)]
pub(super) struct Releases {
    /// By cycle modulo [`AHEAD`].
    counts: [u8; AHEAD],
    /// Places with a count, as bits.
    pending: u64,
    taken_to: Cycles,
}

impl Default for Releases {
    fn default() -> Self {
        Self {
            counts: [0; AHEAD],
            pending: 0,
            taken_to: Cycles::ZERO,
        }
    }
}

impl Releases {
    /// Some more units become free at this time.
    #[inline]
    pub(super) fn add(&mut self, at: Cycles, n: u8) {
        let place = at.0 as usize % AHEAD;
        self.counts[place] += n;
        self.pending |= 1 << place;
    }

    /// The units that have become free up to `now`.
    #[inline]
    pub(super) fn take(&mut self, now: Cycles) -> u32 {
        if now == self.taken_to.next() {
            self.taken_to = now;
            let place = now.0 as usize % AHEAD;
            self.pending &= !(1 << place);
            return u32::from(std::mem::take(&mut self.counts[place]));
        }
        let mut sum = 0;
        let mut cycle = (self.taken_to.next().0).max(now.next().0.saturating_sub(AHEAD as u64));
        self.taken_to = now;
        loop {
            // Jump to the next place with a count.
            let ahead = self.pending.rotate_right((cycle % AHEAD as u64) as u32);
            cycle += u64::from(ahead.trailing_zeros());
            if ahead == 0 || cycle > now.0 {
                return sum;
            }
            let place = cycle as usize % AHEAD;
            sum += u32::from(std::mem::take(&mut self.counts[place]));
            self.pending &= !(1 << place);
        }
    }

    /// The next cycle after `now` in which a unit becomes free.
    pub(super) fn next(&self, now: Cycles) -> Cycles {
        if self.pending == 0 {
            return Cycles::MAX;
        }
        let ahead = self
            .pending
            .rotate_right((now.next().0 % AHEAD as u64) as u32);
        now.next().after(Cycles(ahead.trailing_zeros().into()))
    }
}
