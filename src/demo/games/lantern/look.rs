//! The cave's sprites: lit from the lantern, everything else is left to the dark.

use glam::{Vec2, Vec3};

use crate::kit::atlas::{Atlas, Sprite, sheet};
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::shape::{capsule, circle, ellipse, join, polygon, rounded_box};
use crate::procedural::{Noise, smooth_step};

/// Sprites of the cave.
#[derive(Debug)]
pub(super) struct Cave {
    /// The light on the wall behind the lantern.
    pub(super) light: Sprite,
    pub(super) hill: Sprite,
    pub(super) stalactite: Sprite,
    pub(super) mushroom: Sprite,
    pub(super) post: Sprite,
    /// Eyes open, eyes shut.
    pub(super) guards: [Sprite; 2],
    pub(super) gunner: Sprite,
    /// Two steps of its walk.
    pub(super) monster: [Sprite; 2],
    /// The monster's eyes alone, which glow in the dark.
    pub(super) eyes: Sprite,
}

/// Paints the cave's atlas.
pub(super) fn cave(seed: u32) -> (Cave, Atlas) {
    sheet("cave", 1024, |s| Cave {
        light: s.sprite(|| light(seed)),
        hill: s.sprite(|| hill(seed)),
        stalactite: s.sprite(|| stalactite(seed)),
        mushroom: s.sprite(mushroom),
        post: s.sprite(post),
        guards: [
            s.sprite(|| guard(true, false)),
            s.sprite(|| guard(false, false)),
        ],
        gunner: s.sprite(|| guard(true, true)),
        monster: [s.sprite(|| monster(0.0)), s.sprite(|| monster(1.0))],
        eyes: s.sprite(eyes),
    })
}

/// Rock in lamplight that fades outwards.
fn light(seed: u32) -> Canvas {
    let mut canvas = Canvas::new(160, 120);
    let rock = Noise::tiling(seed ^ 0x10c4, 64);
    canvas.wash(|p| {
        let at = p * 5.0 + 20.0;
        let cells = rock.cells(at + rock.offset(at * 1.3) * 0.35);
        let crack = smooth_step(0.0, 0.24, cells.second - cells.nearest);
        let tone = (0.35 + 0.4 * rock.fractal(at, 4) + 0.2 * cells.id) * (0.35 + 0.65 * crack);
        let reach = 1.0 - (p / Vec2::new(1.28, 0.96)).length();
        let near = smooth_step(0.0, 0.95, reach);
        (rgb(0x00e0_9238) * tone * (0.5 + 0.7 * near)).extend(near * 0.85)
    });
    canvas
}

/// Mound below the figures.
fn hill(seed: u32) -> Canvas {
    let mut canvas = Canvas::new(320, 75);
    let rock = Noise::tiling(seed ^ 0x0b11, 128);
    let top = |x: f32| -0.67 + 0.6 * (x / 4.27) * (x / 4.27);
    canvas.fill(
        |p| (top(p.x) + 0.05 * rock.value(Vec2::new(p.x * 9.0 + 50.0, 1.0)) - p.y) * 0.9,
        |p| {
            let depth = p.y - top(p.x);
            let at = Vec2::new(p.x * 4.0, p.y * 5.0) + 30.0;
            let cells = rock.cells(at + rock.offset(at) * 0.3);
            let crack = smooth_step(0.0, 0.3, cells.second - cells.nearest);
            let tone =
                (0.5 + 0.35 * rock.fractal(at * 2.0, 4) + 0.25 * cells.id) * (0.3 + 0.7 * crack);
            let moss = smooth_step(0.16, 0.0, depth - 0.1 * rock.value(at * 3.0));
            let color = rgb(0x008a_5f3c).lerp(rgb(0x00a4_9a3e), moss);
            // Light falls off to the sides and downwards.
            let lit = (1.0 - (p.x.abs() / 4.0)).max(0.0).powf(1.4) * (1.0 - 0.5 * depth).max(0.0);
            (color * tone * (0.1 + 1.25 * lit))
                .extend(smooth_step(1.65, 0.5, depth) * smooth_step(4.25, 3.2, p.x.abs()))
        },
    );
    canvas
}

fn stalactite(seed: u32) -> Canvas {
    let mut canvas = Canvas::new(45, 120);
    let rock = Noise::tiling(seed ^ 0x57, 64);
    let shape = |p: Vec2| {
        let wide = 0.34 * (1.0 - (p.y + 1.0) * 0.5).powf(1.4);
        (p.x.abs() - wide + 0.03 * rock.value(p * 9.0 + 20.0)).max(p.y - 0.95)
    };
    let look = Cushion {
        bevel: 0.2,
        outline: 0.0,
        contrast: 0.8,
        gloss: 0.1,
    };
    canvas.cushion(
        shape,
        |p| {
            rgb(0x0066_4a36)
                * (0.5 + 0.6 * rock.fractal(p * 7.0 + 20.0, 3))
                * (0.3 + 0.35 * (p.y + 1.0))
        },
        look,
    );
    canvas
}

