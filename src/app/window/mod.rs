//! The window: a scene on the screen, drawn by the tile renderer, and what it costs shown over it.
//!
//! [`state::State`] holds everything that a user can change, as plain values. The interface (`ui`) edits it, [`viewer`] makes
//! [`plan::FramePlan`]s of it and hands them to the [`render_thread`], which draws on threads of its own; finished frames come back as
//! messages and [`present`] puts them on the window. Nothing here waits for anything slow.

mod camera;
mod content;
mod dump;
mod history;
mod inspector;
mod model;
mod pacing;
mod placement;
mod plan;
mod playback;
mod present;
mod render_thread;
mod screenshot;
mod state;
mod tiles;
mod ui;
mod viewer;

use std::path::PathBuf;
use std::sync::Arc;

use crate::render::SimdLevel;
use crate::render::elimination::SwapChain;
use crate::scene::AnimationChoice;
pub(in crate::app) use camera::Seat;
pub(in crate::app) use content::Content;
pub(in crate::app) use model::NamedMachine;
pub(in crate::app) use present::PresentBy;
use viewer::Viewer;

/// What a picture names as the program that wrote it.
const GENERATOR: &str = concat!("azulejo ", env!("CARGO_PKG_VERSION"));

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
    /// Write what the interface shows to this file, for tests.
    pub(in crate::app) dump: Option<PathBuf>,
}

/// How large pictures are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) enum StartSize {
    /// As large as the window has room.
    Window,
    /// A fixed number of pixels, fitted into the window.
    Fixed(u32, u32),
}

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub(in crate::app) enum WindowError {
    /// Nothing to open it on.
    #[error("there is no display to open a window on ({0})")]
    NoDisplay(String),
    /// Any other failure, as a sentence.
    #[error("{0}")]
    Failed(String),
}

/// Whether there may be a display: true where only an attempt shows it.
pub(in crate::app) fn display_is_likely() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(all(unix, not(target_vendor = "apple"))) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// Opens the window and returns when it is closed.
///
/// # Errors
/// If there is no display, the threads cannot be started, or nothing can present.
pub(in crate::app) fn open(request: Request) -> Result<(), WindowError> {
    let failed = |error: String| WindowError::Failed(error);
    let event_loop = winit::event_loop::EventLoop::with_user_event()
        .build()
        .map_err(|error| {
            // Before the last colon stands where winit noticed it.
            let text = error.to_string();
            let why = text.rsplit(": ").next().unwrap_or_default();
            WindowError::NoDisplay(why.to_owned())
        })?;
    let mut viewer = Viewer::new(request, event_loop.create_proxy()).map_err(failed)?;
    let outcome = event_loop.run_app(&mut viewer);
    outcome.map_err(|error| failed(error.to_string()))?;
    viewer.outcome().map_err(failed)
}
