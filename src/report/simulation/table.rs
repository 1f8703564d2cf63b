//! Table for people: one machine, mean over its frames, and a line for each of several machines.

use super::passes::passes_table;
use super::summary::{FrameEnergy, Simulation, StageUse};
use crate::table::{Align, aligned};
use crate::text::{bytes, counted, decimal, grouped, percent};
use azulejo_gpu::FrameReport;
use azulejo_gpu::memory::Traffic;
use azulejo_units::Cycles;

/// Kinds of DRAM traffic as papers tell them apart, and the rest: each kind of all machines in one of them.
pub const DRAM_SPLIT: [(&str, &[Traffic]); 7] = [
    ("textures", &[Traffic::Texture]),
    (
        "Parameter Buffer",
        &[Traffic::ParameterWrite, Traffic::ParameterRead],
    ),
    (
        "frame buffer",
        &[Traffic::ColorLoad, Traffic::ColorFlush, Traffic::Color],
    ),
    ("depth buffer", &[Traffic::Depth]),
    (
        "geometry",
        &[Traffic::Command, Traffic::Vertex, Traffic::VertexOutput],
    ),
    ("display", &[Traffic::Display]),
    ("buffers", &[Traffic::Buffer]),
];

/// Kinds among them that are left out where there is nothing of them: of machines without tiles on the chip, and of programs
/// that access buffers.
const OF_SOME: [&[Traffic]; 2] = [&[Traffic::Depth], &[Traffic::Buffer]];

/// Alignment of a name with right-aligned numbers behind it.
const NUMBERS: [Align; 6] = [
    Align::Left,
    Align::Right,
    Align::Right,
    Align::Right,
    Align::Right,
    Align::Right,
];

/// Line of one frame in the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameLine {
    /// Number of the frame.
    pub frame: u64,
    /// Cycles from the first command to the last write.
    pub cycles: Cycles,
    /// Frames a second, if all frames were like this one.
    pub fps: f64,
    /// Share of the cycles that the Raster Pipeline takes, 0..=1.
    pub raster_share: f64,
    /// Bytes over the DRAM's pins for each pixel of the screen.
    pub bytes_per_pixel: f64,
    /// Lines over the DRAM's pins, read and written.
    pub dram_lines: u64,
}

impl From<&FrameReport> for FrameLine {
    fn from(frame: &FrameReport) -> Self {
        Self {
            frame: frame.frame,
            cycles: frame.cycles,
            fps: frame.fps(),
            raster_share: frame.raster_share(),
            bytes_per_pixel: frame.bytes_per_pixel(),
            dram_lines: frame.dram.reads.total() + frame.dram.writes.total(),
        }
    }
}

/// Table of one machine: the mean of its frames, and a line for each if there are several.
#[must_use]
pub fn simulation_table(scene: &str, sum: &Simulation, frames: &[FrameLine]) -> String {
    let title = title(scene, sum);
    let each = if frames.len() > 1 {
        frame_lines(frames)
    } else {
        String::new()
    };
    [
        title,
        each,
        time(sum),
        passes_table(sum),
        stages(sum),
        work(sum),
        traffic(sum),
        caches(sum),
        energy(sum),
        left_out(sum),
    ]
    .concat()
}

fn title(scene: &str, sum: &Simulation) -> String {
    let grid = sum.grid;
    let frames = match sum.n_frames {
        1 => "one frame".to_owned(),
        n => format!("mean of {n} frames"),
    };
    format!(
        "{scene} on {}: {}x{} pixels in {} of {}x{}, {} MHz, {frames}\n",
        sum.machine,
        grid.width,
        grid.height,
        counted(u64::from(grid.n_tiles()), "tile"),
        grid.tile_size,
        grid.tile_size,
        sum.clock.0 / 1_000_000,
    )
}

