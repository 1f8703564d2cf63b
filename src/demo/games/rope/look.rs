//! Sprites of the candy, the creature and the other pieces of the game.

use glam::{Vec2, Vec3, vec2};

use super::room::Decor;
use crate::kit::atlas::{Atlas, Sheet, Sprite, sheet};
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::pattern::planks;
use crate::kit::shape::{capsule, circle, ellipse, join, polygon, rounded_box, star};
use crate::procedural::smooth_step;

/// Sprites of the stage.
#[derive(Debug)]
pub(super) struct Things {
    pub(super) candy: Sprite,
    /// A link of rope, along x.
    pub(super) link: Sprite,
    pub(super) pin: Sprite,
    pub(super) star: Sprite,
    pub(super) bubble: Sprite,
    /// Mouth shut, open, chewing.
    pub(super) creature: [Sprite; 3],
    /// Eyes shut, over the creature's.
    pub(super) lids: Sprite,
    pub(super) pupil: Sprite,
    /// Crate that the creature sits on.
    pub(super) crate_box: Sprite,
    /// Window, shelf, plant, picture, rug, blocks, lamp, clock, its pendulum.
    pub(super) decor: Decor,
    /// Soft shadow below standing things.
    pub(super) shadow: Sprite,
}

/// Paints the stage's atlas.
pub(super) fn things() -> (Things, Atlas) {
    sheet("stage", 512, |s| Things {
        candy: s.sprite(candy),
        link: s.sprite(link),
        pin: s.sprite(pin),
        star: s.sprite(gold_star),
        bubble: s.sprite(bubble),
        creature: [0, 1, 2].map(|mouth| s.sprite(|| creature(mouth))),
        lids: s.sprite(lids),
        pupil: s.sprite(pupil),
        crate_box: s.sprite(crate_box),
        shadow: s.sprite(shadow),
        decor: Decor::new(s),
    })
}

/// Sprites of the display.
#[derive(Debug, Clone, Copy)]
pub(super) struct Icons {
    pub(super) restart: Sprite,
    /// Trail of a swiping finger, to the right.
    pub(super) trail: Sprite,
}

impl Icons {
    /// Paints the sprites into a sheet.
    pub(super) fn new(s: &mut Sheet) -> Self {
        Self {
            restart: s.sprite(restart),
            trail: s.sprite(swipe),
        }
    }
}

fn candy() -> Canvas {
    let mut canvas = Canvas::new(88, 88);
    canvas.shadow(|p| circle(p, 0.84), vec2(0.02, 0.08), 0.07, 0.4);
    let swirl = |p: Vec2| {
        let turns = p.to_angle() / std::f32::consts::TAU * 6.0 + 1.1 * p.length();
        let t = (turns - turns.round()).abs() * 2.0;
        rgb(0x00ff_f6f2).lerp(rgb(0x00f0_2c46), smooth_step(0.42, 0.56, t))
    };
    let look = Cushion {
        bevel: 0.5,
        outline: 0.05,
        contrast: 0.7,
        gloss: 0.9,
    };
    canvas.cushion(|p| circle(p, 0.86), swirl, look);
    canvas.cushion(|p| circle(p, 0.2), |_| rgb(0x00ff_f6f2), look.scaled(0.4));
    let shine = |p: Vec2| ellipse(p - vec2(-0.32, -0.42), vec2(0.24, 0.13));
    canvas.fill(shine, |_| Vec3::ONE.extend(0.6));
    canvas
}

fn link() -> Canvas {
    let mut canvas = Canvas::new(48, 16);
    canvas.wash(|p| {
        // Two strands that wind around each other; a cylinder's light.
        let wind = (p.x * 0.5 + 0.35 * p.y) * 2.0;
        let strand = (wind - wind.floor()) * 2.0 - 1.0;
        let tone = 1.1 - 0.55 * strand * strand - 0.45 * (p.y + 0.25).powi(2);
        let edge = smooth_step(0.98, 0.8, p.y.abs());
        let color = rgb(0x00d8_9a54) * tone;
        let outline = smooth_step(0.62, 0.78, p.y.abs());
        color.lerp(rgb(0x004a_2812), outline).extend(edge)
    });
    canvas
}

