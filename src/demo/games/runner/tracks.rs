//! Meshes on the tracks: rails, masts, trains, ramps, barriers, coins. A segment runs from z = 0 to -SEGMENT.

use glam::{Mat4, Vec2, Vec3};

use super::look::Town;
use super::plan::{LANE, MIDDLE, RAMP, ROOF, SEGMENT, TRAIN};
use super::street::{box_at, linear};
use crate::kit::solid::{Faces, crate_box, painted, panel, quad, toned};
use crate::kit::stage::{merged, placed};
use crate::procedural::{Curve, Patch, ellipsoid, lathe, rounded_box, smooth_step};
use azulejo_scene::Primitive;

/// Number of the trains' liveries.
pub(super) const N_LIVERIES: usize = 3;

/// Rails on the three tracks and the kerbs beside them.
pub(super) fn rails(town: &Town) -> Primitive {
    let mut parts = Vec::new();
    for lane in [-1.0, 0.0, 1.0] {
        for side in [-0.72, 0.72] {
            let x = lane * LANE + side;
            let steel = linear(0x00b8_a89c);
            parts.extend(box_at(
                [x - 0.06, 0.0, -SEGMENT],
                [x + 0.06, 0.15, 0.0],
                town.metal,
                steel,
            ));
        }
    }
    for side in [-1.0_f32, 1.0] {
        let (a, b) = (side * 3.9, side * 4.3);
        let kerb = box_at(
            [a.min(b), 0.0, -SEGMENT],
            [a.max(b), 0.32, 0.0],
            town.concrete,
            Vec3::splat(0.85),
        );
        parts.extend(kerb);
    }
    merged(&parts)
}

/// The tracks' ground: ballast with sleepers, repeated by the texture.
pub(super) fn ballast() -> Primitive {
    let lanes = 4.0;
    let half = LANE * lanes * 0.5;
    let ground = Patch::new(16, 1).repeated(lanes, SEGMENT / LANE);
    let mut mesh = ground.mesh(|u, v| Vec3::new((2.0 * u - 1.0) * half, 0.0, (v - 1.0) * SEGMENT));
    for uv in &mut mesh.tex_coords[0] {
        uv.x += 0.5;
    }
    mesh.tangents.clear();
    mesh.colors = mesh
        .positions
        .iter()
        .map(|p| {
            let from_side = half - p.x.abs();
            Vec3::splat(0.72 + 0.28 * smooth_step(0.6, 1.8, from_side)).extend(1.0)
        })
        .collect();
    mesh
}

/// Masts and a beam over the tracks, with lamps below.
pub(super) fn gantry(town: &Town) -> Primitive {
    let steel = linear(0x006a_7684);
    let mut parts = Vec::new();
    for side in [-1.0_f32, 1.0] {
        let x = side * 4.1;
        parts.extend(box_at(
            [x - 0.14, 0.0, -0.14],
            [x + 0.14, 7.6, 0.14],
            town.metal,
            steel,
        ));
        let (a, b) = (x - side * 0.9, x);
        let strut = [
            Vec3::new(a, 7.0, 0.1),
            Vec3::new(a + side * 0.16, 7.0, 0.1),
            Vec3::new(b - side * 0.1, 6.1, 0.1),
            Vec3::new(b, 6.1, 0.1),
        ];
        let strut = if side > 0.0 {
            strut
        } else {
            [strut[1], strut[0], strut[3], strut[2]]
        };
        parts.push(quad(strut, town.metal, steel));
    }
    parts.extend(box_at(
        [-4.3, 7.0, -0.12],
        [4.3, 7.3, 0.12],
        town.metal,
        steel,
    ));
    for lane in [-1.0, 0.0, 1.0] {
        let x = lane * LANE;
        parts.extend(box_at(
            [x - 0.05, 6.5, -0.05],
            [x + 0.05, 7.0, 0.05],
            town.metal,
            steel,
        ));
        parts.extend(box_at(
            [x - 0.28, 6.1, -0.1],
            [x + 0.28, 6.6, 0.06],
            town.metal,
            Vec3::splat(0.06),
        ));
        for (dx, color) in [
            (-0.13, Vec3::new(3.0, 0.25, 0.12)),
            (0.13, Vec3::new(0.12, 1.6, 0.35)),
        ] {
            let ball = placed(
                ellipsoid(Patch::new(8, 6), Vec3::splat(0.09)),
                Mat4::from_translation(Vec3::new(x + dx, 6.35, 0.08)),
            );
            parts.push(painted(ball, town.cloth, color));
        }
    }
    merged(&parts)
}

