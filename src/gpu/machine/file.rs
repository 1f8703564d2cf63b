//! From a merged file to a [`MachineSpec`]: the shapes of its tables where these differ from the machine's. The range of a
//! single value stands at its field; what values must be to each other is checked in `fit`.

use std::collections::BTreeMap;

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::cache_unit::{CacheUnitSpec, MAX_LATENCY};
use super::fit::{MAX_CORES, check_caches, check_cores, check_immediate, check_number_of_cores};
use super::immediate::{ImmediateSpec, Pipeline, PipelineName};
use super::spec::{
    CommandSpec, CoreSpec, CoreType, DisplaySpec, GeometrySpec, IdealSpec, L2Spec, MachineSpec,
    RasterSpec, ScreenSpec, TilingSpec, VertexCores,
};
use crate::cache::{CacheSpec, Victim};
use crate::dram::DramSpec;
use crate::energy::EnergySpec;
use crate::parameters::{
    Base, Document, Overlay, ParameterError, in_range, in_range_or_default, power_of_two, size,
    texts,
};
use azulejo_grid::{Binning, Corner, EXPECTED_TILE_ORDER, TileGrid, TileOrder};
use azulejo_units::{Bytes, Cycles, Hertz};

/// Reads a machine: `text` is the content of `file`; `find` gives the text of included machines, or says what was expected;
/// overlays apply last, in order.
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

/// Every parameter of a machine, as a tree by key: its file over those that it includes, its memory and its technology over
/// those that they name.
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
    first_corner: Option<Corner>,
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
    #[serde(deserialize_with = "in_range_or_default::<0, MAX_LATENCY, _, _>")]
    request_latency: Cycles,
    #[serde(deserialize_with = "in_range_or_default::<0, 64, _, _>")]
    ports: u32,
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
            request_latency: file.request_latency,
            ports: file.ports,
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
            // An order that names another corner begins there.
            order: match file.tile_order.corner {
                Corner::TopLeft => file
                    .tile_order
                    .from_corner(file.first_corner.unwrap_or_default()),
                _ => file.tile_order,
            },
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
            name: if document.is_own("name") {
                self.name
            } else {
                document.file().to_owned()
            },
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
            core.data_cache.tags.line = line;
        }
        Ok(())
    }
}

/// The pipeline that the file names; a file without its parameters is refused.
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
    check_number_of_cores(document, raster, MAX_CORES)?;
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
        0 => {
            let key = document.blamed(&[KEY, "raster.cores"]);
            Err(document.error(key, format!("some Raster Unit with cores of {KEY}")))
        }
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
