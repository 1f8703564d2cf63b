//! The built-in content, made of formulas alone: small game scenes that play themselves (the workloads of most figures), models with
//! one texture (those of `em2`), and the [`courtyard`] that is drawn where no scene is named.
//!
//! A [`Demo`] is an entry of [`DEMOS`], of [`MODELS`] or of [`VARIANTS`]. [`Demo::start`] builds its [`Show`] once: an immutable [`Scene`](azulejo_scene::Scene) with every mesh,
//! texture and material, and the rules of the game. [`Show::frame`] gives any frame as a pure function of seed and
//! number: asked first or asked last, frame 37 is the same bytes. A game with a history (a board, physics) is simulated
//! when the show starts and looked up afterwards; all else is a closed form of the time.
//!
//! ```
//! # mod azulejo { pub use azulejo_demo as demo; }
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
mod models;
pub mod procedural;
mod setting;
mod show;
mod variants;

#[cfg(test)]
mod tests;

pub use courtyard::courtyard;
pub use games::DEMOS;
pub use models::MODELS;

pub use setting::Setting;
#[doc(hidden)]
pub use show::Game;
pub use show::{DEFAULT_SEED, Demo, Frame, Kind, Screen, Show};
pub use variants::VARIANTS;

pub use azulejo_units::FRAMES_PER_SECOND;

impl Demo {
    /// The demo of a name: a game, a model or a variant of a game such as `match3-lit`.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        Self::all().find(|demo| demo.name == name)
    }

    /// Every game, then every model, then every variant of a game.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        DEMOS.iter().chain(MODELS).chain(VARIANTS)
    }
}
