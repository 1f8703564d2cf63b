//! Worth of the size of work tiles on a machine that renders immediately: workloads with work tiles of each size and with
//! DFSL, frame by frame side by side, and the figures of Emerald's second case study that follow from the sums (Gubran and
//! Aamodt, ISCA 2019, section 6).
//!
//! Workloads are the built-in models ([`MODELS`](azulejo_demo::MODELS)), which stand for the paper's six: a sample of one
//! texture for each fragment and hardly any arithmetic, so that the memory decides. The study finds another thing of
//! the games: what a fragment costs differs much over their screens, and the smallest tiles, which share work most
//! evenly, are the best. Times are those of whole frames; the paper's are of the fragment stage, which on this machine runs
//! beside the geometry. DFSL's mean weighs its phases as the machine's parameters do (10 frames of evaluation to 100 of run
//! in the paper), so that few frames say what many would.

use std::collections::BTreeSet;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::definition::{Study, Usual};
use super::elimination::{LEAST, StudyError};
use super::figures::{FigureForm, FigureSpec, Trend, Unit, mean, ratio};
use super::measurement::{Measure, Measurement};
use super::sampling::Sampling;
use super::scheduling::Contestant;
use super::suites;
use azulejo_demo::MODELS;
use azulejo_gpu::machine::{MachineSpec, Overlay, Pipeline};
use azulejo_gpu::memory::Traffic;
use azulejo_gpu::parameters::ParameterError;
use azulejo_gpu::{FrameReport, Gpu};
use azulejo_technique::dfsl::DfslSpec;
use azulejo_technique::{DFSL, machine_with};
use azulejo_trace::FrameTrace;

/// Sizes of work tiles that are tried, from 1 on (section 6.2).
pub const WORK_TILES: usize = 10;

/// Cost of frames with one size of work tiles, or with a technique that chooses it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkTileCost {
    /// Number of frames run.
    pub frames: u64,
    /// Cycles of these frames.
    pub cycles: u64,
    /// Lines that texture caches asked of the L2 (L1T).
    pub texture_misses: u64,
    /// Accesses of depth caches whose line was neither there nor under way (L1Z).
    pub depth_misses: u64,
    /// Accesses of data caches whose line was neither there nor under way (L1D).
    pub color_misses: u64,
    /// Lines that the L2 asked of the DRAM.
    pub l2_misses: u64,
}

impl WorkTileCost {
    /// Misses are accesses that ask for a line: those that find it under way are counted apart, as GPGPU-Sim, whose caches
    /// the paper's are, counts hits on reserved lines apart from misses.
    fn add(&mut self, report: &FrameReport) {
        let clusters = report.immediate.iter().flat_map(|own| &own.clusters);
        self.frames += 1;
        self.cycles += report.cycles.0;
        self.texture_misses += report.l2.reads[Traffic::Texture];
        for cluster in clusters {
            self.depth_misses += cluster.depth_caches.misses() - cluster.depth_joined;
            self.color_misses += cluster.color_caches.misses() - cluster.color_joined;
        }
        // Traffic around the L2 is the display's.
        let reads = &report.dram.reads;
        self.l2_misses += reads.total() - reads[Traffic::Display];
    }

    /// Misses of all first-level caches of the cores.
    #[must_use]
    pub const fn l1_misses(&self) -> u64 {
        self.texture_misses + self.depth_misses + self.color_misses
    }

    /// Mean cycles of a frame.
    fn time(&self) -> Option<f64> {
        ratio(self.cycles as f64, self.frames as f64)
    }
}

/// Cost of a technique that chooses the size, by the phases of its search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phases {
    /// Frames of evaluation phases.
    pub evaluation: WorkTileCost,
    /// Frames of run phases.
    pub run: WorkTileCost,
}

/// Measured workload with each size of work tiles.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkTileGame {
    /// Cost by size, from 1 on.
    pub sizes: Vec<WorkTileCost>,
    /// Cost with DFSL, Algorithm 1.
    pub dfsl: Phases,
    /// Cycles of the smallest size in the frames of DFSL's evaluation.
    pub beside_evaluation: u64,
    /// Cycles of each size in the frames of DFSL's run.
    pub beside_run: Vec<u64>,
    /// Cost with LIBRA's rule for the size of supertiles, on work tiles.
    pub climb: WorkTileCost,
    /// Frames of evaluation and of run, as the machine's parameters have them.
    pub weights: [u64; 2],
    /// Size that is best for all workloads on average, once all are known.
    pub best_for_all: Option<usize>,
}

