//! Clipping in homogeneous clip space against the depth range and the guard band (Sutherland and Hodgman, "Reentrant
//! Polygon Clipping", CACM 1974).
//!
//! A cut is computed in double-double arithmetic from exact positions, from the inner towards the outer vertex: two
//! triangles that share an edge get the same vertex, so that no crack opens. It lies on its plane exactly: depth is 0 on
//! the near plane. Points inside both ends of the depth range have a w that is not negative, whatever the size of the
//! triangle.

use super::exact::ExactPosition;
use azulejo_math::DoubleDouble;

/// A vertex on its way through the clipper.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ClipVertex {
    /// Exact position, in the world and in clip space.
    pub(super) position: ExactPosition,
    /// Varyings; linear in clip space.
    pub(super) varyings: Vec<f64>,
    /// The draw's vertex, if that has a place on the screen: other triangles may share it, and it counts as inside.
    pub(super) placed: Option<u32>,
}

/// A plane that bounds what has a place on the screen; guard bands in normalised device coordinates.
#[derive(Debug, Clone, Copy)]
enum Plane {
    /// Near plane: 0 <= z.
    Near,
    /// Far plane: z <= w.
    Far,
    /// -guard w <= x, or y where the axis is 1.
    Low(usize, DoubleDouble),
    /// x <= guard w, or y where the axis is 1.
    High(usize, DoubleDouble),
}

impl Plane {
    fn all([guard_x, guard_y]: [f32; 2]) -> [Self; 6] {
        [
            Self::Near,
            Self::Far,
            Self::Low(0, guard_x.into()),
            Self::High(0, guard_x.into()),
            Self::Low(1, guard_y.into()),
            Self::High(1, guard_y.into()),
        ]
    }

    /// How far inside a clip position lies, in units of w; negative outside.
    fn distance(self, clip: &[DoubleDouble; 4]) -> DoubleDouble {
        let [.., z, w] = *clip;
        match self {
            Self::Near => z,
            Self::Far => w - z,
            Self::Low(axis, guard) => guard * w + clip[axis],
            Self::High(axis, guard) => guard * w - clip[axis],
        }
    }

    /// [`Self::distance`] of a vertex; one with a place on the screen does not lie outside.
    fn distance_of(self, vertex: &ClipVertex) -> DoubleDouble {
        let distance = self.distance(&vertex.position.clip);
        match vertex.placed {
            Some(_) if !is_inside(distance) => DoubleDouble::ZERO,
            _ => distance,
        }
    }

    /// Puts a cut vertex on the plane, which rounding may have missed.
    fn touch(self, clip: &mut [DoubleDouble; 4]) {
        let w = clip[3];
        match self {
            Self::Near => clip[2] = DoubleDouble::ZERO,
            Self::Far => clip[2] = w,
            Self::Low(axis, guard) => clip[axis] = -(guard * w),
            Self::High(axis, guard) => clip[axis] = guard * w,
        }
    }

    /// Intersection of the edge between two vertices with the plane, from their distances to it, one negative and one not.
    fn cut(self, a: (&ClipVertex, DoubleDouble), b: (&ClipVertex, DoubleDouble)) -> ClipVertex {
        let (inner, outer) = if is_inside(a.1) { (a, b) } else { (b, a) };
        let t = inner.1 / (inner.1 - outer.1);
        let (inner, outer) = (inner.0, outer.0);
        let mut position = inner.position.toward(&outer.position, t);
        self.touch(&mut position.clip);
        let t = t.to_f64();
        let varyings = inner.varyings.iter().zip(&outer.varyings);
        ClipVertex {
            position,
            varyings: varyings.map(|(from, to)| from + (to - from) * t).collect(),
            placed: None,
        }
    }
}

fn is_inside(distance: DoubleDouble) -> bool {
    distance >= DoubleDouble::ZERO
}

/// Whether a clip position lies inside the depth range and the guard band.
#[must_use]
pub(super) fn has_place(clip: &[DoubleDouble; 4], guard_ndc: [f32; 2]) -> bool {
    let planes = Plane::all(guard_ndc);
    planes.iter().all(|plane| is_inside(plane.distance(clip)))
}

