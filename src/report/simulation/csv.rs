//! Tables for spreadsheets and data frames: frames, tiles, draws, intervals. One header line, then one line a row; the first column
//! is the machine.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::record::{flat, frame_record};
use crate::gpu::FrameReport;
use crate::gpu::memory::{Traffic, TrafficCounts};
use crate::gpu::statistics::CostCounters;
use crate::grid::TileId;

/// What one machine said of frames, and what it is called.
pub type MachineFrames<'a> = (&'a str, &'a [FrameReport]);

/// Columns of [`CostCounters`] before the traffic.
const COST: &str = "warps,warp_cycles,instructions,texture_accesses,texture_misses";

/// Every counter of a frame; a counter that a machine does not have is left empty.
#[must_use]
pub fn frames_csv(machines: &[MachineFrames<'_>]) -> String {
    let rows: Vec<(&str, Vec<(String, u64)>)> = each_frame(machines)
        .map(|(machine, frame)| (machine, flat(&frame_record(frame))))
        .collect();
    let mut known = BTreeSet::new();
    let mut columns: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flat_map(|(_, counters)| counters) {
        if known.insert(name.as_str()) {
            columns.push(name);
        }
    }
    let mut text = format!("machine,{}\n", columns.join(","));
    for (machine, counters) in &rows {
        text += &cell(machine);
        let by_name: std::collections::BTreeMap<&str, u64> = counters
            .iter()
            .map(|(name, value)| (name.as_str(), *value))
            .collect();
        for column in &columns {
            text.push(',');
            if let Some(value) = by_name.get(column) {
                text += &value.to_string();
            }
        }
        text.push('\n');
    }
    text
}

/// A line for each tile of each frame.
#[must_use]
pub fn tiles_csv(machines: &[MachineFrames<'_>]) -> String {
    let mut text = format!(
        "machine,frame,tile,column,row,raster_unit,start,end,fragment_cycles,skipped,flush_skipped,{COST}{}\n",
        traffic_columns()
    );
    for (machine, frame) in each_frame(machines) {
        for (tile, cost) in (0..).zip(&frame.tiles) {
            let (column, row) = frame.grid.column_row(TileId(tile));
            line(
                &mut text,
                format_args!(
                    "{},{},{tile},{column},{row},{},{},{},{},{},{}{}",
                    cell(machine),
                    frame.frame,
                    cost.raster_unit,
                    cost.start.0,
                    cost.end.0,
                    cost.fragment_cycles.0,
                    u8::from(cost.skipped),
                    u8::from(cost.flush_skipped),
                    cost_cells(&cost.cost),
                ),
            );
        }
    }
    text
}

/// A line for each draw of each frame.
#[must_use]
pub fn draws_csv(machines: &[MachineFrames<'_>]) -> String {
    let mut text = format!("machine,frame,draw,name,{COST}{}\n", traffic_columns());
    for (machine, frame) in each_frame(machines) {
        for (nth, draw) in frame.draws.iter().enumerate() {
            line(
                &mut text,
                format_args!(
                    "{},{},{nth},{}{}",
                    cell(machine),
                    frame.frame,
                    cell(&draw.name),
                    cost_cells(&draw.cost)
                ),
            );
        }
    }
    text
}

/// A line for each interval of each frame: lines over the DRAM's pins.
#[must_use]
pub fn intervals_csv(machines: &[MachineFrames<'_>]) -> String {
    let mut text = format!("machine,frame,start{}\n", traffic_columns());
    for (machine, frame) in each_frame(machines) {
        for interval in &frame.intervals {
            line(
                &mut text,
                format_args!(
                    "{},{},{}{}",
                    cell(machine),
                    frame.frame,
                    interval.start.0,
                    traffic_cells(&interval.dram_lines)
                ),
            );
        }
    }
    text
}

fn each_frame<'a>(
    machines: &'a [MachineFrames<'a>],
) -> impl Iterator<Item = (&'a str, &'a FrameReport)> {
    let of_machine = |(machine, frames): &MachineFrames<'a>| {
        let machine = *machine;
        frames.iter().map(move |frame| (machine, frame))
    };
    machines.iter().flat_map(of_machine)
}

fn line(text: &mut String, cells: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{cells}");
}

fn traffic_columns() -> String {
    let columns = Traffic::ALL.iter();
    columns
        .map(|(_, name)| format!(",dram_{}", name.replace('-', "_")))
        .collect()
}

fn traffic_cells(counts: &TrafficCounts) -> String {
    counts.entries().map(|(_, n)| format!(",{n}")).collect()
}

fn cost_cells(cost: &CostCounters) -> String {
    format!(
        ",{},{},{},{},{}{}",
        cost.warps,
        cost.warp_cycles.0,
        cost.instructions,
        cost.texture_accesses,
        cost.texture_misses,
        traffic_cells(&cost.dram_lines)
    )
}

/// A cell as RFC 4180 has it.
fn cell(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cell_quotes_what_would_split() {
        let cells = ["plain wall[0]", "a,b", "say \"x\""].map(cell);
        assert_eq!(
            cells,
            ["plain wall[0]", "\"a,b\"", "\"say \"\"x\"\"\""],
            "only where needed"
        );
    }
}
