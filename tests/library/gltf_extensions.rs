//! Extensions that say what a scene consists of and how it changes: copies, variants, visibility, pointers of animations.
//! Each file is made here and small enough that what it must become can be said in advance.

use azulejo::render::{Background, FrameInput, Recording, RenderSettings, Renderer, SimdLevel};
use azulejo::scene::gltf::{EXTENSIONS, LoadError, LoadOptions, Viewer, load};
use azulejo::scene::{
    AnimationChoice, FrameState, LightInstance, LightKind, Material, Projection, Scene,
};
use glam::{Vec2, Vec3, Vec4};

/// A buffer of floats, and accessors into it.
#[derive(Default)]
struct Floats {
    values: Vec<f32>,
    views: Vec<String>,
    accessors: Vec<String>,
}

impl Floats {
    /// Adds an accessor; its position.
    fn add(&mut self, shape: &str, values: &[f32]) -> usize {
        let width = ["SCALAR", "VEC2", "VEC3", "VEC4"];
        let width = 1 + width.iter().position(|w| *w == shape).expect("a shape");
        let (offset, length) = (self.values.len() * 4, values.len() * 4);
        self.views.push(format!(
            r#"{{"buffer":0,"byteOffset":{offset},"byteLength":{length}}}"#
        ));
        let (view, count) = (self.views.len() - 1, values.len() / width);
        self.accessors.push(format!(
            r#"{{"bufferView":{view},"componentType":5126,"type":"{shape}","count":{count}}}"#
        ));
        self.values.extend(values);
        view
    }

    /// A file with a triangle as mesh 0 and `rest`, loaded.
    fn load(mut self, rest: &str, options: &LoadOptions) -> Result<Scene, LoadError> {
        let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let position = self.add("VEC3", &corners);
        let rest = rest.replace(
            "TRIANGLE",
            &format!(r#""attributes":{{"POSITION":{position}}}"#),
        );
        let (views, accessors) = (self.views.join(","), self.accessors.join(","));
        let length = self.values.len() * 4;
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"uri":"floats","byteLength":{length}}}],
"bufferViews":[{views}],"accessors":[{accessors}],{rest}}}"#
        );
        let bytes: Vec<u8> = self.values.iter().flat_map(|v| v.to_le_bytes()).collect();
        load(json.into_bytes(), &|_: &str| Ok(bytes.clone()), options)
    }

    fn load_plain(self, rest: &str) -> Scene {
        let scene = self
            .load(rest, &LoadOptions::default())
            .expect("a sound file");
        assert_eq!(scene.warnings, [""; 0], "nothing to say");
        scene
    }
}

fn at(scene: &Scene, seconds: f32) -> FrameState {
    scene.state_at(AnimationChoice::All, seconds)
}

fn origins(state: &FrameState) -> Vec<Vec3> {
    let instances = state.instances.iter();
    instances
        .map(|i| i.world_from_local.w_axis.truncate())
        .collect()
}

/// The material of the first thing that is drawn.
fn material<'a>(scene: &'a Scene, state: &'a FrameState) -> &'a Material {
    state.material(scene, state.instances[0].material)
}

#[test]
fn copies_are_placed_below_their_node() {
    let mut floats = Floats::default();
    let shifts = floats.add("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 2.0]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let turns = floats.add(
        "VEC4",
        &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half, 0.0, 0.0, 0.0, 1.0],
    );
    let sizes = floats.add("VEC3", &[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 3.0, 3.0, 3.0]);
    let scene = floats.load_plain(&format!(
        r#""nodes":[{{"mesh":0,"translation":[10,0,0],"scale":[2,2,2],"extensions":{{"EXT_mesh_gpu_instancing":{{
"attributes":{{"TRANSLATION":{shifts},"ROTATION":{turns},"SCALE":{sizes}}}}}}}}}],
"meshes":[{{"primitives":[{{TRIANGLE}},{{TRIANGLE}}]}}]"#
    ));
    let state = at(&scene, 0.0);
    let three = [Vec3::X * 10.0, Vec3::X * 12.0, Vec3::new(10.0, 0.0, 4.0)];
    assert_eq!(
        origins(&state),
        [three, three].concat(),
        "each primitive in all copies"
    );
    let image = |copy: usize, point: Vec3| {
        state.instances[copy]
            .world_from_local
            .transform_point3(point)
    };
    let turned = image(1, Vec3::X);
    assert!(
        (turned - Vec3::new(12.0, 2.0, 0.0)).length() < 1e-5,
        "{turned}"
    );
    assert_eq!(
        image(2, Vec3::Y),
        Vec3::new(10.0, 6.0, 4.0),
        "three times as large"
    );
}

