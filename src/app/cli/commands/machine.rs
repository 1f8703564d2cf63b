//! `azulejo machine check`: ability of machines to run, their peak rates, their rates over frames that are made for it, and
//! the techniques that they carry, without drawing anything.

use serde::Serialize;

use super::{Console, Outcome};
use crate::cli::failure::Failure;
use crate::cli::machine_input::load_machine;
use azulejo_gpu::machine::{CacheUnitSpec, CoreType, MachineSpec, Overlay, Peaks};
use azulejo_report::{Align, aligned, bytes, dram_summary};
use azulejo_study::{Rate, rates};
use azulejo_technique::{TECHNIQUES, machine_with};

/// Look at machines: whether they can run, their peaks, techniques they carry
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct MachineArgs {
    #[command(subcommand)]
    ask: Ask,
}

#[derive(Debug, Clone, clap::Subcommand)]
enum Ask {
    /// Read machines as `simulate` would, and say what they could do at most
    ///
    /// The peaks are to be held against a data sheet.
    Check(CheckArgs),
}

#[derive(Debug, Clone, clap::Args)]
struct CheckArgs {
    /// Machines by name, or TOML files
    ///
    /// `azulejo list --machine NAME` prints one to begin with.
    #[arg(value_name = "NAME or FILE.toml", required = true)]
    machines: Vec<String>,
    /// Change a key first, such as l2.size=1MiB (may be repeated)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<Overlay>,
    /// Also run frames that one unit bounds each, and print their rates
    ///
    /// The rates are held against the peaks and against published ones of a chip of these widths.
    #[arg(long)]
    measure: bool,
    /// Print the machines as JSON
    #[arg(long)]
    json: bool,
}

/// Machine that can run, with its peaks.
#[derive(Debug, Serialize)]
struct Checked {
    machine: String,
    clock_mhz: f64,
    screen: Screen,
    raster_units: usize,
    cores_per_unit: u32,
    peaks: Peaks,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rates: Vec<Rate>,
    caches: Vec<Cache>,
    dram: String,
    techniques: Vec<Carried>,
}

#[derive(Debug, Serialize)]
struct Screen {
    width: u32,
    height: u32,
    tile_size: u32,
}

/// Group of caches that are alike.
#[derive(Debug, Serialize)]
struct Cache {
    name: String,
    n: u64,
    bytes: u64,
    ways: u32,
}

