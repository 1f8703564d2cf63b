//! A clear varnish over everything else: `KHR_materials_clearcoat`.
//!
//! ```text
//! coat = 4 % at normal incidence, GGX of its own roughness about its own normal Nc
//! A    = what it reflects of even light towards V, later bounces included;  c = its factor
//! radiance = (what lies below, emission included) (1 - c A) + c (what the coat reflects)
//! ```
//!
//! The extension's notes take Schlick's term at Nc.V for A; the albedo is the same for a smooth coat, and balances the
//! books for a rough one.

use super::albedo::LobeAlbedo;
use super::brdf::DIELECTRIC_F0;
use super::image_light::ImageLight;
use super::light::{IncidentLight, Reflector};
use super::lobe::{LobeShape, Pointing};
use super::roughness::Roughness;
use super::vector::{Vector, dot};
use azulejo_simd::{Lanes, each};

/// A coat at a point, for one view.
#[derive(Debug, Clone, Copy)]
pub(super) struct CoatPoint<L: Lanes> {
    factor: L::F,
    shape: LobeShape<L>,
    pointing: Pointing<L>,
    roughness: Roughness<L>,
    /// A times the factor.
    reflected: L::F,
    /// Factor on the lobe for later bounces, as [`super::brdf::LitSurface`] has it.
    compensation: L::F,
}

impl<L: Lanes> CoatPoint<L> {
    /// A coat that covers `factor` of the point; perceptual roughness is clamped here.
    #[inline(always)]
    pub(super) fn new(
        l: L,
        factor: L::F,
        roughness: L::F,
        normal: Vector<L>,
        view: Vector<L>,
    ) -> Self {
        l.part(
            #[inline(always)]
            || {
                let pointing = Pointing::new(l, normal, view);
                let roughness = Roughness::new(l, roughness);
                let albedo = LobeAlbedo::new(l, &roughness, pointing.n_dot_v[1]);
                let through = albedo.transmitted_by_glass(l, DIELECTRIC_F0);
                let given_back = l.f(1.0) / albedo.total - l.f(1.0);
                Self {
                    factor,
                    shape: LobeShape::new(l, &pointing, roughness.alpha_squared),
                    pointing,
                    roughness,
                    reflected: (l.f(1.0) - through) * factor,
                    compensation: l.mul_add(given_back, l.f(DIELECTRIC_F0), l.f(1.0)),
                }
            },
        )
    }

    /// Share of light left for the layers below.
    #[inline(always)]
    pub(super) fn below(&self, l: L) -> L::F {
        l.f(1.0) - self.reflected
    }

    /// Reflection of the environment by the coat.
    #[inline(always)]
    pub(super) fn of_environment(&self, l: L, environment: &ImageLight<'_>) -> Vector<L> {
        let radiance = environment.mirrored(l, &self.roughness, &self.pointing);
        each!(3, k => radiance[k] * self.reflected)
    }
}

impl<L: Lanes> Reflector<L> for CoatPoint<L> {
    #[inline(always)]
    fn add_reflected(&self, l: L, light: &IncidentLight<L>, sum: Vector<L>) -> Vector<L> {
        l.part(
            #[inline(always)]
            || {
                let cosine = dot(l, self.shape.normal, light.towards);
                if !l.any(l.lt(l.f(0.0), cosine)) {
                    return sum;
                }
                let n_dot_l = l.max(cosine, l.f(0.0));
                let lobe = self.shape.mirrored(l, light, n_dot_l);
                let fresnel = l.mul_add(lobe.schlick, l.f(1.0 - DIELECTRIC_F0), l.f(DIELECTRIC_F0));
                let share = fresnel * lobe.specular * self.compensation * self.factor;
                each!(3, k => l.mul_add(share, light.radiance[k], sum[k]))
            },
        )
    }
}
