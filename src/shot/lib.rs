//! Shots: content, seen from an eye, drawn at any moment, with as many facts as are asked for.
//!
//! A [`Shot`] is a value: its [`Content`] is shared, so a clone costs nothing, and one shot serves pictures, counters and
//! the traces of any number of machines. [`Shot::at`] is one frame of it with all that the renderer takes.
//!
//! ```
//! # mod azulejo { pub use azulejo_gpu as gpu; pub use azulejo_render as render; pub use azulejo_shot as shot; }
//! # #[cfg(all(feature = "demos", feature = "model"))]
//! # {
//! use azulejo::gpu::{Gpu, machine::MachineSpec};
//! use azulejo::render::{Recording, Renderer, SimdLevel};
//! use azulejo::shot::Shot;
//!
//! let mut renderer = Renderer::new(0, SimdLevel::Auto)?;
//! let shot = Shot::demo("match3")?.sized(320, 180);
//! let frame = shot.draw(&mut renderer, 120, Recording::Counters);
//! assert_eq!((frame.picture.width, frame.picture.height), (320, 180));
//!
//! // Its cost at the machine's screen.
//! let machine = MachineSpec::built_in("mali450-re", &["screen.width=320".parse()?, "screen.height=180".parse()?])?;
//! let trace = shot.trace(&mut renderer, &machine, 120)?;
//! assert!(Gpu::new(&machine)?.run_frame(&trace)?.cycles.0 > 0);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A scene comes from [`gltf::load_path`](azulejo_scene::gltf::load_path) or any other source; [`Shot::scene`] sees it from
//! its first camera, or all of it where it has none, under its own light or the built-in one.

mod content;
mod eye;
#[cfg(feature = "model")]
pub mod facts;
mod moment;
mod still;

use std::sync::Arc;

pub use content::{Content, Rest};
pub use eye::Eye;
pub use moment::Moment;
pub use still::Still;

#[cfg(feature = "demos")]
use azulejo_demo::{DEFAULT_SEED, Demo, Show};
#[cfg(feature = "model")]
use azulejo_gpu::machine::{MachineSpec, SampleStorageError};
use azulejo_grid::TileGrid;
use azulejo_render::{RenderSettings, Renderer, Sink};
use azulejo_scene::{AnimationChoice, Environment, Scene};
#[cfg(feature = "model")]
use azulejo_trace::FrameTrace;
#[cfg(feature = "model")]
use facts::{TooManyFacts, TraceError};

/// Content, seen from an eye, ready to be drawn at any moment.
#[derive(Debug, Clone)]
pub struct Shot {
    /// Scene, light and game.
    pub content: Arc<Content>,
    /// Viewpoint of all frames.
    pub eye: Eye,
    /// Animations that play; a demo plays itself.
    pub animation: AnimationChoice,
    /// Settings of all frames; each gets its own number.
    pub settings: RenderSettings,
}

/// No demo has this name.
#[cfg(feature = "demos")]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}: no demo of this name; `azulejo list` names them")]
pub struct UnknownDemo(pub String);

/// Equal shots have equal pictures at every moment; their contents are one.
impl PartialEq for Shot {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.content, &other.content)
            && (self.eye, self.animation) == (other.eye, other.animation)
            && self.settings == other.settings
    }
}

impl Shot {
    /// Content as it is first seen, before its own background, at 1920x1080.
    #[must_use]
    pub fn new(content: Content) -> Self {
        Self {
            eye: Eye::first(&content),
            animation: AnimationChoice::All,
            settings: content.before_own_background(RenderSettings::default()),
            content: Arc::new(content),
        }
    }

    /// Demo of a name, with the usual seed.
    ///
    /// # Errors
    /// If there is none.
    #[cfg(feature = "demos")]
    pub fn demo(name: &str) -> Result<Self, UnknownDemo> {
        let demo = Demo::find(name).ok_or_else(|| UnknownDemo(name.to_owned()))?;
        Ok(Self::show(demo.start(DEFAULT_SEED)))
    }

    /// Show of a demo.
    #[cfg(feature = "demos")]
    #[must_use]
    pub fn show(show: Show) -> Self {
        Self::new(Content::show(show))
    }

    /// Scene under its own light, or under the built-in one.
    #[must_use]
    pub fn scene(scene: Scene) -> Self {
        let environment = scene.environment.clone();
        let environment = environment.unwrap_or_else(Environment::builtin);
        Self::new(Content::scene(scene, Some(environment)))
    }

    /// Pictures of another size, in pixels.
    #[must_use]
    pub const fn sized(mut self, width: u32, height: u32) -> Self {
        (self.settings.width, self.settings.height) = (width, height);
        self
    }

    /// Pictures of a screen, in its tiles.
    #[must_use]
    pub const fn on_screen(mut self, screen: TileGrid) -> Self {
        self.settings.tile_size = screen.tile_size;
        self.sized(screen.width, screen.height)
    }

    /// Pictures from another viewpoint.
    #[must_use]
    pub const fn seen_from(mut self, eye: Eye) -> Self {
        self.eye = eye;
        self
    }

    /// Aspect ratio of the pictures, width / height.
    #[must_use]
    pub fn aspect(&self) -> f32 {
        self.settings.width as f32 / self.settings.height as f32
    }

