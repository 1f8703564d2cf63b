//! Between the GPU's clock and the DRAM's: requests wait here for room in a channel's queue, completions are handed over at the first
//! GPU cycle that is not before them. Time is common to both domains in picoseconds, of which 64 bits hold half a year. This is the one
//! place where [`Cycles`] become [`DramCycles`] and back.

use std::collections::VecDeque;

use super::request::{Traffic, TrafficCounts};
use crate::gpu::access::AccessKind;
use crate::gpu::dram::{Dram, DramCompletion, DramRequest};
#[cfg(test)]
use crate::gpu::dram::{DramSpec, DramSpecError};
use crate::gpu::machine::L2Spec;
use crate::units::{Cycles, DramCycles, Picoseconds};

/// Writes that may wait in front of the DRAM; beyond, who writes waits. As many reads may wait as the L2 has miss registers.
const MAX_WRITES: usize = 64;

/// Read data that has arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arrival {
    pub(crate) line: u64,
    pub(crate) traffic: Traffic,
}

#[derive(Debug, Clone, Copy)]
struct Waiting {
    /// When it was given to the controller.
    since: Cycles,
    /// When it can be offered first: the way from the L2.
    from: Cycles,
    line: u64,
    traffic: Traffic,
    /// Bursts of the line already taken by the DRAM.
    bursts_taken: u8,
}

/// Counters of the memory controller, in lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ControllerCounters {
    pub(crate) reads: TrafficCounts,
    pub(crate) writes: TrafficCounts,
    pub(crate) reads_done: TrafficCounts,
    /// From the L2 to the DRAM's acceptance, summed over the bursts of reads: the fixed way, the link, and the wait for room in
    /// the channel's queue.
    pub(crate) read_wait_sum: Cycles,
    /// Bursts of reads that the DRAM has accepted.
    pub(crate) read_bursts: u64,
}

/// Lines that wait for the link between L2 and DRAM, in order. Reads go first: somebody waits for them, for writes nobody does.
#[derive(Debug, Default)]
struct Link {
    reads: VecDeque<Waiting>,
    writes: VecDeque<Waiting>,
    /// When the link can take a line.
    free_at: Cycles,
}

impl Link {
    fn is_empty(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty()
    }

    /// The next line to go, if one is there at `now`. Writes go before reads where they have filled their buffer, or a read is for the
    /// line of one of them.
    fn pop(&mut self, now: Cycles, writes_are_full: bool) -> Option<(AccessKind, Waiting)> {
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
    fn next_wake(&self) -> Cycles {
        let from = |queue: &VecDeque<Waiting>| queue.front().map_or(Cycles::MAX, |w| w.from);
        let there = from(&self.reads).min(from(&self.writes));
        if self.is_empty() {
            Cycles::MAX
        } else {
            there.max(self.free_at)
        }
    }
}

/// The GPU's side of the DRAM.
#[derive(Debug)]
pub(crate) struct MemoryController {
    dram: Dram,
    clocks: Clocks,
    /// Way there and way back, together, paid on the way there.
    latency: Cycles,
    /// How long a line keeps the link to the memory; 0 = no limit.
    link_cycles: Cycles,
    link: Link,
    line_bytes: u64,
    burst_bytes: u64,
    bursts_per_line: u8,
    /// Lines that wait for the DRAM, by channel.
    reads: Vec<VecDeque<Waiting>>,
    writes: Vec<VecDeque<Waiting>>,
    n_reads: usize,
    n_writes: usize,
    /// Most reads that may wait.
    max_reads: usize,
    /// Lines (with the kind of traffic above) of several bursts, and how many of these have not come.
    partial: Vec<(u64, u8)>,
    /// Bursts of everybody but the display, waiting or under way.
    n_outstanding: u64,
    completions: Vec<DramCompletion>,
    /// When offering has to be tried again.
    retry: Cycles,
    /// Nothing happens before this unless something is pushed.
    wake: Cycles,
    pub(crate) counters: ControllerCounters,
}

impl MemoryController {
    /// A controller with the baseline's request scheduler.
    #[cfg(test)]
    pub(crate) fn new(
        spec: &DramSpec,
        gpu_period: Picoseconds,
        l2: &L2Spec,
    ) -> Result<Self, DramSpecError> {
        Ok(Self::with_dram(Dram::new(spec)?, gpu_period, l2))
    }

