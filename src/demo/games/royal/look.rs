//! Furniture and people of the hall, painted large: two texels for each unit.

use glam::{Vec2, Vec4};

use super::heavy::{armour, hearth, shelf, throne};
use super::king::king;
use super::style::{gold, look, side, wood};
use crate::kit::atlas::{Atlas, Sprite, sheet};
use crate::kit::motion::heading;
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::shape::{capsule, circle, ellipse, polygon, rounded_box, star};
use crate::procedural::smooth_step;

/// Sprites of the hall.
#[derive(Debug)]
pub(super) struct Furniture {
    pub(super) throne: Sprite,
    pub(super) hearth: Sprite,
    pub(super) shelf: Sprite,
    pub(super) armour: Sprite,
    pub(super) plant: Sprite,
    pub(super) portrait: Sprite,
    pub(super) chandelier: Sprite,
    pub(super) table: Sprite,
    pub(super) chest: Sprite,
    /// Eyes open, eyes shut.
    pub(super) king: [Sprite; 2],
    /// Two tongues of fire.
    pub(super) flames: [Sprite; 2],
    pub(super) shadow: Sprite,
}

/// Paints the furniture's atlas.
pub(super) fn furniture(seed: u32) -> (Furniture, Atlas) {
    sheet("furniture", 1440, |s| Furniture {
        throne: s.sprite(throne),
        hearth: s.sprite(|| hearth(seed)),
        shelf: s.sprite(|| shelf(seed)),
        armour: s.sprite(armour),
        plant: s.sprite(plant),
        portrait: s.sprite(portrait),
        chandelier: s.sprite(chandelier),
        table: s.sprite(table),
        chest: s.sprite(chest),
        king: [s.sprite(|| king(true)), s.sprite(|| king(false))],
        flames: [s.sprite(|| flame(0.0)), s.sprite(|| flame(1.0))],
        shadow: s.sprite(shadow),
    })
}

fn plant() -> Canvas {
    let mut canvas = Canvas::new(260, 380);
    for k in 0..15 {
        let turn = -0.25 + 0.028 * (k as f32 - 7.0);
        let way = heading(turn) * (0.62 + 0.26 * ((k * 7 % 5) as f32 / 5.0));
        let foot = Vec2::new(0.0, 0.32);
        let tip = foot + way * Vec2::new(1.1, 1.25);
        let leaf = move |p: Vec2| {
            let along =
                ((p - foot).dot(tip - foot) / (tip - foot).length_squared()).clamp(0.0, 1.0);
            let bend = 0.1 * (tip.x - foot.x) * along * (1.0 - along);
            capsule(p + Vec2::Y * bend, foot, tip, 0.0)
                - 0.075 * (along * (1.02 - along)).sqrt() * 1.6
        };
        let tone = 0.8 + 0.06 * (k % 4) as f32;
        canvas.cushion(
            leaf,
            move |p| rgb(0x0046_a040) * (tone + 0.12 * (p.y * 20.0 + p.x * 9.0).sin()),
            look(0.08),
        );
    }
    let pot = [(-0.36, 0.3), (0.36, 0.3), (0.25, 0.94), (-0.25, 0.94)].map(Vec2::from);
    canvas.cushion(
        move |p| polygon(p, &pot) - 0.02,
        |_| rgb(0x002a_5aa0),
        look(0.14),
    );
    gold(&mut canvas, 0.04, |p| {
        rounded_box(p - Vec2::Y * 0.3, Vec2::new(0.4, 0.05), 0.04)
    });
    gold(&mut canvas, 0.03, |p| {
        star(p - Vec2::Y * 0.62, 6, 0.13, 0.06)
    });
    gold(&mut canvas, 0.04, |p| {
        rounded_box(p - Vec2::Y * 0.93, Vec2::new(0.29, 0.04), 0.03)
    });
    canvas
}

