//! KHEPRI, section V: its machines, figures and trends.

use super::{Contestant, Cost, MEMORY_INTENSIVE, ScheduledGame, homogeneous, on_lineup};
use crate::definition::{Study, Usual};
use crate::elimination::LEAST;
use crate::figures::{FigureSpec, Trend, Unit, mean, ratio};
use crate::measurement::Measurement;
use crate::sampling::Sampling;
use crate::suites;
use azulejo_gpu::machine::{IdealSpec, MachineSpec};
use azulejo_gpu::parameters::ParameterError;
use azulejo_technique::KHEPRI;

/// Machines of the line-up, by position.
#[derive(Debug, Clone, Copy)]
enum Machine {
    /// Baseline cores alone, tiles to the least occupied unit.
    Homogeneous,
    /// Both types of cores, tiles to the least occupied unit.
    ZOrder,
    /// Both types of cores, and the scheduler.
    Khepri,
    /// Cores of one type alone.
    Compute,
    Memory,
    /// Baseline cores alone, with ideal memory.
    Ideal,
}

/// Returns the machines that the figures need, made of one whose Raster Units have cores of types `compute` and `memory`,
/// and which defines a type `baseline`.
///
/// # Errors
/// If a type is missing.
pub fn khepri_lineup(machine: &MachineSpec) -> Result<Vec<Contestant>, ParameterError> {
    let only = |name: &str| homogeneous(machine, name);
    let mut ideal = only("baseline")?;
    ideal.spec.ideal = IdealSpec::ALL;
    Ok(vec![
        only("baseline")?,
        Contestant::plain(machine.clone()),
        Contestant {
            spec: machine.clone(),
            techniques: vec![&KHEPRI],
        },
        only("compute")?,
        only("memory")?,
        ideal,
    ])
}

impl ScheduledGame {
    fn cost_on(&self, machine: Machine) -> Cost {
        self.costs
            .get(machine as usize)
            .copied()
            .unwrap_or_default()
    }

    fn speedup(&self, from: Machine, to: Machine) -> Option<f64> {
        let cycles = |machine| self.cost_on(machine).raster_cycles as f64;
        ratio(cycles(from), cycles(to))
    }

    /// Speedup of a game that is memory-intensive or is not (LIBRA, section II-C, by which the paper's games are sorted
    /// too).
    fn speedup_if(&self, is_memory: bool, from: Machine, to: Machine) -> Option<f64> {
        let cycles = |machine| self.cost_on(machine).cycles as f64;
        let ideal = ratio(cycles(Machine::Ideal), cycles(Machine::Homogeneous))?;
        let speedup = self.speedup(from, to);
        speedup.filter(|_| (1.0 - ideal >= MEMORY_INTENSIVE) == is_memory)
    }

    /// Events for a thousand instructions on `to`, less those on `from`.
    fn change(&self, from: Machine, to: Machine, events: fn(&Cost) -> u64) -> Option<f64> {
        let on = |machine| {
            let cost = self.cost_on(machine);
            cost.per_kilo_instruction(events(&cost))
        };
        Some(on(to)? - on(from)?)
    }
}

