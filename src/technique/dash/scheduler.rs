//! Scheduler of one channel: picks the next command by rank. Time is worked out from the cycle of each call; units that
//! have gone by since the last call are made up for one by one.

use super::clusters::Clusters;
use super::counters::Counters;
use super::progress::Accelerator;
use super::spec::{Bandwidth, DashSpec};
use azulejo_gpu::TechniqueReport;
use azulejo_gpu::dram::{
    AgentId, AgentNotice, BankSet, Candidate, Candidates, DramCommand, QueuedRequest,
    RequestScheduler, first_ready,
};
use azulejo_units::{Cycles, DramCycles, Hertz, Picoseconds};

/// First agent index of the cores, behind the GPU and the display.
const FIRST_CORE: usize = 2;
const GPU: usize = AgentId::GPU.idx();
const DISPLAY: usize = AgentId::DISPLAY.idx();

/// Rank of a request: the least goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Priority {
    level: u8,
    /// Order within a level: a deadline, or a place among cores.
    then: u64,
}

/// Interval of the processor's clock that repeats. Ends are counted in cycles, so that a period that is no whole number of
/// picoseconds does not drift.
#[derive(Debug, Clone, Copy)]
struct Unit {
    clock: Hertz,
    length: Cycles,
    /// Cycle in which the interval under way ends.
    end: Cycles,
    /// Time of that cycle.
    next: Picoseconds,
}

impl Unit {
    fn new(clock: Hertz, length: Cycles) -> Self {
        let next = clock.time_of(length);
        Self {
            clock,
            length,
            end: length,
            next,
        }
    }

    /// Whether the interval ends at `at`; the next begins then.
    fn take(&mut self, at: Picoseconds) -> bool {
        let is_over = self.next == at;
        if is_over {
            self.end += self.length;
            self.next = self.clock.time_of(self.end);
        }
        is_over
    }
}

/// DASH for one channel.
#[derive(Debug, Clone)]
pub struct Dash {
    spec: DashSpec,
    /// Period of the DRAM's clock.
    tick: Picoseconds,
    accelerators: [Accelerator; FIRST_CORE],
    clusters: Clusters,
    /// Bursts of accelerators in the quantum under way, and of cores with much traffic in the switching unit.
    of_accelerators: u64,
    of_intensive: u64,
    scheduling: Unit,
    switching: Unit,
    shuffling: Unit,
    quantum: Unit,
    random: u64,
    counters: Counters,
}

impl Dash {
    /// Returns the scheduler of a channel whose clock has the period `tick`, with banks of one rank.
    #[must_use]
    pub fn new(spec: &DashSpec, tick: Picoseconds, n_banks: u32, channel: u32) -> Self {
        let unit = |cycles: u64| Unit::new(Hertz::from_mhz(spec.cpu_mhz), Cycles(cycles));
        let accelerator =
            |period_us: u64, urgent| Accelerator::new(Picoseconds(period_us * 1_000_000), urgent);
        Self {
            spec: *spec,
            tick,
            accelerators: [
                accelerator(spec.gpu_period_us, spec.urgent_percent_gpu),
                accelerator(spec.display_period_us, spec.urgent_percent),
            ],
            clusters: Clusters::new(n_banks),
            of_accelerators: 0,
            of_intensive: 0,
            scheduling: unit(spec.scheduling_unit),
            switching: unit(spec.switching_unit),
            shuffling: unit(spec.shuffling_interval),
            quantum: unit(spec.quantum),
            random: spec.seed.wrapping_add(u64::from(channel) << 32),
            counters: Counters::default(),
        }
    }

    /// Ends all units due by `now`, in the order of their times.
    fn advance(&mut self, now: DramCycles) {
        let now = self.tick * now.0;
        loop {
            let units = [
                self.quantum.next,
                self.shuffling.next,
                self.scheduling.next,
                self.switching.next,
            ];
            let at = units.into_iter().min().unwrap_or(Picoseconds::MAX);
            if at > now {
                return;
            }
            if self.quantum.take(at) {
                self.cluster();
            }
            if self.shuffling.take(at) {
                self.clusters.shuffle();
                self.counters.shuffles += 1;
            }
            if self.scheduling.take(at) {
                self.judge(at);
            }
            if self.switching.take(at) {
                self.switch(at);
            }
        }
    }

