//! Links that carry lines between units, and to the memory: a technology's tables in, energies of a bit out.

use serde::Deserialize;

use crate::parameters::{amount, in_range};
use azulejo_units::{Milliwatts, Picojoules};

/// Share of random bits that differ from the one before.
const TRANSITIONS: f64 = 0.5;
/// Rising edges of the pins for a bit: every fourth bit is a one behind a zero, and of the two strobes of eight bits one
/// rises at each beat.
const RISES: f64 = 1.0 / 4.0 + 1.0 / 8.0;
/// Pins that are high for a bit: every second bit, and one of the two strobes of eight bits.
const HIGH: f64 = 1.0 / 2.0 + 1.0 / 8.0;

/// `[request]`: bytes of a request for a line, and of a waiter for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(super) struct RequestTable {
    /// A request without its line.
    #[serde(deserialize_with = "in_range::<1, 4096, _, _>")]
    pub(super) bytes: u32,
    /// A miss register, in bytes.
    #[serde(
        rename = "register_bytes",
        deserialize_with = "in_range::<1, 4096, _, _>"
    )]
    pub(super) register: u32,
}

/// `[wire]`: a wire with its repeaters, as published.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(super) struct WireTable {
    #[serde(rename = "voltage_V", deserialize_with = "amount")]
    pub(super) voltage: f64,
    #[serde(rename = "transition_fJ_per_mm", deserialize_with = "amount")]
    transition: f64,
}

impl WireTable {
    /// A random bit over a mm: the capacitance is that of all nodes, so that only the voltage scales.
    pub(super) fn bit_at(&self, voltage: f64) -> Picojoules {
        let squared = (voltage / self.voltage).powi(2);
        Picojoules(self.transition * 1e-3 * TRANSITIONS * squared)
    }
}

/// `[interface]`: pins and physical layer between chip and memory.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(super) struct InterfaceTable {
    #[serde(rename = "phy_pJ_per_bit", deserialize_with = "amount")]
    phy: Picojoules,
    /// Power of a channel's physical layer, whatever happens.
    #[serde(rename = "phy_mW", deserialize_with = "amount")]
    pub(super) standing: Milliwatts,
    /// Charged to the supply.
    #[serde(rename = "driver_pF", deserialize_with = "amount")]
    driver: f64,
    /// Charged to the swing.
    #[serde(rename = "load_pF", deserialize_with = "amount")]
    load: f64,
    #[serde(rename = "supply_V", deserialize_with = "amount")]
    supply: f64,
    #[serde(rename = "swing_V", deserialize_with = "amount")]
    swing: f64,
    /// Between a pin and ground; 0 = not terminated.
    #[serde(rename = "termination_ohm", deserialize_with = "amount")]
    termination: f64,
}

impl InterfaceTable {
    /// A random bit with its part of the strobes, where bits follow each other in this time: capacitances that are charged
    /// from the supply, and the current of the terminations of pins that are high.
    pub(super) fn bit(&self, picoseconds: f64) -> Picojoules {
        let charged = self.driver * self.supply + self.load * self.swing;
        let mut bit = self.phy;
        bit += Picojoules(RISES * self.supply * charged);
        if self.termination > 0.0 {
            let power = self.supply * self.swing / self.termination;
            bit += Picojoules(HIGH * power * picoseconds);
        }
        bit
    }
}
