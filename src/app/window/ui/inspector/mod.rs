//! The inspector's panel below the picture: draws, a tile step by step, a pixel's history, textures, hints; and other pictures of
//! the frame.

mod textures;
mod tile;

use std::ops::Range;

use egui::{
    Align, Button, ComboBox, Frame, Id, LayerId, Layout, Margin, Painter, Panel, Response,
    RichText, ScrollArea, Stroke, TextStyle, TextWrapMode, Ui, Vec2,
};

use super::Facts;
use super::images::Images;
use super::style::{ACCENT, BRIGHT, CHOSEN, DIM, WARNING, name};
use super::tiles::TilePlaces;
use crate::app::window::inspector::{Inspection, Look};
use crate::app::window::state::{InspectorState, State, Tab};
use crate::inspect::{FrameView, Hint, pixel_table};
use crate::report::heatmap::Legend;

/// Height at first: points, and at most this part of the window.
const HEIGHT: f32 = 300.0;
const SHARE: f32 = 0.45;

/// Shows the panel.
pub(super) fn show(ui: &mut Ui, state: &mut State, inspection: &Inspection, images: &mut Images) {
    let frame = Frame::new()
        .fill(ui.visuals().panel_fill)
        .inner_margin(Margin::symmetric(10, 8));
    Panel::bottom("inspector")
        .frame(frame)
        .resizable(true)
        .default_size(HEIGHT.min(SHARE * ui.available_height()))
        .show(ui, |ui| {
            head(ui, &mut state.inspector, inspection);
            ui.separator();
            match state.inspector.tab {
                Tab::Draws => draws(ui, &mut state.inspector, inspection),
                Tab::Tile => tile::show(ui, &mut state.inspector, inspection, images),
                Tab::Pixel => pixel(ui, &state.inspector, inspection),
                Tab::Textures => {
                    let scene = &state.content.scene;
                    textures::show(ui, &mut state.inspector, scene, inspection, images);
                }
                Tab::Hints => hints(ui, &mut state.inspector, inspection),
            }
            ui.take_available_space();
        });
}

/// Tabs, and which picture is shown.
fn head(ui: &mut Ui, state: &mut InspectorState, inspection: &Inspection) {
    ui.horizontal(|ui| {
        for (tab, name) in Tab::ALL {
            if ui
                .add(Button::new(name).selected(state.tab == tab))
                .clicked()
            {
                state.tab = tab;
            }
        }
        ui.separator();
        ui.label(name("picture"));
        let shown = state.view.map_or("colours", FrameView::name);
        ComboBox::from_id_salt("view")
            .width(110.0)
            .selected_text(shown)
            .show_ui(ui, |ui| {
                ui.selectable_value(&mut state.view, None, "colours");
                for (view, name, meaning) in FrameView::ALL {
                    ui.selectable_value(&mut state.view, Some(view), name)
                        .on_hover_text(meaning);
                }
            });
        let wanted = look(state);
        match (&inspection.look, wanted) {
            (Some((look, _, legend)), Some(wanted)) if *look == wanted => legend_line(ui, legend),
            (_, Some(_)) => {
                ui.colored_label(WARNING, "drawing…");
            }
            (_, None) => {}
        }
        let modelling = inspection
            .draws
            .as_ref()
            .is_some_and(|draws| draws.modelling);
        if modelling {
            ui.colored_label(WARNING, "the machine is at work…");
        }
    });
}

/// The picture that is wanted instead of the frame's colours.
pub(in crate::app::window) fn look(state: &InspectorState) -> Option<Look> {
    let draw = state
        .draw
        .filter(|_| matches!(state.tab, Tab::Draws | Tab::Hints));
    match (state.view, draw) {
        (Some(view), _) => Some(Look::View(view)),
        (None, Some(draw)) => Some(Look::Draw(draw)),
        (None, None) => None,
    }
}

fn legend_line(ui: &mut Ui, legend: &Legend) {
    ui.label(name(&legend.title));
    if let Some([low, middle, high]) = &legend.scale {
        super::tiles::color_bar(ui, Vec2::new(120.0, 10.0));
        ui.label(name(&format!("{low} … {middle} … {high}")));
    }
}

fn waiting(ui: &mut Ui) {
    ui.colored_label(WARNING, "taking the frame apart…");
}

fn draws(ui: &mut Ui, state: &mut InspectorState, inspection: &Inspection) {
    let Some(draws) = &inspection.draws else {
        return waiting(ui);
    };
    let selected = state.draw.map(|draw| draw as usize);
    if let Some(row) = rows(ui, "draws", 1, &draws.lines, selected) {
        let draw = Some(row as u32);
        state.draw = if state.draw == draw { None } else { draw };
    }
}

fn pixel(ui: &mut Ui, state: &InspectorState, inspection: &Inspection) {
    let Some([x, y]) = state.pixel else {
        ui.label(name(
            "click a pixel of the picture; ctrl and the wheel enlarge it",
        ));
        return;
    };
    let history = inspection
        .told
        .as_ref()
        .map(|told| told.story.history(x, y));
    let Some(Ok(history)) = history else {
        return waiting(ui);
    };
    let lines: Vec<String> = pixel_table(&history).lines().map(str::to_owned).collect();
    rows(ui, "pixel", 2, &lines, None);
}

