//! `azulejo reuse`: how a recorded stream of accesses uses its lines again.

use serde::Serialize;

use super::memory_trace::{CachedTraceArgs, CountsFrames};
use super::{Console, Outcome};
use crate::cli::failure::Failure;
use azulejo_gpu::cache::{ReuseAnalysis, ReuseReport, StreamEvent, StreamFull};
use azulejo_report::reuse_table;

/// Say how a stream of accesses uses its lines again, within and between frames
///
/// Reuses are counted by how many other lines of the cache's set come between. The stream is a file that `azulejo
/// simulate --l2-stream` recorded, or a trace of text or words, as `azulejo help memory` describes, which is then one
/// frame; also compressed (.gz). A cache that replaces the least recently used line hits where fewer lines come between than it has ways.
#[derive(Debug, Clone, clap::Args)]
#[command(
    mut_arg("size", |size| size.default_value("1MiB")),
    mut_arg("ways", |ways| ways.default_value("8"))
)]
pub(in crate::cli) struct ReuseArgs {
    #[command(flatten)]
    cached: CachedTraceArgs,
}

#[derive(Debug, Serialize)]
struct ReuseJson {
    stream: String,
    #[serde(flatten)]
    report: ReuseReport,
}

pub(super) fn run(args: &ReuseArgs, console: Console) -> Outcome {
    let ReuseArgs { cached } = args;
    let spec = cached.shape.spec();
    let mut analysis = ReuseAnalysis::new(spec).map_err(Failure::usage)?;
    cached.run(&mut analysis, console)?;
    let json = ReuseJson {
        stream: cached.trace.name(),
        report: analysis.finish().map_err(|error| cached.refused(error))?,
    };
    let settings = [
        ("shape", cached.shape.words().into_bytes()),
        ("warm-up", cached.warm_up.to_le_bytes().into()),
    ];
    let table = || format!("{}\n{}", json.stream, reuse_table(&json.report, spec.ways));
    cached
        .trace
        .print(console, "reuse", &settings, (&json, table))
}

impl CountsFrames for ReuseAnalysis {
    fn offer(&mut self, event: &StreamEvent) -> Result<(), StreamFull> {
        Self::offer(self, event)
    }

    fn count_from_here(&mut self) -> Result<(), StreamFull> {
        Self::count_from_here(self)
    }
}
