//! Files around compressed content: bytes of a stream in, a .glb out whose JSON says about the stream what decisions before
//! it say.

use super::choices::Choices;

/// A .glb of a JSON text and a binary chunk.
pub(crate) fn glb(json: &str, binary: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut binary = binary.to_vec();
    binary.resize(binary.len().next_multiple_of(4), 0);
    let length = 12 + 8 + json.len() + 8 + binary.len();
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((length as u32).to_le_bytes());
    for (kind, body) in [(b"JSON", &json), (b"BIN\0", &binary)] {
        bytes.extend((body.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(body);
    }
    bytes
}

/// JSON fields of a stream of vertices by `EXT_meshopt_compression`.
const ATTRIBUTES: [(&str, u32, &str); 6] = [
    // Filter, stride, and the accessor that reads the result.
    ("NONE", 12, r#""POSITION":0}}"#),
    ("EXPONENTIAL", 12, r#""POSITION":0}}"#),
    ("OCTAHEDRAL", 4, r#""POSITION":1,"NORMAL":0}}"#),
    ("OCTAHEDRAL", 8, r#""POSITION":1,"NORMAL":0}}"#),
    ("COLOR", 4, r#""POSITION":1,"COLOR_0":0}}"#),
    ("COLOR", 8, r#""POSITION":1,"COLOR_0":0}}"#),
];

/// A mesh whose stream follows three decisions: the coding, the number of vertices, the number of triangles.
pub(crate) fn mesh_file(data: &[u8]) -> Vec<u8> {
    let mut choices = Choices(data);
    let coding = usize::from(choices.byte());
    let vertices = choices.up_to(0xffff);
    let triangles = choices.up_to(0xffff);
    let stream = choices.0;
    let json = match coding {
        0 => draco(vertices, triangles, stream.len()),
        1..=6 => attributes(ATTRIBUTES[coding - 1], vertices, stream.len()),
        7 => quaternions(vertices, stream.len()),
        8 => indices("TRIANGLES", 2, vertices, triangles * 3, stream.len()),
        9 => indices("TRIANGLES", 4, vertices, triangles * 3, stream.len()),
        10 => indices("INDICES", 2, vertices, triangles * 3, stream.len()),
        _ => indices("INDICES", 4, vertices, triangles * 3, stream.len()),
    };
    glb(&json, stream)
}

/// The beginning of a file with one mesh.
const HEAD: &str = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"#;

fn draco(vertices: u32, triangles: u32, bytes: usize) -> String {
    let indices = u64::from(triangles) * 3;
    format!(
        r#"{HEAD}"extensionsUsed":["KHR_draco_mesh_compression"],"extensionsRequired":["KHR_draco_mesh_compression"],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"NORMAL":1,"TEXCOORD_0":2}},"indices":3,
"extensions":{{"KHR_draco_mesh_compression":{{"bufferView":0,"attributes":{{"POSITION":0,"NORMAL":1,"TEXCOORD_0":2}}}}}}}}]}}],
"accessors":[{{"componentType":5126,"count":{vertices},"type":"VEC3"}},{{"componentType":5126,"count":{vertices},"type":"VEC3"}},
{{"componentType":5126,"count":{vertices},"type":"VEC2"}},{{"componentType":5123,"count":{indices},"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":{bytes}}}],"buffers":[{{"byteLength":{bytes}}}]}}"#
    )
}

/// A compressed view, number 0, over a buffer that holds nothing but the stream.
struct View {
    mode: &'static str,
    filter: &'static str,
    stride: u32,
    count: u32,
    bytes: usize,
}

