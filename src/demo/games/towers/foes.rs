//! Sprites of the foes: goblins, orcs, bats and ogres, each in two steps of a walk to the right.

use glam::{Vec2, Vec3, vec2};

use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::shape::{capsule, circle, ellipse, join, polygon, rounded_box};

/// Number of the kinds of foes.
pub(super) const KINDS: usize = 4;

/// A foe of a kind; `step` is 0 or 1.
pub(super) fn foe(kind: usize, step: f32) -> Canvas {
    let swing = 1.0 - 2.0 * step;
    match kind {
        0 => goblin(swing),
        1 => orc(swing),
        2 => bat(swing),
        _ => ogre(swing),
    }
}

/// Two legs in boots, `swing` apart.
fn legs(canvas: &mut Canvas, hip: Vec2, reach: f32, radius: f32, code: u32) {
    for way in [-1.0, 1.0] {
        let knee = vec2(hip.x + 0.18 * way, hip.y);
        let foot = vec2(knee.x + reach * way, 0.84 - 0.06 * (reach * way).max(0.0));
        let leg = move |p: Vec2| {
            capsule(p, knee, foot, radius).min(capsule(
                p,
                foot,
                foot + vec2(0.1, 0.02),
                radius * 0.9,
            ))
        };
        canvas.cushion(leg, |_| rgb(code), Cushion::DULL.scaled(0.8));
    }
}

/// Eyes that look to the right.
fn eyes(canvas: &mut Canvas, at: [Vec2; 2], radius: f32, code: u32) {
    for eye in at {
        canvas.flat(move |p| circle(p - eye, radius + 0.03), rgb(0x0022_1a1e));
        canvas.flat(move |p| circle(p - eye, radius), rgb(code));
        canvas.flat(
            move |p| circle(p - eye - vec2(radius * 0.35, radius * 0.1), radius * 0.5),
            rgb(0x0020_1014),
        );
    }
}

fn goblin(swing: f32) -> Canvas {
    let mut canvas = Canvas::new(54, 56);
    let green = rgb(0x0086_c440);
    legs(
        &mut canvas,
        vec2(-0.02, 0.6),
        0.14 * swing,
        0.11,
        0x0060_4028,
    );
    let tunic = |p: Vec2| ellipse(p - vec2(-0.02, 0.38), vec2(0.34, 0.32));
    canvas.cushion(tunic, |_| rgb(0x00a8_6a34), Cushion::DULL);
    let belt = |p: Vec2| (rounded_box(p - vec2(0.0, 0.5), vec2(0.34, 0.05), 0.02)).max(tunic(p));
    canvas.flat(belt, rgb(0x0044_2c1c));
    let lift = 0.08 * swing;
    let club = move |p: Vec2| {
        let (hand, tip) = (vec2(0.46, 0.26), vec2(0.74, -0.3 + lift));
        let t = ((p - hand).dot(tip - hand) / (tip - hand).length_squared()).clamp(0.0, 1.0);
        capsule(p, hand, tip, 0.06 + 0.09 * t)
    };
    canvas.cushion(club, |_| rgb(0x008a_5a30), Cushion::DULL);
    canvas.cushion(
        |p| capsule(p, vec2(0.16, 0.26), vec2(0.44, 0.26), 0.1),
        move |_| green,
        Cushion::DULL,
    );
    for ear in [
        [(-0.2, -0.36), (-0.86, -0.62), (-0.3, -0.02)],
        [(0.36, -0.44), (0.78, -0.74), (0.46, -0.16)],
    ] {
        let ear = ear.map(Vec2::from);
        canvas.cushion(
            move |p| polygon(p, &ear) - 0.03,
            move |_| green * 0.92,
            Cushion::DULL,
        );
    }
    let head = |p: Vec2| ellipse(p - vec2(0.06, -0.26), vec2(0.48, 0.42));
    canvas.cushion(head, move |_| green, Cushion::DULL);
    let cap = |p: Vec2| head(p).max(p.y + 0.46 + 0.2 * p.x);
    canvas.cushion(cap, |_| rgb(0x00c8_3c34), Cushion::DULL);
    eyes(
        &mut canvas,
        [vec2(0.12, -0.28), vec2(0.42, -0.28)],
        0.1,
        0x00ff_f08a,
    );
    canvas.cushion(
        |p| ellipse(p - vec2(0.34, -0.12), vec2(0.13, 0.09)),
        move |_| green * 1.1,
        Cushion::DULL.scaled(0.6),
    );
    canvas.flat(
        |p| capsule(p, vec2(0.02, 0.0), vec2(0.4, -0.01), 0.035),
        rgb(0x0038_2016),
    );
    let tooth = [(0.28, -0.01), (0.36, -0.01), (0.32, 0.09)].map(Vec2::from);
    canvas.flat(move |p| polygon(p, &tooth), rgb(0x00ff_fae8));
    canvas
}

