//! The layers of the landscape, from the sky to the road's earth: pictures that repeat along x.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use crate::kit::atlas::image;
use crate::kit::paint::{Canvas, Cushion, rgb};
use crate::kit::shape::{circle, join, rounded_box};
use crate::kit::surface::{Relief, tiling};
use crate::procedural::{Noise, lerp, random, smooth_step};
use azulejo_scene::TextureImage;

/// A canvas whose left and right edges meet.
struct Strip {
    canvas: Canvas,
    half_width: f32,
    seed: u32,
}

impl Strip {
    fn new(width: u32, height: u32, seed: u32) -> Self {
        let canvas = Canvas::new(width, height);
        Self {
            half_width: canvas.half_width(),
            canvas,
            seed,
        }
    }

    /// Vector from `at` to `p` the short way round.
    fn around(&self, at: Vec2) -> impl Fn(Vec2) -> Vec2 + Copy + use<> {
        let width = 2.0 * self.half_width;
        move |p| {
            let x = p.x - at.x;
            Vec2::new(x - (x / width).round() * width, p.y - at.y)
        }
    }

    /// Noise of `steps` lattice steps along the strip.
    fn noise(&self, steps: i32, salt: u32) -> impl Fn(Vec2) -> f32 + Copy + use<> {
        let noise = Noise {
            seed: self.seed ^ salt,
            period: [steps, 512],
        };
        let half_width = self.half_width;
        let scale = steps as f32 / (2.0 * half_width);
        move |p| noise.fractal((Vec2::new(p.x + half_width, p.y + 64.0 / scale)) * scale, 4)
    }

    /// A rolling skyline: y by x.
    fn skyline(
        &self,
        y: f32,
        swing: f32,
        waves: [f32; 2],
        salt: u32,
    ) -> impl Fn(f32) -> f32 + Copy + use<> {
        let half_width = self.half_width;
        let [a, b] = [0, 1].map(|k| random(k, 7, self.seed ^ salt) * TAU);
        move |x| {
            let turn = TAU * (x + half_width) / (2.0 * half_width);
            y + swing * ((turn * waves[0] + a).sin() + 0.45 * (turn * waves[1] + b).sin())
        }
    }

    /// `n` places along the strip with a number of their own each, 0..1.
    fn places(&self, n: i32, salt: u32) -> Vec<(f32, f32)> {
        let place = |k: i32| {
            let own = |axis: i32| random(k, axis, self.seed ^ salt);
            let x = (k as f32 + 0.2 + 0.6 * own(3)) / n as f32;
            ((x * 2.0 - 1.0) * self.half_width, own(4))
        };
        (0..n).map(place).collect()
    }

    fn image(self, name: &str) -> TextureImage {
        image(name, &self.canvas)
    }
}

/// Morning sky with clouds on clouds.
pub(super) fn sky(seed: u32) -> TextureImage {
    let mut strip = Strip::new(576, 208, seed);
    let streaks = strip.noise(5, 0x51);
    let fine = strip.noise(23, 0x52);
    strip.canvas.wash(move |p| {
        let t = smooth_step(-1.0, 0.9, p.y);
        let blue = rgb(0x0033_8fe0).lerp(rgb(0x00bf_e8f7), t);
        let warm = blue.lerp(rgb(0x00ff_e9bd), smooth_step(0.1, 1.0, p.y));
        let haze = streaks(Vec2::new(p.x, p.y * 2.6)) + 0.25 * fine(p);
        let veil = 0.55 * smooth_step(0.5, 0.95, haze);
        warm.lerp(Vec3::ONE, veil).extend(1.0)
    });
    let sun = strip.around(Vec2::new(1.1, -0.35));
    strip
        .canvas
        .glow(move |p| circle(sun(p), 0.16), rgb(0x00ff_f3b8), 0.7, 0.75);
    strip
        .canvas
        .flat(move |p| circle(sun(p), 0.17), rgb(0x00ff_fbe4));
    for row in 0..2 {
        for (x, own) in strip.places(6 - row, 0x61 + row as u32) {
            let y = lerp(-0.62, -0.1, own) + 0.55 * row as f32;
            cloud(
                &mut strip,
                Vec2::new(x, y),
                0.1 + 0.08 * (own * 7.0).fract(),
                own,
            );
        }
    }
    strip.image("sky")
}

