//! Rigid polygons that fall, push and rub: contacts by the separating axis and clipping, sequential impulses (Catto,
//! "Iterative Dynamics with Temporal Coherence", GDC 2005). Units of flat layers (y down), frames, radians.

use glam::{Vec2, vec2};

/// Units a frame, squared.
pub(super) const GRAVITY: f32 = 0.26;
/// Steps of a frame.
const STEPS: usize = 2;
/// Rounds of impulses a step.
const ROUNDS: usize = 10;
const FRICTION: f32 = 0.55;
/// Overlap that is left alone, units.
const SLOP: f32 = 0.4;
/// Share of an overlap that a step takes back.
const REPAIR: f32 = 0.18;

/// A rigid body with a convex outline.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Body {
    /// Corners around its centre, clockwise as seen.
    pub(super) corners: Vec<Vec2>,
    pub(super) at: Vec2,
    pub(super) angle: f32,
    pub(super) speed: Vec2,
    pub(super) spin: f32,
    /// Inverse mass, inverse moment of inertia.
    inverse: Vec2,
}

impl Body {
    /// A body at rest; `density` is mass a thousand square units.
    pub(super) fn new(corners: Vec<Vec2>, at: Vec2, density: f32) -> Self {
        let (mut area, mut second) = (0.0, 0.0);
        for (a, b) in edges(&corners) {
            let cross = a.perp_dot(b);
            area += 0.5 * cross;
            second += cross * (a.length_squared() + a.dot(b) + b.length_squared()) / 12.0;
        }
        let mass = 1e-3 * density;
        Self {
            corners,
            at,
            angle: 0.0,
            speed: Vec2::ZERO,
            spin: 0.0,
            inverse: vec2(1.0 / (mass * area), 1.0 / (mass * second)),
        }
    }

    fn world(&self) -> Vec<Vec2> {
        let axis = Vec2::from_angle(self.angle);
        self.corners
            .iter()
            .map(|&corner| self.at + axis.rotate(corner))
            .collect()
    }

    fn speed_at(&self, point: Vec2) -> Vec2 {
        let arm = point - self.at;
        self.speed + vec2(-arm.y, arm.x) * self.spin
    }

    fn push(&mut self, impulse: Vec2, point: Vec2) {
        self.speed += impulse * self.inverse.x;
        self.spin += (point - self.at).perp_dot(impulse) * self.inverse.y;
    }

    /// Change of the speed at `point` by a unit of impulse along `way`.
    fn yielding(&self, point: Vec2, way: Vec2) -> f32 {
        self.inverse.x + (point - self.at).perp_dot(way).powi(2) * self.inverse.y
    }
}

