//! What the Tile Fetcher counts.

use crate::gpu::statistics::ActivityCounters;

/// What the fetcher counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct TileFetcherCounters {
    /// Stalled = waits for memory or for room in a FIFO.
    pub activity: ActivityCounters,
    /// Tiles fetched.
    pub tiles: u64,
    /// Tiles left out.
    pub tiles_skipped: u64,
    /// Primitives handed to Raster Units.
    pub primitives: u64,
    /// Bytes of lists and attributes read.
    pub bytes: u64,
    /// Accesses that the tile cache took, an ideal one as well, whose own counters stand still. Not reported: where there is a cache,
    /// its reads say the same.
    #[serde(skip)]
    pub accesses: u64,
}
