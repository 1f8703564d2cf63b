//! The sum over a frame.

use super::report::{EnergyPart, EnergyReport};
use super::technology::{EnergySpec, Sram};
use crate::gpu::cache::CacheCounters;
use crate::gpu::machine::{CoreSpec, MachineSpec, VertexCores};
use crate::gpu::report::FrameReport;
use crate::gpu::shading::CoreCounters;
use crate::units::{Bytes, Picojoules, Picoseconds};

/// Registers of a thread, each of four bytes (Arm: Valhall threads have 32 at full occupancy).
const REGISTERS: u64 = 32;
/// Register reads and writes of an instruction: a fused multiply-add has three operands and a result.
const OPERANDS: f64 = 3.0;
/// Bytes of the access that the tables are for.
const ACCESS_BYTES: f64 = 64.0;
/// Multiplications and additions to interpolate one attribute of four components: value = a x + b y + c.
const INTERPOLATION: f64 = 8.0;
/// Bytes of a quad's colours or depths.
const QUAD_BYTES: f64 = 16.0;

impl EnergySpec {
    /// What the frame has cost on the machine.
    #[must_use]
    pub fn of_frame(&self, machine: &MachineSpec, report: &FrameReport) -> EnergyReport {
        let time = machine.clock.time_of(report.cycles);
        let mut parts = vec![
            self.vertex_cache(machine, report, time),
            self.tile_cache(machine, report, time),
            self.l2(machine, report, time),
            self.tile_buffers(machine, report, time),
            self.interpolation(report),
        ];
        parts.extend(self.cores(machine, report, time));
        parts.extend(self.techniques(report, time));
        let gpu = parts.iter().map(|part| part.dynamic + part.leakage).sum();
        EnergyReport {
            parts,
            gpu,
            dram: Picojoules(report.dram.energy.total()),
        }
    }

    /// The memories that techniques bring along; their registers and XORs are not in it.
    fn techniques(&self, report: &FrameReport, time: Picoseconds) -> Option<EnergyPart> {
        if report.techniques.is_empty() {
            return None;
        }
        let mut part = EnergyPart {
            name: "techniques",
            dynamic: Picojoules::ZERO,
            leakage: Picojoules::ZERO,
        };
        for used in report.techniques.iter().flat_map(|used| &used.memories) {
            let array = self.ram(used.size);
            let word = used.word.0 as f64 / ACCESS_BYTES;
            let accesses = array.read * used.reads as f64 + array.write * used.writes as f64;
            part.dynamic += accesses * word;
            part.leakage += (array.leakage * f64::from(used.count)) * time;
        }
        Some(part)
    }

    fn vertex_cache(
        &self,
        machine: &MachineSpec,
        report: &FrameReport,
        time: Picoseconds,
    ) -> EnergyPart {
        let array = self.cache(machine.geometry.vertex_cache.tags.size);
        EnergyPart {
            name: "vertex cache",
            dynamic: accesses(&array, &report.geometry.vertex_cache),
            leakage: array.leakage * time,
        }
    }

    fn tile_cache(
        &self,
        machine: &MachineSpec,
        report: &FrameReport,
        time: Picoseconds,
    ) -> EnergyPart {
        let array = self.cache(machine.tiling.tile_cache.tags.size);
        EnergyPart {
            name: "tile cache",
            dynamic: accesses(&array, &report.tile_cache),
            leakage: array.leakage * time,
        }
    }

    fn l2(&self, machine: &MachineSpec, report: &FrameReport, time: Picoseconds) -> EnergyPart {
        let array = self.sequential_cache(machine.l2.tags.size);
        let l2 = &report.l2;
        let reads = l2.reads.total() + l2.writebacks;
        let writes = l2.read_misses.total() + l2.writes.total();
        EnergyPart {
            name: "L2",
            dynamic: array.read * reads as f64 + array.write * writes as f64,
            leakage: array.leakage * time,
        }
    }

