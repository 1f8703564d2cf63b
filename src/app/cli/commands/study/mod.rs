//! `azulejo study`: figures and stated numbers of the papers again, over the demos.

mod args;
mod cast;
mod choice;
mod folder;
mod measure;
mod numbers;
mod output;
mod result;
mod unlike;

pub(in crate::cli) use self::args::StudyArgs;
use self::cast::Cast;
use self::choice::Chosen;
pub(super) use self::choice::all_figures;
use self::measure::Run;
use self::output::{tables_text, trends_text, write_tables};
use self::result::{Done, StudyJson};
use super::kept::Keeper;
use super::suite::{Suite, SuiteArgs, Usual, samples_text};
use super::workload::SuiteWorkload;
use super::{Console, Outcome};
use crate::cli::args::{DemoChoice, SampleArg, SceneArgs};
use crate::cli::failure::Failure;
use crate::cli::output::{Inputs, Outputs};
use crate::cli::tables;
use azulejo_demo::DEMOS;
use azulejo_study::{Compared, Sampling, Study};
use azulejo_sweep::Fingerprint;

/// Study that is to be run.
struct Planned<'a> {
    chosen: &'a Chosen,
    args: SuiteArgs,
    usual: Usual,
}

pub(super) fn run(args: &StudyArgs, console: Console) -> Outcome {
    let planned = args.planned()?;
    let outputs = plan_outputs(args, &planned)?;
    let mut suites = Vec::new();
    for planned in &planned {
        let mut suite = planned.args.suite(&planned.usual, console)?;
        check_frames(suite.frames, planned.chosen.study)?;
        if args.quick {
            let grid = &mut suite.machine.screen.grid;
            (grid.width, grid.height) = (grid.width.div_ceil(2), grid.height.div_ceil(2));
        }
        suites.push(suite);
    }
    let runs = planned.iter().zip(&suites);
    let runs: Vec<Run<'_>> = runs
        .map(|(planned, suite)| args.run(planned, suite))
        .collect::<Outcome<_>>()?;
    runs.iter().try_for_each(Run::check)?;
    let bar = console.progress(runs.iter().map(Run::n_frames).sum(), "frames");
    let mut all = Vec::new();
    for run in &runs {
        let findings = run.findings(&bar).inspect_err(|_| bar.finish_and_clear())?;
        all.push(Done {
            chosen: run.chosen,
            suite: run.suite,
            inputs: run.print(),
            findings,
            cast: Cast::of(run),
            unlike: unlike::unlike(run),
        });
    }
    bar.finish_and_clear();
    let compared = numbers::numbers(&args.study, &all);
    let printed = print(args, &all, &compared, console);
    if let Some(directory) = &args.csv {
        write_tables(&outputs, directory, &all, &compared)?;
    }
    if let Some(folder) = &args.output {
        let files = folder::write(args, &all, &compared, folder, &outputs)?;
        console.note(&files);
    }
    printed
}

impl StudyArgs {
    /// Studies in their order, each with what is usual for it.
    fn planned(&self) -> Outcome<Vec<Planned<'_>>> {
        let is_all = self.study.is_several();
        if is_all && (self.suite.names_machine() || self.suite.names_sample()) {
            let problem =
                "of several studies, each takes its paper's machine and the frames that it needs";
            return Err(Failure::usage(problem).hint("--machine and --sample are for one study"));
        }
        let planned = self.study.studies.iter().map(|chosen| {
            let usual = usual(chosen.study, self.quick);
            let args = match is_all {
                true => self.suite.for_sample(usual.sample),
                false => self.suite.clone(),
            };
            Planned {
                chosen,
                args,
                usual,
            }
        });
        Ok(planned.collect())
    }

    /// Study with its machine and, if measurements are kept, their keeper.
    fn run<'a>(&'a self, planned: &'a Planned<'_>, suite: &'a Suite<'a>) -> Outcome<Run<'a>> {
        let inputs = planned.args.inputs(suite)?.bytes();
        let Chosen { study, figures } = planned.chosen;
        let what = (study.kept_as)(figures);
        let inputs = Fingerprint::of([("study", what.as_bytes()), ("suite", &inputs)]);
        // A folder for results also takes the measurements that they are made of.
        let beside = || self.output.as_ref().map(|folder| folder.join("measured"));
        let folder = self.keep.clone().or_else(beside);
        let keeper = folder.map(|folder| Keeper { folder, inputs });
        Ok(Run {
            chosen: planned.chosen,
            usual: &planned.usual,
            quick: self.quick,
            all_demos: self.names_all_demos(),
            weigh_kinds: self.weigh_kinds,
            workloads: self.workloads_of(study)?,
            suite,
            inputs,
            keeper,
        })
    }

    /// Workloads: the files or demos that are named, all demos of the study, or those that stand for its paper's games.
    fn workloads_of(&self, study: &Study) -> Outcome<Vec<SuiteWorkload>> {
        if !self.scenes.is_empty() {
            return SuiteWorkload::of_files(&self.scenes);
        }
        let demos = match self.demos.is_empty() {
            true => study.own_demos(),
            false if self.names_all_demos() => (study.demos)(),
            false => return Ok(SuiteWorkload::of_demos(&self.demos)),
        };
        Ok(SuiteWorkload::of_demos(&[DemoChoice(demos)]))
    }

    fn names_all_demos(&self) -> bool {
        let named = || self.demos.iter().flat_map(|choice| &choice.0);
        DEMOS
            .iter()
            .all(|demo| named().any(|named| named.name == demo.name))
    }

    /// Names of all figures.
    fn ids(&self) -> impl Iterator<Item = &'static str> {
        let studies = self.study.studies.iter();
        studies.flat_map(|chosen| chosen.figures.iter().copied())
    }
}

