//! Common style of the hall's paintings: colours, light, wood and gold.

use glam::{Vec2, Vec3};

use crate::kit::paint::{Canvas, Cushion, rgb};

pub(super) const GOLD: u32 = 0x00f2_b93a;
const WOOD: u32 = 0x0086_4c28;
pub(super) const RED: u32 = 0x00c0_1c30;

/// Outline and light of all furniture.
pub(super) const fn look(bevel: f32) -> Cushion {
    Cushion {
        bevel,
        outline: 0.008,
        contrast: 0.7,
        gloss: 0.4,
    }
}

/// Mirrored about the canvas' middle.
pub(super) fn side(p: Vec2) -> Vec2 {
    Vec2::new(p.x.abs(), p.y)
}

/// Grain of dark wood.
pub(super) fn wood(p: Vec2) -> Vec3 {
    let ring = (p.x * 9.0 + (p.y * 2.0).sin() * 1.5 + p.y * 1.4).sin();
    rgb(WOOD) * (0.94 + 0.1 * ring + 0.05 * (p.x * 61.0 + p.y * 7.0).sin())
}

/// A part of polished gold.
pub(super) fn gold(canvas: &mut Canvas, bevel: f32, shape: impl Fn(Vec2) -> f32 + Sync) {
    canvas.cushion(
        shape,
        |_| rgb(GOLD),
        Cushion {
            gloss: 0.9,
            contrast: 0.9,
            ..look(bevel)
        },
    );
}
