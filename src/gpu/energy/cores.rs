//! Shader cores and vertex processors: their counters in; energy of instruction control, arithmetic, registers and texture
//! path out.
//!
//! A warp's instruction is fetched, decoded and issued once for all of its threads. Operands and arithmetic count by
//! thread.

use super::account::{ACCESS_BYTES, Account};
use super::report::{EnergyPart, EventEnergies};
use super::technology::Sram;
use crate::machine::{CacheUnitSpec, CoreSpec, MachineSpec, VertexCores};
use crate::shading::{CoreCounters, DataCounters, TextureCounters};
use azulejo_units::{Bytes, Milliwatts, Picojoules};

/// Registers of a thread, each of four bytes (Arm: Valhall threads have 32 at full occupancy).
const REGISTERS: u64 = 32;
/// Bytes of a register.
const REGISTER_BYTES: u64 = 4;
/// Registers that an instruction reads: a fused multiply-add has three operands and a result.
const OPERANDS: u64 = 3;
/// The largest bank of a register file, as large as the tables of arrays without tags go.
const BANK: u64 = 16 << 10;
/// Linear interpolations of a bilinear sample: three for each of four components, each a multiplication and two additions.
const LERPS: f64 = 12.0;
/// Fragments of a quad.
const FRAGMENTS: f64 = 4.0;

/// A core, its counters, and whether textures are sampled there.
#[derive(Debug, Clone, Copy)]
struct CoreUse<'a> {
    spec: &'a CoreSpec,
    counters: &'a CoreCounters,
    textures: bool,
}

/// Energy and leakage of one core, or of all of them, on a part.
#[derive(Debug, Clone, Copy, Default)]
struct Spent {
    dynamic: Picojoules,
    leakage: Milliwatts,
}

impl Account<'_> {
    /// Parts that work thread by thread: arithmetic, registers, operand collectors, texture filters and caches.
    pub(super) fn lanes(&self) -> [EnergyPart; 5] {
        [
            self.of_cores("arithmetic", Self::arithmetic),
            self.of_cores("registers", Self::registers),
            self.of_cores("operand collectors", Self::collectors),
            self.of_cores("texture filters", Self::filters),
            self.of_cores("texture caches", Self::texture_cache),
        ]
    }

    /// Instruction caches, decoders, schedulers and all other control of the lanes, clock included.
    pub(super) fn instructions(&self) -> EnergyPart {
        self.of_cores("instructions", Self::control)
    }

    fn of_cores(&self, name: &'static str, spent: fn(&Self, &CoreUse<'_>) -> Spent) -> EnergyPart {
        let mut sum = Spent::default();
        for core in cores(self.machine, &self.report.cores) {
            let of_core = spent(self, &core);
            sum.dynamic += of_core.dynamic;
            sum.leakage += of_core.leakage;
        }
        self.part(name, sum.dynamic, sum.leakage)
    }

    fn control(&self, core: &CoreUse<'_>) -> Spent {
        let of = self.energies.operations();
        Spent {
            dynamic: (of.fetch + of.control) * core.counters.instructions as f64,
            leakage: self.energies.control_leakage(),
        }
    }

    /// Special functions have lanes of their own, fewer by their interval; texture instructions compute nothing here.
    fn arithmetic(&self, core: &CoreUse<'_>) -> Spent {
        let (spec, counters) = (core.spec, core.counters);
        let special = counters.transcendental_threads as f64;
        let elsewhere =
            counters.transcendental_threads + counters.texture_threads + counters.buffer_threads;
        let plain = (counters.thread_instructions - elsewhere) as f64;
        let of = self.energies.operations();
        Spent {
            dynamic: of.alu * plain + of.transcendental * special,
            leakage: self.leaking(self.arithmetic_area(spec)),
        }
    }

    /// Area of the arithmetic, in mm2.
    fn arithmetic_area(&self, spec: &CoreSpec) -> f64 {
        let threads = f64::from(spec.alus) * f64::from(spec.warp_threads);
        let per_cycle =
            1.0 / spec.alu_interval.0 as f64 + 1.0 / spec.transcendental_interval.0 as f64;
        threads * per_cycle * self.energies.areas().alu
    }

    /// A bank of the register file, and how many there are.
    fn register_banks(&self, spec: &CoreSpec) -> (Sram, f64) {
        let n_threads = u64::from(spec.warps) * u64::from(spec.warp_threads);
        let bytes = n_threads * REGISTERS * REGISTER_BYTES;
        let bank = self.energies.ram(Bytes(bytes.min(BANK)));
        (bank, bytes as f64 / bytes.min(BANK) as f64)
    }

    /// Banks of 16 KiB: energy is that of one, leakage that of all.
    fn registers(&self, core: &CoreUse<'_>) -> Spent {
        let (bank, n_banks) = self.register_banks(core.spec);
        let access = bank.read * OPERANDS as f64 + bank.write;
        Spent {
            dynamic: access * words(core.counters),
            leakage: bank.leakage * n_banks,
        }
    }

    /// Operands of all threads of an instruction, written one by one and read when all are there.
    fn collectors(&self, core: &CoreUse<'_>) -> Spent {
        let array = self.energies.ram(Bytes(collector_bytes(core.spec)));
        let access = (array.read + array.write) * OPERANDS as f64;
        Spent {
            dynamic: access * words(core.counters),
            leakage: array.leakage,
        }
    }

    /// Energy of a bilinear sample: its interpolations in half precision.
    fn sample(&self) -> Picojoules {
        let energy = self.energies.operations();
        (energy.half_multiply + energy.half_add * 2.0) * LERPS
    }

    /// Energy of one of each event that costs the same on every core.
    pub(super) fn events(&self) -> EventEnergies {
        let of = self.energies.operations();
        EventEnergies {
            instruction: of.fetch + of.control,
            arithmetic: of.alu,
            transcendental: of.transcendental,
            sample: self.sample(),
            line: self.line_over_pins(),
        }
    }

    /// A bilinear sample for each thread of a texture instruction.
    fn filters(&self, core: &CoreUse<'_>) -> Spent {
        if !core.textures {
            return Spent::default();
        }
        let area = self.energies.areas();
        let sample = self.sample();
        let lanes = f64::from(core.spec.memory_pipelines) * FRAGMENTS
            / core.spec.texture_cycles_per_quad.0 as f64;
        let lane = LERPS * (area.half_multiply + 2.0 * area.half_add);
        Spent {
            dynamic: sample * core.counters.texture_threads as f64,
            leakage: self.leaking(lanes * lane),
        }
    }

    fn texture_cache(&self, core: &CoreUse<'_>) -> Spent {
        if !core.textures {
            return Spent::default();
        }
        let array = self.energies.cache(core.spec.texture_cache.tags.size);
        let counters = &core.counters.texture;
        Spent {
            dynamic: array.read * counters.accesses as f64 + array.write * counters.misses as f64,
            leakage: array.leakage,
        }
    }
}

