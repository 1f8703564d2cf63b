//! Studies as values: names, defaults and figures of one, and the way from options to findings. How games are measured is
//! behind [`Measures`].

use std::fmt::Debug;

use serde::Serialize;

use super::error::RunError;
use super::figures::{Figure, FigureTitle, Trend};
use super::record::Record;
use super::sampling::{Sample, Sampling};
use super::stated::{Compared, compare};
use super::suite::Suite;
use super::suites::PaperSuite;
use super::workload::{DemoWorkload, Keep, Progress, Workload};
use azulejo_demo::{DEMOS, Demo};
use azulejo_gpu::machine::{MachineSpec, Overlay};
use azulejo_soc::SocSpec;
use azulejo_technique::check_parameters;

/// Most groups of frames where a study's sample is of groups and nothing else is said.
pub const MOST_GROUPS: usize = 4;

/// Study of a paper: its figures, and all that is measured for them.
#[derive(Debug, Clone, Copy)]
pub struct Study {
    /// Name on the command line and first word of its figures' names.
    pub name: &'static str,
    /// Subject, as a heading.
    pub title: &'static str,
    /// Publication whose figures are measured again.
    pub paper: &'static str,
    /// Measurement, in a line.
    pub about: &'static str,
    /// Machine, frames and sample where nothing is said.
    pub usual: Usual,
    /// Fewest frames that give a result.
    pub least: Least,
    /// Reason for which it does not work with a sample, if it does not.
    pub refuses: fn(Sampling) -> Option<&'static str>,
    /// Games of its paper, over whose stand-ins it runs where nothing is said; without any it takes all demos.
    pub suite: Option<&'static PaperSuite>,
    /// All demos that it may run over by choice.
    pub demos: fn() -> Vec<&'static Demo>,
    /// Kind of measurement that some of its figures need, for all that is kept of a workload.
    pub kept_as: fn(&[&str]) -> &'static str,
    /// Whether `all` runs it; others run only by name.
    pub in_all: bool,
    /// Whether the papers' numbers are held against it.
    pub in_numbers: bool,
    /// Figures and measurement.
    pub measures: &'static dyn Measures,
}

/// Defaults of a study.
#[derive(Debug, Clone, Copy)]
pub struct Usual {
    /// Built-in machine of the paper.
    pub machine: &'static str,
    /// Words for the machine where none is named and each part has its own.
    pub machine_in_words: Option<&'static str>,
    /// Frames of each workload.
    pub frames: u64,
    /// Frames of each workload under `--quick`.
    pub quick_frames: u64,
    /// Choice of the frames that stand for all.
    pub sampling: Sampling,
}

/// Bound on the frames of a workload.
#[derive(Debug, Clone, Copy)]
pub struct Least {
    /// Fewest frames that give a result.
    pub frames: u64,
    /// Reason for the bound.
    pub why: &'static str,
}

/// Choice of the workloads of a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Demos {
    /// Demos that stand for the games of its paper.
    Papers,
    /// All its demos.
    All,
    /// Others, of which no trend was declared.
    Named,
}

/// Inputs that figures need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Formulas alone.
    Nothing,
    /// Machines, through which no workload goes.
    Machines,
    /// Frames of every workload on machines.
    Frames,
}

/// Measurement of a study: figures by name, and findings by a setup.
pub trait Measures: Debug + Sync {
    /// Lists the figures, in the order in which lists show them.
    fn figures(&self) -> Vec<FigureTitle>;

    /// Tells the inputs of the figures of these names.
    fn needs(&self, figures: &[&str]) -> Needs;

    /// Measures the figures of a setup.
    ///
    /// # Errors
    /// A machine that does not suit the study, and the first workload in order that cannot be measured.
    fn measure(&self, setup: &Setup<'_>) -> Result<Findings, RunError>;
}

/// Options of a run; what is left out is the study's own.
#[derive(Debug, Clone, Copy, Default)]
pub struct StudyOptions<'a> {
    /// First look: half as many pixels each way of the study's machine, and few frames.
    pub quick: bool,
    /// Figures by name; all where none is named.
    pub figures: &'a [&'a str],
    /// Machine in place of the study's.
    pub machine: Option<&'a MachineSpec>,
    /// Changes of the study's machine; of another they are known to have been made.
    pub changes: &'a [Overlay],
    /// Frames of each workload.
    pub frames: Option<u64>,
    /// Choice of the frames that stand for all.
    pub sampling: Option<Sampling>,
    /// All demos, in place of those that stand for the paper's games.
    pub all_demos: bool,
    /// Workloads in place of the study's demos.
    pub workloads: Option<&'a [&'a dyn Workload]>,
    /// Means weighted by the kinds of the paper's games, beside the plain ones.
    pub weigh_kinds: bool,
    /// Threads that draw; 0 takes one for each core. Results are the same for any number.
    pub threads: usize,
    /// Place where measurements are kept.
    pub keep: Option<&'a dyn Keep>,
}

