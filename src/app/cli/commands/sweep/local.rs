//! Points on this computer: as many at a time as there are cores and memory for.

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use super::frames::Frames;
use super::store::Failed;
use super::work;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::interrupt;
use crate::cli::shot::sensible_threads;
use azulejo_sweep::Point;

/// Bytes that a machine takes beside its frame.
const MACHINE: u64 = 64 << 20;
/// Bytes in memory for each of a trace's bytes in the file: frames are compressed there.
const EXPANSION: u64 = 16;

/// Outcome of the points that were run.
#[derive(Debug, Default)]
pub(super) struct Ran {
    /// Points that have no result, by number.
    pub(super) failed: Vec<(u64, Failed)>,
    /// Whether the user asked for an end.
    pub(super) interrupted: bool,
}

/// Runs `points`, several at a time, on this computer.
///
/// # Errors
/// If results cannot be kept: no point is begun after that.
pub(super) fn run(
    frames: &Frames<'_>,
    points: &[u64],
    threads: u16,
    command: &(dyn Fn(u64) -> String + Sync),
    console: Console,
) -> Outcome<Ran> {
    let Some(first) = points
        .first()
        .and_then(|number| frames.sweep.plan.point(*number))
    else {
        return Ok(Ran::default());
    };
    let n_threads = at_a_time(frames, &first, threads)?.min(points.len());
    let flag = interrupt::finish_frames();
    let bar = console.progress(points.len() as u64, "points");
    let pool = Pool {
        next: AtomicUsize::new(0),
        ended: AtomicBool::new(false),
        failed: Mutex::default(),
    };
    let work = || -> Outcome {
        while let Some(number) = pool.take(points) {
            if flag.is_raised() {
                pool.ended.store(true, Ordering::Relaxed);
                return Ok(());
            }
            let Some(point) = frames.sweep.plan.point(number) else {
                continue;
            };
            let failed = work::run(frames, &point, &command(number));
            let failed = failed.inspect_err(|_| pool.ended.store(true, Ordering::Relaxed))?;
            pool.note(number, failed);
            bar.inc(1);
        }
        Ok(())
    };
    let outcomes: Vec<Outcome> = thread::scope(|scope| {
        let workers: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
        let ended = workers.into_iter().map(|worker| {
            let lost = |_| Err(Failure::new("a thread that runs points has failed"));
            worker.join().unwrap_or_else(lost)
        });
        ended.collect()
    });
    bar.finish_and_clear();
    outcomes.into_iter().collect::<Outcome>()?;
    let mut failed = pool.failed.into_inner().unwrap_or_default();
    failed.sort_by_key(|(number, _)| *number);
    Ok(Ran {
        failed,
        interrupted: flag.is_raised(),
    })
}

/// State that workers share.
struct Pool {
    next: AtomicUsize,
    ended: AtomicBool,
    failed: Mutex<Vec<(u64, Failed)>>,
}

impl Pool {
    fn take(&self, points: &[u64]) -> Option<u64> {
        let has_ended = self.ended.load(Ordering::Relaxed);
        let place = self.next.fetch_add(1, Ordering::Relaxed);
        points.get(place).copied().filter(|_| !has_ended)
    }

    fn note(&self, number: u64, failed: Option<Failed>) {
        if let (Some(failed), Ok(mut list)) = (failed, self.failed.lock()) {
            list.push((number, failed));
        }
    }
}

/// Points at a time: one for each core, but no more than fit into memory with frames like those of `first`.
fn at_a_time(frames: &Frames<'_>, first: &Point<'_>, threads: u16) -> Outcome<usize> {
    if threads > 0 {
        return Ok(sensible_threads(usize::from(threads)));
    }
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let Ok(file) = frames_of(frames, first) else {
        // The point fails in its turn, and says why.
        return Ok(cores);
    };
    let length = fs::metadata(&file).map_or(0, |file| file.len());
    let frame = length / frames.sweep.plan.frames * EXPANSION;
    let fit = available_memory().map_or(u64::MAX, |bytes| bytes / (MACHINE + frame));
    Ok(cores.min(usize::try_from(fit).unwrap_or(usize::MAX)).max(1))
}

fn frames_of(frames: &Frames<'_>, point: &Point<'_>) -> Outcome<PathBuf> {
    let spec = frames.sweep.spec(point)?;
    frames.prepared(point, &spec)
}

/// Bytes of memory that are available now; not known on all systems.
fn available_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kib * 1024)
}
