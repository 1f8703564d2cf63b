//! The metallic-roughness program (glTF 2.0, section 3.9 and appendix B). Its formulas, for the author of a twin:
//!
//! Inputs, by fragment: p = world position; n0, t0 = interpolated world normal and tangent, s = the tangent's sign;
//! `front`; texture colours `base`, `mr`, `normal`, `occlusion`, `emissive` (1 where a texture is missing); vertex colour.
//!
//! ```text
//! N  = n0 / |n0|                                                    without normal map
//! N  = normalize(x T + y s (G x T) + z G)                           with G = n0 / |n0|, T = t0 / |t0|,
//!      (x, y, z) = (normal.rgb 2 - 1) (scale, scale, 1)
//! N  = -N on back faces
//! V  = normalize(eye - p)
//! base color = material x base x vertex colour;  metallic = material x mr.b;  r = clamp(material x mr.g, 0.045, 1)
//! diffuse = base color (1 - metallic);  a2 = r^4
//! d0 = min(((ior - 1) / (ior + 1))^2 specular color x specular_color.rgb, 1) d90;  d90 = specular x specular.a
//!      (glTF's core: 0.04 and 1);  f0 = mix(d0, base color, metallic);  f90 = mix(d90, 1, metallic)
//! nv = max(N.V, 1e-4)
//!
//! By light, from unit direction L with incident radiance E (lux, or candela x attenuation):
//!   nl = max(N.L, 0);  H = normalize(L + V)
//!   D  = a2 / (pi ((N.H)^2 (a2 - 1) + 1)^2)                         GGX
//!   Vis = 1/2 / (nl sqrt(nv^2 (1 - a2) + a2) + nv sqrt(nl^2 (1 - a2) + a2))      Smith, height-correlated
//!   F  = f0 + (f90 - f0) (1 - V.H)^5                                Schlick
//!   C  = F, or with an ior or specular of its own d + (d90 - d) (1 - V.H)^5,  d = the largest channel of d0
//!   radiance += nl E ((1 - C) diffuse / pi + F D Vis (1 + f0 (1 / total - 1)))        later bounces: Turquin 2019
//! Attenuation (KHR_lights_punctual): clamp(1 - (d / range)^4, 0, 1) / d^2, for spots times
//!   clamp((cos(angle) - cos(outer)) / max(cos(inner) - cos(outer), 0.001), 0, 1)^2
//!
//! (total, grazing) = the lobe's albedo at (r, nv), see [`super::albedo`]
//! single(f) = f (total - grazing) + f90 grazing;  g(f) = min(f + (f90 - f) / 21, 1) (1 - total)
//! multiple(f) = single(f) g(f) / (1 - g(f))
//!
//! Environment (Fdez-Agüera 2019):
//!   R = 2 (N.V) N - V;  w = r^2 (1 - (1 - r) nv);  level = r (levels - 1)
//!   prefiltered = the environment at mix(R, N, w), linear between levels;  even = irradiance(N) / pi, from a map of it
//!   ground = 1 - single(d) / (1 - g(d)), for d = 0.04 as 1 - single(d) (1 + g(d))
//!   radiance += o (prefiltered single(f0) + even (multiple(f0) + ground diffuse)),  o = 1 + strength (occlusion.r - 1)
//!
//! radiance += material emissive x emissive
//! ```
//!
//! Here (N.H)^2 is (nl + N.V)^2 / |L + V|^2 and V.H is |L + V| / 2, which saves a division and a square root.

use glam::Vec3;

use super::brdf::{Dielectric, LitSurface, PointMaterial, Surface};
use super::image_light::ImageLight;
use super::light::LightConstants;
use super::source::ProgramSource;
use super::surface_inputs::{Needs, Slot, SurfaceInputs, TextureColors};
use super::texture::Channels;
use super::vector::{Vector, cross, dot, normalize, scale_add, splat};
use super::{FragmentInputs, FragmentOutput, FragmentProgram, VaryingLayout};
use azulejo_scene::{Material, TextureRef};
use azulejo_simd::{Lanes, each, map};

/// Metallic-roughness shading with punctual and image-based light.
#[derive(Debug, Clone)]
pub struct MetallicRoughness<'a> {
    pub(super) inputs: SurfaceInputs<'a>,
    metallic: f32,
    roughness: f32,
    dielectric: Option<DielectricConstants>,
    emissive: Vec3,
    normal_scale: f32,
    occlusion_strength: f32,
    /// Slot in which occlusion is sampled: it may share the metallic-roughness texture.
    pub(super) occlusion: Slot,
    eye_world: Vec3,
    pub(super) lights: Vec<LightConstants>,
    pub(super) environment: Option<ImageLight<'a>>,
}

/// Reflectance of the part that is no metal, where the material says more of it than its colour.
#[derive(Debug, Clone, Copy)]
struct DielectricConstants {
    /// Reflectance at normal incidence, [`Material::dielectric_f0`].
    f0: Vec3,
    /// Factor on the reflectance, [`Material::specular`].
    weight: f32,
}

