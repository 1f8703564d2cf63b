//! Area and storage: a machine in, mm2 of its largest parts and bytes of what its cores differ in out.
//!
//! Arrays are CACTI's, logic is the area of the operations that the machine's rates ask for, as in the energy of a frame.

use super::account::Account;
use super::technology::EnergySpec;
use crate::machine::{CoreSpec, MachineSpec};
use crate::report::{FrameReport, TechniqueMemory};
use azulejo_units::{Bytes, Picoseconds};

/// Areas of a chip's largest parts, in mm2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChipArea {
    /// Arithmetic, registers, control and texture caches of all cores. Data caches, which no paper's machine has, are left out.
    pub cores: f64,
    /// Second-level cache, all banks with their tags.
    pub l2: f64,
    /// Vertex cache, tile cache and tile buffers.
    pub buffers: f64,
}

impl ChipArea {
    /// All of them. Less than the chip: fixed functions, queues and the memory's interface are not in it.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.cores + self.l2 + self.buffers
    }
}

impl EnergySpec {
    /// The machine's area. The report says which cores there are.
    #[must_use]
    pub fn chip_area(&self, machine: &MachineSpec, report: &FrameReport) -> ChipArea {
        let account = Account {
            energies: self,
            machine,
            report,
            time: Picoseconds(0),
        };
        let raster = &machine.raster;
        let edge = u64::from(machine.screen.grid.tile_size);
        // A depth buffer beside the colour buffers.
        let n_buffers = raster.units.len() as f64 * f64::from(raster.color_buffers + 1);
        let vertex = self.cache(machine.geometry.vertex_cache.tags.size).area;
        let tile = self.cache(machine.tiling.tile_cache.tags.size).area;
        ChipArea {
            cores: account.area_of_cores(),
            l2: self.sequential_cache(machine.l2.tags.size).area,
            buffers: vertex + tile + n_buffers * self.ram(Bytes(4 * edge * edge)).area,
        }
    }

    /// A technique's memory in mm2; a constant table as one that can be written, an upper bound.
    #[must_use]
    pub fn memory_area(&self, memory: &TechniqueMemory) -> f64 {
        self.ram(memory.size).area * f64::from(memory.count)
    }

    /// Bytes of what types of cores differ in: texture cache without tags, miss registers, operand collectors.
    #[must_use]
    pub fn core_storage(&self, core: &CoreSpec) -> Bytes {
        let registers = u64::from(core.texture_cache.mshrs) * u64::from(self.requests().register);
        Bytes(core.texture_cache.tags.size.0 + registers + super::cores::collector_bytes(core))
    }
}
