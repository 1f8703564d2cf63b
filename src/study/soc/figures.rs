//! The figures of Emerald's first case study from measured games, each beside what the paper states, and the trends
//! declared of them.
//!
//! The paper's statements on frame rates stand here as times: a rate 8.9 % lower is a time of 1 / 0.911.

use super::{SharedCost, SocGame, WAYS};
use crate::figures::{FigureSpec, Trend, mean, ratio};
use crate::suites::PaperSuite;

/// Columns of the ways that are held against the baseline.
const OF_BAS: &[&str] = &["DCB", "DTB", "HMC"];

/// Quotient of two counts of a system.
struct Quotient {
    of: fn(&SharedCost) -> u64,
    by: fn(&SharedCost) -> u64,
}

impl Quotient {
    fn value(&self, cost: &SharedCost) -> Option<f64> {
        ratio((self.of)(cost) as f64, (self.by)(cost) as f64)
    }
}

const GPU_TIME: Quotient = Quotient {
    of: |cost| cost.gpu_cycles,
    by: |cost| cost.frames,
};
const FRAME_TIME: Quotient = Quotient {
    of: |cost| cost.cycles,
    by: |cost| cost.frames,
};
const ROW_HITS: Quotient = Quotient {
    of: |cost| cost.row_hits,
    by: |cost| cost.column_commands,
};
const BYTES_PER_ACTIVATE: Quotient = Quotient {
    of: |cost| cost.column_commands,
    by: |cost| cost.activates,
};
/// Lines served to the display in a cycle.
const DISPLAY_RATE: Quotient = Quotient {
    of: |cost| cost.display_lines,
    by: |cost| cost.counted_cycles,
};
const GPU_READ_LATENCY: Quotient = Quotient {
    of: |cost| cost.gpu_read_time,
    by: |cost| cost.gpu_reads,
};
const ABORTED: Quotient = Quotient {
    of: |cost| cost.aborted,
    by: |cost| cost.scans,
};

/// Numbers of the ways, as shares of the baseline's.
fn of_bas(costs: &[SharedCost], number: &Quotient) -> Vec<Option<f64>> {
    let way = |at: usize| number.value(costs.get(at)?);
    (1..WAYS.len()).map(|at| ratio(way(at)?, way(0)?)).collect()
}

/// Bandwidth of the cores in a phase, as a share of the memory's peak.
fn core_share(game: &SocGame, cost: &SharedCost, phase: usize) -> Option<f64> {
    let seconds = cost.phase_cycles[phase] as f64 / game.clock as f64;
    ratio(cost.core_bytes[phase], seconds * game.peak)
}

/// Bandwidth of the cores in both phases of HMC, then of the baseline, with the regular memory.
fn core_shares(game: &SocGame) -> Vec<Option<f64>> {
    let of = |way: usize, phase| core_share(game, game.regular.get(way)?, phase);
    vec![of(3, 0), of(3, 1), of(0, 0), of(0, 1)]
}

fn locality(game: &SocGame) -> Vec<Option<f64>> {
    let hmc = |number| of_bas(&game.regular, number).pop().flatten();
    vec![hmc(&ROW_HITS), hmc(&BYTES_PER_ACTIVATE)]
}

fn high_times(game: &SocGame) -> Vec<Option<f64>> {
    let mut times = of_bas(&game.high, &FRAME_TIME);
    times.extend(of_bas(&game.high, &GPU_TIME));
    times
}

fn contention(game: &SocGame) -> Vec<Option<f64>> {
    let latency = of_bas(&game.high, &GPU_READ_LATENCY);
    let of = |way: usize| ABORTED.value(game.high.get(way)?);
    vec![latency[0], latency[1], of(0), of(1), of(2)]
}

/// Note on the rows of HMC.
const BURSTS: &str = "HMC parts the bursts of a line over banks, as gem5 does in a channel that has its addresses to itself; a line in one bank \
         (section 5.1.2: \"cache-line stripped\") is dram.group.ip.interleave=128";

/// Figures 9 to 14 of the paper.
pub const EM1_FIGURES: &[FigureSpec<SocGame>] = &[
    FigureSpec {
        id: "em1.fig9",
        title: "GPU time of a frame under regular load, of the baseline's",
        columns: OF_BAS,
        bars: |game| of_bas(&game.regular, &GPU_TIME),
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "em1.fig10",
        title: "bandwidth of the cores under regular load, of the memory's peak",
        columns: &[
            "HMC, before frames",
            "HMC, during frames",
            "BAS, before frames",
            "BAS, during frames",
        ],
        bars: core_shares,
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "em1.fig11",
        title: "locality of HMC under regular load, of the baseline's",
        note: Some(BURSTS),
        columns: &["row hits", "bytes for each opened row"],
        bars: locality,
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "em1.fig12",
        title: "time of a frame and its GPU time under high load, of the baseline's",
        columns: &["DCB", "DTB", "HMC", "GPU DCB", "GPU DTB", "GPU HMC"],
        bars: high_times,
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "em1.fig13",
        title: "lines that the display got in a time under high load, of the baseline's",
        note: Some(BURSTS),
        columns: OF_BAS,
        bars: |game| of_bas(&game.high, &DISPLAY_RATE),
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "em1.fig14",
        title: "read latency of the GPU under high load, of the baseline's, and scans that were aborted",
        columns: &[
            "latency DCB",
            "latency DTB",
            "aborted BAS",
            "aborted DCB",
            "aborted DTB",
        ],
        bars: contention,
        ..FigureSpec::BARS
    },
];

