//! Completions on their way back: in, as they come to be known; out, in the order of their cycles.

use std::collections::VecDeque;

use super::request::DramCompletion;
use super::timing::NEVER;
use azulejo_units::DramCycles;

/// Completions that a channel will hand back. Both queues are by cycle, because each kind takes the same time always.
#[derive(Debug, Default)]
pub(super) struct Returning {
    reads: VecDeque<DramCompletion>,
    /// Acknowledged writes and forwarded reads.
    at_once: VecDeque<DramCompletion>,
}

impl Returning {
    /// A read with an issued command; not before one pushed earlier.
    pub(super) fn push_read(&mut self, done: DramCompletion) {
        self.reads.push_back(done);
    }

    /// A request that needs no command; not before one pushed earlier.
    pub(super) fn push_at_once(&mut self, done: DramCompletion) {
        self.at_once.push_back(done);
    }

    /// The first cycle in which something is done.
    pub(super) fn next_at(&self) -> DramCycles {
        let at = |queue: &VecDeque<DramCompletion>| queue.front().map_or(NEVER, |done| done.at);
        at(&self.reads).min(at(&self.at_once))
    }

    /// The first that is done before `clock`; of the same cycle, reads before the others.
    pub(super) fn pop_before(&mut self, clock: DramCycles) -> Option<DramCompletion> {
        let first = self.next_at();
        if first >= clock {
            return None;
        }
        let is_first = |done: &mut DramCompletion| done.at == first;
        let read = self.reads.pop_front_if(is_first);
        read.or_else(|| self.at_once.pop_front())
    }
}
