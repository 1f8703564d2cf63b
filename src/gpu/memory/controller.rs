//! Between the GPU's clock and the DRAM's: requests wait here for room in a channel's queue, completions are handed over at the first
//! GPU cycle that is not before them. Time is common to both domains in picoseconds, of which 64 bits hold half a year. This is the one
//! place where [`Cycles`] become [`DramCycles`] and back.

use std::collections::VecDeque;

use super::request::{Traffic, TrafficCounts};
use crate::gpu::access::AccessKind;
use crate::gpu::dram::{AgentId, Dram, DramCompletion, DramRequest};
#[cfg(test)]
use crate::gpu::dram::{DramSpec, DramSpecError};
use crate::gpu::machine::L2Spec;
use crate::units::{Cycles, DramCycles, Picoseconds};

/// Lines that may wait in front of the DRAM, by kind of access; beyond, requesters wait.
const MAX_WAITING: usize = 64;

/// Read data that has arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arrival {
    pub(crate) line: u64,
    pub(crate) traffic: Traffic,
}

#[derive(Debug, Clone, Copy)]
struct Waiting {
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
}

/// The GPU's side of the DRAM.
#[derive(Debug)]
pub(crate) struct MemoryController {
    dram: Dram,
    clocks: Clocks,
    /// Way there and way back, together, paid on the way there.
    latency: Cycles,
    /// How long a line keeps the way to the memory, and when that is free again.
    link_cycles: Cycles,
    link_free: Cycles,
    line_bytes: u64,
    burst_bytes: u64,
    bursts_per_line: u8,
    /// Lines that wait for the DRAM, by channel.
    reads: Vec<VecDeque<Waiting>>,
    writes: Vec<VecDeque<Waiting>>,
    n_reads: usize,
    n_writes: usize,
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
        let spec = *dram.spec();
        let line_bytes = l2.tags.line.0;
        let burst_bytes = spec.request_bytes().0;
        let channels = spec.structure.channels as usize;
        Self {
            dram,
            clocks: Clocks {
                gpu: gpu_period,
                dram: spec.timing.t_ck,
            },
            latency: l2.memory_latency,
            link_cycles: match u64::from(l2.memory_bytes_per_cycle) {
                0 => Cycles::ZERO,
                bytes => Cycles(line_bytes.div_ceil(bytes)),
            },
            link_free: Cycles::ZERO,
            line_bytes,
            burst_bytes,
            // A line of at most 512 bytes has at most 256 bursts of at least 2; burst >= 4 bytes in every valid DRAM.
            bursts_per_line: (line_bytes / burst_bytes).clamp(1, 128) as u8,
            reads: vec![VecDeque::new(); channels],
            writes: vec![VecDeque::new(); channels],
            n_reads: 0,
            n_writes: 0,
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
            AccessKind::Read => self.n_reads < MAX_WAITING,
            AccessKind::Write => self.n_writes < MAX_WAITING,
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
        let start = now.max(self.link_free);
        self.link_free = start + self.link_cycles;
        let waiting = Waiting {
            from: start + self.link_cycles.saturating_sub(Cycles(1)) + self.latency,
            line,
            traffic,
            bursts_taken: 0,
        };
        if traffic != Traffic::Display {
            self.n_outstanding += u64::from(self.bursts_per_line);
        }
        let channel = self.dram.locate(line).channel as usize;
        match kind {
            AccessKind::Read => {
                self.counters.reads[traffic] += 1;
                self.n_reads += 1;
                self.reads[channel].push_back(waiting);
            }
            AccessKind::Write => {
                self.counters.writes[traffic] += 1;
                self.n_writes += 1;
                self.writes[channel].push_back(waiting);
            }
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
                        agent: AgentId(0),
                        tag: address | (waiting.traffic as u64) << 56,
                    };
                    if !self.dram.try_push(cycle, &request) {
                        let event = self.dram.next_event_at(address) + DramCycles(1);
                        retry = retry.min(self.clocks.gpu_cycle(event).max(now + Cycles(1)));
                        break;
                    }
                    self.taken(channel, kind);
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
    fn taken(&mut self, channel: usize, kind: AccessKind) {
        let (queue, n_waiting) = match kind {
            AccessKind::Read => (&mut self.reads[channel], &mut self.n_reads),
            AccessKind::Write => (&mut self.writes[channel], &mut self.n_writes),
        };
        if let Some(front) = queue.front_mut() {
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
        done.min(self.retry).max(now + Cycles(1))
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
