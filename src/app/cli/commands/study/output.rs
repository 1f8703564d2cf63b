//! Figures of studies for people and for programs.

use std::path::Path;

use super::measure::Games;
use super::numbers;
use super::result::Done;
use crate::app::cli::failure::Outcome;
use crate::app::cli::output::Outputs;
use crate::app::cli::stamp::Provenance;
use crate::app::cli::tables::{self, Table};
use crate::report::Align::{self, Left, Right};
use crate::report::{CsvText, aligned};
use crate::study::{
    AddedMemory, Compared, Figure, FigureRow, Hardware, Stated, Trend, Unit, compare, figure_note,
};
use crate::sweep::Fingerprint;

/// Table of a figure, with the paper's means beside ours.
pub(super) fn text(figure: &Figure, decimals: usize) -> String {
    let scale = figure.unit.scale();
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
    let align: Vec<Align> = std::iter::once(Left)
        .chain(std::iter::repeat_n(Right, figure.columns.len()))
        .collect();
    let [sign, points] = [figure.unit.sign(), figure.unit.difference()];
    let unit = match figure.unit {
        Unit::PerKiloInstruction => "a thousand warp instructions",
        other => other.axis(),
    };
    let none = match figure.rows.len() {
        1 => "one demo has no mean",
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
    let others = compare(&[figure], |number| {
        number.figure() == Some(figure.id) && !number.is_mean()
    });
    let stated: String = stated.chain(others.iter().map(other)).collect();
    let stated = match stated.is_empty() {
        true => "  the paper states no number of it\n".to_owned(),
        false => stated,
    };
    let note = figure_note(figure.id).map_or(String::new(), |note| format!("  {note}\n"));
    format!(
        "{}: {}, in {unit}\n{}{stated}{note}",
        figure.id,
        figure.title,
        aligned(&rows, &align)
    )
}

/// Line on a number that is no mean of a column, beside ours.
fn other(number: &Compared) -> String {
    let of = match number.of.is_empty() {
        true => String::new(),
        false => format!(", {}", number.of),
    };
    let ours = match number.ours {
        Some(_) => format!(
            "ours {}, {}",
            number.ours_in_words(),
            number.distance_in_words()
        ),
        None => number.verdict_in_words(),
    };
    format!(
        "  {}{of}: the paper's {}, {ours}\n",
        number.what, number.stated
    )
}

/// Note on the rules of storage and area.
pub(super) const AREA_NOTE: &str = "sizes: as the technique reports them on the machine's screen; mm2: CACTI's arrays of the machine's \
     technology, constant tables as memories that can be written; cores: texture caches, miss registers and operand collectors of its \
     types of cores, beside as many of type baseline";

/// Rows of the memories of techniques, behind the names of their columns.
pub(super) fn memory_rows(games: &[(String, Hardware)]) -> Vec<Vec<String>> {
    let columns = ["technique", "machine", "memory", "bytes", "mm2"];
    let of = |(technique, hardware): &(String, Hardware)| -> Vec<Vec<String>> {
        let memories = hardware.memories.iter();
        let row = |memory: &AddedMemory| {
            let area = memory.mm2.map_or("-".to_owned(), |mm2| format!("{mm2:.5}"));
            vec![
                technique.clone(),
                hardware.machine.clone(),
                memory.name.clone(),
                memory.bytes.to_string(),
                area,
            ]
        };
        memories.map(row).collect()
    };
    let columns = columns.map(str::to_owned).to_vec();
    std::iter::once(columns)
        .chain(games.iter().flat_map(of))
        .collect()
}

/// Table of the memories; nothing for studies of other things.
pub(super) fn memories_text(games: &Games) -> Option<String> {
    let Games::Area(games) = games else {
        return None;
    };
    let align = [Left, Left, Left, Right, Right];
    let table = aligned(&memory_rows(games), &align);
    Some(format!("memories\n{table}  {AREA_NOTE}\n"))
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
    for (name, bars) in rows.chain(means) {
        table.cell(name);
        for bar in bars {
            table.optional(*bar);
        }
        table.end_row();
    }
    table.into_text()
}
