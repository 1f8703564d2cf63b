//! Registers of a core's warps, where a machine limits them.

use crate::frame::ProgramShape;
use crate::machine::CoreSpec;

/// Registers that resident warps have.
#[derive(Debug)]
pub(super) struct Registers {
    /// All that there are; 0 where nothing limits them.
    all: u32,
    warp_threads: u32,
    used: u32,
    /// By slot.
    of_warps: Vec<u32>,
}

impl Registers {
    pub(super) fn new(spec: &CoreSpec) -> Self {
        Self {
            all: spec.registers,
            warp_threads: spec.warp_threads,
            used: 0,
            of_warps: vec![0; spec.warps as usize],
        }
    }

    /// Registers that a warp takes; one that needs more than there are has all of them.
    fn of(&self, program: &ProgramShape) -> u32 {
        let needed = program.registers.saturating_mul(self.warp_threads);
        needed.min(self.all)
    }

    /// Warps of a program that there are registers for, at most `most`.
    pub(super) fn n_warps(&self, program: &ProgramShape, most: usize) -> usize {
        let fit = (self.all - self.used).checked_div(self.of(program));
        fit.map_or(most, |fit| most.min(fit as usize))
    }

    /// A warp of a program becomes resident in a slot.
    pub(super) fn take(&mut self, slot: usize, program: &ProgramShape) {
        self.of_warps[slot] = self.of(program);
        self.used += self.of_warps[slot];
    }

    /// The warp of a slot leaves.
    pub(super) fn give_back(&mut self, slot: usize) {
        self.used -= self.of_warps[slot];
    }
}
