//! Walk through a game: frames are drawn and counted, and those that stand for others go through a machine.
//!
//! If all frames must be counted before it is known which stand for the others, the chosen ones are drawn twice: once to be
//! counted, once to be modelled; no frame is kept.

use super::activity::Activities;
use super::choice::Sample;
use azulejo_trace::FrameTrace;

/// Rule by which frames stand for a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sampling {
    /// One frame from each group of frames of like activity.
    Groups {
        /// Most groups that are formed.
        most: usize,
    },
    /// Each n-th frame, for those up to the next; every one with 1. Not 0.
    Every(u64),
}

/// Source of a game's frames.
pub trait FrameSource {
    /// Number of frames of the game.
    fn n_frames(&self) -> u64;

    /// Draws a frame and returns its facts; equal for equal numbers.
    fn draw(&mut self, frame: u64) -> FrameTrace;

    /// Announces `frames` frames that will be drawn again.
    fn expect(&mut self, frames: u64);

    /// Asks for facts with a hash of every fragment's shader inputs, as memoization needs them.
    fn hash_fragments(&mut self) {}
}

/// Measuring side of a study: receives a game's frames.
pub trait Observer {
    /// Error that ends the measurement.
    type Error;

    /// Frames that must go through its machines before one that counts, for these to be in the state in which all frames
    /// would have left them: 1 for caches, [`super::ELIMINATION_WARM_UP`] for techniques that leave out what frames before
    /// have done.
    const WARM_UP: u64;

    /// Takes the facts of every frame, in order.
    fn look(&mut self, frame: &FrameTrace);

    /// Runs a frame through a machine; `stands_for` is 0 where the frame only warms the machine up for the next.
    ///
    /// # Errors
    /// If the machine cannot execute it.
    fn model(&mut self, frame: &FrameTrace, stands_for: u64) -> Result<(), Self::Error>;
}

/// Shows `observer` all frames, and has it model those that stand for the others, which it returns as a sample.
///
/// # Errors
/// The first that the observer gives.
pub fn walk<O: Observer>(
    source: &mut dyn FrameSource,
    sampling: Sampling,
    observer: &mut O,
) -> Result<Sample, O::Error> {
    let frames = source.n_frames();
    let most = match sampling {
        Sampling::Every(step) => {
            return walk_known(source, Sample::every(frames, step, O::WARM_UP), observer);
        }
        Sampling::Groups { most } => most,
    };
    let mut activities = Activities::new(O::WARM_UP);
    for frame in 0..frames {
        let trace = source.draw(frame);
        observer.look(&trace);
        activities.add(&trace);
    }
    let sample = Sample::of_groups(&activities, frames, most, O::WARM_UP);
    model(source, &sample, observer)?;
    Ok(sample)
}

/// Draws and models in one pass, as the frames that stand for others are known from the start.
fn walk_known<O: Observer>(
    source: &mut dyn FrameSource,
    sample: Sample,
    observer: &mut O,
) -> Result<Sample, O::Error> {
    let runs = sample.runs();
    let mut runs = runs.iter().peekable();
    for frame in 0..sample.frames {
        let trace = source.draw(frame);
        observer.look(&trace);
        if let Some(run) = runs.next_if(|run| run.frame == frame) {
            observer.model(&trace, run.stands_for)?;
        }
    }
    Ok(sample)
}

/// Draws the frames of a sample again and has them modelled.
pub(super) fn model<O: Observer>(
    source: &mut dyn FrameSource,
    sample: &Sample,
    observer: &mut O,
) -> Result<(), O::Error> {
    let runs = sample.runs();
    source.expect(runs.len() as u64);
    for run in runs {
        observer.model(&source.draw(run.frame), run.stands_for)?;
    }
    Ok(())
}
