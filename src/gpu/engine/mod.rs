//! The machine: one clock and one loop over its pipeline, its cores and its memory.
//!
//! In a cycle, memory goes first (what arrives can be used at once), then cores, then the other units from the last to the
//! first, so that an item moves one stage a cycle. After each cycle every unit says when it could do something by itself;
//! time jumps to the earliest of these. A unit changes things for another in a cycle that is visited, and there
//! every unit is asked.

mod accounting;
mod build;
mod clock;
mod passes;
mod sharing;
mod watchdog;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use passes::{PassCost, PassCosts};
pub use sharing::{FrameBuffer, Rest};
use watchdog::Watchdog;

use crate::cache::StreamHeader;
use crate::failure::FrameError;
use crate::frame::PreparedFrame;
use crate::machine::MachineSpec;
use crate::memory::{L2Observer, Traffic};
use crate::output::Display;
use crate::pipeline::{Common, Pass, PixelPipeline, Role};
use crate::report::{FrameReport, INTERVAL, Interval};
use crate::schedule::FrameStart;
use crate::statistics::Attribution;
use azulejo_grid::TileOrder;
use azulejo_trace::FrameTrace;
use azulejo_units::Cycles;

/// A GPU with its memory. State that lives from frame to frame (cache contents, open rows, addresses) stays in it.
#[derive(Debug)]
pub struct Gpu {
    now: Cycles,
    common: Common,
    /// Everything behind assembly; while a compute pass runs, its dispatcher.
    pipeline: Box<dyn PixelPipeline>,
    /// The other of the two.
    beside: Box<dyn PixelPipeline>,
    display: Display,
    /// Techniques by name, in the order in which they were given.
    techniques: Vec<&'static str>,
    /// The walk over the tiles that schedulers start from.
    order: TileOrder,
    /// The last frame as schedulers see it.
    previous: Option<FrameReport>,
    /// Frames and tiles of all frames before, and tiles with those of the frame under way, for other threads to see.
    n_frames_before: u64,
    n_tiles_before: u64,
    n_tiles_begun: Arc<AtomicU64>,
    /// Textures that passes have drawn to since the texture caches were emptied, by place.
    redrawn: BTreeSet<u64>,
    /// Whether another thread has asked for the frame under way to be given up.
    interrupt: Arc<AtomicBool>,
}

/// State of a frame under way that belongs to no unit.
#[derive(Debug, Default)]
struct FrameRun {
    attribution: Attribution,
    start: Cycles,
    intervals: Vec<Interval>,
    /// Counts of the frame when the current interval began.
    interval_base: Interval,
}

impl Gpu {
    /// Parameters that the machine was built from.
    #[must_use]
    pub fn spec(&self) -> &MachineSpec {
        &self.common.spec
    }

    /// Adds an observer of the L2, beside those that techniques brought.
    pub fn observe_l2(&mut self, observer: impl L2Observer + 'static) {
        self.common.memory.l2.observers.push(Box::new(observer));
    }

    /// Header of the streams of this machine's L2.
    #[must_use]
    pub fn l2_stream_header(&self) -> StreamHeader {
        StreamHeader {
            line: self.spec().l2.tags.line,
            raster_units: self.spec().raster.units.len() as u32,
        }
    }

    /// Executes a frame, which must be [valid](FrameTrace::validate), after those before it, and holds its counters against
    /// the laws of [conservation](FrameReport::check). After an error the machine is of no further use.
    ///
    /// # Errors
    /// If the tile buffers do not hold the frame's samples, all units wait for each other, the tile scheduler breaks its
    /// contract, counters do not agree, or another thread [asked](Self::interrupt_by) for the frame to be given up.
    pub fn run_frame(&mut self, trace: &FrameTrace) -> Result<FrameReport, FrameError> {
        for pass in trace.passes() {
            self.spec().check_tile_buffers(pass)?;
            self.spec().check_workgroups(pass)?;
        }
        let mut run = FrameRun {
            start: self.now,
            ..FrameRun::default()
        };
        let mut passes = PassCosts::default();
        for pass in &trace.before {
            let is_elsewhere = pass.grid != trace.grid;
            self.common.memory.l2.observers.begin_pass(is_elsewhere);
            if pass.is_compute() {
                std::mem::swap(&mut self.pipeline, &mut self.beside);
            }
            self.run_pass(Role::Before, pass, (&mut run, &mut passes))?;
            if pass.is_compute() {
                std::mem::swap(&mut self.pipeline, &mut self.beside);
            }
        }
        self.common.memory.l2.observers.begin_pass(false);
        self.run_pass(Role::Last, trace, (&mut run, &mut passes))?;
        self.end_interval(&mut run);
        let report = self.take_report(trace, run, passes);
        report.check(trace)?;
        report.check_pins(&self.spec().dram)?;
        self.n_frames_before += 1;
        self.n_tiles_before += trace.tiles.len() as u64;
        (self.n_tiles_begun).store(self.n_tiles_before, Ordering::Relaxed);
        self.remember(&report);
        Ok(report)
    }