#[test]
fn copies_that_accessors_do_not_agree_about_are_refused() {
    let mut floats = Floats::default();
    let shifts = floats.add("VEC3", &[0.0; 6]);
    let sizes = floats.add("VEC3", &[1.0; 9]);
    let rest = format!(
        r#""nodes":[{{"name":"trees","mesh":0,"extensions":{{"EXT_mesh_gpu_instancing":{{
"attributes":{{"TRANSLATION":{shifts},"SCALE":{sizes}}}}}}}}}],"meshes":[{{"primitives":[{{TRIANGLE}}]}}]"#
    );
    let error = floats
        .load(&rest, &LoadOptions::default())
        .expect_err("2 and 3");
    assert_eq!(
        error.to_string(),
        "node 0 'trees': EXT_mesh_gpu_instancing: 2 copies by one accessor, 3 by another"
    );
}

#[test]
fn copies_without_a_finite_place_are_left_out() {
    let mut floats = Floats::default();
    let shifts = floats.add("VEC3", &[0.0, 0.0, f32::NAN, 1.0, 2.0, 3.0]);
    let rest = format!(
        r#""nodes":[{{"mesh":0,"extensions":{{"EXT_mesh_gpu_instancing":{{"attributes":{{"TRANSLATION":{shifts}}}}}}}}}],
"meshes":[{{"primitives":[{{TRIANGLE}}]}}]"#
    );
    let scene = floats
        .load(&rest, &LoadOptions::default())
        .expect("a sound file");
    assert_eq!(
        origins(&at(&scene, 0.0)),
        [Vec3::new(1.0, 2.0, 3.0)],
        "the other"
    );
    assert_eq!(
        scene.warnings,
        ["node 0: 1 copies have no finite placement: left out"]
    );
}

const SHOE: &str = r#""nodes":[{"mesh":0}],"materials":[{"name":"own"},{"name":"red"},{"name":"blue"}],
"extensions":{"KHR_materials_variants":{"variants":[{"name":"beach"},{"name":"street"},{"name":"night"}]}},
"meshes":[{"primitives":[{TRIANGLE,"material":0,"extensions":{"KHR_materials_variants":{"mappings":[
{"material":1,"variants":[0]},{"material":2,"variants":[1,7]}]}}},{TRIANGLE,"material":0}]}]"#;

fn worn(variant: Option<&str>) -> Result<Vec<String>, LoadError> {
    let options = LoadOptions {
        variant: variant.map(str::to_owned),
        ..LoadOptions::default()
    };
    let scene = Floats::default().load(SHOE, &options)?;
    assert_eq!(
        scene.variants,
        ["beach", "street", "night"],
        "names to choose from"
    );
    let state = at(&scene, 0.0);
    let name = |i: &azulejo::scene::Instance| state.material(&scene, i.material).name.clone();
    Ok(state.instances.iter().map(name).collect())
}

#[test]
fn variants_change_the_materials_that_they_name() {
    let expected = [
        (None, ["own", "own"]),
        (Some("beach"), ["red", "own"]),
        (Some("street"), ["blue", "own"]),
        (Some("night"), ["own", "own"]),
        (Some("1"), ["blue", "own"]),
    ];
    for (variant, materials) in expected {
        assert_eq!(worn(variant).expect("sound"), materials, "{variant:?}");
    }
    let error = worn(Some("snow")).expect_err("there is none").to_string();
    assert_eq!(
        error,
        "material variants: 'snow' is asked for; the file has 3: variant 0 'beach', variant 1 'street', variant 2 'night'"
    );
}

#[test]
fn hidden_nodes_hide_what_is_below_them_and_its_lights() {
    let scene = Floats::default().load_plain(
        r#""scenes":[{"nodes":[0,3]}],"nodes":[{"mesh":0,"children":[1],"extensions":{"KHR_node_visibility":{"visible":false}}},
{"mesh":0,"camera":0,"children":[2],"extensions":{"KHR_node_visibility":{"visible":true}}},
{"extensions":{"KHR_lights_punctual":{"light":0}}},
{"mesh":0,"translation":[5,0,0],"extensions":{"KHR_node_visibility":{}}}],
"cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":0.1}}],
"extensions":{"KHR_lights_punctual":{"lights":[{"type":"point"}]}},
"meshes":[{"primitives":[{TRIANGLE}]}]"#,
    );
    let state = at(&scene, 0.0);
    assert_eq!(origins(&state), [Vec3::X * 5.0], "only the one elsewhere");
    assert!(state.lights.is_empty(), "no light from hidden nodes");
    let pose = scene.pose_at(AnimationChoice::None, 0.0);
    let (node, _) = scene.camera_nodes().next().expect("a camera");
    assert!(
        scene.placed_camera(&pose, node).is_some(),
        "cameras see from there"
    );
}

