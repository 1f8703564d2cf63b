//! A frame between drawing and writing.

use super::extras::FrameExtras;
use super::report::FrameReport;
use azulejo_render::Picture;

/// Frame that is drawn and not yet written.
pub(super) struct Drawn {
    pub(super) picture: Picture,
    pub(super) extras: FrameExtras,
    pub(super) report: FrameReport,
}
