//! The tiles in the machine's order, dealt to the Raster Units in turn (LIBRA, section III-A). With one unit: in order.

use super::{FrameStart, TileScheduler};
use azulejo_grid::TileId;

/// Tile k of the walk goes to unit k modulo units.
#[derive(Debug, Clone, Default)]
pub struct Alternating {
    walk: Vec<TileId>,
    /// Position in the walk of each unit's next tile.
    next: Vec<usize>,
}

impl TileScheduler for Alternating {
    fn begin_frame(&mut self, start: &FrameStart<'_>) {
        self.walk = start.walk();
        self.next = (0..start.n_raster_units).collect();
    }

    fn next_tile(&mut self, unit: usize) -> Option<TileId> {
        let n_units = self.next.len();
        let next = self.next.get_mut(unit)?;
        let tile = self.walk.get(*next).copied()?;
        *next += n_units;
        Some(tile)
    }

    fn is_done(&self) -> bool {
        self.next.iter().all(|next| *next >= self.walk.len())
    }
}
