//! `KHR_animation_pointer`: JSON pointers into the file to properties of the scene (glTF 2.0 Asset Object Model).
//!
//! Each property that can move is a row of a table: its path below its element, how many floats it has, and what sets it. A
//! row sets its property alone; those that a picture takes together, as both factors of an emission, are kept apart until
//! all have moved.

use std::collections::BTreeMap;
use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Vec2, Vec3, Vec4};
use gltf::json::Value;

use super::file::File;
use super::pointer_layers::{LAYERS, TEXTURES, extension_of};
use super::pointer_values::{Set, Table, color, first, unit};
use crate::{
    AlphaMode, Camera, Emission, EmissionChange, EmissionPart, Light, LightKind, Material,
    MaterialId, Mesh, MeshId, NodeId, Projection, Property, Target, TextureTransform, UvPart,
    UvTransform,
};

/// Positions of the file's parts in the scene; those that it does not use are absent.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub materials: BTreeMap<usize, MaterialId>,
    pub meshes: BTreeMap<usize, MeshId>,
    pub lights: Vec<Option<u32>>,
    pub cameras: Vec<Option<u32>>,
}

/// Context that a file's pointers are resolved in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Map<'a> {
    pub file: &'a File,
    /// Scene node by node of the file; `None` where the scene does not have it.
    pub nodes: &'a [Option<NodeId>],
    /// Meshes of the scene, to which nodes refer.
    pub meshes: &'a [Mesh],
    pub places: &'a Places,
}

