//! Common style of the kingdom's paintings: light, outline and shadow.

use glam::Vec2;

use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::procedural::smooth_step;

/// Outline and light of all that stands.
pub(super) fn look(bevel: f32) -> Cushion {
    Cushion {
        bevel,
        outline: 0.014,
        contrast: 0.65,
        gloss: 0.1,
    }
}

/// A wide soft shadow on the ground, to the lower right.
pub(super) fn ground_shadow(canvas: &mut Canvas, at: Vec2, radii: Vec2) {
    canvas.wash(|p| {
        let t = (1.0 - ((p - at) / radii).length()).clamp(0.0, 1.0);
        rgb(0x0016_240c).extend(0.55 * smooth_step(0.0, 0.45, t))
    });
}
