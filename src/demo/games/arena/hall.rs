//! The hall: ring, ropes, stands in a circle around them, the lights above, and where spectators sit.

use std::f32::consts::TAU;

use glam::{Mat4, Quat, Vec2, Vec3};

use super::look::Surfaces;
use crate::kit::motion::{Dice, heading};
use crate::kit::stage::{Stage, bake, merged, placed};
use crate::procedural::{Curve, Patch, rounded_box, tube};
use azulejo_scene::{MeshId, Primitive};

/// Half the ring's edge in metres.
const RING: f32 = 3.6;
/// Height of the hall's floor; the ring's lies at 0.
const FLOOR: f32 = -1.1;
/// Rows of seats, the lowest first.
const ROWS: u32 = 10;
/// Metres of a row, to its back and up.
const ROW: Vec2 = Vec2::new(0.85, 0.5);
/// Metres from the ring's middle to the first row.
const FIRST: f32 = 6.7;
/// Metres between neighbours in a row.
const SEAT: f32 = 0.66;

/// A spectator in the stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spectator {
    /// Place of the feet, world space.
    pub(super) at: Vec3,
    /// Which of the painted people.
    pub(super) look: usize,
    /// 0..1: how it differs in time and taste.
    pub(super) own: f32,
    /// Linear RGB of the light that falls here.
    pub(super) light: Vec3,
}

/// Contents of the hall.
#[derive(Debug)]
pub(super) struct Hall {
    /// The ring's floor and what stands on it, then what lies farther off.
    pub(super) meshes: Vec<MeshId>,
    /// The farthest rows first.
    pub(super) spectators: Vec<Spectator>,
    /// Lamps over the ring: where they hang and where they point.
    pub(super) lamps: Vec<[Vec3; 2]>,
}

/// Builds the hall's meshes, seats and lamps.
pub(super) fn hall(stage: &mut Stage, surfaces: &Surfaces, seed: u32) -> Hall {
    let mut add = |name: &str, part: Primitive, material| stage.mesh(name, part, material);
    let meshes = vec![
        add("canvas", canvas(), surfaces.canvas),
        add("ropes", ropes(), surfaces.plain),
        add("posts", posts(), surfaces.plain),
        add("apron", apron(), surfaces.banner),
        add("barrier", barrier(), surfaces.banner),
        add("stands", stands(), surfaces.concrete),
        add("ribbon", ribbon(), surfaces.ribbon),
        add("truss", truss(), surfaces.plain),
    ];
    Hall {
        meshes,
        spectators: spectators(seed),
        lamps: lamps(),
    }
}

/// Light in the stands: the ring's, which fades, and two colours from the sides.
fn house_light(at: Vec3) -> Vec3 {
    let out = Vec2::new(at.x, at.z);
    let near = 1.0 / (1.0 + (out.length() / 6.5).powi(3));
    let side = out.normalize_or(Vec2::X);
    let warm = side.dot(heading(0.1)).max(0.0);
    let cold = side.dot(heading(0.55)).max(0.0);
    let violet = side.dot(heading(0.82)).max(0.0);
    Vec3::new(1.0, 0.94, 0.85) * near
        + Vec3::new(0.34, 0.09, 0.05) * warm
        + Vec3::new(0.03, 0.13, 0.36) * cold
        + Vec3::new(0.2, 0.05, 0.3) * violet
        + Vec3::new(0.035, 0.035, 0.06)
}

fn canvas() -> Primitive {
    let edge = RING + 0.45;
    Patch::new(16, 16).mesh(|u, v| Vec3::new((u - 0.5) * 2.0 * edge, 0.0, (v - 0.5) * 2.0 * edge))
}

fn sides() -> impl Iterator<Item = Mat4> {
    (0..4).map(|side| Mat4::from_rotation_y(side as f32 * TAU / 4.0))
}

fn ropes() -> Primitive {
    let colors = [
        Vec3::new(0.85, 0.05, 0.05),
        Vec3::new(0.9, 0.9, 0.92),
        Vec3::new(0.06, 0.14, 0.85),
    ];
    let mut parts = Vec::new();
    for (color, height) in colors.into_iter().zip([0.42, 0.8, 1.18]) {
        let points = [-1.0, -0.5, 0.0, 0.5, 1.0].map(|t: f32| {
            let sag = 0.03 * (1.0 - t * t);
            Vec3::new(t * RING, height - sag, RING)
        });
        let rope = tube(Patch::new(10, 16), &Curve::through(&points), |_| 0.026);
        let lit = bake(rope, |_, normal| color * (0.45 + 0.55 * normal.y.max(-0.4)));
        parts.extend(sides().map(|turn| turn_baked(&lit, turn)));
    }
    merged(&parts)
}

