//! How much of each frame stays in memory until the end: as much as some output asks for. Tiles, draws and intervals are what a long run
//! cannot keep for nothing.

use super::args::OutputArgs;
use crate::gpu::FrameReport;

/// Parts of frames that outputs ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kept {
    /// Counters of single frames: JSON, CSV, gem5's format.
    counters: bool,
    /// CSV, Perfetto, heat maps.
    tiles: bool,
    /// CSV.
    draws: bool,
    /// CSV, Perfetto.
    intervals: bool,
}

impl Kept {
    /// What the outputs of the command line ask for.
    pub(super) fn of(args: &OutputArgs) -> Self {
        let (csv, perfetto) = (args.csv.is_some(), args.perfetto.is_some());
        Self {
            counters: args.json || csv || args.stats_txt.is_some(),
            tiles: csv || perfetto || !args.heatmap.is_empty(),
            draws: csv,
            intervals: csv || perfetto,
        }
    }

    /// The frame without what nobody asks for; none where nobody asks for single frames.
    pub(super) fn of_frame(self, mut report: FrameReport) -> Option<FrameReport> {
        let Self {
            counters,
            tiles,
            draws,
            intervals,
        } = self;
        if !(counters || tiles || draws || intervals) {
            return None;
        }
        if !tiles {
            report.tiles = Vec::new();
            for technique in &mut report.techniques {
                technique.maps = Vec::new();
            }
        }
        if !draws {
            report.draws = Vec::new();
        }
        if !intervals {
            report.intervals = Vec::new();
        }
        for channel in &mut report.dram.channels {
            // What is printed of them is in the report already.
            channel.read_latency.forget_latencies();
            channel.write_latency.forget_latencies();
        }
        Some(report)
    }
}
