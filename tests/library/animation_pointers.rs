//! `KHR_animation_pointer` against direct values: a scene at a time equals the scene of a file that has the values of that
//! time at rest, for every property that the glTF 2.0 Asset Object Model lists and azulejo draws, alone and among others,
//! in any order of channels and animations.

use crate::gltf_file::GltfFile;
use azulejo::scene::{AnimationChoice, Material, Projection, Scene};
use serde_json::{Value, json};

/// Numbers from 0 to 1, the same on every run (Knuth's linear congruential generator).
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f32 {
        let Self(state) = self;
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*state >> 40) as f32 / (1_u32 << 24) as f32
    }

    fn below(&mut self, n: usize) -> usize {
        (self.unit() * n as f32) as usize
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}

/// A property of the object model: its pointer, how many floats it has, and what they are between. A switch has none.
#[derive(Debug, Clone)]
struct Property {
    pointer: String,
    floats: usize,
    range: [f32; 2],
}

/// Properties that only together make sense.
type Group = Vec<Property>;

/// A property with its value.
#[derive(Debug, Clone)]
struct Moved {
    pointer: String,
    values: Vec<f32>,
    is_switch: bool,
}

fn property(pointer: impl Into<String>, floats: usize, range: [f32; 2]) -> Property {
    Property {
        pointer: pointer.into(),
        floats,
        range,
    }
}

/// Factors below a material.
const MATERIAL: [(&str, usize, [f32; 2]); 29] = [
    ("alphaCutoff", 1, [0.1, 0.9]),
    ("emissiveFactor", 3, [0.1, 1.0]),
    ("normalTexture/scale", 1, [0.1, 2.0]),
    ("occlusionTexture/strength", 1, [0.1, 0.9]),
    ("pbrMetallicRoughness/baseColorFactor", 4, [0.1, 0.9]),
    ("pbrMetallicRoughness/metallicFactor", 1, [0.1, 0.9]),
    ("pbrMetallicRoughness/roughnessFactor", 1, [0.1, 0.9]),
    (
        "extensions/KHR_materials_emissive_strength/emissiveStrength",
        1,
        [0.1, 9.0],
    ),
    ("extensions/KHR_materials_ior/ior", 1, [1.1, 2.0]),
    (
        "extensions/KHR_materials_specular/specularFactor",
        1,
        [0.1, 0.9],
    ),
    (
        "extensions/KHR_materials_specular/specularColorFactor",
        3,
        [0.1, 2.0],
    ),
    (
        "extensions/KHR_materials_anisotropy/anisotropyStrength",
        1,
        [0.1, 0.9],
    ),
    (
        "extensions/KHR_materials_anisotropy/anisotropyRotation",
        1,
        [-3.0, 3.0],
    ),
    (
        "extensions/KHR_materials_clearcoat/clearcoatFactor",
        1,
        [0.1, 0.9],
    ),
    (
        "extensions/KHR_materials_clearcoat/clearcoatRoughnessFactor",
        1,
        [0.1, 0.9],
    ),
    (
        "extensions/KHR_materials_clearcoat/clearcoatNormalTexture/scale",
        1,
        [0.1, 2.0],
    ),
    (
        "extensions/KHR_materials_dispersion/dispersion",
        1,
        [0.1, 2.0],
    ),
    (
        "extensions/KHR_materials_iridescence/iridescenceFactor",
        1,
        [0.1, 0.9],
    ),
    (
        "extensions/KHR_materials_iridescence/iridescenceIor",
        1,
        [1.1, 2.0],
    ),
    (
        "extensions/KHR_materials_iridescence/iridescenceThicknessMinimum",
        1,
        [10.0, 900.0],
    ),
    (
        "extensions/KHR_materials_iridescence/iridescenceThicknessMaximum",
        1,
        [10.0, 900.0],
    ),
    (
        "extensions/KHR_materials_sheen/sheenColorFactor",
        3,
        [0.1, 0.9],
    ),
    (
        "extensions/KHR_materials_sheen/sheenRoughnessFactor",
        1,
        [0.1, 0.9],
    ),
    (
        "extensions/KHR_materials_transmission/transmissionFactor",
        1,
        [0.1, 0.9],
    ),
    (
        "extensions/KHR_materials_diffuse_transmission/diffuseTransmissionFactor",
        1,
        [0.1, 0.9],
    ),
    (
        "extensions/KHR_materials_diffuse_transmission/diffuseTransmissionColorFactor",
        3,
        [0.1, 0.9],
    ),
    (
        "extensions/KHR_materials_volume/thicknessFactor",
        1,
        [0.1, 2.0],
    ),
    (
        "extensions/KHR_materials_volume/attenuationDistance",
        1,
        [0.1, 2.0],
    ),
    (
        "extensions/KHR_materials_volume/attenuationColor",
        3,
        [0.1, 0.9],
    ),
];

