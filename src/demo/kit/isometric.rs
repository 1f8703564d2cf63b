//! Buildings as isometric games paint them: blocks, roofs and signs in a space of their own, seen from above a corner.
//!
//! Space: x to the lower right, y to the lower left, z up, in units of the canvas (2 units high); one step along x or y
//! goes half as far down as it goes aside. Visible are the sides that face +y (the left one, lit) and +x (the right one, in
//! shade).

use glam::{Vec2, Vec3, vec2, vec3};

use super::paint::Canvas;
use super::shape::{capsule, polygon};
use crate::procedural::smooth_step;

/// Half the outline's width.
const LINE: f32 = 0.012;
/// How bright the left side, the right side and the top are.
const LIGHT: [f32; 3] = [0.98, 0.72, 1.14];

/// Isometric projection of a point of the building's space onto the canvas whose point of origin is `origin`.
#[must_use]
pub(crate) fn project(origin: Vec2, p: Vec3) -> Vec2 {
    origin + vec2((p.x - p.y) * 0.866, (p.x + p.y) * 0.433 - p.z)
}

/// A parallelogram from a corner along two edges, with an outline; `color` sees 0..1 along the edges.
pub(crate) fn face(
    canvas: &mut Canvas,
    [corner, along, up]: [Vec2; 3],
    color: impl Fn(Vec2) -> Vec3 + Sync,
) {
    let corners = [corner, corner + along, corner + along + up, corner + up];
    let area = along.perp_dot(up);
    let shape = move |p: Vec2| polygon(p, &corners);
    canvas.fill(
        move |p| shape(p) - LINE,
        move |p| {
            let q = p - corner;
            let uv = vec2(q.perp_dot(up), along.perp_dot(q)) / area;
            let tone = color(uv.clamp(Vec2::ZERO, Vec2::ONE));
            let line = smooth_step(-1.6 * LINE, -0.2 * LINE, shape(p));
            tone.lerp(tone * tone * 0.25, line).extend(1.0)
        },
    );
}

/// A triangle with an outline; `color` sees how far a point lies along the first edge, and towards the third corner.
pub(crate) fn triangle(
    canvas: &mut Canvas,
    [a, b, c]: [Vec2; 3],
    color: impl Fn(Vec2) -> Vec3 + Sync,
) {
    let area = (b - a).perp_dot(c - a);
    let shape = move |p: Vec2| polygon(p, &[a, b, c]);
    canvas.fill(
        move |p| shape(p) - LINE,
        move |p| {
            let q = p - a;
            let uv = vec2(q.perp_dot(c - a), (b - a).perp_dot(q)) / area;
            let tone = color(uv);
            let line = smooth_step(-1.6 * LINE, -0.2 * LINE, shape(p));
            tone.lerp(tone * tone * 0.25, line).extend(1.0)
        },
    );
}

/// A box between two corners of the building's space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Block {
    /// The corner that is farthest away, below.
    pub(crate) from: Vec3,
    /// The nearest one, above.
    pub(crate) to: Vec3,
}

impl Block {
    /// A box around the z axis: half its width along x and y, from one height to another.
    #[must_use]
    pub(crate) const fn around(half: Vec2, low: f32, high: f32) -> Self {
        Self {
            from: vec3(-half.x, -half.y, low),
            to: vec3(half.x, half.y, high),
        }
    }

    /// Moves the block by `by` units.
    #[must_use]
    pub(crate) fn at(mut self, by: Vec3) -> Self {
        self.from += by;
        self.to += by;
        self
    }

    /// Paints its two sides and its top; `pattern` sees a point of a wall in canvas units, from its upper corner.
    pub(crate) fn paint(
        self,
        canvas: &mut Canvas,
        origin: Vec2,
        color: Vec3,
        pattern: impl Fn(Vec2) -> f32 + Sync,
    ) {
        let Self { from, to } = self;
        let at = |x: f32, y: f32, z: f32| project(origin, vec3(x, y, z));
        let size = to - from;
        let left = at(from.x, to.y, to.z);
        let near = at(to.x, to.y, to.z);
        let right = at(to.x, from.y, to.z);
        let down = vec2(0.0, size.z);
        // Walls darken towards the ground.
        let shade = |v: f32| 1.04 - 0.2 * v;
        if size.z > 0.0 {
            face(canvas, [left, near - left, down], |uv| {
                color * LIGHT[0] * pattern(uv * vec2(size.x, size.z)) * shade(uv.y)
            });
            face(canvas, [near, right - near, down], |uv| {
                color * LIGHT[1] * pattern(uv * vec2(size.y, size.z)) * shade(uv.y)
            });
        }
        let far = at(from.x, from.y, to.z);
        face(canvas, [far, right - far, left - far], |uv| {
            color * LIGHT[2] * (0.94 + 0.1 * (1.0 - uv.y))
        });
    }

