//! Signed distances of flat shapes: negative inside, in the units of the point. Formulas after Inigo Quilez, "2D distance
//! functions" (iquilezles.org), which derive each.

use glam::Vec2;

/// A disc of a radius around the origin.
#[must_use]
pub(crate) fn circle(p: Vec2, radius: f32) -> f32 {
    p.length() - radius
}

/// An ellipse, nearly: exact on its edge, a first-order estimate elsewhere.
#[must_use]
pub(crate) fn ellipse(p: Vec2, radii: Vec2) -> f32 {
    let (near, far) = ((p / radii).length(), (p / (radii * radii)).length());
    if far == 0.0 {
        -radii.min_element()
    } else {
        near * (near - 1.0) / far
    }
}

/// A box of half-extents `half` whose corners are rounded by `radius`.
#[must_use]
pub(crate) fn rounded_box(p: Vec2, half: Vec2, radius: f32) -> f32 {
    let q = p.abs() - half + radius;
    q.max(Vec2::ZERO).length() + q.max_element().min(0.0) - radius
}

/// A line from `a` to `b`, `radius` thick to either side, with round ends.
#[must_use]
pub(crate) fn capsule(p: Vec2, a: Vec2, b: Vec2, radius: f32) -> f32 {
    let (along, rest) = (b - a, p - a);
    let t = rest.dot(along) / along.length_squared().max(1e-12);
    (rest - along * t.clamp(0.0, 1.0)).length() - radius
}

/// A closed polygon of any shape.
#[must_use]
pub(crate) fn polygon(p: Vec2, corners: &[Vec2]) -> f32 {
    let mut nearest = f32::MAX;
    let mut inside = false;
    let mut before = corners.last().copied().unwrap_or_default();
    for &corner in corners {
        nearest = nearest.min(capsule(p, before, corner, 0.0));
        if (corner.y > p.y) != (before.y > p.y) {
            let t = (p.y - corner.y) / (before.y - corner.y);
            inside ^= p.x < corner.x + t * (before.x - corner.x);
        }
        before = corner;
    }
    if inside { -nearest } else { nearest }
}

/// A star of `points` points with its tips at `outer` and its notches at `inner`, one tip up.
#[must_use]
pub(crate) fn star(p: Vec2, points: u32, outer: f32, inner: f32) -> f32 {
    let half_turn = std::f32::consts::PI / points as f32;
    // Folded into one half of one tip.
    let angle = p.x.atan2(-p.y).rem_euclid(2.0 * half_turn);
    let angle = angle.min(2.0 * half_turn - angle);
    let q = p.length() * Vec2::new(angle.sin(), angle.cos());
    let (tip, notch) = (
        Vec2::new(0.0, outer),
        inner * Vec2::new(half_turn.sin(), half_turn.cos()),
    );
    let edge = notch - tip;
    let side = edge.perp_dot(q - tip);
    let distance = capsule(q, tip, notch, 0.0);
    if side < 0.0 { -distance } else { distance }
}

/// A heart of about unit size, its tip down.
#[must_use]
pub(crate) fn heart(p: Vec2) -> f32 {
    let p = Vec2::new(p.x.abs(), 0.62 - p.y) / 1.15;
    let distance = if p.x + p.y > 1.0 {
        p.distance(Vec2::new(0.25, 0.75)) - std::f32::consts::SQRT_2 / 4.0
    } else {
        let to_dip = p.distance_squared(Vec2::new(0.0, 1.0));
        let to_side = (p - 0.5 * (p.x + p.y).max(0.0)).length_squared();
        to_dip.min(to_side).sqrt() * (p.x - p.y).signum()
    };
    distance * 1.15
}

/// Both shapes, the seam between them filled over a width of `blend`.
#[must_use]
pub(crate) fn join(a: f32, b: f32, blend: f32) -> f32 {
    let h = (blend - (a - b).abs()).max(0.0) / blend.max(1e-6);
    a.min(b) - h * h * blend * 0.25
}

/// Difference of two shapes: `a` without `b`.
#[must_use]
pub(crate) fn without(a: f32, b: f32) -> f32 {
    a.max(-b)
}

/// `p` as a shape that is turned by `turns` whole turns sees it.
#[must_use]
pub(crate) fn turned(p: Vec2, turns: f32) -> Vec2 {
    Vec2::from_angle(-turns * std::f32::consts::TAU).rotate(p)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shape_is_negative_inside_and_positive_outside() {
        let square = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(Vec2::from);
        let shapes: [&dyn Fn(Vec2) -> f32; 7] = [
            &|p| circle(p, 1.0),
            &|p| ellipse(p, Vec2::new(1.0, 0.5)),
            &|p| rounded_box(p, Vec2::ONE, 0.2),
            &|p| capsule(p, Vec2::NEG_X, Vec2::X, 0.3),
            &|p| polygon(p, &square),
            &|p| star(p, 5, 1.0, 0.5),
            &heart,
        ];
        for (number, shape) in shapes.iter().enumerate() {
            assert!(shape(Vec2::new(0.05, 0.1)) < 0.0, "{number} inside");
            assert!(shape(Vec2::new(2.0, 1.5)) > 0.0, "{number} outside");
        }
    }

    #[test]
    fn polygon_distance_is_exact() {
        let square = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(Vec2::from);
        assert!(
            (polygon(Vec2::new(3.0, 0.0), &square) - 2.0).abs() < 1e-6,
            "beside an edge"
        );
        assert!(
            (polygon(Vec2::ZERO, &square) + 1.0).abs() < 1e-6,
            "the middle"
        );
    }
}
