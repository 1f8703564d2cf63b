//! From a merged document to a [`MachineSpec`]: every key with its range, once.

use super::document::{Document, MachineError, Overlay};
use super::section::Section;
use super::spec::{
    CacheUnitSpec, CommandSpec, CoreSpec, Dispatch, DisplaySpec, GeometrySpec, L2Spec, MachineSpec,
    RasterSpec, ScreenSpec, SignatureUnitSpec, TilingSpec, Traversal, VertexCores,
};
use crate::gpu::cache::CacheSpec;
use crate::gpu::dram::DramSpec;
use crate::gpu::energy::{EnergySpec, TECHNOLOGIES};
use crate::grid::{TileGrid, TileOrder};
use crate::units::{Bytes, Hertz};

/// Most cores of all Raster Units together: bounded because requests carry the asker in a byte.
const MAX_CORES: usize = 128;
/// Threads of a core that instructions' results are kept for.
const MAX_WARPS: u32 = 128;
/// Longest latency of a unit, so that sums stay far from overflow.
const MAX_LATENCY: u64 = 100_000;

/// Reads a machine: `text` is the content of `file`; `resolve` finds included machines; overlays apply last, in order.
///
/// # Errors
/// Names file, key, value and the allowed range of the first value that the model cannot run with.
pub fn load_machine(
    file: &str,
    text: &str,
    resolve: &dyn Fn(&str) -> Option<String>,
    overlays: &[Overlay],
) -> Result<MachineSpec, MachineError> {
    let mut document = Document::read(file, text, resolve)?;
    for overlay in overlays {
        document.set(overlay)?;
    }
    parse(&document)
}

fn parse(document: &Document) -> Result<MachineSpec, MachineError> {
    let root = Section::root(document);
    let line = root.size("line")?;
    if !line.0.is_power_of_two() || !(16..=512).contains(&line.0) {
        return Err(root.error("line", "a power of two from 16B to 512B".to_owned()));
    }
    let core_types = core_types(&root.section("core")?, line)?;
    let raster = raster(&root.section("raster")?, core_types)?;
    let machine = MachineSpec {
        name: root.text("name")?.to_owned(),
        clock: Hertz::from_mhz(root.integer("clock_mhz", 1..=10_000)?),
        screen: screen(&root.section("screen")?)?,
        command: command(&root.section("command")?)?,
        geometry: geometry(&root.section("geometry")?, &raster, line)?,
        tiling: tiling(&root.section("tiling")?, line)?,
        raster,
        l2: l2(&root.section("l2")?, line)?,
        dram: dram(&root.section("dram")?)?,
        display: display(&root.section("display")?)?,
        signature_unit: signature_unit(&root.section("signature_unit")?)?,
        energy: energy(&root.section("energy")?)?,
        ideal_memory: root.flag("ideal_memory")?,
    };
    root.finish()?;
    Ok(machine)
}

fn screen(section: &Section<'_>) -> Result<ScreenSpec, MachineError> {
    let orders = TileOrder::ALL;
    let screen = ScreenSpec {
        grid: TileGrid {
            width: section.count("width", 1..=16384)?,
            height: section.count("height", 1..=16384)?,
            tile_size: section.power_of_two("tile_size", 8..=128)?,
        },
        order: section.choice("tile_order", &orders)?,
    };
    section.finish()?;
    Ok(screen)
}

fn command(section: &Section<'_>) -> Result<CommandSpec, MachineError> {
    let command = CommandSpec {
        cycles_per_draw: section.cycles("cycles_per_draw", 1..=MAX_LATENCY)?,
    };
    section.finish()?;
    Ok(command)
}

fn tags(section: &Section<'_>, line: Bytes) -> Result<CacheSpec, MachineError> {
    let tags = CacheSpec {
        size: section.size("size")?,
        ways: section.count("ways", 1..=4096)?,
        line,
    };
    tags.validate()
        .map_err(|problem| section.error("size", problem.to_string()))?;
    Ok(tags)
}

fn cache(section: &Section<'_>, line: Bytes) -> Result<CacheUnitSpec, MachineError> {
    let cache = CacheUnitSpec {
        tags: tags(section, line)?,
        latency: section.cycles("latency", 1..=60)?,
        mshrs: section.count("mshrs", 1..=4096)?,
    };
    section.finish()?;
    Ok(cache)
}

