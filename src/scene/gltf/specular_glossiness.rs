//! `KHR_materials_pbrSpecularGlossiness`, archived but still found: it becomes a dielectric that reflects by its specular
//! colour.
//!
//! With an index of refraction of 0, which means that all is reflected at any angle, `KHR_materials_specular`'s colour is
//! the reflectance at normal incidence: what the older extension calls specular. Diffuse becomes base colour without metal.
//! Glossiness is one minus roughness; as a texture has it in alpha, where roughness is read from green, such an image is
//! read once more, turned around.

use gltf::json::material::Material as Json;
use gltf::json::texture::Info;
use serde::Deserialize;

use super::error::LoadError;

const NAME: &str = "KHR_materials_pbrSpecularGlossiness";

/// The extension as it is written.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SpecularGlossiness {
    #[serde(default = "white")]
    pub diffuse_factor: [f32; 4],
    pub diffuse_texture: Option<Info>,
    #[serde(default = "bright")]
    pub specular_factor: [f32; 3],
    #[serde(default = "one")]
    pub glossiness_factor: f32,
    pub specular_glossiness_texture: Option<Info>,
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

/// Values of a material by the extension, if it has it; `name` is what messages call it.
pub(super) fn parse(json: &Json, name: &str) -> Result<Option<SpecularGlossiness>, LoadError> {
    let extensions = json.extensions.as_ref();
    let value = extensions.and_then(|extensions| extensions.others.get(NAME));
    let parsed = value.map(SpecularGlossiness::deserialize).transpose();
    parsed.map_err(|error| LoadError::invalid(name, format!("{NAME}: {error}")))
}
