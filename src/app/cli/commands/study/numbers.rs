//! Stated numbers of the papers beside ours: text, JSON, CSV and a table of a page.

use serde::Serialize;

use super::cast::Cast;
use super::choice::Choice;
use super::result::Done;
use crate::cli::stamp::Provenance;
use azulejo_report::Align::{Left, Right};
use azulejo_report::page::Listing;
use azulejo_report::{CsvText, aligned};
use azulejo_study::{Compared, Verdict, compare};

/// Name of the table for programs.
pub(super) const TABLE: &str = "numbers";

/// Columns of that table that are text.
pub(super) const TEXTS: [&str; 10] = [
    "paper", "id", "section", "what", "of", "stated", "unit", "verdict", "why", "figure",
];

/// Numbers that belong to the choice.
pub(super) fn numbers(choice: &Choice, all: &[Done<'_>]) -> Vec<Compared> {
    let figures = all.iter().flat_map(|done| &done.findings.figures);
    let figures: Vec<_> = figures.collect();
    let measured: Vec<_> = figures.iter().map(|figure| figure.id).collect();
    compare(&figures, |number| choice.holds(number, &measured))
}

/// JSON of all stated numbers, without the figures.
#[derive(Debug, Serialize)]
pub(super) struct NumbersJson<'a> {
    rule: &'static str,
    studies: Vec<SourceJson<'a>>,
    numbers: &'a [Compared],
}

/// Study that numbers come from, with its provenance.
#[derive(Debug, Serialize)]
struct SourceJson<'a> {
    id: &'static str,
    #[serde(flatten)]
    made: Provenance,
    machine: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    suite: Option<&'a Cast>,
    unlike_paper: &'a [String],
}

/// Gathers all stated numbers as JSON, without the figures.
pub(super) fn json<'a>(all: &'a [Done<'_>], numbers: &'a [Compared]) -> NumbersJson<'a> {
    let source = |done: &'a Done<'_>| SourceJson {
        id: done.chosen.name(),
        made: Provenance::of(done.inputs),
        machine: done.machine(),
        suite: done.cast.as_ref(),
        unlike_paper: &done.unlike,
    };
    NumbersJson {
        rule: Verdict::RULE,
        studies: all.iter().map(source).collect(),
        numbers,
    }
}

/// Tables for people, a table a paper, with the differences between the measurements and the papers'.
pub(super) fn text(all: &[Done<'_>], numbers: &[Compared]) -> String {
    let mut texts = Vec::new();
    for of_paper in numbers.chunk_by(|a, b| a.paper == b.paper) {
        let mut rows = vec![COLUMNS[1..].iter().map(|name| (*name).to_owned()).collect()];
        rows.extend(of_paper.iter().map(|number| cells(number)[1..].to_vec()));
        let align = [Left, Left, Left, Right, Right, Right, Left];
        texts.push(format!("{}\n{}", of_paper[0].paper, aligned(&rows, &align)));
    }
    let mut notes = vec![counts(numbers), Verdict::RULE.to_owned()];
    notes.extend(casts(all));
    notes.extend(unlike(all));
    texts.push(notes.join("\n") + "\n");
    texts.join("\n")
}

const COLUMNS: [&str; 8] = [
    "paper", "id", "number", "of", "stated", "ours", "distance", "verdict",
];

fn cells(number: &Compared) -> [String; 8] {
    [
        number.paper.to_owned(),
        number.id.to_owned(),
        number.what.to_owned(),
        number.of.clone(),
        number.stated.clone(),
        number.ours_in_words(),
        number.distance_in_words(),
        number.verdict_in_words(),
    ]
}

/// Numbers counted by verdict, in words.
fn counts(numbers: &[Compared]) -> String {
    let of = |verdict: Verdict| {
        let n = numbers.iter().filter(|number| number.verdict == verdict);
        format!("{} {}", verdict.words(), n.count())
    };
    let counts: Vec<_> = Verdict::ALL.into_iter().map(of).collect();
    format!("{} numbers: {}", numbers.len(), counts.join(", "))
}

/// Demos and the papers' games, a line a study.
fn casts<'a>(all: &'a [Done<'_>]) -> impl Iterator<Item = String> + 'a {
    all.iter().filter_map(|done| {
        let words = done.cast.as_ref()?.words();
        Some(format!("{}: {words}", done.chosen.name()))
    })
}

/// Differences between the measurements and the papers', a line a study.
fn unlike(all: &[Done<'_>]) -> Vec<String> {
    let told = all.iter().filter(|done| !done.unlike.is_empty());
    told.map(|done| {
        format!(
            "{} unlike its paper: {}",
            done.chosen.name(),
            done.unlike.join("; ")
        )
    })
    .collect()
}

/// Table of the numbers for a page.
pub(super) fn listing(all: &[Done<'_>], numbers: &[Compared]) -> Option<Listing> {
    if numbers.is_empty() {
        return None;
    }
    let mut notes = vec![counts(numbers), Verdict::RULE.to_owned()];
    notes.extend(unlike(all));
    Some(Listing {
        title: "The papers' numbers".to_owned(),
        notes,
        columns: COLUMNS.map(str::to_owned).to_vec(),
        rows: numbers
            .iter()
            .map(|number| cells(number).to_vec())
            .collect(),
    })
}

/// Table of the numbers for programs, as CSV.
pub(super) fn csv(numbers: &[Compared]) -> String {
    let mut table = CsvText::new([
        "paper", "id", "section", "what", "of", "stated", "value", "unit", "ours", "distance",
        "verdict", "why", "figure",
    ]);
    for number in numbers {
        table.cells([number.paper, number.id, number.section, number.what]);
        table.cell(&number.of);
        table.cell(&number.stated);
        table.cell(number.value);
        table.cell(number.unit);
        table.optional(number.ours);
        table.optional(number.distance);
        table.cell(number.verdict.words().replace(' ', "-"));
        table.optional(number.why.as_ref());
        table.optional(number.figure);
        table.end_row();
    }
    table.into_text()
}
