//! Figures: measured games in, bars by game with their means beside those that a paper states out; and trends, which hold or do not.
//!
//! No paper names its mean. Rendering Elimination's average speedup is one over the mean of normalised times, so the arithmetic mean is
//! the one to compare; the geometric mean stands beside it.

use serde::{Serialize, Serializer};

use super::stated::{self, Stated};

/// A figure by its number in the paper, of games that were measured as an `M`.
#[derive(Debug, Clone, Copy)]
pub struct FigureSpec<M> {
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
}

/// What the bars of a figure are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Shares of 1.
    Percent,
    /// Events for a thousand warp instructions.
    PerKiloInstruction,
    /// Lengths in units of the screen, such as tiles.
    Tiles,
    /// Storage.
    Kibibytes,
}

impl Unit {
    /// By which a value is multiplied where it is printed.
    #[must_use]
    pub const fn scale(self) -> f64 {
        match self {
            Self::Percent => 100.0,
            Self::PerKiloInstruction | Self::Tiles | Self::Kibibytes => 1.0,
        }
    }

    /// In words, at an axis.
    #[must_use]
    pub const fn axis(self) -> &'static str {
        match self {
            Self::Percent => "percent",
            Self::PerKiloInstruction => "events for a thousand warp instructions",
            Self::Tiles => "tiles",
            Self::Kibibytes => "KiB",
        }
    }

    /// Behind a value.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Percent => " %",
            Self::Kibibytes => " KiB",
            Self::PerKiloInstruction | Self::Tiles => "",
        }
    }

    /// Behind a difference of two values.
    #[must_use]
    pub const fn difference(self) -> &'static str {
        match self {
            Self::Percent => " points",
            other => other.sign(),
        }
    }
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
    /// Means that the paper states.
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

/// `part / whole`, nothing of nothing.
pub(super) fn part(part: u64, whole: u64) -> Option<f64> {
    ratio(part as f64, whole as f64)
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
        Figure {
            id: self.id,
            title: self.title,
            unit: self.unit,
            columns: self.columns,
            stated: stated::means(self.id, self.columns, &mean, rows.len()),
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
    /// Whether it holds; nothing where it was not measured.
    pub holds: Option<bool>,
}

impl Trend {
    /// A claim that a measurement decides, which may not have been made.
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

    #[test]
    fn figure_with_losses_and_gains_has_no_geometric_mean() {
        assert_eq!(geometric_mean(&[0.1, -0.1]), None, "of differences");
        assert_eq!(geometric_mean(&[0.0, 4.0]), Some(0.0), "nothing is left");
    }
}
