//! The runner: a boy in a hood with a rucksack, and how he runs, jumps, rolls and veers.

use std::f32::consts::{PI, TAU};

use glam::{Mat4, Vec3};

use super::look::Town;
use super::plan::{Act, Stand};
use super::street::linear;
use crate::kit::figure::{Bone, Builder, Clothes, Limb, N_BONES, Pose};
use crate::kit::motion::{ease, wave};
use crate::kit::solid::painted;
use crate::kit::stage::{Stage, placed};
use crate::procedural::{Patch, ellipsoid, rounded_box};
use azulejo_scene::{MaterialId, MeshId};

/// Metres of a stride of two steps.
const STRIDE: f32 = 5.4;

/// Builds the runner's skinned mesh.
pub(super) fn runner(stage: &mut Stage, town: &Town, material: MaterialId) -> MeshId {
    let clothes = Clothes {
        cloth: town.cloth,
        skin: linear(0x00f0_b48c),
        jacket: linear(0x0018_a8b4),
        cuffs: linear(0x00f4_f2ea),
        trousers: linear(0x0036_4a88),
        shoes: linear(0x00f2_4a3a),
        hair: linear(0x005a_3420),
    };
    let mut builder = Builder::dressed(&clothes);
    let red = linear(0x00ee_3a34);
    let mut add = |bone: Bone, shape, at: Vec3, color: Vec3| {
        let part = placed(shape, Mat4::from_translation(at));
        builder.part(bone, &painted(part, town.cloth, color));
    };
    // A cap worn back to front.
    add(
        Bone::Head,
        ellipsoid(Patch::new(14, 8), Vec3::new(0.16, 0.13, 0.165)),
        Vec3::new(0.0, 1.665, -0.01),
        red,
    );
    add(
        Bone::Head,
        ellipsoid(Patch::new(12, 5), Vec3::new(0.12, 0.022, 0.12)),
        Vec3::new(0.0, 1.625, -0.19),
        red * 0.7,
    );
    add(
        Bone::Head,
        ellipsoid(Patch::new(6, 4), Vec3::splat(0.025)),
        Vec3::new(0.0, 1.795, -0.01),
        Vec3::splat(0.9),
    );
    luggage(&mut builder, town, clothes.jacket);
    builder.finish(stage, "runner", material)
}

/// The hood on his back, the rucksack with its pocket.
fn luggage(builder: &mut Builder, town: &Town, jacket: Vec3) {
    let mut add = |bone: Bone, shape, at: Vec3, color: Vec3| {
        let part = placed(shape, Mat4::from_translation(at));
        builder.part(bone, &painted(part, town.cloth, color));
    };
    add(
        Bone::Chest,
        ellipsoid(Patch::new(12, 7), Vec3::new(0.15, 0.07, 0.1)),
        Vec3::new(0.0, 1.4, -0.11),
        jacket * 0.8,
    );
    let bag = linear(0x00ff_b422);
    add(
        Bone::Chest,
        rounded_box(Vec3::new(0.15, 0.19, 0.085), 0.06, 2, 1.0),
        Vec3::new(0.0, 1.18, -0.21),
        bag,
    );
    add(
        Bone::Chest,
        rounded_box(Vec3::new(0.11, 0.075, 0.05), 0.035, 1, 1.0),
        Vec3::new(0.0, 1.09, -0.29),
        linear(0x00e0_7a1a),
    );
    for side in [-0.11, 0.11] {
        add(
            Bone::Chest,
            rounded_box(Vec3::new(0.022, 0.16, 0.02), 0.015, 1, 1.0),
            Vec3::new(side, 1.25, 0.13),
            bag * 0.8,
        );
    }
}

/// The bones of the runner at `stand`.
pub(super) fn joints(stand: &Stand) -> [Mat4; N_BONES] {
    let phase = stand.way / STRIDE;
    let running = Pose {
        tilt: -0.5 * stand.veer,
        ..Pose::run(phase)
    };
    let (pose, spin) = match stand.act {
        Act::Runs => (running, 0.0),
        Act::Flies(t) => (running.mix(&flying(t), ease((t * (1.0 - t)) * 12.0)), 0.0),
        Act::Rolls(t) => {
            let tucked = ease((t * 6.0).min((1.0 - t) * 6.0));
            (running.mix(&ROLLED, tucked), TAU * ease(t))
        }
    };
    let turn = PI - 0.7 * stand.veer;
    let place = Mat4::from_translation(Vec3::new(stand.aside, stand.height, -stand.way))
        * Mat4::from_rotation_y(turn);
    // He rolls about his middle.
    let middle = Mat4::from_translation(Vec3::Y * 0.42);
    let rolled = if spin > 0.0 {
        place * middle * Mat4::from_rotation_x(spin) * middle.inverse()
    } else {
        place
    };
    pose.joints(rolled)
}

/// A leap: knees up, arms out.
fn flying(t: f32) -> Pose {
    let flutter = 0.15 * wave(t * 1.5);
    Pose {
        lift: 0.05,
        lean: 0.12,
        nod: -0.1,
        arms: [
            Limb::new(0.9 + flutter, 0.8, 0.5),
            Limb::new(-0.5 - flutter, 0.9, 0.6),
        ],
        legs: [
            Limb::new(1.35 - 0.5 * t, 0.1, 1.5 - 0.6 * t),
            Limb::new(-0.35, 0.05, 0.9),
        ],
        ..Pose::default()
    }
}

/// Tucked up like a ball.
const ROLLED: Pose = Pose {
    lift: -0.5,
    lean: 0.5,
    tilt: 0.0,
    fold: 0.75,
    twist: 0.0,
    look: 0.0,
    nod: 0.6,
    arms: [Limb::new(0.9, 0.1, 1.6); 2],
    legs: [Limb::new(2.2, 0.08, 2.3); 2],
};
