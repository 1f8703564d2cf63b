//! Layers against an oracle in double precision: the whole program of a material without textures, run at one point, beside the
//! extensions' formulas as their papers write them, integrals over the hemisphere, and sums over the spectrum.

use std::f64::consts::PI;

use glam::{Vec3, Vec4};

use super::exact::{Incidence, Lobe, Triple, dot, view_at};
use super::{FragmentInputs, FragmentProgram, FrameConstants, Layered};
use crate::scene::{
    Anisotropy, Clearcoat, Environment, Iridescence, LightInstance, LightKind, Material, Primitive,
    Scene, Sheen,
};
use crate::simd::{LANES, LaneJob, Lanes, SimdLevel, dispatch};

/// A material at a point that is seen from one direction; the normal is +Z, the tangent +X.
#[derive(Debug, Clone)]
struct Sample {
    material: Material,
    view: Triple,
}

struct Shaded<'a>(&'a Layered<'a>);

impl LaneJob for Shaded<'_> {
    type Output = Triple;

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Triple {
        let layout = self.0.varyings();
        let mut inputs = FragmentInputs::zero(l);
        let mut set = |place: Option<u8>, values: &[f32]| {
            for (k, value) in values.iter().enumerate() {
                if let Some(place) = place {
                    inputs.varyings[usize::from(place) + k] = l.f(*value);
                }
            }
        };
        set(layout.normal_world, &[0.0, 0.0, 1.0]);
        set(layout.tangent_world, &[1.0, 0.0, 0.0, 1.0]);
        let output = self.0.shade(l, &inputs);
        [0, 1, 2].map(|k| {
            let mut lanes = [0.0; LANES];
            l.store(output.rgba[k], &mut lanes);
            f64::from(lanes[0])
        })
    }
}

impl Sample {
    fn shade(&self, lights: &[LightInstance], environment: Option<&Environment>) -> Triple {
        let primitive = Primitive {
            normals: vec![Vec3::Z],
            tangents: vec![Vec4::new(1.0, 0.0, 0.0, 1.0)],
            ..Primitive::default()
        };
        let eye = self.view.map(|component| (component * 1000.0) as f32);
        let frame = FrameConstants {
            eye_world: Vec3::from_array(eye),
            lights,
            environment,
        };
        let scene = Scene::default();
        let program = Layered::new(&scene, &self.material, &primitive, &frame);
        let backend = SimdLevel::Auto.backend().expect("runs everywhere");
        dispatch(backend, Shaded(&program))
    }

    fn under_light(&self, towards: Triple) -> Triple {
        let light = Incidence {
            towards,
            solid_angle: 1.0,
        };
        self.shade(&[instance(&light)], None)
    }
}

fn instance(light: &Incidence) -> LightInstance {
    LightInstance {
        kind: LightKind::Directional,
        radiance: Vec3::splat(light.solid_angle as f32),
        position_world: Vec3::ZERO,
        direction_world: -Vec3::from_array(light.towards.map(|component| component as f32)),
        range: f32::INFINITY,
    }
}

/// A surface that reflects nothing by itself.
fn black() -> Material {
    Material {
        base_color: Vec4::new(0.0, 0.0, 0.0, 1.0),
        metallic: 0.0,
        specular: 0.0,
        ..Material::default()
    }
}

fn white_metal(roughness: f32) -> Material {
    Material {
        roughness,
        ..Material::default()
    }
}

fn coat(factor: f32, roughness: f32) -> Option<Clearcoat> {
    Some(Clearcoat {
        factor,
        roughness,
        ..Clearcoat::default()
    })
}

fn sheen(roughness: f32) -> Option<Sheen> {
    Some(Sheen {
        color: Vec3::new(1.0, 0.6, 0.2),
        roughness,
        ..Sheen::default()
    })
}

fn grain(strength: f32, rotation: f32) -> Option<Anisotropy> {
    Some(Anisotropy {
        strength,
        rotation,
        texture: None,
    })
}

fn even_light() -> Environment {
    Environment::from_equirect(64, 32, &[Vec3::ONE; 64 * 32]).expect("a map of its size")
}

