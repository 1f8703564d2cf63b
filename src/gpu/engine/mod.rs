//! The machine: all units wired, their tick order, and the clock that jumps over cycles in which nothing can happen.
//!
//! In a cycle, memory goes first (what arrives can be used at once), then cores, then the other units from the last to the
//! first, so that an item moves one stage a cycle. After each cycle every unit says when it could do something by itself;
//! time jumps to the earliest of these. A unit changes things for another in a cycle that is visited, and there
//! every unit is asked.

mod accounting;
mod build;
mod clock;
mod sharing;
mod standstill;
mod watchdog;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

pub use sharing::{FrameBuffer, Rest};
use watchdog::Watchdog;

use crate::gpu::cache::StreamHeader;
use crate::gpu::elide::{Elider, ElisionStack};
use crate::gpu::failure::{Deadlock, FrameError};
use crate::gpu::frame::PreparedFrame;
use crate::gpu::geometry::{GeometryPipeline, GeometryPorts};
use crate::gpu::immediate::{DrawOrder, ImmediatePipeline};
use crate::gpu::machine::MachineSpec;
use crate::gpu::memory::{
    FrameNeeds, L2Observer, LineCache, MemoryMap, MemorySystem, NOBODY, TargetWrites, Traffic,
    Waiter,
};
use crate::gpu::output::Display;
use crate::gpu::raster::{RasterPorts, RasterUnit};
use crate::gpu::report::{FrameReport, INTERVAL, Interval};
use crate::gpu::schedule::{FrameStart, WatchedScheduler, baseline};
use crate::gpu::shading::{Core, Residents, TexturePorts, tick_cores};
use crate::gpu::statistics::Attribution;
use crate::gpu::tiling::{BuilderPorts, FetchPorts, PolygonListBuilder, TileFetcher, TileLists};
use crate::grid::TileOrder;
use crate::trace::FrameTrace;
use crate::units::Cycles;

/// A GPU with its memory. State that lives from frame to frame (cache contents, open rows, addresses) stays in it.
#[derive(Debug)]
pub struct Gpu {
    pub(super) spec: MachineSpec,
    pub(super) now: Cycles,
    pub(super) cores: Vec<Core>,
    pub(super) residents: Residents,
    pub(super) units: Vec<RasterUnit>,
    pub(super) fetcher: TileFetcher,
    pub(super) builder: PolygonListBuilder,
    pub(super) tile_cache: LineCache,
    pub(super) geometry: GeometryPipeline,
    pub(super) memory: MemorySystem,
    /// Everything behind assembly, on a machine without tiles: what tiles need has nothing to do there.
    pub(super) immediate: Option<ImmediatePipeline>,
    pub(super) display: Display,
    pub(super) map: MemoryMap,
    /// Techniques by name, in the order in which they were given.
    pub(super) techniques: Vec<&'static str>,
    pub(super) scheduler: WatchedScheduler,
    pub(super) eliders: ElisionStack,
    /// The walk over the tiles that the scheduler starts from.
    pub(super) order: TileOrder,
    /// Cores that run vertex programs.
    pub(super) vertex_cores: Vec<usize>,
    /// The last frame as schedulers see it.
    pub(super) previous: Option<FrameReport>,
    /// Frames and tiles of all frames before, and tiles with those of the frame under way, for other threads to see.
    pub(super) n_frames_before: u64,
    pub(super) n_tiles_before: u64,
    pub(super) n_tiles_begun: Arc<AtomicU64>,
    /// Whether another thread has asked for the frame under way to be given up.
    pub(super) interrupt: Arc<AtomicBool>,
}

/// State of a frame under way that belongs to no unit.
#[derive(Debug)]
pub(super) struct FrameRun {
    pub(super) attribution: Attribution,
    lists: TileLists,
    /// On a machine without tiles.
    pub(super) order: DrawOrder,
    /// When the last triangle was handed on, on such a machine.
    pub(super) geometry_end: Option<Cycles>,
    pub(super) start: Cycles,
    waiters: Vec<Waiter>,
    pub(super) intervals: Vec<Interval>,
    /// Counts of the frame when the current interval began.
    pub(super) interval_base: Interval,
}

/// Which half of the pipeline works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Geometry,
    Raster,
    /// Both at once, where triangles are not kept for tiles.
    Immediate,
    /// Flush of an immediate machine once all is drawn: lines held in caches go to the L2.
    Flush,
}

impl Gpu {
    /// Parameters that the machine was built from.
    #[must_use]
    pub fn spec(&self) -> &MachineSpec {
        &self.spec
    }

