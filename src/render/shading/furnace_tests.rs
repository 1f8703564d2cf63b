//! Energy: reflection of even light, by image and by punctual lights, reflection of one light, and the direction of lobes,
//! against the double-precision oracle.

use std::f64::consts::PI;

use glam::Vec3;

use super::brdf::{Dielectric, LitSurface, PointMaterial, Surface};
use super::exact::{Incidence, Lobe, Triple, dot, view_at};
use super::image_light::ImageLight;
use super::light::{IncidentLight, Reflector};
use super::roughness::MIN_ROUGHNESS;
use super::vector::splat;
use azulejo_scene::Environment;
use azulejo_simd::{LANES, LaneJob, Lanes, SimdLevel, dispatch};

const NORMAL: Vec3 = Vec3::Z;

/// A surface as a test sees it.
#[derive(Debug, Clone, Copy)]
struct Sample {
    base_color: Vec3,
    metallic: f32,
    roughness: f32,
    n_dot_v: f32,
    /// f0 and f90 of what is no metal, where they are not 4 % and 1.
    dielectric: Option<(Vec3, f32)>,
}

impl Sample {
    fn view(&self) -> Triple {
        view_at(f64::from(self.n_dot_v))
    }

    /// Lobe of the oracle; roughness is clamped as the program does.
    fn lobe(&self) -> Lobe {
        Lobe {
            alpha: f64::from(self.roughness.max(MIN_ROUGHNESS)).powi(2),
        }
    }

    #[inline(always)]
    fn surface<L: Lanes>(&self, l: L) -> Surface<L> {
        let view = Vec3::from_array(self.view().map(|component| component as f32));
        let material = PointMaterial {
            base_color: splat(l, self.base_color),
            metallic: l.f(self.metallic),
            roughness: l.f(self.roughness),
            dielectric: self.dielectric.map(
                #[inline(always)]
                |(f0, f90)| Dielectric {
                    f0: splat(l, f0),
                    f90: l.f(f90),
                },
            ),
        };
        Surface::new(l, splat(l, NORMAL), splat(l, view), &material)
    }
}

/// White surfaces of every roughness and angle that the tests look at.
fn whites(metallic: f32) -> impl Iterator<Item = Sample> {
    let roughnesses = [0.0, 0.1, 0.25, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
    roughnesses.into_iter().flat_map(move |roughness| {
        [0.03, 0.1, 0.3, 0.5, 0.75, 1.0].map(|n_dot_v| Sample {
            base_color: Vec3::ONE,
            metallic,
            roughness,
            n_dot_v,
            dielectric: None,
        })
    })
}

/// Dielectrics with reflectances of their own: none at all, water, diamond, a coloured film, a mirror.
const DIELECTRICS: [(Vec3, f32); 5] = [
    (Vec3::ZERO, 0.0),
    (Vec3::splat(0.02), 1.0),
    (Vec3::splat(0.17), 1.0),
    (Vec3::new(0.3, 0.02, 0.1), 0.5),
    (Vec3::ONE, 1.0),
];

struct UnderEnvironment<'a>(Sample, &'a Environment);

impl LaneJob for UnderEnvironment<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> f64 {
        let reflected = ImageLight::from(self.1).reflected(l, &self.0.surface(l));
        let mut lanes = [0.0; LANES];
        l.store(reflected[0], &mut lanes);
        f64::from(lanes[0])
    }
}

/// A surface under directional lights, each of radiance 1 over its solid angle; gives the contribution of each.
struct UnderLights<'a>(Sample, &'a [Incidence]);

impl LaneJob for UnderLights<'_> {
    type Output = Vec<Vec3>;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Vec<Vec3> {
        let surface = LitSurface::new(l, self.0.surface(l));
        let mut reflected = Vec::with_capacity(self.1.len().next_multiple_of(LANES));
        for lights in self.1.chunks(LANES) {
            let component = |k: usize| {
                std::array::from_fn(|lane| lights.get(lane).map_or(0.0, |it| it.towards[k] as f32))
            };
            let weights = |lane: usize| lights.get(lane).map_or(0.0, |it| it.solid_angle as f32);
            let light = IncidentLight {
                towards: [0, 1, 2].map(|k| l.load(&component(k))),
                attenuation: l.load(&std::array::from_fn(weights)),
                radiance: splat(l, Vec3::ONE),
            };
            let found = surface.add_reflected(l, &light, splat(l, Vec3::ZERO));
            let mut channels = [[0.0; LANES]; 3];
            for k in 0..3 {
                l.store(found[k], &mut channels[k]);
            }
            reflected.extend((0..lights.len()).map(|lane| Vec3::from(channels.map(|c| c[lane]))));
        }
        reflected
    }
}