fn frame_lines(frames: &[FrameLine]) -> String {
    let header = [
        "frame",
        "cycles",
        "frames/s",
        "raster",
        "bytes/pixel",
        "DRAM lines",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(frames.iter().map(|frame| {
        vec![
            frame.frame.to_string(),
            grouped(frame.cycles.0),
            format!("{:.1}", frame.fps),
            format!("{:.1} %", 100.0 * frame.raster_share),
            format!("{:.2}", frame.bytes_per_pixel),
            grouped(frame.dram_lines),
        ]
    }));
    aligned(&rows, &NUMBERS)
}

fn row(name: &str, value: String, note: String) -> Vec<String> {
    vec![name.to_owned(), value, note]
}

fn time(sum: &Simulation) -> String {
    let n = sum.n_frames.max(1);
    let raster = sum.cycles.saturating_sub(sum.geometry_cycles);
    let share = |part: u64| percent(part, sum.cycles.0);
    let rows = [
        row(
            "cycles",
            grouped(sum.cycles_per_frame()),
            format!("{:.1} frames a second", sum.fps()),
        ),
        row(
            "Geometry Pipeline and tiling",
            grouped(sum.geometry_cycles.0 / n),
            format!("{} of cycles", share(sum.geometry_cycles.0)),
        ),
        row(
            "Raster Pipeline",
            grouped(raster.0 / n),
            format!("{} of cycles", share(raster.0)),
        ),
    ];
    format!("time\n{}", aligned(&rows, &[Align::Left, Align::Right]))
}

fn stages(sum: &Simulation) -> String {
    let header = ["stage", "units", "busy", "stalled", "idle", "busy"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(sum.stages.iter().map(|stage| stage_row(stage, sum)));
    format!("cycles by stage, of one unit\n{}", aligned(&rows, &NUMBERS))
}

fn stage_row(stage: &StageUse, sum: &Simulation) -> Vec<String> {
    let n = (stage.n_units * sum.n_frames).max(1);
    let activity = stage.activity;
    vec![
        stage.name.to_owned(),
        stage.n_units.to_string(),
        grouped(activity.busy.0 / n),
        grouped(activity.stalled.0 / n),
        grouped(activity.idle.0 / n),
        percent(activity.busy.0, activity.total().0),
    ]
}

fn work(sum: &Simulation) -> String {
    let n = sum.n_frames.max(1);
    let work = &sum.work;
    let cores = sum.stages.iter().find(|stage| stage.name == "shader cores");
    let core_cycles = cores.map_or(1, |cores| cores.activity.total().0.max(1));
    let rows = [
        row(
            "primitives in tiles",
            grouped(work.primitives / n),
            String::new(),
        ),
        row("quads rasterised", grouped(work.quads / n), String::new()),
        row(
            "quads killed early",
            grouped(work.killed_early / n),
            format!("{} of quads", percent(work.killed_early, work.quads)),
        ),
        row(
            "quads shaded",
            grouped(work.shaded / n),
            format!(
                "in {} warps, {} quads each",
                grouped(work.warps / n),
                decimal((work.warps > 0).then(|| work.shaded as f64 / work.warps as f64))
            ),
        ),
        row(
            "warp instructions",
            grouped(work.instructions / n),
            format!(
                "{:.2} a cycle and core",
                work.instructions as f64 / core_cycles as f64
            ),
        ),
    ];
    format!("work\n{}", aligned(&rows, &[Align::Left, Align::Right]))
}

fn traffic(sum: &Simulation) -> String {
    let n = sum.n_frames.max(1);
    let pixels = u64::from(sum.grid.width) * u64::from(sum.grid.height);
    let size = |lines: u64| bytes(lines * sum.line_bytes / n);
    let per_pixel = |lines: u64| {
        let bytes = (lines * sum.line_bytes) as f64;
        format!("{:.2}", bytes / (n * pixels.max(1)) as f64)
    };
    let header = ["kind", "read", "written", "bytes/pixel", "share"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for (name, kinds) in DRAM_SPLIT {
        let read = kinds.iter().map(|kind| sum.reads[*kind]).sum();
        let written = kinds.iter().map(|kind| sum.writes[*kind]).sum();
        let lines = sum.lines(kinds);
        if lines == 0 && OF_SOME.contains(&kinds) {
            continue;
        }
        rows.push(vec![
            name.to_owned(),
            size(read),
            size(written),
            per_pixel(lines),
            percent(lines, sum.all_lines()),
        ]);
    }
    rows.push(vec![
        "all".to_owned(),
        size(sum.reads.total()),
        size(sum.writes.total()),
        per_pixel(sum.all_lines()),
    ]);
    let table = aligned(&rows, &NUMBERS[..5]);
    let hits = percent(sum.row_hits, sum.column_commands);
    let moved = bytes(sum.dram_bytes / n);
    let latency = latency(sum);
    format!("DRAM traffic\n{table}  {moved} over the pins; row hits {hits}{latency}\n")
}

/// Text on the latencies of reads; empty without reads.
fn latency(sum: &Simulation) -> String {
    if sum.latency_count == 0 || sum.wait_count == 0 {
        return String::new();
    }
    let period_ns = sum.dram_period.0 as f64 / 1e3;
    let in_dram = sum.latency_sum as f64 / sum.latency_count as f64 * period_ns;
    let wait = sum.wait_sum as f64 / sum.wait_count as f64;
    let before = wait * 1e9 / sum.clock.0.max(1) as f64;
    let late = sum.latency_p95.0 as f64 * period_ns;
    format!(
        "; reads take {:.0} ns on average: {before:.0} ns from the L2 to the DRAM's controller, {in_dram:.0} ns there ({late:.0} ns at the 95th percentile)",
        before + in_dram
    )
}

fn caches(sum: &Simulation) -> String {
    let n = sum.n_frames.max(1);
    let header = ["cache", "accesses", "hits", "hit rate", "lines fetched"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let shown = sum.caches.iter().filter(|cache| cache.is_shown());
    rows.extend(shown.map(|cache| {
        vec![
            cache.name.to_owned(),
            grouped(cache.accesses / n),
            grouped(cache.hits / n),
            percent(cache.hits, cache.accesses),
            grouped(cache.fetched / n),
        ]
    }));
    format!("caches\n{}", aligned(&rows, &NUMBERS))
}

fn energy(sum: &Simulation) -> String {
    let n = sum.n_frames.max(1) as f64;
    let microjoules = |picojoules: f64| format!("{:.1}", picojoules / n * 1e-6);
    let FrameEnergy { gpu, dram } = sum.energy_per_frame();
    let seconds = sum.cycles_per_frame() as f64 / sum.clock.0.max(1) as f64;
    let all = gpu + dram;
    let share = |picojoules: f64| format!("{:.1} %", 100.0 * picojoules / n / all.max(1.0));
    let header = ["energy in uJ", "dynamic", "leakage", "share"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(sum.energy.iter().map(|part| {
        vec![
            if part.of_technique {
                format!("technique {}", part.name)
            } else {
                part.name.to_owned()
            },
            microjoules(part.dynamic),
            microjoules(part.leakage),
            share(part.dynamic + part.leakage),
        ]
    }));
    let background = sum.dram_energy.background();
    let total = sum.dram_energy.total();
    rows.push(vec![
        "DRAM".to_owned(),
        microjoules(total - background),
        microjoules(background),
        share(total),
    ]);
    let known = if sum.energy.is_empty() {
        "; the machine gives no technology, so its own energy is not known"
    } else {
        ""
    };
    format!(
        "{}  {:.2} mJ a frame, {:.0} mW{known}\n",
        aligned(&rows, &NUMBERS),
        all * 1e-9,
        all * 1e-9 / seconds.max(1e-12),
    )
}

/// Table of work that techniques left out of all frames, and of their counters; empty without techniques.
fn left_out(sum: &Simulation) -> String {
    if sum.techniques.is_empty() {
        return String::new();
    }
    let share = |part: u64| format!("{} of tiles", percent(part, sum.n_tiles()));
    let mut rows = vec![
        row(
            "tiles not drawn",
            grouped(sum.tiles_skipped),
            share(sum.tiles_skipped),
        ),
        row(
            "tiles drawn and not flushed",
            grouped(sum.flushes_skipped),
            share(sum.flushes_skipped),
        ),
    ];
    for technique in &sum.techniques {
        rows.extend(technique.counters.iter().map(|counter| {
            let name = format!("{}: {}", technique.technique, counter.about);
            let unit = counter.unit.name().to_owned();
            row(&name, grouped(counter.value), unit)
        }));
    }
    format!(
        "left out of all frames\n{}",
        aligned(&rows, &[Align::Left, Align::Right])
    )
}

/// Table with a line for each of several machines; times are compared with the first.
#[must_use]
pub fn machines_table(sums: &[Simulation]) -> String {
    let header = [
        "machine",
        "cycles",
        "speedup",
        "frames/s",
        "raster",
        "tiles skipped",
        "texture hits",
        "bytes/pixel",
        "mJ/frame",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let first = sums.first().map_or(0.0, Simulation::time_per_frame);
    rows.extend(sums.iter().map(|sum| machine_row(sum, first)));
    let align: Vec<Align> = std::iter::once(Align::Left)
        .chain(std::iter::repeat_n(Align::Right, header.len() - 1))
        .collect();
    format!("machines\n{}", aligned(&rows, &align))
}

/// Row of a machine; `first` is the time of a frame on the first machine, in ps.
fn machine_row(sum: &Simulation, first: f64) -> Vec<String> {
    let textures = sum
        .caches
        .iter()
        .find(|cache| cache.name == "texture caches");
    let FrameEnergy { gpu, dram } = sum.energy_per_frame();
    vec![
        sum.machine.clone(),
        grouped(sum.cycles_per_frame()),
        format!("{:.2}", first / sum.time_per_frame().max(1.0)),
        format!("{:.1}", sum.fps()),
        format!("{:.1} %", 100.0 * sum.raster_share()),
        tiles_skipped(sum),
        textures.map_or_else(String::new, |cache| percent(cache.hits, cache.accesses)),
        format!("{:.2}", sum.bytes_per_pixel()),
        // Without the GPU's share it would be no machine's energy.
        decimal((!sum.energy.is_empty()).then_some((gpu + dram) * 1e-9)),
    ]
}

/// Share of the tiles that techniques left out; empty without techniques.
fn tiles_skipped(sum: &Simulation) -> String {
    if sum.techniques.is_empty() {
        return String::new();
    }
    percent(sum.tiles_skipped, sum.n_tiles())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speedup_of_machines_is_of_time() {
        let report = crate::simulation::tests::small_report();
        let sum = Simulation::of_frame("slow", &report);
        let fast = Simulation {
            clock: azulejo_units::Hertz(2 * sum.clock.0),
            machine: "fast".to_owned(),
            ..sum.clone()
        };
        let text = machines_table(&[sum, fast]);
        let line = text.lines().find(|line| line.contains("fast"));
        let words: Vec<&str> = line.unwrap_or_default().split_whitespace().collect();
        assert_eq!(words[2], "2.00", "as many cycles in half the time: {text}");
    }

    #[test]
    fn dram_split_has_each_kind_of_traffic_once() {
        for (kind, name) in Traffic::ALL {
            let groups = DRAM_SPLIT.iter().filter(|(_, kinds)| kinds.contains(&kind));
            assert_eq!(groups.count(), 1, "{name}");
        }
    }
}
