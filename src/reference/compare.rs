//! One frame by azulejo and by the driver: both pictures, their difference and both times, measured in one run.

use std::time::Duration;

use serde::Serialize;

use super::{Difference, Quality, Reference, ReferenceError, UploadedScene, coverage_mismatch};
use azulejo_render::{Background, FrameInput, Picture, Recording, RenderSettings, Renderer};

/// How long to measure. The host drifts, so the two sides take turns: `blocks` times `frames_per_block` frames each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// Frames each side draws before any is timed; the driver compiles its shaders in the first.
    pub warm_up: usize,
    /// Turns of each side.
    pub blocks: usize,
    /// Frames of one turn.
    pub frames_per_block: usize,
}

impl Schedule {
    /// Enough for a rough figure beside a comparison of pictures.
    pub const SHORT: Self = Self {
        warm_up: 1,
        blocks: 3,
        frames_per_block: 1,
    };
    /// Twenty frames each, after warm-up.
    pub const BENCH: Self = Self {
        warm_up: 3,
        blocks: 4,
        frames_per_block: 5,
    };
}

/// Times of one side, milliseconds a frame.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Times {
    /// The fastest frame, milliseconds.
    pub min: f64,
    /// The median frame, milliseconds.
    pub median: f64,
    /// The slowest frame, milliseconds.
    pub max: f64,
}

impl Times {
    /// Statistics of at least one measurement.
    fn of(mut samples: Vec<Duration>) -> Self {
        samples.sort_unstable();
        let ms = |index: usize| samples.get(index).map_or(0.0, |t| t.as_secs_f64() * 1e3);
        let middle = samples.len() / 2;
        let lower = middle.saturating_sub(usize::from(samples.len().is_multiple_of(2)));
        Self {
            min: ms(0),
            median: f64::midpoint(ms(lower), ms(middle)),
            max: ms(samples.len().saturating_sub(1)),
        }
    }
}

/// The figures of one comparison, named as `azulejo compare --json` prints them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompareReport {
    /// Pixels of the picture.
    pub pixels: u64,
    /// Pixels that one side covers and the other leaves empty.
    pub coverage_mismatch: u64,
    /// Pixels of which a channel differs by more than 2 of 255.
    pub off_by_more_than_2: u64,
    /// Largest difference of a channel, 0..255.
    pub max_diff: u8,
    /// Mean difference over all channels, 0..255.
    pub mean_diff: f64,
    /// Time of a frame by azulejo: its list of draws, and all that [`Renderer::draw`] does, into the memory of the frame
    /// before.
    pub ours_ms: Times,
    /// Time of a frame by the driver: command encoding, submission, drawing at [`Quality::Fastest`]. Scene and frame data
    /// are uploaded before, nothing is read back.
    pub theirs_ms: Times,
    /// Median of theirs by median of ours: above 1 azulejo is faster.
    pub ratio: f64,
    /// Device, driver and version.
    pub driver: String,
}

/// The figures with the two pictures they speak of.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Differences of the pictures, times of both sides.
    pub report: CompareReport,
    /// The frame as azulejo draws it.
    pub ours: Picture,
    /// The frame as the driver draws it.
    pub theirs: Picture,
}

/// Draws `input` on both sides, compares the pictures, then times the sides in turns by `clock`, which gives the time
/// since some fixed moment.
///
/// # Errors
/// If the driver refuses the scene or the frame.
pub fn compare(
    reference: &Reference,
    renderer: &mut Renderer,
    input: &FrameInput<'_>,
    schedule: Schedule,
    clock: &dyn Fn() -> Duration,
) -> Result<Comparison, ReferenceError> {
    let uploaded = reference.upload(input.scene, input.environment, Quality::Exact)?;
    let theirs = reference.prepare(&uploaded, input)?.picture()?;
    let ours = renderer.draw(&input.draws(), Recording::Off).picture;
    let coverage_mismatch = match input.settings.background {
        Background::Transparent => coverage_mismatch(&ours, &theirs),
        Background::Color(_) | Background::Environment => {
            mismatch_without_background(reference, renderer, input, &uploaded)?
        }
    };
    drop(uploaded);
    let uploaded = reference.upload(input.scene, input.environment, Quality::Fastest)?;
    let frame = reference.prepare(&uploaded, input)?;
    let (ours_ms, theirs_ms) = take_turns(
        schedule,
        clock,
        || {
            let frame = renderer.draw(&input.draws(), Recording::Off);
            renderer.recycle(frame.picture);
            Ok(())
        },
        || frame.draw(),
    )?;
    let difference = Difference::between(&ours, &theirs);
    let report = CompareReport {
        pixels: difference.pixels,
        coverage_mismatch,
        off_by_more_than_2: difference.off_by_more_than_2,
        max_diff: difference.max_diff,
        mean_diff: difference.mean_diff,
        ours_ms,
        theirs_ms,
        ratio: theirs_ms.median / ours_ms.median,
        driver: reference.driver().to_owned(),
    };
    Ok(Comparison {
        report,
        ours,
        theirs,
    })
}

/// [`coverage_mismatch`] of both sides' pictures of `input` on a transparent background.
fn mismatch_without_background(
    reference: &Reference,
    renderer: &mut Renderer,
    input: &FrameInput<'_>,
    uploaded: &UploadedScene,
) -> Result<u64, ReferenceError> {
    let settings = RenderSettings {
        background: Background::Transparent,
        ..*input.settings
    };
    let input = FrameInput {
        settings: &settings,
        ..*input
    };
    let theirs = reference.prepare(uploaded, &input)?.picture()?;
    let ours = renderer.draw(&input.draws(), Recording::Off).picture;
    Ok(coverage_mismatch(&ours, &theirs))
}

/// Runs both sides by `schedule`; the times of the first and of the second.
fn take_turns<E>(
    schedule: Schedule,
    clock: &dyn Fn() -> Duration,
    mut first: impl FnMut() -> Result<(), E>,
    mut second: impl FnMut() -> Result<(), E>,
) -> Result<(Times, Times), E> {
    for _ in 0..schedule.warm_up {
        first()?;
        second()?;
    }
    let mut samples = (Vec::new(), Vec::new());
    for _ in 0..schedule.blocks {
        for _ in 0..schedule.frames_per_block {
            samples.0.push(timed(clock, &mut first)?);
        }
        for _ in 0..schedule.frames_per_block {
            samples.1.push(timed(clock, &mut second)?);
        }
    }
    Ok((Times::of(samples.0), Times::of(samples.1)))
}

fn timed<E>(
    clock: &dyn Fn() -> Duration,
    run: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Duration, E> {
    let start = clock();
    run()?;
    Ok(clock().saturating_sub(start))
}
