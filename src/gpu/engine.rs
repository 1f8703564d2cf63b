//! The machine: all units wired, their tick order, and the clock that jumps over cycles in which nothing can happen.
//!
//! In a cycle, memory goes first (what arrives can be used at once), then cores, then the other units from the last to the first, so
//! that an item moves one stage a cycle. After each cycle every unit says when it could do something by itself; time jumps to the
//! earliest of these. What one unit changes for another, it changes in a cycle that is visited, and there every unit is asked.

use crate::gpu::cache::CacheSpecError;
use crate::gpu::dram::DramSpecError;
use crate::gpu::elide::{Elider, KeepAll};
use crate::gpu::frame::PreparedFrame;
use crate::gpu::geometry::{GeometryPipeline, GeometryPorts};
use crate::gpu::machine::{MachineSpec, VertexCores};
use crate::gpu::memory::{
    FrameNeeds, L2Cache, LineCache, MemoryController, MemoryMap, MemorySystem, NOBODY, Source,
    Traffic, TrafficCounts, Waiter,
};
use crate::gpu::output::Display;
use crate::gpu::raster::{RasterPorts, RasterUnit};
use crate::gpu::report::{FrameReport, INTERVAL, Interval};
use crate::gpu::schedule::{FrameStart, TileScheduler, baseline};
use crate::gpu::shading::{Core, TexturePorts};
use crate::gpu::statistics::Attribution;
use crate::gpu::tiling::{BuilderPorts, FetchPorts, PolygonListBuilder, TileFetcher, TileLists};
use crate::trace::FrameTrace;
use crate::units::Cycles;

/// A machine that cannot be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// A cache of impossible shape.
    #[error(transparent)]
    Cache(#[from] CacheSpecError),
    /// A DRAM of impossible parameters.
    #[error(transparent)]
    Dram(#[from] DramSpecError),
}

/// All units wait for each other: an error of the model, or of a technique that breaks its contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the machine stands still at cycle {0} with work left")]
pub struct Deadlock(pub u64);

/// A GPU with its memory. What lives from frame to frame (cache contents, open rows, addresses) stays in it.
#[derive(Debug)]
pub struct Gpu {
    pub(super) spec: MachineSpec,
    pub(super) now: u64,
    pub(super) cores: Vec<Core>,
    pub(super) units: Vec<RasterUnit>,
    pub(super) fetcher: TileFetcher,
    pub(super) builder: PolygonListBuilder,
    pub(super) tile_cache: LineCache,
    pub(super) geometry: GeometryPipeline,
    pub(super) memory: MemorySystem,
    pub(super) display: Display,
    map: MemoryMap,
    scheduler: Box<dyn TileScheduler>,
    pub(super) elider: Box<dyn Elider>,
    /// Cores that run vertex programs.
    vertex_cores: Vec<usize>,
    pub(super) previous: Option<FrameReport>,
    pub(super) n_frames: u64,
}

/// What changes while a frame is drawn and belongs to no unit.
#[derive(Debug)]
pub(super) struct FrameRun {
    pub(super) attribution: Attribution,
    lists: TileLists,
    pub(super) start: u64,
    waiters: Vec<Waiter>,
    pub(super) intervals: Vec<Interval>,
    /// DRAM lines when the current interval began.
    interval_base: TrafficCounts,
}

/// Which half of the pipeline works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Geometry,
    Raster,
}

impl Gpu {
    /// A machine with its baseline scheduler that leaves nothing out.
    ///
    /// # Errors
    /// If a cache or the DRAM has an impossible shape.
    pub fn new(spec: &MachineSpec) -> Result<Self, BuildError> {
        Self::with_techniques(spec, baseline(spec.raster.dispatch), Box::new(KeepAll))
    }

