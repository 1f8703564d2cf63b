//! Runs of every machine over every frame. Machines are independent of each other and of the number of threads. While they
//! model a frame, the next one is drawn or read.

use std::panic::resume_unwind;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::args::SimulateArgs;
use super::kept::Kept;
use super::machines::NamedSpec;
use super::source::Source;
use super::stream::{self, StreamFile};
use crate::cli::console::{Console, watched};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::interrupt;
use crate::cli::output::Outputs;
use crate::cli::shot::sensible_threads;
use crate::model::Model;
use azulejo_gpu::{FrameError, FrameReport};
use azulejo_grid::{Binning, TileGrid};
use azulejo_report::{FrameLine, Simulation};
use azulejo_soc::{SystemError, SystemReport};
use azulejo_trace::FrameTrace;

/// Machine and its reports on the frames.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) name: String,
    /// Name of the machine in file names.
    pub(super) label: String,
    model: Model,
    /// Index of the trace of a frame that the machine takes.
    trace: usize,
    /// Sum over all frames; none before the first.
    pub(super) sum: Option<Simulation>,
    /// A line for each frame.
    pub(super) lines: Vec<FrameLine>,
    /// Reports with the parts that outputs ask for; nothing where none asks for single frames.
    pub(super) frames: Vec<FrameReport>,
    kept: Kept,
    /// File of the accesses of its L2, where it is asked for.
    pub(super) stream: Option<StreamFile>,
}

/// Runs of all machines over the frames.
#[derive(Debug)]
pub(super) struct Modelled {
    pub(super) runs: Vec<Run>,
    /// Reason why there are fewer frames than asked for, if there are.
    pub(super) cut: Option<Failure>,
}

/// Runs all machines over all frames of the source. Frames that went through all of them before a trace turned out to be
/// cut, or before the user interrupted, are kept.
pub(super) fn all(
    args: &SimulateArgs,
    machines: &[NamedSpec],
    source: &mut Source,
    outputs: &Outputs,
    console: Console,
) -> Outcome<Modelled> {
    let mut runs = begin(args, machines, source, outputs)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(sensible_threads(usize::from(args.hardware.threads)))
        .build()
        .map_err(|error| Failure::new(format!("cannot start threads: {error}")))?;
    let tiles = machines
        .iter()
        .map(|machine| source.tiles_of_frame(&machine.spec));
    let tiles_of_frame = tiles.sum();
    let bar = source.progress(tiles_of_frame, console);
    let watches: Vec<_> = runs
        .iter()
        .map(|run| run.model.gpu().tiles_begun())
        .collect();
    let interrupted = source.is_sequence().then(interrupt::finish_frames);
    let mut next = source.next_frame();
    let cut = loop {
        if interrupted.is_some_and(interrupt::Flag::is_raised) {
            let n_frames = runs[0].lines.len();
            break Some(interrupt::failure(&format!(
                "{n_frames} frames are modelled"
            )));
        }
        let traces = match next {
            Ok(traces) if traces.is_empty() => break None,
            Ok(traces) => traces,
            Err(failure) => break Some(failure),
        };
        if runs[0].lines.is_empty() {
            warn_of_screen(&runs, &traces, console);
        }
        let n_begun = || -> u64 { watches.iter().map(|tiles| tiles.load(Relaxed)).sum() };
        let before = n_begun();
        // A file's frames may have other grids than the machines.
        let n_tiles: usize = runs
            .iter()
            .map(|run| run.trace_of(&traces).tiles.len())
            .sum();
        let span = source.span(n_tiles as u64);
        let position = || span.after(n_begun() - before);
        let step = |run: &mut Run| run.frame(&traces);
        let every = || pool.install(|| runs.par_iter_mut().map(step).collect::<Outcome>());
        let work = || side_by_side(every, || source.next_frame());
        let (modelled, read) = watched(&bar, position, work);
        modelled.inspect_err(|_| bar.finish_and_clear())?;
        next = read;
    };
    bar.finish_and_clear();
    if runs[0].lines.is_empty() {
        return Err(cut.unwrap_or_else(|| Failure::new("the trace has no frames")));
    }
    Ok(Modelled { runs, cut })
}