fn pin() -> Canvas {
    let mut canvas = Canvas::new(52, 52);
    canvas.shadow(|p| circle(p, 0.72), vec2(0.06, 0.12), 0.14, 0.5);
    canvas.cushion(
        |p| circle(p, 0.78),
        |p| rgb(0x00b8_7a40) * planks(p, 0.3),
        Cushion::DULL.scaled(1.6),
    );
    let steel = Cushion {
        bevel: 0.22,
        outline: 0.06,
        contrast: 0.8,
        gloss: 0.9,
    };
    canvas.cushion(|p| circle(p, 0.42), |_| rgb(0x00c4_ccd8), steel);
    canvas.flat(|p| circle(p, 0.14), rgb(0x0054_5a68));
    canvas
}

fn gold_star() -> Canvas {
    let mut canvas = Canvas::new(76, 76);
    let shape = |p: Vec2| star(p - vec2(0.0, 0.03), 5, 0.66, 0.34) - 0.12;
    canvas.glow(shape, rgb(0x00ff_f0a0), 0.24, 0.7);
    let look = Cushion {
        bevel: 0.36,
        outline: 0.05,
        contrast: 0.8,
        gloss: 0.8,
    };
    canvas.cushion(
        shape,
        |p| rgb(0x00ff_cf2e).lerp(rgb(0x00ff_9a1a), smooth_step(-0.2, 0.8, p.y)),
        look,
    );
    canvas.fill(|p| shape(p) + 0.24, |_| rgb(0x00ff_f2a8).extend(0.5));
    canvas
}

fn bubble() -> Canvas {
    let mut canvas = Canvas::new(108, 108);
    canvas.wash(|p| {
        let r = p.length() / 0.93;
        let rim = smooth_step(0.55, 0.98, r) * smooth_step(1.02, 0.99, r);
        let inside = smooth_step(1.01, 0.98, r);
        let hue = rgb(0x0088_e8ff).lerp(rgb(0x00d8_b0ff), smooth_step(-0.7, 0.7, p.x + p.y));
        hue.extend(0.16 * inside + 0.62 * rim)
    });
    for (x, y, a, b, alpha) in [
        (-0.38, -0.46, 0.3, 0.14, 0.85),
        (0.46, 0.5, 0.14, 0.07, 0.6),
    ] {
        let shine = move |p: Vec2| {
            let q = Vec2::from_angle(0.8).rotate(p - vec2(x, y));
            ellipse(q, vec2(a, b))
        };
        canvas.fill(shine, move |_| Vec3::ONE.extend(alpha));
    }
    canvas
}

const GREEN: u32 = 0x0078_cc34;

/// A round green eater; `mouth` is 0 shut, 1 open, 2 chewing.
fn creature(mouth: u32) -> Canvas {
    let mut canvas = Canvas::new(152, 144);
    let green = rgb(GREEN);
    let look = Cushion {
        bevel: 0.5,
        outline: 0.03,
        contrast: 0.7,
        gloss: 0.25,
    };
    limbs(&mut canvas, look);
    let squash = if mouth == 2 { 0.06 } else { 0.0 };
    let body = move |p: Vec2| {
        let belly = ellipse(
            p - vec2(0.0, 0.28 + squash),
            vec2(0.8 + squash, 0.62 - squash),
        );
        join(belly, ellipse(p - vec2(0.0, -0.16), vec2(0.64, 0.5)), 0.3)
    };
    let spots = move |p: Vec2| {
        let spot = [
            (-0.62, 0.3, 0.12),
            (-0.5, 0.54, 0.08),
            (0.64, 0.34, 0.1),
            (0.52, 0.58, 0.07),
        ];
        let inside = spot
            .iter()
            .map(|&(x, y, r)| circle(p - vec2(x, y), r))
            .fold(9.0, f32::min);
        green.lerp(rgb(0x0054_a824), smooth_step(0.01, -0.01, inside))
    };
    canvas.cushion(body, spots, look);
    let belly = |p: Vec2| ellipse(p - vec2(0.0, 0.56), vec2(0.48, 0.3));
    canvas.fill(belly, |_| rgb(0x00d4_f49a).extend(0.85));
    jaws(&mut canvas, mouth);
    for side in [-1.0, 1.0] {
        let eye = move |p: Vec2| ellipse(p - vec2(side * 0.27, -0.36), vec2(0.25, 0.28));
        canvas.cushion(
            eye,
            |_| Vec3::splat(0.99),
            Cushion {
                contrast: 0.3,
                ..look.scaled(0.7)
            },
        );
    }
    canvas
}

