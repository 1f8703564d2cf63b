//! LIBRA, Fig. 19: the best thresholds of its scheduler. A line-up of its own, which no other figure needs.

use super::libra::{LIBRA_STUDY, with_libra};
use super::{Contestant, ScheduledGame, on_lineup, shaped};
use crate::definition::Study;
use crate::figures::{FigureForm, FigureSpec, Trend, mean, ratio};
use crate::measurement::Measurement;
use azulejo_gpu::machine::{MachineSpec, Overlay};
use azulejo_gpu::parameters::ParameterError;

/// Shares of raster cycles by which they must change for supertiles of another size. The paper states 0.25 % and 15 %; from
/// 100 % on nothing changes.
const RESIZE: [f64; 6] = [0.0, 0.0025, 0.01, 0.05, 0.15, 1.0];

/// Shares of raster cycles by which they must change for a look at the order. The paper states 3 % and 4 %.
const ORDER: [f64; 6] = [0.0, 0.01, 0.02, 0.03, 0.04, 1.0];

/// Returns the line-up: the baseline, two Raster Units with each threshold for sizes, then with each for orders.
///
/// # Errors
/// If the machine has no parameters of LIBRA.
pub fn sweep_lineup(baseline: &MachineSpec) -> Result<Vec<Contestant>, ParameterError> {
    let mut lineup = vec![Contestant::plain(shaped(baseline, 1, 8))];
    let resize = RESIZE.map(|threshold| ("libra.resize_threshold", threshold));
    let order = ORDER.map(|threshold| ("libra.order_threshold", threshold));
    for (key, threshold) in resize.into_iter().chain(order) {
        let mut contestant = with_libra(baseline, 2);
        contestant.spec.technique.set(&Overlay {
            key: key.to_owned(),
            value: format!("{threshold:?}"),
        })?;
        lineup.push(contestant);
    }
    Ok(lineup)
}

/// Raster speed of the machines from `first` on, of the baseline's.
fn speedups(game: &ScheduledGame, first: usize, n: usize) -> Vec<Option<f64>> {
    let cycles = |machine: usize| {
        let cost = game.costs.get(machine).copied().unwrap_or_default();
        cost.raster_cycles as f64
    };
    let machines = first..first + n;
    machines
        .map(|machine| ratio(cycles(0), cycles(machine)))
        .collect()
}

fn by_resize(game: &ScheduledGame) -> Vec<Option<f64>> {
    speedups(game, 1, RESIZE.len())
}

fn by_order(game: &ScheduledGame) -> Vec<Option<f64>> {
    speedups(game, 1 + RESIZE.len(), ORDER.len())
}

/// Both parts of Fig. 19.
pub const SWEEP_FIGURES: &[FigureSpec<ScheduledGame>] = &[
    FigureSpec {
        id: "libra.fig19a",
        title: "raster speed of LIBRA by its threshold for supertiles of another size, of the baseline's",
        form: FigureForm::Lines,
        columns: &["0 %", "0.25 %", "1 %", "5 %", "15 %", "never"],
        bars: by_resize,
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "libra.fig19b",
        title: "raster speed of LIBRA by its threshold for another order, of the baseline's",
        form: FigureForm::Lines,
        columns: &["0 %", "1 %", "2 %", "3 %", "4 %", "never"],
        bars: by_order,
        ..FigureSpec::BARS
    },
];

/// The trends, declared before the suite was measured: 0.25 % is better than 15 %; 15 % is as good as sizes that stay, and
/// 4 % as an order that stays, within a quarter of a per cent; 3 % is within a quarter of a per cent of the best.
#[must_use]
pub fn sweep_trends(games: &[(String, ScheduledGame)]) -> Vec<Trend> {
    let means = |bars: fn(&ScheduledGame) -> Vec<Option<f64>>, at: usize| {
        let speedups = games.iter().filter_map(|(_, game)| bars(game)[at]);
        mean(&speedups.collect::<Vec<_>>())
    };
    let resize = |at| means(by_resize, at);
    let order = |at| means(by_order, at);
    let best = (0..ORDER.len()).filter_map(order).reduce(f64::max);
    let beside = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a - b);
    let points = |delta: f64| format!("{:+.2} points", 100.0 * delta);
    let is_small = |delta: f64| delta.abs() <= 0.0025;
    vec![
        Trend::of(
            "supertiles that follow changes of 0.25 % beat those that follow 15 %",
            beside(resize(1), resize(4)),
            points,
            |delta| delta > 0.0,
        ),
        Trend::of(
            "a threshold of 15 % is a size that stays",
            beside(resize(4), resize(5)),
            points,
            is_small,
        ),
        Trend::of(
            "a threshold of 4 % is an order that stays",
            beside(order(4), order(5)),
            points,
            is_small,
        ),
        Trend::of(
            "a threshold of 3 % for the order is as good as any",
            beside(order(3), best),
            points,
            is_small,
        ),
    ]
}

/// Thresholds of LIBRA over games, on the machine and frames of its study.
pub const SWEEP_STUDY: Study = Study {
    name: "libra.fig19",
    title: "LIBRA by the thresholds of its scheduler",
    about: "frames on two Raster Units with each threshold of the scheduler",
    kept_as: |_| "libra by thresholds",
    in_all: false,
    measures: &MEASUREMENT,
    ..LIBRA_STUDY
};

const MEASUREMENT: Measurement<ScheduledGame> = Measurement {
    trends: sweep_trends,
    ..Measurement::new(SWEEP_FIGURES, |setup| {
        let lineup = sweep_lineup(&setup.machine)?;
        Ok(on_lineup(lineup, setup.sampling))
    })
};
