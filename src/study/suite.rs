//! Suites: workloads that are drawn and measured side by side, each by its frames in order.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::RunError;
use super::sampling::FrameSource;
use super::workload::{Drawer, Keep, Problem, Progress, Workload};
use azulejo_gpu::machine::ScreenSpec;
use azulejo_render::{Renderer, SimdLevel, Tracing};
use azulejo_trace::FrameTrace;

/// Workloads that are drawn at a screen, with all that is the same for each.
#[derive(Debug, Clone, Copy)]
pub struct Suite<'a> {
    /// Screen of the machine.
    pub screen: &'a ScreenSpec,
    /// Workloads in the order of their results.
    pub workloads: &'a [&'a dyn Workload],
    /// Frames of each workload, from the first on.
    pub frames: u64,
    /// Threads that draw; 0 takes one for each core.
    pub threads: usize,
    /// Place where measurements are kept, if they are.
    pub keep: Option<&'a dyn Keep>,
    /// Watcher of the frames.
    pub progress: &'a dyn Progress,
}

impl Suite<'_> {
    /// Measures each workload, in their order, with its name; a kept measurement is taken as it is. Threads take workloads
    /// side by side, as much of the work has but one thread; of fewer workloads, each is drawn by several.
    ///
    /// # Errors
    /// Without threads, and the first in order of workload that cannot be drawn, measured or kept.
    pub fn measure<T: Send + Serialize + DeserializeOwned>(
        &self,
        measure: impl Fn(&mut dyn FrameSource) -> Result<T, Problem> + Sync,
    ) -> Result<Vec<(String, T)>, RunError> {
        let renderers = self.renderers()?;
        let of_one = |workload: &dyn Workload, renderer: &mut Renderer| {
            let name = workload.name().to_owned();
            if let Some(kept) = self.recall(workload.key()) {
                self.progress.drawn(self.frames);
                return Ok((name, kept));
            }
            let draw = workload.start(self.screen, renderer);
            let mut frames = DrawnFrames {
                draw: draw.map_err(RunError::Workload)?,
                n_frames: self.frames,
                sink: Tracing::default(),
                progress: self.progress,
            };
            let measured = measure(&mut frames);
            let measured = match measured {
                Ok(measured) => measured,
                Err(problem) => return Err(RunError::Measure { name, problem }),
            };
            self.keep(workload.key(), &measured)?;
            Ok((name, measured))
        };
        side_by_side(self.workloads, renderers, of_one)
    }

    fn recall<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let keep = self.keep?;
        let read = serde_json::from_slice(&keep.recall(key)?);
        read.map_err(|problem| keep.unreadable(key, &problem.to_string()))
            .ok()
    }

    fn keep(&self, key: &str, measured: &impl Serialize) -> Result<(), RunError> {
        let Some(keep) = self.keep else {
            return Ok(());
        };
        let text = serde_json::to_vec(measured);
        let text = text.map_err(|error| RunError::Workload(error.into()))?;
        keep.keep(key, &text).map_err(RunError::Workload)
    }

    /// Starts one renderer for each workload that is drawn at a time; they share the threads.
    fn renderers(&self) -> Result<Vec<Renderer>, RunError> {
        let n_threads = match self.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            n_threads => n_threads,
        };
        let n_renderers = n_threads.min(self.workloads.len()).max(1);
        let start = |_| Renderer::new(n_threads / n_renderers, SimdLevel::Auto);
        let renderers = (0..n_renderers).map(start);
        Ok(renderers.collect::<Result<_, _>>()?)
    }
}

/// Frames of a workload, each drawn on demand.
struct DrawnFrames<'a> {
    draw: Drawer<'a>,
    n_frames: u64,
    sink: Tracing,
    progress: &'a dyn Progress,
}

impl FrameSource for DrawnFrames<'_> {
    fn n_frames(&self) -> u64 {
        self.n_frames
    }

    fn draw(&mut self, frame: u64) -> FrameTrace {
        self.progress.drawn(1);
        (self.draw)(frame, self.sink)
    }

    fn expect(&mut self, frames: u64) {
        self.progress.expect(frames);
    }

    fn hash_fragments(&mut self) {
        self.sink.fragment_hashes = true;
    }
}

/// Runs `work` on each item with one of the `tools`, each of which has a thread; results are in the items' order. After an
/// error no more items are begun; as they are taken in order, the first in order is always the same.
fn side_by_side<I: Copy + Sync, W: Send, T: Send, E: Send>(
    items: &[I],
    tools: Vec<W>,
    work: impl Fn(I, &mut W) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn side_by_side_keeps_the_order_of_items() {
        let items: Vec<u64> = (0..40).collect();
        let slow_at_first = |item: u64, _: &mut ()| {
            thread::sleep(std::time::Duration::from_micros(40 - item));
            Ok::<_, u64>(item * item)
        };
        let squares = side_by_side(&items, vec![(); 3], slow_at_first).expect("no error");
        let expected: Vec<u64> = items.iter().map(|item| item * item).collect();
        assert_eq!(squares, expected, "whoever was first");
    }

    #[test]
    fn side_by_side_gives_the_first_error_in_order() {
        let items: Vec<u64> = (0..40).collect();
        let odd = |item: u64, _: &mut ()| match item % 8 {
            7 => Err(item),
            _ => Ok(item),
        };
        for n_threads in 1..5 {
            let failure = side_by_side(&items, vec![(); n_threads], odd).expect_err("odd");
            assert_eq!(failure, 7, "{n_threads} threads");
        }
    }
}
