//! Draws a glTF file to a PNG with the library: `cargo run --release --example render_gltf -- SCENE.glb OUT.png`.

use std::error::Error;
use std::path::Path;

use azulejo::render::output::png;
use azulejo::render::{Recording, Renderer, SimdLevel};
use azulejo::scene::gltf;
use azulejo::shot::{Eye, Shot};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output] = arguments.as_slice() else {
        return Err("expected two arguments: SCENE.glb OUT.png".into());
    };
    let scene = gltf::load_path(Path::new(input), &gltf::LoadOptions::default())?;
    // All of the scene, at the start of its animations, before the built-in sky.
    let shot = Shot::scene(scene).sized(1280, 720).seen_from(Eye::Whole);
    let mut renderer = Renderer::new(0, SimdLevel::Auto)?;
    let frame = shot.draw(&mut renderer, 0, Recording::Off);
    let picture = png::encode(&frame.picture, &[("Software", "azulejo")])?;
    std::fs::write(output, picture)?;
    Ok(())
}
