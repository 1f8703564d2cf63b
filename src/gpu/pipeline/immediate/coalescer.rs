//! Tile Coalescing (Emerald, section 3.3.5): raster tiles come in draw order, engines put those of one place on the screen
//! together to TC tiles, so that quads of several small primitives fill warps.
//!
//! An engine works on one place at a time. Its bins are TC tiles under assembly, oldest first; a raster tile goes into the
//! first bin behind every bin that has a quad of one of its positions (so that quads of a place keep their order), if that
//! bin is of the same draw, whose program a warp runs; else into a new bin. A bin without a free position leaves at once,
//! if it is the oldest. If a raster tile finds no bin, all leave; if none came for the time-out, all leave as well. A
//! raster tile of a place that no engine works on waits for an empty engine. Bins that have left go in order; each TC tile has
//! a number among those of its place, by which cores take them in order.

use std::collections::VecDeque;

use super::counters::CoalescerCounters;
use super::quads::{RasterTile, TcQuad};
use crate::machine::ImmediateSpec;
use azulejo_units::Cycles;

/// Quads of one place and one draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TcTile {
    /// TC tile of the screen.
    pub(super) place: u32,
    /// How many of this place have left before.
    pub(super) nth: u32,
    pub(super) draw: u32,
    /// Tile of the trace.
    pub(super) tile: u32,
    pub(super) quads: Vec<TcQuad>,
    /// Positions taken, as bits: raster tile by raster tile, four quads each.
    taken: u32,
}

#[derive(Debug, Default)]
struct Engine {
    place: u32,
    bins: VecDeque<TcTile>,
    /// When the last raster tile came.
    since: Cycles,
    out: VecDeque<TcTile>,
}

/// The engines of a cluster.
#[derive(Debug)]
pub(super) struct Coalescer {
    engines: Vec<Engine>,
    n_bins: usize,
    timeout: Cycles,
    /// Positions of a TC tile.
    positions: u32,
    /// TC tiles that have left, by place.
    left: Vec<u32>,
    /// Since when a raster tile has been waiting for an engine.
    waits_since: Option<Cycles>,
    pub(super) counters: CoalescerCounters,
}

impl Coalescer {
    pub(super) fn new(spec: &ImmediateSpec) -> Self {
        let engines = (0..spec.tc_engines).map(|_| Engine::default());
        Self {
            engines: engines.collect(),
            n_bins: spec.tc_bins as usize,
            timeout: spec.tc_timeout,
            positions: 4 * spec.tc_tile * spec.tc_tile,
            left: Vec::new(),
            waits_since: None,
            counters: CoalescerCounters::default(),
        }
    }

    pub(super) fn begin_frame(&mut self, n_places: u32) {
        self.left.clear();
        self.left.resize(n_places as usize, 0);
    }

    pub(super) fn is_idle(&self) -> bool {
        let mut engines = self.engines.iter();
        engines.all(|engine| engine.bins.is_empty() && engine.out.is_empty())
    }

    /// Stages a raster tile; false if it has to wait.
    pub(super) fn take(&mut self, tile: &RasterTile, now: Cycles) -> bool {
        let Some(nth) = self.stage(tile) else {
            self.waits_since.get_or_insert(now);
            return false;
        };
        // Counted by time and not by refusals: between the first refusal and the end no raster tile has to be offered
        // again.
        let since = self.waits_since.take();
        self.counters.stalled += since.map_or(0, |since| now.since(since).0);
        self.engines[nth].since = now;
        self.counters.raster_tiles += 1;
        self.release_whole(nth);
        true
    }

    /// Puts a raster tile into a bin of the engine that works on its place or of one that is empty, and says which.
    fn stage(&mut self, tile: &RasterTile) -> Option<usize> {
        let working = |engine: &Engine| !engine.bins.is_empty();
        let at_work =
            (self.engines.iter()).position(|engine| working(engine) && engine.place == tile.place);
        let empty = || self.engines.iter().position(|engine| !working(engine));
        let nth = at_work.or_else(empty)?;
        self.put(nth, tile).then_some(nth)
    }

    /// Puts a raster tile into a bin of an engine, making room where there is none.
    fn put(&mut self, nth: usize, tile: &RasterTile) -> bool {
        let engine = &mut self.engines[nth];
        engine.place = tile.place;
        let behind = |bin: &TcTile| bin.taken & tile.positions != 0;
        let from = engine.bins.iter().rposition(behind).map_or(0, |at| at + 1);
        let fits = |bin: &TcTile| bin.draw == tile.draw;
        let bin = engine.bins.iter().skip(from).position(fits);
        if let Some(bin) = bin {
            engine.bins[from + bin].add(tile);
            return true;
        }
        if engine.bins.len() == self.n_bins {
            self.counters.flushed_full += self.release(nth, self.n_bins);
            if self.engines[nth].bins.len() == self.n_bins {
                return false;
            }
        }
        let mut bin = TcTile {
            place: tile.place,
            nth: 0,
            draw: tile.draw,
            tile: tile.tile,
            quads: Vec::with_capacity(self.positions as usize),
            taken: 0,
        };
        bin.add(tile);
        self.engines[nth].bins.push_back(bin);
        true
    }

    /// The oldest bins leave while nothing more can come into them.
    fn release_whole(&mut self, nth: usize) {
        let all = u32::MAX >> (32 - self.positions);
        while let Some(oldest) = self.engines[nth].bins.front()
            && oldest.taken == all
        {
            let left = self.release(nth, 1);
            self.counters.flushed_whole += left;
            if left == 0 {
                return;
            }
        }
    }

    /// So many bins leave, the oldest first, as far as there is room behind the engine; how many did.
    fn release(&mut self, nth: usize, n: usize) -> u64 {
        let engine = &mut self.engines[nth];
        let room = self.n_bins - engine.out.len();
        let n = n.min(room).min(engine.bins.len());
        if n == 0 {
            return 0;
        }
        for mut bin in engine.bins.drain(..n) {
            let number = &mut self.left[bin.place as usize];
            bin.nth = *number;
            *number += 1;
            engine.out.push_back(bin);
        }
        self.counters.tc_tiles += n as u64;
        n as u64
    }

    /// Engines for which no raster tile has come for too long give up what they have; whether one did.
    pub(super) fn time_out(&mut self, now: Cycles) -> bool {
        let mut any = false;
        for nth in 0..self.engines.len() {
            let engine = &self.engines[nth];
            if !engine.bins.is_empty() && now >= engine.since + self.timeout {
                let left = self.release(nth, self.n_bins);
                self.counters.flushed_timeout += left;
                any |= left > 0;
            }
        }
        any
    }

    /// The next TC tile of each engine, and a way to take it.
    pub(super) fn outputs(&mut self) -> impl Iterator<Item = &mut VecDeque<TcTile>> {
        self.engines.iter_mut().map(|engine| &mut engine.out)
    }

    /// The first cycle after `now` at which an engine times out. One that has, and finds no room behind it, waits for a
    /// launch.
    pub(super) fn next_wake(&self, now: Cycles) -> Cycles {
        let engines = self.engines.iter();
        let working = engines.filter(|engine| !engine.bins.is_empty());
        let at = working.map(|engine| engine.since + self.timeout);
        at.filter(|at| *at > now).min().unwrap_or(Cycles::MAX)
    }
}

impl TcTile {
    fn add(&mut self, tile: &RasterTile) {
        self.taken |= tile.positions;
        self.quads.extend_from_slice(tile.quads());
    }
}
