//! Moments of a shot: a time, and the number of the frame that shows it.

use azulejo_units::FRAMES_PER_SECOND;

/// Time of a frame, and its number.
///
/// Demos play in frames, [`FRAMES_PER_SECOND`] a second; scenes have animations in seconds. A number converts into the
/// moment that a display of that rate shows so:
///
/// ```
/// # mod azulejo { pub use azulejo_shot as shot; }
/// use azulejo::shot::Moment;
///
/// assert_eq!(Moment::from(120), Moment { frame: 120, seconds: 2.0 });
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Moment {
    /// Number of the frame, as traces name it.
    pub frame: u64,
    /// Seconds since the start of game or animations.
    pub seconds: f64,
}

impl From<u64> for Moment {
    fn from(frame: u64) -> Self {
        Self {
            frame,
            seconds: frame as f64 / f64::from(FRAMES_PER_SECOND),
        }
    }
}

impl Moment {
    /// A single frame at a time in seconds, number 0.
    #[must_use]
    pub const fn at(seconds: f64) -> Self {
        Self { frame: 0, seconds }
    }

    /// The moment `frames` frames later, each `1 / fps` seconds after the one before.
    #[must_use]
    pub fn later(self, frames: u64, fps: f64) -> Self {
        Self {
            frame: self.frame + frames,
            seconds: self.seconds + frames as f64 / fps,
        }
    }

    /// Frame of a demo that is shown at this time.
    #[cfg(feature = "demos")]
    pub(super) fn played_frame(self) -> u64 {
        let seconds = f64::from(self.seconds as f32);
        (seconds * f64::from(FRAMES_PER_SECOND)).round() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_follow_each_other_at_any_rate() {
        let first = Moment::from(90);
        assert_eq!(first.later(0, 30.0), first, "the same");
        let second = first.later(3, 30.0);
        assert_eq!((second.frame, second.seconds), (93, 1.6), "a tenth later");
    }

    #[cfg(feature = "demos")]
    #[test]
    fn moment_of_a_number_shows_that_frame_of_a_demo() {
        for frame in [0, 1, 77, 3_599, 1_000_003] {
            assert_eq!(Moment::from(frame).played_frame(), frame, "there and back");
        }
    }
}
