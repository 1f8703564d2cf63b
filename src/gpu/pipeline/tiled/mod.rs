//! The pipeline of a machine with tiles: the Tiling Engine lists triangles by tile; when all are listed, Raster Units draw
//! tile after tile in memories on the chip.

use super::{Common, Pass, PipelineCounters, PixelPipeline, Role};
use crate::cache::{CacheSpecError, Victim};
use crate::elide::{Elider, ElisionStack};
use crate::failure::{Deadlock, FrameError};
use crate::frame::PreparedFrame;
use crate::machine::MachineSpec;
use crate::memory::{FrameNeeds, LineCache, NOBODY, Source, Traffic, Waiter};
use crate::raster::{RasterPorts, RasterUnit};
use crate::report::TechniqueReport;
use crate::schedule::{FrameStart, WatchedScheduler, baseline};
use crate::seams::Wiring;
use crate::tiling::{BuilderPorts, FetchPorts, PolygonListBuilder, TileFetcher, TileLists};
use azulejo_trace::FrameTrace;
use azulejo_units::Cycles;

/// Half of the pipeline that works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Geometry,
    Raster,
}

/// Order of tiles, and work on them to leave out.
#[derive(Debug)]
struct Direction {
    scheduler: WatchedScheduler,
    eliders: ElisionStack,
}

/// Tiling Engine and Raster Units.
#[derive(Debug)]
pub(crate) struct TiledPipeline {
    units: Vec<RasterUnit>,
    fetcher: TileFetcher,
    builder: PolygonListBuilder,
    tile_cache: LineCache,
    lists: TileLists,
    /// Source of requests for tiles that begin with a texture's content.
    loads: Source,
    /// The machine's own for passes before the last, techniques' for that, by [`Role`].
    directions: [Direction; 2],
    role: Role,
    phase: Phase,
    geometry_end: Cycles,
    waiters: Vec<Waiter>,
}

impl TiledPipeline {
    /// Its one cache has this number as a source of requests, and loads of tiles the next.
    pub(crate) fn new(
        spec: &MachineSpec,
        wiring: &mut Wiring,
        source: usize,
    ) -> Result<Self, CacheSpecError> {
        let (n_units, tiling) = (spec.raster.units.len(), &spec.tiling);
        let cache = &tiling.tile_cache;
        let tags = wiring.tags(|seams| &seams.tile_cache, cache.tags, Victim::Lru)?;
        let loads = Source(source as u16 + 1);
        let source = Source(source as u16);
        let own = || WatchedScheduler::new(None, baseline(spec.raster.dispatch));
        let scheduler = wiring.take(|seams| &mut seams.scheduler);
        let scheduler = scheduler.map_or_else(own, |(technique, scheduler)| {
            WatchedScheduler::new(Some(technique), scheduler)
        });
        let mut eliders = ElisionStack::default();
        for (_, elider) in wiring.take_all(|seams| &mut seams.elider) {
            eliders.push(elider);
        }
        let before = Direction {
            scheduler: own(),
            eliders: ElisionStack::default(),
        };
        Ok(Self {
            units: (0..n_units)
                .map(|_| RasterUnit::new(&spec.raster))
                .collect(),
            fetcher: TileFetcher::new(n_units, tiling),
            builder: PolygonListBuilder::default(),
            tile_cache: LineCache::with_tags(cache, tags, source, spec.ideal.tile_cache)
                .with_banks(tiling.tile_cache_banks),
            lists: TileLists::default(),
            loads,
            directions: [before, Direction { scheduler, eliders }],
            role: Role::Last,
            phase: Phase::Geometry,
            geometry_end: Cycles::ZERO,
            waiters: Vec::new(),
        })
    }

    fn direction(&self) -> &Direction {
        &self.directions[self.role as usize]
    }

    /// The cycle in which techniques have done their work on the geometry: all is signed, and tiles can be handed out in
    /// the next.
    fn techniques_ready_at(&self) -> Cycles {
        let Direction { scheduler, eliders } = self.direction();
        let ranked = scheduler.ready_at().saturating_sub(Cycles(1));
        eliders.done_at().max(ranked)
    }

    /// Whether all tiles have been drawn. With nothing under way, nothing can change the scheduler's answer.
    fn is_drawn(&self, now: Cycles, common: &Common) -> Result<bool, FrameError> {
        if let Some(breach) = self.fetcher.breach() {
            return Err(breach.into());
        }
        let is_at_rest = self.fetcher.is_at_rest()
            && self.units.iter().all(RasterUnit::is_idle)
            && self.tile_cache.is_idle()
            && common.memory.is_idle();
        if !is_at_rest {
            return Ok(false);
        }
        let scheduler = &self.direction().scheduler;
        let is_done = scheduler.is_done()?;
        if !is_done && !self.fetcher.asks_again(&self.units) {
            return Err(starved(scheduler, now).into());
        }
        Ok(is_done)
    }

