//! `azulejo study`: figures of the papers again, over the demos.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::suite::{Measured, SuiteArgs, samples_text};
use super::{Console, Outcome};
use crate::app::cli::args::{DemoChoice, demos};
use crate::app::cli::failure::Failure;
use crate::app::cli::likeness::did_you_mean;
use crate::app::cli::output::{Inputs, Outputs};
use crate::demo::DEMOS;
use crate::report::{Align, CsvText, aligned};
use crate::study::{
    FIGURES, Figure, FigureSpec, Game, GameStudy, LEAST_FRAMES, SAMPLING_FIGURES, Sample, Sampling,
    SamplingError, StudyError, Trend, trends, walk,
};

/// Measure the figures of the papers again, over the demos, each beside what the paper states
///
/// All figures of a paper come from the same frames. Tiles and fragments are those of all frames; cycles and energies those of some
/// frames, which stand for the others and go through the machine with and without each technique. How far they are from what all
/// frames say is a study as well: sampling.error runs every frame, with and without Rendering Elimination, and holds the sample against it.
#[derive(Debug, Clone, clap::Args)]
#[command(mut_arg("machine", |machine| machine.default_value("mali450-re")))]
pub(in crate::app::cli) struct StudyArgs {
    /// A figure such as re.fig13a, or `re` for all of Rendering Elimination, `sampling` for all of the choice of frames
    #[arg(value_name = "ID", value_parser = study)]
    study: Study,
    /// Demos by name, or all
    #[arg(long, value_name = "DEMO[,DEMO...]", value_delimiter = ',', default_value = "all", value_parser = demos)]
    demos: Vec<DemoChoice>,
    #[command(flatten)]
    suite: SuiteArgs,
    /// Also a table for programs of each figure, ID.csv
    #[arg(long, value_name = "DIR")]
    csv: Option<PathBuf>,
}

/// What the command line names.
#[derive(Debug, Clone)]
enum Study {
    /// Figures of Rendering Elimination.
    Elimination(Vec<&'static FigureSpec>),
    /// Figures of the choice of frames.
    Sampling(Vec<&'static FigureSpec<SamplingError>>),
}

impl Study {
    fn ids(&self) -> Vec<&'static str> {
        match self {
            Self::Elimination(specs) => specs.iter().map(|spec| spec.id).collect(),
            Self::Sampling(specs) => specs.iter().map(|spec| spec.id).collect(),
        }
    }
}

fn study(word: &str) -> Result<Study, String> {
    let is_meant = |id: &str| id == word || id.split('.').next() == Some(word);
    let of_re: Vec<_> = FIGURES.iter().filter(|spec| is_meant(spec.id)).collect();
    if !of_re.is_empty() {
        return Ok(Study::Elimination(of_re));
    }
    let all = SAMPLING_FIGURES.iter();
    let of_sampling: Vec<_> = all.filter(|spec| is_meant(spec.id)).collect();
    if !of_sampling.is_empty() {
        return Ok(Study::Sampling(of_sampling));
    }
    let known = FIGURES.iter().map(|spec| spec.id);
    let known = known.chain(SAMPLING_FIGURES.iter().map(|spec| spec.id));
    let known: Vec<_> = known.collect();
    let meant = did_you_mean(word, known.iter().copied());
    Err(format!(
        "no such study{meant}; expected re, sampling, {}",
        known.join(", ")
    ))
}

/// What the command says, as JSON.
#[derive(Debug, Serialize)]
struct StudyJson<'a, G> {
    machine: &'a str,
    figures: &'a [Figure],
    trends: &'a [Trend],
    samples: Vec<SampleJson<'a>>,
    games: &'a [(String, G)],
}

/// The frames that stand for a demo.
#[derive(Debug, Serialize)]
struct SampleJson<'a> {
    demo: &'a str,
    #[serde(flatten)]
    sample: &'a Sample,
}

/// What was found out.
struct Findings<G> {
    figures: Vec<Figure>,
    /// Places behind the point in a text.
    decimals: usize,
    trends: Vec<Trend>,
    games: Vec<(String, G)>,
}

pub(super) fn run(args: &StudyArgs, console: Console) -> Outcome {
    check_frames(args.suite.frames)?;
    let sampling = args.suite.sampling()?;
    let mut outputs = Outputs::of(Inputs::default().machines([&args.suite.spec.machine]));
    if let Some(directory) = &args.csv {
        let names: Vec<_> = args.study.ids().into_iter().map(csv_name).collect();
        outputs.plan_folder(directory, "--csv", names.iter().map(String::as_str))?;
    }
    match &args.study {
        Study::Elimination(specs) => elimination(args, specs, sampling, console, &outputs),
        Study::Sampling(specs) => samples(args, specs, sampling, console, &outputs),
    }
}

