//! After a frame: counters of all units into a [`FrameReport`], and the laws that they must obey.

use super::engine::{FrameRun, Gpu};
use crate::gpu::dram::{ChannelCounters, DramEnergy, LatencyHistogram};
use crate::gpu::energy::EnergyReport;
use crate::gpu::failure::ConservationError;
use crate::gpu::immediate::{ImmediatePipeline, ImmediateReport};
use crate::gpu::raster::RasterUnitCounters;
use crate::gpu::report::{DramReport, DrawCost, FrameReport, L2Report};
use crate::gpu::shading::CoreCounters;
use crate::gpu::statistics::CostCounters;
use crate::gpu::technique_report::TechniqueReport;
use crate::grid::TileId;
use crate::trace::{FrameTrace, TileTrace};
use crate::units::{Cycles, DramCycles};

impl Gpu {
    pub(super) fn take_report(
        &mut self,
        trace: &FrameTrace,
        run: FrameRun,
        geometry: Cycles,
    ) -> FrameReport {
        let now = self.now;
        let l2 = std::mem::take(&mut self.memory.l2.counters);
        let behind = trace.behind.iter().flat_map(|pass| &pass.draws);
        let behind = behind.map(|draw| format!("behind: {}", draw.name));
        let names = trace.draws.iter().map(|draw| draw.name.clone());
        let draws = names.chain(behind).zip(&run.attribution.draws);
        let (raster_units, immediate) = self.take_raster_counters();
        let mut report = FrameReport {
            frame: trace.frame,
            grid: trace.grid,
            samples: trace.samples,
            clock: self.spec.clock,
            cycles: now.since(run.start),
            geometry_cycles: geometry,
            raster_cycles: now.since(run.start).saturating_sub(geometry),
            geometry: self.geometry.take_counters(now),
            list_builder: self.builder.take_counters(now),
            tile_fetcher: self.fetcher.take_counters(now),
            tile_cache: self.tile_cache.take_counters(),
            raster_units,
            immediate,
            cores: (self.cores.iter_mut())
                .map(|core| core.take_counters(now))
                .collect(),
            l2: L2Report {
                reads: l2.reads,
                read_misses: l2.read_misses,
                writes: l2.writes,
                writebacks: l2.writebacks,
                busy_bank_cycles: Cycles(l2.accepted),
                stalled_bank_cycles: Cycles(l2.stalled),
            },
            dram: self.dram_report(),
            display: self.display.take_counters(),
            energy: None,
            techniques: self.technique_reports(),
            draws: draws
                .map(|(name, cost)| DrawCost { name, cost: *cost })
                .collect(),
            tiles: run.attribution.tiles,
            intervals: run.intervals,
        };
        report.energy =
            (self.spec.energy.as_ref()).map(|energy| energy.of_frame(&self.spec, &report));
        report
    }

    /// Of Raster Units, or of the clusters that are in their place.
    pub(super) fn take_raster_counters(
        &mut self,
    ) -> (Vec<RasterUnitCounters>, Option<ImmediateReport>) {
        let now = self.now;
        match &mut self.immediate {
            Some(immediate) => {
                let (common, own) = immediate.take_counters(now);
                (common, Some(own))
            }
            None => {
                let units = self.units.iter_mut();
                (units.map(|unit| unit.take_counters(now)).collect(), None)
            }
        }
    }

    /// One of each technique, in their order.
    fn technique_reports(&mut self) -> Vec<TechniqueReport> {
        let silent = self.techniques.iter().map(|technique| TechniqueReport {
            technique,
            ..TechniqueReport::default()
        });
        let said = self.eliders.take_reports();
        let immediate = self.immediate.as_mut();
        let sizes = immediate.and_then(ImmediatePipeline::take_technique_report);
        let schedulers = self.scheduler.take_report().into_iter().chain(sizes);
        let requests = self.memory.controller.take_scheduler_reports();
        TechniqueReport::collect(silent.chain(said).chain(schedulers).chain(requests))
    }