/// Plans all files of the run, before anything slow.
fn plan_outputs(args: &StudyArgs, planned: &[Planned<'_>]) -> Outcome<Outputs> {
    let machines = planned.iter();
    let machines = machines.map(|planned| planned.args.machine_name(&planned.usual));
    let inputs = Inputs::default().machines(machines);
    let scenes = args.scenes.iter().map(|file| SceneArgs::of_file(file));
    let inputs = scenes.fold(inputs, |inputs, scene| inputs.scene(&scene));
    let mut outputs = Outputs::of(inputs);
    let names = args.ids().chain([numbers::TABLE]);
    let tables: Vec<String> = names.flat_map(tables::files).collect();
    let tables = || tables.iter().map(String::as_str);
    if let Some(directory) = &args.csv {
        outputs.plan_folder(directory, "--csv", tables())?;
    }
    if let Some(directory) = &args.output {
        outputs.plan_folder(directory, "-o", folder::FILES.into_iter().chain(tables()))?;
    }
    outputs.check()?;
    Ok(outputs)
}

/// Prints the findings of all studies.
fn print(args: &StudyArgs, all: &[Done<'_>], compared: &[Compared], console: Console) -> Outcome {
    if args.study.is_numbers() {
        return match args.suite.json {
            true => console.print_json(&numbers::json(all, compared)),
            false => console.print(&numbers::text(all, compared)),
        };
    }
    if args.suite.json {
        return match all {
            [one] => console.print_json(&StudyJson::of(one)),
            all => console.print_json(&folder::studies(all, compared)),
        };
    }
    let mut texts = Vec::new();
    for Done {
        findings,
        cast,
        unlike,
        ..
    } in all
    {
        let figures = findings.figures.iter();
        texts.extend(figures.map(|figure| figure.text(findings.decimals)));
        texts.extend(tables_text(&findings.tables));
        let words = cast.as_ref().map(Cast::words);
        texts.extend(words.map(|words| format!("demos: {words}\n")));
        if !unlike.is_empty() {
            texts.push(format!("unlike the paper: {}\n", unlike.join("; ")));
        }
        texts.extend(trends_text(&findings.trends));
        if !findings.samples.is_empty() {
            let samples = findings.samples.iter();
            let samples = samples.map(|(demo, sample)| (demo.as_str(), sample));
            texts.push(samples_text(samples));
        }
    }
    console.print(&texts.join("\n"))
}

/// Defaults of a study in the command line's words.
const fn usual(study: &Study, quick: bool) -> Usual {
    Usual {
        machine: study.usual.machine,
        frames: study.usual_frames(quick),
        sample: match study.usual.sampling {
            Sampling::Groups { .. } => SampleArg::Auto,
            Sampling::Every(1) => SampleArg::All,
            Sampling::Every(step) => SampleArg::Every(step),
        },
    }
}

/// Refuses so few frames that nothing could be measured.
fn check_frames(frames: u64, study: &Study) -> Outcome {
    let least = study.least;
    if frames >= least.frames {
        return Ok(());
    }
    let problem = format!("--frames {frames}: a study needs at least {}", least.frames);
    Err(Failure::usage(problem).hint(least.why))
}
