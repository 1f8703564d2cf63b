//! `azulejo dram`: a trace of memory requests through the DRAM model alone.

use std::path::Path;

use serde::Serialize;

use super::memory_trace::TraceArgs;
use super::{Console, Outcome};
use crate::cli::failure::Failure;
use crate::cli::machine_input::read_parameters;
use crate::cli::trace_input::TraceEvent;
use azulejo_gpu::cache::StreamEvent;
use azulejo_gpu::dram::{DramReport, DramSpec, Replay, TraceRequest, shipped_names};
use azulejo_report::{dram_summary, dram_table, grouped};
use azulejo_units::Bytes;

/// Run a trace of memory requests through a DRAM: row hits, latency, energy
///
/// Times are exact to the cycle; bandwidth is among the numbers.
///
/// A trace is text with a request in every line, 0xADDR READ|WRITE CYCLE, or words or a recorded stream, as `azulejo help
/// memory` describes; also compressed (.gz). One request is offered in a cycle, strictly in order; words name no cycle and
/// are offered as soon as the DRAM takes them. The statistics are over the time until all is done and 1000 cycles more.
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct DramArgs {
    #[command(flatten)]
    trace: TraceArgs,
    /// A configuration of `azulejo list`, or a TOML file
    ///
    /// The file may say `base = "NAME"` and what differs.
    #[arg(long, value_name = "NAME|FILE", default_value = "lpddr4_1ch")]
    config: String,
}

/// Fields of the reference files, and the trace's.
#[derive(Debug, Serialize)]
struct DramJson<'a> {
    trace: String,
    config: &'a str,
    requests: u64,
    #[serde(flatten)]
    report: DramReport,
}

pub(super) fn run(args: &DramArgs, console: Console) -> Outcome {
    let spec = load_spec(&args.config)?;
    let mut replay = Replay::new(&spec).map_err(Failure::new)?;
    args.trace.replay(console, |event| {
        requests(event, spec.request_bytes()).for_each(|request| replay.offer(&request));
        Ok(())
    })?;
    let outcome = replay.finish();
    let json = DramJson {
        trace: args.trace.name(),
        config: &args.config,
        requests: outcome.n_requests,
        report: DramReport::new(&outcome),
    };
    let settings = [("config", format!("{spec:?}").into_bytes())];
    let text = || {
        let (requests, table) = (grouped(json.requests), dram_table(&json.report, &spec));
        let (trace, config, summary) = (&json.trace, json.config, dram_summary(&spec));
        format!("{trace}: {requests} requests\n{config}: {summary}\n\n{table}")
    };
    args.trace.print(console, "dram", &settings, (&json, text))
}

/// Requests of an event: one, or as many as a line of a recorded stream has bursts.
fn requests(event: TraceEvent, burst: Bytes) -> impl Iterator<Item = TraceRequest> {
    let line = event.header.map_or(Bytes(0), |header| header.line);
    let access = match event.event {
        StreamEvent::Access(access) => Some(access),
        StreamEvent::Frame { .. } => None,
    };
    let bursts = (line.0 / burst.0).max(1);
    access.into_iter().flat_map(move |access| {
        (0..bursts).map(move |at| TraceRequest {
            address: access.address.saturating_add(at * burst.0),
            kind: access.kind,
            cycle: event.cycle,
        })
    })
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