    pub(super) fn dram_report(&mut self) -> DramReport {
        let channels = self.memory.take_dram_counters(self.now);
        let spec = &self.spec.dram;
        let counters = std::mem::take(&mut self.memory.controller.counters);
        let sum = |f: fn(&ChannelCounters) -> u64| channels.iter().map(f).sum::<u64>();
        let mut latency = LatencyHistogram::default();
        for channel in &channels {
            latency += &channel.read_latency;
        }
        let energy = channels
            .iter()
            .map(|channel| DramEnergy::of_activity(spec, channel).in_picojoules(spec))
            .fold(DramEnergy::default(), |sum, energy| sum.plus(&energy));
        DramReport {
            line_bytes: self.spec.l2.tags.line,
            reads: counters.reads,
            writes: counters.writes,
            bursts: sum(ChannelCounters::requests_done),
            row_hits: sum(|channel| channel.read_row_hits + channel.write_row_hits),
            column_commands: sum(|channel| channel.read_cmds + channel.write_cmds),
            activates: sum(|channel| channel.activates),
            refreshes: sum(|channel| channel.refreshes),
            read_latency_mean: latency.mean().unwrap_or(0.0),
            read_latency_p95: latency
                .at_rank(latency.count() * 95 / 100)
                .unwrap_or_default(),
            read_wait_sum: counters.read_wait_sum,
            read_wait_count: counters.read_bursts,
            cycles: channels
                .first()
                .map_or(DramCycles::ZERO, |channel| channel.cycles),
            period: spec.timing.t_ck,
            energy,
            channels,
        }
    }
}

impl ImmediateReport {
    /// Raster tiles and TC tiles come out as they went in; the cycles of every unit are those of the frame.
    fn check(&self, cycles: Cycles) -> Result<(), ConservationError> {
        for cluster in &self.clusters {
            let (front, tc) = (&cluster.front, &cluster.coalescer);
            law("masks of a cluster", front.masks, self.masks)?;
            law("raster tiles filled", front.fine_tiles, front.coarse_tiles)?;
            let through = tc.raster_tiles + front.hi_z_killed;
            law(
                "raster tiles coalesced or hidden",
                through,
                front.fine_tiles,
            )?;
            let flushed = tc.flushed_whole + tc.flushed_full + tc.flushed_timeout;
            law("TC tiles by reason", flushed, tc.tc_tiles)?;
            for activity in [front.setup, front.rasteriser, front.hi_z, cluster.launch] {
                law("cycles of a cluster's stage", activity.total().0, cycles.0)?;
            }
        }
        Ok(())
    }
}

fn law(law: &'static str, left: u64, right: u64) -> Result<(), ConservationError> {
    if left == right {
        return Ok(());
    }
    Err(ConservationError { law, left, right })
}

/// Adds a tile's quads: rasterised, killed early, shaded, killed late.
fn add_quads(quads: &mut [u64; 4], tile: &TileTrace) {
    let counters = tile.counters();
    quads[0] += counters.quads_rasterised;
    quads[1] += counters.quads_killed_early;
    quads[2] += counters.quads_shaded;
    quads[3] += counters.quads_killed_late;
}

/// Triangles that tiles have set up, and their attributes.
struct Triangles<'a> {
    trace: &'a FrameTrace,
    draw_of: Vec<u32>,
    n: u64,
    attributes: u64,
}

impl<'a> Triangles<'a> {
    fn of(trace: &'a FrameTrace) -> Self {
        Self {
            trace,
            draw_of: trace.draw_of_primitive(),
            n: 0,
            attributes: 0,
        }
    }

    fn add(&mut self, tile: &TileTrace) {
        for entry in &tile.primitives {
            let draw = self.draw_of[entry.primitive as usize];
            self.n += 1;
            self.attributes += u64::from(self.trace.draws[draw as usize].n_attributes);
        }
    }
}

/// Bytes that a drawn tile leaves in memory.
fn flushed(trace: &FrameTrace, tile: u32) -> u64 {
    let area = trace.grid.rect(TileId(tile)).area();
    let stored = trace.targets.iter().filter(|target| target.store);
    let bytes: u64 = stored.map(|t| u64::from(t.bytes_per_pixel)).sum();
    area * bytes
}

/// How far two sums of the same energies may differ, as a share.
const ROUNDING: f64 = 1e-9;