    /// A machine with another tile scheduler and elider.
    ///
    /// # Errors
    /// If a cache or the DRAM has an impossible shape.
    pub fn with_techniques(
        spec: &MachineSpec,
        scheduler: Box<dyn TileScheduler>,
        elider: Box<dyn Elider>,
    ) -> Result<Self, BuildError> {
        let cores = build_cores(spec)?;
        let source = |nth: usize| Source((cores.len() + nth) as u8);
        let ideal = spec.ideal_memory;
        let vertex_cache = LineCache::new(&spec.geometry.vertex_cache, source(0), ideal)?;
        let tile_cache = LineCache::new(&spec.tiling.tile_cache, source(1), ideal)?;
        let line_bytes = spec.l2.tags.line.0;
        let controller = MemoryController::new(&spec.dram, spec.clock.period(), &spec.l2)?;
        let l2 = L2Cache::new(&spec.l2, cores.len() + 2)?;
        let tiling = &spec.tiling;
        let n_units = spec.raster.units.len();
        Ok(Self {
            now: 0,
            units: (0..n_units)
                .map(|_| RasterUnit::new(&spec.raster))
                .collect(),
            fetcher: TileFetcher::new(n_units, tiling.fetch_ahead, tiling.tile_cache_ports),
            builder: PolygonListBuilder::default(),
            tile_cache,
            geometry: GeometryPipeline::new(spec.command, spec.geometry, vertex_cache),
            memory: MemorySystem::new(l2, controller),
            display: Display::new(spec.display, spec.clock.0, line_bytes),
            map: MemoryMap::default(),
            scheduler,
            elider,
            vertex_cores: vertex_cores(spec),
            cores,
            previous: None,
            n_frames: 0,
            spec: spec.clone(),
        })
    }

    /// The machine's parameters.
    #[must_use]
    pub fn spec(&self) -> &MachineSpec {
        &self.spec
    }

    /// Executes a frame, which must be [valid](FrameTrace::validate), after those before it.
    ///
    /// # Errors
    /// If all units wait for each other.
    pub fn run_frame(&mut self, trace: &FrameTrace) -> Result<FrameReport, Deadlock> {
        let needs = FrameNeeds {
            frame_buffers: self.spec.display.frame_buffers,
            attribute_bytes: trace
                .draws
                .iter()
                .map(|draw| u64::from(draw.n_primitives) * draw.primitive_bytes())
                .sum(),
            list_bytes: TileLists::bytes(trace, &self.spec.tiling),
        };
        self.map.place(trace, &needs);
        let facts = PreparedFrame::new(trace, &self.map);
        let mut run = FrameRun {
            attribution: Attribution::new(trace.tiles.len(), trace.draws.len()),
            lists: TileLists::new(trace, &self.spec.tiling),
            start: self.now,
            waiters: Vec::new(),
            intervals: Vec::new(),
            interval_base: TrafficCounts::default(),
        };
        self.begin_frame(trace);
        self.run_phase(Phase::Geometry, &facts, &mut run)?;
        let geometry_end = self.now;
        self.geometry.rest(geometry_end);
        self.builder.rest(geometry_end);
        self.begin_tiles(trace);
        self.run_phase(Phase::Raster, &facts, &mut run)?;
        self.end_interval(&mut run);
        let report = self.take_report(trace, run, geometry_end);
        self.previous = Some(report.clone());
        self.n_frames += 1;
        Ok(report)
    }

    fn begin_frame(&mut self, trace: &FrameTrace) {
        self.geometry.begin_frame();
        self.builder.begin_frame();
        let frame_buffers = self.spec.display.frame_buffers;
        self.elider.begin_frame(trace, frame_buffers);
        let buffers = u64::from(self.spec.display.frame_buffers);
        let shown = trace.frame + buffers - 1;
        let n_targets = trace.targets.len();
        let bytes = trace.targets.first().map_or(0, |target| {
            u64::from(target.bytes_per_pixel)
                * crate::gpu::raster::pitch(trace.grid.width)
                * u64::from(trace.grid.height)
        });
        let base = self.map.target(0, n_targets, shown);
        self.display.show(base, bytes, self.now);
    }

    fn begin_tiles(&mut self, trace: &FrameTrace) {
        self.scheduler.begin_frame(&FrameStart {
            frame: trace.frame,
            grid: trace.grid,
            order: self.spec.screen.order,
            n_raster_units: self.units.len(),
            previous: self.previous.as_ref(),
        });
        self.fetcher.begin_frame();
    }

