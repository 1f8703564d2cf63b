//! Request for a window, decided by the command line.

use std::path::{Path, PathBuf};

use super::model::NamedMachine;
use super::opened::Opened;
use super::present::PresentBy;
use azulejo_render::SimdLevel;
use azulejo_render::elimination::SwapChain;

/// Request for a window.
#[derive(Debug)]
pub(crate) struct Request {
    /// Shot of the first frame.
    pub(crate) opened: Opened,
    /// Seconds of the scene at the start.
    pub(crate) seconds: f64,
    /// Whether time stands still at first.
    pub(crate) paused: bool,
    /// Size of the picture: fixed, or the window's.
    pub(crate) size: StartSize,
    /// Frame buffers for Rendering Elimination, where tiles that did not change are not to be drawn.
    pub(crate) chain: Option<SwapChain>,
    /// Machine that frames are modelled on, if there is one.
    pub(crate) machine: Option<NamedMachine>,
    /// Size of the window in physical pixels.
    pub(crate) window: (u32, u32),
    /// Whether the window fills the screen.
    pub(crate) fullscreen: bool,
    /// Raster Units; 0 takes one for each core.
    pub(crate) threads: usize,
    /// SIMD level of the renderer.
    pub(crate) simd: SimdLevel,
    /// Presenter that puts pixels on the window.
    pub(crate) present: PresentBy,
    /// Writes a screenshot to a file of this name: whole, or not at all.
    pub(crate) save: SaveFile,
    /// File for dumps of the interface, which tests read.
    pub(crate) dump: Option<PathBuf>,
}

/// Writes bytes to a file, or says why not in a sentence that names the file.
pub(crate) type SaveFile = fn(&Path, &[u8]) -> Result<(), String>;

/// Size of pictures at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StartSize {
    /// As much as the window has room.
    Window,
    /// A fixed number of pixels, fitted into the window.
    Fixed(u32, u32),
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Request of `azulejo view` for this content, without options.
    pub(in crate::window) fn request(opened: Opened) -> Request {
        Request {
            opened,
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
