//! Report of a system on chip: plain numbers, exact, the same for every run.

use serde::Serialize;

use super::cpu::CoreCounters;
use super::display::ScanCounters;
use azulejo_gpu::dram::AgentId;
use azulejo_gpu::memory::{AgentCounters, AgentTraffic};
use azulejo_gpu::{TechniqueReport, techniques_by_name};
use azulejo_units::{Cycles, Hertz, Picoseconds};

/// When the parts of a frame began, in cycles of the GPU's clock since the system was switched on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FrameTimes {
    /// Number of the frame.
    pub frame: u64,
    /// The cores began to prepare it.
    pub begun: Cycles,
    /// The GPU began to draw it.
    pub drawing: Cycles,
    /// The GPU was done.
    pub drawn: Cycles,
    /// The cores were done too, and it was queued for the display.
    pub queued: Cycles,
}

impl FrameTimes {
    /// From its beginning to its queueing.
    #[must_use]
    pub fn whole(&self) -> Cycles {
        self.queued - self.begun
    }

    /// Time of the GPU.
    #[must_use]
    pub fn gpu(&self) -> Cycles {
        self.drawn - self.drawing
    }
}

/// An agent and what it got of the memory.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AgentReport {
    /// Agent that the numbers are of.
    pub agent: AgentId,
    /// Lines and bursts since the system was switched on.
    pub counters: AgentCounters,
    /// Bytes that moved over the pins for it.
    pub bytes: u64,
    /// Mean time from asking to data, in ns; nothing without reads.
    pub read_latency_ns: Option<f64>,
}

/// Time that an agent took for its work, of what it takes for the same with the memory to itself.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Slowdown {
    /// Agent that the ratio is of.
    pub agent: AgentId,
    /// 1 where sharing costs nothing; nothing where it had no work.
    pub slowdown: Option<f64>,
}

/// Counters of techniques over one phase: the drawing of a frame, or a rest between.
#[derive(Debug, Clone, PartialEq)]
pub struct TechniquePhase {
    /// Cycle of the GPU's clock in which the phase began.
    pub from: Cycles,
    /// Cycle of the GPU's clock in which the phase ended.
    pub to: Cycles,
    /// One report for each technique, counters only.
    pub techniques: Vec<TechniqueReport>,
}

/// A system from its first frame on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SystemReport {
    /// The GPU's clock, in which times are.
    pub clock: Hertz,
    /// Scans of the display a second.
    pub refresh: u32,
    /// How long all of it took.
    pub time: Picoseconds,
    /// One after the other.
    pub frames: Vec<FrameTimes>,
    /// The GPU, the display, then the cores.
    pub agents: Vec<AgentReport>,
    /// Scans of the display, by how they began and ended.
    pub display: ScanCounters,
    /// Instructions, misses and times of each core.
    pub cores: Vec<CoreCounters>,
    /// Column commands that found their row open.
    pub row_hits: u64,
    /// All column commands: reads and writes.
    pub column_commands: u64,
    /// Activate commands: rows opened, frames and rests together.
    pub activates: u64,
    /// Bursts by agent over time.
    pub traffic: AgentTraffic,
    /// Counters of techniques over all of the time, frames and rests between.
    #[serde(
        skip_serializing_if = "Vec::is_empty",
        serialize_with = "techniques_by_name"
    )]
    pub techniques: Vec<TechniqueReport>,
    /// Counters of techniques by phase, one after the other, of the first thousand frames or so; those of frames are in the
    /// frames' reports too.
    #[serde(skip)]
    pub technique_phases: Vec<TechniquePhase>,
    /// By agent, where what they would take alone is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub slowdowns: Vec<Slowdown>,
}

impl SystemReport {
    /// Frames a second, of those that were finished.
    #[must_use]
    pub fn frame_rate(&self) -> Option<f64> {
        let (first, last) = (self.frames.first()?, self.frames.last()?);
        let time = self.clock.time_of(last.queued - first.begun);
        (time.0 > 0).then(|| self.frames.len() as f64 * 1e12 / time.0 as f64)
    }

    /// Refreshes that had to show an old frame once there was one.
    #[must_use]
    pub const fn missed_frames(&self) -> u64 {
        self.display.rescans + self.display.retries
    }

    /// Bytes over the DRAM's pins for each activated row.
    #[must_use]
    pub fn bytes_per_activate(&self) -> Option<f64> {
        let bytes = self.column_commands * self.traffic.burst.0;
        (self.activates > 0).then(|| bytes as f64 / self.activates as f64)
    }

    /// Share of the column commands that found their row open.
    #[must_use]
    pub fn row_hit_ratio(&self) -> Option<f64> {
        let all = self.column_commands;
        (all > 0).then(|| self.row_hits as f64 / all as f64)
    }

    /// Counters of an agent, if the system has it.
    #[must_use]
    pub fn agent(&self, id: AgentId) -> Option<&AgentReport> {
        self.agents.iter().find(|agent| agent.agent == id)
    }
}
