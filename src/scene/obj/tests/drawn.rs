//! Triangles drawn of contents and of a scene, to compare them.

use glam::{DVec3, Vec2, Vec3, Vec4};

use super::meant::{Element, GROUPS, Meant};
use crate::{Material, Scene, Topology};

/// A corner that is drawn: position, place in the texture, colour; its normal is compared apart.
type Drawn = (Vec3, Option<Vec2>, Vec4);

/// One triangle, line or point by its bits: group, material, kind, corners.
pub(super) type Key = (String, Vec<u32>, usize, Vec<u32>);

fn key(group: &str, material: &Material, corners: &[Drawn]) -> Key {
    let bits = |values: &[f32]| {
        values
            .iter()
            .map(|value| (value + 0.0).to_bits())
            .collect::<Vec<_>>()
    };
    let material = [
        &material.base_color.to_array()[..],
        &material.emissive.to_array(),
    ]
    .concat();
    let corners: Vec<f32> = corners
        .iter()
        .flat_map(|(position, place, color)| {
            let place = place.unwrap_or(Vec2::INFINITY);
            [
                &position.to_array()[..],
                &place.to_array(),
                &color.to_array(),
            ]
            .concat()
        })
        .collect();
    (
        group.to_owned(),
        bits(&material),
        corners.len() / 9,
        bits(&corners),
    )
}

/// Expected triangles, with normals of their corners; none where they are not certain.
pub(super) fn expected(meant: &Meant) -> Vec<(Key, Vec<Option<Vec3>>)> {
    let mut list = Vec::new();
    for element in &meant.elements {
        let group = GROUPS[element.group];
        let group = if group.is_empty() {
            "unnamed_object"
        } else {
            group
        };
        let material = element.material.and_then(|at| meant.materials.get(at));
        let material = material.map(|(color, opacity, emission)| Material {
            base_color: color.extend(*opacity),
            emissive: *emission,
            ..Material::default()
        });
        let has_places = element.corners.iter().any(|corner| corner.1.is_some());
        let corners = element.corners.iter().map(|(position, place, _)| {
            let place = place.map(|at| meant.tex_coords[at]);
            let place = place.map_or(Vec2::ZERO, |place| Vec2::new(place.x, 1.0 - place.y));
            let color = meant.colors[*position].unwrap_or(Vec3::ONE).extend(1.0);
            (
                meant.positions[*position],
                has_places.then_some(place),
                color,
            )
        });
        let (corners, n): (Vec<_>, _) = (corners.collect(), element.corners.len());
        let pieces: Vec<Vec<usize>> = match element.topology {
            Topology::Triangles => (2..n).map(|at| vec![0, at - 1, at]).collect(),
            Topology::Lines => (1..n).map(|at| vec![at - 1, at]).collect(),
            Topology::Points => (0..n).map(|at| vec![at]).collect(),
        };
        for piece in pieces {
            let of_piece: Vec<_> = piece.iter().map(|at| corners[*at]).collect();
            let key = key(group, &material.clone().unwrap_or_default(), &of_piece);
            let normals = match element.topology {
                Topology::Triangles => piece.iter().map(|at| normal(meant, element, *at)).collect(),
                _ => Vec::new(),
            };
            list.push((key, normals));
        }
    }
    list
}

/// Unit normal of a face of three corners or in a plane.
fn face_normal(meant: &Meant, element: &Element) -> DVec3 {
    let [a, b, c] = [0, 1, 2].map(|at| meant.positions[element.corners[at].0].as_dvec3());
    (b - a).cross(c - a).normalize()
}

fn normal(meant: &Meant, element: &Element, at: usize) -> Option<Vec3> {
    if let (_, _, Some(normal)) = element.corners[at] {
        return Some(meant.normals[normal].normalize());
    }
    if element.smoothing == 0 {
        return Some(face_normal(meant, element).as_vec3());
    }
    let mut sum = DVec3::ZERO;
    for face in &meant.elements {
        if face.topology != Topology::Triangles || face.smoothing != element.smoothing {
            continue;
        }
        let place = |at: usize| meant.positions[face.corners[at].0].as_dvec3();
        let n = face.corners.len();
        for corner in (0..n).filter(|corner| face.corners[*corner].0 == element.corners[at].0) {
            let to = |other: usize| (place(other % n) - place(corner)).normalize();
            let angle = to(corner + 1).dot(to(corner + n - 1)).acos();
            sum += face_normal(meant, face) * angle;
        }
    }
    (sum.length() > 0.1).then(|| sum.normalize().as_vec3())
}

pub(super) fn drawn(scene: &Scene) -> Vec<(Key, Vec<Option<Vec3>>)> {
    let mut list = Vec::new();
    for mesh in &scene.meshes {
        for part in &mesh.primitives {
            let material = part.material.expect("every part has one");
            for piece in part.indices.chunks_exact(part.topology.vertices()) {
                let corners = piece.iter().map(|at| *at as usize).map(|at| {
                    let place = part.tex_coords.first().map(|set| set[at]);
                    let color = part.colors.get(at).copied().unwrap_or(Vec4::ONE);
                    (part.positions[at], place, color)
                });
                let corners: Vec<_> = corners.collect();
                let normals = piece
                    .iter()
                    .map(|at| part.normals.get(*at as usize).copied());
                let material = &scene.materials[material.index()];
                list.push((key(&mesh.name, material, &corners), normals.collect()));
            }
        }
    }
    list
}
