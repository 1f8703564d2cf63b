//! Record of a frame's report as a tree of numbers, and as a list of dotted names, which tables for programs share.
//! Counters are integers; ratios, which follow from them, have six decimals.

use std::collections::BTreeMap;

use serde_json::{Map, Number, Value};

use azulejo_gpu::energy::EnergyPart;
use azulejo_gpu::{DramReport, FrameReport};

/// Converts the report to JSON: counters, energies in whole pJ and the mean latency as sum and count are integers; only in
/// `derived` are there fractions, which are equal for equal counters.
#[must_use]
pub fn frame_record(report: &FrameReport) -> Value {
    // Every part of a report is a map with names for keys, which JSON can hold.
    let mut record = serde_json::to_value(report).unwrap_or_default();
    if let Some(fields) = record.as_object_mut() {
        fields.insert("energy".to_owned(), energy(report));
        if let Some(dram) = fields.get_mut("dram").and_then(Value::as_object_mut) {
            add_latency(dram, &report.dram);
        }
    }
    whole(&mut record);
    if let Some(fields) = record.as_object_mut() {
        fields.insert("derived".to_owned(), derived(report));
    }
    record
}

/// Decimals of a ratio, as a power of ten.
const DECIMALS: f64 = 1e6;

/// Figures that follow from the counters and are looked up first: time in ps, DRAM bytes and instructions of the frame;
/// frames a second if all were like this one; bytes over the DRAM's pins for each pixel of the screen; and from 0 to 1 the
/// Raster Pipeline's share of the cycles and the hits of all texture caches by their accesses, merged by warp and of each
/// quad (null without accesses).
fn derived(report: &FrameReport) -> Value {
    let ratio = |value: f64| Value::from((value * DECIMALS).round() / DECIMALS);
    let fields = [
        ("time_ps", Value::from(report.time().0)),
        ("frames_per_second", ratio(report.fps())),
        ("raster_share", ratio(report.raster_share())),
        ("dram_bytes", Value::from(report.dram.bytes().0)),
        ("bytes_per_pixel", ratio(report.bytes_per_pixel())),
        (
            "texture_hit_ratio",
            report.texture_hit_ratio().map_or(Value::Null, ratio),
        ),
        (
            "texture_quad_hit_ratio",
            (report.texture_quad_hit_ratio()).map_or(Value::Null, ratio),
        ),
        ("instructions", Value::from(report.instructions())),
    ];
    let fields = fields
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value));
    Value::Object(fields.collect())
}

/// Energy by unit, so that names and not places tell parts apart.
fn energy(report: &FrameReport) -> Value {
    let Some(energy) = &report.energy else {
        return Value::Null;
    };
    let mut fields = by_unit(&energy.parts);
    let techniques = Value::Object(by_unit(&energy.techniques));
    fields.insert("techniques".to_owned(), techniques);
    fields.insert("gpu_pJ".to_owned(), Value::from(energy.gpu.0));
    fields.insert("dram_pJ".to_owned(), Value::from(energy.dram.0));
    Value::Object(fields)
}

/// Map of parts by unit; keys are in lower case, words joined by `_`.
fn by_unit(parts: &[EnergyPart]) -> Map<String, Value> {
    let parts = parts.iter().map(|part| {
        let fields = Map::from_iter([
            ("dynamic_pJ".to_owned(), Value::from(part.dynamic.0)),
            ("leakage_pJ".to_owned(), Value::from(part.leakage.0)),
        ]);
        let key = part.name.replace(' ', "_").to_lowercase();
        (key, Value::Object(fields))
    });
    parts.collect()
}

fn add_latency(fields: &mut Map<String, Value>, dram: &DramReport) {
    let latencies = dram.channels.iter().map(|channel| &channel.read_latency);
    let (sum, count) = latencies.fold((0, 0), |(sum, count), latency| {
        (sum + latency.sum().0, count + latency.count())
    });
    fields.remove("read_latency_mean");
    fields.insert("read_latency_sum".to_owned(), Value::from(sum));
    fields.insert("read_latency_count".to_owned(), Value::from(count));
}

/// Rounds numbers that are no integers.
fn whole(value: &mut Value) {
    match value {
        Value::Object(fields) => fields.values_mut().for_each(whole),
        Value::Array(items) => items.iter_mut().for_each(whole),
        Value::Number(number) if number.is_f64() => {
            let rounded = number.as_f64().unwrap_or(0.0).round();
            // Energies are sums of counts times positive figures: far below 2^63 pJ.
            *value = Value::from(rounded as i64);
        }
        _ => {}
    }
}

/// Lists every number of a record by its dotted name (`dram.reads.texture`, `cores.3.instructions`).
#[must_use]
pub fn flat(record: &Value) -> Vec<(String, Number)> {
    let mut entries = Vec::new();
    walk("", record, &mut entries);
    entries
}

