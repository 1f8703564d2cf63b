//! Figures of studies for people and for programs.

use std::path::Path;

use super::result::Done;
use crate::app::cli::failure::Outcome;
use crate::app::cli::output::Outputs;
use crate::app::cli::stamp::Provenance;
use crate::app::cli::tables::{self, Table};
use crate::report::{Align, CsvText, aligned};
use crate::study::{Figure, FigureRow, Stated, Trend, Unit, figure_note};

/// A figure as a table, with the paper's means beside ours.
pub(super) fn text(figure: &Figure, decimals: usize) -> String {
    let scale = match figure.unit {
        Unit::Percent => 100.0,
        Unit::PerKiloInstruction => 1.0,
    };
    // `-` where nothing was measured.
    let number = |value: Option<f64>| {
        value.map_or("-".to_owned(), |value| {
            format!("{:.decimals$}", scale * value)
        })
    };
    let row = |name: &str, bars: &[Option<f64>]| {
        let cells = bars.iter().copied().map(number);
        std::iter::once(name.to_owned()).chain(cells).collect()
    };
    let names = figure.columns.iter().map(|name| (*name).to_owned());
    let mut rows: Vec<Vec<String>> = vec![std::iter::once(String::new()).chain(names).collect()];
    rows.extend((figure.rows.iter()).map(|FigureRow { game, bars }| row(game, bars)));
    rows.push(row("mean", &figure.mean));
    rows.push(row("geometric mean", &figure.geometric_mean));
    let align: Vec<Align> = std::iter::once(Align::Left)
        .chain(std::iter::repeat_n(Align::Right, figure.columns.len()))
        .collect();
    let [sign, points, unit] = match figure.unit {
        Unit::Percent => [" %", " points", "percent"],
        Unit::PerKiloInstruction => ["", "", "a thousand warp instructions"],
    };
    let none = match figure.rows.len() {
        1 => "one demo has none",
        _ => "nothing was measured",
    };
    let stated = (figure.stated.iter()).map(
        |&Stated {
             column,
             paper,
             ours,
         }| {
            let beside = ours.map_or(none.to_owned(), |ours| {
                let (ours, delta) = (number(Some(ours)), scale * (ours - paper));
                format!("ours {ours}{sign}, {delta:+.decimals$}{points}")
            });
            let paper = number(Some(paper));
            format!("  {column}: the paper's mean {paper}{sign}, {beside}\n")
        },
    );
    let stated: String = stated.collect();
    let stated = if stated.is_empty() {
        "  the paper states no average\n".to_owned()
    } else {
        stated
    };
    let note = figure_note(figure.id).map_or(String::new(), |note| format!("  {note}\n"));
    format!(
        "{}: {}, in {unit}\n{}{stated}{note}",
        figure.id,
        figure.title,
        aligned(&rows, &align)
    )
}

/// Trends and whether they hold; nothing of none.
pub(super) fn trends_text(trends: &[Trend]) -> Option<String> {
    if trends.is_empty() {
        return None;
    }
    let lines = trends.iter().map(|trend| {
        let verdict = if trend.holds {
            "holds"
        } else {
            "DOES NOT HOLD"
        };
        format!("  {}: {verdict} ({})\n", trend.claim, trend.found)
    });
    Some(format!("trends\n{}", lines.collect::<String>()))
}

/// Columns of a figure's table that are text.
const TEXTS: [&str; 1] = ["demo"];

/// A table for programs of each figure.
pub(super) fn write_tables(outputs: &Outputs, directory: &Path, all: &[Done<'_>]) -> Outcome {
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
    for (name, bars) in rows.chain(means) {
        table.cell(name);
        for bar in bars {
            table.optional(*bar);
        }
        table.end_row();
    }
    table.into_text()
}
