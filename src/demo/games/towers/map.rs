//! The land: the road that foes follow, where towers and trees stand, and the painted ground. Units of flat layers, from
//! the upper left corner of a land [`LAND`] wide and high.

use glam::{Vec2, Vec3, vec2};

use crate::kit::atlas::image;
use crate::kit::motion::Dice;
use crate::kit::paint::{Canvas, rgb};
use crate::kit::shape::{capsule, ellipse, join};
use crate::procedural::{Curve, Noise, smooth_step};
use azulejo_scene::TextureImage;

/// Units across and down.
pub(super) const LAND: Vec2 = vec2(1280.0, 720.0);
/// Position of the castle's gate, in units of the land.
pub(super) const GATE: Vec2 = vec2(1120.0, 372.0);
/// Position of the windmill, in units of the land.
pub(super) const MILL: Vec2 = vec2(912.0, 186.0);
/// Units between two points of the road.
const STEP: f32 = 8.0;
/// Bends of the road.
const BENDS: [(f32, f32); 17] = [
    (-70.0, 196.0),
    (60.0, 190.0),
    (190.0, 206.0),
    (318.0, 244.0),
    (338.0, 338.0),
    (232.0, 400.0),
    (190.0, 486.0),
    (280.0, 566.0),
    (430.0, 574.0),
    (528.0, 500.0),
    (520.0, 380.0),
    (540.0, 260.0),
    (660.0, 206.0),
    (800.0, 236.0),
    (846.0, 352.0),
    (906.0, 486.0),
    (1040.0, 490.0),
];

/// The road, as points at even distances.
#[derive(Debug, Clone)]
pub(super) struct Road {
    points: Vec<Vec2>,
}

impl Road {
    pub(super) fn new(seed: u32) -> Self {
        let mut dice = Dice::new(seed, 0x70ad);
        let mut bends: Vec<Vec3> = BENDS
            .iter()
            .map(|&(x, y)| {
                vec2(x + dice.between(-14.0, 14.0), y + dice.between(-10.0, 10.0)).extend(0.0)
            })
            .collect();
        bends.push((GATE + vec2(0.0, 56.0)).extend(0.0));
        bends.push(GATE.extend(0.0));
        let curve = Curve::through(&bends);
        let dense = (0..=6000).map(|k| curve.at(k as f32 / 6000.0).truncate());
        let mut points: Vec<Vec2> = Vec::new();
        for point in dense {
            if points
                .last()
                .is_none_or(|last| last.distance(point) >= STEP)
            {
                points.push(point);
            }
        }
        Self { points }
    }

    /// Units from its beginning to the gate.
    pub(super) fn length(&self) -> f32 {
        STEP * (self.points.len() - 1) as f32
    }

    /// The point `way` units along it.
    pub(super) fn at(&self, way: f32) -> Vec2 {
        let place = (way / STEP).clamp(0.0, (self.points.len() - 1) as f32);
        let low = (place as usize).min(self.points.len() - 2);
        self.points[low].lerp(self.points[low + 1], place - low as f32)
    }

    /// How far from its middle a point lies.
    pub(super) fn distance(&self, p: Vec2) -> f32 {
        let pairs = self.points.windows(2).step_by(2);
        pairs
            .map(|pair| capsule(p, pair[0], pair[1], 0.0))
            .fold(f32::MAX, f32::min)
    }
}

/// Negative in the pond and in the brook that leaves it.
pub(super) fn water(p: Vec2) -> f32 {
    let pond = ellipse(p - vec2(690.0, 392.0), vec2(92.0, 70.0));
    let brook = [
        (700.0, 440.0),
        (664.0, 540.0),
        (716.0, 624.0),
        (690.0, 740.0),
    ]
    .map(Vec2::from);
    let brook = brook
        .windows(2)
        .map(|pair| capsule(p, pair[0], pair[1], 17.0));
    brook.fold(pond, |a, b| join(a, b, 40.0))
}

/// Plots for towers: the middle of the plot, and the kind of tower.
pub(super) const PLOTS: [(Vec2, usize); 9] = [
    (vec2(246.0, 302.0), 0),
    (vec2(424.0, 300.0), 2),
    (vec2(330.0, 476.0), 1),
    (vec2(438.0, 446.0), 0),
    (vec2(620.0, 306.0), 1),
    (vec2(756.0, 316.0), 0),
    (vec2(800.0, 452.0), 2),
    (vec2(960.0, 392.0), 0),
    (vec2(128.0, 336.0), 1),
];