/// Result of reading a channel.
#[derive(Debug)]
pub(super) enum Outcome<T> {
    Read(T),
    /// The channel moves a part that only another scene of the file uses.
    ElsewhereInFile,
    LeftOut(&'static str),
}

/// Target of a pointer in the scene.
#[derive(Debug, Clone, Copy)]
pub(super) enum Aim {
    Node(NodeId, Target),
    /// A property of so many floats.
    Property(Property, usize),
}

const UNKNOWN: Outcome<Aim> = Outcome::LeftOut("nothing that can be animated is there");

/// Extensions whose light comes from all around, below `/extensions` or a scene.
const SURROUNDINGS: [&str; 2] = ["EXT_lights_image_based", "KHR_lights_image_based"];

const SURROUNDINGS_STAND_STILL: Outcome<Aim> = Outcome::LeftOut(
    "the light of the surroundings does not move, as its levels are made once, when the file is loaded",
);

impl Map<'_> {
    /// Resolves the JSON pointer `path` to a property of the scene.
    pub(super) fn resolve(&self, path: &str) -> Outcome<Aim> {
        if SURROUNDINGS
            .iter()
            .any(|name| path.split('/').any(|part| part == *name))
        {
            return SURROUNDINGS_STAND_STILL;
        }
        let mut parts = path.splitn(4, '/');
        let (Some(""), Some(list), Some(index), Some(rest)) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return UNKNOWN;
        };
        if let Some(light) = path.strip_prefix("/extensions/KHR_lights_punctual/lights/") {
            return self.light(light);
        }
        let Some(index) = array_index(index) else {
            return UNKNOWN;
        };
        match list {
            "nodes" => self.node(index, rest),
            "meshes" => self.mesh(index, rest),
            "materials" => self.material(index, rest),
            "cameras" => placed(&self.places.cameras, index, |camera| {
                of_table(&CAMERA, rest, |set| Property::Camera(camera, set))
            }),
            _ => UNKNOWN,
        }
    }

    fn light(&self, path: &str) -> Outcome<Aim> {
        let Some((index, rest)) = path.split_once('/') else {
            return UNKNOWN;
        };
        let Some(index) = array_index(index) else {
            return UNKNOWN;
        };
        placed(&self.places.lights, index, |light| {
            of_table(&LIGHT, rest, |set| Property::Light(light, set))
        })
    }

    fn node(&self, index: usize, path: &str) -> Outcome<Aim> {
        let id = match self.nodes.get(index) {
            Some(Some(id)) => *id,
            Some(None) => return Outcome::ElsewhereInFile,
            None => return Outcome::LeftOut("there is no such node"),
        };
        let target = match path {
            "translation" => Target::Translation,
            "rotation" => Target::Rotation,
            "scale" => Target::Scale,
            "weights" => Target::MorphWeights,
            "extensions/KHR_node_visibility/visible" => {
                let visible = Property::Visible(id);
                return Outcome::Read(Aim::Property(visible, 1));
            }
            _ => match weight(path) {
                Some(target) => Target::MorphWeight(target),
                None => return UNKNOWN,
            },
        };
        Outcome::Read(Aim::Node(id, target))
    }

    fn mesh(&self, index: usize, path: &str) -> Outcome<Aim> {
        let one = weight(path);
        if (one.is_none() && path != "weights") || index >= self.file.root.meshes.len() {
            return UNKNOWN;
        }
        let Some(&id) = self.places.meshes.get(&index) else {
            return Outcome::ElsewhereInFile;
        };
        let targets = self.meshes[id.index()].n_morph_targets();
        match one {
            _ if targets == 0 => Outcome::LeftOut("its mesh has no morph targets"),
            None => Outcome::Read(Aim::Property(Property::MeshWeights(id), targets)),
            Some(target) if (target as usize) < targets => {
                Outcome::Read(Aim::Property(Property::MeshWeight(id, target), 1))
            }
            Some(_) => Outcome::LeftOut("its mesh has no such morph target"),
        }
    }

    fn material(&self, index: usize, path: &str) -> Outcome<Aim> {
        let Some(json) = self.file.root.materials.get(index) else {
            return Outcome::LeftOut("there is no such material");
        };
        let Some(&id) = self.places.materials.get(&index) else {
            return Outcome::ElsewhereInFile;
        };
        let json = serde_json::to_value(json).unwrap_or_default();
        let is_replaced = ["pbrMetallicRoughness/", IOR, SPECULAR];
        if is_replaced.iter().any(|start| path.starts_with(start))
            && json.pointer(SPECULAR_GLOSSINESS).is_some()
        {
            return Outcome::LeftOut("KHR_materials_pbrSpecularGlossiness takes its place");
        }
        if let Some((texture, part)) = path.split_once("/extensions/KHR_texture_transform/") {
            return texture_transform(id, &json, texture, part);
        }
        if let Some(part) = emission_part(path) {
            return emission(id, &json, part);
        }
        let layer = extension_of(path);
        let table = match layer {
            Some(_) => LAYERS,
            None => &MATERIAL[..],
        };
        if layer.is_some_and(|layer| json.pointer(&format!("/extensions/{layer}")).is_none()) {
            return Outcome::LeftOut("the material does not have that extension");
        }
        of_table(table, path, |set| Property::Material(id, set))
    }
}

/// The morph target of a path to one weight.
fn weight(path: &str) -> Option<u32> {
    let target = array_index(path.strip_prefix("weights/")?)?;
    u32::try_from(target).ok()
}

/// An array's index as JSON pointers write it: digits without a leading zero (RFC 6901, 4).
fn array_index(text: &str) -> Option<usize> {
    let is_index = text.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = text == "0" || !text.starts_with('0');
    text.parse().ok().filter(|_| is_index && is_plain)
}

/// The factor of the emission that a path below a material names.
fn emission_part(path: &str) -> Option<EmissionPart> {
    match path {
        "emissiveFactor" => Some(EmissionPart::Factor),
        EMISSIVE_STRENGTH => Some(EmissionPart::Strength),
        _ => None,
    }
}

