//! The reflectance of metallic-roughness surfaces on lanes; formulas in [`super::pbr`].

use std::f32::consts::PI;

use super::albedo::LobeAlbedo;
use super::film::FilmPoint;
use super::grain::Grain;
use super::light::{IncidentLight, Reflector};
use super::lobe::{LobeShape, Mirrored, Pointing};
use super::roughness::Roughness;
use super::vector::{Vector, dot};
use azulejo_simd::{Lanes, each, map};

/// Reflectance at normal incidence of what is no metal: index of refraction 1.5 (glTF 2.0, appendix B.2.3).
pub(super) const DIELECTRIC_F0: f32 = 0.04;

/// Reflectance of the part that is no metal, where a material says more of it than its colour (`KHR_materials_ior`,
/// `KHR_materials_specular`).
#[derive(Debug, Clone, Copy)]
pub(super) struct Dielectric<L: Lanes> {
    /// Reflectance at normal incidence.
    pub(super) f0: Vector<L>,
    /// Reflectance at grazing incidence.
    pub(super) f90: L::F,
}

/// Reflectance that decides how much light a [`Dielectric`] leaves for diffuse reflection: one for all channels, lest
/// coloured reflections tint the ground.
#[derive(Debug, Clone, Copy)]
struct Ground<L: Lanes> {
    /// The largest channel of f0.
    f0: L::F,
    f90: L::F,
}

impl<L: Lanes> Dielectric<L> {
    /// Dielectric of glTF's core: 4 % at normal incidence.
    #[inline(always)]
    pub(super) fn core(l: L) -> Self {
        Self {
            f0: [l.f(DIELECTRIC_F0); 3],
            f90: l.f(1.0),
        }
    }
}

impl<L: Lanes> Ground<L> {
    #[inline(always)]
    fn below(l: L, dielectric: &Dielectric<L>) -> Self {
        let [r, g, b] = dielectric.f0;
        Self {
            f0: l.max(l.max(r, g), b),
            f90: dielectric.f90,
        }
    }
}

/// A material at a point.
#[derive(Debug, Clone, Copy)]
pub(super) struct PointMaterial<L: Lanes> {
    pub(super) base_color: Vector<L>,
    /// Share of metal, 0 to 1.
    pub(super) metallic: L::F,
    /// Perceptual, of any value.
    pub(super) roughness: L::F,
    /// `None`: glTF's core, 4 % at normal incidence.
    pub(super) dielectric: Option<Dielectric<L>>,
}

/// A surface point as light sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Surface<L: Lanes> {
    pub(super) pointing: Pointing<L>,
    pub(super) roughness: Roughness<L>,
    /// Base colour of the part that is no metal.
    pub(super) diffuse_color: Vector<L>,
    /// Reflectance at normal incidence.
    pub(super) f0: Vector<L>,
    /// Reflectance at grazing incidence.
    f90: L::F,
    /// `None`: glTF's core, see [`PointMaterial`].
    ground: Option<Ground<L>>,
    /// Single-scattering albedo of the specular lobe, under even light.
    pub(super) albedo: LobeAlbedo<L>,
}

impl<L: Lanes> Surface<L> {
    /// A point of a material; roughness is clamped here.
    #[inline(always)]
    pub(super) fn new(
        l: L,
        normal: Vector<L>,
        view: Vector<L>,
        material: &PointMaterial<L>,
    ) -> Self {
        l.part(
            #[inline(always)]
            || {
                let pointing = Pointing::new(l, normal, view);
                let roughness = Roughness::new(l, material.roughness);
                let (base_color, metallic) = (material.base_color, material.metallic);
                let share = l.f(1.0) - metallic;
                let albedo = LobeAlbedo::new(l, &roughness, pointing.n_dot_v[1]);
                let (f0, f90, albedo) = match &material.dielectric {
                    None => {
                        let dielectric = share * l.f(DIELECTRIC_F0);
                        let f0 = each!(3, k => l.mul_add(base_color[k], metallic, dielectric));
                        (f0, l.f(1.0), albedo)
                    }
                    Some(dielectric) => {
                        let f0 = dielectric.f0;
                        let f0 = each!(3, k => l.mul_add(base_color[k], metallic, f0[k] * share));
                        let f90 = l.mul_add(dielectric.f90, share, metallic);
                        (f0, f90, albedo.with_f90(f90))
                    }
                };
                Self {
                    pointing,
                    roughness,
                    diffuse_color: map(
                        base_color,
                        #[inline(always)]
                        |c| c * share,
                    ),
                    f0,
                    f90,
                    ground: material.dielectric.as_ref().map(
                        #[inline(always)]
                        |dielectric| Ground::below(l, dielectric),
                    ),
                    albedo,
                }
            },
        )
    }