fn core_types(section: &Section<'_>, line: Bytes) -> Result<Vec<(String, CoreSpec)>, MachineError> {
    section
        .keys()
        .into_iter()
        .map(|name| {
            let core = core(&section.section(&name)?, line)?;
            Ok((name, core))
        })
        .collect()
}

fn core(section: &Section<'_>, line: Bytes) -> Result<CoreSpec, MachineError> {
    let core = CoreSpec {
        warps: section.count("warps", 1..=MAX_WARPS)?,
        warp_threads: section.power_of_two("warp_threads", 4..=32)?,
        issue_width: section.count("issue_width", 1..=32)?,
        collector_units: section.count("collector_units", 1..=128)?,
        collect_latency: section.cycles("collect_latency", 1..=16)?,
        alus: section.count("alus", 1..=32)?,
        alu_interval: section.cycles("alu_interval", 1..=16)?,
        alu_latency: section.cycles("alu_latency", 1..=40)?,
        transcendental_interval: section.cycles("transcendental_interval", 1..=64)?,
        transcendental_latency: section.cycles("transcendental_latency", 1..=60)?,
        memory_pipelines: section.count("memory_pipelines", 1..=16)?,
        texture_cycles_per_quad: section.cycles("texture_cycles_per_quad", 1..=64)?,
        filter_latency: section.cycles("filter_latency", 0..=1000)?,
        texture_cache: cache(&section.section("texture_cache")?, line)?,
    };
    // What waits for a unit holds a collector unit, and the model looks 60 cycles ahead.
    let slowest = core.alu_interval.max(core.transcendental_interval).0;
    let backlog = u64::from(core.collector_units) * slowest / u64::from(core.alus);
    if backlog + core.collect_latency.0 > 60 {
        let expected = format!("at most {} times the arithmetic units", 44 / slowest);
        return Err(section.error("collector_units", expected));
    }
    section.finish()?;
    Ok(core)
}

fn raster(
    section: &Section<'_>,
    core_types: Vec<(String, CoreSpec)>,
) -> Result<RasterSpec, MachineError> {
    const DISPATCH: [(Dispatch, &str); 2] = [
        (Dispatch::Alternating, "alternating"),
        (Dispatch::LeastOccupied, "least-occupied"),
    ];
    const TRAVERSAL: [(Traversal, &str); 2] =
        [(Traversal::Rows, "rows"), (Traversal::Morton, "morton")];
    let n_units = section.count("units", 1..=32)? as usize;
    let cores_per_unit = section.count("cores_per_unit", 1..=64)?;
    if n_units * cores_per_unit as usize > MAX_CORES {
        let expected = format!("at most {MAX_CORES} cores in all units");
        return Err(section.error("cores_per_unit", expected));
    }
    let names = section.texts("cores")?;
    let units = (0..n_units)
        .map(|unit| core_type(section, "cores", names[unit % names.len()], &core_types))
        .collect::<Result<_, _>>()?;
    let raster = RasterSpec {
        units,
        cores_per_unit,
        core_types,
        dispatch: section.choice("dispatch", &DISPATCH)?,
        fifo: section.count("fifo", 1..=4096)?,
        traversal: section.choice("traversal", &TRAVERSAL)?,
        attributes_per_cycle: section.count("attributes_per_cycle", 1..=1024)?,
        quads_per_cycle: section.count("quads_per_cycle", 1..=64)?,
        early_z_in_flight: section.count("early_z_in_flight", 1..=4096)?,
        early_z_latency: section.cycles("early_z_latency", 1..=MAX_LATENCY)?,
        fragment_queue: section.count("fragment_queue", 8..=4096)?,
        blend_quads_per_cycle: section.count("blend_quads_per_cycle", 1..=64)?,
        blend_latency: section.cycles("blend_latency", 1..=MAX_LATENCY)?,
        color_buffers: section.count("color_buffers", 1..=2)?,
        flush_lines_per_cycle: section.count("flush_lines_per_cycle", 1..=64)?,
    };
    section.finish()?;
    Ok(raster)
}

fn core_type(
    section: &Section<'_>,
    key: &str,
    name: &str,
    core_types: &[(String, CoreSpec)],
) -> Result<usize, MachineError> {
    let found = core_types.iter().position(|(known, _)| known == name);
    found.ok_or_else(|| {
        let names: Vec<_> = core_types.iter().map(|(name, _)| name.as_str()).collect();
        section.error(key, format!("names out of [core]: {}", names.join(", ")))
    })
}

