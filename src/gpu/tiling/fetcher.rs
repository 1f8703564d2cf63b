//! The Tile Fetcher: for each Raster Unit the next tile's list blocks and the attributes of the primitives in it, through
//! the tile cache, ahead of the unit's FIFO. Primitives enter the FIFO in program order, whole.

use std::collections::VecDeque;

use super::counters::TileFetcherCounters;
use super::lists::TileLists;
use crate::elide::{Elider, Verdict};
use crate::failure::ScheduleError;
use crate::frame::PreparedFrame;
use crate::machine::TilingSpec;
use crate::memory::{
    LineAccess, LineCache, MemoryMap, MemorySystem, NOBODY, Requester, Traffic, Waiter,
};
use crate::raster::{FifoEntry, RasterUnit};
use crate::schedule::WatchedScheduler;
use crate::statistics::{Activity, Attribution, State};
use azulejo_grid::TileId;
use azulejo_units::Cycles;

/// A primitive with attributes on their way.
#[derive(Debug, Clone, Copy)]
struct Fetch {
    draw: u32,
    n_quads: u32,
    /// Lines that have not come.
    pending: u32,
    /// All lines have been requested.
    complete: bool,
    ready_at: Cycles,
}

/// The tile that is being fetched for one Raster Unit.
#[derive(Debug, Default)]
struct Context {
    tile: Option<u32>,
    /// List blocks requested and arrived; the time at which the last one was there.
    blocks_asked: u32,
    blocks_there: u32,
    block_at: Cycles,
    /// Next entry of the list, and the line from which its attributes are requested next.
    entry: usize,
    line: u64,
    end: u64,
    fetches: VecDeque<Fetch>,
    /// Number of the front of `fetches` since the machine was switched on.
    first: u64,
    /// The scheduler had no tile for the unit when this many tiles of the frame had been drawn or left out.
    refused_at: Option<u64>,
}

/// Tile Fetcher: the tile under way of each Raster Unit, and its ports to the tile cache.
#[derive(Debug)]
pub(crate) struct TileFetcher {
    contexts: Vec<Context>,
    /// Tiles that are fetched at the same time, at most.
    most_tiles: usize,
    fetch_ahead: usize,
    ports: u32,
    next: usize,
    activity: Activity,
    counters: TileFetcherCounters,
    /// Breach of the contract by the scheduler.
    breach: Option<ScheduleError>,
    /// Tiles of the frame that were left out.
    n_left_out: u64,
    progress: bool,
    /// The cache had no room.
    refused: bool,
    /// Another try may find room.
    retries: bool,
    wake: Cycles,
}

/// Inputs and outputs of the fetcher.
#[derive(Debug)]
pub(crate) struct FetchPorts<'a, 'f> {
    pub(crate) facts: &'a PreparedFrame<'f>,
    pub(crate) map: &'a MemoryMap,
    pub(crate) lists: &'a TileLists,
    pub(crate) cache: &'a mut LineCache,
    pub(crate) memory: &'a mut MemorySystem,
    pub(crate) units: &'a mut [RasterUnit],
    pub(crate) scheduler: &'a mut WatchedScheduler,
    pub(crate) elider: &'a mut dyn Elider,
    pub(crate) attribution: &'a mut Attribution,
    pub(crate) frame_start: Cycles,
}

/// A waiter is a unit's fetch by number, or, with the top bit set, its list block.
const BLOCK: u64 = 1 << 63;

impl TileFetcher {
    pub(crate) fn new(n_units: usize, tiling: &TilingSpec) -> Self {
        Self {
            contexts: (0..n_units).map(|_| Context::default()).collect(),
            most_tiles: match tiling.fetch_contexts {
                0 => n_units,
                n_contexts => n_contexts as usize,
            },
            fetch_ahead: tiling.fetch_ahead as usize,
            ports: tiling.tile_cache_ports,
            next: 0,
            activity: Activity::default(),
            counters: TileFetcherCounters::default(),
            breach: None,
            n_left_out: 0,
            progress: false,
            refused: false,
            retries: false,
            wake: Cycles::MAX,
        }
    }

    /// Tiles of the frame that were fetched or left out.
    pub(crate) fn n_begun(&self) -> u64 {
        self.counters.tiles + self.counters.tiles_skipped
    }