/// Textures below a material.
const TEXTURES: [&str; 19] = [
    "pbrMetallicRoughness/baseColorTexture",
    "pbrMetallicRoughness/metallicRoughnessTexture",
    "normalTexture",
    "occlusionTexture",
    "emissiveTexture",
    "extensions/KHR_materials_specular/specularTexture",
    "extensions/KHR_materials_specular/specularColorTexture",
    "extensions/KHR_materials_anisotropy/anisotropyTexture",
    "extensions/KHR_materials_clearcoat/clearcoatTexture",
    "extensions/KHR_materials_clearcoat/clearcoatRoughnessTexture",
    "extensions/KHR_materials_clearcoat/clearcoatNormalTexture",
    "extensions/KHR_materials_iridescence/iridescenceTexture",
    "extensions/KHR_materials_iridescence/iridescenceThicknessTexture",
    "extensions/KHR_materials_sheen/sheenColorTexture",
    "extensions/KHR_materials_sheen/sheenRoughnessTexture",
    "extensions/KHR_materials_transmission/transmissionTexture",
    "extensions/KHR_materials_diffuse_transmission/diffuseTransmissionTexture",
    "extensions/KHR_materials_diffuse_transmission/diffuseTransmissionColorTexture",
    "extensions/KHR_materials_volume/thicknessTexture",
];

/// Every property of [`base`] that can move.
fn groups() -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut alone =
        |pointer: String, floats, range| groups.push(vec![property(pointer, floats, range)]);
    for (path, floats, range) in MATERIAL {
        alone(format!("/materials/0/{path}"), floats, range);
    }
    for texture in TEXTURES {
        let transform = format!("/materials/0/{texture}/extensions/KHR_texture_transform");
        alone(format!("{transform}/offset"), 2, [-2.0, 2.0]);
        alone(format!("{transform}/rotation"), 1, [-3.0, 3.0]);
        alone(format!("{transform}/scale"), 2, [0.1, 2.0]);
    }
    for path in ["translation", "scale"] {
        alone(format!("/nodes/0/{path}"), 3, [-2.0, 2.0]);
    }
    alone("/nodes/0/rotation".to_owned(), 4, [-1.0, 1.0]);
    alone(
        "/nodes/0/extensions/KHR_node_visibility/visible".to_owned(),
        0,
        [0.0, 1.0],
    );
    for owner in ["/nodes/0", "/meshes/0", "/meshes/1"] {
        alone(format!("{owner}/weights"), 3, [-1.0, 1.0]);
        for target in 0..3 {
            alone(format!("{owner}/weights/{target}"), 1, [-1.0, 1.0]);
        }
    }
    let lights = "/extensions/KHR_lights_punctual/lights";
    for light in 0..2 {
        alone(format!("{lights}/{light}/color"), 3, [0.1, 0.9]);
        alone(format!("{lights}/{light}/intensity"), 1, [0.1, 1e11]);
        alone(format!("{lights}/{light}/range"), 1, [0.1, 90.0]);
    }
    alone("/cameras/0/perspective/yfov".to_owned(), 1, [0.01, 2.0]);
    alone(
        "/cameras/0/perspective/aspectRatio".to_owned(),
        1,
        [0.1, 2.0],
    );
    alone("/cameras/1/orthographic/xmag".to_owned(), 1, [1e-9, 1e-8]);
    alone("/cameras/1/orthographic/ymag".to_owned(), 1, [0.1, 1e11]);
    // Both planes leave the room between those at rest; so does the spot's cone.
    for camera in ["/cameras/0/perspective", "/cameras/1/orthographic"] {
        groups.push(vec![
            property(format!("{camera}/znear"), 1, [0.01, 0.1]),
            property(format!("{camera}/zfar"), 1, [0.2, 0.9]),
        ]);
    }
    groups.push(vec![
        property(format!("{lights}/1/spot/innerConeAngle"), 1, [0.6, 0.8]),
        property(format!("{lights}/1/spot/outerConeAngle"), 1, [0.9, 1.5]),
    ]);
    groups
}