    /// Adds an observer of the L2, beside those that techniques brought.
    pub fn observe_l2(&mut self, observer: impl L2Observer + 'static) {
        self.memory.l2.observers.push(Box::new(observer));
    }

    /// Header of the streams of this machine's L2.
    #[must_use]
    pub fn l2_stream_header(&self) -> StreamHeader {
        StreamHeader {
            line: self.spec.l2.tags.line,
            raster_units: self.units.len() as u32,
        }
    }

    /// Executes a frame, which must be [valid](FrameTrace::validate), after those before it, and holds its counters against
    /// the laws of [conservation](FrameReport::check). After an error the machine is of no further use.
    ///
    /// # Errors
    /// If the tile buffers do not hold the frame's samples, all units wait for each other, the tile scheduler breaks its
    /// contract, counters do not agree, or another thread [asked](Self::interrupt_by) for the frame to be given up.
    pub fn run_frame(&mut self, trace: &FrameTrace) -> Result<FrameReport, FrameError> {
        self.spec.check_samples(trace.grid, trace.samples)?;
        let mut run = FrameRun {
            attribution: Attribution::default(),
            lists: TileLists::default(),
            order: DrawOrder::default(),
            geometry_end: None,
            start: self.now,
            waiters: Vec::new(),
            intervals: Vec::new(),
            interval_base: Interval::default(),
        };
        let mut geometry = Cycles::ZERO;
        if let Some(behind) = trace.behind.as_deref() {
            geometry = self.run_behind(behind, &mut run)?;
        }
        let of_behind = std::mem::take(&mut run.attribution);
        geometry += self.run_pass(trace, &mut run, Self::begin_frame)?;
        self.end_interval(&mut run);
        run.attribution.add_pass_before(of_behind);
        let report = self.take_report(trace, run, geometry);
        report.check(trace)?;
        report.check_pins(&self.spec.dram)?;
        self.n_frames_before += 1;
        self.n_tiles_before += trace.tiles.len() as u64;
        (self.n_tiles_begun).store(self.n_tiles_before, Ordering::Relaxed);
        self.remember(&report);
        Ok(report)
    }

    /// Runs the pass that lies behind, in the machine's own order and whole: techniques work by frames, whose tiles they
    /// compare with those of the frames before, and a second target would be neither. Its tiles are flushed to the place of
    /// the frame's.
    fn run_behind(
        &mut self,
        behind: &FrameTrace,
        run: &mut FrameRun,
    ) -> Result<Cycles, FrameError> {
        let scheduler = WatchedScheduler::new(None, baseline(self.spec.raster.dispatch));
        let scheduler = std::mem::replace(&mut self.scheduler, scheduler);
        let eliders = std::mem::take(&mut self.eliders);
        let geometry = self.run_pass(behind, run, Self::begin_pass);
        self.scheduler = scheduler;
        self.eliders = eliders;
        geometry
    }

    /// Executes one pass; the cycles of its geometry.
    fn run_pass(
        &mut self,
        trace: &FrameTrace,
        run: &mut FrameRun,
        begin: fn(&mut Self, &FrameTrace),
    ) -> Result<Cycles, FrameError> {
        let needs = FrameNeeds {
            frame_buffers: self.spec.display.frame_buffers,
            writes: TargetWrites {
                line: self.spec.l2.tags.line.0,
                by_tile: true,
            },
            attribute_bytes: trace
                .draws
                .iter()
                .map(|draw| u64::from(draw.n_primitives) * draw.primitive_bytes())
                .sum(),
            list_bytes: TileLists::bytes(trace, &self.spec.tiling),
        };
        run.attribution = Attribution::new(trace.tiles.len(), trace.draws.len());
        if self.immediate.is_some() {
            return self.run_immediate(trace, run, begin);
        }
        self.map.place(trace, &needs);
        let facts = PreparedFrame::new(trace, &self.map);
        run.lists = TileLists::new(trace, &self.spec.tiling);
        let start = self.now;
        begin(self, trace);
        self.run_phase(Phase::Geometry, &facts, run)?;
        let geometry_end = self.now;
        self.fetcher.begin_frame();
        self.run_phase(Phase::Raster, &facts, run)?;
        Ok(geometry_end.since(start))
    }

    /// Keeps the frame for schedulers: a tile that was left out keeps the costs of the frame that drew it last.
    fn remember(&mut self, report: &FrameReport) {
        let mut seen = report.clone();
        let before = self.previous.take();
        if let Some(before) = before.filter(|before| before.grid == report.grid) {
            for (tile, last) in seen.tiles.iter_mut().zip(&before.tiles) {
                if tile.skipped {
                    tile.cost = last.cost;
                    tile.fragment_cycles = last.fragment_cycles;
                }
            }
        }
        self.previous = Some(seen);
    }

