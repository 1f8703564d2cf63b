//! The king: crown, beard, ermine; eyes open or shut.

use glam::{Vec2, Vec3};

use super::style::{look, side};
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::shape::{capsule, circle, ellipse, join, polygon, rounded_box};

const SKIN: u32 = 0x00ff_d0aa;
const BEARD: u32 = 0x00f4_f0ea;

/// The king at full height.
pub(super) fn king(eyes_open: bool) -> Canvas {
    let mut canvas = Canvas::new(330, 520);
    robe(&mut canvas);
    head(&mut canvas, eyes_open);
    crown(&mut canvas);
    canvas
}

fn robe(canvas: &mut Canvas) {
    let soft = Cushion {
        gloss: 0.12,
        ..look(0.25)
    };
    canvas.cushion(
        |p| ellipse(side(p) - Vec2::new(0.2, 0.92), Vec2::new(0.18, 0.07)),
        |_| rgb(0x0058_301c),
        soft,
    );
    let cloak = |p: Vec2| {
        let bell = [(-0.3, -0.1), (0.3, -0.1), (0.56, 0.86), (-0.56, 0.86)].map(Vec2::from);
        polygon(p, &bell) - 0.06
    };
    canvas.cushion(
        cloak,
        |p| rgb(0x00c2_1e36) * (0.95 + 0.1 * (p.x * 16.0).sin()),
        soft,
    );
    canvas.cushion(move |p| cloak(p).max(0.78 - p.y), ermine, soft);
    let belly = |p: Vec2| ellipse(p - Vec2::Y * 0.42, Vec2::new(0.34, 0.42));
    canvas.cushion(belly, |_| rgb(0x002e_5cc0), soft);
    canvas.cushion(
        move |p| belly(p).max((p.y - 0.5).abs() - 0.045),
        |_| rgb(0x00f0_b838),
        look(0.05),
    );
    canvas.cushion(
        |p| rounded_box(p - Vec2::Y * 0.5, Vec2::new(0.075, 0.065), 0.02),
        |_| rgb(0x00ff_d860),
        look(0.05),
    );
    canvas.cushion(
        |p| ellipse(p - Vec2::Y * 0.04, Vec2::new(0.42, 0.15)),
        ermine,
        soft,
    );
    sleeves(canvas, soft);
}

/// Arms, hands, a sceptre.
fn sleeves(canvas: &mut Canvas, soft: Cushion) {
    for way in [-1.0_f32, 1.0] {
        let (shoulder, hand) = (Vec2::new(0.36 * way, 0.12), Vec2::new(0.52 * way, 0.44));
        canvas.cushion(
            move |p| capsule(p, shoulder, hand, 0.12),
            |_| rgb(0x00b0_1a30),
            soft,
        );
        canvas.cushion(
            move |p| ellipse(p - hand, Vec2::new(0.13, 0.07)),
            ermine,
            soft,
        );
        let fist = hand + Vec2::new(0.02 * way, 0.1);
        canvas.cushion(move |p| circle(p - fist, 0.085), |_| rgb(SKIN), soft);
    }
    // A sceptre.
    let gold = Cushion {
        gloss: 0.9,
        ..look(0.04)
    };
    canvas.cushion(
        |p| capsule(p, Vec2::new(0.52, 0.84), Vec2::new(0.58, 0.0), 0.028),
        |_| rgb(0x00f0_b838),
        gold,
    );
    canvas.cushion(
        |p| circle(p - Vec2::new(0.585, -0.06), 0.075),
        |_| rgb(0x00e8_2a44),
        gold,
    );
}

/// White fur with black tails.
fn ermine(p: Vec2) -> Vec3 {
    let q = Vec2::new(p.x * 9.0, p.y * 8.0);
    let cell = q - q.floor() - 0.5;
    let tail = ellipse(cell, Vec2::new(0.1, 0.22));
    if tail < 0.0 {
        rgb(0x0026_2224)
    } else {
        rgb(0x00fa_f6f0)
    }
}

