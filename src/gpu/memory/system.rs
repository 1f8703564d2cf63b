//! L2 and memory controller as one port for the first-level caches and the units that go around them.

use super::agents::{MemoryAgents, MemoryPort};
use super::controller::{Arrival, MemoryController};
use super::l2::{L2Cache, Response, Transfer};
use super::request::{LineRequest, Requester, Traffic, TrafficCounts};
use crate::access::AccessKind;
use crate::dram::ChannelCounters;
use azulejo_units::{Cycles, Picoseconds};

/// The memory below the first level.
#[derive(Debug)]
pub(crate) struct MemorySystem {
    pub(crate) l2: L2Cache,
    pub(crate) controller: MemoryController,
    arrivals: Vec<Arrival>,
    /// Lines that did not come for the L2 (tile loads), since the last look.
    pub(crate) direct_arrivals: Vec<u64>,
    /// Agents that use the memory beside the GPU, if any.
    agents: Option<Box<dyn MemoryAgents>>,
    /// When they go on by themselves, as they said last.
    agents_wake: Cycles,
}

impl MemorySystem {
    pub(crate) fn new(l2: L2Cache, controller: MemoryController) -> Self {
        Self {
            l2,
            controller,
            arrivals: Vec::new(),
            direct_arrivals: Vec::new(),
            agents: None,
            agents_wake: Cycles::MAX,
        }
    }

    /// One GPU cycle: data from the DRAM, then the L2's banks.
    pub(crate) fn tick(&mut self, now: Cycles) {
        if self.controller.is_due(now) {
            self.controller.tick(now, &mut self.arrivals);
        }
        if !self.arrivals.is_empty() {
            self.take_arrivals(now);
        }
        if self.l2.has_requests() {
            self.l2.tick(now, &mut self.controller);
        }
        if self.agents.is_some() {
            self.tick_agents(now);
        }
    }

    /// Hands on what the DRAM has sent.
    fn take_arrivals(&mut self, now: Cycles) {
        let mut arrivals = std::mem::take(&mut self.arrivals);
        for arrival in arrivals.drain(..) {
            match arrival.traffic {
                Traffic::ColorLoad => self.direct_arrivals.push(arrival.line),
                Traffic::Display => {}
                _ => self.l2.fill(arrival.line, now, &mut self.controller),
            }
        }
        self.arrivals = arrivals;
    }

    /// Brings the DRAM to `now` and takes its counters. Arrivals meanwhile that are not for the GPU are handed over in
    /// the next tick.
    pub(crate) fn take_dram_counters(&mut self, now: Cycles) -> Vec<ChannelCounters> {
        self.controller.take_dram_counters(now, &mut self.arrivals)
    }

    /// From now on the memory is shared.
    pub(crate) fn attach(&mut self, agents: Box<dyn MemoryAgents>, interval: Picoseconds) {
        self.controller.agents.attach(agents.agents(), interval);
        self.agents = Some(agents);
        self.ask_agents();
    }

    /// Updates the next wake of the agents: to be called before time goes on after an owner outside the machine had them.
    pub(crate) fn ask_agents(&mut self) {
        let agents = self.agents.as_ref();
        self.agents_wake = agents.map_or(Cycles::MAX, |agents| agents.next_wake());
    }

    pub(crate) fn agents(&self) -> Option<&dyn MemoryAgents> {
        self.agents.as_deref()
    }

    fn tick_agents(&mut self, now: Cycles) {
        let Some(agents) = &mut self.agents else {
            return;
        };
        let served = self.controller.agents.take_served();
        if served.is_empty() && self.agents_wake > now {
            return;
        }
        for line in served {
            agents.served(now, line);
        }
        let controller = &mut self.controller;
        agents.tick(now, &mut MemoryPort { now, controller });
        self.agents_wake = agents.next_wake();
    }

    /// Whether the line's bank of the L2 takes another request.
    #[inline]
    pub(crate) fn has_room(&self, line: u64) -> bool {
        self.l2.has_room_in(self.l2.bank_bit(line))
    }

    /// The line's bank of the L2, as a bit.
    #[inline]
    pub(crate) fn bank_bit(&self, line: u64) -> u64 {
        self.l2.bank_bit(line)
    }

    /// Whether any of these banks of the L2, as bits, takes another request.
    #[inline]
    pub(crate) fn has_room_in(&self, banks: u64) -> bool {
        self.l2.has_room_in(banks)
    }

    pub(crate) fn push(&mut self, request: LineRequest) {
        self.l2.push(request);
    }

    pub(crate) fn pop_response(&mut self, now: Cycles) -> Option<Response> {
        self.l2.pop_response(now)
    }

    /// Sends a line around the L2; false where the way is full.
    pub(crate) fn push_direct(
        &mut self,
        now: Cycles,
        line: u64,
        kind: AccessKind,
        requester: Requester,
    ) -> bool {
        if !self.controller.has_room(kind) {
            return false;
        }
        self.controller.push(now, line, kind, requester.traffic);
        self.l2.transfers.push(Transfer { line, requester });
        true
    }

    /// Whether nothing is under way anywhere below the first level.
    pub(crate) fn is_idle(&self) -> bool {
        self.l2.is_idle() && self.controller.is_idle()
    }

    /// Grows with all work of the memory in a frame but the display's.
    pub(crate) fn work_done(&self) -> u64 {
        let lines = &self.controller.counters;
        let done = [lines.reads, lines.writes, lines.reads_done];
        let of_display: u64 = done.iter().map(|lines| lines[Traffic::Display]).sum();
        let all: u64 = done.iter().map(TrafficCounts::total).sum();
        self.l2.counters.accepted + all - of_display
    }

    pub(crate) fn next_wake(&self, now: Cycles) -> Cycles {
        let own = self.l2.next_wake(now).min(self.controller.next_wake(now));
        own.min(self.agents_wake.max(now + Cycles(1)))
    }
}