    fn begin_pass(&mut self, trace: &FrameTrace) {
        self.geometry.begin_frame();
        self.builder.begin_frame();
        match &mut self.immediate {
            Some(immediate) => immediate.keep_schedule(trace.grid),
            None => self.begin_schedule(trace),
        }
    }

    fn begin_frame(&mut self, trace: &FrameTrace) {
        (self.memory.l2.observers).begin_frame(trace.frame, trace.grid);
        self.geometry.begin_frame();
        self.builder.begin_frame();
        let frame_buffers = self.spec.display.frame_buffers;
        self.eliders.begin_frame(trace, frame_buffers);
        self.begin_schedule(trace);
        let buffers = u64::from(self.spec.display.frame_buffers);
        let shown = trace.frame + buffers - 1;
        let base = self.map.target(0, trace.targets.len(), shown);
        (self.display).show(base, self.map.layout(0).bytes(), self.now);
    }

    fn begin_schedule(&mut self, trace: &FrameTrace) {
        let previous = self.previous.as_ref();
        let start = FrameStart {
            frame: trace.frame,
            drawn: self.n_frames_before,
            now: self.now,
            grid: trace.grid,
            order: self.order,
            n_raster_units: self.units.len(),
            previous: previous.filter(|previous| previous.grid == trace.grid),
        };
        match &mut self.immediate {
            Some(immediate) => immediate.begin_schedule(&start),
            None => self.scheduler.begin_frame(&start),
        }
    }

