//! Models and materials as a binary glTF in memory: one node and one mesh for each model, one buffer for all.

use serde_json::{Value, json};

use super::lines::Parsed;
use crate::scene::gltf::LoadError;

/// glTF's names of numbers.
const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;

/// A chunk's kind, and the head of a file.
const JSON: u32 = 0x4e4f_534a;
const BINARY: u32 = 0x004e_4942;
const MAGIC: u32 = 0x4654_6c67;

/// The file.
pub(super) fn glb(parsed: &Parsed) -> Result<Vec<u8>, LoadError> {
    let mut buffer = Buffer::default();
    let mut meshes = Vec::new();
    for model in &parsed.models {
        if let Some(primitive) = primitive(model, &mut buffer)? {
            meshes.push(json!({ "name": model.name, "primitives": [primitive] }));
        }
    }
    let nodes = (0..meshes.len()).map(|mesh| json!({ "mesh": mesh }));
    let nodes: Vec<Value> = nodes.collect();
    let mut images = Vec::new();
    let materials = parsed.materials.iter();
    let materials: Vec<Value> = materials.map(|m| material(m, &mut images)).collect();
    let textures = (0..images.len()).map(|source| json!({ "source": source }));
    let root = json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": (0..nodes.len()).collect::<Vec<_>>() }],
        "nodes": nodes,
        "meshes": meshes,
        "materials": materials,
        "textures": textures.collect::<Vec<_>>(),
        "images": images,
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": [{ "byteLength": buffer.bytes.len() }],
    });
    let mut root = root;
    // What is empty must not be there.
    if let Some(lists) = root.as_object_mut() {
        lists.retain(|_, value| value.as_array().is_none_or(|list| !list.is_empty()));
        if buffer.bytes.is_empty() {
            lists.remove("buffers");
        }
    }
    container(&root, &buffer.bytes)
}

/// The two chunks of a .glb.
fn container(root: &Value, binary: &[u8]) -> Result<Vec<u8>, LoadError> {
    let too_large = || invalid("the file", "its vertices take more than 4 GiB".to_owned());
    let mut text = root.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let chunks = [(JSON, &text[..]), (BINARY, binary)];
    let chunks = chunks.iter().filter(|(_, bytes)| !bytes.is_empty());
    let n_bytes = |bytes: usize| u32::try_from(bytes).map_err(|_| too_large());
    let total = chunks.clone().map(|(_, bytes)| 8 + bytes.len());
    let mut file = Vec::new();
    for word in [MAGIC, 2, n_bytes(12 + total.sum::<usize>())?] {
        file.extend(word.to_le_bytes());
    }
    for (kind, bytes) in chunks {
        file.extend(n_bytes(bytes.len())?.to_le_bytes());
        file.extend(kind.to_le_bytes());
        file.extend_from_slice(bytes);
    }
    Ok(file)
}

/// The buffer with the accessors into it.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// Adds numbers of four bytes, `width` to an element; the accessor's number.
    fn push(&mut self, words: impl Iterator<Item = [u8; 4]>, kind: u32, width: usize) -> usize {
        let from = self.bytes.len();
        self.bytes.extend(words.flatten());
        let length = self.bytes.len() - from;
        let view = json!({ "buffer": 0, "byteOffset": from, "byteLength": length });
        self.views.push(view);
        let shape = ["SCALAR", "VEC2", "VEC3"][width - 1];
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1,
            "componentType": kind,
            "count": length / 4 / width,
            "type": shape,
        }));
        self.accessors.len() - 1
    }

    fn floats(&mut self, values: &[f32], width: usize) -> usize {
        let words = values.iter().map(|value| value.to_le_bytes());
        self.push(words, FLOAT, width)
    }
}

