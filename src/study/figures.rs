//! The figures of Rendering Elimination from measured games, each beside what the paper states, and the trends that must hold.
//!
//! The paper names no mean: its average speedup is one over the mean of
//! normalised times, so that is the mean to compare; the geometric mean stands beside it.

use serde::{Serialize, Serializer};

use super::elimination::Game;

/// A figure by its number in the paper, of games that were measured as an `M`.
#[derive(Debug, Clone, Copy)]
pub struct FigureSpec<M = Game> {
    /// What it is called on the command line.
    pub id: &'static str,
    /// What it plots.
    pub title: &'static str,
    /// What its bars are.
    pub unit: Unit,
    /// It cannot be had of a machine that does not know its energy.
    pub energy: bool,
    /// Names of a game's bars.
    pub(super) columns: &'static [&'static str],
    /// Bars of a game, shares of 1; nothing where nothing was measured.
    pub(super) bars: fn(&M) -> Vec<Option<f64>>,
    /// What the paper states of its averages: column, value.
    pub(super) stated: &'static [(&'static str, f64)],
}

/// What the bars of a figure are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Shares of 1.
    Percent,
    /// Events for a thousand warp instructions.
    PerKiloInstruction,
}

/// A figure with numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// What it is called on the command line.
    pub id: &'static str,
    /// What it plots.
    pub title: &'static str,
    /// What its bars are.
    pub unit: Unit,
    /// Names of a game's bars.
    pub columns: &'static [&'static str],
    /// A row for each game.
    pub rows: Vec<FigureRow>,
    /// Of the rows in which the column was measured.
    pub mean: Vec<Option<f64>>,
    /// Of the same rows; 0 where one of them is 0, and none where one is negative.
    pub geometric_mean: Vec<Option<f64>>,
    /// What the paper says in numbers.
    pub stated: Vec<Stated>,
}

/// A game with its bars. As JSON an array: the game, the bars.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureRow {
    /// Its name.
    pub game: String,
    /// One a column, shares of 1; nothing where nothing was measured.
    pub bars: Vec<Option<f64>>,
}

impl Serialize for FigureRow {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (&self.game, &self.bars).serialize(to)
    }
}

/// An average that the paper states, with ours. As JSON an array: the column, the paper's, ours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stated {
    /// Which column.
    pub column: &'static str,
    /// The paper's average over its games, a share of 1.
    pub paper: f64,
    /// Our average over ours; nothing of a single game, which is no average.
    pub ours: Option<f64>,
}

impl Serialize for Stated {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (self.column, self.paper, self.ours).serialize(to)
    }
}

