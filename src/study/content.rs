//! Inputs and hands of a study that come from outside: content to draw, a watcher of the progress, a place where
//! measurements are kept. The program brings files and a progress bar; demos and silence are here.

use std::error::Error;
use std::fmt::Debug;

use crate::demo::{DEFAULT_SEED, Demo, Screen};
use crate::gpu::machine::ScreenSpec;
use crate::render::{FrameInput, RenderSettings, Renderer, Traced, Tracing};
use crate::trace::FrameTrace;

/// Error of any kind, from the side that a study calls.
pub type Problem = Box<dyn Error + Send + Sync>;

/// Drawer of a content's frames by number, each with the facts that are asked for; equal for equal numbers.
pub type Drawer<'a> = Box<dyn FnMut(u64, Tracing) -> FrameTrace + 'a>;

/// Content that a study measures: a demo, or a scene of the caller.
pub trait Content: Debug + Sync {
    /// Name of its row in figures; no two of a study share it.
    fn name(&self) -> &str;

    /// Key of its kept measurement: for what may change under one name, more than the name.
    fn key(&self) -> &str {
        self.name()
    }

    /// Demo that it is, if it is one; trends were declared of demos.
    fn demo(&self) -> Option<&'static Demo> {
        None
    }

    /// Makes the content ready to be drawn at a machine's screen.
    ///
    /// # Errors
    /// Content that cannot be loaded or drawn.
    fn start<'a>(
        &'a self,
        screen: &ScreenSpec,
        renderer: &'a mut Renderer,
    ) -> Result<Drawer<'a>, Problem>;
}

/// Demo of a seed as content of a study.
#[derive(Debug, Clone, Copy)]
pub struct DemoContent {
    /// Demo of the list.
    pub demo: &'static Demo,
    /// Seed of its course.
    pub seed: u32,
}

impl DemoContent {
    /// Finds the demo of a name, with the default seed.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Demo::find(name).map(Self::of)
    }

    /// Takes a demo with the default seed.
    #[must_use]
    pub const fn of(demo: &'static Demo) -> Self {
        Self {
            demo,
            seed: DEFAULT_SEED,
        }
    }
}

impl Content for DemoContent {
    fn name(&self) -> &str {
        self.demo.name
    }

    fn demo(&self) -> Option<&'static Demo> {
        Some(self.demo)
    }

    fn start<'a>(
        &'a self,
        screen: &ScreenSpec,
        renderer: &'a mut Renderer,
    ) -> Result<Drawer<'a>, Problem> {
        let show = self.demo.start(self.seed);
        let settings = RenderSettings {
            binning: screen.binning,
            ..RenderSettings::of_screen(screen.grid).of_game(show.background)
        };
        let screen = Screen {
            width: screen.grid.width,
            height: screen.grid.height,
        };
        Ok(Box::new(move |number, sink| {
            let frame = show.frame(number, screen);
            let settings = RenderSettings {
                frame: number,
                ..settings
            };
            let input = FrameInput::new(&show.scene, &frame.state, &frame.view, &settings);
            let Traced { picture, trace } = renderer.draw(&input.draws(), sink);
            renderer.recycle(picture);
            trace
        }))
    }
}

/// Watcher of a study's progress; `()` watches nothing.
pub trait Progress: Debug + Sync {
    /// Notes frames that were drawn, or need not be.
    fn drawn(&self, frames: u64);

    /// Notes frames that will be drawn beyond those of each content.
    fn expect(&self, frames: u64);
}

impl Progress for () {
    fn drawn(&self, _: u64) {}

    fn expect(&self, _: u64) {}
}

/// Place where measurements are kept as JSON by the key of their content, so that a study that was stopped goes on. It must
/// tell machines, samples and frames apart by itself: keys are of the content alone.
pub trait Keep: Debug + Sync {
    /// Gives back the measurement of a key, if it was kept.
    fn recall(&self, key: &str) -> Option<Vec<u8>>;

    /// Keeps the measurement of a key.
    ///
    /// # Errors
    /// Those of the place.
    fn keep(&self, key: &str, measured: &[u8]) -> Result<(), Problem>;

    /// Learns that a recalled measurement cannot be read and is made again.
    fn unreadable(&self, key: &str, problem: &str) {
        let _ = (key, problem);
    }
}
