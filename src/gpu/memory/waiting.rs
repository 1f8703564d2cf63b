//! Lines that wait: on the link between L2 and memory, then for room in a channel's queue. Each knows for whom it is.

use std::collections::VecDeque;

use super::request::Traffic;
use crate::gpu::access::AccessKind;
use crate::units::Cycles;

/// A line that waits for the DRAM.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiting {
    /// When it was given to the controller.
    pub(super) since: Cycles,
    /// When it can be offered first: the way from the L2.
    pub(super) from: Cycles,
    pub(super) line: u64,
    pub(super) asker: Asker,
    /// Bursts of the line already taken by the DRAM.
    pub(super) bursts_taken: u8,
}

/// For whom a line is, as the first byte of the DRAM's tags has it: the GPU's kinds of traffic, or from 128 on the agents beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Asker(pub(super) u8);

impl Asker {
    const AGENTS: u8 = 1 << 7;

    pub(super) const fn of_gpu(traffic: Traffic) -> Self {
        Self(traffic as u8)
    }

    pub(super) const fn of_agent(number: usize) -> Self {
        Self(Self::AGENTS | number as u8)
    }

    /// The agent's number, or why the GPU wants the line.
    pub(super) const fn who(self) -> Result<Traffic, usize> {
        match self.0 < Self::AGENTS {
            true => Ok(Traffic::of_code(self.0)),
            false => Err((self.0 & !Self::AGENTS) as usize),
        }
    }
}

/// The queues of one channel for one kind of access.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lane {
    pub(super) channel: usize,
    pub(super) kind: AccessKind,
}

/// Lines that wait for the link between L2 and DRAM, in order. Reads go first: somebody waits for them, for writes nobody does.
#[derive(Debug, Default)]
pub(super) struct Link {
    pub(super) reads: VecDeque<Waiting>,
    pub(super) writes: VecDeque<Waiting>,
    /// When the link can take a line.
    pub(super) free_at: Cycles,
}

impl Link {
    fn is_empty(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty()
    }

    /// The next line to go, if one is there at `now`. Writes go before reads where they have filled their buffer, or a read is for the
    /// line of one of them.
    pub(super) fn pop(
        &mut self,
        now: Cycles,
        writes_are_full: bool,
    ) -> Option<(AccessKind, Waiting)> {
        let there = |queue: &VecDeque<Waiting>| queue.front().copied().filter(|w| w.from <= now);
        let (read, write) = (there(&self.reads), there(&self.writes));
        let hits_a_write =
            |read: Waiting| (self.writes.iter()).any(|write| write.line == read.line);
        let write_goes = write.is_some() && (writes_are_full || read.is_none_or(hits_a_write));
        if write_goes {
            return self
                .writes
                .pop_front()
                .map(|write| (AccessKind::Write, write));
        }
        read?;
        self.reads.pop_front().map(|read| (AccessKind::Read, read))
    }

    /// When the next line can go.
    pub(super) fn next_wake(&self) -> Cycles {
        let from = |queue: &VecDeque<Waiting>| queue.front().map_or(Cycles::MAX, |w| w.from);
        let there = from(&self.reads).min(from(&self.writes));
        if self.is_empty() {
            Cycles::MAX
        } else {
            there.max(self.free_at)
        }
    }
}
