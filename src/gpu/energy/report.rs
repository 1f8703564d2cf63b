//! What a frame has cost in energy.

use serde::Serialize;

use crate::gpu::statistics::CostCounters;
use crate::units::Picojoules;

/// Energy of one kind of unit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EnergyPart {
    /// As tables and JSON call the units; of a technique its name.
    pub name: &'static str,
    /// Of what happened in the frame, in pJ.
    #[serde(rename = "dynamic_pJ")]
    pub dynamic: Picojoules,
    /// Of the frame's time, in pJ.
    #[serde(rename = "leakage_pJ")]
    pub leakage: Picojoules,
}

impl EnergyPart {
    /// Of events and of time, in pJ.
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

/// What costs as much wherever in the machine it happens, so that it can be charged to the draw or the tile that it was for.
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
    /// Of the programs that ran for a draw or a tile: control, arithmetic and texture filters; summed over draws it is what these parts of the
    /// machine took beside their leakage. Registers, operand collectors and caches cost by the core that a warp happened to run on, and what
    /// units leak, and the DRAM's rows and standby, is nobody's alone: none of it is in it.
    #[must_use]
    pub fn of_programs(&self, cost: &CostCounters) -> Picojoules {
        let elsewhere = cost.transcendental_threads + cost.texture_threads;
        let plain = (cost.thread_instructions - elsewhere) as f64;
        let mut energy = self.instruction * cost.instructions as f64;
        energy += self.arithmetic * plain;
        energy += self.transcendental * cost.transcendental_threads as f64;
        energy += self.sample * cost.texture_threads as f64;
        energy
    }

    /// Of the lines that went over the memory's pins for a draw or a tile, both ways, without what the DRAM itself takes.
    #[must_use]
    pub fn of_pins(&self, cost: &CostCounters) -> Picojoules {
        self.line * cost.dram_lines.total() as f64
    }
}

/// Energy of a frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EnergyReport {
    /// The machine's own units, always the same in the same order.
    pub parts: Vec<EnergyPart>,
    /// What techniques bring along, in their order.
    pub techniques: Vec<EnergyPart>,
    /// Of one event each, for [costs by draw and by tile](EventEnergies::of_programs).
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
    /// GPU and memory.
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
