//! Solids with a look of their own: geometry whose texture is a sprite of an atlas and whose vertices carry a tint, so that
//! all that stands in a street is one draw with one texture.

use glam::{Vec2, Vec3};

use super::atlas::Sprite;
use super::stage::{baked, on_first_set};
use azulejo_scene::{AlphaMode, Material, Primitive, Shading, TextureId};

/// The material of solids that the frame's lights shine on; vertex colours and texture multiply.
#[must_use]
pub(crate) fn lit(name: &str, texture: TextureId, roughness: f32) -> Material {
    Material {
        name: name.to_owned(),
        shading: Shading::MetallicRoughness,
        base_color_texture: Some(on_first_set(texture)),
        metallic: 0.0,
        roughness,
        ..Material::default()
    }
}

/// The material of leaves, grass and wire: seen from both sides, transparent where the texture is.
#[must_use]
pub(crate) fn cut_out(name: &str, texture: TextureId) -> Material {
    Material {
        alpha_mode: AlphaMode::Mask { cutoff: 0.5 },
        double_sided: true,
        ..baked(name, texture)
    }
}

/// `primitive` with `sprite` stretched over the range of its texture coordinates, every vertex tinted with linear RGB.
#[must_use]
pub(crate) fn painted(mut primitive: Primitive, sprite: Sprite, tint: Vec3) -> Primitive {
    let uvs = &mut primitive.tex_coords[0];
    let low = uvs.iter().copied().fold(Vec2::MAX, Vec2::min);
    let high = uvs.iter().copied().fold(Vec2::MIN, Vec2::max);
    let size = (high - low).max(Vec2::splat(1e-6));
    for uv in uvs.iter_mut() {
        *uv = sprite.uv_min + (*uv - low) / size * (sprite.uv_max - sprite.uv_min);
    }
    tinted(primitive, |_, _| tint)
}

/// `primitive` with vertex colours of linear RGB by position and normal.
#[must_use]
pub(crate) fn tinted(mut primitive: Primitive, tint: impl Fn(Vec3, Vec3) -> Vec3) -> Primitive {
    let vertices = primitive.positions.iter().zip(&primitive.normals);
    primitive.colors = vertices.map(|(&p, &n)| tint(p, n).extend(1.0)).collect();
    primitive.tangents.clear();
    primitive
}

/// `primitive`, which has vertex colours, darkened or lit by linear RGB factors of position and normal.
#[must_use]
pub(crate) fn toned(mut primitive: Primitive, tone: impl Fn(Vec3, Vec3) -> Vec3) -> Primitive {
    let vertices = primitive.positions.iter().zip(&primitive.normals);
    for (color, (&p, &n)) in primitive.colors.iter_mut().zip(vertices) {
        *color *= tone(p, n).extend(1.0);
    }
    primitive
}

/// A rectangle from its upper left corner along two edges (right and down as seen from its front) under a sprite.
#[must_use]
pub(crate) fn panel(
    corner: Vec3,
    [right, down]: [Vec3; 2],
    sprite: Sprite,
    tint: Vec3,
) -> Primitive {
    let corners = [corner, corner + right, corner + down, corner + right + down];
    quad(corners, sprite, tint)
}

/// A flat piece between upper left, upper right, lower left and lower right corner, as seen from its front, under a sprite.
#[must_use]
pub(crate) fn quad(corners: [Vec3; 4], sprite: Sprite, tint: Vec3) -> Primitive {
    let Sprite { uv_min, uv_max, .. } = sprite;
    let [upper_left, upper_right, lower_left, lower_right] = corners;
    let normal = (lower_right - upper_left).cross(upper_right - lower_left);
    Primitive {
        indices: vec![0, 2, 1, 1, 2, 3],
        positions: corners.to_vec(),
        normals: vec![normal.normalize_or(Vec3::Y); 4],
        tex_coords: vec![vec![
            uv_min,
            Vec2::new(uv_max.x, uv_min.y),
            Vec2::new(uv_min.x, uv_max.y),
            uv_max,
        ]],
        colors: vec![tint.extend(1.0); 4],
        ..Primitive::default()
    }
}

/// Sprites of an upright box: what is seen from +z and -z, from +x and -x, from above. It has no underside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Faces {
    /// Sprite of the faces towards +z and -z.
    pub(crate) front: Sprite,
    /// Sprite of the faces towards +x and -x.
    pub(crate) side: Sprite,
    /// Sprite of the face towards +y.
    pub(crate) top: Sprite,
}

impl Faces {
    /// One sprite on all faces.
    #[must_use]
    pub(crate) const fn all(sprite: Sprite) -> Self {
        Self {
            front: sprite,
            side: sprite,
            top: sprite,
        }
    }
}

/// An upright box between two corners.
#[must_use]
pub(crate) fn crate_box(low: Vec3, high: Vec3, faces: Faces, tint: Vec3) -> Vec<Primitive> {
    let size = high - low;
    let (x, y, z) = (Vec3::X * size.x, Vec3::Y * size.y, Vec3::Z * size.z);
    vec![
        panel(low + y + z, [x, -y], faces.front, tint),
        panel(high, [-z, -y], faces.side, tint),
        panel(high - z, [-x, -y], faces.front, tint),
        panel(low + y, [z, -y], faces.side, tint),
        panel(low + y, [x, z], faces.top, tint),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn box_faces_look_outwards() {
        let low = Vec3::new(-1.0, 0.0, -2.0);
        let high = Vec3::new(1.0, 3.0, 2.0);
        let middle = (low + high) * 0.5;
        for face in crate_box(low, high, Faces::all(Sprite::WHOLE), Vec3::ONE) {
            let corners = &face.positions;
            let center = (corners[0] + corners[3]) * 0.5;
            assert!((center - middle).dot(face.normals[0]) > 0.0, "{center}");
            for triangle in face.indices.as_chunks::<3>().0 {
                let [a, b, c] = triangle.map(|i| corners[i as usize]);
                let winding = (b - a).cross(c - a).dot(face.normals[0]);
                assert!(winding > 0.0, "counter-clockwise from outside");
            }
        }
    }

    #[test]
    fn painted_fills_the_sprite() {
        let sprite = Sprite {
            uv_min: Vec2::new(0.25, 0.5),
            uv_max: Vec2::new(0.5, 0.75),
            texels: Vec2::ONE,
        };
        let flat = panel(Vec3::ZERO, [Vec3::X, Vec3::NEG_Y], Sprite::WHOLE, Vec3::ONE);
        let uvs = &painted(flat, sprite, Vec3::ONE).tex_coords[0];
        assert_eq!(uvs[0], sprite.uv_min, "upper left");
        assert_eq!(uvs[3], sprite.uv_max, "lower right");
    }
}
