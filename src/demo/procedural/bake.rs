//! Baked light: how much of the sun and the sky a surface point still gets, as a factor for vertex colours.
//!
//! The renderer casts no shadows, so content brings them along, as games for small GPUs do. Objects stand in as sets of
//! spheres, for which shadow and ambient occlusion have closed forms: no rays, no noise (ambient: the form factor of a
//! sphere above the horizon, Quilez, "Sphere Ambient Occlusion", 2008).

use glam::Vec3;

/// A sphere that keeps light away from others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Occluder {
    /// Objects do not darken themselves: points of the same object skip it.
    pub(crate) object: u32,
    /// Middle of the sphere, world space, metres.
    pub(crate) centre: Vec3,
    /// Radius of the sphere in metres, above 0.
    pub(crate) radius: f32,
    /// Share of the sun that passes: 0 for solid things, a colour for glass.
    pub(crate) transmission: Vec3,
    /// How much of the sky it hides, 0..1; less than 1 where spheres overlap.
    pub(crate) ambient: f32,
    /// Colour of the light that it sends on in the sky's stead.
    pub(crate) bounce: Vec3,
}

/// Occluders in clusters, so that most points skip most of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Occlusion {
    clusters: Vec<Cluster>,
}

/// Neighbouring occluders of one object inside a common sphere.
#[derive(Debug, Clone, PartialEq)]
struct Cluster {
    object: u32,
    centre: Vec3,
    radius: f32,
    /// The largest member's radius.
    largest: f32,
    /// Whether any member hides sky.
    ambient: bool,
    members: Vec<Occluder>,
}

impl Occlusion {
    /// Runs of up to 24 consecutive occluders of one object become a cluster each: give neighbours one after another.
    #[must_use]
    pub(crate) fn new(occluders: &[Occluder]) -> Self {
        let runs = occluders.chunk_by(|a, b| a.object == b.object);
        let clusters = runs.flat_map(|run| run.chunks(24)).map(Cluster::around);
        Self {
            clusters: clusters.collect(),
        }
    }
}

impl Cluster {
    fn around(members: &[Occluder]) -> Self {
        let fold = |start: Vec3, pick: fn(Vec3, Vec3) -> Vec3| {
            members.iter().map(|o| o.centre).fold(start, pick)
        };
        let centre = (fold(Vec3::INFINITY, Vec3::min) + fold(Vec3::NEG_INFINITY, Vec3::max)) * 0.5;
        let reach = |o: &Occluder| o.centre.distance(centre) + o.radius;
        Self {
            object: members[0].object,
            centre,
            radius: members.iter().map(reach).fold(0.0, f32::max),
            largest: members.iter().map(|o| o.radius).fold(0.0, f32::max),
            ambient: members.iter().any(|o| o.ambient > 0.0),
            members: members.to_vec(),
        }
    }

    /// Whether any member at least reaches the [`NEGLIGIBLE`] share of the sky from a point this far off.
    fn may_hide_sky(&self, offset: Vec3) -> bool {
        let gap = (offset.length() - self.radius).max(0.0);
        self.ambient && self.largest * self.largest >= NEGLIGIBLE * gap * gap
    }
}

/// The light that is baked for: one sun and a sky that changes from below to above.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Illumination {
    /// Unit vector in world space.
    pub(crate) towards_sun: Vec3,
    /// Irradiance of a surface that faces the sun.
    pub(crate) sun: Vec3,
    /// Half the angle under which the sun appears, radians: softens shadows.
    pub(crate) sun_angle: f32,
    /// Half the width of the sharpest penumbra, metres: what the vertices can still follow.
    pub(crate) sharpest: f32,
    /// Irradiance of a surface that faces up.
    pub(crate) sky: Vec3,
    /// Irradiance of a surface that faces down.
    pub(crate) ground: Vec3,
    /// Share of sky and ground that the surroundings let through, 0..1.
    pub(crate) open: f32,
}

impl Illumination {
    /// Share of the light that remains at a point with unit `normal` that belongs to `object`: a factor by channel, 0..1.
    #[must_use]
    pub(crate) fn remaining(
        &self,
        occlusion: &Occlusion,
        object: u32,
        position: Vec3,
        normal: Vec3,
    ) -> Vec3 {
        let ambient = self.ground.lerp(self.sky, normal.y * 0.5 + 0.5);
        let sun = self.sun * normal.dot(self.towards_sun).max(0.0);
        let mut sun_left = Vec3::ONE;
        let mut sky_left = 1.0;
        let mut bounced = Vec3::ZERO;
        for cluster in &occlusion.clusters {
            if cluster.object == object {
                continue;
            }
            let offset = cluster.centre - position;
            if self.may_shadow(offset, cluster.radius) {
                for occluder in &cluster.members {
                    let shadow = self.shadow(occluder.centre - position, occluder.radius);
                    sun_left *= Vec3::ONE - (Vec3::ONE - occluder.transmission) * shadow;
                }
            }
            if cluster.may_hide_sky(offset) {
                for occluder in &cluster.members {
                    let offset = occluder.centre - position;
                    let hidden =
                        occluder.ambient * sphere_form_factor(offset, occluder.radius, normal);
                    sky_left *= 1.0 - hidden;
                    bounced += occluder.bounce * hidden;
                }
            }
        }
        let bounced = bounced.min(Vec3::splat(1.0 - sky_left));
        let lit = ambient * self.open * (bounced + sky_left) + sun * sun_left;
        (lit / (ambient + sun)).clamp(Vec3::ZERO, Vec3::ONE)
    }