/// The unit vector at cosine `n_dot` of the normal, turned about it.
fn turned(n_dot: f64, azimuth: f64) -> Triple {
    let [x, _, z] = view_at(n_dot);
    [x * azimuth.cos(), x * azimuth.sin(), z]
}

const COSINES: [f64; 4] = [0.08, 0.3, 0.65, 1.0];

/// Directions that light comes from.
fn lights() -> impl Iterator<Item = Triple> {
    let cosines = [0.05, 0.2, 0.5, 0.8, 0.99].into_iter();
    cosines.flat_map(|cosine| [0.0, 0.7, 2.0, 3.0, 4.4].map(|azimuth| turned(cosine, azimuth)))
}

fn check(sample: &Sample, light: Triple, exact: Triple, tolerance: f64) {
    let found = sample.under_light(light);
    for (found, exact) in found.into_iter().zip(exact) {
        assert!(
            (found - exact).abs() < tolerance * exact.abs() + 1e-5,
            "{sample:?}, {light:?}: {found}, not {exact}"
        );
    }
}

/// The sheen lobe times n . l: Conty Estevez and Kulla 2017, equations 2 and 3, with the table of their section 3.
fn exact_sheen(roughness: f64, view: Triple, light: Triple) -> f64 {
    let alpha = roughness.max(0.07).powi(2);
    let half = [0, 1, 2].map(|k| view[k] + light[k]);
    let cosine_squared = half[2] * half[2] / dot(half, half);
    let distribution = (2.0 + 1.0 / alpha) * (1.0 - cosine_squared).powf(0.5 / alpha) / (2.0 * PI);
    let mixed = |smooth: f64, rough: f64| {
        let weight = (1.0 - alpha).powi(2);
        weight * smooth + (1.0 - weight) * rough
    };
    let curve = |x: f64| {
        let denominator = 1.0 + mixed(3.32435, 3.82987) * x.powf(mixed(0.16801, 0.19823));
        mixed(25.3245, 21.5473) / denominator
            + mixed(-1.27393, -1.97760) * x
            + mixed(-4.85967, -4.32054)
    };
    let lambda = |cosine: f64| {
        if cosine < 0.5 {
            curve(cosine).exp()
        } else {
            (2.0 * curve(0.5) - curve(1.0 - cosine)).exp()
        }
    };
    let masking = 1.0 + lambda(view[2]) + lambda(light[2]);
    distribution / (masking * 4.0 * view[2])
}

/// The albedo of the white sheen by the midpoint rule, dense at grazing angles.
fn exact_sheen_albedo(roughness: f64, view: Triple) -> f64 {
    const STEPS: u32 = 160;
    let steps = (0..STEPS).flat_map(|row| (0..STEPS).map(move |column| [row, column]));
    let parts = steps.map(|cell| {
        let [u, turn] = cell.map(|step| (f64::from(step) + 0.5) / f64::from(STEPS));
        let solid_angle = 2.0 * u * 2.0 * PI / f64::from(STEPS * STEPS);
        exact_sheen(roughness, view, turned(u * u, 2.0 * PI * turn)) * solid_angle
    });
    parts.sum()
}

#[test]
fn sheen_reflects_light_as_double_precision_says() {
    for roughness in [0.0_f32, 0.15, 0.5, 1.0] {
        for cosine in COSINES {
            let sample = Sample {
                material: Material {
                    sheen: sheen(roughness),
                    ..black()
                },
                view: view_at(cosine),
            };
            for light in lights() {
                let white = exact_sheen(roughness.into(), sample.view, light);
                check(&sample, light, [1.0, 0.6, 0.2].map(|c| white * c), 0.01);
            }
        }
    }
}

