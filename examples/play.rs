//! A demo that plays itself: its frames as numbered PNGs, and how many a second were drawn. `azulejo view DEMO` plays it in a
//! window. `cargo run --release --example play -- match3 120 out/`

use std::error::Error;
use std::time::{Duration, Instant};

use azulejo::render::output::png;
use azulejo::render::{Recording, Renderer, SimdLevel};
use azulejo::shot::Shot;

#[expect(clippy::print_stdout, reason = "a program for people")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().ok_or("expected DEMO FRAMES FOLDER");
    let (name, frames, folder) = (next()?, next()?.parse::<u64>()?, next()?);
    let shot = Shot::demo(&name)?.sized(1280, 720);
    let mut renderer = Renderer::new(0, SimdLevel::Auto)?;
    let mut drawing = Duration::ZERO;
    std::fs::create_dir_all(&folder)?;
    for number in 0..frames {
        let start = Instant::now();
        let picture = shot.draw(&mut renderer, number, Recording::Off).picture;
        drawing += start.elapsed();
        let file = format!("{folder}/{number:04}.png");
        std::fs::write(file, png::encode(&picture, &[])?)?;
        renderer.recycle(picture);
    }
    let rate = frames as f64 / drawing.as_secs_f64();
    println!("{frames} frames of {name}, {rate:.1} frames per second");
    Ok(())
}
