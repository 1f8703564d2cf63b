//! Between the GPU's clock and the DRAM's: requests wait here for room in a channel's queue, completions are handed over at
//! the first GPU cycle that is not before them. Both clocks began together and are exact fractions of each other, whatever
//! their frequencies. This is the one place where [`Cycles`] become [`DramCycles`] and back.

use super::agent_queues::AgentQueues;
use super::request::{Traffic, TrafficCounts};
use super::waiting::{Asker, GPU, Lane, Link, Waiting};
use crate::access::AccessKind;
use crate::dram::{AgentNotice, ChannelCounters, Dram, DramCompletion};
#[cfg(test)]
use crate::dram::{DramSpec, DramSpecError};
use crate::machine::L2Spec;
use crate::report::TechniqueReport;
use azulejo_units::{Cycles, DramCycles, Hertz, Picoseconds, Ratio};

/// Writes of the GPU that may wait in front of the DRAM; beyond, units that write wait. As many reads may wait as the L2 has miss
/// registers.
const MAX_WRITES: usize = 64;

/// Read data that has arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arrival {
    pub(crate) line: u64,
    pub(crate) traffic: Traffic,
}

/// Counters of the memory controller, in lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ControllerCounters {
    pub(crate) reads: TrafficCounts,
    pub(crate) writes: TrafficCounts,
    pub(crate) reads_done: TrafficCounts,
    /// From the L2 to the DRAM's acceptance, summed over the bursts of reads: the fixed way, the link, and the wait for
    /// room in the channel's queue.
    pub(crate) read_wait_sum: Cycles,
    /// Bursts of reads that the DRAM has accepted.
    pub(crate) read_bursts: u64,
}

/// The GPU's side of the DRAM.
#[derive(Debug)]
pub(crate) struct MemoryController {
    pub(super) dram: Dram,
    pub(super) clocks: Clocks,
    /// Way there and way back, together, paid on the way there.
    latency: Cycles,
    link: Link,
    pub(super) burst_bytes: u64,
    /// Lines of the GPU that wait for the DRAM, by kind of access, and how many reads may.
    pub(super) n_waiting: [usize; 2],
    max_reads: usize,
    /// Bursts of the GPU but its display's, waiting or under way.
    n_outstanding: u64,
    completions: Vec<DramCompletion>,
    /// Queues and counters of all agents, the GPU first.
    pub(super) agents: AgentQueues,
    /// Number of the agent to be offered next, by channel and kind.
    pub(super) turns: Vec<[usize; 2]>,
    /// When offering has to be tried again.
    pub(super) retry: Cycles,
    /// Nothing happens before this unless something is pushed.
    wake: Cycles,
    pub(crate) counters: ControllerCounters,
}

impl MemoryController {
    /// A controller with the baseline's request scheduler.
    #[cfg(test)]
    pub(crate) fn new(spec: &DramSpec, clock: Hertz, l2: &L2Spec) -> Result<Self, DramSpecError> {
        Ok(Self::with_dram(Dram::new(spec)?, clock, l2))
    }

    pub(crate) fn with_dram(dram: Dram, clock: Hertz, l2: &L2Spec) -> Self {
        let spec = dram.spec();
        let clocks = Clocks::new(clock, spec.timing.t_ck);
        let (line, burst) = (l2.tags.line, spec.request_bytes());
        let channels = spec.structure.channels as usize;
        Self {
            dram,
            clocks,
            latency: l2.memory_latency,
            link: Link::new(line.0, l2.memory_bytes_per_cycle),
            burst_bytes: burst.0,
            n_waiting: [0; 2],
            max_reads: (l2.banks * l2.mshrs_per_bank) as usize,
            n_outstanding: 0,
            completions: Vec::new(),
            agents: AgentQueues::new(line, burst, channels),
            turns: vec![[GPU; 2]; channels],
            retry: Cycles::MAX,
            wake: Cycles::MAX,
            counters: ControllerCounters::default(),
        }
    }

