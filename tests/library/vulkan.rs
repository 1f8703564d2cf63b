//! azulejo against Mesa's lavapipe: equal scenes and shading, two rasterisers and two texture units that share no code. The
//! driver is the oracle for everything that the Vulkan specification fixes: which pixels a triangle covers, and the values
//! that a sampler returns.
//!
//! Without a Vulkan driver that draws on the CPU these tests say `skipped`; with `AZULEJO_REQUIRE_VULKAN=1` they fail.
//! Models come from `../shared`; with `AZULEJO_REQUIRE_SHARED=1` they must be there.
#![expect(clippy::print_stdout, reason = "tests say what they measured")]

mod layers;
#[cfg(feature = "shader")]
mod passes;
#[cfg(feature = "shader")]
mod programs;
mod rules;

use std::path::{Path, PathBuf};

use crate::content::{built_in, shows};
use crate::shared::shared;
use azulejo::grid::SampleCount;
use azulejo::reference::{
    AdapterChoice, Difference, Quality, Reference, ReferenceError, coverage_mismatch, side_by_side,
};
use azulejo::render::{
    Background, FrameInput, Picture, Recording, RenderSettings, Renderer, ToneMap,
};
use azulejo::scene::gltf::{LoadOptions, load_path};
use azulejo::scene::{AnimationChoice, Environment, Scene};
use azulejo::shot::Shot;
use azulejo::simd::SimdLevel;

/// Pixels that one side may cover alone, of 10,000 covered ones: vertices are transformed in single precision on both
/// sides, but not in the same order, so that a vertex may fall on the next 1/256 of a pixel.
const COVERAGE_PER_10_000: f64 = 1.0;

/// Share of covered pixels that may differ by more than 2 of 255 in a channel, where the depth test or the texel decides
/// differently for the same reason.
const OFF_SHARE: f64 = 0.001;

/// Mean difference of covered pixels, of 255: one channel of four is rounded to the other side of an eighth bit.
const MEAN: f64 = 0.25;

const WIDTH: u32 = 1280;
const HEIGHT: u32 = 720;

/// Whether a machine without a driver fails the tests.
fn is_required() -> bool {
    std::env::var_os("AZULEJO_REQUIRE_VULKAN").is_some()
}

/// The driver, or why there is none to test against.
fn reference() -> Option<Reference> {
    match Reference::new(AdapterChoice::Software) {
        Ok(reference) => Some(reference),
        Err(ReferenceError::NoDriver) if !is_required() => {
            crate::common::skipped("no Vulkan driver that draws on the CPU");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// A model of `../shared`. If a driver is required, so is the model as soon as there is a `../shared`.
fn model(file: &str) -> Option<Scene> {
    let Some(path) = shared(&format!("gltf/{file}")) else {
        let is_lost = is_required() && crate::shared::folder().is_dir();
        assert!(!is_lost, "../shared is there, gltf/{file} is not");
        return None;
    };
    let scene = load_path(&path, &LoadOptions::default());
    Some(scene.unwrap_or_else(|error| panic!("{file}: {error}")))
}

/// Settings of a picture beside the scene.
#[derive(Clone, Copy)]
struct Look {
    /// Width and height in pixels.
    size: [u32; 2],
    seconds: f32,
    background: Background,
    samples: SampleCount,
    tone_map: ToneMap,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            size: [WIDTH, HEIGHT],
            seconds: 0.0,
            background: Background::Transparent,
            samples: SampleCount::One,
            tone_map: ToneMap::None,
        }
    }
}

/// Draws `scene` on both sides: ours, theirs.
fn both(reference: &Reference, scene: &Scene, look: Look) -> (Picture, Picture) {
    let mut state = scene.state_at(AnimationChoice::All, look.seconds);
    let [width, height] = look.size;
    let pose = scene.pose_at(AnimationChoice::All, look.seconds);
    let of_scene = scene.camera_nodes().next();
    let camera = of_scene
        .and_then(|(node, _)| scene.placed_camera(&pose, node))
        .unwrap_or_else(|| scene.framing_camera(&state, width as f32 / height as f32));
    let view = camera.view(width, height);
    state.sort_blended(scene, view.eye_world);
    let environment = Environment::builtin();
    let settings = RenderSettings {
        width,
        height,
        background: look.background,
        samples: look.samples,
        tone_map: look.tone_map,
        ..RenderSettings::default()
    };
    let input = FrameInput {
        scene,
        state: &state,
        view: &view,
        environment: Some(&environment),
        settings: &settings,
    };
    draw_both(reference, &input)
}

/// Draws a frame on both sides: ours, theirs.
fn draw_both(reference: &Reference, input: &FrameInput<'_>) -> (Picture, Picture) {
    let name = &input.scene.name;
    let mut renderer = Renderer::new(0, SimdLevel::Auto).expect("threads start");
    let ours = renderer.draw(&input.draws(), Recording::Off).picture;
    let uploaded = reference.upload(input.scene, input.environment, Quality::Exact);
    let uploaded = uploaded.unwrap_or_else(|error| panic!("{name}: {error}"));
    let frame = reference.prepare(&uploaded, input);
    let theirs = frame.and_then(|frame| frame.picture());
    let theirs = theirs.unwrap_or_else(|error| panic!("{name}: {error}"));
    (ours, theirs)
}

/// Fails, and leaves ours | theirs | difference to look at, where the two sides are further apart than allowed.
fn assert_alike(name: &str, (ours, theirs): &(Picture, Picture)) {
    let difference = Difference::between(ours, theirs);
    let mismatch = coverage_mismatch(ours, theirs) as f64;
    let off = difference.off_by_more_than_2 as f64;
    let covered = ours.pixels.iter().filter(|pixel| pixel[3] > 0).count();
    let mean = difference.mean_diff * difference.pixels as f64 / covered.max(1) as f64;
    let alike = mismatch <= COVERAGE_PER_10_000 * 1e-4 * covered as f64
        && off <= OFF_SHARE * covered as f64
        && mean <= MEAN;
    println!("{name}: {covered} covered, {mismatch} by one side only, {difference:?}");
    if !alike {
        let file = write_sheet(name, &side_by_side(ours, theirs));
        panic!(
            "{name}: {mismatch} pixels covered by one side only, {difference:?}, see {}",
            file.display()
        );
    }
    assert!(covered > 1000, "{name}: drawn at all");
}

fn write_sheet(name: &str, sheet: &Picture) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("vulkan-{name}.png"));
    let bytes = sheet.pixels.as_flattened();
    let color = image::ColorType::Rgba8;
    image::save_buffer(&file, bytes, sheet.width, sheet.height, color).expect("target is writable");
    file
}

