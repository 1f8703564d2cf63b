//! From a merged file to a [`MachineSpec`]: the shapes of its tables where these differ from the machine's, and what values must be
//! to each other. The range of a single value stands at its field.

use std::collections::BTreeMap;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::spec::{
    CacheUnitSpec, CommandSpec, CoreSpec, Dispatch, DisplaySpec, GeometrySpec, L2Spec, MAX_LATENCY,
    MachineSpec, RasterSpec, ScreenSpec, SignatureUnitSpec, TilingSpec, Traversal, VertexCores,
};
use crate::gpu::cache::{CacheSpec, CacheSpecError};
use crate::gpu::dram::DramSpec;
use crate::gpu::energy::{EnergySpec, TECHNOLOGIES};
use crate::gpu::parameters::{
    Base, Document, Overlay, ParameterError, count, cycles, integer, power_of_two, size, texts,
};
use crate::grid::{TileGrid, TileOrder};
use crate::units::{Bytes, Cycles, Hertz};

/// Most cores of all Raster Units together: bounded because requests carry the asker in a byte.
const MAX_CORES: u32 = 128;

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
    let dram = DramSpec::from_document(&document.take("dram"))?;
    let technique = document.take("technique");
    let file: MachineFile = document.get()?;
    file.machine(&document, dram, technique)
}

/// A machine file without its DRAM and its techniques, which read their own tables.
#[derive(Deserialize)]
struct MachineFile {
    name: String,
    #[serde(deserialize_with = "integer::<1, 10_000, _>")]
    clock_mhz: u64,
    #[serde(deserialize_with = "size")]
    line: Bytes,
    ideal_memory: bool,
    screen: ScreenSpec,
    command: CommandSpec,
    geometry: GeometryFile,
    tiling: TilingSpec,
    raster: RasterFile,
    core: BTreeMap<String, CoreSpec>,
    l2: L2Spec,
    display: DisplaySpec,
    signature_unit: SignatureUnitSpec,
    energy: EnergyFile,
}

#[derive(Deserialize)]
struct EnergyFile {
    technology: String,
}

#[derive(Deserialize)]
struct ScreenFile {
    #[serde(deserialize_with = "count::<1, 16384, _>")]
    width: u32,
    #[serde(deserialize_with = "count::<1, 16384, _>")]
    height: u32,
    #[serde(deserialize_with = "power_of_two::<8, 128, _>")]
    tile_size: u32,
    #[serde(deserialize_with = "tile_order")]
    tile_order: TileOrder,
}

/// The names of [`TileOrder`].
const TILE_ORDERS: [&str; TileOrder::ALL.len()] = {
    let mut names = [""; TileOrder::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = TileOrder::ALL[at].1;
        at += 1;
    }
    names
};

fn tile_order<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TileOrder, D::Error> {
    let name = String::deserialize(deserializer)?;
    let order = name.parse();
    order.map_err(|_| D::Error::unknown_variant(&name, &TILE_ORDERS))
}

#[derive(Deserialize)]
struct CacheUnitFile {
    #[serde(deserialize_with = "size")]
    size: Bytes,
    #[serde(deserialize_with = "count::<1, 4096, _>")]
    ways: u32,
    #[serde(deserialize_with = "cycles::<1, 60, _>")]
    latency: Cycles,
    #[serde(deserialize_with = "count::<1, 4096, _>")]
    mshrs: u32,
}

#[derive(Deserialize)]
struct L2File {
    #[serde(deserialize_with = "size")]
    size: Bytes,
    #[serde(deserialize_with = "count::<1, 4096, _>")]
    ways: u32,
    #[serde(deserialize_with = "cycles::<1, MAX_LATENCY, _>")]
    latency: Cycles,
    #[serde(deserialize_with = "power_of_two::<1, 64, _>")]
    banks: u32,
    #[serde(deserialize_with = "count::<1, 4096, _>")]
    bank_queue: u32,
    #[serde(deserialize_with = "count::<1, 4096, _>")]
    mshrs_per_bank: u32,
    #[serde(deserialize_with = "cycles::<0, MAX_LATENCY, _>")]
    memory_latency: Cycles,
    #[serde(deserialize_with = "count::<0, 4096, _>")]
    memory_bytes_per_cycle: u32,
}

