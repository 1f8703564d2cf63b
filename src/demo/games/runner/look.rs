//! Textures of the town beside the tracks: facades, trains, barriers, ballast, sky, painted at about the size of a 720p
//! screen.

use glam::{Vec2, Vec3};

use super::facades::{awning, brick, container, graffiti, pane, plaster, poster, shop, shutter};
use super::style::SOLID;
use crate::kit::atlas::{Atlas, Sheet, Sprite, image, sheet};
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::shape::{capsule, circle, rounded_box, star};
use crate::kit::surface::{Relief, tiling};
use crate::procedural::{Grain, Noise, lerp, random, smooth_step};
use azulejo_scene::TextureImage;

/// sRGB of the air in the distance.
pub(super) const HAZE: u32 = 0x00dd_eaf2;

/// Sprites of all that stands in the world.
#[derive(Debug)]
pub(super) struct Town {
    pub(super) cloth: Sprite,
    pub(super) gold: Sprite,
    pub(super) leaves: Sprite,
    pub(super) concrete: Sprite,
    pub(super) metal: Sprite,
    pub(super) stripes: Sprite,
    pub(super) arrows: Sprite,
    pub(super) brick: Sprite,
    pub(super) brick_window: Sprite,
    pub(super) plaster_window: Sprite,
    pub(super) shops: [Sprite; 2],
    pub(super) awning: Sprite,
    pub(super) shutter: Sprite,
    pub(super) graffiti: Sprite,
    pub(super) container: Sprite,
    pub(super) poster: Sprite,
    pub(super) train_side: Sprite,
    pub(super) train_front: Sprite,
    pub(super) train_roof: Sprite,
}

/// Paints the atlas of the world.
pub(super) fn town(seed: u32) -> (Town, Atlas) {
    sheet("town", 1024, |s| Town {
        cloth: s.sprite(cloth),
        gold: s.sprite(gold),
        leaves: s.sprite(leaves),
        concrete: s.sprite(concrete),
        metal: s.sprite(metal),
        stripes: s.sprite(stripes),
        arrows: s.sprite(arrows),
        brick: s.sprite(|| brick(false)),
        brick_window: s.sprite(|| brick(true)),
        plaster_window: s.sprite(plaster),
        shops: [s.sprite(|| shop(0)), s.sprite(|| shop(1))],
        awning: s.sprite(awning),
        shutter: s.sprite(shutter),
        graffiti: s.sprite(|| graffiti(seed)),
        container: s.sprite(container),
        poster: s.sprite(poster),
        train_side: s.sprite(train_side),
        train_front: s.sprite(train_front),
        train_roof: s.sprite(train_roof),
    })
}

fn cloth() -> Canvas {
    let mut canvas = Canvas::new(48, 48);
    let weave = Noise::tiling(3, 64);
    canvas.wash(|p| Vec3::splat(0.86 + 0.14 * weave.fractal(p * 14.0 + 20.0, 2)).extend(1.0));
    canvas
}

fn gold() -> Canvas {
    let mut canvas = Canvas::new(64, 64);
    canvas.wash(|_| rgb(0x00ff_c21e).extend(1.0));
    canvas.flat(|p| circle(p, 0.74), rgb(0x00e2_9208));
    canvas.flat(|p| circle(p, 0.64), rgb(0x00ff_cf3a));
    let look = Cushion {
        bevel: 0.14,
        outline: 0.06,
        ..Cushion::default()
    };
    canvas.cushion(
        |p| star(p, 5, 0.52, 0.25) - 0.03,
        |_| rgb(0x00ff_ea84),
        look,
    );
    canvas
}

fn leaves() -> Canvas {
    let mut canvas = Canvas::new(96, 96);
    let noise = Noise::tiling(9, 64);
    canvas.wash(|p| {
        let cells = noise.cells(p * 7.0 + 20.0);
        let tone = 0.62 + 0.5 * cells.id + 0.25 * smooth_step(0.5, 0.0, cells.nearest);
        (rgb(0x0084_cc40) * tone * (0.8 + 0.2 * cells.second)).extend(1.0)
    });
    canvas
}