/// A file that has all of them at rest.
fn base(file: &mut GltfFile) -> Value {
    let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let attributes = json!({
        "POSITION": file.floats("VEC3", &corners),
        "TEXCOORD_0": file.floats("VEC2", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]),
    });
    let shifts = file.floats("VEC3", &[0.5; 9]);
    let targets: Vec<Value> = (0..3).map(|_| json!({"POSITION": shifts})).collect();
    let primitive = json!({"material": 0, "attributes": attributes, "targets": targets});
    let mut rest = json!({
        "nodes": [
            {"mesh": 0, "weights": [0.25, 0.5, 0.75]},
            {"mesh": 0},
            {"mesh": 1},
            {"camera": 0},
            {"camera": 1},
            {"extensions": {"KHR_lights_punctual": {"light": 0}}},
            {"extensions": {"KHR_lights_punctual": {"light": 1}}},
        ],
        "meshes": [
            {"primitives": [primitive], "weights": [0.5, 0.25, 0.125]},
            {"primitives": [primitive], "weights": [0.0, 0.0, 0.0]},
        ],
        "cameras": [
            {"type": "perspective", "perspective": {"yfov": 1.0, "znear": 1.0, "zfar": 2.0}},
            {"type": "orthographic", "orthographic": {"xmag": 1.0, "ymag": 1.0, "znear": 1.0, "zfar": 2.0}},
        ],
        "extensions": {"KHR_lights_punctual": {"lights": [
            {"type": "point"},
            {"type": "spot", "spot": {"innerConeAngle": 0.1, "outerConeAngle": 0.2}},
        ]}},
        "textures": [{"source": 0}],
        "images": [{"uri": "808080"}],
        "materials": [{"alphaMode": "MASK"}],
    });
    for (path, floats, [_, high]) in MATERIAL {
        let values = vec![high; floats];
        set(
            &mut rest,
            &format!("/materials/0/{path}"),
            floats_as_json(&values),
        );
    }
    for (number, texture) in TEXTURES.iter().enumerate() {
        set(
            &mut rest,
            &format!("/materials/0/{texture}/index"),
            json!(0),
        );
        if number % 2 == 0 {
            let scale = format!("/materials/0/{texture}/extensions/KHR_texture_transform/scale");
            set(&mut rest, &scale, json!([2.0, 3.0]));
        }
    }
    rest
}

fn floats_as_json(values: &[f32]) -> Value {
    match values {
        [value] => json!(value),
        values => json!(values),
    }
}

/// Sets what a JSON pointer names; objects on the way are made.
fn set(file: &mut Value, pointer: &str, value: Value) {
    let mut at = file;
    for part in pointer.split('/').skip(1) {
        at = match part.parse::<usize>() {
            Ok(index) if at.is_array() => &mut at[index],
            _ => &mut at[part],
        };
    }
    *at = value;
}

/// Sets `moved` as a file says it at rest, arrays before their elements.
fn set_directly(file: &mut Value, moved: &[Moved]) {
    let mut sorted = moved.to_vec();
    sorted.sort_by_key(|moved| moved.pointer.split('/').count());
    for Moved {
        pointer,
        values,
        is_switch,
    } in sorted
    {
        let value = if is_switch {
            json!(values[0] != 0.0)
        } else {
            floats_as_json(&values)
        };
        set(file, &pointer, value);
    }
}