/// Measures figures of Rendering Elimination.
fn elimination(
    args: &StudyArgs,
    specs: &[&FigureSpec],
    sampling: Sampling,
    console: Console,
    outputs: &Outputs,
) -> Outcome {
    check_energy(args, specs)?;
    let measure = |demo: Measured<'_>| measure_game(sampling, demo);
    let measured = args.suite.measure(&args.demos, console, measure)?;
    let (games, samples): (Vec<_>, Vec<_>) = (measured.into_iter())
        .map(|(demo, (game, sample))| ((demo.to_owned(), game), (demo, sample)))
        .unzip();
    // Trends are of the suite.
    let is_suite = games.len() == DEMOS.len();
    let findings = Findings {
        figures: specs.iter().map(|spec| spec.draw(&games)).collect(),
        decimals: 1,
        trends: if is_suite { trends(&games) } else { Vec::new() },
        games,
    };
    let samples = samples.iter().map(|(demo, sample)| (*demo, sample));
    say(
        args,
        console,
        outputs,
        &findings,
        &samples.collect::<Vec<_>>(),
    )
}

/// Measures figures of the choice of frames.
fn samples(
    args: &StudyArgs,
    specs: &[&FigureSpec<SamplingError>],
    sampling: Sampling,
    console: Console,
    outputs: &Outputs,
) -> Outcome {
    let Sampling::Groups { most } = sampling else {
        let why = "the study of samples measures how far --sample auto is from --sample all";
        return Err(Failure::usage(why));
    };
    let warm_ups = specs.iter().any(|spec| spec.id == "sampling.warmup");
    let measure = |mut demo: Measured<'_>| {
        SamplingError::measure(demo.machine, &mut demo.frames, most, warm_ups)
    };
    let measured = args.suite.measure(&args.demos, console, measure)?;
    let games: Vec<_> = (measured.into_iter())
        .map(|(demo, error)| (demo.to_owned(), error))
        .collect();
    let findings = Findings {
        figures: specs.iter().map(|spec| spec.draw(&games)).collect(),
        decimals: 2,
        trends: Vec::new(),
        games,
    };
    let samples = (findings.games.iter()).map(|(demo, error)| (&**demo, &error.sample));
    say(
        args,
        console,
        outputs,
        &findings,
        &samples.collect::<Vec<_>>(),
    )
}

/// Prints what was found out and writes the tables.
fn say<G: Serialize>(
    args: &StudyArgs,
    console: Console,
    outputs: &Outputs,
    findings: &Findings<G>,
    samples: &[(&str, &Sample)],
) -> Outcome {
    let figures = &findings.figures;
    let printed = if args.suite.json {
        let samples = samples.iter();
        console.print_json(&StudyJson {
            machine: &args.suite.spec.machine,
            figures,
            trends: &findings.trends,
            samples: samples
                .map(|&(demo, sample)| SampleJson { demo, sample })
                .collect(),
            games: &findings.games,
        })
    } else {
        let texts = figures.iter().map(|figure| text(figure, findings.decimals));
        let texts = texts
            .chain(trends_text(&findings.trends))
            .chain([samples_text(samples.iter().copied())]);
        console.print(&texts.collect::<Vec<_>>().join("\n"))
    };
    if let Some(directory) = &args.csv {
        write_csv(outputs, directory, figures)?;
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

/// Refuses a figure of energies of a machine that knows none; among others its cells say so.
fn check_energy(args: &StudyArgs, specs: &[&FigureSpec]) -> Outcome {
    let machine = args.suite.spec.load()?;
    match specs {
        [spec] if spec.energy && machine.energy.is_none() => {
            let machine = &args.suite.spec.machine;
            let problem = format!("{}: {machine} does not say what its events cost", spec.id);
            let remedy =
                "set energy.technology of the machine, or take one that has it, such as mali450-re";
            Err(Failure::usage(problem).hint(remedy))
        }
        _ => Ok(()),
    }
}

fn measure_game(sampling: Sampling, mut demo: Measured<'_>) -> Result<(Game, Sample), StudyError> {
    let mut study = GameStudy::new(demo.machine)?;
    demo.frames.fragment_hashes = true;
    let sample = walk(&mut demo.frames, sampling, &mut study)?;
    Ok((study.game(), sample))
}

/// In per cent, `-` where nothing was measured.
fn percent(share: Option<f64>, decimals: usize) -> String {
    let text = |share| format!("{:.decimals$}", 100.0 * share);
    share.map_or("-".to_owned(), text)
}

fn text(figure: &Figure, decimals: usize) -> String {
    let percent = |share| percent(share, decimals);
    let row = |name: &str, bars: &[Option<f64>]| {
        let cells = bars.iter().copied().map(percent);
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
            format!("ours {} %, {delta:+.decimals$} points", percent(Some(ours)))
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
