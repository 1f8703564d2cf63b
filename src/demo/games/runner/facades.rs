//! Textures of the fronts beside the tracks: windows, shops, shutters, painted walls, containers.

use glam::{Vec2, Vec3};

use super::style::SOLID;
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::shape::{capsule, circle, ellipse, rounded_box, star};
use crate::procedural::{Noise, random, smooth_step};

/// Bricks, with a window or without.
pub(super) fn brick(window: bool) -> Canvas {
    let mut canvas = Canvas::new(184, 184);
    let noise = Noise::tiling(31, 64);
    canvas.wash(|p| {
        let rows = p.y * 8.0;
        let shifted = p.x * 4.0 + 0.5 * rows.floor().rem_euclid(2.0);
        let own = random(shifted.floor() as i32, rows.floor() as i32, 5);
        let (x, y) = (shifted.rem_euclid(1.0), rows.rem_euclid(1.0));
        let joint = smooth_step(0.04, 0.1, x.min(1.0 - x)) * smooth_step(0.08, 0.2, y.min(1.0 - y));
        let color = rgb(0x00c0_6a48).lerp(rgb(0x00d9_8a5c), own)
            * (0.85 + 0.25 * noise.value(p * 9.0 + 20.0));
        rgb(0x00a8_9482).lerp(color, joint).extend(1.0)
    });
    if window {
        pane(
            &mut canvas,
            Vec2::new(0.0, -0.02),
            Vec2::new(0.5, 0.66),
            rgb(0x00f3_ead6),
        );
        sill(&mut canvas, 0.72, 0.62);
    }
    canvas
}

fn sill(canvas: &mut Canvas, y: f32, half: f32) {
    let shape = move |p: Vec2| rounded_box(p - Vec2::new(0.0, y), Vec2::new(half, 0.06), 0.02);
    canvas.shadow(shape, Vec2::new(0.0, 0.08), 0.06, 0.6);
    canvas.cushion(shape, |_| rgb(0x00ef_e6d4), SOLID);
}

/// A window: frame, glass that mirrors the sky, bars.
pub(super) fn pane(canvas: &mut Canvas, at: Vec2, half: Vec2, frame: Vec3) {
    let outer = move |p: Vec2| rounded_box(p - at, half, 0.03);
    canvas.shadow(outer, Vec2::new(0.03, 0.05), 0.05, 0.55);
    canvas.cushion(outer, |_| frame, SOLID);
    let glass = move |p: Vec2| rounded_box(p - at, half - 0.09, 0.01);
    canvas.fill(glass, |p| {
        let q = (p - at) / half;
        let sky = rgb(0x0033_566e).lerp(rgb(0x008f_c4d8), smooth_step(0.9, -0.9, q.y));
        let streak = smooth_step(0.12, 0.0, (q.x * 0.7 + q.y * 0.5 + 0.2).abs() - 0.1);
        (sky + 0.22 * streak).extend(1.0)
    });
    // The frame's shadow on the glass.
    canvas.fill(glass, |p| {
        Vec3::splat(0.03).extend(0.5 * smooth_step(-half.y + 0.28, -half.y + 0.09, p.y - at.y))
    });
    let bars = move |p: Vec2| {
        let q = p - at;
        ((q.x.abs() - 0.025).min((q.y + half.y * 0.2).abs() - 0.025)).max(glass(p))
    };
    canvas.flat(bars, frame * 0.93);
}