/// An animation of one second whose only channels are `pointers`, each with its values at 0 and 1.
fn animation(floats: &mut Floats, pointers: &[(&str, &str, &[f32])]) -> String {
    let times = floats.add("SCALAR", &[0.0, 1.0]);
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    for (number, (path, shape, values)) in pointers.iter().enumerate() {
        let output = floats.add(shape, values);
        samplers.push(format!(r#"{{"input":{times},"output":{output}}}"#));
        channels.push(format!(
            r#"{{"sampler":{number},"target":{{"path":"pointer","extensions":{{"KHR_animation_pointer":{{"pointer":"{path}"}}}}}}}}"#
        ));
    }
    let (channels, samplers) = (channels.join(","), samplers.join(","));
    format!(r#""animations":[{{"channels":[{channels}],"samplers":[{samplers}]}}]"#)
}

const COLORED: &str = r#""nodes":[{"mesh":0},{"camera":0},{"extensions":{"KHR_lights_punctual":{"light":0}}}],
"materials":[{"emissiveFactor":[1,0.5,0],"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"extensions":{"KHR_texture_transform":{"scale":[2,3]}}}},
"extensions":{"KHR_materials_emissive_strength":{"emissiveStrength":4}}}],
"textures":[{"source":0}],"images":[{"uri":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}],
"cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":0.1}}],
"extensions":{"KHR_lights_punctual":{"lights":[{"type":"spot","spot":{"outerConeAngle":0.5}}]}},
"meshes":[{"primitives":[{TRIANGLE,"material":0}]}]"#;

fn animated(pointers: &[(&str, &str, &[f32])]) -> Scene {
    let mut floats = Floats::default();
    let animation = animation(&mut floats, pointers);
    let rest = format!("{COLORED},{animation}");
    let scene = floats
        .load(&rest, &LoadOptions::default())
        .expect("a sound file");
    assert!(
        scene.warnings.iter().all(|w| w.contains("TEXCOORD_0")),
        "{:?}",
        scene.warnings
    );
    scene
}

#[test]
fn pointer_animates_factors_of_a_material() {
    let scene = animated(&[
        (
            "/materials/0/pbrMetallicRoughness/baseColorFactor",
            "VEC4",
            &[1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0],
        ),
        (
            "/materials/0/pbrMetallicRoughness/roughnessFactor",
            "SCALAR",
            &[0.0, 1.0],
        ),
        (
            "/materials/0/emissiveFactor",
            "VEC3",
            &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0],
        ),
    ]);
    let state = at(&scene, 0.25);
    let found = material(&scene, &state);
    assert_eq!(
        found.base_color,
        Vec4::new(0.75, 0.25, 0.0, 0.75),
        "a quarter of the way"
    );
    assert_eq!(found.roughness, 0.25, "roughness");
    assert_eq!(found.emissive, Vec3::ONE, "a quarter, times the strength");
    assert_eq!(scene.materials[0].base_color, Vec4::ONE, "the scene stays");
    let rest = scene.state_at(AnimationChoice::None, 0.25);
    assert_eq!(material(&scene, &rest).base_color, Vec4::ONE, "at rest");
}

#[test]
fn pointer_animates_emissive_strength() {
    let path = "/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength";
    let scene = animated(&[(path, "SCALAR", &[0.0, 8.0])]);
    let state = at(&scene, 0.5);
    let emissive = material(&scene, &state).emissive;
    assert_eq!(emissive, Vec3::new(4.0, 2.0, 0.0), "the factor times 4");
}

#[test]
fn pointer_animates_parts_of_a_texture_transform_together() {
    let transform =
        "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform";
    let (offset, rotation) = (
        format!("{transform}/offset"),
        format!("{transform}/rotation"),
    );
    let quarter = std::f32::consts::FRAC_PI_2;
    let scene = animated(&[
        (&offset, "VEC2", &[0.0, 0.0, 2.0, 4.0]),
        (&rotation, "SCALAR", &[quarter, quarter]),
    ]);
    let state = at(&scene, 0.5);
    let slot = material(&scene, &state)
        .base_color_texture
        .expect("a texture");
    // Scaled by (2, 3) as at rest, then turned: u goes up, which is against v.
    let uv = slot.transform.transform_point2(Vec2::X);
    assert!((uv - Vec2::new(1.0, 0.0)).length() < 1e-5, "{uv}");
    let uv = slot.transform.transform_point2(Vec2::Y);
    assert!((uv - Vec2::new(4.0, 2.0)).length() < 1e-5, "{uv}");
}