fn geometry(
    section: &Section<'_>,
    raster: &RasterSpec,
    line: Bytes,
) -> Result<GeometrySpec, MachineError> {
    let processors = section.count("vertex_processors", 0..=16)?;
    let names = section.texts("vertex_cores")?;
    let types = names
        .iter()
        .map(|name| core_type(section, "vertex_cores", name, &raster.core_types))
        .collect::<Result<Vec<_>, _>>()?;
    let cores = if processors > 0 {
        VertexCores::Dedicated(processors, raster.core_types[types[0]].1)
    } else {
        let units = (0..32).zip(&raster.units);
        let mask = units
            .filter(|(_, core)| types.contains(core))
            .fold(0, |mask, (unit, _)| mask | 1 << unit);
        if mask == 0 {
            let expected = "cores that some Raster Unit has".to_owned();
            return Err(section.error("vertex_cores", expected));
        }
        VertexCores::Unified(mask)
    };
    let geometry = GeometrySpec {
        vertex_queue: section.count("vertex_queue", 1..=4096)?,
        vertex_cache: cache(&section.section("vertex_cache")?, line)?,
        cores,
        primitives_per_cycle: section.count("primitives_per_cycle", 1..=16)?,
        assembly_latency: section.cycles("assembly_latency", 1..=MAX_LATENCY)?,
        triangle_queue: section.count("triangle_queue", 1..=4096)?,
    };
    section.finish()?;
    Ok(geometry)
}

fn tiling(section: &Section<'_>, line: Bytes) -> Result<TilingSpec, MachineError> {
    let tiling = TilingSpec {
        tile_cache: cache(&section.section("tile_cache")?, line)?,
        tile_cache_ports: section.count("tile_cache_ports", 1..=64)?,
        list_entry_bytes: section.power_of_two("list_entry_bytes", 2..=16)?,
        fetch_ahead: section.count("fetch_ahead", 1..=256)?,
    };
    section.finish()?;
    Ok(tiling)
}

fn l2(section: &Section<'_>, line: Bytes) -> Result<L2Spec, MachineError> {
    let l2 = L2Spec {
        tags: tags(section, line)?,
        latency: section.cycles("latency", 1..=MAX_LATENCY)?,
        banks: section.power_of_two("banks", 1..=64)?,
        bank_queue: section.count("bank_queue", 1..=4096)?,
        mshrs_per_bank: section.count("mshrs_per_bank", 1..=4096)?,
        memory_latency: section.cycles("memory_latency", 0..=MAX_LATENCY)?,
        memory_bytes_per_cycle: section.count("memory_bytes_per_cycle", 0..=4096)?,
    };
    section.finish()?;
    Ok(l2)
}

fn dram(section: &Section<'_>) -> Result<DramSpec, MachineError> {
    let table = section.table().cloned().unwrap_or_default();
    DramSpec::from_table(table).map_err(|problem| MachineError {
        expected: problem.to_string(),
        ..section.error("base", String::new())
    })
}

fn display(section: &Section<'_>) -> Result<DisplaySpec, MachineError> {
    let display = DisplaySpec {
        refresh: section.count("refresh", 0..=1000)?,
        frame_buffers: section.count("frame_buffers", 1..=3)?,
    };
    section.finish()?;
    Ok(display)
}

fn signature_unit(section: &Section<'_>) -> Result<SignatureUnitSpec, MachineError> {
    let unit = SignatureUnitSpec {
        ot_queue: section.count("ot_queue", 1..=65536)?,
        shift_subunits: section.count("shift_subunits", 1..=256)?,
    };
    section.finish()?;
    Ok(unit)
}

fn energy(section: &Section<'_>) -> Result<Option<EnergySpec>, MachineError> {
    let name = section.text("technology")?;
    section.finish()?;
    if name == "none" {
        return Ok(None);
    }
    let found = EnergySpec::named(name);
    found.map(Some).ok_or_else(|| {
        let names: Vec<_> = TECHNOLOGIES.iter().map(|(name, _)| *name).collect();
        section.error("technology", format!("one of none, {}", names.join(", ")))
    })
}
