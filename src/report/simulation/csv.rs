//! Tables for spreadsheets and data frames: frames, tiles, draws, intervals. One header line, then one line a row; the
//! first column is the machine.

use std::collections::{BTreeMap, BTreeSet};

use super::record::{flat, frame_record};
use crate::CsvText;
use azulejo_gpu::FrameReport;
use azulejo_gpu::memory::{Traffic, TrafficCounts};
use azulejo_gpu::statistics::CostCounters;
use azulejo_grid::TileId;
use azulejo_soc::SystemReport;

/// Reports of one machine for frames, one after the other.
#[derive(Debug, Clone, Copy)]
pub struct MachineFrames<'a> {
    /// Name of the machine in tables.
    pub machine: &'a str,
    /// Reports, one for each frame.
    pub frames: &'a [FrameReport],
    /// Report on the system whose memory it shares, where it is shared.
    pub system: Option<&'a SystemReport>,
}

/// Columns of [`CostCounters`] before the traffic.
const COST: [&str; 10] = [
    "warps",
    "warp_cycles",
    "instructions",
    "thread_instructions",
    "transcendental_threads",
    "texture_threads",
    "programs_pJ",
    "pins_pJ",
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

/// Columns of an interval before the traffic.
const INTERVAL_COLUMNS: [&str; 5] = [
    "core_busy_cycles",
    "arithmetic_instructions",
    "l2_accesses",
    "l2_misses",
    "dram_queue",
];

/// Table of every counter of a frame; a counter that a machine does not have is left empty.
#[must_use]
pub fn frames_csv(machines: &[MachineFrames<'_>]) -> String {
    // Counters of all frames by name would take far more memory than the reports, so they are gone through twice.
    let columns = frame_columns(machines);
    let names = columns.iter().map(String::as_str);
    let mut table = CsvText::new(std::iter::once("machine").chain(names));
    for (machine, frame) in each_frame(machines) {
        table.cell(machine);
        let counters: BTreeMap<_, _> = flat(&frame_record(frame)).into_iter().collect();
        for column in &columns {
            table.optional(counters.get(column));
        }
        table.end_row();
    }
    table.into_text()
}

/// Names of all counters of all frames, in the order in which they come first.
fn frame_columns(machines: &[MachineFrames<'_>]) -> Vec<String> {
    let mut known = BTreeSet::new();
    let mut columns = Vec::new();
    for (_, frame) in each_frame(machines) {
        for (name, _) in flat(&frame_record(frame)) {
            if known.insert(name.clone()) {
                columns.push(name);
            }
        }
    }
    columns
}

/// Table with a line for each tile of each frame; techniques' maps of tiles come last, empty where a machine has none.
#[must_use]
pub fn tiles_csv(machines: &[MachineFrames<'_>]) -> String {
    let maps = map_names(machines);
    let kinds = kinds(machines);
    let names = columns(&TILE, &COST, kinds).into_iter();
    let mut table = CsvText::new(names.chain(maps.iter().map(|name| (*name).to_owned())));
    for (machine, frame) in each_frame(machines) {
        for (tile, cost) in (0..).zip(&frame.tiles) {
            let (column, row) = frame.grid.column_row(TileId(tile));
            table.cell(machine);
            table.cell(frame.frame);
            table.cells([tile, column, row]);
            table.cell(cost.raster_unit);
            table.cells([cost.start.0, cost.end.0, cost.fragment_cycles.0]);
            table.cells([u8::from(cost.skipped), u8::from(cost.flush_skipped)]);
            cost_cells(&mut table, frame, &cost.cost, kinds);
            for name in &maps {
                let found = frame.techniques.iter().find_map(|own| own.map(name));
                table.optional(found.and_then(|map| map.values.get(tile as usize)));
            }
            table.end_row();
        }
    }
    table.into_text()
}

/// Names of all maps that techniques have drawn of frames, in the order in which they come first.
fn map_names(machines: &[MachineFrames<'_>]) -> Vec<&'static str> {
    let mut names = Vec::new();
    for (_, frame) in each_frame(machines) {
        for map in frame.techniques.iter().flat_map(|own| &own.maps) {
            if !names.contains(&map.spec.name) {
                names.push(map.spec.name);
            }
        }
    }
    names
}

/// Table with a line for each draw of each frame.
#[must_use]
pub fn draws_csv(machines: &[MachineFrames<'_>]) -> String {
    let kinds = kinds(machines);
    let names = columns(&["machine", "frame", "draw", "name"], &COST, kinds);
    let mut table = CsvText::new(names);
    for (machine, frame) in each_frame(machines) {
        for (nth, draw) in frame.draws.iter().enumerate() {
            table.cell(machine);
            table.cell(frame.frame);
            table.cell(nth);
            table.cell(&draw.name);
            cost_cells(&mut table, frame, &draw.cost, kinds);
            table.end_row();
        }
    }
    table.into_text()
}

/// Table with a line for each interval of each frame: how busy cores and L2 were, how much waited for the DRAM, lines over
/// its pins.
#[must_use]
pub fn intervals_csv(machines: &[MachineFrames<'_>]) -> String {
    let kinds = kinds(machines);
    let names = columns(&["machine", "frame", "start"], &INTERVAL_COLUMNS, kinds);
    let mut table = CsvText::new(names);
    for (machine, frame) in each_frame(machines) {
        for interval in &frame.intervals {
            table.cell(machine);
            table.cell(frame.frame);
            table.cell(interval.start.0);
            table.cell(interval.core_busy.0);
            table.cell(interval.arithmetic);
            table.cells([interval.l2_accesses, interval.l2_misses]);
            table.cell(interval.dram_queue);
            traffic_cells(&mut table, &interval.dram_lines, kinds);
            table.end_row();
        }
    }
    table.into_text()
}

pub(super) fn each_frame<'a>(
    machines: &'a [MachineFrames<'a>],
) -> impl Iterator<Item = (&'a str, &'a FrameReport)> {
    let of_machine =
        |&MachineFrames {
             machine, frames, ..
         }: &MachineFrames<'a>| { frames.iter().map(move |frame| (machine, frame)) };
    machines.iter().flat_map(of_machine)
}

/// Kinds of traffic that the machines have: some are only of those that render immediately, or of passes.
pub(super) fn kinds(machines: &[MachineFrames<'_>]) -> Kinds {
    let is_own = |frame: &FrameReport| frame.immediate.is_some() || !frame.passes.is_empty();
    let has_own = each_frame(machines).any(|(_, frame)| is_own(frame));
    if has_own {
        &Traffic::ALL
    } else {
        &Traffic::ALL[..Traffic::N_OF_ALL]
    }
}

/// Kinds of traffic with their names.
pub(super) type Kinds = &'static [(Traffic, &'static str)];

/// Names of columns: these, then one for each kind of traffic.
pub(super) fn columns(first: &[&str], second: &[&str], kinds: Kinds) -> Vec<String> {
    let named = first.iter().chain(second).map(|name| (*name).to_owned());
    let traffic = kinds.iter();
    let traffic = traffic.map(|(_, name)| format!("dram_{}", name.replace('-', "_")));
    named.chain(traffic).collect()
}

pub(super) fn traffic_cells(table: &mut CsvText, counts: &TrafficCounts, kinds: Kinds) {
    table.cells(kinds.iter().map(|(kind, _)| counts[*kind]));
}

fn cost_cells(table: &mut CsvText, frame: &FrameReport, cost: &CostCounters, kinds: Kinds) {
    table.cell(cost.warps);
    table.cell(cost.warp_cycles.0);
    table.cell(cost.instructions);
    table.cell(cost.thread_instructions);
    table.cell(cost.transcendental_threads);
    table.cell(cost.texture_threads);
    let events = frame.energy.as_ref().map(|energy| energy.events);
    table.optional(events.map(|events| events.of_programs(cost).0.round()));
    table.optional(events.map(|events| events.of_pins(cost).0.round()));
    table.cell(cost.texture_accesses);
    table.cell(cost.texture_misses);
    traffic_cells(table, &cost.dram_lines, kinds);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::tests::small_report;
    use azulejo_gpu::{MapKind, MapSpec, TechniqueMap, TechniqueReport};

    static HEAT: MapSpec = MapSpec {
        name: "heat",
        unit: "for the test",
        kind: MapKind::Amounts,
    };

    #[test]
    fn tiles_csv_ends_in_what_techniques_say() {
        let plain = small_report();
        let mut mapped = plain.clone();
        let n_tiles = plain.tiles.len();
        let values: Vec<f64> = (0..n_tiles).map(|tile| tile as f64 / 2.0).collect();
        mapped.techniques.push(TechniqueReport {
            maps: vec![TechniqueMap {
                spec: &HEAT,
                values: values.clone(),
            }],
            ..TechniqueReport::default()
        });
        let frames = [plain, mapped];
        let machine = "gpu";
        let text = tiles_csv(&[MachineFrames {
            machine,
            frames: &frames,
            system: None,
        }]);
        let last = |line: &str| line.rsplit(',').next().map(str::to_owned);
        let cells: Vec<String> = text.lines().filter_map(last).collect();
        assert_eq!(cells[0], "heat", "the last column");
        assert!(cells[1..=n_tiles].iter().all(String::is_empty), "nobody");
        let expected: Vec<String> = values.iter().map(f64::to_string).collect();
        assert_eq!(cells[1 + n_tiles..], expected, "by tile");
        let alone = tiles_csv(&[MachineFrames {
            machine,
            frames: &frames[..1],
            system: None,
        }]);
        assert!(!alone.contains("heat"), "no column without a map");
    }
}
