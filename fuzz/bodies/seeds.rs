//! The inputs that fuzzing begins with, made here: a small lawful input for each thing that a format can say.

use azulejo::grid::TileGrid;
use azulejo::trace::synthetic::{CoveredScreen, Kernel, TexelPattern, chain, independent, surface};
use azulejo::trace::{
    FrameTrace, IndexFetch, Instruction, InstructionClass, Program, TargetTexture, TextureIdx,
    TraceWriter,
};

use crate::bodies::programs::MODULES;
use crate::bodies::records::records_of;
use crate::bodies::{BESIDE, compressed};

#[path = "streams.rs"]
mod streams;

use streams::{DRACO, GRID, TEXTURES, meshopt_indices, meshopt_triangles, meshopt_vertices};

/// An input to begin with.
#[derive(Debug)]
pub(crate) struct Seed {
    /// Name of the target that it is for.
    pub(crate) target: &'static str,
    /// Name of its file in the corpus.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// All seeds, in an order that does not change.
pub(crate) fn all() -> Vec<Seed> {
    let mut seeds = Vec::new();
    let mut add = |target, name: &str, bytes: Vec<u8>| {
        let name = name.to_owned();
        seeds.push(Seed {
            target,
            name,
            bytes,
        });
    };
    for (name, scene) in SCENES {
        add("gltf", name, scene.replace("BUFFER", BUFFER).into_bytes());
    }
    add("gltf", "binary", glb());
    for (name, text, beside) in OBJS {
        let mut bytes = text.as_bytes().to_vec();
        if !beside.is_empty() {
            bytes.push(BESIDE);
            bytes.extend(beside.bytes());
        }
        add("obj", name, bytes);
    }
    for (name, stream) in compressed_meshes() {
        add("compressed_mesh", &name, stream);
    }
    for (name, file) in TEXTURES {
        add("compressed_texture", name, file.to_vec());
    }
    for (name, rows) in HDR_ROWS {
        add("hdr", name, hdr(rows));
    }
    for (name, frames) in traces() {
        add("trace", name, records_of(&trace_file(&frames)));
    }
    for (name, text) in MACHINES {
        add("machine_toml", name, text.as_bytes().to_vec());
    }
    for (name, text) in DRAMS {
        add("dram_toml", name, text.as_bytes().to_vec());
    }
    for (name, text) in MODULES {
        add("wgsl", name, text.as_bytes().to_vec());
    }
    add("dram_trace", "text", DRAM_TRACE.to_vec());
    add("cache_trace", "words", cache_words());
    add("cache_trace", "stream", cache_stream());
    for nth in 0..4_u8 {
        let name = format!("decisions-{nth}");
        for target in ["machine_frames", "dram_requests", "cache_accesses"] {
            add(target, &name, decisions(nth));
        }
    }
    seeds
}

/// An OBJ with the library beside it, if it has one.
const OBJS: &[(&str, &str, &str)] = &[
    (
        "materials",
        "mtllib a.mtl\no one\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0.5\nvn 0 0 1\nusemtl red\n\
         f 1/1/1 2/2/1 3/1/1 4/2/1\ng two three\ns 1\nusemtl blue\nf -1/-1 -2/-2 -3/-1\nusemtl none\nf 1//1 2//1 4//1\n",
        "# colours\nnewmtl red\nKa 0 0 0\nKd 1 0 0\nKs 1 1 1\nKe 0 0.5 0\nNs 40\nNi 1.4\nillum 2\nmap_Kd -s 1 1 1 a.png\n\
         newmtl blue\nKd 0 0 1\nd 0.5\nmap_Kd a.png\n",
    ),
    (
        "colors",
        "v 0 0 0 1 0 0\nv 1e0 -2.5 .5 0 1 0\nv 1 1 0 0 0 1\nf 1 2 3\nl 1 2 3\np 1\nf 1 1 1\n\
         f 3 2 \\\n1\n",
        "",
    ),
    (
        "mixed",
        "usemtl a # red\nv 0 0 0 1 0 0 1\nv 1 0 0 2\nv 1 1 0 # x\nv 0 1 1\nv x\nvt 0.5\nvn 0 1 0\ns 1\nf 1/1 2 3//1\ng b\n\
         f 1 3 4\nf 1 2 99\nl 1/1 2 3 4\np 1 -1\ns off\nfrob\nsurf 0 1\n# c:\\\nf 4 3 \\\n2 1\nmtllib a.mtl\n",
        "newmtl a #1\nKd xyz 1 0 0\nKe 1\nd -halo 0.5\nmap_Kd\nmap_Ke a #1.png # b\nillum 2.0\nnewmtl\nKd 1\n",
    ),
    (
        "polygons",
        "mtllib a.mtl b.mtl\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nvt 0 0\nvt 1 0\n usemtl\tshiny\n\
         f 3/1 4/2 5/1 6/2 1/1 2/2\nf 1 2 3 4 5 6 4 3\n",
        "newmtl shiny\nKd 0.5\nTr 0.25\nPr 0.5\nPm 1\nmap_Kd -clamp on -s 2 3 -o 0.5 0.25 a b.png\n\
         map_Ke -blendu off -mm 0 1 c.png\nnorm d.png\nmap_d e.png\nbump f.png\n",
    ),
];

/// Requests of both kinds, near and far, with an empty line and no end of the last.
const DRAM_TRACE: &[u8] =
    b"0x0 READ 0\n0x40 READ 1\n0x1F40 WRITE 2\n\n0xFFFFFFC0 READ 2\n0x80 WRITE 5000\n0x0 READ 90000";

/// Accesses to lines that return, some of them writes.
fn cache_words() -> Vec<u8> {
    let word = |nth: u32| (nth * 68 % 8192) & !3 | u32::from(nth.is_multiple_of(5));
    (0..200).flat_map(|nth| word(nth).to_le_bytes()).collect()
}

/// A recorded stream of two frames, for several tiles on two Raster Units, near and far.
fn cache_stream() -> Vec<u8> {
    let mut words = vec![0x5332_4C8E, 1, 64, 2];
    for frame in 0..2 {
        words.extend([3, frame, 0, 128, 64, 32]);
        for nth in 0..60_u32 {
            match nth % 10 {
                0 => words.push(2 | (nth / 10 % 2) << 2 | (nth / 10) << 7),
                7 => words.push(3 | 2 << 2 | (nth / 30) << 5),
                9 => words.push(3 | 1 << 2),
                _ => words.push((nth * 7 % 19) << 2 | u32::from(nth.is_multiple_of(4))),
            }
        }
    }
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Bytes that look like chance and are always the same.
fn decisions(nth: u8) -> Vec<u8> {
    let mut state = 0x9e37_79b9_u32.wrapping_mul(u32::from(nth) + 1);
    let byte = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    std::iter::repeat_with(byte).take(600).collect()
}

/// Four corners of a square (positions, then 16-bit indices of two triangles), then two key frames: times and scales.
const BUFFER: &str = "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAACAPwAAgD8AAAAAAAABAAIAAgABAAMAAAAAAAAAgD8AAIA/AACAPwAAgD8AAABAAAAAQAAAAEA=";

/// Scenes over [`BUFFER`]: first drawn geometry, then everything else that a file can hold.
const SCENES: &[(&str, &str)] = &[
    (
        "square",
        r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}],"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],"buffers":[{"byteLength":92,"uri":"BUFFER"}]}"#,
    ),
    (
        "lines-and-points",
        r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0,1]}],"nodes":[{"mesh":0},{"mesh":1,"translation":[1,2,3],"rotation":[0,0.7071068,0,0.7071068]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"mode":3}]},{"primitives":[{"attributes":{"POSITION":0},"mode":0},{"attributes":{"POSITION":0},"mode":5},{"attributes":{"POSITION":0},"mode":6}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],"bufferViews":[{"buffer":0,"byteLength":48}],"buffers":[{"byteLength":92,"uri":"BUFFER"}]}"#,
    ),
    (
        "materials",
        r#"{"asset":{"version":"2.0"},"extensionsUsed":["KHR_materials_unlit","KHR_lights_punctual"],"extensions":{"KHR_lights_punctual":{"lights":[{"type":"spot","spot":{"innerConeAngle":0.1,"outerConeAngle":0.5},"color":[1,0.5,0.2],"intensity":20},{"type":"directional"}]}},"scenes":[{"nodes":[0,1,2,3]}],"nodes":[{"mesh":0},{"mesh":1,"scale":[-1,2,1]},{"translation":[0,0,3],"extensions":{"KHR_lights_punctual":{"light":0}}},{"camera":0,"translation":[0,0,4]}],"cameras":[{"type":"perspective","perspective":{"yfov":0.8,"znear":0.1}}],"materials":[{"alphaMode":"BLEND","pbrMetallicRoughness":{"baseColorFactor":[1,0,0,0.5],"metallicFactor":0.2}},{"alphaMode":"MASK","alphaCutoff":0.4,"doubleSided":true,"extensions":{"KHR_materials_unlit":{}}}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0}]},{"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":1}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}],"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],"buffers":[{"byteLength":92,"uri":"BUFFER"}]}"#,
    ),
    (
        "animated",
        r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"children":[1],"weights":[0.5]},{"mesh":0,"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,2,0,0,1]}],"animations":[{"samplers":[{"input":2,"output":3,"interpolation":"LINEAR"}],"channels":[{"sampler":0,"target":{"node":0,"path":"scale"}}]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"targets":[{"POSITION":0}]}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"},{"bufferView":2,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[1]},{"bufferView":3,"componentType":5126,"count":2,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12},{"buffer":0,"byteOffset":60,"byteLength":8},{"buffer":0,"byteOffset":68,"byteLength":24}],"buffers":[{"byteLength":92,"uri":"BUFFER"}]}"#,
    ),
    (
        "skinned",
        r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0,1]}],"nodes":[{"mesh":0,"skin":0},{"translation":[0.5,0,0],"children":[2]},{"translation":[0,1,0]}],"skins":[{"joints":[1,2]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":2,"WEIGHTS_0":3,"TEXCOORD_0":4},"indices":1}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"},{"count":4,"componentType":5121,"type":"VEC4"},{"count":4,"componentType":5126,"type":"VEC4"},{"bufferView":0,"count":4,"componentType":5126,"type":"VEC2"}],"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],"buffers":[{"byteLength":92,"uri":"BUFFER"}]}"#,
    ),
    (
        "textured",
        r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}},"normalTexture":{"index":0,"scale":0.5},"emissiveTexture":{"index":0},"emissiveFactor":[1,1,1]}],"textures":[{"source":0,"sampler":0}],"samplers":[{"magFilter":9728,"minFilter":9987,"wrapS":33071,"wrapT":33648}],"images":[{"uri":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}],"meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":2},"indices":1,"material":0}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"},{"bufferView":0,"count":4,"componentType":5126,"type":"VEC2"}],"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],"buffers":[{"byteLength":92,"uri":"BUFFER"}]}"#,
    ),
];