fn orc(swing: f32) -> Canvas {
    let mut canvas = Canvas::new(68, 68);
    let skin = rgb(0x0078_9c5c);
    legs(
        &mut canvas,
        vec2(-0.02, 0.58),
        0.12 * swing,
        0.14,
        0x004c_4450,
    );
    let axe = 0.06 * swing;
    canvas.flat(
        move |p| capsule(p, vec2(0.5, 0.5), vec2(0.66, -0.5 + axe), 0.06),
        rgb(0x005c_3a20),
    );
    let blade =
        [(0.56, -0.62), (0.98, -0.56), (0.92, -0.06), (0.56, -0.22)].map(|(x, y)| vec2(x, y + axe));
    canvas.cushion(
        move |p| polygon(p, &blade) - 0.02,
        |_| rgb(0x00d4_dae4),
        Cushion::PAINTED,
    );
    let armour = |p: Vec2| rounded_box(p - vec2(-0.04, 0.3), vec2(0.48, 0.38), 0.24);
    canvas.cushion(armour, |_| rgb(0x0080_8694), Cushion::PAINTED);
    canvas.flat(
        |p| rounded_box(p - vec2(-0.04, 0.44), vec2(0.46, 0.05), 0.02),
        rgb(0x004a_3428),
    );
    canvas.cushion(
        |p| circle(p - vec2(-0.42, 0.1), 0.22),
        |_| rgb(0x00c4_4034),
        Cushion::PAINTED,
    );
    canvas.cushion(
        |p| capsule(p, vec2(0.3, 0.2), vec2(0.54, 0.3), 0.13),
        move |_| skin,
        Cushion::DULL,
    );
    orc_head(&mut canvas, skin);
    canvas
}

fn orc_head(canvas: &mut Canvas, skin: Vec3) {
    let head = |p: Vec2| {
        join(
            ellipse(p - vec2(0.06, -0.32), vec2(0.38, 0.34)),
            ellipse(p - vec2(0.18, -0.12), vec2(0.3, 0.18)),
            0.1,
        )
    };
    canvas.cushion(head, move |_| skin, Cushion::DULL);
    let helmet = |p: Vec2| (ellipse(p - vec2(0.04, -0.4), vec2(0.44, 0.38))).max(p.y + 0.38);
    canvas.cushion(helmet, |_| rgb(0x0098_9eac), Cushion::PAINTED);
    let horn = [(-0.24, -0.62), (-0.56, -0.95), (-0.42, -0.5)].map(Vec2::from);
    canvas.cushion(
        move |p| polygon(p, &horn) - 0.03,
        |_| rgb(0x00f0_e4c4),
        Cushion::DULL,
    );
    eyes(
        canvas,
        [vec2(0.12, -0.28), vec2(0.36, -0.28)],
        0.07,
        0x00ff_5a3a,
    );
    canvas.flat(
        |p| capsule(p, vec2(0.0, -0.02), vec2(0.4, -0.04), 0.03),
        rgb(0x0030_2018),
    );
    for x in [0.06, 0.32] {
        let tusk = [(x, 0.0), (x + 0.1, 0.0), (x + 0.06, -0.18)].map(Vec2::from);
        canvas.flat(move |p| polygon(p, &tusk), rgb(0x00ff_f4d8));
    }
}

fn bat(swing: f32) -> Canvas {
    let mut canvas = Canvas::new(84, 56);
    let purple = rgb(0x008c_54c0);
    for side in [-1.0, 1.0] {
        let tip = -0.55 * swing;
        let wing = [
            (0.2, -0.1),
            (0.75, tip - 0.15),
            (1.4, tip),
            (1.12, tip * 0.4 + 0.3),
            (0.85, tip * 0.2 + 0.16),
            (0.6, 0.42),
            (0.3, 0.3),
        ];
        let wing = wing.map(|(x, y)| vec2(side * x, y));
        canvas.cushion(
            move |p| polygon(p, &wing) - 0.03,
            move |_| purple * 0.75,
            Cushion::DULL,
        );
    }
    for side in [-1.0, 1.0] {
        let ear = [(0.08, -0.4), (0.34, -0.92), (0.42, -0.3)].map(|(x, y)| vec2(side * x, y));
        canvas.cushion(
            move |p| polygon(p, &ear) - 0.02,
            move |_| purple,
            Cushion::DULL,
        );
    }
    canvas.cushion(
        |p| circle(p - vec2(0.0, 0.05), 0.54),
        move |_| purple,
        Cushion::DULL,
    );
    eyes(
        &mut canvas,
        [vec2(-0.1, -0.04), vec2(0.28, -0.04)],
        0.14,
        0x00ff_e85a,
    );
    canvas.flat(
        |p| ellipse(p - vec2(0.1, 0.3), vec2(0.22, 0.09)),
        rgb(0x0038_1030),
    );
    for x in [-0.04, 0.16] {
        let fang = [(x, 0.25), (x + 0.1, 0.25), (x + 0.05, 0.42)].map(Vec2::from);
        canvas.flat(move |p| polygon(p, &fang), rgb(0x00ff_ffff));
    }
    canvas
}

