//! Compressed meshes and textures: decoding gives back the encoded data, within the coding's own precision; streams that
//! are cut, flipped or inconsistent end in an error or in a lawful scene, in bounded time and memory.

#[path = "../../fuzz/bodies/compressed.rs"]
mod bodies;
#[path = "../../fuzz/bodies/choices.rs"]
#[allow(dead_code, reason = "the fuzz targets take more kinds of decisions")]
mod choices;
#[path = "../../fuzz/bodies/streams.rs"]
mod streams;

use std::path::Path;

use crate::bounded::{Limits, bounded, note};
use crate::shared::shared;
use azulejo::render::{FrameInput, Recording, RenderSettings, Renderer, SimdLevel};
use azulejo::scene::gltf::{LoadError, LoadOptions, load, load_path};
use azulejo::scene::{AnimationChoice, Environment, Primitive, Scene, TextureImage};
use glam::{Quat, Vec3};
use meshoptimizer as meshopt;
use streams::{DRACO, GRID, TEXTURES, meshopt_indices, meshopt_triangles, meshopt_vertices};

/// Limits of a test of broken streams, in all.
const LIMITS: Limits = Limits {
    seconds: 240,
    mebibytes: 1024,
};

fn load_bytes(bytes: Vec<u8>) -> Result<Scene, LoadError> {
    load_within(bytes, 64 << 20)
}

fn load_within(bytes: Vec<u8>, memory_limit: u64) -> Result<Scene, LoadError> {
    let nothing_beside = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    let options = LoadOptions {
        memory_limit,
        ..LoadOptions::default()
    };
    load(bytes, &nothing_beside, &options)
}

/// A mesh file of a coding, with what its JSON says of the stream.
fn mesh(coding: u8, vertices: u16, triangles: u16, stream: &[u8]) -> Result<Scene, LoadError> {
    let mut bytes = vec![coding];
    bytes.extend(vertices.to_le_bytes());
    bytes.extend(triangles.to_le_bytes());
    bytes.extend(stream);
    load_bytes(bodies::mesh_file(&bytes))
}

fn only_primitive(scene: &Scene) -> &Primitive {
    assert_eq!(scene.warnings, [""; 0], "nothing to say");
    &scene.meshes[0].primitives[0]
}

fn refusal(outcome: Result<Scene, LoadError>) -> String {
    outcome.expect_err("it is refused").to_string()
}

#[test]
fn draco_gives_the_surface_that_was_encoded() {
    for (name, stream) in DRACO {
        let scene = mesh(0, 16, 18, stream).unwrap_or_else(|error| panic!("{name}: {error}"));
        let primitive = only_primitive(&scene);
        assert_eq!(primitive.positions.len(), 16, "{name}: vertices");
        let mut seen = [false; 16];
        for (vertex, at) in primitive.positions.iter().enumerate() {
            let corner = (at.truncate() * 3.0).round();
            seen[(corner.y * 4.0 + corner.x) as usize] = true;
            let (x, y) = (corner.x / 3.0, corner.y / 3.0);
            // Half a step of 11 bits over a range of 1.
            let off = (*at - Vec3::new(x, y, x * y)).abs().max_element();
            assert!(off < 0.5 / 2047.0 + 1e-6, "{name}: {at} is off by {off}");
            let normal = Vec3::new(-y, -x, 1.0).normalize();
            let cosine = primitive.normals[vertex].dot(normal);
            assert!(cosine > 0.02_f32.cos(), "{name}: normal at {at}: {cosine}");
            let uv = primitive.tex_coords[0][vertex];
            let off = (uv - glam::Vec2::new(x, 1.0 - y)).abs().max_element();
            assert!(off < 0.5 / 1023.0 + 1e-6, "{name}: {uv} is off by {off}");
        }
        assert_eq!(seen, [true; 16], "{name}: every corner of the grid");
        let area = |corners: &[u32]| {
            let [a, b, c] = [0, 1, 2].map(|at| primitive.positions[corners[at] as usize]);
            let turn = (b - a).truncate().perp_dot((c - a).truncate());
            assert!(turn > 0.0, "{name}: {corners:?} faces up");
            turn / 2.0
        };
        let area: f32 = primitive.indices.chunks(3).map(area).sum();
        assert!(
            (area - 1.0).abs() < 1e-3,
            "{name}: the square is covered once: {area}"
        );
    }
}

