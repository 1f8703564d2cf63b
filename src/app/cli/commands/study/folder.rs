//! Folder of a report: a page, the report as text, all numbers, a table for each figure. Figures become plain charts here.

use std::path::Path;

use serde::Serialize;

use super::args::StudyArgs;
use super::choice::{ALL, Chosen, NUMBERS};
use super::numbers;
use super::output::write_tables;
use super::result::{Done, StudyJson};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::output::Outputs;
use crate::cli::stamp::{Stamp, shell_line};
use azulejo_report::page::{
    Chart, Fact, Form, Listing, Page, Row, Section, Stated, Unit as PageUnit, Verdict, html,
    markdown,
};
use azulejo_study::{Compared, Figure, FigureForm, FigureRow, Needs, StudyTable};

/// Files of the folder, beside a table for each figure.
pub(super) const FILES: [&str; 3] = ["index.html", "studies.md", "study.json"];

/// Content of `study.json` as JSON.
#[derive(Debug, Serialize)]
struct FolderJson<'a> {
    generator: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    git: Option<&'static str>,
    command: &'a str,
    #[serde(flatten)]
    studies: StudiesJson<'a>,
}

/// JSON of several studies, with the papers' numbers.
#[derive(Debug, Serialize)]
pub(super) struct StudiesJson<'a> {
    numbers: &'a [Compared],
    studies: Vec<NamedJson<'a>>,
}

#[derive(Debug, Serialize)]
struct NamedJson<'a> {
    id: &'static str,
    #[serde(flatten)]
    study: StudyJson<'a>,
}

/// Gathers several studies as JSON.
pub(super) fn studies<'a>(all: &'a [Done<'_>], numbers: &'a [Compared]) -> StudiesJson<'a> {
    let named = |done: &'a Done<'_>| NamedJson {
        id: done.chosen.name(),
        study: StudyJson::of(done),
    };
    StudiesJson {
        numbers,
        studies: all.iter().map(named).collect(),
    }
}

/// Writes the folder; returns a line for each file but the tables.
pub(super) fn write(
    args: &StudyArgs,
    all: &[Done<'_>],
    compared: &[Compared],
    folder: &Path,
    outputs: &Outputs,
) -> Outcome<String> {
    let stamp = Stamp::new(&args.study.word, 0);
    let page = page(args, all, compared, &stamp)?;
    let json = FolderJson {
        generator: &stamp.generator,
        git: stamp.git,
        command: &stamp.command,
        studies: studies(all, compared),
    };
    let json = serde_json::to_string_pretty(&json).map_err(Failure::new)? + "\n";
    write_tables(outputs, folder, all, compared)?;
    let texts = [html(&page), markdown(&page), json];
    let mut said = Vec::new();
    for (name, text) in FILES.into_iter().zip(texts) {
        let file = outputs.write(&folder.join(name), text.as_bytes())?;
        said.push(format!("wrote {}", file.display()));
    }
    Ok(said.join("\n"))
}

fn page(args: &StudyArgs, all: &[Done<'_>], compared: &[Compared], stamp: &Stamp) -> Outcome<Page> {
    let words: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let git = stamp.git.map(|git| code("commit", git));
    let mut facts = vec![plain("made by", &stamp.generator)];
    facts.extend(git);
    facts.push(code("command", &stamp.command));
    let section = |done: &Done<'_>| {
        let id = match args.study.is_several() {
            true => done.chosen.name(),
            false => &args.study.word,
        };
        section(done, &repeated(&words, &args.study.word, id))
    };
    Ok(Page {
        title: match args.study.is_several() {
            true => "The papers' figures, measured again".to_owned(),
            false => format!("{}, measured again", args.study.word),
        },
        facts,
        listings: numbers::listing(all, compared).into_iter().collect(),
        sections: all.iter().map(section).collect::<Outcome<_>>()?,
    })
}

fn section(done: &Done<'_>, command: &str) -> Outcome<Section> {
    let (findings, suite) = (&done.findings, done.suite);
    let grid = suite.machine.screen.grid;
    let results = serde_json::to_vec(&(&findings.figures, &findings.trends));
    let results = crc32fast::hash(&results.map_err(Failure::new)?);
    let screen = format!(
        "{}x{} pixels in tiles of {}",
        grid.width, grid.height, grid.tile_size
    );
    let verdicts = findings.trends.iter().map(|trend| Verdict {
        claim: trend.claim.to_owned(),
        found: trend.found.clone(),
        holds: trend.holds,
    });
    let charts = findings.figures.iter();
    let mut facts = vec![
        code("to repeat it", command),
        plain("machine", done.machine()),
    ];
    let Chosen { study, figures } = done.chosen;
    if study.measures.needs(figures) != Needs::Machines {
        facts.push(plain("screen", &screen));
        facts.push(plain("frames of a demo", &suite.frames.to_string()));
    }
    if let Some(cast) = &done.cast {
        facts.push(plain("demos", &cast.words()));
    }
    if !done.unlike.is_empty() {
        facts.push(plain("unlike the paper", &done.unlike.join("; ")));
    }
    facts.push(code("fingerprint of the inputs", &done.inputs.to_string()));
    facts.push(code("CRC-32 of the results", &format!("{results:08x}")));
    let noted = (charts.clone()).filter_map(|figure| Some((figure.id, figure.note?)));
    facts.extend(noted.map(|(figure, note)| plain(figure, note)));
    Ok(Section {
        id: done.chosen.name().to_owned(),
        title: done.chosen.study.title.to_owned(),
        facts,
        listings: findings.tables.iter().map(listing).collect(),
        charts: charts
            .map(|figure| chart(figure, findings.decimals))
            .collect(),
        verdicts: verdicts.collect(),
        no_stated: "The paper states no number of this figure.".to_owned(),
        no_verdicts:
            "Trends are judged over the paper's games or all demos; these are neither, or none was declared."
                .to_owned(),
    })
}

/// Listing of a table beside the figures.
fn listing(table: &StudyTable) -> Listing {
    let mut title = table.title.to_owned();
    title[..1].make_ascii_uppercase();
    Listing {
        title,
        notes: vec![table.note.to_owned()],
        columns: table.columns.iter().map(|&name| name.to_owned()).collect(),
        rows: table.rows.clone(),
    }
}

fn plain(name: &str, value: &str) -> Fact {
    Fact {
        name: name.to_owned(),
        value: value.to_owned(),
        is_code: false,
    }
}

fn code(name: &str, value: &str) -> Fact {
    Fact {
        is_code: true,
        ..plain(name, value)
    }
}

/// Command line for one study, which writes nothing: `typed` is the word by which studies were asked for.
fn repeated(words: &[String], typed: &str, id: &str) -> String {
    const OUTPUTS: [&str; 4] = ["-o", "--output", "--csv", "--keep"];
    let mut line = vec!["azulejo".to_owned()];
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if OUTPUTS.contains(&word.as_str()) {
            // The value of the option.
            words.next();
            continue;
        }
        let is_output = (OUTPUTS.iter()).any(|option| word.starts_with(&format!("{option}=")));
        let is_short = word.starts_with("-o") && !word.starts_with("--");
        if is_output || is_short || word == "--json" {
            continue;
        }
        let is_study = typed == word
            && [ALL, NUMBERS].contains(&typed)
            && line.last().is_some_and(|last| last != "--demos");
        line.push(if is_study {
            id.to_owned()
        } else {
            word.clone()
        });
    }
    shell_line(&line)
}

