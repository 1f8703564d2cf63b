//! Caches as separate values that a unit composes: tags (resident lines), replacement (victims), MSHRs (lines under way),
//! the offline optima over a recorded stream, streams with marks as words, and how streams reuse their lines. Latencies,
//! ports and banks belong to the unit, not to this room.
//!
//! - an atomic cache (trace studies): [`CacheTags::access`], which allocates at once;
//! - a non-blocking cache (the GPU's): [`CacheTags::lookup`], on a miss [`MshrFile::request`], and when the line arrives
//!   [`CacheTags::fill`] and [`MshrFile::complete`];
//! - the least misses that any policy could have: [`simulate_offline`].

mod by_address;
mod loop_trace;
mod mshr;
mod offline;
mod replacement;
mod replay;
mod reuse;
mod spec;
mod stream;
mod tags;

pub(crate) use by_address::{ByAddress, bucket};
pub use loop_trace::{LoopTrace, LoopTraceError, SteadyState};
pub use mshr::{MshrCounters, MshrFile, MshrOutcome, MshrSpec};
pub use offline::{
    AccessStream, OfflineCounters, OfflineOutcome, OfflinePolicy, StreamFull, simulate_offline,
};
pub use replacement::{Recency, Replacement, ReplacementPolicy, Victim};
pub use replay::{CachePolicy, CacheReplay, CacheReport, PolicyReport};
pub use reuse::{
    Bin, DistanceHistogram, ReuseAnalysis, ReuseReport, Reuses, StackDistances, SubTraces,
};
pub use spec::{CacheSpec, CacheSpecError};
pub use stream::{
    STREAM_MAGIC, StreamAccess, StreamDecoder, StreamEncoder, StreamError, StreamEvent,
    StreamHeader, TilePlace,
};
pub(crate) use tags::PolicyTags;
pub use tags::{CacheAccess, CacheCounters, CacheTags, Eviction};
