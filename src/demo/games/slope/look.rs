//! Textures of the mountain: the panorama beyond the piste, snow, needles, wood, flags.

use glam::{Vec2, Vec3};

use crate::kit::atlas::{Atlas, Sheet, Sprite, image, sheet};
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::shape::{capsule, circle, polygon, rounded_box};
use crate::kit::surface::{Relief, tiling};
use crate::procedural::{Grain, Noise, lerp, random, smooth_step};
use azulejo_scene::TextureImage;

/// sRGB of the air in the distance.
pub(super) const HAZE: u32 = 0x00c4_def4;

/// Sprites of all that stands on the mountain.
#[derive(Debug)]
pub(super) struct Woods {
    pub(super) cloth: Sprite,
    pub(super) needles: Sprite,
    pub(super) wood: Sprite,
    pub(super) stone: Sprite,
    pub(super) logs: Sprite,
    pub(super) hut: Sprite,
    pub(super) flag: Sprite,
    pub(super) arrows: Sprite,
    pub(super) banner: Sprite,
    pub(super) shadow: Sprite,
}

const SOLID: Cushion = Cushion {
    bevel: 0.1,
    outline: 0.02,
    contrast: 0.6,
    gloss: 0.1,
};

/// Paints the atlas of the mountain.
pub(super) fn woods() -> (Woods, Atlas) {
    sheet("mountain", 256, |s| Woods {
        cloth: s.sprite(cloth),
        needles: s.sprite(needles),
        wood: s.sprite(wood),
        stone: s.sprite(stone),
        logs: s.sprite(logs),
        hut: s.sprite(hut),
        flag: s.sprite(flag),
        arrows: s.sprite(arrows),
        banner: s.sprite(banner),
        shadow: s.sprite(shadow),
    })
}

fn cloth() -> Canvas {
    let mut canvas = Canvas::new(32, 32);
    let weave = Noise::tiling(3, 64);
    canvas.wash(|p| Vec3::splat(0.88 + 0.12 * weave.fractal(p * 10.0 + 20.0, 2)).extend(1.0));
    canvas
}

fn needles() -> Canvas {
    let mut canvas = Canvas::new(64, 48);
    let noise = Noise::tiling(5, 64);
    canvas.wash(|p| {
        let strands = noise.fractal(Vec2::new(p.x * 16.0, p.y * 3.0) + 30.0, 2);
        Vec3::splat(0.62 + 0.42 * strands).extend(1.0)
    });
    canvas
}

fn wood() -> Canvas {
    let mut canvas = Canvas::new(32, 48);
    let noise = Noise::tiling(7, 64);
    canvas.wash(|p| {
        Vec3::splat(0.65 + 0.4 * noise.fractal(Vec2::new(p.x * 12.0, p.y * 2.0) + 20.0, 2))
            .extend(1.0)
    });
    canvas
}

fn stone() -> Canvas {
    let mut canvas = Canvas::new(48, 48);
    let noise = Noise::tiling(11, 64);
    canvas.wash(|p| {
        let cracks = noise.cells(p * 2.6 + 20.0);
        let joint = smooth_step(0.02, 0.14, cracks.second - cracks.nearest);
        Vec3::splat((0.65 + 0.3 * cracks.id) * lerp(0.6, 1.0, joint)).extend(1.0)
    });
    canvas
}

fn logs() -> Canvas {
    let mut canvas = Canvas::new(64, 48);
    let noise = Noise::tiling(13, 64);
    canvas.wash(|p| {
        let log = (p.y * 3.5).rem_euclid(1.0) - 0.5;
        let round = (0.25 - log * log).max(0.0).sqrt() * 2.0;
        let grain = noise.fractal(Vec2::new(p.x * 2.0, p.y * 18.0) + 20.0, 2);
        Vec3::splat((0.3 + 0.7 * round) * (0.8 + 0.3 * grain)).extend(1.0)
    });
    canvas
}

fn hut() -> Canvas {
    let mut canvas = Canvas::new(112, 64);
    canvas.stamp(&logs(), |p| Vec2::new(p.x * 0.7, p.y));
    for x in [-1.1, 1.1] {
        let window = move |p: Vec2| rounded_box(p - Vec2::new(x, -0.1), Vec2::new(0.34, 0.4), 0.03);
        canvas.cushion(move |p| window(p) - 0.08, |_| rgb(0x00f2_ece0), SOLID);
        canvas.fill(window, |p| {
            rgb(0x00ff_e79a)
                .lerp(rgb(0x00ff_b648), 0.5 + 0.5 * p.y)
                .extend(1.0)
        });
        canvas.flat(
            move |p| (p.x - x).abs().min((p.y + 0.1).abs()).max(window(p)) - 0.03,
            rgb(0x00f2_ece0),
        );
    }
    let door = |p: Vec2| rounded_box(p - Vec2::new(0.0, 0.3), Vec2::new(0.34, 0.7), 0.04);
    canvas.cushion(door, |_| rgb(0x00c0_4030), SOLID);
    canvas.flat(
        |p| circle(p - Vec2::new(0.22, 0.35), 0.06),
        rgb(0x00ff_d060),
    );
    canvas
}

