//! One property of a game's content that is changed, for what the sixteen games do not span: in comes what a game draws,
//! out goes the same scene with surfaces that are [lit](lit), all or [half of them](mixed), or meshes that are
//! [fine](fine).
//!
//! Sprites of one texture make short programs and next to no geometry; games of the papers' suites have both kinds. A
//! setting isolates the property: texels, layers, camera and motion stay those of the game.

mod fine;
mod lit;
mod mixed;

use azulejo_scene::{FrameState, Scene};

/// Change to a game's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Setting {
    /// The content as the game made it.
    #[default]
    AsIs,
    /// Every surface is lit by four lamps: long programs, so that frames wait for arithmetic more than for memory.
    Lit,
    /// Surfaces of every second texture are lit, all others are not: short and long programs in one frame, so that some
    /// tiles wait for memory and some for arithmetic.
    Mixed,
    /// Every triangle is sixteen: geometry and Parameter Buffer weigh more, pixels stay the same.
    Fine,
}

impl Setting {
    /// The settings that change something.
    pub const ALL: [Self; 3] = [Self::Lit, Self::Mixed, Self::Fine];

    /// Suffix of the demo's name, after the game's name and a hyphen.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AsIs => "",
            Self::Lit => "lit",
            Self::Mixed => "mixed",
            Self::Fine => "fine",
        }
    }

    /// Description of the change, in a line.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::AsIs => "as it is",
            Self::Lit => {
                "every surface lit by four lamps: programs are long, frames wait for arithmetic"
            }
            Self::Mixed => {
                "surfaces of every second texture lit, the others not: tiles wait for different things"
            }
            Self::Fine => {
                "every triangle cut into sixteen: geometry and the Parameter Buffer weigh more"
            }
        }
    }

    /// Changes what all frames share.
    pub(super) fn change_scene(self, scene: &mut Scene) {
        match self {
            Self::AsIs => {}
            Self::Lit => lit::scene(scene),
            Self::Mixed => mixed::scene(scene),
            Self::Fine => scene.meshes.iter_mut().for_each(fine::cut),
        }
    }

    /// Changes what a frame brings.
    pub(super) fn change_frame(self, state: &mut FrameState) {
        match self {
            Self::AsIs => {}
            Self::Lit => lit::frame(state),
            Self::Mixed => mixed::frame(state),
            Self::Fine => state.meshes.iter_mut().for_each(fine::cut),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use glam::{Vec2, Vec3};

    use super::*;
    use azulejo_scene::{Mesh, Primitive};

    /// A triangle without normals.
    fn triangle(positions: [Vec3; 3]) -> Mesh {
        Mesh {
            primitives: vec![Primitive {
                indices: vec![0, 1, 2],
                positions: positions.to_vec(),
                tex_coords: vec![vec![Vec2::ZERO, Vec2::X, Vec2::Y]],
                ..Primitive::default()
            }]
            .into(),
            ..Mesh::default()
        }
    }

    #[test]
    fn fine_neighbours_cut_their_common_edge_at_the_same_points() {
        let ends = [Vec3::new(0.1, 0.7, -0.3), Vec3::new(1.9, 0.2, 0.9)];
        let points = |positions: [Vec3; 3]| {
            let mut mesh = triangle(positions);
            fine::cut(&mut mesh);
            let points = mesh.primitives[0].positions.clone();
            let bits = |point: Vec3| point.to_array().map(f32::to_bits);
            points.into_iter().map(bits).collect::<BTreeSet<_>>()
        };
        let one = points([ends[0], ends[1], Vec3::new(0.3, 3.3, 0.1)]);
        for other in [
            [ends[1], ends[0], Vec3::new(0.7, -2.1, 0.4)],
            [Vec3::new(0.7, -2.1, 0.4), ends[1], ends[0]],
            [ends[0], Vec3::new(0.7, -2.1, 0.4), ends[1]],
        ] {
            let other = points(other);
            assert_eq!(
                one.intersection(&other).count(),
                5,
                "two ends and three points between"
            );
        }
    }

    #[test]
    fn lit_normals_stand_on_the_face() {
        let mut scene = Scene {
            meshes: vec![triangle([Vec3::ZERO, Vec3::X, Vec3::Y])],
            ..Scene::default()
        };
        Setting::Lit.change_scene(&mut scene);
        let normals = &scene.meshes[0].primitives[0].normals;
        assert_eq!(normals, &[Vec3::Z; 3], "counter-clockwise seen from +z");
    }
}