impl<'a> StudyOptions<'a> {
    /// Returns the options of a first look, which takes minutes.
    #[must_use]
    pub fn quick() -> Self {
        Self {
            quick: true,
            ..Self::default()
        }
    }

    /// Takes workloads in place of the study's demos.
    #[must_use]
    pub const fn over(self, workloads: &'a [&'a dyn Workload]) -> Self {
        Self {
            workloads: Some(workloads),
            ..self
        }
    }
}

/// Options with all that was left out filled in.
#[derive(Debug)]
pub struct Setup<'a> {
    /// Names of the figures.
    pub figures: Vec<&'static str>,
    /// Machine that frames go through.
    pub machine: MachineSpec,
    /// Whether the machine was named, and is not the study's own.
    pub names_machine: bool,
    /// Changes of machines that the study takes by name.
    pub changes: &'a [Overlay],
    /// Choice of the frames that stand for all.
    pub sampling: Sampling,
    /// Choice of the workloads.
    pub demos: Demos,
    /// Workloads with screen and frames; none where the figures need none.
    pub suite: Suite<'a>,
}

/// Findings of a study.
#[derive(Debug, Clone, PartialEq)]
pub struct Findings {
    /// Figures in the order in which they were asked for, with the paper's means beside ours.
    pub figures: Vec<Figure>,
    /// Decimal places of numbers in a text.
    pub decimals: usize,
    /// Trends of the paper's games or of all demos; none of other workloads.
    pub trends: Vec<Trend>,
    /// Samples by workload: which frames stood for which; none where each stood for itself.
    pub samples: Vec<(String, Sample)>,
    /// Tables beside the figures.
    pub tables: Vec<StudyTable>,
    /// Measurements of each workload.
    pub games: Vec<(String, Record)>,
}

/// Table beside figures, of words and numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StudyTable {
    /// Heading of the table.
    pub title: &'static str,
    /// Rules of its numbers.
    pub note: &'static str,
    /// Names of the columns.
    pub columns: &'static [&'static str],
    /// Number of columns from the first on that are words.
    pub words: usize,
    /// Cells by row.
    pub rows: Vec<Vec<String>>,
}

impl Study {
    /// Returns a study by its name and measurement, with defaults for all else: machine `mali450-re`, every one of ten
    /// frames, all games.
    #[must_use]
    pub const fn new(name: &'static str, measures: &'static dyn Measures) -> Self {
        Self {
            name,
            title: name,
            paper: "none",
            about: "",
            usual: Usual {
                machine: "mali450-re",
                machine_in_words: None,
                frames: 10,
                quick_frames: 5,
                sampling: Sampling::Every(1),
            },
            least: Least { frames: 1, why: "" },
            refuses: |_| None,
            suite: None,
            demos: || DEMOS.iter().collect(),
            kept_as: |_| "games",
            in_all: false,
            in_numbers: false,
            measures,
        }
    }