/// Compares a model, where driver and model are there.
fn compare_model(file: &str, look: Look) {
    if let (Some(reference), Some(scene)) = (reference(), model(file)) {
        assert_alike(&scene.name, &both(&reference, &scene, look));
    }
}

#[test]
fn damaged_helmet_is_drawn_alike() {
    compare_model(
        "DamagedHelmet/glTF-Binary/DamagedHelmet.glb",
        Look::default(),
    );
}

#[test]
fn flight_helmet_is_drawn_alike() {
    compare_model("FlightHelmet/FlightHelmet.gltf", Look::default());
}

#[test]
fn duck_is_drawn_alike() {
    compare_model("Duck/glTF-Binary/Duck.glb", Look::default());
}

#[test]
fn metals_of_any_roughness_are_drawn_alike() {
    compare_model(
        "MetalRoughSpheresNoTextures/glTF-Binary/MetalRoughSpheresNoTextures.glb",
        Look::default(),
    );
}

#[test]
fn specular_reflections_are_drawn_alike() {
    compare_model("SpecularTest/glTF-Binary/SpecularTest.glb", Look::default());
}

#[test]
fn indices_of_refraction_are_drawn_alike() {
    compare_model("blender-io-cases/17_ior/17_ior.gltf", Look::default());
}

#[test]
fn punctual_lights_are_drawn_alike() {
    compare_model(
        "LightsPunctualLamp/glTF/LightsPunctualLamp.gltf",
        Look::default(),
    );
}

#[test]
fn tone_maps_are_drawn_alike() {
    for tone_map in [ToneMap::Neutral, ToneMap::Aces, ToneMap::AcesBoosted] {
        let look = Look {
            tone_map,
            ..Look::default()
        };
        compare_model("Duck/glTF-Binary/Duck.glb", look);
    }
}

#[test]
fn alpha_modes_are_drawn_alike() {
    compare_model(
        "AlphaBlendModeTest/glTF-Binary/AlphaBlendModeTest.glb",
        Look::default(),
    );
}

#[test]
fn sampler_settings_are_drawn_alike() {
    compare_model(
        "TextureSettingsTest/glTF-Binary/TextureSettingsTest.glb",
        Look::default(),
    );
}

#[test]
fn skinned_model_is_drawn_alike_mid_animation() {
    let look = Look {
        seconds: 0.7,
        ..Look::default()
    };
    compare_model("CesiumMan/glTF-Binary/CesiumMan.glb", look);
}

#[test]
fn built_in_scene_is_drawn_alike() {
    if let Some(reference) = reference() {
        let scene = built_in();
        assert_alike(&scene.name, &both(&reference, scene, Look::default()));
    }
}

/// [`Look::default`] with four samples a pixel.
const ANTI_ALIASED: Look = Look {
    size: [WIDTH, HEIGHT],
    seconds: 0.0,
    background: Background::Transparent,
    samples: SampleCount::Four,
    tone_map: ToneMap::None,
};

#[test]
fn samples_of_opaque_models_are_drawn_alike() {
    for tone_map in [ToneMap::None, ToneMap::Neutral] {
        let look = Look {
            tone_map,
            ..ANTI_ALIASED
        };
        compare_model("DamagedHelmet/glTF-Binary/DamagedHelmet.glb", look);
    }
}

#[test]
fn samples_of_masked_and_blended_models_are_drawn_alike() {
    compare_model(
        "AlphaBlendModeTest/glTF-Binary/AlphaBlendModeTest.glb",
        ANTI_ALIASED,
    );
}

#[test]
fn samples_of_the_built_in_scene_are_drawn_alike() {
    if let Some(reference) = reference() {
        let scene = built_in();
        assert_alike(&scene.name, &both(&reference, scene, ANTI_ALIASED));
    }
}

#[test]
fn demos_are_drawn_alike() {
    let Some(reference) = reference() else { return };
    for (name, show) in shows() {
        let shot = Shot::show(show).sized(WIDTH, HEIGHT);
        assert_alike(name, &draw_both(&reference, &shot.at(100).input()));
    }
}
