//! `KHR_animation_pointer`: JSON pointers into the file to properties of the scene (glTF 2.0 Asset Object Model).
//!
//! Each property that can move is a row of a table: its path below its element, how many floats it has, and what sets it.

use std::collections::BTreeMap;
use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Vec2, Vec3, Vec4};
use gltf::json::Value;

use super::file::File;
use super::pointer_layers::{LAYERS, TEXTURES, extension_of};
use super::pointer_values::{Set, Table, color, first, unit};
use crate::scene::{
    AlphaMode, Camera, Keyframes, Light, LightKind, Material, MaterialId, Mesh, MeshId, NodeId,
    Projection, Property, Target, TextureTransform, UvPart, UvTransform,
};

/// Where parts of the file went in the scene; those that it does not use are absent.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub materials: BTreeMap<usize, MaterialId>,
    pub meshes: BTreeMap<usize, MeshId>,
    pub lights: Vec<Option<u32>>,
    pub cameras: Vec<Option<u32>>,
}

/// What pointers of a file lead through.
#[derive(Debug, Clone, Copy)]
pub(super) struct Map<'a> {
    pub file: &'a File,
    /// Where each node of the file went.
    pub nodes: &'a [Option<NodeId>],
    /// The scene's meshes.
    pub meshes: &'a [Mesh],
    pub places: &'a Places,
}

/// What became of a channel.
#[derive(Debug)]
pub(super) enum Outcome<T> {
    Read(T),
    /// It moves what another scene of the file uses.
    ElsewhereInFile,
    LeftOut(&'static str),
}

/// What a pointer means.
#[derive(Debug, Clone, Copy)]
pub(super) enum Aim {
    Node(NodeId, Target),
    /// A property of so many floats, whose keyframes are adapted to ours.
    Property(Property, usize, Adapt),
}

/// How values of the file become values of the scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Adapt {
    AsTheyAre,
    /// An emissive factor times the strength that the material has at rest.
    Times(f32),
    /// A strength of the emissive factor that the material has at rest.
    Of(Vec3),
}

impl Adapt {
    /// The keyframes, adapted.
    pub(super) fn apply(self, keyframes: Keyframes) -> Keyframes {
        let values = keyframes.values.iter();
        match self {
            Self::AsTheyAre => keyframes,
            Self::Times(factor) => Keyframes {
                values: values.map(|value| value * factor).collect(),
                ..keyframes
            },
            Self::Of(color) => Keyframes {
                values: values
                    .flat_map(|&value| (color * value).to_array())
                    .collect(),
                components: 3,
                ..keyframes
            },
        }
    }
}

const UNKNOWN: Outcome<Aim> = Outcome::LeftOut("nothing that can be animated is there");

impl Map<'_> {
    /// What `path` points at.
    pub(super) fn resolve(&self, path: &str) -> Outcome<Aim> {
        let mut parts = path.splitn(4, '/');
        let (Some(""), Some(list), Some(index), Some(rest)) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return UNKNOWN;
        };
        if let Some(light) = path.strip_prefix("/extensions/KHR_lights_punctual/lights/") {
            return self.light(light);
        }
        let Ok(index) = index.parse::<usize>() else {
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
        let Ok(index) = index.parse::<usize>() else {
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
                return Outcome::Read(Aim::Property(visible, 1, Adapt::AsTheyAre));
            }
            _ => return UNKNOWN,
        };
        Outcome::Read(Aim::Node(id, target))
    }

    fn mesh(&self, index: usize, path: &str) -> Outcome<Aim> {
        if path != "weights" || index >= self.file.root.meshes.len() {
            return UNKNOWN;
        }
        let Some(&id) = self.places.meshes.get(&index) else {
            return Outcome::ElsewhereInFile;
        };
        let primitives = self.meshes[id.index()].primitives.iter();
        let targets = primitives
            .map(|primitive| primitive.morph_targets.len())
            .max();
        match targets {
            Some(targets) if targets > 0 => {
                let weights = Property::MeshWeights(id);
                Outcome::Read(Aim::Property(weights, targets, Adapt::AsTheyAre))
            }
            _ => Outcome::LeftOut("its mesh has no morph targets"),
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
        if let Some((texture, part)) = path.split_once("/extensions/KHR_texture_transform/") {
            return texture_transform(id, &json, texture, part);
        }
        let adapt = match path {
            "emissiveFactor" => {
                let strength = json.pointer(&format!("/{EMISSIVE_STRENGTH}"));
                let strength = strength.and_then(Value::as_f64).unwrap_or(1.0);
                Adapt::Times(strength as f32)
            }
            EMISSIVE_STRENGTH => {
                let factor = floats(json.get("emissiveFactor"));
                Adapt::Of(factor.map_or(Vec3::ZERO, Vec3::from_array))
            }
            _ => Adapt::AsTheyAre,
        };
        let layer = extension_of(path);
        let table = match layer {
            Some(_) => LAYERS,
            None => &MATERIAL[..],
        };
        if layer.is_some_and(|layer| json.pointer(&format!("/extensions/{layer}")).is_none()) {
            return Outcome::LeftOut("the material does not have that extension");
        }
        match of_table(table, path, |set| Property::Material(id, set)) {
            Outcome::Read(Aim::Property(property, components, _)) => {
                Outcome::Read(Aim::Property(property, components, adapt))
            }
            other => other,
        }
    }
}