fn mushroom() -> Canvas {
    let mut canvas = Canvas::new(49, 56);
    let look = Cushion {
        bevel: 0.3,
        outline: 0.06,
        ..Cushion::default()
    };
    canvas.cushion(
        |p| capsule(p, Vec2::new(0.0, 0.8), Vec2::new(0.0, 0.0), 0.17),
        |_| rgb(0x00d9_c6a0),
        look,
    );
    canvas.cushion(
        |p| ellipse(p, Vec2::new(0.78, 0.72)).max(p.y - 0.12),
        |_| rgb(0x0058_9fb8),
        look,
    );
    for (x, y, r) in [(-0.35, -0.25, 0.12), (0.2, -0.4, 0.15), (0.45, -0.08, 0.08)] {
        canvas.flat(|p| circle(p - Vec2::new(x, y), r), rgb(0x00d6_f4f2));
    }
    canvas
}

/// A crooked post with the lantern on a hook.
fn post() -> Canvas {
    let mut canvas = Canvas::new(92, 184);
    let wood = Cushion {
        bevel: 0.06,
        outline: 0.012,
        contrast: 0.9,
        gloss: 0.05,
    };
    let stem = |p: Vec2| {
        let trunk = capsule(p, Vec2::new(0.16, 1.0), Vec2::new(0.22, -0.75), 0.045);
        let arm = capsule(p, Vec2::new(0.22, -0.72), Vec2::new(-0.2, -0.82), 0.035);
        let brace = capsule(p, Vec2::new(0.2, -0.45), Vec2::new(-0.02, -0.76), 0.022);
        join(join(trunk, arm, 0.06), brace, 0.04)
    };
    canvas.cushion(
        stem,
        |p| rgb(0x0084_5a34) * (0.85 + 0.2 * (p.y * 31.0).sin().abs()),
        wood,
    );
    canvas.flat(
        |p| capsule(p, Vec2::new(-0.19, -0.8), Vec2::new(-0.19, -0.56), 0.01),
        rgb(0x0050_4a44),
    );
    let glass = |p: Vec2| rounded_box(p - Vec2::new(-0.19, -0.32), Vec2::new(0.12, 0.17), 0.05);
    canvas.glow(glass, rgb(0x00ff_c45a), 0.2, 0.6);
    canvas.fill(glass, |p| {
        let t = 1.0 - (p - Vec2::new(-0.19, -0.28)).length() / 0.2;
        rgb(0x00ff_a21e)
            .lerp(rgb(0x00ff_fbd8), t.clamp(0.0, 1.0))
            .extend(1.0)
    });
    let metal = Cushion {
        bevel: 0.04,
        outline: 0.01,
        contrast: 0.8,
        gloss: 0.6,
    };
    for y in [-0.51, -0.13] {
        canvas.cushion(
            |p| rounded_box(p - Vec2::new(-0.19, y), Vec2::new(0.15, 0.035), 0.03),
            |_| rgb(0x007a_6648),
            metal,
        );
    }
    for x in [-0.3, -0.19, -0.08] {
        canvas.flat(
            |p| capsule(p, Vec2::new(x, -0.5), Vec2::new(x, -0.14), 0.009),
            rgb(0x0048_3a2c),
        );
    }
    canvas
}

/// One of the small ones; with a pistol held to the right.
fn guard(eyes_open: bool, armed: bool) -> Canvas {
    let mut canvas = Canvas::new(80, 70);
    let body = rgb(0x00e9_a13a);
    let look = Cushion {
        bevel: 0.5,
        outline: 0.04,
        contrast: 0.9,
        gloss: 0.25,
    };
    let blob = |p: Vec2| {
        let round = ellipse(p - Vec2::new(0.0, 0.18), Vec2::new(0.66, 0.74));
        let ear = |x: f32| capsule(p, Vec2::new(x, -0.4), Vec2::new(x * 1.5, -0.82), 0.1);
        join(round, ear(-0.3).min(ear(0.3)), 0.2)
    };
    canvas.cushion(blob, |_| body, look);
    let feet = |p: Vec2| ellipse(Vec2::new(p.x.abs() - 0.34, p.y - 0.88), Vec2::new(0.2, 0.1));
    canvas.cushion(feet, |_| body * 0.7, Cushion { bevel: 0.1, ..look });
    let side = |p: Vec2| Vec2::new(p.x.abs() - 0.26, p.y);
    if eyes_open {
        canvas.flat(|p| circle(side(p), 0.22), rgb(0x002a_1610));
        canvas.flat(|p| circle(side(p), 0.19), Vec3::ONE);
        canvas.flat(
            |p| circle(side(p) - Vec2::new(-0.04, 0.04), 0.09),
            rgb(0x001a_1014),
        );
    } else {
        canvas.flat(
            |p| {
                capsule(
                    side(p),
                    Vec2::new(-0.16, 0.03),
                    Vec2::new(0.16, 0.03),
                    0.035,
                )
            },
            rgb(0x002a_1610),
        );
    }
    canvas.flat(
        |p| ellipse(p - Vec2::new(0.0, 0.42), Vec2::new(0.13, 0.08)),
        rgb(0x005a_1c14),
    );
    if armed {
        pistol(&mut canvas, body, look);
    }
    canvas
}

