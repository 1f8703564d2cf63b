//! Rules of glTF 2.0 that a picture shows: files made here, drawn small without light from around, and a pixel that follows
//! from the specification in closed form.

use crate::gltf_file::GltfFile;
use azulejo::render::{
    Background, FrameInput, Picture, Recording, RenderSettings, Renderer, ToneMap,
};
use azulejo::scene::{AnimationChoice, Projection, Scene, View};
use azulejo::simd::SimdLevel;
use glam::{DMat4, DVec3, Mat4, Quat, Vec3};
use serde_json::{Value, json};

const SIZE: u32 = 16;

/// Corners of a panel over the whole picture, counter-clockwise seen from +Z.
const PANEL: [f32; 12] = [
    -1.0, -1.0, 0.0, 1.0, -1.0, 0.0, -1.0, 1.0, 0.0, 1.0, 1.0, 0.0,
];

/// The picture of `scene` from +Z, 2 m wide and high, over black.
fn drawn(scene: &Scene, seconds: f32) -> Picture {
    let state = scene.state_at(AnimationChoice::All, seconds);
    let lens = Projection::Orthographic {
        x_mag: 1.0,
        y_mag: 1.0,
        near: 0.0,
        far: 10.0,
    };
    let view = View::through(&lens, Mat4::from_translation(Vec3::Z * 5.0), SIZE, SIZE);
    let settings = RenderSettings {
        width: SIZE,
        height: SIZE,
        background: Background::Color(Vec3::ZERO),
        tone_map: ToneMap::None,
        ..RenderSettings::default()
    };
    let input = FrameInput::new(scene, &state, &view, &settings);
    let mut renderer = Renderer::new(1, SimdLevel::Auto).expect("one thread is always there");
    renderer.draw(&input.draws(), Recording::Off).picture
}

/// The brightest value of each channel, where points and lines leave most of the picture black.
fn brightest(picture: &Picture) -> [u8; 3] {
    let channel = |k: usize| picture.pixels.iter().map(|pixel| pixel[k]).max();
    [0, 1, 2].map(|k| channel(k).unwrap_or(0))
}

/// A linear value as the picture has it (IEC 61966-2-1).
fn srgb(linear: f64) -> f64 {
    let linear = linear.clamp(0.0, 1.0);
    let encoded = if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    };
    255.0 * encoded
}

fn assert_color(found: [u8; 3], linear: [f64; 3], tolerance: f64, what: &str) {
    let expected = linear.map(srgb);
    let is_near =
        |(found, expected): (&u8, &f64)| (f64::from(*found) - expected).abs() <= tolerance;
    let near = found.iter().zip(&expected).all(is_near);
    assert!(near, "{what}: {found:?}, expected {expected:?}");
}

/// A file of one mesh with one primitive and one material, at one node.
fn file_of_one(primitive: &Value, material: &Value, rest: &[(&str, Value)]) -> Value {
    let mut file = json!({
        "nodes": [{"mesh": 0}],
        "materials": [material],
        "meshes": [{"primitives": [primitive]}],
    });
    for (key, value) in rest {
        file[*key] = value.clone();
    }
    file
}

fn unlit(base_color: [f32; 4]) -> Value {
    json!({"pbrMetallicRoughness": {"baseColorFactor": base_color}, "extensions": {"KHR_materials_unlit": {}}})
}

/// A panel's vertex colours: the file's values by vertex, and the offset of a morph target.
fn colored(shape: &str, color: &[f32], delta: Option<(&[f32], f32)>, material: &Value) -> Scene {
    let mut file = GltfFile::default();
    let mut primitive = json!({
        "mode": 5, "material": 0,
        "attributes": {
            "POSITION": file.floats("VEC3", &PANEL),
            "COLOR_0": file.floats(shape, &color.repeat(4)),
        },
    });
    let mut rest = file_of_one(&primitive, material, &[]);
    if let Some((delta, weight)) = delta {
        primitive["targets"] = json!([{"COLOR_0": file.floats(shape, &delta.repeat(4))}]);
        rest["meshes"] = json!([{"primitives": [primitive], "weights": [weight]}]);
    }
    file.load(rest)
}

const QUARTER: [f32; 4] = [0.25, 0.25, 0.25, 1.0];

/// Numbers from 0 to 1, the same on every run (Knuth's linear congruential generator).
fn random(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as f64 / f64::from(1_u32 << 31)
}