    fn tick_geometry(&mut self, now: Cycles, pass: &mut Pass<'_, '_>, common: &mut Common) {
        let tiling = &common.spec.tiling;
        let eliders = &mut self.directions[self.role as usize].eliders;
        let mut ports = BuilderPorts {
            facts: pass.facts,
            map: &common.map,
            lists: &mut self.lists,
            cache: &mut self.tile_cache,
            memory: &mut common.memory,
            elider: eliders,
            ports: tiling.tile_cache_ports,
            entry_bytes: tiling.list_entry_bytes,
        };
        self.builder.tick(now, &mut ports);
        common.tick_geometry(now, pass, &mut self.builder.queue, None, eliders);
    }

    fn tick_raster(&mut self, now: Cycles, pass: &mut Pass<'_, '_>, common: &mut Common) {
        let per_unit = common.spec.raster.cores_per_unit as usize;
        let line_bytes = common.spec.l2.tags.line.0;
        let Direction { scheduler, eliders } = &mut self.directions[self.role as usize];
        let (mut moved, mut has_room_again) = (false, false);
        let mut others = common.cores.as_mut_slice();
        for (nth, unit) in self.units.iter_mut().enumerate() {
            let (cores, behind) = others.split_at_mut(per_unit);
            others = behind;
            let mut ports = RasterPorts {
                facts: pass.facts,
                map: &common.map,
                cores,
                memory: &mut common.memory,
                source: Source((nth * per_unit) as u16),
                loads: self.loads,
                attribution: pass.attribution,
                elider: eliders,
                frame_start: pass.frame_start,
                line_bytes,
                ideal: common.spec.ideal.colors,
            };
            let n_held = unit.n_held();
            moved |= unit.tick(now, &mut ports);
            has_room_again |= unit.n_held() < n_held;
        }
        if !has_room_again && !self.fetcher.is_due(now) {
            if moved || self.fetcher.is_refused() {
                self.fetcher.pass_turn();
            }
            return;
        }
        let mut ports = FetchPorts {
            facts: pass.facts,
            map: &common.map,
            lists: &self.lists,
            cache: &mut self.tile_cache,
            memory: &mut common.memory,
            units: &mut self.units,
            scheduler,
            elider: eliders,
            attribution: pass.attribution,
            frame_start: pass.frame_start,
        };
        self.fetcher.tick(now, &mut ports);
    }

    fn waiting_tiles(&self) -> Vec<String> {
        let n_left = self.direction().scheduler.n_left();
        let busy = (0..).zip(&self.units).filter(|(_, unit)| !unit.is_idle());
        let busy: Vec<String> = busy.map(|(nth, _): (u32, _)| nth.to_string()).collect();
        let mut waiting = vec![format!("{n_left} tiles are not handed out")];
        if !busy.is_empty() {
            waiting.push(format!("Raster Units with a tile: {}", busy.join(", ")));
        }
        waiting
    }
}