/// A plant: its kind, its foot, its height.
pub(super) type Plant = (usize, Vec2, f32);

/// Plants on free ground, off road, water, castle and plots.
pub(super) fn plants(seed: u32, road: &Road) -> Vec<Plant> {
    let mut dice = Dice::new(seed, 0x7ee5);
    let mut plants: Vec<Plant> = Vec::new();
    let free = |at: Vec2, room: f32| {
        let castle = ((at - GATE - vec2(0.0, -60.0)) / vec2(170.0, 150.0)).length();
        let plot = PLOTS
            .iter()
            .map(|(plot, _)| plot.distance(at))
            .fold(f32::MAX, f32::min);
        road.distance(at) > 44.0 + room
            && water(at) > 14.0 + room
            && castle > 1.0
            && plot > 62.0 + room
            && MILL.distance(at + vec2(0.0, 20.0)) > 66.0 + room
    };
    for _ in 0..1500 {
        let at = vec2(dice.between(-20.0, 1300.0), dice.between(66.0, 716.0));
        // Woods around the edge, single trees inside.
        let rim = (at - LAND * 0.5).abs() / (LAND * 0.5);
        let wood = smooth_step(0.66, 0.95, rim.max_element());
        let (kind, height) = match (dice.unit(), dice.unit() < 0.06 + wood) {
            (own, true) => [(0, 96.0), (1, 108.0)][usize::from(own < 0.55)],
            (own, false) if own < 0.3 => (2, 38.0),
            (own, false) if own < 0.5 => (3, 36.0),
            _ => (4, 22.0),
        };
        let room = if kind < 2 { 24.0 } else { 6.0 };
        let apart = |&(other, foot, _): &Plant| {
            let least = if kind < 2 && other < 2 { 46.0 } else { 40.0 };
            ((foot - at) * vec2(1.0, 1.3)).length() > least
        };
        // Tall plants must not hide the road behind them.
        let hides = kind < 2 && road.distance(at - vec2(0.0, 62.0)) < 44.0;
        if free(at, room) && !hides && plants.iter().all(apart) {
            plants.push((kind, at, height * dice.between(0.85, 1.1)));
        }
    }
    for (x, y) in [
        (650.0, 372.0),
        (676.0, 428.0),
        (742.0, 404.0),
        (722.0, 362.0),
    ] {
        plants.push((5, vec2(x, y), 22.0));
    }
    plants
}

/// Distances to the road on a coarse grid, for painting.
struct Distances {
    columns: usize,
    values: Vec<f32>,
}

/// Units of a cell of [`Distances`].
const CELL: f32 = 10.0;

impl Distances {
    fn new(road: &Road) -> Self {
        let columns = (LAND.x / CELL) as usize + 3;
        let rows = (LAND.y / CELL) as usize + 3;
        let at = |i: usize| vec2((i % columns) as f32 - 1.0, (i / columns) as f32 - 1.0) * CELL;
        Self {
            columns,
            values: (0..columns * rows).map(|i| road.distance(at(i))).collect(),
        }
    }

    /// The value at a point, interpolated between its four neighbours.
    fn at(&self, p: Vec2) -> f32 {
        let q = (p / CELL + 1.0).max(Vec2::ZERO);
        let cell = q.floor();
        let t = q - cell;
        let first = cell.y as usize * self.columns + cell.x as usize;
        let value = |k: usize| self.values.get(first + k).copied().unwrap_or(f32::MAX);
        let upper = value(0) + (value(1) - value(0)) * t.x;
        let (left, right) = (value(self.columns), value(self.columns + 1));
        upper + (left + (right - left) * t.x - upper) * t.y
    }
}

