//! Sprites of towers, castle and shots.

use glam::{Vec2, Vec3, vec2};

use super::foes;
use crate::kit::atlas::{Atlas, Sprite, sheet};
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::pattern::planks;
use crate::kit::scenery;
use crate::kit::shape::{capsule, circle, ellipse, polygon, rounded_box, star, without};
use crate::kit::stonework::{drum, merlons, slit, spire};
use crate::procedural::{Noise, smooth_step};

/// Sprites of the battlefield.
#[derive(Debug)]
pub(super) struct Field {
    /// Sprites of the towers, by kind.
    pub(super) towers: [Sprite; 3],
    /// Free plot for a tower.
    pub(super) plot: Sprite,
    /// Castle at the road's end, to be defended.
    pub(super) castle: Sprite,
    /// An oak, a fir, a bush, a rock, a tuft, a lily pad.
    pub(super) plants: [Sprite; 6],
    /// Foes by kind: two steps of a walk to the right.
    pub(super) foes: [[Sprite; 2]; foes::KINDS],
    /// Points to the right.
    pub(super) arrow: Sprite,
    /// Ball of a cannon.
    pub(super) ball: Sprite,
    /// Bursting fire of an explosion.
    pub(super) burst: Sprite,
    pub(super) smoke: Sprite,
    /// Soft shadow below everything that stands.
    pub(super) shadow: Sprite,
    /// A windmill, and its sails.
    pub(super) mill: [Sprite; 2],
    /// A pennant to the right: two moments.
    pub(super) flag: [Sprite; 2],
}

/// Paints the battlefield's atlas.
pub(super) fn field() -> (Field, Atlas) {
    sheet("battlefield", 512, |s| Field {
        towers: [s.sprite(archers), s.sprite(mages), s.sprite(cannon)],
        plot: s.sprite(plot),
        castle: s.sprite(castle),
        plants: [
            s.sprite(|| scenery::oak(84)),
            s.sprite(|| scenery::fir(90)),
            s.sprite(|| scenery::bush(34)),
            s.sprite(|| scenery::rock(34)),
            s.sprite(|| scenery::tuft(26)),
            s.sprite(lily),
        ],
        arrow: s.sprite(arrow),
        ball: s.sprite(ball),
        burst: s.sprite(burst),
        smoke: s.sprite(|| scenery::dust(48)),
        shadow: s.sprite(shadow),
        flag: [0.0, 0.5].map(|phase| s.sprite(|| flag(phase))),
        mill: [s.sprite(mill), s.sprite(sails)],
        foes: std::array::from_fn(|kind| [0.0, 1.0].map(|step| s.sprite(|| foes::foe(kind, step)))),
    })
}

const STONE: u32 = 0x00b9_b4b0;
const WOOD: u32 = 0x00b0_7a44;

fn archers() -> Canvas {
    let mut canvas = Canvas::new(84, 126);
    drum(&mut canvas, 0.0, 0.95, 0.4, 0.5, rgb(STONE));
    let door = |p: Vec2| rounded_box(p - vec2(0.0, 0.68), vec2(0.12, 0.22), 0.12);
    canvas.flat(|p| door(p) - 0.04, rgb(0x006a_6470));
    canvas.fill(door, |p| (rgb(0x005a_3a22) * planks(p, 0.06)).extend(1.0));
    for x in [-0.42, 0.42] {
        let post = move |p: Vec2| rounded_box(p - vec2(x, -0.24), vec2(0.045, 0.3), 0.02);
        canvas.cushion(post, |_| rgb(0x008a_5a30), Cushion::DULL.scaled(0.5));
    }
    for (x, hood) in [(-0.17, 0x003f_9a4a), (0.18, 0x002f_8250)] {
        let body = move |p: Vec2| ellipse(p - vec2(x, -0.08), vec2(0.15, 0.16));
        canvas.cushion(body, |_| rgb(hood), Cushion::DULL.scaled(0.6));
        let cowl = move |p: Vec2| circle(p - vec2(x, -0.3), 0.15);
        canvas.cushion(cowl, |_| rgb(hood), Cushion::DULL.scaled(0.6));
        let face = move |p: Vec2| ellipse(p - vec2(x, -0.27), vec2(0.09, 0.09));
        canvas.flat(face, rgb(0x00f2_c49a));
        for eye in [-0.035, 0.035] {
            canvas.flat(
                move |p| circle(p - vec2(x + eye, -0.28), 0.018),
                rgb(0x0026_1a1a),
            );
        }
    }
    let rail = |p: Vec2| rounded_box(p - vec2(0.0, 0.05), vec2(0.54, 0.13), 0.03);
    let wood = |p: Vec2| rgb(WOOD) * planks(p, 0.14);
    canvas.cushion(rail, wood, Cushion::DULL.scaled(0.7));
    let band = |p: Vec2| rounded_box(p - vec2(0.0, -0.07), vec2(0.57, 0.035), 0.02);
    canvas.cushion(band, |_| rgb(0x008a_5a30), Cushion::DULL.scaled(0.5));
    spire(&mut canvas, 0.0, -0.47, 0.6, 0.46, rgb(0x00e0_4a38));
    canvas
}

