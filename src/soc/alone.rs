//! Time of each agent with the memory to itself: the same frames on an undisturbed GPU, the same jobs on each core alone.
//! The display has no such time: its losses are frames.

use std::sync::{Arc, Mutex};

use super::agents::{Agents, held};
use super::cpu::Core;
use super::error::SystemError;
use super::report::Slowdown;
use super::spec::SocSpec;
use azulejo_gpu::Gpu;
use azulejo_gpu::dram::AgentId;
use azulejo_gpu::machine::{DisplaySpec, MachineSpec};
use azulejo_trace::FrameTrace;
use azulejo_units::{Cycles, Picoseconds};

/// A core that has a memory to itself.
#[derive(Debug)]
struct Lone {
    memory: Gpu,
    agents: Arc<Mutex<Agents>>,
}

/// Each agent by itself.
#[derive(Debug)]
pub struct Alone {
    gpu: Gpu,
    gpu_cycles: Cycles,
    cores: Vec<Lone>,
    /// Thousands of instructions of the two jobs of a frame, by core.
    jobs: [Vec<u64>; 2],
}

impl Alone {
    /// The agents of a system, each on a machine like the system's, without techniques.
    pub(super) fn new(machine: &MachineSpec, spec: &SocSpec) -> Result<Self, SystemError> {
        let mut without_display = machine.clone();
        without_display.display = DisplaySpec {
            refresh: 0,
            ..machine.display
        };
        let lone = |number: usize| -> Result<Lone, SystemError> {
            let agents = Arc::new(Mutex::new(Agents {
                display: None,
                cores: vec![Core::new(number, 0, &spec.cpu, machine.clock, spec.seed)],
                display_line: machine.l2.tags.line,
                core_line: spec.cpu.line,
            }));
            let mut memory = Gpu::new(&without_display)?;
            memory.attach(Arc::clone(&agents), Picoseconds::SECOND);
            Ok(Lone { memory, agents })
        };
        Ok(Self {
            gpu: Gpu::new(&without_display)?,
            gpu_cycles: Cycles::ZERO,
            cores: (0..spec.cpu.n_cores())
                .map(lone)
                .collect::<Result<_, _>>()?,
            jobs: [spec.cpu.before_frame.clone(), spec.cpu.during_frame.clone()],
        })
    }

    pub(super) fn run_frame(&mut self, trace: &FrameTrace) -> Result<(), SystemError> {
        self.gpu_cycles += self.gpu.run_frame(trace)?.cycles;
        for (number, core) in self.cores.iter_mut().enumerate() {
            for jobs in &self.jobs {
                core.run_job(jobs[number])?;
            }
        }
        Ok(())
    }

    /// Slowdown of each agent by the shared memory: `gpu` is the GPU's time for its frames; the cores count their time
    /// themselves.
    pub(super) fn slowdowns(&self, gpu: Cycles, cores: &[Core]) -> Vec<Slowdown> {
        let of = |agent: AgentId, shared: f64, alone: f64| Slowdown {
            agent,
            slowdown: (alone > 0.0).then(|| shared / alone),
        };
        let mut slowdowns = vec![of(AgentId::GPU, gpu.0 as f64, self.gpu_cycles.0 as f64)];
        slowdowns.extend(cores.iter().zip(&self.cores).map(|(core, lone)| {
            let shared = core.counters.job_time.0 as f64;
            of(core.id(), shared, lone.job_time().0 as f64)
        }));
        slowdowns
    }
}

impl Lone {
    fn run_job(&mut self, kilo_instructions: u64) -> Result<(), SystemError> {
        held(&self.agents).begin_jobs(self.memory.now(), &[kilo_instructions]);
        let agents = Arc::clone(&self.agents);
        let is_over = || held(&agents).busy().next().is_none();
        let waiting = "a core that has the memory to itself does not get on";
        self.memory.rest_until(Cycles::MAX, is_over, waiting)?;
        Ok(())
    }

    fn job_time(&self) -> Picoseconds {
        let agents = held(&self.agents);
        let core = agents.cores.first();
        core.map_or(Picoseconds::ZERO, |core| core.counters.job_time)
    }
}
