//! How large work tiles are, on a machine that renders immediately.

use std::fmt::Debug;

use super::FrameStart;
use crate::report::TechniqueReport;

/// Chooses the edge of a frame's work tiles, in TC tiles: squares of the screen that are dealt to the clusters in turn.
pub trait WorkTiles: Debug + Send {
    /// A frame begins; the edge of its work tiles, at least 1.
    fn begin_frame(&mut self, start: &FrameStart<'_>) -> u32;

    /// Counters of the technique in the frame, under its name.
    fn take_report(&mut self) -> Option<TechniqueReport> {
        None
    }
}