#[test]
fn draco_stream_of_other_sizes_than_its_accessors_is_refused() {
    let (_, stream) = DRACO[0];
    for (vertices, triangles) in [(15, 18), (17, 18), (16, 17), (16, 19), (0, 18), (16, 0)] {
        let problem = refusal(mesh(0, vertices, triangles, stream));
        let named = problem.contains("KHR_draco_mesh_compression of mesh 0, primitive 0");
        assert!(named, "{vertices} {triangles}: {problem}");
    }
    assert!(mesh(0, 16, 18, stream).is_ok(), "the right sizes");
}

#[test]
fn draco_attributes_that_the_stream_lacks_are_refused() {
    let mut bytes = vec![0, 16, 0, 18, 0];
    bytes.extend(DRACO[0].1);
    let file = bodies::mesh_file(&bytes);
    let replaced = |from: &str, to: &str| {
        assert_eq!(from.len(), to.len(), "the chunk keeps its length");
        let at = file.windows(from.len()).position(|w| w == from.as_bytes());
        let mut file = file.clone();
        let at = at.expect("it is in the JSON");
        file[at..at + to.len()].copy_from_slice(to.as_bytes());
        refusal(load_bytes(file))
    };
    let unknown = r#""attributes":{"POSITION":9,"NORMAL":1"#;
    let problem = replaced(
        r#""attributes":{"POSITION":0,"NORMAL":1,"TEXCOORD_0":2}}"#,
        &format!("{unknown},\"TEXCOORD_0\":2}}}}"),
    );
    assert!(
        problem.contains("has no POSITION (attribute 9)"),
        "{problem}"
    );
    let problem = replaced(r#""type":"VEC2"}"#, r#""type":"VEC3"}"#);
    assert!(
        problem.contains("has 2 components where its accessor says 3"),
        "{problem}"
    );
}

#[test]
fn meshopt_vertices_come_out_as_they_went_in() {
    let positions: Vec<Vec3> = (0..300)
        .map(|at| Vec3::new(at as f32 * 0.5, (at % 7) as f32, -(at as f32)))
        .collect();
    let bytes: Vec<u8> = bytemuck::cast_slice(&positions).to_vec();
    for version in 0..2 {
        let scene = mesh(1, 300, 0, &meshopt_vertices(&bytes, 12, version)).expect("sound");
        assert_eq!(
            only_primitive(&scene).positions,
            positions,
            "version {version}"
        );
    }
}

#[test]
fn meshopt_indices_come_out_as_they_went_in() {
    let rotated = |corners: &[u32]| {
        let least = (0..3).min_by_key(|&at| corners[at]).unwrap_or(0);
        [
            corners[least],
            corners[(least + 1) % 3],
            corners[(least + 2) % 3],
        ]
    };
    let triangles = |indices: &[u32]| indices.chunks(3).map(rotated).collect::<Vec<_>>();
    for coding in [8, 9] {
        let scene = mesh(coding, 9, 8, &meshopt_triangles(&GRID)).expect("sound");
        let found = triangles(&only_primitive(&scene).indices);
        assert_eq!(
            found,
            triangles(&GRID),
            "coding {coding}, each begun anywhere"
        );
    }
    for coding in [10, 11] {
        let scene = mesh(coding, 9, 8, &meshopt_indices(&GRID)).expect("sound");
        assert_eq!(only_primitive(&scene).indices, GRID, "coding {coding}");
    }
}

/// Unit vectors all around.
fn directions(count: usize) -> Vec<Vec3> {
    let direction = |at: usize| {
        let z = 1.0 - (2.0 * at as f32 + 1.0) / count as f32;
        let turn = at as f32 * 2.399_963;
        let radius = (1.0 - z * z).sqrt();
        Vec3::new(radius * turn.cos(), radius * turn.sin(), z)
    };
    (0..count).map(direction).collect()
}

#[test]
fn meshopt_octahedral_filter_keeps_directions() {
    let directions = directions(300);
    let data: Vec<f32> = directions
        .iter()
        .flat_map(|d| [d.x, d.y, d.z, 0.0])
        .collect();
    for (coding, stride, bits, bound) in [(3, 4, 8, 0.02), (4, 8, 12, 0.001)] {
        let mut filtered = vec![0; 300 * stride];
        meshopt::encode_filter_oct(&mut filtered, 300, stride, bits, &data).expect("sound");
        let stream = meshopt_vertices(&filtered, stride, 0);
        let scene = mesh(coding, 300, 0, &stream).expect("sound");
        for (found, direction) in only_primitive(&scene).normals.iter().zip(&directions) {
            let off = (*found - *direction).length();
            assert!(
                off < bound,
                "stride {stride}: {found} for {direction}, off by {off}"
            );
        }
    }
}

#[test]
fn meshopt_quaternion_filter_keeps_rotations() {
    let axes = directions(40);
    let rotations: Vec<Quat> = (axes.iter().enumerate())
        .map(|(at, axis)| Quat::from_axis_angle(*axis, at as f32 * 0.15))
        .collect();
    let data: Vec<f32> = rotations.iter().flat_map(|q| q.to_array()).collect();
    let mut filtered = vec![0; 40 * 8];
    meshopt::encode_filter_quat(&mut filtered, 40, 8, 14, &data).expect("sound");
    let scene = mesh(7, 40, 0, &meshopt_vertices(&filtered, 8, 0)).expect("sound");
    let keyframes = &scene.animations[0].channels[0].keyframes;
    for (found, rotation) in keyframes.values.chunks(4).zip(&rotations) {
        let found = Quat::from_slice(found);
        let cosine = found.dot(*rotation).abs();
        assert!(cosine > 0.9999, "{found} for {rotation}");
    }
}

#[test]
fn meshopt_exponential_filter_keeps_numbers() {
    let numbers: Vec<f32> = (0..99).map(|at| 1.37_f32.powi(at - 50)).collect();
    let mut filtered = vec![0; 33 * 12];
    let mode = meshopt::EncodeExpMode::Separate;
    meshopt::encode_filter_exp(&mut filtered, 33, 12, 16, &numbers, mode).expect("sound");
    let scene = mesh(2, 33, 0, &meshopt_vertices(&filtered, 12, 0)).expect("sound");
    let found = only_primitive(&scene)
        .positions
        .iter()
        .flat_map(|at| at.to_array());
    for (found, number) in found.zip(numbers) {
        // 16 bits of mantissa, one of them the sign.
        assert!(
            (found / number - 1.0).abs() < 1.0 / 16384.0,
            "{found} for {number}"
        );
    }
}

#[test]
fn meshopt_color_filter_keeps_colors() {
    let colors: Vec<[f32; 4]> = (0..30)
        .map(|at| [0, 1, 2, 3].map(|channel| ((at * (channel + 3) * 7) % 30) as f32 / 29.0))
        .collect();
    for (coding, stride, bits, bound) in [(5, 4, 8, 0.02), (6, 8, 16, 0.0005)] {
        let mut filtered = vec![0; 30 * stride];
        let data = colors.as_flattened();
        meshopt::encode_filter_color(&mut filtered, 30, stride, bits, data).expect("sound");
        let scene = mesh(coding, 30, 0, &meshopt_vertices(&filtered, stride, 1)).expect("sound");
        for (found, color) in only_primitive(&scene).colors.iter().zip(&colors) {
            let off = (*found - glam::Vec4::from_array(*color))
                .abs()
                .max_element();
            assert!(
                off < bound,
                "stride {stride}: {found} for {color:?}, off by {off}"
            );
        }
    }
}

#[test]
fn meshopt_claims_beyond_the_stream_are_refused() {
    let stream = meshopt_vertices(&[0; 12], 12, 0);
    let problem = refusal(mesh(1, u16::MAX, 0, &stream));
    assert!(problem.contains("bytes cannot stand for"), "{problem}");
    let problem = refusal(mesh(1, 0, 0, &stream));
    assert!(problem.starts_with("buffer view 0"), "{problem}");
    let problem = refusal(mesh(9, 8, 8, &meshopt_triangles(&GRID)));
    assert!(problem.contains("lies outside the 8 vertices"), "{problem}");
}

/// The picture of a square's material, as colours and as data.
fn pictures(file: &[u8]) -> Vec<TextureImage> {
    let scene = load_within(bodies::texture_file(file), 1 << 30).expect("a sound file");
    assert_eq!(scene.warnings, [""; 0], "nothing to say");
    scene.images
}

/// Output of Basis Universal's own transcoder for [`TEXTURES`]: RGBA8, level after level.
const TRANSCODED: [&[u8]; 4] = [
    include_bytes!("../../fuzz/samples/etc1s.rgba"),
    include_bytes!("../../fuzz/samples/etc1s-alpha.rgba"),
    include_bytes!("../../fuzz/samples/uastc.rgba"),
    include_bytes!("../../fuzz/samples/uastc-zstd.rgba"),
];

#[test]
fn ktx2_gives_the_texels_that_basis_universal_gives() {
    for ((name, file), expected) in TEXTURES.iter().zip(TRANSCODED) {
        for image in pictures(file) {
            let levels = image.levels.iter().enumerate();
            let texels = levels.flat_map(|(number, level)| {
                let rows = (0..level.height).flat_map(|y| (0..level.width).map(move |x| (x, y)));
                let image = &image;
                rows.flat_map(move |(x, y)| image.texel(number, x, y))
            });
            let found: Vec<u8> = texels.take(expected.len()).collect();
            assert_eq!(found, expected, "{name} as {:?}", image.encoding);
            assert_eq!(image.levels.len(), 4, "{name}: the chain is complete");
        }
    }
}

#[test]
fn ktx2_gives_about_the_picture_that_was_encoded() {
    // Steep ramps in all channels at once, which eight bits a texel (UASTC) or one (ETC1S) do not hold: the bounds are on
    // the mean.
    let expected = [
        ("etc1s", (8, 8), 20.0, false),
        ("etc1s-alpha", (12, 8), 20.0, true),
        ("uastc", (8, 8), 5.0, false),
        ("uastc-zstd", (8, 12), 5.0, true),
    ];
    for ((name, file), (of, (width, height), bound, alpha)) in TEXTURES.iter().zip(expected) {
        assert_eq!(*name, of, "the order of the table");
        let image = &pictures(file)[0];
        let mut sum = 0;
        for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
            let opacity = if alpha {
                (x + y) * 255 / (width + height - 2)
            } else {
                255
            };
            let expected = [x * 255 / (width - 1), y * 255 / (height - 1), 128, opacity];
            let found = image.texel(0, x, y).map(u32::from);
            sum += (0..4).map(|c| found[c].abs_diff(expected[c])).sum::<u32>();
        }
        let mean = f64::from(sum) / f64::from(width * height * 4);
        assert!(mean < bound, "{name}: {mean} on average");
    }
}

