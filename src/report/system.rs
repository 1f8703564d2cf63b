//! System on chip as text: the agents' shares of the memory over time, and the course of the frames; and as a record for
//! programs.

use serde::Serialize;

use super::bandwidth::{Bandwidth, BandwidthPart};
use super::page::{Chart, Form, Row, Unit};
use super::table::{Align, aligned};
use super::text::{bytes, decimal, grouped, percent};
use azulejo_gpu::TechniqueReport;
use azulejo_soc::{AgentReport, FrameTimes, SystemReport};
use azulejo_units::{Cycles, Picoseconds};

/// Number of points of a chart over time.
const POINTS: usize = 48;

/// Number of rows of bandwidth over time.
const ROWS: usize = 16;

/// Record of a system for programs: the report, and the figures derived from it.
#[derive(Debug, Clone, Serialize)]
pub struct SystemRecord<'a> {
    /// Rate of frames a second.
    pub frame_rate: Option<f64>,
    /// Number of refreshes that showed an old frame.
    pub missed_frames: u64,
    /// Share of the DRAM's column commands that found their row open.
    pub row_hit_ratio: Option<f64>,
    /// Bytes moved for each row that was opened.
    pub bytes_per_activate: Option<f64>,
    /// Report that these follow from, flattened into the record.
    #[serde(flatten)]
    pub report: &'a SystemReport,
}

/// Returns the record of a system.
#[must_use]
pub fn system_record(report: &SystemReport) -> SystemRecord<'_> {
    SystemRecord {
        frame_rate: report.frame_rate(),
        missed_frames: report.missed_frames(),
        row_hit_ratio: report.row_hit_ratio(),
        bytes_per_activate: report.bytes_per_activate(),
        report,
    }
}

/// Tables of a system, under the machine's name.
#[must_use]
pub fn system_table(machine: &str, report: &SystemReport) -> String {
    let agents = agents_table(report);
    let frames = frames_text(report);
    let over_time = over_time(report);
    let techniques = techniques_text(report);
    format!(
        "{machine}: who used the memory\n\n{agents}\n{frames}{techniques}\nGB/s over time\n\n{over_time}"
    )
}

fn agents_table(report: &SystemReport) -> String {
    let names = [
        "agent",
        "lines asked",
        "served",
        "bytes",
        "GB/s",
        "read latency ns",
        "slowdown",
    ];
    let mut rows = vec![names.map(str::to_owned).to_vec()];
    rows.extend(report.agents.iter().map(|agent| agent_row(report, agent)));
    let mut align = vec![Align::Right; names.len()];
    align[0] = Align::Left;
    aligned(&rows, &align)
}

fn agent_row(report: &SystemReport, agent: &AgentReport) -> Vec<String> {
    let slowdowns = report.slowdowns.iter();
    let slowdown = slowdowns
        .filter(|own| own.agent == agent.agent)
        .find_map(|own| own.slowdown);
    let rate = agent.bytes as f64 * 1e3 / report.time.0.max(1) as f64;
    vec![
        agent.agent.to_string(),
        grouped(agent.counters.asked),
        grouped(agent.counters.served),
        bytes(agent.bytes),
        format!("{rate:.3}"),
        decimal(agent.read_latency_ns),
        decimal(slowdown),
    ]
}

fn milliseconds(time: Picoseconds) -> String {
    format!("{:.2} ms", time.0 as f64 * 1e-9)
}

