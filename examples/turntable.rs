//! A glTF file turned once round, as numbered PNGs: `cargo run --release --example turntable -- SCENE.glb 36 out/`.

use std::error::Error;
use std::f32::consts::TAU;

use azulejo::render::output::png;
use azulejo::render::{FrameInput, Recording, RenderSettings, Renderer, SimdLevel};
use azulejo::scene::{AnimationChoice, Environment, Orbit, gltf};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().ok_or("expected SCENE.glb FRAMES FOLDER");
    let (input, frames, folder) = (next()?, next()?.parse::<u32>()?, next()?);
    let scene = gltf::load_path(input.as_ref(), &gltf::LoadOptions::default())?;
    let mut state = scene.state_at(AnimationChoice::All, 0.0);
    let bounds = scene.bounds(&state).ok_or("the scene draws nothing")?;
    let (settings, environment) = (RenderSettings::default(), Environment::builtin());
    let mut renderer = Renderer::new(0, SimdLevel::Auto)?;
    let mut orbit = Orbit {
        theta: 0.0,
        phi: 1.3,
        radius: 0.5 * bounds.diagonal() / 0.35_f32.sin(), // So that the ball around it fills the height.
        target_world: bounds.center(),
        y_fov: 0.7,
    };
    std::fs::create_dir_all(&folder)?;
    for number in 0..frames {
        orbit.theta = TAU * number as f32 / frames as f32;
        let camera = orbit.camera(Some(bounds));
        let view = camera.view(settings.width, settings.height);
        state.sort_blended(&scene, view.eye_world);
        let mut input = FrameInput::new(&scene, &state, &view, &settings);
        input.environment = Some(&environment);
        let picture = renderer.draw(&input.draws(), Recording::Off).picture;
        let file = format!("{folder}/{number:04}.png");
        std::fs::write(file, png::encode(&picture, &[])?)?;
    }
    Ok(())
}
