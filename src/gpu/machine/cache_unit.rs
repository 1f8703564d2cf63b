//! A first-level cache as a machine's file describes it, and the bound that all latencies share.

use crate::cache::CacheSpec;
use azulejo_units::{Bytes, Cycles};

/// Longest latency of a unit in cycles, so that sums stay far from overflow.
pub(super) const MAX_LATENCY: u64 = 100_000;

/// A first-level cache with its timing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheUnitSpec {
    /// Size, ways and line of the tags.
    pub tags: CacheSpec,
    /// From access to data on a hit.
    pub latency: Cycles,
    /// Lines under way at the same time.
    pub mshrs: u32,
}

impl CacheUnitSpec {
    /// Data cache of a core whose file says nothing of it: 16 KiB, as Mali-G77's load/store unit has (Arm, "The Valhall shader
    /// core"); ways, latency and miss registers are assumed. Its line is the machine's.
    pub(super) const fn data_cache() -> Self {
        Self {
            tags: CacheSpec {
                size: Bytes(16 << 10),
                ways: 4,
                line: Bytes::ZERO,
            },
            latency: Cycles(2),
            mshrs: 32,
        }
    }
}
