//! The system: frames in their order, each prepared, drawn and queued, with time that goes on in between.

use std::sync::{Arc, Mutex};

use super::agents::{Agents, held};
use super::alone::Alone;
use super::cpu::{Core, CoreCounters};
use super::display::{DisplayController, Screen};
use super::error::SystemError;
use super::report::{AgentReport, FrameTimes, SystemReport, TechniquePhase};
use super::spec::SocSpec;
use azulejo_gpu::dram::{AgentId, AgentNotice};
use azulejo_gpu::machine::MachineSpec;
use azulejo_gpu::{ConservationError, DramReport, FrameReport, Gpu, TechniqueReport};
use azulejo_trace::FrameTrace;
use azulejo_units::{Cycles, Picoseconds};

/// Phases of techniques that are kept apart: those of a thousand frames. All count in the sums.
const MAX_PHASES: usize = 4096;

/// Intervals of the traffic in a refresh.
const INTERVALS: u64 = 64;

/// A frame in a system.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemFrame {
    /// Cost of the frame on the GPU. The DRAM's numbers are those of all agents while it was drawn.
    pub report: FrameReport,
    /// When its parts began.
    pub times: FrameTimes,
}

/// Sums of the DRAM's counters, frames and rests together.
#[derive(Debug, Clone, Copy, Default)]
struct DramSum {
    bursts: u64,
    row_hits: u64,
    column_commands: u64,
    activates: u64,
}

impl DramSum {
    fn add(&mut self, dram: &DramReport) {
        self.bursts += dram.bursts;
        self.row_hits += dram.row_hits;
        self.column_commands += dram.column_commands;
        self.activates += dram.activates;
    }
}

/// A GPU, a display and cores that share a memory.
#[derive(Debug)]
pub struct System {
    gpu: Gpu,
    spec: SocSpec,
    agents: Arc<Mutex<Agents>>,
    frames: Vec<FrameTimes>,
    dram: DramSum,
    /// Counters of techniques over all of the time, and by phase for the first phases.
    techniques: Vec<TechniqueReport>,
    phases: Vec<TechniquePhase>,
    alone: Option<Alone>,
}

impl System {
    /// The system of the GPU's machine: its `[soc]` lists the agents that share the memory. The GPU must not have executed
    /// a frame.
    ///
    /// # Errors
    /// If the machine has no `[soc]`, or one that cannot work.
    pub fn new(mut gpu: Gpu) -> Result<Self, SystemError> {
        let machine = gpu.spec().clone();
        let spec = SocSpec::of(&machine)?;
        let spec = spec.ok_or_else(|| SystemError::NotShared(machine.name.clone()))?;
        let cores = 0..spec.cpu.n_cores();
        let agents = Agents {
            display: Some(DisplayController::new(0, screen(&machine, &spec))),
            cores: cores
                .map(|number| Core::new(number, number + 1, &spec.cpu, machine.clock, spec.seed))
                .collect(),
            display_line: machine.l2.tags.line,
            core_line: spec.cpu.line,
        };
        let agents = Arc::new(Mutex::new(agents));
        let interval =
            Picoseconds(Picoseconds::SECOND.0 / u64::from(machine.display.refresh) / INTERVALS);
        gpu.attach(Arc::clone(&agents), interval);
        Ok(Self {
            gpu,
            spec,
            agents,
            frames: Vec::new(),
            dram: DramSum::default(),
            techniques: Vec::new(),
            phases: Vec::new(),
            alone: None,
        })
    }

    /// Also runs each agent's work with the memory to itself, for [slowdowns](SystemReport::slowdowns).
    ///
    /// # Errors
    /// If the machine cannot be built a second time.
    pub fn beside_alone(mut self) -> Result<Self, SystemError> {
        self.alone = Some(Alone::new(self.gpu.spec(), &self.spec)?);
        Ok(self)
    }

    /// The GPU, for its parameters and counters.
    #[must_use]
    pub const fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// The GPU, for observers.
    pub const fn gpu_mut(&mut self) -> &mut Gpu {
        &mut self.gpu
    }

