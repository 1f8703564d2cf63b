//! Sprites of the catapult, the castle's pieces and its guards.

use glam::{Vec2, Vec3, vec2};

use crate::kit::atlas::{Atlas, Sheet, Sprite, sheet};
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::pattern::{masonry, planks, shingles};
use crate::kit::scenery;
use crate::kit::shape::{capsule, circle, ellipse, polygon, rounded_box};
use crate::procedural::{Noise, smooth_step};

/// Sprites of the siege.
#[derive(Debug)]
pub(super) struct Pieces {
    /// A beam that lies along x.
    pub(super) beam: Sprite,
    pub(super) stone: Sprite,
    pub(super) roof: Sprite,
    /// A guard, awake and frightened.
    pub(super) guard: [Sprite; 2],
    pub(super) shot: Sprite,
    /// The catapult's frame, its arm (pivot at the right end's share), a wheel.
    pub(super) frame: Sprite,
    pub(super) arm: Sprite,
    pub(super) wheel: Sprite,
    pub(super) flag: Sprite,
    pub(super) splinter: Sprite,
    pub(super) smoke: Sprite,
    pub(super) shadow: Sprite,
    pub(super) cloud: Sprite,
    /// An oak, a fir, a bush, a rock, a tuft.
    pub(super) plants: [Sprite; 5],
}

/// Paints the siege's atlas.
pub(super) fn pieces() -> (Pieces, Atlas) {
    sheet("siege", 512, |s| Pieces {
        beam: s.sprite(beam),
        stone: s.sprite(stone),
        roof: s.sprite(roof),
        guard: [s.sprite(|| guard(false)), s.sprite(|| guard(true))],
        shot: s.sprite(shot),
        frame: s.sprite(frame),
        arm: s.sprite(arm),
        wheel: s.sprite(wheel),
        flag: s.sprite(flag),
        splinter: s.sprite(splinter),
        smoke: s.sprite(|| scenery::dust(48)),
        shadow: s.sprite(shadow),
        cloud: s.sprite(cloud),
        plants: [
            s.sprite(|| scenery::oak(92)),
            s.sprite(|| scenery::fir(96)),
            s.sprite(|| scenery::bush(40)),
            s.sprite(|| scenery::rock(40)),
            s.sprite(|| scenery::tuft(36)),
        ],
    })
}

const WOOD: u32 = 0x00c8_8c4c;

fn beam() -> Canvas {
    let mut canvas = Canvas::new(112, 26);
    let shape = |p: Vec2| rounded_box(p, vec2(4.24, 0.96), 0.2);
    let grain = |p: Vec2| rgb(WOOD) * planks(vec2(p.y, p.x * 0.4), 0.66);
    canvas.cushion(
        shape,
        grain,
        Cushion {
            bevel: 0.3,
            outline: 0.12,
            ..Cushion::DULL
        },
    );
    for x in [-3.9, 3.9] {
        canvas.flat(move |p| circle(p - vec2(x, 0.0), 0.17), rgb(0x005a_4434));
    }
    canvas
}

fn stone() -> Canvas {
    let mut canvas = Canvas::new(60, 52);
    let grain = Noise::tiling(3, 32);
    let shape = |p: Vec2| rounded_box(p, vec2(1.12, 0.97), 0.16);
    let color = |p: Vec2| rgb(0x00b4_b2ba) * (0.82 + 0.3 * grain.fractal(p * 4.0 + 8.0, 3));
    canvas.cushion(
        shape,
        color,
        Cushion {
            bevel: 0.2,
            outline: 0.06,
            ..Cushion::DULL
        },
    );
    let crack = |p: Vec2| {
        capsule(p, vec2(-0.5, -0.6), vec2(-0.2, -0.1), 0.025).min(capsule(
            p,
            vec2(-0.2, -0.1),
            vec2(-0.42, 0.3),
            0.02,
        ))
    };
    canvas.fill(crack, |_| rgb(0x0050_4e58).extend(0.7));
    canvas
}

fn roof() -> Canvas {
    let mut canvas = Canvas::new(116, 68);
    let corners = [(0.0, -1.0), (1.7, 0.98), (-1.7, 0.98)].map(Vec2::from);
    let tone = |p: Vec2| rgb(0x00d8_4a3c) * shingles(p, vec2(0.4, 0.34));
    canvas.cushion(
        move |p| polygon(p, &corners),
        tone,
        Cushion {
            bevel: 0.16,
            outline: 0.07,
            ..Cushion::DULL
        },
    );
    canvas
}

