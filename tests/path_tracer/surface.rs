//! A material at one point: factors times textures at their largest level, bilinear as the sampler says.

use azulejo::scene::{Encoding, Filter, FrameState, Material, Scene, Shading, TextureRef, Wrap};
use glam::{DVec2, DVec3, DVec4};

use super::facets::{Facets, Frame};
use super::geometry::{Geometry, Hit, Vertex};

/// A layer of varnish.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coat {
    pub(crate) factor: f64,
    pub(crate) frame: Frame,
    pub(crate) facets: Facets,
}

/// Medium below a surface that refracts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inside {
    /// Index of refraction of the side that light comes from, over the other's.
    pub(crate) ior_ratio: f64,
    /// Absorption coefficient of each channel, 1/m.
    pub(crate) absorption: DVec3,
}

#[derive(Debug, Clone)]
pub(crate) struct Surface {
    pub(crate) position: DVec3,
    /// Normal of the plane of the triangle, to the eye.
    pub(crate) plane: DVec3,
    pub(crate) frame: Frame,
    pub(crate) front: bool,
    pub(crate) unlit: bool,
    pub(crate) emitted: DVec3,
    pub(crate) base_color: DVec3,
    pub(crate) metallic: f64,
    pub(crate) facets: Facets,
    /// Reflectance of what is no metal, at normal incidence and at the horizon.
    pub(crate) f0: DVec3,
    pub(crate) f90: f64,
    pub(crate) coat: Option<Coat>,
    pub(crate) transmission: f64,
    pub(crate) scattered: f64,
    pub(crate) scattered_color: DVec3,
    pub(crate) inside: Option<Inside>,
}

/// Reads the textures of a scene.
#[derive(Clone, Copy)]
pub(crate) struct Surfaces<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) state: &'a FrameState,
    pub(crate) geometry: &'a Geometry,
}

