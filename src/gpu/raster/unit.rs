//! The stages of one Raster Unit put together, last stage first, so that an item moves one stage a cycle.

use super::blend::BlendStage;
use super::early_z::EarlyZ;
use super::flush::LineWalk;
use super::fragment::{DispatchPorts, FragmentStage};
use super::rasteriser::{FifoEntry, Rasteriser};
use super::tiles::{ColorBuffer, Tiles};
use crate::access::AccessKind;
use crate::elide::{Elider, Verdict};
use crate::frame::PreparedFrame;
use crate::machine::RasterSpec;
use crate::memory::{LineRequest, MemoryMap, MemorySystem, NOBODY, Requester, Source, Traffic};
use crate::shading::Core;
use crate::statistics::{Activity, ActivityCounters, Attribution, State};
use azulejo_grid::TileId;
use azulejo_units::Cycles;

/// Inputs and outputs of a unit in a cycle.
#[derive(Debug)]
pub(crate) struct RasterPorts<'a, 'f> {
    pub(crate) facts: &'a PreparedFrame<'f>,
    pub(crate) map: &'a MemoryMap,
    /// Shader cores of the unit alone.
    pub(crate) cores: &'a mut [Core],
    pub(crate) memory: &'a mut MemorySystem,
    /// Number of the unit's first core as a source of requests.
    pub(crate) source: Source,
    /// Source of requests for lines that tiles begin with.
    pub(crate) loads: Source,
    pub(crate) attribution: &'a mut Attribution,
    pub(crate) elider: &'a mut dyn Elider,
    /// Cycle at which the frame began.
    pub(crate) frame_start: Cycles,
    pub(crate) line_bytes: u64,
    /// Loads and flushes never use the memory, so that none waits.
    pub(crate) ideal: bool,
}

/// Counters of a Raster Unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct RasterUnitCounters {
    /// Cycles of the rasteriser.
    pub rasteriser: ActivityCounters,
    /// Cycles of the early depth test.
    pub early_z: ActivityCounters,
    /// Warp dispatch; stalled = quads wait for cores or for the tile before.
    pub dispatch: ActivityCounters,
    /// Any warp of the unit is resident.
    pub fragment: ActivityCounters,
    /// Blending; stalled = waits for the colour buffer.
    pub blend: ActivityCounters,
    /// Colour flush; stalled = waits for the memory.
    pub flush: ActivityCounters,
    /// Tiles drawn by the unit.
    pub tiles: u64,
    /// Primitives taken from the FIFO.
    pub primitives: u64,
    /// Attributes of these primitives, each set up for its triangle.
    pub attributes_set_up: u64,
    /// Quads emitted by the rasteriser.
    pub quads_rasterised: u64,
    /// Attributes interpolated, over all fragments of these quads.
    pub attributes_interpolated: u64,
    /// Quads in the early depth test.
    pub early_z_tested: u64,
    /// Quads killed by the early depth test.
    pub early_z_killed: u64,
    /// Warps dispatched to the cores.
    pub warps: u64,
    /// Quads in the warps dispatched.
    pub quads_shaded: u64,
    /// Quads through blending, killed ones included.
    pub quads_blended: u64,
    /// Quads in the late depth test.
    pub late_z_tested: u64,
    /// Quads of which nothing was left to blend.
    pub late_killed: u64,
    /// Bytes of finished tiles.
    pub flush_bytes: u64,
    /// Lines written for them.
    pub flush_lines: u64,
    /// Bytes of tiles loaded.
    pub load_bytes: u64,
    /// Flushes that a technique left out.
    pub flushes_skipped: u64,
}

/// A line of a tile's colours, to be loaded or flushed.
#[derive(Debug, Clone, Copy)]
struct ColorLine {
    line: u64,
    tile: u32,
    kind: AccessKind,
    in_texture: bool,
}

impl RasterPorts<'_, '_> {
    /// Sends a request for a line of a tile's colours: through the L2 where it is a texture's, around it where it is the
    /// frame buffer's. False where the way is full.
    fn send(&mut self, now: Cycles, line: ColorLine) -> bool {
        let ColorLine { tile, kind, .. } = line;
        let requester = |traffic| Requester {
            traffic,
            tile,
            draw: NOBODY,
        };
        let (around, source) = match kind {
            AccessKind::Read => (Traffic::ColorLoad, self.loads),
            AccessKind::Write => (Traffic::ColorFlush, self.source),
        };
        if !line.in_texture {
            return (self.memory).push_direct(now, line.line, kind, requester(around));
        }
        let has_room = self.memory.has_room(line.line);
        if has_room {
            self.memory.push(LineRequest {
                line: line.line,
                source,
                requester: requester(Traffic::Color),
                is_write: kind == AccessKind::Write,
            });
        }
        has_room
    }
}

