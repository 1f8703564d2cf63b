//! Tests of the mesh builders: streams complete, surfaces closed, normals outward.

use std::collections::BTreeMap;

use super::*;

/// The builders' closed meshes, each around the origin.
fn closed_meshes() -> Vec<(&'static str, Primitive)> {
    let vase = Curve::profile(&[
        [0.0, 0.5],
        [0.3, 0.45],
        [0.2, 0.0],
        [0.4, -0.4],
        [0.0, -0.5],
    ]);
    let bow = Curve::through(&[Vec3::NEG_X, Vec3::new(0.0, 0.1, 0.0), Vec3::X]);
    vec![
        (
            "ellipsoid",
            ellipsoid(Patch::new(24, 12), Vec3::new(1.0, 2.0, 0.5)),
        ),
        ("torus", torus(Patch::new(24, 12), 1.0, 0.3)),
        ("capsule", capsule(Patch::new(16, 16), 0.4, 1.0)),
        ("lathe", lathe(Patch::new(24, 24), &vase)),
        (
            "rounded box",
            rounded_box(Vec3::new(1.0, 0.5, 0.7), 0.1, 3, 1.0),
        ),
        (
            "tube",
            tube(Patch::new(12, 24), &bow, |t| {
                0.2 * (1.0 - (2.0 * t - 1.0).powi(2)).max(0.0).sqrt()
            }),
        ),
    ]
}

#[test]
fn surfaces_have_complete_streams() {
    let flat = plane(Patch::new(3, 2).repeated(2.0, 4.0), Vec2::ONE);
    for (name, mesh) in closed_meshes().into_iter().chain([("plane", flat)]) {
        let n = mesh.positions.len();
        assert!(
            n > 0 && mesh.indices.len().is_multiple_of(3),
            "{name} has triangles"
        );
        assert!(
            mesh.indices.iter().all(|&i| (i as usize) < n),
            "{name}: indices in range"
        );
        assert_eq!(
            [
                mesh.normals.len(),
                mesh.tangents.len(),
                mesh.tex_coords[0].len()
            ],
            [n; 3],
            "{name}: stream lengths"
        );
        for i in 0..n {
            let (normal, tangent) = (mesh.normals[i], mesh.tangents[i]);
            assert!((normal.length() - 1.0).abs() < 1e-3, "{name}: unit normal");
            assert!(
                (tangent.truncate().length() - 1.0).abs() < 1e-3,
                "{name}: unit tangent"
            );
            assert!(
                normal.dot(tangent.truncate()).abs() < 1e-3,
                "{name}: tangent square to normal"
            );
            assert_eq!(tangent.w, 1.0, "{name}: bitangent sign");
        }
    }
}

#[test]
fn surfaces_keep_texture_coordinates_within_their_repeat() {
    let repeat = Vec2::new(3.0, 2.0);
    let mesh = ellipsoid(Patch::new(8, 8).repeated(repeat.x, repeat.y), Vec3::ONE);
    let inside = |at: &Vec2| at.cmpge(Vec2::ZERO).all() && at.cmple(repeat).all();
    assert!(mesh.tex_coords[0].iter().all(inside), "0 to the repeat");
}

#[test]
fn surfaces_are_closed_and_face_outward() {
    for (name, mesh) in closed_meshes() {
        let key = |i: u32| {
            (mesh.positions[i as usize] * 1e4)
                .round()
                .to_array()
                .map(|c| c as i32)
        };
        let mut edges: BTreeMap<_, i32> = BTreeMap::new();
        let mut volume = 0.0;
        for triangle in mesh.indices.chunks_exact(3) {
            let [p, q, r] = [0, 1, 2].map(|k| mesh.positions[triangle[k] as usize]);
            volume += p.dot(q.cross(r)) / 6.0;
            for k in 0..3 {
                let (from, to) = (key(triangle[k]), key(triangle[(k + 1) % 3]));
                let (edge, direction) = if from < to {
                    ((from, to), 1)
                } else {
                    ((to, from), -1)
                };
                *edges.entry(edge).or_default() += direction;
            }
            let face = (q - p).cross(r - p);
            let normal = mesh.normals[triangle[0] as usize];
            assert!(
                face.dot(normal) > 0.0,
                "{name}: triangle and normal agree at {p}"
            );
        }
        let open = edges.values().filter(|&&uses| uses != 0).count();
        assert_eq!(open, 0, "{name}: every edge is walked once each way");
        assert!(volume > 0.0, "{name} encloses {volume}");
    }
}

#[test]
fn surfaces_texture_runs_right_and_down() {
    let mesh = plane(Patch::new(1, 1), Vec2::ONE);
    let at = |u, v| {
        mesh.positions[mesh.tex_coords[0]
            .iter()
            .position(|t| *t == Vec2::new(u, v))
            .unwrap()]
    };
    assert!(at(1.0, 0.0).x > at(0.0, 0.0).x, "u to the right");
    assert!(at(0.0, 1.0).y < at(0.0, 0.0).y, "v downwards");
    assert_eq!(mesh.normals[0], Vec3::Z, "towards the viewer");
}

#[test]
fn surface_of_sphere_has_radial_normals() {
    let mesh = ellipsoid(Patch::new(32, 16), Vec3::ONE);
    for (position, normal) in mesh.positions.iter().zip(&mesh.normals) {
        assert!(
            position.dot(*normal) > 0.999,
            "normal at {position} is {normal}"
        );
    }
}