/// A model's triangles; none where it has none.
fn primitive(model: &tobj::Model, buffer: &mut Buffer) -> Result<Option<Value>, LoadError> {
    let mesh = &model.mesh;
    if mesh.indices.is_empty() {
        return Ok(None);
    }
    let n_vertices = mesh.positions.len() / 3;
    if let Some(at) = mesh.positions.iter().position(|x| !x.is_finite()) {
        let name: String = model.name.chars().take(48).collect();
        let element = format!("object '{}'", name.escape_debug());
        let problem = format!("vertex {} is not finite", at / 3);
        return Err(invalid(&element, problem));
    }
    let mut attributes = json!({ "POSITION": buffer.floats(&mesh.positions, 3) });
    // A file may give some of its vertices a normal or a place in the texture, and others none.
    if mesh.normals.len() == 3 * n_vertices && mesh.normals.iter().all(|x| x.is_finite()) {
        attributes["NORMAL"] = buffer.floats(&unit(&mesh.normals), 3).into();
    }
    if mesh.texcoords.len() == 2 * n_vertices {
        // Upwards there, downwards here.
        let pairs = mesh.texcoords.chunks_exact(2);
        let flipped: Vec<f32> = pairs.flat_map(|uv| [uv[0], 1.0 - uv[1]]).collect();
        attributes["TEXCOORD_0"] = buffer.floats(&flipped, 2).into();
    }
    if mesh.vertex_color.len() == 3 * n_vertices {
        attributes["COLOR_0"] = buffer.floats(&mesh.vertex_color, 3).into();
    }
    let words = mesh.indices.iter().map(|index| index.to_le_bytes());
    let indices = buffer.push(words, UNSIGNED, 1);
    let mut primitive = json!({ "attributes": attributes, "indices": indices });
    if let Some(material) = mesh.material_id {
        primitive["material"] = material.into();
    }
    Ok(Some(primitive))
}

/// Normals of length 1; those of none point up.
fn unit(normals: &[f32]) -> Vec<f32> {
    let of_one = |n: &[f32]| {
        let n = glam::Vec3::from_slice(n);
        n.normalize_or(glam::Vec3::Y).to_array()
    };
    normals.chunks_exact(3).flat_map(of_one).collect()
}

/// A material: Blinn's exponent becomes a roughness of a highlight as wide (Karis, SIGGRAPH 2013: exponent = 2 / roughness^4 - 2).
fn material(from: &tobj::Material, images: &mut Vec<Value>) -> Value {
    let shares = |color: [f32; 3]| {
        color.map(|x| {
            if x.is_finite() {
                x.clamp(0.0, 1.0)
            } else {
                1.0
            }
        })
    };
    let texture = from.diffuse_texture.as_deref().map(file_name);
    let mut color = shares(from.diffuse.unwrap_or([0.8; 3]));
    if texture.is_some() && color == [0.0; 3] {
        // Some programs write black beside a map, and mean the map.
        color = [1.0; 3];
    }
    let alpha = from.dissolve.filter(|d| d.is_finite()).unwrap_or(1.0);
    let alpha = alpha.clamp(0.0, 1.0);
    let shininess = from.shininess.filter(|n| n.is_finite()).unwrap_or(10.0);
    let roughness = (2.0 / (shininess.max(0.0) + 2.0)).powf(0.25);
    let mut surface = json!({
        "baseColorFactor": [color[0], color[1], color[2], alpha],
        "metallicFactor": 0.0,
        "roughnessFactor": roughness,
    });
    if let Some(name) = texture {
        images.push(json!({ "uri": uri(name) }));
        surface["baseColorTexture"] = json!({ "index": images.len() - 1 });
    }
    let mut material = json!({
        "name": from.name,
        "pbrMetallicRoughness": surface,
        "emissiveFactor": shares(from.emissive.unwrap_or_default()),
        "doubleSided": true,
    });
    if alpha < 1.0 {
        material["alphaMode"] = "BLEND".into();
    }
    material
}

/// The file of a map: behind its options, where it has any.
pub(super) fn file_name(map: &str) -> &str {
    match map.starts_with('-') {
        true => map.split_whitespace().next_back().unwrap_or(map),
        false => map,
    }
}

/// A path as a URI that is read as the same path.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' => {
                uri.push(byte.into());
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

fn invalid(element: &str, problem: String) -> LoadError {
    LoadError::Invalid {
        element: element.to_owned(),
        problem,
    }
}
