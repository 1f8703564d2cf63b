//! Frames drawn one after the other, written beside: packing a picture takes one thread about as long as drawing it takes
//! all of them.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use super::drawn::Drawn;
use super::files::PlannedFiles;
use super::report::FrameReport;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::interrupt;
use crate::cli::stamp::Stamp;
use azulejo_render::Picture;

/// Most threads that write; each holds one picture, and as many wait.
const MAX_WRITERS: usize = 4;

/// Frames that are written, by their number.
pub(super) struct Written {
    pub(super) frames: Vec<FrameReport>,
    /// Reason why there are no more, if there should be.
    pub(super) cut: Option<Failure>,
}

/// Draws `frames` and writes each. Ends at the first failure, or where the user interrupts; what is written then is whole.
/// `draw` gets a frame's number and perhaps a picture that is written, whose memory it may use.
///
/// # Errors
/// The first failure.
pub(super) fn draw_and_write(
    frames: Range<u64>,
    mut draw: impl FnMut(u64, Option<Picture>) -> Outcome<Drawn>,
    files: &PlannedFiles,
    stamp: &Stamp,
) -> Outcome<Written> {
    let n_frames = frames.end - frames.start;
    // A single frame has nothing to keep when it is interrupted.
    let interrupted = (n_frames > 1).then(interrupt::finish_frames);
    let n_writers = thread::available_parallelism().map_or(1, usize::from);
    let (sender, receiver) = sync_channel(MAX_WRITERS);
    let queue = FrameQueue {
        jobs: Mutex::new(receiver),
        written: Mutex::default(),
        failed: AtomicBool::new(false),
        interrupted,
    };
    let mut reports = thread::scope(|scope| {
        let writers: Vec<_> = (0..n_writers.min(MAX_WRITERS))
            .map(|_| scope.spawn(|| queue.write_all(files, stamp)))
            .collect();
        let mut refused = Ok(());
        for frame in frames {
            if interrupted.is_some_and(interrupt::Flag::is_raised) {
                break;
            }
            let drawn = match draw(frame, locked(&queue.written).pop()) {
                Ok(drawn) => drawn,
                Err(failure) => {
                    refused = Err(failure);
                    break;
                }
            };
            // The receiver outlives this loop, so sending cannot fail.
            if sender.send(drawn).is_err() || queue.failed.load(Ordering::Relaxed) {
                break;
            }
        }
        drop(sender);
        let gone = |_| {
            Err(Failure::new(
                "a thread that writes pictures ended unexpectedly",
            ))
        };
        let written = writers
            .into_iter()
            .map(|writer| writer.join().unwrap_or_else(gone));
        let written = written.collect::<Outcome<Vec<_>>>();
        refused.and(written)
    })?
    .concat();
    reports.sort_by_key(|report| report.frame);
    let n_written = reports.len() as u64;
    let cut = (n_written < n_frames)
        .then(|| interrupt::failure(&format!("{n_written} of {n_frames} frames are written")));
    Ok(Written {
        frames: reports,
        cut,
    })
}

/// Frames that wait to be written, for all writers, and pictures that are written, whose memory may be used again.
struct FrameQueue {
    jobs: Mutex<Receiver<Drawn>>,
    written: Mutex<Vec<Picture>>,
    failed: AtomicBool,
    /// Flag after which no more is to be written.
    interrupted: Option<interrupt::Flag>,
}

impl FrameQueue {
    /// Writes until no frame is left. After a failure frames are still taken, so that the drawing thread is not left
    /// waiting.
    fn write_all(&self, files: &PlannedFiles, stamp: &Stamp) -> Outcome<Vec<FrameReport>> {
        let mut outcome = Ok(Vec::new());
        while let Some(mut drawn) = self.next() {
            let Ok(reports) = &mut outcome else {
                continue;
            };
            match files.write(stamp, &mut drawn) {
                Ok(()) => {
                    reports.push(drawn.report);
                    locked(&self.written).push(drawn.picture);
                }
                Err(failure) => {
                    self.failed.store(true, Ordering::Relaxed);
                    outcome = Err(failure);
                }
            }
        }
        outcome
    }

    /// Takes the next frame; none after the last, nor after an interruption, which takes what is drawn and not yet begun: a
    /// full disk queue must not hold up the end.
    fn next(&self) -> Option<Drawn> {
        let jobs = locked(&self.jobs);
        let drawn = jobs.recv().ok()?;
        if !self.interrupted.is_some_and(interrupt::Flag::is_raised) {
            return Some(drawn);
        }
        // The drawing thread must not be left waiting.
        while jobs.recv().is_ok() {}
        None
    }
}

/// Locks the content, also after a panic of another thread: what it holds stays valid.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