    /// Queues and counters of the agents.
    pub(crate) const fn agents(&self) -> &AgentQueues {
        &self.agents
    }

    /// Takes a line of another agent than the GPU, which does not come over the L2's link.
    pub(super) fn push_of_agent(
        &mut self,
        now: Cycles,
        number: usize,
        kind: AccessKind,
        line: u64,
    ) {
        let waiting = self.ask(now, Asker::of_agent(number), line);
        self.set_out(now, kind, waiting);
    }

    fn ask(&mut self, now: Cycles, asker: Asker, line: u64) -> Waiting {
        self.agents.count_asked(asker.agent());
        Waiting {
            since: now,
            from: now,
            line,
            asker,
            bursts_taken: 0,
        }
    }

    /// A line sets out at `at` for its channel.
    fn set_out(&mut self, at: Cycles, kind: AccessKind, mut waiting: Waiting) {
        waiting.from = at + self.latency;
        let place = self
            .dram
            .locate(self.agents.id(waiting.asker), waiting.line);
        let channel = place.channel as usize;
        let queue = (self.agents).queue(waiting.asker.agent(), Lane { channel, kind });
        queue.push_back(waiting);
        self.retry = self.retry.min(waiting.from);
        self.wake = self.wake.min(waiting.from);
    }

    /// Passes on to the DRAM's schedulers what an agent says of itself.
    pub(crate) fn notice(&mut self, now: Cycles, notice: &AgentNotice) {
        let cycle = self.dram_cycle(now);
        self.dram.notice(cycle, notice);
        // Channels have run: what was done there comes back in the next cycle.
        self.wake = self.wake.min(now + Cycles(1));
    }

    /// The DRAM's cycle that has begun at `now`.
    pub(crate) fn dram_cycle(&self, now: Cycles) -> DramCycles {
        self.clocks.dram_cycle(now)
    }

    pub(crate) fn has_room(&self, kind: AccessKind) -> bool {
        let most = match kind {
            AccessKind::Read => self.max_reads,
            AccessKind::Write => MAX_WRITES,
        };
        self.n_waiting[kind as usize] < most
    }

    /// Whether nothing of the GPU waits or is under way, except for the display.
    pub(crate) fn is_idle(&self) -> bool {
        self.n_outstanding == 0
    }

    /// Lines of the GPU but its display's, waiting or under way; of a line of several bursts the last counts.
    pub(crate) fn lines_under_way(&self) -> u64 {
        let bursts_per_line = self.agents.bursts_per_line(GPU);
        self.n_outstanding.div_ceil(bursts_per_line.into())
    }

    /// Takes a line of the GPU. Beyond [`MemoryController::has_room`] only lines that must not wait: write-backs of an
    /// arriving line.
    pub(crate) fn push(&mut self, now: Cycles, line: u64, kind: AccessKind, traffic: Traffic) {
        let waiting = self.ask(now, Asker::of_gpu(traffic), line);
        if traffic != Traffic::Display {
            self.n_outstanding += u64::from(self.agents.bursts_per_line(GPU));
        }
        self.n_waiting[kind as usize] += 1;
        match kind {
            AccessKind::Read => self.counters.reads[traffic] += 1,
            AccessKind::Write => self.counters.writes[traffic] += 1,
        }
        if self.link.is_unlimited() {
            self.set_out(now, kind, waiting);
        } else {
            self.link.push(kind, waiting);
            self.wake = self.wake.min(self.link.next_wake());
        }
    }

    /// Lines begin their way over the link, one after the other.
    fn tick_link(&mut self, now: Cycles) {
        while let Some((kind, waiting)) = (self.link).pop(now, !self.has_room(AccessKind::Write)) {
            let through = self.link.pass(now);
            self.set_out(through, kind, waiting);
        }
    }