fn mages() -> Canvas {
    let mut canvas = Canvas::new(84, 136);
    let violet = rgb(0x00a6_94c8);
    drum(&mut canvas, -0.1, 0.96, 0.26, 0.46, violet);
    let window = |p: Vec2| {
        let q = p - vec2(0.0, 0.42);
        rounded_box(q, vec2(0.075, 0.17), 0.075)
    };
    canvas.flat(|p| window(p) - 0.035, rgb(0x0048_3a6a));
    canvas.glow(window, rgb(0x0070_e8ff), 0.12, 0.8);
    canvas.flat(window, rgb(0x00b8_f6ff));
    for (y, half) in [(0.78, 0.45), (0.08, 0.35)] {
        let ring = move |p: Vec2| {
            let bow = 0.06 * (1.0 - (p.x / half).powi(2));
            rounded_box(p - vec2(0.0, y + bow), vec2(half, 0.045), 0.03)
        };
        canvas.cushion(ring, |_| rgb(0x00f0_b840), Cushion::PAINTED.scaled(0.5));
    }
    let bowl = |p: Vec2| {
        let q = p - vec2(0.0, -0.08);
        ellipse(q, vec2(0.42, 0.24)).max(-q.y - 0.05)
    };
    canvas.cushion(bowl, |_| violet * 0.9, Cushion::DULL);
    for side in [-1.0, 1.0] {
        let prong = [
            (0.34, -0.08),
            (0.46, -0.34),
            (0.3, -0.6),
            (0.37, -0.34),
            (0.24, -0.1),
        ];
        let prong = prong.map(|(x, y)| vec2(side * x, y));
        canvas.cushion(
            move |p| polygon(p, &prong) - 0.02,
            |_| rgb(0x00f0_b840),
            Cushion::PAINTED.scaled(0.4),
        );
    }
    let crystal = [(0.0, -0.86), (0.2, -0.5), (0.0, -0.14), (-0.2, -0.5)].map(Vec2::from);
    let orb = move |p: Vec2| polygon(p, &crystal) - 0.02;
    canvas.glow(orb, rgb(0x0060_e0ff), 0.3, 0.65);
    canvas.flat(move |p| orb(p) - 0.03, rgb(0x001a_4c9a));
    canvas.fill(orb, |p| {
        let facet = f32::from(u8::from(p.x > 0.0)) + 2.0 * f32::from(u8::from(p.y > -0.5));
        (rgb(0x0058_d8ff) * (1.2 - 0.17 * facet)).extend(1.0)
    });
    canvas.flat(|p| circle(p - vec2(-0.06, -0.58), 0.04), Vec3::ONE);
    canvas
}

