//! The glTF loader against files: a small one made here that has everything, cut and mutated in many ways, and the
//! collections beside the checkout, which are skipped where they are absent. Broken files are read in processes with a
//! limit on their time and memory.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use crate::bounded::{Limits, bounded, end_of, note};

use crate::shared::shared;
use azulejo::scene::gltf::{LoadError, LoadOptions, SUPPORTED_EXTENSIONS, load, load_path};
use azulejo::scene::{AnimationChoice, Encoding, Scene, TextureRef};
use glam::Vec3;
use proptest::prelude::*;

/// A file with two textured, skinned, morphed and animated triangles, a camera and a light: its JSON and its buffer.
fn kitchen_sink() -> (String, Vec<u8>) {
    let mut sink = Sink::default();
    let positions = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [1.0, 1.0, 0.0],
    ];
    sink.floats("VEC3", &positions.concat());
    sink.floats("VEC3", &[0.0, 0.0, 1.0].repeat(4));
    sink.floats("VEC2", &[0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    sink.accessor(5123, "SCALAR", 6, &[0, 0, 1, 0, 2, 0, 2, 0, 1, 0, 3, 0]);
    sink.accessor(5121, "VEC4", 4, &[0, 1, 0, 0].repeat(4));
    sink.floats("VEC4", &[0.75, 0.25, 0.0, 0.0].repeat(4));
    let identity: [f32; 16] = std::array::from_fn(|i| if i % 5 == 0 { 1.0 } else { 0.0 });
    sink.floats("MAT4", &identity.repeat(2));
    sink.floats("VEC3", &[0.0, 0.0, 0.5].repeat(4));
    sink.floats("SCALAR", &[0.0, 1.0]);
    sink.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 2.0, 0.0]);
    sink.floats("SCALAR", &[0.0, 1.0]);
    let image = sink.view(&png());
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,3,4]}}],
"extensionsUsed":["KHR_lights_punctual","KHR_texture_transform","VENDOR_unknown"],
"extensions":{{"KHR_lights_punctual":{{"lights":[{{"type":"spot","spot":{{"innerConeAngle":0.1}},"intensity":5}}]}}}},
"nodes":[{{"name":"root","mesh":0,"skin":0,"children":[1,2]}},
 {{"translation":[0,0,1]}},{{"rotation":[0,0.6,0,0.8],"scale":[1,-1,1]}},
 {{"camera":0,"translation":[0,0,5]}},
 {{"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,1,2,3,1],"extensions":{{"KHR_lights_punctual":{{"light":0}}}}}}],
"cameras":[{{"type":"perspective","perspective":{{"yfov":0.8,"znear":0.1}}}}],
"skins":[{{"joints":[1,2],"inverseBindMatrices":6}}],
"meshes":[{{"weights":[0.5],"primitives":[{{"attributes":{{"POSITION":0,"NORMAL":1,"TEXCOORD_0":2,"JOINTS_0":4,"WEIGHTS_0":5}},
 "indices":3,"material":0,"targets":[{{"POSITION":7}}]}}]}}],
"materials":[{{"name":"m","pbrMetallicRoughness":{{"baseColorTexture":{{"index":0,"extensions":{{"KHR_texture_transform":{{"scale":[2,2]}}}}}}}},
 "normalTexture":{{"index":0,"scale":0.5}},"alphaMode":"BLEND","doubleSided":true,
 "extensions":{{"KHR_materials_ior":{{"ior":1.33}},"KHR_materials_specular":{{"specularFactor":0.5,"specularTexture":{{"index":0}},
  "specularColorFactor":[0.5,1,2],"specularColorTexture":{{"index":0}}}},
  "KHR_materials_clearcoat":{{"clearcoatFactor":0.5,"clearcoatRoughnessFactor":0.25,"clearcoatTexture":{{"index":0}},
   "clearcoatNormalTexture":{{"index":0,"scale":0.75}}}},
  "KHR_materials_sheen":{{"sheenColorFactor":[0.5,1,3],"sheenColorTexture":{{"index":0}},"sheenRoughnessFactor":0.125}},
  "KHR_materials_anisotropy":{{"anisotropyStrength":0.5,"anisotropyRotation":1,"anisotropyTexture":{{"index":0}}}},
  "KHR_materials_iridescence":{{"iridescenceFactor":1,"iridescenceThicknessMaximum":500,"iridescenceThicknessTexture":{{"index":0}}}},
  "KHR_materials_transmission":{{"transmissionFactor":0.5,"transmissionTexture":{{"index":0}}}},
  "KHR_materials_diffuse_transmission":{{"diffuseTransmissionFactor":0.25,"diffuseTransmissionColorTexture":{{"index":0}}}},
  "KHR_materials_volume":{{"thicknessFactor":2,"attenuationDistance":3,"attenuationColor":[1,0.5,0.25]}},
  "KHR_materials_dispersion":{{"dispersion":0.5}}}}}}],
"textures":[{{"source":0,"sampler":0}}],"samplers":[{{"magFilter":9728,"minFilter":9987,"wrapS":33071}}],
"images":[{{"bufferView":{image},"mimeType":"image/png"}}],
"animations":[{{"name":"move","channels":[{{"sampler":0,"target":{{"node":1,"path":"translation"}}}},
 {{"sampler":1,"target":{{"node":0,"path":"weights"}}}}],
 "samplers":[{{"input":8,"output":9}},{{"input":8,"output":10,"interpolation":"STEP"}}]}}],
{}}}"#,
        sink.json()
    );
    (json, sink.bytes)
}