/// Every figure, in the paper's order.
pub const FIGURES: &[FigureSpec] = &[
    FigureSpec {
        id: "re.fig2",
        title: "tiles with the colours of the frame before",
        unit: Unit::Percent,
        energy: false,
        columns: &["equal"],
        bars: |game| {
            let tiles = game.tiles;
            vec![part(tiles.equal + tiles.equal_colors_only, tiles.all)]
        },
        stated: &[("equal", 0.62)],
    },
    FigureSpec {
        id: "re.fig13a",
        title: "cycles with RE, of the baseline's",
        unit: Unit::Percent,
        energy: false,
        columns: &["geometry", "raster", "total"],
        bars: |game| {
            let all = game.baseline.cycles();
            let re = game.re;
            [re.geometry_cycles, re.raster_cycles, re.cycles()]
                .map(|cycles| part(cycles, all))
                .into()
        },
        stated: &[("total", 0.58)],
    },
    FigureSpec {
        id: "re.fig13b",
        title: "energy with RE, of the baseline's",
        unit: Unit::Percent,
        energy: true,
        columns: &["memory", "GPU", "total", "RE itself"],
        bars: |game| {
            let (all, re) = (game.baseline.energy(), game.re);
            [re.dram, re.gpu, re.energy(), re.technique]
                .map(|energy| ratio(energy, all))
                .into()
        },
        stated: &[("total", 0.57)],
    },
    FigureSpec {
        id: "re.txt.energy",
        title: "energy with RE, of the same part's",
        unit: Unit::Percent,
        energy: true,
        columns: &["memory", "GPU", "RE itself, of the GPU"],
        bars: |game| {
            let (baseline, re) = (game.baseline, game.re);
            vec![
                ratio(re.dram, baseline.dram),
                ratio(re.gpu, baseline.gpu),
                ratio(re.technique, baseline.gpu),
            ]
        },
        stated: &[
            ("memory", 0.52),
            ("GPU", 0.62),
            ("RE itself, of the GPU", 0.005),
        ],
    },
    FigureSpec {
        id: "re.txt.share",
        title: "the GPU's part of the baseline's energy",
        unit: Unit::Percent,
        energy: true,
        columns: &["GPU"],
        bars: |game| vec![ratio(game.baseline.gpu, game.baseline.energy())],
        // Section V: 43 % of all, 38 % of the GPU's and 48 % of the memory's are saved, so 0.43 = 0.38 g + 0.48 (1 - g).
        stated: &[("GPU", 0.50)],
    },
    FigureSpec {
        id: "re.txt.geometry",
        title: "geometry cycles with RE, of the baseline's",
        unit: Unit::Percent,
        energy: false,
        columns: &["geometry"],
        bars: |game| vec![part(game.re.geometry_cycles, game.baseline.geometry_cycles)],
        stated: &[("geometry", 1.0064)],
    },
    FigureSpec {
        id: "re.fig14a",
        title: "tiles beside the frame before",
        unit: Unit::Percent,
        energy: false,
        columns: &["equal inputs", "equal colours only", "different"],
        bars: |game| {
            let tiles = game.tiles;
            let other = tiles.all - tiles.equal - tiles.equal_colors_only;
            [tiles.equal, tiles.equal_colors_only, other]
                .map(|n| part(n, tiles.all))
                .into()
        },
        stated: &[
            ("equal inputs", 0.50),
            ("equal colours only", 0.12),
            ("different", 0.38),
        ],
    },
    FigureSpec {
        id: "re.fig14b",
        title: "DRAM traffic of the Raster Pipeline with RE, of the baseline's",
        unit: Unit::Percent,
        energy: false,
        columns: &["Parameter Buffer", "texels", "colours", "total"],
        bars: |game| {
            let all = game.baseline.raster_lines.iter().sum();
            let [lists, texels, colors] = game.re.raster_lines;
            [lists, texels, colors, lists + texels + colors]
                .map(|lines| part(lines, all))
                .into()
        },
        stated: &[("total", 0.52)],
    },
    FigureSpec {
        id: "re.fig15",
        title: "fragments shaded, of the baseline's",
        unit: Unit::Percent,
        energy: false,
        columns: &["RE", "memoization, 2048 entries", "512 entries"],
        bars: |game| {
            let f = game.fragments;
            vec![
                left(f.eliminated, f.all),
                left(f.reused_2048, f.asked),
                left(f.reused_512, f.asked),
            ]
        },
        stated: &[],
    },
    FigureSpec {
        id: "re.fig16a",
        title: "cycles, of the baseline's",
        unit: Unit::Percent,
        energy: false,
        columns: &["TE", "RE"],
        bars: |game| {
            let all = game.baseline.cycles();
            vec![part(game.te.cycles(), all), part(game.re.cycles(), all)]
        },
        stated: &[("RE", 0.58)],
    },
    FigureSpec {
        id: "re.fig16b",
        title: "energy, of the baseline's",
        unit: Unit::Percent,
        energy: true,
        columns: &["TE", "RE"],
        bars: |game| {
            let all = game.baseline.energy();
            vec![ratio(game.te.energy(), all), ratio(game.re.energy(), all)]
        },
        stated: &[("TE", 0.91), ("RE", 0.57)],
    },
];

/// `part / whole`, nothing of nothing.
pub(super) fn part(part: u64, whole: u64) -> Option<f64> {
    ratio(part as f64, whole as f64)
}

/// What is left of `whole` without `part`, of 1.
fn left(part: u64, whole: u64) -> Option<f64> {
    self::part(part, whole).map(|share| 1.0 - share)
}

