//! Sprites on the map: castles, villages, mines, camps, mountains, soldiers; and the display's icons.

use glam::{Vec2, Vec3};

use super::style::{ground_shadow, look};
use super::troops::{arrow, flag, realm, soldier};
use crate::kit::atlas::{Atlas, Sprite, sheet};
use crate::kit::paint::{Canvas, rgb};
use crate::kit::scenery;
use crate::kit::shape::{capsule, circle, ellipse, polygon, rounded_box, star};
use crate::procedural::{Noise, smooth_step};

/// sRGB of the owners: ours, allied, hostile.
pub(super) const OWNERS: [u32; 3] = [0x002f_a84a, 0x002f_6fd8, 0x00d8_3a30];

/// Sprites of the map.
#[derive(Debug)]
pub(super) struct Land {
    /// Castles by owner: ours, allied, hostile.
    pub(super) castles: [Sprite; 3],
    pub(super) village: Sprite,
    /// Farm, lumber camp, quarry, gold mine.
    pub(super) works: [Sprite; 4],
    pub(super) camp: Sprite,
    pub(super) bridge: Sprite,
    pub(super) mountains: [Sprite; 2],
    /// Oak, fir, bush, rock, tuft.
    pub(super) trees: [Sprite; 5],
    /// Soldiers by owner, arm and step.
    pub(super) soldiers: [[[Sprite; 2]; 3]; 3],
    /// Barbarians, one sprite a step.
    pub(super) raider: [Sprite; 2],
    /// Flags by owner: ours, allied, hostile.
    pub(super) flags: [Sprite; 3],
    /// An arrow along a march, white.
    pub(super) arrow: Sprite,
    /// A disc with a rim, white, translucent: whose land it is.
    pub(super) realm: Sprite,
}

/// Paints the map's atlas.
pub(super) fn land() -> (Land, Atlas) {
    sheet("land", 1024, |s| Land {
        castles: OWNERS.map(|roof| s.sprite(|| castle(roof))),
        village: s.sprite(village),
        works: [
            s.sprite(farm),
            s.sprite(lumber),
            s.sprite(quarry),
            s.sprite(mine),
        ],
        camp: s.sprite(camp),
        bridge: s.sprite(bridge),
        mountains: [3, 11].map(|seed| s.sprite(|| mountain(seed))),
        trees: [
            s.sprite(|| scenery::oak(88)),
            s.sprite(|| scenery::fir(96)),
            s.sprite(|| scenery::bush(40)),
            s.sprite(|| scenery::rock(40)),
            s.sprite(|| scenery::tuft(32)),
        ],
        raider: STEPS.map(|step| s.sprite(|| soldier(None, 0, step))),
        flags: OWNERS.map(|color| s.sprite(|| flag(color))),
        arrow: s.sprite(arrow),
        realm: s.sprite(realm),
        soldiers: OWNERS.map(|owner| {
            let mut walks = |arm| STEPS.map(|step| s.sprite(|| soldier(Some(owner), arm, step)));
            [0, 1, 2].map(&mut walks)
        }),
    })
}

/// The two halves of a stride.
const STEPS: [f32; 2] = [0.0, 1.0];

const STONE: u32 = 0x00c9_bfae;

/// A wall of courses of stone with battlements.
fn wall(canvas: &mut Canvas, middle: Vec2, half: Vec2) {
    let merlons = move |p: Vec2| {
        let q = p - middle;
        let phase = ((q.x / 0.11).rem_euclid(1.0) - 0.5).abs() * 0.11 - 0.03;
        let top = (q.y + half.y).abs() - 0.055;
        phase.max(top).max(q.x.abs() - half.x)
    };
    let shape = move |p: Vec2| rounded_box(p - middle, half, 0.015).min(merlons(p));
    canvas.cushion(shape, |p| masonry(p, rgb(STONE)), look(0.05));
}

fn masonry(p: Vec2, color: Vec3) -> Vec3 {
    let row = (p.y / 0.075).floor();
    let x = p.x / 0.15 + 0.5 * (row.rem_euclid(2.0));
    let seam_y = (p.y / 0.075 - row).min(1.0 - (p.y / 0.075 - row));
    let seam_x = (x - x.floor()).min(1.0 - (x - x.floor()));
    let seam = smooth_step(0.16, 0.06, seam_y).max(smooth_step(0.1, 0.04, seam_x));
    let own = ((x.floor() * 12.9 + row * 7.3).sin() * 43.0).fract().abs();
    color * (0.9 + 0.16 * own - 0.2 * seam)
}

