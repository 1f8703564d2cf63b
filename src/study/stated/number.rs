//! Numbers of papers as data: section, value, terms, and the figure of ours that one is held against.

use super::terms::{Terms, Value};

/// Number that a paper states.
#[derive(Debug, Clone, Copy)]
pub struct PaperNumber {
    /// Figure, table or subject of the paper: `re.fig13a`.
    pub id: &'static str,
    /// Section of the paper, with the rule where the number follows from others.
    pub section: &'static str,
    /// Quantity that it states, in words.
    pub what: &'static str,
    /// Value as the paper prints it.
    pub value: Value,
    /// Unit, and its relation to a figure's column.
    pub terms: Terms,
    /// Side of ours that is held against it.
    pub ours: Ours,
    /// Further columns of which the same mean is true: figure, column.
    pub also: &'static [(&'static str, &'static str)],
}

/// Our side of a stated number.
#[derive(Debug, Clone, Copy)]
pub enum Ours {
    /// A figure over its rows.
    Measured {
        /// Name of the figure of ours.
        figure: &'static str,
        /// Columns of the figure that give a row's value.
        column: Column,
        /// Rows of the figure that it is taken over.
        over: Over,
    },
    /// No figure of ours is comparable, for this reason.
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
    /// Least of all rows, in the paper's terms; the game that the paper names, or nothing.
    Least(&'static str),
    /// Mean of the demos that stand for these games of the paper.
    Games(&'static [&'static str]),
    /// Least of the demos that stand for these games: true of each.
    EachGame(&'static [&'static str]),
    /// Share of the rows whose column is below this value, in the column's unit.
    Below(f64),
    /// The column whose mean is the greatest, by the number in its name.
    Peak,
    /// The row of this name.
    Row(&'static str),
}

/// Begins a number with its place in the paper and its quantity.
pub(super) const fn said(
    id: &'static str,
    section: &'static str,
    what: &'static str,
) -> PaperNumber {
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
    pub(super) const fn is(mut self, value: f64, terms: Terms) -> Self {
        self.value = Value::Exactly(value);
        self.terms = terms;
        self
    }

    pub(super) const fn reads(mut self, value: Value, terms: Terms) -> Self {
        self.value = value;
        self.terms = terms;
        self
    }

    pub(super) const fn beside(mut self, figure: &'static str, column: Column, over: Over) -> Self {
        self.ours = Ours::Measured {
            figure,
            column,
            over,
        };
        self
    }

    pub(super) const fn mean(self, figure: &'static str, column: &'static str) -> Self {
        self.beside(figure, Column::One(column), Over::Mean)
    }

    pub(super) const fn games(
        self,
        figure: &'static str,
        column: Column,
        games: &'static [&'static str],
    ) -> Self {
        self.beside(figure, column, Over::Games(games))
    }

    pub(super) const fn also(mut self, columns: &'static [(&'static str, &'static str)]) -> Self {
        self.also = columns;
        self
    }

    pub(super) const fn not_comparable(mut self, why: &'static str) -> Self {
        self.ours = Ours::NotComparable(why);
        self
    }
}
