//! From a merged file to a [`MachineSpec`]: the shapes of its tables where these differ from the machine's, and what values must be
//! to each other. The range of a single value stands at its field.

use std::collections::BTreeMap;

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::cache_unit::{CacheUnitSpec, MAX_LATENCY};
use super::immediate::{ImmediateSpec, Pipeline, PipelineName};
use super::spec::{
    CommandSpec, CoreSpec, CoreType, DisplaySpec, GeometrySpec, IdealSpec, L2Spec, MachineSpec,
    RasterSpec, ScreenSpec, TilingSpec, VertexCores,
};
use crate::gpu::cache::{CacheSpec, CacheSpecError, Victim};
use crate::gpu::dram::DramSpec;
use crate::gpu::energy::EnergySpec;
use crate::gpu::parameters::{
    Base, Document, Overlay, ParameterError, in_range, power_of_two, size, texts,
};
use crate::grid::{Binning, EXPECTED_TILE_ORDER, TileGrid, TileOrder};
use crate::units::{Bytes, Cycles, Hertz};

/// Most cores of all Raster Units together: bounded because requests carry the requester in a byte.
const MAX_CORES: usize = 128;
/// The same on a machine without tiles, whose cores have three caches each.
const MAX_IMMEDIATE_CORES: usize = 48;
/// Most lines in all caches together: 512 MiB of lines of 64 bytes, four times the largest GPU's.
const MAX_LINES: u64 = 1 << 23;

/// Reads a machine: `text` is the content of `file`; `find` gives the text of included machines, or says what was expected; overlays
/// apply last, in order.
///
/// # Errors
/// Names file, key, value and the allowed range of the first value that the model cannot run with.
pub fn load_machine(
    file: &str,
    text: &str,
    find: &dyn Fn(&str) -> Result<String, String>,
    overlays: &[Overlay],
) -> Result<MachineSpec, ParameterError> {
    let include = Base {
        key: "include",
        find,
    };
    let mut document = Document::read(file, text, include)?;
    for overlay in overlays {
        document.set(overlay)?;
    }
    let parts = Parts {
        dram: DramSpec::from_document(&document.take("dram"))?,
        energy: EnergySpec::from_document(&document.take("energy"))?,
        technique: document.take("technique"),
        soc: document.take("soc"),
    };
    let file: MachineFile = document.get()?;
    file.machine(&document, parts)
}

/// Every parameter of a machine, as a tree by key: its file over those that it includes, its memory and its technology over those that
/// they name.
///
/// # Errors
/// As [`load_machine`], of the files; values are not looked at.
pub fn machine_parameters(
    file: &str,
    text: &str,
    find: &dyn Fn(&str) -> Result<String, String>,
) -> Result<Value, ParameterError> {
    let include = Base {
        key: "include",
        find,
    };
    let mut document = Document::read(file, text, include)?;
    let dram = DramSpec::layers(&document.take("dram"))?;
    let energy = EnergySpec::layers(&document.take("energy"))?;
    let mut parameters: Map<String, Value> = document.get()?;
    parameters.insert("dram".to_owned(), dram.get()?);
    if let Some(energy) = energy {
        parameters.insert("energy".to_owned(), energy.get()?);
    }
    Ok(Value::Object(parameters))
}

/// The tables that others read.
struct Parts {
    dram: DramSpec,
    energy: Option<EnergySpec>,
    technique: Document,
    soc: Document,
}

/// The tables of a machine file that are the machine's own.
#[derive(Deserialize)]
struct MachineFile {
    name: String,
    #[serde(deserialize_with = "in_range::<1, 10_000, _, _>")]
    clock_mhz: u64,
    #[serde(deserialize_with = "size")]
    line: Bytes,
    pipeline: Option<PipelineName>,
    ideal_memory: bool,
    ideal: IdealSpec,
    screen: ScreenSpec,
    command: CommandSpec,
    geometry: GeometryFile,
    tiling: TilingSpec,
    raster: RasterSpec,
    core: BTreeMap<String, CoreSpec>,
    l2: L2Spec,
    display: DisplaySpec,
    immediate: Option<ImmediateSpec>,
}

#[derive(Deserialize)]
struct ScreenFile {
    #[serde(deserialize_with = "in_range::<1, 16384, _, _>")]
    width: u32,
    #[serde(deserialize_with = "in_range::<1, 16384, _, _>")]
    height: u32,
    #[serde(deserialize_with = "power_of_two::<8, 128, _, _>")]
    tile_size: u32,
    #[serde(deserialize_with = "tile_order")]
    tile_order: TileOrder,
    binning: Binning,
}

