//! `azulejo characterize`: the kind of load that each demo is.

use std::path::PathBuf;

use indicatif::ProgressBar;
use serde::Serialize;

use super::suite::{FramesOn, Suite, SuiteArgs, Usual, failure_of, samples_text};
use super::workload::SuiteWorkload;
use super::{Console, Outcome};
use crate::cli::args::{DEFAULT_MACHINE, DemoChoice, SampleArg, demos};
use crate::cli::output::{Inputs, Named, Outputs};
use crate::cli::stamp::Provenance;
use azulejo_report::{Align, CsvText, aligned, grouped, percent};
use azulejo_study::{Character, FrameSource, Sample, Survey, Workload, walk};
use azulejo_sweep::Fingerprint;

/// Measure the load that demos are: texels, equal tiles, overdraw, memory
///
/// Also the share of the Raster Pipeline in a frame. Frames are drawn at the machine's screen. Texels, equal tiles and
/// overdraw are those of all frames; what depends on the machine is modelled for some of them, which stand for the
/// others, with the machine's memory and with ideal memory.
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct CharacterizeArgs {
    /// Demos by name (`azulejo list` shows them), or `all`
    #[arg(value_name = "DEMO|all", required = true, value_parser = demos)]
    demos: Vec<DemoChoice>,
    #[command(flatten)]
    suite: SuiteArgs,
    /// Also a table for programs
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
}

/// Defaults where the command line says nothing.
const USUAL: Usual = Usual {
    machine: DEFAULT_MACHINE,
    frames: 50,
    sample: SampleArg::Auto,
};

/// Result of the command as JSON.
#[derive(Debug, Serialize)]
struct CharacterizeJson<'a> {
    #[serde(flatten)]
    made: Provenance,
    machine: &'a str,
    demos: &'a [Row],
}

/// Row of the table: one demo.
#[derive(Debug, Serialize)]
struct Row {
    demo: String,
    #[serde(flatten)]
    character: Character,
    sample: Sample,
}

pub(super) fn run(args: &CharacterizeArgs, console: Console) -> Outcome {
    let machine = args.suite.machine_name(&USUAL);
    let mut outputs = Outputs::of(Inputs::default().machines([machine]));
    if let Some(file) = &args.csv {
        outputs.plan(file, "--csv", Named::ByUser)?;
    }
    let console = console.beside_file(outputs.take_standard_output());
    let suite = args.suite.suite(&USUAL, console)?;
    let demos = SuiteWorkload::of_demos(&args.demos);
    let n_frames = demos.len() as u64 * suite.frames;
    let bar = console.progress(n_frames, "frames");
    let characters = characters(&suite, &demos, &bar);
    bar.finish_and_clear();
    let characters = characters?;
    let row = |(demo, (character, sample))| Row {
        demo,
        character,
        sample,
    };
    let rows: Vec<_> = characters.into_iter().map(row).collect();
    let printed = if args.suite.json {
        let suite_print = args.suite.inputs(&suite)?.bytes();
        let demos: String = rows.iter().map(|row| format!("{} ", row.demo)).collect();
        let inputs = Fingerprint::of([
            ("characterize", &suite_print[..]),
            ("demos", demos.as_bytes()),
        ]);
        console.print_json(&CharacterizeJson {
            made: Provenance::of(inputs),
            machine: suite.machine_name,
            demos: &rows,
        })
    } else {
        console.print(&table(&suite, &rows))
    };
    if let Some(file) = &args.csv {
        outputs.write(file, csv(&rows).as_bytes())?;
    }
    printed
}

/// Characters of demos, each with the frames that stood for all.
fn characters(
    suite: &Suite<'_>,
    demos: &[SuiteWorkload],
    bar: &ProgressBar,
) -> Outcome<Vec<(String, (Character, Sample))>> {
    let drawn: Vec<_> = demos.iter().map(|demo| suite.drawn(demo)).collect();
    let workloads: Vec<_> = drawn.iter().map(|own| own as &dyn Workload).collect();
    let walked = azulejo_study::Suite {
        screen: &suite.machine.screen,
        workloads: &workloads,
        frames: suite.frames,
        threads: suite.threads(),
        keep: None,
        progress: &FramesOn(bar),
    };
    let survey = |frames: &mut dyn FrameSource| {
        let mut survey = Survey::new(&suite.machine)?;
        let sample = walk(frames, suite.sampling, &mut survey)?;
        Ok((survey.character(), sample))
    };
    walked.measure(survey).map_err(failure_of)
}