/// Moves a part whose light is baked.
fn turn_baked(part: &Primitive, world_from_local: Mat4) -> Primitive {
    let mut part = part.clone();
    for position in &mut part.positions {
        *position = world_from_local.transform_point3(*position);
    }
    part
}

fn posts() -> Primitive {
    let colors = [
        Vec3::new(0.9, 0.06, 0.06),
        Vec3::splat(0.8),
        Vec3::new(0.08, 0.2, 0.95),
        Vec3::splat(0.8),
    ];
    let mut parts = Vec::new();
    for (color, turn) in colors.into_iter().zip(sides()) {
        let corner = turn * Mat4::from_translation(Vec3::new(RING, 0.0, RING));
        let lit = |at: Vec3, normal: Vec3| {
            let inner = -normal.dot(Vec3::new(at.x, 0.0, at.z).normalize_or(Vec3::X));
            (0.4 + 0.3 * normal.y + 0.3 * inner).max(0.08)
        };
        let pole = rounded_box(Vec3::new(0.07, 0.68, 0.07), 0.05, 2, 1.0);
        let pole = placed(pole, corner * Mat4::from_translation(Vec3::Y * 0.68));
        parts.push(bake(pole, |at, n| Vec3::splat(0.28) * lit(at, n)));
        let diagonal = corner * Mat4::from_rotation_y(TAU / 8.0);
        for height in [0.42, 0.8, 1.18] {
            let pad = rounded_box(Vec3::new(0.17, 0.15, 0.075), 0.06, 3, 1.0);
            let inwards = Vec3::new(0.0, height, -0.16);
            let pad = placed(pad, diagonal * Mat4::from_translation(inwards));
            parts.push(bake(pad, |at, n| color * lit(at, n)));
        }
    }
    merged(&parts)
}

/// A wall around the ring's foot, under the banner.
fn apron() -> Primitive {
    let edge = RING + 0.45;
    let wall = Patch::new(8, 1).mesh(|u, v| Vec3::new((u - 0.5) * 2.0 * edge, FLOOR * v, edge));
    let lit = bake(wall, |at, _| Vec3::splat(0.5 - 0.3 * at.y / FLOOR));
    let parts: Vec<Primitive> = sides().map(|turn| turn_baked(&lit, turn)).collect();
    merged(&parts)
}

/// A surface of revolution between two points of (radius, height), seen from the middle or from above.
fn ring([from, to]: [Vec2; 2], columns: u32, repeat: Vec2) -> Primitive {
    let patch = Patch::new(columns, 2).repeated(repeat.x, repeat.y);
    patch.mesh(|u, v| {
        let at = from.lerp(to, v);
        let (sin, cos) = (-u * TAU).sin_cos();
        Vec3::new(at.x * sin, at.y, at.x * cos)
    })
}

fn barrier() -> Primitive {
    let inner = FIRST - 0.6;
    let face = ring(
        [Vec2::new(inner, FLOOR + 0.95), Vec2::new(inner, FLOOR)],
        64,
        Vec2::new(8.0, 1.0),
    );
    let top = ring(
        [
            Vec2::new(inner + 0.2, FLOOR + 0.95),
            Vec2::new(inner, FLOOR + 0.95),
        ],
        64,
        Vec2::new(8.0, 0.02),
    );
    let lit = |at: Vec3, normal: Vec3| house_light(at) * (0.9 + 0.6 * normal.y);
    bake(merged(&[face, top]), lit)
}

fn stands() -> Primitive {
    let mut parts = vec![ring(
        [Vec2::new(FIRST, FLOOR), Vec2::new(RING, FLOOR)],
        48,
        Vec2::new(24.0, 2.0),
    )];
    for row in 0..ROWS {
        let front = Vec2::new(FIRST - 0.3, FLOOR + 0.3) + ROW * row as f32;
        let riser = [front, front - Vec2::Y * ROW.y];
        let tread = [front + Vec2::X * ROW.x, front];
        parts.push(ring(riser, 64, Vec2::new(36.0, 0.5)));
        parts.push(ring(tread, 64, Vec2::new(36.0, 0.8)));
    }
    // The wall behind the last row.
    let back = Vec2::new(FIRST - 0.3, FLOOR + 0.3) + ROW * ROWS as f32;
    parts.push(ring(
        [back + Vec2::Y * 1.2, back - Vec2::Y * 0.5],
        64,
        Vec2::new(30.0, 1.0),
    ));
    parts.push(ring(
        [back + Vec2::Y * 5.5, back + Vec2::Y * 2.3],
        64,
        Vec2::new(24.0, 2.0),
    ));
    bake(merged(&parts), |at, normal| {
        let aloft = 1.0 / (1.0 + (at.y - 3.0).max(0.0));
        house_light(at) * (0.45 + 0.3 * normal.y) * aloft
    })
}

