//! Stated numbers beside measured ones: figures in, a row with distance and verdict for each number out.

use serde::Serialize;

use super::{Column, Ours, Over, PaperNumber, Terms, Value, numbers};
use crate::figures::{Figure, FigureRow, mean, ratio};

/// Share of the stated number up to which ours agrees.
const TOLERANCE: f64 = 0.1;

/// Relation of a measured number to a stated one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Ours is within a tenth of it, or beyond the bound that the paper gives.
    Agrees,
    /// Ours is on the same side of "no difference".
    SameDirection,
    /// Ours is neither near nor on the same side.
    Differs,
    /// The figure was not measured, or holds no such row.
    NotMeasured,
    /// No figure of ours is comparable.
    NotComparable,
}

impl Verdict {
    /// All verdicts, in the order in which they are counted.
    pub const ALL: [Self; 5] = [
        Self::Agrees,
        Self::SameDirection,
        Self::Differs,
        Self::NotMeasured,
        Self::NotComparable,
    ];

    /// Verdict in words, for tables.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::SameDirection => "same direction",
            Self::Differs => "differs",
            Self::NotMeasured => "not measured",
            Self::NotComparable => "not comparable",
        }
    }

    /// Rule of the verdicts, for people.
    pub const RULE: &'static str = "agrees: within 10 % of the stated number, or beyond the bound that is stated; \
         same direction: on the same side of no difference (changes and speedups alone); differs: neither";
}

/// Comparison of a stated number with ours, both in the paper's terms.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    /// Title of the paper.
    pub paper: &'static str,
    /// Figure, table or subject of the paper.
    pub id: &'static str,
    /// Section of the paper.
    pub section: &'static str,
    /// Quantity of the number.
    pub what: &'static str,
    /// Games of the number, with the demos that stand for them.
    pub of: String,
    /// The stated number in words, with its bound and unit.
    pub stated: String,
    /// Stated number, in the unit.
    pub value: f64,
    /// Unit of the numbers; empty for counts.
    pub unit: &'static str,
    /// Number of ours, in the unit.
    pub ours: Option<f64>,
    /// Ours less the stated number.
    pub distance: Option<f64>,
    /// Relation of ours to it.
    pub verdict: Verdict,
    /// Reason for having nothing to compare; `None` where there is a comparison.
    pub why: Option<String>,
    /// Name of the figure of ours.
    pub figure: Option<&'static str>,
    #[serde(skip)]
    terms: Terms,
}

/// Every stated number that `is_meant`, in the papers' order, beside ours by these figures.
#[must_use]
pub fn compare(figures: &[&Figure], is_meant: impl Fn(&PaperNumber) -> bool) -> Vec<Compared> {
    let meant = numbers().filter(|number| is_meant(number));
    meant.map(|number| compared(number, figures)).collect()
}

fn compared(number: &PaperNumber, figures: &[&Figure]) -> Compared {
    let (terms, value) = (number.terms, number.value);
    let (of, found) = match number.ours {
        Ours::NotComparable(why) => (String::new(), Err((Verdict::NotComparable, why.to_owned()))),
        Ours::Measured {
            figure,
            column,
            over,
        } => {
            let found = figures.iter().find(|drawn| drawn.id == figure);
            let ours = found.ok_or_else(|| not_measured(format!("needs `azulejo study {figure}`")));
            let ours = ours.and_then(|figure| measured(number, figure, column, over));
            (words(number, over), ours)
        }
    };
    let ours = found.as_ref().ok().copied();
    let verdict = match &found {
        Ok(found) => verdict(value, terms, *found),
        Err((verdict, _)) => *verdict,
    };
    Compared {
        paper: number.paper(),
        id: number.id,
        section: number.section,
        what: number.what,
        of,
        stated: value.words(terms),
        value: value.number(),
        unit: terms.unit().trim_start(),
        ours,
        distance: ours.map(|ours| ours - value.number()),
        verdict,
        why: found.err().map(|(_, why)| why),
        figure: number.figure(),
        terms,
    }
}

impl Compared {
    /// Ours in words; `-` where there is none.
    #[must_use]
    pub fn ours_in_words(&self) -> String {
        let decimals = self.terms.decimals();
        let number = |ours| format!("{ours:.decimals$}{}", self.terms.unit());
        self.ours.map_or("-".to_owned(), number)
    }

    /// The distance in words.
    #[must_use]
    pub fn distance_in_words(&self) -> String {
        let decimals = self.terms.decimals();
        let number = |distance| format!("{distance:+.decimals$}{}", self.terms.difference());
        self.distance.map_or("-".to_owned(), number)
    }

    /// Verdict in words, with the reason where nothing was compared.
    #[must_use]
    pub fn verdict_in_words(&self) -> String {
        let verdict = self.verdict.words();
        match &self.why {
            Some(why) => format!("{verdict}: {why}"),
            None => verdict.to_owned(),
        }
    }
}

type Reason = (Verdict, String);

fn not_measured(why: String) -> Reason {
    (Verdict::NotMeasured, why)
}

