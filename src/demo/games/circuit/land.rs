//! The circuit's geometry, the sun baked in: meadows and woods in squares, the road with kerbs, rails and boards in
//! stretches.

use glam::{Mat4, Vec2, Vec3};

use super::look::Boards;
use super::route::{N_SAMPLES, Route};
use crate::kit::atlas::Sprite;
use crate::kit::motion::Dice;
use crate::kit::paint::rgb;
use crate::kit::solid::{Faces, crate_box, painted, panel, quad, toned};
use crate::kit::stage::{merged, placed};
use crate::procedural::{Curve, Noise, Patch, lathe, smooth_step};
use azulejo_scene::Primitive;

/// Half the road's width in metres.
pub(super) const HALF: f32 = 5.6;
/// Metres from the middle of the road to the rails.
const RAIL: f32 = 9.2;
/// Stretches of a lap.
pub(super) const N_STRETCHES: usize = 32;
/// Samples of a stretch.
const SAMPLES: usize = N_SAMPLES / N_STRETCHES;
/// Edge of a square of land in metres, and of its cells.
const SQUARE: f32 = 72.0;
const CELL: f32 = 9.0;
/// Direction to the sun, not normalized.
const SUN: Vec3 = Vec3::new(0.45, 0.72, 0.5);

/// A part of the land.
#[derive(Debug)]
pub(super) struct Square {
    pub(super) middle: Vec3,
    pub(super) ground: Primitive,
    pub(super) foliage: Primitive,
}

/// sRGB code to linear RGB.
pub(super) fn linear(code: u32) -> Vec3 {
    rgb(code).powf(2.2)
}

fn daylight(normal: Vec3) -> Vec3 {
    let sun = normal.dot(SUN.normalize()).max(0.0);
    let sky = 0.5 + 0.5 * normal.y;
    Vec3::new(1.0, 0.92, 0.76) * sun * 0.85 + Vec3::new(0.3, 0.38, 0.5) * sky * 0.8
}

fn lighted(part: Primitive) -> Primitive {
    let mut part = toned(part, |_, n| daylight(n));
    part.normals.clear();
    part
}

/// Height of the land at a distance from the road.
fn height(noise: Noise, at: Vec2, distance: f32) -> f32 {
    let hill = noise.fractal(at / 58.0 + 40.0, 3);
    let rise = smooth_step(16.0, 70.0, distance);
    // It lies below the road, so that the road covers it at any distance.
    rise * (3.0 + 22.0 * (hill - 0.3)) - 0.35
}

/// All squares of land around the road.
pub(super) fn squares(route: &Route, leaves: &[Sprite; 4], seed: u32) -> Vec<Square> {
    let noise = Noise::tiling(seed ^ 0x1a9d, 64);
    let reach =
        |pick: fn(Vec2, Vec2) -> Vec2, from: Vec2| route.samples.iter().copied().fold(from, pick);
    let low = reach(Vec2::min, Vec2::MAX) - 110.0;
    let high = reach(Vec2::max, Vec2::MIN) + 110.0;
    let count = ((high - low) / SQUARE).ceil();
    let mut squares = Vec::new();
    for row in 0..count.y as i32 {
        for column in 0..count.x as i32 {
            let corner = low + Vec2::new(column as f32, row as f32) * SQUARE;
            let mut dice = Dice::new(seed, (row * 64 + column) as u32 + 0x900);
            let middle = corner + SQUARE * 0.5;
            squares.push(Square {
                middle: Vec3::new(middle.x, 0.0, middle.y),
                ground: ground(route, noise, corner),
                foliage: foliage(route, noise, corner, leaves, &mut dice),
            });
        }
    }
    squares
}

fn ground(route: &Route, noise: Noise, corner: Vec2) -> Primitive {
    let n = (SQUARE / CELL) as u32;
    let mut mesh = Primitive {
        tex_coords: vec![Vec::new()],
        ..Primitive::default()
    };
    let point = |at: Vec2| {
        let y = height(noise, at, route.distance(at));
        Vec3::new(at.x, y, at.y)
    };
    for row in 0..=n {
        for column in 0..=n {
            let at = corner + Vec2::new(column as f32, row as f32) * CELL;
            let here = point(at);
            let (right, down) = (point(at + Vec2::X * 4.0), point(at + Vec2::Y * 4.0));
            let normal = (down - here).cross(right - here).normalize_or(Vec3::Y);
            let shade = 0.86 + 0.28 * noise.value(at / 21.0 + 20.0);
            mesh.positions.push(here);
            mesh.colors.push((daylight(normal) * shade).extend(1.0));
            mesh.tex_coords[0].push(at / 16.0);
            if row < n && column < n {
                let a = row * (n + 1) + column;
                let c = a + n + 1;
                mesh.indices.extend([a, c, a + 1, a + 1, c, c + 1]);
            }
        }
    }
    mesh
}

