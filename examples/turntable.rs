//! A glTF file turned once round, as numbered PNGs: `cargo run --release --example turntable -- SCENE.glb 36 out/`.

use std::error::Error;
use std::f32::consts::TAU;

use azulejo::render::output::png;
use azulejo::render::{Recording, Renderer, SimdLevel};
use azulejo::scene::{AnimationChoice, Orbit, gltf};
use azulejo::shot::{Eye, Shot};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().ok_or("expected SCENE.glb FRAMES FOLDER");
    let (input, frames, folder) = (next()?, next()?.parse::<u32>()?, next()?);
    let scene = gltf::load_path(input.as_ref(), &gltf::LoadOptions::default())?;
    let bounds = scene.bounds(&scene.state_at(AnimationChoice::All, 0.0));
    let size = bounds.ok_or("the scene draws nothing")?.diagonal();
    let shot = Shot::scene(scene);
    let mut renderer = Renderer::new(0, SimdLevel::Auto)?;
    std::fs::create_dir_all(&folder)?;
    for number in 0..frames {
        let orbit = |target_world| Orbit {
            theta: TAU * number as f32 / frames as f32,
            phi: 1.3,
            radius: 0.5 * size / 0.35_f32.sin(), // So that the ball around it fills the height.
            target_world,
            y_fov: 0.7,
        };
        let camera = shot.content.orbit_camera(None, orbit);
        let turned = shot.clone().seen_from(Eye::Placed(camera));
        let picture = turned.draw(&mut renderer, 0, Recording::Off).picture;
        let file = format!("{folder}/{number:04}.png");
        std::fs::write(file, png::encode(&picture, &[])?)?;
    }
    Ok(())
}