fn edges(corners: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> {
    corners
        .iter()
        .copied()
        .zip(corners.iter().copied().cycle().skip(1))
}

/// Contact of two bodies, or of a body and the ground.
#[derive(Debug, Clone, Copy)]
struct Contact {
    a: usize,
    b: Option<usize>,
    point: Vec2,
    /// Unit normal from `a` to `b`.
    normal: Vec2,
    depth: f32,
    /// Impulses so far: along the normal, across it.
    sum: Vec2,
}

/// Moves all bodies by a frame above the ground at height `ground`.
pub(super) fn step(bodies: &mut [Body], ground: f32) {
    let dt = 1.0 / STEPS as f32;
    for _ in 0..STEPS {
        for body in bodies.iter_mut() {
            body.speed.y += GRAVITY * dt;
        }
        let mut contacts = contacts(bodies, ground);
        for _ in 0..ROUNDS {
            for contact in &mut contacts {
                resolve(bodies, contact, dt);
            }
        }
        for body in bodies.iter_mut() {
            body.at += body.speed * dt;
            body.angle += body.spin * dt;
            body.speed *= 0.9985;
            body.spin *= 0.994;
        }
    }
}

/// Bodies that hardly move stop.
pub(super) fn calm(bodies: &mut [Body]) {
    for body in bodies {
        if body.speed.length() < 0.32 && body.spin.abs() < 0.006 {
            body.speed = Vec2::ZERO;
            body.spin = 0.0;
        }
    }
}

fn contacts(bodies: &[Body], ground: f32) -> Vec<Contact> {
    let shapes: Vec<Vec<Vec2>> = bodies.iter().map(Body::world).collect();
    let bounds: Vec<(Vec2, Vec2)> = shapes
        .iter()
        .map(|shape| {
            let low = shape.iter().copied().fold(Vec2::MAX, Vec2::min);
            (low, shape.iter().copied().fold(Vec2::MIN, Vec2::max))
        })
        .collect();
    let mut found = Vec::new();
    for a in 0..bodies.len() {
        for point in shapes[a].iter().copied().filter(|point| point.y > ground) {
            let depth = point.y - ground;
            found.push(Contact {
                a,
                b: None,
                point,
                normal: Vec2::Y,
                depth,
                sum: Vec2::ZERO,
            });
        }
        for b in a + 1..bodies.len() {
            let apart =
                bounds[a].1.cmplt(bounds[b].0).any() || bounds[b].1.cmplt(bounds[a].0).any();
            if !apart {
                found.extend(touch(&shapes[a], &shapes[b]).into_iter().map(
                    |(point, normal, depth)| Contact {
                        a,
                        b: Some(b),
                        point,
                        normal,
                        depth,
                        sum: Vec2::ZERO,
                    },
                ));
            }
        }
    }
    found
}

/// The edge of `a` that separates it best from `b`: its number, its normal, how far.
fn best_edge(a: &[Vec2], b: &[Vec2]) -> (usize, Vec2, f32) {
    let mut best = (0, Vec2::ZERO, f32::MIN);
    for (number, (from, to)) in edges(a).enumerate() {
        let along = (to - from).normalize_or_zero();
        let normal = vec2(along.y, -along.x);
        let gap = b
            .iter()
            .map(|&p| (p - from).dot(normal))
            .fold(f32::MAX, f32::min);
        if gap > best.2 {
            best = (number, normal, gap);
        }
    }
    best
}

/// Points in which two polygons overlap, each with the normal from the first to the second, and how deep.
fn touch(a: &[Vec2], b: &[Vec2]) -> Vec<(Vec2, Vec2, f32)> {
    let (of_a, of_b) = (best_edge(a, b), best_edge(b, a));
    if of_a.2 > 0.0 || of_b.2 > 0.0 {
        return Vec::new();
    }
    let a_leads = of_a.2 >= of_b.2 - 0.05;
    let ((number, normal, _), lead, other) = if a_leads { (of_a, a, b) } else { (of_b, b, a) };
    let (from, to) = (lead[number], lead[(number + 1) % lead.len()]);
    // The edge of the other that faces the leading one most.
    let facing = |&(p, q): &(Vec2, Vec2)| {
        let along = (q - p).normalize_or_zero();
        vec2(along.y, -along.x).dot(normal)
    };
    let Some((mut p, mut q)) = edges(other).min_by(|x, y| facing(x).total_cmp(&facing(y))) else {
        return Vec::new();
    };
    // Clipped to the leading edge's ends.
    let along = (to - from).normalize_or_zero();
    let long = from.distance(to);
    let (s, t) = ((p - from).dot(along), (q - from).dot(along));
    let at = |x: f32| {
        if (t - s).abs() < 1e-6 {
            p
        } else {
            p.lerp(q, (x - s) / (t - s))
        }
    };
    (p, q) = (at(s.clamp(0.0, long)), at(t.clamp(0.0, long)));
    let way = if a_leads { normal } else { -normal };
    [p, q]
        .into_iter()
        .map(|point| (point, way, -(point - from).dot(normal)))
        .filter(|hit| hit.2 > 0.0)
        .collect()
}

/// Changes speeds so that a contact opens, and rubs.
fn resolve(bodies: &mut [Body], contact: &mut Contact, dt: f32) {
    let Contact {
        a,
        b,
        point,
        normal,
        depth,
        ..
    } = *contact;
    let across = vec2(-normal.y, normal.x);
    let relative = |bodies: &[Body]| {
        let of_b = b.map_or(Vec2::ZERO, |b| bodies[b].speed_at(point));
        of_b - bodies[a].speed_at(point)
    };
    let yields = |way: Vec2| {
        let of_b = b.map_or(0.0, |b| bodies[b].yielding(point, way));
        bodies[a].yielding(point, way) + of_b
    };
    let (stiff, smooth) = (yields(normal), yields(across));
    let repair = REPAIR / dt * (depth - SLOP).max(0.0);
    let wanted = (repair - relative(bodies).dot(normal)) / stiff;
    let before = contact.sum;
    contact.sum.x = (before.x + wanted).max(0.0);
    apply(bodies, a, b, normal * (contact.sum.x - before.x), point);
    let rub = -relative(bodies).dot(across) / smooth;
    let most = FRICTION * contact.sum.x;
    contact.sum.y = (before.y + rub).clamp(-most, most);
    apply(bodies, a, b, across * (contact.sum.y - before.y), point);
}

fn apply(bodies: &mut [Body], a: usize, b: Option<usize>, impulse: Vec2, point: Vec2) {
    bodies[a].push(-impulse, point);
    if let Some(b) = b {
        bodies[b].push(impulse, point);
    }
}

/// Corners of a box of half size `half` around the origin, clockwise as seen.
pub(super) fn block(half: Vec2) -> Vec<Vec2> {
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        .map(|(x, y)| half * vec2(x, y))
        .to_vec()
}

/// A round thing's corners.
pub(super) fn round(radius: f32) -> Vec<Vec2> {
    (0..10)
        .map(|k| Vec2::from_angle(k as f32 * std::f32::consts::TAU / 10.0) * radius)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stack_stands_still() {
        let mut bodies: Vec<Body> = (0..5)
            .map(|k| {
                Body::new(
                    block(Vec2::splat(24.0)),
                    vec2(0.0, -24.0 - 48.0 * k as f32),
                    1.0,
                )
            })
            .collect();
        for _ in 0..180 {
            step(&mut bodies, 0.0);
        }
        for (number, body) in bodies.iter().enumerate() {
            let place = vec2(0.0, -24.0 - 48.0 * number as f32);
            assert!(body.at.distance(place) < 3.0, "{number} at {}", body.at);
        }
    }

    #[test]
    fn block_on_a_slope_of_speed_comes_to_rest() {
        let mut bodies = vec![Body::new(block(Vec2::splat(20.0)), vec2(0.0, -20.0), 1.0)];
        bodies[0].speed = vec2(4.0, 0.0);
        for _ in 0..120 {
            step(&mut bodies, 0.0);
        }
        assert!(bodies[0].speed.length() < 0.2, "friction stops it");
        assert!(bodies[0].at.x > 10.0, "after a way");
    }

    #[test]
    fn bodies_do_not_sink_into_each_other() {
        let mut bodies = vec![
            Body::new(block(vec2(60.0, 20.0)), vec2(0.0, -20.0), 1.0),
            Body::new(round(18.0), vec2(5.0, -160.0), 2.0),
        ];
        for _ in 0..200 {
            step(&mut bodies, 0.0);
            assert!(bodies[1].at.y < -10.0, "above the ground");
        }
        let overlap = touch(&bodies[0].world(), &bodies[1].world());
        assert!(overlap.iter().all(|hit| hit.2 < 2.0), "{overlap:?}");
    }
}
