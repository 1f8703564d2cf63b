//! The stage around the well, and the player's magician: geometry that never changes.

use glam::{Mat4, Quat, Vec2, Vec3};

use super::game::{HIGH, WIDE};
use super::look::Pieces;
use crate::kit::figure::{Bone, Builder, Clothes, Limb, Pose};
use crate::kit::motion::{arc, wave};
use crate::kit::paint::rgb;
use crate::kit::solid::{Faces, crate_box, painted, panel, toned};
use crate::kit::stage::{Stage, merged, placed};
use crate::procedural::{Curve, Patch, ellipsoid, lathe, rounded_box, smooth_step, torus};
use azulejo_scene::{MaterialId, MeshId, Primitive};

/// sRGB codes of the kinds.
const PAINTS: [u32; 7] = [
    0x0028_c8f0,
    0x00ff_cf24,
    0x00b8_56f0,
    0x004c_d45a,
    0x00f8_4454,
    0x003c_74f8,
    0x00ff_8a26,
];
/// Half the well's width in metres: a cell is a metre.
pub(super) const HALF: f32 = WIDE as f32 * 0.5;
/// Middle of the player's floating island, world space.
pub(super) const ISLAND: Vec3 = Vec3::new(-10.4, 3.0, 0.5);
/// Place of the preview of the next pieces, world space.
pub(super) const SHELF: Vec3 = Vec3::new(9.2, 0.0, 0.0);

pub(super) fn linear(code: u32) -> Vec3 {
    rgb(code).powf(2.2)
}

/// A block of a kind around the origin, a little smaller than its cell.
pub(super) fn block(pieces: &Pieces, kind: usize) -> Primitive {
    let shape = rounded_box(Vec3::splat(0.485), 0.09, 2, 1.0);
    painted(shape, pieces.face, linear(PAINTS[kind % PAINTS.len()]))
}

/// Mesh of a block while it bursts.
pub(super) fn flash(pieces: &Pieces) -> Primitive {
    let shape = rounded_box(Vec3::splat(0.49), 0.09, 1, 1.0);
    painted(shape, pieces.face, Vec3::new(3.0, 2.8, 2.2))
}

/// The well's frame, its back wall, the pedestal, the shelf, two islands.
pub(super) fn stage_set(pieces: &Pieces) -> Primitive {
    let gold = linear(0x00f0_b03c);
    let marble = linear(0x00c8_bce8);
    let mut parts = Vec::new();
    for y in 0..HIGH {
        for x in 0..WIDE {
            let corner = Vec3::new(x as f32 - HALF, y as f32 + 1.0, -0.55);
            parts.push(panel(
                corner,
                [Vec3::X, Vec3::NEG_Y],
                pieces.cell,
                Vec3::ONE,
            ));
        }
    }
    parts.extend(columns(pieces, gold, marble));
    for (half, y, color) in [
        (Vec3::new(7.2, 0.5, 2.2), -0.5, marble),
        (Vec3::new(8.2, 0.35, 2.8), -1.3, marble * 0.8),
        (Vec3::new(7.4, 0.1, 2.4), -0.02, gold),
    ] {
        let slab = rounded_box(half, 0.1, 2, 0.3);
        parts.push(painted(
            placed(slab, Mat4::from_translation(Vec3::Y * y)),
            pieces.stone,
            color,
        ));
    }
    parts.extend(floating(pieces, Vec3::new(0.0, -1.6, -0.6), 9.4));
    parts.extend(floating(pieces, ISLAND, 3.2));
    parts.extend(shelf(pieces, gold));
    toned(merged(&parts), |p, n| {
        // The well's inner edges lie in shade.
        let inside = p.x.abs() < HALF + 0.2 && p.z < -0.5 && n.z > 0.5;
        let edge = smooth_step(0.0, 1.3, HALF - p.x.abs()).min(smooth_step(0.0, 1.2, p.y));
        Vec3::splat(if inside { 0.55 + 0.45 * edge } else { 1.0 })
    })
}