/// Figures of the paper, in its order.
pub const KHEPRI_FIGURES: &[FigureSpec<ScheduledGame>] = &[
    FigureSpec {
        id: "khepri.fig3",
        title: "memory requests for an arithmetic instruction, in intervals of 5000 cycles: standard deviation, of the mean",
        columns: &["homogeneous"],
        bars: |game| vec![game.cost_on(Machine::Homogeneous).intensity.deviation()],
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "khepri.fig5",
        title: "tiles that locality sends to the other type of cores, of all",
        columns: &["isolated", "in small regions"],
        bars: |game| {
            let cost = game.cost_on(Machine::Khepri);
            let share = |tiles: u64| ratio(tiles as f64, cost.tiles as f64);
            [cost.isolated_tiles, cost.joined_tiles].map(share).into()
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "khepri.fig6",
        title: "with KHEPRI, of the homogeneous GPU's",
        energy: true,
        columns: &["raster speed", "frame speed", "energy"],
        bars: |game| {
            let [before, now] = [Machine::Homogeneous, Machine::Khepri].map(|m| game.cost_on(m));
            vec![
                game.speedup(Machine::Homogeneous, Machine::Khepri),
                ratio(before.cycles as f64, now.cycles as f64),
                ratio(now.energy(), before.energy()),
            ]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "khepri.fig7",
        title: "misses with KHEPRI, less those of the homogeneous GPU",
        unit: Unit::PerKiloInstruction,
        columns: &["L1 texture caches", "L2"],
        bars: |game| {
            let change = |events| game.change(Machine::Homogeneous, Machine::Khepri, events);
            vec![
                change(|cost| cost.texture_misses),
                change(|cost| cost.l2_misses),
            ]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "khepri.fig8",
        title: "DRAM accesses with KHEPRI, less those of the homogeneous GPU",
        unit: Unit::PerKiloInstruction,
        columns: &["all", "reads"],
        bars: |game| {
            let change = |events| game.change(Machine::Homogeneous, Machine::Khepri, events);
            vec![change(|cost| cost.lines), change(|cost| cost.lines_read)]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "khepri.fig9",
        title: "raster speed of a GPU with two types of cores, of the homogeneous GPU's",
        columns: &["Z-order", "KHEPRI", "KHEPRI less Z-order"],
        bars: |game| {
            let machines = [Machine::ZOrder, Machine::Khepri];
            let [z_order, khepri] =
                machines.map(|machine| game.speedup(Machine::Homogeneous, machine));
            let gap = khepri
                .zip(z_order)
                .map(|(khepri, z_order)| khepri - z_order);
            vec![z_order, khepri, gap]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "khepri.fig10",
        title: "misses of the L1 texture caches in Z-order, less those with KHEPRI",
        unit: Unit::PerKiloInstruction,
        columns: &["L1 texture caches"],
        bars: |game| {
            let change = game.change(Machine::Khepri, Machine::ZOrder, |cost| cost.texture_misses);
            vec![change]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "khepri.txt.motiv",
        title: "raster speed of GPUs with the type of cores that suits a game, of those with the other",
        columns: &[
            "memory games on memory cores",
            "compute games on compute cores",
        ],
        bars: |game| {
            vec![
                game.speedup_if(true, Machine::Compute, Machine::Memory),
                game.speedup_if(false, Machine::Memory, Machine::Compute),
            ]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "khepri.txt.mpki",
        title: "misses of the L1 texture caches",
        unit: Unit::PerKiloInstruction,
        columns: &["homogeneous", "KHEPRI"],
        bars: |game| {
            let mpki = |machine| {
                let cost = game.cost_on(machine);
                cost.per_kilo_instruction(cost.texture_misses)
            };
            [Machine::Homogeneous, Machine::Khepri].map(mpki).into()
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "khepri.txt.concurrent",
        title: "lines under way to the texture caches and accesses that wait, at a time with KHEPRI, of the homogeneous GPU's",
        note: Some(
            "where miss registers run out, fewer lines are under way and more accesses wait: the paper's misses are those handled",
        ),
        columns: &["lines", "accesses"],
        bars: |game| {
            let change = |events: fn(&Cost) -> u64| {
                let at_a_time = |machine| {
                    let cost = game.cost_on(machine);
                    ratio(events(&cost) as f64, cost.raster_cycles as f64)
                };
                ratio(
                    at_a_time(Machine::Khepri)?,
                    at_a_time(Machine::Homogeneous)?,
                )
            };
            vec![
                change(|cost| cost.texture_lines_under_way),
                change(|cost| cost.texture_waits),
            ]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "khepri.txt.reads",
        title: "lines read from the DRAM with KHEPRI, of the homogeneous GPU's",
        columns: &["reads"],
        bars: |game| {
            let reads = |machine| game.cost_on(machine).lines_read as f64;
            vec![ratio(reads(Machine::Khepri), reads(Machine::Homogeneous))]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "khepri.txt.geometry",
        title: "cycles of the geometry on compute cores alone, of the homogeneous GPU's",
        columns: &["geometry"],
        bars: |game| {
            // On the same cores in Z-order: KHEPRI's wait for its ranking is no work of theirs.
            let geometry = |machine| game.cost_on(machine).geometry_cycles() as f64;
            let [before, now] = [Machine::Homogeneous, Machine::ZOrder].map(geometry);
            vec![ratio(now, before)]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "khepri.txt.hw",
        title: "cycles of ranking tiles and finding regions, of the geometry's, which hide them up to 100 %",
        note: Some(
            "the paper charges one flood fill of 7 cycles a tile; here each one is charged, and small regions that join need another",
        ),
        columns: &["ranking"],
        bars: |game| {
            let ranking = game.cost_on(Machine::Khepri).ranking_cycles;
            let geometry = game.cost_on(Machine::ZOrder).geometry_cycles();
            vec![ratio(ranking as f64, geometry as f64)]
        },
        ..FigureSpec::BARS
    },
];

/// The trends, declared before the suite was measured: a GPU with two types of cores loses in Z-order and wins with KHEPRI,
/// on average; Z-order misses more in the texture caches; some games are better on memory cores and some on compute cores.
/// Declared with Fig. 3: how much memory an instruction needs varies over a frame, by more than a fifth on most games.
#[must_use]
pub fn khepri_trends(games: &[(String, ScheduledGame)]) -> Vec<Trend> {
    let games: Vec<_> = games.iter().map(|(_, game)| game).collect();
    let mean_of = |of: &dyn Fn(&ScheduledGame) -> Option<f64>| {
        mean(&games.iter().filter_map(|game| of(game)).collect::<Vec<_>>())
    };
    let speed = |speed: f64| format!("{:.1} % of the homogeneous GPU's speed", 100.0 * speed);
    vec![
        Trend::of(
            "two types of cores lose in Z-order",
            mean_of(&|game| game.speedup(Machine::Homogeneous, Machine::ZOrder)),
            speed,
            |speed| speed < 1.0,
        ),
        Trend::of(
            "two types of cores win with KHEPRI",
            mean_of(&|game| game.speedup(Machine::Homogeneous, Machine::Khepri)),
            speed,
            |speed| speed > 1.0,
        ),
        Trend::of(
            "Z-order misses more in the texture caches than KHEPRI",
            mean_of(&|game| {
                game.change(Machine::Khepri, Machine::ZOrder, |cost| cost.texture_misses)
            }),
            |more| format!("{more:.2} misses a thousand instructions"),
            |more| more > 0.0,
        ),
        both_types_have_their_games(&games),
        intensity_varies(&games),
    ]
}

fn intensity_varies(games: &[&ScheduledGame]) -> Trend {
    let spread = |game: &&ScheduledGame| game.cost_on(Machine::Homogeneous).intensity.deviation();
    let spreads: Vec<f64> = games.iter().filter_map(spread).collect();
    let varied = spreads.iter().filter(|spread| **spread > 0.2).count();
    Trend::of(
        "memory requests for an instruction vary by more than a fifth over most games' frames",
        (!spreads.is_empty()).then_some(varied),
        |varied| format!("on {varied} of {}", spreads.len()),
        |varied| 2 * varied > spreads.len(),
    )
}

fn both_types_have_their_games(games: &[&ScheduledGame]) -> Trend {
    let speedup = |game: &&ScheduledGame| game.speedup(Machine::Compute, Machine::Memory);
    let speedups: Vec<f64> = games.iter().filter_map(speedup).collect();
    let memory = speedups.iter().filter(|speedup| **speedup > 1.0).count();
    let compute = speedups.iter().filter(|speedup| **speedup < 1.0).count();
    Trend::of(
        "some games are better on memory cores, some on compute cores",
        (!speedups.is_empty()).then_some((memory, compute)),
        |(memory, compute)| format!("{memory} and {compute} of {}", speedups.len()),
        |(memory, compute)| memory > 0 && compute > 0,
    )
}

/// KHEPRI over games.
pub const KHEPRI_STUDY: Study = Study {
    title: "KHEPRI: two types of shader cores",
    paper: "Tomás et al., Design of a GPU with Heterogeneous Cores for Graphics",
    about: "frames on cores of one type and of two, with tiles by occupancy and by type",
    usual: Usual {
        machine: "valhall-khepri",
        machine_in_words: None,
        frames: 25,
        quick_frames: 5,
        sampling: Sampling::Every(1),
    },
    least: LEAST,
    suite: Some(&suites::KHEPRI),
    kept_as: |_| "khepri",
    in_all: true,
    in_numbers: true,
    ..Study::new("khepri", &MEASUREMENT)
};

const MEASUREMENT: Measurement<ScheduledGame> = Measurement {
    trends: khepri_trends,
    ..Measurement::new(KHEPRI_FIGURES, |setup| {
        let lineup = khepri_lineup(&setup.machine)?;
        Ok(on_lineup(lineup, setup.sampling))
    })
};
