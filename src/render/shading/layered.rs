//! Metallic-roughness with what glTF's extensions lay over it: grain ([`super::grain`]), a thin film ([`super::film`]),
//! sheen ([`super::sheen`]) and a coat ([`super::coat`]), from the ground up, and with light that comes through it
//! ([`super::through`], [`super::through_light`]). A program of its own, so that materials without them pay nothing.
//!
//! ```text
//! radiance = ((base of environment, lights and what comes through) (sheen's share for what lies below) + sheen + emission) (coat's share)
//!            + coat
//! ```

use glam::Vec2;

use super::brdf::{Dielectric, LitSurface, Surface};
use super::coat::CoatPoint;
use super::film::FilmPoint;
use super::grain::{Direction, Grain};
use super::image_light::{ImageLight, reflected_of};
use super::layer_inputs::{
    CoatConstants, FilmConstants, GrainConstants, SheenConstants, add_inputs, thickness,
};
use super::light::{IncidentLight, Reflector};
use super::pbr::{MetallicRoughness, NormalMap, ShadedPoint};
use super::roughness::Roughness;
use super::sheen::SheenPoint;
use super::source::ProgramSource;
use super::surface_inputs::{ALL_SLOTS, CORE_SLOTS, Slot, SurfaceInputs, TextureColors};
use super::through::{BehindView, OtherSide, ThroughConstants, ThroughPoint};
use super::through_light::ThroughLobe;
use super::vector::{Vector, cross, normalize, scale_add, splat};
use super::{FragmentInputs, FragmentOutput, FragmentProgram, VaryingLayout};
use azulejo_scene::Anisotropy;
use azulejo_simd::{Lanes, each};

/// Metallic-roughness shading below the layers that a material has.
#[derive(Debug, Clone)]
pub struct Layered<'a> {
    base: MetallicRoughness<'a>,
    coat: Option<CoatConstants>,
    sheen: Option<SheenConstants>,
    grain: Option<GrainConstants>,
    film: Option<FilmConstants>,
    through: Option<ThroughConstants>,
}

/// Colours of all slots.
type AllColors<L> = [[<L as Lanes>::F; 4]; ALL_SLOTS];

/// The layers at a point.
struct Layers<L: Lanes> {
    grain: Option<Grain<L>>,
    sheen: Option<SheenPoint<L>>,
    coat: Option<CoatPoint<L>>,
    /// Light that is scattered through.
    other_side: Option<OtherSide<L>>,
    /// Shares of light that sheen and coat let through.
    below_sheen: L::F,
    below_coat: L::F,
}

impl<'a> Layered<'a> {
    /// The program of a material with layers on a primitive that has normals.
    #[must_use]
    pub fn new(source: &ProgramSource<'a, '_>) -> Self {
        let material = source.material;
        Self {
            base: MetallicRoughness::with_inputs(source, add_inputs),
            coat: material.clearcoat.map(|coat| CoatConstants {
                factor: coat.factor,
                roughness: coat.roughness,
                normal_scale: coat.normal_scale,
            }),
            sheen: material.sheen.map(|sheen| SheenConstants {
                color: sheen.color,
                roughness: sheen.roughness,
            }),
            grain: material.anisotropy.filter(|_| source.has_tangents()).map(
                |Anisotropy {
                     strength, rotation, ..
                 }| GrainConstants {
                    strength,
                    rotation: Vec2::from_angle(rotation),
                },
            ),
            film: material.iridescence.map(|film| FilmConstants {
                factor: film.factor,
                ior: film.ior,
                thickness: thickness(&film),
            }),
            through: ThroughConstants::of(material),
        }
    }

