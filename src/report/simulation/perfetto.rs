//! Units over simulated time as JSON trace events, which Perfetto and Chrome show: a process for each machine; geometry and
//! raster phases, tiles by Raster Unit, what each shader core did in a frame, and over time as counters the cores that are
//! busy, hits and misses of the L2, DRAM traffic by kind, lines that wait for the DRAM, and the tiles that each Raster Unit
//! has in hand. Events are written one by one: a run of many frames has millions.
//!
//! Importers make begin and length of a slice whole nanoseconds, each by itself, and drop slices that then do not nest.
//! Here both are whole already: a slice goes from the nanosecond of its begin to that of its end, so that what nests in
//! cycles nests in them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::csv::MachineFrames;
use crate::bandwidth::Bandwidth;
use crate::percent;
use azulejo_gpu::{FrameReport, INTERVAL, PassReport, TargetReport};
use azulejo_soc::SystemReport;
use azulejo_units::{Bytes, Cycles, Hertz};

/// Rows of frames and phases, of a system's phases, and the first of tiles.
const PHASES: u64 = 1;
const SYSTEM: u64 = 2;
const TILES: u64 = 10;
/// Rows kept for a Raster Unit or cluster, which has one for each tile inside at a time: more than tiles of a screen.
const LANES: u64 = 1 << 20;
/// First row of shader cores: below all Raster Units, of which there are at most 32. Rows fit 31 bits.
const CORES: u64 = 1 << 26;

/// Writes a trace of all frames, one after the other; `stamp` tells how it came about.
///
/// # Errors
/// Errors of `to`.
pub fn write_perfetto(
    to: &mut dyn Write,
    stamp: &Value,
    machines: &[MachineFrames<'_>],
) -> io::Result<()> {
    write!(
        to,
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{stamp},\"traceEvents\":["
    )?;
    let mut events = Events {
        to,
        between: "\n",
        written: Ok(()),
    };
    for (process, of_machine) in (1..).zip(machines) {
        let MachineFrames {
            machine,
            frames,
            system,
        } = of_machine;
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
        for (nth, frame) in frames.iter().enumerate() {
            track.clock = frame.clock;
            // Between frames of a system time goes on.
            let times = system.and_then(|system| system.frames.get(nth));
            track.start = times.map_or(track.start, |times| times.drawing);
            track.frame(frame, &mut rows);
            track.start += frame.cycles;
        }
        if let Some(system) = system {
            track.system(system);
        }
        track.name_tiles(&rows);
    }
    events.written?;
    writeln!(to, "\n]}}")
}

/// Writer of events, one a line, so that files can be looked at.
struct Events<'a> {
    to: &'a mut dyn Write,
    /// Text before the next event.
    between: &'static str,
    /// Result so far; after a failure nothing more is written.
    written: io::Result<()>,
}

impl Events<'_> {
    fn push(&mut self, event: &Value) {
        if self.written.is_ok() {
            let between = std::mem::replace(&mut self.between, ",\n");
            self.written = write!(self.to, "{between}{event}");
        }
    }
}

/// Events of one machine.
struct Track<'a, 'w> {
    process: u64,
    clock: Hertz,
    /// Start of the frame, since the first one's start.
    start: Cycles,
    events: &'a mut Events<'w>,
}

impl Track<'_, '_> {
    fn name(&mut self, kind: &str, row: u64, name: &str) {
        self.events.push(&json!({
            "ph": "M", "name": kind, "pid": self.process, "tid": row, "args": {"name": name}
        }));
    }

    /// Names rows of tiles that have any.
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

    /// Time in whole nanoseconds, rounded down.
    fn nanoseconds(&self, cycles: Cycles) -> u64 {
        self.clock.time_of(cycles).0 / 1000
    }

