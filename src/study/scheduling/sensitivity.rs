//! KHEPRI's cores before any scheduler, on machines of their own.
//!
//! The paper gives memory cores 25 % more speed than compute cores on memory-intensive games, and compute cores 43 % more than
//! memory cores on compute-intensive ones (sections I and III-A), without saying which games these are. Its scheduler leaves
//! nearly 20 % fewer misses under way on `TiB` and `AmU` (section V-A). That half of the games gain less than one and a half
//! times by eight cores for four is LIBRA's number (section III-A), on the same games.

use super::khepri::KHEPRI_STUDY;
use super::{
    Bounds, Contestant, Cost, MEMORY_INTENSIVE, ScheduledGame, homogeneous, on_lineup, shaped,
};
use crate::definition::Study;
use crate::figures::{FigureSpec, Trend, Unit, mean, ratio};
use crate::measurement::Measurement;
use azulejo_gpu::machine::{IdealSpec, MachineSpec};
use azulejo_gpu::parameters::ParameterError;

/// Machines of the line-up, by position.
#[derive(Debug, Clone, Copy)]
enum Machine {
    /// Baseline cores alone.
    Homogeneous,
    /// Cores of one type alone.
    Compute,
    Memory,
    /// Both types of cores, tiles in Z-order to the least occupied unit.
    Both,
    /// Baseline cores alone, with ideal memory.
    Ideal,
    /// Baseline cores alone, with the texture caches of compute cores.
    SmallCache,
    /// One Raster Unit of baseline cores.
    Four,
    Eight,
}

/// Misses for a thousand instructions of games whose tiles are mostly memory-intensive: 65 (`AmU`) and 77 (`TiB`), section V-A.
const MUCH_MISSED: f64 = 65.0;

/// Misses for a thousand instructions of games whose tiles are compute-intensive: 13 (`RoM`) and 15 (Maz), section V-A.
const LITTLE_MISSED: f64 = 15.0;

/// Returns the machines that the figures need, made of one whose Raster Units have cores of types `compute` and `memory`,
/// and which defines a type `baseline`.
///
/// # Errors
/// If a type is missing.
pub fn sensitivity_lineup(machine: &MachineSpec) -> Result<Vec<Contestant>, ParameterError> {
    let only = |name: &str| homogeneous(machine, name);
    let [baseline, compute] = [only("baseline")?, only("compute")?];
    let mut ideal = baseline.clone();
    ideal.spec.ideal = IdealSpec::ALL;
    let mut small_cache = baseline.clone();
    let types = &mut small_cache.spec.raster.core_types;
    types[baseline.spec.raster.units[0]].core.texture_cache.tags =
        types[compute.spec.raster.units[0]].core.texture_cache.tags;
    let one_unit = |cores| Contestant::plain(shaped(&baseline.spec, 1, cores));
    let [four, eight] = [one_unit(4), one_unit(8)];
    let both = Contestant::plain(machine.clone());
    let memory = only("memory")?;
    Ok(vec![
        baseline,
        compute,
        memory,
        both,
        ideal,
        small_cache,
        four,
        eight,
    ])
}

fn cost_on(game: &ScheduledGame, machine: Machine) -> Cost {
    let cost = game.costs.get(machine as usize);
    cost.copied().unwrap_or_default()
}

/// Raster speed on `to`, of that on `from`.
fn speedup(game: &ScheduledGame, from: Machine, to: Machine) -> Option<f64> {
    let [from, to] = [from, to].map(|machine| cost_on(game, machine).raster_cycles as f64);
    ratio(from, to)
}

fn misses(game: &ScheduledGame, machine: Machine) -> Option<f64> {
    let cost = cost_on(game, machine);
    cost.per_kilo_instruction(cost.texture_misses)
}

/// Lines under way to all texture caches in a cycle of the Raster Pipeline, on average.
fn under_way(game: &ScheduledGame, machine: Machine) -> Option<f64> {
    let cost = cost_on(game, machine);
    ratio(
        cost.texture_lines_under_way as f64,
        cost.raster_cycles as f64,
    )
}