fn tile_order<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TileOrder, D::Error> {
    let name = String::deserialize(deserializer)?;
    let order = name.parse();
    order.map_err(|_| D::Error::invalid_value(Unexpected::Str(&name), &EXPECTED_TILE_ORDER))
}

#[derive(Deserialize)]
struct CacheUnitFile {
    #[serde(deserialize_with = "size")]
    size: Bytes,
    #[serde(deserialize_with = "in_range::<1, 4096, _, _>")]
    ways: u32,
    #[serde(deserialize_with = "in_range::<1, 60, _, _>")]
    latency: Cycles,
    #[serde(deserialize_with = "in_range::<1, 4096, _, _>")]
    mshrs: u32,
}

#[derive(Deserialize)]
struct L2File {
    #[serde(deserialize_with = "size")]
    size: Bytes,
    #[serde(deserialize_with = "in_range::<1, 4096, _, _>")]
    ways: u32,
    replacement: Victim,
    #[serde(deserialize_with = "in_range::<1, MAX_LATENCY, _, _>")]
    latency: Cycles,
    #[serde(deserialize_with = "power_of_two::<1, 64, _, _>")]
    banks: u32,
    #[serde(deserialize_with = "in_range::<1, 4096, _, _>")]
    bank_queue: u32,
    #[serde(deserialize_with = "in_range::<1, 4096, _, _>")]
    mshrs_per_bank: u32,
    #[serde(deserialize_with = "in_range::<0, MAX_LATENCY, _, _>")]
    memory_latency: Cycles,
    #[serde(deserialize_with = "in_range::<0, 4096, _, _>")]
    memory_bytes_per_cycle: u32,
}

#[derive(Deserialize)]
struct GeometryFile {
    #[serde(deserialize_with = "in_range::<0, 16, _, _>")]
    vertex_processors: u32,
    #[serde(deserialize_with = "texts")]
    vertex_cores: Vec<String>,
    #[serde(deserialize_with = "in_range::<1, 4096, _, _>")]
    vertex_queue: u32,
    vertex_cache: CacheUnitSpec,
    #[serde(deserialize_with = "in_range::<1, 16, _, _>")]
    primitives_per_cycle: u32,
    #[serde(deserialize_with = "in_range::<1, MAX_LATENCY, _, _>")]
    assembly_latency: Cycles,
    #[serde(deserialize_with = "in_range::<1, 4096, _, _>")]
    triangle_queue: u32,
}

/// The line is the same in all caches of a machine and written once: [`MachineFile::machine`] puts it in.
const LINE_TO_COME: Bytes = Bytes::ZERO;

impl<'de> Deserialize<'de> for CacheUnitSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let file = CacheUnitFile::deserialize(deserializer)?;
        Ok(Self {
            tags: CacheSpec {
                size: file.size,
                ways: file.ways,
                line: LINE_TO_COME,
            },
            latency: file.latency,
            mshrs: file.mshrs,
        })
    }
}

impl<'de> Deserialize<'de> for L2Spec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let file = L2File::deserialize(deserializer)?;
        Ok(Self {
            tags: CacheSpec {
                size: file.size,
                ways: file.ways,
                line: LINE_TO_COME,
            },
            replacement: file.replacement,
            latency: file.latency,
            banks: file.banks,
            bank_queue: file.bank_queue,
            mshrs_per_bank: file.mshrs_per_bank,
            memory_latency: file.memory_latency,
            memory_bytes_per_cycle: file.memory_bytes_per_cycle,
        })
    }
}

impl<'de> Deserialize<'de> for ScreenSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let file = ScreenFile::deserialize(deserializer)?;
        Ok(Self {
            grid: TileGrid {
                width: file.width,
                height: file.height,
                tile_size: file.tile_size,
            },
            order: file.tile_order,
            binning: file.binning,
        })
    }
}

