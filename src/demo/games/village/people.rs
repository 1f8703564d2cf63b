//! Sprites of the villagers, of flags and fires, and the signs of the display.

use glam::{Vec2, Vec3, vec2};

use crate::kit::atlas::{Sheet, Sprite};
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::shape::{capsule, circle, ellipse, join, polygon, rounded_box};
use crate::procedural::smooth_step;

/// A villager walking to the right: shirt, hair, and which foot is in front.
pub(super) fn villager(shirt: u32, hair: u32, swing: f32) -> Canvas {
    let mut canvas = Canvas::new(34, 46);
    let look = Cushion::DULL.scaled(0.9);
    for way in [-1.0, 1.0] {
        let foot = vec2(0.02 + 0.2 * swing * way, 0.86);
        canvas.cushion(
            move |p| capsule(p, vec2(0.07 * way, 0.5), foot, 0.1),
            |_| rgb(0x0054_4038),
            look,
        );
    }
    canvas.cushion(
        |p| ellipse(p - vec2(0.0, 0.28), vec2(0.32, 0.36)),
        |_| rgb(shirt),
        look,
    );
    let hand = vec2(0.16 + 0.22 * swing, 0.4);
    canvas.cushion(
        move |p| capsule(p, vec2(0.04, 0.14), hand, 0.09),
        |_| rgb(shirt) * 0.9,
        look,
    );
    canvas.cushion(
        |p| circle(p - vec2(0.04, -0.4), 0.4),
        |_| rgb(0x00f8_caa0),
        look,
    );
    let hair_shape =
        |p: Vec2| circle(p - vec2(0.02, -0.43), 0.42).max((p.y + 0.42 + 0.55 * p.x).min(p.y + 0.6));
    canvas.cushion(hair_shape, |_| rgb(hair), look);
    for x in [0.1, 0.32] {
        canvas.flat(
            move |p| ellipse(p - vec2(x, -0.34), vec2(0.045, 0.07)),
            rgb(0x0028_1c1c),
        );
    }
    canvas
}

/// A hammer's two moments are drawn by turning it.
pub(super) fn hammer() -> Canvas {
    let mut canvas = Canvas::new(40, 40);
    canvas.cushion(
        |p| capsule(p, vec2(-0.5, 0.6), vec2(0.3, -0.3), 0.1),
        |_| rgb(0x00a8_6c38),
        Cushion::DULL,
    );
    let head = |p: Vec2| {
        let q = Vec2::from_angle(0.84).rotate(p - vec2(0.36, -0.38));
        rounded_box(q, vec2(0.26, 0.5), 0.06)
    };
    canvas.cushion(head, |_| rgb(0x00b4_bac8), Cushion::PAINTED);
    canvas
}

/// A flag to the right.
pub(super) fn flag(phase: f32, code: u32) -> Canvas {
    let mut canvas = Canvas::new(44, 40);
    canvas.flat(
        |p| capsule(p, vec2(-0.96, -0.9), vec2(-0.96, 1.0), 0.07),
        rgb(0x0064_4628),
    );
    let cloth = move |p: Vec2| {
        let t = (p.x + 0.96) / 1.9;
        let wave = 0.15 * t * ((t * 1.2 + phase) * std::f32::consts::TAU).sin();
        ((p.y + 0.4 - wave).abs() - 0.46).max(-t).max(t - 1.0)
    };
    canvas.cushion(cloth, |_| rgb(code), Cushion::DULL);
    canvas
}

/// A tongue of fire.
pub(super) fn fire(phase: f32) -> Canvas {
    let mut canvas = Canvas::new(36, 46);
    for (size, color) in [(1.0, 0x00e0_4a18), (0.68, 0x00ff_a024), (0.36, 0x00ff_f0a0)] {
        let shape = move |p: Vec2| {
            let q = (p - vec2(0.0, 0.86 - 0.4 * size)) / size;
            let lean = q.x + 0.14 * (q.y * 4.0 + phase).sin();
            let wide = 0.5 * smooth_step(-1.3, 0.1, q.y) * smooth_step(0.5, 0.1, q.y).sqrt();
            (lean.abs() - wide) * size * 0.7
        };
        canvas.flat(shape, rgb(color));
    }
    canvas
}

/// A speech bubble that asks to be tapped.
pub(super) fn bubble() -> Canvas {
    let mut canvas = Canvas::new(60, 66);
    let shape = |p: Vec2| {
        let tail = [(-0.22, 0.5), (0.22, 0.5), (0.0, 0.92)].map(Vec2::from);
        circle(p - vec2(0.0, -0.12), 0.74).min(polygon(p, &tail) - 0.02)
    };
    canvas.flat(|p| shape(p) - 0.06, rgb(0x0044_3a50));
    canvas.fill(shape, |p| (Vec3::ONE * (0.98 - 0.06 * p.y)).extend(1.0));
    canvas
}

/// Sprites of the display.
#[derive(Debug, Clone, Copy)]
pub(super) struct Icons {
    /// A violet drop: icon of a store.
    pub(super) drop: Sprite,
    /// Two crossed swords: attack.
    pub(super) swords: Sprite,
    pub(super) cup: Sprite,
    pub(super) bag: Sprite,
    pub(super) cog: Sprite,
    /// White, its tip below.
    pub(super) bubble: Sprite,
    pub(super) hammer: Sprite,
}

