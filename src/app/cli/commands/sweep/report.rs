//! What a sweep found: as a line for each point, as JSON, as a table for programs and as a page.

use serde::Serialize;

use super::args::Place;
use super::inputs::Sweep;
use super::store::{State, Store};
use crate::app::cli::commands::{Console, Outcome};
use crate::app::cli::output::Outputs;
use crate::app::cli::stamp::{Stamp, shell_line};
use crate::report::page::{Fact, Page, html};
use crate::sweep::{RESULTS_VERSION, SweepTable, sections};

/// The table for programs.
const TABLE: &str = "results.csv";
/// The page for people.
const PAGE: &str = "index.html";
/// What is written of a sweep.
pub(super) const FILES: [&str; 2] = [TABLE, PAGE];

/// All results that there are.
pub(super) fn table<'s>(sweep: &'s Sweep, store: &Store) -> Outcome<SweepTable<'s>> {
    let mut table = SweepTable::new(&sweep.plan);
    for point in sweep.plan.points() {
        let print = sweep.print(&point);
        if store.state(print) == State::Done {
            table.add(point.number, &store.result(print)?);
        }
    }
    Ok(table)
}

/// A point for programs.
#[derive(Debug, Serialize)]
struct PointJson<'a> {
    point: u64,
    scene: &'a str,
    machine: &'a str,
    technique: &'a str,
    changes: std::collections::BTreeMap<&'a str, &'a str>,
    frames: usize,
    speedup: Option<f64>,
    /// Sums over the frames.
    counters: std::collections::BTreeMap<&'a str, f64>,
}

pub(super) fn say(table: &SweepTable<'_>, json: bool, console: Console) -> Outcome {
    if !json {
        return console.print(&table.text());
    }
    let points: Vec<_> = table
        .rows()
        .map(|(point, row)| PointJson {
            point: point.number,
            scene: point.scene,
            machine: point.machine,
            technique: point.technique,
            changes: (point.changes.iter())
                .map(|change| (change.key, change.value))
                .collect(),
            frames: row.frames,
            speedup: table.speedup(point.number),
            counters: table.counters(row).collect(),
        })
        .collect();
    console.print_json(&points)
}

/// Writes the table and the page.
pub(super) fn write(
    table: &SweepTable<'_>,
    place: &Place,
    outputs: &Outputs,
    json: bool,
    console: Console,
) -> Outcome {
    let csv = table.csv();
    let page = html(&page(table, place, &csv));
    for (name, text) in [(TABLE, &csv), (PAGE, &page)] {
        let file = outputs.write(&place.folder.join(name), text.as_bytes())?;
        let line = format!("wrote {}\n", file.display());
        match json {
            true => console.note(line.trim_end()),
            false => console.print(&line)?,
        }
    }
    Ok(())
}

fn page(table: &SweepTable<'_>, place: &Place, csv: &str) -> Page {
    let plan = table.plan();
    let stamp = Stamp::new(&place.file.display().to_string(), 0);
    let repeat = ["azulejo", "sweep", &place.file.display().to_string()].map(str::to_owned);
    let fact = |name: &str, value: String, is_code| Fact {
        name: name.to_owned(),
        value,
        is_code,
    };
    let mut facts = vec![fact("made by", stamp.generator, false)];
    facts.extend(stamp.git.map(|git| fact("commit", git.to_owned(), true)));
    let done = table.rows().count();
    facts.extend([
        fact("to repeat it", shell_line(&repeat), true),
        fact(
            "points",
            format!("{done} of {} are done", plan.n_points()),
            false,
        ),
        fact("frames of a scene", plan.frames.to_string(), false),
        fact(
            "version of the model's numbers",
            RESULTS_VERSION.to_string(),
            false,
        ),
        fact(
            "CRC-32 of results.csv",
            format!("{:08x}", crc32fast::hash(csv.as_bytes())),
            true,
        ),
    ]);
    let name = place.file.file_stem().unwrap_or_default();
    Page {
        title: format!("Sweep {}", name.display()),
        facts,
        sections: sections(table),
    }
}