#[test]
fn pointer_animates_lights_cameras_nodes_and_visibility() {
    let scene = animated(&[
        (
            "/extensions/KHR_lights_punctual/lights/0/intensity",
            "SCALAR",
            &[0.0, 10.0],
        ),
        (
            "/extensions/KHR_lights_punctual/lights/0/color",
            "VEC3",
            &[1.0, 1.0, 1.0, 1.0, 0.0, 0.0],
        ),
        ("/cameras/0/perspective/yfov", "SCALAR", &[0.5, 1.5]),
        (
            "/nodes/0/translation",
            "VEC3",
            &[0.0, 0.0, 0.0, 4.0, 0.0, 0.0],
        ),
        (
            "/nodes/1/extensions/KHR_node_visibility/visible",
            "SCALAR",
            &[0.0, 0.0],
        ),
    ]);
    let state = at(&scene, 0.5);
    assert_eq!(
        state.lights[0].radiance,
        Vec3::new(5.0, 2.5, 2.5),
        "colour times intensity"
    );
    assert_eq!(origins(&state), [Vec3::X * 2.0], "the node moved");
    let pose = scene.pose_at(AnimationChoice::All, 0.5);
    assert!(pose.hidden[1] && !pose.hidden[0], "one node is hidden");
    let (node, _) = scene.camera_nodes().next().expect("a camera");
    let camera = scene.placed_camera(&pose, node).expect("its place");
    let Projection::Perspective { y_fov, .. } = camera.projection else {
        panic!("{camera:?}");
    };
    assert_eq!(y_fov, 1.0, "the lens");
    assert_eq!(scene.animations[0].duration, 1.0, "its length");
}

