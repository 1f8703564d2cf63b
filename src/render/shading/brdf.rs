//! The reflectance of metallic-roughness surfaces on lanes; formulas in [`super::pbr`].

use std::f32::consts::PI;

use super::vector::{Vector, dot};
use crate::simd::{Lanes, each, map};

/// Least perceptual roughness: below it, highlights of punctual lights are smaller than single precision resolves.
pub(super) const MIN_ROUGHNESS: f32 = 0.045;

/// Least n . v; interpolated normals may point away from the eye.
const MIN_N_DOT_V: f32 = 1e-4;

/// A surface point as light sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Surface<L: Lanes> {
    /// Unit vector, world space.
    pub(super) normal: Vector<L>,
    /// Unit vector to the eye, world space.
    pub(super) view: Vector<L>,
    /// n . v as it is, and not below [`MIN_N_DOT_V`].
    pub(super) n_dot_v: [L::F; 2],
    /// Perceptual roughness, [`MIN_ROUGHNESS`] to 1.
    pub(super) roughness: L::F,
    /// Base colour of the part that is no metal.
    pub(super) diffuse_color: Vector<L>,
    /// Reflectance at normal incidence.
    pub(super) f0: Vector<L>,
    /// alpha^2 = roughness^4.
    alpha_squared: L::F,
    /// sqrt((n . v)^2 (1 - alpha^2) + alpha^2).
    smith_view: L::F,
}

impl<L: Lanes> Surface<L> {
    /// The surface of a base colour. `metallic` within 0..=1; `roughness` is clamped here.
    #[inline(always)]
    pub(super) fn new(
        l: L,
        normal: Vector<L>,
        view: Vector<L>,
        base_color: Vector<L>,
        metallic: L::F,
        roughness: L::F,
    ) -> Self {
        let cosine = dot(l, normal, view);
        let n_dot_v = l.max(cosine, l.f(MIN_N_DOT_V));
        let roughness = l.min(l.max(roughness, l.f(MIN_ROUGHNESS)), l.f(1.0));
        let alpha = roughness * roughness;
        let alpha_squared = alpha * alpha;
        let dielectric = l.f(1.0) - metallic;
        Self {
            normal,
            view,
            n_dot_v: [cosine, n_dot_v],
            roughness,
            diffuse_color: map(
                base_color,
                #[inline(always)]
                |c| c * dielectric,
            ),
            f0: map(
                base_color,
                #[inline(always)]
                |c| l.mul_add(c, metallic, dielectric * l.f(0.04)),
            ),
            alpha_squared,
            smith_view: smith(l, n_dot_v, alpha_squared),
        }
    }

    /// Adds the light of `radiance` times `attenuation` from `towards` (unit vector) that is reflected to the eye.
    #[inline(always)]
    pub(super) fn add_reflected(
        &self,
        l: L,
        towards: Vector<L>,
        attenuation: L::F,
        radiance: Vector<L>,
        sum: Vector<L>,
    ) -> Vector<L> {
        let cosine = dot(l, self.normal, towards);
        if !l.any(l.lt(l.f(0.0), cosine)) {
            return sum;
        }
        let n_dot_l = l.max(cosine, l.f(0.0));
        let n_dot_v = self.n_dot_v[1];
        let a2 = self.alpha_squared;
        // q = |l + v|^2, so that (n . h)^2 = (n . l + n . v)^2 / q, and v . h = sqrt(q) / 2.
        let q = l.max(
            l.mul_add(dot(l, self.view, towards), l.f(2.0), l.f(2.0)),
            l.f(1e-6),
        );
        let along = n_dot_l + n_dot_v;
        let d = l.max(l.mul_add(along * along, a2 - l.f(1.0), q), a2 * q);
        let smith = l.mul_add(n_dot_l, self.smith_view, n_dot_v * smith(l, n_dot_l, a2));
        let incident = n_dot_l * attenuation;
        let specular = a2 * (q * q) * incident * l.f(0.5 / PI) / (d * d * smith);

        let grazing = l.max(l.mul_add(l.sqrt(q), l.f(-0.5), l.f(1.0)), l.f(0.0));
        let grazing_2 = grazing * grazing;
        let schlick = grazing_2 * grazing_2 * grazing;
        let lambert = incident * l.f(1.0 / PI);
        each!(3, k => {
            let fresnel = l.mul_add(l.f(1.0) - self.f0[k], schlick, self.f0[k]);
            let diffuse = self.diffuse_color[k] * lambert;
            let reflected = l.mul_add(fresnel, specular - diffuse, diffuse);
            l.mul_add(reflected, radiance[k], sum[k])
        })
    }
}

/// sqrt(cosine^2 (1 - alpha^2) + alpha^2).
#[inline(always)]
fn smith<L: Lanes>(l: L, cosine: L::F, alpha_squared: L::F) -> L::F {
    let squared = cosine * cosine;
    l.sqrt(l.mul_add(squared, l.f(1.0) - alpha_squared, alpha_squared))
}
