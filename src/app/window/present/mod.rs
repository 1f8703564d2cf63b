//! Presentation: a picture and the painted interface become the window's pixels, by the graphics driver or, where there is
//! none, by the CPU.

mod adapter;
mod driver;
mod filter;
mod paint;
mod present_thread;
mod presented;
mod soft;

use std::sync::Arc;
use std::time::Duration;

use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use driver::DriverPresenter;
pub(super) use presented::{Outcome, Presented};
use soft::SoftPresenter;

/// Choice of the presenter, as the command line takes it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum PresentBy {
    /// The driver of a graphics processor where there is one, else the CPU
    #[default]
    Auto,
    /// The graphics driver alone
    Driver,
    /// The CPU, without a driver
    Soft,
}

/// Presenter that is in use.
pub(super) enum Presenter {
    /// wgpu: Vulkan, Metal, Direct3D or OpenGL.
    Driver(Box<DriverPresenter>),
    /// softbuffer: the CPU writes the window's pixels.
    Soft(Box<SoftPresenter>),
}

impl Presenter {
    /// Opens the first presenter that works, for a window. `delivered` is called for each image that reached the window
    /// after [`Self::present`] had returned, with the time that presenting it took.
    ///
    /// # Errors
    /// The reasons why none does.
    pub(super) fn open(
        by: PresentBy,
        event_loop: &ActiveEventLoop,
        window: &Arc<Window>,
        delivered: impl Fn(Duration) + Send + 'static,
    ) -> Result<Self, String> {
        let driver = || DriverPresenter::open(event_loop, window, delivered).map(Box::new);
        let soft = || SoftPresenter::open(event_loop, window).map(Box::new);
        match by {
            PresentBy::Driver => driver()
                .map(Self::Driver)
                .map_err(|error| format!("{error}; --present soft does without a driver")),
            PresentBy::Soft => soft().map(Self::Soft),
            PresentBy::Auto => match driver() {
                // Measured: an image takes such a driver 50 ms where our own way takes 13 to 26.
                Ok(slow) if slow.draws_on_cpu => {
                    drop(slow);
                    soft().map(Self::Soft)
                }
                Ok(driver) => Ok(Self::Driver(driver)),
                Err(error) => {
                    log::warn!("no graphics driver presents ({error}); the CPU does");
                    soft().map(Self::Soft)
                }
            },
        }
    }

    /// Name of the presenter, for people.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Driver(driver) => &driver.name,
            Self::Soft(_) => "CPU",
        }
    }

    /// Puts everything on the window, without waiting for it.
    ///
    /// # Errors
    /// If nothing can be presented any more.
    pub(super) fn present(
        &mut self,
        window: &Window,
        presented: Presented<'_>,
    ) -> Result<Outcome, String> {
        match self {
            Self::Driver(driver) => driver.present(window, presented),
            Self::Soft(soft) => {
                soft.present(window, presented)?;
                Ok(Outcome::Presented)
            }
        }
    }
}
