//! From values by point to figures and tables: how far each assumption moves each headline, and which of them turns its
//! conclusion.

use super::headline::{COLUMNS, Headline};
use super::table::ASSUMPTIONS;
use crate::definition::StudyTable;
use crate::figures::{Figure, FigureRow, Unit};

/// Mean of a headline over its games at one point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Measured {
    pub(super) headline: Headline,
    /// Position in the table, and of the other value in its list; none as shipped.
    pub(super) change: Option<(usize, usize)>,
    pub(super) mean: Option<f64>,
}

/// Effect of an assumption on a headline.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Effect {
    assumption: usize,
    /// Least and greatest change over all values, our reading among them.
    least: f64,
    most: f64,
    /// Whether some value turns the conclusion.
    turns: bool,
}

impl Effect {
    fn span(&self) -> f64 {
        self.most - self.least
    }
}

/// Value of a headline as shipped.
fn shipped(all: &[Measured], headline: Headline) -> Option<f64> {
    let mut own = all.iter().filter(|own| own.headline == headline);
    own.find(|own| own.change.is_none())?.mean
}

/// Effects on a headline, the largest first.
fn effects(all: &[Measured], headline: Headline) -> Vec<Effect> {
    let Some(ours) = shipped(all, headline) else {
        return Vec::new();
    };
    let effect = |assumption: usize| {
        let own = all.iter().filter(|own| own.headline == headline);
        let own = own.filter(|own| own.change.is_some_and(|(at, _)| at == assumption));
        let values: Vec<f64> = own.filter_map(|own| own.mean).collect();
        let changes = || values.iter().map(move |value| value - ours);
        (!values.is_empty()).then(|| Effect {
            assumption,
            least: changes().fold(0.0, f64::min),
            most: changes().fold(0.0, f64::max),
            turns: (values.iter()).any(|value| headline.holds(*value) != headline.holds(ours)),
        })
    };
    let mut effects: Vec<_> = (0..ASSUMPTIONS.len()).filter_map(effect).collect();
    effects.sort_by(|a, b| b.span().total_cmp(&a.span()));
    effects
}

/// Figure of a headline: a row for each assumption, the one that moves it most first.
pub(super) fn figure(all: &[Measured], headline: Headline) -> Figure {
    let title = headline.figure();
    let row = |effect: &Effect| FigureRow {
        game: ASSUMPTIONS[effect.assumption].name.to_owned(),
        bars: vec![Some(effect.least), Some(effect.most)],
    };
    Figure {
        id: title.id,
        title: title.title,
        unit: Unit::Percent,
        form: title.form,
        note: None,
        columns: COLUMNS,
        rows: effects(all, headline).iter().map(row).collect(),
        mean: vec![None; COLUMNS.len()],
        geometric_mean: vec![None; COLUMNS.len()],
        weighted_mean: None,
        stated: Vec::new(),
    }
}

/// Table of what decides each headline.
pub(super) fn decisions(all: &[Measured], headlines: &[Headline]) -> StudyTable {
    let row = |headline: &Headline| {
        let effects = effects(all, *headline);
        let name = |effect: &Effect| ASSUMPTIONS[effect.assumption].name.to_owned();
        let turned: Vec<_> = (effects.iter()).filter(|own| own.turns).map(name).collect();
        let first = effects.first();
        let ours = shipped(all, *headline);
        vec![
            headline.name().to_owned(),
            conclusion(*headline, ours),
            first.map_or("-".to_owned(), name),
            match turned.is_empty() {
                true => "none".to_owned(),
                false => turned.join(", "),
            },
            percent(ours),
            percent(headline.paper()),
            first.map_or("-".to_owned(), |own| points(own.least)),
            first.map_or("-".to_owned(), |own| points(own.most)),
        ]
    };
    StudyTable {
        title: "decisions",
        note: "decided by: the assumption that moves the headline most, with its least and greatest change in points; turned by: those \
               with a value that turns the paper's conclusion, or back; paper: the mean that it states of its own games",
        columns: &[
            "headline",
            "conclusion",
            "decided by",
            "turned by",
            "ours %",
            "paper %",
            "least",
            "most",
        ],
        words: 4,
        rows: headlines.iter().map(row).collect(),
    }
}

/// Table of all points.
pub(super) fn values(all: &[Measured]) -> StudyTable {
    let row = |own: &Measured| {
        let ours = shipped(all, own.headline);
        let (assumption, value) = match own.change {
            None => ("as shipped", "-"),
            Some((at, other)) => (ASSUMPTIONS[at].name, ASSUMPTIONS[at].others[other]),
        };
        let change = own.mean.zip(ours).map(|(mean, ours)| mean - ours);
        vec![
            own.headline.name().to_owned(),
            assumption.to_owned(),
            value.to_owned(),
            conclusion(own.headline, own.mean),
            percent(own.mean),
            change.map_or("-".to_owned(), points),
        ]
    };
    StudyTable {
        title: "headlines by assumption",
        note: "one assumption at a time, all else as shipped: mean over the games in percent, and its change in points",
        columns: &[
            "headline",
            "assumption",
            "value",
            "conclusion",
            "%",
            "change",
        ],
        words: 4,
        rows: all.iter().map(row).collect(),
    }
}

fn conclusion(headline: Headline, value: Option<f64>) -> String {
    let holds = value.map(|value| headline.holds(value));
    let word = match holds {
        None => "-",
        Some(true) => "holds",
        Some(false) => "does not",
    };
    word.to_owned()
}

fn percent(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{:.2}", 100.0 * value))
}

fn points(change: f64) -> String {
    // No minus before nothing.
    let change = 100.0 * change;
    let change = if change.abs() < 0.005 { 0.0 } else { change };
    format!("{change:+.2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_are_sorted_by_span_and_say_what_turns() {
        let at = |change, mean| Measured {
            headline: Headline::Ptr,
            change,
            mean: Some(mean),
        };
        let position = |name: &str| ASSUMPTIONS.iter().position(|own| own.name == name);
        let [warps, corner] =
            ["warp width", "first corner"].map(|name| position(name).expect("listed"));
        let all = [
            at(None, 1.10),
            at(Some((corner, 0)), 1.12),
            at(Some((corner, 1)), 1.11),
            at(Some((warps, 0)), 0.98),
            at(Some((warps, 1)), 1.13),
        ];
        let figure = figure(&all, Headline::Ptr);
        let names: Vec<_> = figure.rows.iter().map(|row| row.game.as_str()).collect();
        assert_eq!(names, ["warp width", "first corner"], "the largest first");
        let least = figure.rows[1].bars[0].expect("measured");
        assert!(least.abs() < 1e-12, "our reading is among the values");
        let decided = &decisions(&all, &[Headline::Ptr]).rows[0];
        assert_eq!(decided[..4], ["ptr", "holds", "warp width", "warp width"]);
        assert_eq!(decided[6..], ["-12.00", "+3.00"], "in points");
        assert_eq!(values(&all).rows[3][3], "does not", "slower than one unit");
    }
}
