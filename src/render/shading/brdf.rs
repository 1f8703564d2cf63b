//! The reflectance of metallic-roughness surfaces on lanes; formulas in [`super::pbr`].

use std::f32::consts::PI;

use super::albedo::LobeAlbedo;
use super::roughness::Roughness;
use super::vector::{Vector, cross, dot};
use crate::simd::{Lanes, each, map};

/// Reflectance at normal incidence of what is no metal: index of refraction 1.5 (glTF 2.0, appendix B.2.3).
pub(super) const DIELECTRIC_F0: f32 = 0.04;

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
    pub(super) roughness: Roughness<L>,
    /// Base colour of the part that is no metal.
    pub(super) diffuse_color: Vector<L>,
    /// Reflectance at normal incidence.
    pub(super) f0: Vector<L>,
    /// What the specular lobe reflects of even light in one bounce.
    pub(super) albedo: LobeAlbedo<L>,
}

impl<L: Lanes> Surface<L> {
    /// The surface of a base colour. `metallic` within 0..=1; `roughness` is perceptual and clamped here.
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
        let roughness = Roughness::new(l, roughness);
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
                |c| l.mul_add(c, metallic, dielectric * l.f(DIELECTRIC_F0)),
            ),
            albedo: LobeAlbedo::new(l, &roughness, n_dot_v),
        }
    }
}

/// A surface point with what all punctual lights on it share.
#[derive(Debug, Clone, Copy)]
pub(super) struct LitSurface<L: Lanes> {
    surface: Surface<L>,
    /// Factor on the lobe for what later bounces give back, 1 + f0 (1 / total - 1): E. Turquin, "Practical multiple scattering
    /// compensation for microfacet models", 2019.
    compensation: Vector<L>,
    /// sqrt((n . v)^2 (1 - alpha^2) + alpha^2).
    smith_view: L::F,
}

impl<L: Lanes> LitSurface<L> {
    /// For lights on `surface`.
    #[inline(always)]
    pub(super) fn new(l: L, surface: Surface<L>) -> Self {
        let given_back = l.f(1.0) / surface.albedo.total - l.f(1.0);
        Self {
            compensation: map(
                surface.f0,
                #[inline(always)]
                |f0| l.mul_add(f0, given_back, l.f(1.0)),
            ),
            smith_view: smith(l, surface.n_dot_v[1], surface.roughness.alpha_squared),
            surface,
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
        let surface = &self.surface;
        let cosine = dot(l, surface.normal, towards);
        if !l.any(l.lt(l.f(0.0), cosine)) {
            return sum;
        }
        let n_dot_l = l.max(cosine, l.f(0.0));
        let n_dot_v = surface.n_dot_v[1];
        let a2 = surface.roughness.alpha_squared;
        // h = l + v of any length; |h|^2 - (n . h)^2 is |n x h|^2, which does not cancel where the highlight is.
        let half = each!(3, k => towards[k] + surface.view[k]);
        let aside = cross(l, surface.normal, half);
        let aside_squared = dot(l, aside, aside);
        let along = n_dot_l + n_dot_v;
        let along_squared = along * along;
        let q = aside_squared + along_squared;
        let d = l.mul_add(along_squared, a2, aside_squared);
        let smith = l.mul_add(n_dot_l, self.smith_view, n_dot_v * smith(l, n_dot_l, a2));
        let incident = n_dot_l * attenuation;
        let specular = a2 * (q * q) * incident * l.f(0.5 / PI) / (d * d * smith);

        let grazing = l.max(l.mul_add(l.sqrt(q), l.f(-0.5), l.f(1.0)), l.f(0.0));
        let grazing_2 = grazing * grazing;
        let schlick = grazing_2 * grazing_2 * grazing;
        let lambert = incident * l.f(1.0 / PI);
        each!(3, k => {
            let fresnel = l.mul_add(l.f(1.0) - surface.f0[k], schlick, surface.f0[k]);
            let diffuse = surface.diffuse_color[k] * lambert;
            let mirrored = l.mul_add(specular, self.compensation[k], -diffuse);
            let reflected = l.mul_add(fresnel, mirrored, diffuse);
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
