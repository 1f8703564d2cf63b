//! The room behind the game: wallpaper, panels and floor painted small and soft, furniture painted sharp.

use glam::{Vec2, Vec3, vec2};

use crate::kit::atlas::{Sheet, Sprite, image};
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::pattern::planks;
use crate::kit::shape::{capsule, circle, ellipse, polygon, rounded_box, star};
use crate::procedural::{Noise, random, smooth_step};
use azulejo_scene::TextureImage;

/// Units from the upper edge to the panels, and to the floor.
pub(super) const PANELS: f32 = 476.0;
pub(super) const FLOOR: f32 = 606.0;

/// Wall and floor in the light of a window, 16 by 9.
pub(super) fn walls(seed: u32) -> TextureImage {
    let mut canvas = Canvas::new(480, 270);
    let half = vec2(canvas.half_width(), 1.0);
    let grain = Noise::tiling(seed ^ 0x3a11, 64);
    let hues = [
        (0x006f_b6d6, 0x0082_c4e0),
        (0x0086_b0e0, 0x0098_bfe8),
        (0x007c_c0b4, 0x0090_cec2),
    ];
    let (dark, light) = hues[seed as usize % 3];
    canvas.wash(|p| {
        let at = (p + half) / (2.0 * half) * vec2(1280.0, 720.0);
        let color = if at.y < PANELS {
            wallpaper(at, rgb(dark), rgb(light))
        } else if at.y < FLOOR {
            panels(at)
        } else {
            floor(at, grain)
        };
        // Light falls from the window on the left to the right, corners are dim.
        let beam = (at.x - 330.0) * 0.5 - (at.y - 250.0) * 0.62;
        let lit =
            smooth_step(190.0, 60.0, beam.abs()) * smooth_step(180.0, 420.0, at.x + at.y * 0.5);
        let corner = ((at - vec2(600.0, 330.0)) / vec2(860.0, 560.0)).length();
        let light = 1.02 - 0.42 * smooth_step(0.45, 1.15, corner) + 0.13 * lit;
        let ceiling = 1.0 - 0.22 * smooth_step(90.0, 0.0, at.y);
        let warm = Vec3::new(1.03, 1.0, 0.94)
            .lerp(Vec3::new(0.9, 0.94, 1.06), smooth_step(0.3, 1.1, corner));
        (color * light * ceiling * warm).extend(1.0)
    });
    image("walls", &canvas)
}

/// Stripes with a row of small motifs on every second one.
fn wallpaper(at: Vec2, dark: Vec3, light: Vec3) -> Vec3 {
    let stripe = at.x / 64.0;
    let t = (stripe - stripe.floor() - 0.5).abs();
    let color = dark.lerp(light, smooth_step(0.27, 0.23, t));
    let shift = if stripe.floor().rem_euclid(2.0) < 1.0 {
        0.0
    } else {
        48.0
    };
    let y = (at.y + shift) / 96.0;
    let motif = vec2(
        (stripe - stripe.floor() - 0.5) * 64.0,
        (y - y.floor() - 0.5) * 96.0,
    );
    let drop = star(motif, 4, 11.0, 4.5)
        .min(circle(motif - vec2(0.0, 24.0), 2.6))
        .min(circle(motif + vec2(0.0, 24.0), 2.6));
    color.lerp(light.lerp(Vec3::ONE, 0.55), smooth_step(1.6, -1.6, drop))
}

/// Colour of the white panelling at a point.
fn panels(at: Vec2) -> Vec3 {
    let y = at.y - PANELS;
    let white = rgb(0x00f2_ead8);
    if y < 14.0 {
        return white * (1.08 - 0.03 * (y - 4.0).abs());
    }
    if y < 19.0 {
        return white * 0.66;
    }
    if y > 116.0 {
        return white * (1.02 - 0.05 * smooth_step(3.0, 0.0, y - 116.0) * 3.0);
    }
    let x = at.x / 128.0;
    let q = vec2((x - x.floor() - 0.5) * 128.0, y - 67.0);
    let edge = rounded_box(q, vec2(50.0, 36.0), 4.0);
    let bevel = smooth_step(5.0, 0.0, edge.abs());
    let lit = if q.x + q.y < 0.0 { 0.78 } else { 1.07 };
    white * (0.95 + (lit - 1.0) * bevel)
}

