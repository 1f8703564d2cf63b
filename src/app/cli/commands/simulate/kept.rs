//! Parts of each frame that stay in memory until the end: as many as some output asks for. Tiles, draws and intervals are
//! too large for a long run to keep for nothing.

use super::args::OutputArgs;
use azulejo_gpu::FrameReport;

/// Parts of frames that outputs ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kept {
    /// Counters of single frames: JSON, CSV, gem5's format.
    counters: bool,
    /// Costs of tiles: CSV, Perfetto, heat maps.
    tiles: bool,
    /// Costs of draws: CSV.
    draws: bool,
    /// Intervals over time: CSV, Perfetto.
    intervals: bool,
}

impl Kept {
    /// Parts that the outputs of the command line ask for.
    pub(super) fn of(args: &OutputArgs) -> Self {
        let (csv, perfetto) = (args.csv.is_some(), args.perfetto.is_some());
        Self {
            counters: args.json || csv || args.stats_txt.is_some(),
            tiles: csv || perfetto || !args.heatmap.is_empty(),
            draws: csv,
            intervals: csv || perfetto,
        }
    }

    /// Frame without the parts that no output asks for; none where no output asks for single frames.
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
            // The report already holds what is printed of them.
            channel.read_latency.forget_latencies();
            channel.write_latency.forget_latencies();
        }
        Some(report)
    }
}