fn portrait() -> Canvas {
    let mut canvas = Canvas::new(230, 310);
    let frame = |p: Vec2| rounded_box(p, Vec2::new(0.7, 0.95), 0.05);
    canvas.shadow(frame, Vec2::new(0.03, 0.04), 0.04, 0.5);
    gold(&mut canvas, 0.1, frame);
    let inner = |p: Vec2| rounded_box(p, Vec2::new(0.55, 0.8), 0.02);
    canvas.fill(inner, |p| {
        rgb(0x0058_4a3a)
            .lerp(rgb(0x0026_3a3c), p.y * 0.5 + 0.5)
            .extend(1.0)
    });
    let gown = move |p: Vec2| ellipse(p - Vec2::Y * 0.74, Vec2::new(0.5, 0.6)).max(inner(p));
    canvas.cushion(gown, |_| rgb(0x0034_4a96), look(0.2));
    canvas.cushion(
        |p| ellipse(p + Vec2::Y * 0.2, Vec2::new(0.27, 0.36)),
        |_| rgb(0x008a_4a22),
        look(0.12),
    );
    canvas.cushion(
        |p| ellipse(p + Vec2::Y * 0.14, Vec2::new(0.19, 0.25)),
        |_| rgb(0x00f6_d2ac),
        look(0.16),
    );
    canvas.flat(
        |p| circle(side(p) - Vec2::new(0.075, -0.17), 0.024),
        rgb(0x0030_2018),
    );
    canvas.flat(
        |p| ellipse(p + Vec2::Y * 0.02, Vec2::new(0.05, 0.016)),
        rgb(0x00c0_4a4a),
    );
    gold(&mut canvas, 0.04, |p| {
        let tips = [
            (-0.2, -0.4),
            (-0.24, -0.58),
            (-0.09, -0.48),
            (0.0, -0.62),
            (0.09, -0.48),
            (0.24, -0.58),
            (0.2, -0.4),
        ];
        polygon(p, &tips.map(Vec2::from)) - 0.01
    });
    canvas
}

fn chandelier() -> Canvas {
    let mut canvas = Canvas::new(520, 400);
    gold(&mut canvas, 0.03, |p| {
        capsule(p, Vec2::new(0.0, -1.0), Vec2::new(0.0, 0.2), 0.025)
    });
    for (x, y) in [(1.05, -0.06), (0.62, 0.12), (0.24, 0.2)] {
        gold(&mut canvas, 0.03, move |p| {
            let q = side(p);
            let sag = (q.x / x).clamp(0.0, 1.0);
            let curve = 0.5 + (y - 0.5) * sag * sag + 0.18 * (sag * std::f32::consts::PI).sin();
            ((q.y - curve).abs() - 0.022).max(q.x - x) * 0.7
        });
        for way in [-1.0, 1.0] {
            let at = Vec2::new(x * way, y);
            gold(&mut canvas, 0.03, move |p| {
                ellipse(p - at, Vec2::new(0.09, 0.035))
            });
            canvas.cushion(
                move |p| rounded_box(p - at + Vec2::Y * 0.12, Vec2::new(0.032, 0.1), 0.012),
                |_| rgb(0x00ff_f6e0),
                look(0.03),
            );
            canvas.glow(
                move |p| ellipse(p - at + Vec2::Y * 0.3, Vec2::new(0.03, 0.06)),
                rgb(0x00ff_cc60),
                0.2,
                0.75,
            );
            canvas.flat(
                move |p| ellipse(p - at + Vec2::Y * 0.3, Vec2::new(0.028, 0.065)),
                rgb(0x00ff_f0a8),
            );
            let size = Vec2::new(0.03, 0.065);
            crystal(&mut canvas, at + Vec2::Y * 0.13, size, 0x00bc_e4ff, 0.04);
        }
    }
    gold(&mut canvas, 0.1, |p| {
        ellipse(p - Vec2::Y * 0.3, Vec2::new(0.12, 0.2))
    });
    for k in 0..9 {
        let x = -0.56 + 0.14 * k as f32;
        let at = Vec2::new(x, 0.72 - 0.3 * x * x);
        crystal(&mut canvas, at, Vec2::new(0.035, 0.09), 0x00cc_ecff, 0.05);
    }
    canvas
}

/// A drop of cut glass.
fn crystal(canvas: &mut Canvas, at: Vec2, size: Vec2, hue: u32, bevel: f32) {
    let glass = Cushion {
        gloss: 1.0,
        ..look(bevel)
    };
    canvas.cushion(|p| ellipse(p - at, size), |_| rgb(hue), glass);
}

