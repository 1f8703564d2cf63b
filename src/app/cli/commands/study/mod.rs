//! `azulejo study`: figures and stated numbers of the papers again, over the demos.

mod args;
mod choice;
mod folder;
mod measure;
mod numbers;
mod output;
mod result;
mod unlike;

pub(in crate::app::cli) use self::args::StudyArgs;
use self::choice::Study;
pub(super) use self::choice::all_figures;
use self::measure::Run;
use self::output::{memories_text, text, trends_text, write_tables};
use self::result::{Done, StudyJson};
use super::kept::Keeper;
use super::suite::{Suite, SuiteArgs, Usual, samples_text};
use super::workload::Workload;
use super::{Console, Outcome};
use crate::app::cli::args::{DemoChoice, SceneArgs};
use crate::app::cli::failure::Failure;
use crate::app::cli::output::{Inputs, Outputs};
use crate::app::cli::tables;
use crate::demo::DEMOS;
use crate::study::{Compared, LEAST_BOUSTRO_FRAMES, LEAST_FRAMES};
use crate::sweep::Fingerprint;

/// Study that is to be run.
struct Planned<'a> {
    study: &'a Study,
    args: SuiteArgs,
    usual: Usual,
}

pub(super) fn run(args: &StudyArgs, console: Console) -> Outcome {
    let planned = args.planned()?;
    let outputs = plan_outputs(args, &planned)?;
    let mut suites = Vec::new();
    for planned in &planned {
        let mut suite = planned.args.suite(&planned.usual, console)?;
        check_frames(suite.frames, planned.study)?;
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
            study: run.study,
            suite: run.suite,
            inputs: run.print(),
            findings,
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
        let planned = self.study.studies.iter().map(|study| {
            let usual = study.usual(self.quick);
            let args = match is_all {
                true => self.suite.for_sample(usual.sample),
                false => self.suite.clone(),
            };
            Planned { study, args, usual }
        });
        Ok(planned.collect())
    }

    /// Study with its machine and, if measurements are kept, their keeper.
    fn run<'a>(&'a self, planned: &'a Planned<'_>, suite: &'a Suite<'a>) -> Outcome<Run<'a>> {
        let inputs = planned.args.inputs(suite)?.bytes();
        let what = planned.study.measured();
        let inputs = Fingerprint::of([("study", what.as_bytes()), ("suite", &inputs)]);
        // A folder for results also takes the measurements that they are made of.
        let beside = || self.output.as_ref().map(|folder| folder.join("measured"));
        let folder = self.keep.clone().or_else(beside);
        let keeper = folder.map(|folder| Keeper { folder, inputs });
        Ok(Run {
            study: planned.study,
            usual: &planned.usual,
            is_suite: self.is_suite_of(planned.study),
            workloads: self.workloads_of(planned.study)?,
            suite,
            inputs,
            keeper,
        })
    }

    /// Workloads: the files that are named, or the demos of a study: all of them are those that the study means.
    fn workloads_of(&self, study: &Study) -> Outcome<Vec<Workload>> {
        if !self.scenes.is_empty() {
            return Workload::of_files(&self.scenes);
        }
        Ok(match self.names_all_demos() {
            true => Workload::of_demos(&[DemoChoice(study.demos())]),
            false => Workload::of_demos(&self.demos),
        })
    }

    fn names_all_demos(&self) -> bool {
        DEMOS.iter().all(|demo| self.names(demo.name))
    }

    fn names(&self, demo: &str) -> bool {
        let mut named = self.demos.iter().flat_map(|choice| &choice.0);
        named.any(|named| named.name == demo)
    }

    /// Whether all demos are measured of which the study's trends were declared, and nothing else.
    fn is_suite_of(&self, study: &Study) -> bool {
        let n_named: usize = self.demos.iter().map(|choice| choice.0.len()).sum();
        let suite = study.demos();
        let is_whole = n_named == suite.len() && suite.iter().all(|demo| self.names(demo.name));
        self.scenes.is_empty() && (self.names_all_demos() || is_whole)
    }

    /// Names of all figures.
    fn ids(&self) -> impl Iterator<Item = &'static str> {
        self.study.studies.iter().flat_map(Study::ids)
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
        findings, unlike, ..
    } in all
    {
        let figures = findings.figures.iter();
        texts.extend(figures.map(|figure| text(figure, findings.decimals)));
        texts.extend(memories_text(&findings.games));
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

/// Refuses so few frames that nothing could be measured.
fn check_frames(frames: u64, study: &Study) -> Outcome {
    let (least, why) = match study {
        Study::Boustro(_) => (
            LEAST_BOUSTRO_FRAMES,
            "the first only fills the caches, and there and back are two",
        ),
        Study::Em1(_) => (2, "the first only warms the systems up"),
        Study::Area(_) => return Ok(()),
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