fn concrete() -> Canvas {
    let mut canvas = Canvas::new(96, 96);
    let noise = Noise::tiling(17, 64);
    canvas.wash(|p| {
        let clouds = noise.fractal(p * 3.0 + 16.0, 4);
        let tone = 0.82 + 0.2 * clouds;
        let seam = smooth_step(
            0.03,
            0.0,
            (p.x.abs() - 0.98).abs().min((p.y.abs() - 0.98).abs()),
        );
        (rgb(0x00c9_c3b8) * tone * (1.0 - 0.35 * seam)).extend(1.0)
    });
    canvas
}

fn metal() -> Canvas {
    let mut canvas = Canvas::new(48, 48);
    let noise = Noise::tiling(23, 64);
    canvas.wash(|p| {
        let brushed = noise.fractal(Vec2::new(p.x * 2.0, p.y * 20.0) + 30.0, 2);
        Vec3::splat(0.72 + 0.25 * brushed).extend(1.0)
    });
    canvas
}

fn stripes() -> Canvas {
    let mut canvas = Canvas::new(192, 72);
    canvas.wash(|_| rgb(0x00f6_f1e6).extend(1.0));
    canvas.wash(|p| {
        let band = ((p.x + p.y * 0.8) * 0.85).rem_euclid(1.0);
        let inside = smooth_step(0.0, 0.02, band) * smooth_step(0.5, 0.48, band);
        rgb(0x00e5_3324).extend(inside)
    });
    canvas.wash(|p| Vec3::splat(0.1).extend(0.5 * smooth_step(0.86, 0.95, p.y.abs())));
    canvas.wash(|p| Vec3::ONE.extend(0.35 * smooth_step(0.08, 0.0, (p.y + 0.6).abs())));
    canvas
}

fn arrows() -> Canvas {
    let mut canvas = Canvas::new(96, 160);
    canvas.wash(|p| (rgb(0x00ff_b52e) * (0.95 - 0.08 * p.y)).extend(1.0));
    for k in 0..4 {
        let y = -0.78 + 0.5 * k as f32;
        let chevron = |p: Vec2| {
            let q = Vec2::new(p.x.abs(), p.y - y);
            capsule(q, Vec2::new(0.0, 0.0), Vec2::new(0.42, 0.3), 0.075)
        };
        canvas.flat(chevron, rgb(0x00fd_f6e4));
    }
    canvas.wash(|p| rgb(0x0042_3a3a).extend(smooth_step(0.52, 0.54, p.x.abs())));
    canvas
}

/// The side of a carriage; its lower two thirds are white, to be tinted.
fn train_side() -> Canvas {
    let mut canvas = Canvas::new(512, 144);
    canvas.wash(|p| Vec3::splat(0.97 - 0.08 * p.y).extend(1.0));
    canvas.fill(
        |p| (p.y - 0.42).abs() - 0.1,
        |_| Vec3::splat(0.42).extend(1.0),
    );
    canvas.fill(
        |p| (p.y - 0.6).abs() - 0.025,
        |_| Vec3::splat(0.5).extend(1.0),
    );
    for k in 0..6 {
        let x = -2.95 + 1.18 * k as f32;
        if k == 1 || k == 4 {
            for side in [-0.22, 0.22] {
                let leaf = move |p: Vec2| {
                    rounded_box(p - Vec2::new(x + side, 0.08), Vec2::new(0.2, 0.82), 0.04)
                };
                canvas.cushion(leaf, |_| Vec3::splat(0.8), SOLID);
                pane(
                    &mut canvas,
                    Vec2::new(x + side, -0.22),
                    Vec2::new(0.15, 0.4),
                    Vec3::splat(0.35),
                );
            }
        } else {
            pane(
                &mut canvas,
                Vec2::new(x, -0.24),
                Vec2::new(0.46, 0.4),
                Vec3::splat(0.3),
            );
        }
    }
    canvas.wash(|p| rgb(0x0034_3238).extend(smooth_step(0.86, 0.9, p.y)));
    canvas.wash(|p| Vec3::splat(0.06).extend(0.45 * smooth_step(0.3, 1.0, p.y)));
    canvas
}

