//! Energy of a frame by part, and of single events.

use serde::Serialize;

use crate::statistics::CostCounters;
use azulejo_units::Picojoules;

/// Energy of one kind of unit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EnergyPart {
    /// As tables and JSON call the units; of a technique its name.
    pub name: &'static str,
    /// Energy of the frame's events, in pJ.
    #[serde(rename = "dynamic_pJ")]
    pub dynamic: Picojoules,
    /// Leakage over the frame's time, in pJ.
    #[serde(rename = "leakage_pJ")]
    pub leakage: Picojoules,
}

impl EnergyPart {
    /// Energy of events and of time, in pJ.
    #[must_use]
    pub fn total(&self) -> Picojoules {
        self.dynamic + self.leakage
    }

    /// Whether both energies are numbers that a sum can hold, and none is negative.
    pub(crate) fn is_sound(&self) -> bool {
        let sound = |energy: Picojoules| energy.0.is_finite() && energy.0 >= 0.0;
        sound(self.dynamic) && sound(self.leakage)
    }
}

/// Energies of events that cost as much wherever in the machine they happen, so that they can be charged to a draw or a
/// tile.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct EventEnergies {
    /// Control of a warp's instruction, in pJ.
    pub instruction: Picojoules,
    /// An arithmetic instruction of one thread, in pJ.
    pub arithmetic: Picojoules,
    /// A special function of one thread, in pJ.
    pub transcendental: Picojoules,
    /// A filtered texture sample of one thread, in pJ.
    pub sample: Picojoules,
    /// A line over the memory's pins, either way, in pJ.
    pub line: Picojoules,
}

impl EventEnergies {
    /// Energy of the programs that ran for a draw or a tile: control, arithmetic and texture filters; summed over draws it
    /// is the energy of these parts of the machine beside their leakage. Registers, operand collectors and caches cost by
    /// the core that a warp happened to run on; leakage of units, and the DRAM's rows and standby, belong to no draw alone:
    /// none of it is in it.
    #[must_use]
    pub fn of_programs(&self, cost: &CostCounters) -> Picojoules {
        let elsewhere = cost.transcendental_threads + cost.texture_threads + cost.buffer_threads;
        let plain = (cost.thread_instructions - elsewhere) as f64;
        let mut energy = self.instruction * cost.instructions as f64;
        energy += self.arithmetic * plain;
        energy += self.transcendental * cost.transcendental_threads as f64;
        energy += self.sample * cost.texture_threads as f64;
        energy
    }

    /// Energy of the lines that went over the memory's pins for a draw or a tile, both ways, without that of the DRAM
    /// itself.
    #[must_use]
    pub fn of_pins(&self, cost: &CostCounters) -> Picojoules {
        self.line * cost.dram_lines.total() as f64
    }
}

/// Energy of a frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EnergyReport {
    /// The machine's own units, always the same in the same order, with data caches where programs access buffers.
    pub parts: Vec<EnergyPart>,
    /// Energy of each technique, in their order.
    pub techniques: Vec<EnergyPart>,
    /// Energy of one event each, for [costs by draw and by tile](EventEnergies::of_programs).
    #[serde(skip)]
    pub events: EventEnergies,
    /// All of the GPU, techniques included, in pJ.
    #[serde(rename = "gpu_pJ")]
    pub gpu: Picojoules,
    /// Main memory, all channels, in pJ.
    #[serde(rename = "dram_pJ")]
    pub dram: Picojoules,
}

impl EnergyReport {
    /// Energy of GPU and memory, in pJ.
    #[must_use]
    pub fn total(&self) -> Picojoules {
        self.gpu + self.dram
    }

    /// The machine's units, then techniques.
    pub fn all_parts(&self) -> impl Iterator<Item = &EnergyPart> {
        self.parts.iter().chain(&self.techniques)
    }

    /// The machine's unit of this name.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<&EnergyPart> {
        self.parts.iter().find(|part| part.name == name)
    }
}
