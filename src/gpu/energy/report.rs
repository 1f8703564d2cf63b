//! What a frame has cost in energy.

use serde::Serialize;

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

/// Energy of a frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EnergyReport {
    /// The machine's own units, always the same in the same order.
    pub parts: Vec<EnergyPart>,
    /// What techniques bring along, in their order.
    pub techniques: Vec<EnergyPart>,
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