/// Energy in pJ as an integer.
fn whole(picojoules: f64) -> u64 {
    picojoules.round() as u64
}

impl FrameReport {
    /// Checks the conservation laws (design, invariant 8) against the facts of the frame.
    ///
    /// # Errors
    /// The first law that does not hold.
    pub fn check(&self, trace: &FrameTrace) -> Result<(), ConservationError> {
        let mut quads = [0; 4];
        let (mut drawn, mut targets) = (0, 0);
        let mut triangles = Triangles::of(trace);
        let mut behind_it = trace.behind.as_deref().map(Triangles::of);
        for (id, (tile, cost)) in (0..).zip(trace.tiles.iter().zip(&self.tiles)) {
            if let (Some(behind), Some(triangles)) = (&trace.behind, &mut behind_it) {
                drawn += 1;
                add_quads(&mut quads, &behind.tiles[id as usize]);
                triangles.add(&behind.tiles[id as usize]);
                targets += flushed(behind, id);
            }
            if cost.skipped {
                continue;
            }
            drawn += 1;
            add_quads(&mut quads, tile);
            triangles.add(tile);
            if !cost.flush_skipped {
                targets += flushed(trace, id);
            }
        }
        let units =
            |f: fn(&RasterUnitCounters) -> u64| self.raster_units.iter().map(f).sum::<u64>();
        if let Some(immediate) = &self.immediate {
            immediate.check(self.cycles)?;
        } else {
            law("tiles drawn", units(|u| u.tiles), drawn)?;
            law("tiles fetched", self.tile_fetcher.tiles, drawn)?;
            law("bytes flushed", units(|u| u.flush_bytes), targets)?;
            let set_up = std::iter::once(&triangles).chain(&behind_it);
            let (n, attributes) = set_up.fold((0, 0), |sum, triangles| {
                (sum.0 + triangles.n, sum.1 + triangles.attributes)
            });
            law("triangles set up", units(|u| u.primitives), n)?;
            law(
                "attributes set up",
                units(|u| u.attributes_set_up),
                attributes,
            )?;
        }
        law("quads rasterised", units(|u| u.quads_rasterised), quads[0])?;
        law("quads killed early", units(|u| u.early_z_killed), quads[1])?;
        law("quads shaded", units(|u| u.quads_shaded), quads[2])?;
        law("quads killed late", units(|u| u.late_killed), quads[3])?;
        law("quads blended", units(|u| u.quads_blended), quads[2])?;
        self.check_memory()?;
        self.check_time()?;
        self.check_instructions()?;
        self.check_energy()
    }

    /// Bytes asked = bytes served, level by level.
    fn check_memory(&self) -> Result<(), ConservationError> {
        let bursts: u64 = self.dram.channels.iter().map(|c| c.requests_done()).sum();
        law("bursts counted by channel", bursts, self.dram.bursts)?;
        let costs = self.tiles.iter().map(|tile| &tile.cost);
        let misses: u64 = costs.clone().map(|cost| cost.texture_misses).sum();
        let cores = |f: fn(&CoreCounters) -> u64| self.cores.iter().map(f).sum::<u64>();
        let misses_of_cores = cores(|c| c.texture.misses + c.texture.pending_hits);
        law("texture misses by tile", misses, misses_of_cores)?;
        let accesses = cores(|c| c.texture.accesses);
        law(
            "texture accesses = hits + misses",
            cores(|c| c.texture.hits) + misses_of_cores,
            accesses,
        )?;
        law(
            "texture accesses by quad = hits + pending hits + misses",
            cores(|c| c.texture.quad_hits + c.texture.quad_pending_hits + c.texture.misses),
            cores(|c| c.texture.quad_accesses),
        )?;
        let texture = crate::gpu::memory::Traffic::Texture;
        law(
            "texture lines asked of the L2",
            cores(|c| c.texture.misses),
            self.l2.reads[texture],
        )?;
        let by_tile: u64 = costs.map(|cost| cost.dram_lines[texture]).sum();
        law("texture lines by tile", by_tile, self.dram.reads[texture])
    }