/// A round tower with a pointed roof.
fn tower(canvas: &mut Canvas, foot: Vec2, [half, high, roof]: [f32; 3], color: u32) {
    let body = move |p: Vec2| {
        rounded_box(
            p - foot + Vec2::Y * high * 0.5,
            Vec2::new(half, high * 0.5),
            0.03,
        )
    };
    canvas.cushion(body, |p| masonry(p, rgb(STONE) * 1.03), look(half));
    let top = foot - Vec2::Y * high;
    let rim = move |p: Vec2| rounded_box(p - top, Vec2::new(half * 1.25, 0.04), 0.02);
    canvas.cushion(rim, |_| rgb(0x00b2_a692), look(0.03));
    let cone = [
        top + Vec2::new(-half * 1.35, -0.02),
        top + Vec2::new(0.0, -roof),
        top + Vec2::new(half * 1.35, -0.02),
    ];
    let tiles = move |p: Vec2| {
        let rows = ((p.y - top.y) / 0.06).rem_euclid(1.0);
        rgb(color) * (0.86 + 0.22 * rows)
    };
    canvas.cushion(move |p| polygon(p, &cone) - 0.01, tiles, look(half * 1.1));
    let slit = move |p: Vec2| {
        rounded_box(
            p - foot + Vec2::Y * high * 0.62,
            Vec2::new(0.02, 0.06),
            0.02,
        )
    };
    canvas.flat(slit, rgb(0x002c_2018));
    let pole = top - Vec2::Y * roof;
    canvas.flat(
        move |p| capsule(p, pole, pole - Vec2::Y * 0.13, 0.009),
        rgb(0x004a_3826),
    );
    let cloth = [
        pole + Vec2::new(0.0, -0.13),
        pole + Vec2::new(0.14, -0.09),
        pole + Vec2::new(0.0, -0.05),
    ];
    canvas.flat(move |p| polygon(p, &cloth) - 0.006, rgb(color));
}

/// A castle on its mound, roofs in its owner's colour.
fn castle(roof: u32) -> Canvas {
    let mut canvas = Canvas::new(330, 300);
    ground_shadow(&mut canvas, Vec2::new(0.1, 0.66), Vec2::new(1.0, 0.34));
    let mound = |p: Vec2| ellipse(p - Vec2::new(0.0, 0.62), Vec2::new(0.96, 0.3));
    canvas.cushion(
        mound,
        |p| rgb(0x0092_a552).lerp(rgb(0x00b0_9460), smooth_step(0.6, 0.86, p.y)),
        look(0.12),
    );
    tower(&mut canvas, Vec2::new(-0.5, 0.34), [0.1, 0.5, 0.3], roof);
    tower(&mut canvas, Vec2::new(0.5, 0.34), [0.1, 0.5, 0.3], roof);
    wall(&mut canvas, Vec2::new(0.0, 0.32), Vec2::new(0.52, 0.14));
    let keep = |p: Vec2| rounded_box(p - Vec2::new(0.0, -0.02), Vec2::new(0.26, 0.36), 0.03);
    canvas.cushion(keep, |p| masonry(p, rgb(0x00d6_ccba)), look(0.12));
    let gable = [(-0.33, -0.34), (0.0, -0.72), (0.33, -0.34)].map(Vec2::from);
    let tiles = move |p: Vec2| rgb(roof) * (0.84 + 0.24 * (p.y / 0.06).rem_euclid(1.0));
    canvas.cushion(move |p| polygon(p, &gable) - 0.02, tiles, look(0.3));
    tower(&mut canvas, Vec2::new(0.0, -0.5), [0.075, 0.12, 0.26], roof);
    for x in [-0.12, 0.12] {
        let window =
            move |p: Vec2| rounded_box(p - Vec2::new(x, -0.12), Vec2::new(0.035, 0.075), 0.035);
        canvas.flat(window, rgb(0x0038_2a22));
        canvas.flat(move |p| window(p) + 0.014, rgb(0x00ff_cf6a));
    }
    tower(
        &mut canvas,
        Vec2::new(-0.72, 0.66),
        [0.12, 0.46, 0.32],
        roof,
    );
    tower(&mut canvas, Vec2::new(0.72, 0.66), [0.12, 0.46, 0.32], roof);
    wall(&mut canvas, Vec2::new(0.0, 0.6), Vec2::new(0.62, 0.14));
    let gate = |p: Vec2| {
        rounded_box(p - Vec2::new(0.0, 0.62), Vec2::new(0.14, 0.17), 0.13).max(p.y - 0.74)
    };
    canvas.cushion(|p| gate(p) - 0.04, |_| rgb(0x00a4_9a88), look(0.04));
    canvas.flat(gate, rgb(0x0046_2e1e));
    canvas.fill(
        |p| gate(p).max(((p.x * 14.0).rem_euclid(1.0) - 0.5).abs() * 0.07 - 0.008),
        |_| rgb(0x0078_5636).extend(1.0),
    );
    for x in [-0.38_f32, 0.38] {
        let banner = [
            (x - 0.07, 0.5),
            (x + 0.07, 0.5),
            (x + 0.07, 0.68),
            (x, 0.74),
            (x - 0.07, 0.68),
        ]
        .map(Vec2::from);
        canvas.cushion(move |p| polygon(p, &banner), move |_| rgb(roof), look(0.03));
        canvas.flat(
            move |p| star(p - Vec2::new(x, 0.59), 5, 0.05, 0.022),
            rgb(0x00ff_e08a),
        );
    }
    canvas
}

