//! A surface that is rougher along one direction than across: `KHR_materials_anisotropy`.
//!
//! With a = roughness^2, t = a + (1 - a) strength^2 along the direction T, b = a across (B = N x T), h = L + V of any
//! length:
//!
//! ```text
//! D   = (t b)^3 |h|^4 / (pi F^2),  F = (b T.h)^2 + (t B.h)^2 + (t b N.h)^2
//! Vis = 1/2 / (nl |(t T.V, b B.V, nv)| + nv |(t T.L, b B.L, nl)|)
//! ```
//!
//! (E. Heitz, "Understanding the Masking-Shadowing Function in Microfacet-Based BRDFs", JCGT 2014, sections 5.3 and 5.4.)
//! Later bounces give back as much as the lobe whose squared width is the mean of t^2 and b^2, which has about the
//! same albedo.
//!
//! Image light: facets lean along T by slopes of which w tan(p), w = sqrt(t^2 - b^2), is the distribution, cos(p) its
//! density, all slopes across summed up. The visible share of those at p is V.(N + w tan(p) T), so that the sum over
//! visible facets is sin(p - c), where tan(c) = w T.V / nv. At even steps of that sum the environment is looked up in the
//! mirror direction of the facet f = (cos(p) N + w sin(p) T) / m, bent towards N as that of a surface without grain of
//! width b, and prefiltered for the width that the facets of this slope have across, b sqrt(1 - (b / t sin(p))^2) / m, and
//! [`BLUR`] w along. Each look-up counts by how much light reaches the facet, nl / (nl + |(t T.L, b B.L, nl)|). Without
//! strength all eight are the look-up of a surface without grain. Later bounces gather the same light by the share 1 - b /
//! t, see [`Grain::kept`].

use std::f32::consts::PI;

use super::light::IncidentLight;
use super::lobe::{LobeShape, MIN_N_DOT_V, Mirrored, Pointing, bent};
use super::vector::{Vector, cross, dot, normalize, scale_add};
use azulejo_simd::{Lanes, each};

/// Facets that image light is looked up for.
const LOOKS: usize = 8;

/// How much of the width along T each look-up stands for by itself: with less, a bright lamp shows as eight. By sums over
/// all directions, in three environments, at roughness 0.1 to 0.9 and strength 0.1 to 1, spheres are 4 to 20 of 255 levels
/// off (RMS), with 0.12 up to 28.
const BLUR: f32 = 0.06;

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
    /// Direction of any length, about at right angles to the normal.
    pub(super) along: Vector<L>,
    /// Strength of the anisotropy, 0 to 1.
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

    /// Reflection of light at cosine `n_dot_l` by the lobe.
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

    /// The share of later bounces that gathers light where the first does: facets that face each other across a groove lean
    /// along T, so light that bounces between them stays in its plane as far as they are narrow across. The share is ours.
    #[inline(always)]
    pub(super) fn kept(&self, l: L) -> L::F {
        l.f(1.0) - self.alpha_across / self.alpha_along
    }

    /// The facets that image light is looked up for.
    #[inline(always)]
    pub(super) fn fan(&self, l: L, pointing: &Pointing<L>) -> [Look<L>; LOOKS] {
        l.part(
            #[inline(always)]
            || {
                let Pointing { normal, view, .. } = *pointing;
                let (t, b) = (self.alpha_along, self.alpha_across);
                let width = l.sqrt(l.max(l.mul_add(t, t, -(b * b)), l.f(0.0)));
                let [_, n_dot_v] = pointing.n_dot_v;
                let lean = width * dot(l, self.along, view);
                let inverse = l.f(1.0) / l.sqrt(l.mul_add(lean, lean, n_dot_v * n_dot_v));
                let (sin_c, cos_c) = (lean * inverse, n_dot_v * inverse);
                // The visible range ends where facets turn their back to the eye on one side, and where they stand upright
                // on the other.
                let first = l.select(l.lt(l.f(0.0), lean), l.f(-1.0), -cos_c);
                let step = (cos_c + l.f(1.0)) * l.f(1.0 / LOOKS as f32);
                let blur = width * l.f(BLUR);
                let bent = bent(l, b, l.sqrt(b), n_dot_v);
                let straight = l.f(1.0) - bent;
                let ratio = b / t;
                let mut looks = [Look {
                    towards: view,
                    roughness: blur,
                    weight: blur,
                }; LOOKS];
                let mut sin = l.mul_add(step, l.f(0.5), first);
                for look in &mut looks {
                    let cos = l.sqrt(l.max(l.mul_add(-sin, sin, l.f(1.0)), l.f(0.0)));
                    let sin_p = l.mul_add(sin_c, cos, cos_c * sin);
                    let cos_p = l.max(l.mul_add(cos_c, cos, -(sin_c * sin)), l.f(1e-6));
                    let upright = each!(3, k => normal[k] * cos_p);
                    let leaning = scale_add(l, self.along, width * sin_p, upright);
                    let shorter = l.f(1.0) / l.sqrt(dot(l, leaning, leaning));
                    let facet = each!(3, k => leaning[k] * shorter);
                    let v_dot_h = l.max(dot(l, view, facet), l.f(0.0));
                    let twice = v_dot_h + v_dot_h;
                    let mirror = each!(3, k => l.mul_add(facet[k], twice, -view[k]));
                    let n_dot_l = l.max(dot(l, mirror, normal), l.f(1e-6));
                    let leaned = ratio * sin_p;
                    let narrower = l.max(l.mul_add(-leaned, leaned, l.f(1.0)), l.f(0.0));
                    let across = b * shorter;
                    let width = l.mul_add(across * across, narrower, blur * blur);
                    *look = Look {
                        towards: each!(3, k => l.mul_add(normal[k], bent, mirror[k] * straight)),
                        roughness: l.sqrt(l.sqrt(width)),
                        weight: n_dot_l / (n_dot_l + self.smith(l, mirror, n_dot_l)),
                    };
                    sin = sin + step;
                }
                looks
            },
        )
    }
}

/// A direction in which image light is looked up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look<L: Lanes> {
    /// Direction of the look-up, of any length.
    pub(super) towards: Vector<L>,
    /// Perceptual roughness of the look-up.
    pub(super) roughness: L::F,
    /// Weight of the look-up, above 0.
    pub(super) weight: L::F,
}