    /// Frame at a moment, ready to be drawn.
    pub fn at(&self, moment: impl Into<Moment>) -> Still {
        let moment = moment.into();
        let content = &self.content;
        let settings = RenderSettings {
            frame: moment.frame,
            ..self.settings
        };
        #[cfg(feature = "demos")]
        if let Some((state, own)) = content.play(moment.played_frame(), &settings) {
            return Still {
                content: Arc::clone(content),
                settings,
                state,
                view: self.eye.over(own),
            };
        }
        let scene = &content.scene;
        let mut pose = scene.pose_at(self.animation, moment.seconds as f32);
        let camera = self.eye.look(content, &mut pose, self.aspect());
        let view = camera.view(settings.width, settings.height);
        let mut state = scene.state_of(&pose);
        state.sort_blended(scene, view.eye_world);
        Still {
            content: Arc::clone(content),
            settings,
            state,
            view,
        }
    }

    /// Draws the frame at a moment. The sink decides the output: the picture alone, counters, or all facts; see
    /// [the sinks](Sink).
    pub fn draw<S: Sink>(
        &self,
        renderer: &mut Renderer,
        moment: impl Into<Moment>,
        sink: S,
    ) -> S::Output {
        renderer.draw(&self.at(moment).draws(), sink)
    }
}

#[cfg(feature = "model")]
impl Shot {
    /// Shot at a machine's screen, in tiles that it holds with the shot's samples a pixel.
    ///
    /// # Errors
    /// If its tile buffers hold no tile with so many samples.
    pub fn on_machine(&self, machine: &MachineSpec) -> Result<Self, SampleStorageError> {
        let screen = TileGrid {
            tile_size: machine.tile_size_for(self.settings.samples)?,
            ..machine.screen.grid
        };
        let mut shot = self.clone().on_screen(screen);
        shot.settings.binning = machine.screen.binning;
        Ok(shot)
    }

    /// Facts of a frame for a machine: all that the pipeline does for it at that screen.
    ///
    /// # Errors
    /// If the machine has no tiles for the shot's samples, or the frame does too much to be held in memory.
    pub fn trace(
        &self,
        renderer: &mut Renderer,
        machine: &MachineSpec,
        moment: impl Into<Moment>,
    ) -> Result<FrameTrace, TraceError> {
        Ok(self.on_machine(machine)?.facts(renderer, moment)?)
    }

    /// Facts of a frame as the shot draws it: all that the pipeline does for it.
    ///
    /// # Errors
    /// If that is too much to be held in memory.
    pub fn facts(
        &self,
        renderer: &mut Renderer,
        moment: impl Into<Moment>,
    ) -> Result<FrameTrace, TooManyFacts> {
        facts::trace(renderer, &self.at(moment).draws())
    }
}

#[cfg(all(test, feature = "demos", feature = "model"))]
mod tests {
    use super::*;
    use azulejo_demo::{DEMOS, Screen, courtyard};
    use azulejo_grid::SampleCount;
    use azulejo_render::{Background, FrameInput, Recording, SimdLevel, Tracing};

    fn renderer() -> Renderer {
        Renderer::new(1, SimdLevel::Auto).expect("one thread")
    }

    #[test]
    fn shot_of_a_demo_draws_its_show() {
        let (width, height) = (160, 96);
        let show = DEMOS[0].start(DEFAULT_SEED);
        let frame = show.frame(77, Screen { width, height });
        let settings = RenderSettings {
            width,
            height,
            frame: 77,
            ..RenderSettings::default().of_game(show.background)
        };
        let input = FrameInput::new(&show.scene, &frame.state, &frame.view, &settings);
        let expected = renderer().draw(&input.draws(), Tracing::default());
        let shot = Shot::demo(DEMOS[0].name).expect("a demo").sized(160, 96);
        let traced = shot.draw(&mut renderer(), 77, Tracing::default());
        assert_eq!(traced, expected, "picture and facts");
        let facts = shot.facts(&mut renderer(), 77).expect("few");
        assert_eq!(facts, expected.trace, "after they were counted");
    }

    #[test]
    fn shot_of_a_scene_is_framed_under_the_built_in_light() {
        let shot = Shot::scene(courtyard()).sized(96, 64);
        let settings = RenderSettings {
            width: 96,
            height: 64,
            background: Background::Environment,
            ..RenderSettings::default()
        };
        let scene = courtyard();
        let mut state = scene.state_at(AnimationChoice::All, 0.0);
        let view = match scene.camera_nodes().next() {
            Some(_) => shot.at(0).view,
            None => scene.framing_camera(&state, 1.5).view(96, 64),
        };
        state.sort_blended(&scene, view.eye_world);
        let environment = Environment::builtin();
        let input = FrameInput {
            environment: Some(&environment),
            ..FrameInput::new(&scene, &state, &view, &settings)
        };
        let expected = renderer().draw(&input.draws(), Recording::Off);
        let drawn = shot.draw(&mut renderer(), 0, Recording::Off);
        assert_eq!(drawn.picture, expected.picture, "the same bytes");
    }

    #[test]
    fn shot_on_a_machine_has_its_screen_and_tiles_for_the_samples() {
        let machine = MachineSpec::built_in("mali450-re", &[]).expect("shipped");
        let mut shot = Shot::demo("match3").expect("a demo");
        let of_one = shot.on_machine(&machine).expect("tiles");
        assert_eq!(of_one.settings.grid(), machine.screen.grid, "as they are");
        shot.settings.samples = SampleCount::Four;
        match (
            shot.on_machine(&machine),
            machine.tile_size_for(SampleCount::Four),
        ) {
            (Ok(shot), Ok(edge)) => assert_eq!(shot.settings.tile_size, edge, "smaller"),
            (shot, edge) => assert_eq!(shot.is_ok(), edge.is_ok(), "refused"),
        }
    }

    #[test]
    fn unknown_demo_is_named() {
        let error = Shot::demo("nowhere").expect_err("no demo").to_string();
        assert!(error.starts_with("nowhere: no demo"), "{error}");
    }
}