fn cloud(strip: &mut Strip, at: Vec2, size: f32, own: f32) {
    let around = strip.around(at);
    let wisps = strip.noise(60, 0x33);
    let shape = move |p: Vec2| {
        let q = around(p) / size;
        let puffs = [
            (-1.4, 0.05, 0.5),
            (-0.6, -0.3 - 0.3 * own, 0.72),
            (0.3, -0.45, 0.62 + 0.3 * own),
            (1.1, -0.1, 0.6),
            (1.8, 0.15, 0.4),
        ];
        let puffs = puffs
            .iter()
            .map(|&(x, y, r)| circle(q - Vec2::new(x, y), r));
        let base = rounded_box(q - Vec2::new(0.2, 0.26), Vec2::new(2.1, 0.28), 0.28);
        (puffs.fold(base, |a, b| join(a, b, 0.25)) + 0.3 * (wisps(p) - 0.5)) * size
    };
    let look = Cushion {
        bevel: size * 0.8,
        outline: 0.0,
        contrast: 0.26,
        gloss: 0.0,
    };
    let color = move |p: Vec2| {
        let below = smooth_step(-0.5, 0.6, around(p).y / size);
        Vec3::ONE.lerp(rgb(0x00b4_cfe8), 0.8 * below)
    };
    strip.canvas.cushion(shape, color, look);
}

/// Two ranges of snowy mountains.
pub(in crate::games) fn mountains(seed: u32) -> TextureImage {
    let mut strip = Strip::new(448, 126, seed);
    for (range, n) in [(0_u32, 7), (1, 9)] {
        let peaks: Vec<(f32, f32)> = strip.places(n, 0x90 + range);
        let ragged = strip.noise(36, 0x91 + range);
        let width = 2.0 * strip.half_width;
        // Height and offset of the highest flank at a point: how far it lies below the surface, and on which side of the
        // peak.
        let flank = move |p: Vec2| {
            let side = |&(x, own): &(f32, f32)| {
                let steep = 0.8 + 0.4 * own;
                // Every flank is ragged in its own way, so that valleys wind.
                let bent = 0.34 * (ragged(p + Vec2::Y * 30.0 * own) - 0.5);
                let away = p.x - x;
                let away = away - (away / width).round() * width;
                let top = lerp(-0.95, -0.2, own) + 0.5 * range as f32;
                (
                    p.y - top - away.abs() * steep + bent,
                    away + 0.8 * bent,
                    p.y - top,
                )
            };
            (peaks.iter().map(side))
                .fold((f32::MIN, 0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a })
        };
        let (rock, shade) = [
            (rgb(0x0096_b3d8), rgb(0x0075_92c2)),
            (rgb(0x0078_9ac0), rgb(0x0058_79a6)),
        ][range as usize];
        let flank = &flank;
        strip.canvas.fill(
            |p| -flank(p).0 * 0.6,
            |p| {
                let (_, side, below) = flank(p);
                let dark =
                    smooth_step(-0.03, 0.05, side + 0.16 * (ragged(p + Vec2::Y * 1.7) - 0.5));
                let snow_line = 0.34 + 0.5 * (ragged(p + Vec2::Y * 2.3) - 0.5);
                let snow = smooth_step(snow_line + 0.03, snow_line - 0.03, below);
                let bare = rock.lerp(shade, dark) * (0.9 + 0.2 * ragged(p + Vec2::Y * 3.1));
                let white = rgb(0x00ff_ffff).lerp(rgb(0x00bc_d2f0), dark);
                let mist = 0.6 * smooth_step(0.1, 1.1, p.y);
                bare.lerp(white, snow)
                    .lerp(rgb(0x00c8_e2ee), mist)
                    .extend(1.0)
            },
        );
    }
    strip.image("mountains")
}