/// A binary file with a triangle in its own chunk.
fn glb() -> Vec<u8> {
    let json = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36}]}"#;
    let corners = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let binary: Vec<u8> = corners
        .iter()
        .flatten()
        .flat_map(|at| at.to_le_bytes())
        .collect();
    compressed::glb(json, &binary)
}

/// The decisions before a stream, and the stream.
fn compressed_mesh(coding: u8, vertices: u16, triangles: u16, stream: &[u8]) -> Vec<u8> {
    let mut bytes = vec![coding];
    bytes.extend(vertices.to_le_bytes());
    bytes.extend(triangles.to_le_bytes());
    bytes.extend(stream);
    bytes
}

/// A stream of each coding.
fn compressed_meshes() -> Vec<(String, Vec<u8>)> {
    let mut meshes = Vec::new();
    for (name, stream) in DRACO {
        meshes.push(((*name).to_owned(), compressed_mesh(0, 16, 18, stream)));
    }
    // Small enough that floats of the exponential filter stay finite.
    for (coding, stride) in [(1, 12), (2, 12), (3, 4), (4, 8), (5, 4), (6, 8), (7, 8)] {
        let data: Vec<u8> = (0..21 * stride).map(|at| (at * 7 % 29) as u8).collect();
        for version in 0..2 {
            let stream = meshopt_vertices(&data, stride, version);
            let name = format!("meshopt-vertices-{coding}-v{version}");
            meshes.push((name, compressed_mesh(coding, 21, 0, &stream)));
        }
    }
    for coding in [8, 9] {
        let stream = meshopt_triangles(&GRID);
        let name = format!("meshopt-triangles-{coding}");
        meshes.push((name, compressed_mesh(coding, 9, 8, &stream)));
    }
    for coding in [10, 11] {
        let stream = meshopt_indices(&GRID);
        let name = format!("meshopt-indices-{coding}");
        meshes.push((name, compressed_mesh(coding, 9, 8, &stream)));
    }
    meshes
}