    /// Inputs that it reads of the material.
    pub(super) const fn inputs_mut(&mut self) -> &mut SurfaceInputs<'a> {
        &mut self.base.inputs
    }

    /// Whether light comes through the surface.
    pub(super) const fn lets_light_through(&self) -> bool {
        self.through.is_some()
    }

    /// Binds the pass that was drawn before, if the program samples the picture behind its surface; returns whether it
    /// does.
    pub(super) fn look_through(&mut self, behind: BehindView) -> bool {
        let Some(through) = &mut self.through else {
            return false;
        };
        through.behind = Some(behind);
        through.transmission > 0.0
    }

    /// The layers at a point, from the ground up.
    #[inline(always)]
    fn layers<L: Lanes>(
        &self,
        l: L,
        inputs: &FragmentInputs<L>,
        colors: &AllColors<L>,
        point: &ShadedPoint<L>,
    ) -> Layers<L> {
        let sheen = self.sheen.as_ref().map(
            #[inline(always)]
            |sheen| {
                let texture = colors[Slot::SheenColor as usize];
                let color = splat(l, sheen.color);
                let color = each!(3, k => color[k] * texture[k]);
                let roughness = colors[Slot::SheenRoughness as usize][3] * l.f(sheen.roughness);
                SheenPoint::new(l, color, roughness, point.normal, point.view)
            },
        );
        let coat = self.coat.as_ref().map(
            #[inline(always)]
            |coat| {
                let factor = colors[Slot::Clearcoat as usize][0] * l.f(coat.factor);
                let roughness = colors[Slot::ClearcoatRoughness as usize][1] * l.f(coat.roughness);
                let normal = self.coat_normal(l, inputs, colors, coat, point);
                CoatPoint::new(l, factor, roughness, normal, point.view)
            },
        );
        Layers {
            grain: self.grain.as_ref().map(
                #[inline(always)]
                |grain| {
                    let direction = self.direction(l, inputs, colors, grain);
                    let roughness = Roughness::new(l, point.material.roughness);
                    Grain::new(l, &direction, roughness.alpha, [point.normal, point.view])
                },
            ),
            below_sheen: match &sheen {
                Some(sheen) => sheen.below(l),
                None => l.f(1.0),
            },
            below_coat: match &coat {
                Some(coat) => coat.below(l),
                None => l.f(1.0),
            },
            sheen,
            coat,
            other_side: None,
        }
    }

    /// The coat follows the mesh where it has no normal map of its own.
    #[inline(always)]
    fn coat_normal<L: Lanes>(
        &self,
        l: L,
        inputs: &FragmentInputs<L>,
        colors: &AllColors<L>,
        coat: &CoatConstants,
        point: &ShadedPoint<L>,
    ) -> Vector<L> {
        let mapped = self.base.inputs.has(Slot::ClearcoatNormal);
        if !mapped && !self.base.inputs.has(Slot::Normal) {
            return point.normal;
        }
        let map = NormalMap {
            color: colors[Slot::ClearcoatNormal as usize],
            scale: coat.normal_scale,
        };
        self.base.normal_of(l, inputs, mapped.then_some(map))
    }

    /// Direction along which the surface is rougher: the tangent's plane turned by texture and rotation.
    #[inline(always)]
    fn direction<L: Lanes>(
        &self,
        l: L,
        inputs: &FragmentInputs<L>,
        colors: &AllColors<L>,
        grain: &GrainConstants,
    ) -> Direction<L> {
        let layout = &self.base.inputs.varyings;
        let normal = SurfaceInputs::varying::<L, 3>(inputs, layout.normal_world);
        let [tx, ty, tz, sign] = SurfaceInputs::varying::<L, 4>(inputs, layout.tangent_world);
        let tangent = normalize(l, [tx, ty, tz]);
        let across = cross(l, normalize(l, normal), tangent);
        let texture = colors[Slot::Anisotropy as usize];
        let (cosine, sine) = (l.f(grain.rotation.x), l.f(grain.rotation.y));
        let [x, y] = if self.base.inputs.has(Slot::Anisotropy) {
            let [u, v] = each!(2, k => l.mul_add(texture[k], l.f(2.0), l.f(-1.0)));
            [
                l.mul_add(cosine, u, -(sine * v)),
                l.mul_add(sine, u, cosine * v),
            ]
        } else {
            [cosine, sine]
        };
        let part = each!(3, k => across[k] * (y * sign));
        Direction {
            along: scale_add(l, tangent, x, part),
            strength: texture[2] * l.f(grain.strength),
        }
    }

    /// The ground, below the film if there is one.
    #[inline(always)]
    fn ground<L: Lanes>(
        &self,
        l: L,
        colors: &AllColors<L>,
        point: &ShadedPoint<L>,
        layers: &Layers<L>,
    ) -> Surface<L> {
        let mut material = point.material;
        if let Some(grain) = &layers.grain {
            material.roughness = grain.equivalent(l);
        }
        let Some(film) = &self.film else {
            return Surface::new(l, point.normal, point.view, &material);
        };
        // A film changes what is left for the ground, so that must be known.
        material.dielectric = Some(material.dielectric.unwrap_or_else(
            #[inline(always)]
            || Dielectric::core(l),
        ));
        let [thinnest, range] = film.thickness;
        let thickness = colors[Slot::FilmThickness as usize][1];
        let film = FilmPoint {
            factor: colors[Slot::Film as usize][0] * l.f(film.factor),
            thickness: l.mul_add(thickness, l.f(range), l.f(thinnest)),
            ior: film.ior,
        };
        let surface = Surface::new(l, point.normal, point.view, &material);
        surface.below_film(l, &film, material.metallic)
    }

    /// Takes from the ground what goes through it; gives what comes through it, and the other side of what is scattered.
    #[inline(always)]
    fn open<L: Lanes>(
        &self,
        l: L,
        inputs: &FragmentInputs<L>,
        colors: &AllColors<L>,
        point: &ShadedPoint<L>,
        surface: Surface<L>,
    ) -> Opened<L> {
        let Some(through) = &self.through else {
            return Opened {
                surface,
                seen: None,
                lobe: None,
                other_side: None,
            };
        };
        let thickness = colors[Slot::Thickness as usize][1] * l.f(through.volume.thickness);
        let share = colors[Slot::Transmission as usize][0] * l.f(through.transmission);
        let kept = l.f(1.0) - share;
        let left = surface.transmitted(l);
        let mut seen = None;
        let mut lobe = None;
        if through.transmission > 0.0 {
            let point = ThroughPoint {
                position_world: point.position_world,
                normal: point.normal,
                view: point.view,
                roughness: surface.roughness.perceptual,
                thickness,
                position_px: inputs.position_px,
            };
            let radiance = through.seen(l, &point, self.base.environment.as_ref());
            let weight = share * left;
            seen = Some(each!(3, k => radiance[k] * surface.diffuse_color[k] * weight));
            if !self.base.lights.is_empty() {
                lobe = Some(through.lobe(l, &point, surface, share));
            }
        }
        if through.scattered == 0.0 {
            return Opened {
                surface: surface.with_scattered(kept),
                seen,
                lobe,
                other_side: None,
            };
        }
        let scattered = colors[Slot::DiffuseTransmission as usize][3] * l.f(through.scattered);
        let texture = colors[Slot::DiffuseTransmissionColor as usize];
        let color = through.scattered_color.to_array();
        let absorbed = through.absorbed_across(l, thickness);
        let weight = scattered * kept * left * (l.f(1.0) - point.material.metallic);
        Opened {
            surface: surface.with_scattered(kept * (l.f(1.0) - scattered)),
            seen,
            lobe,
            other_side: Some(OtherSide {
                normal: surface.pointing.normal,
                color: each!(3, k => texture[k] * l.f(color[k]) * absorbed[k] * weight),
            }),
        }
    }

    /// Reflection of the environment by ground and layers, occlusion left out.
    #[inline(always)]
    fn of_environment<L: Lanes>(
        l: L,
        environment: &ImageLight<'_>,
        surface: &Surface<L>,
        layers: &Layers<L>,
    ) -> Vector<L> {
        // One call in the source is one copy in the program.
        let radiance = match &layers.grain {
            None => environment.mirrored(l, &surface.roughness, &surface.pointing),
            Some(grain) => environment.gathered(l, &grain.fan(l, &surface.pointing)),
        };
        let irradiance = environment.irradiance(l, surface.pointing.normal);
        let kept = layers.grain.as_ref().map(
            #[inline(always)]
            |grain| grain.kept(l),
        );
        let mut around = reflected_of(l, surface, [radiance, irradiance], kept);
        if let Some(OtherSide { normal, color }) = &layers.other_side {
            let even = environment.irradiance(l, each!(3, k => -normal[k]));
            around = each!(3, k => l.mul_add(even[k], color[k], around[k]));
        }
        if let Some(sheen) = &layers.sheen {
            around = scale_add(
                l,
                around,
                layers.below_sheen,
                sheen.of_even_light(irradiance),
            );
        }
        if let Some(coat) = &layers.coat {
            let mirrored = coat.of_environment(l, environment);
            around = scale_add(l, around, layers.below_coat, mirrored);
        }
        around
    }
}

