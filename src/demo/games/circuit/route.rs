//! The circuit: a closed curve on flat ground, sampled at even steps.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use crate::kit::motion::Dice;

/// Samples of a lap.
pub(super) const N_SAMPLES: usize = 512;

/// Centre line of a closed road.
#[derive(Debug)]
pub(super) struct Route {
    /// x and z at even steps.
    pub(super) samples: Vec<Vec2>,
    /// Metres of a lap.
    pub(super) length: f32,
}

impl Route {
    /// The road of a seed: through points around an ellipse, smoothed.
    pub(super) fn new(seed: u32) -> Self {
        let mut dice = Dice::new(seed, 0xc12c);
        let n = 13;
        let corners: Vec<Vec2> = (0..n)
            .map(|k| {
                let around = Vec2::from_angle(TAU * k as f32 / n as f32);
                around * Vec2::new(205.0, 160.0) * dice.between(0.66, 1.14)
            })
            .collect();
        let fine: Vec<Vec2> = (0..n * 64)
            .map(|k| spline(&corners, k as f32 / 64.0))
            .collect();
        let mut samples = evenly(&fine);
        for _ in 0..500 {
            samples = (0..N_SAMPLES)
                .map(|k| {
                    let [before, after] =
                        [k + N_SAMPLES - 1, k + 1].map(|k| samples[k % N_SAMPLES]);
                    (before + after + samples[k] * 2.0) * 0.25
                })
                .collect();
        }
        let samples = evenly(&samples);
        let length = lengths(&samples).iter().sum();
        Self { samples, length }
    }

    /// Metres from sample to sample.
    pub(super) fn step(&self) -> f32 {
        self.length / N_SAMPLES as f32
    }

    /// The middle of the road `way` metres into the lap, y = 0.
    pub(super) fn point(&self, way: f32) -> Vec3 {
        let at = spline(&self.samples, way / self.step());
        Vec3::new(at.x, 0.0, at.y)
    }

    /// Unit vector along the road.
    pub(super) fn ahead(&self, way: f32) -> Vec3 {
        (self.point(way + 1.0) - self.point(way - 1.0)).normalize_or(Vec3::X)
    }

    /// Unit vector to the right of the road.
    pub(super) fn right(&self, way: f32) -> Vec3 {
        self.ahead(way).cross(Vec3::Y)
    }

    /// Radians a metre, positive to the right, mean of a stretch.
    pub(super) fn bend(&self, way: f32) -> f32 {
        let reach = 9.0;
        let (before, after) = (self.ahead(way - reach), self.ahead(way + reach));
        after.dot(self.right(way)).atan2(after.dot(before)) / (2.0 * reach)
    }

    /// Metres from a point to the middle of the road.
    pub(super) fn distance(&self, at: Vec2) -> f32 {
        let squared = self
            .samples
            .iter()
            .map(|sample| sample.distance_squared(at));
        squared.fold(f32::MAX, f32::min).sqrt()
    }
}

/// A point of the closed Catmull-Rom spline through `points`; `at` counts points.
fn spline(points: &[Vec2], at: f32) -> Vec2 {
    let n = points.len() as i32;
    let first = at.floor();
    let t = at - first;
    let [a, b, c, d] = [-1, 0, 1, 2].map(|k| points[(first as i32 + k).rem_euclid(n) as usize]);
    let (p, q) = (2.0 * a - 5.0 * b + 4.0 * c - d, 3.0 * (b - c) + d - a);
    0.5 * (2.0 * b + (c - a) * t + p * t * t + q * t * t * t)
}

fn lengths(points: &[Vec2]) -> Vec<f32> {
    let next = points.iter().cycle().skip(1);
    points
        .iter()
        .zip(next)
        .map(|(a, b)| a.distance(*b))
        .collect()
}

/// Points at even steps along a closed line.
fn evenly(line: &[Vec2]) -> Vec<Vec2> {
    let lengths = lengths(line);
    let step = lengths.iter().sum::<f32>() / N_SAMPLES as f32;
    let (mut edge, mut passed) = (0, 0.0);
    (0..N_SAMPLES)
        .map(|k| {
            let goal = k as f32 * step;
            while edge + 1 < line.len() && passed + lengths[edge] < goal {
                passed += lengths[edge];
                edge += 1;
            }
            let t = (goal - passed) / lengths[edge].max(1e-6);
            line[edge].lerp(line[(edge + 1) % line.len()], t.min(1.0))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn route_is_closed_even_and_without_sharp_corners() {
        for seed in 0..8 {
            let route = Route::new(seed);
            assert!(route.length > 600.0, "seed {seed}: {} m", route.length);
            for k in 0..N_SAMPLES {
                let way = k as f32 * route.step();
                let apart = route.point(way).distance(route.point(way + route.step()));
                assert!(
                    (apart / route.step() - 1.0).abs() < 0.2,
                    "seed {seed}: {apart} at {way}"
                );
                let bend = route.bend(way);
                assert!(bend.abs() < 0.05, "seed {seed}: bend {bend} at {way}");
            }
            let closed = route.point(0.0).distance(route.point(route.length));
            assert!(closed < 0.1, "seed {seed}: the lap ends where it began");
        }
    }
}