/// The part of a convex polygon inside the depth range and the guard band; fewer than three vertices if nothing is left.
#[must_use]
pub(super) fn clip_polygon(mut polygon: Vec<ClipVertex>, guard_ndc: [f32; 2]) -> Vec<ClipVertex> {
    for plane in Plane::all(guard_ndc) {
        let distances: Vec<DoubleDouble> = (polygon.iter())
            .map(|vertex| plane.distance_of(vertex))
            .collect();
        let mut clipped = Vec::with_capacity(polygon.len() + 1);
        for (at, vertex) in polygon.iter().enumerate() {
            let next = (at + 1) % polygon.len();
            if is_inside(distances[at]) {
                clipped.push(vertex.clone());
            }
            if is_inside(distances[at]) != is_inside(distances[next]) {
                clipped.push(plane.cut((vertex, distances[at]), (&polygon[next], distances[next])));
            }
        }
        polygon = clipped;
    }
    polygon
}

/// The part of a line inside the depth range and the guard band.
#[must_use]
pub(super) fn clip_line(mut ends: [ClipVertex; 2], guard_ndc: [f32; 2]) -> Option<[ClipVertex; 2]> {
    for plane in Plane::all(guard_ndc) {
        let [a, b] = [0, 1].map(|end: usize| plane.distance_of(&ends[end]));
        match (is_inside(a), is_inside(b)) {
            (true, true) => {}
            (false, false) => return None,
            (inside_a, _) => {
                let vertex = plane.cut((&ends[0], a), (&ends[1], b));
                ends[usize::from(inside_a)] = vertex;
            }
        }
    }
    Some(ends)
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_simd::each;

    fn vertex(x: f32, y: f32, z: f32, w: f32) -> ClipVertex {
        let clip = [x, y, z, w].map(DoubleDouble::from);
        ClipVertex {
            position: ExactPosition {
                world: each!(3, k => clip[k]),
                clip,
            },
            varyings: vec![f64::from(x)],
            placed: None,
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
        let depths = clipped
            .iter()
            .map(|vertex| vertex.position.clip[2].to_f64());
        assert_eq!(
            depths.filter(|depth| *depth == 0.0).count(),
            2,
            "both new vertices lie on the near plane"
        );
        assert!(
            clipped.iter().any(|vertex| vertex.varyings == [2.0]),
            "varyings at half way: {clipped:?}"
        );
    }

    #[test]
    fn clip_keeps_the_distance_of_the_near_plane_where_an_edge_is_long() {
        // z = w - 1e-3: seen from a millimetre on. The edge is 60,000 km long and passes the eye at a metre.
        let near = DoubleDouble::from(1e-3);
        let at = |x: f64, distance: f64| {
            let w = DoubleDouble::from(distance);
            let clip = [x.into(), DoubleDouble::ONE, w - near, w];
            ClipVertex {
                position: ExactPosition {
                    world: each!(3, k => clip[k]),
                    clip,
                },
                ..vertex(0.0, 0.0, 0.0, 0.0)
            }
        };
        let line = clip_line([at(-3e7, -3e7), at(3e7 + 2.0, 3e7)], [1e6; 2]).expect("seen");
        let [x, y, z, w] = line[0].position.clip.map(DoubleDouble::to_f64);
        // x = (3e7 + 1) / 3e7 (w + 3e7) - 3e7
        let exact = 1.0 + 1e-3 * (1.0 + 1.0 / 3e7);
        assert!((x - exact).abs() < 1e-14, "a metre beside: {x}");
        assert!((w - 1e-3).abs() < 1e-18, "a millimetre away: {w}");
        assert_eq!((y, z), (1.0, 0.0), "at its height, at depth 0");
    }

    #[test]
    fn clip_of_shared_edge_gives_the_same_vertex_from_both_sides() {
        let (a, b) = (vertex(0.3, 0.1, -0.7, 0.9), vertex(-0.2, 0.8, 0.61, 1.3));
        let plane = Plane::Near;
        let (da, db) = (plane.distance_of(&a), plane.distance_of(&b));
        assert_eq!(
            plane.cut((&a, da), (&b, db)),
            plane.cut((&b, db), (&a, da)),
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