/// What an element's new place gives, where it has one.
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
        Outcome::Read(Aim::Property(property(set), components, Adapt::AsTheyAre))
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
    Outcome::Read(Aim::Property(property, components, Adapt::AsTheyAre))
}

/// So many numbers of a JSON array.
fn floats<const N: usize>(value: Option<&Value>) -> Option<[f32; N]> {
    let list = value?.as_array()?.iter();
    let numbers: Option<Vec<f32>> = list.map(|n| Some(n.as_f64()? as f32)).collect();
    numbers?.try_into().ok()
}

const EMISSIVE_STRENGTH: &str = "extensions/KHR_materials_emissive_strength/emissiveStrength";

/// Largest emissive value, as for materials at rest.
const MAX_EMISSIVE: f32 = 1e9;

const MATERIAL: [(&str, usize, Set<Material>); 11] = [
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
    ("emissiveFactor", 3, |m, v| {
        m.emissive = color(v, MAX_EMISSIVE)
    }),
    (EMISSIVE_STRENGTH, 1, |m, v| {
        m.emissive = color(v, MAX_EMISSIVE)
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
        if let LightKind::Spot {
            inner_angle,
            outer_angle,
        } = &mut light.kind
        {
            *inner_angle = first(v).clamp(0.0, *outer_angle);
        }
    }),
    ("spot/outerConeAngle", 1, |light, v| {
        if let LightKind::Spot {
            inner_angle,
            outer_angle,
        } = &mut light.kind
        {
            *outer_angle = first(v).clamp(0.0, FRAC_PI_2);
            *inner_angle = inner_angle.min(*outer_angle);
        }
    }),
];

/// Smallest size and distance of a lens, in metres; smallest angle in radians.
const MIN_LENS: f32 = 1e-6;

const CAMERA: [(&str, usize, Set<Camera>); 8] = [
    ("perspective/yfov", 1, |camera, v| {
        if let Projection::Perspective { y_fov, .. } = &mut camera.projection {
            *y_fov = first(v).clamp(1e-3, PI - 1e-3);
        }
    }),
    ("perspective/aspectRatio", 1, |camera, v| {
        if let Projection::Perspective { aspect, .. } = &mut camera.projection {
            *aspect = Some(first(v)).filter(|&aspect| aspect > 0.0);
        }
    }),
    ("perspective/znear", 1, |camera, v| {
        if let Projection::Perspective { near, far, .. } = &mut camera.projection {
            let most = far.map_or(f32::MAX, |far| far * 0.999);
            *near = first(v).max(MIN_LENS).min(most);
        }
    }),
    ("perspective/zfar", 1, |camera, v| {
        if let Projection::Perspective { near, far, .. } = &mut camera.projection {
            *far = Some(first(v).max(*near * 1.001));
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
        if let Projection::Orthographic { near, far, .. } = &mut camera.projection {
            *near = first(v).min(*far - MIN_LENS);
        }
    }),
    ("orthographic/zfar", 1, |camera, v| {
        if let Projection::Orthographic { near, far, .. } = &mut camera.projection {
            *far = first(v).max(*near + MIN_LENS);
        }
    }),
];
