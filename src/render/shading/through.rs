//! Light that comes through a surface: `KHR_materials_transmission`, `KHR_materials_volume`, `KHR_materials_dispersion`,
//! `KHR_materials_diffuse_transmission`.
//!
//! ```text
//! ground = what the dielectric's reflection leaves:  (1 - t) diffuse + t (1 - metallic) base color x behind x absorbed
//! diffuse = (1 - d) back scattered + d color x (light that falls on the other side) x absorbed
//! way    = thickness x scale of the placement x refract(-V, N, 1 / ior)
//! behind = the radiance of the pass before where (position + way) is seen, at the level of the roughness; for thin walls where the
//!          point itself is seen
//! absorbed = attenuation color^(length of the way / attenuation distance)          Beer's law
//! ior of red, green, blue = ior - s, ior, ior + s;  s = (ior - 1) dispersion / 40
//! ```
//!
//! Without a pass drawn before, the background is the environment along the refracted ray. Lamps behind the surface are
//! seen by a lobe of their own ([`super::through_light`]).

use std::sync::Arc;

use glam::{Mat4, Vec3};

use super::behind::Behind;
use super::brdf::Surface;
use super::image_light::ImageLight;
use super::light::{IncidentLight, Reflector};
use super::special::exp;
use super::through_light::ThroughLobe;
use super::vector::{Vector, dot, scale_add, splat};
use azulejo_scene::{Material, Volume};
use azulejo_simd::{Lanes, each};

/// How a draw sees the pass that was drawn before.
#[derive(Debug, Clone)]
pub struct BehindView {
    /// Texture that the pass was drawn into.
    pub target: Arc<Behind>,
    /// World to clip space.
    pub clip_from_world: Mat4,
    /// Length in the world of what has length 1 in the mesh's space.
    pub scale: f32,
}

/// The constants of a material that lets light through.
#[derive(Debug, Clone)]
pub(super) struct ThroughConstants {
    pub(super) transmission: f32,
    pub(super) scattered: f32,
    pub(super) scattered_color: Vec3,
    pub(super) volume: Volume,
    ior: f32,
    /// ln(attenuation color) / attenuation distance, by metre.
    absorption: Vec3,
    pub(super) behind: Option<BehindView>,
}

impl ThroughConstants {
    /// Constants of a material, if it lets light through.
    pub(super) fn of(material: &Material) -> Option<Self> {
        let transmission = material.transmission.map_or(0.0, |it| it.factor);
        let scattered = material.diffuse_transmission.unwrap_or_default();
        if transmission == 0.0 && scattered.factor == 0.0 {
            return None;
        }
        let volume = material.volume.unwrap_or_default();
        let color = volume.attenuation_color.max(Vec3::splat(1e-6));
        Some(Self {
            transmission,
            scattered: scattered.factor,
            scattered_color: scattered.color,
            ior: if material.ior == 0.0 {
                1.5
            } else {
                material.ior
            },
            absorption: color.map(f32::ln) / volume.attenuation_distance,
            volume,
            behind: None,
        })
    }

    /// Indices of refraction of red, green and blue.
    fn iors(&self) -> [f32; 3] {
        let spread = (self.ior - 1.0) * self.volume.dispersion * 0.025;
        [-1.0, 0.0, 1.0].map(|side: f32| (self.ior + side * spread).max(1.0))
    }

    /// The length in the world of what `thickness` is in the mesh.
    #[inline(always)]
    fn scaled<L: Lanes>(&self, l: L, thickness: L::F) -> L::F {
        thickness * l.f(self.behind.as_ref().map_or(1.0, |behind| behind.scale))
    }

    /// Transmittance of `length` metres, by channel.
    #[inline(always)]
    pub(super) fn absorbed<L: Lanes>(&self, l: L, length: L::F) -> Vector<L> {
        let absorption = self.absorption.to_array();
        each!(3, k => exp(l, length * l.f(absorption[k])))
    }

    /// Transmittance of the surface's thickness, for light that is scattered through.
    #[inline(always)]
    pub(super) fn absorbed_across<L: Lanes>(&self, l: L, thickness: L::F) -> Vector<L> {
        self.absorbed(l, self.scaled(l, thickness))
    }
}

/// A point through which light comes, and how it is seen.
pub(super) struct ThroughPoint<L: Lanes> {
    pub(super) position_world: Vector<L>,
    /// Unit normal, world space.
    pub(super) normal: Vector<L>,
    /// Unit vector to the eye.
    pub(super) view: Vector<L>,
    /// Perceptual roughness of the surface.
    pub(super) roughness: L::F,
    /// Thickness in the mesh's space.
    pub(super) thickness: L::F,
    /// Pixel centre, screen space.
    pub(super) position_px: [L::F; 2],
}

impl ThroughConstants {
    /// The light that comes through, before base colour and factors.
    #[inline(always)]
    pub(super) fn seen<L: Lanes>(
        &self,
        l: L,
        point: &ThroughPoint<L>,
        environment: Option<&ImageLight<'_>>,
    ) -> Vector<L> {
        l.part(
            #[inline(always)]
            || {
                let iors = self.iors();
                let alike = self.volume.thickness == 0.0 || iors[0] == iors[2];
                // One call in the source is one copy in the program.
                let mut seen = point.view;
                for channel in if alike { 1..2 } else { 0..3 } {
                    let color = self.seen_through(l, point, iors[channel], environment);
                    if alike {
                        return color;
                    }
                    seen[channel] = color[channel];
                }
                seen
            },
        )
    }

