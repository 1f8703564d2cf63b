//! `KHR_materials_pbrSpecularGlossiness`, archived but still found: read as a dielectric that reflects by its specular colour.
//!
//! With an index of refraction of 0, which means that all is reflected at any angle, `KHR_materials_specular`'s colour is the
//! reflectance at normal incidence: what the older extension calls specular. Diffuse becomes base colour without metal.
//! Glossiness is one minus roughness; as a texture has it in alpha, where roughness is read from green, such an image is read
//! once more, turned around.

use glam::{Vec3, Vec4};
use gltf::json::material::Material as Json;
use gltf::json::texture::Info;
use serde::Deserialize;

use super::error::LoadError;
use super::material::Slots;
use crate::scene::{Encoding, Material};

const NAME: &str = "KHR_materials_pbrSpecularGlossiness";

/// The extension as it is written.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SpecularGlossiness {
    #[serde(default = "white")]
    diffuse_factor: [f32; 4],
    diffuse_texture: Option<Info>,
    #[serde(default = "bright")]
    specular_factor: [f32; 3],
    #[serde(default = "one")]
    glossiness_factor: f32,
    specular_glossiness_texture: Option<Info>,
}

const fn white() -> [f32; 4] {
    [1.0; 4]
}

const fn bright() -> [f32; 3] {
    [1.0; 3]
}

const fn one() -> f32 {
    1.0
}

/// Replaces the metallic-roughness values, which are the fallback of those who do not know the extension.
pub(super) fn read(
    material: &mut Material,
    json: &Json,
    slots: &mut Slots<'_>,
) -> Result<(), LoadError> {
    let extensions = json.extensions.as_ref();
    let Some(value) = extensions.and_then(|extensions| extensions.others.get(NAME)) else {
        return Ok(());
    };
    let found = SpecularGlossiness::deserialize(value)
        .map_err(|error| LoadError::invalid(&*slots.name, format!("{NAME}: {error}")))?;
    material.base_color = Vec4::from_array(found.diffuse_factor);
    material.base_color_texture = slots.info(found.diffuse_texture.as_ref(), Encoding::Srgb)?;
    material.metallic = 0.0;
    material.ior = 0.0;
    material.specular = 1.0;
    material.specular_texture = None;
    material.specular_color = Vec3::from_array(found.specular_factor);
    let texture = found.specular_glossiness_texture.as_ref();
    material.specular_color_texture = slots.info(texture, Encoding::Srgb)?;
    let glossiness = found.glossiness_factor.clamp(0.0, 1.0);
    material.metallic_roughness_texture = slots.gloss(texture, glossiness)?;
    material.roughness = match material.metallic_roughness_texture {
        Some(_) => 1.0,
        None => 1.0 - glossiness,
    };
    Ok(())
}

/// Glossiness in alpha, times a factor of 255ths, as roughness in green and no metal in blue.
pub(super) fn roughness(rgba: &[u8], factor: u8) -> Vec<u8> {
    let roughness = |gloss: u8| 255 - ((u32::from(gloss) * u32::from(factor) + 127) / 255) as u8;
    let texels = rgba.as_chunks::<4>().0.iter();
    texels
        .flat_map(|&[_, _, _, gloss]| [0, roughness(gloss), 0, 255])
        .collect()
}