/// Boards that run away from the wall.
fn floor(at: Vec2, grain: Noise) -> Vec3 {
    let depth = (at.y - FLOOR) / (720.0 - FLOOR);
    let x = (at.x - 640.0) / (1.0 + 0.62 * depth) / 92.0;
    let own = random(x.floor() as i32, 3, 77);
    let t = x - x.floor();
    let joint = smooth_step(0.0, 0.035, t.min(1.0 - t));
    let run = grain.fractal(vec2(x * 9.0 + 30.0, depth * 3.0 + 9.0 * own), 3);
    let color = rgb(0x00b4_7440).lerp(rgb(0x00d4_9a5c), 0.5 * run + 0.5 * own);
    let contact = 1.0 - 0.35 * smooth_step(0.16, 0.0, depth);
    color * (0.55 + 0.45 * joint) * contact
}

/// Furniture and pictures of the room.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decor {
    pub(super) window: Sprite,
    pub(super) shelf: Sprite,
    pub(super) plant: Sprite,
    pub(super) picture: Sprite,
    pub(super) rug: Sprite,
    pub(super) blocks: Sprite,
    pub(super) lamp: Sprite,
    pub(super) clock: Sprite,
    pub(super) pendulum: Sprite,
}

impl Decor {
    /// Paints all of it.
    pub(super) fn new(s: &mut Sheet) -> Self {
        Self {
            window: s.sprite(window),
            shelf: s.sprite(shelf),
            plant: s.sprite(plant),
            picture: s.sprite(picture),
            rug: s.sprite(rug),
            blocks: s.sprite(blocks),
            lamp: s.sprite(lamp),
            clock: s.sprite(cuckoo),
            pendulum: s.sprite(pendulum),
        }
    }
}

fn window() -> Canvas {
    let mut canvas = Canvas::new(150, 170);
    let frame = |p: Vec2| rounded_box(p, vec2(0.74, 0.86), 0.06);
    canvas.shadow(frame, vec2(0.03, 0.05), 0.06, 0.45);
    canvas.cushion(frame, |_| rgb(0x00f8_f2e6), Cushion::DULL.scaled(0.5));
    let glass = |p: Vec2| rounded_box(p, vec2(0.62, 0.74), 0.02);
    let hills = |x: f32| 0.36 + 0.1 * (x * 5.0).sin() + 0.05 * (x * 11.0).cos();
    canvas.fill(glass, |p| {
        let sky = rgb(0x0058_b4f0).lerp(rgb(0x00d8_f2ff), smooth_step(-0.7, 0.4, p.y));
        let cloud = ellipse(p - vec2(0.24, -0.3), vec2(0.24, 0.09))
            .min(ellipse(p - vec2(0.14, -0.36), vec2(0.12, 0.09)));
        let air = sky.lerp(Vec3::ONE, 0.9 * smooth_step(0.03, -0.03, cloud));
        let grass = rgb(0x0084_c84c) * (1.1 - 0.4 * smooth_step(0.3, 0.8, p.y));
        air.lerp(grass, smooth_step(-0.01, 0.01, p.y - hills(p.x)))
            .extend(1.0)
    });
    for bar in [
        (vec2(0.0, 0.0), vec2(0.045, 0.74)),
        (vec2(0.0, -0.06), vec2(0.62, 0.045)),
    ] {
        canvas.cushion(
            move |p| rounded_box(p - bar.0, bar.1, 0.01),
            |_| rgb(0x00f8_f2e6),
            Cushion::DULL.scaled(0.4),
        );
    }
    for side in [-1.0, 1.0] {
        let cloth = move |p: Vec2| {
            let x = p.x * side;
            let inner = 0.46 + 0.2 * smooth_step(-0.9, 0.5, p.y) - 0.1 * smooth_step(0.3, 0.9, p.y);
            (inner - x).max(x - 0.86).max(p.y - 0.92).max(-0.94 - p.y)
        };
        let folds = |p: Vec2| {
            let fold = (p.x * 34.0).sin();
            rgb(0x00f0_6a5a) * (0.88 + 0.16 * fold)
        };
        canvas.cushion(cloth, folds, Cushion::DULL.scaled(0.6));
    }
    canvas.cushion(
        |p| capsule(p, vec2(-0.82, -0.93), vec2(0.82, -0.93), 0.04),
        |_| rgb(0x00c8_8a44),
        Cushion::PAINTED.scaled(0.4),
    );
    canvas
}