#[derive(Debug, Default)]
struct Activities {
    rasteriser: Activity,
    early_z: Activity,
    dispatch: Activity,
    fragment: Activity,
    blend: Activity,
    flush: Activity,
}

/// A Raster Unit without its cores.
#[derive(Debug)]
pub(crate) struct RasterUnit {
    spec: RasterSpec,
    rasteriser: Rasteriser,
    early_z: EarlyZ,
    fragments: FragmentStage,
    blend: BlendStage,
    tiles: Tiles,
    /// Tiles begun and not yet flushed.
    n_tiles: u32,
    activities: Activities,
    counters: RasterUnitCounters,
    progress: bool,
    polls: bool,
    wake: Cycles,
}

impl RasterUnit {
    pub(crate) fn new(spec: &RasterSpec) -> Self {
        Self {
            spec: spec.clone(),
            rasteriser: Rasteriser::default(),
            early_z: EarlyZ::default(),
            fragments: FragmentStage::new(spec),
            blend: BlendStage::default(),
            tiles: Tiles::default(),
            n_tiles: 0,
            activities: Activities::default(),
            counters: RasterUnitCounters::default(),
            progress: false,
            polls: false,
            wake: Cycles::MAX,
        }
    }

    /// Whether the FIFO takes another primitive.
    pub(crate) fn has_room(&self) -> bool {
        self.rasteriser.has_room(&self.spec)
    }

    /// Whether another tile may be fetched for this unit.
    pub(crate) fn takes_tile(&self) -> bool {
        self.n_tiles < self.spec.tiles_in_flight
    }

    /// Primitives in the FIFO and tiles inside. When it falls, the unit may take what it did not take before.
    pub(crate) fn n_held(&self) -> u32 {
        self.rasteriser.primitives_in_fifo + self.n_tiles
    }

    /// Puts an entry into the FIFO; primitives only if it has room.
    pub(crate) fn push(&mut self, entry: FifoEntry) {
        self.n_tiles += u32::from(matches!(entry, FifoEntry::Begin(_)));
        self.rasteriser.push(entry);
        self.progress = true;
    }

    /// Work inside, for the scheduler: primitives that wait and quads that are somewhere.
    pub(crate) fn occupancy(&self) -> usize {
        self.rasteriser.primitives_in_fifo as usize
            + self.early_z.len()
            + self.fragments.queue.len()
            + 4 * self.fragments.n_flights
    }

    /// Tiles of the frame that have left the unit.
    pub(crate) fn n_tiles_drawn(&self) -> u64 {
        self.counters.tiles
    }

    /// Grows with everything that the unit does in a frame.
    pub(crate) fn work_done(&self) -> u64 {
        let counters = &self.counters;
        let colors = counters.tiles + counters.flush_lines + counters.load_bytes;
        let quads = self.rasteriser.quads + self.early_z.tested + self.fragments.quads;
        self.rasteriser.primitives + quads + self.blend.quads + colors
    }

    /// Whether no tile is inside.
    pub(crate) fn is_idle(&self) -> bool {
        self.rasteriser.is_empty() && self.tiles.is_empty()
    }

    /// Lines that this unit's tile waits for have come; others are ignored.
    pub(crate) fn color_arrived(&mut self, line: u64) {
        let stage = self.tiles.blend;
        if let Some(tile) = self.tiles.owner(stage) {
            let before = tile.loading.len();
            tile.loading.retain(|wanted| *wanted != line);
            self.progress |= tile.loading.len() != before;
        }
    }

    /// Whether a cycle at `now` could change anything.
    fn is_due(&self, now: Cycles, cores: &[Core]) -> bool {
        self.progress
            || self.polls
            || self.wake <= now
            || cores.iter().any(|core| !core.finished.is_empty())
    }