fn run<J: LaneJob>(job: J) -> J::Output {
    dispatch(SimdLevel::Auto.backend().expect("runs everywhere"), job)
}

/// Reflection of even light by a white surface, under lights as dense as its lobe is narrow.
fn under_even_lights(white: Sample) -> f64 {
    let lights = white.lobe().incidences(white.view(), 128);
    let reflected = run(UnderLights(white, &lights));
    reflected.iter().map(|color| f64::from(color.x)).sum()
}

/// Radiance by direction, as an environment.
fn environment(radiance: impl Fn(Vec3) -> f32) -> Environment {
    const WIDTH: u32 = 128;
    let angle = |index: u32| (f64::from(index) + 0.5) / f64::from(WIDTH) * 2.0 * PI;
    let rows = (0..WIDTH / 2).flat_map(|y| (0..WIDTH).map(move |x| [x, y]));
    let pixels: Vec<Vec3> = rows
        .map(|[x, y]| {
            // The middle of the map looks along +X, its top along +Y.
            let [(sin_x, cos_x), (sin_y, cos_y)] = [angle(x) - PI, angle(y)].map(f64::sin_cos);
            let towards = [cos_x * sin_y, cos_y, sin_x * sin_y].map(|component| component as f32);
            Vec3::splat(radiance(Vec3::from_array(towards)))
        })
        .collect();
    Environment::from_equirect(WIDTH, WIDTH / 2, &pixels).expect("a map of its size")
}

#[test]
fn furnace_of_even_light_is_invisible_to_white_metal() {
    let even = environment(|_| 1.0);
    for white in whites(1.0) {
        let found = run(UnderEnvironment(white, &even));
        assert!((found - 1.0).abs() < 0.01, "{white:?}: {found}");
    }
}

#[test]
fn furnace_of_even_light_is_invisible_to_white_paint() {
    let even = environment(|_| 1.0);
    for white in whites(0.0) {
        let found = run(UnderEnvironment(white, &even));
        assert!((found - 1.0).abs() < 0.01, "{white:?}: {found}");
    }
}

#[test]
fn furnace_of_even_light_is_invisible_to_white_glass_of_any_reflectance() {
    let even = environment(|_| 1.0);
    for dielectric in DIELECTRICS {
        // A coloured film takes light out of the other channels; the red one is looked at.
        for white in whites(0.0) {
            let dielectric = Some(dielectric);
            let white = Sample {
                dielectric,
                ..white
            };
            let found = run(UnderEnvironment(white, &even));
            assert!((found - 1.0).abs() < 0.01, "{white:?}: {found}");
        }
    }
}

#[test]
fn furnace_of_even_light_grows_with_colours_beyond_white() {
    let even = environment(|_| 1.0);
    for white in whites(1.0) {
        let brighter = Sample {
            base_color: Vec3::splat(4.0),
            ..white
        };
        let found = run(UnderEnvironment(brighter, &even));
        assert!((1.0..=4.05).contains(&found), "{brighter:?}: {found}");
    }
}

#[test]
fn furnace_of_many_lights_is_invisible_to_white_metal() {
    for white in whites(1.0) {
        let found = under_even_lights(white);
        assert!((found - 1.0).abs() < 0.01, "{white:?}: {found}");
    }
}