pub(super) fn plaster() -> Canvas {
    let mut canvas = Canvas::new(184, 184);
    let noise = Noise::tiling(37, 64);
    canvas.wash(|p| {
        let stain = noise.fractal(Vec2::new(p.x * 4.0, p.y) + 16.0, 3);
        Vec3::splat(0.9 + 0.1 * stain).extend(1.0)
    });
    for side in [-1.0, 1.0] {
        let shutter = move |p: Vec2| {
            rounded_box(
                p - Vec2::new(0.62 * side, -0.1),
                Vec2::new(0.18, 0.58),
                0.03,
            )
        };
        canvas.shadow(shutter, Vec2::new(0.04, 0.05), 0.05, 0.5);
        let slats = |p: Vec2| rgb(0x004f_8a7c) * (0.8 + 0.3 * (p.y * 9.0).rem_euclid(1.0));
        canvas.cushion(shutter, slats, SOLID);
    }
    pane(
        &mut canvas,
        Vec2::new(0.0, -0.1),
        Vec2::new(0.42, 0.58),
        rgb(0x00ff_fbf0),
    );
    let flowers = Noise::tiling(41, 64);
    let pot = |p: Vec2| rounded_box(p - Vec2::new(0.0, 0.66), Vec2::new(0.44, 0.1), 0.04);
    for k in 0..9 {
        let at = Vec2::new(-0.4 + 0.1 * k as f32, 0.5 + 0.06 * random(k, 1, 3));
        let hues = [0x00e8_4a5f, 0x00ff_c74a, 0x004f_9a3c, 0x006c_b84a];
        let hue = rgb(hues[(random(k, 2, 3) * 3.99) as usize]);
        canvas.flat(
            |p| circle(p - at, 0.085 + 0.02 * flowers.value(p * 20.0 + 40.0)),
            hue,
        );
    }
    canvas.cushion(pot, |_| rgb(0x00b8_6a3e), SOLID);
    canvas
}

/// A shop's front: a lit window full of goods, a door, a sign.
pub(super) fn shop(style: u32) -> Canvas {
    let mut canvas = Canvas::new(232, 160);
    let (wall, sign) = [
        (rgb(0x0034_6e8c), rgb(0x00ff_c93c)),
        (rgb(0x008c_3448), rgb(0x0043_d0b0)),
    ][style as usize];
    canvas.wash(|p| (wall * (1.0 - 0.12 * p.y)).extend(1.0));
    let board = |p: Vec2| rounded_box(p - Vec2::new(0.0, -0.74), Vec2::new(1.32, 0.2), 0.06);
    canvas.shadow(board, Vec2::new(0.0, 0.08), 0.06, 0.5);
    canvas.cushion(board, |_| sign, SOLID);
    // Letters too small to be read in passing.
    for k in 0..7_i16 {
        let x = -0.9 + 0.3 * f32::from(k);
        let own = random(i32::from(k), style as i32, 77);
        let stroke = move |p: Vec2| {
            let q = p - Vec2::new(x, -0.74);
            let ring = rounded_box(q, Vec2::new(0.085, 0.11), 0.05).abs() - 0.028;
            let bar = rounded_box(q, Vec2::new(0.03, 0.13), 0.02);
            if own < 0.6 {
                ring
            } else {
                bar.min(ring.max(-q.y))
            }
        };
        canvas.flat(stroke, wall * 0.5);
    }
    let glass = |p: Vec2| rounded_box(p - Vec2::new(-0.4, 0.16), Vec2::new(0.9, 0.56), 0.03);
    canvas.cushion(|p| glass(p) - 0.07, |_| rgb(0x00f0_e4cc), SOLID);
    canvas.fill(glass, |p| {
        rgb(0x00ff_e2a0)
            .lerp(rgb(0x00b8_7440), smooth_step(-0.4, 0.8, p.y))
            .extend(1.0)
    });
    for k in 0..10 {
        let row = k / 5;
        let at = Vec2::new(-1.1 + 0.34 * (k % 5) as f32, 0.04 + 0.5 * row as f32);
        let hue = [
            0x00e2_4f3a,
            0x0049_a4d8,
            0x0062_b24a,
            0x00f6_d24a,
            0x00c9_5ab4,
        ][(random(k, 9, style) * 4.99) as usize];
        let size = Vec2::new(0.1, 0.1 + 0.08 * random(k, 4, style));
        canvas.cushion(
            move |p| rounded_box(p - at, size, 0.04).max(glass(p)),
            move |_| rgb(hue),
            SOLID,
        );
    }
    let shine = |p: Vec2| ((p.x + 0.7 - 0.6 * p.y).abs() - 0.12).max(glass(p));
    canvas.fill(shine, |_| Vec3::ONE.extend(0.25));
    let door = |p: Vec2| rounded_box(p - Vec2::new(0.95, 0.32), Vec2::new(0.3, 0.72), 0.04);
    canvas.cushion(door, |_| sign * 0.8, SOLID);
    pane(
        &mut canvas,
        Vec2::new(0.95, 0.1),
        Vec2::new(0.2, 0.38),
        wall * 0.7,
    );
    canvas
}

