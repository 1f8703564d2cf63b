//! Worth of tile schedulers: games on a line-up of machines, side by side over the same frames, and the figures of LIBRA
//! and KHEPRI that follow from the sums.

mod bounds;
mod khepri;
mod libra;
mod sensitivity;
mod spread;
mod sweep;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use bounds::Bounds;
pub use khepri::{KHEPRI_FIGURES, KHEPRI_STUDY, khepri_lineup, khepri_trends};
pub use libra::{LIBRA_FIGURES, LIBRA_STUDY, libra_lineup, libra_trends};
pub use sensitivity::{
    SENSITIVITY_FIGURES, SENSITIVITY_STUDY, sensitivity_lineup, sensitivity_trends,
};
pub use spread::Spread;
use spread::raster_intervals;
pub use sweep::{SWEEP_FIGURES, SWEEP_STUDY, sweep_lineup, sweep_trends};

use super::elimination::StudyError;
use super::figures::ratio;
use super::measurement::Measure;
use super::sampling::{Observer, Sampling, walk};
use azulejo_gpu::machine::{MachineSpec, VertexCores};
use azulejo_gpu::memory::Traffic;
use azulejo_gpu::parameters::ParameterError;
use azulejo_gpu::statistics::TileCost;
use azulejo_gpu::{FrameReport, Gpu};
use azulejo_technique::{Technique, machine_with};
use azulejo_trace::FrameTrace;

/// Share of time taken by the memory from which on a game is memory-intensive (LIBRA, section III-A).
const MEMORY_INTENSIVE: f64 = 0.25;

/// Machine of a line-up with its techniques.
#[derive(Debug, Clone)]
pub struct Contestant {
    /// Specification of the machine.
    pub spec: MachineSpec,
    /// Techniques that it runs with.
    pub techniques: Vec<&'static Technique>,
}

impl Contestant {
    fn plain(spec: MachineSpec) -> Self {
        Self {
            spec,
            techniques: Vec::new(),
        }
    }
}

/// Cost on a machine, summed over the frames of a game, each as often as it stands for others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Cycles of whole frames.
    pub cycles: u64,
    /// Cycles of the Raster Pipeline.
    pub raster_cycles: u64,
    /// Warp instructions that were run.
    pub instructions: u64,
    /// Accesses of texture caches, each quad's own.
    pub texture_accesses: u64,
    /// Latency of the texture accesses in cycles, summed.
    pub texture_latency: u64,
    /// Cycles that texture accesses wait for lines: their latency beyond that of hits.
    pub texture_waits: u64,
    /// Cycles that lines are under way to texture caches, summed over the lines.
    pub texture_lines_under_way: u64,
    /// Lines that texture caches requested from the L2.
    pub texture_misses: u64,
    /// Lines among `texture_misses` that another texture cache held when they came.
    pub texture_copies: u64,
    /// Reads that missed in the L2.
    pub l2_misses: u64,
    /// Lines over the DRAM's pins for the Raster Pipeline: lists and attributes read, texels, colours.
    pub raster_lines: u64,
    /// Lines read from the DRAM.
    pub lines_read: u64,
    /// Lines over the DRAM's pins.
    pub lines: u64,
    /// Accesses of the tile cache.
    pub tile_accesses: u64,
    /// Accesses of the tile cache that hit.
    pub tile_hits: u64,
    /// Cycles of ranking tiles beside the geometry.
    pub ranking_cycles: u64,
    /// Tiles of the frames.
    pub tiles: u64,
    /// Tiles among them that changed the type of their cores because they lay alone.
    pub isolated_tiles: u64,
    /// Tiles among them that changed it because their region was small.
    pub joined_tiles: u64,
    /// Lines over the DRAM's pins in intervals of the Raster Pipeline.
    pub requests: Spread,
    /// L2 requests for each arithmetic instruction, in the same intervals.
    pub intensity: Spread,
    /// Least time of the units of the Raster Pipeline.
    pub bounds: Bounds,
    /// Energy of the GPU in pJ.
    pub gpu: f64,
    /// Energy of main memory in pJ.
    pub dram: f64,
}