    /// This surface below a thin film, which changes the specular reflection and, where the surface is no metal, the light
    /// left for the ground.
    #[inline(always)]
    pub(super) fn below_film(self, l: L, film: &FilmPoint<L>, metallic: L::F) -> Self {
        l.part(
            #[inline(always)]
            || {
                let f0 = film.over(l, self.f0, self.pointing.n_dot_v[1]);
                let ground = self.ground.map(
                    #[inline(always)]
                    |ground| {
                        let brightest = l.max(l.max(f0[0], f0[1]), f0[2]);
                        let share = film.factor * (l.f(1.0) - metallic);
                        let f0 = l.mul_add(brightest - ground.f0, share, ground.f0);
                        Ground { f0, ..ground }
                    },
                );
                Self { f0, ground, ..self }
            },
        )
    }

    /// This surface where only this share of the ground's light is scattered back.
    #[inline(always)]
    pub(super) fn with_scattered(self, share: L::F) -> Self {
        Self {
            diffuse_color: map(
                self.diffuse_color,
                #[inline(always)]
                |c| c * share,
            ),
            ..self
        }
    }

    /// Share of light that a facet leaves for the ground, where (1 - V.H)^5 is `schlick`.
    #[inline(always)]
    pub(super) fn left_by_facet(&self, l: L, schlick: L::F) -> L::F {
        let (f0, f90) = match &self.ground {
            None => (l.f(DIELECTRIC_F0), l.f(1.0)),
            Some(ground) => (ground.f0, ground.f90),
        };
        l.f(1.0) - l.mul_add(f90 - f0, schlick, f0)
    }

    /// Share of even light that is left for the ground below the specular lobe.
    #[inline(always)]
    pub(super) fn transmitted(&self, l: L) -> L::F {
        match &self.ground {
            None => self.albedo.transmitted_by_glass(l, DIELECTRIC_F0),
            Some(ground) => self.albedo.transmitted(l, ground.f0),
        }
    }
}

/// A surface point with what all punctual lights on it share.
#[derive(Clone, Copy)]
pub(super) struct LitSurface<L: Lanes> {
    surface: Surface<L>,
    /// Factor on the lobe for what later bounces give back, 1 + f0 (1 / total - 1): E. Turquin, "Practical multiple
    /// scattering compensation for microfacet models", 2019.
    compensation: Vector<L>,
    shape: LobeShape<L>,
    /// Anisotropy of the lobe, where roughness depends on the direction.
    grain: Option<Grain<L>>,
}

impl<L: Lanes> LitSurface<L> {
    /// Terms of `surface` that all punctual lights on it share.
    #[inline(always)]
    pub(super) fn new(l: L, surface: Surface<L>) -> Self {
        l.part(
            #[inline(always)]
            || {
                let given_back = l.f(1.0) / surface.albedo.total - l.f(1.0);
                Self {
                    compensation: map(
                        surface.f0,
                        #[inline(always)]
                        |f0| l.mul_add(f0, given_back, l.f(1.0)),
                    ),
                    shape: LobeShape::new(l, &surface.pointing, surface.roughness.alpha_squared),
                    surface,
                    grain: None,
                }
            },
        )
    }

    /// This surface with a roughness that depends on the direction.
    #[inline(always)]
    pub(super) fn with_grain(self, grain: Option<Grain<L>>) -> Self {
        Self { grain, ..self }
    }
}

impl<L: Lanes> Reflector<L> for LitSurface<L> {
    #[inline(always)]
    fn add_reflected(&self, l: L, light: &IncidentLight<L>, sum: Vector<L>) -> Vector<L> {
        l.part(
            #[inline(always)]
            || {
                let surface = &self.surface;
                let cosine = dot(l, surface.pointing.normal, light.towards);
                if !l.any(l.lt(l.f(0.0), cosine)) {
                    return sum;
                }
                let n_dot_l = l.max(cosine, l.f(0.0));
                let lobe = match &self.grain {
                    None => self.shape.mirrored(l, light, n_dot_l),
                    Some(grain) => grain.mirrored(l, &self.shape, light, n_dot_l),
                };
                let Mirrored {
                    specular,
                    schlick,
                    incident,
                } = lobe;
                let lambert = incident * l.f(1.0 / PI);
                let fresnel = each!(3, k => {
                    l.mul_add(surface.f90 - surface.f0[k], schlick, surface.f0[k])
                });
                let diffuse = each!(3, k => surface.diffuse_color[k] * lambert);
                let reflected = match &surface.ground {
                    None => each!(3, k => {
                        let more = l.mul_add(specular, self.compensation[k], -diffuse[k]);
                        l.mul_add(fresnel[k], more, diffuse[k])
                    }),
                    Some(_) => {
                        let left = surface.left_by_facet(l, schlick);
                        each!(3, k => {
                            let mirrored = specular * self.compensation[k];
                            l.mul_add(fresnel[k], mirrored, diffuse[k] * left)
                        })
                    }
                };
                each!(3, k => l.mul_add(reflected[k], light.radiance[k], sum[k]))
            },
        )
    }
}
