//! Units over simulated time as JSON trace events, which Perfetto and Chrome show: a process for each machine; geometry and raster
//! phases, tiles by Raster Unit, what each shader core did in a frame, and over time as counters DRAM traffic by kind and the tiles
//! that each Raster Unit has in hand.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::csv::MachineFrames;
use crate::gpu::{FrameReport, INTERVAL};
use crate::report::percent;
use crate::units::{Cycles, Hertz};

/// The row of frames and phases, and the first of tiles.
const PHASES: u64 = 1;
const TILES: u64 = 10;
/// Rows of a Raster Unit: several tiles are inside at a time, in different stages.
const LANES: u64 = 16;
/// The first row of shader cores: below all Raster Units.
const CORES: u64 = 1 << 16;

/// A trace of all frames, one after the other; `stamp` says how it came about.
#[must_use]
pub fn perfetto_trace(stamp: &Value, machines: &[MachineFrames<'_>]) -> String {
    let mut events = Vec::new();
    for (process, MachineFrames { machine, frames }) in (1..).zip(machines) {
        let mut track = Track {
            process,
            clock: Hertz(1),
            start: Cycles::ZERO,
            events: &mut events,
        };
        track.name("process_name", PHASES, machine);
        track.name("thread_name", PHASES, "frame");
        if let Some(frame) = frames.first() {
            track.name_cores(frame);
        }
        let mut rows = BTreeSet::new();
        for frame in *frames {
            track.clock = frame.clock;
            track.frame(frame, &mut rows);
            track.start += frame.cycles;
        }
        track.name_tiles(&rows);
    }
    // One event a line, so that files can be looked at.
    let lines: Vec<String> = events.iter().map(Value::to_string).collect();
    format!(
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{stamp},\"traceEvents\":[\n{}\n]}}\n",
        lines.join(",\n")
    )
}

/// Events of one machine.
struct Track<'a> {
    process: u64,
    clock: Hertz,
    /// Of the frame, since the first one's start.
    start: Cycles,
    events: &'a mut Vec<Value>,
}