/// Wooded hills: rows of firs, the farther the paler.
pub(super) fn woods(seed: u32) -> TextureImage {
    let mut strip = Strip::new(448, 154, seed);
    let needles = strip.noise(90, 0x71);
    for row in 0..4_u32 {
        let near = row as f32 / 3.0;
        let ground = strip.skyline(
            -0.42 + 0.42 * near,
            0.16,
            [2.0 + near.round(), 5.0],
            0x72 + row,
        );
        let color = rgb(0x0079_b7ac).lerp(rgb(0x0037_8a5c), near);
        let trees = strip.places(26 + 4 * row as i32, 0x73 + row);
        let width = 2.0 * strip.half_width;
        let size = 0.3 + 0.12 * near;
        let crown = move |p: Vec2| {
            let fir = |&(x, own): &(f32, f32)| {
                let away = p.x - x;
                let away = (away - (away / width).round() * width).abs();
                if away > size {
                    return 1.0;
                }
                let height = size * (0.75 + 0.6 * own);
                let below = (p.y - (ground(x) + 0.08 - height)) / height;
                // Three skirts, each wider than the one above.
                let tier = below * 3.2;
                let half = size * 0.34 * (0.3 * tier.floor().max(0.0) + 0.62 * tier.fract()) / 1.2;
                (away - half.max(0.012)).max(-below * height)
            };
            trees.iter().map(fir).fold(1.0, f32::min).max(p.y - 1.2)
        };
        let crown = &crown;
        strip.canvas.fill(
            |p| (crown(p)).min((ground(p.x) - p.y) * 0.8),
            |p| {
                let below = p.y - ground(p.x);
                let lit = 1.12 - 0.42 * smooth_step(-0.35, 0.5, below);
                let tone = lit * (0.72 + 0.56 * needles(p * Vec2::new(1.0, 1.6)));
                let mist = (0.42 - 0.2 * near) * smooth_step(0.0, 0.75, below);
                (color * tone).lerp(rgb(0x00c4_e4de), mist).extend(1.0)
            },
        );
    }
    strip.image("woods")
}

/// Farmland: meadows and fields with hedges, a red barn, round trees.
pub(in crate::games) fn fields(seed: u32) -> TextureImage {
    let mut strip = Strip::new(448, 135, seed);
    let grain = strip.noise(64, 0x81);
    let patches = strip.noise(9, 0x82);
    let ground = strip.skyline(-0.3, 0.17, [1.0, 3.0], 0x83);
    let meadow = move |p: Vec2| {
        let below = p.y - ground(p.x);
        let depth = (below + 0.05).max(0.0).powf(0.6);
        let plot = patches(Vec2::new(p.x + depth * 0.6, depth * 1.2));
        let crops = [
            rgb(0x0086_c653),
            rgb(0x00b4_d65c),
            rgb(0x00e2_cd6a),
            rgb(0x006d_b74c),
        ];
        let number = plot * 15.0;
        let color = crops[number.max(0.0) as usize % 4];
        let furrow = 0.93 + 0.1 * ((p.x * 0.8 + depth * 5.0) * 26.0).sin();
        // A dark hedge where two plots meet.
        let hedge = smooth_step(0.11, 0.05, number.fract().min(1.0 - number.fract()));
        let planted = color.lerp(rgb(0x003e_8a3c), 0.75 * hedge) * lerp(furrow, 1.0, hedge);
        let light = (1.06 - 0.22 * smooth_step(0.0, 1.2, below)) * (0.84 + 0.32 * grain(p));
        let rim = smooth_step(0.05, 0.0, below);
        (planted * light)
            .lerp(rgb(0x00d0_ee8c), 0.6 * rim)
            .extend(1.0)
    };
    strip
        .canvas
        .fill(move |p| (ground(p.x) - p.y) * 0.85, meadow);
    for (number, (x, own)) in (0_u32..).zip(strip.places(15, 0x84)) {
        let foot = Vec2::new(x, ground(x) + 0.06 + 0.5 * own);
        if number % 7 == 3 {
            barn(&mut strip, foot);
        } else {
            tree(&mut strip, foot, 0.12 + 0.1 * own);
        }
    }
    strip.image("fields")
}

fn tree(strip: &mut Strip, foot: Vec2, size: f32) {
    let around = strip.around(foot);
    let leaves = strip.noise(120, 0x44);
    let shade = move |p: Vec2| {
        let q = around(p) / Vec2::new(1.0, 0.28);
        circle(q - Vec2::new(size * 0.4, 0.0), size)
    };
    strip.canvas.fill(shade, |_| rgb(0x001e_4a2a).extend(0.35));
    let trunk = move |p: Vec2| {
        let q = around(p) + Vec2::Y * size * 0.5;
        rounded_box(q, Vec2::new(size * 0.13, size * 0.5), 0.01)
    };
    strip.canvas.flat(trunk, rgb(0x0072_4d30));
    let crown = move |p: Vec2| {
        let q = around(p) / size;
        let balls = [
            (0.0, -1.75, 0.62),
            (-0.5, -1.3, 0.55),
            (0.5, -1.25, 0.56),
            (0.0, -1.2, 0.6),
        ];
        let ball = balls
            .iter()
            .map(|&(x, y, r)| circle(q - Vec2::new(x, y), r));
        (ball.fold(9.0, f32::min) + 0.3 * (leaves(p) - 0.5)) * size
    };
    let look = Cushion {
        bevel: size * 0.7,
        outline: 0.012,
        contrast: 0.9,
        gloss: 0.0,
    };
    strip.canvas.cushion(
        crown,
        move |p| rgb(0x004c_a444) * (0.75 + 0.5 * leaves(p)),
        look,
    );
}

