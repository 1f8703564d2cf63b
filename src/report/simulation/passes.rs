//! Passes of frames: time, attachments and traffic of each, in tables for people and for programs.

use super::csv::{MachineFrames, columns, each_frame, kinds, traffic_cells};
use super::pass_use::PassUse;
use super::summary::Simulation;
use crate::CsvText;
use crate::table::{Align, aligned};
use crate::text::{bytes, grouped, percent};
use azulejo_gpu::{FrameReport, Interval, PassReport};

/// Table of a frame's passes, the mean over frames; empty where frames have but one.
pub(super) fn passes_table(sum: &Simulation) -> String {
    if sum.passes.is_empty() {
        return String::new();
    }
    let n = sum.n_frames.max(1);
    let header = [
        "pass", "tiles", "cycles", "share", "geometry", "loaded", "stored", "DRAM",
    ];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(sum.passes.iter().map(|pass| {
        let [tiles, edge] = pass.tiles;
        vec![
            pass.name.clone(),
            match tiles {
                // One that computes.
                0 => String::new(),
                tiles => format!("{} of {edge}x{edge}", grouped(tiles.into())),
            },
            grouped(pass.cycles.0 / n),
            percent(pass.cycles.0, sum.cycles.0),
            percent(pass.geometry_cycles.0, pass.cycles.0),
            bytes(pass.loaded_bytes / n),
            bytes(pass.stored_bytes / n),
            bytes(pass.dram_lines * sum.line_bytes / n),
        ]
    }));
    let mut align = [Align::Right; 8];
    align[0] = Align::Left;
    format!("passes\n{}", aligned(&rows, &align))
}

/// Columns of a pass before the traffic.
const PASS: [&str; 12] = [
    "machine",
    "frame",
    "pass",
    "name",
    "width",
    "height",
    "tile_size",
    "start",
    "cycles",
    "geometry_cycles",
    "loaded_bytes",
    "stored_bytes",
];

/// Columns of its activity.
const ACTIVITY: [&str; 4] = [
    "core_busy_cycles",
    "arithmetic_instructions",
    "l2_accesses",
    "l2_misses",
];

/// Table with a line for each pass of each frame: when it ran, bytes that its tiles loaded and stored, and what cores, L2 and
/// DRAM did meanwhile. A frame of one pass has one line, without a name.
#[must_use]
pub fn passes_csv(machines: &[MachineFrames<'_>]) -> String {
    let kinds = kinds(machines);
    let mut table = CsvText::new(columns(&PASS, &ACTIVITY, kinds));
    for (machine, frame) in each_frame(machines) {
        let whole = whole(frame);
        let passes = match frame.passes.as_slice() {
            [] => std::slice::from_ref(&whole),
            passes => passes,
        };
        for (nth, pass) in passes.iter().enumerate() {
            let PassUse {
                loaded_bytes,
                stored_bytes,
                ..
            } = PassUse::from(pass);
            let moved = match frame.passes.is_empty() {
                true => attachments(frame),
                false => [loaded_bytes, stored_bytes],
            };
            table.cell(machine);
            table.cell(frame.frame);
            table.cell(nth);
            table.cell(&pass.name);
            table.cells([pass.grid.width, pass.grid.height, pass.grid.tile_size]);
            let activity = &pass.activity;
            table.cells([activity.start.0, pass.cycles.0, pass.geometry_cycles.0]);
            table.cells(moved);
            table.cell(activity.core_busy.0);
            table.cell(activity.arithmetic);
            table.cells([activity.l2_accesses, activity.l2_misses]);
            traffic_cells(&mut table, &activity.dram_lines, kinds);
            table.end_row();
        }
    }
    table.into_text()
}

/// Bytes that the tiles of a frame of one pass loaded and stored.
fn attachments(frame: &FrameReport) -> [u64; 2] {
    let units = frame.raster_units.iter();
    units.fold([0, 0], |[loaded, stored], unit| {
        [loaded + unit.load_bytes, stored + unit.flush_bytes]
    })
}

/// A frame of one pass as that pass.
fn whole(frame: &FrameReport) -> PassReport {
    let mut activity = Interval::default();
    for interval in &frame.intervals {
        activity.dram_lines += interval.dram_lines;
        activity.core_busy += interval.core_busy;
        activity.arithmetic += interval.arithmetic;
        activity.l2_accesses += interval.l2_accesses;
        activity.l2_misses += interval.l2_misses;
    }
    PassReport {
        name: String::new(),
        grid: frame.grid,
        samples: frame.samples,
        pixel_bytes: 0,
        cycles: frame.cycles,
        geometry_cycles: frame.geometry_cycles,
        activity,
        targets: Vec::new(),
        draws: [0, frame.draws.len()],
        tiles: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::tests::{report_of_passes, small_report};

    fn lines(frames: &[FrameReport]) -> Vec<Vec<String>> {
        let text = passes_csv(&[MachineFrames {
            machine: "gpu",
            frames,
            system: None,
        }]);
        let cells = |line: &str| line.split(',').map(str::to_owned).collect();
        text.lines().map(cells).collect()
    }

    #[test]
    fn passes_csv_has_the_frame_where_it_is_one_pass() {
        let report = small_report();
        let lines = lines(std::slice::from_ref(&report));
        assert_eq!(lines.len(), 2, "a header and the frame");
        let cycles = report.cycles.0.to_string();
        assert_eq!(lines[1][8], cycles);
        let flushed: u64 = report.raster_units.iter().map(|u| u.flush_bytes).sum();
        assert_eq!(lines[1][11], flushed.to_string());
    }

    #[test]
    fn passes_csv_has_a_line_for_each_pass() {
        let report = report_of_passes();
        let lines = lines(std::slice::from_ref(&report));
        let names: Vec<_> = lines[1..].iter().map(|line| line[3].as_str()).collect();
        assert_eq!(names, ["first", "last"]);
        let number =
            |line: usize, column: usize| -> u64 { lines[line][column].parse().expect("a number") };
        assert_eq!(number(1, 8) + number(2, 8), report.cycles.0, "cycles");
        let columns = lines[0].iter().position(|name| name == "dram_command");
        for (nth, (kind, name)) in azulejo_gpu::memory::Traffic::ALL.into_iter().enumerate() {
            let at = columns.expect("the first kind") + nth;
            let whole = report.dram.reads[kind] + report.dram.writes[kind];
            assert_eq!(number(1, at) + number(2, at), whole, "{name}");
        }
    }

    #[test]
    fn passes_table_is_the_mean_over_frames() {
        let report = report_of_passes();
        let mut sum = Simulation::of_frame("gpu", &report);
        let one = passes_table(&sum);
        assert!(one.contains("first") && one.contains("last"), "{one}");
        sum.add_frame(&report);
        assert_eq!(passes_table(&sum), one, "of twice the same");
        let plain = Simulation::of_frame("gpu", &small_report());
        assert_eq!(passes_table(&plain), "", "of a frame of one pass");
    }
}
