//! Cube maps of radiance, as `EXT_lights_image_based` has them, to an [`Environment`].
//!
//! Faces are +X, -X, +Y, -Y, +Z, -Z as seen from inside, +Y up (for ±Y: with +Z and -Z at the lower edge): the faces of
//! OpenGL's cube maps, whose axes are left-handed, mirrored.

use glam::{Quat, Vec3, Vec3A};

use super::Environment;
use super::equirect::{EnvironmentError, octahedron_size};
use super::octahedral::{RadianceMap, octahedron_from_square};
use super::rgb9e5::channel;

/// Largest edge of a face, in texels.
pub const MAX_CUBE_EDGE: u32 = 4096;

/// A cube map in linear radiance.
struct Cube<'a> {
    edge: usize,
    faces: &'a [Vec<Vec3>; 6],
}

impl Environment {
    /// An environment from the six faces of a cube of linear radiance, each `edge` x `edge` texels row by row from the top,
    /// in the order +X, -X, +Y, -Y, +Z, -Z; `world_from_cube` turns it.
    ///
    /// Negative and NaN channels count as 0; very large ones are cut to [`super::RGB9E5_MAX`].
    ///
    /// # Errors
    /// If the edge is 0 or beyond [`MAX_CUBE_EDGE`], or a face has not `edge * edge` texels.
    pub fn from_cube(
        edge: u32,
        faces: &[Vec<Vec3>; 6],
        world_from_cube: Quat,
    ) -> Result<Self, EnvironmentError> {
        if !(1..=MAX_CUBE_EDGE).contains(&edge) {
            let (width, height) = (edge, edge);
            return Err(EnvironmentError::Size { width, height });
        }
        let expected = edge as usize * edge as usize;
        if let Some(face) = faces.iter().find(|face| face.len() != expected) {
            let found = face.len();
            return Err(EnvironmentError::Pixels { found, expected });
        }
        let cube = Cube {
            edge: edge as usize,
            faces,
        };
        let cube_from_world = world_from_cube.inverse();
        // A ring of four faces is as wide as an equirectangular map.
        let size = octahedron_size(4 * edge);
        let offset = 0.5 / (size - 2) as f32;
        Ok(Self::from_radiance(RadianceMap::from_fn(size, |square| {
            let tap = |x: f32, y: f32| {
                let square = square + glam::Vec2::new(x, y) * offset;
                cube.sample(cube_from_world * octahedron_from_square(square))
            };
            (tap(-1.0, -1.0) + tap(1.0, -1.0) + tap(-1.0, 1.0) + tap(1.0, 1.0)) * 0.25
        })))
    }
}

impl Cube<'_> {
    /// Bilinear radiance from a direction of any length but zero; at its edges a face ends.
    fn sample(&self, direction: Vec3) -> Vec3A {
        let (face, [u, v]) = place(direction);
        let texels = |at: f32| (at * self.edge as f32 - 0.5).clamp(0.0, (self.edge - 1) as f32);
        let (x, y) = (texels(u), texels(v));
        let texel = |x: usize, y: usize| {
            let texel = self.faces[face][y.min(self.edge - 1) * self.edge + x.min(self.edge - 1)];
            Vec3A::from_array(texel.to_array().map(channel))
        };
        let (left, top) = (x as usize, y as usize);
        let row = |y: usize| texel(left, y).lerp(texel(left + 1, y), x.fract());
        row(top).lerp(row(top + 1), y.fract())
    }
}

