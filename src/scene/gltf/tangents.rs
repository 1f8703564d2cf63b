//! Tangents for normal maps and anisotropy: the file's own, else MikkTSpace's (glTF 2.0, 3.7.2.1).
//!
//! MikkTSpace gives one tangent a triangle corner. A vertex whose corners disagree is split, as often as they do; the others
//! stay shared, so that indexed meshes stay indexed.

use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use glam::{Vec2, Vec3, Vec4};

use super::vertices;
use crate::{Anisotropy, Material, Primitive};

/// The TEXCOORD set along which tangents run, where the material needs them: that of a normal map, else of the anisotropy.
fn tangent_set(material: &Material) -> Option<u32> {
    let coat = material.clearcoat.and_then(|coat| coat.normal_texture);
    let map = material.normal_texture.or(coat).map(|map| map.tex_coord);
    let direction = |anisotropy: Anisotropy| anisotropy.texture.map_or(0, |map| map.tex_coord);
    map.or(material.anisotropy.map(direction))
}

/// Makes sure that tangents exist if and only if the material needs them.
pub(super) fn complete(primitive: &mut Primitive, material: &Material) {
    let Some(set) = tangent_set(material) else {
        return clear(primitive);
    };
    if primitive.tangents.is_empty() {
        let set = set as usize;
        let tex_coords = primitive.tex_coords.get(set).filter(|set| !set.is_empty());
        match tex_coords {
            Some(tex_coords) => {
                let base = corner_tangents(primitive, None, tex_coords);
                let moved = morphed_tangents(primitive, set, &base);
                split(primitive, &base, moved);
            }
            None => primitive.tangents = primitive.normals.iter().map(any_tangent).collect(),
        }
    }
    make_valid(primitive);
}

/// Keeps the tangents of points and lines where the material needs them and normals are there; none are made (glTF 2.0, 3.9.7).
pub(super) fn keep(primitive: &mut Primitive, material: &Material) {
    if primitive.normals.is_empty() || tangent_set(material).is_none() {
        return clear(primitive);
    }
    make_valid(primitive);
}

fn clear(primitive: &mut Primitive) {
    primitive.tangents = Vec::new();
    for target in &mut primitive.morph_targets {
        target.tangents = Vec::new();
    }
}

fn make_valid(primitive: &mut Primitive) {
    for (tangent, normal) in primitive.tangents.iter_mut().zip(&primitive.normals) {
        *tangent = valid(*tangent, *normal);
    }
}

/// Unit length and a sign of ±1; what has no direction becomes some tangent.
fn valid(tangent: Vec4, normal: Vec3) -> Vec4 {
    let sign = if tangent.w < 0.0 { -1.0 } else { 1.0 };
    match tangent.truncate().try_normalize() {
        Some(direction) => direction.extend(sign),
        None => any_tangent(&normal),
    }
}

fn any_tangent(normal: &Vec3) -> Vec4 {
    normal.any_orthonormal_vector().extend(1.0)
}

/// A primitive as MikkTSpace sees it.
struct Corners<'a> {
    indices: &'a [u32],
    positions: &'a [Vec3],
    normals: &'a [Vec3],
    tex_coords: &'a [Vec2],
    tangents: Vec<Option<Vec4>>,
}

impl Corners<'_> {
    fn vertex(&self, face: usize, corner: usize) -> usize {
        self.indices[face * 3 + corner] as usize
    }
}

impl Geometry for Corners<'_> {
    fn num_faces(&self) -> usize {
        self.indices.len() / 3
    }

    fn num_vertices_of_face(&self, _face: usize) -> usize {
        3
    }

    fn position(&self, face: usize, vert: usize) -> [f32; 3] {
        self.positions[self.vertex(face, vert)].to_array()
    }

    fn normal(&self, face: usize, vert: usize) -> [f32; 3] {
        self.normals[self.vertex(face, vert)].to_array()
    }

    fn tex_coord(&self, face: usize, vert: usize) -> [f32; 2] {
        self.tex_coords[self.vertex(face, vert)].to_array()
    }

    /// glTF's v points down, MikkTSpace's up: the bitangent's sign turns.
    fn set_tangent(&mut self, tangent_space: Option<TangentSpace>, face: usize, vert: usize) {
        let tangent = tangent_space.map(|space| {
            let [x, y, z, sign] = space.tangent_encoded();
            Vec4::new(x, y, z, -sign)
        });
        self.tangents[face * 3 + vert] = tangent;
    }
}

