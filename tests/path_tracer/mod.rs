//! A path tracer for tests: a scene under light that is followed, with shadows, light between surfaces, and rays that bend;
//! one of brute force beside the renderer, in double precision. It reads scenes as the renderer does, and shares no formula
//! with it.
//!
//! Not traced: sheen, iridescence, dispersion, morphed colours and texture coordinates, occlusion textures (light that does
//! not arrive is followed). Inside a volume surfaces mirror as they do outside, but for total reflection.

pub(crate) mod beside;
pub(crate) mod facets;
mod geometry;
pub(crate) mod panorama;
pub(crate) mod random;
mod scatter;
pub(crate) mod surface;

use azulejo::scene::{AlphaMode, FrameState, LightInstance, LightKind, Scene, View};
use glam::{DMat4, DVec3};
use rayon::prelude::*;

use geometry::{Geometry, Hit, Ray};
pub(crate) use panorama::Panorama;
use random::Random;
use surface::{Surface, Surfaces};

/// Scene to draw, and the view to draw it from.
#[derive(Clone, Copy)]
pub(crate) struct Shot<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) state: &'a FrameState,
    pub(crate) view: &'a View,
    pub(crate) light: &'a Panorama,
    /// Linear radiance where nothing is; rays that went through something or were mirrored see `light` instead.
    pub(crate) background: DVec3,
    pub(crate) size: [u32; 2],
    /// Number of paths that are traced for each pixel.
    pub(crate) samples: u32,
}

/// Surfaces that light meets at most.
const BOUNCES: usize = 12;
/// Surfaces that a ray passes, because alpha says that they are not there, at most.
const PASSED: usize = 64;
/// No single path is brighter: a few that found the sun in a mirror would be all that is seen.
const BRIGHTEST: f64 = 50.0;

/// Linear radiance, row by row from the top: means of the pixels. Another seed, other chances.
pub(crate) fn traced(shot: &Shot<'_>, seed: u32) -> Vec<DVec3> {
    let geometry = Geometry::of(shot.scene, shot.state);
    let tracer = Tracer {
        shot,
        surfaces: Surfaces {
            scene: shot.scene,
            state: shot.state,
            geometry: &geometry,
        },
        world_from_clip: (shot.view.clip_from_view * shot.view.view_from_world)
            .as_dmat4()
            .inverse(),
    };
    let [width, height] = shot.size;
    (0..width * height)
        .into_par_iter()
        .map(|pixel| {
            let mut random = Random::of(u64::from(seed) << 32 | u64::from(pixel));
            let one = |_| tracer.path(pixel % width, pixel / width, &mut random);
            (0..shot.samples).map(one).sum::<DVec3>() / f64::from(shot.samples)
        })
        .collect()
}

struct Tracer<'a> {
    shot: &'a Shot<'a>,
    surfaces: Surfaces<'a>,
    world_from_clip: DMat4,
}