/// A surface through which light comes.
struct Opened<L: Lanes> {
    /// Scatters back what is left.
    surface: Surface<L>,
    /// Light that comes through, towards the eye.
    seen: Option<Vector<L>>,
    /// How punctual lights behind it are seen.
    lobe: Option<ThroughLobe<L>>,
    other_side: Option<OtherSide<L>>,
}

/// Ground, sheen and coat as punctual lights see them.
struct Stack<'a, L: Lanes> {
    ground: LitSurface<L>,
    layers: &'a Layers<L>,
}

impl<L: Lanes> Reflector<L> for Stack<'_, L> {
    #[inline(always)]
    fn add_reflected(&self, l: L, light: &IncidentLight<L>, sum: Vector<L>) -> Vector<L> {
        let Layers {
            sheen,
            coat,
            below_sheen,
            below_coat,
            ..
        } = self.layers;
        let mut below = *light;
        if coat.is_some() {
            below.attenuation = below.attenuation * *below_coat;
        }
        let mut sum = sum;
        if let Some(sheen) = sheen {
            sum = sheen.add_reflected(l, &below, sum);
            below.attenuation = below.attenuation * *below_sheen;
        }
        sum = self.ground.add_reflected(l, &below, sum);
        if let Some(other_side) = &self.layers.other_side {
            sum = other_side.add_reflected(l, &below, sum);
        }
        match coat {
            Some(coat) => coat.add_reflected(l, light, sum),
            None => sum,
        }
    }
}