/// Converts a figure to a chart, in the unit that it is said in.
fn chart(figure: &Figure, decimals: usize) -> Chart {
    let scale = figure.unit.scale();
    let values = |bars: &[Option<f64>]| bars.iter().map(|bar| bar.map(|bar| scale * bar)).collect();
    let row = |name: &str, bars: &[Option<f64>]| Row {
        name: name.to_owned(),
        values: values(bars),
    };
    let column = |name: &str| figure.columns.iter().position(|known| *known == name);
    let stated = figure.stated.iter().filter_map(|stated| {
        Some(Stated {
            column: column(stated.column)?,
            paper: scale * stated.paper,
            ours: stated.ours.map(|ours| scale * ours),
        })
    });
    let form = match figure.form {
        FigureForm::Bars => Form::Bars,
        FigureForm::Lines => Form::Lines,
        FigureForm::Tornado => Form::Tornado,
        FigureForm::Stacked { parts, total } => Form::Stacked {
            parts: parts.iter().filter_map(|part| column(part)).collect(),
            total: total.and_then(column),
        },
    };
    let means = match figure.rows.len() {
        0 | 1 => Vec::new(),
        _ => figure.means().map(|(name, bars)| row(name, bars)).collect(),
    };
    Chart {
        id: figure.id.to_owned(),
        title: figure.title.to_owned(),
        unit: PageUnit {
            axis: figure.unit.axis().to_owned(),
            sign: figure.unit.sign().to_owned(),
            difference: figure.unit.difference().to_owned(),
            decimals,
        },
        form,
        columns: figure.columns.iter().map(|&name| name.to_owned()).collect(),
        rows: (figure.rows.iter())
            .map(|FigureRow { game, bars }| row(game, bars))
            .collect(),
        means,
        stated: stated.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_study::{FIGURES, Game, LOOP_FIGURES, loop_figure};

    #[test]
    fn commands_to_repeat_a_study_write_nothing() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        for (typed, word, expected) in [
            (
                "study all --quick -o report --csv=tables --demos all",
                "all",
                "azulejo study re --quick --demos all",
            ),
            (
                "study re.fig2 --json --output r",
                "re.fig2",
                "azulejo study re.fig2",
            ),
            (
                "-q study all -or --frames 4",
                "all",
                "azulejo -q study re --frames 4",
            ),
        ] {
            assert_eq!(repeated(&words(typed), word, "re"), expected, "{typed}");
        }
    }

    #[test]
    fn charts_hold_the_numbers_of_their_figures() {
        let mut figures: Vec<Figure> = LOOP_FIGURES.into_iter().filter_map(loop_figure).collect();
        let games = [
            ("a".to_owned(), Game::default()),
            ("b".to_owned(), Game::default()),
        ];
        figures.extend(FIGURES.iter().map(|spec| spec.draw(&games)));
        for figure in &figures {
            let chart = chart(figure, 1);
            assert_eq!(chart.rows.len(), figure.rows.len(), "{}", figure.id);
            assert_eq!(chart.stated.len(), figure.stated.len(), "{}", figure.id);
            assert_eq!(
                chart.means.len(),
                if figure.rows.len() > 1 { 2 } else { 0 },
                "{}",
                figure.id
            );
            for row in &chart.rows {
                assert_eq!(row.values.len(), chart.columns.len(), "{}", figure.id);
            }
        }
        let saved = chart(&figures[1], 1);
        let ninth = saved.rows[0].values[2].expect("measured");
        assert!(
            (ninth - 800.0 / 9.0).abs() < 1e-9,
            "8 of 9, in percent: {ninth}"
        );
        assert_eq!(saved.form, Form::Lines, "as in the paper");
    }
}