    /// Depth is read for every quad tested and written for those that pass; colour is read and written by every quad blended and read by
    /// the flush.
    fn tile_buffers(
        &self,
        machine: &MachineSpec,
        report: &FrameReport,
        time: Picoseconds,
    ) -> EnergyPart {
        let edge = u64::from(report.grid.tile_size);
        let array = self.ram(Bytes(edge * edge * 4));
        let n_arrays = machine.raster.units.len() * (machine.raster.color_buffers as usize + 1);
        let quad = QUAD_BYTES / ACCESS_BYTES;
        let dynamic = report
            .raster_units
            .iter()
            .map(|unit| {
                let tested = (unit.early_z_tested + unit.late_z_tested) as f64;
                let passed = (unit.early_z_tested - unit.early_z_killed) as f64;
                let blended = unit.quads_blended as f64;
                (array.read * (tested + blended) + array.write * (passed + blended)) * quad
                    + array.read * unit.flush_lines as f64
            })
            .sum();
        EnergyPart {
            name: "tile buffers",
            dynamic,
            leakage: (array.leakage * n_arrays as f64) * time,
        }
    }

    fn interpolation(&self, report: &FrameReport) -> EnergyPart {
        let attributes: u64 = (report.raster_units.iter())
            .map(|unit| unit.attributes_interpolated)
            .sum();
        EnergyPart {
            name: "interpolation",
            dynamic: self.alu() * (attributes as f64 * INTERPOLATION),
            leakage: Picojoules::ZERO,
        }
    }

    fn cores(
        &self,
        machine: &MachineSpec,
        report: &FrameReport,
        time: Picoseconds,
    ) -> [EnergyPart; 3] {
        let part = |name| EnergyPart {
            name,
            dynamic: Picojoules::ZERO,
            leakage: Picojoules::ZERO,
        };
        let mut parts = [
            part("arithmetic"),
            part("registers"),
            part("texture caches"),
        ];
        for (spec, core) in specs(machine).zip(&report.cores) {
            let [arithmetic, registers, texture] = &mut parts;
            let threads = core.thread_instructions as f64;
            let special = core.transcendental_threads as f64;
            arithmetic.dynamic +=
                self.alu() * (threads - special) + self.transcendental() * special;
            self.add_registers(registers, spec, threads, time);
            self.add_texture(texture, spec, core, time);
        }
        parts
    }

    fn add_registers(
        &self,
        part: &mut EnergyPart,
        spec: &CoreSpec,
        threads: f64,
        time: Picoseconds,
    ) {
        let n_threads = u64::from(spec.warps) * u64::from(spec.warp_threads);
        // Banks of 16 KiB, as large as the tables go; energy is that of one bank, leakage that of all.
        let bytes = n_threads * REGISTERS * 4;
        let bank = self.ram(Bytes(bytes.min(16 << 10)));
        let word = 4.0 / ACCESS_BYTES;
        part.dynamic += (bank.read * OPERANDS + bank.write) * (threads * word);
        let n_banks = bytes as f64 / bytes.min(16 << 10) as f64;
        part.leakage += (bank.leakage * n_banks) * time;
    }

    fn add_texture(
        &self,
        part: &mut EnergyPart,
        spec: &CoreSpec,
        core: &CoreCounters,
        time: Picoseconds,
    ) {
        let array = self.cache(spec.texture_cache.tags.size);
        let counters = &core.texture;
        part.dynamic += array.read * counters.accesses as f64;
        part.dynamic += array.write * counters.misses as f64;
        part.leakage += array.leakage * time;
    }
}

/// Every access, and every line that came in.
fn accesses(array: &Sram, counters: &CacheCounters) -> Picojoules {
    let reads = counters.read_hits + counters.read_misses + counters.dirty_writebacks;
    let writes = counters.write_hits + counters.write_misses + counters.read_misses;
    array.read * reads as f64 + array.write * writes as f64
}

/// The type of every core of a report.
fn specs(machine: &MachineSpec) -> impl Iterator<Item = &CoreSpec> {
    let raster = &machine.raster;
    let of_units = raster.units.iter().flat_map(|core| {
        std::iter::repeat_n(&raster.core_types[*core].1, raster.cores_per_unit as usize)
    });
    let dedicated = match &machine.geometry.cores {
        VertexCores::Dedicated(n, core) => Some(std::iter::repeat_n(core, *n as usize)),
        VertexCores::Unified(_) => None,
    };
    of_units.chain(dedicated.into_iter().flatten())
}
