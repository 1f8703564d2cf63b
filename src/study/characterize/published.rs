//! Published properties of games beside the demos': targets with their sources from one file, ours, and the distance.

use serde::{Deserialize, Serialize};

use super::Character;
use super::columns::CharacterColumn;
use crate::figures::{mean, ratio};
use crate::suites::PaperSuite;
use azulejo_demo::{Demo, Kind};

/// Text of the file.
const FILE: &str = include_str!("published.toml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Targets {
    target: Vec<LoadTarget>,
}

/// Property of games that a source tells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadTarget {
    /// Name of the column that measures it.
    pub key: String,
    /// Statistic over the demos.
    pub over: TargetOver,
    /// Value below which demos are counted, if they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// Study for whose paper's games the demos must stand, if for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<String>,
    /// Kind of the demos in words, if of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Published value, in the column's unit.
    pub target: TargetValue,
    /// Certainty of the value.
    pub basis: TargetBasis,
    /// Publication and place, or the grounds of a judgement.
    pub source: String,
}

/// Statistic over the values of demos.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TargetOver {
    /// Arithmetic mean.
    Mean,
    /// Middle value.
    Median,
    /// Value that a quarter of the others lies below.
    LowerQuartile,
    /// Value that a quarter of the others lies above.
    UpperQuartile,
    /// Least value.
    Least,
    /// Greatest value.
    Most,
    /// Share of the values below a bound.
    Below,
}

/// Certainty of a published value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TargetBasis {
    /// Printed in the source.
    Stated,
    /// Follows from printed numbers.
    Derived,
    /// Set by judgement, as no source tells it.
    Judgement,
}

/// Published value: a number, or a range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TargetValue {
    /// A number.
    Number(f64),
    /// All from the first to the second.
    Range([f64; 2]),
}

/// Target beside the demos.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TargetFinding {
    /// Property and source.
    #[serde(flatten)]
    pub target: LoadTarget,
    /// Column that measures it.
    #[serde(skip_serializing)]
    pub column: &'static CharacterColumn,
    /// Number of demos that it is taken over.
    pub demos: usize,
    /// Statistic over these demos, in the column's unit; `None` where nothing was measured.
    pub ours: Option<f64>,
    /// Distance from the target as a share of it.
    pub distance: Option<f64>,
}

/// Reads the targets of the file.
///
/// # Errors
/// A file of another form.
pub fn load_targets() -> Result<Vec<LoadTarget>, toml::de::Error> {
    toml::from_str::<Targets>(FILE).map(|targets| targets.target)
}

impl TargetValue {
    /// Distance of a value as a share of the number, or of the end of the range that is nearer; 0 within the range.
    #[must_use]
    pub fn distance(self, ours: f64) -> f64 {
        let [least, most] = match self {
            Self::Number(number) => [number; 2],
            Self::Range(ends) => ends,
        };
        let end = ours.clamp(least, most);
        ((ours - end) / end).abs()
    }
}

impl TargetOver {
    /// Words for tables.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Median => "median",
            Self::LowerQuartile => "lower quartile",
            Self::UpperQuartile => "upper quartile",
            Self::Least => "least",
            Self::Most => "most",
            Self::Below => "share below",
        }
    }

    /// Statistic over values; none of no values.
    fn of(self, mut values: Vec<f64>, bound: f64) -> Option<f64> {
        values.sort_by(f64::total_cmp);
        match self {
            Self::Mean => mean(&values),
            Self::Median => quantile(&values, 0.5),
            Self::LowerQuartile => quantile(&values, 0.25),
            Self::UpperQuartile => quantile(&values, 0.75),
            Self::Least => values.first().copied(),
            Self::Most => values.last().copied(),
            Self::Below => {
                let below = values.iter().filter(|value| **value < bound).count();
                ratio(below as f64, values.len() as f64)
            }
        }
    }
}

impl TargetBasis {
    /// Word for tables.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Stated => "stated",
            Self::Derived => "derived",
            Self::Judgement => "judgement",
        }
    }
}

/// Value at (n + 1) times the share of sorted values, between neighbours in proportion.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = (share * (sorted.len() + 1) as f64 - 1.0).clamp(0.0, last as f64);
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    Some(sorted[below] + (sorted[above] - sorted[below]) * place.fract())
}

impl LoadTarget {
    /// Whether a demo is one of those that it is taken over.
    fn is_of(&self, name: &str) -> bool {
        let suite = self.suite.as_deref().and_then(PaperSuite::of);
        let stands = suite.is_none_or(|suite| suite.games_of(name).next().is_some());
        let kind = Demo::find(name).map(|demo| Kind::name(demo.kind));
        stands && (self.kind.is_none() || self.kind.as_deref() == kind)
    }