    /// Prepares, draws and queues a frame, which must be [valid](FrameTrace::validate). After an error the system is of no
    /// further use.
    ///
    /// # Errors
    /// If the GPU, or every unit, stands still, or counters do not agree.
    pub fn run_frame(&mut self, trace: &FrameTrace) -> Result<SystemFrame, SystemError> {
        self.await_buffer()?;
        let begun = self.gpu.now();
        let before = self.spec.cpu.before_frame.clone();
        held(&self.agents).begin_jobs(begun, &before);
        self.await_cores("prepare", trace.frame)?;
        let drawing = self.gpu.now();
        let during = self.spec.cpu.during_frame.clone();
        held(&self.agents).begin_jobs(drawing, &during);
        let agent = AgentId::GPU;
        self.gpu.notice(&AgentNotice::PeriodBegins {
            agent,
            bursts: None,
        });
        let report = self.gpu.run_frame(trace)?;
        self.gpu.notice(&AgentNotice::PeriodEnds { agent });
        self.dram.add(&report.dram);
        self.note(drawing, &report.techniques);
        let drawn = self.gpu.now();
        self.await_cores("have work beside", trace.frame)?;
        let times = FrameTimes {
            frame: trace.frame,
            begun,
            drawing,
            drawn,
            queued: self.gpu.now(),
        };
        self.frames.push(times);
        let frame = self.gpu.frame_buffer(trace);
        if let Some(display) = &mut held(&self.agents).display {
            display.queue(frame);
        }
        self.check()?;
        if let Some(alone) = &mut self.alone {
            alone.run_frame(trace)?;
        }
        Ok(SystemFrame { report, times })
    }

    /// Times of the frames run so far.
    pub(super) fn frames(&self) -> &[FrameTimes] {
        &self.frames
    }

    /// Counters of techniques so far, frames and rests together.
    pub(super) fn techniques(&self) -> &[TechniqueReport] {
        &self.techniques
    }

    /// Counters of the DRAM, the display and the cores so far.
    pub(super) fn memory_numbers(&self) -> impl IntoIterator<Item = (&'static str, u64)> {
        let agents = held(&self.agents);
        let display = agents.display.as_ref().map(|display| display.counters);
        let display = display.unwrap_or_default();
        let of_cores = |of: fn(&CoreCounters) -> u64| {
            let cores = agents.cores.iter();
            cores.map(|core| of(&core.counters)).sum()
        };
        [
            ("row_hits", self.dram.row_hits),
            ("column_commands", self.dram.column_commands),
            ("activates", self.dram.activates),
            ("display.scans", display.scans),
            ("display.new_frames", display.new_frames),
            ("display.rescans", display.rescans),
            ("display.retries", display.retries),
            ("display.aborted", display.aborted),
            ("display.finished", display.finished),
            ("cores.instructions", of_cores(|own| own.instructions)),
            ("cores.misses", of_cores(|own| own.misses)),
            ("cores.job_time_ps", of_cores(|own| own.job_time.0)),
            ("cores.stalled_ps", of_cores(|own| own.stalled.0)),
        ]
    }

    /// Report of all frames and rests until now.
    #[must_use]
    pub fn report(&self) -> SystemReport {
        let agents = held(&self.agents);
        let spec = self.gpu.spec();
        let traffic = self.gpu.agent_traffic().clone();
        let by_agent = traffic.agents.iter().zip(self.gpu.agent_counters());
        let by_agent = by_agent.map(|(agent, counters)| AgentReport {
            agent: *agent,
            counters: *counters,
            bytes: counters.moved_bursts * traffic.burst.0,
            read_latency_ns: counters.read_latency_ns(),
        });
        let display = agents.display.as_ref();
        SystemReport {
            clock: spec.clock,
            refresh: spec.display.refresh,
            time: spec.clock.time_of(self.gpu.now()),
            frames: self.frames.clone(),
            agents: by_agent.collect(),
            display: display.map_or_else(Default::default, |display| display.counters),
            cores: agents.cores.iter().map(|core| core.counters).collect(),
            row_hits: self.dram.row_hits,
            column_commands: self.dram.column_commands,
            activates: self.dram.activates,
            slowdowns: self.alone.as_ref().map_or_else(Vec::new, |alone| {
                let gpu = self.frames.iter().map(FrameTimes::gpu);
                let gpu = gpu.fold(Cycles::ZERO, |sum, cycles| sum + cycles);
                alone.slowdowns(gpu, &agents.cores)
            }),
            traffic,
            techniques: self.techniques.clone(),
            technique_phases: self.phases.clone(),
        }
    }

