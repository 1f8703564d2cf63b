//! Logic outside of arrays: energies and areas of operations at the node and voltage of their source in; at those of a chip
//! out.

use serde::Deserialize;

use crate::parameters::{amount, in_range};
use azulejo_units::{Milliwatts, Picojoules};

/// `[operation]`: one operation of one thread, and the control of one instruction, as published.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(super) struct OperationTable {
    /// Feature size in nm of all these figures.
    #[serde(deserialize_with = "in_range::<1, 1000, _, _>")]
    node_nm: u32,
    #[serde(rename = "voltage_V", deserialize_with = "amount")]
    pub(super) voltage: f64,
    #[serde(rename = "alu_pJ", deserialize_with = "amount")]
    alu: Picojoules,
    #[serde(rename = "alu_um2", deserialize_with = "amount")]
    alu_area: f64,
    #[serde(rename = "transcendental_pJ", deserialize_with = "amount")]
    transcendental: Picojoules,
    #[serde(rename = "add_pJ", deserialize_with = "amount")]
    add: Picojoules,
    #[serde(rename = "add_um2", deserialize_with = "amount")]
    add_area: f64,
    #[serde(rename = "int_add_pJ", deserialize_with = "amount")]
    int_add: Picojoules,
    #[serde(rename = "int_add_um2", deserialize_with = "amount")]
    int_add_area: f64,
    #[serde(rename = "half_multiply_pJ", deserialize_with = "amount")]
    half_multiply: Picojoules,
    #[serde(rename = "half_multiply_um2", deserialize_with = "amount")]
    half_multiply_area: f64,
    #[serde(rename = "half_add_pJ", deserialize_with = "amount")]
    half_add: Picojoules,
    #[serde(rename = "half_add_um2", deserialize_with = "amount")]
    half_add_area: f64,
    #[serde(rename = "fetch_pJ", deserialize_with = "amount")]
    fetch: Picojoules,
    #[serde(rename = "control_pJ", deserialize_with = "amount")]
    control: Picojoules,
}

/// `[logic]`: leakage by area, and the areas of a core's control and of the command processor, all at the chip's node and
/// the arrays' voltage.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(super) struct LogicTable {
    #[serde(rename = "arithmetic_mW_per_mm2", deserialize_with = "amount")]
    pub(super) arithmetic: Milliwatts,
    #[serde(rename = "control_mW_per_mm2", deserialize_with = "amount")]
    pub(super) control: Milliwatts,
    #[serde(rename = "control_mm2", deserialize_with = "amount")]
    pub(super) control_area: f64,
    #[serde(rename = "command_mm2", deserialize_with = "amount")]
    pub(super) command_area: f64,
}

/// `[queue]`: bytes of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(super) struct QueueEntries {
    /// A vertex with its attributes.
    #[serde(
        rename = "vertex_bytes",
        deserialize_with = "in_range::<1, 4096, _, _>"
    )]
    pub(super) vertex: u32,
    /// A triangle with its attributes.
    #[serde(
        rename = "primitive_bytes",
        deserialize_with = "in_range::<1, 4096, _, _>"
    )]
    pub(super) primitive: u32,
    /// Four fragments with their attributes.
    #[serde(rename = "quad_bytes", deserialize_with = "in_range::<1, 4096, _, _>")]
    pub(super) quad: u32,
}

/// Energies on a chip, in pJ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Operations {
    /// A 32-bit fused multiply-add, as which every arithmetic instruction counts.
    pub(super) alu: Picojoules,
    /// A special function of one thread.
    pub(super) transcendental: Picojoules,
    /// A 32-bit floating-point addition.
    pub(super) add: Picojoules,
    /// A 32-bit integer addition.
    pub(super) int_add: Picojoules,
    /// A 16-bit floating-point multiplication.
    pub(super) half_multiply: Picojoules,
    /// A 16-bit floating-point addition.
    pub(super) half_add: Picojoules,
    /// The access of the instruction cache for an instruction.
    pub(super) fetch: Picojoules,
    /// Control of an instruction, beside its fetch, its operands and its operation.
    pub(super) control: Picojoules,
}

/// Areas on a chip, in mm2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Areas {
    pub(super) alu: f64,
    pub(super) add: f64,
    pub(super) int_add: f64,
    pub(super) half_multiply: f64,
    pub(super) half_add: f64,
}

impl OperationTable {
    /// Energy goes with the capacitance, that is the feature size, and with the square of the voltage.
    pub(super) fn at(&self, node_nm: u32, voltage: f64) -> Operations {
        let scale = self.shrink(node_nm) * (voltage / self.voltage).powi(2);
        Operations {
            alu: self.alu * scale,
            transcendental: self.transcendental * scale,
            add: self.add * scale,
            int_add: self.int_add * scale,
            half_multiply: self.half_multiply * scale,
            half_add: self.half_add * scale,
            fetch: self.fetch * scale,
            control: self.control * scale,
        }
    }

    /// Area goes with the square of the feature size.
    pub(super) fn areas_at(&self, node_nm: u32) -> Areas {
        let scale = self.shrink(node_nm).powi(2) * 1e-6;
        Areas {
            alu: self.alu_area * scale,
            add: self.add_area * scale,
            int_add: self.int_add_area * scale,
            half_multiply: self.half_multiply_area * scale,
            half_add: self.half_add_area * scale,
        }
    }

    fn shrink(&self, node_nm: u32) -> f64 {
        f64::from(node_nm) / f64::from(self.node_nm)
    }
}