fn frames_text(report: &SystemReport) -> String {
    let n = report.frames.len().max(1) as u64;
    let mean = |of: fn(&FrameTimes) -> Cycles| {
        let sum = report.frames.iter().map(|frame| of(frame).0).sum::<u64>();
        milliseconds(report.clock.time_of(Cycles(sum / n)))
    };
    let display = report.display;
    let rows = [
        ("frames", report.frames.len().to_string()),
        ("time", milliseconds(report.time)),
        ("frames a second", decimal(report.frame_rate())),
        ("time of a frame", mean(FrameTimes::whole)),
        ("the GPU's part", mean(FrameTimes::gpu)),
        ("refreshes a second", report.refresh.to_string()),
        ("scans", display.scans.to_string()),
        ("of a new frame", display.new_frames.to_string()),
        (
            "missed: of an old frame",
            report.missed_frames().to_string(),
        ),
        ("aborted, a line late", display.aborted.to_string()),
        ("row hits", percent(report.row_hits, report.column_commands)),
        (
            "bytes for each opened row",
            decimal(report.bytes_per_activate()),
        ),
    ];
    let rows = rows.map(|(name, value)| vec![name.to_owned(), value]);
    aligned(&rows, &[Align::Left, Align::Right])
}

/// Tables of the techniques' counters, of those that have any.
fn techniques_text(report: &SystemReport) -> String {
    let spoke = report.techniques.iter();
    let spoke = spoke.filter(|technique| !technique.counters.is_empty());
    let text = |technique: &TechniqueReport| {
        let rows = technique.counters.iter().map(|counter| {
            let value = grouped(counter.value);
            vec![
                counter.about.to_owned(),
                value,
                counter.unit.name().to_owned(),
            ]
        });
        let rows: Vec<_> = rows.collect();
        let table = aligned(&rows, &[Align::Left, Align::Right, Align::Left]);
        format!("\n{}, over all of the time\n\n{table}", technique.technique)
    };
    spoke.map(text).collect()
}

/// Table of bandwidth by agent over time.
fn over_time(report: &SystemReport) -> String {
    let Bandwidth { sources, parts, .. } = Bandwidth::of_system(report).in_parts(ROWS);
    let mut rows = vec![vec!["from ms".to_owned()]];
    rows[0].extend(sources.iter().cloned());
    rows[0].push("all".to_owned());
    for part in parts {
        let rates = (0..sources.len()).map(|source| part.gigabytes_per_second(source));
        let mut row = vec![format!("{:.3}", part.from.0 as f64 * 1e-9)];
        row.extend(rates.map(|rate| format!("{rate:.3}")));
        row.push(format!("{:.3}", part.all()));
        rows.push(row);
    }
    aligned(&rows, &vec![Align::Right; sources.len() + 2])
}

