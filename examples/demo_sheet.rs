//! Every demo at three moments on one sheet, as the README shows them: for looking at what a change did to all of them.
//!
//!     cargo run --release --example demo_sheet -- OUT.jpg [FRAME FRAME FRAME]

use std::error::Error;

use azulejo::demo::{DEFAULT_SEED, DEMOS};
use azulejo::render::{Recording, Renderer, SimdLevel};
use azulejo::shot::Shot;
use image::imageops::{FilterType, overlay, resize};
use image::{Rgb, RgbImage};

/// Size of one picture in pixels.
const CELL: (u32, u32) = (240, 135);
/// Pictures are drawn larger and made small, as games are not played at this size.
const DRAWN: (u32, u32) = (960, 540);
/// Demos in a row of the sheet.
const COLUMNS: u32 = 2;
/// Gap between demos, in pixels.
const GAP: u32 = 6;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let out = arguments
        .next()
        .ok_or("usage: demo_sheet OUT.jpg [FRAME FRAME FRAME]")?;
    let frames: Vec<u64> = arguments
        .map(|word| word.parse())
        .collect::<Result<_, _>>()?;
    let moments = <[u64; 3]>::try_from(frames).unwrap_or([77, 300, 600]);
    let mut renderer = Renderer::new(0, SimdLevel::Auto)?;
    let rows = (DEMOS.len() as u32).div_ceil(COLUMNS);
    let strip = (3 * CELL.0 + GAP, CELL.1 + GAP);
    let mut sheet = RgbImage::new(COLUMNS * strip.0 - GAP, rows * strip.1 - GAP);
    for (nth, demo) in (0..).zip(DEMOS) {
        let shot = Shot::show(demo.start(DEFAULT_SEED)).sized(DRAWN.0, DRAWN.1);
        let (x, y) = (nth % COLUMNS * strip.0, nth / COLUMNS * strip.1);
        for (at, frame) in (0..).zip(moments) {
            let picture = draw(&mut renderer, &shot, frame);
            let small = resize(&picture, CELL.0, CELL.1, FilterType::Triangle);
            overlay(&mut sheet, &small, (x + at * CELL.0).into(), y.into());
        }
    }
    sheet.save(out)?;
    Ok(())
}

fn draw(renderer: &mut Renderer, shot: &Shot, number: u64) -> RgbImage {
    let picture = shot.draw(renderer, number, Recording::Off).picture;
    RgbImage::from_fn(picture.width, picture.height, |x, y| {
        let [r, g, b, _] = picture.pixels[(y * picture.width + x) as usize];
        Rgb([r, g, b])
    })
}