#[derive(Deserialize)]
struct GeometryFile {
    #[serde(deserialize_with = "count::<0, 16, _>")]
    vertex_processors: u32,
    #[serde(deserialize_with = "texts")]
    vertex_cores: Vec<String>,
    #[serde(deserialize_with = "count::<1, 4096, _>")]
    vertex_queue: u32,
    vertex_cache: CacheUnitSpec,
    #[serde(deserialize_with = "count::<1, 16, _>")]
    primitives_per_cycle: u32,
    #[serde(deserialize_with = "cycles::<1, MAX_LATENCY, _>")]
    assembly_latency: Cycles,
    #[serde(deserialize_with = "count::<1, 4096, _>")]
    triangle_queue: u32,
}

#[derive(Deserialize)]
struct RasterFile {
    #[serde(deserialize_with = "count::<1, 32, _>")]
    units: u32,
    #[serde(deserialize_with = "count::<1, 64, _>")]
    cores_per_unit: u32,
    #[serde(deserialize_with = "texts")]
    cores: Vec<String>,
    dispatch: Dispatch,
    #[serde(deserialize_with = "count::<1, 4096, _>")]
    fifo: u32,
    traversal: Traversal,
    #[serde(deserialize_with = "count::<1, 1024, _>")]
    attributes_per_cycle: u32,
    #[serde(deserialize_with = "count::<1, 64, _>")]
    quads_per_cycle: u32,
    #[serde(deserialize_with = "count::<1, 4096, _>")]
    early_z_in_flight: u32,
    #[serde(deserialize_with = "cycles::<1, MAX_LATENCY, _>")]
    early_z_latency: Cycles,
    #[serde(deserialize_with = "count::<8, 4096, _>")]
    fragment_queue: u32,
    #[serde(deserialize_with = "count::<1, 64, _>")]
    blend_quads_per_cycle: u32,
    #[serde(deserialize_with = "cycles::<1, MAX_LATENCY, _>")]
    blend_latency: Cycles,
    #[serde(deserialize_with = "count::<1, 2, _>")]
    color_buffers: u32,
    #[serde(deserialize_with = "count::<1, 64, _>")]
    flush_lines_per_cycle: u32,
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
        })
    }
}

impl MachineFile {
    /// The machine, if its parts fit each other; `document` is where this was read from.
    fn machine(
        self,
        document: &Document,
        dram: DramSpec,
        technique: Document,
    ) -> Result<MachineSpec, ParameterError> {
        if !self.line.0.is_power_of_two() || !(16..=512).contains(&self.line.0) {
            return Err(document.error("line", "a power of two from 16B to 512B"));
        }
        let core_types: Vec<(String, CoreSpec)> = self.core.into_iter().collect();
        check_cores(document, &core_types)?;
        let raster = self.raster.spec(document, core_types)?;
        let mut machine = MachineSpec {
            name: self.name,
            clock: Hertz::from_mhz(self.clock_mhz),
            screen: self.screen,
            command: self.command,
            geometry: self.geometry.spec(document, &raster)?,
            tiling: self.tiling,
            raster,
            l2: self.l2,
            dram,
            display: self.display,
            signature_unit: self.signature_unit,
            technique,
            energy: energy(document, &self.energy)?,
            ideal_memory: self.ideal_memory,
        };
        set_line(&mut machine, self.line);
        check_caches(document, &machine)?;
        Ok(machine)
    }
}

impl RasterFile {
    fn spec(
        self,
        document: &Document,
        core_types: Vec<(String, CoreSpec)>,
    ) -> Result<RasterSpec, ParameterError> {
        if self.units * self.cores_per_unit > MAX_CORES {
            let expected = format!("at most {MAX_CORES} cores in all units");
            return Err(document.error("raster.cores_per_unit", expected));
        }
        let types = types_of(document, "raster.cores", &self.cores, &core_types)?;
        Ok(RasterSpec {
            units: types
                .into_iter()
                .cycle()
                .take(self.units as usize)
                .collect(),
            cores_per_unit: self.cores_per_unit,
            core_types,
            dispatch: self.dispatch,
            fifo: self.fifo,
            traversal: self.traversal,
            attributes_per_cycle: self.attributes_per_cycle,
            quads_per_cycle: self.quads_per_cycle,
            early_z_in_flight: self.early_z_in_flight,
            early_z_latency: self.early_z_latency,
            fragment_queue: self.fragment_queue,
            blend_quads_per_cycle: self.blend_quads_per_cycle,
            blend_latency: self.blend_latency,
            color_buffers: self.color_buffers,
            flush_lines_per_cycle: self.flush_lines_per_cycle,
        })
    }
}