    /// The way of the eye's ray below the surface; thin walls bend and absorb nothing.
    #[inline(always)]
    fn way<L: Lanes>(&self, l: L, point: &ThroughPoint<L>, ior: f32) -> Option<Way<L>> {
        (self.volume.thickness != 0.0).then(
            #[inline(always)]
            || Way {
                towards: refract(l, point.view, point.normal, ior),
                length: self.scaled(l, point.thickness),
            },
        )
    }

    /// How punctual lights behind the surface are seen, of which it lets `share` through before base colour.
    #[inline(always)]
    pub(super) fn lobe<L: Lanes>(
        &self,
        l: L,
        point: &ThroughPoint<L>,
        surface: Surface<L>,
        share: L::F,
    ) -> ThroughLobe<L> {
        // All channels alike: a light is a point, and three of them would not be a rainbow.
        let [_, ior, _] = self.iors();
        let color = each!(3, k => surface.diffuse_color[k] * share);
        let Some(way) = self.way(l, point, ior) else {
            return ThroughLobe::new(l, surface, ior, point.position_world, color);
        };
        let end = scale_add(l, way.towards, way.length, point.position_world);
        let left = self.absorbed(l, way.length);
        let color = each!(3, k => color[k] * left[k]);
        ThroughLobe::new(l, surface, ior, end, color)
    }

    /// The light that comes through by one index of refraction.
    #[inline(always)]
    fn seen_through<L: Lanes>(
        &self,
        l: L,
        point: &ThroughPoint<L>,
        ior: f32,
        environment: Option<&ImageLight<'_>>,
    ) -> Vector<L> {
        let way = self.way(l, point, ior);
        let radiance = match &self.behind {
            Some(behind) => {
                let at = match &way {
                    Some(Way { towards, length }) => {
                        let end = scale_add(l, *towards, *length, point.position_world);
                        on_screen(l, &behind.clip_from_world, end)
                    }
                    None => {
                        let [width, height] = behind.target.size().map(|edge| edge as f32);
                        let [x, y] = point.position_px;
                        [x * l.f(1.0 / width), y * l.f(1.0 / height)]
                    }
                };
                let level = behind.target.level(l, point.roughness, ior);
                behind.target.sample(l, at, level)
            }
            None => {
                let towards = match &way {
                    Some(way) => way.towards,
                    None => each!(3, k => -point.view[k]),
                };
                around(l, environment, point.roughness, towards)
            }
        };
        match &way {
            Some(way) => {
                let left = self.absorbed(l, way.length);
                each!(3, k => radiance[k] * left[k])
            }
            None => radiance,
        }
    }
}

/// Path of light below a surface.
struct Way<L: Lanes> {
    /// Unit vector from the surface on.
    towards: Vector<L>,
    /// Length of the path, metres.
    length: L::F,
}

/// The environment in a direction, as a rough surface sees it.
#[inline(always)]
fn around<L: Lanes>(
    l: L,
    environment: Option<&ImageLight<'_>>,
    roughness: L::F,
    towards: Vector<L>,
) -> Vector<L> {
    match environment {
        Some(environment) => environment.sample(l, environment.level(l, roughness), towards),
        None => splat(l, Vec3::ZERO),
    }
}

/// The unit vector into which the ray from the eye is bent below a surface of this index of refraction (Snell's law).
#[inline(always)]
fn refract<L: Lanes>(l: L, view: Vector<L>, normal: Vector<L>, ior: f32) -> Vector<L> {
    let ratio = ior.recip();
    let cosine = dot(l, normal, view);
    let sine_squared = l.mul_add(-cosine, cosine, l.f(1.0)) * l.f(ratio * ratio);
    let below = l.sqrt(l.max(l.f(1.0) - sine_squared, l.f(0.0)));
    let along = l.mul_add(cosine, l.f(ratio), -below);
    each!(3, k => l.mul_add(normal[k], along, -(view[k] * l.f(ratio))))
}

/// Position on the picture of a point of the world, both coordinates 0 to 1.
#[inline(always)]
fn on_screen<L: Lanes>(l: L, clip_from_world: &Mat4, position: Vector<L>) -> [L::F; 2] {
    let row = |k: usize| clip_from_world.row(k).to_array();
    let rows = [row(0), row(1), row(3)];
    let [x, y, w] = each!(3, k => {
        let [a, b, c, d] = rows[k];
        let rest = l.mul_add(position[2], l.f(c), l.f(d));
        l.mul_add(position[0], l.f(a), l.mul_add(position[1], l.f(b), rest))
    });
    let inverse = l.f(0.5) / l.max(w, l.f(1e-6));
    [
        l.mul_add(x, inverse, l.f(0.5)),
        l.mul_add(y, inverse, l.f(0.5)),
    ]
}

/// The other side of a surface that scatters light through.
#[derive(Clone, Copy)]
pub(super) struct OtherSide<L: Lanes> {
    /// Unit vector to the eye's side.
    pub(super) normal: Vector<L>,
    /// Share of light from the other side that leaves towards the eye, times pi.
    pub(super) color: Vector<L>,
}

impl<L: Lanes> Reflector<L> for OtherSide<L> {
    #[inline(always)]
    fn add_reflected(&self, l: L, light: &IncidentLight<L>, sum: Vector<L>) -> Vector<L> {
        let cosine = l.max(-dot(l, self.normal, light.towards), l.f(0.0));
        let share = cosine * light.attenuation * l.f(std::f32::consts::FRAC_1_PI);
        each!(3, k => l.mul_add(self.color[k] * share, light.radiance[k], sum[k]))
    }
}
