//! Colours, letters and frames of the interface.

use egui::{
    Align2, Area, Color32, Context, CornerRadius, Frame, Id, Margin, Rect, RichText, Stroke, Vec2,
};

use azulejo_report::grouped;

/// Colour behind messages, which lets the picture through.
const GLASS: Color32 = Color32::from_rgba_premultiplied(12, 12, 14, 214);
/// Colour behind panels, opaque.
const PANEL: Color32 = Color32::from_rgb(27, 27, 31);
/// Colour of names beside numbers.
pub(super) const DIM: Color32 = Color32::from_rgb(168, 170, 176);
/// Colour of numbers and plain texts.
pub(super) const BRIGHT: Color32 = Color32::from_rgb(236, 236, 240);
/// Colour of chosen things and of titles.
pub(super) const ACCENT: Color32 = Color32::from_rgb(120, 190, 255);
/// Colour behind a row that is chosen.
pub(super) const CHOSEN: Color32 = Color32::from_rgb(0, 92, 128);
/// Colour of warnings and of work under way.
pub(super) const WARNING: Color32 = Color32::from_rgb(255, 196, 92);

/// Sets the look once.
pub(in crate::window) fn set_style(ctx: &Context) {
    ctx.set_theme(egui::Theme::Dark);
    // The window has a factor of its own, for small screens, which keys change.
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
    ctx.all_styles_mut(|style| {
        style.visuals.panel_fill = PANEL;
        // Menus lie over texts.
        style.visuals.window_fill = Color32::from_rgb(22, 22, 26);
        style.visuals.window_stroke = Stroke::new(1.0, Color32::from_gray(70));
        style.visuals.widgets.noninteractive.fg_stroke.color = BRIGHT;
        style.visuals.widgets.inactive.fg_stroke.color = BRIGHT;
        style.spacing.item_spacing = Vec2::new(8.0, 4.0);
        style.spacing.slider_width = 160.0;
    });
}

/// Frame that floats over the picture.
pub(super) fn glass() -> Frame {
    Frame::new()
        .fill(GLASS)
        .corner_radius(CornerRadius::same(6))
        .inner_margin(Margin::symmetric(10, 8))
}

/// Frame of a side beside the picture.
pub(super) fn side() -> Frame {
    Frame::new()
        .fill(PANEL)
        .inner_margin(Margin::symmetric(10, 8))
}

/// Frame of a panel in a small window.
pub(super) fn small_side() -> Frame {
    Frame::new()
        .fill(PANEL)
        .inner_margin(Margin::symmetric(8, 5))
}

/// Shows a message at the top of `room`, which is the picture's.
pub(super) fn notice(ctx: &Context, text: &str, room: Rect) {
    Area::new(Id::unique("notice"))
        .pivot(Align2::CENTER_TOP)
        .fixed_pos(room.center_top() + Vec2::new(0.0, 12.0))
        .constrain_to(room)
        .interactable(false)
        .show(ctx, |ui| {
            ui.set_max_width((room.width() - 24.0).max(0.0));
            glass().show(ui, |ui| ui.label(RichText::new(text).color(WARNING)));
        });
}

/// Title of a panel, no larger than other texts.
pub(super) fn heading(text: &str) -> RichText {
    title(text).size(14.0)
}

/// Title of a group.
pub(super) fn title(text: &str) -> RichText {
    RichText::new(text).color(ACCENT).strong()
}

/// Name beside a number.
pub(super) fn name(text: &str) -> RichText {
    RichText::new(text).color(DIM)
}

/// Number with separators, and with decimals where it has any that matter.
pub(super) fn value_text(value: f64) -> String {
    if value.fract() == 0.0 || value >= 1000.0 {
        grouped(value.round() as u64)
    } else {
        format!("{value:.2}")
    }
}

/// Number in letters of one width.
pub(super) fn number(text: impl Into<String>) -> RichText {
    RichText::new(text).color(BRIGHT).monospace()
}