/// The trends, declared before the models were measured: under regular load all ways show as many frames, within 1 %; DASH
/// takes the GPU longer, HMC longer still, 1.5 to 2.5 times; HMC loses row hits and more bytes for each opened row; cores
/// move more before frames than during them under HMC; under high load DASH and HMC lose frames, HMC 20 to 70 %; the
/// display gets less under DTB. Declared with the table of the papers' numbers, from section 5.2.2: under high load HMC
/// gives the display more than any other way where little is drawn (M2, M4), and DCB and DTB give it less than the baseline
/// where much is (M1, M3).
#[must_use]
pub fn em1_trends(games: &[(String, SocGame)]) -> Vec<Trend> {
    let mut trends = time_trends(games);
    trends.extend(locality_trends(games));
    trends.extend(high_trends(games));
    trends
}

/// The mean of a column over the games in which it was measured.
fn means(
    games: &[(String, SocGame)],
    bars: fn(&SocGame) -> Vec<Option<f64>>,
    at: usize,
) -> Option<f64> {
    let values = games.iter().filter_map(|(_, game)| bars(game)[at]);
    mean(&values.collect::<Vec<_>>())
}

fn least(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    a.zip(b).map(|(a, b)| a.min(b))
}

fn of_the_baseline(value: f64) -> String {
    format!("{value:.3} of the baseline's")
}

/// Times under regular load.
fn time_trends(games: &[(String, SocGame)]) -> Vec<Trend> {
    let gpu = |at| means(games, |game| of_bas(&game.regular, &GPU_TIME), at);
    let rate = |at| means(games, |game| of_bas(&game.regular, &FRAME_TIME), at);
    let farthest = (0..3).filter_map(rate).map(|time| (time - 1.0).abs());
    vec![
        Trend::of(
            "all ways show as many frames under regular load, within 1 %",
            farthest.reduce(f64::max),
            |value| format!("{:.1} %", 100.0 * value),
            |value| value <= 0.01,
        ),
        Trend::of(
            "DASH takes the GPU longer under regular load",
            least(gpu(0), gpu(1)),
            of_the_baseline,
            |value| value > 1.0,
        ),
        Trend::of(
            "HMC about doubles GPU time under regular load (1.5 to 2.5)",
            gpu(2),
            of_the_baseline,
            |value| (1.5..=2.5).contains(&value),
        ),
    ]
}

/// Trends of HMC's row hits, and of the cores' channel.
fn locality_trends(games: &[(String, SocGame)]) -> Vec<Trend> {
    let (hits, bytes) = (means(games, locality, 0), means(games, locality, 1));
    let cores = |at| means(games, core_shares, at);
    let before_during = cores(0).zip(cores(1));
    vec![
        Trend::of("HMC loses row hits", hits, of_the_baseline, |v| v < 1.0),
        Trend::of(
            "HMC loses more of the bytes for each opened row than of the row hits",
            hits.zip(bytes).and_then(|(hits, bytes)| ratio(bytes, hits)),
            |value| format!("{value:.3} of what the row hits keep"),
            |value| value < 1.0,
        ),
        Trend::of(
            "cores move less while a frame is drawn than before it under HMC",
            before_during.and_then(|(before, during)| ratio(during, before)),
            |value| format!("{value:.3} of what they move before it"),
            |value| value < 1.0,
        ),
    ]
}

/// Frames and display under high load.
fn high_trends(games: &[(String, SocGame)]) -> Vec<Trend> {
    let high = |at| means(games, high_times, at);
    vec![
        Trend::of(
            "DASH takes frames longer under high load",
            least(high(0), high(1)),
            of_the_baseline,
            |value| value > 1.0,
        ),
        Trend::of(
            "HMC takes frames 20 to 70 % longer under high load",
            high(2),
            of_the_baseline,
            |value| (1.2..=1.7).contains(&value),
        ),
        Trend::of(
            "the display gets less under DTB than under the baseline",
            means(games, |game| of_bas(&game.high, &DISPLAY_RATE), 1),
            of_the_baseline,
            |value| value < 1.0,
        ),
        Trend::of(
            "the display gets the most under HMC where little is drawn",
            of_models(games, ["M2", "M4"], hmc_of_the_best, f64::min),
            |value| format!("{value:.3} of the best other way's, on the worse of both models"),
            |value| value > 1.0,
        ),
        Trend::of(
            "the display gets less under DCB and DTB where much is drawn",
            of_models(games, ["M1", "M3"], better_of_dash, f64::max),
            |value| format!("{value:.3} of the baseline's, at most"),
            |value| value < 1.0,
        ),
    ]
}

/// A number over the demos that stand for two models; nothing where one of them was not measured.
fn of_models(
    games: &[(String, SocGame)],
    models: [&str; 2],
    of: fn(&SocGame) -> Option<f64>,
    fold: fn(f64, f64) -> f64,
) -> Option<f64> {
    let suite = PaperSuite::of("em1")?;
    let [a, b] = models.map(|model| {
        let demo = suite.stand_in(model)?;
        let (_, game) = games.iter().find(|(name, _)| name == demo)?;
        of(game)
    });
    a.zip(b).map(|(a, b)| fold(a, b))
}

/// Display lines under HMC, of those under the best of the other ways.
fn hmc_of_the_best(game: &SocGame) -> Option<f64> {
    let ways = of_bas(&game.high, &DISPLAY_RATE);
    let [dcb, dtb, hmc] = ways[..] else {
        return None;
    };
    ratio(hmc?, dcb?.max(dtb?).max(1.0))
}

/// Display lines under the better of DCB and DTB, of the baseline's.
fn better_of_dash(game: &SocGame) -> Option<f64> {
    let ways = of_bas(&game.high, &DISPLAY_RATE);
    Some(ways[0]?.max(ways[1]?))
}
