//! `azulejo dram`: a trace of memory requests through the DRAM model alone.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::scene_input::of_file;
use super::{Console, Outcome};
use crate::app::cli::failure::Failure;
use crate::app::cli::machine_input::read_parameters;
use crate::app::cli::stamp::Provenance;
use crate::app::cli::trace_input::{self, Compression, TraceText};
use crate::gpu::dram::{DramReport, DramSpec, Replay, ReplayOutcome, shipped_names};
use crate::report::{dram_summary, dram_table, grouped};
use crate::sweep::Fingerprint;

/// Run a trace of memory requests through a DRAM: row hits, latency, energy
///
/// Times are exact to the cycle; bandwidth is among the numbers.
///
/// A trace is text, plain or gzip-compressed, with a request in every line: 0xADDR READ|WRITE CYCLE. One request is offered
/// in a cycle, strictly in order. The statistics are over the time until all is done and 1000 cycles more.
#[derive(Debug, Clone, clap::Args)]
pub(in crate::app::cli) struct DramArgs {
    /// Trace of memory requests to run
    #[arg(value_name = "TRACE[.gz]")]
    trace: PathBuf,
    /// A configuration of `azulejo list`, or a TOML file
    ///
    /// The file may say `base = "NAME"` and what differs.
    #[arg(long, value_name = "NAME|FILE", default_value = "lpddr4_1ch")]
    config: String,
    /// Print the statistics as JSON
    #[arg(long)]
    json: bool,
}

/// JSON output: provenance, then the fields of the reference files.
#[derive(Debug, Serialize)]
struct DramJson<'a> {
    #[serde(flatten)]
    made: Provenance,
    trace: String,
    config: &'a str,
    requests: u64,
    #[serde(flatten)]
    report: &'a DramReport,
}

pub(super) fn run(args: &DramArgs, console: Console) -> Outcome {
    let spec = load_spec(&args.config)?;
    let outcome = replay(&args.trace, &spec, console)?;
    let report = DramReport::new(&outcome);
    let trace = args.trace.display().to_string();
    if args.json {
        let trace_print = of_file(&args.trace)?.bytes();
        let config = format!("{spec:?}");
        let inputs = Fingerprint::of([("dram", &trace_print[..]), ("config", config.as_bytes())]);
        return console.print_json(&DramJson {
            made: Provenance::of(inputs),
            trace,
            config: &args.config,
            requests: outcome.n_requests,
            report: &report,
        });
    }
    let (requests, table) = (grouped(outcome.n_requests), dram_table(&report, &spec));
    let summary = dram_summary(&spec);
    let config = &args.config;
    console.print(&format!(
        "{trace}: {requests} requests\n{config}: {summary}\n\n{table}"
    ))
}

fn load_spec(config: &str) -> Outcome<DramSpec> {
    if shipped_names().contains(&config) {
        return DramSpec::named(config).map_err(Failure::new);
    }
    let path = Path::new(config);
    if !path.exists() {
        let message = format!("--config {config}: no configuration of this name and no such file");
        let names = shipped_names().join(", ");
        return Err(Failure::usage(message).hint(format!("expected a TOML file or one of {names}")));
    }
    let text = read_parameters(path)
        .map_err(|error| Failure::of_file(path, format!("cannot read it: {error}")))?;
    DramSpec::from_toml(config, &text)
        .map_err(|error| Failure::new(error).hint("assets/dram/lpddr3_1ch.toml shows every key"))
}

fn replay(trace: &Path, spec: &DramSpec, console: Console) -> Outcome<ReplayOutcome> {
    let input = trace_input::open(trace, Compression::ByNameOrContent, console)?;
    let mut replay = Replay::new(spec).map_err(Failure::new)?;
    for request in TraceText::new(input.source) {
        let request = request.map_err(|error| Failure::of_file(trace, error));
        replay.offer(&request.inspect_err(|_| input.bar.finish_and_clear())?);
    }
    let outcome = replay.finish();
    input.bar.finish_and_clear();
    Ok(outcome)
}
