//! Soldiers, their flags, and what marks their ways on the ground.

use glam::{Vec2, Vec3, Vec4};

use super::style::{ground_shadow, look};
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::shape::{capsule, circle, ellipse, polygon, rounded_box, star};
use crate::procedural::smooth_step;

/// A soldier who walks to the right; without owner a raider in hides. `arm`: on foot, mounted, with a bow.
pub(super) fn soldier(owner: Option<u32>, arm: usize, step: f32) -> Canvas {
    let mut canvas = Canvas::new(52, 56);
    ground_shadow(&mut canvas, Vec2::new(0.04, 0.84), Vec2::new(0.66, 0.18));
    let coat = rgb(owner.unwrap_or(0x0086_5a3a));
    let swing = 0.16 * (1.0 - 2.0 * step);
    let thick = Cushion {
        outline: 0.05,
        ..look(0.16)
    };
    let lift = if arm == 1 { -0.3 } else { 0.0 };
    legs(&mut canvas, arm, swing, thick);
    let body =
        move |p: Vec2| rounded_box(p - Vec2::new(0.0, 0.2 + lift), Vec2::new(0.24, 0.32), 0.16);
    canvas.cushion(body, |_| coat, thick);
    let head = Vec2::new(0.04, -0.3 + lift);
    canvas.cushion(move |p| circle(p - head, 0.22), |_| rgb(0x00f0_c09a), thick);
    let cap = move |p: Vec2| circle(p - head + Vec2::Y * 0.05, 0.25).max(p.y - head.y + 0.03);
    let steel = if owner.is_some() {
        rgb(0x00c8_d0da)
    } else {
        rgb(0x004a_2e1c)
    };
    canvas.cushion(
        cap,
        |_| steel,
        Cushion {
            gloss: 0.5,
            ..thick
        },
    );
    arms(&mut canvas, arm, lift, coat, thick);
    canvas
}

/// A horse's or one's own.
fn legs(canvas: &mut Canvas, arm: usize, swing: f32, thick: Cushion) {
    if arm == 1 {
        for (x, way) in [(-0.34, 1.0), (0.34, -1.0)] {
            let leg = move |p: Vec2| {
                capsule(p, Vec2::new(x, 0.4), Vec2::new(x + swing * way, 0.84), 0.08)
            };
            canvas.cushion(leg, |_| rgb(0x0058_3a26), thick);
        }
        canvas.cushion(
            |p| ellipse(p - Vec2::new(-0.02, 0.36), Vec2::new(0.5, 0.24)),
            |_| rgb(0x0086_5632),
            thick,
        );
        canvas.cushion(
            |p| capsule(p, Vec2::new(0.4, 0.26), Vec2::new(0.66, -0.06), 0.13),
            |_| rgb(0x0086_5632),
            thick,
        );
    } else {
        for way in [1.0, -1.0] {
            let leg =
                move |p: Vec2| capsule(p, Vec2::new(0.0, 0.44), Vec2::new(swing * way, 0.82), 0.1);
            canvas.cushion(leg, |_| rgb(0x0046_3a34), thick);
        }
    }
}

/// Weapons of an arm: spear and shield, a spear, a bow.
fn arms(canvas: &mut Canvas, arm: usize, lift: f32, coat: Vec3, thick: Cushion) {
    let weapon = Vec2::new(0.34, 0.1 + lift);
    if arm == 2 {
        let bow = move |p: Vec2| {
            (circle(p - weapon + Vec2::X * 0.2, 0.36).abs() - 0.035).max(weapon.x - p.x - 0.02)
        };
        canvas.flat(bow, rgb(0x006a_4222));
    } else {
        let tip = weapon + Vec2::new(0.2, -0.62);
        canvas.flat(move |p| capsule(p, weapon, tip, 0.035), rgb(0x006a_4a2c));
        canvas.flat(
            move |p| capsule(p, tip, tip + Vec2::new(0.05, -0.14), 0.06),
            rgb(0x00e8_eef4),
        );
    }
    if arm == 0 {
        let shield = weapon + Vec2::new(-0.1, 0.14);
        canvas.cushion(move |p| circle(p - shield, 0.22), |_| coat * 1.15, thick);
        canvas.flat(move |p| circle(p - shield, 0.07), rgb(0x00ff_e08a));
    }
}

pub(super) fn flag(color: u32) -> Canvas {
    let mut canvas = Canvas::new(56, 92);
    let thick = Cushion {
        outline: 0.03,
        ..look(0.1)
    };
    canvas.cushion(
        |p| capsule(p, Vec2::new(-0.42, 0.95), Vec2::new(-0.42, -0.9), 0.035),
        |_| rgb(0x007a_5630),
        thick,
    );
    let cloth = [
        (-0.4, -0.86),
        (0.54, -0.8),
        (0.34, -0.5),
        (0.54, -0.16),
        (-0.4, -0.2),
    ]
    .map(Vec2::from);
    canvas.cushion(
        move |p| polygon(p, &cloth) - 0.01,
        move |p| rgb(color) * (0.9 + 0.2 * (p.x * 9.0).sin()),
        thick,
    );
    canvas.flat(
        |p| star(p - Vec2::new(0.0, -0.5), 5, 0.19, 0.08),
        rgb(0x00ff_e9a8),
    );
    canvas
}

pub(super) fn arrow() -> Canvas {
    let mut canvas = Canvas::new(28, 24);
    let tip = [
        (-0.7, -0.7),
        (0.2, 0.0),
        (-0.7, 0.7),
        (-0.1, 0.7),
        (0.9, 0.0),
        (-0.1, -0.7),
    ]
    .map(Vec2::from);
    canvas.flat(move |p| polygon(p, &tip), Vec3::ONE);
    canvas
}

pub(super) fn realm() -> Canvas {
    let mut canvas = Canvas::new(192, 128);
    let disc = |p: Vec2| (p / Vec2::new(1.46, 0.96)).length() - 1.0;
    canvas.fill(disc, |p| {
        Vec3::ONE.extend(0.16 + 0.2 * smooth_step(-0.3, 0.0, disc(p)))
    });
    canvas.fill(|p| disc(p).abs() - 0.015, |_| Vec4::new(1.0, 1.0, 1.0, 0.8));
    canvas
}
