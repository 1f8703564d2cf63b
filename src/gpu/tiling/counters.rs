//! Counters of the Tile Fetcher.

use crate::statistics::ActivityCounters;

/// Counters of the Tile Fetcher in a frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct TileFetcherCounters {
    /// Stalled = waits for memory or for room in a FIFO.
    pub activity: ActivityCounters,
    /// Tiles fetched for Raster Units.
    pub tiles: u64,
    /// Tiles left out as a whole.
    pub tiles_skipped: u64,
    /// Primitives handed to Raster Units.
    pub primitives: u64,
    /// Bytes of lists and attributes read.
    pub bytes: u64,
    /// Accesses that the tile cache took; those of an ideal one, whose own counters stand still, included. Not reported:
    /// where there is a cache, its reads say the same.
    #[serde(skip)]
    pub accesses: u64,
}
