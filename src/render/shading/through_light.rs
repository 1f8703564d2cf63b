//! Punctual lights behind a surface through which light comes (`KHR_materials_transmission`, `KHR_materials_volume`).
//!
//! ```text
//! L'  = L - 2 (N.L) N                                        the light, mirrored to the eye's side
//! f   = (1 - F(V.H')) t (1 - metallic) base color x absorbed x D(H') Vis(L', V);   H' lies halfway between L' and V
//! alpha = roughness^2 clamp(2 ior - 2, 0, 1)                 facets that bend nothing scatter nothing
//! ```
//!
//! For thin walls of the usual index of refraction, 1.5, this is the extension's specular BTDF. Light that crosses a volume
//! is bent once more at its entry, of which a single surface has no data: as viewers do, it is taken where the way of the
//! eye's ray ends, attenuated by the volume along that way.

use super::brdf::Surface;
use super::light::{IncidentLight, Reflector};
use super::lobe::{LobeShape, Mirrored};
use super::roughness::{MIN_ROUGHNESS, shown_of_roughness};
use super::vector::{Vector, dot};
use azulejo_simd::{Lanes, each, map};

/// The lobe of a surface's other side.
pub(super) struct ThroughLobe<L: Lanes> {
    surface: Surface<L>,
    shape: LobeShape<L>,
    /// Share of the light between facets that leaves towards the eye.
    color: Vector<L>,
    /// Position of the incident light on the other side, world space.
    pub(super) position_world: Vector<L>,
}

impl<L: Lanes> ThroughLobe<L> {
    /// Lobe of `surface`, whose facets bend light by `ior`; light falls on the other side at `position_world`, and `color`
    /// of it comes through.
    #[inline(always)]
    pub(super) fn new(
        l: L,
        surface: Surface<L>,
        ior: f32,
        position_world: Vector<L>,
        color: Vector<L>,
    ) -> Self {
        let alpha = surface.roughness.alpha * l.f(shown_of_roughness(ior));
        let alpha = l.max(alpha, l.f(MIN_ROUGHNESS * MIN_ROUGHNESS));
        Self {
            shape: LobeShape::new(l, &surface.pointing, alpha * alpha),
            surface,
            color,
            position_world,
        }
    }

    /// This lobe below layers that leave this share.
    #[inline(always)]
    pub(super) fn below(self, share: L::F) -> Self {
        Self {
            color: map(
                self.color,
                #[inline(always)]
                |c| c * share,
            ),
            ..self
        }
    }
}

impl<L: Lanes> Reflector<L> for ThroughLobe<L> {
    #[inline(always)]
    fn add_reflected(&self, l: L, light: &IncidentLight<L>, sum: Vector<L>) -> Vector<L> {
        l.part(
            #[inline(always)]
            || {
                let normal = self.shape.normal;
                let cosine = dot(l, normal, light.towards);
                if !l.any(l.lt(cosine, l.f(0.0))) {
                    return sum;
                }
                let n_dot_l = l.max(-cosine, l.f(0.0));
                let twice = cosine * l.f(-2.0);
                let mirrored = IncidentLight {
                    towards: each!(3, k => l.mul_add(normal[k], twice, light.towards[k])),
                    ..*light
                };
                let Mirrored {
                    specular, schlick, ..
                } = self.shape.mirrored(l, &mirrored, n_dot_l);
                let share = specular * self.surface.left_by_facet(l, schlick);
                each!(3, k => l.mul_add(self.color[k] * share, light.radiance[k], sum[k]))
            },
        )
    }
}