/// A house with a thatched or tiled roof.
fn house(canvas: &mut Canvas, foot: Vec2, size: f32, roof: u32) {
    let body = move |p: Vec2| {
        rounded_box(
            p - foot + Vec2::Y * size * 0.35,
            Vec2::new(size * 0.55, size * 0.35),
            0.02,
        )
    };
    canvas.cushion(body, |_| rgb(0x00ef_dcb4), look(0.06));
    let beam = move |p: Vec2| {
        let q = (p - foot) / size;
        (q.x.abs() - 0.3).abs().min((q.y + 0.35).abs()) - 0.035
    };
    canvas.fill(
        move |p| body(p).max(beam(p) * size),
        |_| rgb(0x0082_5a38).extend(1.0),
    );
    let gable = [(-0.78, -0.6), (-0.42, -1.2), (0.42, -1.2), (0.78, -0.6)];
    let gable = gable.map(|corner| foot + Vec2::from(corner) * size);
    let thatch =
        move |p: Vec2| rgb(roof) * (0.84 + 0.26 * ((p.y - foot.y) / (0.16 * size)).rem_euclid(1.0));
    canvas.cushion(move |p| polygon(p, &gable) - 0.01, thatch, look(0.16));
    let door = move |p: Vec2| {
        rounded_box(
            p - foot + Vec2::Y * size * 0.2,
            Vec2::new(size * 0.13, size * 0.2),
            0.05,
        )
    };
    canvas.flat(door, rgb(0x005a_3a22));
}

fn village() -> Canvas {
    let mut canvas = Canvas::new(220, 170);
    ground_shadow(&mut canvas, Vec2::new(0.08, 0.5), Vec2::new(1.2, 0.42));
    house(&mut canvas, Vec2::new(-0.1, 0.08), 0.42, 0x00b8_6a3c);
    house(&mut canvas, Vec2::new(-0.74, 0.4), 0.42, 0x00d2_a24c);
    house(&mut canvas, Vec2::new(0.7, 0.36), 0.46, 0x00c6_7a40);
    house(&mut canvas, Vec2::new(0.02, 0.78), 0.5, 0x00d8_ac56);
    canvas
}

