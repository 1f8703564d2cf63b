//! The list of keys.

use egui::{Context, Grid, Id, Window};

use super::keys::KEYS;
use super::style::{glass, heading, name, number};
use crate::app::window::state::State;

/// Shows it until it is closed.
pub(super) fn show(ctx: &Context, state: &mut State) {
    Window::new(heading("Keys"))
        .id(Id::unique("keys"))
        .open(&mut state.help)
        .frame(glass())
        .resizable(false)
        .collapsible(false)
        .default_pos([60.0, 60.0])
        .show(ctx, |ui| {
            Grid::new("keys").num_columns(2).show(ui, |ui| {
                for (key, what) in KEYS {
                    ui.label(number(key));
                    ui.label(name(what));
                    ui.end_row();
                }
            });
        });
}