/// Begins the run of every machine, with a file for the accesses of its L2 where they are asked for.
fn begin(
    args: &SimulateArgs,
    machines: &[NamedSpec],
    source: &Source,
    outputs: &Outputs,
) -> Outcome<Vec<Run>> {
    let kept = Kept::of(&args.output);
    let runs = machines.iter().map(|machine| {
        let trace = source.trace_of(&machine.spec);
        let mut run = Run::new(machine, trace, kept)?;
        if let Some(file) = &args.output.l2_stream {
            let file = stream::name(file, machines, &machine.label);
            let to = outputs.begin(&file)?;
            run.stream = Some(StreamFile::begin(file, to, run.model.gpu_mut()));
        }
        Ok(run)
    });
    runs.collect()
}

/// Runs both, the first in a thread of its own.
fn side_by_side<A: Send, B>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B,
) -> (A, B) {
    std::thread::scope(|scope| {
        let first = scope.spawn(first);
        let second = second();
        let first = first.join().unwrap_or_else(|panic| resume_unwind(panic));
        (first, second)
    })
}

impl Run {
    fn new(machine: &NamedSpec, trace: usize, kept: Kept) -> Outcome<Self> {
        let NamedSpec {
            name,
            spec,
            techniques,
            label,
        } = machine;
        let model = Model::new(spec, &techniques.0)
            .and_then(Model::beside_alone)
            .map_err(|error| Failure::new(format!("{name}: {error}")))?;
        Ok(Self {
            name: name.clone(),
            label: label.clone(),
            model,
            trace,
            sum: None,
            lines: Vec::new(),
            frames: Vec::new(),
            kept,
            stream: None,
        })
    }

    /// Report on all agents that share the memory; none where it is not shared.
    pub(super) fn system(&self) -> Option<SystemReport> {
        self.model.system()
    }

    /// Trace that was taken as this machine draws.
    fn trace_of<'t>(&self, traces: &'t [FrameTrace]) -> &'t FrameTrace {
        &traces[self.trace]
    }

    /// Runs a frame on the machine and keeps what outputs ask for.
    fn frame(&mut self, traces: &[FrameTrace]) -> Outcome {
        let trace = self.trace_of(traces);
        let report = self.model.run_frame(trace).map_err(|error| {
            let failure = Failure::new(format!("{}, frame {}: {error}", self.name, trace.frame));
            match error {
                SystemError::Frame(FrameError::Samples(_)) => failure,
                _ => failure
                    .hint("this is an error of the model or of a technique; please report it"),
            }
        })?;
        (self.stream.as_ref()).map_or(Ok(()), StreamFile::check)?;
        match &mut self.sum {
            Some(sum) => sum.add_frame(&report),
            None => self.sum = Some(Simulation::of_frame(&self.name, &report)),
        }
        self.lines.push(FrameLine::from(&report));
        self.frames.extend(self.kept.of_frame(report));
        Ok(())
    }
}

/// Warns where a trace differs from the machines: a file was taken at its own screen and binned in its own way.
fn warn_of_screen(runs: &[Run], traces: &[FrameTrace], console: Console) {
    let text = |grid: TileGrid, binning: Binning| {
        let TileGrid {
            width,
            height,
            tile_size,
        } = grid;
        format!("{width}x{height} in tiles of {tile_size}, {binning} binning")
    };
    for run in runs {
        let (own, taken) = (run.model.gpu().spec().screen, run.trace_of(traces));
        if (own.grid, own.binning) == (taken.grid, taken.binning) {
            continue;
        }
        let taken = text(taken.grid, taken.binning);
        let own = text(own.grid, own.binning);
        let warning = format!("the trace is {taken}, the machine {own}");
        console.warn(&run.name, &[warning]);
    }
}