/// Our number in the paper's terms.
fn measured(
    number: &PaperNumber,
    figure: &Figure,
    column: Column,
    over: Over,
) -> Result<f64, Reason> {
    let terms = number.terms;
    let nothing = || not_measured("no such value was measured".to_owned());
    let values = |rows: &mut dyn Iterator<Item = &FigureRow>| -> Vec<f64> {
        rows.filter_map(|row| value(figure, column, &row.bars))
            .collect()
    };
    let all = || values(&mut figure.rows.iter());
    let of_games = |games: &[&str]| -> Result<Vec<f64>, Reason> {
        let demos = games.iter().filter_map(|game| number.stand_in(game));
        let demos: Vec<_> = demos.collect();
        if demos.is_empty() {
            let why = format!("no demo stands for {}", games.join(", "));
            return Err((Verdict::NotComparable, why));
        }
        let mut rows = figure.rows.iter();
        Ok(values(
            &mut rows.by_ref().filter(|row| demos.contains(&&*row.game)),
        ))
    };
    let in_terms = |values: Vec<f64>| values.into_iter().map(|value| terms.of_column(value));
    let found = match over {
        Over::Mean if figure.rows.len() < 2 => {
            return Err(not_measured("a single demo has no mean".to_owned()));
        }
        Over::Mean => mean(&all()).map(|value| terms.of_column(value)),
        Over::Most(_) => in_terms(all()).reduce(f64::max),
        Over::Least(_) => in_terms(all()).reduce(f64::min),
        Over::Games(games) => mean(&of_games(games)?).map(|value| terms.of_column(value)),
        Over::EachGame(games) => in_terms(of_games(games)?).reduce(f64::min),
        Over::Below(bound) => {
            let values = all();
            let below = values.iter().filter(|value| **value < bound).count();
            ratio(below as f64, values.len() as f64).map(|value| terms.of_column(value))
        }
        Over::Peak => peak(figure),
        Over::Row(name) => {
            let row = figure.rows.iter().find(|row| row.game == name);
            let value = row.and_then(|row| value(figure, column, &row.bars));
            value.map(|value| terms.of_column(value))
        }
    };
    found.filter(|found| found.is_finite()).ok_or_else(nothing)
}

/// Value of a row in a column.
fn value(figure: &Figure, column: Column, bars: &[Option<f64>]) -> Option<f64> {
    let of = |name: &str| {
        let at = figure.columns.iter().position(|column| *column == name)?;
        *bars.get(at)?
    };
    match column {
        Column::One(name) => of(name),
        Column::Less(a, b) => Some(of(a)? - of(b)?),
        Column::By(a, b) => ratio(of(a)?, of(b)?),
        Column::Both(a, b) => Some(f64::midpoint(of(a)?, of(b)?)),
    }
}

/// Number at the beginning of the name of the column with the greatest mean; a name without one is that of "never", which
/// is 100 %.
fn peak(figure: &Figure) -> Option<f64> {
    let columns = figure.columns.iter().zip(&figure.mean);
    let columns = columns.filter_map(|(name, mean)| Some((*name, (*mean)?)));
    let (name, _) = columns.reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    let number = name.split(' ').next().and_then(|word| word.parse().ok());
    Some(number.unwrap_or(100.0))
}

/// Rows in words, with the demos that stand for games.
fn words(number: &PaperNumber, over: Over) -> String {
    let games = |games: &[&str]| -> String {
        let named = games.iter().map(|game| match number.stand_in(game) {
            Some(demo) => format!("{game} ({demo})"),
            None => (*game).to_owned(),
        });
        named.collect::<Vec<_>>().join(", ")
    };
    match over {
        Over::Mean => "mean".to_owned(),
        Over::Most("") => "most".to_owned(),
        Over::Most(game) => format!("most ({game})"),
        Over::Least("") => "least".to_owned(),
        Over::Least(game) => format!("least ({game})"),
        Over::Games(names) => games(names),
        Over::EachGame(names) => format!("each of {}", games(names)),
        Over::Below(_) => "games".to_owned(),
        Over::Peak => "best mean".to_owned(),
        Over::Row(_) => String::new(),
    }
}

/// Verdict by [`Verdict::RULE`]. A bound has a direction where it leaves "no difference" out.
pub(super) fn verdict(stated: Value, terms: Terms, ours: f64) -> Verdict {
    let (holds, has_direction) = match stated {
        Value::Exactly(_) | Value::About(_) | Value::Games(..) => (false, true),
        Value::Below(bound) => (ours < bound, terms.neutral().is_some_and(|n| bound < n)),
        Value::Above(bound) => (ours > bound, terms.neutral().is_some_and(|n| bound > n)),
        Value::Between(least, most) => ((least..=most).contains(&ours), true),
    };
    let ends = match stated {
        Value::Between(least, most) => [least, most],
        _ => [stated.number(); 2],
    };
    let is_near = |end: f64| (ours - end).abs() <= TOLERANCE * end.abs();
    if holds || ends.into_iter().any(is_near) {
        return Verdict::Agrees;
    }
    let is_same_side = |neutral| (ours - neutral) * (stated.number() - neutral) > 0.0;
    match terms.neutral() {
        Some(neutral) if has_direction && is_same_side(neutral) => Verdict::SameDirection,
        _ => Verdict::Differs,
    }
}