    pub(crate) fn with_dram(dram: Dram, gpu_period: Picoseconds, l2: &L2Spec) -> Self {
        let spec = dram.spec();
        let dram_period = spec.timing.t_ck;
        let line_bytes = l2.tags.line.0;
        let burst_bytes = spec.request_bytes().0;
        let channels = spec.structure.channels as usize;
        Self {
            dram,
            clocks: Clocks {
                gpu: gpu_period,
                dram: dram_period,
            },
            latency: l2.memory_latency,
            link_cycles: match u64::from(l2.memory_bytes_per_cycle) {
                0 => Cycles::ZERO,
                bytes => Cycles(line_bytes.div_ceil(bytes)),
            },
            link: Link::default(),
            line_bytes,
            burst_bytes,
            // A line of at most 512 bytes has at most 256 bursts of at least 2; burst >= 4 bytes in every valid DRAM.
            bursts_per_line: (line_bytes / burst_bytes).clamp(1, 128) as u8,
            reads: vec![VecDeque::new(); channels],
            writes: vec![VecDeque::new(); channels],
            n_reads: 0,
            n_writes: 0,
            max_reads: (l2.banks * l2.mshrs_per_bank) as usize,
            partial: Vec::new(),
            n_outstanding: 0,
            completions: Vec::new(),
            retry: Cycles::MAX,
            wake: Cycles::MAX,
            counters: ControllerCounters::default(),
        }
    }

    pub(crate) fn dram(&mut self) -> &mut Dram {
        &mut self.dram
    }

    /// The DRAM's cycle that has begun at `now`.
    pub(crate) fn dram_cycle(&self, now: Cycles) -> DramCycles {
        self.clocks.dram_cycle(now)
    }

    pub(crate) fn has_room(&self, kind: AccessKind) -> bool {
        match kind {
            AccessKind::Read => self.n_reads < self.max_reads,
            AccessKind::Write => self.n_writes < MAX_WRITES,
        }
    }

    /// Whether nothing waits and nothing is under way, except for the display.
    pub(crate) fn is_idle(&self) -> bool {
        self.n_outstanding == 0
    }

    /// Lines of everybody but the display, waiting or under way; of a line of several bursts the last counts.
    pub(crate) fn lines_under_way(&self) -> u64 {
        self.n_outstanding.div_ceil(u64::from(self.bursts_per_line))
    }

    /// Takes a line. Beyond [`MemoryController::has_room`] only what must not wait: write-backs of an arriving line.
    pub(crate) fn push(&mut self, now: Cycles, line: u64, kind: AccessKind, traffic: Traffic) {
        let waiting = Waiting {
            since: now,
            from: now,
            line,
            traffic,
            bursts_taken: 0,
        };
        if traffic != Traffic::Display {
            self.n_outstanding += u64::from(self.bursts_per_line);
        }
        match kind {
            AccessKind::Read => {
                self.counters.reads[traffic] += 1;
                self.n_reads += 1;
            }
            AccessKind::Write => {
                self.counters.writes[traffic] += 1;
                self.n_writes += 1;
            }
        }
        if self.link_cycles == Cycles::ZERO {
            self.leave_link(now, kind, waiting);
        } else {
            match kind {
                AccessKind::Read => self.link.reads.push_back(waiting),
                AccessKind::Write => self.link.writes.push_back(waiting),
            }
            self.wake = self.wake.min(self.link.next_wake());
        }
    }

    /// Lines begin their way over the link, one after the other.
    fn tick_link(&mut self, now: Cycles) {
        if self.link.free_at > now {
            return;
        }
        if let Some((kind, waiting)) = self.link.pop(now, self.n_writes >= MAX_WRITES) {
            self.link.free_at = now + self.link_cycles;
            self.leave_link(now + self.link_cycles - Cycles(1), kind, waiting);
        }
    }

    /// A line is over the link at `at`; the way lies before it.
    fn leave_link(&mut self, at: Cycles, kind: AccessKind, waiting: Waiting) {
        let waiting = Waiting {
            from: at + self.latency,
            ..waiting
        };
        let channel = self
            .dram
            .locate(waiting.traffic.agent(), waiting.line)
            .channel as usize;
        match kind {
            AccessKind::Read => self.reads[channel].push_back(waiting),
            AccessKind::Write => self.writes[channel].push_back(waiting),
        }
        self.retry = self.retry.min(waiting.from);
        self.wake = self.wake.min(waiting.from);
    }

    /// Brings the DRAM to `now`, appends the lines that have arrived, offers what waits.
    pub(crate) fn tick(&mut self, now: Cycles, arrivals: &mut Vec<Arrival>) {
        if now < self.wake {
            return;
        }
        let cycle = self.dram_cycle(now);
        // `at` is the cycle in which the data is there: run that cycle too.
        let next = cycle + DramCycles(1);
        self.dram.run_until(next, &mut self.completions);
        self.collect(arrivals);
        self.tick_link(now);
        if now >= self.retry {
            self.offer(now, next);
        }
        self.wake = self.find_wake(now);
    }

