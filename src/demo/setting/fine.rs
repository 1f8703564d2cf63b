//! Fine meshes: each triangle becomes [`PARTS`] squared of the same shape, all values of their vertices interpolated.
//!
//! Two triangles that share an edge cut it at the same points, bit for bit: a point of an edge is a sum of two products, whose order
//! does not matter, so no crack opens. Skinned and morphed primitives stay, as their vertices do not interpolate.

use std::ops::{Add, Mul};

use azulejo_scene::{Mesh, Primitive, Topology};

/// Parts of an edge; a power of two, so that corners stay where they are.
const PARTS: u32 = 4;

/// Cuts every triangle of the mesh.
pub(super) fn cut(mesh: &mut Mesh) {
    for primitive in &mut mesh.primitives {
        let is_still = primitive.joints.is_empty() && primitive.morph_targets.is_empty();
        if primitive.topology == Topology::Triangles && is_still {
            *primitive = cut_up(primitive);
        }
    }
}

/// Three vertices of the old primitive, and how much of each, in parts of an edge.
type Blend = [(u32, f32); 3];

fn cut_up(primitive: &Primitive) -> Primitive {
    let triangles = primitive.indices.chunks_exact(3);
    let vertices: Vec<Blend> = { triangles.clone() }
        .flat_map(|corners| points(corners[0], corners[1], corners[2]))
        .collect();
    let a_triangle = pattern();
    let n_points = (PARTS + 1) * (PARTS + 2) / 2;
    let indices = (0..triangles.len() as u32)
        .flat_map(|nth| { a_triangle.iter() }.map(move |&point| nth * n_points + point));
    Primitive {
        topology: primitive.topology,
        indices: indices.collect(),
        positions: blended(&primitive.positions, &vertices),
        normals: { blended(&primitive.normals, &vertices).into_iter() }
            .map(|normal| normal.normalize_or_zero())
            .collect(),
        tangents: { blended(&primitive.tangents, &vertices).into_iter() }
            .map(|tangent| {
                let sign = 1.0_f32.copysign(tangent.w);
                tangent.truncate().normalize_or_zero().extend(sign)
            })
            .collect(),
        tex_coords: { primitive.tex_coords.iter() }
            .map(|set| blended(set, &vertices))
            .collect(),
        colors: blended(&primitive.colors, &vertices),
        material: primitive.material,
        ..Primitive::default()
    }
}

/// Points of the triangle in rows from its first corner to the edge between the others, each row from the second to the third.
fn points(first: u32, second: u32, third: u32) -> impl Iterator<Item = Blend> {
    (0..=PARTS).flat_map(move |row| {
        (0..=row).map(move |column| {
            let share = |parts: u32| parts as f32 / PARTS as f32;
            [
                (first, share(PARTS - row)),
                (second, share(row - column)),
                (third, share(column)),
            ]
        })
    })
}

/// Corners of the small triangles, wound as the large one.
fn pattern() -> Vec<u32> {
    let point = |row: u32, column: u32| row * (row + 1) / 2 + column;
    let mut corners = Vec::new();
    for row in 0..PARTS {
        for column in 0..=row {
            corners.extend([
                point(row, column),
                point(row + 1, column),
                point(row + 1, column + 1),
            ]);
            if column < row {
                corners.extend([
                    point(row, column),
                    point(row + 1, column + 1),
                    point(row, column + 1),
                ]);
            }
        }
    }
    corners
}

/// The values of a stream at all `vertices`; an empty stream stays empty.
fn blended<T>(values: &[T], vertices: &[Blend]) -> Vec<T>
where
    T: Copy + Mul<f32, Output = T> + Add<Output = T>,
{
    if values.is_empty() {
        return Vec::new();
    }
    let of = |(vertex, share): (u32, f32)| values[vertex as usize] * share;
    { vertices.iter() }
        .map(|&[first, second, third]| of(first) + of(second) + of(third))
        .collect()
}
