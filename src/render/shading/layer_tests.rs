//! Coat, sheen and grain against an oracle in double precision: the extensions' formulas as their papers write them, and integrals over
//! the hemisphere.

use std::f64::consts::PI;

use glam::Vec3;

use super::exact::{Lobe, Triple, dot, view_at};
use super::layer_samples::{
    COSINES, Sample, black, check, coat, even_light, grain, instance, lights, sheen, turned,
    white_metal,
};
use azulejo_scene::{LightInstance, Material};

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