/// The band of lit letters over the last row.
fn ribbon() -> Primitive {
    let at = Vec2::new(FIRST - 0.4, FLOOR + 0.3) + ROW * ROWS as f32;
    let band = ring(
        [at + Vec2::Y * 2.3, at + Vec2::Y * 1.2],
        72,
        Vec2::new(5.0, 1.0),
    );
    bake(band, |_, _| Vec3::ONE)
}

/// Four beams of latticework in a square.
fn truss() -> Primitive {
    let bar = |from: Vec3, to: Vec3, half: f32| {
        let way = to - from;
        let shape = rounded_box(
            Vec3::new(half, half, way.length() * 0.5),
            half * 0.5,
            1,
            1.0,
        );
        let turn = Quat::from_rotation_arc(Vec3::Z, way.normalize_or(Vec3::Z));
        placed(
            shape,
            Mat4::from_rotation_translation(turn, (from + to) * 0.5),
        )
    };
    let (reach, height) = (7.4, 5.7);
    let mut parts = Vec::new();
    for lift in [0.0, 0.5] {
        let y = height + lift;
        parts.push(bar(
            Vec3::new(-reach, y, reach),
            Vec3::new(reach, y, reach),
            0.05,
        ));
    }
    for k in 0..14 {
        let x = |k: i32| -reach + reach * k as f32 / 7.0;
        let (low, high) = if k % 2 == 0 { (0.0, 0.5) } else { (0.5, 0.0) };
        parts.push(bar(
            Vec3::new(x(k), height + low, reach),
            Vec3::new(x(k + 1), height + high, reach),
            0.03,
        ));
    }
    for x in [-5.2, -2.6, 0.0, 2.6, 5.2] {
        let can = rounded_box(Vec3::new(0.2, 0.26, 0.2), 0.1, 2, 1.0);
        let place = Mat4::from_translation(Vec3::new(x, height - 0.32, reach));
        parts.push(placed(can, place * Mat4::from_rotation_x(0.6)));
    }
    let side = bake(merged(&parts), |_, normal| {
        Vec3::new(0.1, 0.11, 0.14) * (0.7 - 0.5 * normal.y)
    });
    let all: Vec<Primitive> = sides().map(|turn| turn_baked(&side, turn)).collect();
    merged(&all)
}

/// The lamps in the truss' cans.
fn lamps() -> Vec<[Vec3; 2]> {
    let side = [-5.2_f32, -2.6, 0.0, 2.6, 5.2].map(|x| {
        let target = Vec3::new(x * 0.35, 0.0, -1.2);
        [Vec3::new(x, 5.2, 7.25), target]
    });
    let turned = |turn: Mat4| {
        side.map(|lamp| lamp.map(|at| turn.transform_point3(at)))
            .into_iter()
    };
    sides().flat_map(turned).collect()
}

fn spectators(seed: u32) -> Vec<Spectator> {
    let mut dice = Dice::new(seed, 0xc0d);
    let mut all = Vec::new();
    for row in (0..ROWS).rev() {
        let seat = Vec2::new(FIRST, FLOOR + 0.3) + ROW * row as f32;
        let n = (TAU * seat.x / SEAT) as u32;
        for k in 0..n {
            // A stair every eighth of the circle, and some seats are empty.
            let angle = (k as f32 + 0.25 * dice.unit()) / n as f32;
            let stair = ((angle * 8.0).fract() - 0.5).abs() > 0.47;
            if stair || dice.unit() < 0.05 {
                continue;
            }
            let out = heading(angle) * seat.x;
            let at = Vec3::new(out.x, seat.y, out.y);
            all.push(Spectator {
                at,
                look: dice.below(super::look::PEOPLE),
                own: dice.unit(),
                light: house_light(at) * dice.between(0.75, 1.15),
            });
        }
    }
    all
}