/// A round soldier of the king, facing the catapult on the left.
fn guard(is_scared: bool) -> Canvas {
    let mut canvas = Canvas::new(60, 60);
    let skin = rgb(0x0078_b84a);
    canvas.cushion(
        |p| circle(p - vec2(0.0, 0.06), 0.9),
        move |_| skin,
        Cushion {
            bevel: 0.5,
            outline: 0.07,
            ..Cushion::DULL
        },
    );
    let mask = |p: Vec2| ellipse(p - vec2(-0.16, 0.34), vec2(0.5, 0.34));
    canvas.cushion(mask, |_| rgb(0x0098_d05e), Cushion::DULL.bare());
    for x in [-0.44, 0.1] {
        let at = vec2(x, -0.06);
        canvas.flat(move |p| circle(p - at, 0.24), rgb(0x0024_2a1a));
        canvas.flat(move |p| circle(p - at, 0.2), Vec3::ONE);
        let gaze = if is_scared {
            vec2(0.0, -0.06)
        } else {
            vec2(-0.08, 0.02)
        };
        let size = if is_scared { 0.06 } else { 0.1 };
        canvas.flat(move |p| circle(p - at - gaze, size), rgb(0x0018_1414));
    }
    if is_scared {
        canvas.flat(
            |p| ellipse(p - vec2(-0.16, 0.44), vec2(0.17, 0.2)),
            rgb(0x0050_1a1c),
        );
    } else {
        canvas.flat(
            |p| capsule(p, vec2(-0.36, 0.44), vec2(0.08, 0.4), 0.045),
            rgb(0x002c_4416),
        );
    }
    let helmet = |p: Vec2| circle(p - vec2(0.0, 0.0), 0.95).max(p.y + 0.34);
    canvas.cushion(
        helmet,
        |_| rgb(0x00a4_acbc),
        Cushion {
            bevel: 0.3,
            outline: 0.07,
            ..Cushion::PAINTED
        },
    );
    canvas.cushion(
        |p| rounded_box(p - vec2(0.0, -0.34), vec2(0.96, 0.09), 0.06),
        |_| rgb(0x00e8_b040),
        Cushion::PAINTED,
    );
    canvas
}

fn shot() -> Canvas {
    let mut canvas = Canvas::new(52, 52);
    let grain = Noise::tiling(9, 32);
    let shape = move |p: Vec2| circle(p, 0.92 - 0.1 * grain.value(p * 2.4 + 8.0));
    let color = move |p: Vec2| rgb(0x008a_8680) * (0.8 + 0.4 * grain.fractal(p * 4.0 + 8.0, 3));
    canvas.cushion(
        shape,
        color,
        Cushion {
            bevel: 0.5,
            outline: 0.08,
            ..Cushion::DULL
        },
    );
    canvas
}

fn frame() -> Canvas {
    let mut canvas = Canvas::new(148, 101);
    let timber = |p: Vec2| rgb(0x00a8_6c38) * planks(vec2(p.y, p.x * 0.4), 0.1);
    let look = Cushion {
        bevel: 0.1,
        outline: 0.03,
        ..Cushion::DULL
    };
    let base = |p: Vec2| rounded_box(p - vec2(0.0, 0.6), vec2(1.36, 0.12), 0.04);
    let legs = |p: Vec2| {
        let rear = capsule(p, vec2(-0.5, 0.55), vec2(0.1, -0.74), 0.09);
        rear.min(capsule(p, vec2(0.72, 0.55), vec2(0.1, -0.74), 0.09))
    };
    canvas.cushion(legs, timber, look);
    canvas.cushion(
        |p| capsule(p, vec2(-0.22, 0.06), vec2(0.42, 0.06), 0.07),
        timber,
        look,
    );
    canvas.cushion(base, timber, look);
    for x in [-1.1, -0.5, 0.72, 1.1] {
        canvas.cushion(
            move |p| circle(p - vec2(x, 0.6), 0.045),
            |_| rgb(0x0090_94a0),
            Cushion::PAINTED.scaled(0.4),
        );
    }
    let ropes = |p: Vec2| rounded_box(p - vec2(-1.02, 0.42), vec2(0.16, 0.12), 0.08);
    canvas.cushion(ropes, |p| rgb(0x00e0_c088) * planks(p, 0.05), look);
    canvas
}

