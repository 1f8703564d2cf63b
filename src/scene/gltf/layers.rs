//! Material extensions that lay something over metallic-roughness: `KHR_materials_clearcoat`, `KHR_materials_sheen`,
//! `KHR_materials_anisotropy`, `KHR_materials_iridescence`. In: the extension's JSON; out: a layer, or none where its factor is 0.

use glam::Vec3;
use gltf::json::material::NormalTexture;
use gltf::json::texture::Info;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::error::LoadError;
use super::material::{Slots, TextureIndex};
use crate::scene::{Anisotropy, Clearcoat, Encoding, Iridescence, Material, Sheen};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct JsonClearcoat {
    clearcoat_factor: f32,
    clearcoat_texture: Option<Info>,
    clearcoat_roughness_factor: f32,
    clearcoat_roughness_texture: Option<Info>,
    clearcoat_normal_texture: Option<NormalTexture>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct JsonSheen {
    sheen_color_factor: [f32; 3],
    sheen_color_texture: Option<Info>,
    sheen_roughness_factor: f32,
    sheen_roughness_texture: Option<Info>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct JsonAnisotropy {
    anisotropy_strength: f32,
    anisotropy_rotation: f32,
    anisotropy_texture: Option<Info>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct JsonIridescence {
    iridescence_factor: f32,
    iridescence_texture: Option<Info>,
    iridescence_ior: f32,
    iridescence_thickness_minimum: f32,
    iridescence_thickness_maximum: f32,
    iridescence_thickness_texture: Option<Info>,
}

impl Default for JsonIridescence {
    fn default() -> Self {
        let plain = Iridescence::default();
        Self {
            iridescence_factor: plain.factor,
            iridescence_texture: None,
            iridescence_ior: plain.ior,
            iridescence_thickness_minimum: plain.thickness_minimum,
            iridescence_thickness_maximum: plain.thickness_maximum,
            iridescence_thickness_texture: None,
        }
    }
}

/// Reads the layers among a material's extensions into `material`.
pub(super) fn read(
    material: &mut Material,
    extensions: &Map<String, Value>,
    slots: &mut Slots<'_>,
) -> Result<(), LoadError> {
    if let Some(json) = parse(extensions, "KHR_materials_clearcoat", slots)? {
        material.clearcoat = clearcoat(&json, slots)?;
    }
    if let Some(json) = parse(extensions, "KHR_materials_sheen", slots)? {
        material.sheen = sheen(&json, slots)?;
    }
    if let Some(json) = parse(extensions, "KHR_materials_anisotropy", slots)? {
        material.anisotropy = anisotropy(&json, slots)?;
    }
    if let Some(json) = parse(extensions, "KHR_materials_iridescence", slots)? {
        material.iridescence = iridescence(&json, slots)?;
    }
    Ok(())
}

/// The extension of this name, if the material has it.
fn parse<T: DeserializeOwned>(
    extensions: &Map<String, Value>,
    name: &str,
    slots: &Slots<'_>,
) -> Result<Option<T>, LoadError> {
    let value = extensions.get(name);
    let parsed = value.map(|value| {
        serde_json::from_value(value.clone())
            .map_err(|e| LoadError::invalid(&*slots.name, format!("{name}: {e}")))
    });
    parsed.transpose()
}

fn clearcoat(json: &JsonClearcoat, slots: &mut Slots<'_>) -> Result<Option<Clearcoat>, LoadError> {
    if json.clearcoat_factor <= 0.0 {
        return Ok(None);
    }
    let normal = json.clearcoat_normal_texture.as_ref();
    Ok(Some(Clearcoat {
        factor: json.clearcoat_factor,
        texture: slots.info(json.clearcoat_texture.as_ref(), Encoding::Linear)?,
        roughness: json.clearcoat_roughness_factor,
        roughness_texture: slots
            .info(json.clearcoat_roughness_texture.as_ref(), Encoding::Linear)?,
        normal_texture: match normal {
            Some(slot) => {
                let others = slot.extensions.as_ref();
                let others = others.map(|extensions| &extensions.others);
                let texture = TextureIndex::new(slot.index.value(), slot.tex_coord);
                slots.data(texture, others)?
            }
            None => None,
        },
        normal_scale: normal.map_or(1.0, |slot| slot.scale),
    }))
}

fn sheen(json: &JsonSheen, slots: &mut Slots<'_>) -> Result<Option<Sheen>, LoadError> {
    let color = Vec3::from_array(json.sheen_color_factor);
    if color.max_element() <= 0.0 {
        return Ok(None);
    }
    Ok(Some(Sheen {
        color,
        color_texture: slots.info(json.sheen_color_texture.as_ref(), Encoding::Srgb)?,
        roughness: json.sheen_roughness_factor,
        roughness_texture: slots.info(json.sheen_roughness_texture.as_ref(), Encoding::Linear)?,
    }))
}

fn anisotropy(
    json: &JsonAnisotropy,
    slots: &mut Slots<'_>,
) -> Result<Option<Anisotropy>, LoadError> {
    if json.anisotropy_strength <= 0.0 {
        return Ok(None);
    }
    Ok(Some(Anisotropy {
        strength: json.anisotropy_strength,
        rotation: json.anisotropy_rotation,
        texture: slots.info(json.anisotropy_texture.as_ref(), Encoding::Linear)?,
    }))
}

fn iridescence(
    json: &JsonIridescence,
    slots: &mut Slots<'_>,
) -> Result<Option<Iridescence>, LoadError> {
    if json.iridescence_factor <= 0.0 {
        return Ok(None);
    }
    Ok(Some(Iridescence {
        factor: json.iridescence_factor,
        texture: slots.info(json.iridescence_texture.as_ref(), Encoding::Linear)?,
        ior: json.iridescence_ior,
        thickness_minimum: json.iridescence_thickness_minimum,
        thickness_maximum: json.iridescence_thickness_maximum,
        thickness_texture: slots.info(
            json.iridescence_thickness_texture.as_ref(),
            Encoding::Linear,
        )?,
    }))
}

/// Limits factors to what pictures can hold.
pub(super) fn limit(material: &mut Material) {
    let unit = |value: &mut f32| *value = value.clamp(0.0, 1.0);
    if let Some(coat) = &mut material.clearcoat {
        unit(&mut coat.factor);
        unit(&mut coat.roughness);
        coat.normal_scale = coat.normal_scale.clamp(-1e6, 1e6);
    }
    if let Some(sheen) = &mut material.sheen {
        sheen.color = sheen.color.clamp(Vec3::ZERO, Vec3::ONE);
        unit(&mut sheen.roughness);
    }
    if let Some(anisotropy) = &mut material.anisotropy {
        unit(&mut anisotropy.strength);
        anisotropy.rotation = anisotropy.rotation.clamp(-1e3, 1e3);
    }
    if let Some(film) = &mut material.iridescence {
        unit(&mut film.factor);
        film.ior = film.ior.clamp(1.0, 10.0);
        for thickness in [&mut film.thickness_minimum, &mut film.thickness_maximum] {
            *thickness = thickness.clamp(0.0, 1e4);
        }
    }
}
