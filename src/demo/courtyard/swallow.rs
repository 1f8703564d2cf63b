//! Ceramic swallows, as they fly over many a Portuguese wall: body, wings and forked tail in one glazed piece.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec3, Vec4};

use super::stage::{Stage, placed};
use crate::procedural::{Curve, Patch, append, smooth_step};
use azulejo_scene::{Material, Primitive};

/// Adds three swallows to the wall at depth `wall`, flying up to the right.
pub(super) fn flock(stage: &mut Stage, wall: f32) {
    let glaze = stage.material(Material {
        name: "swallow glaze".to_owned(),
        base_color: Vec4::ONE,
        metallic: 0.0,
        roughness: 0.14,
        ..Material::default()
    });
    for (x, y, turn, scale) in [
        (0.135, 0.690, 0.62, 1.0),
        (0.290, 0.632, 0.85, 0.80),
        (0.330, 0.730, 0.40, 0.66),
    ] {
        let object = stage.object();
        let mesh = stage.mesh("ceramic swallow", glaze, swallow());
        // The bird is built belly down with its head towards +x: stand it up against the wall, then turn it.
        let rotation = Quat::from_rotation_z(turn) * Quat::from_rotation_x(PI / 2.0);
        let place = placed(Vec3::new(x, y, wall + 0.020 * scale), rotation, scale);
        let node = stage.place(mesh, None, place, Some(object));
        let spheres: Vec<_> = (-3..=3)
            .map(|i| (Vec3::X * (0.013 * i as f32), 0.013))
            .chain((1..7).flat_map(|i| {
                let s = i as f32 / 7.0;
                let out = Vec3::new(0.020 - 0.055 * s, 0.004, 0.085 * s);
                let radius = 0.013 * (1.0 - 0.6 * s);
                [(out, radius), (Vec3::new(out.x, out.y, -out.z), radius)]
            }))
            .collect();
        stage.occlude(node, object, &spheres, 0.35, Vec3::splat(0.05));
    }
}

/// A swallow of 11 cm, back up (+y), head towards +x.
fn swallow() -> Primitive {
    let profile = Curve::profile(&[
        [0.0, 0.056],
        [0.0022, 0.052],
        [0.0060, 0.047],
        [0.0110, 0.040],
        [0.0120, 0.034],
        [0.0125, 0.026],
        [0.0150, 0.010],
        [0.0140, -0.010],
        [0.0090, -0.032],
        [0.0040, -0.048],
        [0.0, -0.056],
    ]);
    let mut bird = Patch::new(20, 28).mesh(|u, v| {
        let at = profile.at(v);
        let (sin, cos) = (u * TAU).sin_cos();
        Vec3::new(at.y, at.x * cos * 0.85, at.x * sin)
    });
    for side in [-1.0, 1.0] {
        let wing = blade(
            [
                Vec3::new(0.028, 0.004, 0.006),
                Vec3::new(0.020, 0.012, 0.050),
                Vec3::new(-0.030, 0.004, 0.100),
            ],
            [
                Vec3::new(-0.006, 0.003, 0.006),
                Vec3::new(-0.010, 0.009, 0.045),
                Vec3::new(-0.034, 0.003, 0.098),
            ],
            side,
        );
        append(&mut bird, &wing);
        let fork = blade(
            [
                Vec3::new(-0.034, 0.001, 0.001),
                Vec3::new(-0.060, 0.003, 0.011),
                Vec3::new(-0.092, 0.001, 0.020),
            ],
            [
                Vec3::new(-0.038, 0.001, -0.004),
                Vec3::new(-0.060, 0.003, 0.003),
                Vec3::new(-0.093, 0.001, 0.019),
            ],
            side,
        );
        append(&mut bird, &fork);
    }
    bird.colors = bird.positions.iter().map(|p| plumage(*p)).collect();
    bird
}

/// A thin blade between a leading and a trailing edge, mirrored to the other side where `side` is negative.
fn blade(leading: [Vec3; 3], trailing: [Vec3; 3], side: f32) -> Primitive {
    let (leading, trailing) = (Curve::through(&leading), Curve::through(&trailing));
    Patch::new(14, 14).mesh(|u, v| {
        let along = 1.0 - v;
        let (front, back) = (leading.at(along), trailing.at(along));
        let (sin, cos) = (u * TAU * side).sin_cos();
        let middle = (front + back) * 0.5;
        let thickness = 0.0032 * (1.0 - 0.75 * along);
        let p = middle + (front - back) * 0.5 * cos + Vec3::Y * (thickness * sin);
        Vec3::new(p.x, p.y, p.z * side)
    })
}

/// Blue-black above, cream below, rust at the throat.
fn plumage(p: Vec3) -> Vec4 {
    let back = Vec3::new(0.008, 0.014, 0.045);
    let belly = Vec3::new(0.55, 0.50, 0.40);
    let rust = Vec3::new(0.30, 0.07, 0.025);
    let under = smooth_step(0.0, -0.006, p.y) * smooth_step(0.02, 0.01, p.z.abs());
    let throat = smooth_step(0.036, 0.044, p.x) * smooth_step(0.004, -0.004, p.y);
    back.lerp(belly, under).lerp(rust, throat).extend(1.0)
}