/// A carriage of a livery on the middle track, at the place of a segment's train.
pub(super) fn train(town: &Town, livery: usize) -> Primitive {
    let tint = [
        linear(0x00f0_5038),
        linear(0x003c_9ae0),
        linear(0x0058_c070),
    ][livery % N_LIVERIES];
    let (front, back) = (-TRAIN.0, -TRAIN.1);
    let (half, floor, shoulder) = BODY;
    let length = front - back;
    let mut parts = Vec::new();
    parts.extend(train_sides(town, tint, [front, back]));
    parts.push(panel(
        Vec3::new(-0.72, ROOF, back),
        [Vec3::X * 1.44, Vec3::Z * length * 0.5],
        town.train_roof,
        Vec3::ONE,
    ));
    parts.push(panel(
        Vec3::new(-0.72, ROOF, back + length * 0.5),
        [Vec3::X * 1.44, Vec3::Z * length * 0.5],
        town.train_roof,
        Vec3::ONE,
    ));
    let face = Vec3::new(-half, shoulder, front);
    parts.push(panel(
        face,
        [Vec3::X * 2.0 * half, Vec3::NEG_Y * (shoulder - floor)],
        town.train_front,
        tint,
    ));
    let brow = [
        Vec3::new(-0.72, ROOF, front),
        Vec3::new(0.72, ROOF, front),
        face,
        Vec3::new(half, shoulder, front),
    ];
    parts.push(quad(brow, town.cloth, tint * 0.9));
    parts.extend(box_at(
        [-0.8, 0.12, back + 0.2],
        [0.8, floor, front - 0.2],
        town.metal,
        Vec3::splat(0.06),
    ));
    parts.extend(bumper(town, front));
    toned(merged(&parts), |p, _| {
        Vec3::splat(0.6 + 0.4 * smooth_step(0.2, 1.4, p.y))
    })
}

/// Half a carriage's width, its floor and where its roof begins to curve, in metres.
const BODY: (f32, f32, f32) = (1.02, 0.45, 2.45);

/// Both sides of a carriage, up to the edge of the roof.
fn train_sides(town: &Town, tint: Vec3, [front, back]: [f32; 2]) -> Vec<Primitive> {
    let (half, floor, shoulder) = BODY;
    let length = front - back;
    let mut parts = Vec::new();
    for side in [-1.0, 1.0] {
        let right = Vec3::NEG_Z * side * length;
        let z = if side > 0.0 { front } else { back };
        let corner = Vec3::new(half * side, shoulder, z);
        parts.push(panel(
            corner,
            [right, Vec3::NEG_Y * (shoulder - floor)],
            town.train_side,
            tint,
        ));
        let upper = Vec3::new(0.72 * side, ROOF, z);
        parts.push(quad(
            [upper, upper + right, corner, corner + right],
            town.train_roof
                .part(Vec2::new(0.05, 0.0), Vec2::new(0.2, 1.0)),
            Vec3::splat(0.85),
        ));
    }
    parts
}

/// A carriage's bumper and lamps.
fn bumper(town: &Town, front: f32) -> Vec<Primitive> {
    let mut parts = Vec::new();
    let bumper = rounded_box(Vec3::new(1.0, 0.14, 0.2), 0.08, 1, 1.0);
    parts.push(painted(
        placed(
            bumper,
            Mat4::from_translation(Vec3::new(0.0, 0.55, front + 0.08)),
        ),
        town.metal,
        Vec3::splat(0.12),
    ));
    for (x, y) in [(-0.62, 0.98), (0.62, 0.98)] {
        let lamp = placed(
            ellipsoid(Patch::new(10, 6), Vec3::new(0.15, 0.15, 0.08)),
            Mat4::from_translation(Vec3::new(x, y, front + 0.02)),
        );
        parts.push(painted(lamp, town.cloth, Vec3::new(2.2, 2.0, 1.4)));
    }
    parts
}