impl Tracer<'_> {
    fn camera_ray(&self, x: u32, y: u32, random: &mut Random) -> Ray {
        let [right, down] = random.pair();
        let [width, height] = self.shot.size.map(f64::from);
        let x = (f64::from(x) + right) / width * 2.0 - 1.0;
        let y = (f64::from(y) + down) / height * 2.0 - 1.0;
        let at = |depth: f64| self.world_from_clip.project_point3(DVec3::new(x, y, depth));
        // The renderer clips at the near plane, so rays begin there.
        let from = at(0.0);
        Ray {
            from,
            along: (at(0.5) - from).normalize(),
        }
    }

    /// Radiance of one path.
    fn path(&self, x: u32, y: u32, random: &mut Random) -> DVec3 {
        let mut ray = self.camera_ray(x, y, random);
        let (mut sum, mut kept) = (DVec3::ZERO, DVec3::ONE);
        let mut medium = None;
        // How dense the surroundings were asked beside this ray.
        let mut asked = None;
        for bounce in 0..BOUNCES {
            let Some(hit) = self.meet(&ray, f64::INFINITY, bounce == 0, random) else {
                sum += kept * self.surroundings(ray.along, bounce, asked);
                break;
            };
            if let Some(absorption) = medium {
                kept *= DVec3::exp(absorption * -hit.distance);
            }
            let view = -ray.along;
            let surface = self.surfaces.surface(&hit, view);
            if surface.unlit {
                sum += kept * surface.base_color;
                break;
            }
            sum += kept * surface.emitted;
            sum += kept * self.lit(&surface, view, random);
            let Some(next) = surface.scatter(view, random) else {
                break;
            };
            kept *= next.weight;
            if let (true, Some(inside)) = (next.through, surface.inside) {
                medium = surface.front.then_some(inside.absorption);
            }
            asked = next.density;
            ray = ray_from(&surface, next.towards);
            // Russian roulette.
            let survives = kept.max_element().min(1.0);
            if bounce > 2 && random.unit() >= survives {
                break;
            }
            if bounce > 2 {
                kept /= survives;
            }
        }
        sum.min(DVec3::splat(BRIGHTEST))
    }

    /// Radiance that a ray without a hit sees, less the share that was sampled directly before.
    fn surroundings(&self, towards: DVec3, bounce: usize, asked: Option<f64>) -> DVec3 {
        let light = self.shot.light;
        if bounce == 0 {
            return self.shot.background;
        }
        let share = asked.map_or(1.0, |density| density / (density + light.density(towards)));
        light.radiance(towards) * share
    }

    /// Light that is sent to `view` of what is asked for at once: one direction of the surroundings, and all lamps.
    fn lit(&self, surface: &Surface, view: DVec3, random: &mut Random) -> DVec3 {
        let mut sum = DVec3::ZERO;
        if let Some((towards, radiance, density)) = self.shot.light.sample(random) {
            let value = surface.reflected(view, towards, random);
            let share = density / (density + surface.density(view, towards));
            if value != DVec3::ZERO && self.sees(surface, towards, f64::INFINITY, random) {
                sum += value * radiance * (share / density);
            }
        }
        for lamp in &self.shot.state.lights {
            let (towards, distance, light) = incident(lamp, surface.position);
            let value = surface.reflected(view, towards, random) * light;
            if value != DVec3::ZERO && self.sees(surface, towards, distance, random) {
                sum += value;
            }
        }
        sum
    }

    fn sees(&self, surface: &Surface, towards: DVec3, far: f64, random: &mut Random) -> bool {
        let ray = ray_from(surface, towards);
        self.meet(&ray, far, false, random).is_none()
    }

    /// The first surface that is there: alpha by chance. Rays of the eye pass the backs that the renderer does not draw.
    fn meet(&self, ray: &Ray, far: f64, eye: bool, random: &mut Random) -> Option<Hit> {
        let (mut ray, mut gone) = (*ray, 0.0);
        for _ in 0..PASSED {
            let drawn = |hit: &Hit| {
                let material = self.surfaces.material(hit);
                !eye || hit.front || material.double_sided
            };
            let mut hit = self.surfaces.geometry.meet(&ray, far - gone, drawn)?;
            if self.is_there(&hit, random) {
                hit.distance += gone;
                return Some(hit);
            }
            let step = hit.distance * (1.0 + 1e-9) + 1e-9;
            gone += step;
            ray.from += ray.along * step;
        }
        None
    }

    fn is_there(&self, hit: &Hit, random: &mut Random) -> bool {
        let material = self.surfaces.material(hit);
        let alpha = || {
            self.surfaces
                .base_color(material, &self.surfaces.geometry.at(hit))
                .w
        };
        match material.alpha_mode {
            AlphaMode::Opaque => true,
            AlphaMode::Mask { cutoff } => alpha() >= f64::from(cutoff),
            AlphaMode::Blend => random.unit() < alpha(),
        }
    }
}

/// Ray that starts just above or below the surface.
fn ray_from(surface: &Surface, towards: DVec3) -> Ray {
    let side = surface.plane.dot(towards).signum();
    let size = surface.position.abs().max_element().max(1e-3);
    Ray {
        from: surface.position + surface.plane * (side * 1e-6 * size),
        along: towards,
    }
}

/// `KHR_lights_punctual`: the way to the lamp, how far it is, and its light, which counts as radiance times solid angle.
fn incident(lamp: &LightInstance, at: DVec3) -> (DVec3, f64, DVec3) {
    let light = lamp.radiance.as_dvec3();
    let shines = lamp.direction_world.as_dvec3();
    if lamp.kind == LightKind::Directional {
        return (-shines, f64::INFINITY, light);
    }
    let way = lamp.position_world.as_dvec3() - at;
    let distance = way.length();
    let towards = way / distance;
    let range = f64::from(lamp.range);
    let window = (1.0 - (distance / range).powi(4)).clamp(0.0, 1.0);
    let mut left = window / (distance * distance);
    if let LightKind::Spot {
        inner_angle,
        outer_angle,
    } = lamp.kind
    {
        let [inner, outer] = [inner_angle, outer_angle].map(|angle| f64::from(angle).cos());
        let part = (-towards.dot(shines) - outer) / (inner - outer).max(1e-3);
        left *= part.clamp(0.0, 1.0).powi(2);
    }
    (towards, distance, light * left)
}
