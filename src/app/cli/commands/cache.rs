//! `azulejo cache`: a trace of memory accesses through a cache alone.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use super::memory_trace::{CachedTraceArgs, CountsFrames};
use super::{Console, Outcome};
use crate::cli::failure::Failure;
use azulejo_gpu::cache::{
    CachePolicy, CacheReplay, CacheReport, StreamAccess, StreamEvent, StreamFull,
};
use azulejo_report::cache_table;
use azulejo_units::Bytes;

/// Replacement policies by name.
pub(super) const CACHE_POLICIES: [(&str, CachePolicy, &str); 4] = [
    (
        "lru",
        CachePolicy::Lru,
        "the least recently used line leaves",
    ),
    (
        "mru",
        CachePolicy::Mru,
        "the most recently used line leaves",
    ),
    (
        "opt",
        CachePolicy::Opt,
        "Belady's optimum: the line used farthest in the future leaves",
    ),
    (
        "opt-bypass",
        CachePolicy::OptBypass,
        "the optimum, which may also leave the incoming line out",
    ),
];

/// Run a trace of memory accesses through a cache: hits, misses, write-backs
///
/// Optimal policies give the least misses that any policy could have.
///
/// A trace is a file of little-endian 32-bit words, the byte address with its two low bits cleared, plus 1 for a write; a
/// stream that `azulejo simulate --l2-stream` recorded; or text, as `azulejo help memory` describes; also compressed (.gz).
/// The cache is write-back and write-allocate and starts empty. The optimal policies keep the trace in memory.
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct CacheArgs {
    #[command(flatten)]
    cached: CachedTraceArgs,
    /// Replacement policy; several with commas between run side by side
    #[arg(long, value_name = "POLICY", default_value = "lru", value_delimiter = ',', value_parser = policy_parser())]
    policy: Vec<CachePolicy>,
}

/// Fields of the reference files, and the trace's.
#[derive(Debug, Serialize)]
struct CacheJson {
    trace: String,
    size: Bytes,
    #[serde(flatten)]
    report: CacheReport,
}

pub(super) fn run(args: &CacheArgs, console: Console) -> Outcome {
    let CacheArgs { cached, policy } = args;
    let replay = CacheReplay::new(cached.shape.spec(), policy);
    let mut replay = replay.map_err(Failure::usage)?;
    cached.run(&mut replay, console)?;
    let json = CacheJson {
        trace: cached.trace.name(),
        size: cached.shape.size,
        report: replay.finish().map_err(Failure::new)?,
    };
    let policies: String = policy.iter().map(|policy| format!("{policy:?} ")).collect();
    let settings = [
        ("shape", cached.shape.words().into_bytes()),
        ("policies", policies.into_bytes()),
        ("warm-up", cached.warm_up.to_le_bytes().into()),
    ];
    let table = || format!("{}\n{}", json.trace, cache_table(&json.report, json.size));
    cached
        .trace
        .print(console, "cache", &settings, (&json, table))
}

impl CountsFrames for CacheReplay {
    fn offer(&mut self, event: &StreamEvent) -> Result<(), StreamFull> {
        match *event {
            StreamEvent::Access(StreamAccess { address, kind, .. }) => {
                Self::offer(self, address, kind)
            }
            StreamEvent::Frame { .. } => Ok(()),
        }
    }

    fn count_from_here(&mut self) -> Result<(), StreamFull> {
        Self::count_from_here(self);
        Ok(())
    }
}

fn policy_parser() -> impl TypedValueParser<Value = CachePolicy> {
    let of_name = |name: String| {
        let found = CACHE_POLICIES.iter().find(|(known, ..)| *known == name);
        found.map_or(CachePolicy::Lru, |(_, policy, _)| *policy)
    };
    PossibleValuesParser::new(CACHE_POLICIES.map(|(name, ..)| name)).map(of_name)
}