/// A triangle with a material up to its extensions.
const LAYERED: &str = r#""nodes":[{"mesh":0}],"textures":[{"source":0}],
"images":[{"uri":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}],
"meshes":[{"primitives":[{TRIANGLE,"material":0}]}],"materials":[{"pbrMetallicRoughness":{"metallicFactor":0},"extensions":"#;

/// A factor of an extension: the extension, the factor, its shape, what it is at the animation's end, and what of the extension goes
/// with it at any time.
type Factor = (
    &'static str,
    &'static str,
    &'static str,
    &'static [f32],
    &'static str,
);

const FACTORS: [Factor; 17] = [
    ("clearcoat", "clearcoatFactor", "SCALAR", &[0.5], ""),
    (
        "clearcoat",
        "clearcoatRoughnessFactor",
        "SCALAR",
        &[0.5],
        r#""clearcoatFactor":1,"#,
    ),
    ("sheen", "sheenColorFactor", "VEC3", &[0.5, 0.25, 1.0], ""),
    (
        "sheen",
        "sheenRoughnessFactor",
        "SCALAR",
        &[0.5],
        r#""sheenColorFactor":[1,1,1],"#,
    ),
    ("anisotropy", "anisotropyStrength", "SCALAR", &[0.5], ""),
    (
        "anisotropy",
        "anisotropyRotation",
        "SCALAR",
        &[1.5],
        r#""anisotropyStrength":1,"#,
    ),
    ("iridescence", "iridescenceFactor", "SCALAR", &[0.5], ""),
    (
        "iridescence",
        "iridescenceIor",
        "SCALAR",
        &[2.0],
        r#""iridescenceFactor":1,"#,
    ),
    (
        "iridescence",
        "iridescenceThicknessMinimum",
        "SCALAR",
        &[200.0],
        r#""iridescenceFactor":1,"#,
    ),
    (
        "iridescence",
        "iridescenceThicknessMaximum",
        "SCALAR",
        &[800.0],
        r#""iridescenceFactor":1,"#,
    ),
    ("transmission", "transmissionFactor", "SCALAR", &[0.5], ""),
    (
        "diffuse_transmission",
        "diffuseTransmissionFactor",
        "SCALAR",
        &[0.5],
        "",
    ),
    (
        "diffuse_transmission",
        "diffuseTransmissionColorFactor",
        "VEC3",
        &[0.5, 0.25, 1.0],
        r#""diffuseTransmissionFactor":1,"#,
    ),
    ("volume", "thicknessFactor", "SCALAR", &[0.5], ""),
    ("volume", "attenuationDistance", "SCALAR", &[0.5], ""),
    ("volume", "attenuationColor", "VEC3", &[0.5, 0.25, 1.0], ""),
    ("dispersion", "dispersion", "SCALAR", &[2.0], ""),
];

/// The extensions of a material that has this one, saying so.
fn extensions(name: &str, says: &str) -> String {
    let own = format!(
        r#""KHR_materials_{name}":{{{}}}"#,
        says.trim_end_matches(',')
    );
    match name {
        "volume" => format!(r#"{{"KHR_materials_transmission":{{"transmissionFactor":1}},{own}}}"#),
        "dispersion" => format!(
            r#"{{"KHR_materials_transmission":{{"transmissionFactor":1}},"KHR_materials_volume":{{"thicknessFactor":1}},{own}}}"#
        ),
        _ => format!("{{{own}}}"),
    }
}

#[test]
fn pointer_brings_every_factor_of_a_layer_to_what_a_file_may_say_at_rest() {
    for (name, factor, shape, values, says) in FACTORS {
        let mut floats = Floats::default();
        let path = format!("/materials/0/extensions/KHR_materials_{name}/{factor}");
        let zeros = vec![0.0; values.len()];
        let keys = [&zeros[..], values].concat();
        let animation = animation(&mut floats, &[(&path, shape, &keys)]);
        let moved = extensions(name, says);
        let moved = floats.load_plain(&format!("{LAYERED}{moved}}}],{animation}"));
        let text = match values {
            [value] => format!("{value}"),
            values => format!("{values:?}"),
        };
        let fixed = extensions(name, &format!(r#"{says}"{factor}":{text}"#));
        let fixed = Floats::default().load_plain(&format!("{LAYERED}{fixed}}}]"));
        let state = at(&moved, 1.0);
        assert_eq!(
            *material(&moved, &state),
            fixed.materials[0],
            "{path}: as the other file says"
        );
        assert_ne!(
            *material(&moved, &at(&moved, 0.0)),
            fixed.materials[0],
            "{path}: not before"
        );
    }
}

#[test]
fn pointer_to_a_layer_of_no_factor_draws_it_once_it_covers_something() {
    let mut floats = Floats::default();
    let path = "/materials/0/extensions/KHR_materials_transmission/transmissionFactor";
    let animation = animation(&mut floats, &[(path, "SCALAR", &[0.0, 1.0])]);
    let scene = |says: &str, animation: &str| {
        format!(
            "{LAYERED}{}}}]{animation}",
            extensions("transmission", says)
        )
    };
    let moved = floats.load_plain(&scene("", &format!(",{animation}")));
    let half = r#""transmissionFactor":0.5"#;
    let fixed = Floats::default().load_plain(&scene(half, ""));
    let plain = Floats::default().load_plain(&scene("", ""));
    let mut renderer = Renderer::new(1, SimdLevel::Auto).expect("one thread is always there");
    let settings = RenderSettings {
        width: 32,
        height: 32,
        background: Background::Color(Vec3::new(0.1, 0.5, 0.9)),
        ..RenderSettings::default()
    };
    let mut drawn = |scene: &Scene, seconds| {
        let mut state = at(scene, seconds);
        state.lights.push(LightInstance {
            kind: LightKind::Directional,
            radiance: Vec3::splat(2.0),
            position_world: Vec3::ZERO,
            direction_world: Vec3::new(0.3, 0.1, -1.0).normalize(),
            range: f32::INFINITY,
        });
        let view = scene.framing_camera(&state, 1.0).view(32, 32);
        let input = FrameInput::new(scene, &state, &view, &settings);
        renderer.draw(&input.draws(), Recording::Off).picture
    };
    let [at_first, later] = [0.0, 0.5].map(|seconds| drawn(&moved, seconds));
    assert!(at_first == drawn(&plain, 0.0), "nothing comes through yet");
    assert!(later == drawn(&fixed, 0.0), "half of it");
    assert!(later != at_first, "which is seen");
}

/// Textures of layers: the extension's name, the slot, and what makes the layer be there.
const LAYER_TEXTURES: [(&str, &str, &str); 12] = [
    ("clearcoat", "clearcoatTexture", r#""clearcoatFactor":1,"#),
    (
        "clearcoat",
        "clearcoatRoughnessTexture",
        r#""clearcoatFactor":1,"#,
    ),
    (
        "clearcoat",
        "clearcoatNormalTexture",
        r#""clearcoatFactor":1,"#,
    ),
    (
        "sheen",
        "sheenColorTexture",
        r#""sheenColorFactor":[1,1,1],"#,
    ),
    (
        "sheen",
        "sheenRoughnessTexture",
        r#""sheenColorFactor":[1,1,1],"#,
    ),
    (
        "anisotropy",
        "anisotropyTexture",
        r#""anisotropyStrength":1,"#,
    ),
    (
        "iridescence",
        "iridescenceTexture",
        r#""iridescenceFactor":1,"#,
    ),
    (
        "iridescence",
        "iridescenceThicknessTexture",
        r#""iridescenceFactor":1,"#,
    ),
    (
        "transmission",
        "transmissionTexture",
        r#""transmissionFactor":1,"#,
    ),
    (
        "diffuse_transmission",
        "diffuseTransmissionTexture",
        r#""diffuseTransmissionFactor":1,"#,
    ),
    (
        "diffuse_transmission",
        "diffuseTransmissionColorTexture",
        r#""diffuseTransmissionFactor":1,"#,
    ),
    ("volume", "thicknessTexture", ""),
];

#[test]
fn pointer_animates_the_texture_transform_of_every_layer() {
    for (name, texture, says) in LAYER_TEXTURES {
        let with = |transform: &str| {
            let says = format!(
                r#"{says}"{texture}":{{"index":0,"extensions":{{"KHR_texture_transform":{{"scale":[2,3]{transform}}}}}}}"#
            );
            format!("{LAYERED}{}}}]", extensions(name, &says))
        };
        let mut floats = Floats::default();
        let path = format!(
            "/materials/0/extensions/KHR_materials_{name}/{texture}/extensions/KHR_texture_transform/offset"
        );
        let animation = animation(&mut floats, &[(&path, "VEC2", &[0.0, 0.0, 0.5, 0.25])]);
        let options = LoadOptions::default();
        let load = |floats: Floats, rest: &str| floats.load(rest, &options).expect("a sound file");
        let moved = load(floats, &format!("{},{animation}", with("")));
        let fixed = load(Floats::default(), &with(r#","offset":[0.5,0.25]"#));
        let state = at(&moved, 1.0);
        assert_eq!(*material(&moved, &state), fixed.materials[0], "{path}");
        assert_ne!(moved.materials[0], fixed.materials[0], "{path}: at rest");
    }
}

#[test]
fn pointer_to_a_layer_that_the_material_lacks_is_left_out() {
    let mut floats = Floats::default();
    let path = "/materials/0/extensions/KHR_materials_sheen/sheenRoughnessFactor";
    let animation = animation(&mut floats, &[(path, "SCALAR", &[0.0, 1.0])]);
    let scene = floats.load(&format!("{COLORED},{animation}"), &LoadOptions::default());
    let warnings = scene.expect("a sound file").warnings;
    let left_out = |warning: &String| warning.ends_with("not have that extension: left out");
    assert!(warnings.iter().any(left_out), "{warnings:?}");
}

#[test]
fn pointer_to_nothing_is_left_out_with_its_name() {
    let mut floats = Floats::default();
    let animation = animation(
        &mut floats,
        &[
            ("/materials/0/doubleSided", "SCALAR", &[0.0, 1.0]),
            ("/nodes/9/scale", "VEC3", &[1.0; 6]),
        ],
    );
    let scene = floats.load(&format!("{COLORED},{animation}"), &LoadOptions::default());
    let warnings = scene.expect("a sound file").warnings;
    for expected in [
        "animation 0, channel 0 (/materials/0/doubleSided): nothing that can be animated is there: left out",
        "animation 0, channel 1 (/nodes/9/scale): there is no such node: left out",
    ] {
        assert!(
            warnings.iter().any(|w| w == expected),
            "{expected}: {warnings:?}"
        );
    }
}

#[test]
fn pointer_to_the_light_of_the_surroundings_is_left_out_with_its_whole_name() {
    let long = format!(
        "/extensions/EXT_lights_image_based/lights/0/{}",
        "x".repeat(116)
    );
    assert_eq!(long.len(), 160, "the longest that is shown whole");
    for path in [
        "/extensions/EXT_lights_image_based/lights/0/intensity",
        "/extensions/EXT_lights_image_based/lights/0/rotation",
        "/extensions/EXT_lights_image_based/lights/0/irradianceCoefficients",
        "/scenes/0/extensions/EXT_lights_image_based/light",
        "/extensions/KHR_lights_image_based/imageBasedLights/0/intensity",
        &long,
    ] {
        let mut floats = Floats::default();
        let animation = animation(&mut floats, &[(path, "SCALAR", &[0.0, 1.0])]);
        let scene = floats.load(&format!("{COLORED},{animation}"), &LoadOptions::default());
        let expected = format!(
            "animation 0, channel 0 ({path}): the light of the surroundings does not move, as its levels are made once, \
             when the file is loaded: left out"
        );
        let warnings = scene.expect("a sound file").warnings;
        assert!(warnings.contains(&expected), "{path}: {warnings:?}");
    }
    let mut floats = Floats::default();
    let animation = animation(&mut floats, &[(&format!("{long}y"), "SCALAR", &[0.0, 1.0])]);
    let scene = floats.load(&format!("{COLORED},{animation}"), &LoadOptions::default());
    let warnings = scene.expect("a sound file").warnings.join("\n");
    assert!(
        warnings.contains(&format!("({long}...)")),
        "cut behind 160: {warnings}"
    );
}

#[test]
fn pointer_changes_the_picture() {
    let mut floats = Floats::default();
    let path = "/materials/0/pbrMetallicRoughness/baseColorFactor";
    let values = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0];
    let animation = animation(&mut floats, &[(path, "VEC4", &values)]);
    let scene = floats.load_plain(&format!(
        r#""nodes":[{{"mesh":0}}],"materials":[{{"extensions":{{"KHR_materials_unlit":{{}}}}}}],
"meshes":[{{"primitives":[{{TRIANGLE,"material":0}}]}}],{animation}"#
    ));
    let mut renderer = Renderer::new(1, SimdLevel::Auto).expect("one thread is always there");
    let settings = RenderSettings {
        width: 32,
        height: 32,
        background: Background::Transparent,
        ..RenderSettings::default()
    };
    let mut middle = |seconds| {
        let state = at(&scene, seconds);
        let view = scene.framing_camera(&state, 1.0).view(32, 32);
        let input = FrameInput::new(&scene, &state, &view, &settings);
        let picture = renderer.draw(&input.draws(), Recording::Counters).picture;
        picture.pixels[18 * 32 + 12]
    };
    let [r, _, b, a] = middle(0.0);
    assert!(r > 200 && b < 50 && a == 255, "red at first: {r} {b} {a}");
    let [r, _, b, _] = middle(1.0);
    assert!(r < 50 && b > 200, "blue at last: {r} {b}");
}

#[test]
fn specular_glossiness_becomes_a_dielectric_of_its_own_reflectance() {
    let scene = Floats::default().load_plain(
        r#""nodes":[{"mesh":0}],"materials":[{"pbrMetallicRoughness":{"baseColorFactor":[0,0,0,1],"metallicFactor":1},
"extensions":{"KHR_materials_pbrSpecularGlossiness":{"diffuseFactor":[0.5,0.25,0.125,0.75],"specularFactor":[0.9,0.6,0.3],
"glossinessFactor":0.75}}}],"meshes":[{"primitives":[{TRIANGLE,"material":0}]}]"#,
    );
    let material = &scene.materials[0];
    assert_eq!(
        material.base_color,
        Vec4::new(0.5, 0.25, 0.125, 0.75),
        "diffuse"
    );
    assert_eq!(
        (material.metallic, material.roughness),
        (0.0, 0.25),
        "no metal"
    );
    assert_eq!(
        material.dielectric_f0(),
        Vec3::new(0.9, 0.6, 0.3),
        "reflects as it says"
    );
}

#[test]
fn specular_glossiness_texture_is_roughness_turned_around() {
    let picture = image::RgbaImage::from_fn(4, 1, |x, _| {
        image::Rgba([x as u8, 50, 60, [0, 85, 170, 255][x as usize]])
    });
    let mut png = std::io::Cursor::new(Vec::new());
    let written = picture.write_to(&mut png, image::ImageFormat::Png);
    written.expect("a PNG in memory");
    let json = r#"{"asset":{"version":"2.0"},"buffers":[{"uri":"b","byteLength":36}],"bufferViews":[{"buffer":0,"byteLength":36}],
"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3},{"componentType":5126,"type":"VEC2","count":3}],
"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1},"material":0}]}],
"materials":[{"extensions":{"KHR_materials_pbrSpecularGlossiness":{"glossinessFactor":0.6,"specularGlossinessTexture":{"index":0}}}}],
"textures":[{"source":0}],"images":[{"uri":"p.png"}]}"#;
    let png = png.into_inner();
    let resolve = |name: &str| {
        Ok(if name == "p.png" {
            png.clone()
        } else {
            vec![0; 36]
        })
    };
    let scene = load(json.as_bytes().to_vec(), &resolve, &LoadOptions::default()).expect("sound");
    let material = &scene.materials[0];
    assert_eq!(material.roughness, 1.0, "the texture has it all");
    let image = |slot: Option<azulejo::scene::TextureRef>| {
        let texture = scene.textures[slot.expect("a texture").texture.index()];
        &scene.images[texture.image.index()]
    };
    let roughness = image(material.metallic_roughness_texture);
    let found = [0, 1, 2, 3].map(|x| roughness.texel(0, x, 0)[1]);
    let expected = [0.0, 85.0, 170.0, 255.0].map(|gloss: f64| (255.0 - gloss * 0.6).round() as u8);
    assert_eq!(found, expected, "1 - glossiness");
    let color = image(material.specular_color_texture);
    assert_eq!(
        color.texel(0, 3, 0)[..3],
        [3, 50, 60],
        "the colour is read as it is"
    );
}

#[test]
fn extensions_table_of_the_guide_is_that_of_the_program() {
    let guide = include_str!("../../src/guide/formats.md");
    for extension in EXTENSIONS {
        let others = Viewer::ALL.map(|(viewer, _)| extension.viewers.contains(&viewer));
        let cells = [&[extension.is_drawn()][..], &others].concat();
        let cells: String = cells
            .iter()
            .map(|&drawn| if drawn { " yes |" } else { " |" })
            .collect();
        let row = format!("| `{}` |{cells}\n", extension.name);
        assert!(guide.contains(&row), "{row}");
    }
}

#[test]
fn extensions_that_are_not_drawn_say_what_looks_different() {
    let scene = Floats::default().load(
        r#""extensionsUsed":["EXT_lights_ies","VENDOR_unknown","EXT_mesh_gpu_instancing"],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{TRIANGLE}]}]"#,
        &LoadOptions::default(),
    );
    assert_eq!(
        scene.expect("a sound file").warnings,
        [
            "EXT_lights_ies is not supported: lamps shine to all sides alike, without the profile that was measured of them",
            "VENDOR_unknown is not supported: drawn without it",
        ]
    );
}

/// A file whose scene is lit by six faces of one colour each, stored as RGBD, and with what its JSON says of the light.
fn lit(light: &str) -> Scene {
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[],"extensions":{{"EXT_lights_image_based":{{"light":0}}}}}}],
"extensionsRequired":["EXT_lights_image_based"],"extensions":{{"EXT_lights_image_based":{{"lights":[{{{light}}}]}}}},
"images":[{{"uri":"0"}},{{"uri":"1"}},{{"uri":"2"}},{{"uri":"3"}},{{"uri":"4"}},{{"uri":"5"}}]}}"#
    );
    let face = |name: &str| {
        let mut color = image::Rgba([0, 0, 0, 51]);
        let number: usize = name.parse().expect("a number");
        color.0[number % 3] = if number < 3 { 255 } else { 188 };
        let mut png = std::io::Cursor::new(Vec::new());
        let picture = image::RgbaImage::from_pixel(8, 8, color);
        let written = picture.write_to(&mut png, image::ImageFormat::Png);
        written
            .map(|()| png.into_inner())
            .map_err(std::io::Error::other)
    };
    load(json.into_bytes(), &face, &LoadOptions::default()).expect("a sound file")
}