impl<'a> Surfaces<'a> {
    pub(crate) fn material(&self, hit: &Hit) -> &'a Material {
        let id = self.geometry.triangles[hit.triangle as usize].material;
        self.state.material(self.scene, id)
    }

    fn texture(&self, slot: Option<TextureRef>, at: &Vertex) -> DVec4 {
        let Some(slot) = slot else {
            return DVec4::ONE;
        };
        let texture = self.scene.textures[slot.texture.index()];
        let image = &self.scene.images[texture.image.index()];
        let uv = at.tex_coords[slot.tex_coord as usize].extend(1.0);
        let uv: DVec2 = (slot.transform.as_dmat3() * uv).truncate();
        let level = image.levels[0];
        let size = [level.width, level.height];
        let wraps = [texture.sampler.wrap_u, texture.sampler.wrap_v];
        let texel = |x: i64, y: i64| {
            let x = wrapped(x, size[0], wraps[0]);
            let y = wrapped(y, size[1], wraps[1]);
            decoded(image.texel(0, x, y), image.encoding)
        };
        let at = uv * DVec2::new(f64::from(size[0]), f64::from(size[1]));
        if texture.sampler.mag == Filter::Nearest {
            let [x, y] = at.floor().to_array();
            return texel(x as i64, y as i64);
        }
        let at = at - 0.5;
        let [x, y] = at.floor().to_array().map(|c| c as i64);
        let part = at - at.floor();
        let upper = texel(x, y).lerp(texel(x + 1, y), part.x);
        upper.lerp(texel(x, y + 1).lerp(texel(x + 1, y + 1), part.x), part.y)
    }

    /// Base colour with alpha.
    pub(crate) fn base_color(&self, material: &Material, at: &Vertex) -> DVec4 {
        material.base_color.as_dvec4() * self.texture(material.base_color_texture, at) * at.color
    }

    fn frame(
        &self,
        at: &Vertex,
        slot: Option<TextureRef>,
        scale: f32,
        turn: f64,
        view: DVec3,
    ) -> Frame {
        let mut normal = at.normal * turn;
        let mut along = at.tangent.truncate();
        if slot.is_some() && along != DVec3::ZERO {
            let mapped = self.texture(slot, at).truncate() * 2.0 - 1.0;
            let mapped = mapped * DVec3::new(f64::from(scale), f64::from(scale), 1.0);
            let across = at.normal.cross(along) * at.tangent.w;
            normal =
                (along * mapped.x + across * mapped.y + at.normal * mapped.z).normalize() * turn;
        }
        // A normal that looks away from the eye is turned to be seen just so.
        let facing = normal.dot(view);
        if facing < 1e-3 {
            normal = (normal + view * (1e-3 - facing)).normalize();
        }
        if along == DVec3::ZERO {
            along = normal.any_orthonormal_vector();
        }
        Frame::new(normal, along, at.tangent.w)
    }

    /// The material where the ray, which comes from `view`, meets the triangle.
    pub(crate) fn surface(&self, hit: &Hit, view: DVec3) -> Surface {
        let material = self.material(hit);
        let mut at = self.geometry.at(hit);
        let plane = self.geometry.plane(hit);
        let turn = if hit.front { 1.0 } else { -1.0 };
        if at.normal == DVec3::ZERO {
            at.normal = plane;
        }
        at.normal = at.normal.normalize();
        let color = self.base_color(material, &at);
        let rough = self.texture(material.metallic_roughness_texture, &at);
        let frame = self.frame(
            &at,
            material.normal_texture,
            material.normal_scale,
            turn,
            view,
        );
        let roughness = f64::from(material.roughness) * rough.y;
        let specular =
            f64::from(material.specular) * self.texture(material.specular_texture, &at).w;
        let tint = self
            .texture(material.specular_color_texture, &at)
            .truncate();
        let emissive = self.texture(material.emissive_texture, &at).truncate();
        let transmission = material.transmission.unwrap_or_default();
        let scattered = material.diffuse_transmission.unwrap_or_default();
        let (frame, facets) = self.grain(material, &at, frame, roughness);
        Surface {
            position: at.position,
            plane: plane * turn,
            frame,
            front: hit.front,
            unlit: material.shading == Shading::Unlit,
            emitted: material.emissive.as_dvec3() * emissive,
            base_color: color.truncate(),
            metallic: f64::from(material.metallic) * rough.z,
            facets,
            f0: (material.specular_color.as_dvec3() * tint * normal_reflectance(material))
                .min(DVec3::ONE)
                * specular,
            f90: specular,
            coat: self.coat(material, &at, turn, view),
            transmission: f64::from(transmission.factor)
                * self.texture(transmission.texture, &at).x,
            scattered: f64::from(scattered.factor) * self.texture(scattered.texture, &at).w,
            scattered_color: scattered.color.as_dvec3()
                * self.texture(scattered.color_texture, &at).truncate(),
            inside: inside(material, hit.front),
        }
    }

    /// `KHR_materials_anisotropy`: the tangent turned into the grain, along which it is rougher.
    fn grain(
        &self,
        material: &Material,
        at: &Vertex,
        frame: Frame,
        roughness: f64,
    ) -> (Frame, Facets) {
        let alpha = (roughness * roughness).max(1e-3);
        let Some(grain) = material.anisotropy else {
            return (
                frame,
                Facets {
                    along: alpha,
                    across: alpha,
                },
            );
        };
        let mapped = grain
            .texture
            .map(|_| self.texture(grain.texture, at).truncate());
        let mapped = mapped.map_or(DVec3::X + DVec3::Z, |m| {
            DVec3::new(m.x * 2.0 - 1.0, m.y * 2.0 - 1.0, m.z)
        });
        let strength = f64::from(grain.strength) * mapped.z;
        let (sin, cos) = f64::from(grain.rotation).sin_cos();
        let [x, y] = [
            cos * mapped.x - sin * mapped.y,
            sin * mapped.x + cos * mapped.y,
        ];
        let along = frame.world(DVec3::new(x, y, 0.0));
        let facets = Facets {
            along: alpha + (1.0 - alpha) * strength * strength,
            across: alpha,
        };
        (Frame::new(frame.normal, along, 1.0), facets)
    }

    fn coat(&self, material: &Material, at: &Vertex, turn: f64, view: DVec3) -> Option<Coat> {
        let coat = material.clearcoat?;
        let roughness = f64::from(coat.roughness) * self.texture(coat.roughness_texture, at).y;
        let alpha = (roughness * roughness).max(1e-3);
        Some(Coat {
            factor: f64::from(coat.factor) * self.texture(coat.texture, at).x,
            frame: self.frame(at, coat.normal_texture, coat.normal_scale, turn, view),
            facets: Facets {
                along: alpha,
                across: alpha,
            },
        })
    }
}

/// Reflectance of a dielectric at normal incidence (`KHR_materials_ior`).
fn normal_reflectance(material: &Material) -> f64 {
    let ior = f64::from(material.ior);
    ((ior - 1.0) / (ior + 1.0)).powi(2)
}

fn inside(material: &Material, front: bool) -> Option<Inside> {
    let volume = material.volume.filter(|volume| volume.thickness > 0.0)?;
    let ior = f64::from(material.ior);
    let color = volume.attenuation_color.as_dvec3().max(DVec3::splat(1e-6));
    Some(Inside {
        ior_ratio: if front { 1.0 / ior } else { ior },
        absorption: color.map(|c| -c.ln()) / f64::from(volume.attenuation_distance),
    })
}

fn wrapped(at: i64, size: u32, wrap: Wrap) -> u32 {
    let size = i64::from(size);
    let at = match wrap {
        Wrap::Repeat => at.rem_euclid(size),
        Wrap::ClampToEdge => at.clamp(0, size - 1),
        Wrap::MirroredRepeat => {
            let at = at.rem_euclid(2 * size);
            at.min(2 * size - 1 - at)
        }
    };
    at as u32
}

fn decoded(texel: [u8; 4], encoding: Encoding) -> DVec4 {
    let channels = DVec4::from_array(texel.map(|byte| f64::from(byte) / 255.0));
    let linear = |c: f64| {
        if c <= 0.04045 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    };
    match encoding {
        Encoding::Srgb => channels.truncate().map(linear).extend(channels.w),
        Encoding::Linear => channels,
    }
}
