//! `azulejo cache`: a trace of memory accesses through a cache alone.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use super::{Console, Outcome};
use crate::app::cli::failure::Failure;
use crate::app::cli::trace_input::{self, Compression, TraceWords};
use crate::gpu::cache::{CachePolicy, CacheReplay, CacheReport, CacheSpec};
use crate::report::cache_table;
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

/// Run a trace of memory accesses through a cache: hits, misses, write-backs, and the least that any policy could have
///
/// A trace is a plain or gzip-compressed (.gz) file of little-endian 32-bit words: the byte address with its two low bits cleared, plus 1
/// for a write. The cache is write-back and write-allocate and starts empty. The optimal policies keep the trace in memory.
#[derive(Debug, Clone, clap::Args)]
pub(in crate::app::cli) struct CacheArgs {
    /// The trace
    #[arg(value_name = "TRACE[.gz]")]
    trace: PathBuf,
    /// Capacity, such as 32KiB or 2MiB
    #[arg(long, value_name = "SIZE", default_value = "32KiB", value_parser = byte_size)]
    size: Bytes,
    /// Lines in a set
    #[arg(long, value_name = "N", default_value = "4")]
    ways: u32,
    /// Bytes in a line, a power of two
    #[arg(long, value_name = "SIZE", default_value = "64", value_parser = byte_size)]
    line: Bytes,
    /// Who leaves a full set; several with commas between run side by side
    #[arg(long, value_name = "POLICY", default_value = "lru", value_delimiter = ',', value_parser = policy_parser())]
    policy: Vec<CachePolicy>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// The JSON: where it comes from, then the fields of the reference files.
#[derive(Debug, Serialize)]
struct CacheJson<'a> {
    trace: String,
    size: Bytes,
    #[serde(flatten)]
    report: &'a CacheReport,
}

pub(super) fn run(args: &CacheArgs, console: Console) -> Outcome {
    let spec = CacheSpec {
        size: args.size,
        ways: args.ways,
        line: args.line,
    };
    let replay = CacheReplay::new(spec, &args.policy).map_err(Failure::usage)?;
    let report = replay_trace(&args.trace, replay, console)?;
    let trace = args.trace.display().to_string();
    if args.json {
        return console.print_json(&CacheJson {
            trace,
            size: args.size,
            report: &report,
        });
    }
    let table = cache_table(&report, args.size);
    console.print(&format!("{trace}\n{table}"))
}

fn replay_trace(trace: &Path, mut replay: CacheReplay, console: Console) -> Outcome<CacheReport> {
    let input = trace_input::open(trace, Compression::ByName, console)?;
    let clear_bar = |failure| {
        input.bar.finish_and_clear();
        failure
    };
    for access in TraceWords::new(input.source) {
        let (address, kind) = access.map_err(|error| clear_bar(Failure::of_file(trace, error)))?;
        replay.offer(address, kind).map_err(|error| {
            let hint = "lru and mru need no memory for the trace and take one of any length";
            clear_bar(Failure::of_file(trace, error).hint(hint))
        })?;
    }
    input.bar.finish_and_clear();
    replay.finish().map_err(Failure::new)
}

fn policy_parser() -> impl TypedValueParser<Value = CachePolicy> {
    let of_name = |name: String| {
        let found = CACHE_POLICIES.iter().find(|(known, ..)| *known == name);
        found.map_or(CachePolicy::Lru, |(_, policy, _)| *policy)
    };
    PossibleValuesParser::new(CACHE_POLICIES.map(|(name, ..)| name)).map(of_name)
}

/// Bytes with or without a unit. Cache sizes are binary whatever the unit is called: 32KB is 32 KiB.
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