/// Least time of the units, of that of the Raster Pipeline: on baseline cores, then what registers hold on each type.
fn by_units(game: &ScheduledGame) -> Vec<Option<f64>> {
    let of = |machine, unit: fn(&Bounds) -> f64| {
        let cost = cost_on(game, machine);
        ratio(unit(&cost.bounds), cost.raster_cycles as f64)
    };
    let held = |machine| of(machine, |units| units.held);
    vec![
        of(Machine::Homogeneous, |units| units.quads),
        of(Machine::Homogeneous, |units| units.instructions),
        of(Machine::Homogeneous, |units| units.samples),
        of(Machine::Homogeneous, |units| units.pins),
        held(Machine::Homogeneous),
        held(Machine::Compute),
        held(Machine::Memory),
    ]
}

/// Memory-intensive by the time that memory takes (LIBRA, section III-A).
fn is_memory_intensive(game: &ScheduledGame) -> Option<bool> {
    let cycles = |machine| cost_on(game, machine).cycles as f64;
    let ideal = ratio(cycles(Machine::Ideal), cycles(Machine::Homogeneous))?;
    Some(1.0 - ideal >= MEMORY_INTENSIVE)
}

fn by_cores(game: &ScheduledGame) -> Vec<Option<f64>> {
    let memory = speedup(game, Machine::Compute, Machine::Memory);
    let compute = speedup(game, Machine::Memory, Machine::Compute);
    let by_time = is_memory_intensive(game);
    let missed = misses(game, Machine::Homogeneous);
    vec![
        memory,
        memory.filter(|_| by_time == Some(true)),
        compute.filter(|_| by_time == Some(false)),
        memory.filter(|_| missed.is_some_and(|missed| missed >= MUCH_MISSED)),
        compute.filter(|_| missed.is_some_and(|missed| missed <= LITTLE_MISSED)),
    ]
}

