//! The interface: reads what is known, edits [`State`], and asks for [`Action`]s. Drawn anew each time (egui), so it has no state
//! of its own to go stale.

mod canvas;
mod facts;
mod help;
mod images;
mod inspector;
mod keys;
mod overlay;
mod style;
mod tiles;
mod toolbar;

use egui::Ui;

use super::placement::Area;
use super::state::{Action, Overlay, State};
pub(super) use facts::Facts;
pub(super) use images::Images;
pub(super) use inspector::look;
pub(super) use style::set_style;

/// What came of showing the interface.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// What it asks for.
    pub(super) actions: Vec<Action>,
    /// The part of the window that is free for the picture.
    pub(super) area: Area,
}

/// Shows bar, panels and overlay; what the user asked for joins the actions.
pub(super) fn show(
    ui: &mut Ui,
    state: &mut State,
    facts: &Facts<'_>,
    images: &mut Images,
) -> Shown {
    let mut actions = keys::handle(ui.ctx(), state);
    if state.bar {
        toolbar::show(ui, state, &mut actions);
    }
    if let Some(inspection) = facts.inspection.filter(|_| state.inspector.on) {
        inspector::show(ui, state, inspection, images);
    }
    let canvas = canvas::show(ui, state, facts);
    if state.tiles.on {
        tiles::show(ui, state, facts, &canvas);
    }
    if state.inspector.on {
        inspector::on_canvas(ui, state, facts, &canvas);
    }
    if state.overlay != Overlay::Off {
        overlay::show(ui.ctx(), state, facts);
    }
    if state.help {
        help::show(ui.ctx(), state);
    }
    if let Some(notice) = state.notice() {
        style::notice(ui.ctx(), notice);
    }
    Shown {
        actions,
        area: canvas::area_of(canvas.rect, ui.ctx().pixels_per_point()),
    }
}
