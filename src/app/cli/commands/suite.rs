//! What `characterize` and `study` share: the options that say which frames of which demos go through which machine, and the walk
//! over the demos. What is measured is the command's own.

use std::fmt::Display;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use indicatif::ProgressBar;

use super::{Console, Outcome};
use crate::app::cli::args::{DemoChoice, SpecArgs, count};
use crate::app::cli::failure::Failure;
use crate::app::cli::shot::{Shot, sensible_threads, start_renderer};
use crate::demo::{DEFAULT_SEED, Demo, FRAMES_PER_SECOND};
use crate::gpu::machine::MachineSpec;
use crate::render::{RenderSettings, Renderer, SimdLevel};
use crate::trace::FrameTrace;

/// Frames of demos and the machine that they go through.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct SuiteArgs {
    #[command(flatten)]
    pub(super) spec: SpecArgs,
    /// Frames to draw, from the first on
    #[arg(long, value_name = "N", default_value = "50", value_parser = count)]
    pub(super) frames: u64,
    /// Of these, how many go through the machine
    #[arg(long, value_name = "N", default_value = "4", value_parser = count)]
    pub(super) modelled: u64,
    /// Another number, another course of the demos
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED)]
    seed: u32,
    /// Threads that draw; 0 takes one for each core. Results are the same for any number
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u16).range(..=1024))]
    threads: u16,
    /// As JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// A demo that is being measured.
pub(super) struct Measured<'a> {
    /// The machine, at whose screen the demo is drawn.
    pub(super) machine: &'a MachineSpec,
    n_frames: u64,
    shot: Shot,
    renderer: &'a mut Renderer,
    bar: &'a ProgressBar,
}

impl SuiteArgs {
    /// What `measure` says of each demo, in their order. Threads take demos side by side, as much of the work has but one thread;
    /// where there are fewer demos, the threads draw together.
    ///
    /// # Errors
    /// Without the machine or its threads, and the first in order that `measure` gives, with the demo's name.
    pub(super) fn measure<T: Send, E: Display>(
        &self,
        demos: &[DemoChoice],
        console: Console,
        measure: impl Fn(Measured<'_>) -> Result<T, E> + Sync,
    ) -> Outcome<Vec<(&'static str, T)>> {
        let machine = self.spec.load()?;
        let demos: Vec<&Demo> = demos.iter().flat_map(|choice| choice.0.clone()).collect();
        let renderers = self.renderers(demos.len())?;
        let bar = console.progress(demos.len() as u64 * self.frames, "frames");
        let of_demo = |demo: &'static Demo, renderer: &mut Renderer| {
            let settings = RenderSettings {
                binning: machine.screen.binning,
                ..RenderSettings::of_screen(machine.screen.grid)
            };
            let measured = Measured {
                machine: &machine,
                n_frames: self.frames,
                shot: Shot::of_show(demo.start(self.seed), settings),
                renderer,
                bar: &bar,
            };
            match measure(measured) {
                Ok(result) => Ok((demo.name, result)),
                Err(error) => Err(Failure::new(format!("{}: {error}", demo.name))),
            }
        };
        let results = side_by_side(&demos, renderers, of_demo);
        bar.finish_and_clear();
        results
    }

    /// One renderer for each demo that is drawn at a time; they share the threads.
    fn renderers(&self, n_demos: usize) -> Outcome<Vec<Renderer>> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let n_threads = match usize::from(self.threads) {
            0 => cores,
            n_threads => sensible_threads(n_threads),
        };
        let n_renderers = n_threads.min(n_demos).max(1);
        (0..n_renderers)
            .map(|_| start_renderer(n_threads / n_renderers, SimdLevel::Auto))
            .collect()
    }
}

/// What `work` makes of each item with one of the `tools`, each of which has a thread, in the items' order. After an error no more
/// items are begun; as they are taken in order, the first in order is always the same.
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

impl Measured<'_> {
    /// Draws every frame by `trace` and shows `look` its number and what the pipeline did.
    ///
    /// # Errors
    /// The first that `look` gives.
    pub(super) fn frames<E>(
        self,
        trace: impl Fn(&Shot, &mut Renderer, u64, f64) -> FrameTrace,
        mut look: impl FnMut(u64, &FrameTrace) -> Result<(), E>,
    ) -> Result<(), E> {
        for frame in 0..self.n_frames {
            let seconds = frame as f64 / f64::from(FRAMES_PER_SECOND);
            look(frame, &trace(&self.shot, self.renderer, frame, seconds))?;
            self.bar.inc(1);
        }
        Ok(())
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
