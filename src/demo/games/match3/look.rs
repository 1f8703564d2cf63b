//! Sprites of the sweets, the board, the mascot and the landscape.

use glam::{Vec2, Vec3, Vec4};

use crate::kit::atlas::{Atlas, Sprite, image, sheet};
use crate::kit::motion::heading;
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::shape::{
    capsule, circle, ellipse, heart, join, polygon, rounded_box, star, turned, without,
};
use crate::procedural::{Noise, smooth_step};
use azulejo_scene::TextureImage;

/// Sprites of the board.
#[derive(Debug)]
pub(super) struct Sweets {
    /// Sprites by kind of sweet.
    pub(super) kinds: Vec<Sprite>,
    /// Linear RGB by kind.
    pub(super) colors: [Vec3; 6],
    /// Light and dark cells.
    pub(super) tiles: [Sprite; 2],
    /// Frame around the board's cells.
    pub(super) frame: Sprite,
    /// Eyes open, eyes shut.
    pub(super) mascot: [Sprite; 2],
    /// Shadow on the ground below the mascot.
    pub(super) ground_shadow: Sprite,
}

/// Texels of a sweet's edge.
const SWEET: u32 = 128;

/// Paints the board's atlas.
pub(super) fn sweets() -> (Sweets, Atlas) {
    let codes = [
        0x00ff_3b5c,
        0x00ff_8a1e,
        0x00ff_d21f,
        0x0046_c93a,
        0x0033_9dff,
        0x00b2_4bff,
    ];
    sheet("sweets", 1024, |s| Sweets {
        kinds: (0..codes.len())
            .map(|kind| s.sprite(|| sweet(kind)))
            .collect(),
        colors: codes.map(|code| rgb(code).powf(2.2)),
        tiles: [0.42, 0.6].map(|alpha| s.sprite(|| tile(alpha))),
        frame: s.sprite(board_frame),
        mascot: [true, false].map(|eyes_open| s.sprite(|| mascot(eyes_open))),
        ground_shadow: s.sprite(shadow),
    })
}

fn sweet(kind: usize) -> Canvas {
    let mut canvas = Canvas::new(SWEET, SWEET);
    let look = Cushion {
        bevel: 0.42,
        outline: 0.055,
        contrast: 0.75,
        gloss: 0.75,
    };
    match kind {
        0 => body(
            &mut canvas,
            |p| heart(p * 0.92 - Vec2::Y * 0.04) / 0.92,
            0x00ff_3b5c,
            look,
        ),
        1 => {
            body(
                &mut canvas,
                |p| ellipse(turned(p, -0.09), Vec2::new(0.88, 0.62)),
                0x00ff_8a1e,
                look,
            );
            stripes(
                &mut canvas,
                |p| ellipse(turned(p, -0.09), Vec2::new(0.74, 0.48)),
                0x00ff_d9a0,
            );
        }
        2 => body(
            &mut canvas,
            |p| star(p - Vec2::Y * 0.05, 5, 0.86, 0.5) - 0.08,
            0x00ff_cb17,
            look,
        ),
        3 => {
            let square = |p: Vec2| rounded_box(turned(p, 0.02), Vec2::splat(0.72), 0.28);
            body(&mut canvas, square, 0x0046_c93a, look);
            let inset = Cushion {
                bevel: 0.16,
                outline: 0.02,
                ..look
            };
            canvas.cushion(
                |p| rounded_box(turned(p, 0.02), Vec2::splat(0.4), 0.16),
                |_| rgb(0x0085_ec5c),
                inset,
            );
        }
        4 => body(&mut canvas, drop_shape, 0x0033_9dff, look),
        _ => {
            body(&mut canvas, |p| circle(p, 0.8), 0x00b2_4bff, look);
            swirl(&mut canvas);
        }
    }
    shine(&mut canvas);
    canvas
}

fn drop_shape(p: Vec2) -> f32 {
    let tip = capsule(p, Vec2::new(0.0, -0.78), Vec2::new(0.0, -0.3), 0.07);
    join(circle(p - Vec2::Y * 0.2, 0.62), tip, 0.62)
}

/// The lit shape with its shadow.
fn body(canvas: &mut Canvas, shape: impl Fn(Vec2) -> f32 + Sync, code: u32, look: Cushion) {
    canvas.shadow(&shape, Vec2::new(0.02, 0.1), 0.09, 0.45);
    let color = rgb(code);
    // Sugar is clearer below, where light gathers.
    let gathered = |p: Vec2| color.lerp(Vec3::ONE, 0.28 * smooth_step(0.0, 0.8, p.y - 0.2 * p.x));
    canvas.cushion(shape, gathered, look);
}