    /// Instructions, which energy is charged for, by who issued them and by what they were for.
    fn check_instructions(&self) -> Result<(), ConservationError> {
        let by_draw = self.draws.iter().map(|draw| draw.cost.instructions);
        law("instructions by draw", by_draw.sum(), self.instructions())?;
        let by_draw =
            |of: fn(&CostCounters) -> u64| self.draws.iter().map(|draw| of(&draw.cost)).sum();
        let by_core = |of: fn(&CoreCounters) -> u64| self.cores.iter().map(of).sum();
        law(
            "instructions of threads by draw",
            by_draw(|cost| cost.thread_instructions),
            by_core(|core| core.thread_instructions),
        )?;
        law(
            "special functions by draw",
            by_draw(|cost| cost.transcendental_threads),
            by_core(|core| core.transcendental_threads),
        )?;
        law(
            "texture samples by draw",
            by_draw(|cost| cost.texture_threads),
            by_core(|core| core.texture_threads),
        )?;
        let warps = self.cores.iter().map(|core| core.warps).sum();
        let by_draw = self.draws.iter().map(|draw| draw.cost.warps);
        law("warps by draw", by_draw.sum(), warps)
    }

    /// Every rank of the DRAM draws standby current all the time; energy of all parts = energy of the GPU; energy of programs by draw = that of
    /// the parts that ran them; energy of the DRAM by cause = its energy beside the GPU's; each technique is charged; nothing is given back.
    fn check_energy(&self) -> Result<(), ConservationError> {
        for channel in &self.dram.channels {
            for (active, idle) in channel.rank_active.iter().zip(&channel.rank_idle) {
                let standby = (*active + *idle).0;
                law("cycles of a DRAM rank", standby, channel.cycles.0)?;
            }
        }
        let Some(energy) = &self.energy else {
            return Ok(());
        };
        let unsound = energy.all_parts().filter(|part| !part.is_sound());
        law("energies below zero", unsound.count() as u64, 0)?;
        let parts: f64 = energy.all_parts().map(|part| part.total().0).sum();
        law("energy of parts", whole(parts), whole(energy.gpu.0))?;
        self.check_programs(energy)?;
        let of_dram = whole(self.dram.energy.total());
        law("energy of the DRAM", of_dram, whole(energy.dram.0))?;
        let charged = energy.techniques.iter().map(|part| part.name);
        let used = self.techniques.iter().map(|technique| technique.technique);
        let n_used = self.techniques.len() as u64;
        let n_charged = charged
            .zip(used)
            .filter(|(part, name)| part == name)
            .count();
        law("techniques charged", n_charged as u64, n_used)
    }

    /// What draws' programs took, and the parts that ran them: equal but for the rounding of two orders of adding.
    fn check_programs(&self, energy: &EnergyReport) -> Result<(), ConservationError> {
        let of_draw = |draw: &DrawCost| energy.events.of_programs(&draw.cost).0;
        let by_draw: f64 = self.draws.iter().map(of_draw).sum();
        let parts = ["instructions", "arithmetic", "texture filters"];
        let parts = parts.iter().filter_map(|name| energy.part(name));
        let of_parts: f64 = parts.map(|part| part.dynamic.0).sum();
        if (by_draw - of_parts).abs() <= ROUNDING * of_parts {
            return Ok(());
        }
        Err(ConservationError {
            law: "energy of programs by draw",
            left: whole(by_draw),
            right: whole(of_parts),
        })
    }

    /// Cycles of every unit = busy + stalled + idle.
    fn check_time(&self) -> Result<(), ConservationError> {
        let cycles = self.cycles.0;
        for core in &self.cores {
            law("cycles of a core", core.activity.total().0, cycles)?;
        }
        for unit in &self.raster_units {
            for activity in [
                unit.rasteriser,
                unit.early_z,
                unit.dispatch,
                unit.fragment,
                unit.blend,
                unit.flush,
            ] {
                law(
                    "cycles of a Raster Unit's stage",
                    activity.total().0,
                    cycles,
                )?;
            }
        }
        let geometry = &self.geometry;
        for activity in [
            geometry.command.activity,
            geometry.vertices.activity,
            geometry.assembly.activity,
            self.list_builder.activity,
            self.tile_fetcher.activity,
        ] {
            law("cycles of a unit", activity.total().0, cycles)?;
        }
        Ok(())
    }
}
