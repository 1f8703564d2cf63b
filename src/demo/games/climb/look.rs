//! Sprites of the car, the things beside the road and the instruments.

use glam::{Vec2, Vec3};

use crate::kit::atlas::{Atlas, Sheet, Sprite, sheet};
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::scenery;
use crate::kit::shape::{capsule, circle, ellipse, join, polygon, rounded_box, without};
use crate::procedural::{Noise, lerp, smooth_step};

/// Sprites of the road's layer.
#[derive(Debug)]
pub(super) struct Props {
    /// The chassis with its driver.
    pub(super) car: Sprite,
    /// A wheel of the jeep.
    pub(super) wheel: Sprite,
    /// An oak, a fir, a bush, a rock, a signpost: what stands beside the road.
    pub(super) roadside: [Sprite; 5],
    /// A can of petrol.
    pub(super) can: Sprite,
    /// A puff of dust.
    pub(super) dust: Sprite,
    /// Tall grass before the road.
    pub(super) tuft: Sprite,
}

/// Paints the atlas of the road's layer.
pub(super) fn props() -> (Props, Atlas) {
    sheet("roadside", 512, |s| Props {
        car: s.sprite(car),
        wheel: s.sprite(wheel),
        roadside: [
            s.sprite(|| scenery::oak(168)),
            s.sprite(|| scenery::fir(170)),
            s.sprite(|| scenery::bush(72)),
            s.sprite(|| scenery::rock(72)),
            s.sprite(signpost),
        ],
        can: s.sprite(can),
        dust: s.sprite(|| scenery::dust(64)),
        tuft: s.sprite(|| scenery::tuft(52)),
    })
}

/// Sprites of the display.
#[derive(Debug, Clone, Copy)]
pub(super) struct Instruments {
    /// Brake pedal, the left one.
    pub(super) brake: Sprite,
    /// Gas pedal, the right one.
    pub(super) gas: Sprite,
    pub(super) dial: Sprite,
    pub(super) needle: Sprite,
}

impl Instruments {
    /// Paints the sprites into a sheet.
    pub(super) fn new(s: &mut Sheet) -> Self {
        Self {
            brake: s.sprite(|| pedal(0.72, 0x0064_6b78)),
            gas: s.sprite(|| pedal(0.95, 0x0083_8b99)),
            dial: s.sprite(dial),
            needle: s.sprite(needle),
        }
    }
}

fn car() -> Canvas {
    let mut canvas = Canvas::new(198, 134);
    driver(&mut canvas);
    let red = rgb(0x00e8_3a2c);
    let hull = [
        (-1.36, -0.02),
        (-0.5, -0.06),
        (-0.36, 0.16),
        (0.22, 0.16),
        (0.36, -0.02),
        (1.18, 0.1),
        (1.3, 0.46),
        (-1.3, 0.5),
    ]
    .map(Vec2::from);
    let arches = |p: Vec2| {
        circle(p - Vec2::new(-0.8, 0.72), 0.4).min(circle(p - Vec2::new(0.83, 0.72), 0.4))
    };
    let frame = |p: Vec2| rounded_box(p - Vec2::new(0.0, 0.56), Vec2::new(1.22, 0.1), 0.08);
    canvas.cushion(frame, |_| rgb(0x003b_3f4a), Cushion::DULL);
    let body = |p: Vec2| without(polygon(p, &hull) - 0.09, arches(p));
    canvas.cushion(
        body,
        |p| red * (1.08 - 0.3 * smooth_step(-0.1, 0.6, p.y)),
        Cushion::PAINTED,
    );
    let stripe = |p: Vec2| body(p).max((p.y - 0.3 - 0.02 * p.x).abs() - 0.05) + 0.03;
    canvas.flat(stripe, rgb(0x00ff_f2dc));
    let rim = |p: Vec2| without(arches(p) - 0.06, arches(p)).max(p.y - 0.62);
    canvas.flat(rim, rgb(0x002b_2d36));
    let screen = |p: Vec2| capsule(p, Vec2::new(0.36, -0.02), Vec2::new(0.2, -0.48), 0.035);
    canvas.flat(screen, rgb(0x002b_2d36));
    let lamp = |p: Vec2| ellipse(p - Vec2::new(1.24, 0.2), Vec2::new(0.1, 0.13));
    canvas.cushion(lamp, |_| rgb(0x00ff_f0a0), Cushion::PAINTED);
    let spare = |p: Vec2| circle(p - Vec2::new(-1.18, -0.16), 0.25);
    canvas.cushion(spare, |_| rgb(0x0034_363f), Cushion::DULL);
    canvas.flat(
        |p| circle(p - Vec2::new(-1.18, -0.16), 0.1),
        rgb(0x00b9_c0cb),
    );
    let bar = |p: Vec2| {
        let rear = capsule(p, Vec2::new(-0.74, 0.0), Vec2::new(-0.62, -0.78), 0.045);
        rear.min(capsule(
            p,
            Vec2::new(-0.62, -0.78),
            Vec2::new(-0.2, -0.84),
            0.045,
        ))
    };
    canvas.cushion(bar, |_| rgb(0x0055_5b68), Cushion::PAINTED);
    canvas
}

