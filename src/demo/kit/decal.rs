//! Sprites whose edges lie anywhere in the world: shadows on the ground, sheets of haze, sparks that turn.
//! [`super::billboard`] has those that only face the eye.

use glam::{Vec3, Vec4};

use super::atlas::Sprite;
use azulejo_scene::{Primitive, View};

/// A sprite in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Decal {
    /// Sprite that is drawn here.
    pub(crate) sprite: Sprite,
    /// Middle of the decal in world space, metres.
    pub(crate) at: Vec3,
    /// Vector from its left to its right edge.
    pub(crate) right: Vec3,
    /// Vector from its upper to its lower edge.
    pub(crate) down: Vec3,
    /// Linear RGBA that multiplies its colours.
    pub(crate) tint: Vec4,
}

impl Decal {
    /// A square of `size` metres that faces the eye of `view`, turned by whole `turns`.
    #[must_use]
    pub(crate) fn facing(view: &View, sprite: Sprite, at: Vec3, size: f32, turns: f32) -> Self {
        let (right, up) = (
            view.view_from_world.row(0).truncate(),
            view.view_from_world.row(1).truncate(),
        );
        let (sin, cos) = (turns * std::f32::consts::TAU).sin_cos();
        Self {
            sprite,
            at,
            right: (right * cos - up * sin) * size,
            down: (-up * cos - right * sin) * size,
            tint: Vec4::ONE,
        }
    }

    /// A rectangle that lies on the ground, `wide` along x and `long` along z.
    #[must_use]
    pub(crate) fn laid(sprite: Sprite, at: Vec3, (wide, long): (f32, f32)) -> Self {
        Self {
            sprite,
            at,
            right: Vec3::X * wide,
            down: Vec3::Z * long,
            tint: Vec4::ONE,
        }
    }

    /// Tinted with linear RGBA.
    #[must_use]
    pub(crate) const fn tinted(mut self, tint: Vec4) -> Self {
        self.tint = tint;
        self
    }

    /// Multiplies its opacity by `alpha`, clamped to 0..1.
    #[must_use]
    pub(crate) fn faded(mut self, alpha: f32) -> Self {
        self.tint.w *= alpha.clamp(0.0, 1.0);
        self
    }
}

/// The geometry of `decals` in their order; invisible ones are left out.
#[must_use]
pub(crate) fn primitive(decals: &[Decal]) -> Primitive {
    let mut mesh = Primitive {
        tex_coords: vec![Vec::new()],
        ..Primitive::default()
    };
    for decal in decals.iter().filter(|decal| decal.tint.w > 0.0) {
        let first = mesh.positions.len() as u32;
        mesh.indices.extend([0, 2, 1, 1, 2, 3].map(|k| first + k));
        let Sprite { uv_min, uv_max, .. } = decal.sprite;
        for (x, y) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            let corner = decal.at + decal.right * (x - 0.5) + decal.down * (y - 0.5);
            mesh.positions.push(corner);
            mesh.tex_coords[0].push(uv_min + (uv_max - uv_min) * glam::Vec2::new(x, y));
            mesh.colors.push(decal.tint);
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decals_that_are_invisible_cost_nothing() {
        let decal = Decal::laid(Sprite::WHOLE, Vec3::ZERO, (2.0, 4.0));
        let mesh = primitive(&[decal, decal.faded(0.0)]);
        assert_eq!(mesh.positions.len(), 4, "one of two");
        assert_eq!(mesh.positions[0], Vec3::new(-1.0, 0.0, -2.0), "upper left");
    }
}
