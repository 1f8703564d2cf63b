//! Textures of the playroom: its wall, wood, painted blocks, the striped ball and the small ones.

use glam::{Vec2, Vec3, Vec4};

use crate::kit::atlas::{Sheet, Sprite, image};
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::shape::{capsule, circle, ellipse, polygon, rounded_box, star};
use crate::kit::solid::lit;
use crate::kit::stage::{Stage, backdrop};
use crate::kit::surface::{Relief, tiling};
use crate::procedural::{Grain, lerp, smooth_step};
use azulejo_scene::{MaterialId, TextureImage, Wrap};

/// Materials of the playroom.
#[derive(Debug)]
pub(super) struct Surfaces {
    pub(super) wall: MaterialId,
    pub(super) table: MaterialId,
    pub(super) oak: MaterialId,
    pub(super) walnut: MaterialId,
    pub(super) paint: MaterialId,
    pub(super) tiger: MaterialId,
    pub(super) small: MaterialId,
}

/// Paints all surfaces and registers their materials.
pub(super) fn surfaces(stage: &mut Stage, seed: u32) -> Surfaces {
    let grain = Grain::new(seed ^ 0x7169);
    let wall = stage.texture(wall(&grain), Wrap::ClampToEdge);
    let mut add = |name: &str, roughness: f32, image: TextureImage| {
        let texture = stage.texture(image, Wrap::Repeat);
        stage.material(lit(name, texture, roughness))
    };
    let planks = tiling("table", (1024, 1024), 1.0, |uv| table(&grain, uv));
    let oak = tiling("oak", (512, 512), 1.0, |uv| {
        wood(&grain, uv, [0x00e0_b070, 0x00b9_8246])
    });
    let walnut = tiling("walnut", (512, 512), 1.0, |uv| {
        wood(&grain, uv, [0x0092_5c36, 0x0066_3a20])
    });
    let paint = tiling("paint", (512, 512), 1.0, |uv| painted(&grain, uv));
    let tiger = tiling("tiger", (512, 256), 0.6, |uv| tiger(&grain, uv));
    let small = tiling("small", (128, 64), 0.0, small);
    Surfaces {
        table: add("table", 0.5, planks),
        oak: add("oak", 0.42, oak),
        walnut: add("walnut", 0.38, walnut),
        paint: add("paint", 0.35, paint),
        tiger: add("tiger", 0.22, tiger),
        small: add("small", 0.2, small),
        wall: stage.material(backdrop("wall", wall)),
    }
}

/// Wood along u with rings and pores.
fn wood(grain: &Grain, uv: Vec2, [light, dark]: [u32; 2]) -> Relief {
    let bend = grain.swells.at(uv) * 0.35 + grain.clouds.at(uv * Vec2::new(0.5, 1.0)) * 0.3;
    let rings = (uv.y * 7.0 + bend * 6.0).fract();
    let ring = smooth_step(0.0, 0.75, rings) * smooth_step(1.0, 0.9, rings);
    let pores = grain.fine.at(Vec2::new(uv.x * 0.25, uv.y * 3.0));
    let color = rgb(dark).lerp(rgb(light), 0.35 + 0.5 * ring) * (0.86 + 0.28 * pores);
    Relief {
        color,
        height: 0.0012 * pores + 0.001 * ring,
    }
}

/// Planks of a table, each from another board.
fn table(grain: &Grain, uv: Vec2) -> Relief {
    let plank = (uv.y * 5.0).floor();
    let within = uv.y * 5.0 - plank;
    let shift = Vec2::new(plank * 0.37, plank * 0.23);
    let colors = [
        [0x00d6_a05c, 0x00b0_763a],
        [0x00c8_924f, 0x00a0_6a34],
        [0x00dc_aa68, 0x00b6_8044],
    ];
    let board = wood(
        grain,
        uv * Vec2::new(1.0, 1.0) + shift,
        colors[plank as usize % 3],
    );
    let seam = within.min(1.0 - within);
    let joint = smooth_step(0.008, 0.03, seam);
    let scratch = smooth_step(0.67, 0.7, grain.clouds.at(uv * Vec2::new(1.0, 6.0) + 0.3));
    Relief {
        color: board.color.lerp(rgb(0x00f0_d4a0), 0.2 * scratch) * lerp(0.35, 1.0, joint),
        height: board.height + 0.004 * joint,
    }
}

