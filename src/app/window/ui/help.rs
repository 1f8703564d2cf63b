//! List of the keys.

use egui::{Button, Grid, Label, Ui};

use super::keys::KEYS;
use super::style::{heading, name, number};
use crate::window::state::State;

/// Width of a key's meaning, points; longer texts are broken.
const MEANING: f32 = 170.0;

/// Shows the list until it is closed.
pub(super) fn show(ui: &mut Ui, state: &mut State) {
    ui.horizontal(|ui| {
        ui.label(heading("Keys"));
        if ui.add(Button::new("Close").small()).clicked() {
            state.help = false;
        }
    });
    Grid::new("keys").num_columns(2).show(ui, |ui| {
        for (key, what) in KEYS {
            ui.label(number(key));
            ui.scope(|ui| {
                ui.set_max_width(MEANING);
                ui.add(Label::new(name(what)).wrap());
            });
            ui.end_row();
        }
    });
    ui.separator();
}