#[test]
fn ktx2_levels_of_the_file_are_used() {
    let (_, file) = TEXTURES[2];
    let mut file = file.to_vec();
    // The smallest level's block gets the largest level's bytes.
    let start = |level: usize| {
        let at = 80 + 24 * level;
        u64::from_le_bytes(file[at..at + 8].try_into().expect("eight bytes")) as usize
    };
    let (first, last) = (start(0), start(3));
    file.copy_within(first..first + 16, last);
    let image = &pictures(&file)[0];
    assert_eq!(
        image.texel(3, 0, 0),
        image.texel(0, 0, 0),
        "as the file has it"
    );
}

#[test]
fn ktx2_headers_that_lie_are_refused_before_decoding() {
    let word = |file: &[u8], at: usize, value: u32| {
        let mut file = file.to_vec();
        file[at..at + 4].copy_from_slice(&value.to_le_bytes());
        let scene = load_bytes(bodies::texture_file(&file)).expect("drawn without it");
        scene.warnings.join("; ")
    };
    let uastc = TEXTURES[2].1;
    let cases = [
        (20, 0, "texels large"),
        (20, 1 << 20, "texels large"),
        (24, u32::MAX, "texels large"),
        (20, 16, "level 0 has"),
        (28, 1, "has depth 1"),
        (32, 2, "2 layers"),
        (36, 6, "6 faces"),
        (40, 0, "has 0 levels"),
        (40, 15, "has 15 levels"),
        (44, 1, "supercompression 1"),
        (44, 3, "supercompression 3"),
        (48, u32::MAX, "its header is cut off"),
        (56, u32::MAX, "its header is cut off"),
        (
            60,
            35,
            "the entry of its key/value data at byte 220 leaves them",
        ),
        (
            60,
            3,
            "the entry of its key/value data at byte 220 leaves them",
        ),
        (
            220,
            u32::MAX,
            "the entry of its key/value data at byte 220 leaves them",
        ),
        (68, 1, "its global data leave the file"),
        (80, u32::MAX, "level 0 leaves the file"),
        (88, 16, "level 0 has 16 bytes"),
    ];
    for (at, value, expected) in cases {
        let said = word(uastc, at, value);
        assert!(said.contains(expected), "{value} at {at}: {said}");
        assert!(said.contains("image 0"), "{said}");
    }
    let zstd = TEXTURES[3].1;
    let said = word(zstd, 96, u32::MAX);
    assert!(said.contains("level 0 has 4294967295 bytes"), "{said}");
}