    /// Target beside characters of demos by name; none where no column has its name.
    #[must_use]
    pub fn beside(&self, demos: &[(&str, &Character)]) -> Option<TargetFinding> {
        let column = CharacterColumn::find(&self.key)?;
        let own = demos.iter().filter(|(name, _)| self.is_of(name));
        let values = own.filter_map(|(_, character)| (column.of)(character));
        let values: Vec<f64> = values.collect();
        let n_demos = values.len();
        let ours = self.over.of(values, self.bound.unwrap_or(0.0));
        Some(TargetFinding {
            target: self.clone(),
            column,
            demos: n_demos,
            ours,
            distance: ours.map(|ours| self.target.distance(ours)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::PAPER_SUITES;

    fn targets() -> Vec<LoadTarget> {
        load_targets().expect("the file's form")
    }

    #[test]
    fn every_target_has_a_column_a_source_and_demos() {
        let targets = targets();
        assert!(targets.len() >= 20, "{} targets", targets.len());
        for (at, own) in targets.iter().enumerate() {
            let key = &own.key;
            assert!(CharacterColumn::find(key).is_some(), "{key}: no column");
            assert!(own.source.len() > 10, "{key}: its source");
            let is_bounded = own.over == TargetOver::Below;
            assert_eq!(own.bound.is_some(), is_bounded, "{key}: a bound");
            let any = Demo::all().any(|demo| own.is_of(demo.name));
            assert!(any, "{key}: no demo");
            let same = |other: &LoadTarget| {
                other.key == own.key
                    && other.over == own.over
                    && other.suite == own.suite
                    && other.kind == own.kind
            };
            assert!(!targets[at + 1..].iter().any(same), "{key} twice");
            let names_paper = (PAPER_SUITES.iter())
                .filter(|suite| Some(suite.study) == own.suite.as_deref())
                .any(|suite| own.source.contains(suite.paper));
            let is_judged = own.basis == TargetBasis::Judgement;
            assert_ne!(names_paper, is_judged, "{key}: {}", own.source);
        }
    }

    /// Footprints of Table II by the printed numbers, which stand in the table of suites.
    #[test]
    fn footprints_are_those_of_the_papers_table() {
        let libra = PaperSuite::of("libra").expect("a paper");
        let printed = libra.games.iter().filter_map(|game| game.footprint);
        let printed: Vec<f64> = printed.collect();
        let targets = targets();
        let footprints = targets.iter().filter(|own| own.key == "texture_bytes");
        let mut n_checked = 0;
        for own in footprints {
            let found = own.over.of(printed.clone(), 0.0).expect("32 games");
            let distance = own.target.distance(1e6 * found);
            assert!(distance < 0.001, "{:?}: {found} MB", own.over);
            n_checked += 1;
        }
        assert_eq!(n_checked, 4, "mean, median and quartiles");
    }

    #[test]
    fn distances_are_shares_of_the_target_or_its_nearer_end() {
        let number = TargetValue::Number(200.0);
        let range = TargetValue::Range([2.0, 4.0]);
        for (target, ours, expected) in [
            (number, 200.0, 0.0),
            (number, 250.0, 0.25),
            (number, 50.0, 0.75),
            (range, 3.0, 0.0),
            (range, 1.0, 0.5),
            (range, 5.0, 0.25),
        ] {
            assert_eq!(target.distance(ours), expected, "{target:?}: {ours}");
        }
    }

    #[test]
    fn statistics_are_those_of_a_list_by_hand() {
        let values = || vec![4.0, 1.0, 2.0];
        for (over, expected) in [
            (TargetOver::Mean, 7.0 / 3.0),
            (TargetOver::Median, 2.0),
            (TargetOver::LowerQuartile, 1.0),
            (TargetOver::UpperQuartile, 4.0),
            (TargetOver::Least, 1.0),
            (TargetOver::Most, 4.0),
            (TargetOver::Below, 1.0 / 3.0),
        ] {
            assert_eq!(over.of(values(), 2.0), Some(expected), "{over:?}");
            assert_eq!(over.of(Vec::new(), 2.0), None, "{over:?} of nothing");
        }
    }

    #[test]
    fn targets_are_taken_over_the_demos_that_they_are_of() {
        let of = |primitives| Character {
            primitives: Some(primitives),
            ..Character::default()
        };
        let (flat, solid, other) = (of(1000.0), of(25_000.0), of(7.0));
        let demos = [("match3", &flat), ("arena", &solid), ("scene", &other)];
        let targets = targets();
        let triangles = |kind: &str| {
            let own =
                |own: &&LoadTarget| own.key == "primitives" && own.kind.as_deref() == Some(kind);
            let target = targets.iter().find(own).expect("a target");
            target.beside(&demos).expect("a column")
        };
        let found = triangles("2D");
        assert_eq!((found.demos, found.ours), (1, Some(1000.0)), "match3");
        assert_eq!(found.distance, Some(0.5), "half of the least of the range");
        assert_eq!(triangles("3D").distance, Some(0.0), "arena is within");
        let samples = targets.iter().find(|own| own.key == "fragment_samples");
        let samples = samples.expect("a target").beside(&demos).expect("a column");
        assert_eq!((samples.demos, samples.distance), (0, None), "not measured");
    }
}
