//! `azulejo cache`: a trace of memory accesses through a cache alone.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use super::scene_input::of_file;
use super::{Console, Outcome};
use crate::app::cli::failure::Failure;
use crate::app::cli::stamp::Provenance;
use crate::app::cli::trace_input::{self, Compression, TraceWords};
use crate::gpu::cache::{
    CachePolicy, CacheReplay, CacheReport, CacheSpec, StreamAccess, StreamEvent, StreamFull,
    StreamHeader,
};
use crate::report::cache_table;
use crate::sweep::Fingerprint;
use crate::units::Bytes;

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
/// A trace is a plain or gzip-compressed (.gz) file of little-endian 32-bit words: the byte address with its two low bits
/// cleared, plus 1 for a write; or a stream that `azulejo simulate --l2-stream` recorded. The cache is write-back and
/// write-allocate and starts empty. The optimal policies keep the trace in memory.
#[derive(Debug, Clone, clap::Args)]
pub(in crate::app::cli) struct CacheArgs {
    /// Trace of memory accesses to run
    #[arg(value_name = "TRACE[.gz]")]
    trace: PathBuf,
    #[command(flatten)]
    shape: CacheShapeArgs,
    /// Replacement policy; several with commas between run side by side
    #[arg(long, value_name = "POLICY", default_value = "lru", value_delimiter = ',', value_parser = policy_parser())]
    policy: Vec<CachePolicy>,
    /// Frames of a recorded stream that only fill the cache
    ///
    /// Accesses of the frames after them are counted.
    #[arg(long, value_name = "FRAMES", default_value = "0")]
    warm_up: u64,
    /// Print the statistics as JSON
    #[arg(long)]
    json: bool,
}

/// Options of a cache's shape.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct CacheShapeArgs {
    /// Capacity, such as 32KiB or 2MiB
    #[arg(long, value_name = "SIZE", default_value = "32KiB", value_parser = byte_size)]
    size: Bytes,
    /// Lines in a set
    #[arg(long, value_name = "N", default_value = "4")]
    ways: u32,
    /// Bytes in a line, a power of two
    #[arg(long, value_name = "SIZE", default_value = "64", value_parser = byte_size)]
    pub(super) line: Bytes,
}

impl CacheShapeArgs {
    /// Shape in words, for a fingerprint.
    pub(super) fn words(&self) -> String {
        format!("{} {} {}", self.size.0, self.ways, self.line.0)
    }

    pub(super) const fn spec(&self) -> CacheSpec {
        CacheSpec {
            size: self.size,
            ways: self.ways,
            line: self.line,
        }
    }
}

/// JSON output: provenance, then the fields of the reference files.
#[derive(Debug, Serialize)]
struct CacheJson<'a> {
    #[serde(flatten)]
    made: Provenance,
    trace: String,
    size: Bytes,
    #[serde(flatten)]
    report: &'a CacheReport,
}

pub(super) fn run(args: &CacheArgs, console: Console) -> Outcome {
    let replay = CacheReplay::new(args.shape.spec(), &args.policy).map_err(Failure::usage)?;
    let report = replay_trace(args, replay, console)?;
    let trace = args.trace.display().to_string();
    if args.json {
        let trace_print = of_file(&args.trace)?.bytes();
        let policies = args.policy.iter().map(|policy| format!("{policy:?} "));
        let policies: String = policies.collect();
        let inputs = Fingerprint::of([
            ("cache", &trace_print[..]),
            ("shape", args.shape.words().as_bytes()),
            ("policies", policies.as_bytes()),
            ("warm-up", &args.warm_up.to_le_bytes()),
        ]);
        return console.print_json(&CacheJson {
            made: Provenance::of(inputs),
            trace,
            size: args.shape.size,
            report: &report,
        });
    }
    let table = cache_table(&report, args.shape.size);
    console.print(&format!("{trace}\n{table}"))
}