    /// Writes a slice of `cycles` cycles, from `from` of the frame on.
    fn slice(&mut self, row: u64, name: &str, from: Cycles, cycles: Cycles, args: Value) {
        let begin = self.nanoseconds(self.start + from);
        let end = self.nanoseconds(self.start + from + cycles);
        let event = json!({
            "ph": "X", "name": name, "pid": self.process, "tid": row,
            "ts": microseconds(begin), "dur": microseconds(end - begin), "args": args
        });
        self.events.push(&event);
    }

    /// Writes the value of a counter from `at` of the frame on.
    fn counter(&mut self, name: &str, at: Cycles, args: Value) {
        let event = json!({
            "ph": "C", "name": name, "pid": self.process,
            "ts": microseconds(self.nanoseconds(self.start + at)), "args": args
        });
        self.events.push(&event);
    }

    /// Writes phases of frames as cores and display see them, and the bytes of each agent.
    fn system(&mut self, system: &SystemReport) {
        (self.clock, self.start) = (system.clock, Cycles::ZERO);
        self.name("thread_name", SYSTEM, "system");
        for times in &system.frames {
            for (name, from, to) in [
                ("cores prepare", times.begun, times.drawing),
                ("GPU draws", times.drawing, times.drawn),
                ("cores go on", times.drawn, times.queued),
            ] {
                let args = json!({"frame": times.frame});
                self.slice(SYSTEM, name, from, to - from, args);
            }
        }
        self.techniques(system);
        let Bandwidth { sources, parts, .. } = Bandwidth::of_system(system);
        for part in parts {
            let rates = sources.iter().enumerate();
            let rates: BTreeMap<&str, f64> = rates
                .map(|(source, name)| (name.as_str(), part.gigabytes_per_second(source)))
                .collect();
            let event = json!({
                "ph": "C", "name": "GB/s by agent", "pid": self.process,
                "ts": microseconds(part.from.0 / 1000), "args": rates
            });
            self.events.push(&event);
        }
    }

    /// Writes the techniques' counters in each phase of a system, counters of one kind, the last word of their names, on a
    /// track.
    fn techniques(&mut self, system: &SystemReport) {
        for phase in &system.technique_phases {
            for technique in &phase.techniques {
                let mut kinds: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
                for counter in &technique.counters {
                    let (of, kind) = counter
                        .name
                        .rsplit_once('_')
                        .unwrap_or(("all", counter.name));
                    let values = kinds.entry(kind).or_default();
                    values.insert(of.to_owned(), Value::from(counter.value));
                }
                for (kind, values) in kinds {
                    let name = format!("{}: {kind} in a phase", technique.technique);
                    self.counter(&name, phase.from, Value::Object(values));
                }
            }
        }
    }

    fn frame(&mut self, frame: &FrameReport, rows: &mut BTreeSet<u64>) {
        let start = Cycles::ZERO;
        let args = json!({"cycles": frame.cycles.0, "dram_bytes": frame.dram.bytes().0});
        let name = format!("frame {}", frame.frame);
        self.slice(PHASES, &name, start, frame.cycles, args);
        if frame.passes.is_empty() {
            self.phases(start, frame.cycles, frame.geometry_cycles);
        }
        for pass in &frame.passes {
            self.pass(pass);
        }
        self.tiles(frame, rows);
        self.tiles_in_hand(frame);
        self.cores(frame);
        self.intervals(frame);
    }

    /// Writes a pass with its phases inside.
    fn pass(&mut self, pass: &PassReport) {
        let bytes = |of: fn(&TargetReport) -> Bytes| -> u64 {
            pass.targets.iter().map(|target| of(target).0).sum()
        };
        let args = json!({
            "cycles": pass.cycles.0,
            "loaded_bytes": bytes(|target| target.loaded),
            "stored_bytes": bytes(|target| target.stored),
            "dram_lines": pass.activity.dram_lines.total(),
        });
        let start = pass.activity.start;
        self.slice(PHASES, &pass.name, start, pass.cycles, args);
        self.phases(start, pass.cycles, pass.geometry_cycles);
    }

