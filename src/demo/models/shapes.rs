//! Meshes of the models, each in one piece, with the light of a room baked into the vertices.

use std::f32::consts::FRAC_PI_2;

use glam::{Mat4, Quat, Vec3};

use crate::kit::stage::{bake, merged, placed};
use crate::procedural::{Curve, Patch, ellipsoid, lathe, rounded_box, tube};
use azulejo_scene::Primitive;

/// Light from above left and from behind the viewer, and some from everywhere.
fn lit(mesh: Primitive) -> Primitive {
    bake(mesh, |_, normal| {
        let key = normal.dot(Vec3::new(-0.45, 0.8, 0.4)).max(0.0);
        let fill = 0.5 + 0.5 * normal.y;
        Vec3::new(0.9, 0.86, 0.78) * key + Vec3::new(0.22, 0.26, 0.34) * (0.6 + 0.6 * fill)
    })
}

fn at(mesh: Primitive, place: Vec3) -> Primitive {
    placed(mesh, Mat4::from_translation(place))
}

/// A body, a head with muzzle, ears and horns, four legs, a tail: some 5000 triangles.
pub(super) fn calf() -> Primitive {
    let round = |radii: Vec3, columns: u32| {
        let patch = Patch::new(columns, columns * 2 / 3).repeated(1.0, 1.0);
        ellipsoid(patch, radii)
    };
    let mut parts = vec![
        at(round(Vec3::new(0.46, 0.42, 0.72), 42), Vec3::ZERO),
        at(
            round(Vec3::new(0.3, 0.32, 0.3), 30),
            Vec3::new(0.0, 0.42, 0.78),
        ),
        at(
            round(Vec3::new(0.2, 0.17, 0.18), 24),
            Vec3::new(0.0, 0.32, 1.04),
        ),
    ];
    for side in [-1.0, 1.0] {
        let ear = round(Vec3::new(0.2, 0.09, 0.05), 18);
        parts.push(at(ear, Vec3::new(0.36 * side, 0.55, 0.72)));
        let horn = round(Vec3::new(0.05, 0.14, 0.05), 12);
        parts.push(at(horn, Vec3::new(0.15 * side, 0.76, 0.74)));
        for end in [-0.42, 0.42] {
            let leg = round(Vec3::new(0.13, 0.42, 0.13), 18);
            parts.push(at(leg, Vec3::new(0.26 * side, -0.5, end)));
        }
    }
    let path = [[0.0, 0.2, -0.66], [0.0, 0.1, -0.86], [0.05, -0.3, -0.9]];
    let tail = Curve::through(&path.map(Vec3::from_array));
    parts.push(tube(Patch::new(10, 14), &tail, |t| 0.05 * (1.0 - 0.5 * t)));
    lit(merged(&parts))
}

/// A crate of edge 1.5 with rounded edges, its texture once on each face.
pub(super) fn crate_box() -> Primitive {
    let mut mesh = rounded_box(Vec3::splat(0.75), 0.04, 2, 1.0 / 1.5);
    for uv in &mut mesh.tex_coords[0] {
        *uv += 0.5;
    }
    lit(mesh)
}

/// A head: brow, sockets, nose and mouth pressed into a ball, ears at its sides; some 3000 triangles.
pub(super) fn mask() -> Primitive {
    let dent = |at: Vec3, to: [f32; 3], width: f32| {
        let distance = at.distance(Vec3::from_array(to).normalize());
        (-(distance / width) * (distance / width)).exp()
    };
    let skin = |normal: Vec3| {
        let sockets =
            dent(normal, [-0.38, 0.18, 0.9], 0.24) + dent(normal, [0.38, 0.18, 0.9], 0.24);
        let brow = dent(normal, [0.0, 0.5, 0.87], 0.35);
        let muzzle = dent(normal, [0.0, -0.42, 0.9], 0.45);
        let mouth = dent(normal, [0.0, -0.5, 0.86], 0.12);
        1.0 - 0.16 * sockets + 0.1 * brow + 0.3 * muzzle - 0.12 * mouth
    };
    let ball = Patch::new(48, 30).mesh(|u, v| {
        let (sin_u, cos_u) = (u * std::f32::consts::TAU).sin_cos();
        let (sin_v, cos_v) = (v * std::f32::consts::PI).sin_cos();
        let normal = Vec3::new(sin_v * sin_u, cos_v, sin_v * cos_u);
        normal * skin(normal) * Vec3::new(0.72, 0.86, 0.7)
    });
    let ear = || ellipsoid(Patch::new(16, 10), Vec3::new(0.34, 0.26, 0.08));
    lit(merged(&[
        ball,
        at(ear(), Vec3::new(-0.92, 0.1, -0.08)),
        at(ear(), Vec3::new(0.92, 0.1, -0.08)),
    ]))
}

/// Body and lid turned on a wheel, spout and handle swept: some 5000 triangles.
pub(super) fn teapot() -> Primitive {
    let profile = [
        [0.001, 0.78],
        [0.12, 0.74],
        [0.07, 0.62],
        [0.4, 0.5],
        [0.52, 0.42],
        [0.72, 0.1],
        [0.78, -0.18],
        [0.62, -0.5],
        [0.5, -0.56],
        [0.001, -0.57],
    ];
    let body = lathe(
        Patch::new(56, 34).repeated(2.0, 1.0),
        &Curve::profile(&profile),
    );
    let swept = |path: &[[f32; 3]], wide: f32, narrow: f32| {
        let points: Vec<Vec3> = path.iter().copied().map(Vec3::from_array).collect();
        let patch = Patch::new(18, 24);
        tube(patch, &Curve::through(&points), move |t| {
            wide + (narrow - wide) * t
        })
    };
    let spout = swept(
        &[
            [0.55, -0.2, 0.0],
            [0.95, -0.05, 0.0],
            [1.1, 0.3, 0.0],
            [1.35, 0.42, 0.0],
        ],
        0.2,
        0.07,
    );
    let handle = swept(
        &[
            [-0.55, 0.32, 0.0],
            [-1.05, 0.34, 0.0],
            [-1.12, -0.05, 0.0],
            [-0.66, -0.3, 0.0],
        ],
        0.08,
        0.08,
    );
    let upright = Mat4::from_quat(Quat::from_rotation_y(FRAC_PI_2));
    lit(merged(&[
        body,
        placed(spout, upright),
        placed(handle, upright),
    ]))
}
