//! The large pieces: the throne, the hearth, books, a suit of armour.

use glam::{Vec2, Vec3};

use super::style::{GOLD, RED, gold, look, side, wood};
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::shape::{capsule, circle, ellipse, polygon, rounded_box, star};
use crate::procedural::{Noise, random, smooth_step};

/// Colour of buttoned velvet at a point.
fn velvet(p: Vec2) -> Vec3 {
    let q = Vec2::new(p.x + p.y, p.x - p.y) * 6.5;
    let cell = q - q.floor() - 0.5;
    let dent = smooth_step(0.1, 0.7, cell.length());
    rgb(RED) * (1.12 - 0.35 * dent)
}

pub(super) fn throne() -> Canvas {
    let mut canvas = Canvas::new(400, 560);
    for x in [0.42, 0.5] {
        gold(&mut canvas, 0.05, move |p| {
            capsule(side(p), Vec2::new(x, 0.6), Vec2::new(x + 0.03, 0.94), 0.045)
        });
    }
    let back = |p: Vec2| {
        let arch = ellipse(p + Vec2::Y * 0.36, Vec2::new(0.44, 0.42));
        arch.min(rounded_box(p - Vec2::Y * 0.05, Vec2::new(0.4, 0.45), 0.05))
    };
    gold(&mut canvas, 0.08, back);
    canvas.cushion(
        move |p| back(p) + 0.075,
        velvet,
        Cushion {
            gloss: 0.15,
            ..look(0.14)
        },
    );
    gold(&mut canvas, 0.06, |p| {
        let tips = [
            (-0.3, -0.7),
            (-0.34, -0.94),
            (-0.15, -0.82),
            (0.0, -0.99),
            (0.15, -0.82),
            (0.34, -0.94),
            (0.3, -0.7),
        ];
        polygon(p, &tips.map(Vec2::from)) - 0.015
    });
    for (x, hue) in [
        (-0.17, 0x0030_8ae8),
        (0.0, 0x00e8_2a3a),
        (0.17, 0x0034_b85a),
    ] {
        canvas.cushion(
            move |p| circle(p - Vec2::new(x, -0.76), 0.045),
            move |_| rgb(hue),
            Cushion {
                gloss: 1.0,
                ..look(0.05)
            },
        );
    }
    seat(&mut canvas);
    canvas
}

fn seat(canvas: &mut Canvas) {
    gold(canvas, 0.05, |p| {
        capsule(side(p), Vec2::new(0.47, -0.1), Vec2::new(0.47, 0.4), 0.06)
    });
    gold(canvas, 0.07, |p| {
        circle(side(p) - Vec2::new(0.47, 0.0), 0.11)
    });
    let seat = |p: Vec2| rounded_box(p - Vec2::Y * 0.42, Vec2::new(0.46, 0.13), 0.1);
    canvas.cushion(
        seat,
        |p| rgb(RED) * (1.0 - 0.2 * (p.x * 5.0).sin().abs()),
        Cushion {
            gloss: 0.15,
            ..look(0.16)
        },
    );
    gold(canvas, 0.06, |p| {
        rounded_box(p - Vec2::Y * 0.6, Vec2::new(0.53, 0.08), 0.04)
    });
    for k in 0..7 {
        let at = Vec2::new(-0.42 + 0.14 * k as f32, 0.6);
        canvas.cushion(
            move |p| circle(p - at, 0.032),
            |_| rgb(0x00d0_3040),
            look(0.03),
        );
    }
}

pub(super) fn hearth(seed: u32) -> Canvas {
    let mut canvas = Canvas::new(500, 420);
    let veins = Noise::tiling(seed ^ 0x4ea7, 64);
    let stone = move |p: Vec2| {
        let vein = (veins.fractal(p * 4.0 + 20.0, 4) - 0.5).abs();
        rgb(0x00f0_e6d6).lerp(rgb(0x00a8_9890), 0.7 * smooth_step(0.05, 0.0, vein))
    };
    canvas.cushion(
        |p| rounded_box(p - Vec2::Y * 0.15, Vec2::new(1.0, 0.85), 0.03),
        stone,
        look(0.08),
    );
    let mouth = |p: Vec2| {
        let arch = ellipse(p - Vec2::Y * 0.25, Vec2::new(0.56, 0.5));
        arch.min(rounded_box(p - Vec2::Y * 0.6, Vec2::new(0.56, 0.36), 0.01))
    };
    gold(&mut canvas, 0.05, move |p| mouth(p).abs() - 0.045);
    canvas.fill(mouth, |p| {
        let row = (p.y / 0.09).floor();
        let brick = Vec2::new(p.x / 0.2 + 0.5 * row.rem_euclid(2.0), p.y / 0.09);
        let within = brick - brick.floor();
        let seam = within.min(1.0 - within).min_element();
        let glow = smooth_step(0.9, 0.0, (p - Vec2::new(0.0, 0.7)).length());
        let clay = rgb(0x003a_1c16).lerp(rgb(0x00b0_4a20), glow);
        (clay * smooth_step(0.02, 0.12, seam).max(0.4)).extend(1.0)
    });
    for (x, turn) in [(-0.18, 0.14), (0.2, -0.12), (0.0, 0.04)] {
        let way = Vec2::new(0.24, turn);
        let at = Vec2::new(x, 0.84);
        canvas.cushion(
            move |p| capsule(p, at - way, at + way, 0.065),
            |p| wood(p) * 0.8,
            look(0.06),
        );
    }
    mantel(&mut canvas, stone);
    canvas
}

