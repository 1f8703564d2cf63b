//! Suites of `characterize` and `study`: the options that say which frames of which workloads go through which machine, and
//! workloads as contents that are measured.

use indicatif::ProgressBar;

use super::Outcome;
use super::workload::SuiteWorkload;
use crate::cli::args::{SampleArg, SpecArgs, count, sample};
use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::machine_input::{machine_text, refused};
use crate::cli::shot::sensible_threads;
use azulejo_demo::{DEFAULT_SEED, Demo};
use azulejo_gpu::machine::{MachineSpec, Overlay, ScreenSpec};
use azulejo_render::Renderer;
use azulejo_report::{Align, aligned};
use azulejo_study::{
    Drawer, MOST_GROUPS, Problem, Progress, RunError, Sample, Sampling, Workload, drawer,
};
use azulejo_sweep::{Fingerprint, RESULTS_VERSION};

/// Most representatives that a table names.
const MOST_SHOWN: usize = 12;

/// Options of the frames of demos, and of the machine that they go through.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct SuiteArgs {
    #[command(flatten)]
    spec: SpecArgs,
    /// Frames to draw, from the first on [default: 50]
    #[arg(long, value_name = "N", value_parser = count)]
    frames: Option<u64>,
    /// Frames to simulate: auto (one per group, weighted), all, every:N [default: auto]
    ///
    /// A group is of frames that do alike; its frame counts as often as the group has frames. Frames before one that warm
    /// the machine up do not count.
    #[arg(long, value_name = "auto|all|every:N", value_parser = sample)]
    sample: Option<SampleArg>,
    /// With --sample auto, the most frames that stand for the others [default: 4]
    #[arg(long, value_name = "N", value_parser = count)]
    modelled: Option<u64>,
    /// Seed of the demos: another number, another course
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED)]
    seed: u32,
    /// Threads that draw; 0 takes one for each core
    ///
    /// Results are the same for any number.
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u16).range(..=1024))]
    threads: u16,
    /// Print the results as JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Defaults where the command line says nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Usual {
    /// Name of the machine.
    pub(super) machine: &'static str,
    /// Number of frames of each demo.
    pub(super) frames: u64,
    /// Choice of the frames that are modelled.
    pub(super) sample: SampleArg,
}

/// Frames of demos and the machine that they go through, with all defaults filled in.
#[derive(Debug)]
pub(super) struct Suite<'a> {
    args: &'a SuiteArgs,
    /// Name or file of the machine.
    pub(super) machine_name: &'a str,
    /// Machine with the changes of the command line.
    pub(super) machine: MachineSpec,
    /// Number of frames of each demo.
    pub(super) frames: u64,
    /// Choice of the frames that stand for all.
    pub(super) sampling: Sampling,
    /// Console for warnings about files, which go nowhere beside a progress bar.
    console: Console,
}

/// Workload of a suite as a study takes it, drawn by the seed of the command line.
#[derive(Debug)]
pub(super) struct Drawn<'a> {
    workload: &'a SuiteWorkload,
    seed: u32,
    console: Console,
}

impl SuiteArgs {
    /// Name or file of the machine.
    pub(super) fn machine_name<'a>(&'a self, usual: &'a Usual) -> &'a str {
        self.spec.name_or(usual.machine)
    }

    /// Suite of these options, with what is usual where nothing is said.
    ///
    /// # Errors
    /// A machine that is wrong, and a number of groups where frames are in none.
    pub(super) fn suite<'a>(&'a self, usual: &'a Usual, console: Console) -> Outcome<Suite<'a>> {
        Ok(Suite {
            args: self,
            machine_name: self.machine_name(usual),
            machine: self.spec.load_or(usual.machine)?,
            frames: self.frames.unwrap_or(usual.frames),
            sampling: self.sampling(self.sample.unwrap_or(usual.sample))?,
            console: console.silent(),
        })
    }

    /// Fingerprint of all that decides what is measured of a demo, but what the command makes of it.
    ///
    /// # Errors
    /// Those of the machine's file.
    pub(super) fn inputs(&self, suite: &Suite<'_>) -> Outcome<Fingerprint> {
        let machine = machine_text(suite.machine_name)?;
        let grid = format!("{:?}", suite.machine.screen.grid);
        let sampling = format!("{:?}", suite.sampling);
        let fixed = [
            ("version", &RESULTS_VERSION.to_le_bytes()[..]),
            ("machine", machine.as_bytes()),
            ("screen", grid.as_bytes()),
            ("frames", &suite.frames.to_le_bytes()),
            ("sampling", sampling.as_bytes()),
            ("seed", &self.seed.to_le_bytes()),
        ];
        let changes = self.spec.changes().iter();
        let changes = changes.map(|change| (change.key.as_str(), change.value.as_bytes()));
        Ok(Fingerprint::of(fixed.into_iter().chain(changes)))
    }