/// A pistol and the hand that holds it.
fn pistol(canvas: &mut Canvas, skin: Vec3, look: Cushion) {
    let gun = |p: Vec2| {
        let barrel = rounded_box(p - Vec2::new(0.82, 0.3), Vec2::new(0.26, 0.075), 0.03);
        barrel.min(rounded_box(
            p - Vec2::new(0.66, 0.44),
            Vec2::new(0.075, 0.15),
            0.03,
        ))
    };
    canvas.cushion(
        gun,
        |_| rgb(0x0082_8894),
        Cushion {
            bevel: 0.06,
            outline: 0.03,
            ..look
        },
    );
    canvas.cushion(
        |p| circle(p - Vec2::new(0.6, 0.42), 0.12),
        |_| skin,
        Cushion { bevel: 0.1, ..look },
    );
}

/// A hunched thing with teeth that walks to the right; `step` moves its legs.
fn monster(step: f32) -> Canvas {
    let mut canvas = Canvas::new(96, 96);
    let fur = rgb(0x0064_3a8c);
    let look = Cushion {
        bevel: 0.4,
        outline: 0.03,
        contrast: 0.9,
        gloss: 0.1,
    };
    let swing = 0.14 * (1.0 - 2.0 * step);
    for (x, way) in [(-0.3, 1.0), (0.3, -1.0)] {
        let leg =
            move |p: Vec2| capsule(p, Vec2::new(x, 0.4), Vec2::new(x + swing * way, 0.86), 0.12);
        canvas.cushion(
            leg,
            |_| fur * 0.75,
            Cushion {
                bevel: 0.12,
                ..look
            },
        );
    }
    let body = |p: Vec2| {
        let hump = join(
            ellipse(p - Vec2::new(-0.08, 0.05), Vec2::new(0.66, 0.62)),
            circle(p - Vec2::new(0.3, -0.2), 0.42),
            0.3,
        );
        let spikes = (0..5).map(|k| {
            let foot = Vec2::new(-0.6 + 0.24 * k as f32, -0.18 - 0.12 * k as f32);
            capsule(p, foot, foot + Vec2::new(-0.14, -0.26), 0.05)
        });
        spikes.fold(hump, |a, b| join(a, b, 0.08))
    };
    canvas.cushion(
        body,
        |p| fur * (0.85 + 0.15 * (p.x * 40.0 + (p.y * 23.0).sin() * 3.0).sin()),
        look,
    );
    let mouth = [(0.12, 0.06), (0.74, -0.06), (0.6, 0.24), (0.26, 0.28)].map(Vec2::from);
    canvas.flat(|p| polygon(p, &mouth) - 0.02, rgb(0x0026_0a20));
    for k in 0..4 {
        let x = 0.2 + 0.13 * k as f32;
        let tooth = [(x, 0.03), (x + 0.1, 0.01), (x + 0.05, 0.15)].map(Vec2::from);
        canvas.flat(|p| polygon(p, &tooth), rgb(0x00f4_ead0));
    }
    let arm = |p: Vec2| capsule(p, Vec2::new(0.1, 0.3), Vec2::new(0.62 - swing, 0.52), 0.09);
    canvas.cushion(arm, |_| fur, Cushion { bevel: 0.1, ..look });
    canvas
}

fn eyes() -> Canvas {
    let mut canvas = Canvas::new(96, 96);
    for (x, y, r) in [(0.22, -0.3, 0.1), (0.5, -0.32, 0.085)] {
        let at = Vec2::new(x, y);
        canvas.glow(|p| circle(p - at, r), rgb(0x00ff_3a1e), 0.12, 0.5);
        canvas.flat(|p| circle(p - at, r), rgb(0x00ff_e25a));
        canvas.flat(
            |p| ellipse(p - at - Vec2::new(0.03, 0.0), Vec2::new(r * 0.3, r * 0.7)),
            rgb(0x0020_0608),
        );
    }
    canvas
}
