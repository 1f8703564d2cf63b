//! Draws that stand where none of the frame before has stood. When the camera moves these are nearly all, and every tile
//! that one of them reaches has changed: neither they nor such tiles need signatures.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;

use crate::Draw;
use crate::geometry::Placement;

/// So many frames in a row must have moved before signatures are left out. A game that shows each of its frames twice, or
/// whose camera jumps now and then, is signed.
const FRAMES_IN_A_ROW: u32 = 2;

/// Placements of the draws of the frame before.
#[derive(Debug, Clone, Default)]
pub(super) struct Motion {
    /// Digests of where they stood on the screen, in rising order.
    placements: Vec<u64>,
    /// Number of frames in a row in which most draws have moved.
    frames: u32,
}

impl Motion {
    /// Takes the draws of the next frame. While the camera is moving, the answer says of each draw whether it has moved;
    /// otherwise it is empty.
    pub(super) fn next<P>(&mut self, draws: &[Draw<'_, P>]) -> Vec<bool> {
        let mut placements: Vec<u64> = draws.iter().map(placement).collect();
        let has_moved = |placement| self.placements.binary_search(placement).is_err();
        let moved: Vec<bool> = placements.iter().map(has_moved).collect();
        let n_moved = moved.iter().filter(|moved| **moved).count();
        let is_moving = self.frames >= FRAMES_IN_A_ROW;
        placements.sort_unstable();
        self.placements = placements;
        if 2 * n_moved <= draws.len() {
            self.frames = 0;
            return Vec::new();
        }
        self.frames = self.frames.saturating_add(1);
        if is_moving { moved } else { Vec::new() }
    }
}

/// A digest of what brings a draw's vertices to the screen. It is part of what tiles are signed with, so tiles of draws
/// that differ here differ.
fn placement<P>(draw: &Draw<'_, P>) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    hasher.write(bytemuck::bytes_of(&draw.clip_from_world));
    match &draw.placement {
        Placement::Rigid(world_from_local) => hasher.write(bytemuck::bytes_of(world_from_local)),
        Placement::Skinned { joints, .. } => hasher.write(bytemuck::cast_slice(joints)),
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use glam::{Mat4, Vec3};

    use super::*;
    use azulejo_scene::Primitive;

    const NOT_TOLD: [bool; 0] = [];

    /// Answer of [`Motion::next`] for draws at these places along x.
    fn next(motion: &mut Motion, places: &[f32]) -> Vec<bool> {
        let primitive = Primitive::default();
        let draw = |&x: &f32| Draw {
            placement: Placement::Rigid(Mat4::from_translation(Vec3::X * x)),
            ..Draw::new(&primitive, ())
        };
        motion.next(&places.iter().map(draw).collect::<Vec<_>>())
    }

    #[test]
    fn motion_is_told_from_the_third_frame_in_a_row_on() {
        let mut motion = Motion::default();
        assert_eq!(
            next(&mut motion, &[1.0, 2.0, 0.0]),
            NOT_TOLD,
            "the first frame"
        );
        assert_eq!(next(&mut motion, &[3.0, 4.0, 0.0]), NOT_TOLD, "the second");
        let moved = [true, true, false];
        assert_eq!(next(&mut motion, &[5.0, 6.0, 0.0]), moved, "the third");
        assert_eq!(next(&mut motion, &[7.0, 8.0, 0.0]), moved, "the fourth");
        assert_eq!(next(&mut motion, &[7.0, 8.0, 0.0]), NOT_TOLD, "it stands");
        assert_eq!(next(&mut motion, &[1.0, 2.0, 0.0]), NOT_TOLD, "and jumps");
    }

    #[test]
    fn motion_of_few_draws_is_not_told() {
        let mut motion = Motion::default();
        for x in 1..10 {
            assert_eq!(
                next(&mut motion, &[x as f32, 0.0]),
                NOT_TOLD,
                "half of them"
            );
        }
    }

    #[test]
    fn motion_to_where_another_stood_is_none() {
        let mut motion = Motion::default();
        for x in 0..9 {
            let [a, b, c] = [0, 1, 2].map(|nth| (10 * x + nth) as f32);
            next(&mut motion, &[a, b, c]);
        }
        let moved = next(&mut motion, &[100.0, 80.0, 101.0]);
        assert_eq!(
            moved,
            [true, false, true],
            "the second stands for the first"
        );
    }

    #[test]
    fn motion_of_the_camera_is_motion() {
        let primitive = Primitive::default();
        let mut motion = Motion::default();
        let mut at = |x: f32| {
            let draw = Draw {
                clip_from_world: Mat4::from_translation(Vec3::X * x),
                ..Draw::new(&primitive, ())
            };
            motion.next(&[draw])
        };
        for x in 0..2 {
            at(x as f32);
        }
        assert_eq!(at(2.0), [true]);
    }
}