#[test]
fn sheen_takes_from_the_ground_what_it_reflects_of_even_light() {
    let even = even_light();
    for roughness in [0.07_f32, 0.2, 0.4, 0.6, 0.8, 1.0] {
        for cosine in COSINES {
            let view = view_at(cosine);
            let albedo = exact_sheen_albedo(roughness.into(), view).min(1.0);
            let alone = Sample {
                material: Material {
                    sheen: sheen(roughness),
                    ..black()
                },
                view,
            };
            let found = alone.shade(&[], Some(&even));
            for (found, color) in found.into_iter().zip([1.0, 0.6, 0.2]) {
                assert!(
                    (found - albedo * color).abs() < 0.04,
                    "{alone:?}: {found}, not {albedo} times {color}"
                );
            }
            let over_metal = Sample {
                material: Material {
                    sheen: sheen(roughness),
                    ..white_metal(0.6)
                },
                view,
            };
            let [red, ..] = over_metal.shade(&[], Some(&even));
            assert!((red - 1.0).abs() < 0.01, "{over_metal:?}: {red}");
        }
    }
}

#[test]
fn coat_reflects_light_as_double_precision_says() {
    for roughness in [0.1_f32, 0.4, 0.8] {
        let lobe = Lobe {
            alpha: f64::from(roughness).powi(2),
        };
        for cosine in COSINES {
            let view = view_at(cosine);
            let [total, _] = lobe.albedo(cosine);
            let sample = Sample {
                material: Material {
                    clearcoat: coat(0.7, roughness),
                    ..black()
                },
                view,
            };
            for light in lights() {
                let [reflectance, v_dot_h] = lobe.reflectance(view, light);
                let fresnel = 0.04 + 0.96 * (1.0 - v_dot_h).powi(5);
                let later = 1.0 + 0.04 * (1.0 - total) / total;
                let exact = 0.7 * fresnel * reflectance * light[2] * later;
                check(&sample, light, [exact; 3], 0.01);
            }
        }
    }
}

#[test]
fn coat_over_white_metal_is_invisible_in_even_light() {
    let even = even_light();
    for (factor, roughness) in [(1.0, 0.0), (1.0, 0.5), (0.4, 1.0)] {
        for cosine in COSINES {
            let sample = Sample {
                material: Material {
                    clearcoat: coat(factor, roughness),
                    sheen: sheen(0.5),
                    ..white_metal(0.3)
                },
                view: view_at(cosine),
            };
            let [red, ..] = sample.shade(&[], Some(&even));
            assert!((red - 1.0).abs() < 0.01, "{sample:?}: {red}");
        }
    }
}

#[test]
fn coat_over_white_metal_is_invisible_among_many_lights() {
    for roughness in [0.2_f32, 0.6, 1.0] {
        for cosine in COSINES {
            let sample = Sample {
                material: Material {
                    clearcoat: coat(1.0, roughness),
                    ..white_metal(roughness)
                },
                view: view_at(cosine),
            };
            let lobe = Lobe {
                alpha: f64::from(roughness).powi(2),
            };
            let points = lobe.incidences(sample.view, 96);
            let lights: Vec<LightInstance> = points.iter().map(instance).collect();
            let [red, ..] = sample.shade(&lights, None);
            assert!((red - 1.0).abs() < 0.015, "{sample:?}: {red}");
        }
    }
}

#[test]
fn coat_dims_emission_below() {
    let sample = Sample {
        material: Material {
            clearcoat: coat(1.0, 0.0),
            emissive: Vec3::ONE,
            ..black()
        },
        view: view_at(1.0),
    };
    let [red, ..] = sample.shade(&[], None);
    assert!((red - 0.96).abs() < 0.003, "{red} at normal incidence");
}

/// The anisotropic lobe: reflectance, and V.H (Heitz 2014, with stretched lambda).
fn exact_grain([along, across]: [f64; 2], view: Triple, light: Triple) -> [f64; 2] {
    let half = [0, 1, 2].map(|k| view[k] + light[k]);
    let length = dot(half, half).sqrt();
    let half = half.map(|component| component / length);
    let slopes = (half[0] / along).powi(2) + (half[1] / across).powi(2) + half[2].powi(2);
    let distribution = 1.0 / (PI * along * across * slopes * slopes);
    let lambda = |v: Triple| {
        let stretched = (along * v[0]).powi(2) + (across * v[1]).powi(2);
        ((1.0 + stretched / v[2].powi(2)).sqrt() - 1.0) / 2.0
    };
    let masking = 1.0 / (1.0 + lambda(view) + lambda(light));
    let reflectance = distribution * masking / (4.0 * view[2] * light[2]);
    [reflectance, dot(view, half)]
}

