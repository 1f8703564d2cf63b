//! Extensions that the loader supports, and the handling of files that name others.

use gltf::json::Root;

use super::error::{LoadError, printable};

/// Extensions that are read and drawn.
pub const SUPPORTED_EXTENSIONS: &[&str] = &[
    "KHR_lights_punctual",
    "KHR_texture_transform",
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_diffuse_transmission",
    "KHR_materials_dispersion",
    "KHR_materials_iridescence",
    "KHR_materials_sheen",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_materials_volume",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_specular",
    "KHR_mesh_quantization",
    "KHR_draco_mesh_compression",
    "KHR_meshopt_compression",
    "EXT_meshopt_compression",
    "KHR_texture_basisu",
    "EXT_texture_webp",
    "MSFT_texture_dds",
    "EXT_mesh_gpu_instancing",
    "KHR_materials_variants",
    "KHR_node_visibility",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_animation_pointer",
    "EXT_lights_image_based",
];

/// Another program that draws glTF.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    /// three.js, by its `GLTFLoader`.
    Three,
    /// Babylon.js, its glTF loader.
    Babylon,
    /// The Khronos Group's glTF Sample Renderer.
    Khronos,
    /// Google's Filament, by its `gltfio`.
    Filament,
    /// F3D, on VTK's importer.
    F3d,
}

impl Viewer {
    /// Viewers with their names, in the order of the table.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Three, "three.js"),
        (Self::Babylon, "Babylon.js"),
        (Self::Khronos, "Khronos"),
        (Self::Filament, "Filament"),
        (Self::F3d, "F3D"),
    ];
}

/// An extension that files are found with.
#[derive(Debug, Clone, Copy)]
pub struct Extension {
    /// Name of the extension in files.
    pub name: &'static str,
    /// Difference of a picture that is drawn without it.
    pub without: &'static str,
    /// Viewers that draw it.
    pub viewers: &'static [Viewer],
}

impl Extension {
    /// Whether azulejo draws it.
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        is_supported(self.name)
    }
}