fn emission(material: MaterialId, json: &Value, part: EmissionPart) -> Outcome<Aim> {
    let factor = floats(json.get("emissiveFactor"));
    let strength = json.pointer(&format!("/{EMISSIVE_STRENGTH}"));
    let rest = Emission {
        factor: factor.map_or(Vec3::ZERO, Vec3::from_array),
        strength: strength.and_then(Value::as_f64).unwrap_or(1.0) as f32,
    };
    let property = Property::Emission(EmissionChange {
        material,
        rest,
        part,
    });
    let components = match part {
        EmissionPart::Factor => 3,
        EmissionPart::Strength => 1,
    };
    Outcome::Read(Aim::Property(property, components))
}

/// Aim at an element by its position in the scene, where it has one.
fn placed(
    places: &[Option<u32>],
    index: usize,
    aim: impl FnOnce(u32) -> Outcome<Aim>,
) -> Outcome<Aim> {
    match places.get(index) {
        Some(Some(place)) => aim(*place),
        Some(None) => Outcome::ElsewhereInFile,
        None => Outcome::LeftOut("there is no such element"),
    }
}

fn of_table<T>(
    table: &Table<T>,
    path: &str,
    property: impl Fn(Set<T>) -> Property,
) -> Outcome<Aim> {
    let row = table.iter().find(|(name, ..)| *name == path);
    row.map_or(UNKNOWN, |&(_, components, set)| {
        Outcome::Read(Aim::Property(property(set), components))
    })
}

fn texture_transform(
    material: MaterialId,
    json: &Value,
    texture: &str,
    part: &str,
) -> Outcome<Aim> {
    let Some((slot_number, (_, slot))) =
        (0..).zip(&TEXTURES).find(|(_, (name, _))| *name == texture)
    else {
        return UNKNOWN;
    };
    let (part, components) = match part {
        "offset" => (UvPart::Offset, 2),
        "rotation" => (UvPart::Rotation, 1),
        "scale" => (UvPart::Scale, 2),
        _ => return UNKNOWN,
    };
    let rest = json.pointer(&format!("/{texture}/extensions/KHR_texture_transform"));
    let value = |key: &str| rest.and_then(|rest| rest.get(key));
    let plain = UvTransform::default();
    let target = TextureTransform {
        material,
        slot: *slot,
        slot_number,
        rest: UvTransform {
            offset: floats(value("offset")).map_or(plain.offset, Vec2::from_array),
            rotation: value("rotation").and_then(Value::as_f64).unwrap_or(0.0) as f32,
            scale: floats(value("scale")).map_or(plain.scale, Vec2::from_array),
        },
        part,
    };
    let property = Property::TextureTransform(target);
    Outcome::Read(Aim::Property(property, components))
}

/// Reads so many numbers of a JSON array.
fn floats<const N: usize>(value: Option<&Value>) -> Option<[f32; N]> {
    let list = value?.as_array()?.iter();
    let numbers: Option<Vec<f32>> = list.map(|n| Some(n.as_f64()? as f32)).collect();
    numbers?.try_into().ok()
}

const EMISSIVE_STRENGTH: &str = "extensions/KHR_materials_emissive_strength/emissiveStrength";

/// Extensions that `KHR_materials_pbrSpecularGlossiness` stands in for, beside `pbrMetallicRoughness`.
const IOR: &str = "extensions/KHR_materials_ior/";
const SPECULAR: &str = "extensions/KHR_materials_specular/";

const SPECULAR_GLOSSINESS: &str = "/extensions/KHR_materials_pbrSpecularGlossiness";

