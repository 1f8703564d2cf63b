//! Verdicts: limits and measured numbers in, a table, JSON or GitHub's annotations out.

use std::path::Path;

use serde::Serialize;

use super::budget::{Budget, Golden};
use azulejo_render::output::Difference;
use azulejo_report::{Align, aligned, number_text};

/// Verdict on a line of the budget: whether it is kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Verdict {
    /// Subject and number in words.
    name: String,
    /// Most that the number may be.
    limit: f64,
    /// Number as it was measured.
    measured: f64,
    /// Line of the limit in the budget, from 1.
    line: usize,
    /// Whether the number is within its limit.
    pub(super) holds: bool,
}

impl Verdict {
    fn new(name: String, limit: f64, measured: f64, line: usize) -> Self {
        Self {
            name,
            limit,
            measured,
            line,
            holds: measured <= limit,
        }
    }

    /// Distance of the number from its limit, in words.
    fn distance(&self) -> String {
        let over = self.measured - self.limit;
        match (self.holds, self.limit) {
            (true, _) if over == 0.0 => "kept, to the full".to_owned(),
            (true, _) => format!("kept, {:.1} % left", -100.0 * over / self.limit),
            (false, 0.0) => "OVER".to_owned(),
            (false, limit) => format!("OVER by {:.2} %", 100.0 * over / limit),
        }
    }
}

/// A verdict for each limit of the budget.
pub(super) fn of_limits(budget: &Budget, measured: &[f64]) -> Vec<Verdict> {
    let limits = budget.limits.iter().zip(measured);
    limits
        .map(|(limit, measured)| Verdict::new(limit.title(), limit.most, *measured, limit.line))
        .collect()
}

/// Verdicts on a picture that is `difference` away from the golden one.
pub(super) fn of_picture(golden: &Golden, difference: &Difference) -> [Verdict; 3] {
    let share = difference.differing as f64 / difference.pixels.max(1) as f64;
    [
        (
            "picture: pixels that differ, in percent",
            golden.pixels,
            100.0 * share,
        ),
        (
            "picture: mean difference, of 255",
            golden.mean,
            difference.mean_diff,
        ),
        (
            "picture: largest difference, of 255",
            golden.max,
            f64::from(difference.max_diff),
        ),
    ]
    .map(|(name, limit, measured)| Verdict::new(name.to_owned(), limit, measured, golden.line))
}

/// Table of the verdicts, a line for each.
pub(super) fn table(scene: &str, budget: &Path, verdicts: &[Verdict]) -> String {
    let header = ["", "budget", "measured", ""].map(str::to_owned);
    let mut rows = vec![header.to_vec()];
    rows.extend(verdicts.iter().map(|verdict| {
        vec![
            verdict.name.clone(),
            number_text(verdict.limit),
            number_text(verdict.measured),
            verdict.distance(),
        ]
    }));
    let align = [Align::Left, Align::Right, Align::Right];
    format!(
        "{scene} within {}\n{}",
        budget.display(),
        aligned(&rows, &align)
    )
}

/// Annotations of the limits that are not kept, as GitHub reads them from a job's output.
pub(super) fn annotations(scene: &str, budget: &Path, verdicts: &[Verdict]) -> String {
    let broken = verdicts.iter().filter(|verdict| !verdict.holds);
    broken
        .map(|verdict| {
            let Verdict { name, line, .. } = verdict;
            let (limit, measured) = (number_text(verdict.limit), number_text(verdict.measured));
            let message = format!("{scene}: {name} is {measured}, its budget {limit}");
            format!(
                "::error file={},line={line},title={}::{}\n",
                property(&budget.to_string_lossy()),
                property(&format!("{name} over budget")),
                data(&message)
            )
        })
        .collect()
}

/// Escapes the message of an annotation.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes a property of an annotation.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts() -> Vec<Verdict> {
        [
            ("overdraw", 2.0, 2.5),
            ("machine cycles", 100.0, 99.0),
            ("lines", 0.0, 1.0),
            ("x", 3.0, 3.0),
        ]
        .map(|(name, limit, measured)| Verdict::new(name.to_owned(), limit, measured, 4))
        .into()
    }

    #[test]
    fn table_says_how_far_each_is_from_its_limit() {
        let text = table("fox", Path::new("b.toml"), &verdicts());
        let words = [
            "OVER by 25.00 %",
            "kept, 1.0 % left",
            "OVER\n",
            "kept, to the full",
        ];
        for (line, word) in text.lines().skip(2).zip(words) {
            assert!(format!("{line}\n").contains(word), "{word}: {line}");
        }
    }

    #[test]
    fn annotations_are_of_broken_limits_and_escaped() {
        let text = annotations("a%,b", Path::new("x:y/b,1.toml"), &verdicts()[..2]);
        let expected = "::error file=x%3Ay/b%2C1.toml,line=4,title=overdraw over budget::a%25,b: overdraw is 2.50000, its budget 2\n";
        assert_eq!(text, expected, "as GitHub's own tool kit escapes");
    }
}
