//! Targets of animation pointers in a material's textures, and in the extensions that lay something over it or let light
//! through it (the tables of `KHR_animation_pointer` in each extension's text). In: a path below the material; out: what
//! sets it.
//!
//! A layer that is animated is there whatever its factor is at rest: [`is_moved`].

use super::file::File;
use super::pointer_values::{Set, Table, color, first, unit};
use crate::{Material, TextureRef};

/// The extensions of layers, as paths of materials begin.
const EXTENSIONS: [&str; 8] = [
    "KHR_materials_clearcoat",
    "KHR_materials_sheen",
    "KHR_materials_anisotropy",
    "KHR_materials_iridescence",
    "KHR_materials_transmission",
    "KHR_materials_diffuse_transmission",
    "KHR_materials_volume",
    "KHR_materials_dispersion",
];

/// The extension of a layer in which a path below a material lies.
pub(super) fn extension_of(path: &str) -> Option<&'static str> {
    let (name, _) = path.strip_prefix("extensions/")?.split_once('/')?;
    EXTENSIONS.into_iter().find(|known| *known == name)
}

/// Whether an animation moves something in this extension of a material.
pub(super) fn is_moved(file: &File, material: usize, extension: &str) -> bool {
    let start = format!("/materials/{material}/extensions/{extension}/");
    let mut pointers = file.pointers.values().flatten();
    pointers.any(|pointer| pointer.path.starts_with(&start))
}

/// Sets a part of a layer, if it is there.
macro_rules! of {
    ($layer:ident, |$it:ident, $values:ident| $set:expr) => {{
        let set: Set<Material> = |material, $values| {
            if let Some($it) = &mut material.$layer {
                $set;
            }
        };
        set
    }};
}

/// Factors of layers, limited as those at rest are.
pub(super) const LAYERS: &Table<Material> = &[
    (
        "extensions/KHR_materials_clearcoat/clearcoatFactor",
        1,
        of!(clearcoat, |coat, v| coat.factor = unit(v)),
    ),
    (
        "extensions/KHR_materials_clearcoat/clearcoatRoughnessFactor",
        1,
        of!(clearcoat, |coat, v| coat.roughness = unit(v)),
    ),
    (
        "extensions/KHR_materials_clearcoat/clearcoatNormalTexture/scale",
        1,
        of!(clearcoat, |coat, v| coat.normal_scale =
            first(v).clamp(-1e6, 1e6)),
    ),
    (
        "extensions/KHR_materials_sheen/sheenColorFactor",
        3,
        of!(sheen, |sheen, v| sheen.color = color(v, 1.0)),
    ),
    (
        "extensions/KHR_materials_sheen/sheenRoughnessFactor",
        1,
        of!(sheen, |sheen, v| sheen.roughness = unit(v)),
    ),
    (
        "extensions/KHR_materials_anisotropy/anisotropyStrength",
        1,
        of!(anisotropy, |grain, v| grain.strength = unit(v)),
    ),
    (
        "extensions/KHR_materials_anisotropy/anisotropyRotation",
        1,
        of!(anisotropy, |grain, v| grain.rotation =
            first(v).clamp(-1e3, 1e3)),
    ),
    (
        "extensions/KHR_materials_iridescence/iridescenceFactor",
        1,
        of!(iridescence, |film, v| film.factor = unit(v)),
    ),
    (
        "extensions/KHR_materials_iridescence/iridescenceIor",
        1,
        of!(iridescence, |film, v| film.ior = first(v).clamp(1.0, 10.0)),
    ),
    (
        "extensions/KHR_materials_iridescence/iridescenceThicknessMinimum",
        1,
        of!(iridescence, |film, v| film.thickness_minimum =
            first(v).clamp(0.0, 1e4)),
    ),
    (
        "extensions/KHR_materials_iridescence/iridescenceThicknessMaximum",
        1,
        of!(iridescence, |film, v| film.thickness_maximum =
            first(v).clamp(0.0, 1e4)),
    ),
    (
        "extensions/KHR_materials_transmission/transmissionFactor",
        1,
        of!(transmission, |through, v| through.factor = unit(v)),
    ),
    (
        "extensions/KHR_materials_diffuse_transmission/diffuseTransmissionFactor",
        1,
        of!(diffuse_transmission, |through, v| through.factor = unit(v)),
    ),
    (
        "extensions/KHR_materials_diffuse_transmission/diffuseTransmissionColorFactor",
        3,
        of!(diffuse_transmission, |through, v| through.color =
            color(v, 1.0)),
    ),
    (
        "extensions/KHR_materials_volume/thicknessFactor",
        1,
        of!(volume, |volume, v| volume.thickness =
            first(v).clamp(0.0, 1e6)),
    ),
    (
        "extensions/KHR_materials_volume/attenuationDistance",
        1,
        of!(volume, |volume, v| volume.attenuation_distance =
            first(v).max(1e-6)),
    ),
    (
        "extensions/KHR_materials_volume/attenuationColor",
        3,
        of!(volume, |volume, v| volume.attenuation_color = color(v, 1.0)),
    ),
    (
        "extensions/KHR_materials_dispersion/dispersion",
        1,
        of!(volume, |volume, v| volume.dispersion =
            first(v).clamp(0.0, 1e3)),
    ),
];