    pub(crate) fn begin_frame(&mut self) {
        for context in &mut self.contexts {
            context.refused_at = None;
        }
        self.n_left_out = 0;
        self.progress = true;
    }

    /// Whether no tile is being fetched and every unit has been refused another.
    pub(crate) fn is_at_rest(&self) -> bool {
        let mut contexts = self.contexts.iter();
        contexts.all(|context| context.tile.is_none() && context.refused_at.is_some())
    }

    /// Whether some unit would be asked about again: a tile has come to its end since it was refused one.
    pub(crate) fn asks_again(&self, units: &[RasterUnit]) -> bool {
        let n_ended = self.n_ended(units);
        let mut contexts = self.contexts.iter();
        contexts.any(|context| context.refused_at.is_some_and(|at| at != n_ended))
    }

    /// Breach of the contract by the scheduler, if any.
    pub(crate) fn breach(&self) -> Option<ScheduleError> {
        self.breach
    }

    /// Grows with everything that the fetcher does in a frame.
    pub(crate) fn work_done(&self) -> u64 {
        let counters = &self.counters;
        self.n_left_out + counters.tiles + counters.primitives + counters.bytes
    }

    /// Tiles of the frame that have been drawn or left out.
    fn n_ended(&self, units: &[RasterUnit]) -> u64 {
        self.n_left_out + units.iter().map(RasterUnit::n_tiles_drawn).sum::<u64>()
    }

    /// Whether a cycle at `now` could change anything, unless a Raster Unit has room again.
    pub(crate) fn is_due(&self, now: Cycles) -> bool {
        self.progress || self.retries || self.wake <= now
    }

    /// Whether the cache refused an access at the last try.
    pub(crate) const fn is_refused(&self) -> bool {
        self.refused
    }

    /// A line has come into the cache, for any unit: it may have room again.
    pub(crate) const fn line_came(&mut self) {
        self.retries |= self.refused;
    }

    /// Data have come for a fetch or a list block that waited.
    pub(crate) fn wake(&mut self, waiter: Waiter, now: Cycles) {
        self.progress = true;
        let n_units = self.contexts.len() as u64;
        let unit = (waiter.0 & !BLOCK) % n_units;
        let context = &mut self.contexts[unit as usize];
        if waiter.0 & BLOCK != 0 {
            context.blocks_there += 1;
            context.block_at = now;
        } else {
            let number = waiter.0 / n_units - context.first;
            let fetch = &mut context.fetches[number as usize];
            fetch.pending -= 1;
            fetch.ready_at = fetch.ready_at.max(now);
        }
    }

    pub(crate) fn tick(&mut self, now: Cycles, ports: &mut FetchPorts<'_, '_>) {
        self.progress = false;
        self.refused = false;
        self.retries = false;
        self.hand_over(now, ports);
        self.schedule(now, ports);
        let n_units = self.contexts.len();
        ports.cache.begin_cycle();
        let mut left = self.ports;
        for nth in 0..n_units {
            let unit = (self.next + nth) % n_units;
            while left > 0 && self.fetch(unit, now, ports) {
                left -= 1;
                self.progress = true;
            }
        }
        self.pass_turn();
        let state = if self.progress {
            State::Busy
        } else if self.contexts.iter().any(|context| context.tile.is_some()) {
            State::Stalled
        } else {
            State::Idle
        };
        self.activity.set(state, now);
        self.wake = self.find_wake(now);
    }

    /// The turn to be first goes to the next unit, in every cycle in which a unit moves or is refused.
    pub(crate) fn pass_turn(&mut self) {
        self.next = (self.next + 1) % self.contexts.len();
    }

    /// Primitives with all attributes there go into the FIFOs.
    fn hand_over(&mut self, now: Cycles, ports: &mut FetchPorts<'_, '_>) {
        for (context, unit) in self.contexts.iter_mut().zip(ports.units.iter_mut()) {
            let Some(tile) = context.tile else {
                continue;
            };
            if let Some(front) = context.fetches.front()
                && front.complete
                && front.pending == 0
                && front.ready_at <= now
                && unit.has_room()
            {
                unit.push(FifoEntry::Primitive(front.draw, front.n_quads));
                context.fetches.pop_front();
                context.first += 1;
                self.counters.primitives += 1;
                self.progress = true;
            }
            let n_entries = ports.facts.tile(tile).primitives.len();
            if context.entry == n_entries && context.fetches.is_empty() {
                unit.push(FifoEntry::End);
                context.tile = None;
                self.progress = true;
            }
        }
    }

