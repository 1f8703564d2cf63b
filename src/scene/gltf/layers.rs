//! Material extensions that lay something over metallic-roughness: `KHR_materials_clearcoat`, `KHR_materials_sheen`,
//! `KHR_materials_anisotropy`, `KHR_materials_iridescence`, or let light through it: `KHR_materials_transmission`,
//! `KHR_materials_diffuse_transmission`, `KHR_materials_volume`, `KHR_materials_dispersion`. In: the extension's JSON; out:
//! a layer, or none where its factor is 0 and stays 0.

use glam::Vec3;
use gltf::json::material::NormalTexture;
use gltf::json::texture::Info;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::error::LoadError;
use super::file::File;
use super::pointer_layers::is_moved;
use super::slots::{Slots, TextureIndex};
use crate::{
    Anisotropy, Clearcoat, DiffuseTransmission, Encoding, Iridescence, Material, Sheen,
    Transmission, Volume,
};

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

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct JsonTransmission {
    transmission_factor: f32,
    transmission_texture: Option<Info>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct JsonDiffuseTransmission {
    diffuse_transmission_factor: f32,
    diffuse_transmission_texture: Option<Info>,
    diffuse_transmission_color_factor: [f32; 3],
    diffuse_transmission_color_texture: Option<Info>,
}

impl Default for JsonDiffuseTransmission {
    fn default() -> Self {
        Self {
            diffuse_transmission_factor: 0.0,
            diffuse_transmission_texture: None,
            diffuse_transmission_color_factor: [1.0; 3],
            diffuse_transmission_color_texture: None,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct JsonVolume {
    thickness_factor: f32,
    thickness_texture: Option<Info>,
    attenuation_distance: Option<f32>,
    attenuation_color: [f32; 3],
}

impl Default for JsonVolume {
    fn default() -> Self {
        Self {
            thickness_factor: 0.0,
            thickness_texture: None,
            attenuation_distance: None,
            attenuation_color: [1.0; 3],
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct JsonDispersion {
    dispersion: f32,
}

/// Layers of a material, read from its extensions.
pub(super) struct Layers<'a> {
    pub(super) file: &'a File,
    /// The material's place in the file.
    pub(super) material: usize,
    pub(super) extensions: &'a Map<String, Value>,
}

impl Layers<'_> {
    /// Whether a layer is kept: it covers something, or may once an animation plays.
    fn keeps(&self, extension: &str, factor: f32) -> bool {
        factor > 0.0 || is_moved(self.file, self.material, extension)
    }
}

/// Reads the layers among a material's extensions into `material`.
pub(super) fn read(
    material: &mut Material,
    layers: &Layers<'_>,
    slots: &mut Slots<'_>,
) -> Result<(), LoadError> {
    let name = "KHR_materials_clearcoat";
    let json = parse::<JsonClearcoat>(layers.extensions, name, slots)?;
    if let Some(json) = json.filter(|json| layers.keeps(name, json.clearcoat_factor)) {
        material.clearcoat = Some(clearcoat(&json, slots)?);
    }
    let name = "KHR_materials_sheen";
    let json = parse::<JsonSheen>(layers.extensions, name, slots)?;
    let most = |json: &JsonSheen| Vec3::from_array(json.sheen_color_factor).max_element();
    if let Some(json) = json.filter(|json| layers.keeps(name, most(json))) {
        material.sheen = Some(sheen(&json, slots)?);
    }
    let name = "KHR_materials_anisotropy";
    let json = parse::<JsonAnisotropy>(layers.extensions, name, slots)?;
    if let Some(json) = json.filter(|json| layers.keeps(name, json.anisotropy_strength)) {
        material.anisotropy = Some(anisotropy(&json, slots)?);
    }
    let name = "KHR_materials_iridescence";
    let json = parse::<JsonIridescence>(layers.extensions, name, slots)?;
    if let Some(json) = json.filter(|json| layers.keeps(name, json.iridescence_factor)) {
        material.iridescence = Some(iridescence(&json, slots)?);
    }
    read_through(material, layers, slots)
}

/// Reads what lets light through.
fn read_through(
    material: &mut Material,
    layers: &Layers<'_>,
    slots: &mut Slots<'_>,
) -> Result<(), LoadError> {
    let extensions = layers.extensions;
    let name = "KHR_materials_transmission";
    let json = parse::<JsonTransmission>(extensions, name, slots)?;
    if let Some(json) = json.filter(|json| layers.keeps(name, json.transmission_factor)) {
        material.transmission = Some(transmission(&json, slots)?);
    }
    let name = "KHR_materials_diffuse_transmission";
    let json = parse::<JsonDiffuseTransmission>(extensions, name, slots)?;
    if let Some(json) = json.filter(|json| layers.keeps(name, json.diffuse_transmission_factor)) {
        material.diffuse_transmission = Some(diffuse_transmission(&json, slots)?);
    }
    let dispersion: Option<JsonDispersion> = parse(extensions, "KHR_materials_dispersion", slots)?;
    if let Some(json) = parse(extensions, "KHR_materials_volume", slots)? {
        let mut volume = volume(&json, slots)?;
        volume.dispersion = dispersion.map_or(0.0, |json| json.dispersion);
        let goes_through =
            material.transmission.is_some() || material.diffuse_transmission.is_some();
        material.volume = goes_through.then_some(volume);
    }
    Ok(())
}

fn transmission(json: &JsonTransmission, slots: &mut Slots<'_>) -> Result<Transmission, LoadError> {
    Ok(Transmission {
        factor: json.transmission_factor,
        texture: slots.info(json.transmission_texture.as_ref(), Encoding::Linear)?,
    })
}

fn diffuse_transmission(
    json: &JsonDiffuseTransmission,
    slots: &mut Slots<'_>,
) -> Result<DiffuseTransmission, LoadError> {
    let texture = json.diffuse_transmission_texture.as_ref();
    let color_texture = json.diffuse_transmission_color_texture.as_ref();
    Ok(DiffuseTransmission {
        factor: json.diffuse_transmission_factor,
        texture: slots.info(texture, Encoding::Linear)?,
        color: Vec3::from_array(json.diffuse_transmission_color_factor),
        color_texture: slots.info(color_texture, Encoding::Srgb)?,
    })
}

fn volume(json: &JsonVolume, slots: &mut Slots<'_>) -> Result<Volume, LoadError> {
    Ok(Volume {
        thickness: json.thickness_factor,
        thickness_texture: slots.info(json.thickness_texture.as_ref(), Encoding::Linear)?,
        attenuation_distance: json.attenuation_distance.unwrap_or(f32::INFINITY),
        attenuation_color: Vec3::from_array(json.attenuation_color),
        dispersion: 0.0,
    })
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

fn clearcoat(json: &JsonClearcoat, slots: &mut Slots<'_>) -> Result<Clearcoat, LoadError> {
    let normal = json.clearcoat_normal_texture.as_ref();
    Ok(Clearcoat {
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
    })
}

fn sheen(json: &JsonSheen, slots: &mut Slots<'_>) -> Result<Sheen, LoadError> {
    Ok(Sheen {
        color: Vec3::from_array(json.sheen_color_factor),
        color_texture: slots.info(json.sheen_color_texture.as_ref(), Encoding::Srgb)?,
        roughness: json.sheen_roughness_factor,
        roughness_texture: slots.info(json.sheen_roughness_texture.as_ref(), Encoding::Linear)?,
    })
}

fn anisotropy(json: &JsonAnisotropy, slots: &mut Slots<'_>) -> Result<Anisotropy, LoadError> {
    Ok(Anisotropy {
        strength: json.anisotropy_strength,
        rotation: json.anisotropy_rotation,
        texture: slots.info(json.anisotropy_texture.as_ref(), Encoding::Linear)?,
    })
}

fn iridescence(json: &JsonIridescence, slots: &mut Slots<'_>) -> Result<Iridescence, LoadError> {
    Ok(Iridescence {
        factor: json.iridescence_factor,
        texture: slots.info(json.iridescence_texture.as_ref(), Encoding::Linear)?,
        ior: json.iridescence_ior,
        thickness_minimum: json.iridescence_thickness_minimum,
        thickness_maximum: json.iridescence_thickness_maximum,
        thickness_texture: slots.info(
            json.iridescence_thickness_texture.as_ref(),
            Encoding::Linear,
        )?,
    })
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
    if let Some(transmission) = &mut material.transmission {
        unit(&mut transmission.factor);
    }
    if let Some(scattered) = &mut material.diffuse_transmission {
        unit(&mut scattered.factor);
        scattered.color = scattered.color.clamp(Vec3::ZERO, Vec3::ONE);
    }
    if let Some(volume) = &mut material.volume {
        volume.thickness = volume.thickness.clamp(0.0, 1e6);
        volume.dispersion = volume.dispersion.clamp(0.0, 1e3);
        let white = volume.attenuation_color.clamp(Vec3::ZERO, Vec3::ONE);
        volume.attenuation_color = white;
        if volume.attenuation_distance.is_finite() {
            volume.attenuation_distance = volume.attenuation_distance.max(1e-6);
        }
    }
}