    /// Names of all figures.
    #[must_use]
    pub fn figures(&self) -> Vec<&'static str> {
        let figures = self.measures.figures().into_iter();
        figures.map(|figure| figure.id).collect()
    }

    /// Frames of each workload where nothing is said.
    #[must_use]
    pub const fn usual_frames(&self, quick: bool) -> u64 {
        if quick {
            self.usual.quick_frames
        } else {
            self.usual.frames
        }
    }

    /// Demos that it runs over where nothing is said: those that stand for its paper's games, each once.
    #[must_use]
    pub fn own_demos(&self) -> Vec<&'static Demo> {
        self.suite.map_or_else(self.demos, PaperSuite::stand_ins)
    }

    /// Tells which choice workloads are, in any order; `all_demos` says that all are meant, where these are also the
    /// paper's.
    #[must_use]
    pub fn choice(&self, workloads: &[&dyn Workload], all_demos: bool) -> Demos {
        let demos = workloads.iter().map(|workload| workload.demo());
        let Some(chosen) = demos.collect::<Option<Vec<_>>>() else {
            return Demos::Named;
        };
        let sorted = |demos: &[&'static Demo]| {
            let mut names: Vec<_> = demos.iter().map(|demo| demo.name).collect();
            names.sort_unstable();
            names
        };
        let are = |demos: Vec<&'static Demo>| sorted(&chosen) == sorted(&demos);
        if !all_demos && are(self.own_demos()) {
            Demos::Papers
        } else if are((self.demos)()) {
            Demos::All
        } else {
            Demos::Named
        }
    }

    /// Runs the study.
    ///
    /// # Errors
    /// Before anything slow, options that do not suit the study; then the first workload in order that cannot be measured.
    pub fn run(
        &self,
        options: &StudyOptions<'_>,
        progress: &dyn Progress,
    ) -> Result<Findings, RunError> {
        let own: Vec<DemoWorkload> = match options.workloads {
            Some(_) => Vec::new(),
            None => self.demos_of(options),
        };
        let own: Vec<&dyn Workload> = own.iter().map(|demo| demo as &dyn Workload).collect();
        let workloads = options.workloads.unwrap_or(&own);
        let figures = self.chosen(options.figures)?;
        let machine = match options.machine {
            Some(machine) => machine.clone(),
            None => self.machine(options)?,
        };
        let sampling = options.sampling.unwrap_or(self.usual.sampling);
        let frames = options.frames.unwrap_or(self.usual_frames(options.quick));
        self.check(sampling, frames)?;
        self.check_energy(&figures, &machine, options.machine.is_some())?;
        let suite = Suite {
            screen: &machine.screen.clone(),
            workloads: match self.measures.needs(&figures) {
                Needs::Frames => workloads,
                Needs::Nothing | Needs::Machines => &[],
            },
            frames,
            threads: options.threads,
            keep: options.keep,
            progress,
        };
        let mut findings = self.measures.measure(&Setup {
            figures,
            machine,
            names_machine: options.machine.is_some(),
            changes: options.changes,
            sampling,
            demos: self.choice(workloads, options.all_demos),
            suite,
        })?;
        if options.weigh_kinds {
            let weights = self.weights(workloads).unwrap_or_default();
            let figures = findings.figures.iter_mut();
            figures.for_each(|figure| figure.weigh(&weights));
        }
        Ok(findings)
    }

    /// Demos where no workloads are named.
    fn demos_of(&self, options: &StudyOptions<'_>) -> Vec<DemoWorkload> {
        let demos = match options.all_demos {
            true => (self.demos)(),
            false => self.own_demos(),
        };
        demos.into_iter().map(DemoWorkload::of).collect()
    }

    /// Weights of workloads by their names, each kind with its share of the paper's games; nothing where the paper tells no
    /// kinds, or a workload is no demo.
    fn weights(&self, workloads: &[&dyn Workload]) -> Option<Vec<(String, f64)>> {
        let demos = workloads.iter().map(|workload| workload.demo());
        let demos = demos.collect::<Option<Vec<_>>>()?;
        let weights = self.suite?.weights(&demos)?;
        let names = workloads.iter().map(|workload| workload.name().to_owned());
        Some(names.zip(weights).collect())
    }

    /// Figures of these names, all where none is named.
    fn chosen(&self, names: &[&str]) -> Result<Vec<&'static str>, RunError> {
        let known = self.figures();
        if names.is_empty() {
            return Ok(known);
        }
        let find = |name: &&str| {
            let found = known.iter().find(|figure| *figure == name);
            found.copied().ok_or_else(|| RunError::Figure {
                study: self.name,
                figure: (*name).to_owned(),
            })
        };
        names.iter().map(find).collect()
    }

    /// The study's own machine with changes; in a first look on a smaller screen.
    fn machine(&self, options: &StudyOptions<'_>) -> Result<MachineSpec, RunError> {
        let mut machine = MachineSpec::built_in(self.usual.machine, options.changes)?;
        check_parameters(&machine)?;
        SocSpec::of(&machine)?;
        if options.quick {
            let grid = &mut machine.screen.grid;
            (grid.width, grid.height) = (grid.width.div_ceil(2), grid.height.div_ceil(2));
        }
        Ok(machine)
    }

    /// Refuses a sample that the study does not work with, and so few frames that nothing could be measured.
    ///
    /// # Errors
    /// [`RunError::Frames`], [`RunError::Sampling`].
    pub fn check(&self, sampling: Sampling, frames: u64) -> Result<(), RunError> {
        let Least { frames: least, why } = self.least;
        if frames < least {
            return Err(RunError::Frames { frames, least, why });
        }
        let refusal = (self.refuses)(sampling);
        refusal.map_or(Ok(()), |reason| Err(RunError::Sampling(reason)))
    }

    /// Refuses a figure of energies of a machine that states none; among others its cells say so. `is_named` is a machine
    /// that is not the study's own.
    ///
    /// # Errors
    /// [`RunError::Energy`].
    pub fn check_energy(
        &self,
        figures: &[&str],
        machine: &MachineSpec,
        is_named: bool,
    ) -> Result<(), RunError> {
        let [only] = figures else {
            return Ok(());
        };
        let is_used = is_named || self.measures.needs(figures) == Needs::Frames;
        let known = self.measures.figures().into_iter();
        let mut energies = known.filter(|figure| figure.energy && figure.id == *only);
        match energies.next() {
            Some(figure) if is_used && machine.energy.is_none() => Err(RunError::Energy(figure.id)),
            _ => Ok(()),
        }
    }
}

