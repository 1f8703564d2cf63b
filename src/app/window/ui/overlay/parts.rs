//! Tables and plots of the overlay, all of one width.

use egui::{Align, Label, Layout, Ui};
use egui_plot::{Line, Plot};

use crate::window::history::LENGTH;
use crate::window::ui::style::{name, number};

/// Width of plots and tables, points.
pub(super) const WIDTH: f32 = 280.0;
/// Height of a row, points.
const ROW: f32 = 15.0;

/// Shows a table: names to the left, numbers to the right.
pub(super) fn table(ui: &mut Ui, rows: &[[String; 2]]) {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.spacing_mut().interact_size.y = ROW;
        for [what, value] in rows {
            ui.horizontal(|ui| {
                ui.set_width(WIDTH);
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    ui.label(number(value.as_str()));
                    // A long name gives way to the number, and is shown in full under the pointer.
                    let rest = Layout::left_to_right(Align::Center);
                    ui.with_layout(rest, |ui| ui.add(Label::new(name(what)).truncate()));
                });
            });
        }
    });
}

/// Plots a line over the last frames, `height` points high for 0 to `highest`, without axes, not to be dragged.
pub(super) fn curve(ui: &mut Ui, what: &str, line: Line<'_>, height: f32, highest: f64) {
    Plot::new(what)
        .height(height)
        .width(WIDTH)
        .show_axes(false)
        .show_grid(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .include_x(0.0)
        .include_x(LENGTH as f64)
        .include_y(0.0)
        .include_y(highest)
        .show(ui, |plot| plot.line(line));
}
