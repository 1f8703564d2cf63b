//! A fragment program in WGSL, run for every pixel of a picture: `@location(0)` is the place in the picture, from 0 to 1.
//! `cargo run --release --example wgsl -- shaders/rings.wgsl main OUT.png`

use std::error::Error;

use azulejo::shader::{LANES_OF_BATCH, Module, NoTextures, Resources, Runner, Slot};
use azulejo::simd::SimdLevel;

/// Edge of the picture in pixels; batches are 64 pixels, 32 by 2.
const SIZE: u32 = 512;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, entry, out] = &arguments[..] else {
        return Err("usage: wgsl FILE.wgsl ENTRY OUT.png".into());
    };
    let module =
        Module::parse(&std::fs::read_to_string(file)?).map_err(|e| format!("{file}:{e}"))?;
    let code = module
        .compile(entry, &[])
        .map_err(|e| format!("{file}:{e}"))?;
    let mut resources = Resources::new(&code, &NoTextures);
    let runner = Runner::new(&code, SimdLevel::Auto.backend()?, &mut resources)?;
    let mut batch = runner.batch();
    let mut picture = image::RgbaImage::new(SIZE, SIZE);
    for y in (0..SIZE).step_by(2) {
        for x in (0..SIZE).step_by(32) {
            // Quads lie together: lanes 0 1 above lanes 2 3.
            let pixel = |lane: u32| [x + lane / 4 * 2 + lane % 2, y + lane / 2 % 2];
            for axis in 0..2 {
                let places: [u32; LANES_OF_BATCH] = std::array::from_fn(|lane| {
                    let middle = pixel(lane as u32)[axis] as f32 + 0.5;
                    (middle / SIZE as f32).to_bits()
                });
                runner.set(&mut batch, (Slot::Location(0), axis), &places);
            }
            runner.run(&mut batch, u64::MAX, &mut resources)?;
            for channel in 0..4 {
                let output = runner.output(&batch, (Slot::Location(0), channel));
                let values = output.ok_or("the program has no colour at location 0")?;
                for (lane, bits) in (0..).zip(values) {
                    let value = f32::from_bits(bits).clamp(0.0, 1.0).powf(1.0 / 2.2);
                    let [x, y] = pixel(lane);
                    picture.get_pixel_mut(x, y)[channel] = (value * 255.0 + 0.5) as u8;
                }
            }
        }
    }
    picture.save(out)?;
    Ok(())
}
