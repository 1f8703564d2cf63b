//! Materials: glTF's metallic-roughness values with `KHR_materials_unlit`, `KHR_materials_emissive_strength`,
//! `KHR_materials_ior`, `KHR_materials_specular` and `KHR_texture_transform`; what lies over them is read by `layers`.

use std::collections::BTreeSet;

use glam::{Vec3, Vec4};
use gltf::json::material::{AlphaMode as JsonAlphaMode, Material as Json};
use gltf::json::validation::Checked;

use super::error::{LoadError, element};
use super::file::File;
use super::layers::{self, Layers};
use super::slots::{Slots, TextureIndex};
use super::specular_glossiness;
use super::texture::TextureTable;
use crate::{AlphaMode, DepthState, Encoding, ImageId, Material, Shading, Texture};

/// The texture of a slot for data, if there is one: those of normals and of occlusion have types of their own, with the
/// same fields.
macro_rules! data_of {
    ($slots:ident, $slot:ident) => {
        match $slot {
            Some(slot) => {
                let others = slot.extensions.as_ref();
                let texture = TextureIndex::new(slot.index.value(), slot.tex_coord);
                $slots.data(texture, others.map(|extensions| &extensions.others))?
            }
            None => None,
        }
    };
}

/// Reads one material of the file; its textures join `table`.
pub(super) fn read(
    file: &File,
    index: usize,
    table: &mut TextureTable,
) -> Result<Material, LoadError> {
    let json = &file.root.materials[index];
    let name = element("material", index, json.name.as_deref());
    let mut slots = Slots::new(file, table, name);
    let pbr = &json.pbr_metallic_roughness;
    let normal = json.normal_texture.as_ref();
    let occlusion = json.occlusion_texture.as_ref();
    let extensions = json.extensions.as_ref();
    let strength = extensions.and_then(|extensions| extensions.emissive_strength.as_ref());
    let strength = strength.map_or(1.0, |extension| extension.emissive_strength.0);
    let unlit = extensions.is_some_and(|extensions| extensions.unlit.is_some());
    let mut material = Material {
        name: json.name.clone().unwrap_or_default(),
        shading: if unlit {
            Shading::Unlit
        } else {
            Shading::MetallicRoughness
        },
        base_color: Vec4::from_array(pbr.base_color_factor.0),
        base_color_texture: slots.info(pbr.base_color_texture.as_ref(), Encoding::Srgb)?,
        metallic: pbr.metallic_factor.0,
        roughness: pbr.roughness_factor.0,
        metallic_roughness_texture: slots
            .info(pbr.metallic_roughness_texture.as_ref(), Encoding::Linear)?,
        normal_texture: data_of!(slots, normal),
        normal_scale: normal.map_or(1.0, |slot| slot.scale),
        occlusion_texture: data_of!(slots, occlusion),
        occlusion_strength: occlusion.map_or(1.0, |slot| slot.strength.0),
        emissive: Vec3::from_array(json.emissive_factor.0) * strength,
        emissive_texture: slots.info(json.emissive_texture.as_ref(), Encoding::Srgb)?,
        alpha_mode: alpha_mode(json, &slots.name)?,
        depth: DepthState::default(),
        double_sided: json.double_sided,
        ..Material::default()
    };
    read_dielectric(&mut material, json, &mut slots)?;
    read_specular_glossiness(&mut material, json, &mut slots)?;
    if let Some(extensions) = extensions.filter(|_| !unlit) {
        let layers = Layers {
            file,
            material: index,
            extensions: &extensions.others,
        };
        layers::read(&mut material, &layers, &mut slots)?;
    }
    Ok(finite(material, file, &slots.name))
}

/// Reads `KHR_materials_ior` and `KHR_materials_specular` into the material.
fn read_dielectric(
    material: &mut Material,
    json: &Json,
    slots: &mut Slots<'_>,
) -> Result<(), LoadError> {
    let extensions = json.extensions.as_ref();
    if let Some(ior) = extensions.and_then(|extensions| extensions.ior.as_ref()) {
        material.ior = ior.ior.0;
    }
    if let Some(specular) = extensions.and_then(|extensions| extensions.specular.as_ref()) {
        material.specular = specular.specular_factor.0;
        material.specular_texture =
            slots.info(specular.specular_texture.as_ref(), Encoding::Linear)?;
        material.specular_color = Vec3::from_array(specular.specular_color_factor.0);
        material.specular_color_texture =
            slots.info(specular.specular_color_texture.as_ref(), Encoding::Srgb)?;
    }
    Ok(())
}

/// Reads `KHR_materials_pbrSpecularGlossiness`, in place of the metallic-roughness values, which are a fallback for readers
/// without it.
fn read_specular_glossiness(
    material: &mut Material,
    json: &Json,
    slots: &mut Slots<'_>,
) -> Result<(), LoadError> {
    let Some(found) = specular_glossiness::parse(json, &slots.name)? else {
        return Ok(());
    };
    material.base_color = Vec4::from_array(found.diffuse_factor);
    material.base_color_texture = slots.info(found.diffuse_texture.as_ref(), Encoding::Srgb)?;
    material.metallic = 0.0;
    // All is reflected at any angle, before the colour.
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

/// Takes textures whose image could not be read out of their slots.
pub(super) fn drop_textures(
    material: &mut Material,
    textures: &[Texture],
    failed: &BTreeSet<ImageId>,
) {
    for slot in material.texture_slots_mut() {
        let image = slot.map(|slot| textures[slot.texture.index()].image);
        if image.is_some_and(|image| failed.contains(&image)) {
            *slot = None;
        }
    }
}

fn alpha_mode(json: &Json, name: &str) -> Result<AlphaMode, LoadError> {
    match json.alpha_mode {
        Checked::Valid(JsonAlphaMode::Opaque) => Ok(AlphaMode::Opaque),
        Checked::Valid(JsonAlphaMode::Mask) => Ok(AlphaMode::Mask {
            cutoff: json.alpha_cutoff.map_or(0.5, |cutoff| cutoff.0),
        }),
        Checked::Valid(JsonAlphaMode::Blend) => Ok(AlphaMode::Blend),
        Checked::Invalid => Err(LoadError::invalid(
            name,
            "its alphaMode is none of OPAQUE, MASK, BLEND",
        )),
    }
}

/// Factors that no picture can hold are limited: JSON's 1e300 is infinite in 32 bits.
fn finite(mut material: Material, file: &File, name: &str) -> Material {
    let before = material.clone();
    let unit = |value: f32| value.clamp(0.0, 1.0);
    material.base_color = material.base_color.clamp(Vec4::ZERO, Vec4::ONE);
    material.metallic = unit(material.metallic);
    material.roughness = unit(material.roughness);
    material.occlusion_strength = unit(material.occlusion_strength);
    material.normal_scale = material.normal_scale.clamp(-1e6, 1e6);
    if material.ior != 0.0 {
        material.ior = material.ior.clamp(1.0, 1e6);
    }
    material.specular = unit(material.specular);
    material.specular_color = material.specular_color.clamp(Vec3::ZERO, Vec3::splat(1e6));
    material.emissive = material.emissive.clamp(Vec3::ZERO, Vec3::splat(1e9));
    layers::limit(&mut material);
    if let AlphaMode::Mask { cutoff } = &mut material.alpha_mode {
        *cutoff = cutoff.clamp(0.0, f32::MAX);
    }
    if material != before {
        file.warn(format!(
            "{name}: factors outside their range are limited to it"
        ));
    }
    material
}
