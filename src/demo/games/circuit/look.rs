//! Textures of the circuit: asphalt, meadows, foliage, boards, sky.

use glam::{Vec2, Vec3};

use crate::kit::atlas::{Atlas, Sheet, Sprite, image, sheet};
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::scenery;
use crate::kit::shape::{capsule, circle, rounded_box, star};
use crate::kit::surface::{Relief, tiling};
use crate::procedural::{Grain, Noise, lerp, random, smooth_step};
use azulejo_scene::TextureImage;

/// sRGB of the air in the distance.
pub(super) const HAZE: u32 = 0x00d4_e8f4;

/// Sprites of what stands beside the road.
#[derive(Debug)]
pub(super) struct Boards {
    pub(super) white: Sprite,
    pub(super) steel: Sprite,
    pub(super) ads: [Sprite; 4],
    pub(super) arrows: Sprite,
    pub(super) checker: Sprite,
    pub(super) crowd: Sprite,
    pub(super) tyres: Sprite,
    pub(super) balloon: Sprite,
}

/// Paints the atlas of the roadside.
pub(super) fn boards(seed: u32) -> (Boards, Atlas) {
    sheet("roadside", 512, |s| Boards {
        white: s.sprite(white),
        steel: s.sprite(steel),
        ads: [
            s.sprite(|| ad(0, 0x00e8_2c3a, 0x00ff_f2e0)),
            s.sprite(|| ad(1, 0x0018_4ca8, 0x00ff_d22c)),
            s.sprite(|| ad(2, 0x00ff_b81c, 0x0028_2430)),
            s.sprite(|| ad(3, 0x001c_9a6c, 0x00ff_ffff)),
        ],
        arrows: s.sprite(arrows),
        checker: s.sprite(checker),
        crowd: s.sprite(|| crowd(seed)),
        tyres: s.sprite(tyres),
        balloon: s.sprite(balloon),
    })
}

/// Foliage: an oak, a fir, a bush, grass.
pub(super) fn foliage() -> ([Sprite; 4], Atlas) {
    sheet("foliage", 1024, |s| {
        [
            s.sprite(|| scenery::oak(512)),
            s.sprite(|| scenery::fir(512)),
            s.sprite(|| scenery::bush(256)),
            s.sprite(|| scenery::tuft(112)),
        ]
    })
}

fn white() -> Canvas {
    let mut canvas = Canvas::new(32, 32);
    let noise = Noise::tiling(3, 64);
    canvas.wash(|p| Vec3::splat(0.9 + 0.1 * noise.fractal(p * 8.0 + 20.0, 2)).extend(1.0));
    canvas
}

fn steel() -> Canvas {
    let mut canvas = Canvas::new(96, 40);
    canvas.wash(|p| {
        let wave = 0.5 + 0.5 * (p.y * 6.0).cos();
        let bolt = smooth_step(
            0.14,
            0.1,
            Vec2::new((p.x * 1.2).rem_euclid(1.0) - 0.5, p.y * 1.2).length(),
        );
        (rgb(0x00c8_ced6) * (0.55 + 0.5 * wave) * (1.0 - 0.5 * bolt)).extend(1.0)
    });
    canvas
}

fn ad(style: u32, ground: u32, ink: u32) -> Canvas {
    let mut canvas = Canvas::new(240, 64);
    canvas.wash(|p| (rgb(ground) * (1.0 - 0.1 * p.y)).extend(1.0));
    let ink = rgb(ink);
    let words = ["TURBO", "AZUL", "NITRO", "TILE"][style as usize];
    for (k, _) in (0_i16..).zip(words.chars()) {
        let x = -1.6 + 0.86 * f32::from(k);
        let own = random(i32::from(k), style as i32, 31);
        let slant = move |p: Vec2| Vec2::new(p.x - x + 0.22 * p.y, p.y);
        let stroke = move |p: Vec2| {
            let q = slant(p);
            let frame = rounded_box(q, Vec2::new(0.3, 0.52), 0.2).abs() - 0.1;
            let bar = capsule(q, Vec2::new(-0.3, 0.0), Vec2::new(0.3, 0.0), 0.1);
            if own < 0.35 {
                frame
            } else if own < 0.7 {
                frame.max(q.x - 0.24).min(bar)
            } else {
                bar.min(rounded_box(q, Vec2::new(0.1, 0.56), 0.05))
            }
        };
        canvas.flat(stroke, ink);
    }
    let badge = Vec2::new(-2.9, 0.0);
    canvas.flat(|p| circle(p - badge, 0.62), ink);
    canvas.flat(|p| star(p - badge, 5 + style, 0.5, 0.24), rgb(ground));
    canvas.wash(|p| ink.extend(0.8 * smooth_step(0.88, 0.93, p.y.abs())));
    canvas
}

