//! All agents of a system as one unit of the machine: the display first, then the cores.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::cpu::Core;
use super::display::DisplayController;
use azulejo_gpu::dram::AgentId;
use azulejo_gpu::memory::{Agent, AgentPort, MemoryAgents, ServedLine};
use azulejo_units::{Bytes, Cycles};

/// Agents beside the GPU: the display first, then the CPU cores.
#[derive(Debug)]
pub(super) struct Agents {
    /// At place 0, if there is one.
    pub(super) display: Option<DisplayController>,
    pub(super) cores: Vec<Core>,
    /// Bytes of the display's and of the cores' lines.
    pub(super) display_line: Bytes,
    pub(super) core_line: Bytes,
}

/// Locks the agents; a lock that a panic left behind is as good as any.
pub(super) fn held(agents: &Mutex<Agents>) -> MutexGuard<'_, Agents> {
    agents.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Agents {
    /// Cores that have a job.
    pub(super) fn busy(&self) -> impl Iterator<Item = AgentId> {
        let busy = self.cores.iter().filter(|core| !core.is_waiting());
        busy.map(Core::id)
    }

    /// Gives each core its job.
    pub(super) fn begin_jobs(&mut self, now: Cycles, kilo_instructions: &[u64]) {
        for (core, job) in self.cores.iter_mut().zip(kilo_instructions) {
            core.begin(now, *job);
        }
    }
}

impl MemoryAgents for Agents {
    fn agents(&self) -> Vec<Agent> {
        let display = self.display.iter().map(|_| Agent {
            id: AgentId::DISPLAY,
            line: self.display_line,
        });
        let cores = self.cores.iter().map(|core| Agent {
            id: core.id(),
            line: self.core_line,
        });
        display.chain(cores).collect()
    }

    fn next_wake(&self) -> Cycles {
        let display = self.display.iter().map(DisplayController::next_wake);
        let all = display.chain(self.cores.iter().map(Core::next_wake));
        all.min().unwrap_or(Cycles::MAX)
    }

    fn tick(&mut self, now: Cycles, port: &mut dyn AgentPort) {
        if let Some(display) = &mut self.display {
            display.tick(now, port);
        }
        for core in &mut self.cores {
            core.tick(now, port);
        }
    }

    fn served(&mut self, _now: Cycles, line: ServedLine) {
        match (&mut self.display, line.agent) {
            (Some(display), 0) => display.served(line.line),
            (display, place) => {
                let first = usize::from(display.is_some());
                self.cores[place - first].served(line.kind);
            }
        }
    }

    /// Instructions done and frames taken: a display that scans the same frame over and over does no work.
    fn work_done(&self) -> u64 {
        let frames = self.display.as_ref().map_or(0, |display| display.n_taken);
        let cores = self.cores.iter();
        let cores = cores.map(|core| core.counters.instructions + core.counters.misses);
        frames + cores.sum::<u64>()
    }
}
