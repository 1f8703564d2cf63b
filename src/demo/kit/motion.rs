//! How things move: easing from 0 to 1, and numbers that depend on a seed alone.

use std::f32::consts::TAU;

use glam::Vec2;

use crate::FRAMES_PER_SECOND;
use crate::procedural::{hash, smooth_step};

/// [`FRAMES_PER_SECOND`] as formulas take it.
pub(crate) const FRAME_RATE: f32 = FRAMES_PER_SECOND as f32;

/// Seconds of game time from frame 0 to frame `frame`.
#[must_use]
pub(crate) fn seconds_of(frame: u64) -> f32 {
    frame as f32 / FRAME_RATE
}

/// Whole seconds of game time from frame 0 to frame `frame`, as clocks show them.
#[must_use]
pub(crate) const fn whole_seconds(frame: u64) -> u64 {
    frame / FRAMES_PER_SECOND as u64
}

/// Fast at first, then slowing: a quadratic.
#[must_use]
pub(crate) fn ease_out(t: f32) -> f32 {
    let rest = 1.0 - t.clamp(0.0, 1.0);
    1.0 - rest * rest
}

/// Slow at both ends: the cubic Hermite step.
#[must_use]
pub(crate) fn ease(t: f32) -> f32 {
    smooth_step(0.0, 1.0, t)
}

/// Arrives, goes a little too far and comes back (Penner's "back" curve, overshoot 10 %).
#[must_use]
pub(crate) fn overshoot(t: f32) -> f32 {
    let rest = t.clamp(0.0, 1.0) - 1.0;
    1.0 + 2.7 * rest * rest * rest + 1.7 * rest * rest
}

/// 0 at both ends of 0..1, 1 in the middle: a parabola, as thrown things fly.
#[must_use]
pub(crate) fn arc(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    4.0 * t * (1.0 - t)
}

/// The sine of `turns` whole turns.
#[must_use]
pub(crate) fn wave(turns: f32) -> f32 {
    (turns.rem_euclid(1.0) * TAU).sin()
}

/// A unit vector at `turns` whole turns from +x towards +y.
#[must_use]
pub(crate) fn heading(turns: f32) -> Vec2 {
    Vec2::from_angle(turns.rem_euclid(1.0) * TAU)
}

/// Numbers that follow from a seed: a stream for building, not for frames.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dice {
    seed: u32,
    thrown: i32,
}

impl Dice {
    /// The stream of a seed; `salt` tells streams of one demo apart.
    #[must_use]
    pub(crate) const fn new(seed: u32, salt: u32) -> Self {
        Self {
            seed: seed ^ salt.wrapping_mul(0x9e37_79b9),
            thrown: 0,
        }
    }

    fn next(&mut self) -> u32 {
        self.thrown = self.thrown.wrapping_add(1);
        hash(self.thrown, 0x51, self.seed)
    }

    /// 0 up to 1.
    pub(crate) fn unit(&mut self) -> f32 {
        (self.next() >> 8) as f32 / (1 << 24) as f32
    }

    /// `from` up to `to`.
    pub(crate) fn between(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * self.unit()
    }

    /// A whole number below `n`, which is at least 1.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.next() as usize % n.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn easing_begins_at_zero_and_ends_at_one() {
        for curve in [ease, ease_out, overshoot] {
            assert!(curve(0.0).abs() < 1e-5, "start");
            assert!((curve(1.0) - 1.0).abs() < 1e-5, "end");
            assert_eq!(curve(2.0), curve(1.0), "clamped");
        }
    }

    #[test]
    fn dice_of_one_seed_fall_alike() {
        let throw = |seed| {
            let mut dice = Dice::new(seed, 3);
            [dice.unit(), dice.between(4.0, 5.0), dice.below(100) as f32]
        };
        assert_eq!(throw(5), throw(5), "the same seed");
        assert_ne!(throw(5), throw(6), "another");
    }
}
