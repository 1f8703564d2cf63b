//! Faces of more than three corners to triangles.
//!
//! A face that its first corner sees whole becomes a fan around it, as convex ones do. Others are cut ear by ear: a corner
//! that turns outwards, and whose triangle no other corner reaches into, is cut off until a triangle is left (Meisters
//! 1975, "Polygons have ears").

use glam::{DVec2, DVec3};

/// Tests of a corner against a triangle that all faces of a file may take: a second or two.
const MOST_TESTS: u64 = 1 << 30;

/// Share of a face's area that a fan may draw on the wrong side, as coordinates are rounded.
const TOLERANCE: f64 = 1e-6;

/// Cuts faces as long as that takes no longer than all faces of a file may.
#[derive(Debug)]
pub(super) struct Cutter {
    tests_left: u64,
    n_wrong: usize,
}

impl Default for Cutter {
    fn default() -> Self {
        Self {
            tests_left: MOST_TESTS,
            n_wrong: 0,
        }
    }
}

impl Cutter {
    /// Hands on the triangles of a face: numbers of its corners.
    pub(super) fn cut(&mut self, corners: &[DVec3], mut triangle: impl FnMut([usize; 3])) {
        if let Some(outline) = outline(corners).filter(|outline| !outline.is_fan()) {
            let n_tests = outline.most_tests();
            if let Some(left) = self.tests_left.checked_sub(n_tests) {
                self.tests_left = left;
                let ears = outline.ears();
                ears.as_chunks().0.iter().copied().for_each(triangle);
                return;
            }
            self.n_wrong += 1;
        }
        (2..corners.len()).for_each(|at| triangle([0, at - 1, at]));
    }

    /// A warning where faces were made fans though part of one lies outside, as cutting them takes too long.
    pub(super) fn warning(&self) -> Option<String> {
        let n = self.n_wrong;
        (n > 0).then(|| {
            format!("faces with too many corners that turn inwards are drawn in part outside of themselves: {n}")
        })
    }
}

/// Newell's normal, around the first corner: as long as twice the area of the face, and towards the side from which it goes
/// around counter-clockwise.
pub(super) fn normal(corners: &[DVec3]) -> DVec3 {
    let Some((first, others)) = corners.split_first() else {
        return DVec3::ZERO;
    };
    (others.windows(2))
        .map(|pair| (pair[0] - first).cross(pair[1] - first))
        .sum()
}

/// The corners of a face, seen from where they go around counter-clockwise.
struct Outline(Vec<DVec2>);

/// None for triangles, and for what has no area.
fn outline(corners: &[DVec3]) -> Option<Outline> {
    if corners.len() < 4 {
        return None;
    }
    let normal = normal(corners);
    if !(normal.is_finite() && normal != DVec3::ZERO) {
        return None;
    }
    let (x, y) = match normal.abs().max_position() {
        0 => (1, 2),
        1 => (2, 0),
        _ => (0, 1),
    };
    let is_mirrored = normal[normal.abs().max_position()] < 0.0;
    let (x, y) = if is_mirrored { (y, x) } else { (x, y) };
    let flat = corners.iter().map(|at| DVec2::new(at[x], at[y]));
    Some(Outline(flat.collect()))
}

/// Twice the area of a triangle, positive where it goes around counter-clockwise.
fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

impl Outline {
    /// Whether the triangles around the first corner lie inside and side by side.
    fn is_fan(&self) -> bool {
        let corners = &self.0;
        let turns = corners[1..].windows(2);
        let turns: Vec<_> = turns
            .map(|pair| turn(corners[0], pair[0], pair[1]))
            .collect();
        let area: f64 = turns.iter().sum();
        turns.iter().all(|turn| *turn >= -TOLERANCE * area)
    }

    fn turn(&self, [a, b, c]: [usize; 3]) -> f64 {
        turn(self.0[a], self.0[b], self.0[c])
    }

    /// Bound on the work of [`ears`](Self::ears): all corners are tested once and two anew with every cut, each against
    /// those that turn inwards; to find what to cut, all that are left may be passed, which is quicker.
    fn most_tests(&self) -> u64 {
        let n = self.0.len();
        let inwards = (0..n).filter(|at| self.turn([(at + n - 1) % n, *at, (at + 1) % n]) <= 0.0);
        n as u64 * (3 * inwards.count() + n / 4) as u64
    }

