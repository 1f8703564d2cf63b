//! Summary of one machine: sums over frames, as tables show them.

use super::cache_use::{CacheUse, caches};
use super::pass_use::PassUse;
use azulejo_gpu::dram::DramEnergy;
use azulejo_gpu::energy::EnergyPart;
use azulejo_gpu::immediate::{ClusterCounters, ImmediateReport};
use azulejo_gpu::memory::{Traffic, TrafficCounts};
use azulejo_gpu::raster::RasterUnitCounters;
use azulejo_gpu::statistics::ActivityCounters;
use azulejo_gpu::{FrameReport, TechniqueReport};
use azulejo_grid::TileGrid;
use azulejo_units::{Cycles, DramCycles, Hertz, Picoseconds};

/// Sums over frames of one machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Simulation {
    /// Name that the user gave the machine.
    pub machine: String,
    /// Number of frames added up.
    pub n_frames: u64,
    /// Size of screen and tiles.
    pub grid: TileGrid,
    /// Clock of the GPU.
    pub clock: Hertz,
    /// Cycles of the frames, one after the other.
    pub cycles: Cycles,
    /// Cycles among them until the last list entry was written.
    pub geometry_cycles: Cycles,
    /// Units in the order of the pipeline.
    pub stages: Vec<StageUse>,
    /// First-level caches and the L2.
    pub caches: Vec<CacheUse>,
    /// DRAM lines requested by reads.
    pub reads: TrafficCounts,
    /// DRAM lines handed over to be written.
    pub writes: TrafficCounts,
    /// Bytes of a DRAM line.
    pub line_bytes: u64,
    /// Bytes moved over the DRAM's pins.
    pub dram_bytes: u64,
    /// Column commands that found their row open.
    pub row_hits: u64,
    /// Column commands of all frames, reads and writes.
    pub column_commands: u64,
    /// Sum over reads of cycles from arrival to data, in DRAM cycles.
    pub latency_sum: u64,
    /// Reads whose latency is in the sum.
    pub latency_count: u64,
    /// Sum over reads of cycles from the L2 to that arrival, in GPU cycles.
    pub wait_sum: u64,
    /// Reads in that sum.
    pub wait_count: u64,
    /// Largest 95th percentile of a frame, in DRAM cycles.
    pub latency_p95: DramCycles,
    /// Period of the DRAM's clock.
    pub dram_period: Picoseconds,
    /// Energy by unit; empty where the machine has no energy model.
    pub energy: Vec<EnergyUse>,
    /// Energy of the DRAM, in pJ.
    pub dram_energy: DramEnergy,
    /// Work of the Raster Pipeline, all units.
    pub work: Work,
    /// Tiles whose Raster Pipeline was left out.
    pub tiles_skipped: u64,
    /// Tiles that were drawn and not flushed.
    pub flushes_skipped: u64,
    /// Reports of the techniques.
    pub techniques: Vec<TechniqueReport>,
    /// Passes in order, where frames have several.
    pub passes: Vec<PassUse>,
}

/// Use of a kind of unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StageUse {
    /// Name of the kind in tables.
    pub name: &'static str,
    /// Number of units of this kind.
    pub n_units: u64,
    /// Activity summed over units and frames.
    pub activity: ActivityCounters,
}

/// Energy of a kind of unit, in pJ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EnergyUse {
    /// Name of the kind in tables.
    pub name: &'static str,
    /// Whether it belongs to a technique of this name, and to no unit of the machine.
    pub of_technique: bool,
    /// Dynamic energy of events, in pJ.
    pub dynamic: f64,
    /// Leakage over time, in pJ.
    pub leakage: f64,
}

/// Energy of a frame, in pJ.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FrameEnergy {
    /// Energy of all units of the GPU; 0 where the machine has no energy model.
    pub gpu: f64,
    /// Energy of the DRAM.
    pub dram: f64,
}

/// Work of the Raster Pipeline.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Work {
    /// Triangles in tiles, counted once for each tile.
    pub primitives: u64,
    /// Quads that the rasteriser emitted.
    pub quads: u64,
    /// Quads among them killed early.
    pub killed_early: u64,
    /// Quads among them that were shaded.
    pub shaded: u64,
    /// Warps of fragments dispatched.
    pub warps: u64,
    /// Warp instructions, vertex programs included.
    pub instructions: u64,
}

impl Simulation {
    /// Sums up frames; `None` without frames.
    #[must_use]
    pub fn of(machine: &str, frames: &[FrameReport]) -> Option<Self> {
        let (first, others) = frames.split_first()?;
        let mut sum = Self::of_frame(machine, first);
        for frame in others {
            sum.add_frame(frame);
        }
        Some(sum)
    }