fn shelf() -> Canvas {
    let mut canvas = Canvas::new(216, 116);
    let books = [
        (-1.5, 0.15, 1.0, 0x00e0_4a42),
        (-1.2, 0.13, 0.86, 0x003e_8ad0),
        (-0.92, 0.14, 1.1, 0x00f0_b43a),
        (-0.64, 0.12, 0.8, 0x004c_b060),
        (-0.38, 0.13, 0.96, 0x009a_5cc4),
    ];
    for (x, wide, high, code) in books {
        let book =
            move |p: Vec2| rounded_box(p - vec2(x, 0.5 - 0.5 * high), vec2(wide, 0.5 * high), 0.03);
        let band = move |p: Vec2| {
            let y = (p.y - 0.5 + high) / high;
            let gilt = smooth_step(0.03, 0.02, (y - 0.2).abs()).max(smooth_step(
                0.03,
                0.02,
                (y - 0.8).abs(),
            ));
            rgb(code).lerp(rgb(0x00ff_e6a0), gilt)
        };
        canvas.cushion(book, band, Cushion::DULL.scaled(0.8));
    }
    toys(&mut canvas);
    let board = |p: Vec2| rounded_box(p - vec2(0.0, 0.6), vec2(1.82, 0.11), 0.04);
    canvas.shadow(board, vec2(0.02, 0.12), 0.1, 0.4);
    canvas.cushion(
        board,
        |p| rgb(0x00b8_7840) * planks(vec2(p.y, p.x * 0.3), 0.3),
        Cushion::DULL.scaled(0.8),
    );
    for x in [-1.3, 1.3] {
        let bracket = [
            (x - 0.06, 0.7),
            (x + 0.06, 0.7),
            (x + 0.03, 0.96),
            (x - 0.03, 0.96),
        ]
        .map(Vec2::from);
        canvas.cushion(
            move |p| polygon(p, &bracket) - 0.02,
            |_| rgb(0x0090_5a2c),
            Cushion::DULL.scaled(0.5),
        );
    }
    canvas
}

/// A round clock and a toy boat.
fn toys(canvas: &mut Canvas) {
    let clock = |p: Vec2| circle(p - vec2(0.25, 0.08), 0.4);
    canvas.cushion(clock, |_| rgb(0x00f0_7a48), Cushion::PAINTED);
    canvas.flat(|p| clock(p) + 0.1, rgb(0x00ff_fbee));
    for tip in [vec2(0.25, -0.13), vec2(0.4, 0.14)] {
        canvas.flat(
            move |p| capsule(p, vec2(0.25, 0.08), tip, 0.024),
            rgb(0x0040_3440),
        );
    }
    let hull = [(0.8, 0.24), (1.7, 0.24), (1.5, 0.48), (0.98, 0.48)].map(Vec2::from);
    canvas.cushion(
        move |p| polygon(p, &hull) - 0.02,
        |_| rgb(0x0046_9ad8),
        Cushion::PAINTED.scaled(0.7),
    );
    canvas.flat(
        |p| capsule(p, vec2(1.24, 0.24), vec2(1.24, -0.72), 0.03),
        rgb(0x0082_5a34),
    );
    for sail in [
        [(1.3, -0.66), (1.3, 0.12), (1.76, 0.12)],
        [(1.18, -0.5), (1.18, 0.12), (0.84, 0.12)],
    ] {
        let sail = sail.map(Vec2::from);
        canvas.cushion(
            move |p| polygon(p, &sail),
            |_| rgb(0x00ff_f4e4),
            Cushion::DULL.scaled(0.5),
        );
    }
}