#[test]
fn image_based_light_of_the_scene_is_its_environment() {
    let scene = lit(
        r#""intensity":2,"rotation":[0,0.70710678,0,0.70710678],"specularImageSize":8,
"irradianceCoefficients":[],"specularImages":[[0,1,2,3,4,5]]"#,
    );
    assert_eq!(scene.warnings, [""; 0], "nothing to say");
    let environment = scene.environment.expect("its light");
    // A quarter turn around +Y brings +Z to +X and +X to -Z. Alpha 51 of 255 makes everything five times as bright.
    let full = 2.0 * 5.0;
    let half = full * ((188.0_f32 / 255.0 + 0.055) / 1.055).powf(2.4);
    let expected = [
        (Vec3::NEG_Z, Vec3::X * full),
        (Vec3::Z, Vec3::Y * full),
        (Vec3::Y, Vec3::Z * full),
        (Vec3::NEG_Y, Vec3::X * half),
        (Vec3::X, Vec3::Y * half),
        (Vec3::NEG_X, Vec3::Z * half),
    ];
    for (towards, radiance) in expected {
        let found = environment.sample(0.0, towards);
        assert!(
            (found - radiance).length() < 0.05,
            "{towards}: {found} for {radiance}"
        );
    }
}

#[test]
fn image_based_light_that_cannot_be_read_leaves_a_warning() {
    let cases = [
        (r#""specularImages":[]"#, "its light has no images"),
        (
            r#""specularImages":[[0,1,2,3,4,9]]"#,
            "refers to image 9 of 6",
        ),
        (r#""intensity":1"#, "missing field"),
    ];
    for (light, expected) in cases {
        let scene = lit(light);
        assert!(scene.environment.is_none(), "{light}");
        assert!(scene.warnings[0].contains(expected), "{:?}", scene.warnings);
    }
}