/// Lacquer with a lighter rim and a star, worn at the edges.
fn painted(grain: &Grain, uv: Vec2) -> Relief {
    let c = (uv - 0.5) * 2.0;
    let rim = smooth_step(0.8, 0.84, c.abs().max_element());
    let mark = smooth_step(0.01, -0.01, star(c, 5, 0.56, 0.25));
    let worn = smooth_step(0.62, 0.68, grain.clouds.at(uv * 2.0) + 0.08 * rim);
    let lacquer = rgb(0x002c_7fd0)
        .lerp(rgb(0x00ff_d54a), mark)
        .lerp(rgb(0x00f2_f0e6), rim);
    let bare = rgb(0x00c8_9658) * (0.85 + 0.3 * grain.fine.at(uv * Vec2::new(0.3, 2.0)));
    Relief {
        color: lacquer.lerp(bare, worn) * (0.95 + 0.1 * grain.fine.at(uv)),
        height: 0.003 * (mark + rim) - 0.002 * worn,
    }
}

/// The striped fur of a tiger, paler below.
fn tiger(grain: &Grain, uv: Vec2) -> Relief {
    let wobble = grain.clouds.at(uv * Vec2::new(2.0, 1.0)) - 0.5;
    let stripe = ((uv.x + 0.16 * wobble) * 9.0 + 0.6 * (uv.y * 6.0).sin()).fract() - 0.5;
    let wide = 0.22 * smooth_step(0.05, 0.4, uv.y) * smooth_step(0.95, 0.6, uv.y);
    let dark = smooth_step(wide, wide - 0.06, stripe.abs() + 0.1 * wobble);
    let fur = rgb(0x00ff_9a1e).lerp(rgb(0x00ff_e2ac), smooth_step(0.6, 0.95, uv.y));
    let hair = grain.fine.at(uv * Vec2::new(2.0, 0.6));
    Relief {
        color: fur.lerp(rgb(0x0026_1610), dark) * (0.92 + 0.16 * hair),
        height: 0.001 * hair,
    }
}

/// A band around a white ball; the tint gives its colour.
fn small(uv: Vec2) -> Relief {
    let band = smooth_step(0.2, 0.17, (uv.y - 0.5).abs());
    Relief {
        color: Vec3::ONE.lerp(Vec3::splat(0.78), band),
        height: 0.0,
    }
}

/// The room behind the table.
fn wall(grain: &Grain) -> TextureImage {
    let mut canvas = Canvas::new(1664, 832);
    canvas.wash(|p| {
        let stripe = smooth_step(0.44, 0.46, ((p.x * 2.5).rem_euclid(1.0) - 0.5).abs());
        let paper = rgb(0x0078_bcc4).lerp(rgb(0x008c_cbd0), stripe);
        let fine = grain.fine.at(p * 0.4 + 2.0);
        let low = smooth_step(-0.6, 1.0, p.y);
        (paper * (0.97 + 0.06 * fine) * lerp(1.06, 0.72, low)).extend(1.0)
    });
    canvas.fill(
        |p| {
            let q = Vec2::new(
                (p.x * 2.5 + 0.5).rem_euclid(1.0) - 0.5,
                ((p.y + 0.2) * 2.5).rem_euclid(1.0) - 0.5,
            ) / 2.5;
            star(q, 5, 0.06, 0.026)
        },
        |_| rgb(0x00d8_f0e8).extend(0.5),
    );
    window(&mut canvas, Vec2::new(-1.15, -0.28), grain);
    picture(&mut canvas, Vec2::new(0.12, -0.5));
    shelf(&mut canvas, Vec2::new(1.25, -0.2));
    canvas.fill(
        |p| 0.72 - p.y,
        |p| (rgb(0x00f2_ead8) * lerp(1.0, 0.7, p.y)).extend(1.0),
    );
    canvas.fill(
        |p| (p.y - 0.73).abs() - 0.02,
        |_| rgb(0x00b8_ae98).extend(1.0),
    );
    // Light falls in from the window.
    canvas.wash(|p| {
        let far = (p - Vec2::new(-0.9, -0.3)).length();
        let dark = smooth_step(0.8, 2.6, far);
        rgb(0x0018_2038).extend(0.5 * dark)
    });
    image("wall", &canvas)
}

