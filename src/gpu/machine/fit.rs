//! Values of a machine file that must fit each other. If they do not, the key is blamed that was set last, with the
//! limit that holds for it beside the others.

use super::cache_unit::CacheUnitSpec;
use super::immediate::Pipeline;
use super::spec::{CoreSpec, CoreType, MachineSpec, RasterSpec, VertexCores};
use crate::cache::{CacheSpec, CacheSpecError};
use crate::parameters::{Document, ParameterError};

/// Most cores of all Raster Units together.
pub(super) const MAX_CORES: usize = 128;
/// Most cores on a machine without tiles, where each has three caches more.
const MAX_IMMEDIATE_CORES: usize = 48;
/// Most lines in all caches together: 512 MiB of lines of 64 bytes, four times the largest GPU's.
const MAX_LINES: u64 = 1 << 23;
/// Cycles that the model of a core looks ahead.
const LOOK_AHEAD: u64 = 60;

/// At most so many cores in all units.
pub(super) fn check_number_of_cores(
    document: &Document,
    raster: &RasterSpec,
    most: usize,
) -> Result<(), ParameterError> {
    let (units, each) = (raster.units.len(), raster.cores_per_unit as usize);
    if units * each <= most {
        return Ok(());
    }
    let key = document.blamed(&["raster.cores_per_unit", "raster.units"]);
    let (limit, beside) = match key {
        "raster.units" => (most / each, format!("of {each} cores each")),
        _ => (most / units, format!("in each of {units} units")),
    };
    let expected = format!("at most {limit} {beside}: {most} cores in all units");
    Err(document.error(key, expected))
}

/// Without tiles there are fewer cores at most, and a TC tile is launched whole, so that a core must hold the warps of a full
/// one.
pub(super) fn check_immediate(
    document: &Document,
    machine: &MachineSpec,
) -> Result<(), ParameterError> {
    let Pipeline::Immediate(own) = machine.pipeline else {
        return Ok(());
    };
    let raster = &machine.raster;
    check_number_of_cores(document, raster, MAX_IMMEDIATE_CORES)?;
    let threads = own.tc_pixels() * own.tc_pixels();
    let used = |at: usize| raster.units.contains(&at);
    for (at, CoreType { name, core }) in raster.core_types.iter().enumerate() {
        if !used(at) || core.warps * core.warp_threads >= threads {
            continue;
        }
        let keys = ["warps", "warp_threads"].map(|key| format!("core.{name}.{key}"));
        let keys = [&*keys[0], &*keys[1], "immediate.tc_tile", "pipeline"];
        let (warps, each) = (core.warps, core.warp_threads);
        let expected = format!(
            "room for a TC tile, which is launched whole: core.{name}.warps x warp_threads, {warps} x {each}, of at least {threads}"
        );
        return Err(document.error(document.blamed(&keys), expected));
    }
    Ok(())
}

/// Checks the backlog of the arithmetic units: waiting instructions hold collector units, and the model looks only so far
/// ahead.
pub(super) fn check_cores(document: &Document, raster: &RasterSpec) -> Result<(), ParameterError> {
    for CoreType { name, core } in &raster.core_types {
        let slowest = core.alu_interval.max(core.transcendental_interval).0;
        let backlog = u64::from(core.collector_units) * slowest / u64::from(core.alus);
        if backlog + core.collect_latency.0 > LOOK_AHEAD {
            let interval = match core.transcendental_interval >= core.alu_interval {
                true => "transcendental_interval",
                false => "alu_interval",
            };
            return Err(backlog_error(document, name, core, interval));
        }
    }
    Ok(())
}