/// Technique, and why the machine refuses it, if it does.
#[derive(Debug, Serialize)]
struct Carried {
    technique: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

pub(super) fn run(args: &MachineArgs, console: Console) -> Outcome {
    let Ask::Check(args) = &args.ask;
    let checked = args.machines.iter().map(|name| check(name, args));
    let checked = checked.collect::<Outcome<Vec<_>>>()?;
    if args.json {
        return console.print_json(&checked);
    }
    let texts: Vec<_> = checked.iter().map(Checked::text).collect();
    console.print(&texts.join("\n"))
}

fn check(name: &str, args: &CheckArgs) -> Outcome<Checked> {
    let spec = load_machine(name, &args.set)?;
    let named = |error: String| Failure::new(format!("{name}: {error}"));
    machine_with(&spec, &[]).map_err(|error| named(error.to_string()))?;
    let measured = args.measure.then(|| rates(&spec.name, &spec));
    let measured = measured.transpose();
    let techniques = TECHNIQUES.iter().map(|technique| Carried {
        technique: technique.name,
        refused: (machine_with(&spec, &[technique]).err()).map(|error| error.to_string()),
    });
    let grid = spec.screen.grid;
    Ok(Checked {
        machine: name.to_owned(),
        clock_mhz: spec.clock.0 as f64 / 1e6,
        screen: Screen {
            width: grid.width,
            height: grid.height,
            tile_size: grid.tile_size,
        },
        raster_units: spec.raster.units.len(),
        cores_per_unit: spec.raster.cores_per_unit,
        peaks: Peaks::of(&spec),
        rates: (measured.map_err(|error| named(error.to_string()))?).unwrap_or_default(),
        caches: caches(&spec),
        dram: dram_summary(&spec.dram),
        techniques: techniques.collect(),
    })
}

fn caches(spec: &MachineSpec) -> Vec<Cache> {
    let raster = &spec.raster;
    let of_cores = |(at, CoreType { name, core }): (usize, &CoreType)| {
        let units = raster.units.iter().filter(|kind| **kind == at).count() as u64;
        let kind = |kind: &str, cache: &CacheUnitSpec| Cache {
            name: format!("{name} cores' {kind}"),
            n: units * u64::from(raster.cores_per_unit),
            bytes: cache.tags.size.0,
            ways: cache.tags.ways,
        };
        [
            kind("texture", &core.texture_cache),
            kind("data", &core.data_cache),
        ]
    };
    let single = |name: &str, tags: azulejo_gpu::cache::CacheSpec| Cache {
        name: name.to_owned(),
        n: 1,
        bytes: tags.size.0,
        ways: tags.ways,
    };
    let mut caches = vec![
        single("vertex", spec.geometry.vertex_cache.tags),
        single("tile", spec.tiling.tile_cache.tags),
    ];
    let of_cores = raster.core_types.iter().enumerate().flat_map(of_cores);
    caches.extend(of_cores.filter(|cache| cache.n > 0));
    caches.push(single("L2", spec.l2.tags));
    caches
}

impl Checked {
    fn text(&self) -> String {
        let Screen {
            width,
            height,
            tile_size,
        } = self.screen;
        let mut rows = vec![vec![
            "clock".to_owned(),
            format!("{}", self.clock_mhz),
            "MHz".to_owned(),
        ]];
        rows.extend(self.peaks.rows().map(|(name, value, unit)| {
            let decimals = usize::from(value.fract() != 0.0);
            vec![
                format!("{name}, at most"),
                format!("{value:.decimals$}"),
                unit.to_owned(),
            ]
        }));
        rows.extend(self.caches.iter().map(|cache| {
            let each = format!("{} ways, {} of them", cache.ways, cache.n);
            vec![format!("{} cache", cache.name), bytes(cache.bytes), each]
        }));
        let (carried, refused): (Vec<_>, Vec<_>) =
            (self.techniques.iter()).partition(|carried| carried.refused.is_none());
        let names: Vec<_> = carried.iter().map(|carried| carried.technique).collect();
        let refusals = refused.iter().map(|carried| {
            let why = carried.refused.as_deref().unwrap_or_default();
            format!("  not {}: {why}\n", carried.technique)
        });
        format!(
            "{}: can run; {} x {} shader cores, {width}x{height} in tiles of {tile_size}\n{}  DRAM: {}\n  techniques: {}\n{}{}",
            self.machine,
            self.raster_units,
            self.cores_per_unit,
            aligned(&rows, &[Align::Left, Align::Right, Align::Left]),
            self.dram,
            names.join(", "),
            refusals.collect::<String>(),
            rates_text(&self.rates),
        )
    }
}

/// Table of measured rates beside peaks and chips; nothing where none was measured.
fn rates_text(rates: &[Rate]) -> String {
    if rates.is_empty() {
        return String::new();
    }
    let header = ["per clock", "measured", "peak", "of peak", "chip", "error"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(rates.iter().map(|rate| {
        let chip = rate.published.map(|chip| format!("{:.2}", chip.per_clock));
        let error = rate.error().map(|error| format!("{:.1} %", 100.0 * error));
        vec![
            rate.what.to_owned(),
            format!("{:.2}", rate.measured),
            format!("{:.2}", rate.peak),
            format!("{:.1} %", 100.0 * rate.measured / rate.peak),
            chip.unwrap_or_else(|| "-".to_owned()),
            error.unwrap_or_else(|| "-".to_owned()),
        ]
    }));
    let align = [
        Align::Left,
        Align::Right,
        Align::Right,
        Align::Right,
        Align::Right,
        Align::Right,
    ];
    let source = rates.iter().find_map(|rate| rate.published);
    let source = source.map_or_else(
        || "  no chip of these widths is known per clock\n".to_owned(),
        |chip| format!("  chip: {}, as many cores ({})\n", chip.chip, chip.source),
    );
    let reasons = rates.iter().filter_map(|rate| {
        let why = rate.why?;
        Some(format!("  {}: {why}\n", rate.what))
    });
    format!(
        "measured, frames that one unit bounds each\n{}{source}{}",
        aligned(&rows, &align),
        reasons.collect::<String>()
    )
}
