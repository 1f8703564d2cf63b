//! Machine models that run frames: a GPU by itself, or among the agents that share its memory, where its machine says that
//! it has neighbours.

use azulejo_gpu::machine::MachineSpec;
use azulejo_gpu::{FrameReport, Gpu};
use azulejo_soc::{SocSpec, System, SystemError, SystemReport, Totals};
use azulejo_technique::{Technique, machine_with};
use azulejo_trace::FrameTrace;

/// Machine model that executes frames one after another.
#[derive(Debug)]
pub(crate) enum Model {
    Gpu(Box<Gpu>),
    System(Box<System>),
}

impl Model {
    /// Builds the machine with its techniques switched on.
    ///
    /// # Errors
    /// If there can be no such machine.
    pub(crate) fn new(spec: &MachineSpec, techniques: &[&Technique]) -> Result<Self, SystemError> {
        let gpu = machine_with(spec, techniques)?;
        Ok(match SocSpec::of(spec)? {
            None => Self::Gpu(Box::new(gpu)),
            Some(_) => Self::System(Box::new(System::new(gpu)?)),
        })
    }

    /// Makes each agent of a system also do its work alone, for slowdowns; leaves a GPU by itself as it is.
    ///
    /// # Errors
    /// If the machine cannot be built a second time.
    pub(crate) fn beside_alone(self) -> Result<Self, SystemError> {
        Ok(match self {
            Self::System(system) => Self::System(Box::new(system.beside_alone()?)),
            gpu @ Self::Gpu(_) => gpu,
        })
    }

    pub(crate) fn gpu(&self) -> &Gpu {
        match self {
            Self::Gpu(gpu) => gpu,
            Self::System(system) => system.gpu(),
        }
    }

    pub(crate) fn gpu_mut(&mut self) -> &mut Gpu {
        match self {
            Self::Gpu(gpu) => gpu,
            Self::System(system) => system.gpu_mut(),
        }
    }

    /// Executes a frame; a system also prepares and queues it.
    ///
    /// # Errors
    /// If the machine stands still, or its counters do not agree.
    pub(crate) fn run_frame(&mut self, trace: &FrameTrace) -> Result<FrameReport, SystemError> {
        match self {
            Self::Gpu(gpu) => Ok(gpu.run_frame(trace)?),
            Self::System(system) => Ok(system.run_frame(trace)?.report),
        }
    }

    /// Counters of a system so far; none of a GPU by itself.
    pub(crate) fn totals(&self) -> Totals {
        match self {
            Self::Gpu(_) => Totals::default(),
            Self::System(system) => system.totals(),
        }
    }

    /// Report on all agents that share the memory; none for a GPU by itself.
    pub(crate) fn system(&self) -> Option<SystemReport> {
        match self {
            Self::Gpu(_) => None,
            Self::System(system) => Some(system.report()),
        }
    }
}