impl MachineFile {
    /// The machine, if its parts fit each other; `document` is where this was read from.
    fn machine(mut self, document: &Document, parts: Parts) -> Result<MachineSpec, ParameterError> {
        self.set_line(document)?;
        let (mut raster, geometry) = (self.raster, self.geometry);
        raster.core_types = (self.core.into_iter())
            .map(|(name, core)| CoreType { name, core })
            .collect();
        choose_cores(document, &mut raster)?;
        check_cores(document, &raster)?;
        let machine = MachineSpec {
            name: self.name,
            clock: Hertz::from_mhz(self.clock_mhz),
            pipeline: pipeline(document, self.pipeline.unwrap_or_default(), self.immediate)?,
            immediate: self.immediate,
            screen: self.screen,
            command: self.command,
            geometry: GeometrySpec {
                vertex_queue: geometry.vertex_queue,
                vertex_cache: geometry.vertex_cache,
                cores: vertex_cores(document, &geometry, &raster)?,
                primitives_per_cycle: geometry.primitives_per_cycle,
                assembly_latency: geometry.assembly_latency,
                triangle_queue: geometry.triangle_queue,
            },
            tiling: self.tiling,
            raster,
            l2: self.l2,
            dram: parts.dram,
            display: self.display,
            technique: parts.technique,
            soc: parts.soc,
            energy: parts.energy,
            ideal: if self.ideal_memory {
                IdealSpec::ALL
            } else {
                self.ideal
            },
        };
        check_caches(document, &machine)?;
        check_immediate(document, &machine)?;
        Ok(machine)
    }

    fn set_line(&mut self, document: &Document) -> Result<(), ParameterError> {
        let line = self.line;
        if !line.0.is_power_of_two() || !(16..=512).contains(&line.0) {
            return Err(document.error("line", "a power of two from 16B to 512B"));
        }
        self.l2.tags.line = line;
        if let Some(immediate) = &mut self.immediate {
            immediate.set_line(line);
        }
        self.geometry.vertex_cache.tags.line = line;
        self.tiling.tile_cache.tags.line = line;
        for core in self.core.values_mut() {
            core.texture_cache.tags.line = line;
        }
        Ok(())
    }
}

/// Requests carry their cache in a byte, and a machine that renders immediately has three for each core and one for each cluster.
fn check_immediate(document: &Document, machine: &MachineSpec) -> Result<(), ParameterError> {
    let raster = &machine.raster;
    let n_cores = raster.units.len() * raster.cores_per_unit as usize;
    let is_immediate = matches!(machine.pipeline, Pipeline::Immediate(_));
    if is_immediate && n_cores > MAX_IMMEDIATE_CORES {
        let expected = format!("at most {MAX_IMMEDIATE_CORES} cores in all units without tiles");
        return Err(document.error("raster.cores_per_unit", expected));
    }
    Ok(())
}

/// The pipeline that the file names, whose parameters it must have.
fn pipeline(
    document: &Document,
    name: PipelineName,
    immediate: Option<ImmediateSpec>,
) -> Result<Pipeline, ParameterError> {
    match (name, immediate) {
        (PipelineName::Tiled, _) => Ok(Pipeline::Tiled),
        (PipelineName::Immediate, Some(immediate)) => Ok(Pipeline::Immediate(immediate)),
        (PipelineName::Immediate, None) => Err(document.error(
            "pipeline",
            "tiled, as this machine has no table [immediate]; emerald-gpu has one",
        )),
    }
}

/// Resolves the names of the units' core types.
fn choose_cores(document: &Document, raster: &mut RasterSpec) -> Result<(), ParameterError> {
    if raster.units.len() * raster.cores_per_unit as usize > MAX_CORES {
        let expected = format!("at most {MAX_CORES} cores in all units");
        return Err(document.error("raster.cores_per_unit", expected));
    }
    let types = types_of(document, "raster.cores", &raster.cores, &raster.core_types)?;
    for (unit, chosen) in raster.units.iter_mut().zip(types.into_iter().cycle()) {
        *unit = chosen;
    }
    Ok(())
}

fn vertex_cores(
    document: &Document,
    geometry: &GeometryFile,
    raster: &RasterSpec,
) -> Result<VertexCores, ParameterError> {
    const KEY: &str = "geometry.vertex_cores";
    let types = types_of(document, KEY, &geometry.vertex_cores, &raster.core_types)?;
    if geometry.vertex_processors > 0 {
        let core = raster.core_types[types[0]].core;
        return Ok(VertexCores::Dedicated(geometry.vertex_processors, core));
    }
    let units = (0..).zip(&raster.units);
    let chosen = units.filter(|(_, core)| types.contains(core));
    match chosen.fold(0, |mask, (unit, _)| mask | 1_u32 << unit) {
        0 => Err(document.error(KEY, "cores that some Raster Unit has")),
        mask => Ok(VertexCores::Unified(mask)),
    }
}