impl Icons {
    /// Paints the sprites into a sheet.
    pub(super) fn new(s: &mut Sheet) -> Self {
        Self {
            drop: s.sprite(drop),
            swords: s.sprite(swords),
            cup: s.sprite(cup),
            bag: s.sprite(bag),
            cog: s.sprite(cog),
            bubble: s.sprite(bubble),
            hammer: s.sprite(hammer),
        }
    }
}

fn drop() -> Canvas {
    let mut canvas = Canvas::new(64, 64);
    let shape = |p: Vec2| {
        join(
            circle(p - vec2(0.0, 0.24), 0.56),
            capsule(p, vec2(0.0, -0.8), vec2(0.0, -0.2), 0.06),
            0.55,
        )
    };
    canvas.cushion(
        shape,
        |_| rgb(0x00d0_3ce4),
        Cushion {
            gloss: 0.9,
            ..Cushion::default()
        },
    );
    canvas
}

fn swords() -> Canvas {
    let mut canvas = Canvas::new(88, 88);
    for side in [-1.0, 1.0] {
        let turn = move |p: Vec2| vec2(p.x * side, p.y);
        let blade = move |p: Vec2| capsule(turn(p), vec2(-0.34, 0.36), vec2(0.7, -0.76), 0.1);
        canvas.cushion(
            blade,
            |_| rgb(0x00e4_eaf4),
            Cushion {
                bevel: 0.1,
                outline: 0.04,
                ..Cushion::PAINTED
            },
        );
        let guard = move |p: Vec2| capsule(turn(p), vec2(-0.6, 0.16), vec2(-0.14, 0.6), 0.08);
        canvas.cushion(guard, |_| rgb(0x00f0_b83c), Cushion::PAINTED.scaled(0.8));
        let grip = move |p: Vec2| capsule(turn(p), vec2(-0.42, 0.44), vec2(-0.72, 0.78), 0.08);
        canvas.cushion(grip, |_| rgb(0x0080_4a2c), Cushion::DULL);
    }
    canvas
}

fn cup() -> Canvas {
    let mut canvas = Canvas::new(64, 64);
    let gold = rgb(0x00ff_c238);
    let handles = |p: Vec2| circle(vec2(p.x.abs() - 0.5, p.y + 0.4), 0.26).abs() - 0.07;
    canvas.cushion(handles, move |_| gold * 0.85, Cushion::PAINTED);
    let bowl = |p: Vec2| ellipse(p - vec2(0.0, -0.7), vec2(0.56, 0.95)).max(-0.72 - p.y);
    canvas.cushion(
        bowl,
        move |_| gold,
        Cushion {
            bevel: 0.3,
            ..Cushion::PAINTED
        },
    );
    canvas.cushion(
        |p| rounded_box(p - vec2(0.0, 0.44), vec2(0.1, 0.26), 0.02),
        move |_| gold * 0.9,
        Cushion::PAINTED,
    );
    canvas.cushion(
        |p| rounded_box(p - vec2(0.0, 0.76), vec2(0.42, 0.13), 0.05),
        |_| rgb(0x0090_5c34),
        Cushion::PAINTED,
    );
    canvas
}

fn bag() -> Canvas {
    let mut canvas = Canvas::new(88, 88);
    let awning = |p: Vec2| rounded_box(p - vec2(0.0, -0.42), vec2(0.86, 0.3), 0.12);
    canvas.cushion(
        |p| rounded_box(p - vec2(0.0, 0.3), vec2(0.7, 0.5), 0.05),
        |_| rgb(0x00e8_c898),
        Cushion::DULL,
    );
    canvas.flat(
        |p| rounded_box(p - vec2(-0.24, 0.42), vec2(0.2, 0.38), 0.03),
        rgb(0x0088_5430),
    );
    canvas.flat(
        |p| rounded_box(p - vec2(0.32, 0.3), vec2(0.22, 0.2), 0.03),
        rgb(0x0070_c8f0),
    );
    let stripes = |p: Vec2| {
        let stripe = (p.x * 3.0 + 0.5).floor().rem_euclid(2.0) < 1.0;
        if stripe {
            rgb(0x00f0_4a40)
        } else {
            rgb(0x00ff_f6ea)
        }
    };
    canvas.cushion(awning, stripes, Cushion::PAINTED);
    canvas
}

fn cog() -> Canvas {
    let mut canvas = Canvas::new(64, 64);
    let wheel = |p: Vec2| {
        let teeth = (p.to_angle() * 8.0).cos();
        circle(p, 0.62 + 0.12 * smooth_step(-0.3, 0.3, teeth)).max(0.24 - p.length())
    };
    canvas.flat(|p| wheel(p) - 0.07, rgb(0x0034_3444));
    canvas.flat(wheel, rgb(0x00f0_f0f6));
    canvas
}

/// Soft shadow below standing things.
pub(super) fn shadow() -> Canvas {
    let mut canvas = Canvas::new(48, 24);
    canvas.wash(|p| {
        let t = (1.0 - (p / vec2(2.0, 1.0)).length()).clamp(0.0, 1.0);
        rgb(0x0014_2410).extend(0.6 * smooth_step(0.0, 0.7, t))
    });
    canvas
}