    fn phases(&mut self, start: Cycles, cycles: Cycles, geometry: Cycles) {
        self.slice(PHASES, "geometry and tiling", start, geometry, json!({}));
        let raster = cycles.saturating_sub(geometry);
        self.slice(PHASES, "raster", start + geometry, raster, json!({}));
    }

    /// Writes one slice a frame, named by how busy the core was: rows beside each other show how the work was shared out.
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
            let name = format!("busy {busy}");
            self.slice(row, &name, Cycles::ZERO, frame.cycles, args);
        }
    }

    /// Writes how many tiles each Raster Unit has begun and not ended, at every change.
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
            let args = json!({"tiles": *tiles});
            self.counter(&format!("tiles in hand, Raster Unit {unit}"), time, args);
        }
    }

    fn tiles(&mut self, frame: &FrameReport, rows: &mut BTreeSet<u64>) {
        let mut order: Vec<usize> = (0..frame.tiles.len()).collect();
        order.sort_by_key(|&tile| (frame.tiles[tile].start, tile));
        // Times at which each row of each Raster Unit is free again: as many rows as tiles are inside at a time.
        let mut free = vec![Vec::new(); frame.raster_units.len()];
        for tile in order {
            let cost = &frame.tiles[tile];
            if cost.skipped {
                continue;
            }
            let lanes = &mut free[cost.raster_unit as usize];
            let lane = lanes.iter().position(|at| *at <= cost.start);
            let lane = lane.unwrap_or_else(|| {
                lanes.push(Cycles::ZERO);
                lanes.len() - 1
            });
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
            let length = cost.end.saturating_sub(cost.start);
            self.slice(row, &format!("tile {tile}"), cost.start, length, args);
        }
    }

    /// Writes the model's counts of every [`INTERVAL`] cycles.
    fn intervals(&mut self, frame: &FrameReport) {
        let line = frame.dram.line_bytes.0;
        let ends = frame.intervals.iter().skip(1).map(|next| next.start);
        for (interval, end) in frame.intervals.iter().zip(ends.chain([frame.cycles])) {
            let at = interval.start;
            let cycles = end.saturating_sub(at).0.max(1);
            let cores = interval.core_busy.0 as f64 / cycles as f64;
            self.counter(CORES_BUSY, at, json!({"cores": cores}));
            let hits = interval.l2_accesses - interval.l2_misses;
            let args = json!({"hits": hits, "misses": interval.l2_misses});
            self.counter(&format!("L2 lines in {INTERVAL} cycles"), at, args);
            let kinds = interval.dram_lines.entries();
            let args = kinds.map(|(kind, lines)| (kind.to_owned(), Value::from(lines * line)));
            let args = Value::Object(args.collect());
            self.counter(&format!("DRAM bytes in {INTERVAL} cycles"), at, args);
            // Value at the end of the interval.
            self.counter(DRAM_QUEUE, end, json!({"lines": interval.dram_queue}));
        }
    }
}

/// Microseconds of nanoseconds, whose truncation and rounding both give these nanoseconds again.
fn microseconds(nanoseconds: u64) -> f64 {
    let mut time = nanoseconds as f64 / 1e3;
    while ((time * 1e3) as u64) < nanoseconds {
        time = time.next_up();
    }
    time
}

