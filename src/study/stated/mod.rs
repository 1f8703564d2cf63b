//! Numbers that papers state: each once, with the section that states it and the figure of ours that it is held against.
//!
//! A figure has the paper's means from here ([`means`]), the table of all numbers has its rows from here ([`compare`]). A
//! number stands as the paper prints it ("42 % less time"); [`Terms`] turn a figure's column ("58 % of the baseline's
//! time") into it and back.
//!
//! A number of a game is held against the demo that stands for it ([`PaperSuite`]). The most or the least that a paper names,
//! and an example that no demo stands for and that is the farthest of those it names, are held against the most or the
//! least of the demos.

mod boustro;
mod compare;
mod emerald;
mod khepri;
mod libra;
mod number;
mod re;
mod sampling;
mod terms;

#[cfg(test)]
mod tests;

pub use compare::{Compared, Verdict, compare};
pub use number::{Column, Ours, Over, PaperNumber};
pub use terms::{Terms, Value};

use serde::{Serialize, Serializer};

use super::suites::PaperSuite;

/// Average that the paper states, with ours. As JSON an array: the column, the paper's, ours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stated {
    /// Name of the column.
    pub column: &'static str,
    /// The paper's average over its games, a share of 1.
    pub paper: f64,
    /// Our average over our games; `None` of a single game, which is no average.
    pub ours: Option<f64>,
}

impl Serialize for Stated {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (self.column, self.paper, self.ours).serialize(to)
    }
}

/// Papers by the first word of their numbers.
const PAPERS: [(&str, &str, &[PaperNumber]); 8] = [
    ("re", "Rendering Elimination", re::NUMBERS),
    ("libra", "LIBRA", libra::NUMBERS),
    ("khepri", "KHEPRI", khepri::NUMBERS),
    ("boustro", "Boustrophedonic Frames", boustro::NUMBERS),
    ("em", "Emerald", emerald::MODEL),
    ("em1", "Emerald, case study I", emerald::SHARED),
    ("em2", "Emerald, case study II", emerald::WORK_TILES),
    ("sampling", "MEGsim", sampling::NUMBERS),
];

/// Every number, in the papers' order.
pub fn numbers() -> impl Iterator<Item = &'static PaperNumber> {
    PAPERS.iter().flat_map(|(_, _, numbers)| numbers.iter())
}

impl PaperNumber {
    /// Name of the study that it belongs to: the first word of its id.
    #[must_use]
    pub fn study(&self) -> &'static str {
        self.id.split('.').next().unwrap_or(self.id)
    }

    /// Demo that stands for a game of its paper, if one does.
    #[must_use]
    pub fn stand_in(&self, game: &str) -> Option<&'static str> {
        PaperSuite::of(self.study())?.stand_in(game)
    }

    /// Title of its paper.
    #[must_use]
    pub fn paper(&self) -> &'static str {
        let study = self.study();
        let paper = PAPERS.iter().find(|(word, ..)| *word == study);
        paper.map_or("", |(_, title, _)| title)
    }

    /// Name of the figure of ours that is held against it, if there is one.
    #[must_use]
    pub const fn figure(&self) -> Option<&'static str> {
        match self.ours {
            Ours::Measured { figure, .. } => Some(figure),
            Ours::NotComparable(_) => None,
        }
    }

    /// Whether it is the mean of columns, as [`Figure::stated`](crate::Figure::stated) has it.
    #[must_use]
    pub const fn is_mean(&self) -> bool {
        let Ours::Measured { column, over, .. } = self.ours else {
            return false;
        };
        matches!(over, Over::Mean) && matches!(column, Column::One(_) | Column::Both(..))
    }

    /// Columns of a figure whose mean this number is.
    fn means_of(&self, id: &str) -> impl Iterator<Item = &'static str> {
        let own = match self.ours {
            Ours::Measured { figure, column, .. } if figure == id && self.is_mean() => match column
            {
                Column::One(name) => [Some(name), None],
                Column::Both(a, b) => [Some(a), Some(b)],
                Column::Less(..) | Column::By(..) => [None; 2],
            },
            _ => [None; 2],
        };
        let also = self.also.iter().filter(move |(figure, _)| *figure == id);
        own.into_iter()
            .flatten()
            .chain(also.map(|(_, column)| *column))
    }
}

/// Stated means of a figure's columns beside ours; ours of more than one row alone, as one has no mean.
pub(super) fn means(
    figure: &str,
    columns: &[&'static str],
    mean: &[Option<f64>],
    n_rows: usize,
) -> Vec<Stated> {
    let of_column = |(&column, &ours): (&&'static str, &Option<f64>)| {
        let is_meant = |number: &&PaperNumber| number.means_of(figure).any(|name| name == column);
        let number = numbers().find(is_meant)?;
        Some(Stated {
            column,
            paper: number.terms.column(number.value.number()),
            ours: ours.filter(|_| n_rows > 1),
        })
    };
    columns.iter().zip(mean).filter_map(of_column).collect()
}