    /// Executes one pass.
    fn run_pass(
        &mut self,
        role: Role,
        trace: &FrameTrace,
        (run, passes): (&mut FrameRun, &mut PassCosts),
    ) -> Result<(), FrameError> {
        run.attribution = Attribution::new(
            trace.tiles.len(),
            trace.draws.len() + trace.dispatches.len(),
        );
        let facts = self.pipeline.prepare(trace, &mut self.common);
        self.drop_redrawn_texels(trace);
        let (start, before) = (self.now, self.counted());
        self.begin_pass(role, &facts);
        loop {
            self.run_phase(&facts, run)?;
            self.common.geometry.rest(self.now);
            if !self.pipeline.end_phase(self.now) {
                break;
            }
        }
        self.redrawn.extend(self.common.map.drawn_by(trace));
        passes.push(PassCost {
            cycles: self.now.since(start),
            geometry: self.pipeline.geometry_end().since(start),
            activity: Interval {
                start: start.since(run.start),
                ..self.counted().since(&before)
            },
            attribution: std::mem::take(&mut run.attribution),
        });
        Ok(())
    }

    /// Empties the texture caches before a pass that samples what passes have drawn since, as a driver's barrier does.
    fn drop_redrawn_texels(&mut self, trace: &FrameTrace) {
        let Common {
            map,
            cores,
            residents,
            ..
        } = &mut self.common;
        let of_draws = trace.draws.iter().flat_map(|draw| &draw.textures);
        let of_dispatches = (trace.dispatches.iter()).flat_map(|dispatch| &dispatch.textures);
        let mut sampled = of_draws.chain(of_dispatches);
        if sampled.any(|texture| self.redrawn.contains(&map.textures[texture.0 as usize])) {
            residents.empty(cores);
            self.redrawn.clear();
        }
    }

    fn begin_pass(&mut self, role: Role, facts: &PreparedFrame<'_>) {
        let trace = facts.trace;
        let previous = self.previous.as_ref();
        let start = FrameStart {
            frame: trace.frame,
            drawn: self.n_frames_before,
            now: self.now,
            grid: trace.grid,
            order: self.order,
            n_raster_units: self.spec().raster.units.len(),
            previous: previous.filter(|previous| previous.grid == trace.grid),
        };
        self.common.geometry.begin_frame();
        for core in &mut self.common.cores {
            core.begin_pass(&facts.programs);
        }
        self.pipeline.begin(role, &start, facts, &self.common);
        if role == Role::Last {
            let Common {
                spec, memory, map, ..
            } = &mut self.common;
            memory.l2.observers.begin_frame(trace.frame, trace.grid);
            let shown = trace.frame + u64::from(spec.display.frame_buffers) - 1;
            let base = map.target(0, trace.targets.len(), shown);
            self.display.show(base, map.layout(0).bytes(), self.now);
        }
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

    /// Runs the pipeline's phase until its work is done.
    fn run_phase(
        &mut self,
        facts: &PreparedFrame<'_>,
        run: &mut FrameRun,
    ) -> Result<(), FrameError> {
        let mut watchdog = Watchdog::default();
        self.common.memory.ask_agents();
        loop {
            self.tick(facts, run);
            if self.interrupt.load(Ordering::Relaxed) {
                return Err(FrameError::Interrupted);
            }
            if self.pipeline.is_done(self.now, facts, &self.common)? {
                self.now = self.now.next();
                return Ok(());
            }
            let next = self.next_wake();
            let stuck = watchdog.is_due()
                && watchdog.is_stuck(self.work_done(), self.common.memory.is_idle());
            if next == Cycles::MAX || stuck {
                return Err(self.deadlock(facts).into());
            }
            self.now = next;
        }
    }

    /// One cycle of every unit, the memory first.
    fn tick(&mut self, facts: &PreparedFrame<'_>, run: &mut FrameRun) {
        let now = self.now;
        // Time may have jumped over several, in which then nothing happened.
        while now.since(run.start).0 >= (run.intervals.len() as u64 + 1) * INTERVAL {
            self.end_interval(run);
        }
        self.common.memory.tick(now);
        self.deliver();
        self.display.tick(now, &mut self.common.memory);
        let mut pass = Pass {
            facts,
            attribution: &mut run.attribution,
            frame_start: run.start,
        };
        self.common.tick_cores(now, &mut pass);
        self.pipeline.tick(now, &mut pass, &mut self.common);
        self.charge_transfers(&mut pass);
    }

    /// Hands on the lines that the memory has sent.
    fn deliver(&mut self) {
        let (now, common) = (self.now, &mut self.common);
        let n_cores = common.cores.len();
        while let Some(response) = common.memory.pop_response(now) {
            let source = usize::from(response.source.0);
            if let Some((core, is_atomic)) = response.source.core_of_data() {
                common.cores[core].fill_data(response.line, is_atomic, now);
            } else if source < n_cores {
                common.fill_core(source, response.line, now);
            } else if source == n_cores {
                common.geometry.fill(response.line, now);
            } else {
                self.pipeline.fill(source, response.line, now);
            }
        }
        for line in common.memory.direct_arrivals.drain(..) {
            self.pipeline.color_arrived(line);
        }
    }

    /// Charges lines that went to the DRAM, or came from it, to their tiles and draws.
    fn charge_transfers(&mut self, pass: &mut Pass<'_, '_>) {
        let mut transfers = std::mem::take(&mut self.common.memory.l2.transfers);
        for transfer in transfers.drain(..) {
            let mut requester = transfer.requester;
            if requester.traffic == Traffic::ParameterWrite {
                (requester.tile, requester.draw) =
                    (self.pipeline).owner(transfer.line, pass.facts, &self.common);
            }
            let attribution = &mut pass.attribution;
            attribution.dram_line(requester.tile, requester.draw, requester.traffic);
        }
        self.common.memory.l2.transfers = transfers;
    }
}