impl DielectricConstants {
    fn of(material: &Material) -> Option<Self> {
        (!material.has_core_dielectric()).then(|| Self {
            f0: material.dielectric_f0(),
            weight: material.specular,
        })
    }

    #[inline(always)]
    fn at_point<L: Lanes>(&self, l: L, colors: &TextureColors<L>) -> Dielectric<L> {
        let color = colors[Slot::SpecularColor as usize];
        let f0 = splat(l, self.f0);
        let f90 = colors[Slot::Specular as usize][3] * l.f(self.weight);
        Dielectric {
            f0: each!(3, k => l.min(f0[k] * color[k], l.f(1.0)) * f90),
            f90,
        }
    }
}

impl<'a> MetallicRoughness<'a> {
    /// The program of a material on a primitive that has normals.
    #[must_use]
    pub fn new(source: &ProgramSource<'a, '_>) -> Self {
        Self::with_inputs(source, |_, _| {})
    }

    /// Builds the program with more inputs than its own.
    pub(super) fn with_inputs(
        source: &ProgramSource<'a, '_>,
        add_inputs: fn(&mut SurfaceInputs<'a>, &ProgramSource<'a, '_>),
    ) -> Self {
        let ProgramSource {
            scene,
            material,
            frame,
            ..
        } = *source;
        let mut inputs = SurfaceInputs::new(source);
        let mut add = |texture: &Option<TextureRef>, slot, channels| {
            inputs.add_texture(scene, texture.as_ref(), slot, channels);
        };
        let occludes = frame.environment.is_some() && material.occlusion_texture.is_some();
        let shares = occludes && material.occlusion_texture == material.metallic_roughness_texture;
        let channels = if shares { Channels::RGB } else { Channels::GB };
        add(
            &material.metallic_roughness_texture,
            Slot::MetallicRoughness,
            channels,
        );
        if source.has_tangents() {
            add(&material.normal_texture, Slot::Normal, Channels::RGB);
        }
        if occludes && !shares {
            add(&material.occlusion_texture, Slot::Occlusion, Channels::R);
        }
        add(&material.specular_texture, Slot::Specular, Channels::A);
        add(
            &material.specular_color_texture,
            Slot::SpecularColor,
            Channels::RGB,
        );
        if material.emissive != Vec3::ZERO {
            add(&material.emissive_texture, Slot::Emissive, Channels::RGB);
        }
        add_inputs(&mut inputs, source);
        Self {
            inputs: inputs.lay_out(Needs::Light),
            metallic: material.metallic,
            roughness: material.roughness,
            dielectric: DielectricConstants::of(material),
            emissive: material.emissive,
            normal_scale: material.normal_scale,
            occlusion_strength: material.occlusion_strength,
            occlusion: if shares {
                Slot::MetallicRoughness
            } else {
                Slot::Occlusion
            },
            eye_world: frame.eye_world,
            lights: frame.lights.iter().map(LightConstants::from).collect(),
            environment: frame.environment.map(ImageLight::from),
        }
    }

    /// Unit normal: mapped where there is a normal map, turned on back faces.
    #[inline(always)]
    fn normal<L: Lanes>(
        &self,
        l: L,
        inputs: &FragmentInputs<L>,
        colors: &TextureColors<L>,
    ) -> Vector<L> {
        let map = NormalMap {
            color: colors[Slot::Normal as usize],
            scale: self.normal_scale,
        };
        self.normal_of(l, inputs, self.inputs.has(Slot::Normal).then_some(map))
    }

    /// Unit normal with this normal map or none, turned over on back faces.
    #[inline(always)]
    pub(super) fn normal_of<L: Lanes>(
        &self,
        l: L,
        inputs: &FragmentInputs<L>,
        map: Option<NormalMap<L>>,
    ) -> Vector<L> {
        l.part(
            #[inline(always)]
            || {
                let layout = &self.inputs.varyings;
                let mut normal: Vector<L> =
                    SurfaceInputs::varying::<L, 3>(inputs, layout.normal_world);
                if let Some(map) = map {
                    let tangent = SurfaceInputs::varying::<L, 4>(inputs, layout.tangent_world);
                    normal = map.applied(l, normal, tangent);
                }
                let side = l.select(inputs.front_facing, l.f(1.0), l.f(-1.0));
                let unit = normalize(l, normal);
                each!(3, k => unit[k] * side)
            },
        )
    }

    /// The material at a point.
    #[inline(always)]
    pub(super) fn point<L: Lanes>(
        &self,
        l: L,
        inputs: &FragmentInputs<L>,
        colors: &TextureColors<L>,
    ) -> ShadedPoint<L> {
        let [r, g, b, alpha] = self
            .inputs
            .base_color(l, inputs, colors[Slot::BaseColor as usize]);
        let layout = &self.inputs.varyings;
        let position_world = SurfaceInputs::varying::<L, 3>(inputs, layout.position_world);
        let eye = splat(l, self.eye_world);
        let view = normalize(l, each!(3, k => eye[k] - position_world[k]));
        let normal = self.normal(l, inputs, colors);
        let metallic_roughness = colors[Slot::MetallicRoughness as usize];
        let dielectric = self.dielectric.as_ref();
        ShadedPoint {
            material: PointMaterial {
                base_color: [r, g, b],
                metallic: metallic_roughness[2] * l.f(self.metallic),
                roughness: metallic_roughness[1] * l.f(self.roughness),
                dielectric: dielectric.map(
                    #[inline(always)]
                    |constants| constants.at_point(l, colors),
                ),
            },
            alpha,
            position_world,
            normal,
            view,
        }
    }

    /// Radiance that the surface sends out by itself.
    #[inline(always)]
    pub(super) fn emitted<L: Lanes>(&self, l: L, colors: &TextureColors<L>) -> Vector<L> {
        let emitted = splat(l, self.emissive);
        let emissive = colors[Slot::Emissive as usize];
        each!(3, k => emitted[k] * emissive[k])
    }

    /// How open the point is to its surroundings.
    #[inline(always)]
    pub(super) fn openness<L: Lanes>(&self, l: L, occlusion: L::F) -> L::F {
        let strength = self.occlusion_strength;
        l.mul_add(occlusion, l.f(strength), l.f(1.0 - strength))
    }

    /// Light that leaves the surface to the eye, without emission.
    #[inline(always)]
    fn reflected<L: Lanes>(
        &self,
        l: L,
        surface: &Surface<L>,
        position_world: Vector<L>,
        occlusion: L::F,
        emitted: Vector<L>,
    ) -> Vector<L> {
        let mut radiance = emitted;
        if let Some(environment) = &self.environment {
            let around = environment.reflected(l, surface);
            let open = self.openness(l, occlusion);
            radiance = scale_add(l, around, open, radiance);
        }
        if !self.lights.is_empty() {
            let surface = LitSurface::new(l, *surface);
            for light in &self.lights {
                radiance = light.add_reflected(l, &surface, position_world, radiance);
            }
        }
        radiance
    }
}

/// A texel of a normal map.
#[derive(Debug, Clone, Copy)]
pub(super) struct NormalMap<L: Lanes> {
    pub(super) color: [L::F; 4],
    /// Factor on x and y.
    pub(super) scale: f32,
}

impl<L: Lanes> NormalMap<L> {
    /// The mapped normal, of any length. x T/|T| + y s (G x T)/(|G| |T|) + z G/|G| is multiplied by |G| |T|, which saves
    /// two divisions.
    #[inline(always)]
    fn applied(&self, l: L, normal: Vector<L>, [tx, ty, tz, sign]: [L::F; 4]) -> Vector<L> {
        let (color, tangent) = (self.color, [tx, ty, tz]);
        let x = signed(l, color[0], self.scale) * l.sqrt(dot(l, normal, normal));
        let y = signed(l, color[1], self.scale) * sign;
        let z = signed(l, color[2], 1.0) * l.sqrt(dot(l, tangent, tangent));
        let along_normal = map(
            normal,
            #[inline(always)]
            |component| component * z,
        );
        let across = scale_add(l, cross(l, normal, tangent), y, along_normal);
        scale_add(l, tangent, x, across)
    }
}

/// A material at a point, with where it is and how it is seen.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShadedPoint<L: Lanes> {
    pub(super) material: PointMaterial<L>,
    pub(super) alpha: L::F,
    pub(super) position_world: Vector<L>,
    /// Unit vector, world space.
    pub(super) normal: Vector<L>,
    /// Unit vector to the eye, world space.
    pub(super) view: Vector<L>,
}

/// Maps 0..=1 to -`scale`..=`scale`.
#[inline(always)]
fn signed<L: Lanes>(l: L, color: L::F, scale: f32) -> L::F {
    l.mul_add(color, l.f(2.0 * scale), l.f(-scale))
}

impl FragmentProgram for MetallicRoughness<'_> {
    fn varyings(&self) -> VaryingLayout {
        self.inputs.varyings
    }

    #[inline(always)]
    fn shade<L: Lanes>(&self, l: L, inputs: &FragmentInputs<L>) -> FragmentOutput<L> {
        let colors: TextureColors<L> = self.inputs.sample(l, inputs);
        let point = self.point(l, inputs, &colors);
        let surface = Surface::new(l, point.normal, point.view, &point.material);
        let emitted = self.emitted(l, &colors);
        let occlusion = colors[self.occlusion as usize][0];
        let [r, g, b] = self.reflected(l, &surface, point.position_world, occlusion, emitted);
        let (alpha, keep) = self.inputs.coverage(l, point.alpha);
        FragmentOutput {
            rgba: [r, g, b, alpha],
            keep,
        }
    }
}