#[test]
fn vertex_colors_are_limited_component_by_component() {
    let mut seed = 1;
    for case in 0..60 {
        let color: [f32; 3] = std::array::from_fn(|_| (6.0 * random(&mut seed) - 2.0) as f32);
        let scene = colored("VEC3", &color, None, &unlit(QUARTER));
        let found = brightest(&drawn(&scene, 0.0));
        let expected = color.map(|c| 0.25 * f64::from(c).clamp(0.0, 1.0));
        assert_color(found, expected, 1.0, &format!("case {case}: {color:?}"));
    }
}

#[test]
fn vertex_colors_are_limited_once_they_are_morphed() {
    let mut seed = 2;
    for case in 0..60 {
        let mut numbers = || std::array::from_fn(|_| (5.0 * random(&mut seed) - 2.0) as f32);
        let (color, delta): ([f32; 4], [f32; 4]) = (numbers(), numbers());
        let [weight, ..] = numbers();
        let scene = colored("VEC4", &color, Some((&delta, weight)), &unlit(QUARTER));
        let found = brightest(&drawn(&scene, 0.0));
        let expected = [0, 1, 2].map(|k| {
            let sum = f64::from(color[k]) + f64::from(weight) * f64::from(delta[k]);
            0.25 * sum.clamp(0.0, 1.0)
        });
        let what = format!("case {case}: {color:?} + {weight} {delta:?}");
        assert_color(found, expected, 1.0, &what);
    }
}

#[test]
fn vertex_alpha_is_limited_before_it_blends_or_masks() {
    let base = [1.0, 1.0, 1.0, 0.25];
    let (color, delta) = ([1.0, 1.0, 1.0, 1.5], [0.0, 0.0, 0.0, 1.0]);
    for delta in [None, Some((&delta[..], 1.0))] {
        let mut blended = unlit(base);
        blended["alphaMode"] = "BLEND".into();
        let scene = colored("VEC4", &color, delta, &blended);
        let found = brightest(&drawn(&scene, 0.0));
        assert_color(found, [0.25; 3], 1.0, "a quarter over black");
        let mut masked = unlit(base);
        masked["alphaMode"] = "MASK".into();
        masked["alphaCutoff"] = json!(0.3);
        let scene = colored("VEC4", &color, delta, &masked);
        let found = brightest(&drawn(&scene, 0.0));
        assert_eq!(found, [0; 3], "a quarter is below the cutoff");
    }
}

#[test]
fn vertex_colors_in_range_cost_no_instruction() {
    let instructions = |delta: Option<(&[f32], f32)>| {
        let scene = colored("VEC3", &[3.0, 0.5, -1.0], delta, &unlit(QUARTER));
        let state = scene.state_at(AnimationChoice::None, 0.0);
        let view = scene.framing_camera(&state, 1.0).view(SIZE, SIZE);
        let settings = RenderSettings::default();
        let input = FrameInput::new(&scene, &state, &view, &settings);
        let list = input.draws();
        list.draws[0].vertex_program().record().instructions.len()
    };
    let (plain, still) = (instructions(None), instructions(Some((&[0.0; 3], 1.0))));
    assert_eq!(plain, still, "a target that moves no colour");
    let moved = instructions(Some((&[1.0, 0.0, 0.0], 1.0)));
    assert!(
        moved >= plain + 12,
        "deltas are added and limited: {moved} after {plain}"
    );
}

/// A panel of half the picture's size around the node's origin, seen from its front or not at all.
fn is_front_drawn(file: &GltfFile, rest: Value) -> bool {
    brightest(&drawn(&file.load(rest), 0.0)) == [255; 3]
}

/// Every combination of three signs.
fn signs() -> impl Iterator<Item = DVec3> {
    (0..8).map(|bits| {
        [0, 1, 2]
            .map(|axis| if bits >> axis & 1 == 1 { -1.0 } else { 1.0 })
            .into()
    })
}

/// Whether triangles that are counter-clockwise from +Z stay so where `world_from_mesh` takes them.
fn stays_counter_clockwise(world_from_mesh: DMat4) -> bool {
    let [x, y] = [DVec3::X, DVec3::Y].map(|axis| world_from_mesh.transform_vector3(axis));
    x.x * y.y - x.y * y.x > 0.0
}

