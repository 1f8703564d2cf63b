//! The figures of Boustrophedonic Frames from measured games, each beside what the paper states, and the trends that must
//! hold.

use super::game::{BoustroGame, Direction};
use crate::figures::{FigureForm, FigureSpec, Trend, mean, part, ratio};
use azulejo_gpu::cache::{DistanceHistogram, ReuseReport, Reuses};
use azulejo_gpu::memory::{Traffic, TrafficCounts};

/// Note on the streams of the L2.
const IDEAL_CACHES: &str =
    "over the stream of a machine whose vertex and tile caches always hit (section V-A)";

/// Every figure that needs games, in the paper's order.
pub const BOUSTRO_FIGURES: &[FigureSpec<BoustroGame>] = &[
    FigureSpec {
        id: "boustro.tab1",
        title: "texture footprint of a frame, of the L2's size, and texels in DRAM traffic",
        columns: &["footprint", "texels"],
        bars: |game| {
            let lines = game.forward.reuse.lines_per_frame;
            let footprint = lines.map(|lines| lines * game.forward.reuse.line as f64);
            let of_l2 = footprint.and_then(|bytes| ratio(bytes, game.l2_bytes as f64));
            let dram = &game.forward.dram;
            vec![of_l2, part(dram[Traffic::Texture], dram.total())]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "boustro.fig1",
        title: "DRAM traffic by kind",
        form: FigureForm::Stacked {
            parts: &["frame buffer", "geometry", "Parameter Buffer", "texels"],
            total: None,
        },
        columns: &["frame buffer", "geometry", "Parameter Buffer", "texels"],
        bars: |game| by_kind(&game.forward.dram),
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "boustro.fig5",
        title: "mean distance from frame to frame by set, of a circular trace's",
        columns: &[
            "there and back",
            "last-first, forward",
            "last-last, forward",
            "last-first, reversed",
        ],
        bars: |game| {
            let (forward, reversed) = (
                game.forward.reuse.sub_traces,
                game.reversed.reuse.sub_traces,
            );
            let of = |distance: Option<f64>, max: Option<f64>| ratio(distance?, max?);
            vec![
                of(forward.min, forward.max),
                of(forward.last_first, forward.max),
                of(forward.last_last, forward.max),
                of(reversed.last_first, reversed.max),
            ]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "boustro.fig6",
        title: "texture accesses to the L2 that reuse a line of the frame, by lines of the set between",
        form: FigureForm::Stacked {
            parts: &["0", "1", "2 to 3", "4 to 7", "8 and more"],
            total: Some("all"),
        },
        columns: &["0", "1", "2 to 3", "4 to 7", "8 and more", "all"],
        bars: |game| {
            let reuse = &game.forward.reuse;
            near(&reuse.within_frame.distances, reuse.accesses, &[1, 2, 4, 8])
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "boustro.fig7",
        title: "texture accesses to the L2 that reuse a line of an earlier frame, by lines of the set between",
        form: FigureForm::Stacked {
            parts: &["0 to 7", "8 to 15", "16 to 31", "32 to 63", "64 and more"],
            total: Some("all"),
        },
        columns: &[
            "0 to 7",
            "8 to 15",
            "16 to 31",
            "32 to 63",
            "64 and more",
            "all",
            "new",
        ],
        bars: |game| {
            let reuse = &game.forward.reuse;
            let distances = &reuse.between_frames.distances;
            let mut bars = near(distances, reuse.accesses, &[8, 16, 32, 64]);
            bars.push(part(reuse.new, reuse.accesses));
            bars
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "boustro.fig8",
        title: "texture accesses of a tile to a set of the L2 that it uses, of such pairs",
        form: FigureForm::Stacked {
            parts: &["1", "2", "3 and more"],
            total: None,
        },
        columns: &["1", "2", "3 and more"],
        bars: |game| {
            let bins = &game.forward.reuse.per_tile_and_set;
            let all: u64 = bins.iter().map(|bin| bin.n).sum();
            let n = |from: u32| {
                bins.iter()
                    .filter(|bin| bin.from == from)
                    .map(|bin| bin.n)
                    .sum::<u64>()
            };
            vec![
                part(n(1), all),
                part(n(2), all),
                part(all - n(1) - n(2), all),
            ]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "boustro.fig10",
        title: "L2 misses of texels that are saved, of LRU's forward, in an L2 of texels alone",
        note: Some(IDEAL_CACHES),
        columns: &[
            "LRU reversed",
            "OPT forward",
            "OPTPT forward",
            "OPT reversed",
            "OPTPT reversed",
        ],
        bars: |game| {
            let (forward, reversed) = (game.forward.misses, game.reversed.misses);
            [
                reversed.lru,
                forward.opt,
                forward.opt_bypass,
                reversed.opt,
                reversed.opt_bypass,
            ]
            .map(|misses| saved_misses(game, misses))
            .into()
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "boustro.txt.between",
        title: "LRU's misses of texels that reversal saves, by what they reuse, beside j / s of a loop as long as the mean set's",
        columns: &["within frames", "between frames", "loop"],
        bars: |game| {
            let (forward, reversed) = (&game.forward.reuse, &game.reversed.reuse);
            let far = |reuses: &Reuses| far(&reuses.distances, game.l2_ways);
            let saved = |of: fn(&ReuseReport) -> &Reuses| {
                let (forward, reversed) = (far(of(forward))?, far(of(reversed))?);
                ratio(forward - reversed, forward)
            };
            let longest = forward.sub_traces.max;
            let of_loop = longest.map(|max| (f64::from(game.l2_ways) / (max + 1.0)).min(1.0));
            vec![
                saved(|reuse| &reuse.within_frame),
                saved(|reuse| &reuse.between_frames),
                of_loop,
            ]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "boustro.fig11",
        title: "L2 misses by kind",
        form: FigureForm::Stacked {
            parts: &["geometry", "Parameter Buffer", "texels"],
            total: None,
        },
        columns: &["geometry", "Parameter Buffer", "texels"],
        bars: |game| by_kind(&game.forward.l2_misses)[1..].to_vec(),
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "boustro.fig12",
        title: "DRAM accesses that reversal saves",
        columns: &["saved"],
        bars: |game| vec![saved(game, |of| of.dram.total() as f64)],
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "boustro.fig13",
        title: "speedup by reversal, less one",
        columns: &["speedup"],
        bars: |game| vec![speedup(game)],
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "boustro.fig14",
        title: "energy that reversal saves",
        energy: true,
        columns: &["caches and DRAM", "GPU"],
        bars: |game| {
            vec![
                saved(game, |of| of.memory_energy),
                saved(game, |of| of.gpu_energy),
            ]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "boustro.fig15",
        title: "L2 misses of texels that MRU saves, of LRU's forward, in an L2 of texels alone",
        note: Some(IDEAL_CACHES),
        columns: &["MRU forward", "LRU reversed"],
        bars: |game| {
            vec![
                saved_misses(game, game.forward.misses.mru),
                saved_misses(game, game.reversed.misses.lru),
            ]
        },
        ..FigureSpec::BARS
    },
];

/// Shares of frame buffer, geometry, Parameter Buffer and texels.
fn by_kind(lines: &TrafficCounts) -> Vec<Option<f64>> {
    let kinds: [&[Traffic]; 4] = [
        &[Traffic::ColorLoad, Traffic::ColorFlush],
        &[Traffic::Command, Traffic::Vertex],
        &[Traffic::ParameterWrite, Traffic::ParameterRead],
        &[Traffic::Texture],
    ];
    let sums = kinds.map(|kinds| kinds.iter().map(|kind| lines[*kind]).sum::<u64>());
    let all = sums.iter().sum();
    sums.map(|sum| part(sum, all)).into()
}

/// Distances below each of the bounds and from the one before on, those from the last on, and all; of `accesses`.
fn near(distances: &DistanceHistogram, accesses: u64, bounds: &[u32]) -> Vec<Option<f64>> {
    let mut below = 0;
    let mut counts = Vec::new();
    for bound in bounds {
        let n = distances.n_below(*bound);
        counts.push(n - below);
        below = n;
    }
    counts.extend([distances.n() - below, distances.n()]);
    counts.into_iter().map(|n| part(n, accesses)).collect()
}

/// Reuses that LRU misses in `ways` ways: so many other lines or more were between; nothing where no bin ends there.
fn far(distances: &DistanceHistogram, ways: u32) -> Option<f64> {
    let n = distances.n() - distances.n_below(ways);
    ways.is_power_of_two().then_some(n as f64)
}

/// Share of LRU's forward misses that `misses` saves.
fn saved_misses(game: &BoustroGame, misses: u64) -> Option<f64> {
    let lru = game.forward.misses.lru;
    ratio(lru as f64 - misses as f64, lru as f64)
}

/// Share of the forward sum that reversal saves.
fn saved(game: &BoustroGame, of: fn(&Direction) -> f64) -> Option<f64> {
    let (forward, reversed) = (of(&game.forward), of(&game.reversed));
    ratio(forward - reversed, forward)
}

fn speedup(game: &BoustroGame) -> Option<f64> {
    let forward = part(game.forward.cycles, game.reversed.cycles)?;
    Some(forward - 1.0)
}

/// The trends, declared before the suite was measured:
/// - LRU reversed misses no more than LRU forward and no less than OPT in the same order, in each game, up to 1 % of LRU's
///   misses;
/// - it saves at least three quarters of what OPT saves in the same order, on average (the paper's 43.6 of 52.9 are 82 %);
/// - MRU is no substitute: it saves less than half of what reversal saves, on average;
/// - forward streams are nearly circular, and reversed ones nearer to there-and-back than to circular: their mean distances
///   from frame to frame are above 85 %, and below 75 %, of a circular trace's;
/// - reversal saves DRAM accesses on average, and no game loses more than 1 % of its time.
#[must_use]
pub fn boustro_trends(games: &[(String, BoustroGame)]) -> Vec<Trend> {
    vec![
        lies_between(games),
        is_near_the_optimum(games),
        mru_is_no_substitute(games),
        streams_are_loops(games),
        nobody_loses(games),
    ]
}

fn average(
    games: &[(String, BoustroGame)],
    of: impl Fn(&BoustroGame) -> Option<f64>,
) -> Option<f64> {
    let values: Vec<f64> = games.iter().filter_map(|(_, game)| of(game)).collect();
    mean(&values)
}

fn lies_between(games: &[(String, BoustroGame)]) -> Trend {
    let is_outside = |game: &BoustroGame| {
        let (forward, reversed) = (game.forward.misses, game.reversed.misses);
        reversed.lru > forward.lru + forward.lru / 100 || reversed.lru < reversed.opt
    };
    let outside: Vec<&str> = (games.iter())
        .filter(|(_, game)| is_outside(game))
        .map(|(name, _)| name.as_str())
        .collect();
    Trend::of(
        "LRU reversed lies between LRU forward and OPT",
        (!games.is_empty()).then_some(&outside),
        |outside| match outside.len() {
            0 => format!("in all {} games", games.len()),
            _ => format!("not in {}", outside.join(", ")),
        },
        |outside| outside.is_empty(),
    )
}

fn is_near_the_optimum(games: &[(String, BoustroGame)]) -> Trend {
    let lru = average(games, |game| saved_misses(game, game.reversed.misses.lru));
    let opt = average(games, |game| saved_misses(game, game.reversed.misses.opt));
    Trend::of(
        "LRU reversed saves at least three quarters of what OPT reversed saves",
        lru.zip(opt).and_then(|(lru, opt)| ratio(lru, opt)),
        |share| format!("{:.1} % of it on average", 100.0 * share),
        |share| share >= 0.75,
    )
}

fn mru_is_no_substitute(games: &[(String, BoustroGame)]) -> Trend {
    let mru = average(games, |game| saved_misses(game, game.forward.misses.mru));
    let lru = average(games, |game| saved_misses(game, game.reversed.misses.lru));
    Trend::of(
        "MRU saves less than half of what reversal saves",
        mru.zip(lru),
        |(mru, lru)| {
            let (mru, lru) = (100.0 * mru, 100.0 * lru);
            format!("{mru:.1} % beside {lru:.1} % on average")
        },
        |(mru, lru)| mru < lru / 2.0,
    )
}

fn streams_are_loops(games: &[(String, BoustroGame)]) -> Trend {
    let share = |of: fn(&BoustroGame) -> &Direction| {
        average(games, |game| {
            let found = of(game).reuse.sub_traces;
            ratio(found.last_first?, found.max?)
        })
    };
    Trend::of(
        "streams are nearly circular forwards, and nearer to there-and-back with reversal",
        share(|game| &game.forward).zip(share(|game| &game.reversed)),
        |(forward, reversed)| {
            let (forward, reversed) = (100.0 * forward, 100.0 * reversed);
            format!("{forward:.1} % and {reversed:.1} % of a circular trace's distances")
        },
        |(forward, reversed)| forward > 0.85 && reversed < 0.75,
    )
}

fn nobody_loses(games: &[(String, BoustroGame)]) -> Trend {
    let dram = average(games, |game| saved(game, |of| of.dram.total() as f64));
    let times = games
        .iter()
        .filter_map(|(name, game)| Some((speedup(game)?, name)));
    let slowest = times.min_by(|a, b| a.0.total_cmp(&b.0));
    Trend::of(
        "reversal saves DRAM accesses and no game loses more than 1 %",
        dram.zip(slowest),
        |(dram, (speedup, name))| {
            let (dram, speedup) = (100.0 * dram, 100.0 * speedup);
            format!("{dram:.1} % saved on average; the slowest, {name}, {speedup:+.1} %")
        },
        |(dram, (speedup, _))| dram > 0.0 && speedup >= -0.01,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boustro::game::Misses;
    use azulejo_gpu::cache::{CacheSpec, ReuseAnalysis, SubTraces};
    use azulejo_units::Bytes;

    fn nothing_reused() -> ReuseReport {
        let spec = CacheSpec {
            size: Bytes(1 << 20),
            ways: 8,
            line: Bytes(64),
        };
        let analysis = ReuseAnalysis::new(spec).expect("valid");
        analysis.finish().expect("empty")
    }

    fn direction(lru: u64, last_first: f64) -> Direction {
        let mut dram = TrafficCounts::default();
        dram[Traffic::Texture] = lru;
        let l2_misses = dram;
        dram[Traffic::ColorFlush] = 1000;
        let sub_traces = SubTraces {
            pairs: 1,
            max: Some(10.0),
            min: Some(5.0),
            last_first: Some(last_first),
            last_last: Some(10.0),
        };
        Direction {
            cycles: 10_000 + lru,
            dram,
            l2_misses,
            gpu_energy: 1.0,
            memory_energy: lru as f64,
            misses: Misses {
                accesses: 4000,
                lru,
                mru: 1000,
                opt: 400,
                opt_bypass: 380,
            },
            reuse: ReuseReport {
                sub_traces,
                ..nothing_reused()
            },
        }
    }

    fn game() -> (String, BoustroGame) {
        let game = BoustroGame {
            frames: 30,
            l2_bytes: 1 << 20,
            l2_ways: 8,
            forward: direction(1000, 9.5),
            reversed: direction(500, 5.5),
        };
        ("a".to_owned(), game)
    }

    #[test]
    fn figures_have_a_bar_for_each_column() {
        for spec in BOUSTRO_FIGURES {
            let figure = spec.draw(&[game(), game()]);
            assert_eq!(figure.rows[0].bars.len(), spec.columns.len(), "{}", spec.id);
            assert!(spec.id.starts_with("boustro."), "{}", spec.id);
        }
    }

    #[test]
    fn figures_say_what_reversal_saves() {
        let bars = |id: &str| {
            let spec = BOUSTRO_FIGURES.iter().find(|spec| spec.id == id);
            spec.expect("known").draw(&[game()]).rows[0].bars.clone()
        };
        assert_eq!(bars("boustro.fig12"), [Some(0.25)], "500 of 2000 lines");
        assert_eq!(
            bars("boustro.fig15"),
            [Some(0.0), Some(0.5)],
            "of 1000 misses"
        );
        assert_eq!(
            bars("boustro.fig11"),
            [Some(0.0), Some(0.0), Some(1.0)],
            "texels"
        );
        let sub_traces = [Some(0.5), Some(0.95), Some(1.0), Some(0.55)];
        assert_eq!(bars("boustro.fig5"), sub_traces, "of the most");
        let nothing = vec![None; 6];
        assert_eq!(bars("boustro.fig6"), nothing, "of no accesses");
    }

    #[test]
    fn trends_hold_of_what_the_paper_describes_and_of_nothing_else() {
        let trends = boustro_trends(&[game()]);
        let all_hold = trends.iter().all(|trend| trend.holds == Some(true));
        assert!(all_hold, "{trends:?}");
        let of_nothing = boustro_trends(&[]);
        assert!(
            of_nothing.iter().all(|trend| trend.holds.is_none()),
            "not measured: {of_nothing:?}"
        );
        let broken: [fn(&mut BoustroGame); 5] = [
            |game| game.reversed.misses.lru = 1100,
            |game| game.reversed.misses.opt = 100,
            |game| game.forward.misses.mru = 600,
            |game| game.reversed.reuse.sub_traces.last_first = Some(9.0),
            |game| game.reversed.cycles = 12_000,
        ];
        for (at, change) in broken.into_iter().enumerate() {
            let (name, mut game) = game();
            change(&mut game);
            let trends = boustro_trends(&[(name, game)]);
            assert_eq!(trends[at].holds, Some(false), "{:?}", trends[at]);
        }
    }
}