/// An animation of a second that brings `moved` to their values at its end, as `interpolation` says; its channels are in
/// this order.
fn animation(file: &mut GltfFile, moved: &[Moved], interpolation: &str) -> Value {
    let times = file.floats("SCALAR", &[0.0, 1.0]);
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    for (
        number,
        Moved {
            pointer,
            values,
            is_switch,
        },
    ) in moved.iter().enumerate()
    {
        // Weights are scalars, however many there are.
        let shape = match values.len() {
            _ if pointer.contains("/weights") => "SCALAR",
            1 => "SCALAR",
            2 => "VEC2",
            3 => "VEC3",
            _ => "VEC4",
        };
        let interpolation = if *is_switch { "STEP" } else { interpolation };
        let start = vec![0.375; values.len()];
        let slope = vec![5.0; values.len()];
        let output = match interpolation {
            "CUBICSPLINE" => [&slope, &start, &slope, &slope, values, &slope]
                .map(|list| list.as_slice())
                .concat(),
            _ => [&start[..], values].concat(),
        };
        let output = file.floats(shape, &output);
        samplers.push(json!({"input": times, "output": output, "interpolation": interpolation}));
        channels.push(json!({
            "sampler": number,
            "target": {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}},
        }));
    }
    json!({"channels": channels, "samplers": samplers})
}

/// All that a frame of a scene holds, wherever the scene keeps it.
struct Seen {
    /// Placements of the instances.
    places: Vec<[f32; 16]>,
    /// Everything else, a line for each number.
    lines: Vec<String>,
}

impl Seen {
    fn of(scene: &Scene, choice: AnimationChoice, seconds: f32) -> Self {
        let state = scene.state_at(choice, seconds);
        let pose = scene.pose_at(choice, seconds);
        let mut seen = Vec::new();
        for instance in &state.instances {
            let material: &Material = state.material(scene, instance.material);
            let weights = &instance.morph_weights;
            let weights = &state.morph_weights[weights.start as usize..weights.end as usize];
            seen.push(format!("{:?}, {weights:?}: {material:#?}", instance.mesh));
        }
        seen.extend(state.lights.iter().map(|light| format!("{light:#?}")));
        for (node, _) in scene.camera_nodes() {
            let camera = scene.placed_camera(&pose, node).expect("a camera");
            let projection: Projection = camera.projection;
            seen.push(format!("{projection:#?}"));
        }
        let places = state
            .instances
            .iter()
            .map(|it| it.world_from_local.to_cols_array());
        Self {
            places: places.collect(),
            lines: seen.join("\n").lines().map(str::to_owned).collect(),
        }
    }

    /// First difference to `expected`: in its text, or in a placement by more than rotations are rounded.
    fn difference(&self, expected: &Self) -> Option<String> {
        let lines = self.lines.iter().zip(&expected.lines);
        let differing = lines.filter(|(found, expected)| found != expected);
        let mut lines = differing.map(|(found, expected)| format!("{found}, expected {expected}"));
        let near = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-5;
        let places = self
            .places
            .as_flattened()
            .iter()
            .zip(expected.places.as_flattened());
        let counts = [self, expected].map(|seen| (seen.lines.len(), seen.places.len()));
        let placed = counts[0] == counts[1] && { places }.all(near);
        let others =
            || (!placed).then(|| format!("{:?}, expected {:?}", self.places, expected.places));
        lines.next().or_else(others)
    }
}

