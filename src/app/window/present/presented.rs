//! Input of presenters, and their answer.

use crate::window::placement::Placement;
use azulejo_render::Picture;

/// Backdrop of the picture: sRGB codes.
pub(super) const BACKDROP: [u8; 3] = [0x17, 0x17, 0x1a];

/// Content that the window shall show.
pub(in crate::window) struct Presented<'a> {
    /// The rendered frame; `None` before the first one.
    pub(in crate::window) picture: Option<&'a Picture>,
    /// Whether the picture is another one than last time.
    pub(in crate::window) is_new: bool,
    /// Placement of the picture on the window, in physical pixels.
    pub(in crate::window) placement: Placement,
    /// The interface, cut into triangles.
    pub(in crate::window) interface: &'a [egui::ClippedPrimitive],
    /// Changes of the interface's textures since the last call.
    pub(in crate::window) textures: egui::TexturesDelta,
    /// Physical pixels for each point of the interface.
    pub(in crate::window) pixels_per_point: f32,
}

/// Result of presenting a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::window) enum Outcome {
    /// The picture is on the window, or on its way there.
    Presented,
    /// The window is still waiting for the image before: to be presented again once that is there.
    Later,
}
