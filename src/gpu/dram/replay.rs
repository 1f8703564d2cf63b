//! Drives a DRAM with a trace, as the reference runs were driven: one request offered a cycle, strictly in order, a refused
//! one again in the next cycle.
//!
//! Cycle `c`: the channels run; then, if the next request's cycle is at most `c`, it is offered and arrives at `c + 1`. The
//! run ends when everything is done, plus a margin that shows the idle DRAM.

use super::counters::ChannelCounters;
use super::ranges::DramSpecError;
use super::request::{AgentId, DramCompletion, DramRequest};
use super::spec::DramSpec;
use super::system::Dram;
use crate::access::AccessKind;
use azulejo_units::DramCycles;

/// One line of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceRequest {
    /// Byte address, of which any burst may be named by any of its bytes.
    pub address: u64,
    /// Direction of the access.
    pub kind: AccessKind,
    /// The first cycle in which it is offered. Need not ascend: an earlier one than its predecessor's simply waits.
    pub cycle: DramCycles,
}

/// Cycles that a run goes on after everything is done.
const MARGIN: DramCycles = DramCycles(1000);

/// A run under way: [`offer`](Self::offer) each request in order, then [`finish`](Self::finish).
#[derive(Debug)]
pub struct Replay {
    dram: Dram,
    /// First cycle in which the next request can be offered.
    next_offer: DramCycles,
    n_requests: u64,
    last_accept: DramCycles,
    stalled_requests: u64,
    sum_accept_delay: DramCycles,
    last_read_return: DramCycles,
    drain_tick: DramCycles,
    completions: Vec<DramCompletion>,
}

/// Outcome of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplayOutcome {
    /// Parameters of the DRAM that ran.
    pub spec: DramSpec,
    /// Requests offered, all of them done.
    pub n_requests: u64,
    /// Cycles run; all counters are over these.
    pub total_ticks: DramCycles,
    /// Cycles until every request was accepted, every read returned and every write acknowledged.
    pub drain_tick: DramCycles,
    /// When the last request was accepted.
    pub last_accept: DramCycles,
    /// When the last read returned; 0 without reads.
    pub last_read_return: DramCycles,
    /// Requests accepted later than their cycle.
    pub stalled_requests: u64,
    /// Sum over the requests of accept cycle - trace cycle.
    pub sum_accept_delay: DramCycles,
    /// Counters of each channel, in order.
    pub channels: Vec<ChannelCounters>,
}

impl Replay {
    /// Starts a run on an empty DRAM.
    ///
    /// # Errors
    /// If the specification does not validate.
    pub fn new(spec: &DramSpec) -> Result<Self, DramSpecError> {
        Ok(Self::on(Dram::new(spec)?))
    }

    /// Starts a run on a DRAM in which nothing has happened yet.
    #[must_use]
    pub const fn on(dram: Dram) -> Self {
        Self {
            dram,
            next_offer: DramCycles::ZERO,
            n_requests: 0,
            last_accept: DramCycles::ZERO,
            stalled_requests: 0,
            sum_accept_delay: DramCycles::ZERO,
            last_read_return: DramCycles::ZERO,
            drain_tick: DramCycles::ZERO,
            completions: Vec::new(),
        }
    }

    /// The DRAM as it stands.
    #[must_use]
    pub const fn dram(&self) -> &Dram {
        &self.dram
    }

    /// Runs until the request is accepted.
    pub fn offer(&mut self, request: &TraceRequest) {
        let mut at = self.next_offer.max(request.cycle);
        let asked = DramRequest {
            address: request.address,
            kind: request.kind,
            agent: AgentId::default(),
            tag: self.n_requests,
        };
        let channel = self.dram.locate(asked.agent, asked.address).channel;
        while !self.dram.try_push(at + DramCycles(1), &asked) {
            // Room comes with an event of the request's channel, and shows at the end of that cycle.
            at = self.dram.next_event_of(channel);
        }
        self.n_requests += 1;
        self.next_offer = at + DramCycles(1);
        self.last_accept = at;
        self.stalled_requests += u64::from(at > request.cycle);
        self.sum_accept_delay += at - request.cycle;
        if self.n_requests.is_multiple_of(1024) {
            self.run_until(self.next_offer);
        }
    }

    /// Runs until all is done and a margin longer.
    #[must_use]
    pub fn finish(self) -> ReplayOutcome {
        self.finish_with_dram().0
    }

    /// Runs until all is done and a margin longer, and hands the DRAM over, for its command log.
    #[must_use]
    pub fn finish_with_dram(mut self) -> (ReplayOutcome, Dram) {
        loop {
            let next = self.dram.no_completion_before();
            if next == DramCycles::MAX {
                break;
            }
            self.run_until(next + DramCycles(1));
        }
        let total_ticks = self.drain_tick + MARGIN;
        self.run_until(total_ticks);
        let outcome = ReplayOutcome {
            spec: self.dram.spec().clone(),
            n_requests: self.n_requests,
            total_ticks,
            drain_tick: self.drain_tick,
            last_accept: self.last_accept,
            last_read_return: self.last_read_return,
            stalled_requests: self.stalled_requests,
            sum_accept_delay: self.sum_accept_delay,
            channels: self.dram.take_counters(),
        };
        (outcome, self.dram)
    }

    fn run_until(&mut self, end: DramCycles) {
        self.dram.run_until(end, &mut self.completions);
        for done in self.completions.drain(..) {
            self.drain_tick = self.drain_tick.max(done.at + DramCycles(1));
            if done.kind == AccessKind::Read {
                self.last_read_return = self.last_read_return.max(done.at);
            }
        }
    }
}