    /// Units without a tile to fetch get one if they hold fewer than they may, the least occupied first. A unit that was
    /// refused one asks again when another tile has come to its end.
    fn schedule(&mut self, now: Cycles, ports: &mut FetchPorts<'_, '_>) {
        if self.n_open() >= self.most_tiles.min(self.contexts.len()) {
            return;
        }
        let n_ended = self.n_ended(ports.units);
        let asks = |context: &Context, unit: &RasterUnit| {
            context.tile.is_none()
                && context.refused_at.is_none_or(|at| at != n_ended)
                && unit.takes_tile()
        };
        let mut order: Vec<usize> = (0..self.contexts.len())
            .filter(|&unit| asks(&self.contexts[unit], &ports.units[unit]))
            .collect();
        order.sort_by_key(|&unit| ports.units[unit].occupancy());
        for unit in order {
            if self.n_open() >= self.most_tiles {
                return;
            }
            if !ports.scheduler.is_turn_of(unit) {
                continue;
            }
            match ports.scheduler.next_tile(unit) {
                Ok(Some(tile)) => self.begin_tile(unit, tile, now, ports),
                Ok(None) => self.refuse(unit, n_ended),
                Err(breach) => self.breach = Some(breach),
            }
        }
    }

    /// Tiles that are being fetched.
    fn n_open(&self) -> usize {
        let contexts = self.contexts.iter();
        contexts.filter(|context| context.tile.is_some()).count()
    }

    /// There is no tile for the unit now. The first such answer of a frame takes the fetcher a cycle; later ones come
    /// beside other work.
    fn refuse(&mut self, unit: usize, n_ended: u64) {
        let refused_at = &mut self.contexts[unit].refused_at;
        self.progress |= refused_at.is_none();
        *refused_at = Some(n_ended);
    }

    /// The unit gets a tile, unless that can be left out.
    fn begin_tile(
        &mut self,
        unit: usize,
        tile: TileId,
        now: Cycles,
        ports: &mut FetchPorts<'_, '_>,
    ) {
        self.progress = true;
        let context = &mut self.contexts[unit];
        context.refused_at = None;
        let cost = &mut ports.attribution.tiles[tile.0 as usize];
        cost.raster_unit = unit as u32;
        cost.start = now.since(ports.frame_start);
        if ports.elider.tile(tile, ports.facts.tile(tile.0)) == Verdict::Skip {
            cost.skipped = true;
            cost.end = cost.start;
            self.counters.tiles_skipped += 1;
            self.n_left_out += 1;
            return;
        }
        self.counters.tiles += 1;
        ports.units[unit].push(FifoEntry::Begin(tile.0));
        context.tile = Some(tile.0);
        context.blocks_asked = 0;
        context.blocks_there = 0;
        context.entry = 0;
        context.line = 0;
        context.end = 0;
    }

    /// One access for a unit; false if there is nothing to ask for, or the cache refuses.
    fn fetch(&mut self, unit: usize, now: Cycles, ports: &mut FetchPorts<'_, '_>) -> bool {
        let context = &self.contexts[unit];
        let Some(tile) = context.tile else {
            return false;
        };
        let per_block = ports.lists.entries_per_block as usize;
        let block_of_entry = (context.entry / per_block) as u32;
        // One block ahead of the entries, one under way.
        let wants_block = (context.blocks_asked as usize) < ports.lists.blocks_of(tile).len()
            && context.blocks_asked <= block_of_entry + 1
            && context.blocks_asked == context.blocks_there
            && context.block_at <= now;
        if wants_block && (context.blocks_asked == block_of_entry || context.line >= context.end) {
            return self.fetch_block(unit, tile, now, ports);
        }
        let is_there = block_of_entry < context.blocks_there
            && (context.blocks_there > block_of_entry + 1 || context.block_at <= now);
        context.entry < ports.facts.tile(tile).primitives.len()
            && is_there
            && self.fetch_attributes(unit, tile, now, ports)
    }

