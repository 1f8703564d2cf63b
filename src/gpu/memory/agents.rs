//! Seam: other users of the memory. Agents beside the GPU, one value behind one trait, request lines and are told of each
//! that is served.

use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use super::agent_queues::{Agent, ServedLine};
use super::controller::MemoryController;
use super::waiting::GPU;
use crate::access::AccessKind;
use crate::dram::AgentNotice;
use azulejo_units::Cycles;

/// All users of the memory beside the GPU, as one unit of the machine. Contract: their behaviour depends on nothing but the
/// calls, and ticks without anything to do change nothing.
pub trait MemoryAgents: Debug + Send {
    /// List of the agents; always the same.
    fn agents(&self) -> Vec<Agent>;

    /// The first cycle in which one of them can do something if no line is served before; `Cycles::MAX` for never.
    fn next_wake(&self) -> Cycles;

    /// A cycle of the GPU in which something may happen.
    fn tick(&mut self, now: Cycles, port: &mut dyn AgentPort);

    /// A line is served; [`tick`](Self::tick) is called in the same cycle.
    fn served(&mut self, now: Cycles, line: ServedLine);

    /// Grows with all work that comes to an end one day: not with what repeats, such as scans of a display.
    fn work_done(&self) -> u64;
}

/// Agents that are shared with an owner outside the machine.
impl<T: MemoryAgents> MemoryAgents for Arc<Mutex<T>> {
    fn agents(&self) -> Vec<Agent> {
        self.lock().unwrap_or_else(PoisonError::into_inner).agents()
    }

    fn next_wake(&self) -> Cycles {
        let inner = self.lock().unwrap_or_else(PoisonError::into_inner);
        inner.next_wake()
    }

    fn tick(&mut self, now: Cycles, port: &mut dyn AgentPort) {
        let mut inner = self.lock().unwrap_or_else(PoisonError::into_inner);
        inner.tick(now, port);
    }

    fn served(&mut self, now: Cycles, line: ServedLine) {
        let mut inner = self.lock().unwrap_or_else(PoisonError::into_inner);
        inner.served(now, line);
    }

    fn work_done(&self) -> u64 {
        let inner = self.lock().unwrap_or_else(PoisonError::into_inner);
        inner.work_done()
    }
}

/// The way of agents into the memory.
pub trait AgentPort: Debug {
    /// Requests a line, by the agent's place among [`MemoryAgents::agents`]. It waits as long as it must, so agents bound
    /// how many they have under way.
    fn ask(&mut self, agent: usize, kind: AccessKind, line: u64);

    /// Says something to the schedulers of the DRAM.
    fn notice(&mut self, notice: &AgentNotice);
}

/// The way into a machine's memory.
#[derive(Debug)]
pub(super) struct MemoryPort<'a> {
    pub(super) now: Cycles,
    pub(super) controller: &'a mut MemoryController,
}

impl AgentPort for MemoryPort<'_> {
    fn ask(&mut self, agent: usize, kind: AccessKind, line: u64) {
        let number = GPU + 1 + agent;
        self.controller.push_of_agent(self.now, number, kind, line);
    }

    fn notice(&mut self, notice: &AgentNotice) {
        self.controller.notice(self.now, notice);
    }
}
