//! GGX facets under Smith's assumption: how they lie, hide each other, and what they make of light that meets several of
//! them. Heitz 2014 ("Understanding the Masking-Shadowing Function"); Dupuy and Benyoub 2023 ("Sampling Visible GGX Normals
//! with Spherical Caps"); Heitz, Hanika, d'Eon, Dachsbacher 2016 ("Multiple-Scattering Microfacet BSDFs with the Smith
//! Model"). Directions are local: z is the normal.

use std::f64::consts::PI;

use glam::DVec3;

use super::random::Random;

/// Tangent frame of a surface: tangent, bitangent, normal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) normal: DVec3,
    along: DVec3,
    across: DVec3,
}

impl Frame {
    /// Frame with the tangent as near to `along` as the normal lets it be; `sign` is the bitangent's.
    pub(crate) fn new(normal: DVec3, along: DVec3, sign: f64) -> Self {
        let along = (along - normal * normal.dot(along)).try_normalize();
        let along = along.unwrap_or_else(|| normal.any_orthonormal_vector());
        let across = normal.cross(along) * if sign < 0.0 { -1.0 } else { 1.0 };
        Self {
            normal,
            along,
            across,
        }
    }

    pub(crate) fn local(&self, world: DVec3) -> DVec3 {
        DVec3::new(
            self.along.dot(world),
            self.across.dot(world),
            self.normal.dot(world),
        )
    }

    pub(crate) fn world(&self, local: DVec3) -> DVec3 {
        self.along * local.x + self.across * local.y + self.normal * local.z
    }
}

/// The widths of the lobe.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facets {
    pub(crate) along: f64,
    pub(crate) across: f64,
}

/// Greatest number of facets that light meets; by then next to nothing is left.
const BOUNCES: usize = 32;

impl Facets {
    /// How many facets have this normal, by solid angle and area.
    fn distribution(&self, half: DVec3) -> f64 {
        let stretched = DVec3::new(half.x / self.along, half.y / self.across, half.z);
        let squared = stretched.length_squared();
        1.0 / (PI * self.along * self.across * squared * squared)
    }

    /// Smith's function; below 0 for directions below the surface.
    fn lambda(&self, towards: DVec3) -> f64 {
        let wide = (towards.x * self.along).powi(2) + (towards.y * self.across).powi(2);
        let root = (1.0 + wide / towards.z.powi(2).max(1e-18)).sqrt();
        0.5 * (root.copysign(towards.z) - 1.0)
    }

    /// The share of facets that both directions see.
    pub(crate) fn seen_by_both(&self, view: DVec3, light: DVec3) -> f64 {
        1.0 / (1.0 + self.lambda(view) + self.lambda(light))
    }

    pub(crate) fn seen(&self, towards: DVec3) -> f64 {
        1.0 / (1.0 + self.lambda(towards))
    }

    /// Reflectance of mirrors met once, by solid angle.
    pub(crate) fn mirrored(&self, view: DVec3, light: DVec3) -> f64 {
        let half = (view + light).normalize();
        self.distribution(half) * self.seen_by_both(view, light) / (4.0 * view.z * light.z)
    }

    /// How dense [`Self::visible`] and a mirror choose `light`.
    pub(crate) fn density(&self, view: DVec3, light: DVec3) -> f64 {
        let half = (view + light).normalize();
        self.distribution(half) * self.seen(view) / (4.0 * view.z)
    }

    /// The normal of a facet that is seen from a direction, which may lie below the surface.
    pub(crate) fn visible(&self, view: DVec3, random: &mut Random) -> DVec3 {
        let stretch = DVec3::new(self.along, self.across, 1.0);
        let stretched = (view * stretch).normalize();
        let [turn, height] = random.pair();
        let z = (1.0 - height) * (1.0 + stretched.z) - stretched.z;
        let across = (1.0 - z * z).max(0.0).sqrt();
        let (sin, cos) = (2.0 * PI * turn).sin_cos();
        let cap = DVec3::new(across * cos, across * sin, z);
        ((cap + stretched) * stretch).normalize()
    }

