//! The last frames, for plots and for frames a second.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::render_thread::{DrawnFrame, StageTimes};
use azulejo_gpu::FrameReport;

/// Number of frames that plots show.
pub(super) const LENGTH: usize = 300;
/// Time over which frames a second are counted.
const WINDOW: Duration = Duration::from_millis(800);
/// Shortest time that tells a rate of frames, seconds.
const LEAST_SECONDS: f64 = 0.1;

/// Record of a frame for plots.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sample {
    /// Instant at which it came.
    pub(super) at: Instant,
    /// Milliseconds of its stages.
    pub(super) times: StageTimes,
    /// Pixels of the picture as drawn, before it was fitted into the window.
    pub(super) pixels: u64,
    /// Fragments shaded for each pixel, if counted.
    pub(super) overdraw: Option<f64>,
    /// Triangles binned, if counted.
    pub(super) primitives: Option<u64>,
    /// Whether its resolution was reduced.
    pub(super) reduced: bool,
}

/// The last [`LENGTH`] frames, oldest first.
#[derive(Debug, Default)]
pub(super) struct History {
    /// The last frames, oldest first, [`LENGTH`] at most.
    pub(super) samples: VecDeque<Sample>,
    /// Cycles of the last frames that the machine executed.
    pub(super) cycles: VecDeque<u64>,
}

impl History {
    /// Notes a frame that came at `at`.
    pub(super) fn push(&mut self, frame: &DrawnFrame, at: Instant, reduced: bool) {
        if self.samples.len() == LENGTH {
            self.samples.pop_front();
        }
        let counters = frame.counters.as_ref();
        self.samples.push_back(Sample {
            at,
            times: frame.times,
            pixels: frame.plan.pixels(),
            overdraw: counters.map(|counters| counters.overdraw()),
            primitives: counters.map(|counters| counters.geometry.primitives_binned),
            reduced,
        });
    }

    /// Notes a frame that the machine executed.
    pub(super) fn push_modelled(&mut self, report: &FrameReport) {
        if self.cycles.len() == LENGTH {
            self.cycles.pop_front();
        }
        self.cycles.push_back(report.cycles.0);
    }

    /// Frames a second over the last moments; nothing where frames do not follow each other.
    pub(super) fn fps(&self, now: Instant) -> Option<f64> {
        let recent = (self.samples.iter().rev()).take_while(|sample| now - sample.at < WINDOW);
        let (mut n, mut first) = (0_u32, now);
        for sample in recent {
            n += 1;
            first = sample.at;
        }
        let last = self.samples.back()?.at;
        let seconds = (last - first).as_secs_f64();
        (n > 1 && seconds >= LEAST_SECONDS).then(|| f64::from(n - 1) / seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_a_second_are_not_told_from_an_instant() {
        let now = Instant::now();
        let mut history = History::default();
        let sample = |at| Sample {
            at,
            times: StageTimes::default(),
            pixels: 1,
            overdraw: None,
            primitives: None,
            reduced: false,
        };
        let ms = Duration::from_millis;
        history.samples.push_back(sample(now));
        history
            .samples
            .push_back(sample(now + Duration::from_micros(285)));
        assert_eq!(history.fps(now + ms(1)), None, "two frames at once");
        history.samples.push_back(sample(now + ms(200)));
        let fps = history.fps(now + ms(200)).expect("a fifth of a second");
        assert!((fps - 10.0).abs() < 0.01, "{fps}: two frames in it");
    }
}
