//! Textures with their mip levels, and which blocks of texels the frame read.

use egui::{Button, Checkbox, Image, ScrollArea, Slider, TextWrapMode, Ui, Vec2};

use super::super::images::{Images, TextureKey};
use super::super::style::{WARNING, name, number};
use super::parts::{Side, side_by_side};
use crate::window::inspector::Inspection;
use crate::window::state::InspectorState;
use azulejo_inspect::{LevelReads, level_pixels};
use azulejo_report::{bytes, grouped, percent};
use azulejo_scene::{Scene, TextureImage};
use azulejo_trace::BLOCK_BYTES;

/// Width of the list, points.
const LIST: f32 = 420.0;

/// Shows the list and the chosen level.
pub(super) fn show(
    ui: &mut Ui,
    state: &mut InspectorState,
    scene: &Scene,
    inspection: &Inspection,
    images: &mut Images,
) {
    if scene.images.is_empty() {
        ui.label(name("the scene has no textures"));
        return;
    }
    side_by_side(ui, LIST, |ui, side| match side {
        Side::Left => list(ui, state, scene, inspection.textures.as_deref()),
        Side::Right => level(ui, state, scene, inspection, images),
    });
}

fn list(ui: &mut Ui, state: &mut InspectorState, scene: &Scene, reads: Option<&[Vec<LevelReads>]>) {
    ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
    ScrollArea::both()
        .id_salt("textures")
        .auto_shrink([false, false])
        .show(ui, |ui| {
            for (at, image) in scene.images.iter().enumerate() {
                let levels = reads.and_then(|reads| reads.get(at));
                let text = number(line(image, at, levels.map(Vec::as_slice)));
                let is_chosen = state.texture == at;
                if ui.add(Button::selectable(is_chosen, text)).clicked() {
                    (state.texture, state.mip) = (at, None);
                }
            }
        });
}

fn line(image: &TextureImage, at: usize, levels: Option<&[LevelReads]>) -> String {
    let [width, height] = image
        .levels
        .first()
        .map_or([0, 0], |level| [level.width, level.height]);
    let read = levels.map_or_else(
        || "…".to_owned(),
        |levels| {
            let touched: u64 = levels.iter().map(|level| level.blocks_read).sum();
            let blocks = image.blocks();
            let block_bytes = blocks.map_or(BLOCK_BYTES, |format| u64::from(format.shape().bytes));
            let share = percent(touched, levels.iter().map(|level| level.blocks).sum());
            format!("{:>10} read {share:>7}", bytes(touched * block_bytes))
        },
    );
    let size = format!("{width}x{height}");
    let format = image
        .blocks()
        .map_or_else(String::new, |format| format!("{format}  "));
    format!("{at:>3}  {size:>9}  {read}  {format}{}", image.name)
}

fn level(
    ui: &mut Ui,
    state: &mut InspectorState,
    scene: &Scene,
    inspection: &Inspection,
    images: &mut Images,
) {
    let Some(image) = scene.images.get(state.texture) else {
        state.texture = 0;
        return;
    };
    let reads = inspection.textures.as_ref();
    let levels = reads.and_then(|reads| reads.get(state.texture));
    let levels = levels.map(Vec::as_slice);
    let last = image.levels.len().saturating_sub(1);
    let mut mip = state
        .mip
        .or_else(|| most_read(levels?))
        .unwrap_or(0)
        .min(last);
    ui.horizontal_wrapped(|ui| {
        ui.label(name("level"));
        if ui.add(Slider::new(&mut mip, 0..=last)).changed() {
            state.mip = Some(mip);
        }
        let meaning = "blocks read (bright: often, dark: never)";
        ui.add(Checkbox::new(&mut state.reads, meaning));
    });
    match levels.and_then(|levels| levels.get(mip)) {
        Some(level) => ui.label(name(&read_text(level))),
        None => ui.colored_label(WARNING, "tracing what was read…"),
    };
    let key = TextureKey {
        texture: state.texture,
        mip,
        reads: state.reads && levels.is_some(),
    };
    let shown = levels.filter(|_| key.reads);
    let texture = images.texture(ui.ctx(), key, || texels(image, mip, shown));
    let room = ui.available_size() - Vec2::new(0.0, 6.0);
    let size = texture.size_vec2();
    let scale = (room.x / size.x).min(room.y / size.y).max(0.01);
    ui.add(Image::new((texture.id(), size * scale)));
}

/// Level with most reads.
fn most_read(levels: &[LevelReads]) -> Option<usize> {
    // The larger of two that were read as often.
    let most = levels.iter().rev().max_by_key(|level| level.total)?;
    Some(most.level as usize)
}

fn read_text(level: &LevelReads) -> String {
    format!(
        "{}x{} texels; {} of {} blocks read, {} times in all",
        level.width,
        level.height,
        grouped(level.blocks_read),
        grouped(level.blocks),
        grouped(level.total)
    )
}

/// Texels of a level without alpha; where reads are given, as `azulejo inspect --texture` draws them.
fn texels(
    image: &TextureImage,
    mip: usize,
    levels: Option<&[LevelReads]>,
) -> ([usize; 2], Vec<[u8; 4]>) {
    let level = &image.levels[mip];
    let size = [level.width as usize, level.height as usize];
    let reads = levels.and_then(|levels| Some((levels, levels.get(mip)?)));
    let pixels = reads.map_or_else(
        || {
            let places = (0..level.height).flat_map(|y| (0..level.width).map(move |x| (x, y)));
            let opaque = |(x, y)| {
                let [r, g, b, _] = image.texel(mip, x, y);
                [r, g, b, 255]
            };
            places.map(opaque).collect()
        },
        |(levels, reads)| {
            let counts = levels.iter().flat_map(|level| &level.reads);
            level_pixels(image, reads, counts.copied().max().unwrap_or(0))
        },
    );
    (size, pixels)
}