/// [`kitchen_sink`] with everything that extensions can say about nodes, materials, animations and light.
fn extended_sink() -> (String, Vec<u8>) {
    let (mut json, binary) = kitchen_sink();
    let additions = [
        (
            r#"{"camera":0,"translation":[0,0,5]}"#,
            r#"{"camera":0,"mesh":0,"translation":[0,0,5],"extensions":{"KHR_node_visibility":{"visible":false},
"EXT_mesh_gpu_instancing":{"attributes":{"TRANSLATION":9,"SCALE":9}}}}"#,
        ),
        (
            r#""scenes":[{"nodes":[0,3,4]}]"#,
            r#""scenes":[{"nodes":[0,3,4],"extensions":{"EXT_lights_image_based":{"light":0}}}]"#,
        ),
        (
            r#""extensions":{"KHR_lights_punctual":{"lights""#,
            r#""extensions":{"KHR_materials_variants":{"variants":[{"name":"a"},{"name":"b"}]},
"EXT_lights_image_based":{"lights":[{"intensity":2,"rotation":[0,0,0,1],"specularImages":[[0,0,0,0,0,0]]}]},
"KHR_lights_punctual":{"lights""#,
        ),
        (
            r#""targets":[{"POSITION":7}]"#,
            r#""targets":[{"POSITION":7}],"extensions":{"KHR_materials_variants":{"mappings":[{"material":0,"variants":[0,1]}]}}"#,
        ),
        (
            r#""extensions":{"KHR_materials_ior""#,
            r#""extensions":{"KHR_materials_pbrSpecularGlossiness":{"diffuseFactor":[1,0.5,0.25,1],"specularFactor":[1,1,1],
"glossinessFactor":0.5,"specularGlossinessTexture":{"index":0}},"KHR_materials_ior""#,
        ),
        (
            r#""channels":["#,
            r#""channels":[{"sampler":0,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/materials/0/emissiveFactor"}}}},
{"sampler":1,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/nodes/3/extensions/KHR_node_visibility/visible"}}}},
{"sampler":1,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/cameras/0/perspective/yfov"}}}},
{"sampler":1,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/meshes/0/weights"}}}},"#,
        ),
    ];
    for (found, put) in additions {
        assert!(json.contains(found), "{found}");
        json = json.replace(found, put);
    }
    (json, binary)
}

/// Collects accessors and their bytes.
#[derive(Default)]
struct Sink {
    bytes: Vec<u8>,
    views: Vec<String>,
    accessors: Vec<String>,
}

impl Sink {
    fn view(&mut self, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let (offset, len) = (self.bytes.len(), bytes.len());
        self.views.push(format!(
            r#"{{"buffer":0,"byteOffset":{offset},"byteLength":{len}}}"#
        ));
        self.bytes.extend(bytes);
        self.views.len() - 1
    }

    fn accessor(&mut self, component: u32, shape: &str, count: usize, bytes: &[u8]) {
        let view = self.view(bytes);
        self.accessors.push(format!(
            r#"{{"bufferView":{view},"componentType":{component},"type":"{shape}","count":{count}}}"#
        ));
    }

    fn floats(&mut self, shape: &str, values: &[f32]) {
        let width = match shape {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.accessor(5126, shape, values.len() / width, &bytes);
    }

    fn json(&self) -> String {
        format!(
            r#""accessors":[{}],"bufferViews":[{}],"buffers":[{{"byteLength":{}}}]"#,
            self.accessors.join(","),
            self.views.join(","),
            self.bytes.len()
        )
    }
}

/// A picture of 5 x 3 pixels.
fn png() -> Vec<u8> {
    let picture =
        image::RgbImage::from_fn(5, 3, |x, y| image::Rgb([x as u8 * 50, y as u8 * 80, 128]));
    let mut bytes = io::Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, image::ImageFormat::Png)
        .expect("a PNG in memory");
    bytes.into_inner()
}

fn glb(json: &str, binary: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut binary = binary.to_vec();
    binary.resize(binary.len().next_multiple_of(4), 0);
    let length = (28 + json.len() + binary.len()) as u32;
    let mut bytes = [&b"glTF\x02\0\0\0"[..], &length.to_le_bytes()].concat();
    for (kind, chunk) in [(b"JSON", &json), (b"BIN\0", &binary)] {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(chunk);
    }
    bytes
}

fn load_bytes(bytes: Vec<u8>) -> Result<Scene, LoadError> {
    let nothing_beside = |_: &str| Err(io::ErrorKind::NotFound.into());
    load(bytes, &nothing_beside, &FRUGAL)
}

/// Options for broken files; the sound ones here need less memory.
const FRUGAL: LoadOptions = LoadOptions {
    scene: None,
    variant: None,
    memory_limit: 64 << 20,
};

/// Limits of a test of broken files, in all: [`FRUGAL`] with scratch memory, code and thread stacks.
const LIMITS: Limits = Limits {
    seconds: 240,
    mebibytes: 1024,
};

/// Limits of the program for one broken file; by default it decodes up to 8 GiB.
const OF_PROGRAM: Limits = Limits {
    seconds: 30,
    mebibytes: 10 << 10,
};

/// Whatever loads must also keep the promises of [`Scene`] and survive being posed and framed.
fn exercise(scene: &Scene) {
    for primitive in scene.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        let vertices = primitive.positions.len();
        let in_range = primitive
            .indices
            .iter()
            .all(|&index| (index as usize) < vertices);
        assert!(in_range, "indices name vertices");
        let whole = primitive.indices.len() % primitive.topology.vertices() == 0;
        assert!(whole, "indices make whole primitives");
        let streams = [
            primitive.normals.len(),
            primitive.tangents.len(),
            primitive.colors.len(),
        ];
        let sets = primitive.tex_coords.iter().map(Vec::len);
        let mut lengths = streams.into_iter().chain(sets);
        assert!(
            lengths.all(|len| len == 0 || len == vertices),
            "streams have an element a vertex"
        );
        assert!(
            primitive.material.is_some(),
            "every primitive has a material"
        );
    }
    for (index, node) in scene.nodes.iter().enumerate() {
        assert!(
            node.parent.is_none_or(|parent| parent.index() < index),
            "parents come first"
        );
    }
    for seconds in [0.0, 0.3, 1e9] {
        let mut state = scene.state_at(AnimationChoice::All, seconds);
        let camera = scene.framing_camera(&state, 16.0 / 9.0);
        state.sort_blended(scene, camera.world_from_camera.w_axis.truncate());
    }
}

