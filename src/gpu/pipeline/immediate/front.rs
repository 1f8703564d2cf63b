//! A cluster from primitive masks to raster tiles: the reorder buffer of masks, set-up, coarse and fine rasterisation,
//! Hi-Z. Raster tiles of 4x4 pixels move at stated rates through queues of stated depth, last stage first, a stage a cycle.
//!
//! Hi-Z keeps the farthest depth of each raster tile. It leaves a raster tile out if the nearest depth of its primitive
//! there lies behind it, which the trace says in the order of the draws, and if each of the 16 pixels has got a depth from
//! a warp that has left its core: until then the farthest depth is that of a cleared one. Depths of earlier primitives
//! count at once; in a chip it is a warp's time late.

use std::collections::VecDeque;

use super::counters::FrontCounters;
use super::order::{DrawOrder, TileEntry};
use super::quads::{QUADS, RasterTile, TcQuad};
use super::screen::ScreenMap;
use crate::frame::PreparedFrame;
use crate::machine::{ImmediateSpec, RASTER_TILE};
use crate::memory::{LineAccess, LineCache, MemorySystem, NOBODY, Requester, Traffic, Waiter};
use crate::statistics::{Activity, State};
use azulejo_grid::TileId;
use azulejo_units::Cycles;

/// Primitives of a warp of vertices, in order, and which of them concern a cluster.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mask {
    pub(super) first: u32,
    pub(super) bits: u32,
    pub(super) at: Cycles,
}

#[derive(Debug, Clone, Copy)]
struct SetUp {
    primitive: u32,
    draw: u32,
    /// Next line of its vertices, and their end.
    line: u64,
    end: u64,
    pending: u32,
    ready_at: Cycles,
}

/// Inputs of a cluster's front.
#[derive(Debug)]
pub(super) struct FrontPorts<'a, 'f> {
    pub(super) facts: &'a PreparedFrame<'f>,
    pub(super) order: &'a DrawOrder,
    pub(super) screen: &'a ScreenMap,
    pub(super) memory: &'a mut MemorySystem,
    /// Address of the first of the vertices' outputs.
    pub(super) outputs: u64,
    /// Which cluster this is.
    pub(super) cluster: u32,
}

/// Masks to raster tiles.
#[derive(Debug)]
pub(super) struct Front {
    spec: ImmediateSpec,
    masks: VecDeque<Mask>,
    setup: VecDeque<SetUp>,
    /// Number of the front of `setup`.
    first: u64,
    vertices: LineCache,
    /// Raster tiles of the primitive under coarse rasterisation.
    coarse: VecDeque<RasterTile>,
    /// Its quads in a tile of the trace, by TC tile; kept for its room.
    found: Vec<(u32, TcQuad)>,
    fine: VecDeque<(Cycles, RasterTile)>,
    hi_z: VecDeque<(Cycles, RasterTile)>,
    /// Pixels of each raster tile of the screen that have a depth.
    depths: Vec<u16>,
    activities: [Activity; 3],
    /// A line was refused: the memory makes room without telling.
    polls: bool,
    /// A mask left without a primitive: in the next cycle set-up has less to wait for.
    dropped: bool,
    pub(super) progress: bool,
    counters: FrontCounters,
}

impl Front {
    pub(super) fn new(spec: &ImmediateSpec, vertices: LineCache) -> Self {
        Self {
            spec: *spec,
            masks: VecDeque::new(),
            setup: VecDeque::new(),
            first: 0,
            vertices,
            coarse: VecDeque::new(),
            found: Vec::new(),
            fine: VecDeque::new(),
            hi_z: VecDeque::new(),
            depths: Vec::new(),
            activities: [Activity::default(); 3],
            polls: false,
            dropped: false,
            progress: false,
            counters: FrontCounters::default(),
        }
    }

    pub(super) fn begin_frame(&mut self, screen: &ScreenMap) {
        // Lines of the last frame's vertices are of no use: their places are written anew.
        self.vertices.discard();
        let (wide, high) = (screen.grid.width, screen.grid.height);
        let columns = screen.raster_columns();
        let edge = |n: u32, size: u32| size.saturating_sub(n * RASTER_TILE).min(RASTER_TILE);
        let outside = |nth: u32| {
            let (w, h) = (edge(nth % columns, wide), edge(nth / columns, high));
            let bits = (0..16).filter(|bit| bit % 4 >= w || bit / 4 >= h);
            bits.fold(0_u16, |mask, bit| mask | 1 << bit)
        };
        let n = columns * high.div_ceil(RASTER_TILE);
        self.depths.clear();
        self.depths.extend((0..n).map(outside));
    }