/// Name of the counter of shader cores that issue instructions, on average over an interval.
const CORES_BUSY: &str = "shader cores busy";
/// Name of the counter of lines that wait for the DRAM or are on their way.
const DRAM_QUEUE: &str = "DRAM queue";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::tests::{report_of_passes, small_report};
    use azulejo_gpu::shading::CoreCounters;

    fn trace_of(frames: &[FrameReport]) -> Value {
        let mut text = Vec::new();
        let stamp = json!({"generator": "test"});
        let machine = MachineFrames {
            machine: "gpu",
            frames,
            system: None,
        };
        write_perfetto(&mut text, &stamp, &[machine]).expect("a vector takes all");
        serde_json::from_slice(&text).expect("JSON")
    }

    #[test]
    fn perfetto_counters_over_time_add_up_to_the_frames() {
        let frames = [small_report(), small_report()];
        let trace = trace_of(&frames);
        let events = trace["traceEvents"].as_array().expect("a list");
        let sum = |name: &str, part: &str| -> f64 {
            let counters = events.iter().filter(|event| event["ph"] == "C");
            let named = counters.filter(|event| event["name"] == name);
            named.filter_map(|event| event["args"][part].as_f64()).sum()
        };
        let (l2, dram) = (&frames[0].l2, &frames[0].dram);
        let misses = l2.read_misses.total() as f64;
        let accesses = (l2.reads.total() + l2.writes.total()) as f64;
        assert_eq!(
            sum("L2 lines in 5000 cycles", "misses"),
            2.0 * misses,
            "misses"
        );
        let hits = sum("L2 lines in 5000 cycles", "hits");
        assert_eq!(hits, 2.0 * (accesses - misses), "hits");
        for (kind, lines) in dram.reads.entries() {
            let written = dram.writes.entries().find(|(other, _)| *other == kind);
            let lines = lines + written.map_or(0, |(_, lines)| lines);
            let bytes = sum("DRAM bytes in 5000 cycles", kind);
            assert_eq!(bytes, (2 * lines * dram.line_bytes.0) as f64, "{kind}");
        }
        let busy: u64 = (frames[0].cores.iter())
            .map(|core| core.activity.busy.0)
            .sum();
        let counted: u64 = (frames[0].intervals.iter())
            .map(|interval| interval.core_busy.0)
            .sum();
        assert_eq!(counted, busy, "cycles of cores");
        let arithmetic = |core: &CoreCounters| core.instructions - core.texture.instructions;
        let issued: u64 = frames[0].cores.iter().map(arithmetic).sum();
        let counted = frames[0]
            .intervals
            .iter()
            .map(|interval| interval.arithmetic);
        assert_eq!(counted.sum::<u64>(), issued, "instructions");
        let n_cores = frames[0].cores.len() as f64;
        let cores = |event: &&Value| event["args"]["cores"].as_f64();
        let busy: Vec<f64> = events.iter().filter_map(|event| cores(&event)).collect();
        assert_eq!(busy.len(), 2 * frames[0].intervals.len(), "every interval");
        assert!(
            busy.iter().all(|cores| (0.0..=n_cores).contains(cores)),
            "{busy:?}"
        );
        assert!(
            events.iter().any(|event| event["name"] == DRAM_QUEUE),
            "a queue"
        );
    }

    #[test]
    fn perfetto_has_a_slice_for_each_pass_with_its_phases_inside() {
        let report = report_of_passes();
        let trace = trace_of(std::slice::from_ref(&report));
        let events = trace["traceEvents"].as_array().expect("a list");
        let slices = |name: &str| -> Vec<u64> {
            let named = events.iter().filter(|event| event["name"] == name);
            named
                .filter_map(|event| event["args"]["cycles"].as_u64())
                .collect()
        };
        let [first, last] = report.passes.as_slice() else {
            panic!("two passes");
        };
        assert_eq!(slices("first"), [first.cycles.0]);
        assert_eq!(slices("last"), [last.cycles.0]);
        let phases = events.iter().filter(|event| event["name"] == "raster");
        assert_eq!(phases.count(), 2, "one in each");
        assert_eq!(not_nested(&trace, f64::trunc), Vec::<String>::new());
    }

    #[test]
    fn perfetto_ends_at_the_first_failure() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::Error::from(io::ErrorKind::StorageFull))
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let machine = MachineFrames {
            machine: "gpu",
            frames: &[small_report()],
            system: None,
        };
        let outcome = write_perfetto(&mut Full, &json!({}), &[machine]);
        let kind = outcome.map_err(|error| error.kind());
        assert_eq!(kind, Err(io::ErrorKind::StorageFull), "as it came");
    }

    #[test]
    fn perfetto_trace_has_every_tile_and_core_and_no_overlaps() {
        let frames = [small_report(), small_report()];
        let trace = trace_of(&frames);
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
        let named = |row: &Value| {
            let mut names = events.iter().filter(|event| event["name"] == "thread_name");
            names.any(|event| event["tid"] == *row)
        };
        for event in events.iter().filter(|event| event["ph"] == "X") {
            assert!(named(&event["tid"]), "a row without name: {event}");
        }
    }

    /// Slices of a trace that are not nested for an importer, which makes whole nanoseconds of both numbers by `whole`.
    fn not_nested(trace: &Value, whole: fn(f64) -> f64) -> Vec<String> {
        let events = trace["traceEvents"].as_array().expect("a list");
        type Slice<'a> = (f64, f64, &'a Value);
        let mut rows: BTreeMap<(u64, u64), Vec<Slice<'_>>> = BTreeMap::new();
        for event in events.iter().filter(|event| event["ph"] == "X") {
            let number = |key: &str| event[key].as_u64().expect("a number");
            let time = |key: &str| whole(event[key].as_f64().expect("a time") * 1e3);
            let row = rows.entry((number("pid"), number("tid"))).or_default();
            row.push((time("ts"), time("ts") + time("dur"), event));
        }
        let mut bad = Vec::new();
        for row in rows.values_mut() {
            row.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
            for (nth, (begin, end, event)) in row.iter().enumerate() {
                let crosses = |(b, e, _): &&Slice<'_>| b < begin && begin < e && e < end;
                bad.extend(row[..nth].iter().find(crosses).map(|_| event.to_string()));
            }
        }
        bad
    }

    #[test]
    fn perfetto_slices_nest_after_any_rounding_at_any_clock() {
        for mhz in [1, 300, 333, 600, 950, 1000, 1300, 7000] {
            let frame = || FrameReport {
                clock: Hertz::from_mhz(mhz),
                ..small_report()
            };
            let trace = trace_of(&[frame(), frame(), frame(), frame()]);
            for whole in [f64::round, f64::trunc] {
                let bad = not_nested(&trace, whole);
                assert!(bad.is_empty(), "{mhz} MHz: {bad:?}");
            }
        }
    }

    #[test]
    fn perfetto_has_a_row_for_each_tile_that_is_inside_at_a_time() {
        // Fifty tiles, each begun before the first ends.
        let mut report = small_report();
        let template = report.tiles[0];
        report.tiles = (0..50)
            .map(|tile| azulejo_gpu::statistics::TileCost {
                raster_unit: 0,
                start: Cycles(tile),
                end: Cycles(100 + tile),
                ..template
            })
            .collect();
        let trace = trace_of(&[report]);
        assert_eq!(not_nested(&trace, f64::round), [""; 0], "apart");
        let events = trace["traceEvents"].as_array().expect("a list");
        let named = events.iter().filter(|event| {
            let name = event["args"]["name"].as_str().unwrap_or_default();
            name.starts_with("Raster Unit 0, tile")
        });
        assert_eq!(named.count(), 50, "a row each");
    }

    #[test]
    fn microseconds_become_the_nanoseconds_again() {
        let mut ns = 1_u64;
        for step in 0..2000 {
            ns = (ns * 7 + step) % (1 << 50);
            let time = microseconds(ns) * 1e3;
            assert_eq!((time as u64, time.round() as u64), (ns, ns), "{ns}");
        }
    }

    #[test]
    fn perfetto_counts_tiles_up_and_down_to_none() {
        let frames = [small_report()];
        let trace = trace_of(&frames);
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