/// Makes a file of a stream with what its JSON says before it.
type FileOf = fn(&[u8]) -> Vec<u8>;

/// A seed's name, its bytes, and how a file is made of them.
type Stream = (String, Vec<u8>, FileOf);

fn all_streams() -> Vec<Stream> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    let mut streams: Vec<Stream> = Vec::new();
    let targets: [(&str, FileOf); 2] = [
        ("compressed_mesh", bodies::mesh_file),
        ("compressed_texture", bodies::texture_file),
    ];
    for (target, file_of) in targets {
        let entries = std::fs::read_dir(folder.join(target)).expect("seeds");
        for entry in entries {
            let path = entry.expect("a readable folder").path();
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            streams.push((name, std::fs::read(&path).expect("a seed"), file_of));
        }
    }
    streams.sort();
    streams
}

/// The stream is read, and ends in a scene that keeps its promises or in an error that says something.
fn survive(file: Vec<u8>) {
    match load_bytes(file) {
        Ok(scene) => {
            for primitive in scene.meshes.iter().flat_map(|mesh| &mesh.primitives) {
                let vertices = primitive.positions.len();
                let in_range = (primitive.indices.iter()).all(|&index| (index as usize) < vertices);
                assert!(in_range, "indices name vertices");
                let finite = primitive.positions.iter().all(|at| at.is_finite());
                assert!(finite, "positions are numbers");
            }
            let _ = scene.state_at(AnimationChoice::All, 0.3);
        }
        Err(error) => assert!(!error.to_string().is_empty(), "an error says something"),
    }
}

