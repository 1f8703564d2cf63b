//! Tile schedulers: their inputs when a frame begins, and the calls that they answer.

use std::fmt::Debug;

use crate::report::{FrameReport, TechniqueReport};
use azulejo_grid::{TileGrid, TileId, TileOrder};
use azulejo_units::Cycles;

/// Inputs of a scheduler when a frame begins.
#[derive(Debug, Clone, Copy)]
pub struct FrameStart<'a> {
    /// Number of the frame.
    pub frame: u64,
    /// Frames that the machine has drawn before, whatever their numbers: what orders that alternate go by.
    pub drawn: u64,
    /// The GPU cycle in which it begins.
    pub now: Cycles,
    /// The screen cut into tiles.
    pub grid: TileGrid,
    /// The walk that the machine prefers.
    pub order: TileOrder,
    /// Raster Units that ask for tiles, at least 1.
    pub n_raster_units: usize,
    /// All that the frame before has cost, if there was one on the same grid. A tile that was left out has the costs of the
    /// frame that drew it last, and is still marked as [skipped](crate::statistics::TileCost::skipped).
    pub previous: Option<&'a FrameReport>,
}

impl FrameStart<'_> {
    /// All tiles as the machine prefers to walk in this frame.
    #[must_use]
    pub fn walk(&self) -> Vec<TileId> {
        self.order.walk(&self.grid, self.drawn)
    }

    /// Whether the machine's walk goes backwards in this frame: schedulers that walk in another way may turn theirs around
    /// as well.
    #[must_use]
    pub const fn is_backwards(&self) -> bool {
        self.order.is_backwards(self.drawn)
    }
}

/// A tile scheduler.
///
/// Contract: between two calls of [`begin_frame`](Self::begin_frame) every tile of the grid is handed out exactly once,
/// after which [`is_done`](Self::is_done) and not before; what it hands out depends on the calls alone. A unit that gets
/// `None` is not asked again before another tile of the frame has been drawn or left out; if no tile is under way then, the
/// frame cannot end and the machine reports a deadlock. [`contract::check`](super::contract::check) tries all of this.
pub trait TileScheduler: Debug + Send {
    /// A frame begins, with its geometry.
    fn begin_frame(&mut self, start: &FrameStart<'_>);

    /// The GPU cycle from which on it can hand out tiles: what ranking them takes, which runs beside the geometry. The
    /// Raster Pipeline begins no earlier.
    fn ready_at(&self) -> Cycles {
        Cycles::ZERO
    }

    /// Whether Raster Unit `unit` is asked now. One that has to wait for its turn is asked as soon as another has taken a
    /// tile, and not only when one has been drawn; once all tiles are handed out, all units are asked.
    fn is_turn_of(&self, unit: usize) -> bool {
        let _ = unit;
        true
    }

    /// Raster Unit `unit` can take a tile; `None` if there is none for it now. Units are asked in order of the work they
    /// have, least first.
    fn next_tile(&mut self, unit: usize) -> Option<TileId>;

    /// Whether all tiles of the frame have been handed out.
    fn is_done(&self) -> bool;

    /// Counters of the technique in the frame, under its name.
    fn take_report(&mut self) -> Option<TechniqueReport> {
        None
    }
}