/// Hills and sky in a white frame, curtains at its sides.
fn window(canvas: &mut Canvas, at: Vec2, grain: &Grain) {
    let half = Vec2::new(0.46, 0.46);
    canvas.shadow(
        |p| rounded_box(p - at, half + 0.08, 0.03),
        Vec2::new(0.03, 0.05),
        0.05,
        0.5,
    );
    let look = Cushion {
        bevel: 0.05,
        outline: 0.01,
        contrast: 0.5,
        gloss: 0.2,
    };
    canvas.cushion(
        |p| rounded_box(p - at, half + 0.07, 0.03),
        |_| rgb(0x00f8_f4ea),
        look,
    );
    let pane = |p: Vec2| rounded_box(p - at, half, 0.01);
    canvas.fill(pane, |p| {
        let q = p - at;
        let cloud = smooth_step(0.5, 0.66, grain.clouds.at(q * Vec2::new(0.6, 1.1) + 1.2));
        let sky = rgb(0x0058_aef2)
            .lerp(rgb(0x00d2_f0ff), (q.y + half.y) * 1.1)
            .lerp(Vec3::ONE, 0.8 * cloud);
        let hill = |top: f32, pace: f32, phase: f32| q.y - top - 0.07 * (q.x * pace + phase).sin();
        let far = smooth_step(-0.004, 0.004, hill(0.14, 5.0, 0.5));
        let near = smooth_step(-0.004, 0.004, hill(0.28, 3.5, 2.2));
        sky.lerp(rgb(0x0078_b868), far)
            .lerp(rgb(0x0050_9a48), near)
            .extend(1.0)
    });
    for bar in [Vec2::X, Vec2::Y] {
        let shape = move |p: Vec2| {
            ((p - at).dot(bar).abs() - 0.022).max(((p - at).abs() - half).max_element())
        };
        canvas.cushion(shape, |_| rgb(0x00f8_f4ea), look);
    }
    for side in [-1.0_f32, 1.0] {
        let cloth = move |p: Vec2| {
            let q = (p - at) * Vec2::new(side, 1.0);
            let inner =
                0.34 + 0.16 * smooth_step(-0.5, 0.25, q.y) - 0.06 * smooth_step(0.3, 0.7, q.y);
            (inner - q.x).max(q.x - 0.7).max(q.y.abs() - 0.68)
        };
        let folds = move |p: Vec2| rgb(0x00e8_6a4a) * (0.8 + 0.22 * ((p.x - at.x) * 46.0).sin());
        canvas.fill(cloth, move |p| folds(p).extend(1.0));
    }
    let rod = move |p: Vec2| {
        capsule(
            p,
            at + Vec2::new(-0.8, -0.68),
            at + Vec2::new(0.8, -0.68),
            0.025,
        )
    };
    canvas.cushion(rod, |_| rgb(0x00a8_743e), look);
}

/// A rocket in a frame.
fn picture(canvas: &mut Canvas, at: Vec2) {
    let look = Cushion {
        bevel: 0.04,
        outline: 0.01,
        contrast: 0.6,
        gloss: 0.3,
    };
    let half = Vec2::new(0.26, 0.32);
    canvas.shadow(
        |p| rounded_box(p - at, half, 0.02),
        Vec2::new(0.03, 0.05),
        0.04,
        0.5,
    );
    canvas.cushion(
        |p| rounded_box(p - at, half, 0.02),
        |_| rgb(0x00b8_803e),
        look,
    );
    canvas.fill(
        |p| rounded_box(p - at, half - 0.045, 0.01),
        |p| {
            rgb(0x0022_2c6a)
                .lerp(rgb(0x0074_4a9c), (p.y - at.y + 0.3) * 1.5)
                .extend(1.0)
        },
    );
    for (x, y) in [
        (-0.14, -0.2),
        (0.15, -0.1),
        (-0.16, 0.1),
        (0.12, 0.2),
        (0.02, -0.24),
    ] {
        canvas.flat(
            |p| star(p - at - Vec2::new(x, y), 4, 0.03, 0.01),
            rgb(0x00ff_f0b0),
        );
    }
    let body = |p: Vec2| ellipse(p - at - Vec2::new(0.0, -0.02), Vec2::new(0.075, 0.17));
    for side in [-1.0, 1.0] {
        let fin =
            [(0.04, 0.02), (0.14, 0.16), (0.05, 0.13)].map(|(x, y)| at + Vec2::new(x * side, y));
        canvas.flat(|p| polygon(p, &fin), rgb(0x00ea_4a3a));
    }
    canvas.cushion(body, |_| rgb(0x00f4_f2ea), look);
    canvas.flat(|p| circle(p - at + Vec2::Y * 0.06, 0.035), rgb(0x004a_b0e0));
    let flame = [(-0.04, 0.15), (0.0, 0.26), (0.04, 0.15)].map(|(x, y)| at + Vec2::new(x, y));
    canvas.flat(|p| polygon(p, &flame), rgb(0x00ff_b02e));
}

