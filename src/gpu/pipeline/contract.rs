//! The engine's calls of a pipeline, which owns everything between triangles and pixels, and works in phases.

use std::fmt::Debug;

use super::common::{Common, Pass};
use super::immediate::ImmediateReport;
use crate::cache::CacheCounters;
use crate::failure::FrameError;
use crate::frame::PreparedFrame;
use crate::memory::NOBODY;
use crate::raster::RasterUnitCounters;
use crate::report::TechniqueReport;
use crate::schedule::FrameStart;
use crate::tiling::{ListBuilderCounters, TileFetcherCounters};
use azulejo_trace::FrameTrace;
use azulejo_units::Cycles;

/// Pass of a frame. Techniques work by frames, whose tiles they compare with those of the frames before: passes before the
/// last draw other targets, whole and in the machine's own order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Before,
    Last,
}

/// Counters of a pipeline's units as reports have them; units that it does not have were idle.
#[derive(Debug, Default)]
pub(crate) struct PipelineCounters {
    pub(crate) list_builder: ListBuilderCounters,
    pub(crate) tile_fetcher: TileFetcherCounters,
    pub(crate) tile_cache: CacheCounters,
    pub(crate) raster_units: Vec<RasterUnitCounters>,
    pub(crate) immediate: Option<ImmediateReport>,
}

/// A pipeline from assembled triangles to pixels in memory.
pub(crate) trait PixelPipeline: Debug + Send {
    /// Gives addresses to all that a pass needs, and prepares its facts.
    fn prepare<'f>(&mut self, trace: &'f FrameTrace, common: &mut Common) -> PreparedFrame<'f>;

    /// A pass begins, with its first phase.
    fn begin(
        &mut self,
        role: Role,
        start: &FrameStart<'_>,
        facts: &PreparedFrame<'_>,
        common: &Common,
    );

    /// One cycle of geometry and of all units behind it, the last ones first.
    fn tick(&mut self, now: Cycles, pass: &mut Pass<'_, '_>, common: &mut Common);

    /// A line has come for one of the pipeline's caches, by its number as a source of requests.
    fn fill(&mut self, source: usize, line: u64, now: Cycles);

    /// A line has come around the L2.
    fn color_arrived(&mut self, _line: u64) {}

    /// Tile and draw that a line of the Parameter Buffer belongs to, or [`NOBODY`].
    fn owner(&self, _line: u64, _facts: &PreparedFrame<'_>, _common: &Common) -> (u32, u32) {
        (NOBODY, NOBODY)
    }

    /// Whether the phase's work is done.
    fn is_done(
        &self,
        now: Cycles,
        facts: &PreparedFrame<'_>,
        common: &Common,
    ) -> Result<bool, FrameError>;

    /// The phase's work is done: no unit has any from `now` on, whatever it did in the last cycle. Whether another phase
    /// follows, which begins at once.
    fn end_phase(&mut self, now: Cycles) -> bool;

    /// Cycle in which the pass's last triangle was done with.
    fn geometry_end(&self) -> Cycles;

    /// The first cycle after `now` at which something can happen without anything from outside.
    fn next_wake(&self, now: Cycles, common: &Common) -> Cycles;

    /// Units that wait, and what each waits for, as far as one can say from outside.
    fn waiting(&self, now: Cycles, facts: &PreparedFrame<'_>, common: &Common) -> Vec<String>;

    /// Grows with everything that is done in a frame.
    fn work_done(&self) -> u64;

    /// Tiles of the frame under way that have been begun or left out.
    fn n_tiles_begun(&self) -> u64 {
        0
    }

    /// Counters since the last call.
    fn take_counters(&mut self, now: Cycles) -> PipelineCounters;

    /// Reports of the techniques in the pipeline's seams.
    fn take_reports(&mut self) -> Vec<TechniqueReport>;
}
