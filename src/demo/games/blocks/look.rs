//! Textures of the well's world: an evening sky with floating islands, faces of blocks, stone, gold, cloth.

use glam::{Vec2, Vec3};

use crate::kit::atlas::{Atlas, Sprite, image, sheet};
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::shape::{circle, ellipse, rounded_box};
use crate::procedural::{Noise, lerp, random, smooth_step};
use azulejo_scene::TextureImage;

/// Sprites of all solids.
#[derive(Debug)]
pub(super) struct Pieces {
    pub(super) face: Sprite,
    pub(super) cell: Sprite,
    pub(super) stone: Sprite,
    pub(super) cloth: Sprite,
    pub(super) grass: Sprite,
}

/// Paints the atlas of the solids.
pub(super) fn pieces() -> (Pieces, Atlas) {
    sheet("blocks", 256, |s| Pieces {
        face: s.sprite(face),
        cell: s.sprite(cell),
        stone: s.sprite(stone),
        cloth: s.sprite(cloth),
        grass: s.sprite(grass),
    })
}

/// A block's face: a raised square in a frame.
fn face() -> Canvas {
    let mut canvas = Canvas::new(72, 72);
    canvas.wash(|p| Vec3::splat(0.9 - 0.05 * p.y).extend(1.0));
    let inner = |p: Vec2| rounded_box(p, Vec2::splat(0.62), 0.14);
    canvas.shadow(inner, Vec2::new(0.02, 0.05), 0.09, 0.4);
    let look = Cushion {
        bevel: 0.16,
        outline: 0.0,
        contrast: 0.5,
        gloss: 0.12,
    };
    canvas.cushion(inner, |p| Vec3::splat(0.97 - 0.06 * p.y), look);
    canvas
}

/// A cell of the well's back wall.
fn cell() -> Canvas {
    let mut canvas = Canvas::new(48, 48);
    canvas.wash(|_| rgb(0x0016_1438).extend(1.0));
    let inner = |p: Vec2| rounded_box(p, Vec2::splat(0.92), 0.12);
    canvas.fill(inner, |p| {
        rgb(0x0024_2258)
            .lerp(rgb(0x001c_1a48), 0.5 + 0.5 * p.y)
            .extend(1.0)
    });
    canvas.flat(|p| circle(p, 0.07), rgb(0x0038_3480));
    canvas
}

fn stone() -> Canvas {
    let mut canvas = Canvas::new(96, 96);
    let noise = Noise::tiling(7, 64);
    canvas.wash(|p| {
        let rows = p.y * 2.0;
        let x = p.x * 1.5 + 0.5 * rows.floor().rem_euclid(2.0);
        let own = random(x.floor() as i32, rows.floor() as i32, 3);
        let (u, v) = (x.rem_euclid(1.0), rows.rem_euclid(1.0));
        let joint =
            smooth_step(0.02, 0.09, u.min(1.0 - u)) * smooth_step(0.03, 0.12, v.min(1.0 - v));
        let tone = (0.72 + 0.18 * own) * (0.85 + 0.25 * noise.fractal(p * 5.0 + 20.0, 3));
        (Vec3::new(1.0, 0.97, 0.95) * tone * lerp(0.5, 1.0, joint)).extend(1.0)
    });
    canvas
}

fn cloth() -> Canvas {
    let mut canvas = Canvas::new(32, 32);
    let weave = Noise::tiling(3, 64);
    canvas.wash(|p| Vec3::splat(0.9 + 0.1 * weave.fractal(p * 10.0 + 20.0, 2)).extend(1.0));
    canvas
}

fn grass() -> Canvas {
    let mut canvas = Canvas::new(64, 64);
    let noise = Noise::tiling(9, 64);
    canvas.wash(|p| {
        let blades = noise.fractal(Vec2::new(p.x * 14.0, p.y * 5.0) + 30.0, 2);
        (rgb(0x0072_b84a) * (0.65 + 0.5 * blades)).extend(1.0)
    });
    canvas
}

