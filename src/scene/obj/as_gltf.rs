//! Parts and materials as a binary glTF in memory: one node and one mesh for each part, one buffer for all.

use glam::Vec3;
use serde::Serialize;
use serde_json::{Value, json};

use super::contents::{Corner, Kind, NONE, Vertices};
use super::lines::without_comment;
use super::materials::Materials;
use super::mtl::Material;
use super::parts::Part;
use crate::gltf::LoadError;

/// glTF's names of numbers.
const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;

/// glTF's names of points and lines; triangles need none.
const POINTS: u32 = 0;
const LINES: u32 = 1;

/// Name of what stands before the first object or group, or in one without a name.
const UNNAMED: &str = "unnamed_object";

/// A chunk's kind, and the head of a file.
const JSON: u32 = 0x4e4f_534a;
const BINARY: u32 = 0x004e_4942;
const MAGIC: u32 = 0x4654_6c67;

/// Memory of a part or a material while it is read, beside its numbers: measured, some 6 KB of tables and text.
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
    mode: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    material: Option<usize>,
}

/// Accessors of the vertex attributes, by their glTF names.
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
    parts: &[Part<'_>],
    vertices: &Vertices,
    libraries: &[Material],
    memory_limit: u64,
) -> Result<(Vec<u8>, Option<String>), LoadError> {
    let most = memory_limit / BYTES_EACH;
    if parts.len() as u64 > most {
        let problem = format!(
            "its elements are in {} objects, groups and materials; expected at most {most}",
            parts.len()
        );
        return Err(invalid("OBJ file", problem));
    }
    let mut materials = Materials::default();
    let mut buffer = Buffer::default();
    let mut meshes = Vec::new();
    for part in parts {
        let material = part.material.and_then(|id| materials.number(id, libraries));
        let name = without_comment(part.name);
        meshes.push(Mesh {
            name: if name.is_empty() { UNNAMED } else { name },
            primitives: [primitive(part, vertices, material, &mut buffer)],
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
    /// Adds elements of `N` numbers of four bytes; the accessor's number.
    fn push<const N: usize>(
        &mut self,
        elements: impl Iterator<Item = [[u8; 4]; N]>,
        kind: u32,
    ) -> usize {
        let from = self.bytes.len();
        elements.for_each(|element| self.bytes.extend_from_slice(element.as_flattened()));
        let length = self.bytes.len() - from;
        self.views.push(View {
            buffer: 0,
            byte_offset: from,
            byte_length: length,
        });
        self.accessors.push(Accessor {
            buffer_view: self.views.len() - 1,
            component_type: kind,
            count: length / 4 / N,
            r#type: ["SCALAR", "VEC2", "VEC3"][N - 1],
        });
        self.accessors.len() - 1
    }

    fn floats<const N: usize>(&mut self, elements: impl Iterator<Item = [f32; N]>) -> usize {
        self.push(elements.map(|element| element.map(f32::to_le_bytes)), FLOAT)
    }
}

/// A part's triangles, lines or points.
fn primitive(
    part: &Part<'_>,
    vertices: &Vertices,
    material: Option<usize>,
    buffer: &mut Buffer,
) -> Primitive {
    let corners = part.vertices.iter();
    let positions = corners
        .clone()
        .map(|corner| vertices.positions[corner.position as usize]);
    let position = buffer.floats(positions.map(|position| position.to_array()));
    let normal = part.shape.normals.then(|| {
        let normals = corners
            .clone()
            .map(|corner| vertices.normals[corner.normal as usize]);
        // Normals of no length point up.
        buffer.floats(normals.map(|normal| normal.normalize_or(Vec3::Y).to_array()))
    });
    let tex_coord = part.shape.tex_coords.then(|| {
        // Upwards there, downwards here.
        let flipped = |[u, v]: [f32; 2]| [u, 1.0 - v];
        buffer.floats(corners.clone().map(|corner| match corner.tex_coord {
            NONE => [0.0; 2],
            number => flipped(vertices.tex_coords[number as usize].to_array()),
        }))
    });
    let color = |corner: &Corner| vertices.color(corner.position);
    let has_colors = corners.clone().any(|corner| color(corner).is_some());
    let color = has_colors.then(|| {
        let colors = corners.map(|corner| color(corner).unwrap_or(Vec3::ONE));
        buffer.floats(colors.map(|color| color.to_array()))
    });
    Primitive {
        attributes: Attributes {
            position,
            normal,
            tex_coord,
            color,
        },
        indices: buffer.push(
            part.indices.iter().map(|index| [index.to_le_bytes()]),
            UNSIGNED,
        ),
        mode: match part.shape.kind {
            Kind::Points => Some(POINTS),
            Kind::Line => Some(LINES),
            Kind::Face => None,
        },
        material,
    }
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