fn cannon() -> Canvas {
    let mut canvas = Canvas::new(96, 98);
    let grey = rgb(0x0098_9aa6);
    drum(&mut canvas, -0.1, 0.92, 0.66, 0.78, grey);
    let floor = |p: Vec2| ellipse(p - vec2(0.0, -0.1), vec2(0.66, 0.2));
    canvas.cushion(floor, |_| rgb(0x0054_545f), Cushion::DULL);
    let carriage = |p: Vec2| rounded_box(p - vec2(-0.06, -0.14), vec2(0.34, 0.14), 0.06);
    canvas.cushion(carriage, |p| rgb(WOOD) * planks(p, 0.1), Cushion::DULL);
    let barrel = |p: Vec2| {
        let (breech, mouth) = (vec2(-0.2, -0.2), vec2(0.44, -0.72));
        capsule(p, breech, mouth, 0.2).min(capsule(p, mouth, vec2(0.47, -0.75), 0.25))
    };
    let look = Cushion {
        bevel: 0.24,
        gloss: 0.8,
        ..Cushion::PAINTED
    };
    canvas.cushion(barrel, |_| rgb(0x00c8_8a3c), look);
    let bore = |p: Vec2| ellipse(p - vec2(0.54, -0.8), vec2(0.15, 0.12));
    canvas.flat(bore, rgb(0x0026_1c1c));
    let wheel = |p: Vec2| circle(p - vec2(-0.12, -0.06), 0.2);
    canvas.cushion(wheel, |_| rgb(0x007a_4c28), Cushion::DULL);
    canvas.flat(|p| circle(p - vec2(-0.12, -0.06), 0.06), rgb(0x00e8_c070));
    merlons(&mut canvas, 0.02, 0.7, 5, grey);
    canvas
}

fn plot() -> Canvas {
    let mut canvas = Canvas::new(92, 56);
    let pad = |p: Vec2| ellipse(p, vec2(1.5, 0.86));
    canvas.fill(|p| pad(p) - 0.1, |_| rgb(0x002c_4a1c).extend(0.55));
    let soil = |p: Vec2| {
        let angle = (p / vec2(1.5, 0.86)).to_angle() / std::f32::consts::TAU * 16.0;
        let rim = smooth_step(0.68, 0.74, (p / vec2(1.5, 0.86)).length());
        let joint = smooth_step(0.05, 0.14, (angle - angle.round()).abs());
        let stone = rgb(0x00c9_c2b4) * (0.62 + 0.38 * joint);
        rgb(0x00b0_8450).lerp(stone, rim)
    };
    let look = Cushion {
        bevel: 0.2,
        outline: 0.05,
        ..Cushion::DULL
    };
    canvas.cushion(pad, soil, look);
    canvas
}