/// Loads and exercises; a fault is an error with a message or nothing at all. Called inside [`bounded`], so that a load
/// that hangs or asks for too much fails too.
fn survive(what: &str, load: impl FnOnce() -> Result<Scene, LoadError>) -> Option<Scene> {
    note(what);
    let outcome = catch_unwind(AssertUnwindSafe(|| match load() {
        Ok(scene) => {
            exercise(&scene);
            Some(scene)
        }
        Err(error) => {
            assert!(!error.to_string().is_empty(), "an error says something");
            None
        }
    }));
    outcome.unwrap_or_else(|_| panic!("{what}: the loader must not panic"))
}

#[test]
fn gltf_with_everything_loads_completely() {
    let (json, binary) = kitchen_sink();
    let scene = load_bytes(glb(&json, &binary)).expect("a sound file");
    exercise(&scene);
    assert_eq!(
        scene.warnings,
        [
            "VENDOR_unknown is not supported: drawn without it",
            "material 0 'm': factors outside their range are limited to it",
        ],
        "the unknown extension, and a colour of sheen of 3"
    );
    let primitive = &scene.meshes[0].primitives[0];
    assert_eq!(primitive.tangents.len(), 4, "tangents for the normal map");
    assert_eq!(scene.images.len(), 2, "one picture as colour and as data");
    assert_eq!(
        scene.images[0].texel(0, 4, 2),
        [200, 160, 128, 255],
        "its last texel"
    );
    let lists = (
        scene.lights.len(),
        scene.cameras.len(),
        scene.skins.len(),
        scene.animations.len(),
    );
    assert_eq!(lists, (1, 1, 1, 1), "light, camera, skin, animation");
}

