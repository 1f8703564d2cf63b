//! State of a batch: registers, lanes, the stack of regions.

use azulejo_simd::LANES;

use super::super::code::Register;

/// Lanes that run together, sixteen quads.
pub const LANES_OF_BATCH: usize = 64;

/// Vectors of a register.
pub(super) const BLOCKS: usize = LANES_OF_BATCH / LANES;

/// A register of all lanes.
pub(super) type Row = [[i32; LANES]; BLOCKS];

/// Lanes of an open region that do not run: of an `if`, those that wait for the other branch and those that are through; of
/// a loop, those that left it and those that continued; of a switch, those without a case yet and those that are through.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Region {
    pub(super) waiting: u64,
    pub(super) through: u64,
}

/// Lanes that came by a mark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in super::super) struct Note {
    pub(in super::super) mark: u32,
    pub(in super::super) lanes: u64,
    /// Those with the mark's condition.
    pub(in super::super) chosen: u64,
}

/// Sixty-four lanes on their way through a program.
#[derive(Debug, Clone)]
pub struct Batch {
    pub(super) registers: Vec<Row>,
    pub(super) regions: Vec<Region>,
    pub(super) at: usize,
    pub(super) active: u64,
    pub(super) alive: u64,
    pub(super) executed: u64,
    /// Number of the batch in its workgroup, 0 in other stages.
    pub(super) number: u32,
    /// Marks of traced code, in the order of execution.
    pub(in super::super) notes: Vec<Note>,
    /// Lanes that executed each instruction.
    #[cfg(test)]
    pub(in super::super) counts: Vec<u64>,
}

impl Batch {
    /// One register more than the program's is for results of masked instructions.
    pub(super) fn new(registers: Register) -> Self {
        Self {
            registers: vec![[[0; LANES]; BLOCKS]; registers as usize + 1],
            regions: Vec::new(),
            at: 0,
            active: u64::MAX,
            alive: u64::MAX,
            executed: 0,
            number: 0,
            notes: Vec::new(),
            #[cfg(test)]
            counts: Vec::new(),
        }
    }

    /// Lanes that ran and were not discarded, a bit each.
    #[must_use]
    pub const fn alive(&self) -> u64 {
        self.alive
    }

    /// Begins with these lanes, of which those beyond `alive` are helpers.
    pub(super) fn start(&mut self, lanes: u64, alive: u64) {
        self.regions.clear();
        self.at = 0;
        self.active = lanes;
        self.alive = alive;
        self.executed = 0;
        self.notes.clear();
    }

    /// Takes in that the active lanes execute an instruction.
    #[cfg(test)]
    pub(super) fn count(&mut self, at: usize) {
        if self.counts.len() <= at {
            self.counts.resize(at + 1, 0);
        }
        self.counts[at] += u64::from(self.active.count_ones());
    }

    pub(super) fn fill(&mut self, register: Register, bits: u32) {
        self.registers[register as usize] = [[bits.cast_signed(); LANES]; BLOCKS];
    }

    pub(super) fn first(&self, register: Register) -> u32 {
        self.registers[register as usize][0][0].cast_unsigned()
    }

    pub(super) fn write(&mut self, register: Register, values: &[u32; LANES_OF_BATCH]) {
        self.registers[register as usize] = bytemuck::cast(*values);
    }

    pub(super) fn read(&self, register: Register) -> &[u32; LANES_OF_BATCH] {
        bytemuck::cast_ref(&self.registers[register as usize])
    }
}