/// Two boards with books, a globe, blocks.
fn shelf(canvas: &mut Canvas, at: Vec2) {
    let look = Cushion {
        bevel: 0.03,
        outline: 0.008,
        contrast: 0.6,
        gloss: 0.25,
    };
    let hues = [
        0x00d8_4a3a,
        0x002f_8ac8,
        0x00f0_b838,
        0x004a_a860,
        0x008a_58b8,
        0x00e8_7a30,
    ];
    for (row, y) in [(0_usize, -0.14), (1, 0.36)] {
        let board = at + Vec2::new(0.0, y);
        let mut x = -0.46;
        for k in 0..6 {
            let wide = 0.034 + 0.012 * ((k * 7 + row * 3) % 4) as f32;
            let high = 0.13 + 0.022 * ((k * 5 + row) % 4) as f32;
            let book = board + Vec2::new(x + wide, -high - 0.02);
            let hue = rgb(hues[(k + row * 2) % hues.len()]);
            canvas.cushion(
                move |p| rounded_box(p - book, Vec2::new(wide, high), 0.008),
                move |_| hue,
                look,
            );
            let label = move |p: Vec2| {
                rounded_box(
                    p - book + Vec2::Y * high * 0.4,
                    Vec2::new(wide * 0.6, 0.02),
                    0.005,
                )
            };
            canvas.fill(label, |_| Vec4::new(1.0, 0.95, 0.8, 0.8));
            x += 2.0 * wide + 0.006;
        }
        let toy = board + Vec2::new(0.34, -0.15);
        plaything(canvas, toy, row, look);
        let plank = move |p: Vec2| rounded_box(p - board, Vec2::new(0.62, 0.03), 0.01);
        canvas.shadow(plank, Vec2::new(0.02, 0.06), 0.05, 0.5);
        canvas.cushion(plank, |_| rgb(0x00c0_8848), look);
    }
}

/// A globe above, bricks below.
fn plaything(canvas: &mut Canvas, toy: Vec2, row: usize, look: Cushion) {
    if row == 0 {
        canvas.cushion(
            move |p| circle(p - toy, 0.12),
            |p| {
                let land = ((p.x * 31.0).sin() + (p.y * 27.0 + p.x * 9.0).sin()) > 0.4;
                if land {
                    rgb(0x0066_b04e)
                } else {
                    rgb(0x003a_8ad0)
                }
            },
            Cushion {
                bevel: 0.12,
                ..look
            },
        );
    } else {
        for (dx, dy, hue) in [
            (-0.07, 0.06, 0x00e8_4a4a),
            (0.07, 0.06, 0x0044_a0e0),
            (0.0, -0.08, 0x00f4_c43a),
        ] {
            let cube = toy + Vec2::new(dx, dy);
            canvas.cushion(
                move |p| rounded_box(p - cube, Vec2::splat(0.068), 0.015),
                move |_| rgb(hue),
                look,
            );
        }
    }
}

/// Sprites of the display.
#[derive(Debug, Clone, Copy)]
pub(super) struct Icons {
    /// A hand that points up.
    pub(super) hand: Sprite,
    /// Icon of the striped ball.
    pub(super) ball: Sprite,
}

impl Icons {
    /// Paints the sprites into a sheet.
    pub(super) fn new(s: &mut Sheet) -> Self {
        Self {
            hand: s.sprite(hand),
            ball: s.sprite(ball),
        }
    }
}

const ICON: Cushion = Cushion {
    bevel: 0.2,
    outline: 0.05,
    contrast: 0.5,
    gloss: 0.3,
};

fn hand() -> Canvas {
    let mut hand = Canvas::new(88, 96);
    let finger = |p: Vec2| {
        let index = capsule(p, Vec2::new(-0.15, -0.7), Vec2::new(-0.1, 0.2), 0.17);
        let palm = rounded_box(p - Vec2::new(0.12, 0.42), Vec2::new(0.42, 0.42), 0.22);
        let thumb = capsule(p, Vec2::new(-0.55, 0.1), Vec2::new(-0.2, 0.45), 0.14);
        index.min(palm).min(thumb)
    };
    hand.cushion(finger, |_| rgb(0x00ff_e0c0), ICON);
    hand.cushion(
        |p| rounded_box(p - Vec2::new(0.12, 0.86), Vec2::new(0.44, 0.12), 0.05),
        |_| rgb(0x003a_7ad0),
        ICON,
    );
    hand
}

fn ball() -> Canvas {
    let mut ball = Canvas::new(80, 80);
    ball.cushion(
        |p| circle(p, 0.9),
        |p| {
            let stripe = (p.x * 5.0 + (p.y * 5.0).sin() * 0.6).sin() > 0.35;
            if stripe {
                rgb(0x0026_1610)
            } else {
                rgb(0x00ff_9a1e)
            }
        },
        Cushion { bevel: 0.7, ..ICON },
    );
    ball
}
