//! Suites of `characterize` and `study`: the options that say which frames of which workloads go through which machine, and
//! the walk over the workloads. Each command makes its own measurement of them.

use std::fmt::Display;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use indicatif::ProgressBar;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Outcome;
use super::kept::Keeper;
use super::workload::Workload;
use crate::app::cli::args::{SampleArg, SpecArgs, count, sample};
use crate::app::cli::console::Console;
use crate::app::cli::failure::Failure;
use crate::app::cli::machine_input::machine_text;
use crate::app::cli::shot::{sensible_threads, start_renderer};
use crate::demo::DEFAULT_SEED;
use crate::gpu::machine::{MachineSpec, Overlay};
use crate::render::{Renderer, SimdLevel, Tracing};
use crate::report::{Align, aligned};
use crate::shot::{Shot, facts};
use crate::study::{FrameSource, Sample, Sampling};
use crate::sweep::{Fingerprint, RESULTS_VERSION};
use crate::trace::FrameTrace;

/// Most representatives that a table names.
const MOST_SHOWN: usize = 12;

/// Most groups of frames unless `--modelled` says another number.
const MOST_GROUPS: u64 = 4;

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

/// Workload that is being measured.
pub(super) struct Measured<'a> {
    /// Machine at whose screen the workload is drawn.
    pub(super) machine: &'a MachineSpec,
    /// Frames of the workload, drawn on demand.
    pub(super) frames: DrawnFrames<'a>,
}

/// Frames of a workload, each drawn when it is asked for.
pub(super) struct DrawnFrames<'a> {
    /// Whether traces have a hash of every fragment's shader inputs.
    pub(super) fragment_hashes: bool,
    n_frames: u64,
    shot: Shot,
    renderer: &'a mut Renderer,
    bar: &'a ProgressBar,
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
                let most = self.modelled.unwrap_or(MOST_GROUPS);
                let most = usize::try_from(most).unwrap_or(usize::MAX);
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

    /// Measures each workload, in their order, with its name; the keeper's measurement of one is taken as it is. `bar`
    /// moves with each frame. Threads take workloads side by side, as much of the work has but one thread; where there are
    /// fewer workloads, the threads draw together.
    ///
    /// # Errors
    /// Without threads, the first in order of a file that cannot be drawn or that `measure` gives, with the workload's
    /// name, and where nothing can be kept.
    pub(super) fn measure<T: Send + Serialize + DeserializeOwned, E: Display>(
        &self,
        workloads: &[Workload],
        keeper: Option<&Keeper>,
        bar: &ProgressBar,
        measure: impl Fn(Measured<'_>) -> Result<T, E> + Sync,
    ) -> Outcome<Vec<(String, T)>> {
        let machine = &self.machine;
        let all: Vec<&Workload> = workloads.iter().collect();
        let renderers = self.renderers(all.len())?;
        let of_one = |workload: &Workload, renderer: &mut Renderer| {
            let name = workload.name.clone();
            if let Some(kept) = keeper.and_then(|keeper| keeper.recall(&workload.key)) {
                bar.inc(self.frames);
                return Ok((name, kept));
            }
            let shot = workload.shot(&machine.screen, self.args.seed, self.console)?;
            facts::check(renderer, &shot.at(0).draws())?;
            let frames = DrawnFrames {
                fragment_hashes: false,
                n_frames: self.frames,
                shot,
                renderer,
                bar,
            };
            let result = measure(Measured { machine, frames });
            let result = result.map_err(|error| Failure::new(format!("{name}: {error}")))?;
            if let Some(keeper) = keeper {
                keeper.keep(&workload.key, &result)?;
            }
            Ok((name, result))
        };
        side_by_side(&all, renderers, of_one)
    }

    /// Starts one renderer for each workload that is drawn at a time; they share the threads.
    fn renderers(&self, n_workloads: usize) -> Outcome<Vec<Renderer>> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let n_threads = match usize::from(self.args.threads) {
            0 => cores,
            n_threads => sensible_threads(n_threads),
        };
        let n_renderers = n_threads.min(n_workloads).max(1);
        (0..n_renderers)
            .map(|_| start_renderer(n_threads / n_renderers, SimdLevel::Auto))
            .collect()
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

/// Runs `work` on each item with one of the `tools`, each of which has a thread; results are in the items' order. After an
/// error no more items are begun; as they are taken in order, the first in order is always the same.
fn side_by_side<I: Copy + Sync, W: Send, T: Send>(
    items: &[I],
    tools: Vec<W>,
    work: impl Fn(I, &mut W) -> Outcome<T> + Sync,
) -> Outcome<Vec<T>> {
    let next = AtomicUsize::new(0);
    let (next, work) = (&next, &work);
    let take = move |mut tool: W| {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(&item) = items.get(number) else {
                return done;
            };
            let outcome = work(item, &mut tool);
            if outcome.is_err() {
                next.store(items.len(), Ordering::Relaxed);
            }
            done.push((number, outcome));
        }
    };
    let mut done: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (tools.into_iter())
            .map(|tool| scope.spawn(move || take(tool)))
            .collect();
        let join = |worker: thread::ScopedJoinHandle<'_, _>| {
            worker.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        workers.into_iter().flat_map(join).collect()
    });
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

impl FrameSource for DrawnFrames<'_> {
    fn n_frames(&self) -> u64 {
        self.n_frames
    }

    fn draw(&mut self, frame: u64) -> FrameTrace {
        let sink = Tracing {
            fragment_hashes: self.fragment_hashes,
        };
        self.bar.inc(1);
        facts::trace_checked(self.renderer, &self.shot.at(frame).draws(), sink)
    }

    fn expect(&mut self, frames: u64) {
        self.bar.inc_length(frames);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn side_by_side_keeps_the_order_of_items() {
        let items: Vec<u64> = (0..40).collect();
        let slow_at_first = |item: u64, _: &mut ()| {
            thread::sleep(std::time::Duration::from_micros(40 - item));
            Ok(item * item)
        };
        let squares = side_by_side(&items, vec![(); 3], slow_at_first).unwrap();
        let expected: Vec<u64> = items.iter().map(|item| item * item).collect();
        assert_eq!(squares, expected, "whoever was first");
    }

    #[test]
    fn side_by_side_gives_the_first_error_in_order() {
        let items: Vec<u64> = (0..40).collect();
        let odd = |item: u64, _: &mut ()| match item % 8 {
            7 => Err(Failure::new(item)),
            _ => Ok(item),
        };
        for n_threads in 1..5 {
            let failure = side_by_side(&items, vec![(); n_threads], odd).unwrap_err();
            assert_eq!(failure.message, "7", "{n_threads} threads");
        }
    }
}