    /// Whether [`MemoryController::tick`] would do something at `now`.
    #[inline]
    pub(crate) fn is_due(&self, now: Cycles) -> bool {
        self.wake <= now
    }

    /// Brings the DRAM to `now`, appends the lines that have arrived, offers what waits.
    pub(crate) fn tick(&mut self, now: Cycles, arrivals: &mut Vec<Arrival>) {
        if !self.is_due(now) {
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

    /// Runs the cycles before that of `now`, collects what is done, and takes the counters of the channels.
    pub(super) fn take_dram_counters(
        &mut self,
        now: Cycles,
        arrivals: &mut Vec<Arrival>,
    ) -> Vec<ChannelCounters> {
        self.dram
            .run_until(self.clocks.dram_cycle(now), &mut self.completions);
        self.collect(arrivals);
        self.dram.take_counters()
    }

    /// Counters of techniques' schedulers of the channels since the last call.
    pub(crate) fn take_scheduler_reports(&mut self) -> Vec<TechniqueReport> {
        self.dram.take_reports().collect()
    }

    fn collect(&mut self, arrivals: &mut Vec<Arrival>) {
        for done in self.completions.drain(..) {
            let (asker, line) = self.agents.burst_done(&done, self.clocks.dram);
            let Some(traffic) = asker.traffic() else {
                continue;
            };
            if traffic != Traffic::Display {
                self.n_outstanding -= 1;
            }
            if let Some(line) = line.filter(|_| !done.kind.is_write()) {
                self.counters.reads_done[traffic] += 1;
                arrivals.push(Arrival { line, traffic });
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

/// The two clocks, which began together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clocks {
    pub(super) gpu: Hertz,
    dram: Picoseconds,
    /// Cycles of the DRAM in one of the GPU, and the other way round.
    dram_per_gpu: Ratio,
    gpu_per_dram: Ratio,
}

impl Clocks {
    fn new(gpu: Hertz, dram: Picoseconds) -> Self {
        let second = u128::from(Picoseconds::SECOND.0);
        let dram_per_gpu = Ratio::new(second, u128::from(gpu.0) * u128::from(dram.0));
        Self {
            gpu,
            dram,
            dram_per_gpu,
            gpu_per_dram: dram_per_gpu.inverse(),
        }
    }

    /// The DRAM's cycle that has begun at GPU cycle `now`.
    fn dram_cycle(self, now: Cycles) -> DramCycles {
        DramCycles(self.dram_per_gpu.floor_of(now.0))
    }

    /// The first GPU cycle at which the DRAM's cycle has begun.
    pub(super) fn gpu_cycle(self, cycle: DramCycles) -> Cycles {
        Cycles(self.gpu_per_dram.ceil_of(cycle.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_agree_to_the_cycle_at_any_frequency_and_time() {
        let mut state = 1_u64;
        for mhz in [1, 3, 333, 400, 600, 950, 1001, 7000, 9999] {
            for period in [1, 313, 625, 830, 1250, 1500, 99_999] {
                let clocks = Clocks::new(Hertz::from_mhz(mhz), Picoseconds(period));
                for _ in 0..20 {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    let now = state >> 20;
                    // Time of `now` in millionths of a picosecond times the frequency.
                    let exact =
                        u128::from(now) * 1_000_000 / (u128::from(mhz) * u128::from(period));
                    assert_eq!(
                        u128::from(clocks.dram_cycle(Cycles(now)).0),
                        exact,
                        "{mhz} {period}"
                    );
                    let cycle = DramCycles(state >> 24);
                    let first = clocks.gpu_cycle(cycle);
                    assert!(clocks.dram_cycle(first) >= cycle, "{mhz} {period}: begun");
                    let before = Cycles(first.0.saturating_sub(1));
                    assert!(
                        first == Cycles::ZERO || clocks.dram_cycle(before) < cycle,
                        "{mhz} {period}: and not before"
                    );
                }
            }
        }
    }
}