/// Positions of the named types, which are not none.
fn types_of(
    document: &Document,
    key: &str,
    names: &[String],
    core_types: &[CoreType],
) -> Result<Vec<usize>, ParameterError> {
    let position = |name: &String| core_types.iter().position(|known| known.name == *name);
    let types: Option<Vec<usize>> = names.iter().map(position).collect();
    types.ok_or_else(|| {
        let known: Vec<_> = (core_types.iter())
            .map(|known| known.name.as_str())
            .collect();
        document.error(key, format!("names out of [core]: {}", known.join(", ")))
    })
}

/// What waits for an arithmetic unit holds a collector unit, and the model looks 60 cycles ahead.
fn check_cores(document: &Document, raster: &RasterSpec) -> Result<(), ParameterError> {
    for CoreType { name, core } in &raster.core_types {
        let slowest = core.alu_interval.max(core.transcendental_interval).0;
        let backlog = u64::from(core.collector_units) * slowest / u64::from(core.alus);
        if backlog + core.collect_latency.0 > 60 {
            let expected = format!("at most {} times the arithmetic units", 44 / slowest);
            return Err(document.error(&format!("core.{name}.collector_units"), expected));
        }
    }
    Ok(())
}

/// Caches that are alike.
struct CacheKind {
    /// Of their size.
    key: String,
    /// How many of them the machine has.
    n: u64,
    tags: CacheSpec,
}

impl CacheKind {
    const fn n_lines(&self) -> u64 {
        self.n * self.tags.n_lines()
    }
}

fn cache_kinds(machine: &MachineSpec) -> Vec<CacheKind> {
    let raster = &machine.raster;
    let of_core = |(at, CoreType { name, core }): (usize, &CoreType)| {
        let units = raster.units.iter().filter(|unit| **unit == at).count() as u64;
        let dedicated = match &machine.geometry.cores {
            VertexCores::Dedicated(n, vertex) if vertex == core => u64::from(*n),
            _ => 0,
        };
        CacheKind {
            key: format!("core.{name}.texture_cache.size"),
            n: units * u64::from(raster.cores_per_unit) + dedicated,
            tags: core.texture_cache.tags,
        }
    };
    let single = |key: &str, tags: CacheSpec| CacheKind {
        key: key.to_owned(),
        n: 1,
        tags,
    };
    let mut kinds: Vec<_> = raster.core_types.iter().enumerate().map(of_core).collect();
    if let Some(immediate) = &machine.immediate {
        let n_units = raster.units.len() as u64;
        let kind = |key: &str, n, cache: &CacheUnitSpec| CacheKind {
            key: format!("immediate.{key}.size"),
            n,
            tags: cache.tags,
        };
        let n_cores = n_units * u64::from(raster.cores_per_unit);
        kinds.push(kind("depth_cache", n_cores, &immediate.depth_cache));
        kinds.push(kind("color_cache", n_cores, &immediate.color_cache));
        kinds.push(kind("vertex_buffer", n_units, &immediate.vertex_buffer));
    }
    kinds.extend([
        single(
            "geometry.vertex_cache.size",
            machine.geometry.vertex_cache.tags,
        ),
        single("tiling.tile_cache.size", machine.tiling.tile_cache.tags),
        single("l2.size", machine.l2.tags),
    ]);
    kinds
}

/// Each cache must have a shape, and all together no more lines than a GPU could have.
fn check_caches(document: &Document, machine: &MachineSpec) -> Result<(), ParameterError> {
    let kinds = cache_kinds(machine);
    for kind in &kinds {
        let refused = |problem: CacheSpecError| document.error(&kind.key, problem.to_string());
        kind.tags.validate().map_err(refused)?;
    }
    let total: u64 = kinds.iter().map(CacheKind::n_lines).sum();
    match kinds.iter().max_by_key(|kind| kind.n_lines()) {
        Some(largest) if total > MAX_LINES => {
            let (lines, n) = (largest.n_lines(), largest.n);
            let expected = format!(
                "at most {MAX_LINES} lines in all caches of the machine; these are {total}, {lines} of them in its {n} of this kind"
            );
            Err(document.error(&largest.key, expected))
        }
        _ => Ok(()),
    }
}