impl PixelPipeline for TiledPipeline {
    fn prepare<'f>(&mut self, trace: &'f FrameTrace, common: &mut Common) -> PreparedFrame<'f> {
        let spec = &common.spec;
        let (buffers, line) = (spec.display.frame_buffers, spec.l2.tags.line.0);
        let list_bytes = TileLists::bytes(trace, &spec.tiling);
        let needs = FrameNeeds::with_tiles(trace, buffers, line, list_bytes);
        common.map.place(trace, &needs);
        if common.map.has_written() {
            let areas = common.map.written_areas(Traffic::ParameterWrite);
            common.memory.l2.written_areas = Some(areas);
        }
        self.lists = TileLists::new(trace, &spec.tiling);
        PreparedFrame::new(trace, &common.map)
    }

    fn begin(
        &mut self,
        role: Role,
        start: &FrameStart<'_>,
        facts: &PreparedFrame<'_>,
        common: &Common,
    ) {
        self.role = role;
        self.phase = Phase::Geometry;
        self.builder.begin_frame();
        let Direction { scheduler, eliders } = &mut self.directions[role as usize];
        eliders.begin_frame(facts.trace, common.spec.display.frame_buffers);
        scheduler.begin_frame(start);
    }

    fn tick(&mut self, now: Cycles, pass: &mut Pass<'_, '_>, common: &mut Common) {
        match self.phase {
            Phase::Geometry => self.tick_geometry(now, pass, common),
            Phase::Raster => self.tick_raster(now, pass, common),
        }
        self.tile_cache.tick(&mut common.memory);
    }

    fn fill(&mut self, source: usize, line: u64, now: Cycles) {
        if source == usize::from(self.loads.0) {
            self.color_arrived(line);
            return;
        }
        self.tile_cache.fill(line, &mut self.waiters);
        self.fetcher.line_came();
        for waiter in self.waiters.drain(..) {
            self.fetcher.wake(waiter, now);
        }
    }

    fn color_arrived(&mut self, line: u64) {
        for unit in &mut self.units {
            unit.color_arrived(line);
        }
    }

    /// A draw for its attributes, or a tile for its list. Lines that an earlier frame has left in a cache are charged to
    /// the draws and tiles that have the place now.
    fn owner(&self, line: u64, facts: &PreparedFrame<'_>, common: &Common) -> (u32, u32) {
        if let Some(draw) = facts.draw_at(line) {
            return (NOBODY, draw);
        }
        let at = line.checked_sub(common.map.lists);
        let tile = at.and_then(|at| self.lists.tile_at(at));
        (tile.unwrap_or(NOBODY), NOBODY)
    }

    fn is_done(
        &self,
        now: Cycles,
        facts: &PreparedFrame<'_>,
        common: &Common,
    ) -> Result<bool, FrameError> {
        match self.phase {
            Phase::Geometry => Ok(common.geometry.is_done(facts)
                && self.builder.is_idle()
                && self.techniques_ready_at() <= now),
            Phase::Raster => self.is_drawn(now, common),
        }
    }

    fn end_phase(&mut self, now: Cycles) -> bool {
        self.builder.rest(now);
        self.fetcher.rest(now);
        self.units.iter_mut().for_each(|unit| unit.rest(now));
        if self.phase == Phase::Raster {
            return false;
        }
        self.phase = Phase::Raster;
        self.geometry_end = now;
        self.fetcher.begin_frame();
        true
    }

    fn geometry_end(&self) -> Cycles {
        self.geometry_end
    }

    fn next_wake(&self, now: Cycles, common: &Common) -> Cycles {
        match self.phase {
            Phase::Geometry => {
                let ready = self.techniques_ready_at();
                let ready = if ready > now { ready } else { Cycles::MAX };
                let units = common.geometry.next_wake(now);
                units.min(self.builder.next_wake(now)).min(ready)
            }
            Phase::Raster => {
                let units = self.units.iter().map(|unit| unit.next_wake(now));
                units.fold(self.fetcher.next_wake(now), Cycles::min)
            }
        }
    }

    fn waiting(&self, now: Cycles, facts: &PreparedFrame<'_>, common: &Common) -> Vec<String> {
        if self.phase == Phase::Raster {
            return self.waiting_tiles();
        }
        let mut waiting = common.waiting_geometry(facts, self.builder.n_waiting());
        let ready = self.techniques_ready_at();
        if ready > now {
            waiting.push(format!("a technique is ready in cycle {ready}"));
        }
        waiting
    }

    fn work_done(&self) -> u64 {
        let units = self.units.iter().map(RasterUnit::work_done).sum::<u64>();
        units + self.builder.work_done() + self.fetcher.work_done()
    }

    fn n_tiles_begun(&self) -> u64 {
        self.fetcher.n_begun()
    }

    fn take_counters(&mut self, now: Cycles) -> PipelineCounters {
        let units = self.units.iter_mut();
        PipelineCounters {
            list_builder: self.builder.take_counters(now),
            tile_fetcher: self.fetcher.take_counters(now),
            tile_cache: self.tile_cache.take_counters(),
            raster_units: units.map(|unit| unit.take_counters(now)).collect(),
            ..PipelineCounters::default()
        }
    }

    fn take_reports(&mut self) -> Vec<TechniqueReport> {
        let Direction { scheduler, eliders } = &mut self.directions[Role::Last as usize];
        eliders
            .take_reports()
            .chain(scheduler.take_report())
            .collect()
    }
}

/// The scheduler has tiles and no unit gets one.
fn starved(scheduler: &WatchedScheduler, now: Cycles) -> Deadlock {
    let left = match scheduler.n_left() {
        0 => "does not say that all tiles are handed out, and they are".to_owned(),
        n_left => format!("has {n_left} tiles left and none for any Raster Unit"),
    };
    Deadlock {
        cycle: now,
        waiting: format!("{} {left}", scheduler.owner()),
    }
}
