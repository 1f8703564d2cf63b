//! Shared by `azulejo dram`, `cache` and `reuse`: options of a trace, of a cache's shape and of frames that warm up; the
//! replay, and JSON with its provenance.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::scene_input::of_file;
use super::{Console, Outcome};
use crate::cli::failure::Failure;
use crate::cli::stamp::Provenance;
use crate::cli::trace_input::{self, TraceEvent, TraceFormat};
use azulejo_gpu::cache::{CacheSpec, StreamEvent, StreamFull, StreamHeader};
use azulejo_sweep::Fingerprint;
use azulejo_units::Bytes;

/// A trace, and how the answer is printed.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct TraceArgs {
    /// Trace of memory requests to run
    #[arg(value_name = "TRACE[.gz]")]
    trace: PathBuf,
    /// Format of the trace
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_enum)]
    format: TraceFormat,
    /// Print the statistics as JSON
    #[arg(long)]
    json: bool,
}

/// JSON output: provenance, then the fields of the command.
#[derive(Debug, Serialize)]
struct TraceJson<'a, T> {
    #[serde(flatten)]
    made: Provenance,
    #[serde(flatten)]
    report: &'a T,
}

impl TraceArgs {
    /// The file's name, as it was typed.
    pub(super) fn name(&self) -> String {
        self.trace.display().to_string()
    }

    /// Hands each event of the trace to `take`.
    pub(super) fn replay(
        &self,
        console: Console,
        take: impl FnMut(TraceEvent) -> Outcome,
    ) -> Outcome {
        trace_input::replay(&self.trace, self.format, console, take)
    }

    /// Prints `text`, or `report` as JSON, with the fingerprint of trace and `settings`.
    pub(super) fn print<T: Serialize>(
        &self,
        console: Console,
        command: &str,
        settings: &[(&str, Vec<u8>)],
        (report, text): (&T, impl FnOnce() -> String),
    ) -> Outcome {
        if !self.json {
            return console.print(&text());
        }
        let trace = of_file(&self.trace)?.bytes();
        let settings = settings.iter().map(|(name, value)| (*name, &value[..]));
        let inputs: Vec<_> = [(command, &trace[..])]
            .into_iter()
            .chain(settings)
            .collect();
        let made = Provenance::of(Fingerprint::of(inputs));
        console.print_json(&TraceJson { made, report })
    }
}

/// A trace, the cache that it meets, and frames that only fill it.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct CachedTraceArgs {
    #[command(flatten)]
    pub(super) trace: TraceArgs,
    #[command(flatten)]
    pub(super) shape: CacheShapeArgs,
    /// Frames of a recorded stream that only warm up
    ///
    /// Accesses of the frames after them are counted.
    #[arg(long, value_name = "FRAMES", default_value = "0")]
    pub(super) warm_up: u64,
}

/// Options of a cache's shape.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct CacheShapeArgs {
    /// Capacity, such as 32KiB or 2MiB
    #[arg(long, value_name = "SIZE", default_value = "32KiB", value_parser = byte_size)]
    pub(super) size: Bytes,
    /// Lines in a set
    #[arg(long, value_name = "N", default_value = "4")]
    ways: u32,
    /// Bytes in a line, a power of two
    #[arg(long, value_name = "SIZE", default_value = "64", value_parser = byte_size)]
    line: Bytes,
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

/// Consumer of a trace that counts from some frame on.
pub(super) trait CountsFrames {
    /// Takes the next event.
    fn offer(&mut self, event: &StreamEvent) -> Result<(), StreamFull>;

    /// All that came so far has only warmed up.
    fn count_from_here(&mut self) -> Result<(), StreamFull>;
}

impl CachedTraceArgs {
    /// Runs the trace through `consumer`, which counts from behind the frames that warm up.
    pub(super) fn run(&self, consumer: &mut impl CountsFrames, console: Console) -> Outcome {
        let file = self.trace.trace.as_path();
        let mut n_frames = 0_u64;
        self.trace
            .replay(console, |TraceEvent { event, header, .. }| {
                if let StreamEvent::Frame { .. } = event {
                    check_line(file, self.shape.line, header)?;
                    if n_frames == self.warm_up && n_frames > 0 {
                        let counted = consumer.count_from_here();
                        counted.map_err(|error| self.refused(error))?;
                    }
                    n_frames += 1;
                }
                consumer.offer(&event).map_err(|error| self.refused(error))
            })?;
        check_warm_up(file, self.warm_up, n_frames)
    }

    /// Failure of a trace that is too much for a consumer.
    pub(super) fn refused(&self, error: StreamFull) -> Failure {
        let failure = Failure::of_file(&self.trace.trace, error);
        match error {
            StreamFull::Accesses => {
                failure.hint("lru and mru need no memory for the trace and take one of any length")
            }
            _ => failure,
        }
    }
}

/// Refuses a warm-up that leaves out all frames that there were.
fn check_warm_up(stream: &Path, warm_up: u64, n_frames: u64) -> Outcome {
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
fn check_line(stream: &Path, line: Bytes, header: Option<StreamHeader>) -> Outcome {
    let recorded = header.map_or(Bytes::ZERO, |header| header.line);
    if recorded <= line {
        return Ok(());
    }
    let problem = format!("its lines have {recorded}, more than those of this cache");
    Err(Failure::of_file(stream, problem).hint(format!("--line {}", recorded.0)))
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
