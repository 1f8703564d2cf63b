//! LIBRA, sections II and V: its machines, figures and trends.

use super::{Contestant, Cost, MEMORY_INTENSIVE, ScheduledGame, on_lineup, shaped};
use crate::definition::{Study, Usual};
use crate::elimination::LEAST;
use crate::figures::{FigureForm, FigureSpec, Trend, mean, rank_correlation, ratio};
use crate::measurement::Measurement;
use crate::sampling::Sampling;
use crate::suites;
use azulejo_gpu::machine::{IdealSpec, MachineSpec, Overlay};
use azulejo_gpu::parameters::ParameterError;
use azulejo_technique::LIBRA;

/// Machines of the line-up, by position.
#[derive(Debug, Clone, Copy)]
enum Machine {
    /// One Raster Unit of eight cores.
    Baseline,
    /// One Raster Unit of eight cores, with ideal memory.
    Ideal,
    /// One Raster Unit of 4, 12 and 16 cores.
    One4,
    One12,
    One16,
    /// Two Raster Units of four cores, tiles in turn.
    Ptr2,
    /// Two, three and four such Raster Units, with LIBRA's scheduler.
    Libra2,
    Libra3,
    Libra4,
    /// Two Raster Units of four cores, supertiles of this size in Z-order.
    Static2,
    Static4,
    Static8,
    Static16,
}

/// Returns the machines that the figures need, made of a baseline with one Raster Unit of eight cores.
///
/// # Errors
/// If the machine has no parameters of LIBRA.
pub fn libra_lineup(baseline: &MachineSpec) -> Result<Vec<Contestant>, ParameterError> {
    let one = |cores| Contestant::plain(shaped(baseline, 1, cores));
    let ptr = |units| Contestant::plain(shaped(baseline, units, 4));
    let libra = |units| with_libra(baseline, units);
    let mut ideal = one(8);
    ideal.spec.ideal = IdealSpec::ALL;
    let mut lineup = vec![one(8), ideal, one(4), one(12), one(16)];
    lineup.push(ptr(2));
    lineup.extend([2, 3, 4].map(libra));
    for edge in [2, 4, 8, 16] {
        let mut fixed = libra(2);
        let values = [
            ("libra.order", "z-order".to_owned()),
            ("libra.supertile_edges", format!("[{edge}]")),
            ("libra.first_edge", "0".to_owned()),
        ];
        for (key, value) in values {
            let key = key.to_owned();
            fixed.spec.technique.set(&Overlay { key, value })?;
        }
        lineup.push(fixed);
    }
    Ok(lineup)
}

/// Raster Units of four cores, with LIBRA's scheduler.
pub(super) fn with_libra(baseline: &MachineSpec, units: usize) -> Contestant {
    Contestant {
        techniques: vec![&LIBRA],
        ..Contestant::plain(shaped(baseline, units, 4))
    }
}

impl ScheduledGame {
    fn on(&self, machine: Machine) -> Cost {
        self.costs
            .get(machine as usize)
            .copied()
            .unwrap_or_default()
    }

    /// Speedup in raster cycles: `from`, of `to`.
    fn raster_speedup(&self, from: Machine, to: Machine) -> Option<f64> {
        let cycles = |machine| self.on(machine).raster_cycles as f64;
        ratio(cycles(from), cycles(to))
    }

    /// Speedup in cycles of whole frames: `from`, of `to`.
    fn frame_speedup(&self, from: Machine, to: Machine) -> Option<f64> {
        let cycles = |machine| self.on(machine).cycles as f64;
        ratio(cycles(from), cycles(to))
    }

    /// Share of the baseline's time that ideal memory would save.
    fn memory_time(&self) -> Option<f64> {
        let ideal = ratio(
            self.on(Machine::Ideal).cycles as f64,
            self.on(Machine::Baseline).cycles as f64,
        );
        ideal.map(|ideal| 1.0 - ideal)
    }

    fn is_memory_intensive(&self) -> bool {
        self.memory_time()
            .is_some_and(|time| time >= MEMORY_INTENSIVE)
    }

    /// Speedups of PTR and LIBRA over the baseline, if the game is of this kind.
    fn speedups(&self, is_meant: bool) -> Vec<Option<f64>> {
        let of = |speedup: Option<f64>| speedup.filter(|_| is_meant);
        vec![
            of(self.raster_speedup(Machine::Baseline, Machine::Ptr2)),
            of(self.raster_speedup(Machine::Baseline, Machine::Libra2)),
            of(self.frame_speedup(Machine::Baseline, Machine::Libra2)),
        ]
    }
}