fn train_front() -> Canvas {
    let mut canvas = Canvas::new(160, 176);
    canvas.wash(|p| Vec3::splat(0.98 - 0.1 * p.y).extend(1.0));
    let screen = |p: Vec2| rounded_box(p - Vec2::new(0.0, -0.46), Vec2::new(0.74, 0.36), 0.12);
    canvas.cushion(|p| screen(p) - 0.06, |_| Vec3::splat(0.2), SOLID);
    canvas.fill(screen, |p| {
        let sky = rgb(0x0024_4258).lerp(rgb(0x0084_bcd4), smooth_step(-0.1, -0.8, p.y));
        let streak = smooth_step(0.1, 0.0, (p.x + 0.6 * p.y + 0.2).abs() - 0.1);
        (sky + 0.2 * streak).extend(1.0)
    });
    canvas.flat(|p| (p.x.abs() - 0.02).max(screen(p)), Vec3::splat(0.2));
    let plate = |p: Vec2| rounded_box(p - Vec2::new(0.0, 0.1), Vec2::new(0.3, 0.1), 0.03);
    canvas.cushion(plate, |_| rgb(0x00ff_d24a), SOLID);
    let band = |p: Vec2| (p.y - 0.4).abs() - 0.11;
    canvas.fill(band, |_| Vec3::splat(0.42).extend(1.0));
    for side in [-1.0, 1.0] {
        let lamp = move |p: Vec2| circle(p - Vec2::new(0.6 * side, 0.4), 0.15);
        canvas.cushion(move |p| lamp(p) - 0.05, |_| Vec3::splat(0.3), SOLID);
        canvas.flat(lamp, rgb(0x00ff_f6cc));
    }
    let grille = |p: Vec2| rounded_box(p - Vec2::new(0.0, 0.76), Vec2::new(0.7, 0.12), 0.04);
    canvas.fill(grille, |p| {
        Vec3::splat(0.12 + 0.22 * f32::from(u8::from((p.x * 9.0).rem_euclid(1.0) < 0.5)))
            .extend(1.0)
    });
    canvas.wash(|p| rgb(0x0034_3238).extend(smooth_step(0.9, 0.93, p.y)));
    canvas
}

fn train_roof() -> Canvas {
    let mut canvas = Canvas::new(96, 192);
    let noise = Noise::tiling(53, 64);
    canvas.wash(|p| {
        let rib = (p.y * 6.0).rem_euclid(1.0);
        let tone =
            0.75 + 0.2 * smooth_step(0.05, 0.15, rib) - 0.12 * noise.fractal(p * 5.0 + 20.0, 3);
        (rgb(0x00b9_c0c4) * tone).extend(1.0)
    });
    let hatch = |p: Vec2| rounded_box(p - Vec2::new(0.0, -0.5), Vec2::new(0.3, 0.24), 0.05);
    canvas.shadow(hatch, Vec2::new(0.03, 0.04), 0.04, 0.6);
    canvas.cushion(hatch, |_| rgb(0x0096_9ea6), SOLID);
    let vent = |p: Vec2| rounded_box(p - Vec2::new(0.0, 0.4), Vec2::new(0.34, 0.4), 0.05);
    canvas.shadow(vent, Vec2::new(0.03, 0.04), 0.04, 0.6);
    canvas.cushion(
        vent,
        |p| rgb(0x00a4_acb2) * (0.7 + 0.4 * (p.y * 12.0).rem_euclid(1.0)),
        SOLID,
    );
    canvas
}

/// A square of track: four sleepers in ballast.
pub(super) fn track(seed: u32) -> TextureImage {
    let grain = Grain::new(seed ^ 0x7a11);
    tiling("track", (256, 256), 1.0, |uv| {
        let stone = grain.cells.at(uv * 2.0);
        let own = grain.ids.nearest(uv * 2.0);
        let mut color = rgb(0x008d_8073).lerp(rgb(0x00b9_a992), own) * (1.05 - 0.55 * stone);
        let mut height = 0.02 * (1.0 - stone);
        let across = (uv.x - 0.5).abs();
        let along = (uv.y * 4.0).rem_euclid(1.0) - 0.5;
        let sleeper = smooth_step(0.23, 0.21, along.abs()) * smooth_step(0.40, 0.392, across);
        let number = (uv.y * 4.0).floor();
        let wood = grain
            .fine
            .at(Vec2::new(uv.x * 0.25, uv.y * 2.0 + 0.13 * number));
        let plank =
            rgb(0x0079_583f) * (0.7 + 0.5 * wood) * (0.9 + 0.2 * random(number as i32, 1, 3));
        color = color.lerp(plank, sleeper);
        height = lerp(height, 0.035 + 0.004 * wood, sleeper);
        // Oil between the rails.
        let oil = smooth_step(0.16, 0.04, across) * grain.clouds.at(uv);
        Relief {
            color: color * (1.0 - 0.45 * oil),
            height,
        }
    })
}

