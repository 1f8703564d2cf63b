//! Clipping in homogeneous clip space against the depth range and the guard band (Sutherland and Hodgman, "Reentrant
//! Polygon Clipping", CACM 1974).
//!
//! New vertices are computed from the inner towards the outer one, so that two triangles that share an edge get the same
//! vertex and no crack opens.

use glam::Vec4;

/// A vertex on its way through the clipper.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ClipVertex {
    /// Position in clip space, before the division by w.
    pub clip: Vec4,
    /// Varyings; linear in clip space.
    pub varyings: Vec<f32>,
}

/// Planes as linear functions of the clip position, >= 0 inside.
fn planes([guard_x, guard_y]: [f32; 2]) -> [Vec4; 6] {
    [
        Vec4::Z,
        Vec4::new(0.0, 0.0, -1.0, 1.0),
        Vec4::new(1.0, 0.0, 0.0, guard_x),
        Vec4::new(-1.0, 0.0, 0.0, guard_x),
        Vec4::new(0.0, 1.0, 0.0, guard_y),
        Vec4::new(0.0, -1.0, 0.0, guard_y),
    ]
}

/// The part of a convex polygon inside the depth range and the guard band; fewer than three vertices if nothing is left.
#[must_use]
pub(super) fn clip_polygon(mut polygon: Vec<ClipVertex>, guard_ndc: [f32; 2]) -> Vec<ClipVertex> {
    if polygon.iter().any(|vertex| !vertex.clip.is_finite()) {
        return Vec::new();
    }
    for plane in planes(guard_ndc) {
        let distances: Vec<f32> = polygon
            .iter()
            .map(|vertex| plane.dot(vertex.clip))
            .collect();
        let mut clipped = Vec::with_capacity(polygon.len() + 1);
        for (at, vertex) in polygon.iter().enumerate() {
            let next = (at + 1) % polygon.len();
            if distances[at] >= 0.0 {
                clipped.push(vertex.clone());
            }
            if (distances[at] >= 0.0) != (distances[next] >= 0.0) {
                clipped.push(cut(
                    (vertex, distances[at]),
                    (&polygon[next], distances[next]),
                ));
            }
        }
        polygon = clipped;
    }
    polygon
}

/// The part of a line inside the depth range and the guard band.
#[must_use]
pub(super) fn clip_line(mut ends: [ClipVertex; 2], guard_ndc: [f32; 2]) -> Option<[ClipVertex; 2]> {
    if ends.iter().any(|vertex| !vertex.clip.is_finite()) {
        return None;
    }
    for plane in planes(guard_ndc) {
        let [a, b] = [0, 1].map(|end: usize| plane.dot(ends[end].clip));
        match (a >= 0.0, b >= 0.0) {
            (true, true) => {}
            (false, false) => return None,
            (inside_a, _) => {
                let vertex = cut((&ends[0], a), (&ends[1], b));
                ends[usize::from(inside_a)] = vertex;
            }
        }
    }
    Some(ends)
}

/// Where the edge between two vertices meets the plane, from their distances to it, one negative and one not.
fn cut(a: (&ClipVertex, f32), b: (&ClipVertex, f32)) -> ClipVertex {
    let ((inner, inner_distance), (outer, outer_distance)) =
        if a.1 >= 0.0 { (a, b) } else { (b, a) };
    let t = inner_distance / (inner_distance - outer_distance);
    ClipVertex {
        clip: inner.clip + (outer.clip - inner.clip) * t,
        varyings: inner
            .varyings
            .iter()
            .zip(&outer.varyings)
            .map(|(from, to)| from + (to - from) * t)
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertex(x: f32, y: f32, z: f32, w: f32) -> ClipVertex {
        ClipVertex {
            clip: Vec4::new(x, y, z, w),
            varyings: vec![x],
        }
    }

    #[test]
    fn clip_keeps_what_is_inside() {
        let triangle = vec![
            vertex(0.0, 0.0, 0.5, 1.0),
            vertex(1.0, 0.0, 0.5, 1.0),
            vertex(0.0, 1.0, 0.5, 1.0),
        ];
        assert_eq!(
            clip_polygon(triangle.clone(), [10.0; 2]),
            triangle,
            "nothing to cut"
        );
    }

    #[test]
    fn clip_near_plane_cuts_exactly_at_depth_zero() {
        let triangle = vec![
            vertex(0.0, 0.0, -1.0, 1.0),
            vertex(4.0, 0.0, 1.0, 2.0),
            vertex(0.0, 4.0, 1.0, 2.0),
        ];
        let clipped = clip_polygon(triangle, [100.0; 2]);
        assert_eq!(
            clipped.len(),
            4,
            "one corner cut off leaves a quadrilateral"
        );
        assert!(
            clipped.iter().all(|vertex| vertex.clip.z >= 0.0),
            "all at or beyond the near plane"
        );
        assert!(
            clipped.iter().any(|vertex| vertex.varyings == [2.0]),
            "varyings at half way: {clipped:?}"
        );
    }

    #[test]
    fn clip_of_shared_edge_gives_the_same_vertex_from_both_sides() {
        let (a, b) = (vertex(0.3, 0.1, -0.7, 0.9), vertex(-0.2, 0.8, 0.61, 1.3));
        let plane = planes([10.0; 2])[0];
        let (da, db) = (plane.dot(a.clip), plane.dot(b.clip));
        assert_eq!(
            cut((&a, da), (&b, db)),
            cut((&b, db), (&a, da)),
            "direction must not matter"
        );
    }

    #[test]
    fn clip_of_behind_the_eye_leaves_nothing() {
        let triangle = vec![
            vertex(0.0, 0.0, -1.0, -1.0),
            vertex(1.0, 0.0, -2.0, -1.0),
            vertex(0.0, 1.0, -3.0, -2.0),
        ];
        assert!(clip_polygon(triangle, [10.0; 2]).len() < 3, "all behind");
    }
}
