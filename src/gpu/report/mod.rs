//! Cost of a frame on a machine: plain numbers, exact, the same for every run.

mod interval;
mod laws;
mod passes;
pub mod statistics;
mod technique_map;
mod technique_report;

use serde::Serialize;

pub use interval::{INTERVAL, Interval};
pub use passes::{PassReport, TargetReport};
pub use technique_map::{MapKind, MapSpec, TechniqueMap};
#[doc(hidden)]
pub use technique_report::by_name;
pub use technique_report::{
    CounterUnit, MemoryKind, TechniqueCounter, TechniqueMemory, TechniqueReport,
};

use crate::cache::CacheCounters;
use crate::dram::{ChannelCounters, DramEnergy};
use crate::energy::EnergyReport;
use crate::geometry::GeometryCounters;
use crate::immediate::ImmediateReport;
use crate::memory::TrafficCounts;
use crate::output::DisplayCounters;
use crate::raster::RasterUnitCounters;
use crate::shading::{CoreCounters, TextureCounters};
use crate::statistics::{CostCounters, TileCost};
use crate::tiling::{ListBuilderCounters, TileFetcherCounters};
use azulejo_grid::{SampleCount, TileGrid};
use azulejo_units::{Bytes, Cycles, DramCycles, Hertz, Picoseconds};

/// Everything about one frame on one machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FrameReport {
    /// Number of the frame.
    pub frame: u64,
    /// Screen size and tile size in pixels.
    pub grid: TileGrid,
    /// Samples of a pixel in the tile buffers.
    #[serde(skip_serializing_if = "SampleCount::is_one")]
    pub samples: SampleCount,
    /// Frequency of the GPU's clock.
    pub clock: Hertz,
    /// From the first command to the last write's acceptance by the DRAM.
    pub cycles: Cycles,
    /// Cycles until the last list entry was written.
    pub geometry_cycles: Cycles,
    /// From then on, until the end of the frame.
    pub raster_cycles: Cycles,
    /// Command processor to assembly.
    pub geometry: GeometryCounters,
    /// Polygon List Builder: list entries written to the Parameter Buffer.
    pub list_builder: ListBuilderCounters,
    /// Tile Fetcher: what it read of the Parameter Buffer, and for which tiles.
    pub tile_fetcher: TileFetcherCounters,
    /// Accesses of the tile cache, by both.
    pub tile_cache: CacheCounters,
    /// Raster Units, by number.
    pub raster_units: Vec<RasterUnitCounters>,
    /// Shader cores, unit by unit, then vertex processors.
    pub cores: Vec<CoreCounters>,
    /// Clusters, where the machine renders immediately: then `raster_units` are what these count as Raster Units do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub immediate: Option<ImmediateReport>,
    /// Second-level cache, all banks together.
    pub l2: L2Report,
    /// Main memory, all channels together.
    pub dram: DramReport,
    /// Scan-out: lines read for the picture that is shown.
    pub display: DisplayCounters,
    /// Energy, where the machine says how much.
    pub energy: Option<EnergyReport>,
    /// Reports of the machine's techniques, in their order.
    #[serde(serialize_with = "by_name")]
    pub techniques: Vec<TechniqueReport>,
    /// Passes in order, where the frame has several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passes: Vec<PassReport>,
    /// Cost of each tile, by [`azulejo_grid::TileId`]: of the last pass, and of those before with the same grid.
    #[serde(skip)]
    pub tiles: Vec<TileCost>,
    /// In submission order; behind those of the last pass, which is shown, the draws of the passes before.
    #[serde(skip)]
    pub draws: Vec<DrawCost>,
    /// One after the other, each of [`INTERVAL`] cycles but the last.
    #[serde(skip)]
    pub intervals: Vec<Interval>,
}

/// Cost of a draw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DrawCost {
    /// Mesh and material names.
    pub name: String,
    /// Warps, instructions, texture accesses and DRAM lines.
    #[serde(flatten)]
    pub cost: CostCounters,
}

/// The second-level cache, in lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct L2Report {
    /// Read requests accepted, by kind of traffic.
    pub reads: TrafficCounts,
    /// Reads that did not find their line: lines under way included, whose requests are merged and ask the DRAM for
    /// nothing.
    pub read_misses: TrafficCounts,
    /// Lines written by first-level caches.
    pub writes: TrafficCounts,
    /// Dirty lines given to the DRAM.
    pub writebacks: u64,
    /// Bank-cycles in which a request was accepted, or went on that had waited aside.
    pub busy_bank_cycles: Cycles,
    /// Bank-cycles in which a request could not go on.
    pub stalled_bank_cycles: Cycles,
}