/// Relative decrease from `before` to `now`: positive where there is less.
fn decrease(before: Option<f64>, now: Option<f64>) -> Option<f64> {
    ratio(now?, before?).map(|left| 1.0 - left)
}

fn increase(before: Option<f64>, now: Option<f64>) -> Option<f64> {
    decrease(before, now).map(|decrease| -decrease)
}

/// Figures of the paper, in its order.
pub const LIBRA_FIGURES: &[FigureSpec<ScheduledGame>] = &[
    FigureSpec {
        id: "libra.fig1",
        title: "cycles of a frame on the baseline",
        form: FigureForm::Stacked {
            parts: &["geometry", "raster"],
            total: None,
        },
        columns: &["geometry", "raster"],
        bars: |game| {
            let cost = game.on(Machine::Baseline);
            let raster = ratio(cost.raster_cycles as f64, cost.cycles as f64);
            vec![raster.map(|raster| 1.0 - raster), raster]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "libra.fig4",
        title: "speed of one Raster Unit of eight cores, of that with four",
        columns: &["speedup"],
        bars: |game| vec![game.raster_speedup(Machine::One4, Machine::Baseline)],
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "libra.fig6a",
        title: "time on the baseline: what ideal memory would save, and the rest",
        form: FigureForm::Stacked {
            parts: &["compute", "memory"],
            total: None,
        },
        columns: &["compute", "memory"],
        bars: |game| {
            let memory = game.memory_time();
            vec![memory.map(|memory| 1.0 - memory), memory]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "libra.fig6b",
        title: "time that the memory takes, and speed of two Raster Units of four cores, of one",
        columns: &["memory", "speedup"],
        bars: |game| {
            let speedup = game.raster_speedup(Machine::One4, Machine::Ptr2);
            vec![game.memory_time(), speedup]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "libra.fig7",
        title: "DRAM lines in intervals of 5000 cycles of the Raster Pipeline: standard deviation, of the mean",
        columns: &["one unit", "PTR", "LIBRA"],
        bars: |game| {
            let machines = [Machine::Baseline, Machine::Ptr2, Machine::Libra2];
            machines
                .map(|machine| game.on(machine).requests.deviation())
                .into()
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "libra.fig8",
        title: "tiles whose DRAM accesses differ from the frame before by less than",
        form: FigureForm::Lines,
        columns: &["5 %", "20 %", "50 %"],
        bars: |game| {
            let changes = game.tile_changes;
            let share = |below| ratio(below as f64, changes.all as f64);
            changes.below.map(share).into()
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "libra.fig11",
        title: "speed of memory-intensive games, of the baseline's",
        columns: &["PTR, raster", "LIBRA, raster", "LIBRA, frames"],
        bars: |game| game.speedups(game.is_memory_intensive()),
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "libra.fig12",
        title: "decrease of texture latency, of an access of the texture caches",
        // Two tiles at a time have up to twice the texture instructions under way, over the same memory: where one tile
        // cannot fill the cores, as here, PTR's latency grows by that. The effect of the scheduler is seen beside PTR's.
        columns: &["PTR", "LIBRA", "LIBRA, of PTR's"],
        bars: |game| {
            let cycles = |machine| game.on(machine).texture_cycles();
            let [one, ptr, libra] = [Machine::Baseline, Machine::Ptr2, Machine::Libra2].map(cycles);
            vec![
                decrease(one, ptr),
                decrease(one, libra),
                decrease(ptr, libra),
            ]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "libra.fig13",
        title: "increase of the texture caches' hit ratio, each quad's own accesses",
        columns: &["PTR", "LIBRA"],
        bars: |game| {
            let hits = |machine| game.on(machine).hit_ratio();
            let before = hits(Machine::Baseline);
            let machines = [Machine::Ptr2, Machine::Libra2];
            machines
                .map(|machine| increase(before, hits(machine)))
                .into()
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "libra.fig14",
        title: "DRAM accesses of the Raster Pipeline with LIBRA, of PTR's",
        columns: &["LIBRA"],
        bars: |game| {
            let lines = |machine| game.on(machine).raster_lines as f64;
            vec![ratio(lines(Machine::Libra2), lines(Machine::Ptr2))]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "libra.fig15",
        title: "decrease of energy",
        energy: true,
        columns: &["PTR", "LIBRA", "LIBRA, GPU alone"],
        bars: |game| {
            let total = |machine| Some(game.on(machine).energy());
            let gpu = |machine| Some(game.on(machine).gpu);
            let before = total(Machine::Baseline);
            vec![
                decrease(before, total(Machine::Ptr2)),
                decrease(before, total(Machine::Libra2)),
                decrease(gpu(Machine::Baseline), gpu(Machine::Libra2)),
            ]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "libra.fig16",
        title: "speed of supertiles of one size in Z-order, and of LIBRA, of PTR's",
        columns: &["2x2", "4x4", "8x8", "16x16", "LIBRA"],
        bars: |game| {
            let machines = [
                Machine::Static2,
                Machine::Static4,
                Machine::Static8,
                Machine::Static16,
                Machine::Libra2,
            ];
            let speedup = |machine| {
                let speedup = game.raster_speedup(Machine::Ptr2, machine);
                speedup.filter(|_| game.is_memory_intensive())
            };
            machines.map(speedup).into()
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "libra.fig17",
        title: "speed of compute-intensive games, of the baseline's",
        columns: &["PTR, raster", "LIBRA, raster", "LIBRA, frames"],
        bars: |game| game.speedups(!game.is_memory_intensive()),
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "libra.fig18",
        title: "speed of LIBRA with more Raster Units of four cores, of one with as many cores, memory-intensive games",
        columns: &["2 x 4", "3 x 4", "4 x 4"],
        bars: |game| {
            let pairs = [
                (Machine::Baseline, Machine::Libra2),
                (Machine::One12, Machine::Libra3),
                (Machine::One16, Machine::Libra4),
            ];
            let speedup = |(one, libra)| {
                let speedup = game.raster_speedup(one, libra);
                speedup.filter(|_| game.is_memory_intensive())
            };
            pairs.map(speedup).into()
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "libra.txt.replication",
        title: "lines that came to a texture cache while another held them, and LIBRA's decrease of PTR's",
        columns: &["one unit", "PTR", "LIBRA", "decrease"],
        bars: |game| {
            let share = |machine| game.on(machine).replication();
            let [one, ptr, libra] = [Machine::Baseline, Machine::Ptr2, Machine::Libra2].map(share);
            vec![one, ptr, libra, decrease(ptr, libra)]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "libra.txt.tilecache",
        title: "hit ratio of the tile cache",
        columns: &["one unit", "PTR", "LIBRA"],
        bars: |game| {
            let hits = |machine| {
                let cost = game.on(machine);
                ratio(cost.tile_hits as f64, cost.tile_accesses as f64)
            };
            let machines = [Machine::Baseline, Machine::Ptr2, Machine::Libra2];
            machines.map(hits).into()
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "libra.txt.hw",
        title: "cycles of ranking supertiles, of the geometry's, which hide them",
        columns: &["ranking"],
        bars: |game| {
            let ranking = game.on(Machine::Libra2).ranking_cycles;
            // A machine that ranks waits for it where its geometry is shorter: the geometry that would hide it is that of
            // one that does not.
            let geometry = game.on(Machine::Ptr2).geometry_cycles();
            vec![ratio(ranking as f64, geometry as f64)]
        },
        ..FigureSpec::BARS
    },
];

/// The trends, declared before the suite was measured: parallel tile rendering beats one large Raster Unit on most games;
/// LIBRA beats it on average over the memory-intensive ones; three and four units gain over two; the more time the memory
/// takes, the less a second Raster Unit helps (rank correlation below -0.3); 80 % of the tiles differ by less than 20 %.
/// Declared with Fig. 7: LIBRA spreads the DRAM's lines more evenly over time than tiles in turn.
#[must_use]
pub fn libra_trends(games: &[(String, ScheduledGame)]) -> Vec<Trend> {
    let games: Vec<_> = games.iter().map(|(_, game)| game).collect();
    vec![
        ptr_beats_one_unit(&games),
        libra_beats_ptr(&games),
        more_units_gain(&games),
        memory_spoils_parallelism(&games),
        tiles_stay(&games),
        libra_evens_requests(&games),
    ]
}

fn libra_evens_requests(games: &[&ScheduledGame]) -> Trend {
    let spread = |game: &ScheduledGame, machine| game.on(machine).requests.deviation();
    let of_ptr =
        |game: &&ScheduledGame| ratio(spread(game, Machine::Libra2)?, spread(game, Machine::Ptr2)?);
    Trend::of(
        "LIBRA spreads DRAM lines more evenly over time than tiles in turn",
        mean(&games.iter().filter_map(of_ptr).collect::<Vec<_>>()),
        |mean| format!("{:.1} % of its deviation on average", 100.0 * mean),
        |mean| mean < 1.0,
    )
}

fn ptr_beats_one_unit(games: &[&ScheduledGame]) -> Trend {
    let speedup = |game: &&ScheduledGame| game.raster_speedup(Machine::Baseline, Machine::Ptr2);
    let speedups: Vec<f64> = games.iter().filter_map(speedup).collect();
    let faster = speedups.iter().filter(|speedup| **speedup > 1.0).count();
    Trend::of(
        "two Raster Units of four cores beat one of eight on most games",
        (!speedups.is_empty()).then_some(faster),
        |faster| format!("on {faster} of {}", speedups.len()),
        |faster| 2 * faster > speedups.len(),
    )
}

fn libra_beats_ptr(games: &[&ScheduledGame]) -> Trend {
    let memory = games.iter().filter(|game| game.is_memory_intensive());
    let speedups = memory.filter_map(|game| game.raster_speedup(Machine::Ptr2, Machine::Libra2));
    let mean = mean(&speedups.collect::<Vec<_>>());
    Trend::of(
        "LIBRA beats tiles in turn on memory-intensive games",
        mean,
        |mean| format!("{:.1} % of its speed on average", 100.0 * mean),
        |mean| mean > 1.0,
    )
}

fn more_units_gain(games: &[&ScheduledGame]) -> Trend {
    let gain = |game: &&ScheduledGame| {
        let three = game.raster_speedup(Machine::Libra2, Machine::Libra3)?;
        let four = game.raster_speedup(Machine::Libra3, Machine::Libra4)?;
        Some(three.min(four))
    };
    let least = mean(&games.iter().filter_map(gain).collect::<Vec<_>>());
    Trend::of(
        "three and four Raster Units still gain",
        least,
        |least| {
            format!(
                "the smaller of both steps is {:.1} % on average",
                100.0 * least
            )
        },
        |least| least > 1.0,
    )
}

fn memory_spoils_parallelism(games: &[&ScheduledGame]) -> Trend {
    let pair = |game: &&ScheduledGame| {
        let speedup = game.raster_speedup(Machine::One4, Machine::Ptr2)?;
        Some((game.memory_time()?, speedup))
    };
    let pairs: Vec<_> = games.iter().filter_map(pair).collect();
    Trend::of(
        "the more time the memory takes, the less a second Raster Unit helps",
        rank_correlation(&pairs),
        |correlation| format!("rank correlation {correlation:.2}"),
        |correlation| correlation < -0.3,
    )
}

fn tiles_stay(games: &[&ScheduledGame]) -> Trend {
    let share = |game: &&ScheduledGame| {
        let changes = game.tile_changes;
        ratio(changes.below[1] as f64, changes.all as f64)
    };
    let mean = mean(&games.iter().filter_map(share).collect::<Vec<_>>());
    Trend::of(
        "80 % of the tiles differ from the frame before by less than 20 %",
        mean,
        |mean| format!("{:.1} % on average", 100.0 * mean),
        |mean| mean >= 0.8,
    )
}

/// LIBRA over games.
pub const LIBRA_STUDY: Study = Study {
    title: "LIBRA: parallel tile rendering and its scheduler",
    paper: "Tomás et al., LIBRA: Memory Bandwidth- and Locality-Aware Parallel Tile Rendering",
    about: "frames on one and several Raster Units, with tiles in turn and by temperature",
    usual: Usual {
        machine: "valhall-libra-baseline",
        machine_in_words: None,
        frames: 25,
        quick_frames: 5,
        sampling: Sampling::Every(1),
    },
    least: LEAST,
    suite: Some(&suites::LIBRA),
    kept_as: |_| "libra",
    in_all: true,
    in_numbers: true,
    ..Study::new("libra", &MEASUREMENT)
};

const MEASUREMENT: Measurement<ScheduledGame> = Measurement {
    trends: libra_trends,
    ..Measurement::new(LIBRA_FIGURES, |setup| {
        let lineup = libra_lineup(&setup.machine)?;
        Ok(on_lineup(lineup, setup.sampling))
    })
};
