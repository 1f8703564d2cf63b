//! Panel of the inspector below the picture: draws, a tile step by step, a pixel's history, textures, hints; and other
//! pictures of the frame.

mod parts;
mod textures;
mod tile;

use egui::{
    Button, ComboBox, Frame, LayerId, Margin, Painter, Panel, Rect, Response, RichText, ScrollArea,
    Stroke, Ui, Vec2,
};

use self::parts::{rows, waiting};
use super::Facts;
use super::images::Images;
use super::places::TilePlaces;
use super::style::{ACCENT, BRIGHT, WARNING, name};
use crate::window::inspector::{Inspection, Look};
use crate::window::state::{InspectorState, State, Tab};
use azulejo_inspect::{FrameView, Hint, pixel_table};
use azulejo_report::heatmap::Legend;

/// Height of the panel at first, points.
const HEIGHT: f32 = 300.0;
/// Width that tabs and the choice of the picture need beside each other, points.
const ONE_ROW: f32 = 800.0;
/// Part of the window's height that the panel takes at most.
const SHARE: f32 = 0.55;

/// Shows the panel; returns the room that it takes.
pub(super) fn show(
    ui: &mut Ui,
    state: &mut State,
    inspection: &Inspection,
    images: &mut Images,
) -> Rect {
    let frame = Frame::new()
        .fill(ui.visuals().panel_fill)
        .inner_margin(Margin::symmetric(10, 8));
    let most = SHARE * ui.available_height();
    let shown = Panel::bottom("inspector")
        .frame(frame)
        .resizable(true)
        .default_size(HEIGHT.min(most))
        .max_size(most)
        .show(ui, |ui| {
            head(ui, &mut state.inspector, inspection);
            ui.separator();
            match state.inspector.tab {
                Tab::Draws => draws(ui, &mut state.inspector, inspection),
                Tab::Tile => tile::show(ui, &mut state.inspector, inspection, images),
                Tab::Pixel => pixel(ui, &state.inspector, inspection),
                Tab::Textures => {
                    let scene = &state.opened.shot.content.scene;
                    textures::show(ui, &mut state.inspector, scene, inspection, images);
                }
                Tab::Hints => hints(ui, &mut state.inspector, inspection),
            }
            ui.take_available_space();
        });
    shown.response.rect
}

/// Shows the tabs, and which picture is shown.
fn head(ui: &mut Ui, state: &mut InspectorState, inspection: &Inspection) {
    let is_narrow = ui.available_width() < ONE_ROW;
    let tabs = |ui: &mut Ui, state: &mut InspectorState| {
        for (tab, name) in Tab::ALL {
            let button = Button::new(name).selected(state.tab == tab);
            if ui.add(button).clicked() {
                state.tab = tab;
            }
        }
    };
    if is_narrow {
        ui.horizontal(|ui| tabs(ui, state));
    }
    ui.horizontal(|ui| {
        if !is_narrow {
            tabs(ui, state);
            ui.separator();
        }
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

/// Picture that is asked for instead of the frame's colours.
pub(in crate::window) fn look(state: &InspectorState) -> Option<Look> {
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
        .tile_table
        .as_ref()
        .map(|tile_table| tile_table.history.pixel(x, y));
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

/// Chooses a pixel and its tile by a click on the picture; marks the one that the panel is about, and returns it as far as
/// it can be seen.
pub(super) fn on_canvas(
    ui: &Ui,
    state: &mut State,
    facts: &Facts<'_>,
    canvas: &Response,
) -> Option<Rect> {
    let plan = facts
        .inspection
        .and_then(|inspection| inspection.plan.as_ref())?;
    let grid = plan.shot.settings.grid();
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
        if let Some(tile_table) = facts
            .inspection
            .and_then(|inspection| inspection.tile_table.as_ref())
        {
            tile::mark_triangle(&painter, inspector, tile_table, &places);
        }
    }
    if let Some([x, y]) = inspector.pixel.filter(|_| inspector.tab == Tab::Pixel) {
        outline(&painter, places.pixel_rect([x, y]).expand(3.0));
    }
    let marked = match inspector.tab {
        Tab::Pixel => inspector.pixel.map(|pixel| places.pixel_rect(pixel)),
        _ => (inspector.tile).map(|[column, row]| places.rect(grid.tile_at(column, row))),
    };
    let seen = marked?.intersect(canvas.rect);
    seen.is_positive().then_some(seen)
}

fn outline(painter: &Painter, rect: Rect) {
    let kind = egui::StrokeKind::Outside;
    painter.rect_stroke(rect, 0.0, Stroke::new(3.0, egui::Color32::BLACK), kind);
    painter.rect_stroke(rect, 0.0, Stroke::new(1.5, ACCENT), kind);
}