/// Rows of 8 pixels: plain, in old runs, in new runs.
const HDR_ROWS: &[(&str, &[u8])] = &[
    ("plain", &[9; 32]),
    ("old-runs", &[7, 8, 9, 128, 1, 1, 1, 7]),
    (
        "new-runs",
        &[
            2, 2, 0, 8, 136, 50, 136, 60, 136, 70, 4, 128, 129, 130, 131, 132, 127,
        ],
    ),
];

fn hdr(row: &[u8]) -> Vec<u8> {
    let mut bytes = b"#?RADIANCE\nEXPOSURE=1\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 8\n".to_vec();
    bytes.extend(row.repeat(4));
    bytes
}

fn trace_file(frames: &[FrameTrace]) -> Vec<u8> {
    let mut writer = TraceWriter::new(Vec::new()).expect("memory");
    for frame in frames {
        writer.write(frame).expect("memory");
    }
    writer.finish().expect("memory")
}

fn traces() -> Vec<(&'static str, Vec<FrameTrace>)> {
    let screen = |width, height, program: Program| {
        let tile_size = 16;
        let grid = TileGrid {
            width,
            height,
            tile_size,
        };
        CoveredScreen::new(grid, program)
    };
    let arithmetic = screen(20, 18, chain(InstructionClass::Alu, 5));
    let mut textured = screen(16, 16, independent(InstructionClass::Texture, 2));
    textured.texels = TexelPattern::ScreenAligned;
    let mut blended = screen(16, 8, surface(2, 20));
    (blended.layers, blended.state.blend) = (2, true);
    let mut indexed = screen(8, 8, surface(0, 9)).frame(0);
    indexed.draws[0].indices = Some(IndexFetch {
        buffer: 0,
        offset: 2,
        bytes_per_index: 2,
        count: 3,
    });
    indexed.tiles[0].fragment_hashes = vec![7; 64];
    let mut sampled = textured.frame(0);
    let mut drawn = screen(16, 16, chain(InstructionClass::Alu, 2)).frame(0);
    drawn.name = "drawn".to_owned();
    drawn.textures.clone_from(&sampled.textures);
    drawn.targets[0].texture = Some(TargetTexture {
        texture: TextureIdx(0),
        first_block: 0,
    });
    drawn.draws[0].instances = 3;
    drawn.draws[0].vertex_streams[0].per_instance = true;
    sampled.before = vec![drawn];
    let mut stored = screen(16, 16, independent(InstructionClass::Atomic, 2));
    stored.texels = TexelPattern::ScreenAligned;
    let mut computed = stored.frame(0);
    let classes = [
        InstructionClass::Load,
        InstructionClass::Shared,
        InstructionClass::Barrier,
        InstructionClass::Texture,
    ];
    let list = classes.map(|class| Instruction::new(class, &[]));
    let mut kernel = Kernel::new("kernel", list.to_vec());
    kernel.group_threads = 18;
    computed.before = vec![kernel.pass()];
    vec![
        ("arithmetic", vec![arithmetic.frame(0), arithmetic.frame(1)]),
        ("textured", vec![textured.frame(3)]),
        (
            "blended",
            vec![blended.frame(0), blended.frame(1), blended.frame(2)],
        ),
        ("indexed", vec![indexed]),
        ("passes", vec![sampled]),
        ("computed", vec![computed]),
        ("empty", Vec::new()),
    ]
}

/// Machines over shipped ones.
const MACHINES: &[(&str, &str)] = &[
    ("included", "include = \"mali450-re\"\nname = \"own\"\n"),
    (
        "cores",
        "include = \"valhall-libra\"\n[raster]\nunits = 2\ncores_per_unit = 4\nfifo = 16\n[l2]\nsize = \"1MiB\"\n",
    ),
    (
        "memory",
        "include = \"emerald-gpu\"\n[tiling.tile_cache]\nsize = \"64KiB\"\nways = 4\n[dram]\nbase = \"lpddr4_1ch\"\n",
    ),
];

/// DRAMs over shipped ones.
const DRAMS: &[(&str, &str)] = &[
    ("named", "base = \"lpddr4_1ch\"\n"),
    (
        "timing",
        "base = \"lpddr3_1ch\"\n[timing]\nCL = 20\ntRCD = 22\n",
    ),
];