/// Trees on crossed cards, bushes and grass nearer to the road.
fn foliage(
    route: &Route,
    noise: Noise,
    corner: Vec2,
    leaves: &[Sprite; 4],
    dice: &mut Dice,
) -> Primitive {
    let mut parts = Vec::new();
    for _ in 0..130 {
        let at = corner + Vec2::new(dice.unit(), dice.unit()) * SQUARE;
        let (kind, own, turn) = (dice.unit(), dice.unit(), dice.unit());
        let distance = route.distance(at);
        let wood = noise.fractal(at / 34.0 + 12.0, 2);
        let (sprite, tall) = match distance {
            d if d < RAIL + 1.5 => continue,
            d if d < 15.0 && kind < 0.7 => (leaves[3], 0.7 + 0.5 * own),
            d if d < 15.0 => (leaves[2], 1.3 + 0.9 * own),
            _ if wood > 0.46 && kind < 0.5 => (leaves[usize::from(wood > 0.54)], 6.5 + 4.5 * own),
            _ if kind > 0.86 => (leaves[2], 1.8 + 1.4 * own),
            _ => continue,
        };
        let foot = Vec3::new(at.x, height(noise, at, distance) - 0.12, at.y);
        let tone = Vec3::new(1.0, 0.97, 0.9) * (0.72 + 0.4 * own);
        for quarter in [0.0, 0.25] {
            let out = Vec2::from_angle((turn + quarter) * std::f32::consts::TAU);
            let across = Vec3::new(out.x, 0.0, out.y) * tall * sprite.shape();
            let top = foot + Vec3::Y * tall;
            let mut card = panel(
                top - across * 0.5,
                [across, Vec3::NEG_Y * tall],
                sprite,
                tone,
            );
            // Darker at the foot, as if the crown shaded it.
            for color in &mut card.colors[2..] {
                *color *= Vec3::splat(0.72).extend(1.0);
            }
            card.normals.clear();
            parts.push(card);
        }
    }
    merged(&parts)
}

/// The road of a stretch: its texture runs across once and along every 18 metres.
pub(super) fn road(route: &Route, number: usize) -> Primitive {
    let laps = (route.length / 18.0).round();
    let mut mesh = Primitive {
        tex_coords: vec![Vec::new()],
        ..Primitive::default()
    };
    let light = daylight(Vec3::Y) * 1.02;
    for row in 0..=SAMPLES as u32 {
        let way = (number * SAMPLES) as f32 * route.step() + row as f32 * route.step();
        let (at, right) = (route.point(way), route.right(way));
        for column in 0..=4 {
            let u = column as f32 / 4.0;
            mesh.positions.push(at + right * HALF * (2.0 * u - 1.0));
            mesh.tex_coords[0].push(Vec2::new(u, -way / route.length * laps));
            mesh.colors.push(light.extend(1.0));
            if row < SAMPLES as u32 && column < 4 {
                let a = row * 5 + column;
                mesh.indices.extend([a, a + 1, a + 5, a + 1, a + 6, a + 5]);
            }
        }
    }
    mesh
}

/// One side of the road between two samples.
struct Verge<'a> {
    route: &'a Route,
    boards: &'a Boards,
    sample: usize,
    /// 1 to the right, -1 to the left.
    side: f32,
}