/// The face that a direction meets, and where: from the left and from the top, 0 to 1.
fn place(direction: Vec3) -> (usize, [f32; 2]) {
    let Vec3 { x, y, z } = direction;
    let most = direction.abs();
    let longest = most.max_element().max(f32::MIN_POSITIVE);
    // Right and down on the face, in units of the longest component.
    let (face, right, down) = if most.x >= most.y && most.x >= most.z {
        if x > 0.0 { (0, z, -y) } else { (1, -z, -y) }
    } else if most.y >= most.z {
        if y > 0.0 { (2, -x, z) } else { (3, -x, -z) }
    } else if z > 0.0 {
        (4, -x, -y)
    } else {
        (5, x, -y)
    };
    (face, [right, down].map(|at| (at / longest + 1.0) * 0.5))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six faces of 4x4 texels, each of one colour.
    fn plain(colors: [Vec3; 6]) -> [Vec<Vec3>; 6] {
        colors.map(|color| vec![color; 16])
    }

    const COLORS: [Vec3; 6] = [
        Vec3::X,
        Vec3::Y,
        Vec3::Z,
        Vec3::new(1.0, 1.0, 0.0),
        Vec3::new(0.0, 1.0, 1.0),
        Vec3::new(1.0, 0.0, 1.0),
    ];

    const AXES: [Vec3; 6] = [
        Vec3::X,
        Vec3::NEG_X,
        Vec3::Y,
        Vec3::NEG_Y,
        Vec3::Z,
        Vec3::NEG_Z,
    ];

    #[test]
    fn cube_faces_lie_along_their_axes() {
        let cube = Environment::from_cube(4, &plain(COLORS), Quat::IDENTITY).unwrap();
        for (axis, color) in AXES.into_iter().zip(COLORS) {
            let found = cube.sample(0.0, axis);
            assert!((found - color).length() < 0.02, "{axis}: {found}");
        }
    }

    #[test]
    fn cube_turns_with_its_rotation() {
        let quarter = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
        let cube = Environment::from_cube(4, &plain(COLORS), quarter).unwrap();
        for (axis, color) in AXES.into_iter().zip(COLORS) {
            let found = cube.sample(0.0, quarter * axis);
            assert!((found - color).length() < 0.02, "{axis}: {found}");
        }
    }

    #[test]
    fn cube_faces_are_seen_from_inside() {
        // Looking along each horizontal axis with +Y up, the right is forward x up, and the upper edge is +Y.
        for forward in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
            let right = forward.cross(Vec3::Y);
            let (_, [u, v]) = place(forward + right * 0.5 + Vec3::Y * 0.25);
            assert_eq!([u, v], [0.75, 0.375], "along {forward}");
        }
        // The upper face's lower edge meets the upper edge of +Z: both have the same left and right there.
        let (above, [u, v]) = place(Vec3::new(-0.5, 1.0, 0.99));
        assert_eq!((above, u), (2, 0.75), "+Y from the left");
        assert!(v > 0.99, "its lower edge");
        let (_, [u, _]) = place(Vec3::new(-0.5, 0.99, 1.0));
        assert_eq!(u, 0.75, "+Z from the left");
    }

    #[test]
    fn cube_agrees_with_an_equirectangular_map_of_the_same_light() {
        let light = |d: Vec3| Vec3::new(1.0 + d.x, 1.0 + d.y, 1.0 + d.z) * 0.5;
        let edge = 64;
        let at = |i: usize| (i as f32 + 0.5) / edge as f32 * 2.0 - 1.0;
        let face = |forward: Vec3, right: Vec3, down: Vec3| -> Vec<Vec3> {
            let texel = |i: usize| forward + right * at(i % edge) + down * at(i / edge);
            (0..edge * edge)
                .map(|i| light(texel(i).normalize()))
                .collect()
        };
        let (x, y, z) = (Vec3::X, Vec3::Y, Vec3::Z);
        let faces = [
            face(x, z, -y),
            face(-x, -z, -y),
            face(y, -x, z),
            face(-y, -x, -z),
            face(z, -x, -y),
            face(-z, x, -y),
        ];
        let cube = Environment::from_cube(edge as u32, &faces, Quat::IDENTITY).unwrap();
        for i in 0..200 {
            let height = 1.0 - (i as f32 + 0.5) / 100.0;
            let turn = i as f32 * 2.4;
            let radius = (1.0 - height * height).sqrt();
            let d = Vec3::new(radius * turn.cos(), height, radius * turn.sin());
            let off = (cube.sample(0.0, d) - light(d)).abs().max_element();
            assert!(off < 0.02, "{d}: off by {off}");
        }
    }

    #[test]
    fn cube_of_other_sizes_is_refused() {
        let faces = plain(COLORS);
        assert!(
            Environment::from_cube(5, &faces, Quat::IDENTITY).is_err(),
            "16 texels"
        );
        assert!(
            Environment::from_cube(0, &faces, Quat::IDENTITY).is_err(),
            "no edge"
        );
        let huge = MAX_CUBE_EDGE + 1;
        assert!(
            Environment::from_cube(huge, &faces, Quat::IDENTITY).is_err(),
            "too large"
        );
    }
}