/// Feelers, feet and arms, behind the body.
fn limbs(canvas: &mut Canvas, look: Cushion) {
    let green = rgb(GREEN);
    let mirrored = |p: Vec2| vec2(p.x.abs(), p.y);
    for side in [-1.0, 1.0] {
        let (foot, bend, tip) = (
            vec2(side * 0.18, -0.5),
            vec2(side * 0.3, -0.8),
            vec2(side * 0.46, -0.86),
        );
        let horn = move |p: Vec2| capsule(p, foot, bend, 0.05).min(capsule(p, bend, tip, 0.05));
        canvas.cushion(horn, move |_| green * 0.8, look.scaled(0.3));
        canvas.cushion(
            move |p| circle(p - tip, 0.09),
            |_| rgb(0x00ff_d84a),
            look.scaled(0.4),
        );
    }
    let feet = move |p: Vec2| ellipse(mirrored(p) - vec2(0.42, 0.84), vec2(0.3, 0.13));
    canvas.cushion(feet, move |_| green * 0.82, look.scaled(0.5));
    let arms = move |p: Vec2| capsule(mirrored(p), vec2(0.66, 0.2), vec2(0.86, 0.5), 0.11);
    canvas.cushion(arms, move |_| green * 0.9, look.scaled(0.5));
}

fn jaws(canvas: &mut Canvas, mouth: u32) {
    let dark = rgb(0x0056_1420);
    match mouth {
        0 => {
            let smile =
                |p: Vec2| (circle(p - vec2(0.0, -0.14), 0.38).abs() - 0.032).max(0.06 - p.y);
            canvas.flat(smile, dark);
            let tooth = [(0.08, 0.22), (0.2, 0.2), (0.15, 0.34)].map(Vec2::from);
            canvas.flat(move |p| polygon(p, &tooth) - 0.01, Vec3::ONE);
        }
        1 => {
            let throat = |p: Vec2| ellipse(p - vec2(0.0, 0.26), vec2(0.44, 0.32));
            canvas.flat(|p| throat(p) - 0.035, rgb(0x002a_5a12));
            canvas.flat(throat, dark);
            let tongue =
                move |p: Vec2| ellipse(p - vec2(0.0, 0.46), vec2(0.28, 0.16)).max(throat(p) + 0.01);
            canvas.cushion(tongue, |_| rgb(0x00ff_6a7a), Cushion::DULL.scaled(0.6));
            for x in [-0.24, -0.08, 0.08, 0.24] {
                let tooth = move |p: Vec2| {
                    rounded_box(p - vec2(x, 0.0), vec2(0.065, 0.09), 0.03).max(throat(p))
                };
                canvas.flat(tooth, rgb(0x00ff_fdf0));
            }
        }
        _ => {
            for side in [-1.0, 1.0] {
                let cheek = move |p: Vec2| circle(p - vec2(side * 0.44, 0.16), 0.2);
                canvas.cushion(cheek, |_| rgb(GREEN) * 1.05, Cushion::DULL.bare());
                canvas.fill(move |p| cheek(p) + 0.08, |_| rgb(0x00ff_8a7a).extend(0.45));
            }
            let wave = |p: Vec2| (p.y - 0.2 - 0.03 * (p.x * 22.0).sin()).abs() - 0.032;
            canvas.flat(move |p| wave(p).max(p.x.abs() - 0.28), dark);
        }
    }
}

