//! Parts of the inspector's panel: two columns, a table of which a row can be chosen, the word for work under way.

use std::ops::Range;

use egui::{Align, Button, Id, Layout, RichText, ScrollArea, TextStyle, TextWrapMode, Ui, Vec2};

use crate::window::ui::style::{BRIGHT, CHOSEN, DIM, WARNING};

/// Says that an answer is not there yet.
pub(super) fn waiting(ui: &mut Ui) {
    ui.colored_label(WARNING, "taking the frame apart…");
}

/// Half of the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// Part of the width that the left of two columns takes at most.
const LEFT_SHARE: f32 = 0.55;

/// Shows two columns as high as the panel, the left one `left` points wide, or less where that would leave the right one
/// too little.
pub(super) fn side_by_side(ui: &mut Ui, left: f32, mut show: impl FnMut(&mut Ui, Side)) {
    let height = ui.available_height();
    let left = left.min(LEFT_SHARE * ui.available_width());
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

/// Shows lines of a table, of which one can be chosen; returns the row that was clicked. The first `head` lines stay where
/// they are.
pub(super) fn rows(
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