fn castle() -> Canvas {
    let mut canvas = Canvas::new(240, 256);
    let stone = rgb(0x00c8_c0b8);
    let blue = rgb(0x0038_78d0);
    // The keep behind.
    drum(&mut canvas, -0.62, 0.5, 0.34, 0.36, stone * 0.92);
    merlons(&mut canvas, -0.66, 0.38, 4, stone * 0.92);
    spire(&mut canvas, 0.0, -0.6, 0.3, 0.36, blue);
    for x in [-0.12, 0.12] {
        slit(&mut canvas, vec2(x, -0.34));
    }
    // The wall with its gate.
    drum(&mut canvas, -0.12, 0.9, 0.66, 0.66, stone);
    merlons(&mut canvas, -0.17, 0.66, 6, stone);
    let arch = |p: Vec2| {
        let q = p - vec2(0.0, 0.44);
        (circle(q, 0.27).min(rounded_box(q - vec2(0.0, 0.25), vec2(0.27, 0.25), 0.0)))
            .max(q.y - 0.4)
    };
    canvas.flat(|p| (arch(p) - 0.07).max(p.y - 0.86), rgb(0x008e_8682));
    canvas.flat(|p| (arch(p) - 0.012).max(p.y - 0.86), rgb(0x0030_2420));
    canvas.fill(arch, |p| (rgb(0x0086_5430) * planks(p, 0.09)).extend(1.0));
    for y in [0.34, 0.58, 0.78] {
        let iron = move |p: Vec2| (p.y - y).abs() - 0.022;
        canvas.fill(
            move |p| iron(p).max(arch(p) + 0.01),
            |_| rgb(0x003c_3a44).extend(1.0),
        );
    }
    let shield = |p: Vec2| rounded_box(p - vec2(0.0, 0.04), vec2(0.11, 0.1), 0.06);
    canvas.cushion(shield, |_| rgb(0x00d8_3a3a), Cushion::PAINTED.scaled(0.5));
    canvas.flat(
        |p| star(p - vec2(0.0, 0.04), 5, 0.07, 0.03),
        rgb(0x00ff_dc5a),
    );
    // Round towers at its ends, banners on them.
    for side in [-1.0, 1.0] {
        let mut tower = Canvas::new(84, 256);
        drum(&mut tower, -0.42, 0.96, 0.22, 0.25, stone * 1.04);
        drum(&mut tower, -0.5, -0.24, 0.28, 0.26, stone * 1.04);
        merlons(&mut tower, -0.53, 0.28, 3, stone * 1.04);
        spire(&mut tower, 0.0, -0.5, 0.27, 0.42, blue);
        slit(&mut tower, vec2(0.0, -0.02));
        let banner = [
            (-0.1, 0.16),
            (0.1, 0.16),
            (0.1, 0.5),
            (0.0, 0.42),
            (-0.1, 0.5),
        ];
        let banner = banner.map(Vec2::from);
        let cloth = move |p: Vec2| polygon(p, &banner);
        tower.cushion(cloth, |_| rgb(0x00d8_3a3a), Cushion::DULL.scaled(0.5));
        tower.flat(
            |p| star(p - vec2(0.0, 0.28), 5, 0.065, 0.028),
            rgb(0x00ff_dc5a),
        );
        canvas.stamp(&tower, move |p| p - vec2(side * 0.62, 0.0));
    }
    canvas
}

fn mill() -> Canvas {
    let mut canvas = Canvas::new(84, 116);
    drum(&mut canvas, -0.2, 0.95, 0.4, 0.54, rgb(0x00ee_e2c8));
    let door = |p: Vec2| rounded_box(p - vec2(0.0, 0.7), vec2(0.13, 0.2), 0.12);
    canvas.flat(|p| door(p) - 0.035, rgb(0x007a_5a3c));
    canvas.fill(door, |p| (rgb(0x009a_6234) * planks(p, 0.07)).extend(1.0));
    slit(&mut canvas, vec2(-0.02, 0.2));
    spire(&mut canvas, 0.0, -0.2, 0.52, 0.62, rgb(0x00b8_6a3a));
    canvas
}

/// Four sails of lattice and cloth.
fn sails() -> Canvas {
    let mut canvas = Canvas::new(120, 120);
    let folded = |p: Vec2| {
        let quarter = (p.to_angle() / std::f32::consts::FRAC_PI_2).round();
        Vec2::from_angle(-quarter * std::f32::consts::FRAC_PI_2).rotate(p)
    };
    let cloth = move |p: Vec2| rounded_box(folded(p) - vec2(0.58, 0.09), vec2(0.36, 0.13), 0.02);
    let weave = move |p: Vec2| {
        let q = folded(p) * 9.0;
        let line = (q - q.round()).abs().min_element();
        rgb(0x00fb_f0d8) * (0.84 + 0.16 * smooth_step(0.04, 0.12, line))
    };
    canvas.cushion(cloth, weave, Cushion::DULL.scaled(0.5));
    let spar = move |p: Vec2| capsule(folded(p), Vec2::ZERO, vec2(0.95, 0.0), 0.028);
    canvas.cushion(spar, |_| rgb(0x007a_4e2c), Cushion::DULL.scaled(0.4));
    canvas.cushion(
        |p| circle(p, 0.09),
        |_| rgb(0x009a_6a3c),
        Cushion::PAINTED.scaled(0.5),
    );
    canvas
}