fn lids() -> Canvas {
    let mut canvas = Canvas::new(152, 144);
    for side in [-1.0, 1.0] {
        let eye = move |p: Vec2| ellipse(p - vec2(side * 0.27, -0.36), vec2(0.25, 0.28));
        canvas.cushion(eye, |_| rgb(GREEN) * 0.94, Cushion::DULL.scaled(0.8));
        let lash = move |p: Vec2| {
            let ring = (circle(p - vec2(side * 0.27, -0.44), 0.24).abs() - 0.025).max(-0.32 - p.y);
            ring.max(eye(p) + 0.03)
        };
        canvas.flat(lash, rgb(0x002a_4a16));
    }
    canvas
}

fn pupil() -> Canvas {
    let mut canvas = Canvas::new(24, 24);
    canvas.flat(|p| circle(p, 0.9), rgb(0x0024_1a20));
    canvas.flat(|p| circle(p - vec2(-0.28, -0.32), 0.3), Vec3::ONE);
    canvas
}

fn crate_box() -> Canvas {
    let mut canvas = Canvas::new(176, 76);
    let wood = |p: Vec2| rgb(0x00d0_9452) * planks(vec2(p.y, p.x), 0.36);
    canvas.cushion(
        |p| rounded_box(p - vec2(0.0, 0.1), vec2(2.1, 0.86), 0.08),
        wood,
        Cushion::DULL,
    );
    for x in [-1.86, 1.86] {
        let post = move |p: Vec2| rounded_box(p - vec2(x, 0.1), vec2(0.22, 0.86), 0.05);
        canvas.cushion(post, |p| rgb(0x00b8_7c40) * planks(p, 0.25), Cushion::DULL);
        for y in [-0.4, 0.6] {
            canvas.flat(move |p| circle(p - vec2(x, y), 0.07), rgb(0x0060_4430));
        }
    }
    let lid = |p: Vec2| rounded_box(p - vec2(0.0, -0.72), vec2(2.24, 0.2), 0.1);
    canvas.cushion(
        lid,
        |p| rgb(0x00e0_a866) * planks(vec2(p.y, p.x), 0.3),
        Cushion::DULL,
    );
    let mark = |p: Vec2| star(p - vec2(0.0, 0.2), 5, 0.44, 0.2) - 0.04;
    canvas.fill(mark, |_| rgb(0x0088_5024).extend(0.7));
    canvas
}

fn shadow() -> Canvas {
    let mut canvas = Canvas::new(64, 24);
    canvas.wash(|p| {
        let t = (1.0 - (p / vec2(2.66, 1.0)).length()).clamp(0.0, 1.0);
        rgb(0x0024_1208).extend(0.6 * smooth_step(0.0, 0.7, t))
    });
    canvas
}

fn restart() -> Canvas {
    let mut canvas = Canvas::new(64, 64);
    let ring = |p: Vec2| {
        (circle(p, 0.55).abs() - 0.12).max(-rounded_box(p - vec2(0.5, -0.3), vec2(0.3, 0.25), 0.0))
    };
    canvas.flat(ring, Vec3::ONE);
    let head = [(0.2, -0.4), (0.85, -0.45), (0.6, 0.1)].map(Vec2::from);
    canvas.flat(move |p| polygon(p, &head), Vec3::ONE);
    canvas
}

fn swipe() -> Canvas {
    let mut canvas = Canvas::new(64, 16);
    canvas.wash(|p| {
        let t = (1.0 - p.y.abs()).max(0.0);
        rgb(0x00ff_ffff).extend(t.sqrt())
    });
    canvas
}
