//! The sum over a frame: the machine, what its units counted and how long it took in; energy by part out.
//!
//! Every part has an energy of events (counters times the energy of one) and one of time (leakage). The clock tree follows
//! from the others.

use super::report::{EnergyPart, EnergyReport};
use super::technology::EnergySpec;
use crate::machine::MachineSpec;
use crate::report::{FrameReport, MemoryKind, TechniqueMemory, TechniqueReport};
use azulejo_units::{Milliwatts, Picojoules, Picoseconds};

/// Bytes of the access that the tables of arrays are for.
pub(super) const ACCESS_BYTES: f64 = 64.0;

/// A frame that is to be charged.
#[derive(Debug, Clone, Copy)]
pub(super) struct Account<'a> {
    pub(super) energies: &'a EnergySpec,
    pub(super) machine: &'a MachineSpec,
    pub(super) report: &'a FrameReport,
    pub(super) time: Picoseconds,
}

impl EnergySpec {
    /// Energy of the frame on the machine.
    #[must_use]
    pub fn of_frame(&self, machine: &MachineSpec, report: &FrameReport) -> EnergyReport {
        let account = Account {
            energies: self,
            machine,
            report,
            time: machine.clock.time_of(report.cycles),
        };
        let mut parts = account.memories();
        parts.extend([account.miss_registers(), account.request_queues()]);
        parts.extend([account.queues(), account.triangle_set_up()]);
        parts.extend(account.fixed_functions());
        parts.extend(account.lanes());
        parts.extend(account.data_caches());
        let clock = account.clock_tree(&parts);
        parts.extend([account.command_processor(), account.instructions(), clock]);
        parts.extend([account.wires(), account.memory_interface()]);
        let techniques: Vec<EnergyPart> = (report.techniques.iter())
            .map(|technique| account.technique(technique))
            .collect();
        let all = parts.iter().chain(&techniques);
        let gpu = all.map(EnergyPart::total).sum();
        EnergyReport {
            parts,
            techniques,
            events: account.events(),
            gpu,
            dram: Picojoules(report.dram.energy.total()),
        }
    }
}

impl Account<'_> {
    /// A part of so much energy of events that leaks so much.
    pub(super) fn part(
        &self,
        name: &'static str,
        dynamic: Picojoules,
        leakage: Milliwatts,
    ) -> EnergyPart {
        EnergyPart {
            name,
            dynamic,
            leakage: leakage * self.time,
        }
    }

    /// The tree's share of all that is clocked, given what the other parts take without it.
    fn clock_tree(&self, clocked: &[EnergyPart]) -> EnergyPart {
        let dynamic: Picojoules = clocked.iter().map(|part| part.dynamic).sum();
        let tree = dynamic * self.energies.clock_of_rest();
        self.part("clock tree", tree, Milliwatts::default())
    }

    /// Energy of a technique: its memories, the exclusive or behind its tables, and its branch of the clock tree.
    fn technique(&self, technique: &TechniqueReport) -> EnergyPart {
        let memories = technique.memories.iter();
        let (mut dynamic, mut leakage) = (Picojoules::ZERO, Milliwatts::default());
        for memory in memories {
            dynamic += self.accesses_of(memory);
            leakage += self.leakage_of(memory);
        }
        let clocked = dynamic * (1.0 + self.energies.clock_of_rest());
        self.part(technique.technique, clocked, leakage)
    }

    fn accesses_of(&self, memory: &TechniqueMemory) -> Picojoules {
        let array = self.energies.ram(memory.size);
        let word = memory.word.0 as f64 / ACCESS_BYTES;
        let (reads, writes) = (memory.reads as f64, memory.writes as f64);
        let accesses = (array.read * reads + array.write * writes) * word;
        match memory.kind {
            MemoryKind::Ram => accesses,
            // The outputs of tables are joined by exclusive or, of which an addition has two for each bit: an upper bound.
            MemoryKind::Rom => {
                let xor = self.energies.operations().int_add * (memory.word.0 as f64 / 4.0);
                accesses + xor * reads
            }
        }
    }

    fn leakage_of(&self, memory: &TechniqueMemory) -> Milliwatts {
        let of_one = match memory.kind {
            MemoryKind::Ram => self.energies.ram(memory.size).leakage,
            MemoryKind::Rom => self.energies.rom_leakage(memory.size),
        };
        of_one * f64::from(memory.count)
    }
}