/// The columns on both sides of the well, with rings and crowns.
fn columns(pieces: &Pieces, gold: Vec3, marble: Vec3) -> Vec<Primitive> {
    let high = HIGH as f32;
    let mut parts = Vec::new();
    for side in [-1.0, 1.0] {
        let x = side * (HALF + 0.5);
        let column = rounded_box(Vec3::new(0.42, high * 0.5 + 0.2, 0.7), 0.12, 2, 0.4);
        parts.push(painted(
            placed(
                column,
                Mat4::from_translation(Vec3::new(x, high * 0.5 + 0.1, 0.0)),
            ),
            pieces.stone,
            marble,
        ));
        for y in [0.3, 6.2, 12.1, high] {
            let ring = rounded_box(Vec3::new(0.55, 0.2, 0.84), 0.1, 2, 1.0);
            parts.push(painted(
                placed(ring, Mat4::from_translation(Vec3::new(x, y, 0.0))),
                pieces.cloth,
                gold,
            ));
        }
        let ball = placed(
            ellipsoid(Patch::new(16, 10), Vec3::splat(0.55)),
            Mat4::from_translation(Vec3::new(x, high + 0.85, 0.0)),
        );
        parts.push(painted(ball, pieces.cloth, linear(0x0050_e0e8)));
        let crown = placed(
            torus(Patch::new(16, 8), 0.5, 0.12),
            Mat4::from_translation(Vec3::new(x, high + 0.4, 0.0)),
        );
        parts.push(painted(crown, pieces.cloth, gold));
    }
    parts
}

/// A frame for three pieces to the right of the well.
fn shelf(pieces: &Pieces, gold: Vec3) -> Vec<Primitive> {
    let mut parts = Vec::new();
    for k in 0..3_i16 {
        let y = 14.6 - 4.1 * f32::from(k);
        let back = rounded_box(Vec3::new(2.1, 1.75, 0.12), 0.1, 1, 1.0);
        parts.push(painted(
            placed(
                back,
                Mat4::from_translation(SHELF + Vec3::new(0.0, y, -0.7)),
            ),
            pieces.cloth,
            linear(0x0034_2e78),
        ));
        let ledge = rounded_box(Vec3::new(2.3, 0.14, 0.8), 0.1, 1, 1.0);
        parts.push(painted(
            placed(
                ledge,
                Mat4::from_translation(SHELF + Vec3::new(0.0, y - 1.75, 0.0)),
            ),
            pieces.cloth,
            gold,
        ));
    }
    for x in [-2.25, 2.25] {
        let post = crate_box(
            SHELF + Vec3::new(x - 0.12, -0.2, -0.6),
            SHELF + Vec3::new(x + 0.12, 16.6, -0.36),
            Faces::all(pieces.cloth),
            gold * 0.8,
        );
        parts.extend(post);
    }
    parts.extend(floating(pieces, SHELF + Vec3::new(0.0, -0.2, -0.2), 3.0));
    parts
}

/// Turf over rock that tapers downwards.
fn floating(pieces: &Pieces, top: Vec3, radius: f32) -> Vec<Primitive> {
    let rock = Curve::profile(&[
        [radius * 0.98, 0.0],
        [radius * 0.9, -radius * 0.2],
        [radius * 0.55, -radius * 0.55],
        [radius * 0.3, -radius * 0.8],
        [0.05, -radius * 1.15],
    ]);
    let flat = Mat4::from_translation(top) * Mat4::from_scale(Vec3::new(1.0, 1.0, 0.5));
    let mut rock = lathe(Patch::new(18, 9), &rock);
    for p in &mut rock.positions {
        let bump = 1.0 + 0.1 * wave(p.x * 0.9 + p.z * 1.7) + 0.06 * wave(p.y * 1.3 + p.x);
        *p = Vec3::new(p.x * bump, p.y, p.z * bump);
    }
    let turf = Curve::profile(&[
        [0.02, 0.14],
        [radius * 0.7, 0.12],
        [radius * 1.03, 0.0],
        [radius * 0.96, -0.3],
    ]);
    vec![
        painted(placed(rock, flat), pieces.stone, linear(0x009a_6a70)),
        painted(
            placed(lathe(Patch::new(20, 6), &turf), flat),
            pieces.grass,
            Vec3::ONE,
        ),
    ]
}