/// Lists every number of a frame by its dotted name, those of alike units summed up: `cores.instructions` is the sum over
/// all cores.
#[must_use]
pub fn folded(report: &FrameReport) -> BTreeMap<String, Number> {
    let mut sums: BTreeMap<String, Number> = BTreeMap::new();
    for (name, number) in flat(&frame_record(report)) {
        let is_place = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
        let parts = name.split('.').filter(|part| !is_place(part));
        let name = parts.collect::<Vec<_>>().join(".");
        let sum = match sums.get(&name) {
            None => number,
            Some(sum) => sum_of(sum, &number),
        };
        sums.insert(name, sum);
    }
    sums
}

/// Sum of two numbers, whole where both are.
fn sum_of(a: &Number, b: &Number) -> Number {
    let whole = a.as_u64().zip(b.as_u64());
    let whole = whole.and_then(|(a, b)| a.checked_add(b)).map(Number::from);
    let sum = || {
        a.as_f64()
            .zip(b.as_f64())
            .and_then(|(a, b)| Number::from_f64(a + b))
    };
    whole.or_else(sum).unwrap_or_else(|| Number::from(0))
}

fn walk(path: &str, value: &Value, entries: &mut Vec<(String, Number)>) {
    let below = |key: &str| match path {
        "" => key.to_owned(),
        path => format!("{path}.{key}"),
    };
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                walk(&below(key), value, entries);
            }
        }
        Value::Array(items) => {
            for (nth, value) in items.iter().enumerate() {
                walk(&below(&nth.to_string()), value, entries);
            }
        }
        Value::Number(number) => entries.push((path.to_owned(), number.clone())),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::tests::small_report;
    use azulejo_units::Picojoules;

    #[test]
    fn flat_names_are_the_path() {
        let value = serde_json::json!({"a": {"b": [1, {"c": 2}]}, "d": "text", "e": 3});
        let entries = flat(&value);
        let expected = [("a.b.0", 1), ("a.b.1.c", 2), ("e", 3)];
        assert_eq!(
            entries,
            expected.map(|(name, n)| (name.to_owned(), Number::from(n))),
            "numbers only"
        );
    }

    #[test]
    fn derived_ratios_are_plain_and_follow_from_counters() {
        let report = small_report();
        let record = frame_record(&report);
        let ratio = |name: &str| record["derived"][name].as_f64().expect("a number");
        let cycles = report.cycles.0 as f64;
        let expected = [
            ("frames_per_second", report.clock.0 as f64 / cycles),
            ("raster_share", report.raster_cycles.0 as f64 / cycles),
            (
                "bytes_per_pixel",
                report.dram.bytes().0 as f64 / f64::from(96 * 64),
            ),
        ];
        for (name, value) in expected {
            let error = (ratio(name) - value).abs();
            assert!(error <= 0.5e-6 * 1.001, "{name}: {} {value}", ratio(name));
        }
        assert!(
            (0.0..=1.0).contains(&ratio("texture_hit_ratio")),
            "a part of one"
        );
        let text = record.to_string();
        assert!(
            !text.contains("milli") && !text.contains("permille"),
            "no scaled names"
        );
    }

    #[test]
    fn energy_is_by_unit_and_by_technique() {
        let mut report = small_report();
        let energy = report.energy.as_mut().expect("the machine says how much");
        energy.techniques.push(EnergyPart {
            name: "own",
            dynamic: Picojoules(2.0),
            leakage: Picojoules(1.0),
        });
        let record = frame_record(&report);
        let energy = record["energy"].as_object().expect("a map");
        let keys: Vec<&str> = energy.keys().map(String::as_str).collect();
        let expected = [
            "arithmetic",
            "clock_tree",
            "command_processor",
            "depth_and_blend",
            "dram_pJ",
            "gpu_pJ",
            "instructions",
            "interpolation",
            "l2",
            "memory_interface",
            "miss_registers",
            "operand_collectors",
            "queues",
            "rasterisers",
            "registers",
            "request_queues",
            "techniques",
            "texture_caches",
            "texture_filters",
            "tile_buffers",
            "tile_cache",
            "triangle_setup",
            "vertex_cache",
            "wires",
        ];
        assert_eq!(keys, expected, "in lower case");
        let own = serde_json::json!({"dynamic_pJ": 2, "leakage_pJ": 1});
        assert_eq!(energy["techniques"]["own"], own, "whole pJ");
    }

    #[test]
    fn whole_leaves_no_fractions() {
        let mut value = serde_json::json!({"a": [1.5, 2], "b": 1e12});
        whole(&mut value);
        assert_eq!(
            value,
            serde_json::json!({"a": [2, 2], "b": 1_000_000_000_000_u64}),
            "rounded"
        );
    }
}