fn table() -> Canvas {
    let mut canvas = Canvas::new(400, 320);
    let cloth = [(-1.0, 0.0), (1.0, 0.0), (1.12, 0.9), (-1.12, 0.9)].map(Vec2::from);
    canvas.cushion(
        move |p| polygon(p, &cloth) - 0.03,
        |p| rgb(0x0034_54a8) * (0.9 + 0.16 * (p.x * 17.0).sin()),
        look(0.08),
    );
    gold(&mut canvas, 0.03, |p| {
        rounded_box(p - Vec2::Y * 0.84, Vec2::new(1.1, 0.035), 0.02)
    });
    canvas.cushion(
        |p| ellipse(p, Vec2::new(1.05, 0.17)),
        |_| rgb(0x0046_6ac4),
        look(0.05),
    );
    // A cake in three tiers and goblets.
    for (y, half, hue) in [
        (-0.13, 0.46, 0x00ff_eef2),
        (-0.4, 0.34, 0x00ff_b8cc),
        (-0.64, 0.22, 0x00ff_eef2),
    ] {
        canvas.cushion(
            move |p| rounded_box(p - Vec2::Y * y, Vec2::new(half, 0.14), 0.05),
            move |_| rgb(hue),
            look(0.12),
        );
        let drip = move |p: Vec2| p.y - y + 0.05 - 0.04 * (p.x * 26.0).sin();
        let top = move |p: Vec2| {
            rounded_box(p - Vec2::Y * y, Vec2::new(half + 0.01, 0.15), 0.05).max(drip(p))
        };
        canvas.cushion(top, |_| rgb(0x00d8_3a5a), look(0.05));
    }
    canvas.cushion(
        |p| circle(p + Vec2::Y * 0.86, 0.08),
        |_| rgb(0x00e8_2030),
        Cushion {
            gloss: 1.0,
            ..look(0.08)
        },
    );
    for x in [-0.78_f32, 0.76] {
        gold(&mut canvas, 0.06, move |p| {
            rounded_box(p - Vec2::new(x, -0.26), Vec2::new(0.11, 0.13), 0.09)
        });
        gold(&mut canvas, 0.03, move |p| {
            rounded_box(p - Vec2::new(x, -0.06), Vec2::new(0.03, 0.1), 0.02)
        });
        gold(&mut canvas, 0.03, move |p| {
            ellipse(p - Vec2::new(x, 0.03), Vec2::new(0.1, 0.03))
        });
    }
    canvas
}

fn chest() -> Canvas {
    let mut canvas = Canvas::new(340, 280);
    canvas.cushion(
        |p| rounded_box(p + Vec2::Y * 0.36, Vec2::new(0.92, 0.42), 0.3),
        |p| wood(p) * 0.9,
        look(0.2),
    );
    canvas.flat(
        |p| rounded_box(p + Vec2::Y * 0.14, Vec2::new(0.82, 0.3), 0.2),
        rgb(0x0030_1a10),
    );
    for k in 0..24 {
        let x = -0.74 + 0.064 * k as f32;
        let at = Vec2::new(
            x,
            -0.02 - 0.22 * (1.0 - x * x) * (0.5 + 0.5 * ((k * 7 % 5) as f32 / 4.0)),
        );
        gold(&mut canvas, 0.05, move |p| {
            ellipse(p - at, Vec2::new(0.1, 0.075))
        });
    }
    for (x, y, hue) in [
        (-0.4, -0.22, 0x0030_9af0),
        (0.1, -0.26, 0x00e8_3050),
        (0.48, -0.16, 0x0040_c860),
    ] {
        let at = Vec2::new(x, y);
        canvas.cushion(
            move |p| star(p - at, 6, 0.12, 0.09),
            move |_| rgb(hue),
            Cushion {
                gloss: 1.0,
                ..look(0.08)
            },
        );
    }
    canvas.cushion(
        |p| rounded_box(p - Vec2::Y * 0.46, Vec2::new(0.96, 0.44), 0.06),
        wood,
        look(0.1),
    );
    for x in [-0.78, 0.0, 0.78] {
        gold(&mut canvas, 0.05, move |p| {
            rounded_box(p - Vec2::new(x, 0.46), Vec2::new(0.1, 0.45), 0.03)
        });
    }
    gold(&mut canvas, 0.04, |p| {
        rounded_box(p - Vec2::Y * 0.06, Vec2::new(0.98, 0.06), 0.03)
    });
    canvas.flat(|p| circle(p - Vec2::Y * 0.34, 0.06), rgb(0x0030_1a10));
    canvas
}

fn flame(lean: f32) -> Canvas {
    let mut canvas = Canvas::new(180, 160);
    for (size, hue) in [(1.0, 0x00ff_6a14), (0.72, 0x00ff_b02a), (0.42, 0x00ff_f2a0)] {
        canvas.fill(
            move |p| {
                let q = Vec2::new(p.x, p.y - 0.9 + 0.9 * size);
                let sway = (lean - 0.5) * 0.4 * (1.0 - q.y / size);
                let tongues = 0.22 * (q.x * 8.0 + lean * 2.6).cos();
                let wide = size * 0.85 * (0.6 + 0.5 * q.y / size + tongues * 0.6);
                ((q.x - sway).abs() - wide.max(0.0))
                    .max(-q.y - size)
                    .max(q.y - 0.86 * size)
                    * 0.7
            },
            |p| Vec4::from((rgb(hue), 0.92 * smooth_step(-1.0, -0.4, p.y))),
        );
    }
    canvas
}

fn shadow() -> Canvas {
    let mut canvas = Canvas::new(128, 48);
    canvas.wash(|p| {
        let t = (1.0 - (p / Vec2::new(2.6, 0.97)).length()).clamp(0.0, 1.0);
        rgb(0x0010_0a0c).extend(0.62 * smooth_step(0.0, 0.7, t))
    });
    canvas
}