/// The evening: a low sun, clouds in layers, islands that float with their waterfalls.
pub(super) fn evening(seed: u32) -> TextureImage {
    let mut canvas = Canvas::new(360, 203);
    canvas.wash(|p| {
        let t = 0.5 + 0.5 * p.y;
        let high = rgb(0x002c_2a7c).lerp(rgb(0x00b0_4f9c), smooth_step(0.0, 0.55, t));
        let low = rgb(0x00ff_8f6a).lerp(rgb(0x00ff_d58c), smooth_step(0.62, 1.0, t));
        high.lerp(low, smooth_step(0.3, 0.8, t)).extend(1.0)
    });
    for k in 0..90 {
        let own = |salt: i32| random(k, salt, seed ^ 0x57a6);
        let at = Vec2::new(3.6 * own(1) - 1.8, -1.0 + 0.9 * own(2) * own(2));
        let size = 0.002 + 0.005 * own(3);
        canvas.fill(
            move |p| circle(p - at, size),
            move |_| Vec3::ONE.extend(0.4 + 0.5 * own(4)),
        );
    }
    let sun = Vec2::new(-0.95, 0.18);
    canvas.glow(|p| circle(p - sun, 0.26), rgb(0x00ff_dca0), 0.8, 0.75);
    canvas.fill(
        |p| circle(p - sun, 0.27),
        |p| {
            rgb(0x00ff_f4d0)
                .lerp(rgb(0x00ff_c878), smooth_step(0.0, 0.42, p.y))
                .extend(1.0)
        },
    );
    let noise = Noise::tiling(seed ^ 61, 64);
    for layer in 0..4_i16 {
        let depth = f32::from(layer) / 3.0;
        let base = lerp(0.28, 0.86, depth);
        let tone = rgb(0x00e8_7a9a).lerp(rgb(0x0078_4aa8), depth);
        let lit = rgb(0x00ff_c8a0).lerp(rgb(0x00c0_7ac8), depth);
        canvas.wash(|p| {
            let x = p.x * lerp(1.6, 0.9, depth) + 5.0 * f32::from(layer) + 20.0;
            let billow = 0.3 * noise.fractal(Vec2::new(x * 1.6, 3.0), 2)
                + 0.16 * (1.0 - (2.0 * noise.value(Vec2::new(x * 4.0, 9.0)) - 1.0).abs());
            let top = base - billow;
            let inside = smooth_step(0.0, 0.012, p.y - top);
            lit.lerp(tone, smooth_step(0.0, 0.2, p.y - top))
                .extend(0.92 * inside)
        });
        if layer < 3 {
            for k in 0..2 {
                island(&mut canvas, i32::from(layer) * 5 + k, seed, depth);
            }
        }
    }
    image("evening", &canvas)
}

/// An island in the sky: turf, rock that tapers, trees.
fn island(canvas: &mut Canvas, number: i32, seed: u32, depth: f32) {
    let own = |salt: i32| random(number, salt, seed ^ 0x151a);
    let side = if number % 5 == 0 { -1.0 } else { 1.0 };
    let at = Vec2::new(
        side * (0.75 + 0.8 * own(1)),
        lerp(-0.2, 0.35, depth) + 0.25 * own(2),
    );
    let size = lerp(0.14, 0.3, depth) * (0.8 + 0.4 * own(3));
    let haze = rgb(0x00d8_7a98);
    let veil = lerp(0.55, 0.15, depth);
    let noise = Noise::tiling(seed ^ 83, 64);
    let rock = move |p: Vec2| {
        let q = (p - at) / size;
        let taper = 0.9 * (1.0 - (q.y / 1.1).clamp(0.0, 1.0)).powf(0.7)
            + 0.14 * (noise.value(q * 4.0 + 20.0) - 0.5);
        (q.x.abs() - taper).max(-q.y).max(q.y - 1.15) * size
    };
    canvas.fill(rock, move |p| {
        let q = (p - at) / size;
        let strata = noise.fractal(Vec2::new(q.x * 2.0, q.y * 7.0) + 20.0, 3);
        let light = smooth_step(0.8, -0.9, q.x);
        (rgb(0x005a_3a6c).lerp(rgb(0x00c8_8078), light) * (0.75 + 0.4 * strata))
            .lerp(haze, veil)
            .extend(1.0)
    });
    let turf = move |p: Vec2| ellipse(p - at, Vec2::new(0.95, 0.17) * size);
    canvas.fill(turf, move |p| {
        let light = smooth_step(0.8, -0.9, (p.x - at.x) / size);
        rgb(0x003c_6a58)
            .lerp(rgb(0x00a8_c060), light)
            .lerp(haze, veil)
            .extend(1.0)
    });
    for k in 0..5 {
        let x = (random(number * 7 + k, 5, seed) - 0.5) * 1.3;
        let height = 0.22 + 0.2 * random(number * 7 + k, 6, seed);
        let top = at + Vec2::new(x, -height) * size;
        canvas.fill(
            move |p| ellipse(p - top, Vec2::new(0.17, 0.24) * size),
            move |p| {
                let light = smooth_step(0.15, -0.15, (p.x - top.x) / size);
                rgb(0x002c_4a58)
                    .lerp(rgb(0x0088_a858), light)
                    .lerp(haze, veil)
                    .extend(1.0)
            },
        );
    }
}