fn barn(strip: &mut Strip, foot: Vec2) {
    let around = strip.around(foot);
    let size = 0.2;
    let wall = move |p: Vec2| {
        let q = around(p) / size;
        let house = (q.x.abs() - 1.0).max(q.y).max(-1.1 - q.y);
        let gable = (q.x.abs() * 0.75 + (-q.y - 1.85))
            .max(q.x.abs() - 1.0)
            .max(q.y);
        house.min(gable) * size
    };
    strip.canvas.fill(wall, move |p| {
        let q = around(p) / size;
        let plank = (q.x * 6.0).fract().abs();
        let tone = if plank < 0.15 { 0.82 } else { 1.0 };
        (rgb(0x00c8_3c30) * tone * if q.x > 0.25 { 0.86 } else { 1.0 }).extend(1.0)
    });
    let roof = move |p: Vec2| {
        let q = around(p) / size;
        let slant = (q.x.abs() * 0.75 - q.y - 1.98).abs() - 0.15;
        slant.max(q.x.abs() - 1.2) * size * 0.7
    };
    strip.canvas.flat(roof, rgb(0x005c_5a66));
    let door = move |p: Vec2| {
        let q = around(p) / size;
        (rounded_box(q + Vec2::Y * 0.42, Vec2::new(0.36, 0.42), 0.02)) * size
    };
    strip.canvas.flat(door, rgb(0x00ff_f4e6));
    strip.canvas.flat(move |p| door(p) + 0.02, rgb(0x0096_2a22));
}

/// Earth with stones, lit.
pub(in crate::games) fn earth(seed: u32) -> TextureImage {
    let clods = Noise {
        seed: seed ^ 0xea,
        period: [6, 4],
    };
    let stones = Noise {
        seed: seed ^ 0x57,
        period: [9, 6],
    };
    tiling("earth", (288, 192), 0.9, |uv| {
        let soft = clods.fractal(uv * Vec2::new(6.0, 4.0), 5);
        let bent = uv * Vec2::new(9.0, 6.0) + 0.25 * clods.offset(uv * Vec2::new(6.0, 4.0));
        let stone = stones.cells(bent);
        let is_stone = if stone.id > 0.62 {
            smooth_step(0.36, 0.28, stone.nearest)
                * smooth_step(0.05, 0.17, stone.second - stone.nearest)
        } else {
            0.0
        };
        let soil = rgb(0x0082_5630).lerp(rgb(0x00a8_7642), soft);
        let pebble = rgb(0x00b0_a294) * (0.8 + 0.4 * stone.id);
        let dome = (1.0 - stone.nearest * stone.nearest * 6.0).max(0.0).sqrt();
        Relief {
            color: soil.lerp(pebble, is_stone),
            height: 0.03 * soft + 0.02 * is_stone * dome,
        }
    })
}

/// The turf over the road's edge: repeats along x, transparent above and below.
pub(in crate::games) fn turf(seed: u32) -> TextureImage {
    let mut canvas = Canvas::new(384, 48);
    let half_width = canvas.half_width();
    let ragged = Noise {
        seed: seed ^ 0x7f,
        period: [64, 1],
    };
    let step = move |p: Vec2| (p.x + half_width) / (2.0 * half_width) * 64.0;
    let upper = move |p: Vec2| -0.42 - 0.4 * ragged.value(Vec2::new(step(p), 0.3)).powi(2);
    let lower = move |p: Vec2| 0.12 + 0.62 * ragged.value(Vec2::new(step(p) + 31.5, 0.7));
    canvas.fill(
        move |p| (p.y - lower(p) - 0.1).max(-p.y) * 0.7,
        |_| rgb(0x003a_2a18).extend(0.5),
    );
    let shape = move |p: Vec2| (upper(p) - p.y).max(p.y - lower(p)) * 0.7;
    canvas.fill(shape, move |p| {
        let depth = smooth_step(-0.7, 0.6, p.y);
        let blade = ragged.value(Vec2::new(step(p) * 2.0, 0.1));
        let color = rgb(0x009b_e044).lerp(rgb(0x003f_8f2c), depth) * (0.86 + 0.26 * blade);
        color.extend(1.0)
    });
    image("turf", &canvas)
}