fn ogre(swing: f32) -> Canvas {
    let mut canvas = Canvas::new(112, 108);
    let skin = rgb(0x0086_9cc8);
    legs(
        &mut canvas,
        vec2(-0.04, 0.6),
        0.1 * swing,
        0.17,
        0x005a_688c,
    );
    let club = move |p: Vec2| {
        let (hand, tip) = (vec2(0.58, 0.4), vec2(0.82, -0.5 + 0.05 * swing));
        let t = ((p - hand).dot(tip - hand) / (tip - hand).length_squared()).clamp(0.0, 1.0);
        capsule(p, hand, tip, 0.07 + 0.12 * t)
    };
    canvas.cushion(club, |_| rgb(0x007c_5230), Cushion::DULL);
    for (x, y) in [(0.68, -0.48), (0.92, -0.4), (0.7, -0.24), (0.88, -0.16)] {
        canvas.cushion(
            move |p| circle(p - vec2(x, y + 0.05 * swing), 0.05),
            |_| rgb(0x00e0_e4ec),
            Cushion::PAINTED.scaled(0.4),
        );
    }
    let belly = |p: Vec2| ellipse(p - vec2(-0.06, 0.26), vec2(0.58, 0.5));
    canvas.cushion(belly, move |_| skin, Cushion::DULL);
    canvas.fill(
        |p| ellipse(p - vec2(0.04, 0.3), vec2(0.38, 0.36)),
        |_| rgb(0x00c0_cee8).extend(0.5),
    );
    let cloth = |p: Vec2| belly(p).max(0.5 - p.y);
    canvas.cushion(cloth, |_| rgb(0x008a_5a34), Cushion::DULL);
    let strap = |p: Vec2| capsule(p, vec2(-0.5, -0.04), vec2(0.36, 0.52), 0.055).max(belly(p));
    canvas.flat(strap, rgb(0x0058_3820));
    canvas.cushion(
        |p| capsule(p, vec2(0.26, 0.06), vec2(0.6, 0.36), 0.15),
        move |_| skin * 0.95,
        Cushion::DULL,
    );
    canvas.cushion(
        |p| capsule(p, vec2(-0.52, 0.06), vec2(-0.66, 0.44), 0.14),
        move |_| skin * 0.9,
        Cushion::DULL,
    );
    ogre_head(&mut canvas, skin);
    canvas
}

fn ogre_head(canvas: &mut Canvas, skin: Vec3) {
    let head = |p: Vec2| ellipse(p - vec2(0.1, -0.34), vec2(0.38, 0.33));
    canvas.cushion(head, move |_| skin, Cushion::DULL);
    for horn in [
        [(-0.16, -0.5), (-0.5, -0.86), (-0.02, -0.66)],
        [(0.36, -0.54), (0.62, -0.92), (0.24, -0.68)],
    ] {
        let horn = horn.map(Vec2::from);
        canvas.cushion(
            move |p| polygon(p, &horn) - 0.03,
            |_| rgb(0x00f4_e8c8),
            Cushion::DULL,
        );
    }
    eyes(
        canvas,
        [vec2(0.1, -0.38), vec2(0.34, -0.38)],
        0.075,
        0x00ff_d84a,
    );
    canvas.cushion(
        |p| ellipse(p - vec2(0.26, -0.26), vec2(0.1, 0.08)),
        move |_| skin * 1.1,
        Cushion::DULL.scaled(0.5),
    );
    canvas.flat(
        |p| ellipse(p - vec2(0.2, -0.12), vec2(0.2, 0.07)),
        rgb(0x003c_1c24),
    );
    for x in [0.06, 0.26] {
        let tusk = [(x, -0.08), (x + 0.09, -0.08), (x + 0.05, -0.22)].map(Vec2::from);
        canvas.flat(move |p| polygon(p, &tusk), rgb(0x00ff_f6e0));
    }
}