impl FragmentProgram for Layered<'_> {
    fn varyings(&self) -> VaryingLayout {
        self.base.inputs.varyings
    }

    #[inline(always)]
    fn shade<L: Lanes>(&self, l: L, inputs: &FragmentInputs<L>) -> FragmentOutput<L> {
        let base = &self.base;
        let colors: AllColors<L> = base.inputs.sample(l, inputs);
        let mut core: TextureColors<L> = [colors[0]; CORE_SLOTS];
        core.copy_from_slice(&colors[..CORE_SLOTS]);
        let point = base.point(l, inputs, &core);
        let mut layers = self.layers(l, inputs, &colors, &point);
        let surface = self.ground(l, &colors, &point, &layers);
        let opened = self.open(l, inputs, &colors, &point, surface);
        let surface = opened.surface;
        layers.other_side = opened.other_side;
        let mut radiance = base.emitted(l, &core);
        if let Some(seen) = opened.seen {
            radiance = scale_add(l, seen, layers.below_sheen, radiance);
        }
        if layers.coat.is_some() {
            radiance = each!(3, k => radiance[k] * layers.below_coat);
        }
        if let Some(environment) = &base.environment {
            let around = Self::of_environment(l, environment, &surface, &layers);
            let open = base.openness(l, core[base.occlusion as usize][0]);
            radiance = scale_add(l, around, open, radiance);
        }
        if !base.lights.is_empty() {
            let stack = Stack {
                ground: LitSurface::new(l, surface).with_grain(layers.grain),
                layers: &layers,
            };
            for light in &base.lights {
                radiance = light.add_reflected(l, &stack, point.position_world, radiance);
            }
            if let Some(lobe) = opened.lobe {
                let lobe = lobe.below(layers.below_sheen * layers.below_coat);
                for light in &base.lights {
                    radiance = light.add_reflected(l, &lobe, lobe.position_world, radiance);
                }
            }
        }
        let [r, g, b] = radiance;
        let (alpha, keep) = base.inputs.coverage(l, point.alpha);
        FragmentOutput {
            rgba: [r, g, b, alpha],
            keep,
        }
    }
}
