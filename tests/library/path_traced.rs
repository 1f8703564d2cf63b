//! Pictures beside those of a path tracer, which follows light through the same scenes by chance and in double precision.
//!
//! Bounds are what the renderer's approximations leave (one look-up stands for a lobe, bilinear texels for diffuse light), little more.

use std::f64::consts::{PI, TAU};

use crate::instance::state_of_one;
use crate::path_tracer::beside::{Beside, GREY};
use crate::path_tracer::facets::{Facets, schlick};
use crate::path_tracer::panorama::towards;
use crate::path_tracer::random::Random;
use crate::path_tracer::{Panorama, Shot, traced};
use azulejo::demo::procedural::{Patch, ellipsoid};
use azulejo::render::Renderer;
use azulejo::scene::{
    Anisotropy, Clearcoat, Environment, FrameState, Material, Mesh, Projection, Scene,
    Transmission, View,
};
use azulejo::simd::SimdLevel;
use glam::{DVec3, Mat4, Vec3, Vec4};

const SIZE: u32 = 48;

/// One sphere, which fills most of the picture.
struct Ball {
    scene: Scene,
    state: FrameState,
    view: View,
}

impl Ball {
    fn of(material: Material) -> Self {
        let projection = Projection::Perspective {
            y_fov: 0.5,
            aspect: None,
            near: 0.1,
            far: None,
        };
        Self {
            scene: Scene {
                meshes: vec![Mesh {
                    primitives: vec![ellipsoid(Patch::new(96, 64), Vec3::ONE)].into(),
                    ..Mesh::default()
                }],
                materials: vec![material],
                ..Scene::default()
            },
            state: state_of_one(),
            view: View::through(
                &projection,
                Mat4::from_translation(Vec3::new(0.0, 0.0, 4.5)),
                SIZE,
                SIZE,
            ),
        }
    }

    fn shot<'a>(&'a self, light: &'a Panorama, samples: u32) -> Shot<'a> {
        Shot {
            scene: &self.scene,
            state: &self.state,
            view: &self.view,
            light,
            background: GREY,
            size: [SIZE, SIZE],
            samples,
        }
    }
}

fn panorama(radiance: impl Fn(DVec3) -> DVec3) -> Panorama {
    let (width, height) = (256, 128);
    let middle = |at: usize| {
        let polar = ((at / width) as f64 + 0.5) / height as f64 * PI;
        towards((at % width) as f64 + 0.5, width, polar.cos())
    };
    let pixels = (0..width * height).map(|at| radiance(middle(at)).as_vec3());
    Panorama::new(width, height, pixels.collect())
}

/// A blue sky over brown ground, with a bright window at the side.
fn room() -> Panorama {
    panorama(|towards| {
        let sky =
            DVec3::new(0.25, 0.35, 0.5).lerp(DVec3::new(0.12, 0.08, 0.05), 0.5 - 0.5 * towards.y);
        let window = towards.dot(DVec3::new(0.6, 0.5, 0.62).normalize());
        sky + DVec3::new(3.0, 2.7, 2.2) * ((window - 0.8) / 0.1).clamp(0.0, 1.0)
    })
}

/// A low sun in a dim sky: nearly all light comes from one side.
fn sunrise() -> Panorama {
    panorama(|towards| {
        let sun = towards.dot(DVec3::new(0.7, 0.2, 0.68).normalize());
        DVec3::splat(0.05) + DVec3::new(60.0, 45.0, 30.0) * ((sun - 0.99) / 0.005).clamp(0.0, 1.0)
    })
}

fn compared(material: Material, light: &Panorama) -> Beside {
    let ball = Ball::of(material);
    let (width, height, radiance) = light.pixels();
    let environment =
        Environment::from_equirect(width, height, radiance).expect("a map of its size");
    let mut renderer = Renderer::new(2, SimdLevel::Auto).expect("threads");
    Beside::of(&ball.shot(light, 128), &environment, &mut renderer)
}

fn metal(roughness: f32, color: [f32; 3]) -> Material {
    Material {
        roughness,
        base_color: Vec3::from_array(color).extend(1.0),
        ..Material::default()
    }
}

fn plastic(roughness: f32) -> Material {
    Material {
        metallic: 0.0,
        ..metal(roughness, [0.6, 0.2, 0.1])
    }
}

/// The farthest that two pictures may be from each other, and how much lighter or darker one may be.
fn assert_near(material: Material, rmse: f64, bias: f64) {
    assert_near_under(&room(), material, rmse, bias);
}