    /// One cycle; returns whether something moved.
    pub(crate) fn tick(&mut self, now: Cycles, ports: &mut RasterPorts<'_, '_>) -> bool {
        if !self.is_due(now, ports.cores) {
            return false;
        }
        let facts = ports.facts;
        let flush = self.flush(now, ports);
        let taken = self.prepare_color(now, ports);
        let stages = (&mut self.fragments, &mut self.early_z, &mut *ports.cores);
        let blend = self
            .blend
            .tick(now, &self.spec, facts, &mut self.tiles, stages);
        let collected =
            self.fragments
                .collect(now, &mut self.tiles, ports.cores, ports.attribution);
        let closed = self.is_closed();
        let dispatch = DispatchPorts {
            cores: ports.cores,
            closed,
        };
        let dispatch = self
            .fragments
            .tick(now, &self.spec, facts, &mut self.tiles, dispatch);
        let queue = &mut self.fragments.queue;
        let waited = self.early_z.waits_for_late;
        let early_z = self
            .early_z
            .tick(now, &self.spec, facts, &mut self.tiles, queue);
        // The late test that it waits for may be of a quad in an incomplete warp, which goes in the next cycle.
        let waits = self.early_z.waits_for_late && !waited;
        let rasteriser =
            self.rasteriser
                .tick(now, &self.spec, facts, &mut self.tiles, &mut self.early_z);
        let advanced = self.advance(now, ports);
        let states = [flush, blend, dispatch, early_z, rasteriser];
        self.progress = taken || collected || advanced || waits || states.contains(&State::Busy);
        let activities = &mut self.activities;
        activities.flush.set(flush, now);
        activities.blend.set(blend, now);
        activities.dispatch.set(dispatch, now);
        activities.early_z.set(early_z, now);
        activities.rasteriser.set(rasteriser, now);
        let resident = self.fragments.n_flights > 0;
        let fragment = if resident { State::Busy } else { State::Idle };
        activities.fragment.set(fragment, now);
        // Memory makes room without telling.
        self.polls = flush == State::Stalled || self.is_loading();
        self.wake = self.find_wake(now);
        self.progress
    }

    /// Whether an incomplete warp need not wait: no quads can come that fit, or they wait for it, or none are in sight.
    fn is_closed(&mut self) -> bool {
        let starved = self.early_z.len() == 0 && self.rasteriser.is_empty();
        // The rasteriser may be busy with the next tile, the quads of which wait for this one's late tests.
        let stage = self.tiles.fragment;
        let whole =
            (self.tiles.owner(stage)).is_some_and(|tile| tile.raster_done && tile.in_early_z == 0);
        self.early_z.waits_for_late || starved || whole
    }

    fn is_loading(&mut self) -> bool {
        let stage = self.tiles.blend;
        let owner = self.tiles.owner(stage);
        owner.is_some_and(|tile| tile.color == ColorBuffer::Loading)
    }

    /// Writes lines of the oldest tile if that has left the blend stage.
    fn flush(&mut self, now: Cycles, ports: &mut RasterPorts<'_, '_>) -> State {
        if self.tiles.flush >= self.tiles.blend {
            return State::Idle;
        }
        let stage = self.tiles.flush;
        let Some(tile) = self.tiles.owner(stage) else {
            return State::Idle;
        };
        let mut state = State::Stalled;
        for _ in 0..self.spec.flush_lines_per_cycle {
            let Some(line) = tile.walk.line(ports.facts, ports.map, ports.line_bytes) else {
                break;
            };
            let line = ColorLine {
                line,
                tile: tile.tile,
                kind: AccessKind::Write,
                in_texture: tile.walk.is_in_texture(ports.facts),
            };
            if !ports.ideal && !ports.send(now, line) {
                break;
            }
            self.counters.flush_lines += 1;
            tile.walk.advance(ports.line_bytes);
            state = State::Busy;
        }
        if tile
            .walk
            .line(ports.facts, ports.map, ports.line_bytes)
            .is_none()
        {
            let cost = &mut ports.attribution.tiles[tile.tile as usize];
            cost.end = now.next().since(ports.frame_start);
            self.counters.tiles += 1;
            self.tiles.end();
            self.n_tiles -= 1;
            state = State::Busy;
        }
        state
    }

