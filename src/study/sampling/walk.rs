//! The way through a game: frames are drawn, looked at, and those that stand for others go through a machine.
//!
//! Where all frames must be seen before it is known which stand for the others, the chosen ones are drawn twice: once to be counted,
//! once to be modelled; no frame is kept.

use super::activity::Activities;
use super::choice::Sample;
use crate::trace::FrameTrace;

/// Which frames stand for a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sampling {
    /// One from each group of frames that do alike.
    Groups {
        /// There are no more of them.
        most: usize,
    },
    /// Each n-th, for those up to the next; every one with 1. Not 0.
    Every(u64),
}

/// Who draws a game's frames.
pub trait FrameSource {
    /// Frames of the game.
    fn n_frames(&self) -> u64;

    /// The facts of a frame; the same whenever it is asked for.
    fn draw(&mut self, frame: u64) -> FrameTrace;

    /// So many frames will be drawn again.
    fn expect(&mut self, frames: u64);
}

/// Who measures a game.
pub trait Observer {
    /// Why it cannot go on.
    type Error;

    /// Frames that must go through its machines before one that counts, for these to be in the state in which all frames would have left
    /// them: 1 for caches, [`super::ELIMINATION_WARM_UP`] for techniques that leave out what frames before have done.
    const WARM_UP: u64;

    /// Sees the facts of every frame, in order.
    fn look(&mut self, frame: &FrameTrace);

    /// Runs a frame through a machine; 0 where it stands for none and only warms the machine up for the next.
    ///
    /// # Errors
    /// If the machine cannot execute it.
    fn model(&mut self, frame: &FrameTrace, stands_for: u64) -> Result<(), Self::Error>;
}

/// Shows `observer` all frames, and has it model those that stand for the others, which are said.
///
/// # Errors
/// The first that the observer gives.
pub fn walk<O: Observer>(
    source: &mut impl FrameSource,
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

/// All in one go, as it is known from the start which frames stand for the others.
fn walk_known<O: Observer>(
    source: &mut impl FrameSource,
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
    source: &mut impl FrameSource,
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