    /// Waits until the buffer that the next frame goes to is neither shown nor queued.
    fn await_buffer(&mut self) -> Result<(), SystemError> {
        let n_buffers = u64::from(self.gpu.spec().display.frame_buffers);
        let needed = (self.frames.len() as u64 + 2).saturating_sub(n_buffers);
        let is_first_round = (self.frames.len() as u64) < n_buffers;
        let agents = Arc::clone(&self.agents);
        let is_free = move || {
            let agents = held(&agents);
            let taken = agents
                .display
                .as_ref()
                .map_or(u64::MAX, |display| display.n_taken);
            is_first_round || taken >= needed
        };
        self.rest(
            is_free,
            "no frame buffer becomes free, as the display takes no frame",
        )
    }

    /// Waits until no core has a job.
    fn await_cores(&mut self, verb: &str, frame: u64) -> Result<(), SystemError> {
        let busy: Vec<String> = held(&self.agents).busy().map(|id| id.to_string()).collect();
        let waiting = format!("{} {verb} frame {frame} and do not get on", busy.join(", "));
        let agents = Arc::clone(&self.agents);
        self.rest(move || held(&agents).busy().next().is_none(), &waiting)
    }

    fn rest(&mut self, is_over: impl FnMut() -> bool, waiting: &str) -> Result<(), SystemError> {
        let from = self.gpu.now();
        let rest = self.gpu.rest_until(Cycles::MAX, is_over, waiting)?;
        self.dram.add(&rest.dram);
        self.note(from, &rest.techniques);
        Ok(())
    }

    /// Keeps what techniques counted from a cycle until now; maps of tiles are the frames' own.
    fn note(&mut self, from: Cycles, techniques: &[TechniqueReport]) {
        let counters = |report: &TechniqueReport| TechniqueReport {
            technique: report.technique,
            counters: report.counters.clone(),
            ..TechniqueReport::default()
        };
        let techniques: Vec<_> = techniques.iter().map(counters).collect();
        for report in &techniques {
            let mut known = self.techniques.iter_mut();
            match known.find(|sum| sum.technique == report.technique) {
                Some(sum) => sum.add_frame(report),
                None => self.techniques.push(report.clone()),
            }
        }
        if !techniques.is_empty() && self.phases.len() < MAX_PHASES {
            self.phases.push(TechniquePhase {
                from,
                to: self.gpu.now(),
                techniques,
            });
        }
    }

    /// Bursts of all agents together are the DRAM's.
    fn check(&self) -> Result<(), SystemError> {
        let by_agent: u64 = (self.gpu.agent_counters().iter())
            .map(|counters| counters.bursts)
            .sum();
        if by_agent == self.dram.bursts {
            return Ok(());
        }
        let broken = ConservationError {
            law: "bursts by agent = bursts of the DRAM",
            left: by_agent,
            right: self.dram.bursts,
        };
        Err(SystemError::Frame(broken.into()))
    }
}

fn screen(machine: &MachineSpec, spec: &SocSpec) -> Screen {
    let line = machine.l2.tags.line;
    Screen {
        spec: spec.display,
        refresh: machine.display.refresh,
        clock: machine.clock,
        line,
        bursts_per_line: (line.0 / machine.dram.request_bytes().0).max(1),
    }
}