    /// Corners of triangles, three at a time.
    fn ears(&self) -> Vec<usize> {
        let n = self.0.len();
        let mut ring = Ring {
            outline: self,
            before: (0..n).map(|at| (at + n - 1) % n).collect(),
            after: (0..n).map(|at| (at + 1) % n).collect(),
            inwards: Vec::new(),
        };
        ring.inwards = (0..n).filter(|at| !ring.turns_outwards(*at)).collect();
        let mut is_ear: Vec<_> = (0..n).map(|at| ring.is_ear(at)).collect();
        let mut triangles = Vec::with_capacity(3 * (n - 2));
        let (mut at, mut n_left, mut n_passed) = (0, n, 0);
        while n_left > 3 {
            // An outline that crosses itself may have none: then any corner goes.
            if !is_ear[at] && n_passed < n_left {
                (at, n_passed) = (ring.after[at], n_passed + 1);
                continue;
            }
            triangles.extend(ring.triangle(at));
            let [before, _, after] = ring.triangle(at);
            ring.cut(at);
            (n_left, n_passed) = (n_left - 1, 0);
            is_ear[before] = ring.is_ear(before);
            is_ear[after] = ring.is_ear(after);
            at = after;
        }
        triangles.extend(ring.triangle(at));
        triangles
    }
}

/// Corners that are not yet cut off.
struct Ring<'a> {
    outline: &'a Outline,
    before: Vec<usize>,
    after: Vec<usize>,
    /// Corners that did not turn outwards at first, and have not been cut: no others reach into an ear.
    inwards: Vec<usize>,
}

