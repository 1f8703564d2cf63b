//! Icons of the display.

use glam::{Vec2, Vec3, vec2};

use crate::kit::atlas::{Sheet, Sprite};
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::shape::{capsule, circle, polygon, rounded_box};
use crate::procedural::smooth_step;

/// Sprites of the display.
#[derive(Debug, Clone, Copy)]
pub(super) struct Icons {
    pub(super) skull: Sprite,
    pub(super) flame: Sprite,
    pub(super) frost: Sprite,
    pub(super) shield: Sprite,
    /// Faster: two arrows to the right.
    pub(super) forward: Sprite,
}

impl Icons {
    /// Paints the sprites into a sheet.
    pub(super) fn new(s: &mut Sheet) -> Self {
        Self {
            skull: s.sprite(skull),
            flame: s.sprite(flame),
            frost: s.sprite(frost),
            shield: s.sprite(shield),
            forward: s.sprite(forward),
        }
    }
}

fn skull() -> Canvas {
    let mut canvas = Canvas::new(48, 48);
    let bone = |p: Vec2| {
        circle(p - vec2(0.0, -0.16), 0.68).min(rounded_box(
            p - vec2(0.0, 0.5),
            vec2(0.36, 0.36),
            0.12,
        ))
    };
    canvas.cushion(
        bone,
        |_| rgb(0x00f4_ecdc),
        Cushion {
            outline: 0.1,
            ..Cushion::DULL
        },
    );
    for x in [-0.28, 0.28] {
        canvas.flat(move |p| circle(p - vec2(x, -0.1), 0.2), rgb(0x0030_2028));
    }
    for x in [-0.14, 0.0, 0.14] {
        canvas.flat(
            move |p| rounded_box(p - vec2(x, 0.68), vec2(0.03, 0.16), 0.0),
            rgb(0x0030_2028),
        );
    }
    canvas
}

/// A tongue of fire.
fn flame() -> Canvas {
    let mut canvas = Canvas::new(64, 64);
    for (size, color) in [(1.0, 0x00e0_3a18), (0.7, 0x00ff_9a20), (0.4, 0x00ff_ee90)] {
        let shape = move |p: Vec2| {
            let q = (p - vec2(0.0, 0.9 - 0.5 * size)) / size;
            let lean = q.x + 0.12 * (q.y * 5.0).sin();
            let wide = 0.5 * smooth_step(-1.4, 0.1, q.y) * smooth_step(0.62, 0.1, q.y).sqrt();
            (lean.abs() - wide) * size * 0.7
        };
        canvas.flat(shape, rgb(color));
    }
    canvas
}

fn frost() -> Canvas {
    let mut canvas = Canvas::new(64, 64);
    let flake = |p: Vec2| {
        let sector = std::f32::consts::TAU / 6.0;
        let q = Vec2::from_angle(-(p.to_angle() / sector).round() * sector).rotate(p);
        let q = vec2(q.x, q.y.abs());
        let arm = capsule(q, Vec2::ZERO, vec2(0.8, 0.0), 0.08);
        arm.min(capsule(q, vec2(0.45, 0.0), vec2(0.66, 0.2), 0.07))
    };
    canvas.flat(|p| flake(p) - 0.08, rgb(0x001c_5aa8));
    canvas.flat(flake, rgb(0x00e4_faff));
    canvas
}

fn shield() -> Canvas {
    let mut canvas = Canvas::new(64, 64);
    let outline = [
        (-0.7, -0.75),
        (0.7, -0.75),
        (0.66, 0.1),
        (0.0, 0.85),
        (-0.66, 0.1),
    ];
    let outline = outline.map(Vec2::from);
    let plate = move |p: Vec2| polygon(p, &outline) - 0.06;
    canvas.cushion(plate, |_| rgb(0x00d8_dce6), Cushion::PAINTED);
    let field = |p: Vec2| {
        if p.x * p.y > 0.0 {
            rgb(0x00e0_4040)
        } else {
            rgb(0x0038_78d0)
        }
    };
    canvas.fill(move |p| plate(p) + 0.2, move |p| field(p).extend(1.0));
    canvas
}

fn forward() -> Canvas {
    let mut canvas = Canvas::new(64, 64);
    for x in [-0.5, 0.2] {
        let head = [(x, -0.55), (x + 0.6, 0.0), (x, 0.55)].map(Vec2::from);
        canvas.flat(move |p| polygon(p, &head) - 0.04, Vec3::ONE);
    }
    canvas
}