    /// Whether the command line names a machine.
    pub(super) const fn names_machine(&self) -> bool {
        self.spec.names_one()
    }

    /// Whether the command line says which frames stand for others.
    pub(super) const fn names_sample(&self) -> bool {
        self.sample.is_some()
    }

    /// Options for a study that takes this sample: those that make no groups have no number of them.
    pub(super) fn for_sample(&self, sample: SampleArg) -> Self {
        let modelled = self.modelled.filter(|_| sample == SampleArg::Auto);
        Self {
            modelled,
            ..self.clone()
        }
    }

    fn sampling(&self, sample: SampleArg) -> Outcome<Sampling> {
        let step = match sample {
            SampleArg::Auto => {
                let most = self.modelled.map_or(MOST_GROUPS, |most| {
                    usize::try_from(most).unwrap_or(usize::MAX)
                });
                return Ok(Sampling::Groups { most });
            }
            SampleArg::All => 1,
            SampleArg::Every(step) => step,
        };
        match self.modelled {
            None => Ok(Sampling::Every(step)),
            Some(_) => Err(Failure::usage(
                "--modelled says how many groups of frames --sample auto may make; other samples make none",
            )),
        }
    }
}

impl Suite<'_> {
    /// Whether the command line names the machine.
    pub(super) const fn names_machine(&self) -> bool {
        self.args.names_machine()
    }

    /// Changes to the machine by the command line.
    pub(super) fn changes(&self) -> &[Overlay] {
        self.args.spec.changes()
    }

    /// Workload as a study takes it.
    pub(super) const fn drawn<'a>(&self, workload: &'a SuiteWorkload) -> Drawn<'a> {
        Drawn {
            workload,
            seed: self.args.seed,
            console: self.console,
        }
    }

    /// Threads that draw; 0 is one for each core.
    pub(super) fn threads(&self) -> usize {
        sensible_threads(usize::from(self.args.threads))
    }
}

/// Failure by an error of a study: that of a workload or a keeper as it is.
pub(super) fn failure_of(error: RunError) -> Failure {
    match error {
        RunError::Workload(problem) => match problem.downcast::<Failure>() {
            Ok(failure) => *failure,
            Err(problem) => Failure::new(problem),
        },
        RunError::Machine(error) => refused(error),
        RunError::Sampling(reason) => Failure::usage(reason),
        other => Failure::new(other),
    }
}

/// Table of the frames that stand for each demo.
pub(super) fn samples_text<'a>(samples: impl Iterator<Item = (&'a str, &'a Sample)>) -> String {
    let mut samples = samples.peekable();
    let warm_up = samples.peek().map_or(0, |(_, sample)| sample.warm_up);
    let header = ["demo", "frames that count", "modelled", "stand for them"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(samples.map(|(demo, sample)| {
        let all = sample.representatives.iter();
        let shown = all.take(MOST_SHOWN);
        let shown = shown.map(|r| format!("{} for {}", r.frame, r.stands_for));
        let mut shown: Vec<_> = shown.collect();
        match sample.representatives.len().saturating_sub(MOST_SHOWN) {
            0 => {}
            more => shown.push(format!("{more} more")),
        }
        vec![
            demo.to_owned(),
            sample.frames_that_count().to_string(),
            sample.runs().len().to_string(),
            shown.join(", "),
        ]
    }));
    let align = [Align::Left, Align::Right, Align::Right, Align::Left];
    format!(
        "frames that went through the machines, with those before each to warm up ({warm_up}), and for how many each stands\n{}",
        aligned(&rows, &align)
    )
}

impl Workload for Drawn<'_> {
    fn name(&self) -> &str {
        &self.workload.name
    }

    fn key(&self) -> &str {
        &self.workload.key
    }

    fn demo(&self) -> Option<&'static Demo> {
        self.workload.demo()
    }

    fn start<'a>(
        &'a self,
        screen: &ScreenSpec,
        renderer: &'a mut Renderer,
    ) -> Result<Drawer<'a>, Problem> {
        let shot = self.workload.shot(screen, self.seed, self.console)?;
        Ok(drawer(shot, renderer).map_err(Failure::from)?)
    }
}

/// Bar that moves with the frames of a study.
#[derive(Debug)]
pub(super) struct FramesOn<'a>(pub(super) &'a ProgressBar);

impl Progress for FramesOn<'_> {
    fn drawn(&self, frames: u64) {
        self.0.inc(frames);
    }

    fn expect(&self, frames: u64) {
        self.0.inc_length(frames);
    }
}