/// One tangent a corner of the mesh at rest, or of one morph target at weight 1.
fn corner_tangents(
    primitive: &Primitive,
    target: Option<usize>,
    tex_coords: &[Vec2],
) -> Vec<Option<Vec4>> {
    let target = target.map(|target| &primitive.morph_targets[target]);
    let positions = target.map(|target| sum(&primitive.positions, &target.positions));
    let normals =
        target.map(|target| super::normals::unit(sum(&primitive.normals, &target.normals)));
    let mut corners = Corners {
        indices: &primitive.indices,
        positions: positions.as_deref().unwrap_or(&primitive.positions),
        normals: normals.as_deref().unwrap_or(&primitive.normals),
        tex_coords,
        tangents: vec![None; primitive.indices.len()],
    };
    match generate_tangents(&mut corners) {
        Ok(()) => corners.tangents,
        Err(_) => vec![None; primitive.indices.len()],
    }
}

/// Values with shifts added; without shifts, the values.
fn sum<T: Copy + std::ops::Add<Output = T>>(values: &[T], shifts: &[T]) -> Vec<T> {
    let shift = |(index, &value): (usize, &T)| shifts.get(index).map_or(value, |&s| value + s);
    values.iter().enumerate().map(shift).collect()
}

/// How the tangent of each corner turns in each morph target.
fn morphed_tangents(primitive: &Primitive, set: usize, base: &[Option<Vec4>]) -> Vec<Vec<Vec3>> {
    let turned = |(index, target): (usize, &crate::MorphTarget)| {
        let shifts = target.tex_coords.get(set).map_or(&[][..], Vec::as_slice);
        if target.positions.is_empty() && target.normals.is_empty() && shifts.is_empty() {
            return Vec::new();
        }
        let tex_coords = sum(&primitive.tex_coords[set], shifts);
        let tangents = corner_tangents(primitive, Some(index), &tex_coords);
        let pairs = tangents.into_iter().zip(base);
        pairs
            .map(|(moved, base)| match (moved, base) {
                (Some(moved), Some(base)) => moved.truncate() - base.truncate(),
                _ => Vec3::ZERO,
            })
            .collect()
    };
    primitive
        .morph_targets
        .iter()
        .enumerate()
        .map(turned)
        .collect()
}