fn replay_trace(
    args: &CacheArgs,
    mut replay: CacheReplay,
    console: Console,
) -> Outcome<CacheReport> {
    let trace = args.trace.as_path();
    let input = trace_input::open(trace, Compression::ByName, console)?;
    let clear_bar = |failure| {
        input.bar.finish_and_clear();
        failure
    };
    let mut n_frames = 0_u64;
    let mut words = TraceWords::new(input.source);
    while let Some(event) = words.next() {
        let event = event.map_err(|error| clear_bar(Failure::of_file(trace, error)))?;
        let StreamAccess { address, kind, .. } = match event {
            StreamEvent::Access(access) => access,
            StreamEvent::Frame { .. } => {
                check_line(trace, args.shape.line, words.header()).map_err(clear_bar)?;
                if n_frames == args.warm_up {
                    replay.count_from_here();
                }
                n_frames += 1;
                continue;
            }
        };
        let offered = replay.offer(address, kind);
        offered.map_err(|error| clear_bar(refused(trace, error)))?;
    }
    input.bar.finish_and_clear();
    check_warm_up(trace, args.warm_up, n_frames)?;
    replay.finish().map_err(Failure::new)
}

fn refused(trace: &Path, error: StreamFull) -> Failure {
    let failure = Failure::of_file(trace, error);
    match error {
        StreamFull::Accesses => {
            failure.hint("lru and mru need no memory for the trace and take one of any length")
        }
        _ => failure,
    }
}

/// Refuses a warm-up that leaves out all frames that there were.
pub(super) fn check_warm_up(stream: &Path, warm_up: u64, n_frames: u64) -> Outcome {
    if warm_up == 0 || n_frames > warm_up {
        return Ok(());
    }
    let problem = match n_frames {
        0 => "has no marks of frames, so that none can be left out".to_owned(),
        _ => format!("has {n_frames} frames, of which --warm-up leaves none to count"),
    };
    Err(Failure::of_file(stream, problem).hint("give a smaller --warm-up"))
}

/// Refuses lines shorter than a recorded stream's: an access of it is one line of the machine's, which must be part of one
/// `line` here.
pub(super) fn check_line(stream: &Path, line: Bytes, header: Option<StreamHeader>) -> Outcome {
    let recorded = header.map_or(Bytes::ZERO, |header| header.line);
    if recorded <= line {
        return Ok(());
    }
    let problem = format!("its lines have {recorded}, more than those of this cache");
    Err(Failure::of_file(stream, problem).hint(format!("--line {}", recorded.0)))
}

fn policy_parser() -> impl TypedValueParser<Value = CachePolicy> {
    let of_name = |name: String| {
        let found = CACHE_POLICIES.iter().find(|(known, ..)| *known == name);
        found.map_or(CachePolicy::Lru, |(_, policy, _)| *policy)
    };
    PossibleValuesParser::new(CACHE_POLICIES.map(|(name, ..)| name)).map(of_name)
}

/// Parses bytes with or without a unit. Cache sizes are binary whatever the unit is called: 32KB is 32 KiB.
fn byte_size(text: &str) -> Result<Bytes, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let shift = match text[digits.len()..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => Some(0),
        "k" | "kb" | "kib" => Some(10),
        "m" | "mb" | "mib" => Some(20),
        "g" | "gb" | "gib" => Some(30),
        _ => None,
    };
    let number = digits
        .parse::<u64>()
        .ok()
        .filter(|_| !digits.starts_with('+'));
    let size = number
        .zip(shift)
        .and_then(|(number, shift): (u64, u32)| number.checked_mul(1 << shift));
    let size = size.filter(|size| *size > 0);
    size.map(Bytes)
        .ok_or_else(|| "expected a number of bytes above 0, such as 64, 32KiB or 2MiB".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_size_takes_binary_units() {
        for (text, bytes) in [
            ("64", 64),
            ("32KiB", 32 << 10),
            ("32kb", 32 << 10),
            ("2M", 2 << 20),
            ("1 GiB", 1 << 30),
            ("7B", 7),
        ] {
            assert_eq!(byte_size(text), Ok(Bytes(bytes)), "{text}");
        }
    }

    #[test]
    fn byte_size_refuses_what_is_no_size() {
        for text in [
            "",
            "KiB",
            "0",
            "0KiB",
            "-1",
            "+1",
            "1.5KiB",
            "1TiB",
            "1kibi",
            "99999999999999999999",
            "18446744073709551615GiB",
            "\u{665}",
        ] {
            assert!(byte_size(text).is_err(), "{text}");
        }
    }
}
