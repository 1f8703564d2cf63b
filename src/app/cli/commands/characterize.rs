//! `azulejo characterize`: the kind of load that each demo is.

use std::path::PathBuf;

use indicatif::ProgressBar;
use serde::Serialize;

use super::suite::{FramesOn, Suite, SuiteArgs, Usual, failure_of, samples_text};
use super::workload::SuiteWorkload;
use super::{Console, Outcome};
use crate::cli::args::{DEFAULT_MACHINE, DemoChoice, SampleArg, demos};
use crate::cli::failure::Failure;
use crate::cli::output::{Inputs, Named, Outputs};
use crate::cli::stamp::Provenance;
use azulejo_report::{Align, CsvText, aligned};
use azulejo_study::{
    CHARACTER_COLUMNS, Character, ColumnGroup, FrameSource, Sample, Survey, TargetFinding,
    TargetValue, Workload, load_targets, walk,
};
use azulejo_sweep::Fingerprint;

/// Measure the load that demos are: texels, equal tiles, overdraw, memory
///
/// Also the share of the Raster Pipeline in a frame. Frames are drawn at the machine's screen. Texels, equal tiles and
/// overdraw are those of all frames; what depends on the machine is modelled for some of them, which stand for the
/// others, with the machine's memory and with ideal memory. `--published` sets what papers tell of their games beside it.
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct CharacterizeArgs {
    /// Demos by name (`azulejo list` shows them), or `all`
    #[arg(value_name = "DEMO|all", required = true, value_parser = demos)]
    demos: Vec<DemoChoice>,
    #[command(flatten)]
    suite: SuiteArgs,
    /// Also published targets beside the demos', with sources and distances
    ///
    /// Each target is held against the demos that stand for the games of its source, or that are drawn as it says; the
    /// distance is a share of the target. Some need --cores.
    #[arg(long)]
    published: bool,
    /// Also eight cores beside four, and KHEPRI's two types: four more machines
    #[arg(long)]
    cores: bool,
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
    #[serde(skip_serializing_if = "<[TargetFinding]>::is_empty")]
    published: &'a [TargetFinding],
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
    let characters = characters(args, &suite, &demos, &bar);
    bar.finish_and_clear();
    let characters = characters?;
    let row = |(demo, (character, sample))| Row {
        demo,
        character,
        sample,
    };
    let rows: Vec<_> = characters.into_iter().map(row).collect();
    let published = match args.published {
        true => published(&rows)?,
        false => Vec::new(),
    };
    let printed = if args.suite.json {
        let suite_print = args.suite.inputs(&suite)?.bytes();
        let demos: String = rows.iter().map(|row| format!("{} ", row.demo)).collect();
        let cores: Option<(&str, &[u8])> = args.cores.then_some(("cores", b"compared"));
        let inputs = [
            ("characterize", &suite_print[..]),
            ("demos", demos.as_bytes()),
        ];
        let inputs = Fingerprint::of(inputs.into_iter().chain(cores));
        console.print_json(&CharacterizeJson {
            made: Provenance::of(inputs),
            machine: suite.machine_name,
            demos: &rows,
            published: &published,
        })
    } else {
        console.print(&text(&suite, &rows, &published))
    };
    if let Some(file) = &args.csv {
        outputs.write(file, csv(&rows).as_bytes())?;
    }
    printed
}

/// Characters of demos, each with the frames that stood for all.
fn characters(
    args: &CharacterizeArgs,
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
        let mut survey = match args.cores {
            true => Survey::with_cores(&suite.machine)?,
            false => Survey::new(&suite.machine)?,
        };
        let sample = walk(frames, suite.sampling, &mut survey)?;
        Ok((survey.character(), sample))
    };
    walked.measure(survey).map_err(failure_of)
}

/// Published targets beside the demos.
fn published(rows: &[Row]) -> Outcome<Vec<TargetFinding>> {
    let targets = load_targets().map_err(Failure::new)?;
    let demos = rows.iter().map(|row| (row.demo.as_str(), &row.character));
    let demos: Vec<_> = demos.collect();
    let beside = targets.iter().filter_map(|target| target.beside(&demos));
    Ok(beside.collect())
}

/// Tables of the columns, of programs, of targets if they are asked for, and of the sample.
fn text(suite: &Suite<'_>, rows: &[Row], published: &[TargetFinding]) -> String {
    let samples = rows.iter().map(|row| (row.demo.as_str(), &row.sample));
    let tables = ColumnGroup::ALL.into_iter();
    let tables = tables.filter_map(|group| table(group, rows));
    let heading = format!(
        "{} frames a demo for {}\n",
        suite.frames, suite.machine_name
    );
    let mut texts = vec![heading];
    texts.extend(tables);
    texts.push(programs(rows));
    if !published.is_empty() {
        texts.push(targets(published));
    }
    texts.push(samples_text(samples));
    texts.join("\n")
}

