//! The piste: a strip of rolling snow that winds down for ever, and the line that a rider takes on it. All of it repeats
//! after [`LOOP`] metres, one [`DROP`] lower a metre.

use glam::Vec3;

use crate::kit::motion::{Dice, arc, ease, wave};
use crate::procedural::{Noise, smooth_step};

/// Metres until the piste repeats.
pub(super) const LOOP: f32 = 960.0;
/// Metres down a metre ahead.
pub(super) const DROP: f32 = 0.27;
/// Metres from one kicker to the next.
pub(super) const KICKERS: f32 = 120.0;
/// Metres of a flight.
pub(super) const FLIGHT: f32 = 24.0;
/// Metres of a kicker, and its height.
pub(super) const KICKER: (f32, f32) = (5.0, 1.3);
/// Metres of a turn to both sides.
pub(super) const TURN: f32 = LOOP / 22.0;
/// Metres that the widest line leaves the middle.
const SWING: f32 = 4.6;
/// Metres of bumps' lattice.
const BUMP: f32 = 7.5;

/// The shape of the piste.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terrain {
    phases: [f32; 4],
    bumps: Noise,
}

/// A rider at a moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ride {
    /// Position of the board, world space.
    pub(super) at: Vec3,
    /// Unit vector along the board's way.
    pub(super) ahead: Vec3,
    /// Sideways bend of the line: positive to the right.
    pub(super) bend: f32,
    /// A share of the flight, if in the air.
    pub(super) flight: Option<f32>,
    /// Number of the kicker behind or below the rider.
    pub(super) kicker: i64,
}

impl Terrain {
    pub(super) fn new(seed: u32) -> Self {
        let mut dice = Dice::new(seed, 0x0510);
        Self {
            phases: [0; 4].map(|_| dice.unit()),
            bumps: Noise::tiling(seed, (LOOP / BUMP) as i32),
        }
    }

    /// Metres to the right of the piste's middle, `way` metres ahead of the start.
    pub(super) fn middle(&self, way: f32) -> f32 {
        let t = way / LOOP;
        8.0 * wave(4.0 * t + self.phases[0]) + 3.5 * wave(9.0 * t + self.phases[1])
    }

    /// Height of the piste's middle without bumps.
    fn profile(&self, way: f32) -> f32 {
        let t = way / LOOP;
        let rolls = 1.3 * wave(13.0 * t + self.phases[2]) + 0.55 * wave(31.0 * t + self.phases[3]);
        rolls - DROP * way
    }

    /// Height at `x` metres to the right, `way` metres ahead.
    pub(super) fn height(&self, x: f32, way: f32) -> f32 {
        let aside = (x - self.middle(way)).abs();
        let beyond = (aside - 9.0).max(0.0);
        let bank = 0.022 * beyond * beyond.min(16.0) + 0.09 * beyond;
        let at = glam::Vec2::new(way, x + 300.0) / BUMP;
        let rough = smooth_step(7.0, 16.0, aside);
        let bumps = (self.bumps.value(at) - 0.5) * (0.25 + 1.9 * rough);
        self.profile(way) + bank + bumps
    }

    /// A point of the snow, world space: ahead is -z.
    pub(super) fn point(&self, x: f32, way: f32) -> Vec3 {
        Vec3::new(x, self.height(x, way), -way)
    }

    /// Unit normal of the snow.
    pub(super) fn normal(&self, x: f32, way: f32) -> Vec3 {
        let step = 0.6;
        let across = self.point(x + step, way) - self.point(x - step, way);
        let along = self.point(x, way - step) - self.point(x, way + step);
        along.cross(across).normalize_or(Vec3::Y)
    }

    /// Height of the camera's path: the piste without what is shorter than a few metres.
    pub(super) fn smooth(&self, way: f32) -> f32 {
        let steps = [-12.0, -6.0, 0.0, 6.0, 12.0];
        steps
            .map(|step| self.profile(way + step))
            .iter()
            .sum::<f32>()
            / 5.0
    }

    /// Metres to the right of the line that a rider takes; it is straight around kickers.
    pub(super) fn line(&self, way: f32) -> f32 {
        let from_kicker = (way - (way / KICKERS).round() * KICKERS - FLIGHT * 0.4).abs();
        let free = smooth_step(17.0, 34.0, from_kicker);
        self.middle(way) + SWING * free * wave(way / TURN)
    }

    /// How far the line swings out at `way`, as a share.
    pub(super) fn swing(&self, way: f32) -> f32 {
        (self.line(way) - self.middle(way)) / SWING
    }

    /// Metres over the snow, and the share of the flight.
    fn lift(way: f32) -> (f32, Option<f32>) {
        let from_kicker = way - (way / KICKERS).round() * KICKERS;
        let (long, high) = KICKER;
        if (-long..0.0).contains(&from_kicker) {
            let t = 1.0 + from_kicker / long;
            (high * t * t, None)
        } else if (0.0..FLIGHT).contains(&from_kicker) {
            let t = from_kicker / FLIGHT;
            (high * (1.0 - t) + 2.7 * arc(t), Some(t))
        } else {
            (0.0, None)
        }
    }

    /// The rider `way` metres from the start, `aside` metres to the right of the usual line.
    pub(super) fn ride(&self, way: f32, aside: f32) -> Ride {
        let point = |way: f32| {
            let x = self.line(way) + aside;
            self.point(x, way) + Vec3::Y * Self::lift(way).0
        };
        let step = 0.7;
        let [before, at, after] = [point(way - step), point(way), point(way + step)];
        Ride {
            at,
            ahead: (after - before).normalize_or(Vec3::NEG_Z),
            bend: ease_signed((self.line(way + 3.0) + self.line(way - 3.0)) * 0.5 - self.line(way)),
            flight: Self::lift(way).1,
            kicker: (way / KICKERS).floor() as i64,
        }
    }
}

/// Eases from -1 to 1, slow at both ends.
fn ease_signed(value: f32) -> f32 {
    value.signum() * ease(value.abs().min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn piste_repeats_lower() {
        let terrain = Terrain::new(4);
        for k in 0..40 {
            let (x, way) = (k as f32 * 1.7 - 30.0, k as f32 * 23.0);
            let below = terrain.height(x, way) - terrain.height(x, way + LOOP);
            assert!((below - DROP * LOOP).abs() < 0.05, "at {way}");
            let turned = (terrain.line(way) - terrain.line(way + LOOP)).abs();
            assert!(turned < 0.02, "the line at {way}");
        }
    }

    #[test]
    fn rider_flies_off_every_kicker_and_lands() {
        let terrain = Terrain::new(1);
        let over = |way: f32| {
            let ride = terrain.ride(way, 0.0);
            ride.at.y - terrain.height(ride.at.x, way)
        };
        assert!(over(KICKERS - 20.0).abs() < 1e-3, "on the snow");
        assert!(over(KICKERS + FLIGHT * 0.5) > 2.0, "in the air");
        assert!(over(KICKERS + FLIGHT + 0.1).abs() < 1e-3, "landed");
    }
}
