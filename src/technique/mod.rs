//! What the papers change about the machine: one file or folder a technique, each against a seam of [`crate::gpu`].
//!
//! The machine knows nothing of this room; [`Technique`]s are handed to it when it is built.

pub mod memoization;
pub mod rendering_elimination;
pub mod transaction_elimination;

mod stack;

#[cfg(test)]
mod tests;

use crate::gpu::elide::Elider;
use crate::gpu::machine::MachineSpec;
use crate::gpu::schedule::baseline;
use crate::gpu::{BuildError, Gpu};

use rendering_elimination::RenderingElimination;
use stack::Stack;
use transaction_elimination::TransactionElimination;

/// A technique by name.
#[derive(Debug, Clone, Copy)]
pub struct Technique {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it is called in papers.
    pub title: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    /// A fresh one for a machine.
    pub elider: fn(&MachineSpec) -> Box<dyn Elider>,
}

/// Every technique, in the order in which lists show them.
pub const TECHNIQUES: &[Technique] = &[
    Technique {
        name: "re",
        title: "Rendering Elimination",
        about: "tiles whose inputs did not change are not drawn",
        paper: "Anglada et al., HPCA 2019",
        elider: |spec| Box::new(RenderingElimination::new(spec.signature_unit, None, false)),
    },
    Technique {
        name: "te",
        title: "Transaction Elimination",
        about: "tiles whose colours did not change are not flushed",
        paper: "Arm; as modelled by Anglada et al., HPCA 2019, section IV-C",
        elider: |_| Box::new(TransactionElimination::default()),
    },
];

impl Technique {
    /// The technique of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        TECHNIQUES.iter().find(|technique| technique.name == name)
    }
}

/// A machine with techniques, which may be none: they work side by side.
///
/// # Errors
/// If the machine cannot be built.
pub fn machine_with(
    spec: &MachineSpec,
    techniques: &[&'static Technique],
) -> Result<Gpu, BuildError> {
    let eliders = techniques.iter().map(|technique| (technique.elider)(spec));
    let stack = Stack::new(eliders.collect());
    Gpu::with_techniques(spec, baseline(spec.raster.dispatch), Box::new(stack))
}