    /// How far up a ray leaves the facets' surface (heights are even from -1 to 1); none if it leaves them.
    fn next_height(&self, along: DVec3, height: f64, random: &mut Random) -> Option<f64> {
        let chance = random.unit();
        if along.z > 0.9999 {
            return None;
        }
        let below = (0.5 * (height + 1.0)).clamp(0.0, 1.0);
        if along.z < -0.9999 {
            return Some(2.0 * chance * below - 1.0);
        }
        if along.z.abs() < 1e-4 {
            return Some(height);
        }
        let lambda = self.lambda(along);
        if along.z > 0.0 && chance > 1.0 - below.powf(lambda) {
            return None;
        }
        let left = below / (1.0 - chance).powf(1.0 / lambda);
        Some((2.0 * left - 1.0).clamp(-1.0, 1.0))
    }

    /// The share of a direction's light that reaches this height.
    fn reaches(&self, towards: DVec3, height: f64) -> f64 {
        if towards.z <= 0.0 {
            return 0.0;
        }
        (0.5 * (height + 1.0))
            .clamp(0.0, 1.0)
            .powf(self.lambda(towards))
    }

    /// Walks over facets of a metal until light leaves them: in which direction, and how much of it. `meets` gets every
    /// facet met: how often others were met before, where light comes from, how high it is, and how much is left before
    /// this one.
    fn walk_over(
        &self,
        view: DVec3,
        f0: DVec3,
        random: &mut Random,
        mut meets: impl FnMut(usize, DVec3, f64, DVec3),
    ) -> Option<(DVec3, DVec3)> {
        let (mut back, mut height, mut kept) = (view, 1.0 - 1e-9, DVec3::ONE);
        for bounce in 0..BOUNCES {
            let Some(at) = self.next_height(-back, height, random) else {
                return Some((-back, kept));
            };
            height = at;
            meets(bounce, back, height, kept);
            let half = self.visible(back, random);
            kept *= schlick(f0, 1.0, back.dot(half));
            back = -mirrored_at(half, back).normalize();
        }
        None
    }

    /// Direction in which light that came from `view` leaves, and its weight.
    pub(crate) fn walk(
        &self,
        view: DVec3,
        f0: DVec3,
        random: &mut Random,
    ) -> Option<(DVec3, DVec3)> {
        self.walk_over(view, f0, random, |_, _, _, _| {})
    }

    /// Radiance towards `view` of light from `light` that met more than one facet, one try of many: its mean is reflectance
    /// times cosine.
    pub(crate) fn walked(
        &self,
        view: DVec3,
        light: DVec3,
        f0: DVec3,
        random: &mut Random,
    ) -> DVec3 {
        let mut sum = DVec3::ZERO;
        self.walk_over(view, f0, random, |bounce, back, height, kept| {
            if bounce > 0 {
                sum += kept * self.phase(back, light, f0) * self.reaches(light, height);
            }
        });
        sum
    }

    /// Phase function of one facet from `from` to `towards`, both away from it, by solid angle.
    fn phase(&self, from: DVec3, towards: DVec3, f0: DVec3) -> DVec3 {
        let half = (from + towards).normalize_or_zero();
        if half.z <= 0.0 {
            return DVec3::ZERO;
        }
        let wide = (from.x * self.along).powi(2) + (from.y * self.across).powi(2);
        let projected = 0.5 * ((from.z * from.z + wide).sqrt() + from.z);
        let visible = self.distribution(half) / projected.max(1e-12);
        schlick(f0, 1.0, from.dot(half)) * (visible / 4.0)
    }
}

/// The mirror direction of `view` about a facet's normal.
pub(crate) fn mirrored_at(half: DVec3, view: DVec3) -> DVec3 {
    half * (2.0 * view.dot(half)) - view
}

/// Fresnel reflectance by Schlick 1994.
pub(crate) fn schlick(f0: DVec3, f90: f64, cosine: f64) -> DVec3 {
    f0 + (DVec3::splat(f90) - f0) * (1.0 - cosine.clamp(0.0, 1.0)).powi(5)
}
