//! Inputs and hands of a study that come from outside: workloads to draw, a watcher of the progress, a place where
//! measurements are kept. The program brings files and a progress bar; demos and silence are here.

use std::error::Error;
use std::fmt::Debug;

use azulejo_demo::{DEFAULT_SEED, Demo};
use azulejo_gpu::machine::ScreenSpec;
use azulejo_render::{Renderer, Tracing};
use azulejo_shot::Shot;
use azulejo_shot::facts::{self, TooManyFacts};
use azulejo_trace::FrameTrace;

/// Error of any kind, from the side that a study calls.
pub type Problem = Box<dyn Error + Send + Sync>;

/// Drawer of a workload's frames by number, each with the facts that are asked for; equal for equal numbers.
pub type Drawer<'a> = Box<dyn FnMut(u64, Tracing) -> FrameTrace + 'a>;

/// Drawer of a shot, once its first frame is known not to do too much.
///
/// # Errors
/// If it does.
pub fn drawer(shot: Shot, renderer: &mut Renderer) -> Result<Drawer<'_>, TooManyFacts> {
    facts::check(renderer, &shot.at(0).draws())?;
    Ok(Box::new(move |frame, sink| {
        facts::trace_checked(renderer, &shot.at(frame).draws(), sink)
    }))
}

/// Workload that a study measures: a demo, or a scene of the caller.
pub trait Workload: Debug + Sync {
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

    /// Makes the workload ready to be drawn at a machine's screen.
    ///
    /// # Errors
    /// Workload that cannot be loaded or drawn.
    fn start<'a>(
        &'a self,
        screen: &ScreenSpec,
        renderer: &'a mut Renderer,
    ) -> Result<Drawer<'a>, Problem>;
}

/// Demo of a seed as workload of a study.
#[derive(Debug, Clone, Copy)]
pub struct DemoWorkload {
    /// Demo of the list.
    pub demo: &'static Demo,
    /// Seed of its course.
    pub seed: u32,
}

impl DemoWorkload {
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

    /// Shot of the demo at a machine's screen.
    #[must_use]
    pub fn shot(&self, screen: &ScreenSpec) -> Shot {
        let mut shot = Shot::show(self.demo.start(self.seed)).on_screen(screen.grid);
        shot.settings.binning = screen.binning;
        shot
    }
}

impl Workload for DemoWorkload {
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
        Ok(drawer(self.shot(screen), renderer)?)
    }
}

/// Watcher of a study's progress; `()` watches nothing.
pub trait Progress: Debug + Sync {
    /// Notes frames that were drawn, or need not be.
    fn drawn(&self, frames: u64);

    /// Notes frames that will be drawn beyond those of each workload.
    fn expect(&self, frames: u64);
}

impl Progress for () {
    fn drawn(&self, _: u64) {}

    fn expect(&self, _: u64) {}
}

/// Place where measurements are kept as JSON by the key of their workload, so that a study that was stopped goes on. It must
/// tell machines, samples and frames apart by itself: keys are of the workload alone.
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