fn flag() -> Canvas {
    let mut canvas = Canvas::new(64, 40);
    canvas.wash(|p| Vec3::splat(0.96 - 0.1 * (p.x * 2.2 + 0.6).sin()).extend(1.0));
    canvas.fill(|p| p.y.abs() - 0.16, |_| Vec3::splat(1.0).extend(0.4));
    canvas
}

fn arrows() -> Canvas {
    let mut canvas = Canvas::new(64, 32);
    canvas.wash(|_| rgb(0x00f4_f8ff).extend(1.0));
    let chevron = |p: Vec2| {
        capsule(
            Vec2::new(p.x.abs(), p.y),
            Vec2::new(0.0, -0.5),
            Vec2::new(1.1, 0.6),
            0.22,
        )
    };
    canvas.flat(chevron, rgb(0x0040_a0ff));
    canvas.wash(|p| rgb(0x00ff_4a3c).extend(smooth_step(1.72, 1.76, p.x.abs())));
    canvas
}

fn banner() -> Canvas {
    let mut canvas = Canvas::new(128, 32);
    canvas.wash(|p| {
        rgb(0x00f0_3a48)
            .lerp(rgb(0x00c0_2044), 0.5 + 0.5 * p.y)
            .extend(1.0)
    });
    let peaks = [
        (-3.2, 0.75),
        (-2.4, -0.6),
        (-1.9, 0.1),
        (-1.5, -0.35),
        (-0.8, 0.75),
    ]
    .map(Vec2::from);
    canvas.flat(|p| polygon(p, &peaks), Vec3::splat(0.98));
    for k in 0..3_i16 {
        let bar = move |p: Vec2| {
            rounded_box(
                p - Vec2::new(1.3, -0.4 + 0.4 * f32::from(k)),
                Vec2::new(1.6 - 0.3 * f32::from(k), 0.1),
                0.05,
            )
        };
        canvas.flat(bar, rgb(0x00ff_d24a));
    }
    canvas.wash(|p| Vec3::ONE.extend(smooth_step(0.86, 0.92, p.y.abs())));
    canvas
}

/// A fir's shadow: white, its alpha soft; the tint gives the colour.
fn shadow() -> Canvas {
    let mut canvas = Canvas::new(32, 64);
    canvas.wash(|p| {
        let t = (p.y + 1.0) * 0.5;
        let half = 0.42 * smooth_step(1.0, 0.35, t) * smooth_step(0.0, 0.12, t);
        Vec3::ONE
            .extend(smooth_step(half + 0.1, half - 0.06, p.x.abs()) * smooth_step(1.0, 0.85, t))
    });
    canvas
}

/// A square of snow with ripples of wind and the grooves of the groomer.
pub(super) fn snow(seed: u32) -> TextureImage {
    let grain = Grain::new(seed ^ 0x5503);
    tiling("snow", (128, 128), 0.35, |uv| {
        let drift = grain.clouds.at(uv);
        let fine = grain.fine.at(uv * 0.5);
        Relief {
            color: Vec3::new(0.9, 0.93, 0.97) * (1.0 + 0.12 * (drift - 0.5)) + 0.05 * (fine - 0.5),
            height: 0.03 * drift + 0.006 * fine,
        }
    })
}

/// Height of a range of mountains over the canvas' middle at `x`, and how bright the snow is at `p`.
fn range(noise: Noise, p: Vec2, (base, tall, wide): (f32, f32, f32)) -> (f32, f32) {
    let ridge = |x: f32| {
        let q = Vec2::new(x * wide + 20.0, 7.3);
        let folded = 1.0 - (2.0 * noise.value(q) - 1.0).abs();
        base - tall
            * (0.55 * folded * folded
                + 0.3 * noise.value(q * 2.3)
                + 0.15 * noise.fractal(q * 6.0, 3))
    };
    let below = p.y - ridge(p.x);
    // Flanks that wind down from the ridge: light where they turn to the right.
    let q = Vec2::new(p.x * wide * 2.6 + 0.9 * below, p.y * 2.2) + 30.0;
    let body = noise.fractal(q, 4) - noise.fractal(q + Vec2::new(0.22, -0.06), 4);
    (below, smooth_step(-0.09, 0.09, body))
}

