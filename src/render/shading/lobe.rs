//! The GGX lobe: reflection of one light by a rough mirror; formulas in [`super::pbr`].

use std::f32::consts::PI;

use super::light::IncidentLight;
use super::vector::{Vector, cross, dot};
use azulejo_simd::{Lanes, each};

/// Least n . v; interpolated normals may point away from the eye.
pub(super) const MIN_N_DOT_V: f32 = 1e-4;

/// Direction of a lobe, as far as it does not depend on its width.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pointing<L: Lanes> {
    /// Unit vector, world space.
    pub(super) normal: Vector<L>,
    /// Unit vector to the eye, world space.
    pub(super) view: Vector<L>,
    /// n . v as it is, and not below [`MIN_N_DOT_V`].
    pub(super) n_dot_v: [L::F; 2],
}

impl<L: Lanes> Pointing<L> {
    /// About `normal` seen from `view`, both unit vectors.
    #[inline(always)]
    pub(super) fn new(l: L, normal: Vector<L>, view: Vector<L>) -> Self {
        let cosine = dot(l, normal, view);
        Self {
            normal,
            view,
            n_dot_v: [cosine, l.max(cosine, l.f(MIN_N_DOT_V))],
        }
    }
}

/// The GGX lobe of one surface in one view.
#[derive(Debug, Clone, Copy)]
pub(super) struct LobeShape<L: Lanes> {
    /// Unit vector, world space.
    pub(super) normal: Vector<L>,
    /// Unit vector to the eye, world space.
    pub(super) view: Vector<L>,
    /// |n . v|, not below [`MIN_N_DOT_V`].
    pub(super) n_dot_v: L::F,
    /// n . v as it is: below 0 where a mapped or interpolated normal faces away from the eye.
    facing: L::F,
    alpha_squared: L::F,
    /// sqrt((n . v)^2 (1 - alpha^2) + alpha^2).
    smith_view: L::F,
}

/// Reflection of one light by a lobe.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mirrored<L: Lanes> {
    /// D Vis (n . l) times the light's attenuation.
    pub(super) specular: L::F,
    /// Schlick's factor, (1 - V.H)^5.
    pub(super) schlick: L::F,
    /// (n . l) times the light's attenuation.
    pub(super) incident: L::F,
}

impl<L: Lanes> Mirrored<L> {
    /// `half_squared` is |L + V|^2.
    #[inline(always)]
    pub(super) fn new(l: L, specular: L::F, incident: L::F, half_squared: L::F) -> Self {
        let grazing = l.max(
            l.mul_add(l.sqrt(half_squared), l.f(-0.5), l.f(1.0)),
            l.f(0.0),
        );
        let grazing_2 = grazing * grazing;
        Self {
            specular,
            schlick: grazing_2 * grazing_2 * grazing,
            incident,
        }
    }
}

impl<L: Lanes> LobeShape<L> {
    /// The lobe of this squared width.
    #[inline(always)]
    pub(super) fn new(l: L, pointing: &Pointing<L>, alpha_squared: L::F) -> Self {
        let [facing, _] = pointing.n_dot_v;
        let n_dot_v = l.max(l.abs(facing), l.f(MIN_N_DOT_V));
        Self {
            normal: pointing.normal,
            view: pointing.view,
            n_dot_v,
            facing,
            alpha_squared,
            smith_view: smith(l, n_dot_v, alpha_squared),
        }
    }

    /// Reflection of light at cosine `n_dot_l`.
    #[inline(always)]
    pub(super) fn mirrored(&self, l: L, light: &IncidentLight<L>, n_dot_l: L::F) -> Mirrored<L> {
        let n_dot_v = self.n_dot_v;
        let a2 = self.alpha_squared;
        // h = l + v of any length; |h|^2 - (n . h)^2 is |n x h|^2, which does not cancel where the highlight is.
        let half = each!(3, k => light.towards[k] + self.view[k]);
        let aside = cross(l, self.normal, half);
        let aside_squared = dot(l, aside, aside);
        let along = self.along(n_dot_l);
        let along_squared = along * along;
        let q = aside_squared + along_squared;
        let d = l.mul_add(along_squared, a2, aside_squared);
        let smith = l.mul_add(n_dot_l, self.smith_view, n_dot_v * smith(l, n_dot_l, a2));
        let incident = n_dot_l * light.attenuation;
        let specular = a2 * (q * q) * incident * l.f(0.5 / PI) / (d * d * smith);
        Mirrored::new(l, self.in_front(l, along, specular), incident, q)
    }

    /// n . (l + v) for light at cosine `n_dot_l`.
    #[inline(always)]
    pub(super) fn along(&self, n_dot_l: L::F) -> L::F {
        n_dot_l + self.facing
    }

    /// The distribution's factor of n . h > 0: no facet turns its back to the normal. `along` is n . (l + v).
    #[inline(always)]
    pub(super) fn in_front(&self, l: L, along: L::F, specular: L::F) -> L::F {
        // Not 0: where l = -v there is no h, and both sides of the quotient vanish.
        l.select(l.le(l.f(MIN_N_DOT_V), along), specular, l.f(0.0))
    }
}

/// sqrt(cosine^2 (1 - alpha^2) + alpha^2).
#[inline(always)]
fn smith<L: Lanes>(l: L, cosine: L::F, alpha_squared: L::F) -> L::F {
    let squared = cosine * cosine;
    l.sqrt(l.mul_add(squared, l.f(1.0) - alpha_squared, alpha_squared))
}

/// How far a lobe points from the mirror direction (0) towards the normal (1), alpha (1 - (1 - roughness) n.v), as masking
/// and the horizon cut off its far side. The weight is ours: it misses the mean direction of the lobe by 0.08 radians on
/// average over roughness and angle; the mirror direction misses it by 0.38, that of Lagarde and de Rousiers, "Moving
/// Frostbite to Physically Based Rendering", 2014, section 4.9.3, by 0.10.
#[inline(always)]
pub(super) fn bent<L: Lanes>(l: L, alpha: L::F, roughness: L::F, n_dot_v: L::F) -> L::F {
    alpha * l.mul_add(roughness - l.f(1.0), n_dot_v, l.f(1.0))
}
