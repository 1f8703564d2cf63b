//! The window: a scene on the screen, drawn by the tile renderer, and what it costs shown over it.
//!
//! [`state::State`] holds everything that a user can change, as plain values. The interface (`ui`) edits it, [`viewer`]
//! makes [`plan::FramePlan`]s of it and hands them to the [`render_thread`], which draws on threads of its own; finished
//! frames come back as messages and [`present`] puts them on the window. Nothing here waits for anything slow.

mod camera;
mod dump;
mod history;
mod inspector;
mod model;
mod opened;
mod pacing;
mod placement;
mod plan;
mod playback;
mod present;
mod render_thread;
mod request;
mod screenshot;
mod state;
mod tiles;
mod ui;
mod viewer;

pub(crate) use model::NamedMachine;
pub(crate) use opened::Opened;
pub(crate) use present::PresentBy;
pub(crate) use request::{Request, StartSize};
use viewer::Viewer;

/// Failure to open the window.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WindowError {
    /// No display to open it on.
    #[error("there is no display to open a window on ({0})")]
    NoDisplay(String),
    /// Any other failure, as a sentence.
    #[error("{0}")]
    Failed(String),
}

/// Whether there may be a display: true where only an attempt shows it.
pub(crate) fn display_is_likely() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(all(unix, not(target_vendor = "apple"))) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// Opens the window and returns when it is closed. It shows `request`, an empty scene named `loading`, while `load` runs on
/// a thread of its own, and then the result of `load`; without a result it closes.
///
/// # Errors
/// If there is no display, the threads cannot be started, or nothing can present.
pub(crate) fn open(
    request: Request,
    loading: String,
    load: impl FnOnce() -> Option<Request> + Send + 'static,
) -> Result<(), WindowError> {
    let failed = |error: String| WindowError::Failed(error);
    let event_loop = winit::event_loop::EventLoop::with_user_event()
        .build()
        .map_err(|error| {
            // The text before the last colon says where winit noticed it.
            let text = error.to_string();
            let why = text.rsplit(": ").next().unwrap_or_default();
            WindowError::NoDisplay(why.to_owned())
        })?;
    let mut viewer = Viewer::new(request, event_loop.create_proxy()).map_err(failed)?;
    viewer.load(loading, load).map_err(failed)?;
    let outcome = event_loop.run_app(&mut viewer);
    outcome.map_err(|error| failed(error.to_string()))?;
    viewer.outcome().map_err(failed)
}