    fn run_phase(
        &mut self,
        phase: Phase,
        facts: &PreparedFrame<'_>,
        run: &mut FrameRun,
    ) -> Result<(), Deadlock> {
        loop {
            self.tick(phase, facts, run);
            let done = match phase {
                Phase::Geometry => {
                    self.geometry.is_done(facts)
                        && self.builder.is_idle()
                        && self.elider.done_at() <= Cycles(self.now)
                }
                Phase::Raster => self.is_drawn(),
            };
            let next = if done {
                self.now + 1
            } else {
                self.next_wake(phase)
            };
            if next == u64::MAX {
                return Err(Deadlock(self.now));
            }
            self.now = next;
            if done {
                return Ok(());
            }
        }
    }

    fn is_drawn(&self) -> bool {
        self.fetcher.is_done()
            && self.units.iter().all(RasterUnit::is_idle)
            && self.tile_cache.is_idle()
            && self.memory.is_idle()
    }

    /// One cycle.
    fn tick(&mut self, phase: Phase, facts: &PreparedFrame<'_>, run: &mut FrameRun) {
        let now = self.now;
        if now - run.start >= (run.intervals.len() as u64 + 1) * INTERVAL {
            self.end_interval(run);
        }
        self.memory.tick(Cycles(now));
        self.deliver(run);
        self.display.tick(now, &mut self.memory);
        self.tick_cores(facts, run);
        match phase {
            Phase::Geometry => self.tick_geometry(facts, run),
            Phase::Raster => self.tick_raster(facts, run),
        }
        self.tile_cache.tick(&mut self.memory);
        for transfer in self.memory.l2.transfers.drain(..) {
            let mut requester = transfer.requester;
            if requester.traffic == Traffic::ParameterWrite {
                (requester.tile, requester.draw) =
                    owner(transfer.line, facts, &self.map, &run.lists);
            }
            run.attribution
                .dram_line(requester.tile, requester.draw, requester.traffic);
        }
    }

    fn deliver(&mut self, run: &mut FrameRun) {
        let now = self.now;
        while let Some(response) = self.memory.pop_response(Cycles(now)) {
            let source = usize::from(response.source.0);
            if let Some(core) = self.cores.get_mut(source) {
                core.fill(response.line, now);
            } else if source == self.cores.len() {
                self.geometry.fill(response.line, now);
            } else {
                self.tile_cache.fill(response.line, &mut run.waiters);
                for waiter in run.waiters.drain(..) {
                    self.fetcher.wake(waiter, now);
                }
            }
        }
        for line in self.memory.direct_arrivals.drain(..) {
            for unit in &mut self.units {
                unit.color_arrived(line);
            }
        }
    }

    fn tick_cores(&mut self, facts: &PreparedFrame<'_>, run: &mut FrameRun) {
        let mut ports = TexturePorts {
            facts,
            memory: &mut self.memory,
            attribution: &mut run.attribution,
        };
        for core in &mut self.cores {
            if core.is_due(self.now, ports.memory) {
                core.tick(self.now, &facts.programs, &mut ports);
            }
        }
    }

    fn tick_geometry(&mut self, facts: &PreparedFrame<'_>, run: &mut FrameRun) {
        let mut ports = BuilderPorts {
            facts,
            map: &self.map,
            lists: &mut run.lists,
            cache: &mut self.tile_cache,
            memory: &mut self.memory,
            elider: &mut *self.elider,
            ports: self.spec.tiling.tile_cache_ports,
            entry_bytes: self.spec.tiling.list_entry_bytes,
        };
        self.builder.tick(self.now, &mut ports);
        let mut ports = GeometryPorts {
            facts,
            map: &self.map,
            memory: &mut self.memory,
            cores: &mut self.cores,
            eligible: &self.vertex_cores,
            attribution: &mut run.attribution,
            builder: &mut self.builder,
        };
        self.geometry.tick(self.now, &mut ports);
    }