pub(super) fn awning() -> Canvas {
    let mut canvas = Canvas::new(160, 48);
    canvas.wash(|p| {
        let band = (p.x * 2.1).rem_euclid(1.0);
        let white = smooth_step(0.0, 0.03, band) * smooth_step(0.5, 0.47, band);
        let color = Vec3::splat(0.55).lerp(Vec3::splat(0.98), white);
        (color * (0.9 - 0.12 * p.y)).extend(1.0)
    });
    canvas
}

pub(super) fn shutter() -> Canvas {
    let mut canvas = Canvas::new(128, 112);
    canvas.wash(|p| {
        let slat = (p.y * 7.0).rem_euclid(1.0);
        (rgb(0x00a9_b3bb) * (0.72 + 0.4 * slat * (1.0 - 0.3 * slat))).extend(1.0)
    });
    let tag = |p: Vec2| {
        let a = capsule(p, Vec2::new(-0.7, 0.3), Vec2::new(-0.3, -0.3), 0.1);
        let b = capsule(p, Vec2::new(-0.3, -0.3), Vec2::new(0.0, 0.35), 0.1);
        let c = capsule(p, Vec2::new(0.0, 0.35), Vec2::new(0.5, -0.25), 0.1);
        a.min(b)
            .min(c)
            .min(circle(p - Vec2::new(0.6, 0.2), 0.2).abs() - 0.07)
    };
    canvas.flat(|p| tag(p) - 0.05, rgb(0x002a_2440));
    canvas.flat(tag, rgb(0x00f0_5a9a));
    canvas.wash(|p| Vec3::splat(0.05).extend(0.5 * smooth_step(-0.7, -1.0, p.y)));
    canvas
}

/// Strokes of the painting's letters, half a unit to each side of their middle.
const LETTERS: [&[[f32; 2]]; 7] = [
    &[
        [-0.36, 0.6],
        [0.0, -0.6],
        [0.36, 0.6],
        [0.2, 0.2],
        [-0.2, 0.2],
    ],
    &[[-0.34, -0.55], [0.34, -0.55], [-0.34, 0.55], [0.34, 0.55]],
    &[
        [-0.34, -0.6],
        [-0.34, 0.3],
        [0.0, 0.56],
        [0.34, 0.3],
        [0.34, -0.6],
    ],
    &[[-0.3, -0.6], [-0.3, 0.55], [0.34, 0.55]],
    &[
        [0.34, -0.55],
        [-0.3, -0.55],
        [-0.3, 0.0],
        [0.2, 0.0],
        [-0.3, 0.0],
        [-0.3, 0.55],
        [0.34, 0.55],
    ],
    &[[0.3, -0.6], [0.3, 0.3], [0.0, 0.56], [-0.3, 0.3]],
    &[
        [0.0, -0.56],
        [-0.34, -0.2],
        [-0.34, 0.2],
        [0.0, 0.56],
        [0.34, 0.2],
        [0.34, -0.2],
        [0.0, -0.56],
    ],
];

