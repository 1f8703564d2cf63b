//! The land of the village: a grid of cells seen from above a corner, what is built where, where people walk, the painted
//! ground. World units are those of flat layers when the camera stands at its first place.

use glam::{Vec2, Vec3, vec2};

use crate::kit::atlas::image;
use crate::kit::motion::Dice;
use crate::kit::paint::{Canvas, rgb};
use crate::procedural::{Noise, smooth_step};
use azulejo_scene::TextureImage;

/// Cells along an edge of the grid.
const CELLS: f32 = 24.0;
/// The painted part of the world.
pub(super) const FROM: Vec2 = vec2(-140.0, -70.0);
pub(super) const SIZE: Vec2 = vec2(1560.0, 860.0);

/// World position of a point of the grid (isometric projection).
pub(super) fn world(cell: Vec2) -> Vec2 {
    vec2(
        640.0 + (cell.x - cell.y) * 28.0,
        44.0 + (cell.x + cell.y) * 14.0,
    )
}

/// Which point of the grid lies here.
fn grid(at: Vec2) -> Vec2 {
    let (x, y) = ((at.x - 640.0) / 28.0, (at.y - 44.0) / 14.0);
    vec2(x + y, y - x) * 0.5
}

/// Kind and cell of every building, walls aside.
pub(super) const BUILDINGS: [(usize, Vec2); 25] = [
    (0, vec2(11.6, 11.6)),
    (8, vec2(8.4, 13.4)),
    (8, vec2(13.4, 8.4)),
    (12, vec2(12.6, 15.2)),
    (6, vec2(7.9, 11.0)),
    (6, vec2(15.4, 12.6)),
    (7, vec2(15.0, 9.0)),
    (7, vec2(9.0, 15.4)),
    (1, vec2(4.2, 9.2)),
    (2, vec2(9.4, 4.2)),
    (2, vec2(3.6, 13.6)),
    (1, vec2(13.6, 3.6)),
    (3, vec2(18.6, 6.8)),
    (3, vec2(20.0, 10.0)),
    (4, vec2(6.6, 18.8)),
    (4, vec2(10.2, 20.0)),
    (5, vec2(19.6, 20.6)),
    (9, vec2(20.0, 14.6)),
    (9, vec2(14.4, 20.2)),
    (11, vec2(2.2, 2.0)),
    (11, vec2(17.4, 2.6)),
    (11, vec2(2.6, 17.6)),
    (1, vec2(4.9, 5.1)),
    (6, vec2(21.8, 18.4)),
    (7, vec2(14.6, 17.2)),
];

/// The wall's cells: a ring with two gates.
pub(super) fn walls() -> Vec<Vec2> {
    let (low, high, step) = (6.9, 16.3, 0.78);
    let n = ((high - low) / step) as i32;
    let mut cells = Vec::new();
    for k in 0..=n {
        let t = low + k as f32 * step;
        let gate = (t - 11.6).abs() < 0.9;
        cells.extend([vec2(t, low), vec2(low, t)]);
        if !gate {
            cells.extend([vec2(t, high), vec2(high, t)]);
        }
    }
    cells
}

/// Ways that people walk, round and round.
pub(super) const WAYS: [&[Vec2]; 5] = [
    &[
        vec2(12.0, 15.4),
        vec2(12.0, 22.4),
        vec2(17.6, 22.4),
        vec2(17.6, 18.6),
        vec2(12.2, 17.4),
    ],
    &[
        vec2(15.4, 12.0),
        vec2(22.6, 12.0),
        vec2(22.6, 17.4),
        vec2(18.2, 13.2),
        vec2(17.0, 12.2),
    ],
    &[
        vec2(5.6, 8.0),
        vec2(5.6, 16.0),
        vec2(1.6, 16.0),
        vec2(1.6, 11.6),
        vec2(5.2, 11.6),
    ],
    &[
        vec2(8.0, 5.6),
        vec2(16.2, 5.6),
        vec2(16.2, 1.0),
        vec2(11.6, 1.6),
        vec2(11.6, 5.2),
    ],
    &[
        vec2(14.0, 13.2),
        vec2(10.4, 14.6),
        vec2(10.0, 16.0),
        vec2(12.0, 17.6),
        vec2(17.6, 17.8),
        vec2(17.4, 12.0),
    ],
];

/// Place of a walker on a way after `walked` cells: the cell, and the heading.
pub(super) fn stroll(way: &[Vec2], walked: f32) -> (Vec2, Vec2) {
    let legs = || way.iter().zip(way.iter().cycle().skip(1)).take(way.len());
    let round: f32 = legs().map(|(a, b)| a.distance(*b)).sum();
    let mut rest = walked.rem_euclid(round);
    for (&a, &b) in legs() {
        let long = a.distance(b);
        if rest < long {
            return (a.lerp(b, rest / long), b - a);
        }
        rest -= long;
    }
    (way[0], Vec2::X)
}

/// Positive in the sea at the lower left.
fn sea(at: Vec2) -> f32 {
    (at.y - 640.0) * 0.87 - (at.x - 120.0) * 0.5
}

