//! The interface: reads facts, edits [`State`], and asks for [`Action`]s. Drawn anew each time (egui), so it has no state
//! of its own to go stale.

mod canvas;
mod facts;
mod help;
mod images;
mod inspector;
mod keys;
mod overlay;
mod places;
mod shares;
mod style;
mod tiles;
mod toolbar;

use egui::{Panel, Rect, ScrollArea, Ui};

use self::shares::Shares;
use self::tiles::Mapped;
use super::placement::Area;
use super::state::{Action, Overlay, State};
pub(super) use facts::Facts;
pub(super) use images::Images;
pub(super) use inspector::look;
pub(super) use style::set_style;

/// Result of showing the interface.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// Actions that it asks for.
    pub(super) actions: Vec<Action>,
    /// Part of the window that the bar leaves: as large as pictures are drawn.
    pub(super) whole: Area,
    /// Part of the window that all panels leave, with the picture in it.
    pub(super) area: Area,
    /// Every panel by its name, in window pixels.
    pub(super) panels: Vec<(&'static str, Area)>,
    /// Part of the tile or pixel under inspection that is in the window, in window pixels.
    pub(super) inspected: Option<Area>,
}

/// Panels as they are shown, in points.
type Panels = Vec<(&'static str, Rect)>;

/// Shows bar, panels and overlay; the user's choices join the actions.
pub(super) fn show(
    ui: &mut Ui,
    state: &mut State,
    facts: &Facts<'_>,
    images: &mut Images,
) -> Shown {
    let mut actions = keys::handle(ui.ctx(), state);
    let mut panels = Panels::new();
    if state.bar {
        panels.push(("bar", toolbar::show(ui, state, &mut actions)));
    }
    let whole = ui.available_rect_before_wrap();
    if let Some(inspection) = facts.inspection.filter(|_| state.inspector.on) {
        let rect = inspector::show(ui, state, inspection, images);
        panels.push(("inspector", rect));
    }
    let strip = match state.overlay {
        Overlay::Off => None,
        shown if overlay::is_small(ui.available_width()) => {
            Some(overlay::small_strip(ui, facts, shown == Overlay::Full))
        }
        Overlay::Short => Some(overlay::strip(ui, facts)),
        Overlay::Full => None,
    };
    panels.extend(strip.map(|rect| ("overlay", rect)));
    let mapped = Mapped::new(state, facts);
    sides(ui, state, facts, &mapped, &mut panels);
    let canvas = canvas::show(ui, state, facts);
    if state.tiles.on {
        tiles::paint(state, facts, &canvas, &mapped);
    }
    let inspected = match state.inspector.on {
        true => inspector::on_canvas(ui, state, facts, &canvas),
        false => None,
    };
    if let Some(notice) = state.notice() {
        style::notice(ui.ctx(), notice, canvas.rect);
    }
    let scale = ui.ctx().pixels_per_point();
    let area = |rect: Rect| canvas::area_of(rect, scale);
    let named = panels.into_iter();
    Shown {
        actions,
        whole: area(whole),
        area: area(canvas.rect),
        panels: named.map(|(name, rect)| (name, area(rect))).collect(),
        inspected: inspected.map(area),
    }
}

/// Shows the panels beside the picture.
fn sides(ui: &mut Ui, state: &mut State, facts: &Facts<'_>, mapped: &Mapped, panels: &mut Panels) {
    let parts = overlay::parts(facts);
    let shares = Shares::new(ui.available_width(), state, parts);
    if shares.right > 0.0 {
        let panel = Panel::right("right side").exact_size(shares.right);
        let shown = side(ui, panel, |ui| {
            // The last panel that was asked for comes first.
            if state.help {
                help::show(ui, state);
            }
            if state.tiles.on {
                tiles::panel(ui, state, facts, mapped);
            }
            if shares.is_overlay_right {
                overlay::columns(ui, facts, 1);
            }
        });
        panels.push(("right side", shown));
    }
    if shares.left > 0.0 {
        let panel = Panel::left("left side").exact_size(shares.left);
        let shown = side(ui, panel, |ui| overlay::columns(ui, facts, shares.columns));
        panels.push(("left side", shown));
    }
}

/// Shows a side, which scrolls where it is too small for what it shows; returns the room that it takes.
fn side(ui: &mut Ui, panel: Panel, show: impl FnOnce(&mut Ui)) -> Rect {
    let panel = panel.frame(style::side()).resizable(false);
    let shown = panel.show(ui, |ui| {
        ScrollArea::both()
            .auto_shrink([false, false])
            .show(ui, show);
    });
    shown.response.rect
}