fn assert_near_under(light: &Panorama, material: Material, rmse: f64, bias: f64) {
    let beside = compared(material.clone(), light);
    let found = (beside.rmse(), beside.bias());
    assert!(
        found.0 < rmse && found.1.abs() < bias,
        "distance {:.2} of {rmse}, lighter by {:.2} of {bias}: {material:?}",
        found.0,
        found.1
    );
}

#[test]
fn oracle_keeps_all_light_of_white_metal() {
    let even = panorama(|_| DVec3::ONE);
    for roughness in [0.1, 0.5, 1.0] {
        let ball = Ball::of(metal(roughness, [1.0; 3]));
        let shot = Shot {
            background: DVec3::ONE,
            ..ball.shot(&even, 64)
        };
        let picture = traced(&shot, 0);
        let mean = picture.iter().sum::<DVec3>() / picture.len() as f64;
        let (low, high) = (mean.min_element(), mean.max_element());
        assert!(
            (low - 1.0).abs() < 0.01 && (high - 1.0).abs() < 0.01,
            "{roughness}: {mean}"
        );
    }
}

/// The walk over facets, once by where it ends and once by what it sends to a direction, summed over all of them.
#[test]
fn oracle_walks_as_it_evaluates() {
    let f0 = DVec3::new(0.9, 0.5, 0.2);
    let mut random = Random::of(1);
    for (along, across) in [(0.3, 0.3), (1.0, 1.0), (0.9, 0.2)] {
        let facets = Facets { along, across };
        let view = DVec3::new(0.6, 0.3, 0.4).normalize();
        let tries = 100_000;
        let (mut ended, mut sent) = (DVec3::ZERO, DVec3::ZERO);
        for _ in 0..tries {
            ended += facets
                .walk(view, f0, &mut random)
                .map_or(DVec3::ZERO, |(_, kept)| kept);
            let [z, turn] = random.pair();
            let (sin, cos) = (turn * TAU).sin_cos();
            let r = (1.0 - z * z).sqrt();
            let light = DVec3::new(r * cos, r * sin, z);
            let cosine = view.dot((view + light).normalize());
            let once = schlick(f0, 1.0, cosine) * (facets.mirrored(view, light) * z);
            let more = facets.walked(view, light, f0, &mut random);
            sent += (once + more) * TAU;
        }
        let off = (ended - sent) / ended;
        assert!(off.abs().max_element() < 0.03, "{facets:?}: {off}");
    }
}

#[test]
fn metals_are_as_light_as_traced() {
    for roughness in [0.1, 0.3, 0.6, 1.0] {
        assert_near(metal(roughness, [1.0; 3]), 6.0, 3.0);
        assert_near(metal(roughness, [0.9, 0.6, 0.2]), 6.0, 3.0);
    }
}

#[test]
fn dielectrics_are_as_light_as_traced() {
    for roughness in [0.1, 0.3, 0.6, 1.0] {
        assert_near(plastic(roughness), 4.5, 1.5);
    }
}

#[test]
fn diffuse_light_of_a_low_sun_is_as_traced() {
    assert_near_under(&sunrise(), plastic(1.0), 4.0, 2.0);
}

#[test]
fn brushed_metal_is_as_light_as_traced() {
    for (roughness, strength, rmse, bias) in [
        (0.1, 1.0, 8.5, 2.5),
        (0.3, 0.8, 6.5, 2.5),
        (0.6, 0.5, 4.0, 1.0),
    ] {
        let brushed = Material {
            anisotropy: Some(Anisotropy {
                strength,
                rotation: 0.4,
                texture: None,
            }),
            ..metal(roughness, [0.9; 3])
        };
        assert_near(brushed, rmse, bias);
    }
}

#[test]
fn coats_are_as_light_as_traced() {
    let coat = |roughness| Clearcoat {
        factor: 1.0,
        roughness,
        ..Clearcoat::default()
    };
    for roughness in [0.1, 0.5] {
        let coated = Material {
            clearcoat: Some(coat(roughness)),
            ..plastic(0.8)
        };
        assert_near(coated, 4.0, 1.5);
    }
}

#[test]
fn thin_glass_is_as_light_as_traced() {
    let glass = Material {
        base_color: Vec4::new(0.9, 0.95, 0.8, 1.0),
        transmission: Some(Transmission {
            factor: 1.0,
            texture: None,
        }),
        ..plastic(0.1)
    };
    assert_near(glass, 7.0, 2.5);
}