/// Main memory in a frame, all channels together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DramReport {
    /// Bytes of a line.
    pub line_bytes: Bytes,
    /// Bytes of a burst, which is what a column command moves.
    pub burst_bytes: Bytes,
    /// Lines requested to read, by kind of traffic. Not each moves: see `column_commands`.
    pub reads: TrafficCounts,
    /// Lines handed over to be written, by kind of traffic. Not each moves, nor all within the frame.
    pub writes: TrafficCounts,
    /// Channels, each on its own.
    #[serde(skip)]
    pub channels: Vec<ChannelCounters>,
    /// Bursts read and written, merged and forwarded ones included.
    pub bursts: u64,
    /// Column commands that found their row open, and all of them.
    pub row_hits: u64,
    /// Read and write commands, each of which moves a burst over the pins.
    pub column_commands: u64,
    /// Bursts that needed no command: reads answered by a write that waits or by another read, writes that joined one that
    /// waits.
    pub bursts_merged: u64,
    /// Bursts of writes taken over and not yet moved at the end of the frame; a later one moves them.
    pub bursts_waiting: u64,
    /// Activate commands: rows opened.
    pub activates: u64,
    /// Refresh commands, of all ranks.
    pub refreshes: u64,
    /// Average from arrival at the controller to data, in DRAM cycles; 0 without reads.
    pub read_latency_mean: f64,
    /// The 95th percentile of it, nearest rank.
    pub read_latency_p95: DramCycles,
    /// Before that: from the L2 to the arrival at the controller (the fixed way there and back, the link, the wait for room
    /// in a channel's queue), summed over bursts of reads.
    pub read_wait_sum: Cycles,
    /// Bursts of reads in that sum.
    pub read_wait_count: u64,
    /// Length of the frame in cycles of the DRAM's clock.
    pub cycles: DramCycles,
    /// Period of the DRAM's clock.
    pub period: Picoseconds,
    /// Energy by cause, all channels, in pJ.
    pub energy: DramEnergy,
}

impl DramReport {
    /// Bytes moved over the pins, for all agents that use the memory: a burst for each column command. Requests that were
    /// merged, and writes that still wait, are none.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        Bytes(self.column_commands * self.burst_bytes.0)
    }
}

impl FrameReport {
    /// Time that the frame took at the machine's clock.
    #[must_use]
    pub fn time(&self) -> Picoseconds {
        self.clock.time_of(self.cycles)
    }

    /// Frames a second, if all frames were like this one.
    #[must_use]
    pub fn fps(&self) -> f64 {
        self.clock.0 as f64 / (self.cycles.0.max(1)) as f64
    }

    /// Bytes over the DRAM's pins for each pixel of the screen.
    #[must_use]
    pub fn bytes_per_pixel(&self) -> f64 {
        let pixels = f64::from(self.grid.width) * f64::from(self.grid.height);
        self.dram.bytes().0 as f64 / pixels
    }

    /// Share of the cycles that the Raster Pipeline takes.
    #[must_use]
    pub fn raster_share(&self) -> f64 {
        self.raster_cycles.0 as f64 / self.cycles.0.max(1) as f64
    }

    /// Tiles whose Raster Pipeline was left out.
    #[must_use]
    pub fn tiles_skipped(&self) -> u64 {
        self.tile_fetcher.tiles_skipped
    }

    /// Tiles that were drawn and not flushed.
    #[must_use]
    pub fn flushes_skipped(&self) -> u64 {
        let units = self.raster_units.iter();
        units.map(|unit| unit.flushes_skipped).sum()
    }

    /// Report of the technique of this name, if the machine has it.
    #[must_use]
    pub fn technique(&self, name: &str) -> Option<&TechniqueReport> {
        let mut techniques = self.techniques.iter();
        techniques.find(|report| report.technique == name)
    }

    /// Warp instructions issued by all cores together.
    #[must_use]
    pub fn instructions(&self) -> u64 {
        self.cores.iter().map(|core| core.instructions).sum()
    }

    /// Share of the texture caches' accesses that found their line, after merging within a warp: what the pipelines see.
    /// Lines under way are no hits. Nothing without accesses.
    #[must_use]
    pub fn texture_hit_ratio(&self) -> Option<f64> {
        self.texture_ratio(|texture| (texture.hits, texture.accesses))
    }

    /// Share of the texture caches' accesses that asked the L2 for nothing, where each quad makes its own: what a simulator
    /// counts that looks quad by quad up and puts a line in at its miss. Lines under way are hits. Nothing without
    /// accesses.
    #[must_use]
    pub fn texture_quad_hit_ratio(&self) -> Option<f64> {
        self.texture_ratio(|texture| {
            let hits = texture.quad_hits + texture.quad_pending_hits;
            (hits, texture.quad_accesses)
        })
    }

    fn texture_ratio(&self, of: fn(&TextureCounters) -> (u64, u64)) -> Option<f64> {
        let counts = self.cores.iter().map(|core| of(&core.texture));
        let (hits, accesses) = counts.fold((0, 0), |sum, (hits, accesses)| {
            (sum.0 + hits, sum.1 + accesses)
        });
        (accesses > 0).then(|| hits as f64 / accesses as f64)
    }
}
