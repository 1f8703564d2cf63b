//! How a stream of accesses reuses its lines: within frames and between them, by set of a cache (Boustrophedonic Frames, PACT 2023,
//! section III-D). Events of a stream in, one report out; memory grows with lines, not with accesses.

mod analysis;
mod distance;
mod histogram;
mod sub_traces;

pub use analysis::{ReuseAnalysis, ReuseReport, Reuses};
pub use distance::StackDistances;
pub use histogram::{Bin, DistanceHistogram};
pub use sub_traces::SubTraces;