impl View {
    fn json(&self, attributes: bool) -> String {
        let Self {
            mode,
            filter,
            stride,
            count,
            bytes,
        } = self;
        let length = u64::from(*count) * u64::from(*stride);
        let byte_stride = match attributes {
            true => format!(r#""byteStride":{stride},"#),
            false => String::new(),
        };
        format!(
            r#""extensionsUsed":["EXT_meshopt_compression","KHR_mesh_quantization"],"extensionsRequired":["EXT_meshopt_compression"],
"bufferViews":[{{"buffer":1,{byte_stride}"byteLength":{length},"extensions":{{"EXT_meshopt_compression":{{"buffer":0,"byteLength":{bytes},
"byteStride":{stride},"count":{count},"mode":"{mode}","filter":"{filter}"}}}}}}],
"buffers":[{{"byteLength":{bytes}}},{{"byteLength":{length},"extensions":{{"EXT_meshopt_compression":{{"fallback":true}}}}}}]}}"#
        )
    }
}

fn attributes(
    (filter, stride, uses): (&'static str, u32, &str),
    count: u32,
    bytes: usize,
) -> String {
    let (component, shape) = match (filter, stride) {
        ("NONE" | "EXPONENTIAL", _) => (5126, "VEC3"),
        ("OCTAHEDRAL", 4) => (5120, "VEC3"),
        ("OCTAHEDRAL", _) => (5122, "VEC3"),
        (_, 4) => (5121, "VEC4"),
        _ => (5123, "VEC4"),
    };
    let normalized = component != 5126;
    let view = View {
        mode: "ATTRIBUTES",
        filter,
        stride,
        count,
        bytes,
    };
    format!(
        r#"{HEAD}"meshes":[{{"primitives":[{{"attributes":{{{uses}]}}],
"accessors":[{{"bufferView":0,"componentType":{component},"normalized":{normalized},"count":{count},"type":"{shape}"}},
{{"componentType":5126,"count":{count},"type":"VEC3"}}],{}"#,
        view.json(true)
    )
}

/// Rotations of an animation, as many keys as vertices.
fn quaternions(count: u32, bytes: usize) -> String {
    let view = View {
        mode: "ATTRIBUTES",
        filter: "QUATERNION",
        stride: 8,
        count,
        bytes,
    };
    format!(
        r#"{HEAD}"meshes":[{{"primitives":[{{"attributes":{{"POSITION":1}}}}]}}],
"animations":[{{"channels":[{{"sampler":0,"target":{{"node":0,"path":"rotation"}}}}],"samplers":[{{"input":2,"output":0}}]}}],
"accessors":[{{"bufferView":0,"componentType":5122,"normalized":true,"count":{count},"type":"VEC4"}},
{{"componentType":5126,"count":3,"type":"VEC3"}},{{"componentType":5126,"count":{count},"type":"SCALAR"}}],{}"#,
        view.json(true)
    )
}

fn indices(mode: &'static str, stride: u32, vertices: u32, count: u32, bytes: usize) -> String {
    let component = if stride == 2 { 5123 } else { 5125 };
    let view = View {
        mode,
        filter: "NONE",
        stride,
        count,
        bytes,
    };
    format!(
        r#"{HEAD}"meshes":[{{"primitives":[{{"attributes":{{"POSITION":1,"NORMAL":1}},"indices":0}}]}}],
"accessors":[{{"bufferView":0,"componentType":{component},"count":{count},"type":"SCALAR"}},
{{"componentType":5126,"count":{vertices},"type":"VEC3"}}],{}"#,
        view.json(false)
    )
}

/// A square with the picture in `data`, read as colours and as data.
pub(crate) fn texture_file(data: &[u8]) -> Vec<u8> {
    let bytes = data.len();
    let json = format!(
        r#"{HEAD}"extensionsUsed":["KHR_texture_basisu"],"extensionsRequired":["KHR_texture_basisu"],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"TEXCOORD_0":1}},"material":0}}]}}],
"materials":[{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":0}},"metallicRoughnessTexture":{{"index":0}}}}}}],
"textures":[{{"extensions":{{"KHR_texture_basisu":{{"source":0}}}}}}],"images":[{{"mimeType":"image/ktx2","bufferView":0}}],
"accessors":[{{"componentType":5126,"count":3,"type":"VEC3"}},{{"componentType":5126,"count":3,"type":"VEC2"}}],
"bufferViews":[{{"buffer":0,"byteLength":{bytes}}}],"buffers":[{{"byteLength":{bytes}}}]}}"#
    );
    glb(&json, data)
}