    /// Adds a frame of the same machine: the sum needs the frames one by one, never all of them.
    pub fn add_frame(&mut self, frame: &FrameReport) {
        let other = Self::of_frame(&self.machine, frame);
        self.add(&other);
    }

    /// Returns the sum of one frame.
    #[must_use]
    pub fn of_frame(machine: &str, frame: &FrameReport) -> Self {
        let dram = &frame.dram;
        let latencies = dram.channels.iter().map(|channel| &channel.read_latency);
        Self {
            machine: machine.to_owned(),
            n_frames: 1,
            grid: frame.grid,
            clock: frame.clock,
            cycles: frame.cycles,
            geometry_cycles: frame.geometry_cycles,
            stages: stages(frame),
            caches: caches(frame),
            reads: dram.reads,
            writes: dram.writes,
            line_bytes: dram.line_bytes.0,
            dram_bytes: dram.bytes().0,
            row_hits: dram.row_hits,
            column_commands: dram.column_commands,
            latency_sum: latencies.clone().map(|latency| latency.sum().0).sum(),
            latency_count: latencies.map(|latency| latency.count()).sum(),
            wait_sum: dram.read_wait_sum.0,
            wait_count: dram.read_wait_count,
            latency_p95: dram.read_latency_p95,
            dram_period: dram.period,
            energy: energy(frame),
            dram_energy: dram.energy,
            work: work(frame),
            tiles_skipped: frame.tiles_skipped(),
            flushes_skipped: frame.flushes_skipped(),
            techniques: frame.techniques.clone(),
            passes: frame.passes.iter().map(PassUse::from).collect(),
        }
    }

    fn add(&mut self, other: &Self) {
        self.n_frames += other.n_frames;
        self.cycles += other.cycles;
        self.geometry_cycles += other.geometry_cycles;
        for (sum, stage) in self.stages.iter_mut().zip(&other.stages) {
            sum.activity += stage.activity;
        }
        for (sum, pass) in self.passes.iter_mut().zip(&other.passes) {
            sum.add(pass);
        }
        let n_known = self.passes.len().min(other.passes.len());
        self.passes.extend_from_slice(&other.passes[n_known..]);
        for (sum, cache) in self.caches.iter_mut().zip(&other.caches) {
            sum.accesses += cache.accesses;
            sum.hits += cache.hits;
            sum.fetched += cache.fetched;
        }
        self.reads += other.reads;
        self.writes += other.writes;
        self.dram_bytes += other.dram_bytes;
        self.row_hits += other.row_hits;
        self.column_commands += other.column_commands;
        self.latency_sum += other.latency_sum;
        self.latency_count += other.latency_count;
        self.wait_sum += other.wait_sum;
        self.wait_count += other.wait_count;
        self.latency_p95 = self.latency_p95.max(other.latency_p95);
        for (sum, part) in self.energy.iter_mut().zip(&other.energy) {
            sum.dynamic += part.dynamic;
            sum.leakage += part.leakage;
        }
        self.dram_energy = self.dram_energy.plus(&other.dram_energy);
        self.work.add(&other.work);
        self.tiles_skipped += other.tiles_skipped;
        self.flushes_skipped += other.flushes_skipped;
        for (sum, frame) in self.techniques.iter_mut().zip(&other.techniques) {
            sum.add_frame(frame);
        }
    }

    /// Mean time of a frame, in ps.
    #[must_use]
    pub fn time_per_frame(&self) -> f64 {
        self.clock.time_of(self.cycles).0 as f64 / self.n_frames.max(1) as f64
    }

    /// Bytes over the DRAM's pins for each pixel of the screen.
    #[must_use]
    pub fn bytes_per_pixel(&self) -> f64 {
        let pixels = u64::from(self.grid.width) * u64::from(self.grid.height) * self.n_frames;
        self.dram_bytes as f64 / pixels.max(1) as f64
    }

    /// Mean cycles of a frame.
    #[must_use]
    pub fn cycles_per_frame(&self) -> u64 {
        let n = self.n_frames.max(1);
        (self.cycles.0 + n / 2) / n
    }

    /// Mean rate in frames a second.
    #[must_use]
    pub fn fps(&self) -> f64 {
        self.clock.0 as f64 * self.n_frames as f64 / self.cycles.0.max(1) as f64
    }

    /// Share of the Raster Pipeline in the cycles, 0..=1.
    #[must_use]
    pub fn raster_share(&self) -> f64 {
        let raster = self.cycles.saturating_sub(self.geometry_cycles);
        raster.0 as f64 / self.cycles.0.max(1) as f64
    }

    /// Number of tiles of all frames.
    #[must_use]
    pub fn n_tiles(&self) -> u64 {
        self.n_frames * u64::from(self.grid.n_tiles())
    }

    /// Number of DRAM lines of these kinds, read and written.
    #[must_use]
    pub fn lines(&self, kinds: &[Traffic]) -> u64 {
        let both = |kind: &Traffic| self.reads[*kind] + self.writes[*kind];
        kinds.iter().map(both).sum()
    }