fn arrows() -> Canvas {
    let mut canvas = Canvas::new(192, 64);
    canvas.wash(|_| rgb(0x00f4_f2ee).extend(1.0));
    canvas.wash(|p| {
        let band = (p.x * 0.7 + p.y.abs() * 0.5).rem_euclid(1.0);
        rgb(0x00e0_2430).extend(smooth_step(0.0, 0.02, band) * smooth_step(0.5, 0.48, band))
    });
    canvas
}

fn checker() -> Canvas {
    let mut canvas = Canvas::new(192, 48);
    canvas.wash(|p| {
        let odd = ((p.x * 2.0).floor() + (p.y * 2.0).floor()).rem_euclid(2.0);
        Vec3::splat(lerp(0.06, 0.96, odd)).extend(1.0)
    });
    canvas
}

/// Spectators on benches, in rows.
fn crowd(seed: u32) -> Canvas {
    let mut canvas = Canvas::new(256, 128);
    canvas.wash(|p| {
        let row = (p.y * 4.0).rem_euclid(1.0);
        (rgb(0x0058_6078) * (0.6 + 0.4 * row)).extend(1.0)
    });
    for k in 0..112 {
        let own = |salt: i32| random(k, salt, seed ^ 0xc0d);
        let (column, row) = (k % 14, k / 14);
        let at = Vec2::new(
            -1.9 + 0.285 * column as f32 + 0.1 * own(1),
            -0.86 + 0.245 * row as f32,
        );
        let coats = [
            0x00e8_483c,
            0x003c_8ae0,
            0x00f4_c43a,
            0x00f2_f2ee,
            0x004c_b070,
            0x00c0_58b0,
        ];
        let coat = rgb(coats[(own(2) * 5.99) as usize]);
        canvas.flat(
            move |p| rounded_box(p - at - Vec2::Y * 0.1, Vec2::new(0.1, 0.1), 0.06),
            coat,
        );
        let skin = rgb(0x00f0_b890) * (0.6 + 0.4 * own(3));
        canvas.flat(move |p| circle(p - at + Vec2::Y * 0.06, 0.062), skin);
    }
    canvas
}

fn tyres() -> Canvas {
    let mut canvas = Canvas::new(96, 64);
    canvas.wash(|p| {
        let row = (p.y * 2.0).rem_euclid(1.0) - 0.5;
        let column = (p.x * 1.4).rem_euclid(1.0) - 0.5;
        let round =
            (0.3 - row * row).max(0.0).sqrt() * (0.32 - column * column).max(0.0).sqrt() * 3.0;
        let band = (p.x * 0.7).floor().rem_euclid(2.0);
        let color = rgb(0x0030_3036).lerp(rgb(0x00e0_3238), band);
        (color * (0.25 + 0.85 * round)).extend(1.0)
    });
    canvas
}

fn balloon() -> Canvas {
    let mut canvas = Canvas::new(128, 64);
    canvas.wash(|p| {
        let gore = (
            (p.x * 2.0).floor().rem_euclid(2.0),
            smooth_step(0.1, 0.16, (p.y + 0.2).abs()),
        );
        let color = rgb(0x00ff_5a3c).lerp(rgb(0x00ff_f0d0), gore.0);
        rgb(0x0030_60d0).lerp(color, gore.1).extend(1.0)
    });
    canvas
}

