//! Draws a glTF file to a PNG with the library: `cargo run --release --example render_gltf -- SCENE.glb OUT.png`.

use std::error::Error;
use std::path::Path;

use azulejo::render::output::png;
use azulejo::render::{Background, FrameInput, Recording, RenderSettings, Renderer, SimdLevel};
use azulejo::scene::{AnimationChoice, Environment, Scene, gltf};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output] = arguments.as_slice() else {
        return Err("expected two arguments: SCENE.glb OUT.png".into());
    };
    let scene = gltf::load_path(Path::new(input), &gltf::LoadOptions::default())?;
    let picture = draw(&scene)?;
    std::fs::write(output, picture)?;
    Ok(())
}

/// The scene at the start of its animations, framed, as the bytes of a PNG file.
fn draw(scene: &Scene) -> Result<Vec<u8>, Box<dyn Error>> {
    let settings = RenderSettings {
        width: 1280,
        height: 720,
        background: Background::Environment,
        ..RenderSettings::default()
    };
    let mut state = scene.state_at(AnimationChoice::All, 0.0);
    let view = scene
        .framing_camera(&state, 16.0 / 9.0)
        .view(settings.width, settings.height);
    // Blended instances are drawn from back to front.
    state.sort_blended(scene, view.eye_world);

    let mut renderer = Renderer::new(0, SimdLevel::Auto)?;
    let environment = Environment::builtin();
    let input = FrameInput {
        environment: Some(&environment),
        ..FrameInput::new(scene, &state, &view, &settings)
    };
    let frame = renderer.draw(&input.draws(), Recording::Off);
    Ok(png::encode(&frame.picture, &[("Software", "azulejo")])?)
}
