//! Onto the screen: a picture and the painted interface become the window's pixels, by the graphics driver or, where there is
//! none, by the CPU.

mod driver;
mod paint;
mod present_thread;
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

/// Choice of the presenter, as the command line takes it.
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

/// What the window shall show.
pub(super) struct Presented<'a> {
    /// The rendered frame; `None` before the first one.
    pub(super) picture: Option<&'a Picture>,
    /// Whether it is another one than last time.
    pub(super) is_new: bool,
    /// Where the picture lies on the window, in physical pixels.
    pub(super) placement: Placement,
    /// The interface, cut into triangles.
    pub(super) interface: &'a [egui::ClippedPrimitive],
    /// Changes of the interface's textures since the last call.
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

/// The presenter in use.
pub(super) enum Presenter {
    /// wgpu: Vulkan, Metal, Direct3D or OpenGL.
    Driver(Box<DriverPresenter>),
    /// softbuffer: the CPU writes the window's pixels.
    Soft(Box<SoftPresenter>),
}

impl Presenter {
    /// The first way that works, for a window. `delivered` is called for each image that reached the window after
    /// [`Self::present`] had returned, with the time that presenting it took.
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