#[test]
fn gltf_materials_bring_what_is_no_metal() {
    let (json, binary) = kitchen_sink();
    let scene = load_bytes(glb(&json, &binary)).expect("a sound file");
    let material = &scene.materials[0];
    assert_eq!(
        (material.ior, material.specular, material.specular_color),
        (1.33, 0.5, Vec3::new(0.5, 1.0, 2.0)),
        "factors of KHR_materials_ior and KHR_materials_specular"
    );
    let image = |slot: Option<TextureRef>| {
        let texture = slot.expect("a texture").texture.index();
        &scene.images[scene.textures[texture].image.index()]
    };
    let encodings = [material.specular_texture, material.specular_color_texture]
        .map(|slot| image(slot).encoding);
    assert_eq!(
        encodings,
        [Encoding::Linear, Encoding::Srgb],
        "weights are data, colours are sRGB"
    );
    let water = material.dielectric_f0().y;
    assert!((water - 0.02).abs() < 1e-3, "of water: {water}");
}

#[test]
fn gltf_materials_bring_the_layers_over_them() {
    let (json, binary) = kitchen_sink();
    let scene = load_bytes(glb(&json, &binary)).expect("a sound file");
    let material = &scene.materials[0];
    let coat = material.clearcoat.expect("a coat");
    assert_eq!(
        (coat.factor, coat.roughness, coat.normal_scale),
        (0.5, 0.25, 0.75),
        "factors of KHR_materials_clearcoat"
    );
    let sheen = material.sheen.expect("sheen");
    assert_eq!(
        (sheen.color, sheen.roughness),
        (Vec3::new(0.5, 1.0, 1.0), 0.125),
        "factors of KHR_materials_sheen, limited"
    );
    let grain = material.anisotropy.expect("anisotropy");
    assert_eq!(
        (grain.strength, grain.rotation),
        (0.5, 1.0),
        "of anisotropy"
    );
    let film = material.iridescence.expect("a film");
    assert_eq!(
        (
            film.factor,
            film.ior,
            film.thickness_minimum,
            film.thickness_maximum
        ),
        (1.0, 1.3, 100.0, 500.0),
        "factors of KHR_materials_iridescence, and its defaults"
    );
    let encoding = |slot: Option<TextureRef>| {
        let texture = slot.expect("a texture").texture.index();
        scene.images[scene.textures[texture].image.index()].encoding
    };
    let data = [
        coat.texture,
        coat.normal_texture,
        grain.texture,
        film.thickness_texture,
    ];
    assert_eq!(data.map(encoding), [Encoding::Linear; 4], "data");
    assert_eq!(encoding(sheen.color_texture), Encoding::Srgb, "a colour");
    assert_eq!(
        material.texture_slots().flatten().count(),
        11,
        "of all slots"
    );
}