    /// A roof of four slopes over it, overhanging by `eaves`, `height` high.
    pub(crate) fn hip(
        self,
        canvas: &mut Canvas,
        origin: Vec2,
        (eaves, height): (f32, f32),
        color: Vec3,
        pattern: impl Fn(Vec2) -> f32 + Sync,
    ) {
        let at = |x: f32, y: f32, z: f32| project(origin, vec3(x, y, z));
        let (from, to, z) = (self.from - eaves, self.to + eaves, self.to.z);
        let top = at((from.x + to.x) * 0.5, (from.y + to.y) * 0.5, z + height);
        let (left, near, right) = (at(from.x, to.y, z), at(to.x, to.y, z), at(to.x, from.y, z));
        let wide = to - from;
        let along =
            |uv: Vec2, wide: f32| vec2((uv.x + 0.5 * uv.y) * wide, (1.0 - uv.y) * height * 1.3);
        triangle(canvas, [left, near, top], |uv| {
            color * 1.06 * pattern(along(uv, wide.x))
        });
        triangle(canvas, [near, right, top], |uv| {
            color * 0.78 * pattern(along(uv, wide.y))
        });
    }

    /// A roof of two slopes over it whose ridge runs along x; its gable end looks to +x.
    pub(crate) fn gable(
        self,
        canvas: &mut Canvas,
        origin: Vec2,
        (eaves, height): (f32, f32),
        [roof, wall]: [Vec3; 2],
        pattern: impl Fn(Vec2) -> f32 + Sync,
    ) {
        let at = |x: f32, y: f32, z: f32| project(origin, vec3(x, y, z));
        let Self { from, to } = self;
        let (z, middle) = (to.z, (from.y + to.y) * 0.5);
        let gable = [
            at(to.x, to.y, z),
            at(to.x, from.y, z),
            at(to.x, middle, z + height),
        ];
        triangle(canvas, gable, |uv| wall * LIGHT[1] * (0.9 + 0.1 * uv.y));
        let drop = eaves * height / (to.y - middle);
        let (near, ridge) = (to.y + eaves, z + height);
        // The far slope shows as a rim beyond the gable.
        let rim = [
            at(to.x + eaves, middle, ridge),
            at(to.x + eaves, from.y - eaves, z - drop),
        ];
        canvas.flat(move |p| capsule(p, rim[0], rim[1], 0.028), roof * 0.4);
        let corner = at(from.x - eaves, middle, ridge);
        let along = at(to.x + eaves, middle, ridge) - corner;
        let down = at(from.x - eaves, near, z - drop) - corner;
        let size = vec2(to.x - from.x + 2.0 * eaves, down.length());
        face(canvas, [corner, along, down], |uv| {
            roof * 1.05 * pattern(uv * size)
        });
    }

    /// A sign, door or window on the left wall, or on the right one: `at` is its middle from the wall's lower near corner
    /// (away from it, up), `size` its width and height.
    pub(crate) fn panel(
        self,
        canvas: &mut Canvas,
        origin: Vec2,
        (is_left, at, size): (bool, Vec2, Vec2),
        color: impl Fn(Vec2) -> Vec3 + Sync,
    ) {
        let near = project(origin, vec3(self.to.x, self.to.y, self.from.z));
        let step = if is_left {
            vec2(-0.866, -0.433)
        } else {
            vec2(0.866, -0.433)
        };
        let corner = near + step * (at.x - 0.5 * size.x) - vec2(0.0, at.y + 0.5 * size.y);
        face(canvas, [corner, step * size.x, vec2(0.0, size.y)], color);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_hides_what_it_stands_before() {
        let mut canvas = Canvas::new(64, 64);
        let origin = vec2(0.0, 0.3);
        let block = Block::around(Vec2::splat(0.3), 0.0, 0.5);
        block.paint(&mut canvas, origin, Vec3::ONE, |_| 1.0);
        let inside = project(origin, vec3(0.3, 0.0, 0.25));
        assert!(canvas.at(inside).w > 0.99, "its right side is opaque");
        assert!(canvas.at(vec2(-0.9, 0.9)).w < 0.01, "beside it is nothing");
    }
}
