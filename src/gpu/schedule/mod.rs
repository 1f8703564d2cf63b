//! Seam: which tile next, on which Raster Unit. Baselines here; what learns lives with its technique.

mod alternating;
mod least_occupied;

use std::fmt::Debug;

pub use alternating::Alternating;
pub use least_occupied::LeastOccupied;

use crate::gpu::machine::Dispatch;
use crate::gpu::report::FrameReport;
use crate::grid::{TileGrid, TileId, TileOrder};

/// What a scheduler knows when a frame's tiles begin to be drawn.
#[derive(Debug, Clone, Copy)]
pub struct FrameStart<'a> {
    /// Number of the frame.
    pub frame: u64,
    /// The screen.
    pub grid: TileGrid,
    /// The walk that the machine prefers.
    pub order: TileOrder,
    /// Raster Units.
    pub n_raster_units: usize,
    /// All that the frame before has cost, if there was one.
    pub previous: Option<&'a FrameReport>,
}

/// A tile scheduler. Contract: between two calls of `begin_frame` every tile of the grid is handed out exactly once; what it hands
/// out depends on the calls alone; a unit that is told `None` is not asked again before something has been drawn.
pub trait TileScheduler: Debug + Send {
    /// A frame's geometry is done.
    fn begin_frame(&mut self, start: &FrameStart<'_>);

    /// Raster Unit `unit` can take a tile. Units are asked in order of the work they have, least first.
    fn next_tile(&mut self, unit: usize) -> Option<TileId>;

    /// Whether all tiles of the frame have been handed out.
    fn is_done(&self) -> bool;
}

/// The baseline that a machine names.
#[must_use]
pub fn baseline(dispatch: Dispatch) -> Box<dyn TileScheduler> {
    match dispatch {
        Dispatch::Alternating => Box::<Alternating>::default(),
        Dispatch::LeastOccupied => Box::<LeastOccupied>::default(),
    }
}
