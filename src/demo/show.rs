//! Types of a demo: its entry in the list, the show that it builds, and a frame of that.

use std::sync::Arc;

use glam::Vec3;

use super::setting::Setting;
use azulejo_scene::{FrameState, Scene, View};

/// Seed of a show where none is given.
pub const DEFAULT_SEED: u32 = 1;

/// A game scene that plays itself.
#[derive(Debug, Clone, Copy)]
pub struct Demo {
    /// Name on the command line.
    pub name: &'static str,
    /// Description of the picture, in a line.
    pub about: &'static str,
    /// How its space is drawn.
    pub kind: Kind,
    /// Camera movement, in words.
    pub camera: &'static str,
    /// Change to its content.
    pub setting: Setting,
    /// Builds the show of a seed, without the setting.
    pub(crate) start: fn(u32) -> Show,
}

/// How a demo's space is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Sprites in flat layers, no depth.
    Flat,
    /// Sprites that stand in a landscape seen from above.
    Isometric,
    /// Meshes with depth, a display of sprites over them.
    Solid,
}

impl Kind {
    /// Name of the kind, as games call it.
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
    /// Builds everything that no frame changes.
    #[must_use]
    pub fn start(&self, seed: u32) -> Show {
        (self.start)(seed).changed(self.setting)
    }
}

/// A demo that has been built for a seed.
#[derive(Debug, Clone)]
pub struct Show {
    /// Meshes, materials, textures of all frames.
    pub scene: Scene,
    /// Linear RGB behind everything.
    pub background: Vec3,
    /// Game that makes the show's frames.
    #[doc(hidden)]
    pub game: Arc<dyn Game>,
}

/// Game logic: moving things by frame number, in the order in which they are drawn.
#[doc(hidden)]
pub trait Game: std::fmt::Debug + Send + Sync {
    /// Frame `frame` for `screen`, a pure function of its arguments and the seed.
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame;
}

/// Draws and camera of one frame of a show.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Draws in submission order.
    pub state: FrameState,
    /// Camera of the solid parts; layers have their own.
    pub view: View,
}

impl Show {
    /// The show with a change to its content.
    pub(crate) fn changed(mut self, setting: Setting) -> Self {
        setting.change_scene(&mut self.scene);
        let game = self.game;
        Self {
            game: Arc::new(Changed { game, setting }),
            ..self
        }
    }

    /// Frame `frame`, counted from 0, [`FRAMES_PER_SECOND`](azulejo_units::FRAMES_PER_SECOND) a second.
    #[must_use]
    pub fn frame(&self, frame: u64, screen: Screen) -> Frame {
        self.game.frame(&self.scene, frame, screen)
    }
}

/// A game whose frames have a setting.
#[derive(Debug)]
struct Changed {
    game: Arc<dyn Game>,
    setting: Setting,
}

impl Game for Changed {
    fn frame(&self, scene: &Scene, frame: u64, screen: Screen) -> Frame {
        let mut frame = self.game.frame(scene, frame, screen);
        self.setting.change_frame(&mut frame.state);
        frame
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