/// The player: a small magician with a wand.
pub(super) fn magician(stage: &mut Stage, pieces: &Pieces, material: MaterialId) -> MeshId {
    let robe = linear(0x005a_3ac8);
    let clothes = Clothes {
        cloth: pieces.cloth,
        skin: linear(0x00f4_be98),
        jacket: robe,
        cuffs: linear(0x00f0_b03c),
        trousers: linear(0x003a_2680),
        shoes: linear(0x0090_4a2c),
        hair: linear(0x00f4_f0e6),
    };
    let mut builder = Builder::dressed(&clothes);
    let mut add = |bone: Bone, part: Primitive, color: Vec3| {
        builder.part(bone, &painted(part, pieces.cloth, color));
    };
    let skirt = lathe(
        Patch::new(14, 5),
        &Curve::profile(&[[0.17, 1.0], [0.21, 0.8], [0.3, 0.35], [0.33, 0.22]]),
    );
    add(Bone::Hips, skirt, robe * 0.9);
    let hat = lathe(
        Patch::new(14, 6),
        &Curve::profile(&[[0.01, 2.2], [0.07, 2.0], [0.15, 1.74], [0.16, 1.68]]),
    );
    add(
        Bone::Head,
        placed(
            hat,
            Mat4::from_rotation_translation(Quat::from_rotation_x(-0.08), Vec3::new(0.0, 0.0, 0.1)),
        ),
        robe,
    );
    let brim = lathe(
        Patch::new(16, 3),
        &Curve::profile(&[[0.13, 1.72], [0.3, 1.67], [0.28, 1.65]]),
    );
    add(Bone::Head, brim, linear(0x00f0_b03c));
    let beard = placed(
        ellipsoid(Patch::new(10, 7), Vec3::new(0.11, 0.19, 0.07)),
        Mat4::from_translation(Vec3::new(0.0, 1.42, 0.12)),
    );
    add(Bone::Head, beard, Vec3::splat(0.9));
    let hand = Bone::Forearm(0).pivot() - Vec3::Y * 0.25;
    let wand = rounded_box(Vec3::new(0.018, 0.018, 0.26), 0.015, 1, 1.0);
    add(
        Bone::Forearm(0),
        placed(wand, Mat4::from_translation(hand + Vec3::Z * 0.2)),
        linear(0x0060_3a24),
    );
    let tip = placed(
        ellipsoid(Patch::new(8, 6), Vec3::splat(0.05)),
        Mat4::from_translation(hand + Vec3::Z * 0.48),
    );
    add(Bone::Forearm(0), tip, Vec3::new(2.4, 2.2, 1.4));
    builder.finish(stage, "magician", material)
}

/// The magician: `aim` -1 to 1 follows the piece, `joy` 0 to 1 is a leap when rows burst.
pub(super) fn gesture(aim: f32, joy: f32) -> Pose {
    let hop = arc((joy * 2.0).fract()) * f32::from(u8::from(joy > 0.0 && joy < 1.0));
    let calm = Pose {
        lean: 0.03,
        twist: 0.25 + 0.2 * aim,
        look: 0.3 + 0.2 * aim,
        nod: -0.12,
        arms: [
            Limb::new(1.55 + 0.25 * aim, 0.35 + 0.3 * aim, 0.25),
            Limb::new(0.1, 0.25, 0.5),
        ],
        legs: [Limb::new(0.05, 0.06, 0.05), Limb::new(-0.05, 0.06, 0.05)],
        ..Pose::default()
    };
    let glad = Pose {
        lift: 0.45,
        twist: 0.2,
        nod: -0.3,
        arms: [Limb::new(2.7, 0.5, 0.2), Limb::new(2.7, 0.5, 0.2)],
        legs: [Limb::new(0.3, 0.3, 0.6), Limb::new(0.3, 0.3, 0.6)],
        ..calm
    };
    calm.mix(&glad, hop)
}

/// World transform of the magician, twice as high as a cell, turned to the well.
pub(super) fn on_island() -> Mat4 {
    let turn = Quat::from_rotation_y(0.75);
    Mat4::from_scale_rotation_translation(
        Vec3::splat(1.9),
        turn,
        ISLAND + Vec3::new(0.0, 0.12, 0.3),
    )
}

/// The middle of a cell.
pub(super) fn cell(column: f32, row: f32) -> Vec3 {
    Vec3::new(column - HALF + 0.5, row + 0.5, 0.0)
}

/// Middle of the cells of a piece.
pub(super) fn center(cells: &[(i32, i32); 4]) -> Vec2 {
    let high = cells.iter().fold(Vec2::ZERO, |high, &(x, y)| {
        high.max(Vec2::new(x as f32, y as f32))
    });
    high * 0.5
}