fn lily() -> Canvas {
    let mut canvas = Canvas::new(44, 28);
    let pad = |p: Vec2| {
        without(
            ellipse(p, vec2(1.3, 0.8)),
            polygon(p, &[vec2(0.0, 0.0), vec2(1.6, -0.9), vec2(1.6, -0.1)]),
        )
    };
    canvas.cushion(pad, |_| rgb(0x0058_a83c), Cushion::DULL);
    let flower = |p: Vec2| star((p - vec2(-0.3, -0.25)) * vec2(1.0, 1.3), 6, 0.5, 0.25);
    canvas.cushion(flower, |_| rgb(0x00ff_c0dc), Cushion::DULL);
    canvas.flat(|p| circle(p - vec2(-0.3, -0.25), 0.12), rgb(0x00ff_e070));
    canvas
}

fn arrow() -> Canvas {
    let mut canvas = Canvas::new(48, 14);
    canvas.flat(
        |p| capsule(p, vec2(-2.8, 0.0), vec2(2.2, 0.0), 0.3),
        rgb(0x0032_1e14),
    );
    canvas.flat(
        |p| capsule(p, vec2(-2.8, 0.0), vec2(2.2, 0.0), 0.16),
        rgb(0x00c8_9a60),
    );
    let head = [(3.3, 0.0), (2.1, -0.7), (2.1, 0.7)].map(Vec2::from);
    canvas.cushion(
        move |p| polygon(p, &head),
        |_| rgb(0x00e4_e8f0),
        Cushion::PAINTED,
    );
    let feather = [
        (-3.2, -0.7),
        (-2.3, -0.7),
        (-1.9, 0.0),
        (-2.3, 0.7),
        (-3.2, 0.7),
        (-2.8, 0.0),
    ];
    let feather = feather.map(Vec2::from);
    canvas.cushion(
        move |p| polygon(p, &feather),
        |_| rgb(0x00f0_4a3c),
        Cushion::DULL,
    );
    canvas
}

fn ball() -> Canvas {
    let mut canvas = Canvas::new(24, 24);
    canvas.cushion(
        |p| circle(p, 0.86),
        |_| rgb(0x0046_4652),
        Cushion {
            gloss: 0.9,
            ..Cushion::default()
        },
    );
    canvas
}

fn burst() -> Canvas {
    let mut canvas = Canvas::new(88, 88);
    let flicker = Noise::tiling(17, 16);
    let ragged = move |p: Vec2, radius: f32| {
        let turn = p.to_angle() / std::f32::consts::TAU * 16.0 + 8.0;
        circle(
            p,
            radius + 0.22 * (flicker.value(vec2(turn, radius * 3.0)) - 0.5),
        )
    };
    canvas.glow(move |p| ragged(p, 0.62), rgb(0x00ff_8a2a), 0.4, 0.5);
    for (radius, color) in [
        (0.72, 0x00d8_3c14),
        (0.6, 0x00ff_7a1c),
        (0.44, 0x00ff_c234),
        (0.26, 0x00ff_f6c8),
    ] {
        canvas.flat(move |p| ragged(p, radius), rgb(color));
    }
    canvas
}

fn shadow() -> Canvas {
    let mut canvas = Canvas::new(64, 32);
    canvas.wash(|p| {
        let t = (1.0 - (p / vec2(2.0, 1.0)).length()).clamp(0.0, 1.0);
        rgb(0x0010_2410).extend(0.62 * smooth_step(0.0, 0.7, t))
    });
    canvas
}

fn flag(phase: f32) -> Canvas {
    let mut canvas = Canvas::new(40, 30);
    canvas.flat(
        |p| capsule(p, vec2(-1.1, -0.8), vec2(-1.1, 1.0), 0.08),
        rgb(0x0060_4428),
    );
    let cloth = move |p: Vec2| {
        let t = (p.x + 1.1) / 2.2;
        let wave = 0.16 * t * ((t + phase) * std::f32::consts::TAU).sin();
        let half = 0.5 * (1.0 - t);
        ((p.y + 0.3 - wave).abs() - half).max(-t)
    };
    canvas.cushion(cloth, |_| rgb(0x00f0_3c3c), Cushion::DULL);
    canvas
}