/// Gives every vertex the tangent of its corners, and as many copies of it as its corners have tangents.
fn split(primitive: &mut Primitive, corners: &[Option<Vec4>], moved: Vec<Vec<Vec3>>) {
    let count = primitive.positions.len();
    let mut tangents: Vec<Option<Vec4>> = vec![None; count];
    // The corner that each vertex got its tangent from, the old vertex, and the next copy of the same vertex.
    let mut first_corner = vec![0_usize; count];
    let mut order: Vec<u32> = (0..count as u32).collect();
    let mut next_copy = vec![u32::MAX; count];
    for (corner, index) in primitive.indices.iter_mut().enumerate() {
        let Some(tangent) = corners[corner] else {
            continue;
        };
        let old = *index;
        loop {
            let at = *index as usize;
            match tangents[at] {
                None => {
                    tangents[at] = Some(tangent);
                    first_corner[at] = corner;
                    break;
                }
                Some(known) if known == tangent => break,
                Some(_) if next_copy[at] == u32::MAX => {
                    next_copy[at] = order.len() as u32;
                    *index = order.len() as u32;
                    order.push(old);
                    next_copy.push(u32::MAX);
                    tangents.push(None);
                    first_corner.push(0);
                }
                Some(_) => *index = next_copy[at],
            }
        }
    }
    if order.len() > count {
        vertices::gather(primitive, &order);
    }
    for (target, moved) in primitive.morph_targets.iter_mut().zip(moved) {
        let pick = |&corner: &usize| moved.get(corner).copied().unwrap_or_default();
        target.tangents = match moved.is_empty() {
            true => Vec::new(),
            false => first_corner.iter().map(pick).collect(),
        };
    }
    let normals = primitive.normals.iter();
    let tangent =
        |(normal, tangent): (&Vec3, Option<Vec4>)| tangent.unwrap_or_else(|| any_tangent(normal));
    primitive.tangents = normals.zip(tangents).map(tangent).collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MorphTarget, TextureId, TextureRef};

    fn normal_mapped() -> Material {
        Material {
            normal_texture: Some(TextureRef {
                texture: TextureId(0),
                tex_coord: 0,
                transform: glam::Mat3::IDENTITY,
            }),
            ..Material::default()
        }
    }

    /// Two triangles in the xy plane that share the edge x = 0, and their texture coordinates by x.
    fn kite(u: fn(f32) -> f32) -> Primitive {
        let corners = [(-1.0, 0.0), (0.0, 0.0), (0.0, 1.0), (1.0, 0.0)];
        Primitive {
            indices: vec![0, 1, 2, 1, 3, 2],
            positions: corners.map(|(x, y)| Vec3::new(x, y, 0.0)).to_vec(),
            normals: vec![Vec3::Z; 4],
            tex_coords: vec![corners.map(|(x, y)| Vec2::new(u(x), 1.0 - y)).to_vec()],
            ..Primitive::default()
        }
    }

    #[test]
    fn tangents_follow_u_with_v_pointing_down() {
        let mut primitive = kite(|x| x);
        complete(&mut primitive, &normal_mapped());
        assert_eq!(
            primitive.tangents,
            [Vec4::new(1.0, 0.0, 0.0, 1.0); 4],
            "along +x, up is +y"
        );
        assert_eq!(primitive.indices, [0, 1, 2, 1, 3, 2], "nothing is split");
    }

    #[test]
    fn tangents_split_vertices_where_the_texture_is_mirrored() {
        let mut primitive = kite(f32::abs);
        complete(&mut primitive, &normal_mapped());
        assert_eq!(
            primitive.indices,
            [0, 1, 2, 4, 3, 5],
            "the shared edge is doubled"
        );
        assert_eq!(
            primitive.positions[4..],
            [Vec3::ZERO, Vec3::Y],
            "copies of the edge"
        );
        assert_eq!(
            primitive.tangents[1],
            Vec4::new(-1.0, 0.0, 0.0, -1.0),
            "mirrored side"
        );
        assert_eq!(
            primitive.tangents[4],
            Vec4::new(1.0, 0.0, 0.0, 1.0),
            "other side"
        );
    }

    #[test]
    fn tangents_turn_with_morph_targets() {
        let mut primitive = kite(|x| x);
        let turned = |p: &Vec3| Vec3::new(-p.y, p.x, 0.0) - p;
        primitive.morph_targets = vec![MorphTarget {
            positions: primitive.positions.iter().map(turned).collect(),
            ..MorphTarget::default()
        }];
        complete(&mut primitive, &normal_mapped());
        let shift = primitive.morph_targets[0].tangents[3];
        assert!(
            (shift - Vec3::new(-1.0, 1.0, 0.0)).length() < 1e-6,
            "from +x to +y: {shift}"
        );
    }

    #[test]
    fn tangents_of_the_file_get_unit_length_and_a_sign() {
        let mut primitive = kite(|x| x);
        let given = [
            Vec4::new(0.0, 3.0, 0.0, -0.5),
            Vec4::ZERO,
            Vec4::NAN,
            Vec4::X,
        ];
        primitive.tangents = given.to_vec();
        complete(&mut primitive, &normal_mapped());
        assert_eq!(
            primitive.tangents[0],
            Vec4::new(0.0, 1.0, 0.0, -1.0),
            "scaled"
        );
        let unit = |tangent: &Vec4| (tangent.truncate().length() - 1.0).abs() < 1e-6;
        assert!(
            primitive.tangents.iter().all(unit),
            "{:?}",
            primitive.tangents
        );
    }

    #[test]
    fn tangents_without_normal_map_are_dropped() {
        let mut primitive = kite(|x| x);
        primitive.tangents = vec![Vec4::X; 4];
        complete(&mut primitive, &Material::default());
        assert!(primitive.tangents.is_empty(), "nobody reads them");
    }
}
