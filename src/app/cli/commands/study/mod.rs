//! `azulejo study`: figures of the papers again, over the demos.

mod output;

use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use self::output::{csv_name, text, trends_text, write_csv};
use super::kept::Keeper;
use super::suite::{Measured, Suite, SuiteArgs, Usual, samples_text};
use super::{Console, Outcome};
use crate::app::cli::args::{DemoChoice, SampleArg, demos};
use crate::app::cli::failure::Failure;
use crate::app::cli::likeness::did_you_mean;
use crate::app::cli::output::{Inputs, Outputs};
use crate::demo::DEMOS;
use crate::study::{
    BOUSTRO_FIGURES, BoustroError, BoustroGame, BoustroStudy, Contestant, FIGURES, Figure,
    FigureSpec, FrameSource, Game, GameStudy, KHEPRI_FIGURES, LEAST_BOUSTRO_FRAMES, LEAST_FRAMES,
    LIBRA_FIGURES, LOOP_FIGURES, SAMPLING_FIGURES, SWEEP_FIGURES, Sample, Sampling, SamplingError,
    ScheduledGame, SchedulingStudy, StudyError, Trend, boustro_trends, khepri_lineup,
    khepri_trends, libra_lineup, libra_trends, loop_figure, sweep_lineup, sweep_trends, trends,
    walk,
};
use crate::sweep::Fingerprint;

/// Measure the figures of the papers again, over the demos, each beside what the paper states
///
/// All figures of a paper come from the same frames. Tiles and fragments are those of all frames; cycles and energies those of some
/// frames, which stand for the others and go through the machine with and without each technique. How far they are from what all
/// frames say is a study as well: sampling.error runs every frame, with and without Rendering Elimination, and holds the sample against it.
/// LIBRA and KHEPRI learn from frame to frame, and Boustrophedonic Frames reuse what the last has left: theirs are 25 and 31 frames after
/// each other, as in the papers.
#[derive(Debug, Clone, clap::Args)]
#[command(
    mut_arg("machine", |machine| machine.help(MACHINE)),
    mut_arg("frames", |frames| frames.help("Frames to draw, from the first on [default: 50; libra and khepri 25; boustro 31]")),
    mut_arg("sample", |sample| sample.help(SAMPLE))
)]
pub(in crate::app::cli) struct StudyArgs {
    /// A figure such as re.fig13a, or all of a study: `re`, `libra`, `khepri`, `boustro`, `sampling`; libra.fig19, on machines of its own,
    /// only by name
    #[arg(value_name = "ID", value_parser = study)]
    study: Study,
    /// Demos by name, or all
    #[arg(long, value_name = "DEMO[,DEMO...]", value_delimiter = ',', default_value = "all", value_parser = demos)]
    demos: Vec<DemoChoice>,
    #[command(flatten)]
    suite: SuiteArgs,
    /// A first look in minutes: half as many pixels each way, and five frames of a demo where --frames says nothing
    #[arg(long)]
    quick: bool,
    /// Where what is measured of each demo is kept: a study that was stopped and is started again goes on where it was
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Also a table for programs of each figure, ID.csv
    #[arg(long, value_name = "DIR")]
    csv: Option<PathBuf>,
}

/// What `--machine` is for here.
const MACHINE: &str = "A machine by name or a TOML file [default: that of the paper: mali450-re; libra valhall-libra-baseline; khepri valhall-khepri; boustro boustrophedonic]";

/// The same of `--sample`.
const SAMPLE: &str = "Which frames go through the machine and stand for how many: one of each group of frames that do alike (auto), all, or each Nth; those before it that warm the machine up do not count [default: auto; libra, khepri and boustro all]";