    fn collect(&mut self, arrivals: &mut Vec<Arrival>) {
        let mut completions = std::mem::take(&mut self.completions);
        for done in completions.drain(..) {
            let traffic = Traffic::of_code((done.tag >> 56) as u8);
            if traffic != Traffic::Display {
                self.n_outstanding -= 1;
            }
            if done.kind.is_write() {
                continue;
            }
            let line = (done.tag & ((1 << 56) - 1)) & !(self.line_bytes - 1);
            let key = line | u64::from(traffic as u8) << 56;
            if self.bursts_per_line > 1 && !self.is_last_burst(key) {
                continue;
            }
            self.counters.reads_done[traffic] += 1;
            arrivals.push(Arrival { line, traffic });
        }
        self.completions = completions;
    }

    fn is_last_burst(&mut self, key: u64) -> bool {
        let Some(at) = self.partial.iter().position(|(known, _)| *known == key) else {
            self.partial.push((key, self.bursts_per_line - 1));
            return false;
        };
        self.partial[at].1 -= 1;
        let last = self.partial[at].1 == 0;
        if last {
            self.partial.swap_remove(at);
        }
        last
    }

    /// Offers the oldest of each channel and kind until the channel refuses.
    fn offer(&mut self, now: Cycles, cycle: DramCycles) {
        let mut retry = Cycles::MAX;
        for channel in 0..self.reads.len() {
            for kind in [AccessKind::Read, AccessKind::Write] {
                while let Some(waiting) = self.front(channel, kind) {
                    if waiting.from > now {
                        retry = retry.min(waiting.from);
                        break;
                    }
                    let address = waiting.line + u64::from(waiting.bursts_taken) * self.burst_bytes;
                    let request = DramRequest {
                        address,
                        kind,
                        agent: waiting.traffic.agent(),
                        tag: address | (waiting.traffic as u64) << 56,
                    };
                    if !self.dram.try_push(cycle, &request) {
                        let channel = self.dram.locate(request.agent, address).channel;
                        let event = self.dram.next_event_of(channel) + DramCycles(1);
                        retry = retry.min(self.clocks.gpu_cycle(event).max(now + Cycles(1)));
                        break;
                    }
                    self.taken(channel, kind, now);
                }
            }
        }
        self.retry = retry;
    }

    fn front(&self, channel: usize, kind: AccessKind) -> Option<Waiting> {
        match kind {
            AccessKind::Read => self.reads[channel].front().copied(),
            AccessKind::Write => self.writes[channel].front().copied(),
        }
    }

    /// One burst of the front of a queue has gone.
    fn taken(&mut self, channel: usize, kind: AccessKind, now: Cycles) {
        let (queue, n_waiting) = match kind {
            AccessKind::Read => (&mut self.reads[channel], &mut self.n_reads),
            AccessKind::Write => (&mut self.writes[channel], &mut self.n_writes),
        };
        if let Some(front) = queue.front_mut() {
            if kind == AccessKind::Read {
                self.counters.read_wait_sum += now - front.since;
                self.counters.read_bursts += 1;
            }
            front.bursts_taken += 1;
            if front.bursts_taken == self.bursts_per_line {
                queue.pop_front();
                *n_waiting -= 1;
            }
        }
    }

    /// The first cycle after `now` in which [`MemoryController::tick`] can do something.
    pub(crate) fn next_wake(&self, now: Cycles) -> Cycles {
        self.wake.max(now + Cycles(1))
    }

    fn find_wake(&self, now: Cycles) -> Cycles {
        let done = match self.dram.no_completion_before() {
            DramCycles::MAX => Cycles::MAX,
            done => self.clocks.gpu_cycle(done),
        };
        let waiting = self.link.next_wake();
        done.min(self.retry).min(waiting).max(now + Cycles(1))
    }
}

/// Periods of the two clocks, which began together.
#[derive(Debug, Clone, Copy)]
struct Clocks {
    gpu: Picoseconds,
    dram: Picoseconds,
}

impl Clocks {
    /// The DRAM's cycle that has begun at GPU cycle `now`.
    fn dram_cycle(self, now: Cycles) -> DramCycles {
        DramCycles((self.gpu * now.0).0 / self.dram.0)
    }

    /// The first GPU cycle at which the DRAM's cycle has begun.
    fn gpu_cycle(self, cycle: DramCycles) -> Cycles {
        Cycles((self.dram * cycle.0).0.div_ceil(self.gpu.0))
    }
}
