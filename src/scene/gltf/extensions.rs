//! Which extensions the loader knows, and what becomes of files that name others.

use gltf::json::Root;

use super::error::{LoadError, printable};

/// Extensions that are read and drawn.
pub const SUPPORTED_EXTENSIONS: &[&str] = &[
    "KHR_lights_punctual",
    "KHR_texture_transform",
    "KHR_materials_unlit",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_specular",
    "KHR_mesh_quantization",
    "KHR_draco_mesh_compression",
    "KHR_meshopt_compression",
    "EXT_meshopt_compression",
    "KHR_texture_basisu",
    "EXT_texture_webp",
];

fn is_supported(name: &str) -> bool {
    SUPPORTED_EXTENSIONS.contains(&name)
}

/// Refuses files that cannot be drawn without an extension that we lack.
pub(super) fn check_required(root: &Root) -> Result<(), LoadError> {
    let names = root.extensions_required.iter();
    let missing = names.filter(|name| !is_supported(name));
    let missing: Vec<String> = missing.take(16).map(|name| printable(name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(LoadError::RequiredExtensions(missing))
}

/// One sentence for each extension that the file uses without needing it and that we lack.
pub(super) fn warnings(root: &Root) -> impl Iterator<Item = String> {
    let names = root.extensions_used.iter();
    let unknown = names.filter(|name| !is_supported(name));
    unknown.map(|name| format!("{} is not supported: drawn without it", printable(name)))
}