#[test]
fn skinned_triangles_wind_as_the_node_of_their_mesh_says() {
    let mut file = GltfFile::default();
    let primitive = json!({
        "mode": 5, "material": 0,
        "attributes": {
            "POSITION": file.floats("VEC3", &PANEL.map(|x| 0.5 * x)),
            "JOINTS_0": file.bytes("VEC4", false, &[1, 0, 0, 0].repeat(4)),
            "WEIGHTS_0": file.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(4)),
        },
    });
    // The first joint moves no vertex.
    let unused = [
        [1.0, 1.0, 1.0],
        [-1.0, 1.0, 1.0],
        [0.0, 0.0, 0.0],
        [1.0, 1.0, -1.0],
    ];
    for node in signs() {
        for joint in signs() {
            for (number, unused) in unused.iter().enumerate() {
                for root in [1.0, -1.0] {
                    let rest = json!({
                        "nodes": [
                            {"scale": [root, 1.0, 1.0], "children": [1, 2, 3]},
                            {"mesh": 0, "skin": 0, "scale": node.to_array()},
                            {"scale": unused},
                            {"scale": joint.to_array()},
                        ],
                        "scenes": [{"nodes": [0]}],
                        "skins": [{"joints": [2, 3]}],
                        "materials": [unlit([1.0; 4])],
                        "meshes": [{"primitives": [primitive]}],
                    });
                    let root = DVec3::new(root, 1.0, 1.0);
                    let by_node = (root * node).element_product() > 0.0;
                    let seen = stays_counter_clockwise(DMat4::from_scale(root * joint)) == by_node;
                    assert_eq!(
                        is_front_drawn(&file, rest),
                        seen,
                        "root {root}, node {node}, joint {joint}, unused joint {number}"
                    );
                }
            }
        }
    }
}

#[test]
fn copies_wind_as_node_and_copy_together_say() {
    for node in signs() {
        for copy in signs() {
            let mut file = GltfFile::default();
            let positions = file.floats("VEC3", &PANEL.map(|x| 0.5 * x));
            let scale = file.floats("VEC3", &copy.as_vec3().to_array());
            let copies = json!({"EXT_mesh_gpu_instancing": {"attributes": {"SCALE": scale}}});
            let rest = json!({
                "nodes": [{"mesh": 0, "scale": node.to_array(), "extensions": copies}],
                "materials": [unlit([1.0; 4])],
                "meshes": [{"primitives": [{"mode": 5, "material": 0, "attributes": {"POSITION": positions}}]}],
            });
            let placed = DMat4::from_scale(node * copy);
            let seen = stays_counter_clockwise(placed) == (placed.determinant() > 0.0);
            assert_eq!(
                is_front_drawn(&file, rest),
                seen,
                "node {node}, copy {copy}"
            );
        }
    }
}

#[test]
fn winding_does_not_depend_on_scale() {
    let half_turn = Quat::from_rotation_y(std::f32::consts::PI).to_array();
    for power in [-18, -13, -6, 0, 6, 12] {
        let scale = 10.0_f32.powi(power);
        let mut file = GltfFile::default();
        let positions = file.floats("VEC3", &PANEL.map(|x| 0.5 * x / scale));
        for (mirror, rotation, seen) in [
            (1.0, [0.0, 0.0, 0.0, 1.0], true),
            (-1.0, [0.0, 0.0, 0.0, 1.0], true),
            (1.0, half_turn, false),
            (-1.0, half_turn, false),
        ] {
            let rest = json!({
                "nodes": [{"mesh": 0, "scale": [mirror * scale, scale, scale], "rotation": rotation}],
                "materials": [unlit([1.0; 4])],
                "meshes": [{"primitives": [{"mode": 5, "material": 0, "attributes": {"POSITION": positions}}]}],
            });
            assert_eq!(
                is_front_drawn(&file, rest),
                seen,
                "1e{power}, {mirror}, {rotation:?}"
            );
        }
    }
}

