//! Smooth curves through points: profiles to turn, paths to sweep along.

use glam::Vec3;

/// A cubic spline through points, parametrised by chord length over 0..1; beyond its ends it goes straight on.
///
/// Tangents are the weighted slopes of the two neighbouring chords, as for non-uniform Catmull-Rom splines.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    knots: Vec<Knot>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Knot {
    at: f32,
    point: Vec3,
    slope: Vec3,
}

impl Curve {
    /// The curve through `points`: two or more, neighbours apart.
    #[must_use]
    pub fn through(points: &[Vec3]) -> Self {
        let chords: Vec<f32> = points.windows(2).map(|p| p[0].distance(p[1])).collect();
        let length: f32 = chords.iter().sum();
        let chord_slope = |i: usize| (points[i + 1] - points[i]) * (length / chords[i]);
        let mut at = 0.0;
        let knots = (0..points.len())
            .map(|i| {
                let slope = match i {
                    0 => chord_slope(0),
                    _ if i == chords.len() => chord_slope(i - 1),
                    _ => {
                        let share = chords[i - 1] / (chords[i - 1] + chords[i]);
                        chord_slope(i - 1).lerp(chord_slope(i), share)
                    }
                };
                let knot = Knot {
                    at,
                    point: points[i],
                    slope,
                };
                at += chords.get(i).map_or(0.0, |chord| chord / length);
                knot
            })
            .collect();
        Self { knots }
    }

    /// A profile for [`super::lathe`] through (radius, height) pairs.
    #[must_use]
    pub fn profile(points: &[[f32; 2]]) -> Self {
        let points: Vec<Vec3> = points.iter().map(|&[r, y]| Vec3::new(r, y, 0.0)).collect();
        Self::through(&points)
    }

    /// The point at `t`.
    #[must_use]
    pub fn at(&self, t: f32) -> Vec3 {
        let last = self.knots.len() - 1;
        let next = self.knots[1..last].partition_point(|knot| knot.at <= t) + 1;
        let (from, to) = (self.knots[next - 1], self.knots[next]);
        if t < 0.0 {
            return from.point + from.slope * t;
        }
        if t > 1.0 {
            return to.point + to.slope * (t - 1.0);
        }
        let span = to.at - from.at;
        let s = (t - from.at) / span;
        let (s2, s3) = (s * s, s * s * s);
        from.point * (2.0 * s3 - 3.0 * s2 + 1.0)
            + to.point * (3.0 * s2 - 2.0 * s3)
            + from.slope * (span * (s3 - 2.0 * s2 + s))
            + to.slope * (span * (s3 - s2))
    }

    /// Frames across the curve at `count + 1` even positions, turned as little as possible from one to the next.
    #[must_use]
    pub(super) fn frames(&self, count: u32) -> Frames {
        let direction = |i: u32| {
            let t = i as f32 / count as f32;
            (self.at(t + 1e-3) - self.at(t - 1e-3)).normalize_or(Vec3::NEG_Y)
        };
        let mut across = direction(0).any_orthonormal_vector();
        let axes = (0..=count)
            .map(|i| {
                let along = direction(i);
                across = across.reject_from_normalized(along).normalize_or(Vec3::X);
                [across, along.cross(across)]
            })
            .collect();
        Frames { axes }
    }
}

/// Two axes across a curve, by position.
#[derive(Debug, Clone)]
pub(super) struct Frames {
    axes: Vec<[Vec3; 2]>,
}

impl Frames {
    /// The axes at `t` in 0..1, between neighbours by interpolation.
    pub(super) fn at(&self, t: f32) -> [Vec3; 2] {
        let last = self.axes.len() - 1;
        let position = (t * last as f32).clamp(0.0, last as f32);
        let low = (position as usize).min(last.saturating_sub(1));
        let mix = |k: usize| {
            let [from, to] = [self.axes[low][k], self.axes[(low + 1).min(last)][k]];
            from.lerp(to, position - low as f32)
        };
        [mix(0), mix(1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curve_passes_through_its_points_and_goes_straight_on() {
        let points = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 2.0, 0.0)];
        let curve = Curve::through(&points);
        assert!(curve.at(0.0).distance(points[0]) < 1e-6, "start");
        assert!(
            curve.at(1.0 / 3.0).distance(points[1]) < 1e-5,
            "a third of the chord length"
        );
        assert!(curve.at(1.0).distance(points[2]) < 1e-5, "end");
        let beyond = curve.at(1.1) - points[2];
        assert!(
            beyond.normalize().dot(Vec3::Y) > 0.99,
            "beyond the end along the last chord"
        );
    }

    #[test]
    fn curve_of_even_points_on_a_line_is_the_line() {
        let curve = Curve::through(&[Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::X * 3.0]);
        for i in 0..=10 {
            let t = i as f32 / 10.0;
            assert!(curve.at(t).distance(Vec3::X * 3.0 * t) < 1e-5, "at {t}");
        }
    }

    #[test]
    fn curve_frames_stay_square_to_the_curve() {
        let curve = Curve::through(&[
            Vec3::ZERO,
            Vec3::new(1.0, 1.0, 0.0),
            Vec3::new(1.0, 2.0, 2.0),
        ]);
        let frames = curve.frames(20);
        for i in 0..=20 {
            let t = i as f32 / 20.0;
            let along = (curve.at(t + 1e-3) - curve.at(t - 1e-3)).normalize();
            let [across, over] = frames.at(t);
            let off = across.dot(along).abs() + over.dot(along).abs() + across.dot(over).abs();
            assert!(off < 1e-3, "frame at {t} is off by {off}");
        }
    }
}