impl Verge<'_> {
    /// A point at the verge's near (0) or far (1) end, metres away from the middle of the road, metres high.
    fn point(&self, end: usize, (out, y): (f32, f32)) -> Vec3 {
        let way = (self.sample + end) as f32 * self.route.step();
        self.route.point(way) + self.route.right(way) * self.side * out + Vec3::Y * y
    }

    /// Corners as seen from the front, for the left side as for the right one.
    fn piece(&self, corners: [Vec3; 4], sprite: Sprite, color: Vec3) -> Primitive {
        let [a, b, c, d] = corners;
        let corners = if self.side > 0.0 {
            corners
        } else {
            [b, a, d, c]
        };
        quad(corners, sprite, color)
    }

    /// A strip of ground from an inner to an outer line.
    fn strip(&self, inner: (f32, f32), outer: (f32, f32), color: Vec3) -> Primitive {
        let corners = [(1, inner), (1, outer), (0, inner), (0, outer)];
        let corners = corners.map(|(end, at)| self.point(end, at));
        self.piece(corners, self.boards.white, color)
    }

    /// An upright piece that faces the road, from `top` down to `low`.
    fn face(&self, sprite: Sprite, top: f32, low: f32, out: f32) -> Primitive {
        let corners = [(1, top), (0, top), (1, low), (0, low)];
        let corners = corners.map(|(end, y)| self.point(end, (out, y)));
        self.piece(corners, sprite, Vec3::splat(1.05))
    }

    /// Strips of kerb and gravel; the kerb is red and white in bends.
    fn ground(&self, bend: f32) -> [Primitive; 2] {
        let curved = bend.abs() > 0.004;
        let kerb = match (curved, self.sample % 2) {
            (true, 0) => linear(0x00e4_2c30),
            (true, _) => Vec3::splat(0.9),
            _ => linear(0x00a8_a49c),
        };
        let rise = if curved { 0.12 } else { 0.02 };
        [
            self.strip((HALF, 0.0), (HALF + 0.9, rise), kerb),
            self.strip((HALF + 0.9, rise), (HALF + 2.2, -0.3), linear(0x00b8_a078)),
        ]
    }

    /// The rail: where the road bends away it carries arrows, elsewhere now and then an advertisement.
    fn rail(&self, bend: f32) -> Vec<Primitive> {
        let (boards, sample) = (self.boards, self.sample);
        let outer = bend * self.side < -0.0055;
        let mut parts = Vec::new();
        if outer {
            parts.push(self.face(boards.arrows, 1.25, 0.35, RAIL));
            parts.push(self.face(boards.tyres, 0.6, -0.3, RAIL - 0.35));
        } else if (sample / 4 + usize::from(self.side > 0.0) * 3) % 5 < 2 {
            // Four samples show one advertisement, read along the rail.
            let k = (sample % 4) as f32;
            let k = if self.side > 0.0 { 3.0 - k } else { k };
            let ad = boards.ads[(sample / 4) % 4];
            let part = ad.part(Vec2::new(k / 4.0, 0.0), Vec2::new((k + 1.0) / 4.0, 1.0));
            parts.push(self.face(part, 1.35, 0.05, RAIL));
        } else {
            parts.push(self.face(boards.steel, 0.85, 0.4, RAIL));
        }
        let top = if outer { 1.25 } else { 0.85 };
        parts.push(self.strip((RAIL, top), (RAIL + 0.12, 0.8), Vec3::splat(0.6)));
        if sample.is_multiple_of(2) {
            let foot = self.point(0, (RAIL + 0.1, -0.4));
            let half = Vec3::new(0.08, 0.0, 0.08);
            let faces = Faces::all(boards.white);
            let top = foot + half + Vec3::Y * 1.2;
            parts.extend(crate_box(foot - half, top, faces, Vec3::splat(0.3)));
        }
        parts
    }
}

/// Kerbs, rails, boards and tyres of a stretch.
pub(super) fn roadside(route: &Route, boards: &Boards, number: usize) -> Primitive {
    let mut parts = Vec::new();
    let first = number * SAMPLES;
    for sample in first..first + SAMPLES {
        let bend = route.bend(sample as f32 * route.step());
        for side in [-1.0, 1.0] {
            let verge = Verge {
                route,
                boards,
                sample,
                side,
            };
            parts.extend(verge.ground(bend));
            parts.extend(verge.rail(bend));
        }
    }
    if number == 1 {
        parts.extend(start_gate(route, boards, (first + 2) as f32 * route.step()));
    }
    if number == 1 || number % 9 == 5 {
        let way = (first + SAMPLES / 2) as f32 * route.step();
        parts.push(grandstand(route, boards, way));
    }
    lighted(merged(&parts))
}

/// Local space to a place beside the road: x to the right, z backwards.
fn beside(route: &Route, way: f32, aside: f32) -> Mat4 {
    let (right, ahead) = (route.right(way), route.ahead(way));
    let at = route.point(way) + right * aside;
    Mat4::from_cols(
        right.extend(0.0),
        Vec3::Y.extend(0.0),
        (-ahead).extend(0.0),
        at.extend(1.0),
    )
}