    /// Gives the colour buffer to the tile that owns the blend stage and loads it if the target says so.
    fn prepare_color(&mut self, now: Cycles, ports: &mut RasterPorts<'_, '_>) -> bool {
        let stage = self.tiles.blend;
        let buffers_used = stage - self.tiles.flush;
        let Some(tile) = self.tiles.owner(stage) else {
            return false;
        };
        match tile.color {
            ColorBuffer::Ready => false,
            ColorBuffer::None => {
                if buffers_used >= self.spec.color_buffers {
                    return false;
                }
                tile.walk = LineWalk::new(tile.tile, true, ports.facts);
                self.counters.load_bytes += tile.walk.bytes;
                let nothing = tile.walk.is_done();
                tile.color = if nothing {
                    ColorBuffer::Ready
                } else {
                    ColorBuffer::Loading
                };
                true
            }
            ColorBuffer::Loading => {
                let line = tile.walk.line(ports.facts, ports.map, ports.line_bytes);
                if let Some(line) = line {
                    let wanted = ColorLine {
                        line,
                        tile: tile.tile,
                        kind: AccessKind::Read,
                        in_texture: tile.walk.is_in_texture(ports.facts),
                    };
                    if !ports.ideal {
                        if !ports.send(now, wanted) {
                            return false;
                        }
                        tile.loading.push(line);
                    }
                    tile.walk.advance(ports.line_bytes);
                    return true;
                }
                if tile.loading.is_empty() {
                    tile.color = ColorBuffer::Ready;
                    return true;
                }
                false
            }
        }
    }

    /// Moves the owners of the stages on.
    fn advance(&mut self, now: Cycles, ports: &mut RasterPorts<'_, '_>) -> bool {
        let (mut moved, left) = self.tiles.advance();
        if let Some((tile, start)) = left {
            let cost = &mut ports.attribution.tiles[tile as usize];
            cost.fragment_cycles = now.since(start);
        }
        let stage = self.tiles.blend;
        if stage < self.tiles.fragment
            && let Some(tile) = self.tiles.owner(stage)
            && tile.unblended == 0
            && tile.color == ColorBuffer::Ready
            && now >= tile.blended_until
        {
            tile.walk = LineWalk::new(tile.tile, false, ports.facts);
            let verdict = ports
                .elider
                .flush(TileId(tile.tile), ports.facts.tile(tile.tile));
            if verdict == Verdict::Skip {
                tile.walk.skip();
                self.counters.flushes_skipped += 1;
                ports.attribution.tiles[tile.tile as usize].flush_skipped = true;
            } else {
                self.counters.flush_bytes += tile.walk.bytes;
            }
            self.tiles.blend += 1;
            moved = true;
        }
        moved
    }

    /// The first cycle after `now` at which something can happen here without anything from outside.
    pub(crate) fn next_wake(&self, now: Cycles) -> Cycles {
        if self.progress {
            now.next()
        } else {
            self.wake.max(now.next())
        }
    }

    /// When time alone lets a stage go on.
    fn find_wake(&mut self, now: Cycles) -> Cycles {
        let stage = self.tiles.blend;
        let blended = self.tiles.owner(stage).map(|tile| tile.blended_until);
        let blended = blended.filter(|at| *at > now).unwrap_or(Cycles::MAX);
        self.early_z
            .next_wake(now)
            .min(self.rasteriser.next_wake(now, &self.spec))
            .min(blended)
    }

    /// Has nothing to do from `now` on.
    pub(crate) fn rest(&mut self, now: Cycles) {
        let all = &mut self.activities;
        let front = [&mut all.rasteriser, &mut all.early_z, &mut all.dispatch];
        let back = [&mut all.fragment, &mut all.blend, &mut all.flush];
        for activity in front.into_iter().chain(back) {
            activity.set(State::Idle, now);
        }
    }

    /// Counters since the last call.
    pub(crate) fn take_counters(&mut self, now: Cycles) -> RasterUnitCounters {
        let mut counters = std::mem::take(&mut self.counters);
        let activities = &mut self.activities;
        counters.rasteriser = activities.rasteriser.take(now);
        counters.early_z = activities.early_z.take(now);
        counters.dispatch = activities.dispatch.take(now);
        counters.fragment = activities.fragment.take(now);
        counters.blend = activities.blend.take(now);
        counters.flush = activities.flush.take(now);
        counters.primitives = std::mem::take(&mut self.rasteriser.primitives);
        counters.attributes_set_up = std::mem::take(&mut self.rasteriser.attributes_set_up);
        counters.quads_rasterised = std::mem::take(&mut self.rasteriser.quads);
        counters.attributes_interpolated = std::mem::take(&mut self.rasteriser.attributes);
        counters.early_z_tested = std::mem::take(&mut self.early_z.tested);
        counters.early_z_killed = std::mem::take(&mut self.early_z.killed);
        counters.warps = std::mem::take(&mut self.fragments.warps);
        counters.quads_shaded = std::mem::take(&mut self.fragments.quads);
        let blend = std::mem::take(&mut self.blend);
        counters.quads_blended = blend.quads;
        counters.late_killed = blend.killed_late;
        counters.late_z_tested = blend.tested_late;
        counters
    }
}