fn hints(ui: &mut Ui, state: &mut InspectorState, inspection: &Inspection) {
    let Some(draws) = &inspection.draws else {
        return waiting(ui);
    };
    if draws.hints.is_empty() {
        ui.label(name("no published threshold is passed"));
    }
    let alike = |a: &Hint, b: &Hint| a.threshold.kind == b.threshold.kind;
    ScrollArea::both().id_salt("hints").show(ui, |ui| {
        for hints in draws.hints.chunk_by(alike) {
            ui.label(name(hints[0].threshold.source));
            for hint in hints {
                let chosen = state.draw == Some(hint.draw);
                let sentence = RichText::new(hint.sentence()).color(BRIGHT);
                if ui.selectable_label(chosen, sentence).clicked() {
                    state.draw = if chosen { None } else { Some(hint.draw) };
                }
            }
            ui.add_space(6.0);
        }
    });
}

/// A half of the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// Two columns as high as the panel, the left one `width` points wide.
fn side_by_side(ui: &mut Ui, left: f32, mut show: impl FnMut(&mut Ui, Side)) {
    let height = ui.available_height();
    ui.horizontal_top(|ui| {
        let column = Layout::top_down(Align::Min);
        ui.allocate_ui_with_layout(Vec2::new(left, height), column, |ui| {
            ui.set_min_size(Vec2::new(left, height));
            show(ui, Side::Left);
        });
        ui.separator();
        let rest = Vec2::new(ui.available_width(), height);
        ui.allocate_ui_with_layout(rest, column, |ui| show(ui, Side::Right));
    });
}

/// Lines of a table, of which one can be chosen; the row that was clicked. The first `head` lines stay where they are.
fn rows(
    ui: &mut Ui,
    id: &str,
    head: usize,
    lines: &[String],
    selected: Option<usize>,
) -> Option<usize> {
    ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
    ui.style_mut().spacing.item_spacing.y = 1.0;
    let font = TextStyle::Monospace.resolve(ui.style());
    let height = ui.text_style_height(&TextStyle::Monospace);
    let longest = lines.iter().map(|line| line.chars().count()).max();
    let letter = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
    let (head, body) = lines.split_at(head.min(lines.len()));
    let mut clicked = None;
    let across = ScrollArea::horizontal().id_salt((id, "across"));
    across.auto_shrink([false, false]).show(ui, |ui| {
        ui.set_min_width(longest.unwrap_or(0) as f32 * letter + 16.0);
        for line in head {
            ui.label(RichText::new(line).monospace().color(DIM));
        }
        let mut down = ScrollArea::vertical()
            .id_salt(id)
            .auto_shrink([true, false]);
        // A row that was chosen elsewhere is brought into view.
        let memory = Id::unique((id, "rows"));
        let before: Option<(Option<usize>, Range<usize>)> = ui.data(|data| data.get_temp(memory));
        if let (Some(row), Some((chosen, seen))) = (selected, &before)
            && *chosen != selected
            && !seen.contains(&row)
        {
            let above = row.saturating_sub(seen.len() / 2);
            down = down.vertical_scroll_offset(above as f32 * (height + 1.0));
        }
        down.show_rows(ui, height, body.len(), |ui, range| {
            ui.data_mut(|data| data.insert_temp(memory, (selected, range.clone())));
            ui.set_min_width(longest.unwrap_or(0) as f32 * letter);
            for row in range {
                let is_chosen = selected == Some(row);
                let mut text = RichText::new(body[row].as_str()).monospace().color(BRIGHT);
                if is_chosen {
                    text = text.background_color(CHOSEN);
                }
                let label = Button::selectable(is_chosen, text)
                    .frame(false)
                    .min_size(Vec2::new(0.0, height));
                if ui.add(label).clicked() {
                    clicked = Some(row);
                }
            }
        });
    });
    clicked
}

/// A click on the picture chooses a pixel and its tile; both are marked.
pub(super) fn on_canvas(ui: &Ui, state: &mut State, facts: &Facts<'_>, canvas: &Response) {
    let Some(plan) = facts
        .inspection
        .and_then(|inspection| inspection.plan.as_ref())
    else {
        return;
    };
    let grid = plan.settings.grid();
    let scale = ui.ctx().pixels_per_point();
    let places = TilePlaces::new(grid, facts, scale);
    let inspector = &mut state.inspector;
    let clicked = canvas.interact_pointer_pos().filter(|_| canvas.clicked());
    if let Some([x, y]) = clicked.and_then(|at| places.pixel(at)) {
        inspector.pixel = Some([x, y]);
        inspector.tile = Some([x / grid.tile_size, y / grid.tile_size]);
        inspector.step = None;
        if !matches!(inspector.tab, Tab::Tile | Tab::Pixel) {
            inspector.tab = Tab::Tile;
        }
    }
    let painter = ui
        .ctx()
        .layer_painter(LayerId::background())
        .with_clip_rect(canvas.rect);
    if let Some([column, row]) = inspector.tile.filter(|_| inspector.tab == Tab::Tile) {
        let rect = places.rect(grid.tile_at(column, row));
        outline(&painter, rect);
        if let Some(told) = facts
            .inspection
            .and_then(|inspection| inspection.told.as_ref())
        {
            tile::mark_triangle(&painter, inspector, told, &places);
        }
    }
    if let Some([x, y]) = inspector.pixel.filter(|_| inspector.tab == Tab::Pixel) {
        outline(&painter, places.pixel_rect([x, y]).expand(3.0));
    }
}

fn outline(painter: &Painter, rect: egui::Rect) {
    let kind = egui::StrokeKind::Outside;
    painter.rect_stroke(rect, 0.0, Stroke::new(3.0, egui::Color32::BLACK), kind);
    painter.rect_stroke(rect, 0.0, Stroke::new(1.5, ACCENT), kind);
}