    /// Whether the reorder buffer takes another mask.
    pub(super) fn has_room(&self) -> bool {
        self.masks.len() < self.spec.primitive_masks as usize
    }

    pub(super) fn push(&mut self, mask: Mask) {
        self.masks.push_back(mask);
        self.counters.masks += 1;
        self.counters.primitives += u64::from(mask.bits.count_ones());
    }

    pub(super) fn is_idle(&self) -> bool {
        self.masks.is_empty()
            && self.setup.is_empty()
            && self.coarse.is_empty()
            && self.fine.is_empty()
            && self.hi_z.is_empty()
            && self.vertices.is_idle()
    }

    /// A line of vertices has come.
    pub(super) fn fill(&mut self, line: u64, now: Cycles, waiters: &mut Vec<Waiter>) {
        self.vertices.fill(line, waiters);
        for waiter in waiters.drain(..) {
            let entry = &mut self.setup[(waiter.0 - self.first) as usize];
            entry.pending -= 1;
            entry.ready_at = entry.ready_at.max(now);
        }
    }

    /// Fragments of a quad, as bits, have left their depths; `at` is its left upper pixel.
    pub(super) fn depths_written(&mut self, screen: &ScreenMap, at: [u32; 2], bits: u32) {
        let tile = screen.raster_tile(at) as usize;
        let first = at[1] % RASTER_TILE * RASTER_TILE + at[0] % RASTER_TILE;
        let rows = bits & 0b0011 | (bits & 0b1100) << (RASTER_TILE - 2);
        if let Some(mask) = self.depths.get_mut(tile) {
            *mask |= (rows << first) as u16;
        }
    }

    /// One cycle; raster tiles go to `take`, which may refuse.
    pub(super) fn tick(
        &mut self,
        now: Cycles,
        ports: &mut FrontPorts<'_, '_>,
        take: &mut dyn FnMut(&RasterTile) -> bool,
    ) {
        (self.polls, self.dropped) = (false, false);
        let hi_z = self.tick_hi_z(now, ports, take);
        let fine = self.tick_fine(now, ports.facts);
        let coarse = self.tick_coarse(now);
        let setup = self.tick_setup(now, ports);
        self.activities[0].set(setup, now);
        self.activities[1].set(fine.max(coarse), now);
        self.activities[2].set(hi_z, now);
        self.progress = [hi_z, fine, coarse, setup].contains(&State::Busy);
        self.vertices.tick(ports.memory);
    }

    fn tick_hi_z(
        &mut self,
        now: Cycles,
        ports: &FrontPorts<'_, '_>,
        take: &mut dyn FnMut(&RasterTile) -> bool,
    ) -> State {
        let mut state = waiting(self.hi_z.is_empty());
        for _ in 0..self.spec.hi_z_tiles_per_cycle {
            let Some((_, tile)) = self.hi_z.front().filter(|(at, _)| *at <= now) else {
                break;
            };
            let hidden = self.is_hidden(tile, ports);
            if !hidden && !take(tile) {
                break;
            }
            let missed = !hidden && self.has_dead_fragments_alone(tile, ports);
            self.counters.hi_z_tested += u64::from(self.spec.hi_z);
            self.counters.hi_z_missed += u64::from(missed);
            self.counters.hi_z_killed += u64::from(hidden);
            self.counters.hi_z_killed_quads += u64::from(hidden) * u64::from(tile.n);
            self.hi_z.pop_front();
            state = State::Busy;
        }
        state
    }

    /// Whether the stored depth tells that nothing of a raster tile can be seen.
    fn is_hidden(&self, tile: &RasterTile, ports: &FrontPorts<'_, '_>) -> bool {
        self.has_dead_fragments_alone(tile, ports)
            && tile.quads().iter().all(|quad| quad.quad.is_behind())
    }

    /// Whether all fragments of a raster tile fail the early test, and each of its pixels has a depth.
    fn has_dead_fragments_alone(&self, tile: &RasterTile, ports: &FrontPorts<'_, '_>) -> bool {
        let state = ports.facts.trace.draws[tile.draw as usize].state;
        let tested = self.spec.hi_z && state.depth_test && !state.late_depth;
        let place = ports.screen.raster_tile(tile.quads[0].at) as usize;
        tested
            && tile.quads().iter().all(|quad| !quad.quad.is_shaded())
            && self.depths.get(place) == Some(&u16::MAX)
    }

