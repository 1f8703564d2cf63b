//! Figures: measured games in, bars by game with their means beside those that a paper states out; and trends, which hold
//! or do not.
//!
//! No paper names its mean. Rendering Elimination's average speedup is one over the mean of normalised times, so the
//! arithmetic mean is the one to compare; the geometric mean stands beside it.

use serde::{Serialize, Serializer};

use super::stated::{self, Stated};

/// Specification of a figure by its number in the paper, over games that were measured as an `M`.
#[derive(Debug, Clone, Copy)]
pub struct FigureSpec<M> {
    /// Name on the command line.
    pub id: &'static str,
    /// Plotted quantity, as the heading of the figure.
    pub title: &'static str,
    /// Unit of the bars.
    pub unit: Unit,
    /// Whether it needs a machine whose energy is known.
    pub energy: bool,
    /// Form in which the paper draws it.
    pub form: FigureForm,
    /// Reading of the paper that decides its numbers, or mechanism that is not modelled.
    pub note: Option<&'static str>,
    /// Names of a game's bars.
    pub columns: &'static [&'static str],
    /// Bars of a game, shares of 1; `None` where nothing was measured.
    pub bars: fn(&M) -> Vec<Option<f64>>,
}

/// Title of a figure, without its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FigureTitle {
    /// Name on the command line.
    pub id: &'static str,
    /// Plotted quantity, as the heading of the figure.
    pub title: &'static str,
    /// Whether it needs a machine whose energy is known.
    pub energy: bool,
    /// Form in which the paper draws it.
    pub form: FigureForm,
    /// Names of a game's bars.
    pub columns: &'static [&'static str],
}

/// Form in which a figure is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureForm {
    /// A bar for each column, grouped by game.
    Bars,
    /// A bar for each game, of columns that are parts of a whole.
    Stacked {
        /// These columns, from the bottom.
        parts: &'static [&'static str],
        /// The column that holds their sum, if one does.
        total: Option<&'static str>,
    },
    /// A line over the columns.
    Lines,
    /// A lying bar for each row, from its first column over 0 to its last; rows have no mean.
    Tornado,
}

/// Unit of a figure's bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Shares of 1, printed in percent.
    Percent,
    /// Events for a thousand warp instructions.
    PerKiloInstruction,
    /// Lengths in units of the screen, such as tiles.
    Tiles,
    /// Amounts of storage in KiB.
    Kibibytes,
}

impl Unit {
    /// Factor by which a value is multiplied for print.
    #[must_use]
    pub const fn scale(self) -> f64 {
        match self {
            Self::Percent => 100.0,
            Self::PerKiloInstruction | Self::Tiles | Self::Kibibytes => 1.0,
        }
    }

    /// Unit in words, at an axis.
    #[must_use]
    pub const fn axis(self) -> &'static str {
        match self {
            Self::Percent => "percent",
            Self::PerKiloInstruction => "events for a thousand warp instructions",
            Self::Tiles => "tiles",
            Self::Kibibytes => "KiB",
        }
    }

    /// Sign of the unit behind a value, with its space.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Percent => " %",
            Self::Kibibytes => " KiB",
            Self::PerKiloInstruction | Self::Tiles => "",
        }
    }

    /// Sign of the unit behind a difference of two values, with its space.
    #[must_use]
    pub const fn difference(self) -> &'static str {
        match self {
            Self::Percent => " points",
            other => other.sign(),
        }
    }
}

/// Figure with numbers: games, means and stated means.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// Name on the command line.
    pub id: &'static str,
    /// Plotted quantity, as the heading of the figure.
    pub title: &'static str,
    /// Unit of the bars.
    pub unit: Unit,
    /// Form in which the paper draws it.
    #[serde(skip)]
    pub form: FigureForm,
    /// Reading of the paper that decides its numbers, or mechanism that is not modelled.
    #[serde(skip)]
    pub note: Option<&'static str>,
    /// Names of a game's bars.
    pub columns: &'static [&'static str],
    /// A row for each game.
    pub rows: Vec<FigureRow>,
    /// Arithmetic mean of each column over the rows in which it was measured.
    pub mean: Vec<Option<f64>>,
    /// Geometric mean over the same rows; 0 where one of them is 0, and none where one is negative.
    pub geometric_mean: Vec<Option<f64>>,
    /// Arithmetic mean by the weights of its games, if it is asked for and there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weighted_mean: Option<Vec<Option<f64>>>,
    /// Means that the paper states.
    pub stated: Vec<Stated>,
}

/// Row of a figure: a game with its bars. As JSON an array: the game, the bars.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureRow {
    /// Name of the game.
    pub game: String,
    /// Bars, one for each column, shares of 1; `None` where nothing was measured.
    pub bars: Vec<Option<f64>>,
}

