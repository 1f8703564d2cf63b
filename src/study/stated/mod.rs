//! Numbers that papers state: each once, with the section that states it and the figure of ours that it is held against.
//!
//! A figure has the paper's means from here ([`means`]), the table of all numbers has its rows from here ([`compare`]). A number stands as
//! the paper prints it ("42 % less time"); [`Terms`] turn a figure's column ("58 % of the baseline's time") into it and back.
//!
//! A number of a game is held against the demo that stands for it ([`stand_in`]). The most or the least that a paper names, and an example
//! that no demo stands for and that is the farthest of those it names, are held against the most or the least of the demos.

mod boustro;
mod compare;
mod emerald;
mod games;
mod khepri;
mod libra;
mod re;
mod sampling;
mod terms;

#[cfg(test)]
mod tests;

pub use compare::{Compared, Verdict, compare};
pub use games::stand_in;
pub use terms::{Terms, Value};

use super::figures::Stated;

/// A number that a paper states.
#[derive(Debug, Clone, Copy)]
pub struct PaperNumber {
    /// Figure, table or subject of the paper: `re.fig13a`.
    pub id: &'static str,
    /// Section of the paper, with the rule where the number follows from others.
    pub section: &'static str,
    /// Quantity.
    pub what: &'static str,
    /// As printed.
    pub value: Value,
    /// Unit, and its relation to a figure's column.
    pub terms: Terms,
    /// Ours.
    pub ours: Ours,
    /// Further columns of which the same mean is true: figure, column.
    pub also: &'static [(&'static str, &'static str)],
}

/// Our side of a stated number.
#[derive(Debug, Clone, Copy)]
pub enum Ours {
    /// A figure over its rows.
    Measured {
        /// Figure of ours.
        figure: &'static str,
        /// Its columns.
        column: Column,
        /// Its rows.
        over: Over,
    },
    /// Nothing of ours is the same, for this reason.
    NotComparable(&'static str),
}

/// A value of a row, from its figure's columns.
#[derive(Debug, Clone, Copy)]
pub enum Column {
    /// The column of this name.
    One(&'static str),
    /// The first less the second.
    Less(&'static str, &'static str),
    /// The first, of the second.
    By(&'static str, &'static str),
    /// The mean of both.
    Both(&'static str, &'static str),
}

/// Rows that a number is of.
#[derive(Debug, Clone, Copy)]
pub enum Over {
    /// Mean of all rows.
    Mean,
    /// Most of all rows, in the paper's terms; the game that the paper names, or nothing.
    Most(&'static str),
    /// Least of them, likewise.
    Least(&'static str),
    /// Mean of the demos that stand for these games of the paper.
    Games(&'static [&'static str]),
    /// Least of them: true of each.
    EachGame(&'static [&'static str]),
    /// Share of the rows whose column is below this value, in the column's unit.
    Below(f64),
    /// The column whose mean is the greatest, by the number in its name.
    Peak,
    /// The row of this name.
    Row(&'static str),
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
    /// The study that it belongs to: the first word of its name.
    #[must_use]
    pub fn study(&self) -> &'static str {
        self.id.split('.').next().unwrap_or(self.id)
    }

    /// Its paper.
    #[must_use]
    pub fn paper(&self) -> &'static str {
        let study = self.study();
        let paper = PAPERS.iter().find(|(word, ..)| *word == study);
        paper.map_or("", |(_, title, _)| title)
    }

    /// The figure of ours, if one is held against it.
    #[must_use]
    pub const fn figure(&self) -> Option<&'static str> {
        match self.ours {
            Ours::Measured { figure, .. } => Some(figure),
            Ours::NotComparable(_) => None,
        }
    }

    /// Whether it is the mean of columns, as [`Figure::stated`](crate::study::Figure::stated) has it.
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

/// The beginning of a number: where it stands, and what it is of.
const fn said(id: &'static str, section: &'static str, what: &'static str) -> PaperNumber {
    PaperNumber {
        id,
        section,
        what,
        value: Value::Exactly(0.0),
        terms: Terms::Share,
        ours: Ours::NotComparable(""),
        also: &[],
    }
}

impl PaperNumber {
    const fn is(mut self, value: f64, terms: Terms) -> Self {
        self.value = Value::Exactly(value);
        self.terms = terms;
        self
    }

    const fn reads(mut self, value: Value, terms: Terms) -> Self {
        self.value = value;
        self.terms = terms;
        self
    }

    const fn beside(mut self, figure: &'static str, column: Column, over: Over) -> Self {
        self.ours = Ours::Measured {
            figure,
            column,
            over,
        };
        self
    }

    const fn mean(self, figure: &'static str, column: &'static str) -> Self {
        self.beside(figure, Column::One(column), Over::Mean)
    }

    const fn games(
        self,
        figure: &'static str,
        column: Column,
        games: &'static [&'static str],
    ) -> Self {
        self.beside(figure, column, Over::Games(games))
    }

    const fn also(mut self, columns: &'static [(&'static str, &'static str)]) -> Self {
        self.also = columns;
        self
    }

    const fn not_comparable(mut self, why: &'static str) -> Self {
        self.ours = Ours::NotComparable(why);
        self
    }
}