impl Account<'_> {
    /// Data caches, in frames whose programs access buffers: the papers' machines have none, and are charged none.
    pub(super) fn data_caches(&self) -> Option<EnergyPart> {
        let is_used = self.used_data_caches().next().is_some();
        is_used.then(|| self.of_cores("load/store caches", Self::data_cache))
    }

    /// A load reads the array, and a line that comes for it is written; stores and atomics pass it by.
    fn data_cache(&self, core: &CoreUse<'_>) -> Spent {
        let array = self.energies.cache(core.spec.data_cache.tags.size);
        let counters = &core.counters.data;
        Spent {
            dynamic: array.read * counters.loaded() as f64 + array.write * counters.misses as f64,
            leakage: array.leakage,
        }
    }

    /// Every data cache with what it counted, if any of them counted something.
    pub(super) fn used_data_caches(&self) -> impl Iterator<Item = (&CacheUnitSpec, &DataCounters)> {
        let is_used = self.report.cores.iter().any(|core| !core.data.is_empty());
        let cores = cores(self.machine, &self.report.cores).filter(move |_| is_used);
        cores.map(|core| (&core.spec.data_cache, &core.counters.data))
    }

    /// Arithmetic, registers, instruction control and texture caches of all cores, in mm2: the largest of what lies around
    /// the L2.
    pub(super) fn area_of_cores(&self) -> f64 {
        let of_core = |core: CoreUse<'_>| {
            let (bank, n_banks) = self.register_banks(core.spec);
            let texture = core.spec.texture_cache.tags.size;
            let texture = self.energies.cache(texture).area * f64::from(u8::from(core.textures));
            let control = self.energies.control_area();
            self.arithmetic_area(core.spec) + bank.area * n_banks + control + texture
        };
        cores(self.machine, &self.report.cores).map(of_core).sum()
    }

    /// Every texture cache with what it counted.
    pub(super) fn texture_caches(
        &self,
    ) -> impl Iterator<Item = (&CacheUnitSpec, &TextureCounters)> {
        let cores = cores(self.machine, &self.report.cores).filter(|core| core.textures);
        cores.map(|core| (&core.spec.texture_cache, &core.counters.texture))
    }
}

/// Operand collectors of a core, each with the operands of a warp's instruction.
pub(super) fn collector_bytes(spec: &CoreSpec) -> u64 {
    let unit = OPERANDS * u64::from(spec.warp_threads) * REGISTER_BYTES;
    u64::from(spec.collector_units) * unit
}

/// A register of every thread of every instruction, in accesses of the tables.
fn words(counters: &CoreCounters) -> f64 {
    counters.thread_instructions as f64 * (REGISTER_BYTES as f64 / ACCESS_BYTES)
}

/// Every core of a report with its type. Vertex processors have no texture path.
fn cores<'a>(
    machine: &'a MachineSpec,
    counters: &'a [CoreCounters],
) -> impl Iterator<Item = CoreUse<'a>> {
    let raster = &machine.raster;
    let of_units = raster.units.iter().flat_map(|core| {
        std::iter::repeat_n(
            &raster.core_types[*core].core,
            raster.cores_per_unit as usize,
        )
    });
    let dedicated = match &machine.geometry.cores {
        VertexCores::Dedicated(n, core) => Some(std::iter::repeat_n(core, *n as usize)),
        VertexCores::Unified(_) => None,
    };
    let dedicated = dedicated.into_iter().flatten().map(|spec| (spec, false));
    let specs = of_units.map(|spec| (spec, true)).chain(dedicated);
    specs
        .zip(counters)
        .map(|((spec, textures), counters)| CoreUse {
            spec,
            counters,
            textures,
        })
}