#[test]
fn gltf_materials_bring_what_light_goes_through() {
    let (json, binary) = kitchen_sink();
    let scene = load_bytes(glb(&json, &binary)).expect("a sound file");
    let material = &scene.materials[0];
    let through = material.transmission.expect("transmission");
    let scattered = material.diffuse_transmission.expect("scattered light");
    assert_eq!((through.factor, scattered.factor), (0.5, 0.25), "shares");
    let volume = material.volume.expect("a volume");
    assert_eq!(
        (
            volume.thickness,
            volume.attenuation_distance,
            volume.dispersion
        ),
        (2.0, 3.0, 0.5),
        "factors of KHR_materials_volume and KHR_materials_dispersion"
    );
}

#[test]
fn gltf_layers_of_factor_zero_are_none() {
    let (json, binary) = kitchen_sink();
    let json = json.replace("\"clearcoatFactor\":0.5", "\"clearcoatFactor\":0");
    let scene = load_bytes(glb(&json, &binary)).expect("a sound file");
    assert_eq!(scene.materials[0].clearcoat, None, "nothing is covered");
    assert!(scene.materials[0].has_layers(), "the others are there");
}

#[test]
fn gltf_layer_that_is_no_object_names_its_material() {
    let (json, binary) = kitchen_sink();
    let json = json.replace(
        "\"sheenColorFactor\":[0.5,1,3]",
        "\"sheenColorFactor\":[0.5,1]",
    );
    let error = load_bytes(glb(&json, &binary)).expect_err("two channels");
    let said = error.to_string();
    let named = said.contains("KHR_materials_sheen") && said.contains("material 0 'm'");
    assert!(named, "{said}");
}

#[test]
fn pose_blends_joints_and_morphs() {
    let (json, binary) = kitchen_sink();
    let scene = load_bytes(glb(&json, &binary)).expect("a sound file");
    let rest = scene.state_at(AnimationChoice::None, 0.0);
    assert_eq!(rest.morph_weights, [0.5], "the mesh's own weight");
    assert_eq!(
        rest.joints[0].w_axis.truncate(),
        Vec3::Z,
        "joint 0 moved along z"
    );
    let bounds = scene.bounds(&rest).expect("something is drawn");
    let upper = bounds.max.y;
    assert!(
        (upper - 0.5).abs() < 1e-6,
        "three quarters of 1, one quarter mirrored: {upper}"
    );
    let moved = scene.state_at(AnimationChoice::All, 0.5);
    assert_eq!(
        moved.joints[0].w_axis.truncate(),
        Vec3::Y,
        "half of the way from 0 to 2"
    );
    assert_eq!(moved.morph_weights, [0.0], "stepped weight");
}

#[test]
fn gltf_that_places_more_vertices_than_fit_in_memory_is_refused() {
    // A few bytes of a file are all that it takes: accessors without bytes are zeros.
    let placed = |times: usize| {
        let nodes = vec![r#"{"mesh":0}"#; times].join(",");
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
"accessors":[{{"componentType":5126,"count":65535,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}}]}}"#
        );
        load_bytes(json.into_bytes())
    };
    assert!(placed(1).is_ok(), "drawn once");
    let error = placed(100).expect_err("64 MiB are not enough").to_string();
    assert!(error.starts_with("node "), "{error}");
    assert!(
        error.contains(" bytes of memory; the limit leaves "),
        "{error}"
    );
}