/// The specification's reflectance times N.L in double precision; later bounces as Turquin adds them, with the albedo as it
/// is.
fn exact_reflected(sample: Sample, light: Triple, total: f64) -> Triple {
    let [reflectance, v_dot_h] = sample.lobe().reflectance(sample.view(), light);
    let metallic = f64::from(sample.metallic);
    let base_color = sample.base_color.to_array().map(f64::from);
    let (d0, d90) = sample.dielectric.unwrap_or((Vec3::splat(0.04), 1.0));
    let (d0, d90) = (d0.to_array().map(f64::from), f64::from(d90));
    let schlick = |f0: f64, f90: f64| f0 + (f90 - f0) * (1.0 - v_dot_h).powi(5);
    let covered = schlick(d0.into_iter().fold(0.0, f64::max), d90);
    [0, 1, 2].map(|k| {
        let f0 = d0[k] * (1.0 - metallic) + base_color[k] * metallic;
        let fresnel = schlick(f0, d90 * (1.0 - metallic) + metallic);
        let covered = sample.dielectric.map_or(fresnel, |_| covered);
        let diffuse = (1.0 - covered) * base_color[k] * (1.0 - metallic) / PI;
        let specular = fresnel * reflectance * (1.0 + f0 * (1.0 - total) / total);
        (diffuse + specular) * light[2]
    })
}

/// Fails where a light adds another color than the oracle says.
fn check_against_double_precision(sample: Sample) {
    let [total, _] = sample.lobe().albedo(f64::from(sample.n_dot_v));
    let lights = sample.lobe().incidences(sample.view(), 12);
    let found = run(UnderLights(sample, &lights));
    for (light, found) in lights.iter().zip(found) {
        let exact = exact_reflected(sample, light.towards, total);
        let exact = exact.map(|channel| channel * light.solid_angle);
        for (found, exact) in found.to_array().into_iter().zip(exact) {
            let error = (f64::from(found) - exact).abs();
            assert!(
                error < 0.01 * exact + 1e-6,
                "{sample:?}, {light:?}: {found}, not {exact}"
            );
        }
    }
}

#[test]
fn light_is_reflected_as_double_precision_says() {
    for roughness in [0.1_f32, 0.3, 0.55, 0.8, 1.0] {
        for n_dot_v in [0.05_f32, 0.3, 0.7, 1.0] {
            for metallic in [0.0_f32, 0.4, 1.0] {
                check_against_double_precision(Sample {
                    base_color: Vec3::new(0.95, 0.5, 0.1),
                    metallic,
                    roughness,
                    n_dot_v,
                    dielectric: None,
                });
            }
        }
    }
}

#[test]
fn light_is_reflected_by_any_dielectric_as_double_precision_says() {
    for dielectric in DIELECTRICS {
        for (roughness, n_dot_v) in [(0.2, 0.1), (0.2, 0.8), (0.7, 0.3), (1.0, 0.9)] {
            for metallic in [0.0, 0.4] {
                check_against_double_precision(Sample {
                    base_color: Vec3::new(0.95, 0.5, 0.1),
                    metallic,
                    roughness,
                    n_dot_v,
                    dielectric: Some(dielectric),
                });
            }
        }
    }
}

#[test]
fn lobe_of_a_rough_mirror_points_where_its_light_comes_from() {
    let mut errors = Vec::new();
    for slope in [Vec3::X, Vec3::Z] {
        let gradient = environment(|towards| 1.0 + 0.8 * towards.dot(slope));
        let slope = slope.to_array().map(f64::from);
        for white in whites(1.0).filter(|white| white.roughness >= 0.25) {
            let lobe = white.lobe();
            let once = lobe.gathered(white.view(), |light, _| 1.0 + 0.8 * dot(light, slope));
            let [albedo, _] = lobe.albedo(f64::from(white.n_dot_v));
            // Later bounces see the irradiance of the normal: a gradient counts two thirds.
            let even = 1.0 + 0.8 * 2.0 / 3.0 * slope[2];
            let expected = once + (1.0 - albedo) * even;
            errors.push((run(UnderEnvironment(white, &gradient)) - expected).abs());
        }
    }
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    let worst = errors.iter().copied().fold(0.0, f64::max);
    // With a look-up in the mirror direction instead, the mean is 0.16 and the worst 0.48.
    assert!(
        mean < 0.06 && worst < 0.25,
        "mean {mean}, worst {worst} of radiance 0.2 to 1.8"
    );
}