#[test]
fn compressed_streams_cut_at_any_byte_survive() {
    bounded(
        concat!(
            module_path!(),
            "::compressed_streams_cut_at_any_byte_survive"
        ),
        LIMITS,
        || {
            for (name, bytes, file_of) in all_streams() {
                note(&name);
                (0..bytes.len()).for_each(|len| survive(file_of(&bytes[..len])));
            }
        },
    );
}

#[test]
fn compressed_streams_with_any_bit_flipped_survive() {
    let test = concat!(
        module_path!(),
        "::compressed_streams_with_any_bit_flipped_survive"
    );
    bounded(test, LIMITS, || {
        for (name, bytes, file_of) in all_streams() {
            note(&name);
            for bit in 0..bytes.len() * 8 {
                let mut bytes = bytes.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                survive(file_of(&bytes));
            }
        }
    });
}

#[test]
fn compressed_streams_with_any_byte_at_its_end_of_range_survive() {
    let test = concat!(
        module_path!(),
        "::compressed_streams_with_any_byte_at_its_end_of_range_survive"
    );
    bounded(test, LIMITS, || {
        for (name, bytes, file_of) in all_streams() {
            note(&name);
            for at in 0..bytes.len() {
                for value in [0, 0x7f, 0x80, 0xff] {
                    let mut bytes = bytes.clone();
                    bytes[at] = value;
                    survive(file_of(&bytes));
                }
            }
        }
    });
}

