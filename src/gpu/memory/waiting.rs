//! Lines that wait: on the link between L2 and memory, then for room in a channel's queue. Each carries its requester.

use std::collections::VecDeque;

use super::request::Traffic;
use crate::access::AccessKind;
use azulejo_units::Cycles;

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

/// The GPU's number among the agents of the memory; the others follow in their order.
pub(super) const GPU: usize = 0;

/// Requester of a line, as the first byte of the DRAM's tags has it: the GPU's kinds of traffic, or from 129 on the other
/// agents by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Asker(u8);

impl Asker {
    const AGENTS: u8 = 1 << 7;
    /// Bits of a tag that hold an address.
    const ADDRESS: u32 = 56;

    pub(super) const fn of_gpu(traffic: Traffic) -> Self {
        Self(traffic as u8)
    }

    pub(super) const fn of_agent(number: usize) -> Self {
        Self(Self::AGENTS | number as u8)
    }

    /// Number of the agent.
    pub(super) const fn agent(self) -> usize {
        match self.0 < Self::AGENTS {
            true => GPU,
            false => (self.0 & !Self::AGENTS) as usize,
        }
    }

    /// Kind of traffic, of the GPU's lines.
    pub(super) fn traffic(self) -> Option<Traffic> {
        (self.agent() == GPU).then(|| Traffic::of_code(self.0))
    }

    /// The DRAM's tag of a burst.
    pub(super) const fn tag(self, address: u64) -> u64 {
        address | (self.0 as u64) << Self::ADDRESS
    }

    /// Requester and address of a tag.
    pub(super) const fn of_tag(tag: u64) -> (Self, u64) {
        let address = tag & ((1 << Self::ADDRESS) - 1);
        (Self((tag >> Self::ADDRESS) as u8), address)
    }
}

/// The queues of one channel for one kind of access.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lane {
    pub(super) channel: usize,
    pub(super) kind: AccessKind,
}

/// Lines that wait for the link between L2 and DRAM, in order. Reads go first: units wait for them, and for no write.
///
/// A line takes `line / width` cycles, a fraction as it is: the next line begins in the cycle in which it ends, with what
/// is left of it.
#[derive(Debug)]
pub(super) struct Link {
    reads: VecDeque<Waiting>,
    writes: VecDeque<Waiting>,
    /// Bytes of a line, and bytes that go over the link in a cycle; 0 = no limit.
    line: u64,
    width: u64,
    /// Bytes that could have gone over the link from the first cycle to when it can take a line: a time in parts of a
    /// cycle.
    free_at: u128,
}

impl Link {
    pub(super) fn new(line_bytes: u64, bytes_per_cycle: u32) -> Self {
        Self {
            reads: VecDeque::new(),
            writes: VecDeque::new(),
            line: line_bytes,
            width: bytes_per_cycle.into(),
            free_at: 0,
        }
    }

    pub(super) const fn is_unlimited(&self) -> bool {
        self.width == 0
    }

    /// The first cycle in which the link can take a line, or a part of it.
    fn free_from(&self) -> Cycles {
        Cycles((self.free_at / u128::from(self.width.max(1))) as u64)
    }

    /// A line goes over the link from `now` on, or from when it is free in that cycle; the last cycle in which a byte of it
    /// does.
    pub(super) fn pass(&mut self, now: Cycles) -> Cycles {
        let width = u128::from(self.width.max(1));
        self.free_at = self.free_at.max(u128::from(now.0) * width) + u128::from(self.line);
        Cycles(((self.free_at - 1) / width) as u64)
    }

    pub(super) fn push(&mut self, kind: AccessKind, waiting: Waiting) {
        match kind {
            AccessKind::Read => self.reads.push_back(waiting),
            AccessKind::Write => self.writes.push_back(waiting),
        }
    }

    fn is_empty(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty()
    }

    /// The next line to go, if one is there at `now` and the link is free in that cycle. Writes go before reads where they
    /// have filled their buffer, or a read is for the line of one of them.
    pub(super) fn pop(
        &mut self,
        now: Cycles,
        writes_are_full: bool,
    ) -> Option<(AccessKind, Waiting)> {
        if self.is_empty() || self.free_from() > now {
            return None;
        }
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
            there.max(self.free_from())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_passes_lines_in_fractions_of_a_cycle() {
        // Three lines of 64 bytes in four cycles of 48: bytes 0 to 63 end in cycle 1, those to 127 in 2, those to 191 in 3.
        let mut link = Link::new(64, 48);
        let ends: Vec<_> = (0..6).map(|_| link.pass(Cycles::ZERO).0).collect();
        assert_eq!(ends, [1, 2, 3, 5, 6, 7], "and again");
        // Two lines a cycle.
        let mut link = Link::new(64, 128);
        let ends: Vec<_> = (0..5).map(|_| link.pass(Cycles(10)).0).collect();
        assert_eq!(ends, [10, 10, 11, 11, 12], "two and two");
        // Whole cycles, as many as it takes.
        let mut link = Link::new(64, 4);
        assert_eq!(link.pass(Cycles(5)).0, 20, "sixteen cycles from 5 on");
        assert_eq!(link.free_from(), Cycles(21), "then it is free");
    }

    #[test]
    fn link_moves_no_more_bytes_than_its_width_in_any_time() {
        for (line, width) in [(64, 3), (64, 7), (128, 48), (64, 63), (64, 65), (512, 1000)] {
            let mut link = Link::new(line, width);
            let n = 1000;
            let last = (0..n).map(|_| link.pass(Cycles::ZERO)).last();
            let cycles = last.map_or(0, |at| at.0 + 1);
            let least = (n * line).div_ceil(u64::from(width));
            assert_eq!(cycles, least, "{line} over {width}");
        }
    }
}