impl Cost {
    /// Adds a frame of the machine that stands for `times`.
    fn add(&mut self, machine: &MachineSpec, report: &FrameReport, times: u64) {
        let dram = &report.dram;
        let raster_lines =
            Traffic::OF_THE_RASTER_PIPELINE.map(|kind| dram.reads[kind] + dram.writes[kind]);
        let texture = |of: fn(&azulejo_gpu::shading::TextureCounters) -> u64| -> u64 {
            report.cores.iter().map(|core| of(&core.texture)).sum()
        };
        for (sum, value) in [
            (&mut self.cycles, report.cycles.0),
            (&mut self.raster_cycles, report.raster_cycles.0),
            (&mut self.instructions, report.instructions()),
            (
                &mut self.texture_latency,
                texture(|texture| texture.quad_latency_sum),
            ),
            (
                &mut self.texture_accesses,
                texture(|texture| texture.quad_accesses),
            ),
            (&mut self.texture_waits, texture_waits(machine, report)),
            (
                &mut self.texture_lines_under_way,
                texture(|texture| texture.under_way_sum),
            ),
            (&mut self.texture_misses, texture(|texture| texture.misses)),
            (&mut self.texture_copies, texture(|texture| texture.copies)),
            (&mut self.l2_misses, report.l2.read_misses.total()),
            (&mut self.raster_lines, raster_lines.iter().sum()),
            (&mut self.lines_read, dram.reads.total()),
            (&mut self.lines, dram.reads.total() + dram.writes.total()),
            (&mut self.tile_accesses, report.tile_cache.accesses()),
            (&mut self.tile_hits, report.tile_cache.hits()),
            (&mut self.ranking_cycles, counted(report, "ranking_cycles")),
            (&mut self.tiles, report.tiles.len() as u64),
            (&mut self.isolated_tiles, counted(report, "isolated_tiles")),
            (&mut self.joined_tiles, counted(report, "joined_tiles")),
        ] {
            *sum += value * times;
        }
        for interval in raster_intervals(report) {
            self.requests.add(interval.dram_lines.total() as f64, times);
            if let Some(each) = ratio(interval.l2_accesses as f64, interval.arithmetic as f64) {
                self.intensity.add(each, times);
            }
        }
        self.bounds.add(machine, report, times);
        if let Some(energy) = &report.energy {
            self.gpu += energy.gpu.0 * times as f64;
            self.dram += energy.dram.0 * times as f64;
        }
    }

    /// Cycles until all lists were written and, where tiles are ranked, until the ranking was done.
    #[must_use]
    pub fn geometry_cycles(&self) -> u64 {
        self.cycles - self.raster_cycles
    }

    /// Energy of GPU and memory in pJ.
    #[must_use]
    pub fn energy(&self) -> f64 {
        self.gpu + self.dram
    }

    /// Share of the texture caches' accesses that requested nothing from the L2.
    fn hit_ratio(&self) -> Option<f64> {
        let misses = ratio(self.texture_misses as f64, self.texture_accesses as f64);
        misses.map(|misses| 1.0 - misses)
    }

    /// Share of the lines that came to texture caches while another one held them.
    fn replication(&self) -> Option<f64> {
        ratio(self.texture_copies as f64, self.texture_misses as f64)
    }

    /// Mean latency of a texture cache access in cycles, misses and hits together.
    fn texture_cycles(&self) -> Option<f64> {
        ratio(self.texture_latency as f64, self.texture_accesses as f64)
    }

    /// Number of `events` for a thousand instructions.
    fn per_kilo_instruction(&self, events: u64) -> Option<f64> {
        ratio(1000.0 * events as f64, self.instructions as f64)
    }
}

/// Cycles that texture accesses took beyond a hit's, over all cores.
fn texture_waits(machine: &MachineSpec, report: &FrameReport) -> u64 {
    let raster = &machine.raster;
    let types = raster.units.iter().flat_map(|unit| {
        let core = raster.core_types.get(*unit);
        core.into_iter()
            .cycle()
            .take(raster.cores_per_unit as usize)
    });
    let waits = report.cores.iter().zip(types).map(|(core, kind)| {
        let hits = core.texture.quad_accesses * kind.core.texture_cache.latency.0;
        core.texture.quad_latency_sum.saturating_sub(hits)
    });
    waits.sum()
}

/// Sum of the machine's technique counters of this name.
fn counted(report: &FrameReport, counter: &str) -> u64 {
    let techniques = report.techniques.iter();
    let values = techniques.filter_map(|own| own.counter(counter));
    values.sum()
}

/// Comparison of tiles with the frame before, by how much their DRAM lines differ (LIBRA, Fig. 8).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TileChanges {
    /// Number of tiles compared.
    pub all: u64,
    /// Tiles among them that differ by less than 5, 20 and 50 % of their former lines.
    pub below: [u64; 3],
}

/// Bounds of [`TileChanges::below`], as shares of 1.
const CHANGES: [f64; 3] = [0.05, 0.2, 0.5];

impl TileChanges {
    /// Adds the tiles of two frames, the later of which stands for `times`.
    pub(crate) fn add(&mut self, before: &[TileCost], now: &[TileCost], times: u64) {
        let lines = |tile: &TileCost| -> f64 {
            let lines = Traffic::OF_THE_RASTER_PIPELINE.map(|kind| tile.cost.dram_lines[kind]);
            lines.iter().sum::<u64>() as f64
        };
        for (before, now) in before.iter().zip(now) {
            let (before, now) = (lines(before), lines(now));
            self.all += times;
            for (count, bound) in self.below.iter_mut().zip(CHANGES) {
                let is_below = (now - before).abs() < bound * before || now == before;
                *count += times * u64::from(is_below);
            }
        }
    }
}