/// `part / whole`, nothing of nothing.
pub(super) fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole != 0.0).then(|| part / whole)
}

impl<M> FigureSpec<M> {
    /// The figure of measured games.
    #[must_use]
    pub fn draw(&self, games: &[(String, M)]) -> Figure {
        let row = |(name, game): &(String, M)| FigureRow {
            game: name.clone(),
            bars: (self.bars)(game),
        };
        let rows: Vec<_> = games.iter().map(row).collect();
        let of_column = |fold: fn(&[f64]) -> Option<f64>| -> Vec<Option<f64>> {
            let measured = |at: usize| rows.iter().filter_map(move |row| row.bars[at]);
            let columns = 0..self.columns.len();
            columns
                .map(|at| fold(&measured(at).collect::<Vec<_>>()))
                .collect()
        };
        let mean = of_column(mean);
        let stated = self.stated.iter().filter_map(|&(column, paper)| {
            let at = self.columns.iter().position(|name| *name == column)?;
            // The paper's is a mean of ten games; one game has no mean to put beside it.
            let ours = mean[at].filter(|_| rows.len() > 1);
            Some(Stated {
                column,
                paper,
                ours,
            })
        });
        Figure {
            id: self.id,
            title: self.title,
            unit: self.unit,
            columns: self.columns,
            stated: stated.collect(),
            geometric_mean: of_column(geometric_mean),
            mean,
            rows,
        }
    }
}

pub(super) fn mean(values: &[f64]) -> Option<f64> {
    ratio(values.iter().sum(), values.len() as f64)
}

fn geometric_mean(values: &[f64]) -> Option<f64> {
    let has_one = values.iter().all(|value| *value >= 0.0);
    let logarithms: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    mean(&logarithms).filter(|_| has_one).map(f64::exp)
}

/// Something that must hold, and whether it does.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trend {
    /// What the paper says.
    pub claim: &'static str,
    /// The number that decides, in words.
    pub found: String,
    /// Whether it holds.
    pub holds: bool,
}

impl Trend {
    /// A claim that one number decides, which may not have been measured.
    pub(super) fn of_number(
        claim: &'static str,
        number: Option<f64>,
        found: impl Fn(f64) -> String,
        holds: impl Fn(f64) -> bool,
    ) -> Self {
        Self {
            claim,
            found: number.map_or(NOT_MEASURED.to_owned(), found),
            holds: number.is_some_and(holds),
        }
    }
}

/// From this share of tiles with equal colours on, a camera counts as static.
const STATIC: f64 = 0.8;

/// The trends, declared before the suite was measured: RE beats TE in time and energy where the camera is static; the gain
/// grows with the share of equal tiles (rank correlation above 0.8); no game loses more than 1 %; geometry grows by less than
/// 1 % of its own cycles on average; no tile of equal inputs has other colours.
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
    Trend {
        claim: "RE beats TE in time and energy where the camera is static",
        found: match worse {
            Some((name, _)) => format!("not in {name}"),
            None if still().count() == 0 => NOT_MEASURED.to_owned(),
            None => format!("in all {} such games", still().count()),
        },
        holds: worse.is_none() && still().count() > 0,
    }
}

/// What trends say of measurements that there are none of.
const NOT_MEASURED: &str = "-, nothing was measured";

fn gain_grows(games: &[(String, Game)]) -> Trend {
    let pairs = games
        .iter()
        .filter_map(|(_, game)| Some((eliminated(game)?, 1.0 - time(game)?)));
    let correlation = rank_correlation(&pairs.collect::<Vec<_>>());
    Trend {
        claim: "the gain grows with the share of equal tiles",
        found: correlation.map_or(NOT_MEASURED.to_owned(), |correlation| {
            format!("rank correlation {correlation:.2}")
        }),
        holds: correlation.is_some_and(|correlation| correlation > 0.8),
    }
}

fn nobody_loses(games: &[(String, Game)]) -> Trend {
    let times = games
        .iter()
        .filter_map(|(name, game)| Some((time(game)?, name)));
    let slowest = times.max_by(|a, b| a.0.total_cmp(&b.0));
    Trend {
        claim: "no game loses more than 1 %",
        found: slowest.map_or(NOT_MEASURED.to_owned(), |(time, name)| {
            format!("the slowest, {name}, takes {time:.3} of its time")
        }),
        holds: slowest.is_some_and(|(time, _)| time <= 1.01),
    }
}

