//! Riders: a person on a snowboard, leaning into turns, tucked before kickers, turning in the air.

use std::f32::consts::TAU;

use glam::{Mat3, Mat4, Vec3};

use super::build::linear;
use super::look::Woods;
use super::terrain::{Ride, Terrain};
use crate::kit::figure::{Bone, Builder, Clothes, Limb, N_BONES, Pose};
use crate::kit::motion::{arc, ease, wave};
use crate::kit::solid::painted;
use crate::kit::stage::{Stage, placed};
use crate::procedural::{Patch, ellipsoid, random, rounded_box, torus};
use azulejo_scene::{MaterialId, MeshId};

/// Colours of a rider: jacket, trousers, helmet, board.
const TEAMS: [[u32; 4]; 3] = [
    [0x00ff_5a2c, 0x0024_3a66, 0x00ff_d028, 0x0022_d0c0],
    [0x003a_6ef0, 0x0030_3440, 0x00f2_f4f8, 0x00ff_4f9a],
    [0x0040_b860, 0x005a_3a6a, 0x00f0_4a3a, 0x00ff_c030],
];

/// How many kinds of riders there are.
pub(super) const N_TEAMS: usize = TEAMS.len();

/// The mesh of a rider without the board.
pub(super) fn rider(stage: &mut Stage, woods: &Woods, team: usize, material: MaterialId) -> MeshId {
    let [jacket, trousers, helmet, _] = TEAMS[team % N_TEAMS].map(linear);
    let clothes = Clothes {
        cloth: woods.cloth,
        skin: linear(0x00f0_b48c),
        jacket,
        cuffs: jacket * 0.8,
        trousers,
        shoes: Vec3::splat(0.08),
        hair: linear(0x0050_3020),
    };
    let mut builder = Builder::dressed(&clothes);
    let mut add = |bone: Bone, shape, at: Vec3, color: Vec3| {
        let part = placed(shape, Mat4::from_translation(at));
        builder.part(bone, &painted(part, woods.cloth, color));
    };
    add(
        Bone::Head,
        ellipsoid(Patch::new(14, 9), Vec3::new(0.17, 0.15, 0.18)),
        Vec3::new(0.0, 1.66, -0.01),
        helmet,
    );
    add(
        Bone::Head,
        ellipsoid(Patch::new(12, 6), Vec3::new(0.135, 0.055, 0.09)),
        Vec3::new(0.0, 1.6, 0.09),
        Vec3::new(0.06, 0.05, 0.12),
    );
    add(
        Bone::Head,
        torus(Patch::new(14, 6), 0.15, 0.02),
        Vec3::new(0.0, 1.6, 0.0),
        Vec3::splat(0.85),
    );
    for side in [0, 1] {
        let hand = Bone::Forearm(side).pivot() - Vec3::Y * 0.24;
        add(
            Bone::Forearm(side),
            ellipsoid(Patch::new(8, 6), Vec3::new(0.06, 0.085, 0.07)),
            hand,
            helmet * 0.9,
        );
    }
    builder.finish(stage, "rider", material)
}

/// The mesh of a board: it points along +x.
pub(super) fn board(stage: &mut Stage, woods: &Woods, team: usize, material: MaterialId) -> MeshId {
    let color = linear(TEAMS[team % N_TEAMS][3]);
    let mut deck = rounded_box(Vec3::new(0.82, 0.016, 0.145), 0.015, 2, 1.0);
    for p in &mut deck.positions {
        // Nose and tail bend up and are round.
        let end = (p.x.abs() - 0.58).max(0.0);
        p.y += 1.6 * end * end;
        p.z *= 1.0 - 5.0 * end * end;
    }
    stage.mesh("board", painted(deck, woods.cloth, color), material)
}

/// World transforms of a rider's board and bones.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) board: Mat4,
    pub(super) joints: [Mat4; N_BONES],
}

/// Whole turns and the grab of the flight off a kicker.
pub(super) fn trick(kicker: i64, seed: u32) -> (f32, usize) {
    let own = random(kicker as i32, 5, seed);
    let turns = [1.0, 2.0, 1.5, 3.0][(own * 3.99) as usize];
    // A turn and a half lands backwards, so it is a whole turn more.
    ((turns as f32).floor(), (own * 97.0) as usize % 3)
}

/// A rider on the snow or in the air, `seconds` into the show.
pub(super) fn pose(terrain: &Terrain, ride: &Ride, seconds: f32, seed: u32) -> Placed {
    let base = frame(terrain, ride);
    let (spin, grab) = ride.flight.map_or((0.0, 0.0), |t| {
        let (turns, _) = trick(ride.kicker, seed);
        (TAU * turns * ease((t - 0.06) / 0.8), arc((t - 0.15) / 0.7))
    });
    let middle = Mat4::from_translation(Vec3::Y * 0.5);
    let turned = base * middle * Mat4::from_rotation_y(spin) * middle.inverse();
    let press = 0.5 * ride.bend.abs() + 0.1 * wave(seconds * 1.3);
    let stance = Pose {
        lift: -0.17 - 0.12 * press,
        fold: 0.32 + 0.25 * press,
        twist: 0.35 + 0.2 * ride.bend,
        look: 1.0,
        nod: -0.05,
        arms: [
            Limb::new(
                0.25 + 0.2 * ride.bend,
                1.15 + 0.25 * wave(seconds * 0.9),
                0.35,
            ),
            Limb::new(
                0.1 - 0.2 * ride.bend,
                1.05 - 0.2 * wave(seconds * 0.7),
                0.45,
            ),
        ],
        legs: [leg(0.62 + 0.4 * press), leg(0.62 + 0.4 * press)],
        ..Pose::default()
    };
    let grabbed = Pose {
        lift: -0.42,
        fold: 0.95,
        twist: 0.2,
        look: 0.9,
        arms: [Limb::new(0.7, 0.25, 0.1), Limb::new(-0.6, 1.5, 0.3)],
        legs: [leg(1.25), leg(1.25)],
        ..stance
    };
    let pose = stance.mix(&grabbed, grab);
    // In a grab the board is pulled up below the body.
    let raised = Mat4::from_translation(Vec3::Y * 0.16 * grab);
    Placed {
        board: turned * raised * Mat4::from_translation(Vec3::Z * 0.02),
        joints: pose.joints(turned * Mat4::from_translation(Vec3::Y * 0.05)),
    }
}

/// Local frame of a rider: x along the board, y away from the snow, leaning into the turn.
fn frame(terrain: &Terrain, ride: &Ride) -> Mat4 {
    let way = -ride.at.z;
    let normal = terrain.normal(ride.at.x, way);
    let up = if ride.flight.is_some() {
        Vec3::Y.lerp(normal, 0.5)
    } else {
        normal
    };
    let roll = if ride.flight.is_some() {
        0.0
    } else {
        0.85 * ride.bend
    };
    let ahead = ride.ahead;
    let right = ahead.cross(up).normalize_or(Vec3::X);
    let up = right.cross(ahead);
    // Leaning into the turn, edge down.
    let leaned = up * roll.cos() + right * roll.sin();
    // The figure's left side, +x, points ahead: it rides sideways and looks over its shoulder.
    let axes = Mat3::from_cols(ahead, leaned, ahead.cross(leaned));
    Mat4::from_translation(ride.at + leaned * 0.05) * Mat4::from_mat3(axes)
}

/// A bent leg whose foot stays below the hip.
const fn leg(bend: f32) -> Limb {
    Limb {
        swing: 0.55 * bend,
        spread: 0.36,
        bend: 1.1 * bend,
        tip: 0.5 * bend,
    }
}
