//! The DRAM against the reference runs: every number of results.json, for 5 traces and 8 configurations, and the first 4000
//! commands of ten runs. Skipped, with a message, where the data is not beside the checkout.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::shared::shared;
use azulejo::gpu::access::AccessKind;
use azulejo::gpu::dram::{
    Dram, DramCommand, DramReport, DramSpec, IssuedCommand, Replay, TraceRequest,
};
use azulejo::units::DramCycles;
use flate2::read::GzDecoder;
use serde_json::Value;

fn reference(name: &str) -> Option<PathBuf> {
    shared(&format!("reference/dram/{name}"))
}

fn reference_json(name: &str) -> Option<Value> {
    let text = fs::read_to_string(reference(name)?).expect("readable");
    Some(serde_json::from_str(&text).expect("JSON"))
}

fn unzipped(path: &Path) -> String {
    let mut text = String::new();
    GzDecoder::new(File::open(path).expect("readable"))
        .read_to_string(&mut text)
        .expect("gzip");
    text
}

fn trace(name: &str) -> Vec<TraceRequest> {
    let path = reference(&format!("{name}.trace.gz")).expect("trace beside results.json");
    unzipped(&path).lines().map(request).collect()
}

fn request(line: &str) -> TraceRequest {
    let mut words = line.split_whitespace();
    let mut word = || words.next().expect("three words");
    let address = word().trim_start_matches("0x");
    TraceRequest {
        address: u64::from_str_radix(address, 16).expect("hexadecimal"),
        kind: match word() {
            "READ" => AccessKind::Read,
            _ => AccessKind::Write,
        },
        cycle: DramCycles(word().parse().expect("decimal")),
    }
}

#[test]
fn every_number_equals_the_reference_run() {
    let Some(results) = reference_json("results.json") else {
        return;
    };
    let mut n_runs = 0;
    for (trace_name, runs) in results["traces"].as_object().expect("traces") {
        let requests = trace(trace_name);
        for (config, expected) in runs.as_object().expect("configurations") {
            let spec = DramSpec::named(config).expect(config);
            let mut replay = Replay::new(&spec).expect("valid");
            for request in &requests {
                replay.offer(request);
            }
            let report = DramReport::new(&replay.finish());
            let mut ours = serde_json::to_value(report).expect("JSON");
            as_reference_names_it(&mut ours);
            assert_same(&ours, expected, &format!("{trace_name} {config}"));
            n_runs += 1;
        }
    }
    assert_eq!(n_runs, 40, "5 traces x 8 configurations");
}

#[test]
fn first_commands_equal_the_reference_lists() {
    let traces = [
        "fb_flush",
        "mixed_70_30",
        "random_read",
        "row_conflict",
        "seq_read",
    ];
    for (trace_name, config) in traces
        .into_iter()
        .flat_map(|name| [(name, "lpddr3_1ch"), (name, "lpddr4_1ch")])
    {
        let Some(list) = reference(&format!("cmds_{trace_name}__{config}.txt.gz")) else {
            return;
        };
        let spec = DramSpec::named(config).expect(config);
        let mut dram = Dram::new(&spec).expect("valid");
        dram.log_commands();
        let mut replay = Replay::on(dram);
        for request in trace(trace_name).iter().take(6000) {
            replay.offer(request);
        }
        let ours = replay.dram().commands(0).iter();
        let ours: Vec<_> = ours.map(|issued| command_line(issued, &spec)).collect();
        let list = unzipped(&list);
        let theirs: Vec<_> = list.lines().skip(1).collect();
        assert_eq!(theirs.len(), 4000, "the list is whole");
        for (at, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            assert_eq!(ours, theirs, "command {at} of {trace_name} {config}");
        }
        assert!(ours.len() >= 4000, "{trace_name} {config}: all compared");
    }
}

/// `cycle cmd rank bankgroup bank row col`, -1 where a field means nothing.
fn command_line(issued: &IssuedCommand, spec: &DramSpec) -> String {
    let per_group = spec.structure.banks_per_group as usize;
    let per_rank = spec.n_banks_per_rank() as usize;
    let (at, bank) = (issued.at.0, issued.bank);
    let (row, column) = (issued.row, issued.column);
    let (rank, group) = (bank / per_rank, bank % per_rank / per_group);
    let bank = bank % per_group;
    match issued.command {
        DramCommand::Activate => format!("{at} ACT {rank} {group} {bank} {row} -1"),
        DramCommand::Read => format!("{at} RD {rank} {group} {bank} {row} {column}"),
        DramCommand::Write => format!("{at} WR {rank} {group} {bank} {row} {column}"),
        DramCommand::Precharge => format!("{at} PRE {rank} {group} {bank} -1 -1"),
        DramCommand::Refresh => format!("{at} REF {rank} -1 -1 -1 -1"),
    }
}

/// DRAMsim3's bandwidth counts every request done (`num_reads_done` and `num_writes_done` times the bytes of a request),
/// merged and forwarded ones included, and so may exceed the pins: here that is `requests_GBps`, and bandwidth is what
/// column commands moved.
fn as_reference_names_it(ours: &mut Value) {
    match ours {
        Value::Object(fields) => {
            if let Some(requests) = fields.remove("requests_GBps") {
                fields.insert("bandwidth_GBps".to_owned(), requests);
            }
            fields.values_mut().for_each(as_reference_names_it);
        }
        Value::Array(items) => items.iter_mut().for_each(as_reference_names_it),
        _ => {}
    }
}

/// Asserts equal keys and values; integers and floats compare as numbers, exactly.
fn assert_same(ours: &Value, theirs: &Value, path: &str) {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let keys = |object: &serde_json::Map<String, Value>| {
                let mut keys: Vec<_> = object.keys().cloned().collect();
                keys.sort();
                keys
            };
            assert_eq!(keys(ours), keys(theirs), "{path}");
            for (key, value) in ours {
                assert_same(value, &theirs[key], &format!("{path}.{key}"));
            }
        }
        (Value::Array(ours), Value::Array(theirs)) => {
            assert_eq!(ours.len(), theirs.len(), "{path}");
            for (at, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                assert_same(ours, theirs, &format!("{path}[{at}]"));
            }
        }
        _ => assert_eq!(ours.as_f64(), theirs.as_f64(), "{path}"),
    }
}
