//! What the interface can show: the frame on the window, and what is known of it and of those before it.

use crate::app::window::history::History;
use crate::app::window::inspector::Inspection;
use crate::app::window::model::{ModelledFrame, Modeller};
use crate::app::window::placement::Placement;
use crate::app::window::render_thread::DrawnFrame;
use crate::app::window::state::PaintTimes;

/// What the interface can show.
#[derive(Debug, Clone, Copy)]
pub(in crate::app::window) struct Facts<'a> {
    /// The frame on the window.
    pub(in crate::app::window) frame: Option<&'a DrawnFrame>,
    /// Where its picture lies.
    pub(in crate::app::window) placement: Placement,
    /// The frames before it.
    pub(in crate::app::window) history: &'a History,
    /// The last frame that the machine executed.
    pub(in crate::app::window) modelled: Option<&'a ModelledFrame>,
    /// The machine, if there is one, and whether it is at work.
    pub(in crate::app::window) machine: Option<&'a Modeller>,
    /// What is known of the frozen frame.
    pub(in crate::app::window) inspection: Option<&'a Inspection>,
    /// Raster Units, SIMD level and presenter, as people read it.
    pub(in crate::app::window) host: &'a str,
    /// What the last painting took.
    pub(in crate::app::window) painted: PaintTimes,
}