/// Returns the machines, which render immediately even if the given one does not: each size alone, then DFSL with both ways
/// to search.
///
/// # Errors
/// If the machine cannot render immediately, or has no parameters of DFSL.
pub fn work_tile_lineup(machine: &MachineSpec) -> Result<Vec<Contestant>, ParameterError> {
    let own = machine.immediate.ok_or_else(|| {
        let expected = "those of a machine that can render immediately, such as emerald-gpu";
        machine.technique.error("dfsl", expected)
    })?;
    let of_size = |size: u32| {
        let mut spec = machine.clone();
        let own = azulejo_gpu::machine::ImmediateSpec {
            work_tile: size,
            ..own
        };
        spec.pipeline = Pipeline::Immediate(own);
        Contestant {
            spec,
            techniques: Vec::new(),
        }
    };
    let mut lineup: Vec<_> = (1..=WORK_TILES as u32).map(of_size).collect();
    for search in ["sweep", "hill-climb"] {
        let mut spec = of_size(own.work_tile).spec;
        spec.technique.set(&Overlay {
            key: "dfsl.search".to_owned(),
            value: format!("{search:?}"),
        })?;
        lineup.push(Contestant {
            spec,
            techniques: vec![&DFSL],
        });
    }
    Ok(lineup)
}

/// Workload under study: the machines that its frames go through.
#[derive(Debug)]
pub struct WorkTileStudy {
    machines: Vec<Gpu>,
    game: WorkTileGame,
}

impl WorkTileStudy {
    /// Returns the study before its first frame.
    ///
    /// # Errors
    /// If a machine cannot be built.
    pub fn new(lineup: &[Contestant]) -> Result<Self, StudyError> {
        let machines = lineup
            .iter()
            .map(|contestant| machine_with(&contestant.spec, &contestant.techniques));
        let parameters = lineup.last().and_then(|contestant| {
            let table = contestant.spec.technique.part(DFSL.name);
            table.get::<DfslSpec>().ok()
        });
        let weights = parameters.map_or([1, 1], |spec| [spec.evaluation_frames(), spec.run_frames]);
        Ok(Self {
            machines: machines.collect::<Result<_, _>>()?,
            game: WorkTileGame {
                sizes: vec![WorkTileCost::default(); WORK_TILES],
                beside_run: vec![0; WORK_TILES],
                weights,
                ..WorkTileGame::default()
            },
        })
    }

    /// Runs a frame through all machines.
    ///
    /// # Errors
    /// If a machine cannot execute it.
    pub fn model(&mut self, frame: &FrameTrace) -> Result<(), StudyError> {
        let reports = self.machines.par_iter_mut();
        let reports = reports.map(|machine| machine.run_frame(frame));
        let reports: Vec<_> = reports.collect::<Result<_, _>>()?;
        let game = &mut self.game;
        let (sizes, searches) = reports.split_at(WORK_TILES.min(reports.len()));
        for (cost, report) in game.sizes.iter_mut().zip(sizes) {
            cost.add(report);
        }
        let [dfsl, climb] = searches else {
            return Ok(());
        };
        let own = dfsl.technique(DFSL.name);
        let evaluates = own.and_then(|own| own.counter("evaluation_frames")) == Some(1);
        if evaluates {
            game.dfsl.evaluation.add(dfsl);
            game.beside_evaluation += sizes.first().map_or(0, |report| report.cycles.0);
        } else {
            game.dfsl.run.add(dfsl);
            for (cycles, report) in game.beside_run.iter_mut().zip(sizes) {
                *cycles += report.cycles.0;
            }
        }
        game.climb.add(climb);
        Ok(())
    }

    /// Measurements of all frames so far.
    #[must_use]
    pub fn into_game(self) -> WorkTileGame {
        self.game
    }
}

/// Sets in each workload the size that is the best for all of them on average (SOPT, section 6.3).
pub fn choose_for_all(games: &mut [(String, WorkTileGame)]) {
    let best = {
        let of_size = |size: usize| {
            let times = games.iter().filter_map(|(_, game)| of_first(game, size));
            mean(&times.collect::<Vec<_>>()).map(|time| (time, size))
        };
        let times = (0..WORK_TILES).filter_map(of_size);
        times.min_by(|a, b| a.0.total_cmp(&b.0))
    };
    for (_, game) in games {
        game.best_for_all = best.map(|(_, size)| size);
    }
}

/// Time of a frame with work tiles of the size at `at`, of the time with the smallest.
fn of_first(game: &WorkTileGame, at: usize) -> Option<f64> {
    let time = |at: usize| game.sizes.get(at).and_then(WorkTileCost::time);
    ratio(time(at)?, time(0)?)
}

