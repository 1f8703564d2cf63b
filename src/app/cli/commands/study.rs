//! `azulejo study`: figures of the papers again, over the demos.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::suite::{Measured, SuiteArgs};
use super::{Console, Outcome};
use crate::app::cli::args::{DemoChoice, demos};
use crate::app::cli::failure::Failure;
use crate::app::cli::likeness::did_you_mean;
use crate::app::cli::output::{Inputs, Outputs};
use crate::app::cli::shot::Shot;
use crate::demo::DEMOS;
use crate::report::{Align, CsvText, aligned};
use crate::study::{
    FIGURES, Figure, FigureSpec, Game, GameStudy, LEAST_FRAMES, StudyError, Trend, is_modelled,
    trends,
};

/// Measure the figures of the papers again, over the demos, each beside what the paper states
///
/// All figures of a paper come from the same frames. Tiles and fragments are those of all frames; cycles and energies of some of
/// them, from parts of the demo that are spread evenly, which go through the machine with and without each technique.
#[derive(Debug, Clone, clap::Args)]
#[command(
    mut_arg("machine", |machine| machine.default_value("mali450-re")),
    mut_arg("modelled", |modelled| modelled.help(MODELLED))
)]
pub(in crate::app::cli) struct StudyArgs {
    /// A figure such as re.fig13a, or `re` for all of Rendering Elimination
    #[arg(value_name = "ID", value_parser = figures)]
    study: FigureChoice,
    /// Demos by name, or all
    #[arg(long, value_name = "DEMO[,DEMO...]", value_delimiter = ',', default_value = "all", value_parser = demos)]
    demos: Vec<DemoChoice>,
    #[command(flatten)]
    suite: SuiteArgs,
    /// Also a table for programs of each figure, ID.csv
    #[arg(long, value_name = "DIR")]
    csv: Option<PathBuf>,
}

/// What `--modelled` counts here.
const MODELLED: &str = "Of these, how many go through the machines and count, in pairs that are spread evenly, each after two that fill both frame buffers";

/// What the command line names.
#[derive(Debug, Clone)]
struct FigureChoice(Vec<&'static FigureSpec>);

fn figures(word: &str) -> Result<FigureChoice, String> {
    let of_paper = |spec: &&FigureSpec| spec.id.split('.').next() == Some(word);
    let chosen: Vec<_> = (FIGURES.iter())
        .filter(|spec| spec.id == word || of_paper(spec))
        .collect();
    if chosen.is_empty() {
        let known: Vec<_> = FIGURES.iter().map(|spec| spec.id).collect();
        let meant = did_you_mean(word, known.iter().copied());
        return Err(format!(
            "no such study{meant}; expected re, {}",
            known.join(", ")
        ));
    }
    Ok(FigureChoice(chosen))
}

/// What the command says, as JSON.
#[derive(Debug, Serialize)]
struct StudyJson<'a> {
    machine: &'a str,
    figures: &'a [Figure],
    trends: &'a [Trend],
    games: &'a [(String, Game)],
}

pub(super) fn run(args: &StudyArgs, console: Console) -> Outcome {
    check_frames(args.suite.frames)?;
    let mut outputs = Outputs::of(Inputs::default().machines([&args.suite.spec.machine]));
    if let Some(directory) = &args.csv {
        let names: Vec<_> = args.study.0.iter().map(|spec| csv_name(spec.id)).collect();
        outputs.plan_folder(directory, "--csv", names.iter().map(String::as_str))?;
    }
    let study = |demo: Measured<'_>| study(&args.suite, demo);
    let games = args.suite.measure(&args.demos, console, study)?;
    let games: Vec<_> = (games.into_iter())
        .map(|(demo, game)| (demo.to_owned(), game))
        .collect();
    let figures: Vec<_> = (args.study.0.iter())
        .map(|spec| spec.draw(&games))
        .collect();
    // Trends are of the suite.
    let trends = if games.len() == DEMOS.len() {
        trends(&games)
    } else {
        Vec::new()
    };
    let printed = if args.suite.json {
        console.print_json(&StudyJson {
            machine: &args.suite.spec.machine,
            figures: &figures,
            trends: &trends,
            games: &games,
        })
    } else {
        let texts = figures.iter().map(text).chain(trends_text(&trends));
        console.print(&texts.collect::<Vec<_>>().join("\n"))
    };
    if let Some(directory) = &args.csv {
        write_csv(&outputs, directory, &figures)?;
    }
    printed
}

