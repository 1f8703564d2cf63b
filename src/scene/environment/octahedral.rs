//! The octahedral map: directions to a square of texels with a border, and back.
//!
//! Cigolle et al., "A Survey of Efficient Representations for Independent Unit Vectors", JCGT 2014, turned so that +Y is
//! the centre. The square's edges are glued to themselves: leaving at one point of an edge enters at its mirror image.

use glam::{Vec2, Vec3, Vec3A};
use rayon::prelude::*;

/// Octahedral projection of `direction` (any length but zero) onto the map, both coordinates -1..1.
#[inline]
pub(super) fn square_from_direction(direction: Vec3A) -> Vec2 {
    let d = direction / direction.abs().element_sum().max(f32::MIN_POSITIVE);
    if d.y >= 0.0 {
        Vec2::new(d.x, d.z)
    } else {
        Vec2::new(
            (1.0 - d.z.abs()).copysign(d.x),
            (1.0 - d.x.abs()).copysign(d.z),
        )
    }
}

/// The point of the octahedron (sum of absolute values 1, not normalised) at `square`.
#[inline]
pub(super) fn octahedron_from_square(square: Vec2) -> Vec3 {
    let y = 1.0 - square.x.abs() - square.y.abs();
    if y >= 0.0 {
        Vec3::new(square.x, y, square.y)
    } else {
        Vec3::new(
            (1.0 - square.y.abs()).copysign(square.x),
            y,
            (1.0 - square.x.abs()).copysign(square.y),
        )
    }
}

/// A position in texels of a map of edge `size`, half-integers at texel centres, for a point of the square.
#[inline]
pub(super) fn texels_from_square(square: Vec2, size: usize) -> Vec2 {
    (square * 0.5 + 0.5) * (size - 2) as f32 + 1.0
}

/// The inverse of [`texels_from_square`].
#[inline]
pub(super) fn square_from_texels(texels: Vec2, size: usize) -> Vec2 {
    (texels - 1.0) / (size - 2) as f32 * 2.0 - 1.0
}

/// Solid angle of a unit of the square's area around `square`: 1 / |octahedron point|^3.
pub(super) fn solid_angle_density(square: Vec2) -> f32 {
    octahedron_from_square(square).length().powi(3).recip()
}

/// Radiance over the octahedral map, border included, in `f32`.
#[derive(Debug, Clone)]
pub(super) struct RadianceMap {
    /// Edge in texels, border included.
    pub(super) size: usize,
    /// `size * size` texels, row by row.
    pub(super) texels: Vec<Vec3A>,
}

impl RadianceMap {
    /// The map whose inner texels are `radiance` of their centre, a point of the square.
    pub(super) fn from_fn(size: usize, radiance: impl Fn(Vec2) -> Vec3A + Sync) -> Self {
        let mut texels = vec![Vec3A::ZERO; size * size];
        texels
            .par_chunks_mut(size)
            .enumerate()
            .skip(1)
            .take(size - 2)
            .for_each(|(y, row)| {
                for (x, texel) in row.iter_mut().enumerate().take(size - 1).skip(1) {
                    let centre = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                    *texel = radiance(square_from_texels(centre, size));
                }
            });
        let mut map = Self { size, texels };
        map.fill_border();
        map
    }

    /// Repeats in the border what lies across the edges.
    fn fill_border(&mut self) {
        let last = self.size - 1;
        let at = |x, y| y * self.size + x;
        for i in 1..last {
            let across = last - i;
            self.texels[at(0, i)] = self.texels[at(1, across)];
            self.texels[at(last, i)] = self.texels[at(last - 1, across)];
            self.texels[at(i, 0)] = self.texels[at(across, 1)];
            self.texels[at(i, last)] = self.texels[at(across, last - 1)];
        }
        for (x, y) in [(0, 0), (0, last), (last, 0), (last, last)] {
            let across = |v| if v == 0 { last - 1 } else { 1 };
            self.texels[at(x, y)] = self.texels[at(across(x), across(y))];
        }
    }

    /// Bilinear radiance at a point of the square.
    #[inline]
    pub(super) fn sample(&self, square: Vec2) -> Vec3A {
        let (corner, [x, y]) = bilinear(square, self.size);
        let row = |at: usize| self.texels[at].lerp(self.texels[at + 1], x);
        row(corner).lerp(row(corner + self.size), y)
    }
}

/// The point of the square at a node of a grid of edge `size` without border, whose outermost nodes lie on the square's
/// edges. If `size` is odd the folds along the axes pass through nodes, which bilinear sampling then keeps.
#[inline]
pub(super) fn square_from_node(x: usize, y: usize, size: usize) -> Vec2 {
    Vec2::new(x as f32, y as f32) * (2.0 / (size - 1) as f32) - 1.0
}

/// Index and weights as of [`bilinear`], for the nodes of a grid.
#[inline]
pub(super) fn bilinear_of_nodes(square: Vec2, size: usize) -> (usize, [f32; 2]) {
    around((square * 0.5 + 0.5) * (size - 1) as f32, size)
}

/// Index of the upper left of the four texels around a point of the square, and the weights of the right and lower ones.
#[inline]
pub(super) fn bilinear(square: Vec2, size: usize) -> (usize, [f32; 2]) {
    around(texels_from_square(square, size) - 0.5, size)
}

/// Index and weights as of [`bilinear`], for a position where whole numbers are samples.
#[inline]
fn around(texels: Vec2, size: usize) -> (usize, [f32; 2]) {
    // A NaN becomes texel 0; `min` keeps rounding at the far edge inside.
    let last = size as i32 - 2;
    let (x, y) = ((texels.x as i32).min(last), (texels.y as i32).min(last));
    let corner = y as usize * size + x as usize;
    (corner, [texels.x - x as f32, texels.y - y as f32])
}