fn times(game: &WorkTileGame) -> Vec<Option<f64>> {
    (0..WORK_TILES).map(|at| of_first(game, at)).collect()
}

/// Misses by size, of those with the smallest.
fn misses(game: &WorkTileGame, of: fn(&WorkTileCost) -> u64) -> Vec<Option<f64>> {
    let first = game.sizes.first().map_or(0, of) as f64;
    let sizes = game.sizes.iter();
    sizes.map(|cost| ratio(of(cost) as f64, first)).collect()
}

/// Variation of time over sizes: the slowest, of the fastest, less 1.
fn variation(game: &WorkTileGame) -> Option<f64> {
    let times: Vec<f64> = times(game).into_iter().flatten().collect();
    let fastest = times.iter().copied().reduce(f64::min)?;
    let slowest = times.iter().copied().reduce(f64::max)?;
    ratio(slowest, fastest).map(|of_fastest| of_fastest - 1.0)
}

/// The fastest size, from 1 on.
fn best_size(game: &WorkTileGame) -> Option<usize> {
    let times = times(game).into_iter().enumerate();
    let times = times.filter_map(|(at, time)| Some((time?, at + 1)));
    times
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, size)| size)
}

/// Correlation of time and misses over sizes.
fn correlation(game: &WorkTileGame, of: fn(&WorkTileCost) -> u64) -> Option<f64> {
    let pairs = game.sizes.iter().filter_map(|cost| {
        let misses = ratio(of(cost) as f64, cost.frames as f64)?;
        Some((cost.time()?, misses))
    });
    let (x, y): (Vec<f64>, Vec<f64>) = pairs.unzip();
    let (of_x, of_y) = (mean(&x)?, mean(&y)?);
    let sum = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
        x.iter().zip(&y).map(|(x, y)| f(x - of_x, y - of_y)).sum()
    };
    let spread = sum(&|x, _| x * x) * sum(&|_, y| y * y);
    ratio(sum(&|x, y| x * y), spread.sqrt())
}

/// Time of a frame with DFSL, of the same frames with the smallest size, phases weighed as its parameters say.
fn dfsl_time(game: &WorkTileGame) -> Option<f64> {
    let [evaluation, run] = game.weights.map(|weight| weight as f64);
    let in_evaluation = ratio(
        game.dfsl.evaluation.cycles as f64,
        game.beside_evaluation as f64,
    );
    ratio(
        in_evaluation? * evaluation + run_time(game)? * run,
        evaluation + run,
    )
}

/// Time of the run phase with DFSL, of the smallest size's in the same frames.
fn run_time(game: &WorkTileGame) -> Option<f64> {
    let smallest = game.beside_run.first().copied()?;
    ratio(game.dfsl.run.cycles as f64, smallest as f64)
}

/// Time of the run phase, of the fastest size's in the same frames.
fn run_of_fastest(game: &WorkTileGame) -> Option<f64> {
    let fastest = game.beside_run.iter().copied().min()?;
    ratio(game.dfsl.run.cycles as f64, fastest as f64)
}

/// Speed beside that of the smallest work tiles.
fn speedups(game: &WorkTileGame) -> Vec<Option<f64>> {
    let first = game.sizes.first().and_then(WorkTileCost::time);
    let of = |time: Option<f64>| ratio(first?, time?);
    let sized = |at: usize| of(game.sizes.get(at).and_then(WorkTileCost::time));
    vec![
        sized(0),
        sized(WORK_TILES - 1),
        game.best_for_all.and_then(sized),
        dfsl_time(game).and_then(|time| ratio(1.0, time)),
        run_time(game).and_then(|time| ratio(1.0, time)),
        of(game.climb.time()),
    ]
}

