//! The built-in demos: small game scenes that play themselves, the workloads of every figure.
//!
//! A [`Demo`] is an entry of [`DEMOS`]. [`Demo::start`] builds its [`Show`] once: an immutable [`Scene`] with every mesh,
//! texture and material, and a [`Game`], which knows the rules. [`Show::frame`] gives any frame as a pure function of seed and
//! number: asked first or asked last, frame 37 is the same bytes. What has a history (a board game, physics) is simulated
//! when the show starts and looked up afterwards; all else is a closed form of the time.
//!
//! # How to write one
//!
//! One file, one `pub(super) const DEMO`, one line in [`DEMOS`]; `corridor.rs` (3D) and `match3` (2D) are there to read.
//!
//! 1. *Paint.* [`paint::Canvas`] draws [`shape`]s with a cartoon's light and outlines; [`atlas::pack`] makes one texture of
//!    many sprites; [`surface::tiling`] makes walls and grounds from a formula. Colours are sRGB as a painter picks them.
//! 2. *Build.* A [`stage::Stage`] collects textures, materials and meshes: [`stage::sprites`] for all that is drawn flat
//!    (no depth, blended, in order), [`stage::baked`] for solids whose light lies in their vertex colours,
//!    [`solid`] for those on which lights shine, [`figure`] for people.
//! 3. *Play.* In [`Game::frame`], a [`frame::FrameBuilder`] takes draws in the order in which an engine would submit them:
//!    solids from near to far, then what blends, then the display. A [`sprites::Batch`] is geometry of this frame alone, one
//!    draw with one texture. [`hud::Hud`] writes text and bars, [`motion`] has easing and seeded numbers.
//!
//! Flat layers are 720 units high whatever the screen, y down, their width follows the screen; see [`Screen`].
//! Draw constants follow from materials and placements alone: what stands still between frames stays equal bytes.

pub mod atlas;
pub mod billboard;
pub mod decal;
pub mod figure;
pub mod font;
pub mod frame;
pub mod hud;
pub mod isometric;
pub mod motion;
pub mod paint;
pub mod pattern;
pub mod scenery;
pub mod shape;
pub mod solid;
pub mod sprites;
pub mod stage;
pub mod stonework;
pub mod surface;

mod arena;
mod blocks;
mod catapult;
mod circuit;
mod climb;
mod corridor;
mod kingdom;
mod lantern;
mod marble;
mod match3;
mod rope;
mod royal;
mod runner;
mod slope;
mod towers;
mod village;

#[cfg(test)]
mod tests;

use glam::Vec3;

use crate::scene::{FrameState, Scene, View};

/// Every demo, in the order in which lists show them.
pub const DEMOS: &[Demo] = &[
    match3::DEMO,
    towers::DEMO,
    village::DEMO,
    rope::DEMO,
    lantern::DEMO,
    catapult::DEMO,
    slope::DEMO,
    runner::DEMO,
    marble::DEMO,
    corridor::DEMO,
    circuit::DEMO,
    arena::DEMO,
    blocks::DEMO,
    kingdom::DEMO,
    royal::DEMO,
    climb::DEMO,
];

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
    pub start: fn(u32) -> Show,
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
    /// The rules.
    pub game: Box<dyn Game>,
}

/// What moves, when, and in which order it is drawn.
pub trait Game: std::fmt::Debug + Send + Sync {
    /// Frame `frame` for `screen`, a pure function of its arguments and the seed.
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame;
}

/// What one frame of a show draws.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Draws in submission order.
    pub state: FrameState,
    /// The camera.
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
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
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