    fn tick_fine(&mut self, now: Cycles, facts: &PreparedFrame<'_>) -> State {
        let mut state = waiting(self.fine.is_empty());
        for _ in 0..self.spec.fine_tiles_per_cycle {
            let there = self.fine.front().is_some_and(|(at, _)| *at <= now);
            if !there || self.hi_z.len() >= self.spec.stage_queue as usize {
                break;
            }
            if let Some((_, tile)) = self.fine.pop_front() {
                let attributes = facts.trace.draws[tile.draw as usize].n_attributes;
                self.counters.fine_tiles += 1;
                self.counters.quads += u64::from(tile.n);
                self.counters.attributes += 4 * u64::from(attributes) * u64::from(tile.n);
                self.hi_z.push_back((now + self.spec.stage_latency, tile));
            }
            state = State::Busy;
        }
        state
    }

    fn tick_coarse(&mut self, now: Cycles) -> State {
        let mut state = waiting(self.coarse.is_empty());
        for _ in 0..self.spec.coarse_tiles_per_cycle {
            if self.fine.len() >= self.spec.stage_queue as usize {
                break;
            }
            let Some(tile) = self.coarse.pop_front() else {
                break;
            };
            self.counters.coarse_tiles += 1;
            self.fine.push_back((now + self.spec.stage_latency, tile));
            state = State::Busy;
        }
        state
    }

    /// The oldest primitive with all vertices there goes to coarse rasterisation, a line of vertices is requested, and the
    /// next primitive of the oldest mask comes in.
    fn tick_setup(&mut self, now: Cycles, ports: &mut FrontPorts<'_, '_>) -> State {
        let mut state = waiting(self.setup.is_empty() && self.masks.is_empty());
        let whole =
            |entry: &SetUp| entry.line >= entry.end && entry.pending == 0 && entry.ready_at <= now;
        if self.coarse.is_empty()
            && let Some(entry) = self.setup.pop_front_if(|entry| whole(entry))
        {
            self.first += 1;
            self.find_tiles(entry, ports);
            state = State::Busy;
        }
        if self.read_vertices(now, ports) {
            state = State::Busy;
        }
        if self.setup.len() < self.spec.setup_queue as usize
            && let Some(primitive) = self.next_primitive(now)
        {
            let draw = ports.facts.draw_of_primitive[primitive as usize];
            let attributes = ports.facts.trace.draws[draw as usize].n_attributes;
            self.counters.attributes_set_up += u64::from(attributes);
            let (from, to) = ports.order.outputs_of(primitive, draw, attributes);
            self.setup.push_back(SetUp {
                primitive,
                draw,
                line: self.vertices.line_of(ports.outputs + from),
                end: ports.outputs + to,
                pending: 0,
                ready_at: now.next(),
            });
            state = State::Busy;
        }
        state
    }

    /// The next primitive that concerns the cluster; masks without one leave on the way.
    fn next_primitive(&mut self, now: Cycles) -> Option<u32> {
        loop {
            let mask = self.masks.front_mut().filter(|mask| mask.at <= now)?;
            if mask.bits == 0 {
                self.masks.pop_front();
                self.dropped = true;
                continue;
            }
            let nth = mask.bits.trailing_zeros();
            mask.bits &= mask.bits - 1;
            let primitive = mask.first + nth;
            if mask.bits == 0 {
                self.masks.pop_front();
            }
            return Some(primitive);
        }
    }

    /// One access of the vertex buffer.
    fn read_vertices(&mut self, now: Cycles, ports: &mut FrontPorts<'_, '_>) -> bool {
        let asks = |entry: &&mut SetUp| entry.line < entry.end;
        let mut numbered = (self.first..).zip(&mut self.setup);
        let Some((number, entry)) = numbered.find(|(_, entry)| asks(entry)) else {
            return false;
        };
        let requester = Requester {
            traffic: Traffic::VertexOutput,
            tile: NOBODY,
            draw: entry.draw,
        };
        let waiter = Waiter(number);
        match (self.vertices).read(entry.line, requester, waiter, ports.memory) {
            LineAccess::Refused => {
                self.polls = true;
                return false;
            }
            LineAccess::Hit => {
                entry.ready_at = entry.ready_at.max(now + self.vertices.latency());
            }
            LineAccess::Pending => entry.pending += 1,
        }
        entry.line += self.vertices.line_bytes();
        true
    }

