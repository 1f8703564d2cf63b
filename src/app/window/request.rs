//! What the window is opened with, decided by the command line.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::camera::Seat;
use super::content::Content;
use super::model::NamedMachine;
use super::present::PresentBy;
use crate::render::SimdLevel;
use crate::render::elimination::SwapChain;
use crate::scene::AnimationChoice;

/// What to open the window with.
#[derive(Debug)]
pub(in crate::app) struct Request {
    /// What is looked at.
    pub(in crate::app) content: Arc<Content>,
    /// The camera at the start.
    pub(in crate::app) seat: Seat,
    /// Which animations play.
    pub(in crate::app) animation: AnimationChoice,
    /// Where in time it begins.
    pub(in crate::app) seconds: f64,
    /// Whether time stands still at first.
    pub(in crate::app) paused: bool,
    /// How large the picture is.
    pub(in crate::app) size: StartSize,
    /// Frame buffers for Rendering Elimination, where tiles that did not change are not to be drawn.
    pub(in crate::app) chain: Option<SwapChain>,
    /// Says what frames would cost.
    pub(in crate::app) machine: Option<NamedMachine>,
    /// Size of the window in physical pixels.
    pub(in crate::app) window: (u32, u32),
    /// Whether it fills the screen.
    pub(in crate::app) fullscreen: bool,
    /// Raster Units; 0 takes one for each core.
    pub(in crate::app) threads: usize,
    /// SIMD level of the renderer.
    pub(in crate::app) simd: SimdLevel,
    /// Which presenter puts pixels on the window.
    pub(in crate::app) present: PresentBy,
    /// Writes a screenshot to a file of this name: whole, or not at all.
    pub(in crate::app) save: SaveFile,
    /// Write what the interface shows to this file, for tests.
    pub(in crate::app) dump: Option<PathBuf>,
}

/// Writes bytes to a file, or says why not in a sentence that names the file.
pub(in crate::app) type SaveFile = fn(&Path, &[u8]) -> Result<(), String>;

/// How large pictures are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) enum StartSize {
    /// As large as the window has room.
    Window,
    /// A fixed number of pixels, fitted into the window.
    Fixed(u32, u32),
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// What is asked for by `azulejo view` of this content, and nothing else.
    pub(in crate::app::window) fn request(content: Content) -> Request {
        Request {
            content: Arc::new(content),
            seat: Seat::Own,
            animation: AnimationChoice::All,
            seconds: 0.0,
            paused: true,
            size: StartSize::Window,
            chain: None,
            machine: None,
            window: (640, 400),
            fullscreen: false,
            threads: 1,
            simd: SimdLevel::Auto,
            present: PresentBy::Soft,
            save: |_, _| Ok(()),
            dump: None,
        }
    }
}
