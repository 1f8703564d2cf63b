//! A batch of sprites: quads in the order in which they cover each other, one draw with one texture.

use glam::{Vec2, Vec4};

use super::atlas::Sprite;
use azulejo_scene::{Primitive, Topology};

/// Geometry of one frame's sprites.
#[derive(Debug, Clone, Default)]
pub(crate) struct Batch {
    primitive: Primitive,
}

/// A sprite in its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Placed {
    /// Sprite that is drawn here.
    pub(crate) sprite: Sprite,
    /// Middle of the sprite, in units of the layer.
    pub(crate) at: Vec2,
    /// Width and height of the sprite; negative values mirror it.
    pub(crate) size: Vec2,
    /// Whole turns, from +x towards +y.
    pub(crate) turns: f32,
    /// Linear RGBA that multiplies its colours.
    pub(crate) tint: Vec4,
}

impl Placed {
    /// `sprite`, upright, `height` high and as wide as its picture asks, its middle at `at`.
    #[must_use]
    pub(crate) fn new(sprite: Sprite, at: Vec2, height: f32) -> Self {
        Self {
            sprite,
            at,
            size: Vec2::new(height * sprite.shape(), height),
            turns: 0.0,
            tint: Vec4::ONE,
        }
    }

    /// Stretches the sprite to `size`, in units of the layer.
    #[must_use]
    pub(crate) const fn sized(mut self, size: Vec2) -> Self {
        self.size = size;
        self
    }

    /// Turned by whole turns from +x towards +y.
    #[must_use]
    pub(crate) const fn turned(mut self, turns: f32) -> Self {
        self.turns = turns;
        self
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

    /// Moved so that `at` is the middle of its lower edge.
    #[must_use]
    pub(crate) fn standing(mut self) -> Self {
        self.at.y -= self.size.y * 0.5;
        self
    }
}

impl Batch {
    /// Adds a sprite over those before it; invisible ones are left out, as an engine would.
    pub(crate) fn add(&mut self, placed: Placed) {
        let Placed {
            sprite,
            at,
            size,
            turns,
            tint,
        } = placed;
        if tint.w <= 0.0 || size == Vec2::ZERO {
            return;
        }
        let axis = Vec2::from_angle(turns * std::f32::consts::TAU);
        let corner = |x: f32, y: f32| at + axis.rotate(size * Vec2::new(x, y));
        let corners = [
            corner(-0.5, -0.5),
            corner(0.5, -0.5),
            corner(0.5, 0.5),
            corner(-0.5, 0.5),
        ];
        self.quad(corners, sprite, [tint; 4]);
    }

    /// Adds a sprite stretched over four corners: upper left, upper right, lower right, lower left, each with a tint.
    pub(crate) fn quad(&mut self, corners: [Vec2; 4], sprite: Sprite, tints: [Vec4; 4]) {
        let Primitive {
            indices,
            positions,
            tex_coords,
            colors,
            ..
        } = &mut self.primitive;
        let first = positions.len() as u32;
        indices.extend([0, 1, 2, 0, 2, 3].map(|k| first + k));
        positions.extend(corners.map(|corner| corner.extend(0.0)));
        colors.extend(tints);
        let Sprite { uv_min, uv_max, .. } = sprite;
        if tex_coords.is_empty() {
            tex_coords.push(Vec::new());
        }
        tex_coords[0].extend([
            uv_min,
            Vec2::new(uv_max.x, uv_min.y),
            uv_max,
            Vec2::new(uv_min.x, uv_max.y),
        ]);
    }

    /// A frame or panel of any size: corners of `border` units keep their shape, edges and middle are stretched. The
    /// sprite's own corners are `share` of its height.
    pub(crate) fn nine(&mut self, placed: Placed, border: f32, share: f32) {
        let half = placed.size * 0.5;
        let narrow = share * placed.sprite.texels.y / placed.sprite.texels.x;
        let across = [-half.x, border - half.x, half.x - border, half.x];
        let down = [-half.y, border - half.y, half.y - border, half.y];
        let (u, v) = (
            [0.0, narrow, 1.0 - narrow, 1.0],
            [0.0, share, 1.0 - share, 1.0],
        );
        for y in 0..3 {
            for x in 0..3 {
                let (from, to) = (
                    Vec2::new(across[x], down[y]),
                    Vec2::new(across[x + 1], down[y + 1]),
                );
                let sprite =
                    (placed.sprite).part(Vec2::new(u[x], v[y]), Vec2::new(u[x + 1], v[y + 1]));
                self.add(Placed {
                    sprite,
                    at: placed.at + (from + to) * 0.5,
                    size: to - from,
                    ..placed
                });
            }
        }
    }

    /// The geometry: unlit quads at z = 0.
    #[must_use]
    pub(crate) fn into_primitive(self) -> Primitive {
        Primitive {
            topology: Topology::Triangles,
            ..self.primitive
        }
    }
}
