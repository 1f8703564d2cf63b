//! Sizes: of the interface on small screens, of the window that the bar takes a part of, of the picture on what panels leave.

use winit::dpi::PhysicalSize;
use winit::window::Window;

use crate::app::window::placement::{Area, Placement};
use crate::app::window::render_thread::DrawnFrame;
use crate::app::window::state::State;

/// Points that panels want, across and down.
const ROOM: [f32; 2] = [940.0, 540.0];

/// Gives the picture the size that was asked for, of which the bar leaves `left` pixels of height: then it is framed as `render` frames
/// it. Where the screen is too small, nothing is changed.
pub(super) fn grow_by_bar(window: &Window, left: f32) {
    let size = window.inner_size();
    let bar = (size.height as f32 - left).max(0.0).round() as u32;
    let height = size.height + bar;
    let screen = window.current_monitor().map(|screen| screen.size().height);
    if screen.is_none_or(|screen| height <= screen) {
        // Where it is granted at once no event follows; the next painting sees it in any case.
        let _ = window.request_inner_size(PhysicalSize::new(size.width, height));
        window.request_redraw();
    }
}

/// How much smaller than usual the interface is. On small screens of high resolution its letters can afford to be, and panels
/// need the room; never below a pixel for each point.
pub(super) fn zoom(window: &Window) -> f32 {
    let native = window.scale_factor() as f32;
    let size = window.inner_size();
    let (wide, high) = (size.width as f32 / ROOM[0], size.height as f32 / ROOM[1]);
    (wide.min(high) / native).clamp((1.0 / native).min(1.0), 1.0)
}

/// Where the frame's picture lies in the part of the window that is free, of the part that it is drawn for. A reduced one covers what
/// the full one would.
pub(super) fn placement(
    frame: Option<&DrawnFrame>,
    [area, whole]: [Area; 2],
    state: &State,
) -> Placement {
    frame.map_or_else(Placement::default, |frame| {
        let size = [frame.plan.settings.width, frame.plan.settings.height];
        Placement {
            is_coarse: size != state.picture_size(whole),
            ..Placement::fit(size, area, state.magnifier)
        }
    })
}