/// Asphalt across the road and along 18 metres of it: lines, patches, rubber on the line that cars take.
pub(super) fn asphalt(seed: u32) -> TextureImage {
    let grain = Grain::new(seed ^ 0xa5fa);
    tiling("asphalt", (512, 768), 1.0, |uv| {
        let stone = grain.fine.at(uv * Vec2::new(2.0, 3.0));
        let cells = grain.cells.at(uv * Vec2::new(4.0, 6.0));
        let clouds = grain.clouds.at(uv * Vec2::new(1.0, 2.0));
        let across = (uv.x - 0.5) * 2.0;
        let mut color = rgb(0x0062_646c) * (0.72 + 0.3 * stone + 0.22 * clouds - 0.14 * cells);
        for line in [-0.36, -0.12, 0.2, 0.44] {
            let rubber = smooth_step(0.11, 0.02, (across - line).abs());
            let streak = grain.clouds.at(Vec2::new(uv.x * 5.0, uv.y));
            color *= 1.0 - 0.32 * rubber * smooth_step(0.3, 0.7, streak);
        }
        // A patch that was mended, with its seam of tar.
        let patch = rounded_box(uv - Vec2::new(0.3, 0.62), Vec2::new(0.1, 0.13), 0.01);
        color *= 1.0
            - 0.12 * smooth_step(0.002, -0.002, patch)
            - 0.5 * smooth_step(0.006, 0.002, patch.abs());
        let worn = 0.75 + 0.3 * clouds - 0.3 * cells;
        let edge = smooth_step(0.014, 0.01, (across.abs() - 0.93).abs());
        let dash = smooth_step(0.011, 0.008, across.abs())
            * smooth_step(0.25, 0.245, ((uv.y * 2.0).rem_euclid(1.0) - 0.5).abs());
        color = color.lerp(rgb(0x00f2_f0e8) * worn, edge.max(dash));
        Relief {
            color,
            height: 0.0025 * stone + 0.002 * cells,
        }
    })
}

/// A meadow of 16 metres: blades, flowers, mown stripes.
pub(super) fn meadow(seed: u32) -> TextureImage {
    let grain = Grain::new(seed ^ 0x6a55);
    tiling("meadow", (640, 640), 1.0, |uv| {
        let blades = grain.fine.at(Vec2::new(uv.x * 3.0, uv.y));
        let tufts = grain.cells.at(uv * 3.0);
        let clouds = grain.clouds.at(uv);
        let fresh = rgb(0x0064_a838).lerp(rgb(0x0098_c850), smooth_step(0.3, 0.7, clouds));
        let mut color = fresh * (0.55 + 0.4 * blades + 0.25 * (1.0 - tufts));
        let own = grain.ids.nearest(uv * 3.0);
        let flower = smooth_step(0.13, 0.09, tufts) * f32::from(u8::from(own > 0.8));
        let hue = if own > 0.9 {
            rgb(0x00ff_f6e0)
        } else {
            rgb(0x00ff_d23c)
        };
        color = color.lerp(hue, 0.85 * flower);
        Relief {
            color,
            height: 0.006 * blades + 0.006 * (1.0 - tufts),
        }
    })
}

