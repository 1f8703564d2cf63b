//! Punctual lights behind a surface against an oracle in double precision: `KHR_materials_transmission` as it is written,
//! with half vectors and Smith's lambda, and Snell's and Beer's laws for volumes.

use glam::Vec3;

use super::exact::{Lobe, Triple, dot, view_at};
use super::layer_samples::{COSINES, Sample, check, coat, glass, lights};
use azulejo_scene::{LightInstance, LightKind, Material, Volume};

const BASE: [f32; 3] = [0.8, 0.5, 0.25];

fn colored_glass(transmission: f32, roughness: f32) -> Material {
    Material {
        base_color: Vec3::from_array(BASE).extend(1.0),
        ..glass(transmission, roughness)
    }
}

/// The direction on the other side of the surface.
fn behind([x, y, z]: Triple) -> Triple {
    [x, y, -z]
}

/// Transmission of light from `light`, which is behind, before base colour; times |N.L|.
fn exact_through(alpha: f64, f0: f64, view: Triple, light: Triple) -> f64 {
    let mirrored = behind(light);
    let [reflectance, v_dot_h] = Lobe { alpha }.reflectance(view, mirrored);
    let fresnel = f0 + (1.0 - f0) * (1.0 - v_dot_h).powi(5);
    (1.0 - fresnel) * reflectance * mirrored[2]
}

#[test]
fn thin_glass_lets_light_through_as_double_precision_says() {
    for (roughness, transmission) in [(0.15_f32, 1.0_f32), (0.4, 0.7), (0.8, 1.0)] {
        for cosine in COSINES {
            let sample = Sample {
                material: colored_glass(transmission, roughness),
                view: view_at(cosine),
            };
            for light in lights().map(behind) {
                let alpha = f64::from(roughness).powi(2);
                let white = exact_through(alpha, 0.04, sample.view, light);
                let exact = BASE.map(|c| white * f64::from(transmission) * f64::from(c));
                check(&sample, light, exact, 0.01);
            }
        }
    }
}

/// An index of 1.25 bends half as much as the usual one, and mirrors (0.25 / 2.25)^2.
#[test]
fn glass_that_bends_less_scatters_less() {
    let f0 = (0.25_f64 / 2.25).powi(2);
    for cosine in COSINES {
        let sample = Sample {
            material: Material {
                ior: 1.25,
                ..colored_glass(1.0, 0.6)
            },
            view: view_at(cosine),
        };
        for light in lights().map(behind) {
            let white = exact_through(0.5 * 0.36, f0, sample.view, light);
            check(&sample, light, BASE.map(|c| white * f64::from(c)), 0.01);
        }
    }
}

#[test]
fn metal_lets_no_light_through() {
    let sample = Sample {
        material: Material {
            metallic: 1.0,
            ..colored_glass(1.0, 0.3)
        },
        view: view_at(0.8),
    };
    for light in lights().map(behind) {
        check(&sample, light, [0.0; 3], 0.0);
    }
}

#[test]
fn coat_dims_light_that_comes_through() {
    let view = view_at(1.0);
    let light = behind(view_at(0.95));
    let bare = Sample {
        material: colored_glass(1.0, 0.5),
        view,
    };
    let coated = Sample {
        material: Material {
            clearcoat: coat(1.0, 0.0),
            ..bare.material.clone()
        },
        view,
    };
    let [without, with] = [&bare, &coated].map(|sample| sample.under_light(light)[0]);
    assert!((with / without - 0.96).abs() < 0.003, "{with} of {without}");
}

/// A lamp of one candela behind two units of coloured glass: it shines where the bent ray of the eye leaves the volume.
#[test]
fn volume_moves_and_dims_a_lamp_behind_it() {
    let (thickness, ior, distance) = (2.0_f64, 1.5, 3.0);
    let colour = [0.9_f64, 0.4, 0.1];
    for cosine in COSINES {
        let view = view_at(cosine);
        let sample = Sample {
            material: Material {
                volume: Some(Volume {
                    thickness: thickness as f32,
                    attenuation_distance: distance as f32,
                    attenuation_color: Vec3::from_array(colour.map(|c| c as f32)),
                    ..Volume::default()
                }),
                ..colored_glass(1.0, 0.5)
            },
            view,
        };
        for lamp in [[0.5, 1.0, -4.0], [-3.0, 0.0, -3.0], [0.0, -0.5, -2.5]] {
            // Snell: the sine of the angle to -Z shrinks by the index; the eye lies in the plane of X and Z.
            let sine = -view[0] / ior;
            let way = [sine, 0.0, -(1.0 - sine * sine).sqrt()];
            let to_lamp = [0, 1, 2].map(|k| lamp[k] - way[k] * thickness);
            let squared = dot(to_lamp, to_lamp);
            let light = to_lamp.map(|component| component / squared.sqrt());
            let white = exact_through(0.25, 0.04, view, light) / squared;
            let instance = LightInstance {
                kind: LightKind::Point,
                radiance: Vec3::ONE,
                position_world: Vec3::from_array(lamp.map(|component| component as f32)),
                direction_world: Vec3::NEG_Z,
                range: f32::INFINITY,
            };
            let found = sample.shade(&[instance], None);
            for k in 0..3 {
                let exact = white * f64::from(BASE[k]) * colour[k].powf(thickness / distance);
                assert!(
                    (found[k] - exact).abs() < 0.01 * exact + 1e-6,
                    "{lamp:?} at {cosine}: {found:?}[{k}], not {exact}"
                );
            }
        }
    }
}