    fn tick_raster(&mut self, facts: &PreparedFrame<'_>, run: &mut FrameRun) {
        let per_unit = self.spec.raster.cores_per_unit as usize;
        let line_bytes = self.spec.l2.tags.line.0;
        let mut moved = false;
        for (unit, cores) in self.units.iter_mut().zip(self.cores.chunks_mut(per_unit)) {
            let mut ports = RasterPorts {
                facts,
                map: &self.map,
                cores,
                memory: &mut self.memory,
                attribution: &mut run.attribution,
                elider: &mut *self.elider,
                frame_start: run.start,
                line_bytes,
                ideal: self.spec.ideal_memory,
            };
            moved |= unit.tick(self.now, &mut ports);
        }
        if !moved && !self.fetcher.is_due(self.now) {
            return;
        }
        let mut ports = FetchPorts {
            facts,
            map: &self.map,
            lists: &run.lists,
            cache: &mut self.tile_cache,
            memory: &mut self.memory,
            units: &mut self.units,
            scheduler: &mut *self.scheduler,
            elider: &mut *self.elider,
            attribution: &mut run.attribution,
            frame_start: run.start,
        };
        self.fetcher.tick(self.now, &mut ports);
    }

    /// The next cycle in which some unit can do something.
    fn next_wake(&self, phase: Phase) -> u64 {
        let now = self.now;
        let mut wake = u64::MAX;
        for core in &self.cores {
            wake = wake.min(core.wake);
            // Nothing can be earlier, and while anything is drawn that is the rule.
            if wake <= now + 1 {
                return now + 1;
            }
        }
        wake = wake
            .min(self.memory.next_wake(Cycles(now)).0)
            .min(self.display.due());
        match phase {
            Phase::Geometry => {
                wake = wake.min(self.geometry.next_wake(now));
                wake = wake.min(self.builder.next_wake(now));
                let signed = self.elider.done_at().0;
                wake = wake.min(if signed > now { signed } else { u64::MAX });
            }
            Phase::Raster => {
                wake = wake.min(self.fetcher.next_wake(now));
                for unit in &self.units {
                    wake = wake.min(unit.next_wake(now));
                }
            }
        }
        debug_assert!(
            self.cores.iter().all(|core| core.wake >= wake),
            "no core is forgotten"
        );
        wake.max(now + 1)
    }

    fn end_interval(&mut self, run: &mut FrameRun) {
        let counters = &self.memory.controller.counters;
        let mut lines = counters.reads;
        lines += counters.writes;
        let base = std::mem::replace(&mut run.interval_base, lines);
        for (now, before) in lines.0.iter_mut().zip(base.0) {
            *now -= before;
        }
        run.intervals.push(Interval {
            start: Cycles(run.intervals.len() as u64 * INTERVAL),
            dram_lines: lines,
        });
    }
}

/// Whose part of the Parameter Buffer a line is: a draw's attributes, or a tile's list. What an earlier frame has left in a cache is
/// charged to those that have the place now.
fn owner(line: u64, facts: &PreparedFrame<'_>, map: &MemoryMap, lists: &TileLists) -> (u32, u32) {
    if let Some(draw) = facts.draw_at(line) {
        return (NOBODY, draw);
    }
    let tile = line.checked_sub(map.lists).and_then(|at| lists.tile_at(at));
    (tile.unwrap_or(NOBODY), NOBODY)
}

fn build_cores(spec: &MachineSpec) -> Result<Vec<Core>, CacheSpecError> {
    let per_unit = spec.raster.cores_per_unit as usize;
    let mut specs = Vec::new();
    for core_type in &spec.raster.units {
        specs.extend(std::iter::repeat_n(
            spec.raster.core_types[*core_type].1,
            per_unit,
        ));
    }
    if let VertexCores::Dedicated(n, core) = spec.geometry.cores {
        specs.extend(std::iter::repeat_n(core, n as usize));
    }
    (0_u8..)
        .zip(&specs)
        .map(|(nth, core)| Core::new(core, Source(nth), spec.ideal_memory))
        .collect()
}

fn vertex_cores(spec: &MachineSpec) -> Vec<usize> {
    let per_unit = spec.raster.cores_per_unit as usize;
    let n_raster = spec.raster.units.len() * per_unit;
    match spec.geometry.cores {
        VertexCores::Unified(units) => (0..n_raster)
            .filter(|core| units >> (core / per_unit) & 1 != 0)
            .collect(),
        VertexCores::Dedicated(n, _) => (n_raster..n_raster + n as usize).collect(),
    }
}