/// A beam over the road: chequers, an advertisement, lamps.
fn start_gate(route: &Route, boards: &Boards, way: f32) -> Vec<Primitive> {
    let dark = Vec3::splat(0.2);
    let mut parts = Vec::new();
    for x in [-8.0_f32, 8.0] {
        parts.extend(crate_box(
            Vec3::new(x - 0.35, -0.4, -0.35),
            Vec3::new(x + 0.35, 7.6, 0.35),
            Faces::all(boards.steel),
            linear(0x00e0_4038),
        ));
    }
    parts.extend(crate_box(
        Vec3::new(-8.4, 5.2, -0.5),
        Vec3::new(8.4, 7.4, 0.5),
        Faces::all(boards.white),
        dark,
    ));
    for k in 0..2 {
        let corner = Vec3::new(-8.2 + 8.2 * k as f32, 7.3, 0.54);
        parts.push(panel(
            corner,
            [Vec3::X * 8.2, Vec3::NEG_Y * 1.5],
            boards.ads[k],
            Vec3::splat(1.1),
        ));
        let below = Vec3::new(-8.2 + 8.2 * k as f32, 5.8, 0.54);
        parts.push(panel(
            below,
            [Vec3::X * 8.2, Vec3::NEG_Y * 0.6],
            boards.checker,
            Vec3::ONE,
        ));
    }
    let place = beside(route, way, 0.0);
    let across = panel(
        Vec3::new(-HALF, 0.05, -1.0),
        [Vec3::X * 2.0 * HALF, Vec3::Z * 2.0],
        boards.checker,
        Vec3::ONE,
    );
    parts.push(across);
    parts.into_iter().map(|part| placed(part, place)).collect()
}

/// Benches full of people below a roof.
fn grandstand(route: &Route, boards: &Boards, way: f32) -> Primitive {
    let mut parts = Vec::new();
    let (near, wide) = (1.2, 26.0);
    for k in 0..4 {
        let z = -wide * 0.5 + wide / 4.0 * k as f32;
        // It rises away from the road, which lies to its left.
        let corners = [
            Vec3::new(near + 7.0, 5.8, z),
            Vec3::new(near + 7.0, 5.8, z + wide / 4.0),
            Vec3::new(near, 1.4, z),
            Vec3::new(near, 1.4, z + wide / 4.0),
        ];
        parts.push(quad(corners, boards.crowd, Vec3::splat(1.15)));
        let front = Vec3::new(near, 1.4, z);
        parts.push(panel(
            front,
            [Vec3::Z * wide / 4.0, Vec3::NEG_Y * 1.8],
            boards.ads[(k + 1) % 4],
            Vec3::ONE,
        ));
    }
    let roof = linear(0x00e8_ecf4);
    parts.extend(crate_box(
        Vec3::new(near - 0.6, 8.6, -wide * 0.5),
        Vec3::new(near + 7.6, 8.9, wide * 0.5),
        Faces::all(boards.white),
        roof,
    ));
    for z in [-12.6, -4.2, 4.2, 12.6] {
        parts.extend(crate_box(
            Vec3::new(near + 6.8, -0.4, z - 0.2),
            Vec3::new(near + 7.2, 8.6, z + 0.2),
            Faces::all(boards.white),
            Vec3::splat(0.4),
        ));
    }
    for side in [-1.0, 1.0] {
        let z = side * wide * 0.5;
        let corners = [
            Vec3::new(near, 1.4, z),
            Vec3::new(near + 7.0, 5.8, z),
            Vec3::new(near, -0.4, z),
            Vec3::new(near + 7.0, -0.4, z),
        ];
        let corners = if side > 0.0 {
            corners
        } else {
            [corners[1], corners[0], corners[3], corners[2]]
        };
        parts.push(quad(corners, boards.white, linear(0x0088_94b0)));
    }
    placed(merged(&parts), beside(route, way, RAIL + 1.0))
}

/// A hot-air balloon: hull and basket.
pub(super) fn balloon(boards: &Boards) -> Primitive {
    let hull = Curve::profile(&[[0.05, 9.0], [3.2, 7.9], [4.4, 5.2], [3.4, 2.4], [1.1, 0.0]]);
    let mut parts = vec![painted(
        lathe(Patch::new(20, 12), &hull),
        boards.balloon,
        Vec3::splat(1.1),
    )];
    parts.extend(crate_box(
        Vec3::new(-0.8, -2.6, -0.8),
        Vec3::new(0.8, -1.3, 0.8),
        Faces::all(boards.white),
        linear(0x00a0_6a38),
    ));
    for (x, z) in [(-0.75, -0.75), (0.75, -0.75), (-0.75, 0.75), (0.75, 0.75)] {
        parts.extend(crate_box(
            Vec3::new(x - 0.05, -1.4, z - 0.05),
            Vec3::new(x + 0.05, 0.2, z + 0.05),
            Faces::all(boards.white),
            Vec3::splat(0.2),
        ));
    }
    lighted(merged(&parts))
}