#[test]
fn gltf_that_morphs_for_minutes_a_frame_is_refused() {
    let placed = |times: usize| {
        let nodes = vec![r#"{"mesh":0}"#; times].join(",");
        let targets = vec![r#"{"POSITION":1}"#; 6_000].join(",");
        // A target whose first vertex moves by 1, and no other.
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"targets":[{targets}]}}]}}],
"accessors":[{{"componentType":5126,"count":999,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}},
{{"componentType":5126,"count":999,"type":"VEC3","min":[0,0,0],"max":[1,0,0],
"sparse":{{"count":1,"indices":{{"bufferView":0,"componentType":5121}},"values":{{"bufferView":1}}}}}}],
"bufferViews":[{{"buffer":0,"byteOffset":12,"byteLength":1}},{{"buffer":0,"byteLength":12}}],
"buffers":[{{"byteLength":16,"uri":"data:application/octet-stream;base64,AACAPwAAAAAAAAAAAAAAAA=="}}]}}"#
        );
        let nothing_beside = |_: &str| Err(io::ErrorKind::NotFound.into());
        let options = LoadOptions {
            memory_limit: 1 << 30,
            ..FRUGAL
        };
        let scene = load(json.into_bytes(), &nothing_beside, &options);
        scene.map(|scene| scene.meshes[0].primitives[0].morph_targets.len())
    };
    assert!(placed(1).is_ok(), "72 MB of deltas, read once");
    let error = placed(4_000).expect_err("read 4,000 times").to_string();
    assert!(error.starts_with("node "), "{error}");
    assert!(error.contains(" bytes a frame; at most "), "{error}");
}

#[test]
fn glb_cut_off_at_any_byte_gives_an_error() {
    bounded(
        concat!(module_path!(), "::glb_cut_off_at_any_byte_gives_an_error"),
        LIMITS,
        || {
            let (json, binary) = kitchen_sink();
            let whole = glb(&json, &binary);
            for len in 0..whole.len() {
                let what = format!("GLB cut at {len} of {}", whole.len());
                let cut = survive(&what, || load_bytes(whole[..len].to_vec()));
                assert!(cut.is_none(), "{what}");
            }
        },
    );
}

#[test]
fn gltf_cut_off_at_any_byte_survives_with_its_buffer_cut_too() {
    let test = concat!(
        module_path!(),
        "::gltf_cut_off_at_any_byte_survives_with_its_buffer_cut_too"
    );
    bounded(test, LIMITS, || {
        let (json, binary) = kitchen_sink();
        let json = json.replace(r#""buffers":[{"#, r#""buffers":[{"uri":"b.bin","#);
        let load_parts = |json: &str, binary: &[u8]| {
            let resolve = |_: &str| Ok(binary.to_vec());
            load(json.as_bytes().to_vec(), &resolve, &FRUGAL)
        };
        assert!(load_parts(&json, &binary).is_ok(), "whole");
        for len in 0..json.len() {
            let what = format!("JSON cut at {len}");
            let cut = survive(&what, || load_parts(&json[..len], &binary));
            assert!(cut.is_none(), "{what}");
        }
        for len in 0..binary.len() {
            let what = format!("buffer cut at {len}");
            let cut = survive(&what, || load_parts(&json, &binary[..len]));
            assert!(cut.is_none(), "{what}");
        }
    });
}

/// Values that break assumptions, as JSON.
const NASTY: &[&str] = &[
    "0",
    "-1",
    "1",
    "2",
    "3",
    "5",
    "255",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "1e300",
    "-1e300",
    "1e-300",
    "0.5",
    "null",
    "true",
    "\"\"",
    "\"x\"",
    "[]",
    "{}",
    "[0]",
    "5126",
    "5121",
    "\"VEC4\"",
];

/// The places of all numbers and strings in `json`, keys left out.
fn values_in(json: &str) -> Vec<std::ops::Range<usize>> {
    let bytes = json.as_bytes();
    let is_value = |at: usize| matches!(bytes[at], b':' | b',' | b'[');
    let starts = (0..bytes.len() - 1).filter(|&at| is_value(at));
    let mut places = Vec::new();
    for start in starts.map(|at| at + 1) {
        let end = bytes[start..]
            .iter()
            .position(|b| b",]}:\n".contains(b))
            .map_or(start, |len| start + len);
        if end > start && bytes[end] != b':' && !b"[{".contains(&bytes[start]) {
            places.push(start..end);
        }
    }
    places
}

/// Loads the file with every value replaced by everything nasty, one at a time.
fn replace_each_value(json: &str, binary: &[u8]) {
    let places = values_in(json);
    assert!(places.len() > 100, "{} values to replace", places.len());
    for place in places {
        for nasty in NASTY {
            let mut mutated = json.to_owned();
            mutated.replace_range(place.clone(), nasty);
            let what = format!("{} -> {nasty} at {place:?}", &json[place.clone()]);
            survive(&what, || load_bytes(glb(&mutated, binary)));
        }
    }
}

#[test]
fn gltf_with_any_one_value_replaced_survives() {
    bounded(
        concat!(
            module_path!(),
            "::gltf_with_any_one_value_replaced_survives"
        ),
        LIMITS,
        || {
            let (json, binary) = kitchen_sink();
            replace_each_value(&json, &binary);
        },
    );
}

#[test]
fn gltf_with_extensions_and_any_one_value_replaced_survives() {
    let test = concat!(
        module_path!(),
        "::gltf_with_extensions_and_any_one_value_replaced_survives"
    );
    bounded(test, LIMITS, || {
        let (json, binary) = extended_sink();
        let scene = load_bytes(glb(&json, &binary)).expect("a sound file");
        let animation = &scene.animations[0];
        assert_eq!(animation.properties.len(), 4, "all pointers are followed");
        let copies = scene.nodes.iter().filter_map(|node| node.copies.as_ref());
        assert_eq!(copies.map(Vec::len).sum::<usize>(), 2, "copies");
        assert_eq!(scene.variants, ["a", "b"], "variants");
        replace_each_value(&json, &binary);
    });
}

#[test]
fn gltf_with_values_and_bytes_replaced_survives() {
    let values = prop::collection::vec((any::<prop::sample::Index>(), 0..NASTY.len()), 1..6);
    let bytes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6);
    let test = concat!(
        module_path!(),
        "::gltf_with_values_and_bytes_replaced_survives"
    );
    bounded(test, LIMITS, || {
        proptest!(ProptestConfig::with_cases(400), |(values in values, bytes in bytes)| {
            let (mut json, mut binary) = kitchen_sink();
            for (place, nasty) in values {
                let places = values_in(&json);
                json.replace_range(places[place.index(places.len())].clone(), NASTY[nasty]);
            }
            for (place, byte) in bytes {
                let at = place.index(binary.len());
                binary[at] = byte;
            }
            survive("mutated values", || load_bytes(glb(&json, &binary)));
        });
    });
}

