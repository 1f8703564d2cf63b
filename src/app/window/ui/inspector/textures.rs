//! Textures with their mip levels, and which 4x4-texel blocks the frame read.

use egui::{Button, Checkbox, Image, ScrollArea, Slider, TextWrapMode, Ui, Vec2};

use super::super::images::{Images, TextureKey};
use super::super::style::{name, number};
use super::{Side, side_by_side};
use crate::app::window::inspector::{Inspection, TextureReads};
use crate::app::window::state::InspectorState;
use crate::report::heatmap::viridis;
use crate::report::{bytes, grouped, percent};
use crate::scene::{Scene, TextureImage};

/// Edge of a block in texels, and its bytes.
const BLOCK: u32 = 4;
const BLOCK_BYTES: u64 = 64;
/// Width of the list, points.
const LIST: f32 = 420.0;
/// Light that is left of texels in blocks that nobody read.
const DIMMED: f32 = 0.25;

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
        Side::Left => list(ui, state, scene, inspection.textures.as_ref()),
        Side::Right => level(ui, state, scene, inspection, images),
    });
}

fn list(ui: &mut Ui, state: &mut InspectorState, scene: &Scene, reads: Option<&TextureReads>) {
    ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
    ScrollArea::both()
        .id_salt("textures")
        .auto_shrink([false, false])
        .show(ui, |ui| {
            for (at, image) in scene.images.iter().enumerate() {
                let text = number(line(image, at, reads));
                if ui
                    .add(Button::selectable(state.texture == at, text))
                    .clicked()
                {
                    (state.texture, state.mip) = (at, 0);
                }
            }
        });
}

fn line(image: &TextureImage, at: usize, reads: Option<&TextureReads>) -> String {
    let [width, height] = image
        .levels
        .first()
        .map_or([0, 0], |level| [level.width, level.height]);
    let read = reads.and_then(|reads| reads.textures.get(at)).map_or_else(
        || "…".to_owned(),
        |reads| {
            let touched = reads.touched();
            format!(
                "{} read ({})",
                bytes(touched * BLOCK_BYTES),
                percent(touched, reads.blocks.len() as u64)
            )
        },
    );
    format!("{at:>3} {width}x{height}  {read}  {}", image.name)
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
    let last = image.levels.len().saturating_sub(1);
    state.mip = state.mip.min(last);
    let reads = inspection.textures.as_ref();
    let reads = reads.and_then(|reads| reads.textures.get(state.texture));
    ui.horizontal(|ui| {
        ui.label(name("level"));
        ui.add(Slider::new(&mut state.mip, 0..=last));
        ui.add(Checkbox::new(&mut state.reads, "blocks read"));
        if let Some(reads) = reads {
            ui.label(name(&format!(
                "{} reads of blocks, all levels",
                grouped(reads.total())
            )));
        }
    });
    let shows_reads = state.reads && reads.is_some();
    let key = TextureKey {
        texture: state.texture,
        mip: state.mip,
        reads: shows_reads,
    };
    let blocks = reads
        .filter(|_| shows_reads)
        .map(|reads| reads.blocks.as_slice());
    let texture = images.texture(ui.ctx(), key, || texels(image, key.mip, blocks));
    let room = ui.available_size() - Vec2::new(0.0, 6.0);
    let size = texture.size_vec2();
    let scale = (room.x / size.x).min(room.y / size.y).max(0.01);
    ui.add(Image::new((texture.id(), size * scale)));
}

/// A level's texels without alpha; where blocks are given, those that were read in the colour of how often, the others dimmed.
fn texels(image: &TextureImage, mip: usize, blocks: Option<&[u32]>) -> ([usize; 2], Vec<[u8; 4]>) {
    let level = image.levels[mip];
    let most = blocks
        .and_then(|blocks| blocks.iter().copied().max())
        .unwrap_or(1)
        .max(1);
    let pixels = (0..level.height).flat_map(|y| (0..level.width).map(move |x| (x, y)));
    let pixels = pixels.map(|(x, y)| {
        let [r, g, b, _] = image.texel(mip, x, y);
        let Some(blocks) = blocks else {
            return [r, g, b, 255];
        };
        let block = level.texel_index(x, y) as u32 / (BLOCK * BLOCK);
        match blocks.get(block as usize) {
            Some(&reads) if reads > 0 => {
                let heat = viridis(f64::from(reads).ln_1p() / f64::from(most).ln_1p());
                mixed([r, g, b], heat)
            }
            _ => {
                let [r, g, b] = [r, g, b].map(|code| (f32::from(code) * DIMMED) as u8);
                [r, g, b, 255]
            }
        }
    });
    (
        [level.width as usize, level.height as usize],
        pixels.collect(),
    )
}

fn mixed(texel: [u8; 3], heat: [u8; 3]) -> [u8; 4] {
    let [r, g, b] = [0, 1, 2].map(|k| u8::midpoint(texel[k], heat[k]));
    [r, g, b, 255]
}
