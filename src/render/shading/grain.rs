//! A surface that is rougher along one direction than across: `KHR_materials_anisotropy`.
//!
//! With a = roughness^2, t = a + (1 - a) strength^2 along the direction T, b = a across (B = N x T), h = L + V of any length:
//!
//! ```text
//! D   = (t b)^3 |h|^4 / (pi F^2),  F = (b T.h)^2 + (t B.h)^2 + (t b N.h)^2
//! Vis = 1/2 / (nl |(t T.V, b B.V, nv)| + nv |(t T.L, b B.L, nl)|)
//! ```
//!
//! (E. Heitz, "Understanding the Masking-Shadowing Function in Microfacet-Based BRDFs", JCGT 2014, sections 5.3 and 5.4.) What later bounces
//! give back is that of the lobe whose squared width is the mean of t^2 and b^2, which has about the same albedo.
//!
//! Image light: facets lean along T by slopes whose distribution, all slopes across summed up, has the quantiles
//! w q / sqrt(1 - q^2), q from -1 to 1. The environment, prefiltered for the roughness across, is looked up in the mirror directions of a few
//! facets f = N + slope T at even quantiles, each weighted by how much of it the eye sees, V.f, and by how much light reaches it,
//! nl / (nl + |(t T.L, b B.L, nl)|).

use std::f32::consts::PI;

use super::light::IncidentLight;
use super::lobe::{LobeShape, MIN_N_DOT_V, Mirrored, Pointing};
use super::vector::{Vector, cross, dot, normalize, scale_add};
use crate::simd::{Lanes, each};

/// Facets that image light is looked up for.
const LOOKS: usize = 8;

/// q / sqrt(1 - q^2) for quantiles q of +-1/8, +-3/8, +-5/8 and +-7/8: their slopes.
const SLOPES: [f32; LOOKS] = [
    -1.807_392_3,
    -0.800_640_8,
    -0.404_519_92,
    -0.125_988_16,
    0.125_988_16,
    0.404_519_92,
    0.800_640_8,
    1.807_392_3,
];

/// How much of the width along T each look-up stands for by itself.
const BLUR: f32 = 0.15;

/// The widths of an anisotropic lobe and their directions, for one view.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grain<L: Lanes> {
    /// Unit vectors: along T, across.
    along: Vector<L>,
    across: Vector<L>,
    /// The widths t and b.
    alpha_along: L::F,
    alpha_across: L::F,
    /// |(t T.V, b B.V, nv)|.
    smith_view: L::F,
}

/// A direction of roughness before the view is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Direction<L: Lanes> {
    /// Of any length, about at right angles to the normal.
    pub(super) along: Vector<L>,
    /// 0 to 1.
    pub(super) strength: L::F,
}

impl<L: Lanes> Grain<L> {
    /// The grain of a surface whose width is `alpha` where it is smoothest, seen from `view`.
    #[inline(always)]
    pub(super) fn new(
        l: L,
        direction: &Direction<L>,
        alpha: L::F,
        [normal, view]: [Vector<L>; 2],
    ) -> Self {
        l.part(
            #[inline(always)]
            || {
                let lean = dot(l, direction.along, normal);
                let along = scale_add(l, normal, -lean, direction.along);
                let along = normalize(l, along);
                let across = cross(l, normal, along);
                let strength = direction.strength * direction.strength;
                let mut grain = Self {
                    along,
                    across,
                    alpha_along: l.mul_add(l.f(1.0) - alpha, strength, alpha),
                    alpha_across: alpha,
                    smith_view: alpha,
                };
                let n_dot_v = l.max(l.abs(dot(l, normal, view)), l.f(MIN_N_DOT_V));
                grain.smith_view = grain.smith(l, view, n_dot_v);
                grain
            },
        )
    }

    /// The roughness of an isotropic surface of about the same albedo.
    #[inline(always)]
    pub(super) fn equivalent(&self, l: L) -> L::F {
        let (t, b) = (self.alpha_along, self.alpha_across);
        l.sqrt(l.sqrt(l.mul_add(t, t, b * b) * l.f(0.5)))
    }

    #[inline(always)]
    fn smith(&self, l: L, direction: Vector<L>, cosine: L::F) -> L::F {
        let t = dot(l, self.along, direction) * self.alpha_along;
        let b = dot(l, self.across, direction) * self.alpha_across;
        l.sqrt(l.mul_add(t, t, l.mul_add(b, b, cosine * cosine)))
    }

    /// What the lobe reflects of light at cosine `n_dot_l`.
    #[inline(always)]
    pub(super) fn mirrored(
        &self,
        l: L,
        shape: &LobeShape<L>,
        light: &IncidentLight<L>,
        n_dot_l: L::F,
    ) -> Mirrored<L> {
        l.part(
            #[inline(always)]
            || {
                let half = each!(3, k => light.towards[k] + shape.view[k]);
                let q = dot(l, half, half);
                let product = self.alpha_along * self.alpha_across;
                let t = dot(l, self.along, half) * self.alpha_across;
                let b = dot(l, self.across, half) * self.alpha_along;
                let along = shape.along(n_dot_l);
                let n = along * product;
                let spread = product * q / l.mul_add(t, t, l.mul_add(b, b, n * n));
                let smith = l.mul_add(
                    n_dot_l,
                    self.smith_view,
                    shape.n_dot_v * self.smith(l, light.towards, n_dot_l),
                );
                let incident = n_dot_l * light.attenuation;
                let specular = product * (spread * spread) * incident * l.f(0.5 / PI) / smith;
                Mirrored::new(l, shape.in_front(l, along, specular), incident, q)
            },
        )
    }

    /// The facets that image light is looked up for.
    #[inline(always)]
    pub(super) fn fan(&self, l: L, pointing: &Pointing<L>) -> Fan<L> {
        l.part(
            #[inline(always)]
            || {
                let Pointing { normal, view, .. } = *pointing;
                let (t, b) = (self.alpha_along, self.alpha_across);
                let width = l.sqrt(l.max(l.mul_add(t, t, -(b * b)), l.f(0.0)));
                let blur = width * l.f(BLUR);
                let mut looks = [Look {
                    towards: view,
                    weight: l.f(0.0),
                }; LOOKS];
                for (look, slope) in looks.iter_mut().zip(SLOPES) {
                    let leaning = scale_add(l, self.along, width * l.f(slope), normal);
                    let seen = l.max(dot(l, view, leaning), l.f(0.0));
                    let facet = normalize(l, leaning);
                    let v_dot_h = dot(l, view, facet);
                    let twice = v_dot_h + v_dot_h;
                    let mirror = each!(3, k => l.mul_add(facet[k], twice, -view[k]));
                    // Half of a blurred look-up still counts where its middle lies on the horizon.
                    let above = l.max(dot(l, mirror, normal) + blur, l.f(1e-6));
                    let reached = above / (above + self.smith(l, mirror, above));
                    *look = Look {
                        towards: mirror,
                        weight: l.mul_add(seen, reached, l.f(1e-6)),
                    };
                }
                Fan {
                    roughness: l.sqrt(l.sqrt(l.mul_add(blur, blur, b * b))),
                    looks,
                }
            },
        )
    }
}

/// Directions in which image light is looked up.
pub(super) struct Fan<L: Lanes> {
    /// Perceptual, of each look-up.
    pub(super) roughness: L::F,
    pub(super) looks: [Look<L>; LOOKS],
}

/// One of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look<L: Lanes> {
    /// Unit vector.
    pub(super) towards: Vector<L>,
    /// Above 0.
    pub(super) weight: L::F,
}