/// The sky over the town: clouds, towers in the haze.
pub(super) fn sky(seed: u32) -> TextureImage {
    let mut canvas = Canvas::new(640, 160);
    let haze = rgb(HAZE);
    canvas.wash(|p| {
        let t = smooth_step(-1.3, 0.9, p.y);
        rgb(0x003d_9be6)
            .lerp(haze, t * t * 0.5 + t * 0.5)
            .extend(1.0)
    });
    let noise = Noise::tiling(seed ^ 59, 64);
    canvas.wash(|p| {
        let q = Vec2::new(p.x * 1.3, p.y * 3.2 - 0.4);
        let body = noise.fractal(q + 24.0, 5);
        let cover = smooth_step(0.52, 0.66, body + 0.12 * (0.4 - (p.y + 0.3).abs()));
        let lit = noise.fractal(q + Vec2::new(23.93, 23.86), 5);
        let shade = smooth_step(-0.12, 0.14, body - lit);
        rgb(0x00c2_d4e8)
            .lerp(rgb(0x00ff_fbf2), shade)
            .extend(cover * 0.95)
    });
    for k in 0..64 {
        let own = |salt: i32| random(k, salt, seed ^ 0x51);
        let x = -4.0 + 8.0 * (k as f32 + own(0)) / 64.0;
        let depth = own(1);
        let height = 0.25 + 0.6 * own(2) * own(2) + 0.25 * depth;
        let width = 0.07 + 0.1 * own(3);
        let tower =
            move |p: Vec2| rounded_box(p - Vec2::new(x, 1.0), Vec2::new(width, height), 0.01);
        let tone = rgb(0x007d_a6c8).lerp(haze, 0.35 + 0.4 * depth);
        canvas.fill(tower, move |p| {
            let pane = (p.x * 60.0).rem_euclid(1.0) < 0.5 && (p.y * 30.0).rem_euclid(1.0) < 0.5;
            let lit = tone + 0.05 * f32::from(u8::from(pane));
            lit.lerp(haze, smooth_step(0.3, 1.0, p.y)).extend(1.0)
        });
    }
    image("sky", &canvas)
}

/// Sprites of the display.
#[derive(Debug, Clone, Copy)]
pub(super) struct Icons {
    pub(super) magnet: Sprite,
    /// Icon of the board that the boy may ride.
    pub(super) board: Sprite,
}

impl Icons {
    /// Paints the sprites into a sheet.
    pub(super) fn new(s: &mut Sheet) -> Self {
        Self {
            magnet: s.sprite(magnet),
            board: s.sprite(board),
        }
    }
}

fn magnet() -> Canvas {
    let mut magnet = Canvas::new(80, 80);
    let arch = |p: Vec2| {
        let ring = circle(p - Vec2::new(0.0, -0.1), 0.55).abs() - 0.22;
        let legs = rounded_box(
            Vec2::new(p.x.abs() - 0.55, p.y - 0.35),
            Vec2::new(0.22, 0.45),
            0.03,
        );
        ring.max(p.y + 0.1).min(legs)
    };
    magnet.cushion(
        arch,
        |p| {
            if p.y > 0.45 {
                rgb(0x00f2_f4f8)
            } else {
                rgb(0x00e8_2c3a)
            }
        },
        Cushion {
            bevel: 0.2,
            ..Cushion::default()
        },
    );
    magnet
}

fn board() -> Canvas {
    let mut board = Canvas::new(80, 80);
    let deck = |p: Vec2| {
        let q = Vec2::from_angle(0.5).rotate(p);
        rounded_box(q, Vec2::new(0.86, 0.26), 0.24)
    };
    board.cushion(
        deck,
        |p| rgb(0x0030_b8e0).lerp(rgb(0x00ff_d23c), smooth_step(-0.2, 0.2, p.x)),
        Cushion::default(),
    );
    board
}