    /// Whether anything inside a sphere at `offset` can throw a shadow here.
    fn may_shadow(&self, offset: Vec3, radius: f32) -> bool {
        let along = offset.dot(self.towards_sun);
        let reach = radius + (along + radius) * self.sun_angle + self.sharpest;
        along > -radius && offset.length_squared() - along * along < reach * reach
    }

    /// How deep in the shadow of a sphere at `offset` a point lies, 0..1.
    fn shadow(&self, offset: Vec3, radius: f32) -> f32 {
        let along = offset.dot(self.towards_sun);
        if along <= 0.0 {
            return 0.0;
        }
        let penumbra = along * self.sun_angle + self.sharpest;
        let reach = radius + penumbra;
        let across2 = offset.length_squared() - along * along;
        if across2 >= reach * reach {
            return 0.0;
        }
        let depth = ((reach - across2.max(0.0).sqrt()) / (2.0 * penumbra)).min(1.0);
        // A sphere smaller than the sun's disc never hides all of it.
        let full = (radius / (along * self.sun_angle)).powi(2).min(1.0);
        depth * depth * (3.0 - 2.0 * depth) * full
    }
}

/// Form factors below this are left out: most spheres are far from most points.
const NEGLIGIBLE: f32 = 1e-3;

/// Share of the cosine-weighted hemisphere that a sphere at `offset` fills, its cut by the horizon eased.
fn sphere_form_factor(offset: Vec3, radius: f32, normal: Vec3) -> f32 {
    let distance2 = offset.length_squared().max(radius * radius);
    if radius * radius < NEGLIGIBLE * distance2 {
        return 0.0;
    }
    let distance = distance2.sqrt();
    let rise = normal.dot(offset) / distance;
    let reach = radius / distance;
    // From fully below the horizon (-reach) to fully above (+reach).
    let above = ((rise + reach) / (2.0 * reach)).clamp(0.0, 1.0);
    rise.max(0.5 * reach * above) * above * (radius * radius / distance2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIGHT: Illumination = Illumination {
        towards_sun: Vec3::Y,
        sun: Vec3::splat(3.0),
        sun_angle: 0.02,
        sharpest: 0.0,
        sky: Vec3::ONE,
        ground: Vec3::splat(0.5),
        open: 1.0,
    };

    fn ball(centre: Vec3, radius: f32) -> Occluder {
        Occluder {
            object: 1,
            centre,
            radius,
            transmission: Vec3::ZERO,
            ambient: 1.0,
            bounce: Vec3::ZERO,
        }
    }

    #[test]
    fn bake_without_occluders_leaves_all_light() {
        let left = LIGHT.remaining(&Occlusion::default(), 0, Vec3::ZERO, Vec3::Y);
        assert_eq!(left, Vec3::ONE, "nothing in the way");
    }

    #[test]
    fn bake_shadow_takes_the_sun_and_leaves_sky() {
        let high = ball(Vec3::Y * 10.0, 1.0);
        let left = LIGHT
            .remaining(&Occlusion::new(&[high]), 0, Vec3::ZERO, Vec3::Y)
            .x;
        assert!(
            (left - 0.2475).abs() < 1e-3,
            "a quarter of the light less 1/100 of the sky, not {left}"
        );
        let beside = LIGHT
            .remaining(&Occlusion::new(&[high]), 0, Vec3::X * 3.0, Vec3::Y)
            .x;
        assert!(beside > 0.99, "outside the shadow: {beside}");
    }

    #[test]
    fn bake_glass_colours_the_sun() {
        let glass = Occluder {
            transmission: Vec3::new(0.0, 0.5, 1.0),
            ambient: 0.0,
            ..ball(Vec3::Y * 4.0, 1.0)
        };
        let left = LIGHT.remaining(&Occlusion::new(&[glass]), 0, Vec3::ZERO, Vec3::Y);
        assert!(
            left.distance(Vec3::new(0.25, 0.625, 1.0)) < 1e-3,
            "tinted: {left}"
        );
    }

    #[test]
    fn bake_skips_the_object_itself() {
        let left = LIGHT.remaining(
            &Occlusion::new(&[ball(Vec3::Y, 0.9)]),
            1,
            Vec3::ZERO,
            Vec3::Y,
        );
        assert_eq!(left, Vec3::ONE, "own spheres do not count");
    }

    #[test]
    fn bake_in_clusters_equals_bake_one_by_one() {
        let scattered: Vec<Occluder> = (0..60)
            .map(|i| {
                let at = Vec3::new((i % 7) as f32, (i % 5) as f32 + 0.5, (i % 11) as f32) * 0.7;
                Occluder {
                    object: i / 20,
                    ..ball(at, 0.1 + 0.01 * (i % 9) as f32)
                }
            })
            .collect();
        let one_by_one = Occlusion {
            clusters: scattered.chunks(1).map(Cluster::around).collect(),
        };
        let clusters = Occlusion::new(&scattered);
        for i in 0..200 {
            let at = Vec3::new(i as f32 * 0.03, 0.0, i as f32 * 0.05);
            let normal = Vec3::new(0.3, 1.0, 0.1).normalize();
            let [a, b] = [&clusters, &one_by_one].map(|o| LIGHT.remaining(o, 9, at, normal));
            assert!(a.distance(b) < 1e-5, "at {at}: {a} and {b}");
        }
    }

    #[test]
    fn bake_contact_is_darkest() {
        let at = |x: f32| {
            LIGHT
                .remaining(
                    &Occlusion::new(&[ball(Vec3::Y, 1.0)]),
                    0,
                    Vec3::X * x,
                    Vec3::Y,
                )
                .x
        };
        assert!(
            at(1.2) < at(2.0) && at(2.0) < at(5.0),
            "light grows with distance"
        );
    }
}
