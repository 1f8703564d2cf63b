//! The tiles in the machine's order, each to the Raster Unit that can take one first, the emptier one if several can (KHEPRI, baseline).

use super::{FrameStart, TileScheduler};
use azulejo_grid::TileId;

/// One list for all units.
#[derive(Debug, Clone, Default)]
pub struct LeastOccupied {
    walk: Vec<TileId>,
    next: usize,
}

impl TileScheduler for LeastOccupied {
    fn begin_frame(&mut self, start: &FrameStart<'_>) {
        self.walk = start.walk();
        self.next = 0;
    }

    fn next_tile(&mut self, _: usize) -> Option<TileId> {
        let tile = self.walk.get(self.next).copied()?;
        self.next += 1;
        Some(tile)
    }

    fn is_done(&self) -> bool {
        self.next >= self.walk.len()
    }
}