const MATERIAL: [(&str, usize, Set<Material>); 9] = [
    ("pbrMetallicRoughness/baseColorFactor", 4, |m, v| {
        let color = <[f32; 4]>::try_from(v).map_or(Vec4::ONE, Vec4::from_array);
        m.base_color = color.clamp(Vec4::ZERO, Vec4::ONE);
    }),
    ("pbrMetallicRoughness/metallicFactor", 1, |m, v| {
        m.metallic = unit(v)
    }),
    ("pbrMetallicRoughness/roughnessFactor", 1, |m, v| {
        m.roughness = unit(v)
    }),
    ("normalTexture/scale", 1, |m, v| {
        m.normal_scale = first(v).clamp(-1e6, 1e6)
    }),
    ("occlusionTexture/strength", 1, |m, v| {
        m.occlusion_strength = unit(v)
    }),
    ("alphaCutoff", 1, |m, v| {
        if let AlphaMode::Mask { cutoff } = &mut m.alpha_mode {
            *cutoff = first(v).max(0.0);
        }
    }),
    ("extensions/KHR_materials_ior/ior", 1, |m, v| {
        m.ior = if first(v) == 0.0 {
            0.0
        } else {
            first(v).clamp(1.0, 1e6)
        };
    }),
    (
        "extensions/KHR_materials_specular/specularFactor",
        1,
        |m, v| m.specular = unit(v),
    ),
    (
        "extensions/KHR_materials_specular/specularColorFactor",
        3,
        |m, v| {
            m.specular_color = color(v, 1e6);
        },
    ),
];

const LIGHT: [(&str, usize, Set<Light>); 5] = [
    ("color", 3, |light, v| light.color = color(v, f32::MAX)),
    ("intensity", 1, |light, v| {
        light.intensity = first(v).max(0.0)
    }),
    ("range", 1, |light, v| {
        light.range = Some(first(v)).filter(|&range| range > 0.0)
    }),
    ("spot/innerConeAngle", 1, |light, v| {
        if let LightKind::Spot { inner_angle, .. } = &mut light.kind {
            *inner_angle = first(v).clamp(0.0, FRAC_PI_2);
        }
    }),
    ("spot/outerConeAngle", 1, |light, v| {
        if let LightKind::Spot { outer_angle, .. } = &mut light.kind {
            *outer_angle = first(v).clamp(0.0, FRAC_PI_2);
        }
    }),
];

/// Smallest size and distance of a lens in metres; so small that scenes of any scale have lenses.
const MIN_LENS: f32 = 1e-30;

/// Smallest angle of a lens, and how far its largest is from a half turn, in radians.
const MIN_ANGLE: f32 = 1e-6;

const CAMERA: [(&str, usize, Set<Camera>); 8] = [
    ("perspective/yfov", 1, |camera, v| {
        if let Projection::Perspective { y_fov, .. } = &mut camera.projection {
            *y_fov = first(v).clamp(MIN_ANGLE, PI - MIN_ANGLE);
        }
    }),
    ("perspective/aspectRatio", 1, |camera, v| {
        if let Projection::Perspective { aspect, .. } = &mut camera.projection {
            *aspect = Some(first(v)).filter(|&aspect| aspect > 0.0);
        }
    }),
    ("perspective/znear", 1, |camera, v| {
        if let Projection::Perspective { near, .. } = &mut camera.projection {
            *near = first(v).max(MIN_LENS);
        }
    }),
    ("perspective/zfar", 1, |camera, v| {
        if let Projection::Perspective { far, .. } = &mut camera.projection {
            *far = Some(first(v));
        }
    }),
    ("orthographic/xmag", 1, |camera, v| {
        if let Projection::Orthographic { x_mag, .. } = &mut camera.projection {
            *x_mag = first(v).abs().max(MIN_LENS);
        }
    }),
    ("orthographic/ymag", 1, |camera, v| {
        if let Projection::Orthographic { y_mag, .. } = &mut camera.projection {
            *y_mag = first(v).abs().max(MIN_LENS);
        }
    }),
    ("orthographic/znear", 1, |camera, v| {
        if let Projection::Orthographic { near, .. } = &mut camera.projection {
            *near = first(v);
        }
    }),
    ("orthographic/zfar", 1, |camera, v| {
        if let Projection::Orthographic { far, .. } = &mut camera.projection {
            *far = first(v);
        }
    }),
];