fn head(canvas: &mut Canvas, eyes_open: bool) {
    let soft = Cushion {
        gloss: 0.15,
        ..look(0.2)
    };
    let middle = Vec2::new(0.0, -0.34);
    canvas.cushion(
        move |p| circle(side(p) - Vec2::new(0.29, -0.32), 0.07),
        |_| rgb(SKIN),
        soft,
    );
    canvas.cushion(
        move |p| ellipse(p - middle, Vec2::new(0.3, 0.3)),
        |_| rgb(SKIN),
        soft,
    );
    let beard = |p: Vec2| {
        let full = ellipse(p - Vec2::new(0.0, -0.1), Vec2::new(0.3, 0.26));
        let chin = ellipse(p - Vec2::new(0.0, 0.1), Vec2::new(0.16, 0.17));
        let cut = ellipse(p - Vec2::new(0.0, -0.34), Vec2::new(0.22, 0.2));
        join(full, chin, 0.1).max(-cut)
    };
    canvas.cushion(
        beard,
        |p| rgb(BEARD) * (0.94 + 0.07 * (p.x * 40.0 + p.y * 9.0).sin()),
        soft,
    );
    let whiskers = |p: Vec2| capsule(side(p), Vec2::new(0.03, -0.2), Vec2::new(0.17, -0.16), 0.05);
    canvas.cushion(whiskers, |_| rgb(BEARD), soft);
    canvas.flat(
        |p| ellipse(p - Vec2::new(0.0, -0.12), Vec2::new(0.07, 0.03)),
        rgb(0x00a8_3438),
    );
    canvas.cushion(
        |p| ellipse(p - Vec2::new(0.0, -0.27), Vec2::new(0.07, 0.06)),
        |_| rgb(0x00ff_b898),
        soft,
    );
    canvas.fill(
        |p| ellipse(side(p) - Vec2::new(0.2, -0.27), Vec2::new(0.06, 0.04)),
        |_| rgb(0x00ff_7a70).extend(0.4),
    );
    eyes(canvas, eyes_open);
}

fn eyes(canvas: &mut Canvas, eyes_open: bool) {
    let eye = |p: Vec2| side(p) - Vec2::new(0.115, -0.38);
    if eyes_open {
        canvas.flat(move |p| ellipse(eye(p), Vec2::new(0.058, 0.072)), Vec3::ONE);
        canvas.flat(
            move |p| ellipse(eye(p) - Vec2::new(-0.008, 0.01), Vec2::new(0.036, 0.048)),
            rgb(0x0030_5a98),
        );
        canvas.flat(
            move |p| circle(eye(p) - Vec2::new(-0.008, 0.01), 0.02),
            rgb(0x0010_1018),
        );
        canvas.flat(
            move |p| {
                circle(p - Vec2::new(0.1, -0.395), 0.012)
                    .min(circle(p - Vec2::new(-0.12, -0.395), 0.012))
            },
            Vec3::ONE,
        );
    } else {
        canvas.flat(
            move |p| capsule(eye(p), Vec2::new(-0.055, 0.0), Vec2::new(0.055, 0.0), 0.014),
            rgb(0x0060_3828),
        );
    }
    let brow = |p: Vec2| {
        capsule(
            side(p),
            Vec2::new(0.06, -0.49),
            Vec2::new(0.18, -0.5),
            0.026,
        )
    };
    canvas.cushion(brow, |_| rgb(BEARD), look(0.02));
}

fn crown(canvas: &mut Canvas) {
    let gold = Cushion {
        gloss: 0.9,
        contrast: 0.9,
        ..look(0.05)
    };
    let cap = |p: Vec2| ellipse(p - Vec2::new(0.0, -0.66), Vec2::new(0.22, 0.16));
    canvas.cushion(cap, |_| rgb(0x00b8_1a34), look(0.15));
    let points = [
        (-0.27, -0.56),
        (-0.34, -0.84),
        (-0.16, -0.7),
        (0.0, -0.92),
        (0.16, -0.7),
        (0.34, -0.84),
        (0.27, -0.56),
    ];
    let points = points.map(Vec2::from);
    canvas.cushion(
        move |p| polygon(p, &points) - 0.015,
        |_| rgb(0x00ff_c83c),
        gold,
    );
    canvas.cushion(
        |p| rounded_box(p - Vec2::new(0.0, -0.56), Vec2::new(0.29, 0.045), 0.03),
        |_| rgb(0x00ff_d45a),
        gold,
    );
    for (x, hue) in [
        (-0.17, 0x0030_8ae8),
        (0.0, 0x00e8_2a3a),
        (0.17, 0x0030_b858),
    ] {
        canvas.cushion(
            move |p| circle(p - Vec2::new(x, -0.56), 0.032),
            move |_| rgb(hue),
            gold,
        );
    }
    for (x, y) in [(-0.34, -0.86), (0.0, -0.94), (0.34, -0.86)] {
        canvas.cushion(
            move |p| circle(p - Vec2::new(x, y), 0.035),
            |_| rgb(0x00ff_e8a0),
            gold,
        );
    }
}
