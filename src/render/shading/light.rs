//! Punctual lights on lanes (`KHR_lights_punctual`).

use glam::Vec3;

use super::vector::{Vector, dot, inverse_length, saturate, splat};
use azulejo_scene::{LightInstance, LightKind};
use azulejo_simd::{Lanes, each, map};

/// Light of one source where it falls on a surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct IncidentLight<L: Lanes> {
    /// Unit vector to where it comes from, world space.
    pub(super) towards: Vector<L>,
    /// Attenuation of `radiance` by distance, cone and layers above.
    pub(super) attenuation: L::F,
    /// Lux or candela, linear RGB.
    pub(super) radiance: Vector<L>,
}

/// A surface, or a layer of one, as punctual lights see it.
pub(super) trait Reflector<L: Lanes> {
    /// Adds what is reflected of `light` to the eye.
    fn add_reflected(&self, l: L, light: &IncidentLight<L>, sum: Vector<L>) -> Vector<L>;
}

/// Constants of a light, as the program reads them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LightConstants {
    /// Lux or candela, linear RGB.
    radiance: Vec3,
    shape: Shape,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    /// Unit vector towards the light.
    Directional { towards: Vec3 },
    /// Light from a point, with or without a cone.
    Point {
        position: Vec3,
        /// 1 / range^2; 0 without limit.
        inverse_range_squared: f32,
        cone: Option<Cone>,
    },
}

/// Falloff of a spot light: saturate(cos x scale + offset)^2.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cone {
    direction: Vec3,
    scale: f32,
    offset: f32,
}

impl From<&LightInstance> for LightConstants {
    fn from(light: &LightInstance) -> Self {
        let cone = match light.kind {
            LightKind::Spot {
                inner_angle,
                outer_angle,
            } => {
                let scale = 1.0 / (inner_angle.cos() - outer_angle.cos()).max(0.001);
                let offset = -outer_angle.cos() * scale;
                Some(Cone {
                    direction: light.direction_world,
                    scale,
                    offset,
                })
            }
            LightKind::Directional | LightKind::Point => None,
        };
        let inverse_range_squared = if light.range.is_finite() && light.range > 0.0 {
            (light.range * light.range).recip()
        } else {
            0.0
        };
        let shape = match light.kind {
            LightKind::Directional => Shape::Directional {
                towards: -light.direction_world,
            },
            LightKind::Point | LightKind::Spot { .. } => Shape::Point {
                position: light.position_world,
                inverse_range_squared,
                cone,
            },
        };
        Self {
            radiance: light.radiance,
            shape,
        }
    }
}

impl LightConstants {
    /// Adds what `surface` at `position_world` reflects of this light.
    #[inline(always)]
    pub(super) fn add_reflected<L: Lanes>(
        &self,
        l: L,
        surface: &impl Reflector<L>,
        position_world: Vector<L>,
        sum: Vector<L>,
    ) -> Vector<L> {
        let radiance = splat(l, self.radiance);
        // One call of the reflector in the source is one copy of it in the program.
        let (towards, attenuation) = match self.shape {
            Shape::Directional { towards } => (splat(l, towards), l.f(1.0)),
            Shape::Point {
                position,
                inverse_range_squared,
                cone,
            } => {
                let position = splat(l, position);
                let to_light = each!(3, k => position[k] - position_world[k]);
                let squared = l.max(dot(l, to_light, to_light), l.f(1e-8));
                let inverse = inverse_length(l, squared);
                let towards = map(
                    to_light,
                    #[inline(always)]
                    |component| component * inverse,
                );
                let falloff = squared * l.f(inverse_range_squared);
                let window = saturate(l, l.mul_add(-falloff, falloff, l.f(1.0)));
                let mut attenuation = window * (inverse * inverse);
                if let Some(cone) = cone {
                    let cosine = -dot(l, splat(l, cone.direction), towards);
                    let edge = saturate(l, l.mul_add(cosine, l.f(cone.scale), l.f(cone.offset)));
                    attenuation = attenuation * (edge * edge);
                }
                (towards, attenuation)
            }
        };
        let light = IncidentLight {
            towards,
            attenuation,
            radiance,
        };
        surface.add_reflected(l, &light, sum)
    }
}