#[test]
fn glb_with_any_bytes_replaced_survives() {
    let bytes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8);
    bounded(
        concat!(module_path!(), "::glb_with_any_bytes_replaced_survives"),
        LIMITS,
        || {
            proptest!(ProptestConfig::with_cases(400), |(bytes in bytes)| {
                let (json, binary) = kitchen_sink();
                let mut file = glb(&json, &binary);
                for (place, byte) in bytes {
                    let at = place.index(file.len());
                    file[at] = byte;
                }
                survive("mutated bytes", || load_bytes(file));
            });
        },
    );
}

#[test]
#[cfg(target_os = "linux")]
#[should_panic(expected = "signal")]
fn bounded_process_that_asks_for_too_much_memory_fails() {
    let test = concat!(
        module_path!(),
        "::bounded_process_that_asks_for_too_much_memory_fails"
    );
    bounded(test, LIMITS, || {
        // An optimiser would drop memory that is never read.
        let asked = std::hint::black_box(vec![1_u8; 2 << 30]);
        note(&format!("got {} bytes", asked.len()));
    });
}

#[test]
#[should_panic(expected = "not done in 1 s\n")]
fn bounded_process_that_hangs_fails() {
    let limits = Limits {
        seconds: 1,
        ..LIMITS
    };
    bounded(
        concat!(module_path!(), "::bounded_process_that_hangs_fails"),
        limits,
        || {
            std::thread::sleep(std::time::Duration::from_secs(60));
        },
    );
}

/// The extensions that a file says it requires, beyond ours; read with nothing but a JSON parser.
fn required_beyond_ours(path: &Path) -> Vec<String> {
    let bytes = std::fs::read(path).expect("a readable file");
    let text = match bytes.strip_prefix(b"glTF") {
        Some(rest) => {
            let len = u32::from_le_bytes(rest[8..12].try_into().expect("four bytes"));
            &rest[16..16 + len as usize]
        }
        None => &bytes,
    };
    let json: serde_json::Value = serde_json::from_slice(text).expect("JSON");
    let names = json["extensionsRequired"].as_array().into_iter().flatten();
    let names = names.filter_map(|name| name.as_str());
    names
        .filter(|name| !SUPPORTED_EXTENSIONS.contains(name))
        .map(str::to_owned)
        .collect()
}

