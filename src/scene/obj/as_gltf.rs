//! Parts and materials as a binary glTF in memory: one node and one mesh for each part, one buffer for all.

use serde::Serialize;
use serde_json::{Value, json};

use super::lines::Parsed;
use super::materials::Materials;
use super::parts::{Part, parts};
use crate::scene::gltf::LoadError;

/// glTF's names of numbers.
const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;

/// A chunk's kind, and the head of a file.
const JSON: u32 = 0x4e4f_534a;
const BINARY: u32 = 0x004e_4942;
const MAGIC: u32 = 0x4654_6c67;

/// What a part or a material takes while it is read, beside its numbers: measured, some 6 KB of tables and text.
const BYTES_EACH: u64 = 8 << 10;

/// A whole file but for its buffer; what is empty must not be there.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Root<'a> {
    asset: Asset,
    extensions_used: [&'static str; 1],
    scene: u32,
    scenes: [SceneNodes; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    meshes: Vec<Mesh<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    materials: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    textures: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    samplers: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    images: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    buffer_views: Vec<View>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    buffers: Vec<Value>,
}

#[derive(Serialize)]
struct Asset {
    version: &'static str,
}

#[derive(Serialize)]
struct SceneNodes {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<usize>,
}

#[derive(Serialize)]
struct Node {
    mesh: usize,
}

#[derive(Serialize)]
struct Mesh<'a> {
    name: &'a str,
    primitives: [Primitive; 1],
}

#[derive(Serialize)]
struct Primitive {
    attributes: Attributes,
    indices: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    material: Option<usize>,
}

/// Accessors of vertices.
#[derive(Serialize)]
struct Attributes {
    #[serde(rename = "POSITION")]
    position: usize,
    #[serde(rename = "NORMAL", skip_serializing_if = "Option::is_none")]
    normal: Option<usize>,
    #[serde(rename = "TEXCOORD_0", skip_serializing_if = "Option::is_none")]
    tex_coord: Option<usize>,
    #[serde(rename = "COLOR_0", skip_serializing_if = "Option::is_none")]
    color: Option<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Accessor {
    buffer_view: usize,
    component_type: u32,
    count: usize,
    r#type: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View {
    buffer: u32,
    byte_offset: usize,
    byte_length: usize,
}

/// The file, which may take `memory_limit` bytes on its way, and a warning of what is left out of its materials.
pub(super) fn glb(
    parsed: &Parsed,
    memory_limit: u64,
) -> Result<(Vec<u8>, Option<String>), LoadError> {
    let parts = parts(&parsed.models);
    let most = memory_limit / BYTES_EACH;
    if parts.len() as u64 > most {
        let problem = format!(
            "its faces are in {} objects, groups and materials; expected at most {most}",
            parts.len()
        );
        return Err(invalid("OBJ file", problem));
    }
    let mut materials = Materials::default();
    let mut buffer = Buffer::default();
    let mut meshes = Vec::new();
    for part in &parts {
        let material = part
            .material
            .and_then(|id| materials.number(id, &parsed.materials));
        meshes.push(Mesh {
            name: part.name,
            primitives: [primitive(part, material, &mut buffer)?],
        });
    }
    let warning = materials.warning();
    let root = Root {
        asset: Asset { version: "2.0" },
        extensions_used: ["KHR_texture_transform"],
        scene: 0,
        scenes: [SceneNodes {
            nodes: (0..meshes.len()).collect(),
        }],
        nodes: (0..meshes.len()).map(|mesh| Node { mesh }).collect(),
        meshes,
        samplers: materials.samplers(),
        materials: materials.list,
        textures: materials.textures,
        images: materials.images,
        accessors: buffer.accessors,
        buffer_views: buffer.views,
        buffers: match buffer.bytes.len() {
            0 => Vec::new(),
            n_bytes => vec![json!({ "byteLength": n_bytes })],
        },
    };
    let text = serde_json::to_vec(&root).map_err(|error| invalid("OBJ file", error.to_string()))?;
    drop(root);
    Ok((container(text, &buffer.bytes)?, warning))
}

/// The two chunks of a .glb.
fn container(mut text: Vec<u8>, binary: &[u8]) -> Result<Vec<u8>, LoadError> {
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
    views: Vec<View>,
    accessors: Vec<Accessor>,
}

impl Buffer {
    /// Adds numbers of four bytes, `width` to an element; the accessor's number.
    fn push(&mut self, words: impl Iterator<Item = [u8; 4]>, kind: u32, width: usize) -> usize {
        let from = self.bytes.len();
        self.bytes.extend(words.flatten());
        let length = self.bytes.len() - from;
        self.views.push(View {
            buffer: 0,
            byte_offset: from,
            byte_length: length,
        });
        self.accessors.push(Accessor {
            buffer_view: self.views.len() - 1,
            component_type: kind,
            count: length / 4 / width,
            r#type: ["SCALAR", "VEC2", "VEC3"][width - 1],
        });
        self.accessors.len() - 1
    }

    fn floats(&mut self, values: impl Iterator<Item = f32>, width: usize) -> usize {
        self.push(values.map(f32::to_le_bytes), FLOAT, width)
    }
}

/// A part's triangles.
fn primitive(
    part: &Part<'_>,
    material: Option<usize>,
    buffer: &mut Buffer,
) -> Result<Primitive, LoadError> {
    let positions = part.floats(|mesh| &mesh.positions);
    if let Some(at) = positions.clone().position(|x| !x.is_finite()) {
        let name: String = part.name.chars().take(48).collect();
        let element = format!("object '{}'", name.escape_debug());
        let problem = format!("vertex {} is not finite", at / 3);
        return Err(invalid(&element, problem));
    }
    if u32::try_from(positions.clone().count()).is_err() {
        return Err(too_large());
    }
    let position = buffer.floats(positions, 3);
    let normals = part.floats(|mesh| &mesh.normals);
    let normal = (part.has.normals && normals.clone().all(f32::is_finite)).then(|| {
        let normals: Vec<f32> = normals.collect();
        buffer.floats(unit(&normals), 3)
    });
    let tex_coord = part.has.tex_coords.then(|| {
        // Upwards there, downwards here.
        let values = part.floats(|mesh| &mesh.texcoords).enumerate();
        let flipped = values.map(|(at, x)| if at % 2 == 1 { 1.0 - x } else { x });
        buffer.floats(flipped, 2)
    });
    let color = (part.has.colors).then(|| buffer.floats(part.floats(|mesh| &mesh.vertex_color), 3));
    let indices = buffer.push(part.indices().map(u32::to_le_bytes), UNSIGNED, 1);
    Ok(Primitive {
        attributes: Attributes {
            position,
            normal,
            tex_coord,
            color,
        },
        indices,
        material,
    })
}

/// Normals of length 1; those of none point up.
fn unit(normals: &[f32]) -> impl Iterator<Item = f32> {
    let of_one = |n: &[f32]| {
        let n = glam::Vec3::from_slice(n);
        n.normalize_or(glam::Vec3::Y).to_array()
    };
    normals.chunks_exact(3).flat_map(of_one)
}

fn too_large() -> LoadError {
    invalid("the file", "its vertices take more than 4 GiB".to_owned())
}

fn invalid(element: &str, problem: String) -> LoadError {
    LoadError::Invalid {
        element: element.to_owned(),
        problem,
    }
}
