//! Destinations of a frame: each sink takes the same draws through the same stages and gives what its name says.
//!
//! | sink | output |
//! |---|---|
//! | [`Recording`](super::Recording) | [`Frame`](super::Frame): the picture, and counters if asked for |
//! | [`Tracing`] | [`Traced`]: the picture and everything that a model of the hardware needs to execute the frame again |
//! | [`Observing`] | [`Observed`]: some tiles, each seen by an observer of yours |
//! | [`Onto`](super::elimination::Onto) | [`Redrawn`](super::elimination::Redrawn): a frame buffer brought up to date, tiles with unchanged inputs left out |

mod observing;
mod picture;
mod submission;
mod tracing;

pub use observing::{Observed, Observing};
pub use tracing::{Traced, Tracing};

use super::Stage;
use super::draw_list::DrawList;
use super::draws::Draw;
use super::elimination::Signing;
use super::raster::FragmentMode;
use super::renderer::Renderer;
use super::shading::FragmentProgram;

/// Something that frames are drawn into. Implemented by this crate alone: the parameter of its one method has no public
/// name.
pub trait Sink: Sized {
    /// Result of drawing a frame into the sink.
    type Output;

    /// Draws the frame through all stages, and gives the sink's result.
    #[doc(hidden)]
    fn draw<P: FragmentProgram + Sync>(self, job: FrameJob<'_, P>) -> Self::Output;
}

/// One frame, or a pass of it, to be drawn, and the renderer that draws it.
#[expect(
    missing_debug_implementations,
    reason = "a closure within, and nobody holds one"
)]
pub struct FrameJob<'a, P> {
    pub(crate) renderer: &'a mut Renderer,
    pub(crate) list: &'a DrawList<'a, P>,
    /// Called as each stage ends.
    pub(crate) done: &'a mut dyn FnMut(Stage),
}

impl<P: FragmentProgram + Sync> FrameJob<'_, P> {
    /// Runs the stages in their order. `raster` is called when every tile has its list, and its signature if asked for: it
    /// takes what its sink needs of them, and draws the tiles that its sink chooses.
    pub(crate) fn run<R>(self, signing: Signing<'_>, raster: impl FnOnce(&mut Renderer) -> R) -> R {
        self.renderer.run_geometry(self.list);
        (self.done)(Stage::Geometry);
        self.renderer.run_tiling(self.list, signing);
        (self.done)(Stage::Tiling);
        let drawn = raster(self.renderer);
        (self.done)(Stage::Raster);
        drawn
    }
}

/// A draw that its code could not be executed for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("draw `{draw}`: {problem}")]
pub struct FailedDraw {
    /// Name of the draw.
    pub draw: String,
    /// A sentence on the reason.
    pub problem: String,
}

impl<P: FragmentProgram> DrawList<'_, P> {
    /// The first draw with a problem, of the pass behind too.
    fn check(&self, problem: fn(&Draw<'_, P>) -> Option<String>) -> Result<(), FailedDraw> {
        if let Some(behind) = &self.behind {
            behind.list.check(problem)?;
        }
        for draw in &self.draws {
            if let Some(problem) = problem(draw) {
                let draw = draw.name.to_string();
                return Err(FailedDraw { draw, problem });
            }
        }
        Ok(())
    }
}

impl Renderer {
    /// [`Self::draw`] of programs that [execute themselves](super::shading::FragmentCode), which may fail at it.
    ///
    /// # Errors
    /// If a loop has no end, or fragments are discarded in a draw whose mode does not ask for that.
    pub fn try_draw<P: FragmentProgram + Sync, S: Sink>(
        &mut self,
        list: &DrawList<'_, P>,
        sink: S,
    ) -> Result<S::Output, FailedDraw> {
        list.check(|draw| {
            let discards = draw.program.code().is_some_and(|code| code.discards());
            let problem = || {
                let mode = draw.mode.name();
                format!(
                    "fragments are discarded, and its mode is {mode}; expected FragmentMode::Masked"
                )
            };
            (discards && draw.mode != FragmentMode::Masked).then(problem)
        })?;
        let drawn = self.draw(list, sink);
        list.check(|draw| draw.program.code()?.failure())?;
        Ok(drawn)
    }

    /// Draws one frame. The sink decides the output: see [the sinks](crate::Sink).
    pub fn draw<P: FragmentProgram + Sync, S: Sink>(
        &mut self,
        list: &DrawList<'_, P>,
        sink: S,
    ) -> S::Output {
        self.draw_by_stages(list, sink, &mut |_| {})
    }

    /// [`Self::draw`]; `done` is called as each stage from [`Stage::Geometry`] on ends. Signatures belong to tiling.
    pub fn draw_by_stages<P: FragmentProgram + Sync, S: Sink>(
        &mut self,
        list: &DrawList<'_, P>,
        sink: S,
        done: &mut dyn FnMut(Stage),
    ) -> S::Output {
        sink.draw(FrameJob {
            renderer: self,
            list,
            done,
        })
    }
}
