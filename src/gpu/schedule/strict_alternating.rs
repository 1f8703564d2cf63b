//! The tiles in the machine's order, dealt to the Raster Units in turn and handed out in this order too: one Tile Fetcher
//! that goes from unit to unit (LIBRA, section III-A, read strictly). A unit that has room waits while the tile before its
//! own waits for another unit.

use super::{FrameStart, TileScheduler};
use azulejo_grid::TileId;

/// Tile k of the walk goes to unit k modulo units, after tile k - 1.
#[derive(Debug, Clone, Default)]
pub struct StrictAlternating {
    walk: Vec<TileId>,
    /// Position in the walk.
    next: usize,
    n_units: usize,
}

impl TileScheduler for StrictAlternating {
    fn begin_frame(&mut self, start: &FrameStart<'_>) {
        self.walk = start.walk();
        self.next = 0;
        self.n_units = start.n_raster_units.max(1);
    }

    fn is_turn_of(&self, unit: usize) -> bool {
        self.is_done() || self.next % self.n_units == unit
    }

    fn next_tile(&mut self, unit: usize) -> Option<TileId> {
        let tile = self.walk.get(self.next).copied()?;
        if !self.is_turn_of(unit) {
            return None;
        }
        self.next += 1;
        Some(tile)
    }

    fn is_done(&self) -> bool {
        self.next >= self.walk.len()
    }
}