    fn judge(&mut self, at: Picoseconds) {
        self.counters.scheduling_units += 1;
        for (which, accelerator) in self.accelerators.iter_mut().enumerate() {
            accelerator.judge(at);
            if accelerator.has_work() {
                let counters = self.counters.accelerator(which);
                counters.judged(accelerator.is_urgent());
            }
        }
    }

    fn cluster(&mut self) {
        let others = std::mem::take(&mut self.of_accelerators);
        let others = match self.spec.bandwidth {
            Bandwidth::Cpu => 0,
            Bandwidth::System => others,
        };
        self.clusters.cluster(self.spec.cluster_percent, others);
        self.counters.quanta += 1;
        for core in 0..self.clusters.n_cores() {
            let is_intensive = self.clusters.is_intensive(core);
            self.counters.clustered(core, is_intensive);
        }
    }

    fn switch(&mut self, at: Picoseconds) {
        let of_cores = std::mem::take(&mut self.of_intensive);
        self.counters.switching_units += 1;
        for which in 0..self.accelerators.len() {
            let coin = self.throw();
            let accelerator = &mut self.accelerators[which];
            let was_first = accelerator.are_cores_first();
            accelerator.switch(at, self.spec.balance, of_cores, coin);
            let counters = self.counters.accelerator(which);
            counters.switched(was_first, accelerator.are_cores_first());
        }
    }

    /// Random number from 0 to 99 (`SplitMix64`).
    fn throw(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * 100) >> 64) as u64
    }

    /// Rank of an agent: urgent accelerators, cores with little traffic, then accelerators and cores with much by the
    /// coins.
    pub(super) fn priority(&self, agent: AgentId) -> Priority {
        let at = agent.idx();
        let Some(accelerator) = self.accelerators.get(at) else {
            let core = at - FIRST_CORE;
            let level = if self.clusters.is_intensive(core) {
                3
            } else {
                1
            };
            let then = self.clusters.rank(core) as u64;
            return Priority { level, then };
        };
        let level = match (accelerator.is_urgent(), accelerator.are_cores_first()) {
            (true, _) => 0,
            (false, false) => 2,
            (false, true) => 4,
        };
        let then = accelerator.deadline().0;
        Priority { level, then }
    }

    /// Counts a burst that is served.
    fn serve(&mut self, agent: AgentId) {
        let at = agent.idx();
        if let Some(accelerator) = self.accelerators.get_mut(at) {
            let is_urgent = accelerator.is_urgent();
            self.counters.accelerator(at).serve(is_urgent);
            accelerator.serve();
            self.of_accelerators += 1;
            return;
        }
        let core = at - FIRST_CORE;
        let is_intensive = self.clusters.is_intensive(core);
        self.counters.serve_core(core, is_intensive);
        self.of_intensive += u64::from(is_intensive);
        self.clusters.serve(core);
    }

    /// Counts in how many banks each core could be served.
    fn see(&mut self, candidates: &Candidates<'_>) {
        let mut banks = [0_u32; AgentId::N];
        for bank in candidates.ready_banks().iter() {
            let mut seen = 0_u64;
            for (_, request) in candidates.of_bank(bank) {
                let bit = 1 << request.agent.idx();
                banks[request.agent.idx()] += u32::from(seen & bit == 0);
                seen |= bit;
            }
        }
        for (at, banks) in banks.into_iter().enumerate().skip(FIRST_CORE) {
            if banks > 0 {
                self.clusters.see(at - FIRST_CORE, banks);
            }
        }
    }

    /// Commands of a bank that rank allows: those for the first in rank of all requests that wait there, and for no other;
    /// a precharge only if all requests for the open row rank lower, or by the controller's rule.
    fn of_bank<'c>(
        &'c self,
        candidates: &'c Candidates<'_>,
        bank: usize,
    ) -> impl Iterator<Item = (Candidate, &'c QueuedRequest)> {
        let rank = |request: &QueuedRequest| Some(self.priority(request.agent));
        let first = candidates.unblocked(bank).filter_map(rank).min();
        let mut hits = candidates.hits(bank).map(rank);
        let outranks = match hits.next() {
            Some(hit) => hit > first && hits.all(|hit| hit > first),
            // Without a request for the row, the controller's rule lets the oldest close it.
            None => candidates.unblocked(bank).next().and_then(rank) != first,
        };
        (candidates.of_bank(bank)).filter(move |(candidate, request)| {
            rank(request) == first && (outranks || candidate.is_by_rule())
        })
    }

    #[cfg(test)]
    pub(super) const fn accelerator(&self, agent: AgentId) -> &Accelerator {
        &self.accelerators[agent.idx()]
    }
}