/// Paints meadow, road and water.
pub(super) fn ground(seed: u32, road: &Road) -> TextureImage {
    let mut canvas = Canvas::new(608, 342);
    let distances = Distances::new(road);
    let noise = Noise::tiling(seed ^ 0x6a55, 256);
    let half = vec2(canvas.half_width(), 1.0);
    canvas.wash(|p| {
        let at = (p + half) / (2.0 * half) * LAND;
        let bent = at + 7.0 * noise.offset(at / 22.0 + 40.0);
        let meadow = meadow(at, noise);
        let shade = 0.72 + 0.28 * smooth_step(34.0, 52.0, distances.at(bent));
        let road_edge = distances.at(bent);
        let earth = earth(at, road_edge, distances.at(bent - vec2(5.0, 9.0)), noise);
        let land = (meadow * shade).lerp(earth, smooth_step(36.0, 33.0, road_edge));
        let depth = -water(bent);
        let shore = land.lerp(rgb(0x00ea_d8a4), smooth_step(-13.0, -9.0, depth));
        let bank = shore * (1.0 - 0.3 * smooth_step(-4.0, 0.0, depth));
        let wet = ripples(at, depth, noise);
        let color = bank.lerp(wet, smooth_step(-1.0, 1.5, depth));
        // Light falls on the middle, trees darken the rim.
        let rim = ((at - LAND * 0.5) / (LAND * 0.5)).abs();
        let dim = 1.0 - 0.3 * smooth_step(0.7, 1.05, rim.max_element());
        (color * dim).extend(1.0)
    });
    image("ground", &canvas)
}

fn meadow(at: Vec2, noise: Noise) -> Vec3 {
    let patches = noise.fractal(at / 120.0 + 20.0, 3);
    let fine = noise.fractal(at / vec2(16.0, 11.0) + 60.0, 3);
    let blades = noise.value(at / vec2(3.4, 9.0));
    let color = rgb(0x005f_a032).lerp(rgb(0x009a_cf50), smooth_step(0.25, 0.75, patches));
    let tone = color * (0.82 + 0.26 * fine + 0.1 * blades);
    let flower = noise.cells(at / 21.0);
    let clump = smooth_step(0.5, 0.62, noise.value(at / 90.0 + 9.0));
    let hue = [0x00ff_ffff, 0x00ff_e050, 0x00ff_8ab8, 0x00b0_a0ff][(flower.id * 97.0) as usize % 4];
    let petal = smooth_step(0.17, 0.1, flower.nearest) * f32::from(u8::from(flower.id > 0.6));
    tone.lerp(rgb(hue), 0.9 * petal * clump)
}

/// The road's surface `edge` units from its middle; `sunk` is the distance of the point that would cast a shadow here.
fn earth(at: Vec2, edge: f32, sunk: f32, noise: Noise) -> Vec3 {
    let soft = noise.fractal(at / 26.0 + 11.0, 3);
    let pebble = noise.cells(at / 15.0 + 3.0);
    let is_pebble = smooth_step(0.3, 0.2, pebble.nearest) * f32::from(u8::from(pebble.id > 0.66));
    let ruts = smooth_step(7.0, 0.0, (edge - 13.0).abs());
    let soil = rgb(0x00e6_c48c).lerp(rgb(0x00c8_9c62), soft) * (1.0 - 0.12 * ruts);
    let stone = rgb(0x00f4_e6cc) * (0.8 + 0.2 * pebble.id);
    let color = soil.lerp(stone, 0.8 * is_pebble);
    let shadow = smooth_step(29.0, 35.0, sunk);
    let rim = smooth_step(27.0, 34.0, edge);
    color.lerp(rgb(0x008a_6038), 0.75 * shadow.max(0.5 * rim))
}

fn ripples(at: Vec2, depth: f32, noise: Noise) -> Vec3 {
    let deep = smooth_step(0.0, 55.0, depth);
    let color = rgb(0x0070_d0ec).lerp(rgb(0x0028_82c4), deep);
    let swell = noise.value(at / vec2(30.0, 9.0) + 5.0);
    let glint = smooth_step(0.8, 0.88, swell);
    let foam = smooth_step(2.5, 0.0, (depth - 7.0 - 3.0 * noise.value(at / 14.0)).abs());
    color.lerp(Vec3::ONE, (0.35 * glint).max(0.6 * foam))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn road_leads_from_the_edge_to_the_gate() {
        for seed in 1..5 {
            let road = Road::new(seed);
            assert!(road.at(0.0).x < -40.0, "begins outside");
            assert!(
                road.at(road.length()).distance(GATE) < 9.0,
                "ends at the gate"
            );
            let step = road.at(101.0).distance(road.at(100.0));
            assert!((step - 1.0).abs() < 0.2, "a unit is a unit: {step}");
        }
    }

    #[test]
    fn road_leaves_plots_free() {
        for seed in 1..5 {
            let road = Road::new(seed);
            for (plot, _) in PLOTS {
                let distance = road.distance(plot);
                assert!(distance > 56.0, "seed {seed}: {distance} units from {plot}");
                assert!(water(plot) > 20.0, "dry");
            }
        }
    }
}
