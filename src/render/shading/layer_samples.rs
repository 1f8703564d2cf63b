//! For tests of layers: the whole program of a material without textures, run at one point.

use glam::{Vec3, Vec4};

use super::exact::{Incidence, Triple, view_at};
use super::{FragmentInputs, FragmentProgram, FrameConstants, Layered, ProgramSource};
use azulejo_scene::{
    Anisotropy, Clearcoat, Environment, LightInstance, LightKind, Material, Primitive, Scene,
    Sheen, Transmission,
};
use azulejo_simd::{LANES, LaneJob, Lanes, SimdLevel, dispatch};

/// A material at a point that is seen from one direction; the normal is +Z, the tangent +X.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    pub(super) material: Material,
    pub(super) view: Triple,
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
    pub(super) fn shade(
        &self,
        lights: &[LightInstance],
        environment: Option<&Environment>,
    ) -> Triple {
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
        let program = Layered::new(&ProgramSource {
            scene: &scene,
            material: &self.material,
            primitive: &primitive,
            frame: &frame,
        });
        let backend = SimdLevel::Auto.backend().expect("runs everywhere");
        dispatch(backend, Shaded(&program))
    }

    pub(super) fn under_light(&self, towards: Triple) -> Triple {
        let light = Incidence {
            towards,
            solid_angle: 1.0,
        };
        self.shade(&[instance(&light)], None)
    }
}

pub(super) fn instance(light: &Incidence) -> LightInstance {
    LightInstance {
        kind: LightKind::Directional,
        radiance: Vec3::splat(light.solid_angle as f32),
        position_world: Vec3::ZERO,
        direction_world: -Vec3::from_array(light.towards.map(|component| component as f32)),
        range: f32::INFINITY,
    }
}

/// A surface that reflects nothing by itself.
pub(super) fn black() -> Material {
    Material {
        base_color: Vec4::new(0.0, 0.0, 0.0, 1.0),
        metallic: 0.0,
        specular: 0.0,
        ..Material::default()
    }
}

pub(super) fn white_metal(roughness: f32) -> Material {
    Material {
        roughness,
        ..Material::default()
    }
}

pub(super) fn coat(factor: f32, roughness: f32) -> Option<Clearcoat> {
    Some(Clearcoat {
        factor,
        roughness,
        ..Clearcoat::default()
    })
}

pub(super) fn sheen(roughness: f32) -> Option<Sheen> {
    Some(Sheen {
        color: Vec3::new(1.0, 0.6, 0.2),
        roughness,
        ..Sheen::default()
    })
}

pub(super) fn grain(strength: f32, rotation: f32) -> Option<Anisotropy> {
    Some(Anisotropy {
        strength,
        rotation,
        texture: None,
    })
}

/// White, and no metal.
pub(super) fn glass(transmission: f32, roughness: f32) -> Material {
    Material {
        metallic: 0.0,
        roughness,
        transmission: Some(Transmission {
            factor: transmission,
            texture: None,
        }),
        ..Material::default()
    }
}

pub(super) fn even_light() -> Environment {
    Environment::from_equirect(64, 32, &[Vec3::ONE; 64 * 32]).expect("a map of its size")
}

/// The unit vector at cosine `n_dot` of the normal, turned about it.
pub(super) fn turned(n_dot: f64, azimuth: f64) -> Triple {
    let [x, _, z] = view_at(n_dot);
    [x * azimuth.cos(), x * azimuth.sin(), z]
}

pub(super) const COSINES: [f64; 4] = [0.08, 0.3, 0.65, 1.0];

/// Directions that light comes from.
pub(super) fn lights() -> impl Iterator<Item = Triple> {
    let cosines = [0.05, 0.2, 0.5, 0.8, 0.99].into_iter();
    cosines.flat_map(|cosine| [0.0, 0.7, 2.0, 3.0, 4.4].map(|azimuth| turned(cosine, azimuth)))
}

pub(super) fn check(sample: &Sample, light: Triple, exact: Triple, tolerance: f64) {
    let found = sample.under_light(light);
    for (found, exact) in found.into_iter().zip(exact) {
        assert!(
            (found - exact).abs() < tolerance * exact.abs() + 1e-5,
            "{sample:?}, {light:?}: {found}, not {exact}"
        );
    }
}
