//! Every model of a folder drawn beside its own screenshot, many to a sheet: for looking at what a change did to pictures.
//!
//!     cargo run --release --example contact_sheet -- MODELS OUT [NAME..]
//!
//! MODELS is searched for .gltf and .glb files (only those whose path contains a NAME, if any is given), and every model's
//! own or parent folder for `screenshot.jpg`. OUT gets sheet.00.png and on. The model in each cell, and the loader's
//! messages, are printed.

use std::error::Error;
use std::path::{Path, PathBuf};

use azulejo::render::{Background, Recording, RenderSettings, Renderer, SimdLevel};
use azulejo::scene::gltf::{LoadOptions, load_path};
use azulejo::scene::{Environment, Scene};
use azulejo::shot::{Content, Eye, Moment, Rest, Shot};
use glam::Vec3;
use image::imageops::{FilterType, overlay, resize};
use image::{Rgba, RgbaImage};

/// Size of one picture in pixels.
const CELL: (u32, u32) = (400, 300);
/// Pairs of pictures across and down a sheet.
const PAIRS: (u32, u32) = (2, 5);

#[expect(clippy::print_stdout, reason = "a program for people")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(models), Some(out)) = (arguments.next(), arguments.next()) else {
        return Err("usage: contact_sheet MODELS OUT [NAME..]".into());
    };
    let names: Vec<String> = arguments.collect();
    std::fs::create_dir_all(&out)?;
    let mut painter = Painter::new()?;
    let mut sheet = Sheet::default();
    for path in find(Path::new(&models), &names)? {
        let scene = match load_path(&path, &LoadOptions::default()) {
            Ok(scene) => scene,
            Err(error) => {
                println!("{}: {error}", path.display());
                continue;
            }
        };
        println!(
            "sheet {:02} cell {}: {}",
            sheet.number,
            sheet.pairs,
            path.display()
        );
        scene
            .warnings
            .iter()
            .for_each(|warning| println!("    {warning}"));
        sheet.add(&painter.draw(scene), screenshot(&path));
        if sheet.pairs == PAIRS.0 * PAIRS.1 {
            sheet.save(Path::new(&out))?;
        }
    }
    sheet.save(Path::new(&out))
}

/// All model files below `folder`, sorted.
fn find(folder: &Path, names: &[String]) -> Result<Vec<PathBuf>, std::io::Error> {
    let mut entries: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::path);
    let mut found = Vec::new();
    for path in entries.into_iter().map(|entry| entry.path()) {
        let wanted = |path: &Path| {
            let path = path.to_string_lossy();
            names.is_empty() || names.iter().any(|name| path.contains(name))
        };
        if path.is_dir() {
            found.extend(find(&path, names)?);
        } else if path.extension().is_some_and(|e| e == "gltf" || e == "glb") && wanted(&path) {
            found.push(path);
        }
    }
    Ok(found)
}

/// The picture that came with a model.
fn screenshot(model: &Path) -> Option<RgbaImage> {
    let folders = model.ancestors().skip(1).take(2);
    let file = folders
        .map(|folder| folder.join("screenshot.jpg"))
        .find(|file| file.exists());
    Some(image::open(file?).ok()?.into_rgba8())
}

/// Draws scenes under one light.
struct Painter {
    renderer: Renderer,
    environment: Environment,
    settings: RenderSettings,
}

impl Painter {
    fn new() -> Result<Self, Box<dyn Error>> {
        let settings = RenderSettings {
            width: CELL.0 * 2,
            height: CELL.1 * 2,
            background: Background::Color(Vec3::splat(0.3)),
            ..RenderSettings::default()
        };
        Ok(Self {
            renderer: Renderer::new(0, SimdLevel::Auto)?,
            environment: Environment::builtin(),
            settings,
        })
    }

    /// The scene a second after its animations have begun, framed.
    fn draw(&mut self, scene: Scene) -> RgbaImage {
        let rest = Rest {
            seconds: 1.0,
            ..Rest::default()
        };
        let content = Content::scene(scene, Some(self.environment.clone())).framed_at(rest);
        let shot = Shot {
            settings: self.settings,
            ..Shot::new(content).seen_from(Eye::Whole)
        };
        let frame = shot.draw(&mut self.renderer, Moment::at(1.0), Recording::Off);
        let picture = frame.picture;
        RgbaImage::from_fn(picture.width, picture.height, |x, y| {
            Rgba(picture.pixels[(y * picture.width + x) as usize])
        })
    }
}

/// Pairs of pictures on their way to a file.
#[derive(Default)]
struct Sheet {
    image: RgbaImage,
    pairs: u32,
    number: u32,
}

impl Sheet {
    fn add(&mut self, ours: &RgbaImage, theirs: Option<RgbaImage>) {
        if self.pairs == 0 {
            let (width, height) = (PAIRS.0 * CELL.0 * 2, PAIRS.1 * CELL.1);
            self.image = RgbaImage::from_pixel(width, height, Rgba([40, 40, 40, 255]));
        }
        let corner = (
            i64::from(self.pairs % PAIRS.0 * CELL.0 * 2),
            i64::from(self.pairs / PAIRS.0 * CELL.1),
        );
        overlay(&mut self.image, &fit(ours), corner.0, corner.1);
        if let Some(theirs) = theirs {
            overlay(
                &mut self.image,
                &fit(&theirs),
                corner.0 + i64::from(CELL.0),
                corner.1,
            );
        }
        self.pairs += 1;
    }

    fn save(&mut self, folder: &Path) -> Result<(), Box<dyn Error>> {
        if self.pairs > 0 {
            self.image
                .save(folder.join(format!("sheet.{:02}.png", self.number)))?;
            self.number += 1;
            self.pairs = 0;
        }
        Ok(())
    }
}

/// A picture made as large as its cell allows.
fn fit(picture: &RgbaImage) -> RgbaImage {
    let (width, height) = picture.dimensions();
    let scale = (CELL.0 as f32 / width as f32).min(CELL.1 as f32 / height as f32);
    let [width, height] = [width, height].map(|edge| ((edge as f32 * scale) as u32).max(1));
    resize(picture, width, height, FilterType::Triangle)
}
