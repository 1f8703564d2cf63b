//! Plan of one frame: everything that decides its pixels, as a value that threads hand over and compare.

use super::opened::Texts;
use azulejo_demo::FRAMES_PER_SECOND;
use azulejo_render::RenderSettings;
use azulejo_shot::{Moment, Shot, Still};

/// Plan of a frame to draw.
#[derive(Debug, Clone)]
pub(super) struct FramePlan {
    /// Content, eye, animations and settings, size included.
    pub(super) shot: Shot,
    /// Keywords and texts of the picture.
    pub(super) texts: Texts,
    /// Time of the scene in seconds.
    pub(super) seconds: f64,
    /// Measurements to take beside the picture.
    pub(super) extras: Extras,
}

/// Measurements of a frame; its pixels are the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Extras {
    /// Counters that the renderer keeps.
    pub(super) counters: bool,
    /// Facts of its tiles that only a trace has, for which the frame is drawn a second time.
    pub(super) facts: bool,
}

impl PartialEq for FramePlan {
    fn eq(&self, other: &Self) -> bool {
        self.is_same_frame(other) && self.extras == other.extras
    }
}

impl FramePlan {
    /// Whether both have the same pixels.
    pub(super) fn is_same_frame(&self, other: &Self) -> bool {
        self.shot == other.shot && self.seconds.to_bits() == other.seconds.to_bits()
    }

    /// Whether both are moments of one shot: the same pictures but for the time, and for the place of the eye.
    pub(super) fn is_of_shot(&self, other: &Self) -> bool {
        other.shot.clone().seen_from(self.shot.eye) == self.shot
    }

    /// Whether a display that showed `last` shows this frame next: time has gone on by one frame.
    pub(super) fn is_next_after(&self, last: &Self) -> bool {
        let frames = (self.seconds - last.seconds) * f64::from(FRAMES_PER_SECOND);
        self.shot == last.shot && (frames - 1.0).abs() < 1e-6
    }

    /// Frame that a display shows `n` frames earlier from the same viewpoint; `None` before the first one.
    pub(super) fn earlier(&self, n: u32) -> Option<Self> {
        let seconds = self.seconds - f64::from(n) / f64::from(FRAMES_PER_SECOND);
        (seconds >= 0.0).then(|| Self {
            seconds,
            ..self.clone()
        })
    }

    /// Whether a frame drawn so has everything that `other` asks for.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let (has, wants) = (self.extras, other.extras);
        self.is_same_frame(other)
            && (has.counters || !wants.counters)
            && (has.facts || !wants.facts)
    }

    /// Moment of the frame for people: demos count frames, scenes have seconds.
    pub(super) fn name(&self) -> String {
        if self.shot.content.is_demo() {
            format!("frame {}", frame_number(self.seconds))
        } else {
            let span = self.shot.content.duration(self.shot.animation);
            let seconds = span.map_or(self.seconds, |span| self.seconds % f64::from(span));
            format!("the frame at {seconds:.2} s")
        }
    }

    /// Number of pixels to draw.
    pub(super) fn pixels(&self) -> u64 {
        let RenderSettings { width, height, .. } = self.shot.settings;
        u64::from(width) * u64::from(height)
    }

    /// Frame at the time of the plan.
    pub(super) fn still(&self) -> Still {
        self.shot.at(Moment {
            frame: frame_number(self.seconds),
            seconds: self.seconds,
        })
    }
}

/// Number of the frame that demos show after `seconds`.
pub(super) fn frame_number(seconds: f64) -> u64 {
    (seconds.max(0.0) * f64::from(FRAMES_PER_SECOND)).round() as u64
}
