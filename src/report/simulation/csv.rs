//! Tables for spreadsheets and data frames: frames, tiles, draws, intervals. One header line, then one line a row; the first column
//! is the machine.

use std::collections::{BTreeMap, BTreeSet};

use super::record::{flat, frame_record};
use crate::gpu::FrameReport;
use crate::gpu::memory::{Traffic, TrafficCounts};
use crate::gpu::statistics::CostCounters;
use crate::grid::TileId;
use crate::report::CsvText;

/// What one machine said of frames, one after the other.
#[derive(Debug, Clone, Copy)]
pub struct MachineFrames<'a> {
    /// What tables call the machine.
    pub machine: &'a str,
    /// A report for each frame.
    pub frames: &'a [FrameReport],
}

/// Columns of [`CostCounters`] before the traffic.
const COST: [&str; 5] = [
    "warps",
    "warp_cycles",
    "instructions",
    "texture_accesses",
    "texture_misses",
];

/// Columns of a tile before its cost.
const TILE: [&str; 11] = [
    "machine",
    "frame",
    "tile",
    "column",
    "row",
    "raster_unit",
    "start",
    "end",
    "fragment_cycles",
    "skipped",
    "flush_skipped",
];

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
    let mut table = CsvText::new(std::iter::once("machine").chain(columns.iter().copied()));
    for (machine, counters) in &rows {
        table.cell(machine);
        let by_name: BTreeMap<&str, u64> = counters
            .iter()
            .map(|(name, value)| (name.as_str(), *value))
            .collect();
        for column in &columns {
            table.optional(by_name.get(column));
        }
        table.end_row();
    }
    table.into_text()
}

/// A line for each tile of each frame.
#[must_use]
pub fn tiles_csv(machines: &[MachineFrames<'_>]) -> String {
    let mut table = CsvText::new(columns(&TILE, &COST));
    for (machine, frame) in each_frame(machines) {
        for (tile, cost) in (0..).zip(&frame.tiles) {
            let (column, row) = frame.grid.column_row(TileId(tile));
            table.cell(machine);
            table.cell(frame.frame);
            table.cells([tile, column, row]);
            table.cell(cost.raster_unit);
            table.cells([cost.start.0, cost.end.0, cost.fragment_cycles.0]);
            table.cells([u8::from(cost.skipped), u8::from(cost.flush_skipped)]);
            cost_cells(&mut table, &cost.cost);
            table.end_row();
        }
    }
    table.into_text()
}

/// A line for each draw of each frame.
#[must_use]
pub fn draws_csv(machines: &[MachineFrames<'_>]) -> String {
    let mut table = CsvText::new(columns(&["machine", "frame", "draw", "name"], &COST));
    for (machine, frame) in each_frame(machines) {
        for (nth, draw) in frame.draws.iter().enumerate() {
            table.cell(machine);
            table.cell(frame.frame);
            table.cell(nth);
            table.cell(&draw.name);
            cost_cells(&mut table, &draw.cost);
            table.end_row();
        }
    }
    table.into_text()
}

/// A line for each interval of each frame: lines over the DRAM's pins.
#[must_use]
pub fn intervals_csv(machines: &[MachineFrames<'_>]) -> String {
    let mut table = CsvText::new(columns(&["machine", "frame", "start"], &[]));
    for (machine, frame) in each_frame(machines) {
        for interval in &frame.intervals {
            table.cell(machine);
            table.cell(frame.frame);
            table.cell(interval.start.0);
            traffic_cells(&mut table, &interval.dram_lines);
            table.end_row();
        }
    }
    table.into_text()
}

fn each_frame<'a>(
    machines: &'a [MachineFrames<'a>],
) -> impl Iterator<Item = (&'a str, &'a FrameReport)> {
    let of_machine = |&MachineFrames { machine, frames }: &MachineFrames<'a>| {
        frames.iter().map(move |frame| (machine, frame))
    };
    machines.iter().flat_map(of_machine)
}

/// Column names: these, then one for each kind of traffic.
fn columns(first: &[&str], second: &[&str]) -> Vec<String> {
    let named = first.iter().chain(second).map(|name| (*name).to_owned());
    let traffic = Traffic::ALL.iter();
    let traffic = traffic.map(|(_, name)| format!("dram_{}", name.replace('-', "_")));
    named.chain(traffic).collect()
}

fn traffic_cells(table: &mut CsvText, counts: &TrafficCounts) {
    table.cells(counts.entries().map(|(_, lines)| lines));
}

fn cost_cells(table: &mut CsvText, cost: &CostCounters) {
    table.cell(cost.warps);
    table.cell(cost.warp_cycles.0);
    table.cell(cost.instructions);
    table.cell(cost.texture_accesses);
    table.cell(cost.texture_misses);
    traffic_cells(table, &cost.dram_lines);
}