impl Findings {
    /// Every number that papers state of these figures, beside ours.
    #[must_use]
    pub fn numbers(&self) -> Vec<Compared> {
        let figures: Vec<_> = self.figures.iter().collect();
        let is_drawn = |id| figures.iter().any(|figure| figure.id == id);
        compare(&figures, |number| number.figure().is_some_and(is_drawn))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    use super::*;
    use crate::{Drawer, FigureSpec, Measure, Measurement, Problem};
    use azulejo_gpu::machine::ScreenSpec;
    use azulejo_render::Renderer;
    use azulejo_trace::InstructionClass;
    use azulejo_trace::synthetic::{CoveredScreen, independent};

    /// Made workload; a lost one cannot be drawn.
    #[derive(Debug)]
    struct Covered {
        name: &'static str,
        is_lost: bool,
    }

    impl Workload for Covered {
        fn name(&self) -> &str {
            self.name
        }

        fn start<'a>(
            &'a self,
            screen: &ScreenSpec,
            _: &'a mut Renderer,
        ) -> Result<Drawer<'a>, Problem> {
            if self.is_lost {
                return Err("lost".into());
            }
            let program = independent(InstructionClass::Alu, 1);
            let screen = CoveredScreen::new(screen.grid, program);
            Ok(Box::new(move |number, _| screen.frame(number)))
        }
    }

    #[derive(Debug, Default)]
    struct Shelf(Mutex<BTreeMap<String, Vec<u8>>>);

    impl Keep for Shelf {
        fn recall(&self, key: &str) -> Option<Vec<u8>> {
            self.0.lock().expect("whole").get(key).cloned()
        }

        fn keep(&self, key: &str, measured: &[u8]) -> Result<(), Problem> {
            let mut shelf = self.0.lock().expect("whole");
            shelf.insert(key.to_owned(), measured.to_vec());
            Ok(())
        }
    }

    const TILES: Measurement<u64> = Measurement::new(
        &[FigureSpec {
            id: "own.tiles",
            columns: &["tiles"],
            energy: true,
            bars: |tiles| vec![Some(*tiles as f64)],
            ..FigureSpec::BARS
        }],
        |_| {
            Ok(Measure::whole(|frames| {
                let tiles = (0..frames.n_frames()).map(|number| frames.draw(number).tiles.len());
                Ok::<_, Problem>(tiles.sum::<usize>() as u64)
            }))
        },
    );
    const OWN: Study = Study::new("own", &TILES);

    #[test]
    fn run_goes_on_from_what_was_kept() {
        let workloads = |is_lost| {
            let of = |name| Covered { name, is_lost };
            ["first", "second"].map(of)
        };
        let shelf = Shelf::default();
        let run = |[first, second]: [Covered; 2], threads| {
            let options = StudyOptions {
                threads,
                keep: Some(&shelf),
                ..StudyOptions::quick()
            };
            OWN.run(&options.over(&[&first, &second]), &())
        };
        let findings = run(workloads(false), 2).expect("drawn");
        let tiles = findings.figures[0].mean[0].expect("measured");
        assert!(tiles > 5.0, "of five frames: {tiles}");
        let names: Vec<_> = findings.games.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["first", "second"], "in order");
        let again = run(workloads(true), 1).expect("kept");
        assert_eq!(again, findings, "nothing was drawn");
        shelf.keep("first", b"no number").expect("kept");
        let error = run(workloads(true), 1).expect_err("unreadable, and lost");
        assert_eq!(error.to_string(), "lost", "the workload's own words");
    }

    #[test]
    fn run_refuses_options_before_it_draws() {
        let lost = Covered {
            name: "lost",
            is_lost: true,
        };
        let refused = |options: StudyOptions<'_>| {
            let error = OWN.run(&options.over(&[&lost]), &());
            error.expect_err("refused")
        };
        let error = refused(StudyOptions {
            figures: &["own.time"],
            ..StudyOptions::default()
        });
        assert!(matches!(error, RunError::Figure { .. }), "{error}");
        let error = refused(StudyOptions {
            frames: Some(0),
            ..StudyOptions::default()
        });
        assert!(
            matches!(error, RunError::Frames { least: 1, .. }),
            "{error}"
        );
        let mut machine = MachineSpec::built_in("mali450-re", &[]).expect("shipped");
        machine.energy = None;
        let error = refused(StudyOptions {
            machine: Some(&machine),
            ..StudyOptions::default()
        });
        assert!(matches!(error, RunError::Energy("own.tiles")), "{error}");
    }

    #[test]
    fn choice_is_told_by_the_demos_in_any_order() {
        let of_paper = Study {
            suite: PaperSuite::of("re"),
            ..OWN
        };
        let of = |demos: Vec<&'static Demo>| -> Vec<DemoWorkload> {
            demos.into_iter().rev().map(DemoWorkload::of).collect()
        };
        let (papers, all) = (of(of_paper.own_demos()), of((of_paper.demos)()));
        let papers: Vec<_> = papers.iter().map(|demo| demo as &dyn Workload).collect();
        let all: Vec<_> = all.iter().map(|demo| demo as &dyn Workload).collect();
        assert_eq!(
            (papers.len(), all.len()),
            (10, 16),
            "of Table II, of the list"
        );
        assert_eq!(of_paper.choice(&papers, false), Demos::Papers);
        assert_eq!(of_paper.choice(&all, false), Demos::All);
        assert_eq!(of_paper.choice(&all[1..], false), Demos::Named, "but one");
        assert_eq!(OWN.choice(&all, false), Demos::Papers, "without a paper");
        assert_eq!(OWN.choice(&all, true), Demos::All, "if so meant");
        let made = Covered {
            name: DEMOS[0].name,
            is_lost: false,
        };
        let mut others = papers.clone();
        others[0] = &made;
        let choice = of_paper.choice(&others, false);
        assert_eq!(choice, Demos::Named, "a name is no demo");
    }

    #[test]
    fn weighted_means_stand_beside_plain_ones_where_a_paper_tells_kinds() {
        let libra = Study {
            suite: PaperSuite::of("libra"),
            ..OWN
        };
        let small = ["screen.width=64", "screen.height=32"];
        let small = small.map(|change| change.parse().expect("a change"));
        let mean = |study: &Study, weigh_kinds| {
            let demos = ["match3", "climb", "arena"].map(DemoWorkload::find);
            let [a, b, c] = &demos.map(|demo| demo.expect("a demo"));
            let options = StudyOptions {
                frames: Some(1),
                changes: &small,
                weigh_kinds,
                ..StudyOptions::default()
            };
            let findings = study.run(&options.over(&[a, b, c]), &()).expect("drawn");
            let figure = findings.figures[0].clone();
            (figure.mean, figure.weighted_mean)
        };
        let (plain, weighted) = mean(&libra, true);
        assert_eq!(weighted, Some(plain), "both, of games that are alike");
        assert_eq!(mean(&libra, false).1, None, "only by choice");
        assert_eq!(mean(&OWN, true).1, None, "no paper's games");
    }
}