/// Figures of the sensitivities.
pub const SENSITIVITY_FIGURES: &[FigureSpec<ScheduledGame>] = &[
    FigureSpec {
        id: "khepri.sensitivity.cores",
        title: "raster speed of GPUs with cores of one specialized type alone, of those with the other",
        note: Some(
            "the paper names no bound between its games; here a quarter of the time (LIBRA, III-A), and the misses of its examples (V-A)",
        ),
        columns: &[
            "memory of compute cores",
            "memory games on memory cores",
            "compute games on compute cores",
            "from 65 MPKI on memory cores",
            "to 15 MPKI on compute cores",
        ],
        bars: by_cores,
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "khepri.sensitivity.concurrent",
        title: "lines under way to the texture caches at a time, of the homogeneous GPU's",
        note: Some("the paper: nearly 20 % less on TiB and AmU, with its scheduler (V-A)"),
        columns: &["compute cores", "memory cores", "both in Z-order"],
        bars: |game| {
            let machines = [Machine::Compute, Machine::Memory, Machine::Both];
            let all = under_way(game, Machine::Homogeneous);
            let of = |own: f64| all.and_then(|all| ratio(own, all));
            machines
                .map(|machine| under_way(game, machine).and_then(of))
                .into()
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "khepri.sensitivity.scaling",
        title: "raster speed of one Raster Unit of eight baseline cores, of that with four",
        note: Some("KHEPRI states none; LIBRA, III-A: less than 150 % on 16 of 32 games"),
        columns: &["speedup"],
        bars: |game| vec![speedup(game, Machine::Four, Machine::Eight)],
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "khepri.sensitivity.mpki",
        title: "misses of the L1 texture caches, on baseline cores by cache size and on each type",
        note: Some(
            "the paper's caches: 8 KB on compute cores, 32 KB on others (Table II); it states misses of the homogeneous GPU alone",
        ),
        unit: Unit::PerKiloInstruction,
        columns: &["8 KB", "32 KB", "compute cores", "memory cores"],
        bars: |game| {
            let machines = [
                Machine::SmallCache,
                Machine::Homogeneous,
                Machine::Compute,
                Machine::Memory,
            ];
            machines.map(|machine| misses(game, machine)).into()
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "khepri.sensitivity.units",
        title: "least time of each unit for what passed it, of the Raster Pipeline's on baseline cores",
        note: Some(
            "the unit near 100 % bounds; where none is, tiles wait for their lines; held: texture pipelines without a register, by type",
        ),
        columns: &[
            "Raster Units",
            "cores",
            "texture pipelines",
            "DRAM pins",
            "held",
            "held, compute",
            "held, memory",
        ],
        bars: by_units,
        ..FigureSpec::BARS
    },
];

/// The trends, declared before any was measured: each type of cores wins on its games (section III-A), more misses mean
/// more gain by memory cores (section III-B), compute cores handle fewer misses at a time (section V-A), and eight cores
/// bring less than one and a half times the speed on half of the games or more (LIBRA, section III-A).
#[must_use]
pub fn sensitivity_trends(games: &[(String, ScheduledGame)]) -> Vec<Trend> {
    let games: Vec<_> = games.iter().map(|(_, game)| game).collect();
    let column = |figure: usize, at: usize| -> Vec<f64> {
        let bars = SENSITIVITY_FIGURES[figure].bars;
        games.iter().filter_map(|game| bars(game)[at]).collect()
    };
    let mean_of = |figure, at| mean(&column(figure, at));
    let percent = |speed: f64| format!("{:.1} %", 100.0 * speed);
    let scaled = column(2, 0);
    let slow = scaled.iter().filter(|speed| **speed < 1.5).count();
    vec![
        Trend::of(
            "memory cores are faster on memory-intensive games",
            mean_of(0, 1),
            percent,
            |speed| speed > 1.0,
        ),
        Trend::of(
            "compute cores are faster on compute-intensive games",
            mean_of(0, 2),
            percent,
            |speed| speed > 1.0,
        ),
        Trend::of(
            "games that miss more gain more by memory cores",
            gain_by_misses(&games),
            |[most, least]| format!("{} and {}", percent(most), percent(least)),
            |[most, least]| most > least,
        ),
        Trend::of(
            "compute cores have fewer misses under way at a time",
            mean_of(1, 0),
            percent,
            |share| share < 1.0,
        ),
        Trend::of(
            "eight cores bring less than 150 % of four on half of the games or more",
            (!scaled.is_empty()).then_some(slow),
            |slow| format!("on {slow} of {}", scaled.len()),
            |slow| 2 * slow >= scaled.len(),
        ),
    ]
}

/// Speed of memory cores, of compute cores, on the half of the games that misses most and on the one that misses least.
fn gain_by_misses(games: &[&ScheduledGame]) -> Option<[f64; 2]> {
    let both = |game: &&ScheduledGame| {
        let gain = speedup(game, Machine::Compute, Machine::Memory)?;
        Some((misses(game, Machine::Homogeneous)?, gain))
    };
    let mut ranked: Vec<_> = games.iter().filter_map(both).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let half = ranked.len() / 2;
    let mean_of = |games: &[(f64, f64)]| {
        let gains: Vec<_> = games.iter().map(|(_, gain)| *gain).collect();
        mean(&gains)
    };
    let most = mean_of(ranked.get(..half)?)?;
    let least = mean_of(ranked.get(ranked.len() - half..)?)?;
    Some([most, least])
}

/// Sensitivities over games, on the machine and frames of KHEPRI's study.
pub const SENSITIVITY_STUDY: Study = Study {
    name: "khepri.sensitivity",
    title: "KHEPRI's cores before any scheduler",
    about: "frames on cores of one type alone, by cache size, and on one Raster Unit of four and of eight",
    kept_as: |_| "khepri by cores",
    in_all: false,
    in_numbers: false,
    measures: &MEASUREMENT,
    ..KHEPRI_STUDY
};

const MEASUREMENT: Measurement<ScheduledGame> = Measurement {
    trends: sensitivity_trends,
    ..Measurement::new(SENSITIVITY_FIGURES, |setup| {
        let lineup = sensitivity_lineup(&setup.machine)?;
        Ok(on_lineup(lineup, setup.sampling))
    })
};