/// The scene as a viewer shows it, 256 x 256 pixels.
fn picture(path: &Path) -> Vec<[u8; 4]> {
    let scene = load_path(path, &LoadOptions::default());
    let scene = scene.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut state = scene.state_at(AnimationChoice::All, 0.4);
    let settings = RenderSettings {
        width: 256,
        height: 256,
        ..RenderSettings::default()
    };
    let view = scene.framing_camera(&state, 1.0).view(256, 256);
    state.sort_blended(&scene, view.eye_world);
    let environment = Environment::builtin();
    let input = FrameInput {
        environment: Some(&environment),
        ..FrameInput::new(&scene, &state, &view, &settings)
    };
    let mut renderer = Renderer::new(1, SimdLevel::Auto).expect("one thread is always there");
    let frame = renderer.draw(&input.draws(), Recording::Counters);
    frame.picture.pixels.to_vec()
}

/// Most pixels that may differ visibly (by more than 24 of 255 in a channel), and the largest mean difference of a channel.
/// Positions of 11 bits are off by 1/4096 of a model that fills the picture, a sixteenth of a pixel: only pixels whose
/// centre an edge crosses change, and shades by the normals' 8 to 10 bits.
const VISIBLE: f64 = 0.01;
const MEAN: f64 = 1.0;

/// Compressed models of `../shared/gltf`, each with its plain twin, or with one that is compressed otherwise.
const TWINS: &[(&str, &str)] = &[
    ("Box/glTF-Draco/Box.gltf", "Box/glTF/Box.gltf"),
    ("Duck/glTF-Draco/Duck.gltf", "Duck/glTF-Binary/Duck.glb"),
    ("Duck/glTF-Quantized/Duck.gltf", "Duck/glTF-Binary/Duck.glb"),
    (
        "CesiumMan/glTF-Draco/CesiumMan.gltf",
        "CesiumMan/glTF-Binary/CesiumMan.glb",
    ),
    (
        "CesiumMilkTruck/glTF-Draco/CesiumMilkTruck.gltf",
        "CesiumMilkTruck/glTF-Binary/CesiumMilkTruck.glb",
    ),
    (
        "RiggedFigure/glTF-Draco/RiggedFigure.gltf",
        "RiggedFigure/glTF-Binary/RiggedFigure.glb",
    ),
    (
        "RiggedSimple/glTF-Draco/RiggedSimple.gltf",
        "RiggedSimple/glTF-Binary/RiggedSimple.glb",
    ),
    (
        "MorphPrimitivesTest/glTF-Draco/MorphPrimitivesTest.gltf",
        "MorphPrimitivesTest/glTF-Binary/MorphPrimitivesTest.glb",
    ),
    (
        "gltf-pipeline-cases/EXT_meshopt_compression/meshopt-fallback/meshopt-fallback.gltf",
        "gltf-pipeline-cases/EXT_meshopt_compression/meshopt-no-fallback/meshopt-no-fallback.gltf",
    ),
    (
        "gltf-pipeline-cases/KHR_meshopt_compression/meshopt-fallback/meshopt-fallback.gltf",
        "gltf-pipeline-cases/EXT_meshopt_compression/meshopt-no-fallback/meshopt-no-fallback.gltf",
    ),
    (
        "gltf-pipeline-cases/KHR_meshopt_compression/meshopt-no-fallback/meshopt-no-fallback.gltf",
        "gltf-pipeline-cases/EXT_meshopt_compression/meshopt-no-fallback/meshopt-no-fallback.gltf",
    ),
];

