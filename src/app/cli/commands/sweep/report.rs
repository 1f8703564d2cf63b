//! Results of a sweep: as a line for each point, as JSON, as a table for programs and as a page.

use std::path::PathBuf;

use serde::Serialize;

use super::args::Place;
use super::inputs::Sweep;
use super::store::{State, Store};
use crate::cli::commands::{Console, Outcome};
use crate::cli::output::Outputs;
use crate::cli::stamp::{Provenance, Stamp, shell_line};
use crate::cli::tables::{self, Table};
use azulejo_report::page::{Fact, Page, html};
use azulejo_sweep::{Fingerprint, RESULTS_VERSION, SweepTable, sections};

/// Name of the table for programs, without its ending.
const TABLE: &str = "results";
/// Columns of the table that are text.
const TEXTS: [&str; 3] = ["scene", "machine", "technique"];
/// Name of the page for people.
const PAGE: &str = "index.html";

/// Names of the files that are written of a sweep.
pub(super) fn files() -> Vec<String> {
    let mut files = tables::files(TABLE);
    files.push(PAGE.to_owned());
    files
}

/// Gathers all results that there are.
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

/// Result of a sweep as JSON.
#[derive(Debug, Serialize)]
struct SweepJson<'a> {
    #[serde(flatten)]
    made: Provenance,
    points: Vec<PointJson<'a>>,
}

/// Result of a point as JSON.
#[derive(Debug, Serialize)]
struct PointJson<'a> {
    point: u64,
    scene: &'a str,
    machine: &'a str,
    technique: &'a str,
    changes: std::collections::BTreeMap<&'a str, &'a str>,
    frames: usize,
    speedup: Option<f64>,
    /// Counters of all frames together: see [`SweepTable::csv`].
    counters: std::collections::BTreeMap<&'a str, f64>,
}

pub(super) fn say(
    table: &SweepTable<'_>,
    inputs: Fingerprint,
    json: bool,
    console: Console,
) -> Outcome {
    if !json {
        return console.print(&table.text());
    }
    let points = table
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
    console.print_json(&SweepJson {
        made: Provenance::of(inputs),
        points,
    })
}

/// Writes the table and the page.
pub(super) fn write(
    table: &SweepTable<'_>,
    inputs: Fingerprint,
    place: &Place,
    outputs: &Outputs,
) -> Outcome<Vec<PathBuf>> {
    let csv = table.csv();
    let page = html(&page(table, inputs, place, &csv));
    let results = Table {
        name: TABLE,
        csv: &csv,
        texts: &TEXTS,
    };
    let mut written = tables::write(outputs, &place.folder, results, &Provenance::of(inputs))?;
    written.push(outputs.write(&place.folder.join(PAGE), page.as_bytes())?);
    Ok(written)
}

/// Reports which files there are now.
pub(super) fn say_written(files: &[PathBuf], json: bool, console: Console) -> Outcome {
    for file in files {
        let line = format!("wrote {}\n", file.display());
        match json {
            true => console.note(line.trim_end()),
            false => console.print(&line)?,
        }
    }
    Ok(())
}

fn page(table: &SweepTable<'_>, inputs: Fingerprint, place: &Place, csv: &str) -> Page {
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
        fact("fingerprint of the inputs", inputs.to_string(), true),
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
        ..Page::default()
    }
}