/// Sky, three ranges and a valley with a lake, as seen from the piste.
pub(super) fn panorama(seed: u32) -> TextureImage {
    let mut canvas = Canvas::new(488, 150);
    let haze = rgb(HAZE);
    canvas.wash(|p| {
        let t = smooth_step(-1.1, 0.1, p.y);
        let sky = rgb(0x002b_7fe0).lerp(rgb(0x009f_d4f8), t);
        let warm = smooth_step(2.6, 0.2, (p - Vec2::new(2.3, -0.4)).length());
        sky.lerp(rgb(0x00ff_e9c4), 0.75 * warm * warm).extend(1.0)
    });
    let clouds = Noise::tiling(seed ^ 71, 64);
    canvas.wash(|p| {
        let q = Vec2::new(p.x * 0.9, p.y * 3.4) + 24.0;
        let body = clouds.fractal(q, 5);
        let cover = smooth_step(0.55, 0.72, body) * smooth_step(0.0, -0.35, p.y);
        rgb(0x00ff_f6ea).extend(0.85 * cover)
    });
    let ranges = [
        ((0.2, 0.95, 0.75), 0x0092_b6e2, 0x00ff_f2e2, 0.5),
        ((0.34, 0.85, 1.15), 0x006c_94cc, 0x00ff_f6e8, 0.3),
        ((0.52, 0.62, 1.7), 0x004c_74ae, 0x00fd_f4ea, 0.12),
    ];
    for (k, (shape, dark, bright, veil)) in (0..).zip(ranges) {
        let noise = Noise::tiling(seed ^ (91 + k), 128);
        canvas.fill(
            |p| -range(noise, p, shape).0,
            |p| {
                let (below, light) = range(noise, p, shape);
                let snow = rgb(dark).lerp(rgb(bright), 0.12 + 0.88 * light);
                let rock = rgb(0x0054_648c).lerp(rgb(0x008a_86a0), light);
                let bare = smooth_step(0.5, 0.66, noise.fractal(p * Vec2::new(3.0, 7.0) + 30.0, 4))
                    * smooth_step(0.05, 0.35, below);
                let veiled = veil + 0.5 * smooth_step(0.15, 0.9, below);
                snow.lerp(rock, 0.75 * bare)
                    .lerp(haze, veiled.min(0.85))
                    .extend(1.0)
            },
        );
    }
    valley(&mut canvas, seed, haze);
    image("panorama", &canvas)
}

/// Woods, meadows below snow and a frozen lake at the foot of the mountains.
fn valley(canvas: &mut Canvas, seed: u32, haze: Vec3) {
    let noise = Noise::tiling(seed ^ 113, 128);
    canvas.wash(|p| {
        let floor = smooth_step(
            0.3,
            0.36,
            p.y + 0.1 * (noise.fractal(Vec2::new(p.x * 2.0, 3.0) + 20.0, 3) - 0.5),
        );
        let depth = smooth_step(0.3, 1.0, p.y);
        let q = Vec2::new(p.x * lerp(6.0, 2.6, depth), p.y * lerp(34.0, 14.0, depth)) + 40.0;
        let woods = smooth_step(0.47, 0.56, noise.fractal(q, 4));
        let speckle = noise.value(q * 6.0);
        let fir = rgb(0x0034_5c74).lerp(rgb(0x0058_86a0), speckle);
        let field = rgb(0x00d4_e2f4).lerp(rgb(0x00ff_f4e6), noise.value(q * 0.7));
        let color = field.lerp(fir, woods).lerp(haze, 0.62 - 0.4 * depth);
        color.extend(floor)
    });
    let lake = |p: Vec2| {
        let q = (p - Vec2::new(-0.7, 0.56)) / Vec2::new(0.9, 0.09);
        q.length() - 0.8 - 0.35 * noise.value(p * 4.0 + 20.0)
    };
    canvas.fill(
        |p| lake(p) * 0.09,
        |p| {
            rgb(0x008c_c8ea)
                .lerp(rgb(0x00e6_f4fc), smooth_step(0.5, 0.62, p.y))
                .extend(0.9)
        },
    );
}

/// Sprites of the display.
#[derive(Debug, Clone, Copy)]
pub(super) struct Icons {
    pub(super) clock: Sprite,
    /// Icon of a mountain peak.
    pub(super) peak: Sprite,
}

impl Icons {
    /// Paints the sprites into a sheet.
    pub(super) fn new(s: &mut Sheet) -> Self {
        Self {
            clock: s.sprite(clock),
            peak: s.sprite(peak),
        }
    }
}

fn clock() -> Canvas {
    let mut clock = Canvas::new(56, 56);
    clock.cushion(
        |p| circle(p, 0.86),
        |_| rgb(0x00f8_fafc),
        Cushion {
            bevel: 0.2,
            ..Cushion::default()
        },
    );
    clock.flat(
        |p| capsule(p, Vec2::ZERO, Vec2::new(0.0, -0.5), 0.08),
        rgb(0x0028_3048),
    );
    clock.flat(
        |p| capsule(p, Vec2::ZERO, Vec2::new(0.34, 0.1), 0.08),
        rgb(0x00e8_3a3a),
    );
    clock
}

fn peak() -> Canvas {
    let mut peak = Canvas::new(56, 56);
    let rock = [
        (-0.9, 0.7),
        (-0.2, -0.75),
        (0.15, -0.2),
        (0.4, -0.45),
        (0.92, 0.7),
    ]
    .map(Vec2::from);
    peak.cushion(
        |p| polygon(p, &rock) - 0.04,
        |p| {
            if p.y < -0.1 - 0.12 * random((p.x * 7.0).floor() as i32, 1, 2) {
                Vec3::splat(0.98)
            } else {
                rgb(0x0058_80c0)
            }
        },
        Cushion {
            bevel: 0.15,
            ..Cushion::default()
        },
    );
    peak
}
