//! Materials with layers, and what is seen through them: spheres with a layer each, and models of `../shared`.

use azulejo::grid::SampleCount;
use azulejo::reference::{Difference, Quality};
use azulejo::render::{FrameInput, Picture, Recording, RenderSettings, Renderer};
use azulejo::scene::{
    AlphaMode, Anisotropy, Clearcoat, DiffuseTransmission, FrameState, Iridescence, LightInstance,
    LightKind, Material, Scene, Sheen, TextureRef, Transmission, Volume,
};
use azulejo::simd::SimdLevel;
use glam::{Vec3, Vec4};

use super::{Look, assert_alike, compare_model, draw_both, reference};
use crate::spheres::{scene, state, with_input, with_scene};

/// The three spheres of one kind, the texture only on the outer two, under every kind of light.
fn spheres_of(change: impl Fn(&mut Material, Option<TextureRef>)) -> (Scene, FrameState) {
    let (mut scene, mut state) = (scene(), state());
    let sphere = &mut scene.meshes[0].primitives[0];
    let around = sphere.normals.iter().map(|normal| {
        let along = Vec3::Y.cross(*normal).try_normalize();
        along.unwrap_or(Vec3::X).extend(1.0)
    });
    sphere.tangents = around.collect::<Vec<Vec4>>();
    let texture = scene.materials[0].base_color_texture;
    for (number, material) in scene.materials.iter_mut().enumerate() {
        material.metallic = 0.4 * number as f32;
        material.roughness = 0.6 - 0.2 * number as f32;
        change(material, texture.filter(|_| number != 1));
    }
    let spot = LightKind::Spot {
        inner_angle: 0.2,
        outer_angle: 0.9,
    };
    let kinds = [LightKind::Directional, LightKind::Point, spot];
    state.lights = kinds
        .map(|kind| LightInstance {
            kind,
            radiance: Vec3::new(3.0, 2.0, 1.0),
            position_world: Vec3::new(2.0, 3.0, 4.0),
            direction_world: Vec3::new(-0.36, -0.48, -0.8),
            range: 40.0,
        })
        .into();
    // Scattered transmission is lit from the other side.
    state.lights.push(LightInstance {
        direction_world: Vec3::new(0.3, 0.1, 0.95).normalize(),
        ..state.lights[0]
    });
    (scene, state)
}

/// Compares pictures with one sample a pixel and with four. Also checks that the compared feature shows: without `change`
/// the picture is another.
fn compare_spheres(name: &str, change: impl Fn(&mut Material, Option<TextureRef>)) {
    let (scene, state) = spheres_of(change);
    let Some(ours) = with_scene(&scene, &state, |input| compare_frame(name, input)) else {
        return;
    };
    let (scene, state) = spheres_of(|_, _| {});
    let plain = with_scene(&scene, &state, |input| {
        let mut renderer = Renderer::new(0, SimdLevel::Auto).expect("threads start");
        renderer.draw(&input.draws(), Recording::Off).picture
    });
    let changed = Difference::between(&ours, &plain).off_by_more_than_2;
    assert!(
        changed > 1000,
        "{name}: {changed} pixels are not as without"
    );
}

/// Our picture of one sample a pixel, if there is a driver to compare it with.
fn compare_frame(name: &str, input: &FrameInput<'_>) -> Option<Picture> {
    let reference = reference()?;
    let [plain, _] = SampleCount::ALL.map(|samples| {
        let settings = RenderSettings {
            samples,
            ..*input.settings
        };
        let input = FrameInput {
            settings: &settings,
            ..*input
        };
        let both = draw_both(&reference, &input);
        assert_alike(&format!("{name}-{samples}"), &both);
        both.0
    });
    Some(plain)
}

/// A model with one sample a pixel and with four.
fn compare_layers(file: &str) {
    for samples in SampleCount::ALL {
        let look = Look {
            samples,
            ..Look::default()
        };
        compare_model(file, look);
    }
}

fn coat(material: &mut Material, texture: Option<TextureRef>) {
    material.clearcoat = Some(Clearcoat {
        factor: 0.9,
        texture,
        roughness: 0.4,
        roughness_texture: texture,
        normal_texture: texture,
        normal_scale: 0.3,
    });
}

fn sheen(material: &mut Material, texture: Option<TextureRef>) {
    material.sheen = Some(Sheen {
        color: Vec3::new(0.2, 0.5, 1.0),
        color_texture: texture,
        roughness: 0.6,
        roughness_texture: texture,
    });
}

fn grain(material: &mut Material, texture: Option<TextureRef>) {
    material.anisotropy = Some(Anisotropy {
        strength: 0.8,
        rotation: 0.5,
        texture,
    });
}

fn film(material: &mut Material, texture: Option<TextureRef>) {
    material.iridescence = Some(Iridescence {
        factor: 0.9,
        texture,
        ior: 1.6,
        thickness_minimum: 200.0,
        thickness_maximum: 700.0,
        thickness_texture: texture,
    });
}

fn scattering(material: &mut Material, texture: Option<TextureRef>) {
    material.metallic *= 0.5;
    material.diffuse_transmission = Some(DiffuseTransmission {
        factor: 0.7,
        texture: None,
        color: Vec3::new(0.9, 0.6, 0.3),
        color_texture: texture,
    });
    material.volume = Some(Volume {
        thickness: 0.6,
        thickness_texture: texture,
        attenuation_distance: 0.5,
        attenuation_color: Vec3::new(0.3, 0.9, 0.6),
        ..Volume::default()
    });
}

