//! Dump of the interface as JSON: every text painted with its place on the window, and the place of the picture. Tests read
//! it instead of letters in a screenshot.

use std::collections::BTreeMap;
use std::path::Path;

use egui::Shape;
use egui::epaint::ClippedShape;
use serde::Serialize;

use super::placement::Placement;

/// Dump of one painting of the interface, written once the window shows it.
#[derive(Debug, Serialize)]
pub(super) struct Dump {
    /// Number of this painting, from 1 on.
    pub(super) painting: u64,
    /// Name of the presenter: a graphics driver's, or `CPU`.
    pub(super) presenter: String,
    /// Place of the picture on the window, if there is one.
    pub(super) picture: Option<PictureDump>,
    /// Every panel by its name: left, top, width, height in window pixels.
    pub(super) panels: BTreeMap<&'static str, [f32; 4]>,
    /// Part of the window that panels leave for the picture: left, top, width, height in window pixels.
    pub(super) area: [f32; 4],
    /// The part of the tile or pixel under inspection that can be seen.
    pub(super) inspected: Option<[f32; 4]>,
    /// Place of the pointer in window pixels, if it is on the window.
    pub(super) pointer: Option<[f32; 2]>,
    /// Whether the scene's time passes.
    pub(super) playing: bool,
    /// Every text, in the order of painting.
    pub(super) texts: Vec<TextDump>,
}

/// Place of the picture on the window, and its moment.
#[derive(Debug, Serialize)]
pub(super) struct PictureDump {
    /// Upper left corner in window pixels.
    origin: [f32; 2],
    /// Window pixels for each pixel of the picture.
    scale: f32,
    /// Width and height of the picture in its own pixels.
    size: [u32; 2],
    /// Time of the picture, in seconds of the scene.
    seconds: f64,
    /// Whether the picture is as sharp as it will be.
    finished: bool,
}

/// A text and its box in window pixels.
#[derive(Debug, Serialize)]
pub(super) struct TextDump {
    text: String,
    /// Left, top, width, height in window pixels.
    rect: [f32; 4],
}

impl PictureDump {
    /// Dump of a frame's picture at its placement.
    pub(super) fn new(placement: &Placement, seconds: f64, finished: bool) -> Self {
        Self {
            origin: placement.origin,
            scale: placement.scale,
            size: placement.size,
            seconds,
            finished,
        }
    }
}

/// Every text of painted shapes.
pub(super) fn texts(shapes: &[ClippedShape], pixels_per_point: f32) -> Vec<TextDump> {
    let mut texts = Vec::new();
    for clipped in shapes {
        collect(
            &clipped.shape,
            clipped.clip_rect,
            pixels_per_point,
            &mut texts,
        );
    }
    texts
}

fn collect(shape: &Shape, clip: egui::Rect, scale: f32, texts: &mut Vec<TextDump>) {
    match shape {
        Shape::Vec(shapes) => {
            for shape in shapes {
                collect(shape, clip, scale, texts);
            }
        }
        Shape::Text(text) => {
            let rect = text.galley.rect.translate(text.pos.to_vec2());
            let visible = rect.intersect(clip);
            if visible.is_positive() && !text.galley.text().trim().is_empty() {
                let [left, top] = [rect.min.x, rect.min.y].map(|at| at * scale);
                let [width, height] = [rect.width(), rect.height()].map(|edge| edge * scale);
                texts.push(TextDump {
                    text: text.galley.text().to_owned(),
                    rect: [left, top, width, height],
                });
            }
        }
        _ => {}
    }
}

/// Replaces the file at once, so that a reader never sees half of it.
pub(super) fn write(path: &Path, dump: &Dump) -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = serde_json::to_vec(dump).map_err(|error| failed(&error))?;
    let beside = path.with_extension("new");
    std::fs::write(&beside, text).map_err(|error| failed(&error))?;
    std::fs::rename(&beside, path).map_err(|error| failed(&error))
}
