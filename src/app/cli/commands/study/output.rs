//! Figures of studies for people and for programs.

use std::path::Path;

use super::numbers;
use super::result::Done;
use crate::cli::failure::Outcome;
use crate::cli::output::Outputs;
use crate::cli::stamp::Provenance;
use crate::cli::tables::{self, Table};
use azulejo_report::{Align, CsvText, aligned};
use azulejo_study::{Compared, Figure, FigureRow, StudyTable, Trend};
use azulejo_sweep::Fingerprint;

/// Tables beside the figures of a study.
pub(super) fn tables_text(tables: &[StudyTable]) -> impl Iterator<Item = String> {
    tables.iter().map(|table| {
        let header = table.columns.iter().map(|&name| name.to_owned());
        let rows: Vec<_> = std::iter::once(header.collect())
            .chain(table.rows.iter().cloned())
            .collect();
        let numbers = table.columns.len() - table.words;
        let align: Vec<_> = std::iter::repeat_n(Align::Left, table.words)
            .chain(std::iter::repeat_n(Align::Right, numbers))
            .collect();
        let (title, note) = (table.title, table.note);
        format!("{title}\n{}  {note}\n", aligned(&rows, &align))
    })
}

/// Table of the trends and whether they hold; nothing without any.
pub(super) fn trends_text(trends: &[Trend]) -> Option<String> {
    if trends.is_empty() {
        return None;
    }
    let lines = trends.iter().map(|trend| {
        let claim = trend.claim;
        match trend.holds {
            Some(true) => format!("  {claim}: holds ({})\n", trend.found),
            Some(false) => format!("  {claim}: DOES NOT HOLD ({})\n", trend.found),
            None => format!("  {claim}: not measured\n"),
        }
    });
    Some(format!("trends\n{}", lines.collect::<String>()))
}

/// Columns of a figure's table that are text.
const TEXTS: [&str; 1] = ["demo"];

/// Writes a table for programs of each figure, and of the papers' numbers if there are any.
pub(super) fn write_tables(
    outputs: &Outputs,
    directory: &Path,
    all: &[Done<'_>],
    compared: &[Compared],
) -> Outcome {
    for done in all {
        let made = Provenance::of(done.inputs);
        for figure in &done.findings.figures {
            let table = Table {
                name: figure.id,
                csv: &csv(figure),
                texts: &TEXTS,
            };
            tables::write(outputs, directory, table, &made)?;
        }
    }
    if !compared.is_empty() {
        let inputs: Vec<_> = all.iter().map(|done| done.inputs.bytes()).collect();
        let inputs = inputs.iter().map(|bytes| ("study", &bytes[..]));
        let table = Table {
            name: numbers::TABLE,
            csv: &numbers::csv(compared),
            texts: &numbers::TEXTS,
        };
        let made = Provenance::of(Fingerprint::of(inputs));
        tables::write(outputs, directory, table, &made)?;
    }
    Ok(())
}

fn csv(figure: &Figure) -> String {
    let demo = std::iter::once("demo");
    let mut table = CsvText::new(demo.chain(figure.columns.iter().map(|name| &**name)));
    let rows = figure.rows.iter();
    let rows = rows.map(|FigureRow { game, bars }| (game.as_str(), bars));
    let means = [
        ("mean", &figure.mean),
        ("geometric mean", &figure.geometric_mean),
    ];
    let weighted = figure.weighted_mean.iter();
    let weighted = weighted.map(|bars| ("weighted mean", bars));
    for (name, bars) in rows.chain(means).chain(weighted) {
        table.cell(name);
        for bar in bars {
            table.optional(*bar);
        }
        table.end_row();
    }
    table.into_text()
}