    /// Requests the next block of the tile's list.
    fn fetch_block(
        &mut self,
        unit: usize,
        tile: u32,
        now: Cycles,
        ports: &mut FetchPorts<'_, '_>,
    ) -> bool {
        let context = &mut self.contexts[unit];
        let block = ports.lists.blocks_of(tile)[context.blocks_asked as usize];
        let line = ports.map.lists + u64::from(block) * ports.lists.block_bytes;
        let waiter = Waiter(BLOCK | unit as u64);
        let requester = Requester {
            traffic: Traffic::ParameterRead,
            tile,
            draw: NOBODY,
        };
        if !ports.cache.take_bank(line) {
            // The unit that has the bank may have been refused; another goes first next time.
            self.retries = true;
            return false;
        }
        match ports.cache.read(line, requester, waiter, ports.memory) {
            LineAccess::Refused => {
                self.refused = true;
                // Without a miss register it waits for a line; other room comes without telling.
                self.retries |= !ports.cache.waits_for_line(line);
                return false;
            }
            LineAccess::Hit => {
                context.blocks_there += 1;
                context.block_at = now.after(ports.cache.latency());
            }
            LineAccess::Pending => {}
        }
        context.blocks_asked += 1;
        self.counters.accesses += 1;
        self.counters.bytes += ports.lists.block_bytes;
        true
    }

    /// Requests the next line of attributes, of the next primitive if those of one are complete and there is room for
    /// another.
    fn fetch_attributes(
        &mut self,
        unit: usize,
        tile: u32,
        now: Cycles,
        ports: &mut FetchPorts<'_, '_>,
    ) -> bool {
        let n_units = self.contexts.len() as u64;
        let context = &mut self.contexts[unit];
        if context.line >= context.end {
            if context.fetches.len() >= self.fetch_ahead {
                return false;
            }
            let entry = ports.facts.tile(tile).primitives[context.entry];
            let (base, bytes) = ports.facts.attributes(entry.primitive);
            context.line = ports.cache.line_of(base);
            context.end = base + bytes;
            context.fetches.push_back(Fetch {
                draw: ports.facts.draw_of_primitive[entry.primitive as usize],
                n_quads: entry.n_quads,
                pending: 0,
                complete: false,
                ready_at: now,
            });
            self.counters.bytes += bytes;
        }
        let number = context.first + context.fetches.len() as u64 - 1;
        let waiter = Waiter(number * n_units + unit as u64);
        let line = context.line;
        let Some(fetch) = context.fetches.back_mut() else {
            return false;
        };
        let requester = Requester {
            traffic: Traffic::ParameterRead,
            tile,
            draw: fetch.draw,
        };
        if !ports.cache.take_bank(line) {
            // The unit that has the bank may have been refused; another goes first next time.
            self.retries = true;
            return false;
        }
        let access = ports.cache.read(line, requester, waiter, ports.memory);
        match access {
            LineAccess::Refused => {
                self.refused = true;
                // Without a miss register it waits for a line; other room comes without telling.
                self.retries |= !ports.cache.waits_for_line(line);
                return false;
            }
            LineAccess::Hit => {
                fetch.ready_at = fetch.ready_at.max(now.after(ports.cache.latency()))
            }
            LineAccess::Pending => fetch.pending += 1,
        }
        self.counters.accesses += 1;
        context.line += ports.lists.block_bytes;
        if context.line >= context.end {
            fetch.complete = true;
            context.entry += 1;
        }
        true
    }

    /// The first cycle after `now` at which something can happen without anything from outside.
    pub(crate) fn next_wake(&self, now: Cycles) -> Cycles {
        if self.progress {
            now.next()
        } else {
            self.wake.max(now.next())
        }
    }

    fn find_wake(&self, now: Cycles) -> Cycles {
        let times = self.contexts.iter().flat_map(|context| {
            let front = context.fetches.front();
            let front = front.filter(|fetch| fetch.complete && fetch.pending == 0);
            [front.map(|fetch| fetch.ready_at), Some(context.block_at)]
        });
        let later = times.flatten().filter(|at| *at > now);
        later.min().unwrap_or(Cycles::MAX)
    }

    /// Has nothing to do from `now` on.
    pub(crate) fn rest(&mut self, now: Cycles) {
        self.activity.set(State::Idle, now);
    }

    /// Counters since the last call.
    pub(crate) fn take_counters(&mut self, now: Cycles) -> TileFetcherCounters {
        let mut counters = std::mem::take(&mut self.counters);
        counters.activity = self.activity.take(now);
        counters
    }
}
