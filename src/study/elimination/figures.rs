//! The figures of Rendering Elimination from measured games, and the trends that must hold.

use super::Game;
use crate::figures::{FigureForm, FigureSpec, Trend, mean, part, rank_correlation, ratio};

/// Note on the energy of the technique.
const CHARGED: &str = "RE itself is its tables, buffers, queues, bitmap and registers; its control logic is not charged";

/// Figures of section V, in the paper's order.
pub const FIGURES: &[FigureSpec<Game>] = &[
    FigureSpec {
        id: "re.fig2",
        title: "tiles with the colours of the frame before",
        columns: &["equal"],
        bars: |game| {
            let tiles = game.tiles;
            vec![part(tiles.equal + tiles.equal_colors_only, tiles.all)]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "re.fig13a",
        title: "cycles with RE, of the baseline's",
        form: FigureForm::Stacked {
            parts: &["geometry", "raster"],
            total: Some("total"),
        },
        columns: &["geometry", "raster", "total"],
        bars: |game| {
            let all = game.baseline.cycles();
            let re = game.re;
            [re.geometry_cycles, re.raster_cycles, re.cycles()]
                .map(|cycles| part(cycles, all))
                .into()
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "re.fig13b",
        title: "energy with RE, of the baseline's",
        energy: true,
        form: FigureForm::Stacked {
            parts: &["memory", "GPU"],
            total: Some("total"),
        },
        note: Some(CHARGED),
        columns: &["memory", "GPU", "total", "RE itself"],
        bars: |game| {
            let (all, re) = (game.baseline.energy(), game.re);
            [re.dram, re.gpu, re.energy(), re.technique]
                .map(|energy| ratio(energy, all))
                .into()
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "re.txt.energy",
        title: "energy with RE, of the same part's",
        energy: true,
        note: Some(CHARGED),
        columns: &["memory", "GPU", "RE itself, of the GPU"],
        bars: |game| {
            let (baseline, re) = (game.baseline, game.re);
            vec![
                ratio(re.dram, baseline.dram),
                ratio(re.gpu, baseline.gpu),
                ratio(re.technique, baseline.gpu),
            ]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "re.txt.share",
        title: "the GPU's part of the baseline's energy",
        energy: true,
        columns: &["GPU"],
        bars: |game| vec![ratio(game.baseline.gpu, game.baseline.energy())],
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "re.txt.geometry",
        title: "geometry cycles with RE, of the baseline's",
        columns: &["geometry"],
        bars: |game| vec![part(game.re.geometry_cycles, game.baseline.geometry_cycles)],
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "re.txt.raster",
        title: "raster cycles with RE, of the baseline's",
        columns: &["raster"],
        bars: |game| vec![part(game.re.raster_cycles, game.baseline.raster_cycles)],
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "re.fig14a",
        title: "tiles beside the frame before",
        form: FigureForm::Stacked {
            parts: &["equal inputs", "equal colours only", "different"],
            total: None,
        },
        columns: &["equal inputs", "equal colours only", "different"],
        bars: |game| {
            let tiles = game.tiles;
            let other = tiles.all - tiles.equal - tiles.equal_colors_only;
            [tiles.equal, tiles.equal_colors_only, other]
                .map(|n| part(n, tiles.all))
                .into()
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "re.txt.tiles",
        title: "tiles of equal inputs, of those with equal colours; tiles of equal inputs and other colours, of all",
        columns: &["found", "equal inputs only"],
        bars: |game| {
            let tiles = game.tiles;
            vec![
                part(tiles.equal, tiles.equal + tiles.equal_colors_only),
                part(tiles.equal_inputs_only, tiles.all),
            ]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "re.fig14b",
        title: "DRAM traffic of the Raster Pipeline with RE, of the baseline's",
        form: FigureForm::Stacked {
            parts: &["Parameter Buffer", "texels", "colours"],
            total: Some("total"),
        },
        columns: &["Parameter Buffer", "texels", "colours", "total"],
        bars: |game| {
            let all = game.baseline.raster_lines.iter().sum();
            let [lists, texels, colors] = game.re.raster_lines;
            [lists, texels, colors, lists + texels + colors]
                .map(|lines| part(lines, all))
                .into()
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "re.fig15",
        title: "fragments shaded, of the baseline's",
        columns: &["RE", "memoization, 2048 entries", "512 entries"],
        bars: |game| {
            let f = game.fragments;
            vec![
                left(f.eliminated, f.all),
                left(f.reused_2048, f.asked),
                left(f.reused_512, f.asked),
            ]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "re.fig16a",
        title: "cycles, of the baseline's",
        columns: &["TE", "RE"],
        bars: |game| {
            let all = game.baseline.cycles();
            vec![part(game.te.cycles(), all), part(game.re.cycles(), all)]
        },
        ..FigureSpec::BARS
    },
    FigureSpec {
        id: "re.fig16b",
        title: "energy, of the baseline's",
        energy: true,
        columns: &["TE", "RE"],
        bars: |game| {
            let all = game.baseline.energy();
            vec![ratio(game.te.energy(), all), ratio(game.re.energy(), all)]
        },
        ..FigureSpec::BARS
    },
];

/// Share of `whole` that is left without a part, of 1.
fn left(without: u64, whole: u64) -> Option<f64> {
    part(without, whole).map(|share| 1.0 - share)
}

/// Share of tiles with equal colours from which on a camera counts as static.
const STATIC: f64 = 0.8;

/// Trends, declared before the suite was measured: RE beats TE in time and energy where the camera is static; the gain
/// grows with the share of equal tiles (rank correlation above 0.8); no game loses more than 1 %; geometry grows by less
/// than 1 % of its own cycles on average; no tile of equal inputs has other colours.
#[must_use]
pub fn trends(games: &[(String, Game)]) -> Vec<Trend> {
    vec![
        re_beats_te(games),
        gain_grows(games),
        nobody_loses(games),
        geometry_stays(games),
        equal_inputs_equal_colors(games),
    ]
}

fn equal_share(game: &Game) -> Option<f64> {
    let tiles = game.tiles;
    part(tiles.equal + tiles.equal_colors_only, tiles.all)
}

/// Tiles whose inputs are those of their frame buffer, in the frames whose time is known.
fn eliminated(game: &Game) -> Option<f64> {
    part(game.eliminated_tiles, game.modelled_tiles)
}

/// Time with RE, of the baseline's.
fn time(game: &Game) -> Option<f64> {
    part(game.re.cycles(), game.baseline.cycles())
}

fn re_beats_te(games: &[(String, Game)]) -> Trend {
    let is_measured = |game: &Game| game.baseline.cycles() > 0 && game.baseline.energy() > 0.0;
    let is_still =
        |game: &Game| is_measured(game) && equal_share(game).is_some_and(|share| share >= STATIC);
    let still = || games.iter().filter(|(_, game)| is_still(game));
    let worse = still().find(|(_, game)| {
        game.re.cycles() > game.te.cycles() || game.re.energy() > game.te.energy()
    });
    let count = still().count();
    Trend::of(
        "RE beats TE in time and energy where the camera is static",
        (count > 0).then_some(worse),
        |worse| match worse {
            Some((name, _)) => format!("not in {name}"),
            None => format!("in all {count} such games"),
        },
        |worse| worse.is_none(),
    )
}

fn gain_grows(games: &[(String, Game)]) -> Trend {
    let pairs = games
        .iter()
        .filter_map(|(_, game)| Some((eliminated(game)?, 1.0 - time(game)?)));
    Trend::of(
        "the gain grows with the share of equal tiles",
        rank_correlation(&pairs.collect::<Vec<_>>()),
        |correlation| format!("rank correlation {correlation:.2}"),
        |correlation| correlation > 0.8,
    )
}

fn nobody_loses(games: &[(String, Game)]) -> Trend {
    let times = games
        .iter()
        .filter_map(|(name, game)| Some((time(game)?, name)));
    Trend::of(
        "no game loses more than 1 %",
        times.max_by(|a, b| a.0.total_cmp(&b.0)),
        |(time, name)| format!("the slowest, {name}, takes {time:.3} of its time"),
        |(time, _)| time <= 1.01,
    )
}

fn geometry_stays(games: &[(String, Game)]) -> Trend {
    let growth = games.iter().filter_map(|(_, game)| geometry_growth(game));
    Trend::of(
        "geometry grows by less than 1 %",
        mean(&growth.collect::<Vec<_>>()),
        |growth| format!("by {:.2} % of its cycles on average", 100.0 * growth),
        |growth| growth < 0.01,
    )
}

fn equal_inputs_equal_colors(games: &[(String, Game)]) -> Trend {
    let sum = |of: fn(&Game) -> u64| -> u64 { games.iter().map(|(_, game)| of(game)).sum() };
    let compared = sum(|game| game.tiles.all);
    let wrong = sum(|game| game.tiles.equal_inputs_only);
    Trend::of(
        "no tile of equal inputs has other colours",
        (compared > 0).then_some(wrong),
        |wrong| format!("{wrong} tiles"),
        |wrong| wrong == 0,
    )
}

/// Cycles that the Geometry Pipeline takes longer with RE, of its cycles without.
fn geometry_growth(game: &Game) -> Option<f64> {
    let longer = game.re.geometry_cycles as f64 - game.baseline.geometry_cycles as f64;
    ratio(longer, game.baseline.geometry_cycles as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elimination::Spent;
    use crate::figures::FigureRow;
    use crate::stated::Stated;

    /// A game of 100 tiles of which `equal` stay, whose raster time follows.
    fn game(equal: u64) -> (String, Game) {
        let spent = |geometry_cycles, raster_cycles: u64| Spent {
            geometry_cycles,
            raster_cycles,
            gpu: raster_cycles as f64,
            dram: raster_cycles as f64,
            technique: 0.0,
            raster_lines: [1, 2, 3],
            ..Spent::default()
        };
        let mut game = Game::default();
        game.tiles.all = 100;
        game.tiles.equal = equal;
        game.modelled_tiles = 100;
        game.eliminated_tiles = equal;
        game.baseline = spent(1000, 9000);
        game.te = spent(1000, 9000 - 10 * equal);
        game.re = spent(1005, 9000 - 90 * equal);
        (format!("{equal} equal"), game)
    }

    #[test]
    fn figures_have_a_bar_for_each_column() {
        let games = [game(10), game(90)];
        for spec in FIGURES {
            let figure = spec.draw(&games);
            for FigureRow { game, bars } in &figure.rows {
                assert_eq!(bars.len(), figure.columns.len(), "{} {game}", spec.id);
            }
        }
    }

    #[test]
    fn figure_means_are_those_of_the_rows() {
        let figure = FIGURES[0].draw(&[game(20), game(80)]);
        let mean = figure.mean[0].expect("two games");
        assert!((mean - 0.5).abs() < 1e-9, "(0.2 + 0.8) / 2");
        let geometric = figure.geometric_mean[0].expect("two games");
        assert!((geometric - 0.4).abs() < 1e-9, "sqrt(0.16)");
        assert_eq!(figure.stated[0].ours, Some(mean), "beside the paper's");
    }

    #[test]
    fn figure_of_one_game_has_no_mean_beside_the_papers() {
        let figure = FIGURES[0].draw(&[game(20)]);
        let alone = Stated {
            column: "equal",
            paper: 0.62,
            ours: None,
        };
        assert_eq!(figure.stated, [alone], "one is no average");
    }

    #[test]
    fn figure_of_what_was_not_measured_has_no_bars() {
        let (name, mut unmeasured) = game(20);
        unmeasured.baseline = Spent::default();
        let time = FIGURES.iter().find(|spec| spec.id == "re.fig16a");
        let figure = time.expect("listed").draw(&[(name, unmeasured), game(80)]);
        assert_eq!(figure.rows[0].bars, [None, None], "no cycles, no share");
        assert_eq!(figure.mean, figure.rows[1].bars, "the mean of the other");
    }

    #[test]
    fn trends_of_nothing_are_not_measured() {
        let mut only_looked_at = game(90);
        only_looked_at.1.baseline = Spent::default();
        only_looked_at.1.re = Spent::default();
        only_looked_at.1.te = Spent::default();
        for trend in trends(&[]) {
            assert_eq!(trend.holds, None, "{}: {}", trend.claim, trend.found);
        }
        for trend in &trends(&[only_looked_at])[..4] {
            assert_eq!(trend.holds, None, "{}: {}", trend.claim, trend.found);
        }
    }

    #[test]
    fn trends_hold_for_games_as_the_paper_has_them() {
        let games = [game(5), game(40), game(85), game(95)];
        for trend in trends(&games) {
            assert_eq!(trend.holds, Some(true), "{}: {}", trend.claim, trend.found);
        }
    }

    #[test]
    fn trends_are_seen_to_break() {
        let (name, mut slow) = game(90);
        slow.re.raster_cycles = 20_000;
        slow.re.geometry_cycles = 2000;
        slow.tiles.equal_inputs_only = 1;
        let broken = trends(&[game(5), game(40), (name, slow)]);
        assert!(
            broken.iter().all(|trend| trend.holds == Some(false)),
            "every one: {broken:?}"
        );
    }
}