/// What the command line names.
#[derive(Debug, Clone)]
enum Study {
    /// Figures of Rendering Elimination.
    Elimination(Vec<&'static FigureSpec>),
    /// Figures of LIBRA.
    Libra(Vec<&'static FigureSpec<ScheduledGame>>),
    /// LIBRA, Fig. 19.
    Sweep(Vec<&'static FigureSpec<ScheduledGame>>),
    /// Figures of KHEPRI.
    Khepri(Vec<&'static FigureSpec<ScheduledGame>>),
    /// Figures of Boustrophedonic Frames, by name.
    Boustro(Vec<&'static str>),
    /// Figures of the choice of frames.
    Sampling(Vec<&'static FigureSpec<SamplingError>>),
}

/// Frames of a demo in a first look.
const QUICK_FRAMES: u64 = 5;

impl Study {
    /// Names of the chosen figures.
    fn ids(&self) -> Vec<&'static str> {
        match self {
            Self::Elimination(specs) => specs.iter().map(|spec| spec.id).collect(),
            Self::Libra(specs) | Self::Sweep(specs) | Self::Khepri(specs) => {
                specs.iter().map(|spec| spec.id).collect()
            }
            Self::Boustro(ids) => ids.clone(),
            Self::Sampling(specs) => specs.iter().map(|spec| spec.id).collect(),
        }
    }

    /// What is measured of a demo: all that any figure of the study needs.
    fn measured(&self) -> &'static str {
        match self {
            Self::Elimination(_) => "elimination",
            Self::Libra(_) => "libra",
            Self::Khepri(_) => "khepri",
            Self::Sweep(_) => "libra by thresholds",
            Self::Boustro(_) => "boustro",
            Self::Sampling(specs) => match needs_warm_ups(specs) {
                true => "sampling with warm-ups",
                false => "sampling",
            },
        }
    }

    const fn usual(&self, quick: bool) -> Usual {
        let (machine, frames, sample) = match self {
            Self::Elimination(_) | Self::Sampling(_) => ("mali450-re", 50, SampleArg::Auto),
            Self::Libra(_) | Self::Sweep(_) => ("valhall-libra-baseline", 25, SampleArg::All),
            Self::Khepri(_) => ("valhall-khepri", 25, SampleArg::All),
            // One fills the caches.
            Self::Boustro(_) => ("boustrophedonic", 31, SampleArg::All),
        };
        Usual {
            machine,
            frames: if quick { QUICK_FRAMES } else { frames },
            sample,
        }
    }
}

fn study(word: &str) -> Result<Study, String> {
    let (re, libra) = (named_by(FIGURES, word), named_by(LIBRA_FIGURES, word));
    let is_swept = |spec: &&FigureSpec<_>| word == "libra.fig19" || spec.id == word;
    let sweep: Vec<_> = SWEEP_FIGURES.iter().filter(is_swept).collect();
    if !sweep.is_empty() {
        return Ok(Study::Sweep(sweep));
    }
    let khepri = named_by(KHEPRI_FIGURES, word);
    let sampling = named_by(SAMPLING_FIGURES, word);
    if !re.is_empty() {
        return Ok(Study::Elimination(re));
    }
    if !libra.is_empty() {
        return Ok(Study::Libra(libra));
    }
    if !khepri.is_empty() {
        return Ok(Study::Khepri(khepri));
    }
    if !sampling.is_empty() {
        return Ok(Study::Sampling(sampling));
    }
    let is_meant = |id: &&str| *id == word || id.split('.').next() == Some(word);
    let boustro: Vec<_> = boustro_ids().filter(is_meant).collect();
    if !boustro.is_empty() {
        return Ok(Study::Boustro(boustro));
    }
    let known: Vec<_> = all_figures().map(|(id, _)| id).collect();
    let meant = did_you_mean(word, known.iter().copied());
    Err(format!(
        "no such study{meant}; expected re, libra, khepri, boustro, sampling, {}",
        known.join(", ")
    ))
}

/// Whether one of the figures is of the frames before those that count.
fn needs_warm_ups(specs: &[&FigureSpec<SamplingError>]) -> bool {
    specs.iter().any(|spec| spec.id == "sampling.warmup")
}

/// The figure of this name, or all of a study.
fn named_by<M>(figures: &'static [FigureSpec<M>], word: &str) -> Vec<&'static FigureSpec<M>> {
    let is_meant =
        |spec: &&FigureSpec<M>| spec.id == word || spec.id.split('.').next() == Some(word);
    figures.iter().filter(is_meant).collect()
}

/// Figures of Boustrophedonic Frames by name: those of games, then those of loops.
fn boustro_ids() -> impl Iterator<Item = &'static str> {
    BOUSTRO_FIGURES
        .iter()
        .map(|spec| spec.id)
        .chain(LOOP_FIGURES)
}

/// Names and titles of all figures of all studies.
pub(super) fn all_figures() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_schedulers = LIBRA_FIGURES.iter().chain(SWEEP_FIGURES);
    let of_schedulers = of_schedulers.chain(KHEPRI_FIGURES);
    let figures = FIGURES.iter().map(|spec| (spec.id, spec.title));
    let figures = figures.chain(of_schedulers.map(|spec| (spec.id, spec.title)));
    let figures = figures.chain(BOUSTRO_FIGURES.iter().map(|spec| (spec.id, spec.title)));
    let of_loops = LOOP_FIGURES.into_iter().filter_map(loop_figure);
    let figures = figures.chain(of_loops.map(|figure| (figure.id, figure.title)));
    figures.chain(SAMPLING_FIGURES.iter().map(|spec| (spec.id, spec.title)))
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

/// A study under way.
struct Run<'a> {
    args: &'a StudyArgs,
    suite: Suite<'a>,
    keeper: Option<Keeper>,
    outputs: Outputs,
    console: Console,
}

pub(super) fn run(args: &StudyArgs, console: Console) -> Outcome {
    let usual = args.study.usual(args.quick);
    let machine = args.suite.machine_name(&usual);
    let mut outputs = Outputs::of(Inputs::default().machines([machine]));
    if let Some(directory) = &args.csv {
        let names: Vec<_> = args.study.ids().into_iter().map(csv_name).collect();
        outputs.plan_folder(directory, "--csv", names.iter().map(String::as_str))?;
    }
    let mut suite = args.suite.suite(&usual)?;
    check_frames(suite.frames, &args.study)?;
    if args.quick {
        let grid = &mut suite.machine.screen.grid;
        (grid.width, grid.height) = (grid.width.div_ceil(2), grid.height.div_ceil(2));
    }
    let keeper = args.keeper(&suite)?;
    let run = Run {
        args,
        suite,
        keeper,
        outputs,
        console,
    };
    match &args.study {
        Study::Elimination(specs) => run.games(specs, trends, measure_game),
        Study::Libra(specs) => run.scheduled(specs, libra_trends, libra_lineup(&run.suite.machine)),
        Study::Sweep(specs) => run.scheduled(specs, sweep_trends, sweep_lineup(&run.suite.machine)),
        Study::Khepri(specs) => {
            run.scheduled(specs, khepri_trends, khepri_lineup(&run.suite.machine))
        }
        Study::Boustro(ids) => run.boustro(ids),
        Study::Sampling(specs) => run.sampling(specs),
    }
}

impl Run<'_> {
    /// Figures of schedulers, of games on a line-up of machines.
    fn scheduled(
        &self,
        specs: &[&FigureSpec<ScheduledGame>],
        trends: fn(&[(String, ScheduledGame)]) -> Vec<Trend>,
        lineup: Result<Vec<Contestant>, impl std::fmt::Display>,
    ) -> Outcome {
        let lineup = lineup.map_err(Failure::new)?;
        let measure = |sampling, mut demo: Measured<'_>| {
            let mut study = SchedulingStudy::new(&lineup)?;
            let sample = walk(&mut demo.frames, sampling, &mut study)?;
            Ok((study.into_game(), sample))
        };
        self.games(specs, trends, measure)
    }

    /// Figures of a paper, of games that `measure` measures.
    fn games<G: Serialize + DeserializeOwned + Send>(
        &self,
        specs: &[&FigureSpec<G>],
        trends: fn(&[(String, G)]) -> Vec<Trend>,
        measure: impl Fn(Sampling, Measured<'_>) -> Result<(G, Sample), StudyError> + Sync,
    ) -> Outcome {
        self.check_energy(specs)?;
        let suite = &self.suite;
        let measure = |demo: Measured<'_>| measure(suite.sampling, demo);
        let measured = suite.measure(
            &self.args.demos,
            self.keeper.as_ref(),
            self.console,
            measure,
        )?;
        let (mut games, mut samples) = (Vec::new(), Vec::new());
        for (demo, (game, sample)) in measured {
            games.push((demo.to_owned(), game));
            samples.push((demo, sample));
        }
        // Trends are of the suite.
        let is_suite = games.len() == DEMOS.len();
        let findings = Findings {
            figures: specs.iter().map(|spec| spec.draw(&games)).collect(),
            decimals: 1,
            trends: if is_suite { trends(&games) } else { Vec::new() },
            games,
        };
        let samples = samples.iter().map(|(demo, sample)| (*demo, sample));
        self.say(&findings, &samples.collect::<Vec<_>>())
    }

    /// Figures of Boustrophedonic Frames, whose frames follow each other; loops are computed, games are measured where they are asked for.
    fn boustro(&self, ids: &[&'static str]) -> Outcome {
        if self.suite.sampling != Sampling::Every(1) {
            let why = "boustro reuses from frame to frame what the caches still hold: it takes --sample all alone";
            return Err(Failure::usage(why));
        }
        let needs_games = ids.iter().any(|id| !LOOP_FIGURES.contains(id));
        let demos = if needs_games {
            &self.args.demos[..]
        } else {
            &[]
        };
        let measured =
            (self.suite).measure(demos, self.keeper.as_ref(), self.console, boustro_game)?;
        let named = |(demo, game): (&str, _)| (demo.to_owned(), game);
        let games: Vec<_> = measured.into_iter().map(named).collect();
        let figures = ids.iter().filter_map(|id| {
            let spec = BOUSTRO_FIGURES.iter().find(|spec| spec.id == *id);
            loop_figure(id).or_else(|| spec.map(|spec| spec.draw(&games)))
        });
        // Trends are of the suite.
        let is_suite = games.len() == DEMOS.len();
        let findings = Findings {
            figures: figures.collect(),
            decimals: 1,
            trends: if is_suite {
                boustro_trends(&games)
            } else {
                Vec::new()
            },
            games,
        };
        self.say(&findings, &[])
    }

    /// Figures of the choice of frames.
    fn sampling(&self, specs: &[&FigureSpec<SamplingError>]) -> Outcome {
        let Sampling::Groups { most } = self.suite.sampling else {
            let why = "the study of samples measures how far --sample auto is from --sample all";
            return Err(Failure::usage(why));
        };
        let warm_ups = needs_warm_ups(specs);
        let measure = |mut demo: Measured<'_>| {
            SamplingError::measure(demo.machine, &mut demo.frames, most, warm_ups)
        };
        let measured = (self.suite).measure(
            &self.args.demos,
            self.keeper.as_ref(),
            self.console,
            measure,
        )?;
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
        self.say(&findings, &samples.collect::<Vec<_>>())
    }

    /// Refuses a figure of energies of a machine that knows none; among others its cells say so.
    fn check_energy<G>(&self, specs: &[&FigureSpec<G>]) -> Outcome {
        match specs {
            [spec] if spec.energy && self.suite.machine.energy.is_none() => {
                let machine = self.suite.machine_name;
                let problem = format!("{}: {machine} does not say what its events cost", spec.id);
                let remedy = "set energy.technology of the machine, or take one that has it, such as mali450-re";
                Err(Failure::usage(problem).hint(remedy))
            }
            _ => Ok(()),
        }
    }

    /// Prints what was found out and writes the tables.
    fn say<G: Serialize>(&self, findings: &Findings<G>, samples: &[(&str, &Sample)]) -> Outcome {
        let figures = &findings.figures;
        let printed = if self.args.suite.json {
            let samples = samples.iter();
            self.console.print_json(&StudyJson {
                machine: self.suite.machine_name,
                figures,
                trends: &findings.trends,
                samples: samples
                    .map(|&(demo, sample)| SampleJson { demo, sample })
                    .collect(),
                games: &findings.games,
            })
        } else {
            let texts = figures.iter().map(|figure| text(figure, findings.decimals));
            let sampled = (!samples.is_empty()).then(|| samples_text(samples.iter().copied()));
            let texts = texts.chain(trends_text(&findings.trends)).chain(sampled);
            self.console.print(&texts.collect::<Vec<_>>().join("\n"))
        };
        if let Some(directory) = &self.args.csv {
            write_csv(&self.outputs, directory, figures)?;
        }
        printed
    }
}

impl StudyArgs {
    /// Where measurements are kept, if they are.
    fn keeper(&self, suite: &Suite<'_>) -> Outcome<Option<Keeper>> {
        let Some(folder) = &self.keep else {
            return Ok(None);
        };
        let inputs = self.suite.inputs(suite)?.bytes();
        let what = self.study.measured();
        Ok(Some(Keeper {
            folder: folder.clone(),
            inputs: Fingerprint::of([("study", what.as_bytes()), ("suite", &inputs)]),
        }))
    }
}

/// Refuses so few frames that nothing could be measured.
fn check_frames(frames: u64, study: &Study) -> Outcome {
    let (least, why) = match study {
        Study::Boustro(_) => (
            LEAST_BOUSTRO_FRAMES,
            "the first only fills the caches, and there and back are two",
        ),
        _ => (
            LEAST_FRAMES,
            "the first two only fill both frame buffers; what is left out is what frames before have done",
        ),
    };
    if frames >= least {
        return Ok(());
    }
    let problem = format!("--frames {frames}: a study needs at least {least}");
    Err(Failure::usage(problem).hint(why))
}

fn measure_game(sampling: Sampling, mut demo: Measured<'_>) -> Result<(Game, Sample), StudyError> {
    let mut study = GameStudy::new(demo.machine)?;
    demo.frames.fragment_hashes = true;
    let sample = walk(&mut demo.frames, sampling, &mut study)?;
    Ok((study.game(), sample))
}

fn boustro_game(mut demo: Measured<'_>) -> Result<BoustroGame, BoustroError> {
    let mut study = BoustroStudy::new(demo.machine)?;
    for frame in 0..demo.frames.n_frames() {
        study.model(&demo.frames.draw(frame))?;
    }
    study.game()
}
