//! Plants and rocks of many games: trees, bushes, rocks, grass, dust, as sprites of any height.

use glam::{Vec2, Vec3};

use super::paint::{Canvas, Cushion, rgb};
use super::shape::{capsule, circle, ellipse};
use crate::procedural::{Noise, random, smooth_step};

/// A canvas `height` texels high whose sides are as `width` to `per_height`.
fn canvas(height: u32, width: u32, per_height: u32) -> Canvas {
    Canvas::new((height * width + per_height / 2) / per_height, height)
}

/// Foliage: overlapping balls of leaves, each lit on its own.
pub(crate) fn leaves(canvas: &mut Canvas, balls: &[(f32, f32, f32)], color: Vec3, seed: u32) {
    let grain = Noise::tiling(seed, 64);
    for (number, &(x, y, radius)) in balls.iter().enumerate() {
        let tone = 0.84 + 0.3 * number as f32 / balls.len() as f32;
        let ragged = |p: Vec2| {
            let edge = grain.value(p * 11.0 + 32.0) * 0.06;
            circle(p - Vec2::new(x, y), radius) + edge
        };
        let look = Cushion {
            bevel: radius,
            outline: 0.02,
            contrast: 0.8,
            gloss: 0.0,
        };
        let dappled = |p: Vec2| color * tone * (0.86 + 0.3 * grain.fractal(p * 14.0 + 32.0, 2));
        canvas.cushion(ragged, dappled, look);
    }
}

/// A trunk or branch that widens towards the canvas' lower edge.
pub(crate) fn trunk(canvas: &mut Canvas, from: Vec2, to: Vec2, radius: f32) {
    let bark = Noise::tiling(5, 64);
    let shape = |p: Vec2| {
        capsule(
            p,
            from,
            to,
            radius * (1.0 + 0.5 * smooth_step(0.5, 1.0, p.y)),
        )
    };
    let color = |p: Vec2| {
        rgb(0x0086_5a3a) * (0.75 + 0.5 * bark.value(Vec2::new(p.x * 16.0, p.y * 3.0) + 32.0))
    };
    canvas.cushion(
        shape,
        color,
        Cushion {
            bevel: radius,
            ..Cushion::DULL
        },
    );
}

/// A round tree with a trunk, `height` texels high.
#[must_use]
pub(crate) fn oak(height: u32) -> Canvas {
    let mut canvas = canvas(height, 148, 168);
    trunk(&mut canvas, Vec2::new(0.0, 0.0), Vec2::new(0.0, 0.98), 0.1);
    trunk(
        &mut canvas,
        Vec2::new(0.02, 0.42),
        Vec2::new(0.3, 0.1),
        0.05,
    );
    let balls = [
        (-0.46, 0.02, 0.36),
        (0.48, 0.0, 0.34),
        (0.0, 0.08, 0.36),
        (-0.32, -0.38, 0.4),
        (0.34, -0.36, 0.38),
        (0.0, -0.54, 0.42),
        (-0.06, -0.2, 0.38),
    ];
    leaves(&mut canvas, &balls, rgb(0x005d_b53c), 11);
    canvas
}

/// A fir of four skirts, `height` texels high.
#[must_use]
pub(crate) fn fir(height: u32) -> Canvas {
    let mut canvas = canvas(height, 96, 170);
    trunk(&mut canvas, Vec2::new(0.0, 0.5), Vec2::new(0.0, 0.98), 0.07);
    let needles = Noise::tiling(23, 64);
    for tier in 0..4 {
        let top = 0.34 - 0.36 * tier as f32;
        let (half, height) = (0.52 - 0.1 * tier as f32, 0.66 - 0.06 * tier as f32);
        let shape = move |p: Vec2| {
            let q = Vec2::new(p.x.abs(), p.y - top + height * 0.5);
            let skirt = 0.07 * (p.x * 17.0).sin().abs();
            ((q.x - half * (q.y / height).clamp(0.0, 1.0)) * 0.8).max(q.y - height + skirt)
        };
        let color = |p: Vec2| {
            rgb(0x002f_8a52)
                * (0.8 + 0.1 * tier as f32)
                * (0.8 + 0.4 * needles.value(p * Vec2::new(22.0, 12.0) + 32.0))
        };
        canvas.cushion(
            shape,
            color,
            Cushion {
                bevel: 0.3,
                ..Cushion::DULL
            },
        );
    }
    canvas
}