impl RequestScheduler for Dash {
    fn choose(&mut self, now: DramCycles, candidates: &Candidates<'_>) -> Option<Candidate> {
        self.advance(now);
        self.see(candidates);
        let banks = candidates.ready_banks().iter();
        let allowed = banks.flat_map(|bank| self.of_bank(candidates, bank));
        let (chosen, request) = first_ready(allowed, |request| self.priority(request.agent))?;
        if matches!(chosen.command(), DramCommand::Read | DramCommand::Write) {
            self.serve(request.agent);
        } else {
            let is_wanted = candidates.hits(chosen.bank()).next().is_some();
            self.counters.rows_taken += u64::from(is_wanted && !chosen.is_by_rule());
        }
        Some(chosen)
    }

    fn admit(
        &mut self,
        now: DramCycles,
        waiting: &[QueuedRequest],
        full: BankSet,
    ) -> Option<usize> {
        self.advance(now);
        let admissible =
            (waiting.iter().enumerate()).filter(|(_, request)| !full.contains(request.bank_idx()));
        let first = admissible.min_by_key(|(at, request)| (self.priority(request.agent), *at));
        first.map(|(at, _)| at)
    }

    fn closes_rows(&self) -> bool {
        true
    }

    fn take_report(&mut self) -> Option<TechniqueReport> {
        Some(std::mem::take(&mut self.counters).report())
    }

    fn notice(&mut self, now: DramCycles, notice: &AgentNotice) {
        self.advance(now);
        let time = self.tick * now.0;
        match *notice {
            AgentNotice::PeriodBegins { agent, bursts } => {
                if let Some(accelerator) = self.accelerators.get_mut(agent.idx()) {
                    accelerator.begin(time, bursts);
                }
            }
            AgentNotice::PeriodEnds { agent } => {
                if let Some(accelerator) = self.accelerators.get_mut(agent.idx()) {
                    accelerator.end();
                }
            }
            AgentNotice::Retired {
                agent,
                instructions,
            } => {
                if agent.is_cpu() {
                    self.clusters.retire(agent.idx() - FIRST_CORE, instructions);
                }
            }
        }
    }
}

#[cfg(test)]
impl Dash {
    /// Brings all units to `now`, as a call of the controller does.
    pub(super) fn at(&mut self, now: DramCycles) -> &mut Self {
        self.advance(now);
        self
    }

    /// Counts bursts as if they had been chosen.
    pub(super) fn serve_bursts(&mut self, agent: AgentId, n: u64) {
        for _ in 0..n {
            self.serve(agent);
        }
    }
}

/// Check: the GPU and the display are the first two agents.
const _: () = assert!(
    GPU == 0 && DISPLAY == 1,
    "accelerators stand in the order of agents"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interval_ends_do_not_drift_where_the_period_is_no_whole_number_of_picoseconds() {
        let mut unit = Unit::new(Hertz::from_mhz(1866), Cycles(1));
        for _ in 1..1866 {
            let at = unit.next;
            assert!(!unit.take(at.saturating_sub(Picoseconds(1))), "not before");
            assert!(unit.take(at), "at its end");
        }
        assert_eq!(unit.next, Picoseconds(1_000_000), "1,866 cycles, 1 us");
    }
}