fn plant() -> Canvas {
    let mut canvas = Canvas::new(108, 150);
    for leaf in 0..9 {
        let angle = -2.75 + 0.29 * leaf as f32;
        let long = 0.74 + 0.26 * random(leaf, 1, 4);
        let along = Vec2::from_angle(angle);
        let root = vec2(0.0, 0.34);
        let tip = root + along * long * vec2(0.86, 1.25);
        let shape = move |p: Vec2| {
            let way = tip - root;
            let t = ((p - root).dot(way) / way.length_squared()).clamp(0.0, 1.0);
            capsule(
                p,
                root,
                tip,
                0.015 + 0.13 * (t * (1.0 - t) * 4.0).powf(0.8) * (1.0 - 0.3 * t),
            )
        };
        let tone = rgb(0x003f_9a48) * (0.8 + 0.4 * random(leaf, 2, 4));
        canvas.cushion(shape, move |_| tone, Cushion::DULL.scaled(0.5));
    }
    let pot = [(-0.4, 0.34), (0.4, 0.34), (0.28, 0.94), (-0.28, 0.94)].map(Vec2::from);
    let clay = Cushion {
        bevel: 0.3,
        ..Cushion::DULL.scaled(0.7)
    };
    canvas.cushion(move |p| polygon(p, &pot) - 0.03, |_| rgb(0x00e0_7a48), clay);
    canvas.cushion(
        |p| rounded_box(p - vec2(0.0, 0.36), vec2(0.48, 0.09), 0.04),
        |_| rgb(0x00ee_8a54),
        clay,
    );
    canvas
}

fn picture() -> Canvas {
    let mut canvas = Canvas::new(104, 120);
    let frame = |p: Vec2| rounded_box(p, vec2(0.78, 0.92), 0.05);
    canvas.shadow(frame, vec2(0.03, 0.05), 0.06, 0.45);
    canvas.cushion(
        frame,
        |p| rgb(0x00d8_a040) * planks(p, 0.2),
        Cushion {
            bevel: 0.1,
            ..Cushion::PAINTED
        },
    );
    let paper = |p: Vec2| rounded_box(p, vec2(0.6, 0.74), 0.01);
    canvas.flat(paper, rgb(0x00ff_f4dc));
    canvas.flat(|p| circle(p - vec2(0.0, -0.1), 0.36), rgb(0x00f0_4a5a));
    let wrap = |p: Vec2| {
        let q = vec2(p.x.abs() - 0.36, p.y + 0.1);
        polygon(q, &[vec2(0.0, 0.0), vec2(0.2, -0.2), vec2(0.2, 0.2)])
    };
    canvas.flat(wrap, rgb(0x00ff_8a9a));
    canvas.flat(
        |p| (circle(p - vec2(0.0, -0.1), 0.2).abs() - 0.05).max(-p.x),
        rgb(0x00ff_e8ea),
    );
    canvas.flat(
        |p| capsule(p, vec2(-0.3, 0.48), vec2(0.3, 0.48), 0.035),
        rgb(0x0070_5a50),
    );
    canvas
}

fn rug() -> Canvas {
    let mut canvas = Canvas::new(300, 60);
    for (scale, code) in [
        (1.0, 0x00b8_3a4a),
        (0.93, 0x00ff_dca0),
        (0.86, 0x00d0_4a54),
        (0.62, 0x00f4_b870),
        (0.55, 0x00c0_404c),
        (0.3, 0x00ff_dca0),
    ] {
        canvas.flat(move |p| ellipse(p, vec2(4.9, 0.96) * scale), rgb(code));
    }
    canvas
}

