//! A tile step by step: its primitives in program order, and what its colour and depth buffers held after each.

use egui::{Color32, Image, Painter, Shape, Slider, Stroke, Ui, Vec2};

use super::super::images::{Images, TileKey};
use super::super::places::TilePlaces;
use super::super::style::{ACCENT, name, number};
use super::parts::{Side, rows, side_by_side, waiting};
use crate::window::inspector::{Inspection, TileTable};
use crate::window::state::InspectorState;
use azulejo_report::heatmap::viridis;

/// Lines of the table before the first step: title and header.
const HEAD: usize = 2;
/// Edge of an enlarged buffer, points.
const EDGE: f32 = 210.0;

/// Shows the steps and the buffers.
pub(super) fn show(
    ui: &mut Ui,
    state: &mut InspectorState,
    inspection: &Inspection,
    images: &mut Images,
) {
    if state.tile.is_none() {
        ui.label(name("click a tile of the picture"));
        return;
    }
    let tile_table = inspection
        .tile_table
        .as_ref()
        .filter(|tile_table| Some(tile_table.history.column_row) == state.tile);
    let Some(tile_table) = tile_table else {
        return waiting(ui);
    };
    side_by_side(ui, 2.0 * EDGE + 12.0, |ui, side| match side {
        Side::Left => buffers(ui, state, tile_table, images),
        Side::Right => steps(ui, state, tile_table),
    });
}

fn steps(ui: &mut Ui, state: &mut InspectorState, tile_table: &TileTable) {
    // After the first row's step one step is done.
    let selected = state.step.and_then(|step| step.checked_sub(1));
    if let Some(row) = rows(ui, "steps", HEAD, &tile_table.lines, selected) {
        state.step = Some(row + 1);
    }
}

/// Shows colour and depth after the chosen number of steps, and the slider that goes through them.
fn buffers(ui: &mut Ui, state: &mut InspectorState, tile_table: &TileTable, images: &mut Images) {
    let n_steps = tile_table.history.steps.len();
    let mut step = state.step.unwrap_or(n_steps).min(n_steps);
    ui.horizontal_wrapped(|ui| {
        if ui.button("<").clicked() {
            step = step.saturating_sub(1);
        }
        if ui.button(">").clicked() {
            step = (step + 1).min(n_steps);
        }
        ui.add(Slider::new(&mut step, 0..=n_steps).show_value(false));
        ui.label(number(format!("after {step} of {n_steps}")));
    });
    state.step = (step < n_steps).then_some(step);
    let key = TileKey {
        tile: tile_table.history.column_row,
        step,
        n_steps,
    };
    let after = || {
        let tile = tile_table.history.after(step);
        let size = tile_table.history.size.map(|edge| edge as usize);
        let colors = tile_table.history.encode(&tile);
        (size, colors, depth_colors(&tile.depths))
    };
    let [color, depth] = images.tile(ui.ctx(), key, after);
    let room = (0.5 * ui.available_width() - 6.0).min(ui.available_height() - 24.0);
    let edge = EDGE.min(room).max(32.0);
    ui.horizontal(|ui| {
        let depths = "depth: bright is near, black is cleared";
        for (what, texture) in [("colour", color), (depths, depth)] {
            ui.vertical(|ui| {
                let size = texture.size_vec2();
                let shown = size * (edge / size.max_elem());
                ui.add(Image::new((texture.id(), shown)));
                ui.label(name(what));
            });
        }
    });
}

/// Colours of depths: near is bright, the cleared depth black.
fn depth_colors(depths: &[f32]) -> Vec<[u8; 4]> {
    let seen = || depths.iter().copied().filter(|depth| *depth < 1.0);
    let (near, far) = (seen().fold(1.0, f32::min), seen().fold(0.0, f32::max));
    let range = (far - near).max(1e-9);
    depths
        .iter()
        .map(|&depth| {
            if depth >= 1.0 {
                return [0, 0, 0, 255];
            }
            let [r, g, b] = viridis(f64::from(1.0 - 0.9 * (depth - near) / range));
            [r, g, b, 255]
        })
        .collect()
}

/// Draws the outline of the step's triangle on the picture.
pub(super) fn mark_triangle(
    painter: &Painter,
    state: &InspectorState,
    tile_table: &TileTable,
    places: &TilePlaces,
) {
    let last = state.step.and_then(|step| step.checked_sub(1));
    let Some(step) = last.and_then(|step| tile_table.history.steps.get(step)) else {
        return;
    };
    let corners = step.corners.map(|[x, y, _]| places.point(Vec2::new(x, y)));
    painter.add(Shape::closed_line(
        corners.to_vec(),
        Stroke::new(3.0, Color32::BLACK),
    ));
    painter.add(Shape::closed_line(
        corners.to_vec(),
        Stroke::new(1.5, ACCENT),
    ));
}