fn farm() -> Canvas {
    let mut canvas = Canvas::new(180, 130);
    for (x, y, color) in [
        (-0.62, 0.42, 0x00e2_bc44),
        (0.1, 0.62, 0x0086_b436),
        (0.72, 0.34, 0x00cf_a038),
    ] {
        let at = Vec2::new(x, y);
        let field = move |p: Vec2| {
            let q = p - at;
            rounded_box(Vec2::new(q.x + 0.5 * q.y, q.y), Vec2::new(0.38, 0.24), 0.04)
        };
        let rows = move |p: Vec2| rgb(color) * (0.8 + 0.3 * ((p.y - 0.4 * p.x) * 14.0).sin().abs());
        canvas.cushion(field, rows, look(0.05));
    }
    house(&mut canvas, Vec2::new(-0.1, 0.1), 0.56, 0x00c0_4a34);
    let silo = |p: Vec2| rounded_box(p - Vec2::new(0.5, -0.32), Vec2::new(0.15, 0.34), 0.13);
    canvas.cushion(silo, |_| rgb(0x00d8_d2c2), look(0.14));
    canvas
}

fn lumber() -> Canvas {
    let mut canvas = Canvas::new(150, 120);
    ground_shadow(&mut canvas, Vec2::new(0.05, 0.56), Vec2::new(1.1, 0.4));
    house(&mut canvas, Vec2::new(-0.4, 0.4), 0.6, 0x0062_7a3a);
    for (x, y) in [
        (0.3, 0.68),
        (0.58, 0.68),
        (0.86, 0.68),
        (0.44, 0.46),
        (0.72, 0.46),
        (0.58, 0.24),
    ] {
        let at = Vec2::new(x, y);
        canvas.cushion(
            move |p| circle(p - at, 0.14),
            |_| rgb(0x00c8_8c50),
            look(0.05),
        );
        canvas.flat(move |p| circle(p - at, 0.05), rgb(0x0094_6032));
    }
    canvas
}

fn rocks(canvas: &mut Canvas, color: u32, spark: u32) {
    let lumps = [
        (-0.5, 0.34, 0.36),
        (0.46, 0.3, 0.4),
        (-0.04, 0.06, 0.46),
        (0.1, 0.56, 0.3),
    ];
    for (x, y, r) in lumps {
        let lump = [
            (-1.0, 0.5),
            (-0.7, -0.5),
            (0.0, -1.0),
            (0.75, -0.45),
            (1.0, 0.5),
        ];
        let lump = lump.map(|(a, b)| Vec2::new(x + a * r, y + b * r * 0.9));
        canvas.cushion(
            move |p| polygon(p, &lump) - 0.03,
            |p| rgb(color) * (0.9 + 0.2 * (p.x * 9.0 + p.y * 5.0).sin()),
            look(0.2),
        );
    }
    for (x, y) in [
        (-0.4, 0.2),
        (0.1, -0.1),
        (0.5, 0.16),
        (0.16, 0.5),
        (-0.1, 0.3),
    ] {
        let at = Vec2::new(x, y);
        canvas.cushion(
            move |p| star(p - at, 4, 0.13, 0.07),
            |_| rgb(spark),
            look(0.06),
        );
    }
}

fn quarry() -> Canvas {
    let mut canvas = Canvas::new(150, 120);
    ground_shadow(&mut canvas, Vec2::new(0.05, 0.56), Vec2::new(1.1, 0.4));
    rocks(&mut canvas, 0x009a_a0a6, 0x00d6_dade);
    canvas
}

fn mine() -> Canvas {
    let mut canvas = Canvas::new(150, 120);
    ground_shadow(&mut canvas, Vec2::new(0.05, 0.56), Vec2::new(1.1, 0.4));
    rocks(&mut canvas, 0x0086_6a50, 0x00ff_cc2e);
    let mouth =
        |p: Vec2| rounded_box(p - Vec2::new(0.0, 0.5), Vec2::new(0.2, 0.26), 0.18).max(p.y - 0.72);
    canvas.cushion(|p| mouth(p) - 0.06, |_| rgb(0x0094_6434), look(0.05));
    canvas.flat(mouth, rgb(0x001e_1610));
    canvas
}