    pub(super) fn run_phase(
        &mut self,
        phase: Phase,
        facts: &PreparedFrame<'_>,
        run: &mut FrameRun,
    ) -> Result<(), FrameError> {
        let mut watchdog = Watchdog::default();
        self.memory.ask_agents();
        loop {
            self.tick(phase, facts, run);
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(FrameError::Interrupted);
            }
            if self.is_done(phase, facts, run)? {
                self.now = self.now.next();
                self.rest();
                return Ok(());
            }
            let next = self.next_wake(phase);
            let stuck =
                watchdog.is_due() && watchdog.is_stuck(self.work_done(), self.memory.is_idle());
            if next == Cycles::MAX || stuck {
                return Err(self.deadlock(phase, facts).into());
            }
            self.now = next;
        }
    }

    /// Whether the phase's work is done.
    fn is_done(
        &self,
        phase: Phase,
        facts: &PreparedFrame<'_>,
        run: &FrameRun,
    ) -> Result<bool, FrameError> {
        match phase {
            Phase::Geometry => Ok(self.geometry.is_done(facts)
                && self.builder.is_idle()
                && self.techniques_ready_at() <= self.now),
            Phase::Raster => self.is_drawn(),
            Phase::Immediate => Ok(self.is_drawn_immediately(facts, run)),
            Phase::Flush => Ok(self.memory.is_idle()
                && (self.immediate.as_ref()).is_none_or(ImmediatePipeline::is_flushed)),
        }
    }

    /// The cycle in which techniques have done their work on the geometry: all is signed, and tiles can be handed out in
    /// the next.
    pub(super) fn techniques_ready_at(&self) -> Cycles {
        let ranked = self.scheduler.ready_at().saturating_sub(Cycles(1));
        self.eliders.done_at().max(ranked)
    }

    /// Whether all tiles have been drawn. With nothing under way, nothing can change the scheduler's answer.
    fn is_drawn(&self) -> Result<bool, FrameError> {
        if let Some(breach) = self.fetcher.breach() {
            return Err(breach.into());
        }
        let is_at_rest = self.fetcher.is_at_rest()
            && self.units.iter().all(RasterUnit::is_idle)
            && self.tile_cache.is_idle()
            && self.memory.is_idle();
        if !is_at_rest {
            return Ok(false);
        }
        let is_done = self.scheduler.is_done()?;
        if !is_done && !self.fetcher.asks_again(&self.units) {
            return Err(self.starved().into());
        }
        Ok(is_done)
    }

    /// The scheduler has tiles and no unit gets one.
    fn starved(&self) -> Deadlock {
        let left = match self.scheduler.n_left() {
            0 => "does not say that all tiles are handed out, and they are".to_owned(),
            n_left => format!("has {n_left} tiles left and none for any Raster Unit"),
        };
        Deadlock {
            cycle: self.now,
            waiting: format!("{} {left}", self.scheduler.owner()),
        }
    }

    /// One cycle of every unit, the memory first.
    fn tick(&mut self, phase: Phase, facts: &PreparedFrame<'_>, run: &mut FrameRun) {
        let now = self.now;
        // Time may have jumped over several, in which then nothing happened.
        while now.since(run.start).0 >= (run.intervals.len() as u64 + 1) * INTERVAL {
            self.end_interval(run);
        }
        self.memory.tick(now);
        self.deliver(run);
        self.display.tick(now, &mut self.memory);
        self.tick_cores(facts, run);
        match phase {
            Phase::Geometry => self.tick_geometry(facts, run),
            Phase::Raster => self.tick_raster(facts, run),
            Phase::Immediate | Phase::Flush => self.tick_immediate(facts, run),
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
        while let Some(response) = self.memory.pop_response(now) {
            let source = usize::from(response.source.0);
            if source < self.cores.len() {
                let line = response.line;
                let copy = self.residents.any_holds(line, &self.cores);
                let left = self.cores[source].fill(line, copy, now);
                self.residents.moved(source, line, left);
            } else if source == self.cores.len() {
                self.geometry.fill(response.line, now);
            } else if let Some(immediate) = &mut self.immediate {
                immediate.fill(source, response.line, now);
            } else {
                self.tile_cache.fill(response.line, &mut run.waiters);
                self.fetcher.line_came();
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
        tick_cores(&mut self.cores, self.now, &mut ports);
    }

    fn tick_geometry(&mut self, facts: &PreparedFrame<'_>, run: &mut FrameRun) {
        let mut ports = BuilderPorts {
            facts,
            map: &self.map,
            lists: &mut run.lists,
            cache: &mut self.tile_cache,
            memory: &mut self.memory,
            elider: &mut self.eliders,
            ports: self.spec.tiling.tile_cache_ports,
            entry_bytes: self.spec.tiling.list_entry_bytes,
        };
        self.builder.tick(self.now, &mut ports);
        self.tick_pipeline(facts, run, None);
    }

    /// The Geometry Pipeline; vertices may be fetched as far ahead of the assembled ones as `vertices_ahead` allows.
    pub(super) fn tick_pipeline(
        &mut self,
        facts: &PreparedFrame<'_>,
        run: &mut FrameRun,
        vertices_ahead: Option<u64>,
    ) {
        let mut ports = GeometryPorts {
            facts,
            map: &self.map,
            memory: &mut self.memory,
            cores: &mut self.cores,
            eligible: &self.vertex_cores,
            attribution: &mut run.attribution,
            triangles: &mut self.builder.queue,
            vertices_ahead,
            elider: &mut self.eliders,
        };
        self.geometry.tick(self.now, &mut ports);
    }

    fn tick_raster(&mut self, facts: &PreparedFrame<'_>, run: &mut FrameRun) {
        let per_unit = self.spec.raster.cores_per_unit as usize;
        let line_bytes = self.spec.l2.tags.line.0;
        let (mut moved, mut has_room_again) = (false, false);
        let mut others = self.cores.as_mut_slice();
        for unit in &mut self.units {
            let (cores, behind) = others.split_at_mut(per_unit);
            others = behind;
            let mut ports = RasterPorts {
                facts,
                map: &self.map,
                cores,
                memory: &mut self.memory,
                attribution: &mut run.attribution,
                elider: &mut self.eliders,
                frame_start: run.start,
                line_bytes,
                ideal: self.spec.ideal.colors,
            };
            let n_held = unit.n_held();
            moved |= unit.tick(self.now, &mut ports);
            has_room_again |= unit.n_held() < n_held;
        }
        if !has_room_again && !self.fetcher.is_due(self.now) {
            if moved || self.fetcher.is_refused() {
                self.fetcher.pass_turn();
            }
            return;
        }
        let mut ports = FetchPorts {
            facts,
            map: &self.map,
            lists: &run.lists,
            cache: &mut self.tile_cache,
            memory: &mut self.memory,
            units: &mut self.units,
            scheduler: &mut self.scheduler,
            elider: &mut self.eliders,
            attribution: &mut run.attribution,
            frame_start: run.start,
        };
        self.fetcher.tick(self.now, &mut ports);
    }
}

/// Owner of a line of the Parameter Buffer: a draw for its attributes, or a tile for its list. Lines that an earlier frame
/// has left in a cache are charged to the draws and tiles that have the place now.
fn owner(line: u64, facts: &PreparedFrame<'_>, map: &MemoryMap, lists: &TileLists) -> (u32, u32) {
    if let Some(draw) = facts.draw_at(line) {
        return (NOBODY, draw);
    }
    let tile = line.checked_sub(map.lists).and_then(|at| lists.tile_at(at));
    (tile.unwrap_or(NOBODY), NOBODY)
}