fn stripes(canvas: &mut Canvas, shape: impl Fn(Vec2) -> f32 + Sync, code: u32) {
    let band = |p: Vec2| {
        let along = turned(p, -0.09).x * 2.1 + 0.25 * p.y;
        ((along - along.round()).abs() - 0.2) / 2.1
    };
    canvas.fill(|p| shape(p).max(band(p)), |_| rgb(code).extend(0.75));
}

fn swirl(canvas: &mut Canvas) {
    let arm = |p: Vec2| {
        let turns = p.to_angle() / std::f32::consts::TAU * 3.0 + p.length() * 1.5;
        ((turns - turns.round()).abs() - 0.2) * 0.5 * p.length().max(0.1)
    };
    canvas.fill(
        |p| arm(p).max(circle(p, 0.62)),
        |_| rgb(0x00f2_d8ff).extend(0.8),
    );
}

/// The reflection of a window.
fn shine(canvas: &mut Canvas) {
    let spot = |p: Vec2| {
        ellipse(
            turned(p - Vec2::new(-0.3, -0.36), 0.1),
            Vec2::new(0.26, 0.13),
        )
    };
    canvas.fill(spot, |p| {
        Vec4::new(1.0, 1.0, 1.0, 0.62 - 0.9 * (p.y + 0.36))
    });
    canvas.fill(
        |p| circle(p - Vec2::new(0.36, 0.36), 0.07),
        |_| Vec4::new(1.0, 1.0, 1.0, 0.35),
    );
}

fn tile(alpha: f32) -> Canvas {
    let mut canvas = Canvas::new(96, 96);
    canvas.fill(
        |p| rounded_box(p, Vec2::splat(0.97), 0.2),
        |p| rgb(0x0030_1a66).extend(alpha + 0.06 * p.y),
    );
    canvas
}

fn board_frame() -> Canvas {
    let mut canvas = Canvas::new(192, 192);
    let outer = |p: Vec2| rounded_box(p, Vec2::splat(0.95), 0.3);
    let inner = |p: Vec2| rounded_box(p, Vec2::splat(0.76), 0.16);
    canvas.fill(inner, |_| rgb(0x0046_2b8c).extend(0.72));
    let rim = |p: Vec2| without(outer(p), inner(p));
    canvas.shadow(rim, Vec2::new(0.0, 0.04), 0.05, 0.6);
    let look = Cushion {
        bevel: 0.1,
        outline: 0.02,
        contrast: 0.6,
        gloss: 0.5,
    };
    // A candy cane.
    let cane = |p: Vec2| {
        let along = (p.x + p.y) * 3.0;
        if (along - along.floor()) < 0.5 {
            rgb(0x00ff_5f8f)
        } else {
            rgb(0x00ff_f3f6)
        }
    };
    canvas.cushion(rim, cane, look);
    canvas
}

/// A round bear cub in a scarf.
fn mascot(eyes_open: bool) -> Canvas {
    let mut canvas = Canvas::new(232, 288);
    let fur = rgb(FUR);
    let light = rgb(LIGHT_FUR);
    let look = Cushion {
        bevel: 0.3,
        outline: 0.025,
        contrast: 0.6,
        gloss: 0.12,
    };
    let side = |p: Vec2| Vec2::new(p.x.abs(), p.y);
    canvas.cushion(
        |p| ellipse(side(p) - Vec2::new(0.3, 0.86), Vec2::new(0.24, 0.13)),
        |_| fur * 0.9,
        look,
    );
    canvas.cushion(
        |p| ellipse(p - Vec2::new(0.0, 0.45), Vec2::new(0.5, 0.5)),
        |_| fur,
        look,
    );
    let arm = |p: Vec2| capsule(side(p), Vec2::new(0.42, 0.2), Vec2::new(0.6, 0.52), 0.12);
    canvas.cushion(arm, |_| fur, look);
    let belly = Cushion {
        outline: 0.0,
        ..look
    };
    canvas.cushion(
        |p| ellipse(p - Vec2::new(0.0, 0.52), Vec2::new(0.32, 0.34)),
        |_| light,
        belly,
    );
    face(&mut canvas, eyes_open, look);
    scarf(&mut canvas, look);
    canvas
}

const FUR: u32 = 0x00c9_7f42;
const LIGHT_FUR: u32 = 0x00f6_d3a0;