fn driver(canvas: &mut Canvas) {
    let at = Vec2::new(-0.2, -0.4);
    let jacket = |p: Vec2| ellipse(p - Vec2::new(-0.26, 0.04), Vec2::new(0.26, 0.34));
    canvas.cushion(jacket, |_| rgb(0x002f_6fd0), Cushion::DULL);
    let arm = |p: Vec2| capsule(p, Vec2::new(-0.18, -0.02), Vec2::new(0.2, 0.06), 0.08);
    let face = |p: Vec2| ellipse(p - at, Vec2::new(0.25, 0.27));
    canvas.cushion(face, |_| rgb(0x00f4_be92), Cushion::DULL);
    let nose = |p: Vec2| circle(p - at - Vec2::new(0.26, 0.05), 0.075);
    canvas.cushion(nose, |_| rgb(0x00ef_a87c), Cushion::DULL);
    let beard = |p: Vec2| {
        without(
            ellipse(p - at - Vec2::new(0.03, 0.14), Vec2::new(0.24, 0.19)),
            p.y - at.y - 0.08 - 0.3 * (at.x + 0.1 - p.x).max(0.0),
        )
        .max(at.y + 0.1 - p.y)
    };
    canvas.cushion(beard, |_| rgb(0x007a_4526), Cushion::DULL);
    let eye = |p: Vec2| ellipse(p - at - Vec2::new(0.13, -0.05), Vec2::new(0.07, 0.085));
    canvas.flat(eye, Vec3::ONE);
    canvas.flat(
        |p| circle(p - at - Vec2::new(0.155, -0.04), 0.036),
        rgb(0x0024_1c22),
    );
    let cap = |p: Vec2| {
        let dome = ellipse(p - at - Vec2::new(-0.02, -0.1), Vec2::new(0.29, 0.27));
        let peak = capsule(
            p,
            at + Vec2::new(0.1, -0.14),
            at + Vec2::new(0.38, -0.13),
            0.045,
        );
        dome.max(p.y - at.y + 0.15).min(peak)
    };
    canvas.cushion(cap, |_| rgb(0x00ff_c22a), Cushion::PAINTED);
    canvas.cushion(arm, |_| rgb(0x002a_62bc), Cushion::DULL);
}

fn wheel() -> Canvas {
    let mut canvas = Canvas::new(72, 72);
    let tread = |p: Vec2| {
        let turns = p.to_angle() / std::f32::consts::TAU * 18.0;
        circle(p, 0.92) + 0.06 * smooth_step(0.2, 0.3, (turns - turns.round()).abs())
    };
    let look = Cushion {
        bevel: 0.3,
        outline: 0.03,
        ..Cushion::DULL
    };
    canvas.cushion(tread, |_| rgb(0x003a_3b45), look);
    canvas.cushion(|p| circle(p, 0.52), |_| rgb(0x00c4_ccd8), Cushion::PAINTED);
    let holes = |p: Vec2| {
        let sector = std::f32::consts::TAU / 5.0;
        let angle = p.to_angle();
        let near = Vec2::from_angle((angle / sector).round() * sector) * 0.31;
        circle(p - near, 0.1)
    };
    canvas.flat(holes, rgb(0x003c_404b));
    canvas.cushion(|p| circle(p, 0.12), |_| rgb(0x00e8_3a2c), Cushion::PAINTED);
    canvas
}

