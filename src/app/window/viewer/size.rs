//! Sizes: of the interface on small screens, of the picture on what panels leave.

use winit::window::Window;

use crate::window::placement::{Area, Placement};
use crate::window::render_thread::DrawnFrame;
use crate::window::state::State;

/// Points that panels need, across and down.
const ROOM: [f32; 2] = [940.0, 540.0];

/// Factor by which the interface is smaller than usual. On small screens of high resolution its letters can afford to be,
/// and panels need the room; never below a pixel for each point.
pub(super) fn zoom(window: &Window) -> f32 {
    let native = window.scale_factor() as f32;
    let size = window.inner_size();
    let (wide, high) = (size.width as f32 / ROOM[0], size.height as f32 / ROOM[1]);
    (wide.min(high) / native).clamp((1.0 / native).min(1.0), 1.0)
}

/// Placement of the frame's picture in the part of the window that is free, of the part that it is drawn for. A reduced one
/// covers what the full one would.
pub(super) fn placement(
    frame: Option<&DrawnFrame>,
    [area, whole]: [Area; 2],
    state: &State,
) -> Placement {
    frame.map_or_else(Placement::default, |frame| {
        let size = [
            frame.plan.shot.settings.width,
            frame.plan.shot.settings.height,
        ];
        Placement {
            is_coarse: size != state.picture_size(whole),
            ..Placement::fit(size, area, state.magnifier)
        }
    })
}