#[test]
fn grain_reflects_light_as_double_precision_says() {
    for (roughness, strength) in [(0.2_f32, 0.5_f32), (0.5, 1.0), (0.7, 0.3)] {
        for (cosine, azimuth) in [(0.3, 0.0), (0.3, 1.1), (0.8, 2.5)] {
            // The material's grain is turned, the oracle's directions back.
            let turn = 0.6;
            let sample = Sample {
                material: Material {
                    anisotropy: grain(strength, turn as f32),
                    ..white_metal(roughness)
                },
                view: turned(cosine, azimuth + turn),
            };
            let alpha = f64::from(roughness).powi(2);
            let along = alpha + (1.0 - alpha) * f64::from(strength).powi(2);
            let equivalent = ((along * along + alpha * alpha) / 2.0).sqrt();
            let [total, _] = Lobe { alpha: equivalent }.albedo(cosine);
            for (light_cosine, light_azimuth) in [(0.2, 0.4), (0.6, 3.0), (0.9, 5.0)] {
                let light = turned(light_cosine, light_azimuth + turn);
                let [reflectance, _] = exact_grain(
                    [along, alpha],
                    turned(cosine, azimuth),
                    turned(light_cosine, light_azimuth),
                );
                // White: Schlick's term is 1.
                let exact = reflectance * light[2] / total;
                check(&sample, light, [exact; 3], 0.015);
            }
        }
    }
}

#[test]
fn grain_of_no_strength_is_the_isotropic_lobe() {
    let lobe = Lobe { alpha: 0.25 };
    let [total, _] = lobe.albedo(0.4);
    let sample = Sample {
        material: Material {
            anisotropy: grain(1e-4, 0.3),
            ..white_metal(0.5)
        },
        view: view_at(0.4),
    };
    for light in lights() {
        let [reflectance, _] = lobe.reflectance(sample.view, light);
        check(&sample, light, [reflectance * light[2] / total; 3], 0.01);
    }
}

#[test]
fn grain_is_invisible_in_even_light() {
    let even = even_light();
    for strength in [0.3, 0.7, 1.0] {
        for cosine in COSINES {
            let sample = Sample {
                material: Material {
                    anisotropy: grain(strength, 1.0),
                    ..white_metal(0.3)
                },
                view: view_at(cosine),
            };
            let [red, ..] = sample.shade(&[], Some(&even));
            assert!((red - 1.0).abs() < 0.01, "{sample:?}: {red}");
        }
    }
}

/// A film over a metal: its two interfaces in the program's approximation, their interference by Airy's sum, and the eye's response by
/// sums over wave numbers.
struct ExactFilm {
    r12: f64,
    r23: f64,
    /// Of light that goes twice through the film, nanometres.
    path: f64,
    /// The phases of both reflections inside.
    phase: f64,
}

impl ExactFilm {
    fn new(ior: f64, thickness: f64, f0: f64, cosine: f64) -> Self {
        let schlick = |f0: f64, cosine: f64| f0 + (1.0 - f0) * (1.0 - cosine).powi(5);
        let at_normal = |a: f64, b: f64| ((a - b) / (a + b)).powi(2);
        let inside = (1.0 - (1.0 - cosine * cosine) / (ior * ior)).sqrt();
        let ground = (1.0 + f0.sqrt()) / (1.0 - f0.sqrt());
        Self {
            r12: schlick(at_normal(ior, 1.0), cosine),
            r23: schlick(at_normal(ground, ior), inside),
            path: 2.0 * ior * thickness * inside,
            phase: PI + if ground < ior { PI } else { 0.0 },
        }
    }

    /// Reflectance at a wave number, in 1/m.
    fn reflectance(&self, wave_number: f64) -> f64 {
        let (r12, r23) = (self.r12, self.r23);
        let waves = 2.0 * (r12 * r23).sqrt();
        let cosine = (2.0 * PI * self.path * 1e-9 * wave_number + self.phase).cos();
        (r12 + r23 - waves * cosine) / (1.0 + r12 * r23 - waves * cosine)
    }