/// The last two spheres, thin or filled, before the first one and the sky.
fn glass(material: &mut Material, texture: Option<TextureRef>, volume: Option<Volume>) {
    if material.alpha_mode == AlphaMode::Opaque {
        return;
    }
    *material = Material {
        base_color: Vec4::new(0.9, 1.0, 0.8, 1.0),
        base_color_texture: None,
        metallic: 0.0,
        alpha_mode: AlphaMode::Opaque,
        transmission: Some(Transmission {
            factor: 0.9,
            texture,
        }),
        volume,
        ..material.clone()
    };
}

fn filling(dispersion: f32) -> Volume {
    Volume {
        thickness: 0.7,
        attenuation_distance: 1.0,
        attenuation_color: Vec3::new(0.5, 0.9, 0.7),
        dispersion,
        ..Volume::default()
    }
}

#[test]
fn spheres_without_layers_are_drawn_alike() {
    with_input(|input| drop(compare_frame("spheres", input)));
}

#[test]
fn spheres_with_clearcoat_are_drawn_alike() {
    compare_spheres("coat", coat);
}

#[test]
fn spheres_with_sheen_are_drawn_alike() {
    compare_spheres("sheen", sheen);
}

#[test]
fn spheres_with_anisotropy_are_drawn_alike() {
    compare_spheres("grain", grain);
}

#[test]
fn spheres_with_iridescence_are_drawn_alike() {
    compare_spheres("film", film);
}

#[test]
fn spheres_that_scatter_light_through_are_drawn_alike() {
    compare_spheres("scattering", scattering);
}

#[test]
fn thin_glass_is_drawn_alike() {
    compare_spheres("thin-glass", |material, texture| {
        glass(material, texture, None);
    });
}

#[test]
fn thick_glass_is_drawn_alike() {
    compare_spheres("thick-glass", |material, texture| {
        glass(material, texture, Some(filling(0.0)));
    });
}

#[test]
fn dispersing_glass_is_drawn_alike() {
    compare_spheres("dispersion", |material, texture| {
        glass(material, texture, Some(filling(5.0)));
    });
}

/// Textures in more slots than the least number of textures that a stage may have: slots of one texture share a binding.
#[test]
fn spheres_with_all_layers_are_drawn_alike() {
    compare_spheres("all-layers", |material, texture| {
        coat(material, texture);
        sheen(material, texture);
        grain(material, texture);
        film(material, texture);
        scattering(material, texture);
        if material.alpha_mode != AlphaMode::Opaque {
            material.transmission = Some(Transmission {
                factor: 0.5,
                texture,
            });
        }
    });
}

/// Sampling and filtering are the driver's own for timing, so that only the mean is bounded.
#[test]
fn glass_and_layers_are_drawn_for_speed_too() {
    let Some(reference) = reference() else { return };
    let (scene, state) = spheres_of(|material, texture| {
        coat(material, texture);
        film(material, texture);
        glass(material, texture, Some(filling(5.0)));
    });
    let difference = with_scene(&scene, &state, |input| {
        let of_quality = |quality| {
            let uploaded = reference.upload(input.scene, input.environment, quality);
            let frame = uploaded.expect("a small scene");
            let frame = reference.prepare(&frame, input).expect("a small frame");
            frame.picture().expect("a picture")
        };
        Difference::between(&of_quality(Quality::Fastest), &of_quality(Quality::Exact))
    });
    assert!(difference.mean_diff < 1.0, "{difference:?}");
}

#[test]
fn clearcoat_models_are_drawn_alike() {
    compare_layers("ClearCoatTest/glTF-Binary/ClearCoatTest.glb");
    compare_layers("ClearcoatWicker/glTF-Binary/ClearcoatWicker.glb");
}

#[test]
fn sheen_model_is_drawn_alike() {
    compare_layers("SheenChair/glTF/SheenChair.gltf");
}

#[test]
fn anisotropy_models_are_drawn_alike() {
    compare_layers("AnisotropyRotationTest/glTF-Binary/AnisotropyRotationTest.glb");
    compare_layers("AnisotropyStrengthTest/glTF-Binary/AnisotropyStrengthTest.glb");
}

#[test]
fn iridescence_models_are_drawn_alike() {
    compare_layers("IridescenceSuzanne/glTF-Binary/IridescenceSuzanne.glb");
    compare_layers("IridescentDishWithOlives/glTF/IridescentDishWithOlives.gltf");
}

#[test]
fn transmission_models_are_drawn_alike() {
    compare_layers("TransmissionTest/glTF-Binary/TransmissionTest.glb");
    compare_layers("TransmissionRoughnessTest/glTF-Binary/TransmissionRoughnessTest.glb");
}

#[test]
fn volume_models_are_drawn_alike() {
    compare_layers("AttenuationTest/glTF-Binary/AttenuationTest.glb");
    compare_layers("DispersionTest/dispersion-test.glb");
}

#[test]
fn model_with_many_layers_is_drawn_alike() {
    compare_layers("ToyCar/glTF/ToyCar.gltf");
}
