//! `azulejo reuse`: how a recorded stream of accesses uses its lines again.

use std::path::PathBuf;

use serde::Serialize;

use super::cache::{CacheShapeArgs, check_line};
use super::scene_input::of_file;
use super::{Console, Outcome};
use crate::app::cli::failure::Failure;
use crate::app::cli::stamp::Provenance;
use crate::app::cli::trace_input::{self, Compression, TraceWords};
use crate::gpu::cache::{ReuseAnalysis, ReuseReport, StreamEvent};
use crate::report::reuse_table;
use crate::sweep::Fingerprint;

/// Say how a stream of accesses uses its lines again, within and between frames
///
/// Reuses are counted by how many other lines of the cache's set come between. The stream is a file that `azulejo
/// simulate --l2-stream` recorded, or a trace as `azulejo cache` reads it, which is then one frame; also compressed
/// (.gz). A cache that replaces the least recently used line hits where fewer lines come between than it has ways.
#[derive(Debug, Clone, clap::Args)]
#[command(
    mut_arg("size", |size| size.default_value("1MiB")),
    mut_arg("ways", |ways| ways.default_value("8"))
)]
pub(in crate::app::cli) struct ReuseArgs {
    /// Recorded stream, or trace of memory accesses
    #[arg(value_name = "STREAM[.gz]")]
    stream: PathBuf,
    #[command(flatten)]
    shape: CacheShapeArgs,
    /// Frames that pass before counting begins
    #[arg(long, value_name = "FRAMES", default_value = "0")]
    warm_up: u64,
    /// Print the statistics as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct ReuseJson<'a> {
    #[serde(flatten)]
    made: Provenance,
    stream: String,
    #[serde(flatten)]
    report: &'a ReuseReport,
}

pub(super) fn run(args: &ReuseArgs, console: Console) -> Outcome {
    let report = analyse(args, console)?;
    let stream = args.stream.display().to_string();
    if args.json {
        let stream_print = of_file(&args.stream)?.bytes();
        let inputs = Fingerprint::of([
            ("reuse", &stream_print[..]),
            ("shape", args.shape.words().as_bytes()),
            ("warm-up", &args.warm_up.to_le_bytes()),
        ]);
        return console.print_json(&ReuseJson {
            made: Provenance::of(inputs),
            stream,
            report: &report,
        });
    }
    let spec = args.shape.spec();
    console.print(&format!("{stream}\n{}", reuse_table(&report, spec.ways)))
}

fn analyse(args: &ReuseArgs, console: Console) -> Outcome<ReuseReport> {
    let file = args.stream.as_path();
    let mut analysis = ReuseAnalysis::new(args.shape.spec()).map_err(Failure::usage)?;
    let input = trace_input::open(file, Compression::ByName, console)?;
    let clear_bar = |failure| {
        input.bar.finish_and_clear();
        failure
    };
    let refused = |error| clear_bar(Failure::of_file(file, error));
    let mut n_frames = 0_u64;
    let mut words = TraceWords::new(input.source);
    while let Some(event) = words.next() {
        let event = event.map_err(|error| clear_bar(Failure::of_file(file, error)))?;
        if let StreamEvent::Frame { .. } = event {
            check_line(file, args.shape.line, words.header()).map_err(clear_bar)?;
            if n_frames == args.warm_up && n_frames > 0 {
                analysis.count_from_here().map_err(refused)?;
            }
            n_frames += 1;
        }
        analysis.offer(&event).map_err(refused)?;
    }
    input.bar.finish_and_clear();
    super::cache::check_warm_up(file, args.warm_up, n_frames)?;
    analysis
        .finish()
        .map_err(|error| Failure::of_file(file, error))
}
