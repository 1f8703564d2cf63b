//! Animation of the courtyard, eight seconds long and closed: the last moment is the first.

use std::f32::consts::TAU;

use glam::{EulerRot, Quat, Vec3};

use super::butterfly::Butterfly;
use super::lantern::Lantern;
use azulejo_scene::{Animation, Channel, Interpolation, Keyframes, NodeId, Target};

/// Seconds until everything is where it was.
const PERIOD: f32 = 8.0;

/// A channel with `n_keys` steps through the period, its value a function of the phase in 0..1.
fn channel<const N: usize>(
    node: NodeId,
    target: Target,
    n_keys: u32,
    value: impl Fn(f32) -> [f32; N],
) -> Channel {
    let phases = (0..=n_keys).map(|key| key as f32 / n_keys as f32);
    Channel {
        node,
        target,
        keyframes: Keyframes {
            times: phases.clone().map(|phase| phase * PERIOD).collect(),
            values: phases.flat_map(value).collect(),
            components: N,
            interpolation: Interpolation::Linear,
        },
    }
}

/// A smooth path through points at even times, back to the first: cubic segments with Catmull-Rom tangents.
fn path(node: NodeId, points: &[Vec3]) -> Channel {
    let n = points.len();
    let step = PERIOD / n as f32;
    let mut values = Vec::new();
    for key in 0..=n {
        let at = |i: usize| points[i % n];
        let tangent = (at(key + 1) - at(key + n - 1)) / (2.0 * step);
        for vector in [tangent, at(key), tangent] {
            values.extend(vector.to_array());
        }
    }
    Channel {
        node,
        target: Target::Translation,
        keyframes: Keyframes {
            times: (0..=n).map(|key| key as f32 * step).collect(),
            values,
            components: 3,
            interpolation: Interpolation::CubicSpline,
        },
    }
}

fn wave(phase: f32, cycles: f32, offset: f32) -> f32 {
    ((phase * cycles + offset) * TAU).sin()
}

/// The lantern swings around its hook and its flame leans about.
pub(super) fn lantern(lantern: Lantern) -> Vec<Channel> {
    vec![
        channel(lantern.hook, Target::Rotation, 48, |phase| {
            let swing = 0.050 * wave(phase, 4.0, 0.1);
            let roll = 0.028 * wave(phase, 4.0, 0.33);
            let twist = 0.12 * wave(phase, 1.0, 0.0);
            Quat::from_euler(EulerRot::YXZ, twist, roll, swing).to_array()
        }),
        channel(lantern.flame, Target::MorphWeights, 64, |phase| {
            [0.35 + 0.35 * wave(phase, 9.0, 0.2) + 0.25 * wave(phase, 23.0, 0.6)]
        }),
    ]
}

/// A branch sways around its foot.
pub(super) fn branch(node: NodeId, number: u32) -> Channel {
    let offset = number as f32 * 0.37;
    channel(node, Target::Rotation, 32, move |phase| {
        let across = 0.014 * wave(phase, 2.0, offset) + 0.006 * wave(phase, 5.0, offset);
        let along = 0.010 * wave(phase, 3.0, offset + 0.2);
        Quat::from_euler(EulerRot::YXZ, 0.0, along, across).to_array()
    })
}

/// The runner's hanging end stirs.
pub(super) fn runner(node: NodeId) -> Channel {
    channel(node, Target::MorphWeights, 32, |phase| {
        [0.10 + 0.09 * wave(phase, 2.0, 0.7) + 0.05 * wave(phase, 5.0, 0.1)]
    })
}

/// The butterfly circles over the fruit, beating its wings.
pub(super) fn butterfly(butterfly: Butterfly, home: Vec3) -> Vec<Channel> {
    let points = [
        [0.0, 0.0, 0.0],
        [0.10, 0.05, -0.05],
        [0.22, 0.03, -0.02],
        [0.26, -0.03, 0.08],
        [0.14, 0.02, 0.14],
        [-0.02, 0.07, 0.16],
        [-0.12, 0.04, 0.12],
        [-0.10, -0.02, 0.03],
    ];
    let points = points.map(|p| home + Vec3::from(p));
    let [left, right] = butterfly.wings;
    let beat = |phase: f32| 0.55 + 0.75 * wave(phase, 40.0, 0.02);
    vec![
        path(butterfly.body, &points),
        channel(butterfly.body, Target::Rotation, 32, |phase| {
            Quat::from_euler(
                EulerRot::YXZ,
                -0.9 - phase * TAU,
                0.25,
                0.15 * wave(phase, 3.0, 0.0),
            )
            .to_array()
        }),
        channel(left, Target::Rotation, 320, |phase| {
            Quat::from_rotation_z(-beat(phase)).to_array()
        }),
        channel(right, Target::Rotation, 320, |phase| {
            Quat::from_rotation_z(beat(phase)).to_array()
        }),
    ]
}

/// All channels as one animation.
pub(super) fn animation(channels: Vec<Channel>) -> Animation {
    Animation {
        name: "afternoon".to_owned(),
        channels,
        duration: PERIOD,
        ..Animation::default()
    }
}
