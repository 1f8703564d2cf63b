//! Films and what light goes through against an oracle in double precision: Airy's sum over the spectrum, Beer's law.

use std::f64::consts::PI;

use glam::{Vec3, Vec4};

use super::exact::{Triple, view_at};
use super::layer_samples::{COSINES, Sample, black, check, even_light, glass, turned, white_metal};
use azulejo_scene::{DiffuseTransmission, Environment, Iridescence, Material, Volume};

/// A film over a metal: its two interfaces in the program's approximation, their interference by Airy's sum, and the eye's
/// response by sums over wave numbers.
struct ExactFilm {
    r12: f64,
    r23: f64,
    /// Path difference of light that goes twice through the film, nanometres.
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

    /// Reflectance in linear RGB; the mean over all phases keeps its colour.
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

#[test]
fn glass_is_invisible_in_even_light() {
    let even = even_light();
    for (transmission, roughness) in [(1.0, 0.0), (0.5, 0.4), (1.0, 1.0)] {
        for thickness in [0.0, 2.0] {
            for cosine in COSINES {
                let sample = Sample {
                    material: Material {
                        volume: Some(Volume {
                            thickness,
                            ..Volume::default()
                        }),
                        ..glass(transmission, roughness)
                    },
                    view: view_at(cosine),
                };
                let [red, ..] = sample.shade(&[], Some(&even));
                assert!((red - 1.0).abs() < 0.01, "{sample:?}: {red}");
            }
        }
    }
}

#[test]
fn volume_absorbs_by_the_length_of_the_way() {
    let even = even_light();
    let color = Vec3::new(0.9, 0.5, 0.1);
    for (thickness, distance) in [(1.0_f32, 1.0_f32), (3.0, 2.0), (0.5, 4.0)] {
        let sample = Sample {
            material: Material {
                volume: Some(Volume {
                    thickness,
                    attenuation_distance: distance,
                    attenuation_color: color,
                    ..Volume::default()
                }),
                ior: 1.0,
                ..glass(1.0, 0.0)
            },
            view: view_at(0.6),
        };
        // Without refraction nothing is reflected at all, but for grazing angles.
        let reflected = (1.0_f64 - 0.6).powi(5);
        let found = sample.shade(&[], Some(&even));
        for (found, color) in found.into_iter().zip(color.to_array()) {
            let left = f64::from(color).powf(f64::from(thickness / distance));
            let exact = reflected + (1.0 - reflected) * left;
            assert!(
                (found - exact).abs() < 0.01,
                "{sample:?}: {found}, not {exact}"
            );
        }
    }
}

#[test]
fn volume_bends_blue_more_than_red() {
    // Bright towards +X: a ray that comes from there is bent down, away from it.
    let pixels: Vec<Vec3> = (0..32 * 64)
        .map(|at| {
            let angle = (f64::from(at % 64) + 0.5) / 64.0 * 2.0 * PI;
            Vec3::splat(1.0 - 0.9 * angle.cos() as f32)
        })
        .collect();
    let sides = Environment::from_equirect(64, 32, &pixels).expect("a map of its size");
    let seen = |dispersion| {
        let sample = Sample {
            material: Material {
                volume: Some(Volume {
                    thickness: 1.0,
                    dispersion,
                    ..Volume::default()
                }),
                ..glass(1.0, 0.0)
            },
            view: view_at(0.5),
        };
        sample.shade(&[], Some(&sides))
    };
    let ([red, green, blue], [_, plain, _]) = (seen(5.0), seen(0.0));
    assert!((green - plain).abs() < 1e-6, "green goes as without");
    let apart = [red - green, green - blue];
    let same_side = apart[0] * apart[1] > 0.0 && apart[0].abs() > 1e-3;
    assert!(same_side, "{red}, {green}, {blue}");
}

#[test]
fn light_from_behind_is_scattered_through() {
    let color = Vec3::new(0.2, 1.0, 0.5);
    let sample = Sample {
        material: Material {
            base_color: Vec4::ONE,
            diffuse_transmission: Some(DiffuseTransmission {
                factor: 0.75,
                color,
                ..DiffuseTransmission::default()
            }),
            ..black()
        },
        view: view_at(0.7),
    };
    let [x, y, z] = turned(0.6, 1.0);
    // Nothing is reflected, so all of the ground's light is shared out.
    check(
        &sample,
        [x, y, -z],
        color.to_array().map(|c| 0.75 * f64::from(c) * z / PI),
        0.01,
    );
    check(&sample, [x, y, z], [0.25 * z / PI; 3], 0.01);
}
