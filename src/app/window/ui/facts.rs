//! Facts that the interface can show: the frame on the window, and numbers of it and of those before it.

use crate::window::history::History;
use crate::window::inspector::Inspection;
use crate::window::model::{ModelledFrame, Modeller};
use crate::window::placement::Placement;
use crate::window::render_thread::DrawnFrame;
use crate::window::state::PaintTimes;

/// Facts that the interface can show.
#[derive(Debug, Clone, Copy)]
pub(in crate::window) struct Facts<'a> {
    /// Frame on the window, if there is one.
    pub(in crate::window) frame: Option<&'a DrawnFrame>,
    /// Placement of its picture on the window.
    pub(in crate::window) placement: Placement,
    /// Records of the last frames.
    pub(in crate::window) history: &'a History,
    /// Last frame that the machine executed.
    pub(in crate::window) modelled: Option<&'a ModelledFrame>,
    /// The machine, if there is one, and whether it is at work.
    pub(in crate::window) machine: Option<&'a Modeller>,
    /// Answers about the frozen frame.
    pub(in crate::window) inspection: Option<&'a Inspection>,
    /// Raster Units, SIMD level and presenter, as people read it.
    pub(in crate::window) host: &'a str,
    /// Times of the last painting.
    pub(in crate::window) painted: PaintTimes,
}