/// The limit of the key that was set last and can mend it by itself.
fn backlog_error(
    document: &Document,
    name: &str,
    core: &CoreSpec,
    interval: &'static str,
) -> ParameterError {
    let slowest = core.alu_interval.max(core.transcendental_interval).0;
    let (collectors, alus) = (u64::from(core.collector_units), u64::from(core.alus));
    // The backlog, rounded down, is below `room`.
    let room = LOOK_AHEAD + 1 - core.collect_latency.0;
    let most = |others: u64| (room * alus - 1) / others;
    let least_alus = collectors * slowest / room + 1;
    // If the other kind of unit is too slow as well, neither interval can mend it by itself.
    let other = core.alu_interval.min(core.transcendental_interval).0;
    let longest = Some(most(collectors)).filter(|longest| other <= *longest);
    let limits = [
        ("collector_units", most(slowest), "at most"),
        (interval, longest.unwrap_or(0), "at most"),
        (
            "alus",
            if least_alus <= 32 { least_alus } else { 0 },
            "at least",
        ),
        (
            "collect_latency",
            LOOK_AHEAD.saturating_sub(collectors * slowest / alus),
            "at most",
        ),
    ];
    let limits: Vec<_> = (limits.into_iter())
        .filter(|(_, limit, _)| *limit > 0)
        .map(|(key, limit, side)| (format!("core.{name}.{key}"), limit, side))
        .collect();
    let keys: Vec<&str> = limits.iter().map(|(key, ..)| key.as_str()).collect();
    let key = document.blamed(&keys);
    let limit = limits.iter().find(|(own, ..)| own == key);
    let limit = limit.map_or(String::new(), |(_, limit, side)| {
        format!("{side} {limit}: ")
    });
    let expected = format!(
        "{limit}collector_units x {interval} / alus + collect_latency, {collectors} x {slowest} / {alus} + {}, of at most {LOOK_AHEAD}",
        core.collect_latency.0
    );
    document.error(key, expected)
}

/// Caches that are alike.
struct CacheKind {
    /// Key of their table in the file.
    table: String,
    /// How many of them the machine has.
    n: u64,
    tags: CacheSpec,
}

impl CacheKind {
    fn key(&self, last: &str) -> String {
        format!("{}.{last}", self.table)
    }

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
        let kind = |table: &str, cache: &CacheUnitSpec| CacheKind {
            table: format!("core.{name}.{table}"),
            n: units * u64::from(raster.cores_per_unit) + dedicated,
            tags: cache.tags,
        };
        [
            kind("texture_cache", &core.texture_cache),
            kind("data_cache", &core.data_cache),
        ]
    };
    let single = |table: &str, tags: CacheSpec| CacheKind {
        table: table.to_owned(),
        n: 1,
        tags,
    };
    let mut kinds: Vec<_> = raster
        .core_types
        .iter()
        .enumerate()
        .flat_map(of_core)
        .collect();
    if let Some(immediate) = &machine.immediate {
        let n_units = raster.units.len() as u64;
        let kind = |table: &str, n, cache: &CacheUnitSpec| CacheKind {
            table: format!("immediate.{table}"),
            n,
            tags: cache.tags,
        };
        let n_cores = n_units * u64::from(raster.cores_per_unit);
        kinds.push(kind("depth_cache", n_cores, &immediate.depth_cache));
        kinds.push(kind("color_cache", n_cores, &immediate.color_cache));
        kinds.push(kind("vertex_buffer", n_units, &immediate.vertex_buffer));
    }
    kinds.extend([
        single("geometry.vertex_cache", machine.geometry.vertex_cache.tags),
        single("tiling.tile_cache", machine.tiling.tile_cache.tags),
        single("l2", machine.l2.tags),
    ]);
    kinds
}

/// Each cache must have a shape, and all together no more lines than a GPU could have.
pub(super) fn check_caches(
    document: &Document,
    machine: &MachineSpec,
) -> Result<(), ParameterError> {
    let kinds = cache_kinds(machine);
    for kind in &kinds {
        let refused = |problem: CacheSpecError| {
            let keys = [&kind.key("size"), &kind.key("ways"), "line"];
            document.error(document.blamed(&keys), problem.to_string())
        };
        kind.tags.validate().map_err(refused)?;
    }
    let total: u64 = kinds.iter().map(CacheKind::n_lines).sum();
    match kinds.iter().max_by_key(|kind| kind.n_lines()) {
        Some(largest) if total > MAX_LINES => {
            let (lines, n) = (largest.n_lines(), largest.n);
            let expected = format!(
                "at most {MAX_LINES} lines in all caches of the machine; these are {total}, {lines} of them in its {n} of this kind"
            );
            let size = largest.key("size");
            Err(document.error(document.blamed(&[&size, "line"]), expected))
        }
        _ => Ok(()),
    }
}