fn blocks() -> Canvas {
    let mut canvas = Canvas::new(110, 92);
    let boxes = [
        (-0.6, 0.5, 0x00e8_5048),
        (0.32, 0.5, 0x0048_90d8),
        (-0.14, -0.38, 0x00f4_bc40),
    ];
    for (number, (x, y, code)) in (0_u32..).zip(boxes) {
        let at = vec2(x, y);
        let cube = move |p: Vec2| rounded_box(p - at, Vec2::splat(0.42), 0.07);
        canvas.cushion(cube, |_| rgb(code), Cushion::PAINTED);
        canvas.flat(
            move |p| rounded_box(p - at, Vec2::splat(0.28), 0.04),
            rgb(0x00ff_f6e4),
        );
        let sign = move |p: Vec2| match number {
            0 => star(p - at, 5, 0.22, 0.1),
            1 => circle(p - at, 0.17),
            _ => rounded_box(p - at, Vec2::splat(0.15), 0.02),
        };
        canvas.flat(sign, rgb(code));
    }
    canvas.cushion(
        |p| circle(p - vec2(0.92, 0.68), 0.25),
        |p| {
            if (p.x - 0.92).abs() < 0.09 {
                rgb(0x00ff_f4e0)
            } else {
                rgb(0x0058_b85a)
            }
        },
        Cushion::PAINTED,
    );
    canvas
}

fn lamp() -> Canvas {
    let mut canvas = Canvas::new(96, 220);
    canvas.flat(
        |p| capsule(p, vec2(0.0, -0.5), vec2(0.0, 0.9), 0.022),
        rgb(0x006a_4a34),
    );
    canvas.cushion(
        |p| ellipse(p - vec2(0.0, 0.93), vec2(0.26, 0.06)),
        |_| rgb(0x008a_5c3c),
        Cushion::PAINTED.scaled(0.5),
    );
    let shade = [(-0.2, -0.96), (0.2, -0.96), (0.38, -0.46), (-0.38, -0.46)].map(Vec2::from);
    let shape = move |p: Vec2| polygon(p, &shade) - 0.02;
    canvas.glow(shape, rgb(0x00ff_e0a0), 0.05, 0.6);
    canvas.cushion(
        shape,
        |p| {
            let glow = 1.0 - smooth_step(0.0, 0.5, (p - vec2(0.0, -0.66)).length());
            rgb(0x00f4_c070).lerp(rgb(0x00ff_f4cc), glow)
        },
        Cushion {
            contrast: 0.25,
            ..Cushion::DULL.scaled(0.4)
        },
    );
    canvas
}

/// A small house of wood with a dial.
fn cuckoo() -> Canvas {
    let mut canvas = Canvas::new(92, 104);
    let body = |p: Vec2| rounded_box(p - vec2(0.0, 0.16), vec2(0.56, 0.66), 0.04);
    canvas.shadow(body, vec2(0.04, 0.06), 0.08, 0.45);
    canvas.cushion(
        body,
        |p| rgb(0x00a8_6a38) * planks(p, 0.16),
        Cushion::DULL.scaled(0.7),
    );
    for side in [-1.0, 1.0] {
        let slope = move |p: Vec2| capsule(p, vec2(0.0, -0.84), vec2(side * 0.78, -0.3), 0.1);
        canvas.cushion(slope, |_| rgb(0x007a_4524), Cushion::DULL.scaled(0.7));
    }
    canvas.cushion(
        |p| circle(p - vec2(0.0, 0.2), 0.42),
        |_| rgb(0x00e8_b848),
        Cushion::PAINTED.scaled(0.7),
    );
    canvas.flat(|p| circle(p - vec2(0.0, 0.2), 0.33), rgb(0x00ff_fbee));
    for hour in 0..12 {
        let at =
            vec2(0.0, 0.2) + Vec2::from_angle(hour as f32 * std::f32::consts::FRAC_PI_6) * 0.27;
        canvas.flat(move |p| circle(p - at, 0.02), rgb(0x0040_3028));
    }
    for tip in [vec2(0.0, -0.04), vec2(0.16, 0.28)] {
        let hand = move |p: Vec2| capsule(p, vec2(0.0, 0.2), tip, 0.022);
        canvas.flat(hand, rgb(0x0040_3028));
    }
    canvas
}

fn pendulum() -> Canvas {
    let mut canvas = Canvas::new(36, 92);
    canvas.flat(
        |p| capsule(p, vec2(0.0, -1.0), vec2(0.0, 0.6), 0.025),
        rgb(0x0070_4a24),
    );
    canvas.cushion(
        |p| circle(p - vec2(0.0, 0.66), 0.24),
        |_| rgb(0x00f0_c050),
        Cushion::PAINTED,
    );
    canvas
}