fn signpost() -> Canvas {
    let mut canvas = Canvas::new(96, 108);
    let wood = Noise::tiling(53, 64);
    let plank =
        |p: Vec2| rgb(0x00c0_8848) * (0.8 + 0.35 * wood.value(p * Vec2::new(3.0, 20.0) + 16.0));
    let post = |p: Vec2| rounded_box(p - Vec2::new(0.0, 0.35), Vec2::new(0.1, 0.66), 0.05);
    canvas.cushion(post, plank, Cushion::DULL);
    let board = [
        (-0.8, -0.72),
        (0.46, -0.72),
        (0.82, -0.4),
        (0.46, -0.08),
        (-0.8, -0.08),
    ];
    let board = board.map(Vec2::from);
    canvas.cushion(|p| polygon(p, &board) - 0.04, plank, Cushion::DULL);
    let arrow = |p: Vec2| {
        let (tip, shaft) = (Vec2::new(0.42, -0.4), Vec2::new(-0.5, -0.4));
        let side = capsule(
            Vec2::new(p.x, -0.4 - (p.y + 0.4).abs()),
            tip,
            Vec2::new(0.18, -0.58),
            0.06,
        );
        capsule(p, shaft, tip, 0.06).min(side)
    };
    canvas.flat(arrow, rgb(0x00ff_f4dc));
    canvas
}

fn can() -> Canvas {
    let mut canvas = Canvas::new(84, 98);
    let body = |p: Vec2| rounded_box(p - Vec2::new(0.0, 0.16), Vec2::new(0.66, 0.76), 0.16);
    let handle = |p: Vec2| {
        let ring = rounded_box(p - Vec2::new(-0.12, -0.66), Vec2::new(0.4, 0.2), 0.1);
        ring.abs() - 0.07
    };
    canvas.cushion(handle, |_| rgb(0x00b0_2418), Cushion::PAINTED);
    let spout = |p: Vec2| capsule(p, Vec2::new(0.46, -0.5), Vec2::new(0.66, -0.8), 0.12);
    canvas.cushion(spout, |_| rgb(0x0044_464f), Cushion::PAINTED);
    canvas.cushion(body, |_| rgb(0x00e6_3022), Cushion::PAINTED);
    let cross = |p: Vec2| {
        let q = Vec2::new(p.x.abs(), (p.y - 0.16).abs());
        (capsule(q, Vec2::ZERO, Vec2::new(0.42, 0.5), 0.05)).max(body(p) + 0.1)
    };
    canvas.fill(cross, |_| rgb(0x0082_1710).extend(0.8));
    let drop = |p: Vec2| {
        let q = p - Vec2::new(0.0, 0.22);
        join(
            circle(q, 0.2),
            capsule(q, Vec2::new(0.0, -0.34), Vec2::ZERO, 0.02),
            0.25,
        )
    };
    canvas.cushion(drop, |_| rgb(0x00ff_d23c), Cushion::PAINTED);
    canvas
}

fn pedal(light: f32, code: u32) -> Canvas {
    let mut canvas = Canvas::new(84, 98);
    let plate = |p: Vec2| rounded_box(p, Vec2::new(0.62, 0.92), 0.2);
    canvas.cushion(plate, |_| rgb(code), Cushion::PAINTED);
    let rubber = |p: Vec2| rounded_box(p, Vec2::new(0.46, 0.74), 0.12);
    let ribs = |p: Vec2| {
        let along = p.y * 4.5;
        let ridge = smooth_step(0.3, 0.2, (along - along.round()).abs());
        rgb(0x002a_2c35) * (light + 0.6 * ridge)
    };
    canvas.fill(rubber, |p| ribs(p).extend(1.0));
    canvas
}

fn dial() -> Canvas {
    let mut canvas = Canvas::new(104, 104);
    canvas.cushion(|p| circle(p, 0.96), |_| rgb(0x00b4_bac6), Cushion::PAINTED);
    canvas.fill(
        |p| circle(p, 0.82),
        |p| (rgb(0x001d_2029) * (1.2 - 0.4 * p.y)).extend(1.0),
    );
    for mark in 0..11 {
        let at = Vec2::from_angle(std::f32::consts::TAU * lerp(0.36, 1.14, mark as f32 / 10.0));
        let color = if mark > 7 {
            rgb(0x00ff_4a3a)
        } else {
            rgb(0x00f0_f2f8)
        };
        let inner = if mark % 2 == 0 { 0.58 } else { 0.66 };
        canvas.flat(|p| capsule(p, at * inner, at * 0.74, 0.024), color);
    }
    canvas
}

fn needle() -> Canvas {
    let mut canvas = Canvas::new(108, 30);
    let shape = |p: Vec2| {
        let width = 0.26 * smooth_step(3.4, -0.6, p.x) + 0.03;
        capsule(p, Vec2::new(-0.6, 0.0), Vec2::new(2.6, 0.0), width)
    };
    canvas.cushion(shape, |_| rgb(0x00ff_5a3c), Cushion::PAINTED);
    canvas.cushion(|p| circle(p, 0.5), |_| rgb(0x00d8_dce4), Cushion::PAINTED);
    canvas
}