impl GeometryFile {
    fn spec(
        self,
        document: &Document,
        raster: &RasterSpec,
    ) -> Result<GeometrySpec, ParameterError> {
        const KEY: &str = "geometry.vertex_cores";
        let types = types_of(document, KEY, &self.vertex_cores, &raster.core_types)?;
        let cores = if self.vertex_processors > 0 {
            VertexCores::Dedicated(self.vertex_processors, raster.core_types[types[0]].1)
        } else {
            let units = (0..).zip(&raster.units);
            let chosen = units.filter(|(_, core)| types.contains(core));
            VertexCores::Unified(chosen.fold(0, |mask, (unit, _)| mask | 1_u32 << unit))
        };
        if cores == VertexCores::Unified(0) {
            return Err(document.error(KEY, "cores that some Raster Unit has"));
        }
        Ok(GeometrySpec {
            vertex_queue: self.vertex_queue,
            vertex_cache: self.vertex_cache,
            cores,
            primitives_per_cycle: self.primitives_per_cycle,
            assembly_latency: self.assembly_latency,
            triangle_queue: self.triangle_queue,
        })
    }
}

/// Positions of the named types, which are not none.
fn types_of(
    document: &Document,
    key: &str,
    names: &[String],
    core_types: &[(String, CoreSpec)],
) -> Result<Vec<usize>, ParameterError> {
    let position = |name| core_types.iter().position(|(known, _)| known == name);
    let types: Option<Vec<usize>> = names.iter().map(position).collect();
    types.ok_or_else(|| {
        let known: Vec<_> = core_types.iter().map(|(name, _)| name.as_str()).collect();
        document.error(key, format!("names out of [core]: {}", known.join(", ")))
    })
}

/// What waits for an arithmetic unit holds a collector unit, and the model looks 60 cycles ahead.
fn check_cores(
    document: &Document,
    core_types: &[(String, CoreSpec)],
) -> Result<(), ParameterError> {
    for (name, core) in core_types {
        let slowest = core.alu_interval.max(core.transcendental_interval).0;
        let backlog = u64::from(core.collector_units) * slowest / u64::from(core.alus);
        if backlog + core.collect_latency.0 > 60 {
            let expected = format!("at most {} times the arithmetic units", 44 / slowest);
            return Err(document.error(&format!("core.{name}.collector_units"), expected));
        }
    }
    Ok(())
}

fn set_line(machine: &mut MachineSpec, line: Bytes) {
    machine.l2.tags.line = line;
    machine.geometry.vertex_cache.tags.line = line;
    machine.tiling.tile_cache.tags.line = line;
    for (_, core) in &mut machine.raster.core_types {
        core.texture_cache.tags.line = line;
    }
    if let VertexCores::Dedicated(_, core) = &mut machine.geometry.cores {
        core.texture_cache.tags.line = line;
    }
}

fn check_caches(document: &Document, machine: &MachineSpec) -> Result<(), ParameterError> {
    let cores = machine.raster.core_types.iter();
    let mut caches: Vec<(String, CacheSpec)> = cores
        .map(|(name, core)| {
            (
                format!("core.{name}.texture_cache"),
                core.texture_cache.tags,
            )
        })
        .collect();
    caches.push((
        "geometry.vertex_cache".to_owned(),
        machine.geometry.vertex_cache.tags,
    ));
    caches.push((
        "tiling.tile_cache".to_owned(),
        machine.tiling.tile_cache.tags,
    ));
    caches.push(("l2".to_owned(), machine.l2.tags));
    for (key, tags) in caches {
        let refused =
            |problem: CacheSpecError| document.error(&format!("{key}.size"), problem.to_string());
        tags.validate().map_err(refused)?;
    }
    Ok(())
}

fn energy(document: &Document, file: &EnergyFile) -> Result<Option<EnergySpec>, ParameterError> {
    if file.technology == "none" {
        return Ok(None);
    }
    let found = EnergySpec::named(&file.technology);
    found.map(Some).ok_or_else(|| {
        let names: Vec<_> = TECHNOLOGIES.iter().map(|(name, _)| *name).collect();
        let expected = format!("one of none, {}", names.join(", "));
        document.error("energy.technology", expected)
    })
}