/// Extensions by name, with the viewers that draw them. The viewers' own lists were read in November 2026: the
/// documentation of three.js's `GLTFLoader`, the loader extensions in Babylon.js's source, the README of the Khronos
/// Group's glTF-Sample-Renderer, Filament's README, and the lists of supported extensions in VTK's and F3D's sources.
pub const EXTENSIONS: &[Extension] = {
    use Viewer::{Babylon, F3d, Filament, Khronos, Three};
    const fn row(
        name: &'static str,
        viewers: &'static [Viewer],
        without: &'static str,
    ) -> Extension {
        Extension {
            name,
            without,
            viewers,
        }
    }
    &[
        row(
            "EXT_lights_ies",
            &[Babylon],
            "lamps shine to all sides alike, without the profile that was measured of them",
        ),
        row(
            "EXT_lights_image_based",
            &[Babylon],
            "the surroundings that light the scene are those of --env, not the file's own",
        ),
        row(
            "EXT_mesh_gpu_instancing",
            &[Three, Babylon, Khronos],
            "of many copies of a mesh one is seen",
        ),
        row(
            "EXT_meshopt_compression",
            &[Three, Babylon, Filament],
            "meshes and animations are those for readers that cannot decompress",
        ),
        row(
            "EXT_texture_avif",
            &[Three, Babylon],
            "surfaces whose picture is an AVIF have the picture that the file has for others, or none",
        ),
        row(
            "EXT_texture_webp",
            &[Three, Babylon, Khronos, F3d],
            "surfaces whose picture is a WebP have the picture that the file has for others, or none",
        ),
        row(
            "KHR_animation_pointer",
            &[Babylon, Khronos],
            "materials, lights and cameras do not change with time",
        ),
        row(
            "KHR_draco_mesh_compression",
            &[Three, Babylon, Khronos, Filament, F3d],
            "meshes are those for readers that cannot decompress",
        ),
        row(
            "KHR_gaussian_splatting",
            &[Babylon],
            "clouds of splats are drawn as bare points",
        ),
        row(
            "KHR_lights_image_based",
            &[],
            "the surroundings that light the scene are those of --env, not the file's own",
        ),
        row(
            "KHR_lights_punctual",
            &[Three, Babylon, Khronos, Filament, F3d],
            "the file's lamps and sun do not shine",
        ),
        row(
            "KHR_materials_anisotropy",
            &[Three, Babylon, Khronos],
            "highlights of brushed metal are round instead of long",
        ),
        row(
            "KHR_materials_clearcoat",
            &[Three, Babylon, Khronos, Filament],
            "varnish over a surface, and the sharp reflection in it, is missing",
        ),
        row(
            "KHR_materials_diffuse_transmission",
            &[Babylon, Khronos],
            "leaves, paper and shades let no light through to the other side",
        ),
        row(
            "KHR_materials_dispersion",
            &[Three, Babylon, Khronos, Filament],
            "glass does not split light into colours",
        ),
        row(
            "KHR_materials_emissive_strength",
            &[Three, Babylon, Khronos, Filament],
            "what glows is no brighter than white",
        ),
        row(
            "KHR_materials_ior",
            &[Three, Babylon, Khronos, Filament],
            "what is no metal reflects 4 % head-on, as glTF's core has it",
        ),
        row(
            "KHR_materials_iridescence",
            &[Three, Babylon, Khronos],
            "thin films do not shimmer in colours",
        ),
        row(
            "KHR_materials_pbrSpecularGlossiness",
            &[Babylon, Khronos, Filament],
            "colours and gloss are those for readers that do not know it, often plain white",
        ),
        row(
            "KHR_materials_sheen",
            &[Three, Babylon, Khronos, Filament],
            "cloth has no soft light along its rims",
        ),
        row(
            "KHR_materials_specular",
            &[Three, Babylon, Khronos, Filament],
            "reflections of what is no metal are white and as strong as glTF's core has them",
        ),
        row(
            "KHR_materials_transmission",
            &[Three, Babylon, Khronos, Filament],
            "glass and liquids are opaque",
        ),
        row(
            "KHR_materials_unlit",
            &[Three, Babylon, Khronos, Filament],
            "surfaces that have their light painted on are lit once more",
        ),
        row(
            "KHR_materials_variants",
            &[Babylon, Khronos, Filament],
            "only the first choice of materials is seen",
        ),
        row(
            "KHR_materials_volume",
            &[Three, Babylon, Khronos, Filament],
            "glass neither bends light nor colours it by its thickness",
        ),
        row(
            "KHR_materials_volume_scatter",
            &[Babylon, Khronos],
            "wax, milk and skin do not glow from inside",
        ),
        row(
            "KHR_mesh_quantization",
            &[Three, Babylon, Khronos, Filament],
            "meshes of small integers have the wrong size",
        ),
        row(
            "KHR_meshopt_compression",
            &[Three],
            "meshes and animations are those for readers that cannot decompress",
        ),
        row(
            "KHR_node_visibility",
            &[Babylon, Khronos],
            "what the file hides is seen",
        ),
        row(
            "KHR_texture_basisu",
            &[Three, Babylon, Khronos, Filament],
            "surfaces whose picture is in KTX 2.0 have the picture that the file has for others, or none",
        ),
        row(
            "KHR_texture_transform",
            &[Three, Babylon, Khronos, Filament],
            "textures that are moved, turned or scaled on their surface lie where they are not meant to",
        ),
        row("KHR_xmp", &[], "nothing: it holds facts about the file"),
        row(
            "KHR_xmp_json_ld",
            &[Babylon, Khronos],
            "nothing: it holds facts about the file",
        ),
        row(
            "MSFT_lod",
            &[Babylon],
            "nothing near by: coarser forms for far away are not used",
        ),
        row(
            "MSFT_texture_dds",
            &[],
            "surfaces whose picture is a DDS have the picture that the file has for others, or none",
        ),
    ]
};

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

/// One sentence for each extension that the file uses without needing it and that we lack: what looks different for it.
pub(super) fn warnings(root: &Root) -> impl Iterator<Item = String> {
    let names = root.extensions_used.iter();
    let unknown = names.filter(|name| !is_supported(name));
    unknown.map(|name| {
        let known = EXTENSIONS.iter().find(|extension| extension.name == name);
        let without = known.map_or("drawn without it", |extension| extension.without);
        format!("{} is not supported: {without}", printable(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_that_are_drawn_are_in_the_table_once() {
        for name in SUPPORTED_EXTENSIONS {
            let rows = EXTENSIONS
                .iter()
                .filter(|extension| extension.name == *name);
            assert_eq!(rows.count(), 1, "{name}");
        }
        let sorted = EXTENSIONS.is_sorted_by_key(|extension| extension.name);
        assert!(sorted, "by name");
    }
}
