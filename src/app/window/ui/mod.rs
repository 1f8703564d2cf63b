//! The interface: reads what is known, edits [`State`], and asks for [`Action`]s. Drawn anew each time (egui), so it has no state
//! of its own to go stale.

mod canvas;
mod help;
mod keys;
mod overlay;
mod style;
mod tiles;
mod toolbar;

use egui::Ui;

use super::artist::DrawnFrame;
use super::history::History;
use super::model::{ModelledFrame, Modeller};
use super::placement::{Area, Placement};
use super::state::{Action, Overlay, State};
pub(super) use style::set_style;

/// What the interface can tell of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts<'a> {
    /// The frame on the window.
    pub(super) frame: Option<&'a DrawnFrame>,
    /// Where its picture lies.
    pub(super) placement: Placement,
    /// The frames before it.
    pub(super) history: &'a History,
    /// The last frame that the machine executed.
    pub(super) modelled: Option<&'a ModelledFrame>,
    /// The machine, if there is one, and whether it is at work.
    pub(super) machine: Option<&'a Modeller>,
    /// Room that a panel at the right takes, in points.
    pub(super) right: f32,
    /// Who draws and presents, for people.
    pub(super) host: &'a str,
}

/// What came of showing the interface.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// What it asks for.
    pub(super) actions: Vec<Action>,
    /// The part of the window that is free for the picture.
    pub(super) area: Area,
}

/// Shows everything.
pub(super) fn show(ui: &mut Ui, state: &mut State, facts: &Facts<'_>) -> Shown {
    let mut actions = keys::handle(ui.ctx(), state);
    if state.bar {
        toolbar::show(ui, state, &mut actions);
    }
    let canvas = canvas::show(ui, state, facts);
    if state.tiles.on {
        tiles::show(ui, state, facts, &canvas);
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