/// Pilasters and the shelf over the fire.
fn mantel(canvas: &mut Canvas, stone: impl Fn(Vec2) -> Vec3 + Sync + Copy) {
    for x in [-0.8_f32, 0.8] {
        canvas.cushion(
            move |p| rounded_box(p - Vec2::new(x, 0.26), Vec2::new(0.14, 0.7), 0.03),
            stone,
            look(0.06),
        );
        gold(canvas, 0.04, move |p| {
            star(p - Vec2::new(x, -0.26), 8, 0.1, 0.06)
        });
        gold(canvas, 0.03, move |p| {
            rounded_box(p - Vec2::new(x, 0.4), Vec2::new(0.07, 0.36), 0.03).abs() - 0.015
        });
    }
    canvas.cushion(
        |p| rounded_box(p + Vec2::Y * 0.6, Vec2::new(1.14, 0.1), 0.04),
        stone,
        look(0.08),
    );
    gold(canvas, 0.03, |p| {
        rounded_box(p + Vec2::Y * 0.48, Vec2::new(1.08, 0.025), 0.02)
    });
    // On the mantel: a clock and candlesticks.
    gold(canvas, 0.06, |p| {
        rounded_box(p + Vec2::Y * 0.82, Vec2::new(0.16, 0.13), 0.1)
    });
    canvas.flat(|p| circle(p + Vec2::Y * 0.83, 0.095), rgb(0x00fb_f4e2));
    canvas.flat(
        |p| {
            capsule(p, Vec2::new(0.0, -0.83), Vec2::new(0.05, -0.88), 0.012).min(capsule(
                p,
                Vec2::new(0.0, -0.83),
                Vec2::new(0.0, -0.76),
                0.012,
            ))
        },
        rgb(0x0030_2018),
    );
    for x in [-0.7_f32, 0.7] {
        gold(canvas, 0.03, move |p| {
            rounded_box(p - Vec2::new(x, -0.74), Vec2::new(0.035, 0.05), 0.02)
        });
        canvas.cushion(
            move |p| rounded_box(p - Vec2::new(x, -0.86), Vec2::new(0.028, 0.08), 0.01),
            |_| rgb(0x00ff_f4dc),
            look(0.03),
        );
    }
}

pub(super) fn shelf(seed: u32) -> Canvas {
    let mut canvas = Canvas::new(500, 420);
    canvas.cushion(
        |p| rounded_box(p - Vec2::Y * 0.03, Vec2::new(1.1, 0.94), 0.03),
        wood,
        look(0.05),
    );
    let hues = [
        0x00a8_2a30,
        0x0024_5a8c,
        0x002e_7a48,
        0x00d0_9a30,
        0x006a_3a88,
        0x00c8_6a2a,
        0x0038_3a48,
    ];
    for row in 0..3 {
        let (top, floor) = (-0.78 + 0.58 * row as f32, -0.27 + 0.58 * row as f32);
        canvas.fill(
            move |p| {
                rounded_box(
                    p - Vec2::new(0.0, (top + floor) * 0.5),
                    Vec2::new(1.0, 0.26),
                    0.01,
                )
            },
            move |p| (rgb(0x003c_2014) * (0.6 + 0.7 * (p.y - top))).extend(1.0),
        );
        let mut x = -0.97;
        let mut k = 0;
        while x < 0.86 {
            let own = |salt| random(k, row * 7 + salt, seed);
            let (wide, high) = (0.035 + 0.035 * own(1), 0.16 + 0.075 * own(2));
            let at = Vec2::new(x + wide, floor - high);
            let hue = rgb(hues[(own(3) * 6.99) as usize]);
            canvas.cushion(
                move |p| rounded_box(p - at, Vec2::new(wide, high), 0.012),
                move |_| hue,
                look(0.035),
            );
            let bands = move |p: Vec2| ((p.y - at.y).abs() - high * 0.6).abs() - 0.014;
            canvas.fill(
                move |p| bands(p).max((p.x - at.x).abs() - wide + 0.006),
                |_| rgb(GOLD).extend(0.9),
            );
            x += 2.0 * wide + 0.004;
            k += 1;
        }
        canvas.cushion(
            move |p| rounded_box(p - Vec2::Y * (floor + 0.03), Vec2::new(1.04, 0.03), 0.01),
            wood,
            look(0.03),
        );
    }
    gold(&mut canvas, 0.03, |p| {
        rounded_box(p + Vec2::Y * 0.92, Vec2::new(1.14, 0.05), 0.03)
    });
    canvas
}