/// A texture of a material, if it is there.
type Slot = fn(&mut Material) -> Option<&mut TextureRef>;

/// Textures with the paths of their slots.
pub(super) const TEXTURES: [(&str, Slot); 19] = [
    ("pbrMetallicRoughness/baseColorTexture", |m| {
        m.base_color_texture.as_mut()
    }),
    ("pbrMetallicRoughness/metallicRoughnessTexture", |m| {
        m.metallic_roughness_texture.as_mut()
    }),
    ("normalTexture", |m| m.normal_texture.as_mut()),
    ("occlusionTexture", |m| m.occlusion_texture.as_mut()),
    ("emissiveTexture", |m| m.emissive_texture.as_mut()),
    ("extensions/KHR_materials_specular/specularTexture", |m| {
        m.specular_texture.as_mut()
    }),
    (
        "extensions/KHR_materials_specular/specularColorTexture",
        |m| m.specular_color_texture.as_mut(),
    ),
    ("extensions/KHR_materials_clearcoat/clearcoatTexture", |m| {
        m.clearcoat.as_mut()?.texture.as_mut()
    }),
    (
        "extensions/KHR_materials_clearcoat/clearcoatRoughnessTexture",
        |m| m.clearcoat.as_mut()?.roughness_texture.as_mut(),
    ),
    (
        "extensions/KHR_materials_clearcoat/clearcoatNormalTexture",
        |m| m.clearcoat.as_mut()?.normal_texture.as_mut(),
    ),
    ("extensions/KHR_materials_sheen/sheenColorTexture", |m| {
        m.sheen.as_mut()?.color_texture.as_mut()
    }),
    (
        "extensions/KHR_materials_sheen/sheenRoughnessTexture",
        |m| m.sheen.as_mut()?.roughness_texture.as_mut(),
    ),
    (
        "extensions/KHR_materials_anisotropy/anisotropyTexture",
        |m| m.anisotropy.as_mut()?.texture.as_mut(),
    ),
    (
        "extensions/KHR_materials_iridescence/iridescenceTexture",
        |m| m.iridescence.as_mut()?.texture.as_mut(),
    ),
    (
        "extensions/KHR_materials_iridescence/iridescenceThicknessTexture",
        |m| m.iridescence.as_mut()?.thickness_texture.as_mut(),
    ),
    (
        "extensions/KHR_materials_transmission/transmissionTexture",
        |m| m.transmission.as_mut()?.texture.as_mut(),
    ),
    (
        "extensions/KHR_materials_diffuse_transmission/diffuseTransmissionTexture",
        |m| m.diffuse_transmission.as_mut()?.texture.as_mut(),
    ),
    (
        "extensions/KHR_materials_diffuse_transmission/diffuseTransmissionColorTexture",
        |m| m.diffuse_transmission.as_mut()?.color_texture.as_mut(),
    ),
    ("extensions/KHR_materials_volume/thicknessTexture", |m| {
        m.volume.as_mut()?.thickness_texture.as_mut()
    }),
];
