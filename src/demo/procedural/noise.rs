//! Seeded noise on a lattice that repeats: the same numbers on every machine and in any order of evaluation.
//!
//! Integer hashes of lattice points, no tables, no state. Periods are whole lattice steps, so that textures tile.

use glam::Vec2;

/// A 32-bit hash of a lattice point: a linear mix of the coordinates through the finaliser of `MurmurHash3`.
#[must_use]
pub(crate) fn hash(x: i32, y: i32, seed: u32) -> u32 {
    let mut h = (x as u32).wrapping_mul(0x9e37_79b1)
        ^ (y as u32).wrapping_mul(0x85eb_ca77)
        ^ seed.wrapping_mul(0xc2b2_ae3d).rotate_left(15);
    h ^= h >> 16;
    h = h.wrapping_mul(0x85eb_ca6b);
    h ^= h >> 13;
    h = h.wrapping_mul(0xc2b2_ae35);
    h ^ (h >> 16)
}

/// A number in 0..1 for a lattice point.
#[must_use]
pub(crate) fn random(x: i32, y: i32, seed: u32) -> f32 {
    (hash(x, y, seed) >> 8) as f32 / (1 << 24) as f32
}

/// Noise of one seed that repeats after `period` lattice steps along each axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Noise {
    /// Different seeds, unrelated noise.
    pub(crate) seed: u32,
    /// Lattice steps until it repeats, at least 1.
    pub(crate) period: [i32; 2],
}

impl Noise {
    /// Noise that repeats after `period` steps along both axes.
    #[must_use]
    pub(crate) const fn tiling(seed: u32, period: i32) -> Self {
        Self {
            seed,
            period: [period; 2],
        }
    }

    fn wrap(self, [x, y]: [i32; 2]) -> [i32; 2] {
        // Most points lie in the first period; divisions are slow.
        let wrap = |v: i32, period: i32| {
            if (0..period).contains(&v) {
                v
            } else {
                v.rem_euclid(period)
            }
        };
        [wrap(x, self.period[0]), wrap(y, self.period[1])]
    }

    /// Value noise, 0..1: random numbers at lattice points with a smooth (cubic) transition.
    #[must_use]
    pub(crate) fn value(self, at: Vec2) -> f32 {
        let cell = at.floor();
        let t = at - cell;
        let t = t * t * (3.0 - 2.0 * t);
        let [left, top] = self.wrap([cell.x as i32, cell.y as i32]);
        let [right, bottom] = self.wrap([left + 1, top + 1]);
        let corner = |x: i32, y: i32| random(x, y, self.seed);
        let upper = lerp(corner(left, top), corner(right, top), t.x);
        let lower = lerp(corner(left, bottom), corner(right, bottom), t.x);
        lerp(upper, lower, t.y)
    }

    /// Fractal sum of `octaves` of [`Self::value`], each at twice the frequency and half the height, 0..1.
    #[must_use]
    pub(crate) fn fractal(self, at: Vec2, octaves: u32) -> f32 {
        let (mut sum, mut total, mut height) = (0.0, 0.0, 1.0);
        let mut octave = self;
        let mut at = at;
        for _ in 0..octaves {
            sum += octave.value(at) * height;
            total += height;
            height *= 0.5;
            at *= 2.0;
            octave.period = octave.period.map(|steps| steps * 2);
            octave.seed = octave.seed.wrapping_add(0x51ed_270b);
        }
        sum / total
    }

    /// A displacement in -1..1 by axis, for bending coordinates.
    #[must_use]
    pub(crate) fn offset(self, at: Vec2) -> Vec2 {
        let other = Self {
            seed: self.seed ^ 0x5bd1_e995,
            ..self
        };
        Vec2::new(self.value(at), other.value(at)) * 2.0 - 1.0
    }

    /// Worley noise: distances to the nearest and second nearest of one random point a cell, in cells, and the nearest
    /// one's number in 0..1 (Worley, "A Cellular Texture Basis Function", SIGGRAPH 1996).
    #[must_use]
    pub(crate) fn cells(self, at: Vec2) -> Cells {
        let cell = at.floor();
        let mut found = Cells {
            nearest: f32::MAX,
            second: f32::MAX,
            id: 0.0,
        };
        for y in -1..=1 {
            for x in -1..=1 {
                let [column, row] = self.wrap([cell.x as i32 + x, cell.y as i32 + y]);
                let own = |salt: u32| random(column, row, self.seed ^ salt);
                let point = Vec2::new(x as f32 + own(0), y as f32 + own(0x68bc_21eb));
                let distance = (cell + point).distance(at);
                if distance < found.nearest {
                    found.second = found.nearest;
                    found.nearest = distance;
                    found.id = own(0x02e5_be93);
                } else {
                    found.second = found.second.min(distance);
                }
            }
        }
        found
    }
}

/// Result of [`Noise::cells`] at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cells {
    /// Distance to the nearest point, in cells.
    pub(crate) nearest: f32,
    /// Distance to the next one.
    pub(crate) second: f32,
    /// A random number of the nearest point, 0..1.
    pub(crate) id: f32,
}

/// `a` at `t` = 0, `b` at `t` = 1, on the line through both elsewhere.
#[must_use]
pub(crate) fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

/// Hermite step: 0 up to `from`, 1 beyond `to`; falling where `from > to`.
#[must_use]
pub(crate) fn smooth_step(from: f32, to: f32, value: f32) -> f32 {
    let t = ((value - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_repeats_after_its_period() {
        let noise = Noise::tiling(7, 5);
        for i in 0..50 {
            let at = Vec2::new(i as f32 * 0.31, i as f32 * 0.17);
            let beyond = at + Vec2::new(5.0, -10.0);
            assert!(
                (noise.fractal(at, 4) - noise.fractal(beyond, 4)).abs() < 1e-3,
                "fractal at {at}"
            );
            assert!(
                (noise.cells(at).nearest - noise.cells(beyond).nearest).abs() < 1e-3,
                "cells at {at}"
            );
        }
    }

    #[test]
    fn noise_stays_in_range_and_fills_it() {
        let noise = Noise::tiling(3, 64);
        let values: Vec<f32> = (0..4000)
            .map(|i| noise.value(Vec2::new(i as f32 * 0.37, i as f32 * 0.73)))
            .collect();
        assert!(values.iter().all(|v| (0.0..=1.0).contains(v)), "0..1");
        let mean = values.iter().sum::<f32>() / values.len() as f32;
        assert!((mean - 0.5).abs() < 0.03, "mean {mean}");
        assert!(
            values.iter().any(|&v| v < 0.1) && values.iter().any(|&v| v > 0.9),
            "spread"
        );
    }

    #[test]
    fn noise_of_other_seeds_is_other_noise() {
        let at = Vec2::new(1.3, 2.7);
        assert_ne!(
            Noise::tiling(1, 8).value(at),
            Noise::tiling(2, 8).value(at),
            "seeds matter"
        );
    }
}