/// A broad bush with red berries, `height` texels high.
#[must_use]
pub(crate) fn bush(height: u32) -> Canvas {
    let mut canvas = canvas(height, 132, 72);
    let balls = [
        (-1.1, 0.45, 0.5),
        (1.1, 0.5, 0.46),
        (-0.5, 0.1, 0.62),
        (0.55, 0.14, 0.6),
        (0.0, 0.4, 0.56),
    ];
    leaves(&mut canvas, &balls, rgb(0x0070_bd3a), 31);
    for (x, y) in [
        (-1.0, 0.3),
        (-0.4, -0.1),
        (0.1, 0.3),
        (0.6, 0.05),
        (1.15, 0.4),
    ] {
        let berry = |p: Vec2| circle(p - Vec2::new(x, y), 0.085);
        canvas.cushion(berry, |_| rgb(0x00f2_4a5e), Cushion::PAINTED);
    }
    canvas
}

/// Two grey boulders, `height` texels high.
#[must_use]
pub(crate) fn rock(height: u32) -> Canvas {
    let mut canvas = canvas(height, 108, 72);
    let grain = Noise::tiling(41, 64);
    for (x, width, height) in [(0.55, 0.8, 1.1), (-0.4, 0.95, 1.55)] {
        let shape = |p: Vec2| {
            let q = p - Vec2::new(x, 1.0);
            let bent = 0.16 * (grain.value(p * 3.0 + 16.0) - 0.5);
            ellipse(q, Vec2::new(width, height)).max(q.y) + bent
        };
        let color = |p: Vec2| rgb(0x0099_9ba8) * (0.75 + 0.45 * grain.fractal(p * 6.0 + 16.0, 3));
        canvas.cushion(shape, color, Cushion::DULL);
    }
    canvas
}

/// A puff of dust, `height` texels high.
#[must_use]
pub(crate) fn dust(height: u32) -> Canvas {
    let mut canvas = canvas(height, 64, 64);
    let smoke = Noise::tiling(61, 32);
    canvas.wash(|p| {
        let t = 1.0 - p.length() - 0.35 * smoke.fractal(p * 3.0 + 8.0, 3) + 0.1;
        let shade = 0.84 + 0.16 * smooth_step(0.5, -0.6, p.y);
        (rgb(0x00e6_cfa4) * shade).extend(0.75 * smooth_step(0.0, 0.5, t))
    });
    canvas
}

/// A broad tuft of tall grass, `height` texels high.
#[must_use]
pub(crate) fn tuft(height: u32) -> Canvas {
    let mut canvas = canvas(height, 112, 52);
    for blade in 0..26 {
        let own = |salt: i32| random(blade, salt, 71);
        let root = Vec2::new(-2.0 + 4.0 * (blade as f32 + own(0)) / 26.0, 1.1);
        let tip = root + Vec2::new(own(1) - 0.5, -0.8 - 1.1 * own(2));
        let bend = root.lerp(tip, 0.5) - Vec2::X * 0.2 * (own(1) - 0.5);
        let shape = move |p: Vec2| {
            let width = 0.075 * smooth_step(tip.y, root.y, p.y) + 0.006;
            capsule(p, root, bend, width).min(capsule(p, bend, tip, width))
        };
        let color = rgb(0x0020_5a2c).lerp(rgb(0x0048_9a34), own(3));
        canvas.flat(shape, color);
    }
    canvas
}