/// Chart of bandwidth over time: a line for the GPU, one for the display and one for all cores.
#[must_use]
pub fn bandwidth_chart(machine: &str, report: &SystemReport) -> Chart {
    let bandwidth = Bandwidth::of_system(report).with_cores_joined(report);
    let Bandwidth { sources, parts, .. } = bandwidth.in_parts(POINTS);
    let row = |(source, name): (usize, String)| Row {
        name,
        values: (parts.iter())
            .map(|part| Some(part.gigabytes_per_second(source)))
            .collect(),
    };
    let name = |part: &BandwidthPart| format!("{:.2} ms", part.from.0 as f64 * 1e-9);
    Chart {
        id: machine.to_owned(),
        title: "what the GPU, the display and the cores move over time".to_owned(),
        unit: Unit {
            axis: "GB/s of memory bandwidth".to_owned(),
            sign: " GB/s".to_owned(),
            difference: " GB/s".to_owned(),
            decimals: 3,
        },
        form: Form::Lines,
        columns: parts.iter().map(name).collect(),
        rows: sources.into_iter().enumerate().map(row).collect(),
        means: Vec::new(),
        stated: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_gpu::dram::AgentId;
    use azulejo_gpu::memory::{AgentCounters, AgentTraffic};
    use azulejo_soc::ScanCounters;
    use azulejo_units::{Bytes, Hertz};

    /// 100 bursts of 32 bytes by the GPU in each of so many intervals of a microsecond, half of which the last one has.
    fn steady(n: u64) -> SystemReport {
        let mut bursts = vec![vec![100, 0]; n as usize];
        bursts[n as usize - 1][0] = 50;
        SystemReport {
            clock: Hertz(1_000_000_000),
            refresh: 60,
            time: Picoseconds(n * 1_000_000 - 500_000),
            frames: Vec::new(),
            agents: vec![AgentReport {
                agent: AgentId::GPU,
                counters: AgentCounters::default(),
                bytes: 3200 * n,
                read_latency_ns: None,
            }],
            display: ScanCounters::default(),
            cores: Vec::new(),
            row_hits: 0,
            column_commands: 0,
            activates: 0,
            traffic: AgentTraffic {
                interval: Picoseconds(1_000_000),
                burst: Bytes(32),
                agents: vec![AgentId::GPU, AgentId::DISPLAY],
                bursts,
            },
            techniques: Vec::new(),
            technique_phases: Vec::new(),
            slowdowns: Vec::new(),
        }
    }

    #[test]
    fn bandwidth_of_the_last_part_is_that_of_its_own_time() {
        for n in [1, 5, 48, 49, 97, 100] {
            let chart = bandwidth_chart("machine", &steady(n));
            let values = &chart.rows[0].values;
            assert_eq!(chart.columns.len(), values.len(), "{n}: a name for each");
            for value in values.iter().flatten() {
                assert!((value - 3.2).abs() < 1e-9, "{n}: {value} of 3.2 GB/s");
            }
        }
    }

    #[test]
    fn perfetto_and_table_say_what_techniques_counted_by_phase_and_in_all() {
        use crate::{MachineFrames, write_perfetto};
        use azulejo_gpu::{CounterUnit, TechniqueCounter};
        use azulejo_soc::TechniquePhase;
        let counter = |name, about, value| TechniqueCounter {
            name,
            about,
            unit: CounterUnit::Events,
            value,
        };
        let said = |bursts| TechniqueReport {
            technique: "dash",
            counters: vec![
                counter("gpu_urgent_bursts", "gpu: bursts while urgent", bursts),
                counter("quanta", "clusterings", 1),
            ],
            ..TechniqueReport::default()
        };
        let phase = |from, to, bursts| TechniquePhase {
            from: Cycles(from),
            to: Cycles(to),
            techniques: vec![said(bursts)],
        };
        let system = SystemReport {
            techniques: vec![said(12)],
            technique_phases: vec![phase(0, 1000, 5), phase(1000, 3000, 7)],
            ..steady(3)
        };
        let table = system_table("machine", &system);
        assert!(table.contains("gpu: bursts while urgent"), "{table}");
        let machine = MachineFrames {
            machine: "machine",
            frames: &[],
            system: Some(&system),
        };
        let mut text = Vec::new();
        write_perfetto(&mut text, &serde_json::json!({}), &[machine]).expect("a vector");
        let trace: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
        let events = trace["traceEvents"].as_array().expect("a list");
        let named = events.iter();
        let named = named.filter(|event| event["name"] == "dash: bursts in a phase");
        let values: Vec<_> = named
            .map(|event| (event["ts"].as_f64(), event["args"]["gpu_urgent"].as_u64()))
            .collect();
        // A microsecond at 1 GHz.
        let expected = [(Some(0.0), Some(5)), (Some(1.0), Some(7))];
        assert_eq!(values, expected, "a value from the beginning of each");
    }

    #[test]
    fn bandwidth_chart_says_what_is_seen_in_words() {
        use crate::page::{Page, Section, html};
        let section = Section {
            id: "bandwidth".to_owned(),
            charts: vec![bandwidth_chart("machine", &steady(48))],
            ..Section::default()
        };
        let page = html(&Page {
            sections: vec![section],
            ..Page::default()
        });
        for words in [
            "what the GPU, the display and the cores move over time",
            "GB/s of memory bandwidth",
            "Lines of GPU, display, cores",
            "48 values from 0.00 ms to 0.05 ms",
            "GPU: from 3.200 GB/s to 3.200 GB/s.",
        ] {
            assert!(page.contains(words), "{words}");
        }
        assert!(!page.contains("their mean"), "there is none");
    }
}