fn face(canvas: &mut Canvas, eyes_open: bool, look: Cushion) {
    let (fur, light) = (rgb(FUR), rgb(LIGHT_FUR));
    let belly = Cushion {
        outline: 0.0,
        ..look
    };
    let side = |p: Vec2| Vec2::new(p.x.abs(), p.y);
    canvas.cushion(
        |p| circle(side(p) - Vec2::new(0.44, -0.78), 0.18),
        |_| fur,
        look,
    );
    canvas.flat(
        |p| circle(side(p) - Vec2::new(0.44, -0.77), 0.1),
        rgb(0x00e6_9c7a),
    );
    canvas.cushion(
        |p| ellipse(p - Vec2::new(0.0, -0.36), Vec2::new(0.64, 0.54)),
        |_| fur,
        look,
    );
    canvas.cushion(
        |p| ellipse(p - Vec2::new(0.0, -0.2), Vec2::new(0.32, 0.25)),
        |_| light,
        belly,
    );
    canvas.cushion(
        |p| ellipse(p - Vec2::new(0.0, -0.32), Vec2::new(0.12, 0.08)),
        |_| rgb(0x0046_2a24),
        Cushion {
            gloss: 0.9,
            outline: 0.0,
            bevel: 0.1,
            ..look
        },
    );
    let smile = |p: Vec2| {
        let ring = circle(p - Vec2::new(0.0, -0.26), 0.16).abs() - 0.018;
        ring.max(-0.2 - p.y + 0.04)
    };
    canvas.flat(smile, rgb(0x0046_2a24));
    canvas.fill(
        |p| ellipse(side(p) - Vec2::new(0.42, -0.2), Vec2::new(0.12, 0.08)),
        |_| rgb(0x00ff_7d7d).extend(0.5),
    );
    eyes(canvas, eyes_open);
}

fn eyes(canvas: &mut Canvas, open: bool) {
    let side = |p: Vec2| Vec2::new(p.x.abs(), p.y);
    if open {
        canvas.flat(
            |p| ellipse(side(p) - Vec2::new(0.25, -0.46), Vec2::new(0.1, 0.13)),
            rgb(0x0030_1c1a),
        );
        canvas.flat(
            |p| {
                circle(
                    Vec2::new(p.x.abs() - 0.25, p.y + 0.5) - Vec2::new(-0.03, 0.0),
                    0.04,
                )
            },
            Vec3::ONE,
        );
    } else {
        let lid =
            |p: Vec2| (circle(side(p) - Vec2::new(0.25, -0.5), 0.1).abs() - 0.02).max(-0.48 - p.y);
        canvas.flat(lid, rgb(0x0030_1c1a));
    }
}

fn scarf(canvas: &mut Canvas, look: Cushion) {
    let scarf = |p: Vec2| {
        let ring = ellipse(p - Vec2::new(0.0, 0.1), Vec2::new(0.46, 0.13));
        join(
            ring,
            capsule(p, Vec2::new(0.26, 0.16), Vec2::new(0.33, 0.46), 0.09),
            0.1,
        )
    };
    let wool = |p: Vec2| {
        let band = (p.x * 4.0 + p.y * 3.0).rem_euclid(1.0);
        if band < 0.5 {
            rgb(0x00e8_3d52)
        } else {
            rgb(0x00fd_eedd)
        }
    };
    canvas.cushion(scarf, wool, Cushion { bevel: 0.1, ..look });
}

fn shadow() -> Canvas {
    let mut canvas = Canvas::new(96, 32);
    canvas.wash(|p| {
        let t = (1.0 - (p / Vec2::new(2.9, 0.95)).length()).clamp(0.0, 1.0);
        rgb(0x0014_2a1c).extend(0.6 * smooth_step(0.0, 0.8, t))
    });
    canvas
}

/// Hills of cake under a morning sky.
pub(super) fn landscape(seed: u32) -> TextureImage {
    let mut canvas = Canvas::new(640, 360);
    let soft = Noise::tiling(seed ^ 0x77, 64);
    canvas.wash(|p| {
        let t = smooth_step(-1.0, 0.5, p.y);
        let sky = rgb(0x004a_a8ff).lerp(rgb(0x00ff_e3f1), t);
        let sun = (1.0 - (p - Vec2::new(1.25, -0.7)).length() / 1.4).clamp(0.0, 1.0);
        sky.lerp(rgb(0x00ff_f6c8), 0.7 * sun * sun).extend(1.0)
    });
    for (x, y, size) in [
        (-1.3, -0.72, 0.2),
        (-0.2, -0.84, 0.13),
        (0.75, -0.62, 0.24),
        (1.55, -0.3, 0.12),
        (-0.75, -0.42, 0.1),
    ] {
        cloud(&mut canvas, Vec2::new(x, y), size);
    }
    // From far to near: height, swing, colour, icing.
    let hills = [
        (0.02, 0.16, 0.9, 0x00b9_a2f0, 0x00e9_dcff),
        (0.22, 0.14, 1.5, 0x0086_c9e8, 0x00f4_ffff),
        (0.44, 0.1, 2.1, 0x0079_cf6a, 0x00c2_f59a),
        (0.74, 0.07, 1.1, 0x0048_ab4e, 0x008b_e070),
    ];
    for (number, (top, swing, pace, ground, icing)) in (0_u32..).zip(hills) {
        let crest = move |x: f32| {
            let phase = number as f32 * 1.9 + seed as f32 * 0.37;
            top + swing * (x * pace * 1.7 + phase).sin()
                + 0.4 * swing * (x * pace * 4.1 + 2.0 * phase).sin()
        };
        hill(&mut canvas, crest, rgb(ground), rgb(icing), soft);
        trees(&mut canvas, crest, number, seed);
    }
    image("landscape", &canvas)
}

