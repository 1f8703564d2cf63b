//! Normals: unit length where the file has them, flat where it has none (glTF 2.0, 3.7.2.1).

use glam::Vec3;

use super::vertices;
use crate::Primitive;

/// Normals at unit length; what has no direction points along +Z.
pub(super) fn unit(mut normals: Vec<Vec3>) -> Vec<Vec3> {
    for normal in &mut normals {
        *normal = normal.normalize_or(Vec3::Z);
    }
    normals
}

/// Gives each triangle vertices and a normal of its own, in every morph target too.
pub(super) fn make_flat(primitive: &mut Primitive) {
    let corners = std::mem::take(&mut primitive.indices);
    primitive.tangents = Vec::new();
    vertices::gather(primitive, &corners);
    primitive.indices = (0..corners.len() as u32).collect();
    let positions = &primitive.positions;
    primitive.normals = flat(positions);
    for target in &mut primitive.morph_targets {
        target.tangents = Vec::new();
        if target.positions.is_empty() {
            target.normals = Vec::new();
            continue;
        }
        let moved = positions.iter().zip(&target.positions);
        let moved: Vec<Vec3> = moved.map(|(position, shift)| position + shift).collect();
        let normals = flat(&moved).into_iter().zip(&primitive.normals);
        target.normals = normals.map(|(normal, base)| normal - base).collect();
    }
}

/// The normal of each triangle of consecutive positions, three times.
fn flat(positions: &[Vec3]) -> Vec<Vec3> {
    let (triangles, _) = positions.as_chunks();
    let normal = |&[a, b, c]: &[Vec3; 3]| [(b - a).cross(c - a).normalize_or(Vec3::Z); 3];
    triangles.iter().flat_map(normal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MorphTarget;

    #[test]
    fn flat_normals_split_shared_vertices() {
        let mut primitive = Primitive {
            indices: vec![0, 1, 2, 0, 2, 3],
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
            ..Primitive::default()
        };
        make_flat(&mut primitive);
        assert_eq!(primitive.indices, [0, 1, 2, 3, 4, 5], "a vertex a corner");
        assert_eq!(primitive.normals[..3], [Vec3::Z; 3], "first face");
        assert_eq!(primitive.normals[3..], [Vec3::X; 3], "second face");
    }

    #[test]
    fn flat_normals_follow_morph_targets() {
        let target = MorphTarget {
            positions: vec![Vec3::ZERO, Vec3::ZERO, Vec3::Z - Vec3::Y],
            ..MorphTarget::default()
        };
        let mut primitive = Primitive {
            indices: vec![0, 1, 2],
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            morph_targets: vec![target],
            ..Primitive::default()
        };
        make_flat(&mut primitive);
        let shift = primitive.morph_targets[0].normals[0];
        assert_eq!(
            primitive.normals[0] + shift,
            Vec3::NEG_Y,
            "normal of the moved triangle"
        );
    }

    #[test]
    fn normals_get_unit_length() {
        let normals = unit(vec![Vec3::X * 3.0, Vec3::ZERO, Vec3::splat(f32::NAN)]);
        assert_eq!(
            normals,
            [Vec3::X, Vec3::Z, Vec3::Z],
            "scaled, none, no number"
        );
    }
}
