//! When a rank must be refreshed: a counter that takes the ranks in turn, all banks of a rank at once, evenly spread in
//! time.

use std::collections::VecDeque;

use azulejo_units::DramCycles;

/// The refresh counter of one channel.
#[derive(Debug, Clone)]
pub(super) struct RefreshCounter {
    interval: DramCycles,
    /// When the next rank is queued.
    next_at: DramCycles,
    next_rank: usize,
    n_ranks: usize,
    due: VecDeque<usize>,
}

impl RefreshCounter {
    pub(super) fn new(interval: DramCycles, n_ranks: usize) -> Self {
        Self {
            interval,
            next_at: interval,
            next_rank: 0,
            n_ranks,
            due: VecDeque::new(),
        }
    }

    /// When the next rank is queued.
    pub(super) const fn next_at(&self) -> DramCycles {
        self.next_at
    }

    /// Counts up to `now`: queues the next rank if its time has come.
    pub(super) fn tick(&mut self, now: DramCycles) {
        if now < self.next_at {
            return;
        }
        self.due.push_back(self.next_rank);
        self.next_rank = (self.next_rank + 1) % self.n_ranks;
        self.next_at += self.interval;
    }

    /// Passes over the ranks due before `end`, each rank's last excepted, and returns how many these are: for a channel at
    /// rest, in which each would be refreshed in the very cycle in which it is due, and leave no trace but the count once
    /// the rank is refreshed again.
    pub(super) fn pass_until(&mut self, end: DramCycles) -> u64 {
        let due = end.saturating_sub(self.next_at).0.div_ceil(self.interval.0);
        let passed = due.saturating_sub(self.n_ranks as u64);
        self.next_at += self.interval * passed;
        // Below the number of ranks.
        self.next_rank = ((self.next_rank as u64 + passed) % self.n_ranks as u64) as usize;
        passed
    }

    /// The rank due for a refresh: its queues are blocked until it is refreshed.
    pub(super) fn due_rank(&self) -> Option<usize> {
        self.due.front().copied()
    }

    /// The refresh of [`due_rank`](Self::due_rank) has been issued.
    pub(super) fn done(&mut self) {
        self.due.pop_front();
    }
}