/// Hide tents behind stakes.
fn camp() -> Canvas {
    let mut canvas = Canvas::new(190, 140);
    ground_shadow(&mut canvas, Vec2::new(0.06, 0.56), Vec2::new(1.2, 0.42));
    for (x, y, size) in [(-0.56, 0.3, 0.52), (0.58, 0.28, 0.5), (0.02, 0.5, 0.64)] {
        let tent = [(-0.7, 0.0), (0.0, -1.25), (0.7, 0.0)]
            .map(|(a, b)| Vec2::new(x + a * size, y + b * size));
        let hide = move |p: Vec2| rgb(0x00a8_6a42) * (0.85 + 0.2 * ((p.x - x) * 22.0).sin().abs());
        canvas.cushion(move |p| polygon(p, &tent) - 0.02, hide, look(0.3));
        let flap = [(-0.16, 0.0), (0.0, -0.62), (0.16, 0.0)]
            .map(|(a, b)| Vec2::new(x + a * size, y + b * size));
        canvas.flat(move |p| polygon(p, &flap), rgb(0x002e_1a12));
    }
    for k in 0..11 {
        let x = -1.1 + 0.22 * k as f32;
        let foot = Vec2::new(x, 0.82 - 0.12 * (x * x));
        canvas.cushion(
            move |p| capsule(p, foot, foot - Vec2::Y * 0.24, 0.045),
            |_| rgb(0x0078_5434),
            look(0.04),
        );
    }
    let fire = |p: Vec2| ellipse(p - Vec2::new(0.5, 0.62), Vec2::new(0.09, 0.14));
    canvas.glow(fire, rgb(0x00ff_9a30), 0.2, 0.7);
    canvas.flat(fire, rgb(0x00ff_a838));
    canvas
}

fn bridge() -> Canvas {
    let mut canvas = Canvas::new(176, 84);
    let deck = |p: Vec2| {
        rounded_box(
            p + Vec2::Y * (0.14 - 0.05 * p.x * p.x),
            Vec2::new(2.0, 0.5),
            0.1,
        )
    };
    canvas.shadow(deck, Vec2::new(0.05, 0.3), 0.1, 0.5);
    let planks = |p: Vec2| rgb(0x00b0_7c46) * (0.8 + 0.25 * (p.x * 5.0).rem_euclid(1.0));
    canvas.cushion(deck, planks, look(0.1));
    for y in [-0.56, 0.4] {
        let rail = move |p: Vec2| {
            capsule(
                p + Vec2::Y * (-0.05 * p.x * p.x),
                Vec2::new(-1.95, y),
                Vec2::new(1.95, y),
                0.07,
            )
        };
        canvas.cushion(rail, |_| rgb(0x0082_5a34), look(0.06));
    }
    canvas
}

/// A peak with snow and ridges.
fn mountain(seed: u32) -> Canvas {
    let mut canvas = Canvas::new(250, 200);
    let grain = Noise::tiling(seed, 64);
    ground_shadow(&mut canvas, Vec2::new(0.2, 0.74), Vec2::new(1.1, 0.3));
    let peaks = [
        (-0.42, -0.28, 0.72),
        (0.46, -0.12, 0.74),
        (0.04, -0.92, 1.0),
    ];
    for (x, top, wide) in peaks {
        let crest = move |p: Vec2| {
            let rough = 0.16 * (grain.fractal(p * 3.0 + 20.0, 3) - 0.5);
            ((p.x - x).abs() * (0.86 - top) / (wide * 0.92) - (p.y - top) + rough)
                .max(p.y - 0.8 - 0.5 * rough)
                * 0.6
        };
        canvas.fill(crest, move |p| {
            let ridge =
                grain.fractal(Vec2::new((p.x - x) * 5.0 + p.y * 2.0, p.y * 1.6) + 30.0, 3) - 0.5;
            let lit = smooth_step(0.16, -0.16, p.x - x + 0.7 * ridge);
            let rock = rgb(0x005e_5a62).lerp(rgb(0x00a8_9c90), lit);
            let snow = smooth_step(0.1, -0.06, p.y - top - 0.42 + 0.9 * ridge);
            let cap = rgb(0x00b4_c8e0).lerp(rgb(0x00ff_ffff), lit);
            let foot = smooth_step(0.3, 0.8, p.y + 0.5 * ridge);
            rock.lerp(cap, snow)
                .lerp(rgb(0x0066_8a3e), 0.75 * foot)
                .extend(smooth_step(0.8, 0.62, p.y + 0.25 * ridge))
        });
    }
    canvas
}