fn cloud(canvas: &mut Canvas, at: Vec2, size: f32) {
    let shape = |p: Vec2| {
        let q = (p - at) / size;
        let puffs = [
            (-1.0, 0.1, 0.55),
            (-0.35, -0.3, 0.75),
            (0.45, -0.2, 0.65),
            (1.1, 0.12, 0.5),
        ];
        let puff = puffs
            .iter()
            .map(|&(x, y, r)| circle(q - Vec2::new(x, y), r));
        let base = rounded_box(q - Vec2::new(0.05, 0.3), Vec2::new(1.5, 0.3), 0.3);
        puff.fold(base, |a, b| join(a, b, 0.2)) * size
    };
    let look = Cushion {
        bevel: size * 0.7,
        outline: 0.0,
        contrast: 0.22,
        gloss: 0.0,
    };
    canvas.cushion(
        shape,
        |p| rgb(0x00ff_ffff).lerp(rgb(0x00cf_dcff), smooth_step(at.y - size, at.y + size, p.y)),
        look,
    );
}

fn hill(
    canvas: &mut Canvas,
    crest: impl Fn(f32) -> f32 + Sync,
    ground: Vec3,
    icing: Vec3,
    soft: Noise,
) {
    canvas.fill(
        |p| (crest(p.x) - p.y) * 0.8,
        |p| {
            let below = p.y - crest(p.x);
            // Icing runs down in drips.
            let drip = 0.05 + 0.07 * soft.value(Vec2::new(p.x * 7.0 + 20.0, 3.0));
            let grain = soft.fractal(p * 9.0 + 30.0, 4);
            let color = ground * (0.86 + 0.3 * grain) * (1.0 - 0.25 * smooth_step(0.0, 0.6, below));
            let edge = smooth_step(0.006, -0.006, below - drip);
            let sprinkle = soft.cells(p * 14.0 + 20.0);
            let dots =
                smooth_step(0.16, 0.11, sprinkle.nearest) * smooth_step(drip, drip + 0.05, below);
            let hue = [rgb(0x00ff_6fa8), rgb(0x00ff_e066), rgb(0x006e_d8ff)]
                [(sprinkle.id * 2.99) as usize];
            color.lerp(icing, edge).lerp(hue, 0.75 * dots).extend(1.0)
        },
    );
}

/// Lollipops and firs on a crest.
fn trees(canvas: &mut Canvas, crest: impl Fn(f32) -> f32 + Sync, number: u32, seed: u32) {
    let size = 0.05 + 0.035 * number as f32;
    for k in 0..7 - number {
        let random = |salt: i32| crate::procedural::random(k as i32, salt, seed ^ number);
        let x = -1.7 + 3.4 * (k as f32 + 0.8 * random(1)) / (7 - number) as f32;
        let foot = Vec2::new(x, crest(x) + 0.01);
        let top = foot - Vec2::Y * size * (2.3 + random(2));
        canvas.cushion(
            |p| capsule(p, foot, top, size * 0.12),
            |_| rgb(0x00ff_f4e4),
            Cushion {
                bevel: size * 0.1,
                outline: size * 0.04,
                ..Cushion::default()
            },
        );
        let hue = [0x00ff_5f8f, 0x00ff_b02e, 0x0063_c7ff, 0x00a9_6bff][(random(3) * 3.99) as usize];
        let look = Cushion {
            bevel: size * 0.6,
            outline: size * 0.08,
            ..Cushion::default()
        };
        if random(4) < 0.6 {
            let rings = |p: Vec2| {
                let q = (p - top) / size;
                let turns = q.to_angle() / std::f32::consts::TAU + q.length() * 1.4;
                if (turns - turns.floor()) < 0.5 {
                    rgb(hue)
                } else {
                    rgb(0x00ff_f7fb)
                }
            };
            canvas.cushion(|p| circle(p - top, size), rings, look);
        } else {
            let fir = [heading(-0.25) * 1.5, heading(0.12), heading(0.38)]
                .map(|corner| top + corner * size);
            canvas.cushion(
                |p| polygon(p, &fir) - size * 0.25,
                |_| rgb(0x0037_b58a),
                look,
            );
        }
    }
}