/// Table of a group of columns; none where nothing was measured of it. `-` where a value was not.
fn table(group: ColumnGroup, rows: &[Row]) -> Option<String> {
    let columns = CHARACTER_COLUMNS.iter();
    let columns: Vec<_> = columns.filter(|column| column.group == group).collect();
    let mut measured = rows.iter().map(|row| &row.character);
    if !measured.any(|own| columns.iter().any(|column| (column.of)(own).is_some())) {
        return None;
    }
    let headings = columns.iter().map(|column| column.heading.to_owned());
    let mut lines: Vec<Vec<String>> =
        vec![["demo".to_owned()].into_iter().chain(headings).collect()];
    lines.extend(rows.iter().map(|row| {
        let cells = columns.iter().map(|column| {
            let value = (column.of)(&row.character);
            value.map_or("-".to_owned(), |value| column.form.text(value))
        });
        [row.demo.clone()].into_iter().chain(cells).collect()
    }));
    let align: Vec<Align> = std::iter::once(Align::Left)
        .chain(std::iter::repeat_n(Align::Right, columns.len()))
        .collect();
    Some(format!("{}\n{}", group.title(), aligned(&lines, &align)))
}

/// Most lengths of programs that the table names of a demo.
const MOST_PROGRAMS: usize = 8;

/// Table of fragment programs by the share of fragments.
fn programs(rows: &[Row]) -> String {
    let heading = ["demo", "share of fragments"].map(str::to_owned);
    let mut lines = vec![heading.to_vec()];
    lines.extend(rows.iter().map(|row| {
        let shares = row.character.program_shares.iter();
        let mut shares: Vec<_> = shares
            .take(MOST_PROGRAMS)
            .map(|own| {
                let share = 100.0 * own.share;
                format!("{share:.1} % {}/{}", own.instructions, own.samples)
            })
            .collect();
        match row.character.program_shares.len() - shares.len() {
            0 => {}
            more => shares.push(format!("{more} more")),
        }
        vec![row.demo.clone(), shares.join(", ")]
    }));
    let table = aligned(&lines, &[]);
    format!("fragment programs: instructions/texture samples\n{table}")
}

/// Table of targets: source and number, ours, the distance.
fn targets(published: &[TargetFinding]) -> String {
    let heading = [
        "property", "over", "of", "demos", "target", "ours", "distance", "basis", "source",
    ];
    let mut lines = vec![heading.map(str::to_owned).to_vec()];
    lines.extend(published.iter().map(|found| {
        let (own, form) = (&found.target, found.column.form);
        // Shares of demos are shares whatever the column counts.
        let number = |value: f64| match own.bound {
            Some(_) => azulejo_study::ColumnForm::Share.text(value),
            None => form.text(value),
        };
        let bound = own.bound.map(|bound| format!(" {}", form.text(bound)));
        let or_none = |text: Option<String>| text.unwrap_or("-".to_owned());
        vec![
            own.key.clone(),
            format!("{}{}", own.over.words(), bound.unwrap_or_default()),
            own.suite
                .clone()
                .or(own.kind.clone())
                .unwrap_or("all".to_owned()),
            found.demos.to_string(),
            match own.target {
                TargetValue::Number(target) => number(target),
                TargetValue::Range([least, most]) => {
                    format!("{} to {}", number(least), number(most))
                }
            },
            or_none(found.ours.map(number)),
            or_none(
                found
                    .distance
                    .map(|distance| format!("{:.0} %", 100.0 * distance)),
            ),
            own.basis.word().to_owned(),
            own.source.clone(),
        ]
    }));
    let align = [
        Align::Left,
        Align::Left,
        Align::Left,
        Align::Right,
        Align::Right,
        Align::Right,
        Align::Right,
        Align::Left,
    ];
    let table = aligned(&lines, &align);
    format!(
        "published targets; the distance is a share of the target, or of the nearer end of a range\n{table}"
    )
}

fn csv(rows: &[Row]) -> String {
    let first = ["demo", "frames", "modelled_frames", "stands_for"];
    let keys = CHARACTER_COLUMNS.iter().map(|column| column.key);
    let mut table = CsvText::new(first.into_iter().chain(keys));
    for row in rows {
        let (demo, c) = (&row.demo, &row.character);
        table.cell(demo);
        table.cell(c.frames);
        table.cell(c.modelled_frames);
        table.cell(c.stands_for);
        for column in CHARACTER_COLUMNS {
            table.optional((column.of)(c));
        }
        table.end_row();
    }
    table.into_text()
}
