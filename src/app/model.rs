//! What runs frames: a GPU by itself, or among those who share its memory, where its machine says that it has neighbours.

use crate::gpu::machine::MachineSpec;
use crate::gpu::{FrameReport, Gpu};
use crate::soc::{SocSpec, System, SystemError, SystemReport, Totals};
use crate::technique::{Technique, machine_with};
use crate::trace::FrameTrace;

/// A machine under way.
#[derive(Debug)]
pub(in crate::app) enum Model {
    Gpu(Box<Gpu>),
    System(Box<System>),
}

impl Model {
    /// The machine with techniques, switched on.
    ///
    /// # Errors
    /// If there can be no such machine.
    pub(in crate::app) fn new(
        spec: &MachineSpec,
        techniques: &[&Technique],
    ) -> Result<Self, SystemError> {
        let gpu = machine_with(spec, techniques)?;
        Ok(match SocSpec::of(spec)? {
            None => Self::Gpu(Box::new(gpu)),
            Some(_) => Self::System(Box::new(System::new(gpu)?)),
        })
    }

    /// The same; each agent of a system also does its work alone, for slowdowns.
    ///
    /// # Errors
    /// As before.
    pub(in crate::app) fn beside_alone(self) -> Result<Self, SystemError> {
        Ok(match self {
            Self::System(system) => Self::System(Box::new(system.beside_alone()?)),
            gpu @ Self::Gpu(_) => gpu,
        })
    }

    pub(in crate::app) fn gpu(&self) -> &Gpu {
        match self {
            Self::Gpu(gpu) => gpu,
            Self::System(system) => system.gpu(),
        }
    }

    pub(in crate::app) fn gpu_mut(&mut self) -> &mut Gpu {
        match self {
            Self::Gpu(gpu) => gpu,
            Self::System(system) => system.gpu_mut(),
        }
    }

    /// Runs a frame, and what lies between it and the one before.
    ///
    /// # Errors
    /// If the machine stands still, or its counters do not agree.
    pub(in crate::app) fn run_frame(
        &mut self,
        trace: &FrameTrace,
    ) -> Result<FrameReport, SystemError> {
        match self {
            Self::Gpu(gpu) => Ok(gpu.run_frame(trace)?),
            Self::System(system) => Ok(system.run_frame(trace)?.report),
        }
    }

    /// All that a system has counted so far; nothing of a GPU by itself.
    pub(in crate::app) fn totals(&self) -> Totals {
        match self {
            Self::Gpu(_) => Totals::default(),
            Self::System(system) => system.totals(),
        }
    }

    /// What all who share the memory did, where it is shared.
    pub(in crate::app) fn system(&self) -> Option<SystemReport> {
        match self {
            Self::Gpu(_) => None,
            Self::System(system) => Some(system.report()),
        }
    }
}