fn geometry_stays(games: &[(String, Game)]) -> Trend {
    let growth = games.iter().filter_map(|(_, game)| geometry_growth(game));
    let growth = mean(&growth.collect::<Vec<_>>());
    Trend {
        claim: "geometry grows by less than 1 %",
        found: growth.map_or(NOT_MEASURED.to_owned(), |growth| {
            format!("by {:.2} % of its cycles on average", 100.0 * growth)
        }),
        holds: growth.is_some_and(|growth| growth < 0.01),
    }
}

fn equal_inputs_equal_colors(games: &[(String, Game)]) -> Trend {
    let sum = |of: fn(&Game) -> u64| -> u64 { games.iter().map(|(_, game)| of(game)).sum() };
    let compared = sum(|game| game.tiles.all);
    let wrong = sum(|game| game.tiles.equal_inputs_only);
    Trend {
        claim: "no tile of equal inputs has other colours",
        found: if compared > 0 {
            format!("{wrong} tiles")
        } else {
            NOT_MEASURED.to_owned()
        },
        holds: compared > 0 && wrong == 0,
    }
}

/// Cycles that the Geometry Pipeline takes longer with RE, of its cycles without.
fn geometry_growth(game: &Game) -> Option<f64> {
    let longer = game.re.geometry_cycles as f64 - game.baseline.geometry_cycles as f64;
    ratio(longer, game.baseline.geometry_cycles as f64)
}

/// Spearman's: the correlation of ranks; nothing where one side has no two different values.
pub(super) fn rank_correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let ranks = |of: fn(&(f64, f64)) -> f64| -> Vec<f64> {
        let rank = |value: f64| {
            let less = pairs.iter().filter(|pair| of(pair) < value).count();
            let equal = pairs.iter().filter(|pair| of(pair) == value).count();
            less as f64 + (equal as f64 - 1.0) / 2.0
        };
        pairs.iter().map(|pair| rank(of(pair))).collect()
    };
    let (x, y) = (ranks(|pair| pair.0), ranks(|pair| pair.1));
    let (mx, my) = (mean(&x)?, mean(&y)?);
    let sum = |f: fn(f64, f64) -> f64| -> f64 {
        let both = x.iter().zip(&y);
        both.map(|(x, y)| f(x - mx, y - my)).sum()
    };
    let scale = (sum(|x, _| x * x) * sum(|_, y| y * y)).sqrt();
    ratio(sum(|x, y| x * y), scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Spent;

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
            assert_eq!(figure.stated.len(), spec.stated.len(), "{}", spec.id);
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
    fn figure_with_losses_and_gains_has_no_geometric_mean() {
        assert_eq!(geometric_mean(&[0.1, -0.1]), None, "of differences");
        assert_eq!(geometric_mean(&[0.0, 4.0]), Some(0.0), "nothing is left");
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
    fn trends_of_nothing_do_not_hold() {
        let mut only_looked_at = game(90);
        only_looked_at.1.baseline = Spent::default();
        only_looked_at.1.re = Spent::default();
        only_looked_at.1.te = Spent::default();
        for trend in trends(&[]) {
            assert!(!trend.holds, "{}: {}", trend.claim, trend.found);
            assert_eq!(trend.found, NOT_MEASURED, "{}", trend.claim);
        }
        for trend in &trends(&[only_looked_at])[..4] {
            assert!(!trend.holds, "{}: {}", trend.claim, trend.found);
            assert_eq!(trend.found, NOT_MEASURED, "{}", trend.claim);
        }
    }

    #[test]
    fn trends_hold_for_games_as_the_paper_has_them() {
        let games = [game(5), game(40), game(85), game(95)];
        for trend in trends(&games) {
            assert!(trend.holds, "{}: {}", trend.claim, trend.found);
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
            broken.iter().all(|trend| !trend.holds),
            "every one: {broken:?}"
        );
    }
}