/// Points to the right, the bowl at its end.
fn arm() -> Canvas {
    let mut canvas = Canvas::new(151, 36);
    let timber = |p: Vec2| rgb(0x00b8_7c40) * planks(vec2(p.y, p.x * 0.4), 0.3);
    let look = Cushion {
        bevel: 0.2,
        outline: 0.08,
        ..Cushion::DULL
    };
    canvas.cushion(
        |p| capsule(p, vec2(-3.7, 0.3), vec2(2.8, 0.3), 0.2),
        timber,
        look,
    );
    let bowl = |p: Vec2| ellipse(p - vec2(3.1, 0.0), vec2(0.95, 0.86)).max(-0.1 - p.y);
    canvas.cushion(bowl, |_| rgb(0x0080_5430), look);
    for x in [-2.4, -0.6, 1.2] {
        let wrap = move |p: Vec2| rounded_box(p - vec2(x, 0.3), vec2(0.2, 0.25), 0.05);
        canvas.cushion(wrap, |_| rgb(0x00e0_c088), look);
    }
    canvas
}

fn wheel() -> Canvas {
    let mut canvas = Canvas::new(66, 66);
    let look = Cushion {
        bevel: 0.16,
        outline: 0.06,
        ..Cushion::DULL
    };
    let spokes = |p: Vec2| {
        let quarter =
            (p.to_angle() / std::f32::consts::FRAC_PI_4).round() * std::f32::consts::FRAC_PI_4;
        capsule(p, Vec2::ZERO, Vec2::from_angle(quarter) * 0.8, 0.07)
    };
    canvas.cushion(spokes, |_| rgb(0x00a8_6c38), look);
    canvas.cushion(|p| circle(p, 0.8).abs() - 0.14, |_| rgb(0x0090_5a2e), look);
    canvas.cushion(|p| circle(p, 0.22), |_| rgb(0x0098_9ca8), Cushion::PAINTED);
    canvas
}

fn flag() -> Canvas {
    let mut canvas = Canvas::new(60, 80);
    canvas.flat(
        |p| capsule(p, vec2(-0.6, -0.94), vec2(-0.6, 1.0), 0.05),
        rgb(0x0060_4428),
    );
    let cloth = [(-0.56, -0.9), (0.68, -0.6), (-0.56, -0.24)].map(Vec2::from);
    canvas.cushion(
        move |p| polygon(p, &cloth) - 0.02,
        |_| rgb(0x0038_70d8),
        Cushion::DULL,
    );
    canvas
}

fn splinter() -> Canvas {
    let mut canvas = Canvas::new(36, 16);
    let shape = [(-2.0, -0.4), (1.0, -0.7), (2.1, 0.1), (-1.2, 0.7)].map(Vec2::from);
    canvas.cushion(
        move |p| polygon(p, &shape),
        |_| Vec3::splat(0.9),
        Cushion {
            outline: 0.14,
            ..Cushion::DULL
        },
    );
    canvas
}

fn shadow() -> Canvas {
    let mut canvas = Canvas::new(64, 20);
    canvas.wash(|p| {
        let t = (1.0 - (p / vec2(3.2, 1.0)).length()).clamp(0.0, 1.0);
        rgb(0x0018_1408).extend(0.6 * smooth_step(0.0, 0.7, t))
    });
    canvas
}

fn cloud() -> Canvas {
    let mut canvas = Canvas::new(128, 48);
    let puffs = [
        (-1.7, 0.35, 0.5),
        (-0.9, -0.05, 0.75),
        (0.1, -0.2, 0.8),
        (1.0, 0.1, 0.65),
        (1.8, 0.4, 0.45),
    ];
    let shape = move |p: Vec2| {
        let round = puffs
            .iter()
            .map(|&(x, y, r)| circle(p - vec2(x, y), r))
            .fold(9.0, f32::min);
        round.max(p.y - 0.75)
    };
    let color = |p: Vec2| rgb(0x00ff_f4e8).lerp(rgb(0x00f4_b8a8), smooth_step(-0.3, 0.9, p.y));
    canvas.cushion(
        shape,
        color,
        Cushion {
            bevel: 0.6,
            outline: 0.0,
            contrast: 0.3,
            gloss: 0.0,
        },
    );
    canvas
}

/// Sprites of the display.
#[derive(Debug, Clone, Copy)]
pub(super) struct Icons {
    /// A stone of the catapult.
    pub(super) stone: Sprite,
    pub(super) guard: Sprite,
    pub(super) wall: Sprite,
}

impl Icons {
    /// Paints the sprites into a sheet.
    pub(super) fn new(s: &mut Sheet) -> Self {
        Self {
            stone: s.sprite(shot),
            guard: s.sprite(|| guard(false)),
            wall: s.sprite(wall),
        }
    }
}

fn wall() -> Canvas {
    let mut canvas = Canvas::new(64, 64);
    canvas.cushion(
        |p| rounded_box(p, Vec2::splat(0.8), 0.1),
        |p| rgb(0x00c0_b8b0) * masonry(p, vec2(0.6, 0.4)),
        Cushion::DULL,
    );
    canvas
}
