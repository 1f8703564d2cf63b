//! Canvas, the free part of the window: the picture shows through it, the mouse moves the camera on it.

use egui::{CentralPanel, Frame, PointerButton, Rect, Response, Sense, Ui, Vec2};

use super::Facts;
use crate::window::placement::Area;
use crate::window::state::State;

/// Points of scrolling that make a notch.
const POINTS_PER_NOTCH: f32 = 50.0;

/// Enlargement for each notch.
const MAGNIFY_PER_NOTCH: f32 = 1.2;

/// Shows the canvas, which takes the room that is left.
pub(super) fn show(ui: &mut Ui, state: &mut State, facts: &Facts<'_>) -> Response {
    let shown = CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
        ui.allocate_response(ui.available_size(), Sense::click_and_drag())
    });
    let response = shown.inner;
    let scale = ui.ctx().pixels_per_point();
    let area = area_of(response.rect, scale);
    // A frozen frame is looked at from near; moving the camera would thaw it.
    let magnifies = state.inspector.on || ui.input(|input| input.modifiers.command);
    if magnifies {
        magnify(&response, state, facts, area);
    } else {
        move_camera(&response, state);
    }
    response
}

/// Window pixels of a box of the interface.
pub(super) fn area_of(rect: Rect, scale: f32) -> Area {
    let [x0, y0, x1, y1] =
        [rect.min.x, rect.min.y, rect.max.x, rect.max.y].map(|edge| (edge * scale).round());
    Area {
        x: x0,
        y: y0,
        width: x1 - x0,
        height: y1 - y0,
    }
}

/// Enlarges the picture under the pointer, and moves it.
fn magnify(response: &Response, state: &mut State, facts: &Facts<'_>, area: Area) {
    let scale = response.ctx.pixels_per_point();
    let drag = response.drag_delta() * scale;
    if drag != Vec2::ZERO {
        state.magnifier.drag([drag.x, drag.y], &facts.placement);
    }
    let factor = response.ctx.input(|input| {
        let notches = input.smooth_scroll_delta().y / POINTS_PER_NOTCH;
        input.zoom_delta() * MAGNIFY_PER_NOTCH.powf(notches)
    });
    if let Some(pointer) = response.hover_pos().filter(|_| factor != 1.0) {
        let at = [pointer.x * scale, pointer.y * scale];
        state.magnifier.zoom_at(factor, at, &facts.placement, area);
    }
}

fn move_camera(response: &Response, state: &mut State) {
    let drag = response.drag_delta();
    let shift = response.ctx.input(|input| input.modifiers.shift);
    if drag != Vec2::ZERO {
        let size = [response.rect.width(), response.rect.height()];
        if response.dragged_by(PointerButton::Middle)
            || (shift && response.dragged_by(PointerButton::Primary))
        {
            state.rig().pan(drag.x, drag.y, size);
        } else if response.dragged_by(PointerButton::Secondary) {
            state.rig().look(drag.x, drag.y);
        } else if response.dragged_by(PointerButton::Primary) {
            state.rig().turn(drag.x, drag.y);
        }
    }
    if response.hovered() {
        let scroll = response.ctx.input(|input| input.smooth_scroll_delta().y);
        if scroll != 0.0 {
            state.rig().zoom(scroll / POINTS_PER_NOTCH);
        }
    }
}