impl Track<'_> {
    fn name(&mut self, kind: &str, row: u64, name: &str) {
        self.events.push(json!({
            "ph": "M", "name": kind, "pid": self.process, "tid": row, "args": {"name": name}
        }));
    }

    /// Rows of tiles that have any.
    fn name_tiles(&mut self, rows: &BTreeSet<u64>) {
        for row in rows {
            let (unit, lane) = ((row - TILES) / LANES, (row - TILES) % LANES);
            let name = format!("Raster Unit {unit}, tile {}", lane + 1);
            self.name("thread_name", *row, &name);
        }
    }

    fn name_cores(&mut self, frame: &FrameReport) {
        for (core, _) in (0..).zip(&frame.cores) {
            self.name("thread_name", CORES + core, &format!("shader core {core}"));
        }
    }

    /// Microseconds, to the picosecond.
    fn time(&self, cycles: Cycles) -> Value {
        Value::from(self.clock.time_of(cycles).0 as f64 * 1e-6)
    }

    fn slice(&mut self, row: u64, name: &str, (from, cycles): (Cycles, Cycles), args: Value) {
        let event = json!({
            "ph": "X", "name": name, "pid": self.process, "tid": row,
            "ts": self.time(self.start + from), "dur": self.time(cycles), "args": args
        });
        self.events.push(event);
    }

    fn frame(&mut self, frame: &FrameReport, rows: &mut BTreeSet<u64>) {
        let whole = (Cycles::ZERO, frame.cycles);
        let args = json!({"cycles": frame.cycles.0, "dram_bytes": frame.dram.bytes().0});
        self.slice(PHASES, &format!("frame {}", frame.frame), whole, args);
        let geometry = (Cycles::ZERO, frame.geometry_cycles);
        self.slice(PHASES, "geometry and tiling", geometry, json!({}));
        let raster = (frame.geometry_cycles, frame.raster_cycles);
        self.slice(PHASES, "raster", raster, json!({}));
        self.tiles(frame, rows);
        self.tiles_in_hand(frame);
        self.cores(frame);
        self.traffic(frame);
    }

    /// One slice a frame, named by how busy the core was: rows beside each other show how the work was shared out.
    fn cores(&mut self, frame: &FrameReport) {
        for (row, core) in (CORES..).zip(&frame.cores) {
            let activity = &core.activity;
            let busy = percent(activity.busy.0, frame.cycles.0);
            let args = json!({
                "busy": activity.busy.0,
                "stalled": activity.stalled.0,
                "idle": activity.idle.0,
                "warps": core.warps,
                "instructions": core.instructions,
                "texture_misses": core.texture.misses,
            });
            let whole = (Cycles::ZERO, frame.cycles);
            self.slice(row, &format!("busy {busy}"), whole, args);
        }
    }

    /// How many tiles each Raster Unit has begun and not ended, at every change.
    fn tiles_in_hand(&mut self, frame: &FrameReport) {
        let mut changes = BTreeMap::new();
        for cost in frame.tiles.iter().filter(|cost| !cost.skipped) {
            *changes.entry((cost.start, cost.raster_unit)).or_insert(0) += 1;
            *changes.entry((cost.end, cost.raster_unit)).or_insert(0) -= 1;
        }
        let mut in_hand = vec![0_i64; frame.raster_units.len()];
        for ((time, unit), change) in changes {
            let tiles = &mut in_hand[unit as usize];
            *tiles += change;
            let event = json!({
                "ph": "C", "name": format!("tiles in hand, Raster Unit {unit}"), "pid": self.process,
                "ts": self.time(self.start + time), "args": {"tiles": *tiles}
            });
            self.events.push(event);
        }
    }

    fn tiles(&mut self, frame: &FrameReport, rows: &mut BTreeSet<u64>) {
        let mut order: Vec<usize> = (0..frame.tiles.len()).collect();
        order.sort_by_key(|&tile| (frame.tiles[tile].start, tile));
        // When each row of each Raster Unit is free again.
        let mut free = vec![[Cycles::ZERO; LANES as usize]; frame.raster_units.len()];
        for tile in order {
            let cost = &frame.tiles[tile];
            if cost.skipped {
                continue;
            }
            let lanes = &mut free[cost.raster_unit as usize];
            let lane = lanes.iter().position(|at| *at <= cost.start);
            let lane = lane.unwrap_or(lanes.len() - 1);
            lanes[lane] = cost.end;
            let row = TILES + u64::from(cost.raster_unit) * LANES + lane as u64;
            rows.insert(row);
            let args = json!({
                "fragment_cycles": cost.fragment_cycles.0,
                "warps": cost.cost.warps,
                "instructions": cost.cost.instructions,
                "texture_misses": cost.cost.texture_misses,
                "dram_lines": cost.cost.dram_lines.total(),
            });
            let span = (cost.start, cost.end.saturating_sub(cost.start));
            self.slice(row, &format!("tile {tile}"), span, args);
        }
    }

    fn traffic(&mut self, frame: &FrameReport) {
        let line = frame.dram.line_bytes.0;
        for interval in &frame.intervals {
            let counts = interval.dram_lines.entries();
            let args: serde_json::Map<String, Value> = counts
                .map(|(kind, lines)| (kind.to_owned(), Value::from(lines * line)))
                .collect();
            let event = json!({
                "ph": "C", "name": format!("DRAM bytes in {INTERVAL} cycles"), "pid": self.process,
                "ts": self.time(self.start + interval.start), "args": args
            });
            self.events.push(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::simulation::tests::small_report;

    #[test]
    fn perfetto_trace_has_every_tile_and_core_and_no_overlaps() {
        let frames = [small_report(), small_report()];
        let text = perfetto_trace(
            &json!({"generator": "test"}),
            &[MachineFrames {
                machine: "gpu",
                frames: &frames,
            }],
        );
        let trace: Value = serde_json::from_str(&text).expect("JSON");
        let events = trace["traceEvents"].as_array().expect("a list");
        let rows = |from: u64, to: u64| -> Vec<&Value> {
            let slices = events.iter().filter(|event| event["ph"] == "X");
            slices
                .filter(|event| (from..to).contains(&event["tid"].as_u64().unwrap_or_default()))
                .collect()
        };
        let tiles = rows(TILES, CORES);
        assert_eq!(tiles.len(), 2 * frames[0].tiles.len(), "every tile");
        let span = |event: &Value| {
            let from = event["ts"].as_f64().expect("a time");
            (from, from + event["dur"].as_f64().expect("a time"))
        };
        for (nth, one) in tiles.iter().enumerate() {
            for other in &tiles[..nth] {
                let ((a, b), (c, d)) = (span(one), span(other));
                let apart = b <= c + 1e-9 || d <= a + 1e-9;
                assert!(apart || one["tid"] != other["tid"], "{one} and {other}");
            }
        }
        let cores = rows(CORES, u64::MAX);
        assert_eq!(cores.len(), 2 * frames[0].cores.len(), "every core");
        let counters: BTreeSet<_> = (events.iter())
            .filter(|event| event["ph"] == "C")
            .filter_map(|event| event["name"].as_str())
            .collect();
        assert!(
            counters.iter().any(|name| name.starts_with("DRAM bytes")),
            "traffic"
        );
        assert!(
            counters.contains("tiles in hand, Raster Unit 0"),
            "{counters:?}"
        );
        let named = |row: &Value| {
            let mut names = events.iter().filter(|event| event["name"] == "thread_name");
            names.any(|event| event["tid"] == *row)
        };
        for event in events.iter().filter(|event| event["ph"] == "X") {
            assert!(named(&event["tid"]), "a row without name: {event}");
        }
    }

    #[test]
    fn perfetto_counts_tiles_up_and_down_to_none() {
        let frames = [small_report()];
        let text = perfetto_trace(
            &json!({}),
            &[MachineFrames {
                machine: "gpu",
                frames: &frames,
            }],
        );
        let trace: Value = serde_json::from_str(&text).expect("JSON");
        let events = trace["traceEvents"].as_array().expect("a list");
        for unit in 0..frames[0].raster_units.len() {
            let name = format!("tiles in hand, Raster Unit {unit}");
            let counts = events.iter().filter(|event| event["name"] == name.as_str());
            let counts: Vec<_> = counts
                .map(|event| event["args"]["tiles"].as_i64())
                .collect();
            assert!(counts.iter().all(|count| *count >= Some(0)), "{counts:?}");
            assert_eq!(counts.last(), Some(&Some(0)), "all ended");
        }
    }
}
