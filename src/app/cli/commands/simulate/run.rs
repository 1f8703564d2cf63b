//! Every machine over every frame. Machines are independent of each other and of the number of threads.

use rayon::prelude::*;

use super::SimulateArgs;
use super::machines::NamedSpec;
use super::source::Source;
use crate::app::cli::console::Console;
use crate::app::cli::failure::{Failure, Outcome};
use crate::gpu::{FrameReport, Gpu};
use crate::technique::machine_with;
use crate::trace::FrameTrace;

/// A machine and what it said of each frame.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) name: String,
    gpu: Gpu,
    pub(super) frames: Vec<FrameReport>,
}

/// Runs all machines over all frames of the source.
pub(super) fn all(
    args: &SimulateArgs,
    machines: &[NamedSpec],
    source: &mut Source,
    console: Console,
) -> Outcome<Vec<Run>> {
    let mut runs = machines.iter().map(Run::new).collect::<Outcome<Vec<_>>>()?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(args.hardware.threads))
        .build()
        .map_err(|error| Failure::new(format!("cannot start threads: {error}")))?;
    let bar = source.progress(runs.len(), console);
    let counts_frames = source.counts_frames();
    let outcome = loop {
        let traces = match source.next_frame() {
            Ok(traces) if traces.is_empty() => break Ok(()),
            Ok(traces) => traces,
            Err(failure) => break Err(failure),
        };
        if runs[0].frames.is_empty() {
            warn_of_grid(&runs, &traces, console);
        }
        let step = |run: &mut Run| {
            let outcome = run.frame(&traces);
            bar.inc(u64::from(counts_frames));
            outcome
        };
        if let Err(failure) = pool.install(|| runs.par_iter_mut().map(step).collect::<Outcome>()) {
            break Err(failure);
        }
    };
    bar.finish_and_clear();
    outcome?;
    if runs.iter().all(|run| run.frames.is_empty()) {
        return Err(Failure::new("the trace has no frames"));
    }
    Ok(runs)
}

impl Run {
    fn new(machine: &NamedSpec) -> Outcome<Self> {
        let NamedSpec {
            name,
            spec,
            techniques,
        } = machine;
        let gpu = machine_with(spec, &techniques.0)
            .map_err(|error| Failure::new(format!("{name}: {error}")))?;
        Ok(Self {
            name: name.clone(),
            gpu,
            frames: Vec::new(),
        })
    }

    /// Runs the trace that was taken at this machine's grid; there is but one of a file.
    fn frame(&mut self, traces: &[FrameTrace]) -> Outcome {
        let grid = self.gpu.spec().screen.grid;
        let trace = traces.iter().find(|trace| trace.grid == grid);
        let trace = trace.unwrap_or(&traces[0]);
        let report = self.gpu.run_frame(trace).map_err(|error| {
            let message = format!("{}, frame {}: {error}", self.name, trace.frame);
            Failure::new(message)
                .hint("this is an error of the model or of a technique; please report it")
        })?;
        self.frames.push(report);
        Ok(())
    }
}

/// A trace file was taken at its own screen, whatever the machines have.
fn warn_of_grid(runs: &[Run], traces: &[FrameTrace], console: Console) {
    for run in runs {
        let own = run.gpu.spec().screen.grid;
        if traces.iter().any(|trace| trace.grid == own) {
            continue;
        }
        let taken = traces[0].grid;
        let text = |grid: crate::grid::TileGrid| {
            format!(
                "{}x{} in tiles of {}",
                grid.width, grid.height, grid.tile_size
            )
        };
        let warning = format!("the trace is {}, the machine {}", text(taken), text(own));
        console.warn(&run.name, &[warning]);
    }
}
