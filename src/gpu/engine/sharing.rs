//! A machine that shares its memory: agents are attached to it, and time goes on between frames. While the GPU rests,
//! memory and agents work; what they do then is counted apart from the frames.

use super::Gpu;
use super::watchdog::Watchdog;
use crate::dram::AgentNotice;
use crate::failure::Deadlock;
use crate::machine::DisplaySpec;
use crate::memory::{AgentCounters, AgentTraffic, MemoryAgents};
use crate::output::Display;
use crate::report::{DramReport, TechniqueReport};
use azulejo_trace::FrameTrace;
use azulejo_units::{Bytes, Cycles, Picoseconds};

/// Activity of the memory while the GPU rested.
#[derive(Debug, Clone, PartialEq)]
pub struct Rest {
    /// Report of the DRAM over the rest.
    pub dram: DramReport,
    /// Counters of techniques' schedulers of the DRAM.
    pub techniques: Vec<TechniqueReport>,
}

/// Place of a finished frame in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameBuffer {
    /// Address of the first byte.
    pub base: u64,
    /// Its length; 0 where a frame has no target.
    pub bytes: Bytes,
}

impl Gpu {
    /// Shares the memory with agents, which bring their own display: the machine's shows nothing from now on. Bursts are
    /// counted by agent over intervals of the length of `interval`.
    pub fn attach(&mut self, agents: impl MemoryAgents + 'static, interval: Picoseconds) {
        let none = DisplaySpec {
            refresh: 0,
            ..self.spec().display
        };
        let spec = &self.common.spec;
        self.display = Display::new(none, spec.clock.0, spec.l2.tags.line.0);
        self.common.memory.attach(Box::new(agents), interval);
    }

    /// Cycles since the machine was switched on.
    #[must_use]
    pub const fn now(&self) -> Cycles {
        self.now
    }

    /// Says something to the schedulers of the DRAM.
    pub fn notice(&mut self, notice: &AgentNotice) {
        self.common.memory.controller.notice(self.now, notice);
    }

    /// Counters of the GPU (the first) and each agent so far, in the order of [`AgentTraffic::agents`].
    #[must_use]
    pub fn agent_counters(&self) -> &[AgentCounters] {
        self.common.memory.controller.agents().all_counters()
    }

    /// Bursts by agent and time.
    #[must_use]
    pub fn agent_traffic(&self) -> &AgentTraffic {
        self.common.memory.controller.agents().traffic()
    }

    /// Place of the first target of the frame that has been executed last.
    #[must_use]
    pub fn frame_buffer(&self, trace: &FrameTrace) -> FrameBuffer {
        let map = &self.common.map;
        FrameBuffer {
            base: map.target(0, trace.targets.len(), trace.frame),
            bytes: Bytes(map.layout(0).bytes()),
        }
    }

    /// Rests while memory and agents go on, until `is_over` says so or the cycle `until` has come; returns the activity
    /// meanwhile.
    ///
    /// # Errors
    /// If nothing can happen any more, or the agents do nothing for too long that comes to an end: `waiting` says what is
    /// waited for.
    pub fn rest_until(
        &mut self,
        until: Cycles,
        mut is_over: impl FnMut() -> bool,
        waiting: &str,
    ) -> Result<Rest, Deadlock> {
        let mut watchdog = Watchdog::default();
        loop {
            let memory = &mut self.common.memory;
            memory.ask_agents();
            memory.tick(self.now);
            if self.now >= until || is_over() {
                break;
            }
            let next = memory.next_wake(self.now).min(until);
            let work = (memory.agents()).map_or(0, MemoryAgents::work_done);
            let stuck = watchdog.is_due() && watchdog.is_stuck(work, true);
            if next == Cycles::MAX || stuck {
                return Err(Deadlock {
                    cycle: self.now,
                    waiting: waiting.to_owned(),
                });
            }
            self.now = next;
        }
        self.now = self.now.next();
        Ok(self.settle())
    }

    /// Forgets the counts of units over the rest; returns the activity of the memory.
    fn settle(&mut self) -> Rest {
        let (now, common) = (self.now, &mut self.common);
        common.memory.l2.counters = Default::default();
        common.memory.l2.transfers.clear();
        common.geometry.take_counters(now);
        self.pipeline.take_counters(now);
        for core in &mut common.cores {
            core.take_counters(now);
        }
        let dram = self.dram_report();
        let techniques = self.common.memory.controller.take_scheduler_reports();
        let techniques = TechniqueReport::collect(techniques);
        Rest { dram, techniques }
    }
}