/// Measured game on all machines of a line-up.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ScheduledGame {
    /// Frames that went through the machines and count.
    pub modelled_frames: u64,
    /// Cost by machine, in the line-up's order.
    pub costs: Vec<Cost>,
    /// Changes of tiles on the first machine.
    pub tile_changes: TileChanges,
}

/// Game under study: the machines that its frames go through.
#[derive(Debug)]
pub struct SchedulingStudy {
    specs: Vec<MachineSpec>,
    machines: Vec<Gpu>,
    /// Tiles of the last frame on the first machine, and its number.
    last: Option<(u64, Vec<TileCost>)>,
    game: ScheduledGame,
}

impl SchedulingStudy {
    /// Returns the study before its first frame.
    ///
    /// # Errors
    /// If a machine cannot be built.
    pub fn new(lineup: &[Contestant]) -> Result<Self, StudyError> {
        let machines = lineup
            .iter()
            .map(|contestant| machine_with(&contestant.spec, &contestant.techniques));
        Ok(Self {
            specs: lineup
                .iter()
                .map(|contestant| contestant.spec.clone())
                .collect(),
            machines: machines.collect::<Result<_, _>>()?,
            last: None,
            game: ScheduledGame {
                costs: vec![Cost::default(); lineup.len()],
                ..ScheduledGame::default()
            },
        })
    }

    /// Measurements of all frames so far.
    #[must_use]
    pub fn into_game(self) -> ScheduledGame {
        self.game
    }
}

impl Observer for SchedulingStudy {
    type Error = StudyError;

    /// Two frames: one that schedulers learn from, and one that is drawn by the result.
    const WARM_UP: u64 = 2;

    fn look(&mut self, _: &FrameTrace) {}

    fn model(&mut self, frame: &FrameTrace, stands_for: u64) -> Result<(), StudyError> {
        let reports = self.machines.par_iter_mut();
        let reports = reports.map(|machine| machine.run_frame(frame));
        let reports: Vec<_> = reports.collect::<Result<_, _>>()?;
        let measured = self.specs.iter().zip(&reports);
        for (cost, (spec, report)) in self.game.costs.iter_mut().zip(measured) {
            cost.add(spec, report, stands_for);
        }
        self.game.modelled_frames += u64::from(stands_for > 0);
        let tiles = reports.into_iter().next().map(|report| report.tiles);
        let last = tiles.map(|tiles| (frame.frame, tiles));
        if let (Some((before, old)), Some((now, new))) = (&self.last, &last)
            && before + 1 == *now
        {
            self.game.tile_changes.add(old, new, stands_for);
        }
        self.last = last;
        Ok(())
    }
}

/// Measure of games on a line-up of machines, by frames that stand for all.
fn on_lineup(lineup: Vec<Contestant>, sampling: Sampling) -> Measure<ScheduledGame> {
    Measure::sampled(move |frames| {
        let mut study = SchedulingStudy::new(&lineup)?;
        let sample = walk(frames, sampling, &mut study)?;
        Ok::<_, StudyError>((study.into_game(), sample))
    })
}

/// The machine with `units` Raster Units of `cores` cores each, all of which run vertex programs. A unit's rates scale with
/// its cores, and are at least one.
pub(crate) fn shaped(machine: &MachineSpec, units: usize, cores: u32) -> MachineSpec {
    let mut shaped = machine.clone();
    let raster = &mut shaped.raster;
    let before = u64::from(raster.cores_per_unit);
    for rate in [
        &mut raster.attributes_per_cycle,
        &mut raster.quads_per_cycle,
        &mut raster.blend_quads_per_cycle,
        &mut raster.flush_lines_per_cycle,
    ] {
        let scaled = u64::from(*rate) * u64::from(cores) / before;
        *rate = u32::try_from(scaled).unwrap_or(u32::MAX).max(1);
    }
    let core_type = raster.units.first().copied().unwrap_or(0);
    raster.units = vec![core_type; units];
    raster.cores_per_unit = cores;
    if let VertexCores::Unified(of_units) = &mut shaped.geometry.cores {
        *of_units = all_units(units);
    }
    shaped
}

/// The machine with cores of one type, all of which run vertex programs.
pub(crate) fn homogeneous(machine: &MachineSpec, name: &str) -> Result<Contestant, ParameterError> {
    let mut spec = machine.clone();
    let types = &spec.raster.core_types;
    let Some(found) = types.iter().position(|known| known.name == name) else {
        return Err(ParameterError {
            file: machine.name.clone(),
            key: format!("core.{name}"),
            value: "(missing)".to_owned(),
            expected: "core types baseline, compute and memory, as machine valhall-khepri has them"
                .to_owned(),
        });
    };
    spec.raster.units.fill(found);
    if let VertexCores::Unified(units) = &mut spec.geometry.cores {
        *units = all_units(spec.raster.units.len());
    }
    Ok(Contestant::plain(spec))
}

/// The first `n` Raster Units as a bit mask, at most 32.
fn all_units(n: usize) -> u32 {
    (0..n.min(32)).fold(0, |mask, unit| mask | 1 << unit)
}

#[cfg(test)]
mod tests;