/// Compares `moved`, played by one animation or several, with a file that has their values at rest.
fn assert_as_at_rest(moved: &[Moved], animations: usize, interpolation: &str) {
    let mut file = GltfFile::default();
    let mut rest = base(&mut file);
    let part = moved.len().div_ceil(animations.max(1)).max(1);
    let playing = moved
        .chunks(part)
        .map(|moved| animation(&mut file, moved, interpolation));
    let playing: Vec<Value> = playing.collect();
    rest["animations"] = playing.into();
    let animated = file.load(rest);
    let what = format!("{interpolation} in {animations}: {moved:#?}");
    assert_eq!(animated.warnings, [""; 0], "{what}");
    let mut file = GltfFile::default();
    let mut rest = base(&mut file);
    set_directly(&mut rest, moved);
    let direct = file.load(rest);
    let found = Seen::of(&animated, AnimationChoice::All, 1.0);
    let expected = Seen::of(&direct, AnimationChoice::None, 0.0);
    if let Some(difference) = found.difference(&expected) {
        panic!("{difference}: {what}");
    }
}

fn value(random: &mut Random, property: &Property) -> Moved {
    let [low, high] = property.range;
    let is_switch = property.floats == 0;
    let values = match property.floats {
        0 => vec![random.below(2) as f32],
        floats => (0..floats).map(|_| random.between(low, high)).collect(),
    };
    Moved {
        pointer: property.pointer.clone(),
        values,
        is_switch,
    }
}

const INTERPOLATIONS: [&str; 3] = ["STEP", "LINEAR", "CUBICSPLINE"];

#[test]
fn pointer_alone_is_as_the_value_at_rest() {
    let mut random = Random(1);
    for (number, group) in groups().iter().enumerate() {
        let mut moved: Vec<Moved> = group.iter().map(|it| value(&mut random, it)).collect();
        assert_as_at_rest(&moved, 1, INTERPOLATIONS[number % 3]);
        moved.reverse();
        assert_as_at_rest(&moved, 1, INTERPOLATIONS[(number + 1) % 3]);
    }
}

#[test]
fn pointers_together_are_as_the_values_at_rest_in_any_order() {
    let mut random = Random(2);
    let groups = groups();
    for case in 0..150 {
        let share = random.unit();
        let mut moved = Vec::new();
        for group in &groups {
            if random.unit() < share {
                moved.extend(group.iter().map(|it| value(&mut random, it)));
            }
        }
        // A pointer is the target of one channel (glTF 2.0, 3.11).
        moved.sort_by(|a, b| a.pointer.cmp(&b.pointer));
        moved.dedup_by(|a, b| a.pointer == b.pointer);
        random.shuffle(&mut moved);
        assert_as_at_rest(&moved, 1, INTERPOLATIONS[case % 3]);
        // Weights as a whole replace what animations before have set.
        moved.retain(|moved| !moved.pointer.ends_with("/weights"));
        assert_as_at_rest(&moved, 1 + random.below(4), INTERPOLATIONS[case % 3]);
    }
}

#[test]
fn pointers_to_both_factors_of_an_emission_multiply() {
    let strength = "/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength";
    for (rest, factor, multiple) in [
        (json!({"emissiveFactor": [1, 1, 1]}), [0.5, 0.25, 0.0], 4.0),
        (json!({}), [0.5, 0.25, 0.0], 4.0),
        (json!({"emissiveFactor": [1, 1, 1]}), [1.0, 1.0, 1.0], 0.0),
        (
            json!({"extensions": {"KHR_materials_emissive_strength": {}}}),
            [1.0, 0.5, 0.0],
            2.0,
        ),
    ] {
        let moved = [
            Moved {
                pointer: "/materials/0/emissiveFactor".into(),
                values: factor.to_vec(),
                is_switch: false,
            },
            Moved {
                pointer: strength.into(),
                values: vec![multiple],
                is_switch: false,
            },
        ];
        for order in [[0, 1], [1, 0]] {
            for animations in 1..=2 {
                let mut file = GltfFile::default();
                let mut json = base(&mut file);
                json["materials"] = json!([rest]);
                let moved = order.map(|at| moved[at].clone());
                let part = 2 / animations;
                let playing: Vec<Value> = moved
                    .chunks(part)
                    .map(|moved| animation(&mut file, moved, "LINEAR"))
                    .collect();
                json["animations"] = playing.into();
                let scene = file.load(json);
                let at = |seconds: f32| {
                    let state = scene.state_at(AnimationChoice::All, seconds);
                    state
                        .material(&scene, state.instances[0].material)
                        .emissive
                        .to_array()
                };
                let what = format!("{rest}, {order:?} in {animations}");
                assert_eq!(at(1.0), factor.map(|f| f * multiple), "{what}");
                let half = factor.map(|f| (0.375 + f) / 2.0 * (0.375 + multiple) / 2.0);
                assert_eq!(at(0.5), half, "{what}: half way, each by itself");
            }
        }
    }
}