const SIZES: &[&str] = &["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];

/// Note on mechanisms that are left out.
const NOT_MODELLED: &str = "Hi-Z keeps the farthest depth of each raster tile as of the order of the draws, without a warp's time between; vertex warps do not \
         overlap, and a triangle reads the three vertices that ran last; SIMT stacks, L1I and L1C take no time";

/// Figures of the case study that have numbers, in the paper's order.
pub const EM2_FIGURES: &[FigureSpec<WorkTileGame>] = &[
    FigureSpec {
        id: "em2.fig17",
        title: "time of a frame by the edge of its work tiles in TC tiles, of the smallest's",
        form: FigureForm::Lines,
        note: Some(NOT_MODELLED),
        columns: SIZES,
        bars: times,
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "em2.txt.range",
        title: "how much longer the slowest size takes than the fastest",
        columns: &["slowest"],
        bars: |game| vec![variation(game)],
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "em2.txt.best",
        title: "edge of the work tiles that are the fastest",
        unit: Unit::Tiles,
        columns: &["fastest"],
        bars: |game| vec![best_size(game).map(|size| size as f64)],
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "em2.fig18",
        title: "misses of all L1 caches by the edge of work tiles, of the smallest's",
        form: FigureForm::Lines,
        note: Some(NOT_MODELLED),
        columns: SIZES,
        bars: |game| misses(game, WorkTileCost::l1_misses),
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "em2.txt.correlation",
        title: "correlation of time with misses over sizes",
        columns: &["L1", "L1Z", "L1T", "L2"],
        bars: |game| {
            vec![
                correlation(game, WorkTileCost::l1_misses),
                correlation(game, |cost| cost.depth_misses),
                correlation(game, |cost| cost.texture_misses),
                correlation(game, |cost| cost.l2_misses),
            ]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "em2.fig19",
        title: "speed of the smallest size (MLB), the largest (MLC), the best for all (SOPT) and of searches for one, of the smallest's",
        note: Some(NOT_MODELLED),
        columns: &[
            "MLB",
            "MLC",
            "SOPT",
            "DFSL",
            "DFSL, run phase",
            "LIBRA's climb",
        ],
        bars: speedups,
        ..FigureSpec::BARS
    },
];

/// The trends, declared before the suite was measured: time varies with the size by 25 to 88 % (a band of 10 to 120 %); it
/// follows the misses of the L1 caches (above 0.5, where the paper has 0.78); workloads do not agree on the best size; DFSL
/// beats the smallest size and the best for all on average; its run phase is within 2 % of each workload's fastest size; L2
/// misses stay within 15 % of the smallest size's.
#[must_use]
pub fn em2_trends(games: &[(String, WorkTileGame)]) -> Vec<Trend> {
    let of_games = |of: &dyn Fn(&WorkTileGame) -> Option<f64>| -> Vec<f64> {
        games.iter().filter_map(|(_, game)| of(game)).collect()
    };
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let variations = of_games(&variation);
    let least = variations.iter().copied().reduce(f64::min);
    let most = variations.iter().copied().reduce(f64::max);
    let follows = mean(&of_games(&|game| {
        correlation(game, WorkTileCost::l1_misses)
    }));
    let sizes = games.iter().filter_map(|(_, game)| best_size(game));
    let sizes = sizes.collect::<BTreeSet<_>>();
    let speedup = |at: usize| mean(&of_games(&|game| speedups(game)[at]));
    let beside = |a: Option<f64>, b: Option<f64>| ratio(a?, b?);
    let lost = of_games(&run_of_fastest);
    let l2 = of_games(&|game| {
        let misses = misses(game, |cost| cost.l2_misses).into_iter().flatten();
        misses.map(|share| (share - 1.0).abs()).reduce(f64::max)
    });
    vec![
        Trend::of("time varies by 10 % at least", least, percent, |n| n >= 0.1),
        Trend::of("and by 120 % at most", most, percent, |n| n <= 1.2),
        Trend::of(
            "time follows the misses of L1 caches",
            follows,
            |n| format!("correlation {n:.2}"),
            |n| n > 0.5,
        ),
        Trend::of(
            "workloads do not agree on the best size",
            (!sizes.is_empty()).then_some(sizes.len()),
            |_| format!("best: {sizes:?}"),
            |n| n > 1,
        ),
        Trend::of("DFSL beats MLB", speedup(3), percent, |n| n > 1.0),
        Trend::of(
            "DFSL beats SOPT",
            beside(speedup(3), speedup(2)),
            percent,
            |n| n > 1.0,
        ),
        Trend::of(
            "DFSL runs within 2 % of each workload's fastest size",
            lost.into_iter().reduce(f64::max),
            percent,
            |n| n <= 1.02,
        ),
        Trend::of(
            "L2 misses stay within 15 %",
            l2.into_iter().reduce(f64::max),
            percent,
            |n| n <= 0.15,
        ),
    ]
}

/// Emerald's second case study over models.
pub const EM2_STUDY: Study = Study {
    title: "Emerald (Gubran and Aamodt, ISCA 2019), work tiles and DFSL",
    paper: "Gubran and Aamodt, Emerald, ISCA 2019, section 6",
    about: "frames with ten sizes of work tiles, and with sizes that are searched for",
    usual: Usual {
        machine: "emerald-gpu",
        machine_in_words: None,
        // Ten to try every size, as many again to draw by what was found.
        frames: 20,
        quick_frames: 12,
        sampling: Sampling::Every(1),
    },
    least: LEAST,
    refuses: |sampling| match sampling {
        Sampling::Every(1) => None,
        _ => Some("em2 follows frames as DFSL learns from them: it takes --sample all alone"),
    },
    suite: Some(&suites::EM2),
    demos: || MODELS.iter().collect(),
    kept_as: |_| "em2",
    in_all: true,
    in_numbers: true,
    ..Study::new("em2", &MEASUREMENT)
};

const MEASUREMENT: Measurement<WorkTileGame> = Measurement {
    trends: em2_trends,
    finish: choose_for_all,
    ..Measurement::new(EM2_FIGURES, |setup| {
        let lineup = work_tile_lineup(&setup.machine)?;
        Ok(Measure::whole(move |frames| {
            let mut study = WorkTileStudy::new(&lineup)?;
            for frame in 0..frames.n_frames() {
                study.model(&frames.draw(frame))?;
            }
            Ok::<_, StudyError>(study.into_game())
        }))
    })
};

#[cfg(test)]
mod tests {
    use super::*;

    /// A workload with these cycles and misses by size.
    fn game(cycles: [u64; WORK_TILES], misses: [u64; WORK_TILES]) -> WorkTileGame {
        let cost = |(cycles, texture_misses)| WorkTileCost {
            frames: 1,
            cycles,
            texture_misses,
            ..WorkTileCost::default()
        };
        WorkTileGame {
            sizes: cycles.into_iter().zip(misses).map(cost).collect(),
            weights: [10, 100],
            ..WorkTileGame::default()
        }
    }

    #[test]
    fn correlation_is_one_where_time_is_misses() {
        let misses = [9, 8, 7, 6, 5, 4, 3, 2, 1, 10];
        let same = game(misses.map(|n| 3 * n + 100), misses);
        let found = correlation(&same, WorkTileCost::l1_misses).expect("varies");
        assert!((found - 1.0).abs() < 1e-12, "{found}");
        let against = game(misses.map(|n| 100 - 3 * n), misses);
        let found = correlation(&against, WorkTileCost::l1_misses).expect("varies");
        assert!((found + 1.0).abs() < 1e-12, "{found}");
        let flat = game([5; WORK_TILES], misses);
        assert_eq!(correlation(&flat, WorkTileCost::l1_misses), None, "flat");
    }

    #[test]
    fn best_for_all_is_the_least_mean_of_normalised_times() {
        let mut first = [100; WORK_TILES];
        let mut second = [1000; WORK_TILES];
        // Size 3 is best for the first, size 5 for the second, size 4 for both together.
        (first[2], first[3], first[4]) = (70, 75, 100);
        (second[2], second[3], second[4]) = (1000, 750, 700);
        let misses = [1; WORK_TILES];
        let mut games = vec![
            ("a".to_owned(), game(first, misses)),
            ("b".to_owned(), game(second, misses)),
        ];
        choose_for_all(&mut games);
        for (name, game) in &games {
            assert_eq!(game.best_for_all, Some(3), "{name}: work tiles of 4");
        }
        assert_eq!(best_size(&games[0].1), Some(3), "its own");
        let range = variation(&games[0].1).expect("measured");
        assert!((range - (100.0 / 70.0 - 1.0)).abs() < 1e-12, "{range}");
    }

    #[test]
    fn dfsl_weighs_its_phases_as_its_parameters_say() {
        let mut measured = game([110; WORK_TILES], [1; WORK_TILES]);
        let cost = |cycles| WorkTileCost {
            frames: 2,
            cycles,
            ..WorkTileCost::default()
        };
        measured.dfsl = Phases {
            evaluation: cost(2 * 210),
            run: cost(2 * 100),
        };
        measured.beside_evaluation = 2 * 110;
        measured.beside_run = vec![2 * 110; WORK_TILES];
        measured.beside_run[4] = 2 * 80;
        let time = dfsl_time(&measured).expect("measured");
        assert!(
            (time - 1.0).abs() < 1e-12,
            "(10 x 210 + 100 x 100) / 110, of 110: {time}"
        );
        assert_eq!(run_of_fastest(&measured), Some(1.25), "100 of 80");
        let speed = speedups(&measured)[3].expect("measured");
        assert!((speed - 1.0).abs() < 1e-12, "as fast as MLB: {speed}");
    }
}