/// A wall with a painting.
pub(super) fn graffiti(seed: u32) -> Canvas {
    let mut canvas = Canvas::new(448, 160);
    let noise = Noise::tiling(seed ^ 43, 64);
    canvas
        .wash(|p| (rgb(0x00c4_b8a6) * (0.85 + 0.2 * noise.fractal(p * 3.0 + 16.0, 4))).extend(1.0));
    let hues = [
        0x00ff_4f79,
        0x0030_c5d2,
        0x00ff_c53a,
        0x007a_5af0,
        0x0056_d364,
    ];
    let hue = |k: i32| rgb(hues[(random(k, 6, seed) * 4.99) as usize]);
    for k in 0..6 {
        let at = Vec2::new(-2.2 + 0.9 * k as f32, 0.5 - random(k, 3, seed));
        let radii = Vec2::new(
            0.5 + 0.4 * random(k, 1, seed),
            0.35 + 0.3 * random(k, 2, seed),
        );
        canvas.fill(
            move |p| ellipse(p - at, radii),
            move |_| hue(k).extend(0.75),
        );
    }
    for (k, strokes) in (0..).zip(LETTERS) {
        let at = Vec2::new(-2.25 + 0.75 * k as f32, 0.04 + 0.1 * random(k, 8, seed));
        let letter = move |p: Vec2| {
            let q = (p - at) / 0.62;
            let points = strokes.windows(2);
            let near =
                points.map(|pair| capsule(q, Vec2::from(pair[0]), Vec2::from(pair[1]), 0.24));
            near.fold(f32::MAX, f32::min) * 0.62
        };
        canvas.flat(move |p| letter(p) - 0.1, Vec3::splat(0.98));
        canvas.flat(move |p| letter(p) - 0.055, rgb(0x001c_1836));
        let (top, bottom) = (hue(k + 7), hue(k + 20));
        let look = Cushion {
            bevel: 0.14,
            outline: 0.0,
            ..SOLID
        };
        canvas.cushion(
            letter,
            move |p| top.lerp(bottom, smooth_step(-0.5, 0.6, p.y)),
            look,
        );
    }
    canvas.wash(|p| rgb(0x0040_3a38).extend(0.5 * smooth_step(0.6, 1.0, p.y)));
    canvas.wash(|p| rgb(0x008d_8478).extend(smooth_step(-0.9, -0.93, p.y)));
    canvas
}

pub(super) fn container() -> Canvas {
    let mut canvas = Canvas::new(160, 80);
    let noise = Noise::tiling(47, 64);
    canvas.wash(|p| {
        let rib = (p.x * 6.0).rem_euclid(1.0);
        let ridge = smooth_step(0.1, 0.25, rib) * smooth_step(0.9, 0.75, rib);
        let rust = smooth_step(0.58, 0.75, noise.fractal(p * 4.0 + 20.0, 4));
        let paint = Vec3::splat(0.68 + 0.3 * ridge);
        paint.lerp(rgb(0x0093_5a34), 0.7 * rust).extend(1.0)
    });
    let frame = |p: Vec2| -rounded_box(p, Vec2::new(1.9, 0.9), 0.02);
    canvas.fill(frame, |_| Vec3::splat(0.5).extend(1.0));
    canvas
}

pub(super) fn poster() -> Canvas {
    let mut canvas = Canvas::new(128, 96);
    canvas.wash(|p| {
        rgb(0x00ff_8a3c)
            .lerp(rgb(0x00f2_3a6a), 0.5 + 0.5 * p.y)
            .extend(1.0)
    });
    canvas.wash(|p| {
        let rays = (p.to_angle() * 16.0 / std::f32::consts::TAU).rem_euclid(1.0);
        rgb(0x00ff_d86a).extend(0.5 * f32::from(u8::from(rays < 0.5)))
    });
    canvas.cushion(|p| circle(p, 0.55), |_| rgb(0x00fd_f3dc), SOLID);
    canvas.flat(|p| star(p, 5, 0.5, 0.23), rgb(0x00e8_3a4e));
    canvas
        .wash(|p| rgb(0x0030_2c38).extend(smooth_step(0.9, 0.94, p.y.abs().max(p.x.abs() * 0.72))));
    canvas
}
