//! The radiance of the built-in environment, a formula of the direction.
//!
//! An afternoon in a pale city: blue above, bright haze at the horizon, warm ground that the sun has reached, the sun
//! itself as a soft finite disc, and wide veils of lit cloud that give curved metal and glaze something to reflect.

use glam::Vec3;

const ZENITH: Vec3 = Vec3::new(0.30, 0.46, 0.78);
const HORIZON: Vec3 = Vec3::new(0.98, 0.94, 0.88);
const GROUND_NEAR: Vec3 = Vec3::new(0.46, 0.37, 0.29);
const GROUND_FAR: Vec3 = Vec3::new(0.62, 0.54, 0.46);
const SUN: Vec3 = Vec3::new(60.0, 50.0, 37.0);
/// Cosines of the angles from the sun's centre where its rim begins and ends: 2.6 and 4 degrees.
const SUN_RIM: [f32; 2] = [0.9990, 0.9975];

/// The built-in sky with its frames worked out.
#[derive(Debug, Clone)]
pub(super) struct Sky {
    towards_sun: Vec3,
    veils: [Veil; 2],
}

impl Sky {
    pub(super) fn new() -> Self {
        Self {
            towards_sun: Vec3::new(-0.68, 0.58, 0.45).normalize(),
            veils: [
                Veil::new(
                    Vec3::new(0.9, 0.55, 0.35),
                    [0.30, 0.55],
                    Vec3::new(2.3, 2.5, 2.9),
                ),
                Veil::new(
                    Vec3::new(-0.2, 0.75, -0.9),
                    [0.28, 0.65],
                    Vec3::new(3.4, 3.0, 2.5),
                ),
            ],
        }
    }

    /// Radiance arriving from unit vector `towards`.
    pub(super) fn radiance(&self, towards: Vec3) -> Vec3 {
        let y = towards.y;
        let low = 1.0 - y.max(0.0);
        let sky = HORIZON.lerp(ZENITH, 1.0 - low * low * low);
        let ground = GROUND_FAR.lerp(GROUND_NEAR, (-y).max(0.0).sqrt());
        let mut light = ground.lerp(sky, smooth_step(-0.03, 0.03, y)) + self.sun(towards);
        for veil in &self.veils {
            light += veil.radiance(towards);
        }
        light
    }

    /// The sun's disc with its aureole.
    fn sun(&self, towards: Vec3) -> Vec3 {
        let cos = towards.dot(self.towards_sun).max(0.0);
        let disc = smooth_step(SUN_RIM[1], SUN_RIM[0], cos);
        SUN * (disc + cos.powi(24) * 0.018 + cos.powi(128) * 0.03)
    }
}

/// A soft-edged rectangle of bright cloud.
#[derive(Debug, Clone, Copy)]
struct Veil {
    centre: Vec3,
    /// Axes towards the zenith and across, divided by the half extents.
    axes: [Vec3; 2],
    radiance: Vec3,
}

impl Veil {
    /// `half_extent` = tangents of half the angles that it spans: upwards, across.
    fn new(centre: Vec3, half_extent: [f32; 2], radiance: Vec3) -> Self {
        let centre = centre.normalize();
        let up = Vec3::Y.reject_from(centre).normalize();
        let across = centre.cross(up);
        Self {
            centre,
            axes: [up / half_extent[0], across / half_extent[1]],
            radiance,
        }
    }

    fn radiance(&self, towards: Vec3) -> Vec3 {
        let depth = towards.dot(self.centre);
        let [x, y] = self.axes.map(|axis| towards.dot(axis).abs());
        if x >= depth || y >= depth {
            return Vec3::ZERO;
        }
        let inside = |v: f32| 1.0 - smooth_step(0.7, 1.0, v / depth);
        self.radiance * (inside(x) * inside(y))
    }
}

/// Hermite step from 0 at `from` to 1 at `to`.
fn smooth_step(from: f32, to: f32, value: f32) -> f32 {
    let t = ((value - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
