//! Facts that the interface can show: the frame on the window, and numbers of it and of those before it.

use crate::app::window::history::History;
use crate::app::window::inspector::Inspection;
use crate::app::window::model::{ModelledFrame, Modeller};
use crate::app::window::placement::Placement;
use crate::app::window::render_thread::DrawnFrame;
use crate::app::window::state::PaintTimes;

/// Facts that the interface can show.
#[derive(Debug, Clone, Copy)]
pub(in crate::app::window) struct Facts<'a> {
    /// Frame on the window, if there is one.
    pub(in crate::app::window) frame: Option<&'a DrawnFrame>,
    /// Placement of its picture on the window.
    pub(in crate::app::window) placement: Placement,
    /// Records of the last frames.
    pub(in crate::app::window) history: &'a History,
    /// Last frame that the machine executed.
    pub(in crate::app::window) modelled: Option<&'a ModelledFrame>,
    /// The machine, if there is one, and whether it is at work.
    pub(in crate::app::window) machine: Option<&'a Modeller>,
    /// Answers about the frozen frame.
    pub(in crate::app::window) inspection: Option<&'a Inspection>,
    /// Raster Units, SIMD level and presenter, as people read it.
    pub(in crate::app::window) host: &'a str,
    /// Times of the last painting.
    pub(in crate::app::window) painted: PaintTimes,
}
