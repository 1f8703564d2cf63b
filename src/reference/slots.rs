//! The texture slots of materials: their numbers are places in tables, their names those of the scene shader.

/// Textures of a material without layers: base colour, metallic-roughness, normal, occlusion, emissive, specular, specular colour.
pub(super) const N_SLOTS: usize = 7;

/// Texture slots of all materials: those of layers follow.
pub(super) const ALL_SLOTS: usize = N_SLOTS + N_LAYER_SLOTS;

/// The slots' names in the shader: a flag, and the colour that is sampled. Those of layers follow.
pub(super) const SLOT_NAMES: [(&str, &str); N_SLOTS] = [
    ("base_color_texture", "base_color_sample"),
    ("metallic_roughness_texture", "metallic_roughness_sample"),
    ("normal_map", "normal_sample"),
    ("occlusion_texture", "occlusion_sample"),
    ("emissive_texture", "emissive_sample"),
    ("specular_texture", "specular_sample"),
    ("specular_color_texture", "specular_color_sample"),
];

/// The variables of textures and samplers in the shader, for materials without layers.
pub(super) const SLOT_VARIABLES: [&str; N_SLOTS] = [
    "base_color",
    "metallic_roughness",
    "normal",
    "occlusion",
    "emissive",
    "specular",
    "specular_color",
];

/// Texture slots of layers.
pub(super) const N_LAYER_SLOTS: usize = 12;

/// The slots' names in the shader: a flag, and the colour that is sampled.
pub(super) const LAYER_SLOT_NAMES: [(&str, &str); N_LAYER_SLOTS] = [
    ("clearcoat_texture", "clearcoat_sample"),
    ("clearcoat_roughness_texture", "clearcoat_roughness_sample"),
    ("clearcoat_normal_texture", "clearcoat_normal_sample"),
    ("sheen_color_texture", "sheen_color_sample"),
    ("sheen_roughness_texture", "sheen_roughness_sample"),
    ("anisotropy_texture", "anisotropy_sample"),
    ("film_texture", "film_sample"),
    ("film_thickness_texture", "film_thickness_sample"),
    ("transmission_texture", "transmission_sample"),
    (
        "diffuse_transmission_texture",
        "diffuse_transmission_sample",
    ),
    (
        "diffuse_transmission_color_texture",
        "diffuse_transmission_color_sample",
    ),
    ("thickness_texture", "thickness_sample"),
];
