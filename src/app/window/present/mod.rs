//! Onto the screen: a picture and the painted interface become the window's pixels, by the graphics driver or, where there is
//! none, by our own hands.

mod courier;
mod driver;
mod paint;
mod soft;

use std::sync::Arc;
use std::time::Duration;

use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

use super::placement::Placement;
use crate::render::Picture;
use driver::DriverPresenter;
use soft::SoftPresenter;

/// Behind the picture: sRGB codes.
const BACKDROP: [u8; 3] = [0x17, 0x17, 0x1a];

/// Who presents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::app) enum PresentBy {
    /// The driver where there is one, else the CPU
    #[default]
    Auto,
    /// The graphics driver
    Driver,
    /// The CPU
    Soft,
}

/// One window's worth of work.
pub(super) struct Presented<'a> {
    /// The picture.
    pub(super) picture: Option<&'a Picture>,
    /// Whether it is another one than last time.
    pub(super) is_new: bool,
    /// Where it lies.
    pub(super) placement: Placement,
    /// The interface, cut into triangles.
    pub(super) interface: &'a [egui::ClippedPrimitive],
    /// Changes of its textures.
    pub(super) textures: egui::TexturesDelta,
    /// Physical pixels for each point of the interface.
    pub(super) pixels_per_point: f32,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It is on the window, or on its way there.
    Presented,
    /// The window is still waiting for what was presented before: to be presented again once that is there.
    Later,
}

/// Presents by one way or the other.
pub(super) enum Presenter {
    /// wgpu.
    Driver(Box<DriverPresenter>),
    /// softbuffer.
    Soft(Box<SoftPresenter>),
}

impl Presenter {
    /// The first way that works, for a window. `delivered` is told of each image that reached the window after
    /// [`Self::present`] had ended, with how long handing over took.
    ///
    /// # Errors
    /// Why none does.
    pub(super) fn open(
        by: PresentBy,
        event_loop: &ActiveEventLoop,
        window: &Arc<Window>,
        delivered: impl Fn(Duration) + Send + 'static,
    ) -> Result<Self, String> {
        let driver = || DriverPresenter::open(event_loop, window, delivered).map(Box::new);
        let soft = || SoftPresenter::open(event_loop, window).map(Box::new);
        match by {
            PresentBy::Driver => driver().map(Self::Driver),
            PresentBy::Soft => soft().map(Self::Soft),
            PresentBy::Auto => match driver() {
                Ok(driver) => Ok(Self::Driver(driver)),
                Err(error) => {
                    log::warn!("no graphics driver presents ({error}); the CPU does");
                    soft().map(Self::Soft)
                }
            },
        }
    }

    /// Who presents, for people.
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