#[test]
fn points_and_lines_without_normals_add_emission_to_their_color() {
    let [base, emission, color] = [[0.5, 0.25, 0.0], [0.0, 0.25, 0.5], [0.5, 1.0, 1.0]];
    let sum = |base: [f64; 3], emission: [f64; 3]| [0, 1, 2].map(|k| base[k] + emission[k]);
    let texel = [1.0, 0.0, 1.0];
    // Points lie in the middle of pixels, lines run along their rows.
    let at = 1.0 / f32::from(SIZE as u16);
    let positions: Vec<f32> = [-0.5, 0.0, 0.5]
        .iter()
        .flat_map(|x| [x + at, at, 0.0])
        .collect();
    for mode in 0..4 {
        for (textured, tinted, is_unlit) in [
            (false, false, false),
            (true, false, false),
            (false, true, false),
            (true, true, false),
            (false, true, true),
        ] {
            let mut file = GltfFile::default();
            let mut attributes = json!({"POSITION": file.floats("VEC3", &positions)});
            let mut material = json!({
                "pbrMetallicRoughness": {"baseColorFactor": [base[0], base[1], base[2], 1.0]},
                "emissiveFactor": emission,
            });
            if tinted {
                let colors = color.map(|c| c as f32).repeat(3);
                attributes["COLOR_0"] = file.floats("VEC3", &colors).into();
            }
            if textured {
                attributes["TEXCOORD_0"] = file.floats("VEC2", &[0.5; 6]).into();
                material["emissiveTexture"] = json!({"index": 0});
            }
            if is_unlit {
                material["extensions"] = json!({"KHR_materials_unlit": {}});
            }
            let primitive = json!({"mode": mode, "material": 0, "attributes": attributes});
            let image = [
                ("textures", json!([{"source": 0}])),
                ("images", json!([{"uri": "FF00FF"}])),
            ];
            let scene = file.load(file_of_one(&primitive, &material, &image));
            let tint = if tinted { color } else { [1.0; 3] };
            let texel = if textured { texel } else { [1.0; 3] };
            let strength = if is_unlit { 0.0 } else { 1.0 };
            let expected = sum(
                [0, 1, 2].map(|k| base[k] * tint[k]),
                [0, 1, 2].map(|k| emission[k] * texel[k] * strength),
            );
            let what =
                format!("mode {mode}, texture {textured}, COLOR_0 {tinted}, unlit {is_unlit}");
            assert_color(brightest(&drawn(&scene, 0.0)), expected, 1.0, &what);
        }
    }
}

#[test]
fn points_and_lines_with_tangents_are_lit_as_their_normal_map_says() {
    let light =
        json!({"KHR_lights_punctual": {"lights": [{"type": "directional", "intensity": 3.0}]}});
    let lit = |mode: u32, tangents: bool| {
        let mut file = GltfFile::default();
        let at = 1.0 / f32::from(SIZE as u16);
        let positions: Vec<f32> = if mode == 5 {
            PANEL.to_vec()
        } else {
            [-0.5, -0.25, 0.25, 0.5]
                .iter()
                .flat_map(|x| [x + at, at, 0.0])
                .collect()
        };
        let mut attributes = json!({
            "POSITION": file.floats("VEC3", &positions),
            "NORMAL": file.floats("VEC3", &[0.0, 0.0, 1.0].repeat(4)),
            "TEXCOORD_0": file.floats("VEC2", &[0.5; 8]),
        });
        if tangents {
            // Any length will do: a vertex's tangent is a direction.
            attributes["TANGENT"] = file.floats("VEC4", &[2.0, 0.0, 0.0, 1.0].repeat(4)).into();
        }
        let material = json!({
            "pbrMetallicRoughness": {"metallicFactor": 0.0},
            "normalTexture": {"index": 0},
        });
        let primitive = json!({"mode": mode, "material": 0, "attributes": attributes});
        // A normal 60 degrees from the surface's.
        let rest = [
            ("textures", json!([{"source": 0}])),
            ("images", json!([{"uri": "EE80BF"}])),
            ("extensions", light.clone()),
            (
                "nodes",
                json!([{"mesh": 0}, {"extensions": {"KHR_lights_punctual": {"light": 0}}}]),
            ),
        ];
        brightest(&drawn(
            &file.load(file_of_one(&primitive, &material, &rest)),
            0.0,
        ))
    };
    let panel = lit(5, true);
    for mode in 0..4 {
        let found = lit(mode, true);
        // The panel's brightest pixel is not where the points are.
        let is_near = |(found, panel): (&u8, &u8)| found.abs_diff(*panel) <= 3;
        let near = found.iter().zip(&panel).all(is_near);
        assert!(near, "mode {mode}: {found:?}, a panel {panel:?}");
        let plain = lit(mode, false);
        assert!(
            plain[0] > panel[0] + 20,
            "mode {mode}: {plain:?} without TANGENT: no normal map"
        );
    }
}