    /// The primitive's raster tiles in the cluster's part of the screen: TC tile by TC tile, row by row in each.
    fn find_tiles(&mut self, entry: SetUp, ports: &FrontPorts<'_, '_>) {
        let bit = 1 << ports.cluster;
        for tile in ports.order.tiles(entry.primitive) {
            if ports.screen.clusters_of_tile(tile.tile) & bit != 0 {
                self.find_in_tile(&entry, tile, ports);
            }
        }
    }

    fn find_in_tile(&mut self, entry: &SetUp, tile: &TileEntry, ports: &FrontPorts<'_, '_>) {
        let trace = ports.facts.tile(tile.tile);
        let counts = ports.facts.quad_counts(entry.draw);
        let rect = ports.screen.grid.rect(TileId(tile.tile));
        let corner = [rect.x0.unsigned_abs(), rect.y0.unsigned_abs()];
        let mut cursor = tile.cursor;
        let from = tile.quad as usize;
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        for quad in &trace.quads[from..from + tile.n_quads as usize] {
            let at = [corner[0] + 2 * quad.column(), corner[1] + 2 * quad.row()];
            let place = ports.screen.place(at);
            if ports.screen.cluster(place) == ports.cluster {
                found.push((
                    place,
                    TcQuad {
                        quad: *quad,
                        cursor,
                        at,
                    },
                ));
            }
            if quad.is_shaded() {
                cursor.pass_quad(trace, counts);
            }
        }
        let pixels = ports.screen.tc_pixels;
        let raster = |quad: &TcQuad| {
            let [x, y] = quad.at.map(|at| (at & (pixels - 1)) / RASTER_TILE);
            y * (pixels / RASTER_TILE) + x
        };
        found.sort_by_key(|(place, quad)| (*place, raster(quad), quad.at[1], quad.at[0]));
        for group in found.chunk_by(|a, b| a.0 == b.0 && raster(&a.1) == raster(&b.1)) {
            let mut made = RasterTile {
                place: group[0].0,
                positions: 0,
                draw: entry.draw,
                tile: tile.tile,
                n: group.len() as u8,
                quads: [group[0].1; QUADS],
            };
            for (nth, (_, quad)) in group.iter().enumerate() {
                let [x, y] = quad.at.map(|at| at / 2 % 2);
                made.positions |= 1 << (4 * raster(quad) + 2 * y + x);
                made.quads[nth] = *quad;
            }
            self.coarse.push_back(made);
        }
        self.found = found;
    }

    /// The first cycle after `now` at which something can happen here without anything from outside.
    pub(super) fn next_wake(&self, now: Cycles) -> Cycles {
        if self.progress || self.polls || self.dropped {
            return now.next();
        }
        let of = |queue: &VecDeque<(Cycles, RasterTile)>| queue.front().map(|(at, _)| *at);
        let mask = self.masks.front().map(|mask| mask.at);
        let setup = self.setup.front().map(|entry| entry.ready_at);
        let times = [of(&self.fine), of(&self.hi_z), mask, setup];
        let later = times.into_iter().flatten().filter(|at| *at > now);
        later.min().unwrap_or(Cycles::MAX)
    }

    pub(super) fn work_done(&self) -> u64 {
        let counters = &self.counters;
        counters.masks + counters.coarse_tiles + counters.fine_tiles + self.first
    }

    /// Has nothing to do from `now` on.
    pub(super) fn rest(&mut self, now: Cycles) {
        for activity in &mut self.activities {
            activity.set(State::Idle, now);
        }
    }

    /// Counters since the last call.
    pub(super) fn take_counters(&mut self, now: Cycles) -> FrontCounters {
        let mut counters = std::mem::take(&mut self.counters);
        counters.setup = self.activities[0].take(now);
        counters.rasteriser = self.activities[1].take(now);
        counters.hi_z = self.activities[2].take(now);
        counters
    }

    pub(super) fn take_cache_counters(&mut self) -> crate::cache::CacheCounters {
        self.vertices.take_counters()
    }
}

const fn waiting(nothing: bool) -> State {
    if nothing { State::Idle } else { State::Stalled }
}