impl Serialize for FigureRow {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (&self.game, &self.bars).serialize(to)
    }
}

/// `part / whole`; `None` where `whole` is 0.
pub(super) fn part(part: u64, whole: u64) -> Option<f64> {
    ratio(part as f64, whole as f64)
}

/// `part / whole`; `None` where `whole` is 0.
pub(super) fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole != 0.0).then(|| part / whole)
}

impl<M> FigureSpec<M> {
    /// Bars in percent that need no energy, to be filled in.
    pub const BARS: Self = Self {
        id: "",
        title: "",
        unit: Unit::Percent,
        energy: false,
        form: FigureForm::Bars,
        note: None,
        columns: &[],
        bars: |_| Vec::new(),
    };

    /// Title of the figure, without its numbers.
    #[must_use]
    pub const fn heading(&self) -> FigureTitle {
        FigureTitle {
            id: self.id,
            title: self.title,
            energy: self.energy,
            form: self.form,
            columns: self.columns,
        }
    }

    /// Computes the figure of measured games.
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
        Figure {
            id: self.id,
            title: self.title,
            unit: self.unit,
            form: self.form,
            note: self.note,
            columns: self.columns,
            stated: stated::means(self.id, self.columns, &mean, rows.len()),
            geometric_mean: of_column(geometric_mean),
            weighted_mean: None,
            mean,
            rows,
        }
    }
}

impl Figure {
    /// Adds the means by these weights of games; none where a row has no weight, or is the only one.
    pub(super) fn weigh(&mut self, weights: &[(String, f64)]) {
        let weight = |row: &FigureRow| {
            let own = weights.iter().find(|(name, _)| *name == row.game);
            own.map(|(_, weight)| *weight)
        };
        let rows: Option<Vec<_>> = self.rows.iter().map(weight).collect();
        let Some(rows) = rows.filter(|rows| rows.len() > 1) else {
            return;
        };
        let of_column = |at: usize| {
            let both = self.rows.iter().zip(&rows);
            let measured = both.filter_map(|(row, weight)| Some((row.bars[at]?, *weight)));
            let sums = measured.fold((0.0, 0.0), |(sum, all), (bar, weight)| {
                (sum + weight * bar, all + weight)
            });
            ratio(sums.0, sums.1)
        };
        self.weighted_mean = Some((0..self.columns.len()).map(of_column).collect());
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

/// Claim that must hold, and whether it does.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trend {
    /// Claim in words, as the paper has it.
    pub claim: &'static str,
    /// Number that decides, in words.
    pub found: String,
    /// Whether the claim holds; `None` where it was not measured.
    pub holds: Option<bool>,
}

impl Trend {
    /// Trend by a measurement, which may not have been made.
    pub(super) fn of<T: Copy>(
        claim: &'static str,
        measured: Option<T>,
        found: impl Fn(T) -> String,
        holds: impl Fn(T) -> bool,
    ) -> Self {
        Self {
            claim,
            found: measured.map_or("-".to_owned(), found),
            holds: measured.map(holds),
        }
    }
}

/// Spearman's rank correlation; `None` where one side has no two different values.
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

    #[test]
    fn weighted_mean_counts_games_by_their_weights() {
        const SPEC: FigureSpec<[Option<f64>; 2]> = FigureSpec {
            columns: &["a", "b"],
            bars: |game| game.to_vec(),
            ..FigureSpec::BARS
        };
        let games = [
            ("one".to_owned(), [Some(1.0), None]),
            ("two".to_owned(), [Some(4.0), Some(2.0)]),
        ];
        let weights = [("two".to_owned(), 0.5), ("one".to_owned(), 2.5)];
        let mut figure = SPEC.draw(&games);
        assert_eq!(figure.weighted_mean, None, "not asked for");
        figure.weigh(&weights);
        let expected = vec![Some(1.5), Some(2.0)];
        assert_eq!(figure.weighted_mean, Some(expected), "(2.5 + 2) / 3");
        assert_eq!(figure.mean, [Some(2.5), Some(2.0)], "plain as before");
        let mut unknown = SPEC.draw(&games);
        unknown.weigh(&weights[..1]);
        assert_eq!(unknown.weighted_mean, None, "a game without a weight");
    }

    #[test]
    fn figure_with_losses_and_gains_has_no_geometric_mean() {
        assert_eq!(geometric_mean(&[0.1, -0.1]), None, "of differences");
        assert_eq!(geometric_mean(&[0.0, 4.0]), Some(0.0), "nothing is left");
    }
}