fn csv_name(figure: &str) -> String {
    format!("{figure}.csv")
}

/// Refuses so few frames that nothing could be measured.
fn check_frames(frames: u64) -> Outcome {
    if frames >= LEAST_FRAMES {
        return Ok(());
    }
    let problem = format!("--frames {frames}: a study needs at least {LEAST_FRAMES}");
    let why = "the first two only fill both frame buffers; what is left out is what frames before have done";
    Err(Failure::usage(problem).hint(why))
}

fn study(suite: &SuiteArgs, demo: Measured<'_>) -> Result<Game, StudyError> {
    let mut study = GameStudy::new(demo.machine)?;
    demo.frames(Shot::trace_fragments, |frame, trace| {
        study.look(trace);
        if is_modelled(frame, suite.frames, suite.modelled) {
            study.model(trace)?;
        }
        Ok::<_, StudyError>(())
    })?;
    Ok(study.game())
}

/// In per cent, `-` where nothing was measured.
fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1}", 100.0 * share))
}

fn text(figure: &Figure) -> String {
    let row = |name: &str, bars: &[Option<f64>]| {
        let cells = bars.iter().map(|bar| percent(*bar));
        std::iter::once(name.to_owned()).chain(cells).collect()
    };
    let names = figure.columns.iter().map(|name| (*name).to_owned());
    let mut rows: Vec<Vec<String>> = vec![std::iter::once(String::new()).chain(names).collect()];
    rows.extend(figure.rows.iter().map(|(name, bars)| row(name, bars)));
    rows.push(row("mean", &figure.mean));
    rows.push(row("geometric mean", &figure.geometric_mean));
    let align: Vec<Align> = std::iter::once(Align::Left)
        .chain(std::iter::repeat_n(Align::Right, figure.columns.len()))
        .collect();
    let stated = figure.stated.iter().map(|&(column, paper, ours)| {
        let beside = ours.map_or("one demo has none".to_owned(), |ours| {
            let delta = 100.0 * (ours - paper);
            format!("ours {} %, {delta:+.1} points", percent(Some(ours)))
        });
        let paper = percent(Some(paper));
        format!("  {column}: the paper's mean {paper} %, {beside}\n")
    });
    let stated: String = stated.collect();
    let stated = if stated.is_empty() {
        "  the paper states no average\n".to_owned()
    } else {
        stated
    };
    format!(
        "{}: {}, in percent\n{}{stated}",
        figure.id,
        figure.title,
        aligned(&rows, &align)
    )
}

fn trends_text(trends: &[Trend]) -> Option<String> {
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

fn write_csv(outputs: &Outputs, directory: &Path, figures: &[Figure]) -> Outcome {
    for figure in figures {
        let demo = std::iter::once("demo");
        let mut table = CsvText::new(demo.chain(figure.columns.iter().map(|name| &**name)));
        let means = [
            ("mean".to_owned(), figure.mean.clone()),
            ("geometric mean".to_owned(), figure.geometric_mean.clone()),
        ];
        for (name, bars) in figure.rows.iter().chain(&means) {
            table.cell(name);
            for bar in bars {
                table.optional(*bar);
            }
            table.end_row();
        }
        outputs.write(
            &directory.join(csv_name(figure.id)),
            table.into_text().as_bytes(),
        )?;
    }
    Ok(())
}
