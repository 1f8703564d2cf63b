//! Laws of conservation, which each report must obey (design, invariant 7): what goes in comes out, sums by tile, by draw
//! and by unit are the frame's, no unit does more than its work, and the pins move no more than they can.

use crate::dram::DramSpec;
use crate::energy::EnergyReport;
use crate::failure::ConservationError;
use crate::immediate::ImmediateReport;
use crate::memory::Traffic;
use crate::raster::RasterUnitCounters;
use crate::report::{DrawCost, FrameReport};
use crate::shading::{CoreCounters, DataCounters};
use crate::statistics::{ActivityCounters, CostCounters, TileCost};
use azulejo_grid::TileId;
use azulejo_trace::FrameTrace;
use azulejo_units::{Cycles, Picoseconds};

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
            let raster_tiles = front.coarse_tiles + front.fine_tiles;
            for (what, activity, work) in [
                (
                    "busy cycles of a cluster's rasteriser",
                    front.rasteriser,
                    raster_tiles,
                ),
                ("busy cycles of Hi-Z", front.hi_z, front.fine_tiles),
                ("busy cycles of TC tile launch", cluster.launch, tc.tc_tiles),
            ] {
                at_most(what, activity.busy.0, work)?;
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

fn at_most(law: &'static str, left: u64, most: u64) -> Result<(), ConservationError> {
    if left <= most {
        return Ok(());
    }
    Err(ConservationError {
        law,
        left,
        right: most,
    })
}

/// Work on all tiles that were drawn, by the facts of the frame's passes.
#[derive(Default)]
struct Drawn {
    tiles: u64,
    /// Quads rasterised, killed early, shaded, killed late.
    quads: [u64; 4],
    /// Triangles set up, and their attributes.
    triangles: u64,
    attributes: u64,
    /// Bytes left in memory.
    flushed: u64,
}

impl Drawn {
    fn of(trace: &FrameTrace, costs: &[TileCost]) -> Self {
        let mut drawn = Self::default();
        for pass in &trace.before {
            drawn.add_pass(pass, &vec![TileCost::default(); pass.tiles.len()]);
        }
        drawn.add_pass(trace, costs);
        drawn
    }

    fn add_pass(&mut self, trace: &FrameTrace, costs: &[TileCost]) {
        let draw_of = trace.draw_of_primitive();
        for (id, (tile, cost)) in (0..).zip(trace.tiles.iter().zip(costs)) {
            if cost.skipped {
                continue;
            }
            self.tiles += 1;
            let counters = tile.counters();
            let quads = [
                counters.quads_rasterised,
                counters.quads_killed_early,
                counters.quads_shaded,
                counters.quads_killed_late,
            ];
            (self.quads.iter_mut().zip(quads)).for_each(|(sum, quads)| *sum += quads);
            self.triangles += tile.primitives.len() as u64;
            let attributes = tile.primitives.iter().map(|entry| {
                let draw = draw_of[entry.primitive as usize];
                u64::from(trace.draws[draw as usize].n_attributes)
            });
            self.attributes += attributes.sum::<u64>();
            if !cost.flush_skipped {
                self.flushed += flushed(trace, id);
            }
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

/// Cycles in which a unit had something to do.
fn awake(activity: ActivityCounters) -> u64 {
    (activity.busy + activity.stalled).0
}

/// How far two sums of the same energies may differ, as a share.
const ROUNDING: f64 = 1e-9;

/// Energy in pJ as an integer.
fn whole(picojoules: f64) -> u64 {
    picojoules.round() as u64
}

impl FrameReport {
    /// Checks the conservation laws (design, invariant 7) against the facts of the frame.
    ///
    /// # Errors
    /// The first law that does not hold.
    pub fn check(&self, trace: &FrameTrace) -> Result<(), ConservationError> {
        let drawn = Drawn::of(trace, &self.tiles);
        // Without tiles, geometry rests from the cycle behind that in which it was done, in each pass.
        let late = match &self.immediate {
            Some(immediate) => immediate.check(self.cycles).map(|()| self.n_passes()),
            None => self.check_tiled(&drawn).map(|()| 0),
        }?;
        let quads = drawn.quads;
        let units =
            |f: fn(&RasterUnitCounters) -> u64| self.raster_units.iter().map(f).sum::<u64>();
        law("quads rasterised", units(|u| u.quads_rasterised), quads[0])?;
        law("quads killed early", units(|u| u.early_z_killed), quads[1])?;
        law("quads shaded", units(|u| u.quads_shaded), quads[2])?;
        law("quads killed late", units(|u| u.late_killed), quads[3])?;
        law("quads blended", units(|u| u.quads_blended), quads[2])?;
        self.check_memory()?;
        self.check_time()?;
        self.check_work(late)?;
        self.check_instructions()?;
        self.check_energy()
    }

    /// Tiles, triangles and bytes of a machine with tiles, and the work of its Tile Fetcher and Raster Units.
    fn check_tiled(&self, drawn: &Drawn) -> Result<(), ConservationError> {
        let units =
            |f: fn(&RasterUnitCounters) -> u64| self.raster_units.iter().map(f).sum::<u64>();
        let fetcher = &self.tile_fetcher;
        law("tiles drawn", units(|u| u.tiles), drawn.tiles)?;
        law("tiles fetched", fetcher.tiles, drawn.tiles)?;
        law("bytes flushed", units(|u| u.flush_bytes), drawn.flushed)?;
        law("triangles set up", units(|u| u.primitives), drawn.triangles)?;
        let set_up = units(|u| u.attributes_set_up);
        law("attributes set up", set_up, drawn.attributes)?;
        for unit in &self.raster_units {
            let lines = unit.flush_lines + unit.tiles;
            at_most("busy cycles of a flush", unit.flush.busy.0, lines)?;
            at_most(
                "busy cycles of blending",
                unit.blend.busy.0,
                unit.quads_blended,
            )?;
            for activity in [unit.rasteriser, unit.early_z, unit.dispatch, unit.fragment] {
                at_most(
                    "cycles of a Raster Unit",
                    awake(activity),
                    self.raster_cycles.0,
                )?;
            }
        }
        let tiles = 2 * fetcher.tiles + fetcher.tiles_skipped;
        // Each unit is refused a tile once in each pass.
        let refused = self.n_passes() * self.raster_units.len() as u64;
        let work = fetcher.primitives + tiles + fetcher.accesses + refused;
        at_most(
            "busy cycles of the Tile Fetcher",
            fetcher.activity.busy.0,
            work,
        )
    }

    /// Passes of the frame.
    fn n_passes(&self) -> u64 {
        (self.passes.len() as u64).max(1)
    }

    /// Bytes asked = bytes served, level by level.
    fn check_memory(&self) -> Result<(), ConservationError> {
        let bursts: u64 = self.dram.channels.iter().map(|c| c.requests_done()).sum();
        law("bursts counted by channel", bursts, self.dram.bursts)?;
        // Tiles of passes with another grid are by themselves.
        let others = self.passes.iter().filter(|pass| pass.grid != self.grid);
        let others = others.flat_map(|pass| &pass.tiles);
        let of_tiles = self.tiles.iter().chain(others).map(|tile| &tile.cost);
        // Dispatches have no tiles.
        let dispatches = self.passes.iter().filter(|pass| pass.is_compute());
        let dispatches = dispatches.flat_map(|pass| {
            let [first, n] = pass.draws;
            self.draws[first..first + n].iter().map(|draw| &draw.cost)
        });
        let costs = of_tiles.chain(dispatches);
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
        let texture = Traffic::Texture;
        law(
            "texture lines asked of the L2",
            cores(|c| c.texture.misses),
            self.l2.reads[texture],
        )?;
        let by_tile = |kind| costs.clone().map(|cost| cost.dram_lines[kind]).sum::<u64>();
        law(
            "texture lines by tile",
            by_tile(texture),
            self.dram.reads[texture],
        )?;
        self.check_buffers()?;
        for kind in [Traffic::ColorLoad, Traffic::ColorFlush] {
            let lines = self.dram.reads[kind] + self.dram.writes[kind];
            law("lines of tile buffers by tile", by_tile(kind), lines)?;
        }
        at_most(
            "row hits of column commands",
            self.dram.row_hits,
            self.dram.column_commands,
        )
    }

    /// Accesses of load/store units by outcome and by draw, and their lines at the L2.
    fn check_buffers(&self) -> Result<(), ConservationError> {
        let cores = |f: fn(&DataCounters) -> u64| {
            let counters = self.cores.iter().map(|core| f(&core.data));
            counters.sum::<u64>()
        };
        let accesses = cores(|c| c.accesses);
        let loaded = cores(DataCounters::loaded);
        let written = cores(|c| c.stored + c.changed);
        law("accesses to buffers", loaded + written, accesses)?;
        let by_draw = self.draws.iter().map(|draw| draw.cost.buffer_accesses);
        law("accesses to buffers by draw", by_draw.sum(), accesses)?;
        let kind = Traffic::Buffer;
        let read = cores(|c| c.misses + c.changed);
        // Fewer where the memory has no part in them.
        at_most("lines of buffers read", self.l2.reads[kind], read)?;
        at_most("lines of buffers written", self.l2.writes[kind], written)?;
        let by_draw = self.draws.iter().map(|draw| draw.cost.dram_lines[kind]);
        law(
            "lines of buffers by draw",
            by_draw.sum(),
            self.dram.reads[kind],
        )
    }

    /// Bytes moved are no more than what the pins of each channel move in the time, which is that of the frame.
    ///
    /// # Errors
    /// The channel's cycles, and those that its bursts take on its data bus.
    pub(crate) fn check_pins(&self, dram: &DramSpec) -> Result<(), ConservationError> {
        // The frame begins and ends in the middle of bursts: data follow their commands after the read or the write
        // latency.
        let (read, write) = (dram.read_latency(), dram.write_latency());
        let edge = (read.saturating_sub(write) + write.saturating_sub(read) + dram.burst()).0;
        for channel in &self.dram.channels {
            let on_the_bus = channel.column_commands() * dram.burst().0;
            at_most("bursts of a channel", on_the_bus, channel.cycles.0 + edge)?;
        }
        // Each clock's cycle under way is counted or not.
        let second = u128::from(Picoseconds::SECOND.0);
        let time = u128::from(self.cycles.0) * second / u128::from(self.clock.0.max(1));
        let of_dram = u128::from(self.dram.cycles.0) * u128::from(self.dram.period.0);
        let off = time.abs_diff(of_dram) / u128::from(self.dram.period.0.max(1));
        at_most("cycles of the DRAM beside the frame's time", off as u64, 2)
    }

    /// No unit is busy for longer than its own work takes, nor in a phase that is not its own; what lies in the frame ends
    /// in it.
    fn check_work(&self, late: u64) -> Result<(), ConservationError> {
        for core in &self.cores {
            let busy = core.activity.busy.0;
            at_most("busy cycles of a core", busy, core.instructions)?;
        }
        for cost in &self.tiles {
            at_most("begin of a tile", cost.start.0, cost.end.0)?;
            at_most("end of a tile", cost.end.0, self.cycles.0)?;
        }
        let first = self.geometry_cycles.0;
        law(
            "cycles of both phases",
            first + self.raster_cycles.0,
            self.cycles.0,
        )?;
        let geometry = &self.geometry;
        for activity in [
            geometry.command.activity,
            geometry.vertices.activity,
            geometry.assembly.activity,
            self.list_builder.activity,
        ] {
            at_most("cycles of geometry", awake(activity), first + late)?;
        }
        Ok(())
    }
    /// Instructions, for which energy is charged, by the unit that issued them and by their purpose.
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
        law(
            "accesses to buffers by threads and draw",
            by_draw(|cost| cost.buffer_threads),
            by_core(|core| core.buffer_threads),
        )?;
        let warps = self.cores.iter().map(|core| core.warps).sum();
        let by_draw = self.draws.iter().map(|draw| draw.cost.warps);
        law("warps by draw", by_draw.sum(), warps)
    }

    /// Every rank of the DRAM draws standby current all the time; energy of all parts = energy of the GPU; energy of
    /// programs by draw = that of the parts that ran them; energy of the DRAM by cause = its energy beside the GPU's; each
    /// technique is charged; nothing is given back.
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

    /// Energy of draws' programs and of the parts that ran them: equal but for the rounding of two orders of adding.
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
