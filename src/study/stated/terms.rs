//! A number as a paper prints it, and its relation to a column of a figure.

use serde::Serialize;

/// A stated value, as far as the paper is certain of it. In the unit of its [`Terms`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// Value as it is printed.
    Exactly(f64),
    /// Value behind "about", "around", "almost".
    About(f64),
    /// Bound behind "less than", "smaller than".
    Below(f64),
    /// Bound behind "more than", "over".
    Above(f64),
    /// Range from the first to the second.
    Between(f64, f64),
    /// Share of games: the first number of them, of the second.
    Games(u32, u32),
}

impl Value {
    /// Single number for it: the printed one, the middle of a range, the share of games in percent.
    #[must_use]
    pub fn number(self) -> f64 {
        match self {
            Self::Exactly(value) | Self::About(value) | Self::Below(value) | Self::Above(value) => {
                value
            }
            Self::Between(least, most) => f64::midpoint(least, most),
            Self::Games(n, all) => 100.0 * f64::from(n) / f64::from(all),
        }
    }

    /// Value in words, with its bound and unit.
    pub(super) fn words(self, terms: Terms) -> String {
        let unit = terms.unit();
        match self {
            Self::Exactly(value) => format!("{value}{unit}"),
            Self::About(value) => format!("about {value}{unit}"),
            Self::Below(value) => format!("< {value}{unit}"),
            Self::Above(value) => format!("> {value}{unit}"),
            Self::Between(least, most) => format!("{least} to {most}{unit}"),
            Self::Games(n, all) => format!("{n} of {all}"),
        }
    }
}

/// Relation of a stated number to a column `c`, which holds shares of 1 or counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Terms {
    /// 100 c %, a part of a whole.
    Share,
    /// 100 c %, a change: less than nothing is the other direction.
    Change,
    /// 100 (1 - c) %: the share saved.
    Less,
    /// 100 (c - 1) %: the share added.
    More,
    /// 100 (1 / c - 1) %: the gain of a rate by a time.
    Faster,
    /// c, a quotient as the paper prints it.
    Times,
    /// 1 / c: a speedup by a time.
    TimesFaster,
    /// 1 - c: the rest, by the share saved.
    TimesLeft,
    /// c events for a thousand instructions.
    PerKiloInstruction,
    /// c such events, a change.
    ChangePerKiloInstruction,
    /// c, a count or a length.
    Count,
    /// c KiB; the papers write KB.
    Kibibytes,
}

impl Terms {
    /// Unit behind the number, with its space.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Share | Self::Change | Self::Less | Self::More | Self::Faster => " %",
            Self::Times | Self::TimesFaster | Self::TimesLeft => "x",
            Self::PerKiloInstruction | Self::ChangePerKiloInstruction => " MPKI",
            Self::Count => "",
            Self::Kibibytes => " KB",
        }
    }

    /// Unit behind a difference of two numbers, with its space.
    pub(super) const fn difference(self) -> &'static str {
        match self {
            Self::Share | Self::Change | Self::Less | Self::More | Self::Faster => " points",
            other => other.unit(),
        }
    }

    /// Number of decimals of ours.
    pub(super) const fn decimals(self) -> usize {
        match self {
            Self::Times | Self::TimesFaster | Self::TimesLeft => 2,
            _ => 1,
        }
    }

    /// A column's value in the paper's terms.
    #[must_use]
    pub fn of_column(self, column: f64) -> f64 {
        match self {
            Self::Share | Self::Change => 100.0 * column,
            Self::Less => 100.0 * (1.0 - column),
            Self::More => 100.0 * (column - 1.0),
            Self::Faster => 100.0 * (1.0 / column - 1.0),
            Self::TimesFaster => 1.0 / column,
            Self::TimesLeft => 1.0 - column,
            Self::Times
            | Self::PerKiloInstruction
            | Self::ChangePerKiloInstruction
            | Self::Count
            | Self::Kibibytes => column,
        }
    }

    /// Inverse of [`Self::of_column`]: a column's value for `number` in the paper's terms.
    #[must_use]
    pub fn column(self, number: f64) -> f64 {
        match self {
            Self::Share | Self::Change => number / 100.0,
            Self::Less => (100.0 - number) / 100.0,
            Self::More => (100.0 + number) / 100.0,
            Self::Faster => 100.0 / (100.0 + number),
            Self::TimesFaster => 1.0 / number,
            Self::TimesLeft => 1.0 - number,
            Self::Times
            | Self::PerKiloInstruction
            | Self::ChangePerKiloInstruction
            | Self::Count
            | Self::Kibibytes => number,
        }
    }

    /// Number that means "no difference", on whose sides directions are; `None` of parts and amounts, which have none.
    pub(super) const fn neutral(self) -> Option<f64> {
        match self {
            Self::Change
            | Self::Less
            | Self::More
            | Self::Faster
            | Self::ChangePerKiloInstruction => Some(0.0),
            Self::Times | Self::TimesFaster | Self::TimesLeft => Some(1.0),
            Self::Share | Self::PerKiloInstruction | Self::Count | Self::Kibibytes => None,
        }
    }
}