/// The ramp before a train.
pub(super) fn ramp(town: &Town) -> Primitive {
    let (high, foot) = (-TRAIN.0, -TRAIN.0 + RAMP);
    let half = 0.95;
    let top = [
        Vec3::new(-half, ROOF, high),
        Vec3::new(half, ROOF, high),
        Vec3::new(-half, 0.02, foot),
        Vec3::new(half, 0.02, foot),
    ];
    let mut parts = vec![quad(top, town.arrows, Vec3::ONE)];
    for side in [-1.0, 1.0] {
        let x = half * side;
        let corners = [
            Vec3::new(x, ROOF, high),
            Vec3::new(x, 0.03, foot),
            Vec3::new(x, 0.0, high),
            Vec3::new(x, 0.0, foot),
        ];
        let corners = if side > 0.0 {
            [corners[1], corners[0], corners[3], corners[2]]
        } else {
            corners
        };
        parts.push(quad(corners, town.stripes, Vec3::splat(0.9)));
    }
    merged(&parts)
}

/// A striped board across a track.
fn board(town: &Town, low: Vec3, high: Vec3) -> Vec<Primitive> {
    let faces = Faces {
        front: town.stripes,
        side: town.cloth,
        top: town.cloth,
    };
    crate_box(low, high, faces, Vec3::ONE)
}

/// A barrier to jump over.
pub(super) fn low_barrier(town: &Town) -> Primitive {
    let z = -MIDDLE;
    let dark = Vec3::splat(0.16);
    let mut parts = Vec::new();
    for x in [-0.8_f32, 0.8] {
        parts.extend(box_at(
            [x - 0.06, 0.0, z - 0.35],
            [x + 0.06, 0.12, z + 0.35],
            town.metal,
            dark,
        ));
        parts.extend(box_at(
            [x - 0.06, 0.1, z - 0.06],
            [x + 0.06, 1.0, z + 0.06],
            town.metal,
            dark,
        ));
    }
    parts.extend(board(
        town,
        Vec3::new(-1.02, 0.36, z - 0.07),
        Vec3::new(1.02, 0.98, z + 0.07),
    ));
    for x in [-0.8, 0.8] {
        let light = placed(
            ellipsoid(Patch::new(8, 6), Vec3::splat(0.12)),
            Mat4::from_translation(Vec3::new(x, 1.08, z)),
        );
        parts.push(painted(light, town.cloth, Vec3::new(2.4, 1.3, 0.2)));
    }
    merged(&parts)
}

/// A beam to roll below.
pub(super) fn high_barrier(town: &Town) -> Primitive {
    let z = -MIDDLE;
    let steel = linear(0x004a_5a6c);
    let mut parts = Vec::new();
    for x in [-1.05_f32, 1.05] {
        parts.extend(box_at(
            [x - 0.09, 0.0, z - 0.09],
            [x + 0.09, 2.5, z + 0.09],
            town.metal,
            steel,
        ));
        parts.extend(box_at(
            [x - 0.18, 0.0, z - 0.3],
            [x + 0.18, 0.18, z + 0.3],
            town.concrete,
            Vec3::splat(0.8),
        ));
    }
    parts.extend(board(
        town,
        Vec3::new(-1.2, 1.22, z - 0.08),
        Vec3::new(1.2, 2.25, z + 0.08),
    ));
    parts.extend(box_at(
        [-1.25, 2.25, z - 0.12],
        [1.25, 2.4, z + 0.12],
        town.metal,
        steel,
    ));
    merged(&parts)
}

/// A coin that faces +z, its middle at the origin.
pub(super) fn coin(town: &Town) -> Primitive {
    let profile = Curve::profile(&[
        [0.01, 0.05],
        [0.27, 0.05],
        [0.33, 0.03],
        [0.33, -0.03],
        [0.27, -0.05],
        [0.01, -0.05],
    ]);
    let disc = lathe(Patch::new(14, 5), &profile);
    let mut disc = placed(disc, Mat4::from_rotation_x(std::f32::consts::FRAC_PI_2));
    disc.tex_coords[0] = disc
        .positions
        .iter()
        .map(|p| Vec2::new(p.x, -p.y))
        .collect();
    painted(disc, town.gold, Vec3::new(1.25, 1.15, 0.9))
}