/// The sky all around, which repeats from its right to its left edge: clouds, mountains, woods in the haze.
pub(super) fn sky(seed: u32) -> TextureImage {
    let mut canvas = Canvas::new(1216, 190);
    let half = canvas.half_width();
    let haze = rgb(HAZE);
    // Lattice steps, 16 around.
    let around = move |p: Vec2| (p.x + half) / (2.0 * half) * 16.0;
    canvas.wash(|p| {
        let t = smooth_step(-1.1, 0.7, p.y);
        rgb(0x002c_86e4).lerp(haze, t).extend(1.0)
    });
    let noise = Noise::tiling(seed ^ 59, 16);
    canvas.wash(|p| {
        let q = Vec2::new(around(p), p.y * 2.6 + 4.0);
        let body = noise.fractal(q, 5) + 0.05;
        let lit = noise.fractal(q + Vec2::new(-0.12, -0.2), 5);
        let cover = smooth_step(0.52, 0.64, body - 0.14 * (p.y + 0.2).abs());
        let shade = smooth_step(-0.14, 0.12, body - lit);
        rgb(0x00b8_cce6)
            .lerp(rgb(0x00ff_fdf6), shade)
            .extend(0.95 * cover)
    });
    for (range, dark, bright, veil) in [
        (0_u32, 0x0068_8cc0, 0x00a8_c4e4, 0.35),
        (1, 0x0044_7068, 0x0078_a078, 0.28),
    ] {
        let ridge_noise = Noise::tiling(seed ^ (91 + range), 16);
        let depth = range as f32;
        let top = move |p: Vec2| {
            let x = around(p);
            let folded = 1.0 - (2.0 * ridge_noise.value(Vec2::new(x, 3.0 + depth)) - 1.0).abs();
            let rough = ridge_noise.fractal(Vec2::new(x * 4.0, 7.0), 3);
            lerp(0.62, 0.9, depth) - lerp(0.55, 0.2, depth) * folded - lerp(0.3, 0.2, depth) * rough
        };
        canvas.fill(
            move |p| top(p) - p.y,
            move |p| {
                let q = Vec2::new(around(p) * 3.0, p.y * 3.0 + 4.0);
                let light = smooth_step(
                    -0.1,
                    0.1,
                    ridge_noise.fractal(q, 3) - ridge_noise.fractal(q + Vec2::new(0.3, 0.0), 3),
                );
                let below = smooth_step(0.0, 0.5, p.y - top(p));
                rgb(dark)
                    .lerp(rgb(bright), light)
                    .lerp(haze, (veil + 0.5 * below).min(0.9))
                    .extend(1.0)
            },
        );
    }
    image("sky", &canvas)
}

/// Sprites of the display.
#[derive(Debug, Clone, Copy)]
pub(super) struct Instruments {
    /// Face of the speedometer.
    pub(super) dial: Sprite,
    /// Needle of the dial, to the right.
    pub(super) needle: Sprite,
    /// Icon of the charge.
    pub(super) bolt: Sprite,
}

impl Instruments {
    /// Paints the sprites into a sheet.
    pub(super) fn new(s: &mut Sheet) -> Self {
        Self {
            dial: s.sprite(dial),
            needle: s.sprite(needle),
            bolt: s.sprite(bolt),
        }
    }
}

fn dial() -> Canvas {
    let mut dial = Canvas::new(160, 160);
    dial.fill(|p| circle(p, 0.95), |_| rgb(0x0012_1420).extend(0.82));
    dial.fill(
        |p| circle(p, 0.92).abs() - 0.035,
        |_| rgb(0x00e8_ecf4).extend(0.95),
    );
    for mark in 0..13_i16 {
        let t = f32::from(mark) / 12.0;
        let out = Vec2::from_angle(std::f32::consts::TAU * lerp(0.37, 1.13, t));
        let color = if mark > 9 {
            rgb(0x00ff_4030)
        } else {
            rgb(0x00f2_f4fa)
        };
        let inner = if mark % 2 == 0 { 0.68 } else { 0.76 };
        dial.flat(|p| capsule(p, out * inner, out * 0.83, 0.022), color);
    }
    dial
}

fn needle() -> Canvas {
    let mut needle = Canvas::new(160, 24);
    needle.flat(
        |p| {
            capsule(
                p,
                Vec2::new(-1.0, 0.0),
                Vec2::new(6.0, 0.0),
                lerp(0.5, 0.16, smooth_step(-1.0, 6.0, p.x)),
            )
        },
        rgb(0x00ff_5030),
    );
    needle
}

fn bolt() -> Canvas {
    let mut bolt = Canvas::new(64, 64);
    let flash = [
        (0.2, -0.9),
        (-0.6, 0.15),
        (-0.05, 0.15),
        (-0.25, 0.9),
        (0.6, -0.25),
        (0.05, -0.25),
    ]
    .map(Vec2::from);
    bolt.cushion(
        |p| crate::kit::shape::polygon(p, &flash) - 0.04,
        |_| rgb(0x00ff_d030),
        Cushion::default(),
    );
    bolt
}