/// The part of pixels that differ visibly, and the mean difference of a channel.
fn difference(found: &[[u8; 4]], expected: &[[u8; 4]]) -> (f64, f64) {
    let off =
        |(a, b): (&[u8; 4], &[u8; 4])| [0, 1, 2].map(|channel| a[channel].abs_diff(b[channel]));
    let differences: Vec<_> = found.iter().zip(expected).map(off).collect();
    let visible = differences
        .iter()
        .filter(|off| off.iter().any(|&off| off > 24));
    let visible = visible.count() as f64 / differences.len() as f64;
    let sum: u64 = differences
        .iter()
        .flatten()
        .map(|&off| u64::from(off))
        .sum();
    (visible, sum as f64 / (3.0 * differences.len() as f64))
}

#[test]
fn compressed_models_look_as_their_plain_twins() {
    let Some(folder) = shared("gltf") else { return };
    let mut wrong = Vec::new();
    for (compressed, plain) in TWINS {
        let (found, expected) = (folder.join(compressed), folder.join(plain));
        if !found.exists() || !expected.exists() {
            crate::common::skipped(&format!("{compressed} or its twin is absent"));
            continue;
        }
        let (visible, mean) = difference(&picture(&found), &picture(&expected));
        note(&format!(
            "{compressed}: {:.2} % visible, mean {mean:.3}",
            visible * 100.0
        ));
        if visible > VISIBLE || mean > MEAN {
            wrong.push(format!("{compressed}: {visible} visible, mean {mean}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn ktx2_files_of_others_look_as_their_source() {
    let Some(folder) = shared("ktx2") else { return };
    let source = image::open(folder.join("kodim23.png"))
        .expect("a picture")
        .into_rgb8();
    // Mean difference of a channel, of 255.
    for (name, bound) in [
        ("kodim23_etc1s.ktx2", 6.0),
        ("kodim23_uastc_zstd.ktx2", 1.5),
    ] {
        let file = std::fs::read(folder.join(name)).expect("a readable file");
        let image = &pictures(&file)[0];
        let size = (image.levels[0].width, image.levels[0].height);
        assert_eq!(size, source.dimensions(), "{name}");
        let sum: u64 = (source.enumerate_pixels())
            .flat_map(|(x, y, pixel)| {
                let found = image.texel(0, x, y);
                [0, 1, 2].map(|channel| u64::from(found[channel].abs_diff(pixel.0[channel])))
            })
            .sum();
        let mean = sum as f64 / (f64::from(size.0 * size.1) * 3.0);
        note(&format!("{name}: mean difference {mean:.2}"));
        assert!(mean < bound, "{name}: {mean}");
    }
    for entry in std::fs::read_dir(&folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path
            .extension()
            .is_some_and(|extension| extension == "ktx2")
        {
            let file = std::fs::read(&path).expect("a readable file");
            assert_eq!(pictures(&file).len(), 2, "{}", path.display());
        }
    }
}
