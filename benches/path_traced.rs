//! Pictures of glTF files beside those of the tests' path tracer: `cargo bench --bench path_traced -- LIGHT.hdr FILE.. [--out FOLDER]
//! [--samples N] [--size N]`. Prints for each file how far apart the two are (root of the mean square over RGB, 0 to 255) and how much lighter
//! the renderer's is; keeps both pictures in FOLDER, side by side, numbered as files have the same names.

#[path = "../tests/path_tracer/mod.rs"]
mod path_tracer;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Instant;

use azulejo::render::Renderer;
use azulejo::scene::gltf::LoadOptions;
use azulejo::scene::{AnimationChoice, Environment, load_path};
use azulejo::simd::SimdLevel;
use glam::Vec3;
use image::{ImageReader, RgbaImage};
use path_tracer::beside::{Beside, GREY};
use path_tracer::{Panorama, Shot};

type AnyError = Box<dyn std::error::Error>;

struct Options {
    light: PathBuf,
    files: Vec<PathBuf>,
    out: Option<PathBuf>,
    samples: u32,
    size: u32,
}

impl Options {
    /// None without arguments: cargo runs all benches so.
    fn of(args: impl Iterator<Item = String>) -> Result<Option<Self>, AnyError> {
        let mut args = args.filter(|arg| arg != "--bench");
        let Some(light) = args.next() else {
            return Ok(None);
        };
        let mut options = Self {
            light: light.into(),
            files: Vec::new(),
            out: None,
            samples: 128,
            size: 256,
        };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(format!("{arg} needs a value"));
            match arg.as_str() {
                "--out" => options.out = Some(value()?.into()),
                "--samples" => options.samples = number(&arg, &value()?, 1..=1 << 20)?,
                "--size" => options.size = number(&arg, &value()?, 8..=4096)?,
                _ => options.files.push(arg.into()),
            }
        }
        if options.files.is_empty() {
            return Err("no file: give LIGHT.hdr, then glTF files".into());
        }
        Ok(Some(options))
    }
}

fn number(name: &str, value: &str, range: RangeInclusive<u32>) -> Result<u32, AnyError> {
    let number = value.parse().ok().filter(|number| range.contains(number));
    let expected = || format!("{name}: {value} is no number from {range:?}");
    Ok(number.ok_or_else(expected)?)
}

fn panorama(path: &Path) -> Result<Panorama, AnyError> {
    let picture = ImageReader::open(path)?.decode()?.into_rgb32f();
    let (width, height) = picture.dimensions();
    let radiance = picture.pixels().map(|pixel| Vec3::from_array(pixel.0));
    Ok(Panorama::new(
        width as usize,
        height as usize,
        radiance.collect(),
    ))
}

fn compare(
    path: &Path,
    light: &Panorama,
    environment: &Environment,
    options: &Options,
    renderer: &mut Renderer,
) -> Result<Beside, AnyError> {
    let scene = load_path(path, &LoadOptions::default())?;
    let state = scene.state_at(AnimationChoice::All, 0.0);
    let size = [options.size, options.size * 3 / 4];
    let camera = scene.framing_camera(&state, 4.0 / 3.0);
    let shot = Shot {
        scene: &scene,
        state: &state,
        view: &camera.view(size[0], size[1]),
        light,
        background: GREY,
        size,
        samples: options.samples,
    };
    Ok(Beside::of(&shot, environment, renderer))
}

/// The renderer's at the left.
fn keep(beside: &Beside, path: &Path) -> Result<(), AnyError> {
    let (width, height) = (beside.drawn.width, beside.drawn.height);
    let pixel = |x: u32, y: u32| {
        let (picture, x) = if x < width {
            (&beside.drawn, x)
        } else {
            (&beside.traced[0], x - width)
        };
        image::Rgba(picture.pixels[(y * width + x) as usize])
    };
    Ok(RgbaImage::from_fn(2 * width, height, pixel).save(path)?)
}

#[expect(clippy::print_stdout, reason = "what a bench is for")]
fn main() -> Result<(), AnyError> {
    let Some(options) = Options::of(std::env::args().skip(1))? else {
        return Ok(());
    };
    let light = panorama(&options.light)
        .map_err(|error| format!("{}: {error}", options.light.display()))?;
    let (width, height, radiance) = light.pixels();
    let environment = Environment::from_equirect(width, height, radiance)?;
    let mut renderer = Renderer::new(2, SimdLevel::Auto)?;
    if let Some(out) = &options.out {
        std::fs::create_dir_all(out)?;
    }
    println!("{:>8} {:>8} {:>6}  file", "distance", "lighter", "s");
    for (number, path) in options.files.iter().enumerate() {
        let begun = Instant::now();
        let beside = compare(path, &light, &environment, &options, &mut renderer)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let seconds = begun.elapsed().as_secs_f64();
        println!(
            "{:8.2} {:+8.2} {seconds:6.1}  {}",
            beside.rmse(),
            beside.bias(),
            path.display()
        );
        if let Some(out) = &options.out {
            let name = path.file_stem().unwrap_or_default().display();
            keep(&beside, &out.join(format!("{number:03}-{name}.png")))?;
        }
    }
    Ok(())
}