/// Columns of a demo: heading, value as text, `-` where nothing was measured.
fn cells(character: &Character) -> [(&'static str, String); 15] {
    let text = |value: Option<f64>, text: fn(f64) -> String| value.map_or("-".to_owned(), text);
    let share = |share| text(share, |share| percent((share * 1e6) as u64, 1_000_000));
    let whole = |value| text(value, |value| grouped(value.round() as u64));
    let c = character;
    [
        (
            "texels",
            text(c.texture_bytes, |bytes| format!("{:.2} MB", bytes / 1e6)),
        ),
        ("equal colours", share(c.equal_colors)),
        ("equal inputs", share(c.equal_inputs)),
        (
            "overdraw",
            text(c.overdraw, |layers| format!("{layers:.2}")),
        ),
        ("draws", whole(c.draws)),
        ("primitives", whole(c.primitives)),
        ("raster", share(c.raster_share)),
        ("memory time", share(c.memory_time)),
        ("L1 MPKI", text(c.l1_mpki, |misses| format!("{misses:.1}"))),
        ("fps", text(c.fps, |fps| format!("{fps:.0}"))),
        ("textures", share(c.dram.textures)),
        ("Parameter Buffer", share(c.dram.parameter_buffer)),
        ("colours", share(c.dram.colors)),
        ("geometry", share(c.dram.geometry)),
        ("modelled", c.modelled_frames.to_string()),
    ]
}

fn table(suite: &Suite<'_>, rows: &[Row]) -> String {
    let mut lines = Vec::new();
    for row in rows {
        let cells = cells(&row.character);
        if lines.is_empty() {
            let names = cells.iter().map(|(name, _)| (*name).to_owned());
            lines.push(std::iter::once("demo".to_owned()).chain(names).collect());
        }
        let texts = cells.into_iter().map(|(_, text)| text);
        lines.push(std::iter::once(row.demo.clone()).chain(texts).collect());
    }
    let align: Vec<Align> = std::iter::once(Align::Left)
        .chain(std::iter::repeat_n(Align::Right, 15))
        .collect();
    let samples = rows.iter().map(|row| (row.demo.as_str(), &row.sample));
    format!(
        "{} frames a demo for {}; texels, equal tiles, overdraw, draws and primitives of a frame; textures to geometry are shares of DRAM \
         lines;\nmemory time is what ideal memory would save, memory-intensive from 25 % on (LIBRA, Fig. 6a); misses a thousand warp \
         instructions\n{}\n{}",
        suite.frames,
        suite.machine_name,
        aligned(&lines, &align),
        samples_text(samples)
    )
}

/// Columns of the CSV file.
const COLUMNS: [&str; 18] = [
    "demo",
    "frames",
    "modelled_frames",
    "stands_for",
    "texture_bytes",
    "equal_colors",
    "equal_inputs",
    "overdraw",
    "draws",
    "primitives",
    "raster_share",
    "memory_time",
    "l1_mpki",
    "fps",
    "dram_textures",
    "dram_parameter_buffer",
    "dram_colors",
    "dram_geometry",
];

fn csv(rows: &[Row]) -> String {
    let mut table = CsvText::new(COLUMNS);
    for row in rows {
        let (demo, c) = (&row.demo, &row.character);
        let d = &c.dram;
        table.cell(demo);
        table.cell(c.frames);
        table.cell(c.modelled_frames);
        table.cell(c.stands_for);
        for value in [
            c.texture_bytes,
            c.equal_colors,
            c.equal_inputs,
            c.overdraw,
            c.draws,
            c.primitives,
            c.raster_share,
            c.memory_time,
            c.l1_mpki,
            c.fps,
            d.textures,
            d.parameter_buffer,
            d.colors,
            d.geometry,
        ] {
            table.optional(value);
        }
        table.end_row();
    }
    table.into_text()
}