/// Weights of the instances, each drawn with three targets, at the end of what the file says.
fn weights(says: impl FnOnce(&mut GltfFile, &mut Value)) -> Vec<[f32; 3]> {
    let mut file = GltfFile::default();
    let mut rest = base(&mut file);
    says(&mut file, &mut rest);
    let scene = file.load(rest);
    let state = scene.state_at(AnimationChoice::All, 1.0);
    let of_instances = state.morph_weights.chunks_exact(3);
    of_instances.map(|it| [it[0], it[1], it[2]]).collect()
}

fn weight(pointer: &str, values: &[f32]) -> Moved {
    Moved {
        pointer: pointer.into(),
        values: values.to_vec(),
        is_switch: false,
    }
}

#[test]
fn pointer_to_one_weight_leaves_the_others_to_the_mesh() {
    let found = weights(|file, rest| {
        let moved = [
            weight("/nodes/1/weights/2", &[9.0]),
            weight("/meshes/0/weights/0", &[7.0]),
        ];
        rest["animations"] = json!([animation(file, &moved, "LINEAR")]);
    });
    let expected = [[0.25, 0.5, 0.75], [7.0, 0.25, 9.0], [0.0; 3]];
    assert_eq!(
        found, expected,
        "the node's own, one of the mesh's replaced, another mesh"
    );
}

#[test]
fn pointer_to_one_weight_goes_beside_an_ordinary_channel() {
    let found = weights(|file, rest| {
        let moved = [weight("/nodes/0/weights/1", &[9.0])];
        let mut playing = animation(file, &moved, "STEP");
        let times = file.floats("SCALAR", &[0.0, 1.0]);
        let whole = file.floats("SCALAR", &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
        let samplers = playing["samplers"].as_array_mut().expect("a list");
        samplers.push(json!({"input": times, "output": whole}));
        let channels = playing["channels"].as_array_mut().expect("a list");
        channels.push(json!({"sampler": 1, "target": {"node": 0, "path": "weights"}}));
        rest["animations"] = json!([playing]);
    });
    assert_eq!(
        found[0],
        [1.0, 9.0, 3.0],
        "the element, and the array for the others"
    );
}

#[test]
fn pointer_to_one_weight_takes_normalized_bytes() {
    let found = weights(|file, rest| {
        let mut playing = animation(file, &[weight("/nodes/0/weights/0", &[0.0])], "LINEAR");
        playing["samplers"][0]["output"] = file.bytes("SCALAR", true, &[0, 51]).into();
        rest["animations"] = json!([playing]);
    });
    assert_eq!(found[0], [0.2, 0.5, 0.75], "51 of 255");
}

#[test]
fn pointer_to_a_weight_that_is_not_there_is_left_out() {
    for pointer in [
        "/nodes/0/weights/3",
        "/meshes/0/weights/3",
        "/nodes/0/weights/4294967296",
        "/nodes/0/weights/-",
        "/nodes/0/weights/-1",
        "/nodes/0/weights/+1",
        "/nodes/0/weights/01",
        "/nodes/0/weights/",
        "/nodes/0/weights/0/0",
        "/nodes/3/weights/0",
    ] {
        let mut file = GltfFile::default();
        let mut rest = base(&mut file);
        rest["animations"] = json!([animation(&mut file, &[weight(pointer, &[9.0])], "LINEAR")]);
        let scene = file.load(rest);
        let [warning] = &scene.warnings[..] else {
            panic!("{pointer}: {:?}", scene.warnings);
        };
        assert!(
            warning.contains(pointer) && warning.ends_with("left out"),
            "{warning}"
        );
    }
}
