//! Sprites that stand in a space with depth and face the eye: halos, sparks, smoke, spectators.

use glam::{Vec2, Vec3, Vec4};

use super::atlas::Sprite;
use super::sprites::Batch;
use azulejo_scene::{Primitive, View};

/// A sprite in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spot {
    /// Sprite that is drawn here.
    pub(crate) sprite: Sprite,
    /// Middle of the sprite, world space.
    pub(crate) at: Vec3,
    /// Metres across and up; negative values mirror it.
    pub(crate) size: Vec2,
    /// Linear RGBA that multiplies its colours.
    pub(crate) tint: Vec4,
}

impl Spot {
    /// `sprite` in a square of `size` metres around `at`.
    #[must_use]
    pub(crate) const fn new(sprite: Sprite, at: Vec3, size: f32, tint: Vec4) -> Self {
        Self {
            sprite,
            at,
            size: Vec2::splat(size),
            tint,
        }
    }
}

/// Which way billboards turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Facing {
    /// Unit vector in the world that their pictures' x follows.
    pub(crate) right: Vec3,
    /// Unit vector in the world that their pictures' upper edge lies in.
    pub(crate) up: Vec3,
}

impl Facing {
    /// Square to the direction in which `view` looks.
    #[must_use]
    pub(crate) fn view(view: &View) -> Self {
        let axes = view.view_from_world.transpose();
        Self {
            right: axes.x_axis.truncate(),
            up: axes.y_axis.truncate(),
        }
    }

    /// Turned towards the eye about the world's vertical axis alone: what stands on its feet.
    #[must_use]
    pub(crate) fn upright(view: &View) -> Self {
        Self {
            up: Vec3::Y,
            ..Self::view(view)
        }
    }

    /// The spots as one stream in the order given; invisible ones are left out.
    #[must_use]
    pub(crate) fn stream(&self, spots: &[Spot]) -> Primitive {
        let mut batch = Batch::default();
        let seen = || {
            let visible = |spot: &&Spot| spot.size != Vec2::ZERO && spot.tint.w > 0.0;
            spots.iter().filter(visible)
        };
        for spot in seen() {
            let half = spot.size * 0.5;
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            let corners = corners.map(|corner| Vec2::from(corner) * half);
            batch.quad(corners, spot.sprite, [spot.tint; 4]);
        }
        let mut primitive = batch.into_primitive();
        for (corners, spot) in primitive.positions.chunks_exact_mut(4).zip(seen()) {
            for corner in corners {
                *corner = spot.at + self.right * corner.x - self.up * corner.y;
            }
        }
        primitive
    }
}

/// Orders spots from the farthest to the nearest and drops those nearer than `near` metres before the eye or farther than
/// `far`.
pub(crate) fn sort_by_depth(spots: &mut Vec<Spot>, view: &View, near: f32, far: f32) {
    let depth = |spot: &Spot| -view.view_from_world.transform_point3(spot.at).z;
    spots.retain(|spot| (near..far).contains(&depth(spot)));
    spots.sort_by(|a, b| depth(b).total_cmp(&depth(a)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Screen;
    use crate::kit::frame::look_at;

    const SCREEN: Screen = Screen {
        width: 100,
        height: 100,
    };

    #[test]
    fn billboard_faces_the_eye() {
        let view = look_at(SCREEN, Vec3::new(5.0, 0.0, 0.0), Vec3::ZERO, 1.0);
        let spot = Spot::new(Sprite::WHOLE, Vec3::ZERO, 2.0, Vec4::ONE);
        let corners = Facing::view(&view).stream(&[spot]).positions;
        // Seen from +x, right is -z: the upper left corner lies at +y, +z.
        assert!(
            corners[0].distance(Vec3::new(0.0, 1.0, 1.0)) < 1e-5,
            "upper left: {}",
            corners[0]
        );
    }

    #[test]
    fn billboards_are_sorted_from_far_to_near() {
        let view = look_at(SCREEN, Vec3::new(0.0, 0.0, 9.0), Vec3::ZERO, 1.0);
        let at = |z: f32| Spot::new(Sprite::WHOLE, Vec3::Z * z, 1.0, Vec4::ONE);
        let mut spots = vec![at(3.0), at(10.0), at(-2.0), at(1.0)];
        sort_by_depth(&mut spots, &view, 0.1, 50.0);
        let places: Vec<f32> = spots.iter().map(|spot| spot.at.z).collect();
        assert_eq!(places, [-2.0, 1.0, 3.0], "what lies behind the eye is gone");
    }
}