impl Ring<'_> {
    fn triangle(&self, at: usize) -> [usize; 3] {
        [self.before[at], at, self.after[at]]
    }

    fn turns_outwards(&self, at: usize) -> bool {
        self.outline.turn(self.triangle(at)) > 0.0
    }

    fn is_ear(&self, at: usize) -> bool {
        let triangle = self.triangle(at);
        let [a, b, c] = triangle.map(|at| self.outline.0[at]);
        // Two corners in one place, as where an outline goes in to a hole and back, may both be corners of the ear.
        let reaches_in = |at: usize| {
            let corner = self.outline.0[at];
            let sides = [turn(a, b, corner), turn(b, c, corner), turn(c, a, corner)];
            ![a, b, c].contains(&corner) && sides.iter().all(|side| *side >= 0.0)
        };
        self.turns_outwards(at) && !self.inwards.iter().any(|at| reaches_in(*at))
    }

    fn cut(&mut self, at: usize) {
        let [before, _, after] = self.triangle(at);
        self.after[before] = after;
        self.before[after] = before;
        self.inwards.retain(|inwards| *inwards != at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The triangles of one face.
    fn triangles(corners: &[[f32; 3]]) -> Vec<[usize; 3]> {
        let (triangles, warning) = cut(corners);
        assert_eq!(warning, None);
        assert_eq!(triangles.len(), corners.len() - 2);
        triangles
    }

    fn cut(corners: &[[f32; 3]]) -> (Vec<[usize; 3]>, Option<String>) {
        let corners = corners.iter().map(|at| DVec3::from(at.map(f64::from)));
        let (mut triangles, mut cutter) = (Vec::new(), Cutter::default());
        cutter.cut(&corners.collect::<Vec<_>>(), |triangle| {
            triangles.push(triangle)
        });
        (triangles, cutter.warning())
    }

    /// Whether a point of a plane lies in an outline, by the crossings of a ray.
    fn is_inside(outline: &[DVec2], at: DVec2) -> bool {
        let next = outline.iter().cycle().skip(1);
        let crosses = |(a, b): (&DVec2, &DVec2)| {
            let is_between = (a.y > at.y) != (b.y > at.y);
            is_between && at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x)
        };
        outline
            .iter()
            .zip(next)
            .filter(|edge| crosses(*edge))
            .count()
            % 2
            == 1
    }

    #[test]
    fn polygons_that_are_convex_become_fans() {
        let square = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.1],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 0.1],
        ];
        assert_eq!(triangles(&square), [[0, 1, 2], [0, 2, 3]]);
        let nothing = [[1.0, 2.0, 3.0]; 5];
        assert_eq!(triangles(&nothing), [[0, 1, 2], [0, 2, 3], [0, 3, 4]]);
    }

    /// Outlines around a centre, in planes that stand anyhow and begun anywhere, and combs: points are covered once inside,
    /// and never outside.
    #[test]
    fn polygons_are_covered_once() {
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1 << 24)
        };
        for nth in 0..400 {
            let n = 4 + nth % 40;
            let mut flat: Vec<DVec2> = (0..n)
                .map(|at| match nth % 3 {
                    0 => {
                        let teeth = (n - 2) as f64;
                        let y = if at % 2 == 0 {
                            1.0
                        } else {
                            0.1 + 0.8 * random()
                        };
                        match at {
                            0 => DVec2::ZERO,
                            _ if at == n - 1 => DVec2::new(teeth, 0.0),
                            _ => DVec2::new((at - 1) as f64, y),
                        }
                    }
                    _ => {
                        DVec2::from_angle(at as f64 / n as f64 * std::f64::consts::TAU)
                            * (0.1 + random())
                    }
                })
                .collect();
            flat.rotate_left((random() * n as f64) as usize);
            let axes = [0, 1].map(|_| DVec3::new(random(), random(), random()) - 0.5);
            let corners: Vec<_> = flat
                .iter()
                .map(|at| (axes[0] * at.x + axes[1] * at.y).as_vec3().to_array())
                .collect();
            let triangles = triangles(&corners);
            for _ in 0..60 {
                let at = DVec2::new(random() * 2.2 - 1.1, random() * 2.2 - 1.1);
                let at = if nth % 3 == 0 {
                    DVec2::new(random() * n as f64, random())
                } else {
                    at
                };
                let covers = |corners: &&[usize; 3]| {
                    let [a, b, c] = corners.map(|k| flat[k]);
                    let sides = [turn(a, b, at), turn(b, c, at), turn(c, a, at)];
                    sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0)
                };
                let n_covers = triangles.iter().filter(covers).count();
                assert_eq!(
                    n_covers,
                    usize::from(is_inside(&flat, at)),
                    "{nth}: {at} of {flat:?}"
                );
            }
        }
    }

    #[test]
    fn polygons_with_a_hole_behind_a_bridge_keep_it() {
        // In to a square hole from a corner, around it, and back.
        let outline = [
            [0.0, 0.0],
            [4.0, 0.0],
            [4.0, 4.0],
            [0.0, 4.0],
            [0.0, 0.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [3.0, 3.0],
            [3.0, 1.0],
            [1.0, 1.0],
        ];
        let flat = outline.map(|[x, y]| DVec2::new(x, y));
        let area: f64 = triangles(&outline.map(|[x, y]| [x as f32, y as f32, 0.0]))
            .iter()
            .map(|corners| {
                let [a, b, c] = corners.map(|k| flat[k]);
                turn(a, b, c).abs() / 2.0
            })
            .sum();
        assert_eq!(area, 12.0);
    }

    #[test]
    fn polygons_that_cross_themselves_end() {
        let star: Vec<_> = (0..101_u16)
            .map(|at| {
                let angle = f32::from(at) * 2.4;
                [angle.cos(), angle.sin(), 0.0]
            })
            .collect();
        triangles(&star);
    }

    #[test]
    fn polygons_that_would_take_minutes_become_fans() {
        let saw: Vec<_> = (0..60_000_u16)
            .map(|at| [f32::from(at), f32::from(at % 2), 0.0])
            .chain([[60_000.0, -5.0, 0.0], [-5.0, -9.0, 0.0]])
            .collect();
        let (triangles, warning) = cut(&saw);
        let warning = warning.expect("a warning");
        assert!(warning.ends_with(": 1"), "{warning}");
        assert_eq!(triangles.len(), 60_000);
    }
}
