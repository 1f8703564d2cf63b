//! Seam: which tile next, on which Raster Unit. Baselines here; schedulers that learn live with their techniques.

mod alternating;
pub mod contract;
mod least_occupied;
mod scheduler;
mod strict_alternating;
mod watch;
mod work_tiles;

pub use alternating::Alternating;
pub use least_occupied::LeastOccupied;
pub use scheduler::{FrameStart, TileScheduler};
pub use strict_alternating::StrictAlternating;
pub(crate) use watch::WatchedScheduler;
pub use work_tiles::WorkTiles;

use crate::machine::Dispatch;

/// The baseline that a machine names.
#[must_use]
pub fn baseline(dispatch: Dispatch) -> Box<dyn TileScheduler> {
    match dispatch {
        Dispatch::Alternating => Box::<Alternating>::default(),
        Dispatch::StrictAlternating => Box::<StrictAlternating>::default(),
        Dispatch::LeastOccupied => Box::<LeastOccupied>::default(),
    }
}
