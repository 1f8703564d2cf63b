//! Light from all around: pixels of an equirectangular picture, each of even radiance, chosen in proportion to their light.

use std::f64::consts::PI;

use glam::{DVec3, Vec3};

use super::random::Random;

pub(crate) struct Panorama {
    width: usize,
    height: usize,
    radiance: Vec<Vec3>,
    /// Sums of luminance times solid angle up to each pixel, row by row.
    sums: Vec<f64>,
}

impl Panorama {
    /// Rows from the top (+Y); the middle of the picture looks along +X.
    pub(crate) fn new(width: usize, height: usize, radiance: Vec<Vec3>) -> Self {
        let mut sum = 0.0;
        let sums = radiance.iter().enumerate().map(|(at, radiance)| {
            sum += luminance(radiance.as_dvec3()) * solid_angle(width, height, at / width);
            sum
        });
        Self {
            width,
            height,
            sums: sums.collect(),
            radiance,
        }
    }

    pub(crate) fn pixels(&self) -> (u32, u32, &[Vec3]) {
        (self.width as u32, self.height as u32, &self.radiance)
    }

    pub(crate) fn radiance(&self, towards: DVec3) -> DVec3 {
        self.radiance[self.pixel(towards)].as_dvec3()
    }

    fn pixel(&self, towards: DVec3) -> usize {
        let u = 0.5 + towards.z.atan2(towards.x) / (2.0 * PI);
        let v = towards.y.clamp(-1.0, 1.0).acos() / PI;
        let x = ((u * self.width as f64) as usize).min(self.width - 1);
        let y = ((v * self.height as f64) as usize).min(self.height - 1);
        y * self.width + x
    }

    /// A direction, its radiance, and the density of its choice by solid angle; none where all is black.
    pub(crate) fn sample(&self, random: &mut Random) -> Option<(DVec3, DVec3, f64)> {
        let total = *self.sums.last()?;
        let wanted = random.unit() * total;
        let at = self.sums.partition_point(|&sum| sum <= wanted);
        let (x, y) = (at % self.width, at / self.width);
        let [right, down] = random.pair();
        let [top, bottom] = [y, y + 1].map(|y| (y as f64 / self.height as f64 * PI).cos());
        let up = top + (bottom - top) * down;
        let towards = towards(x as f64 + right, self.width, up);
        let radiance = self.radiance.get(at)?.as_dvec3();
        Some((towards, radiance, luminance(radiance) / total))
    }

    /// How dense [`Self::sample`] chooses this direction.
    pub(crate) fn density(&self, towards: DVec3) -> f64 {
        let total = self.sums.last().copied().unwrap_or(0.0);
        luminance(self.radiance(towards)) / total.max(f64::MIN_POSITIVE)
    }
}

/// The direction of a place in the picture, `x` pixels from its left edge, that is `up` above the horizon.
pub(crate) fn towards(x: f64, width: usize, up: f64) -> DVec3 {
    let azimuth = (x / width as f64 - 0.5) * 2.0 * PI;
    let across = (1.0 - up * up).max(0.0).sqrt();
    DVec3::new(across * azimuth.cos(), up, across * azimuth.sin())
}

fn luminance(color: DVec3) -> f64 {
    color.dot(DVec3::new(0.2126, 0.7152, 0.0722))
}

/// Solid angle of one pixel of this row.
fn solid_angle(width: usize, height: usize, row: usize) -> f64 {
    let [top, bottom] = [row, row + 1].map(|y| (y as f64 / height as f64 * PI).cos());
    (top - bottom) * 2.0 * PI / width as f64
}
