//! Playback of time: it plays, pauses, runs slower or faster, and is dragged.

use super::plan::frame_number;
use azulejo_demo::FRAMES_PER_SECOND;
use azulejo_scene::AnimationChoice;
use azulejo_shot::Content;

/// Speeds to choose from.
pub(super) const SPEEDS: [f64; 6] = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0];

/// Time of the scene, and how it passes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Playback {
    /// Whether the scene's time passes.
    pub(super) playing: bool,
    /// Seconds of the scene for each second of ours.
    pub(super) speed: f64,
    /// Seconds of the scene since the start.
    pub(super) seconds: f64,
    /// Choice of the animations that play.
    pub(super) animation: AnimationChoice,
}

impl Playback {
    /// Lets `elapsed` seconds of ours pass, if anything plays.
    pub(super) fn advance(&mut self, elapsed: f64, content: &Content) {
        if self.playing && content.moves(self.animation) {
            self.seconds += elapsed * self.speed;
        }
    }

    /// Time that frames are drawn at: demos move in whole frames.
    pub(super) fn frame_seconds(&self, content: &Content) -> f64 {
        if content.is_demo() {
            frame_number(self.seconds) as f64 / f64::from(FRAMES_PER_SECOND)
        } else {
            self.seconds
        }
    }

    /// Steps by frames forwards or back, and pauses.
    pub(super) fn step(&mut self, frames: f64) {
        self.playing = false;
        let fps = f64::from(FRAMES_PER_SECOND);
        self.seconds = (((self.seconds * fps).round() + frames) / fps).max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::opened::tests::demo;

    fn playback() -> Playback {
        Playback {
            playing: true,
            speed: 2.0,
            seconds: 1.0,
            animation: AnimationChoice::All,
        }
    }

    #[test]
    fn playback_passes_only_while_playing() {
        let (content, mut playback) = (demo().shot.content, playback());
        playback.advance(0.5, &content);
        assert_eq!(playback.seconds, 2.0, "twice as fast");
        playback.playing = false;
        playback.advance(0.5, &content);
        assert_eq!(playback.seconds, 2.0, "paused");
    }

    #[test]
    fn playback_of_a_demo_goes_by_whole_frames() {
        let (content, mut playback) = (demo().shot.content, playback());
        playback.seconds = 1.004;
        assert_eq!(playback.frame_seconds(&content), 1.0, "frame 60");
        playback.step(1.0);
        assert_eq!(playback.frame_seconds(&content), 61.0 / 60.0, "frame 61");
        playback.step(-100.0);
        assert_eq!(playback.seconds, 0.0, "not before the start");
        assert!(!playback.playing, "stepping pauses");
    }
}