/// Every model loads, or ends in the error that names the extension that it requires.
fn check_collection(folder: &str) {
    let Some(folder) = shared(folder) else { return };
    let mut wrong = Vec::new();
    let (mut loaded, mut left_out) = (0, 0);
    for path in crate::models::models(&folder) {
        let missing = required_beyond_ours(&path);
        match load_path(&path, &LoadOptions::default()) {
            Ok(scene) => {
                exercise(&scene);
                loaded += 1;
                if !missing.is_empty() {
                    wrong.push(format!(
                        "{}: loaded though it requires {missing:?}",
                        path.display()
                    ));
                }
            }
            Err(LoadError::RequiredExtensions(named))
                if !missing.is_empty() && named == missing =>
            {
                left_out += 1;
            }
            Err(error) => wrong.push(format!("{}: {error}", path.display())),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let folder = folder.display();
    note(&format!(
        "{folder}: {loaded} models loaded, {left_out} require an extension that is not supported"
    ));
    assert!(loaded > left_out, "{folder} has models that load");
}

#[test]
fn gltf_sample_models_load_or_name_the_missing_extension() {
    check_collection("gltf");
}

#[test]
fn gltf_generator_models_load_or_name_the_missing_extension() {
    check_collection("gltf-generator");
}

/// The program draws a file, or says why it cannot and ends with 1, within its limits; whether it drew.
fn program_survives(path: &Path) -> Result<bool, String> {
    let mut command = OF_PROGRAM.command(env!("CARGO_BIN_EXE_azulejo"));
    command.args(["render", "--size", "16x16", "--stats=none", "-o"]);
    let picture = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gltf-survives.png");
    let ended = OF_PROGRAM.run(command.arg(picture).arg(path))?;
    let said = end_of(&ended.stderr);
    match ended.status.code() {
        Some(0) => Ok(true),
        Some(1) if !said.is_empty() && !said.contains("panicked") => Ok(false),
        _ => Err(format!("{}\n{said}", ended.status)),
    }
}

#[test]
fn gltf_invalid_files_end_in_a_picture_or_an_error() {
    let Some(folder) = shared("gltf-invalid") else {
        return;
    };
    let index = std::fs::read_to_string(folder.join("INDEX.tsv")).expect("the index");
    let (mut drawn, mut refused, mut wrong) = (0, 0, Vec::new());
    for line in index.lines().skip(1) {
        let mut fields = line.split('\t');
        let (file, verdict) = (
            fields.next().unwrap_or_default(),
            fields.next().unwrap_or_default(),
        );
        let path = folder.join(file);
        match program_survives(&path) {
            Ok(true) => drawn += 1,
            Ok(false) if verdict == "valid" && required_beyond_ours(&path).is_empty() => {
                let error = load_path(&path, &LoadOptions::default()).err();
                wrong.push(format!("{file} is valid: {error:?}"));
            }
            Ok(false) => refused += 1,
            Err(problem) => wrong.push(format!("{file}: {problem}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    note(&format!("{drawn} broken files drawn, {refused} refused"));
    assert!(drawn > 0 && refused > 0, "some of each");
}

#[test]
fn gltf_files_of_others_survive_cuts() {
    let Some(folder) = shared("gltf") else { return };
    bounded(
        concat!(module_path!(), "::gltf_files_of_others_survive_cuts"),
        LIMITS,
        || {
            for name in [
                "Box/glTF-Binary/Box.glb",
                "SimpleSkin/glTF/SimpleSkin.gltf",
                "Triangle/glTF/Triangle.gltf",
            ] {
                let path = folder.join(name);
                let whole = std::fs::read(&path).expect("a sample model");
                let beside = path.parent().expect("a folder").to_path_buf();
                let resolve = |uri: &str| std::fs::read(beside.join(uri));
                for len in 0..whole.len() {
                    let what = format!("{name} cut at {len}");
                    survive(&what, || load(whole[..len].to_vec(), &resolve, &FRUGAL));
                }
            }
        },
    );
}