    /// Number of DRAM lines of all kinds.
    #[must_use]
    pub fn all_lines(&self) -> u64 {
        self.reads.total() + self.writes.total()
    }

    /// Mean energy of a frame, GPU and DRAM, in pJ; GPU 0 where the machine has no energy model.
    #[must_use]
    pub fn energy_per_frame(&self) -> FrameEnergy {
        let gpu: f64 = (self.energy.iter())
            .map(|part| part.dynamic + part.leakage)
            .sum();
        let n = self.n_frames.max(1) as f64;
        FrameEnergy {
            gpu: gpu / n,
            dram: self.dram_energy.total() / n,
        }
    }
}

fn energy(frame: &FrameReport) -> Vec<EnergyUse> {
    let uses = |parts: &[EnergyPart], of_technique| -> Vec<EnergyUse> {
        let parts = parts.iter().map(|part| EnergyUse {
            name: part.name,
            of_technique,
            dynamic: part.dynamic.0,
            leakage: part.leakage.0,
        });
        parts.collect()
    };
    frame.energy.as_ref().map_or_else(Vec::new, |energy| {
        [uses(&energy.parts, false), uses(&energy.techniques, true)].concat()
    })
}

impl Work {
    fn add(&mut self, other: &Self) {
        self.primitives += other.primitives;
        self.quads += other.quads;
        self.killed_early += other.killed_early;
        self.shaded += other.shaded;
        self.warps += other.warps;
        self.instructions += other.instructions;
    }
}

fn work(frame: &FrameReport) -> Work {
    let units = |f: fn(&RasterUnitCounters) -> u64| frame.raster_units.iter().map(f).sum::<u64>();
    Work {
        primitives: units(|unit| unit.primitives),
        quads: units(|unit| unit.quads_rasterised),
        killed_early: units(|unit| unit.early_z_killed),
        shaded: units(|unit| unit.quads_shaded),
        warps: units(|unit| unit.warps),
        instructions: frame.instructions(),
    }
}

fn stages(frame: &FrameReport) -> Vec<StageUse> {
    let one = |name, activity| StageUse {
        name,
        n_units: 1,
        activity,
    };
    let geometry = &frame.geometry;
    let mut stages = vec![
        one("command processor", geometry.command.activity),
        one("vertex fetch", geometry.vertices.activity),
        one("primitive assembly", geometry.assembly.activity),
    ];
    if let Some(immediate) = &frame.immediate {
        stages.extend(stages_of_clusters(frame, immediate));
        return stages;
    }
    stages.extend([
        one("Polygon List Builder", frame.list_builder.activity),
        one("Tile Fetcher", frame.tile_fetcher.activity),
    ]);
    type Stage = (&'static str, fn(&RasterUnitCounters) -> ActivityCounters);
    let of_units: [Stage; 6] = [
        ("rasteriser", |unit| unit.rasteriser),
        ("early-Z", |unit| unit.early_z),
        ("warp dispatch", |unit| unit.dispatch),
        ("fragment stage", |unit| unit.fragment),
        ("blend", |unit| unit.blend),
        ("colour flush", |unit| unit.flush),
    ];
    stages.extend(
        of_units.map(|(name, activity)| several(name, frame.raster_units.iter().map(activity))),
    );
    stages.push(several(
        "shader cores",
        frame.cores.iter().map(|core| core.activity),
    ));
    stages
}

/// Stages behind assembly, on a machine that renders immediately.
fn stages_of_clusters(frame: &FrameReport, immediate: &ImmediateReport) -> Vec<StageUse> {
    type Stage = (&'static str, fn(&ClusterCounters) -> ActivityCounters);
    let of_clusters: [Stage; 4] = [
        ("triangle set-up", |cluster| cluster.front.setup),
        ("rasteriser", |cluster| cluster.front.rasteriser),
        ("Hi-Z", |cluster| cluster.front.hi_z),
        ("TC tile launch", |cluster| cluster.launch),
    ];
    let clusters = &immediate.clusters;
    let stages = of_clusters.map(|(name, activity)| several(name, clusters.iter().map(activity)));
    let mut stages = stages.to_vec();
    let fragment = frame.raster_units.iter().map(|unit| unit.fragment);
    stages.push(several("fragment stage", fragment));
    stages.push(several(
        "shader cores",
        frame.cores.iter().map(|core| core.activity),
    ));
    stages
}

fn several(
    name: &'static str,
    activities: impl ExactSizeIterator<Item = ActivityCounters>,
) -> StageUse {
    let n_units = activities.len() as u64;
    let mut activity = ActivityCounters::default();
    activities.for_each(|one| activity += one);
    StageUse {
        name,
        n_units,
        activity,
    }
}