pub(super) fn armour() -> Canvas {
    let mut canvas = Canvas::new(260, 560);
    let steel = |p: Vec2| rgb(0x00b4_c0ce) * (0.95 + 0.1 * (p.x * 30.0).sin());
    let shiny = Cushion {
        gloss: 1.0,
        contrast: 1.0,
        ..look(0.1)
    };
    canvas.cushion(
        |p| rounded_box(p - Vec2::Y * 0.92, Vec2::new(0.36, 0.07), 0.02),
        wood,
        look(0.04),
    );
    canvas.cushion(
        |p| capsule(side(p), Vec2::new(0.13, 0.3), Vec2::new(0.15, 0.78), 0.085),
        steel,
        shiny,
    );
    canvas.cushion(
        |p| circle(side(p) - Vec2::new(0.14, 0.52), 0.1),
        steel,
        shiny,
    );
    canvas.cushion(
        |p| ellipse(side(p) - Vec2::new(0.17, 0.83), Vec2::new(0.12, 0.06)),
        steel,
        shiny,
    );
    canvas.cushion(
        |p| {
            polygon(
                p,
                &[(-0.24, 0.1), (0.24, 0.1), (0.3, 0.36), (-0.3, 0.36)].map(Vec2::from),
            ) - 0.02
        },
        |p| rgb(RED) * (0.85 + 0.2 * (p.x * 40.0).sin()),
        look(0.05),
    );
    bust(&mut canvas, steel, shiny);
    canvas
}

/// Upper part of a knight, from the waist up, with a spear.
fn bust(canvas: &mut Canvas, steel: impl Fn(Vec2) -> Vec3 + Sync + Copy, shiny: Cushion) {
    canvas.cushion(
        |p| ellipse(p + Vec2::Y * 0.14, Vec2::new(0.28, 0.32)),
        steel,
        shiny,
    );
    gold(canvas, 0.04, |p| star(p + Vec2::Y * 0.16, 8, 0.1, 0.05));
    canvas.cushion(
        |p| capsule(side(p), Vec2::new(0.3, -0.22), Vec2::new(0.33, 0.12), 0.075),
        steel,
        shiny,
    );
    canvas.cushion(
        |p| circle(side(p) - Vec2::new(0.3, -0.28), 0.13),
        steel,
        shiny,
    );
    canvas.cushion(
        |p| circle(side(p) - Vec2::new(0.33, 0.18), 0.085),
        steel,
        shiny,
    );
    canvas.cushion(
        |p| ellipse(p - Vec2::new(0.1, -0.84), Vec2::new(0.2, 0.1)),
        |_| rgb(RED),
        look(0.1),
    );
    canvas.cushion(
        |p| rounded_box(p + Vec2::Y * 0.58, Vec2::new(0.16, 0.2), 0.14),
        steel,
        shiny,
    );
    canvas.flat(
        |p| rounded_box(p + Vec2::Y * 0.6, Vec2::new(0.13, 0.018), 0.01),
        rgb(0x0012_1418),
    );
    for k in 0..4 {
        let x = -0.06 + 0.04 * k as f32;
        canvas.flat(
            move |p| capsule(p, Vec2::new(x, -0.52), Vec2::new(x, -0.46), 0.008),
            rgb(0x0012_1418),
        );
    }
    canvas.cushion(
        |p| capsule(p, Vec2::new(0.36, 0.86), Vec2::new(0.36, -0.78), 0.022),
        wood,
        look(0.02),
    );
    canvas.cushion(
        |p| {
            polygon(
                p,
                &[(0.3, -0.76), (0.36, -0.98), (0.42, -0.76)].map(Vec2::from),
            )
        },
        steel,
        shiny,
    );
}