    /// In linear RGB; the mean over all phases keeps its colour.
    fn seen(&self) -> Triple {
        let (r12, r23) = (self.r12, self.r23);
        let mean = r12 + (1.0 - r12).powi(2) * r23 / (1.0 - r12 * r23);
        let response = |value: f64, position: f64, variance: f64| {
            const STEPS: i32 = 2000;
            let width = (2.0 * variance).sqrt();
            let steps = -STEPS..=STEPS;
            let parts = steps.map(|step| {
                let distance = f64::from(step) / f64::from(STEPS) * 6.0;
                let weight = (-distance * distance / 2.0).exp() * 6.0 / f64::from(STEPS);
                weight * (self.reflectance(position + distance * width) - mean)
            });
            let area = value * (2.0 * PI * variance).sqrt() / 1.0685e-7;
            parts.sum::<f64>() * area / (2.0 * PI).sqrt()
        };
        let x = response(5.4856e-13, 1.6810e6, 4.3278e9) + response(9.7470e-14, 2.2399e6, 4.5282e9);
        let y = response(4.4201e-13, 1.7953e6, 9.3046e9);
        let z = response(5.2481e-13, 2.2084e6, 6.6121e9);
        [
            mean + 3.2404542 * x - 1.5371385 * y - 0.4985314 * z,
            mean - 0.9692660 * x + 1.8760108 * y + 0.0415560 * z,
            mean + 0.0556434 * x - 0.2040259 * y + 1.0572252 * z,
        ]
    }
}

#[test]
fn film_has_the_colours_of_interference() {
    let even = even_light();
    let (mut worst, mut n_colored) = (0.0_f64, 0);
    for (ior, f0) in [(1.3_f32, 0.04_f32), (1.3, 0.5), (1.8, 0.04), (1.6, 0.3)] {
        for thickness in [100.0_f32, 250.0, 400.0, 800.0] {
            for cosine in [0.4, 0.7, 1.0] {
                let sample = Sample {
                    material: Material {
                        base_color: Vec3::splat(f0).extend(1.0),
                        iridescence: Some(Iridescence {
                            factor: 1.0,
                            ior,
                            thickness_maximum: thickness,
                            ..Iridescence::default()
                        }),
                        ..white_metal(0.0)
                    },
                    view: view_at(cosine),
                };
                let film = ExactFilm::new(ior.into(), thickness.into(), f0.into(), cosine);
                let exact = film.seen();
                let found = sample.shade(&[], Some(&even));
                for (found, exact) in found.into_iter().zip(exact) {
                    // Colours outside of what a surface can reflect are cut off.
                    let schlick = (1.0 - cosine).powi(5);
                    let exact = exact.clamp(schlick, 1.0);
                    worst = worst.max((found - exact).abs());
                    assert!(
                        (found - exact).abs() < 0.03,
                        "{sample:?}: {found}, not {exact}"
                    );
                }
                n_colored += u32::from((exact[0] - exact[2]).abs() > 0.05);
            }
        }
    }
    assert!(n_colored > 12, "{n_colored} have a hue; worst {worst}");
}

#[test]
fn film_of_no_thickness_is_not_there() {
    let even = even_light();
    let bare = Material {
        base_color: Vec4::new(0.9, 0.5, 0.2, 1.0),
        ..white_metal(0.4)
    };
    let film = Some(Iridescence {
        factor: 1.0,
        thickness_maximum: 0.0,
        ..Iridescence::default()
    });
    let filmed = Material {
        iridescence: film,
        ..bare.clone()
    };
    let of = |material| Sample {
        material,
        view: view_at(0.5),
    };
    let (bare, filmed) = (of(bare), of(filmed));
    let pair = [&bare, &filmed].map(|sample| sample.shade(&[], Some(&even)));
    for (bare, filmed) in pair[0].iter().zip(pair[1]) {
        assert!((bare - filmed).abs() < 1e-5, "{bare}, {filmed}");
    }
}
