//! The built-in content, made of formulas alone: small game scenes that play themselves (the workloads of every figure) and
//! the [`courtyard`] that is drawn where no scene is named.
//!
//! A [`Demo`] is an entry of [`DEMOS`]. [`Demo::start`] builds its [`Show`] once: an immutable [`Scene`] with every mesh,
//! texture and material, and the rules of the game. [`Show::frame`] gives any frame as a pure function of seed and
//! number: asked first or asked last, frame 37 is the same bytes. What has a history (a board game, physics) is simulated
//! when the show starts and looked up afterwards; all else is a closed form of the time.
//!
//! ```
//! use azulejo::demo::{DEFAULT_SEED, Demo, Screen};
//!
//! let lantern = Demo::find("lantern").expect("a demo of the list");
//! let show = lantern.start(DEFAULT_SEED);
//! let frame = show.frame(90, Screen { width: 320, height: 180 });
//! assert!(!frame.state.instances.is_empty(), "what `render` draws of `show.scene` through `frame.view`");
//! ```
//!
//! Flat layers are 720 units high whatever the screen, y down, their width follows the screen; see [`Screen`].
//! Draw constants follow from materials and placements alone: what stands still between frames stays equal bytes.
//!
//! # How to write one
//!
//! A folder in `games` with one `pub(super) const DEMO`, one line in its list; `corridor` (3D) and `match3` (2D) are there to
//! read. `kit` has what games are made of, [`procedural`] the formulas below it.

mod courtyard;
mod games;
mod kit;
pub mod procedural;

#[cfg(test)]
mod tests;

pub use courtyard::courtyard;
pub use games::DEMOS;

use glam::Vec3;

use crate::scene::{FrameState, Scene, View};

/// Frames of a second of game time.
pub const FRAMES_PER_SECOND: u32 = 60;

/// The seed of those who name none.
pub const DEFAULT_SEED: u32 = 1;

/// A game scene that plays itself.
#[derive(Debug, Clone, Copy)]
pub struct Demo {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What is to be seen, in a line.
    pub about: &'static str,
    /// How its space is drawn.
    pub kind: Kind,
    /// What its camera does.
    pub camera: &'static str,
    /// Builds the show of a seed.
    pub(crate) start: fn(u32) -> Show,
}

/// How a demo's space is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Sprites in layers.
    Flat,
    /// Sprites that stand in a landscape seen from above.
    Isometric,
    /// Meshes with depth, a display of sprites over them.
    Solid,
}

impl Kind {
    /// As games call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flat => "2D",
            Self::Isometric => "2.5D",
            Self::Solid => "3D",
        }
    }
}

impl Demo {
    /// The demo of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        DEMOS.iter().find(|demo| demo.name == name)
    }

    /// Builds everything that no frame changes.
    #[must_use]
    pub fn start(&self, seed: u32) -> Show {
        (self.start)(seed)
    }
}

/// A demo that has been built for a seed.
#[derive(Debug)]
pub struct Show {
    /// Meshes, materials, textures.
    pub scene: Scene,
    /// Linear RGB behind everything.
    pub background: Vec3,
    /// What makes its frames.
    pub(crate) game: Box<dyn Game>,
}

/// What moves, when, and in which order it is drawn.
pub(crate) trait Game: std::fmt::Debug + Send + Sync {
    /// Frame `frame` for `screen`, a pure function of its arguments and the seed.
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame;
}

/// What one frame of a show draws.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Draws in submission order.
    pub state: FrameState,
    /// Where the camera of the solid parts stands; layers have their own.
    pub view: View,
}

impl Show {
    /// Frame `frame`, counted from 0, [`FRAMES_PER_SECOND`] a second.
    #[must_use]
    pub fn frame(&self, frame: u64, screen: Screen) -> Frame {
        self.game.frame(&self.scene, frame, screen)
    }
}

/// The picture that a frame is laid out for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// Pixels from left to right, above 0.
    pub width: u32,
    /// Pixels from top to bottom, above 0.
    pub height: u32,
}

impl Screen {
    /// Units from the upper to the lower edge of flat layers.
    pub const UNITS_HIGH: f32 = 720.0;

    /// Units from the left to the right edge of flat layers.
    #[must_use]
    pub fn units_wide(self) -> f32 {
        Self::UNITS_HIGH * self.width as f32 / self.height.max(1) as f32
    }
}
