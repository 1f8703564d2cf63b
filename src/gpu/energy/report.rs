//! What a frame has cost in energy.

use serde::Serialize;

use crate::units::Picojoules;

/// Energy of one kind of unit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EnergyPart {
    /// As tables and JSON call the units.
    pub name: &'static str,
    /// Of what happened in the frame, in pJ.
    #[serde(rename = "dynamic_pJ")]
    pub dynamic: Picojoules,
    /// Of the frame's time, in pJ.
    #[serde(rename = "leakage_pJ")]
    pub leakage: Picojoules,
}

/// Energy of a frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EnergyReport {
    /// The GPU's units.
    pub parts: Vec<EnergyPart>,
    /// All of the GPU's units, in pJ.
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
}