/// Plants around the village: 0 oak, 1 fir, 2 bush, 3 rock; its foot and its height.
pub(super) fn plants(seed: u32) -> Vec<(usize, Vec2, f32)> {
    let mut dice = Dice::new(seed, 0x7111);
    let mut plants: Vec<(usize, Vec2, f32)> = Vec::new();
    for _ in 0..1400 {
        let at = FROM + vec2(dice.unit(), dice.unit()) * (SIZE + vec2(0.0, 40.0));
        let cell = grid(at) - CELLS * 0.5;
        let outside = cell.abs().max_element() - CELLS * 0.5;
        let own = dice.unit();
        let (kind, height) = match own {
            _ if outside < 1.2 => (2 + usize::from(own < 0.4), 32.0),
            _ if own < 0.42 => (0, 92.0),
            _ if own < 0.86 => (1, 104.0),
            _ => (3, 42.0),
        };
        let apart = |plant: &(usize, Vec2, f32)| {
            ((plant.1 - at) * vec2(1.0, 1.5)).length() > if kind < 2 { 44.0 } else { 60.0 }
        };
        if outside > 0.5 && sea(at) < -26.0 && plants.iter().all(apart) {
            plants.push((kind, at, height * dice.between(0.85, 1.15)));
        }
    }
    plants
}

/// Meadows, ways, the forest's floor, the shore.
pub(super) fn ground(seed: u32) -> TextureImage {
    let mut canvas = Canvas::new(560, 308);
    let half = vec2(canvas.half_width(), 1.0);
    let noise = Noise::tiling(seed ^ 0x9a11, 256);
    canvas.wash(|p| {
        let at = FROM + (p + half) / (2.0 * half) * SIZE;
        let bent = at + 9.0 * noise.offset(at / 26.0 + 50.0);
        let cell = grid(bent) - CELLS * 0.5;
        let outside = cell.abs().max_element() - CELLS * 0.5;
        let fine = 0.86
            + 0.24 * noise.fractal(at / vec2(15.0, 9.0) + 60.0, 3)
            + 0.06 * noise.value(at / vec2(3.0, 6.0));
        let inside = trodden(at, cell, noise);
        let wild = rgb(0x0044_7c2c).lerp(rgb(0x0068_9c36), noise.fractal(at / 90.0 + 20.0, 3));
        let rim = smooth_step(0.5, 0.1, (outside - 0.1).abs());
        let land = inside.lerp(wild, smooth_step(-0.1, 0.5, outside)) * fine;
        let land = land.lerp(rgb(0x00d4_e67c), 0.3 * rim);
        let water = sea(bent);
        let sand = land.lerp(rgb(0x00f0_dca6) * fine, smooth_step(-30.0, -16.0, water));
        let wet = waves(at, water, noise);
        sand.lerp(wet, smooth_step(-1.5, 1.5, water)).extend(1.0)
    });
    image("ground", &canvas)
}

/// Grass in squares, and the ways between buildings; `cell` from the village's middle.
fn trodden(at: Vec2, cell: Vec2, noise: Noise) -> Vec3 {
    let even = ((cell.x * 0.5).floor() + (cell.y * 0.5).floor()).rem_euclid(2.0) < 1.0;
    let grass = if even {
        rgb(0x008c_c83e)
    } else {
        rgb(0x0083_be3a)
    };
    let patch = noise.fractal(at / 70.0 + 33.0, 3);
    let grass = grass.lerp(rgb(0x00a8_d850), 0.5 * smooth_step(0.45, 0.8, patch));
    let cross = cell.abs().min_element();
    let plaza = cell.abs().max_element() - 4.3;
    let ring = (cell.abs().max_element() - 5.9).abs() - 0.1;
    let path = (cross - 0.55)
        .max(cell.abs().max_element() - 11.0)
        .min(ring)
        .min(plaza);
    let pebble = noise.cells(at / 13.0);
    let stone = smooth_step(0.34, 0.24, pebble.nearest) * f32::from(u8::from(pebble.id > 0.5));
    let soil = rgb(0x00d8_b47c).lerp(rgb(0x00ee_dcb4), 0.6 * stone);
    let edge = grass * 0.8;
    grass
        .lerp(edge, smooth_step(0.55, 0.3, path))
        .lerp(soil, smooth_step(0.22, 0.05, path))
}

fn waves(at: Vec2, depth: f32, noise: Noise) -> Vec3 {
    let color = rgb(0x0066_d4e4).lerp(rgb(0x001c_7cc0), smooth_step(0.0, 120.0, depth));
    let crest = (depth / 19.0 + 0.7 * noise.value(at / 40.0)).fract();
    let foam = smooth_step(0.12, 0.03, (crest - 0.5).abs()) * smooth_step(70.0, 0.0, depth);
    let surf = smooth_step(5.0, 1.0, depth);
    color.lerp(Vec3::ONE, (0.45 * foam).max(0.8 * surf))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stroll_goes_round_without_a_leap() {
        for way in WAYS {
            for step in 0..2000 {
                let walked = step as f32 * 0.05;
                let (before, after) = (stroll(way, walked).0, stroll(way, walked + 0.05).0);
                assert!(before.distance(after) < 0.06, "at {walked}");
            }
        }
    }

    #[test]
    fn grid_is_the_inverse_of_world() {
        for cell in [vec2(0.0, 0.0), vec2(3.5, 20.0), vec2(24.0, 1.0)] {
            assert!(grid(world(cell)).distance(cell) < 1e-3, "{cell}");
        }
    }
}
