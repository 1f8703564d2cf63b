//! A core's warps of fragments with their depth and colour operations, which run in the shader (Emerald, section 3.3.1):
//! depths are read and tested through L1Z before the program (after it, where the program discards), colours are read and
//! written through L1D behind it.
//!
//! A warp is under way from its launch to its last write, and keeps one of the core's places for all of that time. Each
//! cache takes one line a cycle, warps in order; a warp goes on when the last of its lines is there. Lines are written by
//! byte, so that writing fetches nothing. The instructions of an early test are the first of the program, those of a late
//! test and of blending its last; a warp of which the early test leaves nothing runs them alone. Colours that are blended,
//! and depths that are tested late, are asked for when the program has ended.

use std::collections::VecDeque;

use super::coalescer::TcTile;
use super::counters::OperationCounters;
use super::port::Port;
use super::quads::TcQuad;
use super::surface::Surfaces;
use crate::frame::PreparedFrame;
use crate::memory::{LineAccess, LineCache, MemorySystem, Requester, Traffic, Waiter};
use crate::shading::{Core, MAX_QUADS, TexelCursor, WarpJob};
use crate::statistics::Attribution;
use azulejo_trace::FixedFunction;
use azulejo_units::Cycles;

/// Stage of a warp in its operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Reads depths before its program.
    Test,
    /// Runs its program, or waits for a place.
    Shade,
    /// Reads and writes depths and colours behind it.
    Write,
}

/// A warp from launch to last write.
#[derive(Debug, Clone)]
struct Flight {
    tile: u32,
    place: u32,
    draw: u32,
    state: FixedFunction,
    quads: Vec<TcQuad>,
    phase: Phase,
    /// Accesses to be made, and lines that are to come.
    left: u32,
    pending: u32,
    /// When the last line that it has met is there.
    until: Cycles,
    /// Its place in the core while the program runs, and behind.
    slot: Option<u8>,
}

impl Flight {
    /// Whether the early test leaves nothing of it.
    fn is_dead(&self) -> bool {
        !self.quads.iter().any(|quad| quad.quad.is_shaded())
    }
}

/// Inputs and outputs of the operations.
#[derive(Debug)]
pub(super) struct OperationPorts<'a, 'f> {
    pub(super) facts: &'a PreparedFrame<'f>,
    pub(super) memory: &'a mut MemorySystem,
    pub(super) core: &'a mut Core,
    pub(super) attribution: &'a mut Attribution,
    pub(super) surfaces: &'a mut Surfaces,
}

/// A warp that has ended: its place on the screen, its tile, and what it has written of depths.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) place: u32,
    pub(super) tile: u32,
    /// Left upper pixels of quads with the fragments that left a depth.
    pub(super) depths: Vec<([u32; 2], u32)>,
}

/// Depth and colour operations of a core.
#[derive(Debug)]
pub(super) struct Operations {
    flights: Vec<Option<Flight>>,
    free: Vec<u32>,
    pub(super) n_flights: usize,
    /// Warps for which the core had room after the last cycle.
    pub(super) n_free_seen: usize,
    /// Flights without a place in the core's own count.
    n_outside: usize,
    depth: Port,
    color: Port,
    /// Flights whose lines are all under way from their caches, by when the last is there.
    done: VecDeque<(Cycles, u32)>,
    /// Flights with a program that may run.
    ready: VecDeque<u32>,
    pub(super) progress: bool,
    polls: bool,
    pub(super) counters: OperationCounters,
}

impl Operations {
    pub(super) fn new(depth: LineCache, color: LineCache) -> Self {
        let port = |cache, traffic| Port {
            cache,
            traffic,
            waiting: VecDeque::new(),
        };
        Self {
            flights: Vec::new(),
            free: Vec::new(),
            n_flights: 0,
            n_free_seen: 0,
            n_outside: 0,
            depth: port(depth, Traffic::Depth),
            color: port(color, Traffic::Color),
            done: VecDeque::new(),
            ready: VecDeque::new(),
            progress: false,
            polls: false,
            counters: OperationCounters::default(),
        }
    }

    /// Whether the core has done something since the last cycle here.
    pub(super) fn is_due(&self, core: &Core) -> bool {
        !core.finished.is_empty() || core.n_free_warps() != self.n_free_seen
    }

    /// Whether all warps of a TC tile find a place in the core, and registers; where nothing else is there, places are
    /// enough.
    pub(super) fn has_room(&self, tile: &TcTile, core: &Core, facts: &PreparedFrame<'_>) -> bool {
        let wanted = self.n_outside + n_warps(tile, core);
        let free = core.n_free_warps_for(facts.fragment_program(tile.draw));
        free >= wanted || self.is_idle() && core.n_free_warps() >= wanted
    }

    /// Launches a TC tile; the number of its warps.
    pub(super) fn launch(
        &mut self,
        now: Cycles,
        tile: &TcTile,
        ports: &mut OperationPorts<'_, '_>,
    ) -> u32 {
        let per_warp = ports.core.spec().quads_per_warp().min(MAX_QUADS);
        let state = ports.facts.trace.draws[tile.draw as usize].state;
        for quads in tile.quads.chunks(per_warp) {
            let flight = Flight {
                tile: tile.tile,
                place: tile.place,
                draw: tile.draw,
                state,
                quads: quads.to_vec(),
                phase: Phase::Test,
                left: 0,
                pending: 0,
                until: Cycles(0),
                slot: None,
            };
            let id = self.free.pop().unwrap_or_else(|| {
                self.flights.push(None);
                (self.flights.len() - 1) as u32
            });
            self.flights[id as usize] = Some(flight);
            self.n_flights += 1;
            self.n_outside += 1;
            self.counters.warps += 1;
            self.begin_test(id, now, ports);
        }
        self.progress = true;
        n_warps(tile, ports.core) as u32
    }

    /// Depths are read before the program, and written where fragments pass. Draws that are tested late or not at all count
    /// only quads that the facts call hidden: there is no work of theirs.
    fn begin_test(&mut self, id: u32, now: Cycles, ports: &mut OperationPorts<'_, '_>) {
        let Some(flight) = &mut self.flights[id as usize] else {
            return;
        };
        let state = flight.state;
        let tests_all = state.depth_test && !state.late_depth;
        let is_tested = |quad: &TcQuad| tests_all || !quad.quad.is_shaded();
        let n_tested = flight.quads.iter().filter(|quad| is_tested(quad)).count();
        if n_tested == 0 {
            flight.phase = Phase::Shade;
            self.ready.push_back(id);
            return;
        }
        let dead = flight.quads.iter().filter(|quad| !quad.quad.is_shaded());
        self.counters.tested_early += n_tested as u64;
        self.counters.killed_early += dead.count() as u64;
        let writes = tests_all && state.depth_write;
        let written = |quad: &TcQuad| if writes { quad.quad.live() } else { 0 };
        let covered = |quad: &TcQuad| {
            if is_tested(quad) {
                quad.quad.covered()
            } else {
                0
            }
        };
        let port = &mut self.depth;
        let before = port.waiting.len();
        port.read(id, &flight.quads, covered, &mut ports.surfaces.depth);
        port.write(id, &flight.quads, written, &mut ports.surfaces.depth);
        flight.left = (port.waiting.len() - before) as u32;
        self.go_on_without_lines(id, now, true);
    }

    /// Depths that are tested late, colours that are blended, and what is written of both.
    fn begin_write(&mut self, id: u32, now: Cycles, ports: &mut OperationPorts<'_, '_>) {
        let Some(flight) = &mut self.flights[id as usize] else {
            return;
        };
        flight.phase = Phase::Write;
        let shaded = flight.quads.iter().filter(|quad| quad.quad.is_shaded());
        let shaded = shaded.count() as u64;
        let dead = |quad: &&TcQuad| quad.quad.is_shaded() && quad.quad.written() == 0;
        self.counters.killed_late += flight.quads.iter().filter(dead).count() as u64;
        self.counters.written += shaded;
        let waiting = self.depth.waiting.len() + self.color.waiting.len();
        if flight.state.depth_test && flight.state.late_depth {
            self.counters.tested_late += shaded;
            let writes = flight.state.depth_write;
            let live = |quad: &TcQuad| quad.quad.live();
            let written = |quad: &TcQuad| if writes { quad.quad.written() } else { 0 };
            let surface = &mut ports.surfaces.depth;
            self.depth.read(id, &flight.quads, live, surface);
            self.depth.write(id, &flight.quads, written, surface);
        }
        let written = |quad: &TcQuad| quad.quad.written();
        let blended = |quad: &TcQuad| {
            if quad.quad.blended() {
                quad.quad.written()
            } else {
                0
            }
        };
        for surface in &mut ports.surfaces.colors {
            self.color.read(id, &flight.quads, blended, surface);
            self.color.write(id, &flight.quads, written, surface);
        }
        flight.left = (self.depth.waiting.len() + self.color.waiting.len() - waiting) as u32;
        self.go_on_without_lines(id, now, false);
    }

    /// A phase that needs no line takes as long as one that needs a line of its own cache.
    fn go_on_without_lines(&mut self, id: u32, now: Cycles, of_depth: bool) {
        let flight = self.flights[id as usize].as_ref();
        if flight.is_some_and(|flight| flight.left == 0) {
            self.line_leaves(id, now, of_depth);
        }
    }

    /// A line of one of the caches is on its way to a flight, which goes on when the last of its lines is there.
    fn line_leaves(&mut self, id: u32, now: Cycles, of_depth: bool) {
        let port = if of_depth { &self.depth } else { &self.color };
        let at = now + port.cache.latency();
        let Some(flight) = &mut self.flights[id as usize] else {
            return;
        };
        flight.until = flight.until.max(at);
        if flight.left == 0 && flight.pending == 0 {
            let until = flight.until;
            let place = self.done.partition_point(|(at, _)| *at <= until);
            self.done.insert(place, (until, id));
        }
    }

    /// A line has come for one of the caches.
    pub(super) fn fill(&mut self, line: u64, of_depth: bool, now: Cycles, all: &mut Vec<Waiter>) {
        let port = if of_depth {
            &mut self.depth
        } else {
            &mut self.color
        };
        port.cache.fill(line, all);
        for waiter in all.drain(..) {
            if let Some(flight) = &mut self.flights[waiter.0 as usize] {
                flight.pending -= 1;
            }
            self.line_leaves(waiter.0 as u32, now, of_depth);
        }
    }

    /// One cycle; warps that have ended are handed over.
    pub(super) fn tick(
        &mut self,
        now: Cycles,
        ports: &mut OperationPorts<'_, '_>,
        ended: &mut Vec<Ended>,
    ) {
        self.progress = false;
        self.polls = false;
        while let Some((_, id)) = self.done.pop_front_if(|(at, _)| *at <= now) {
            self.progress = true;
            self.end_phase(id, now, ports, ended);
        }
        self.collect(now, ports, ended);
        self.run_programs(now, ports);
        self.access(now, ports, true);
        self.access(now, ports, false);
        self.depth.cache.tick(ports.memory);
        self.color.cache.tick(ports.memory);
    }

    fn end_phase(
        &mut self,
        id: u32,
        now: Cycles,
        ports: &mut OperationPorts<'_, '_>,
        ended: &mut Vec<Ended>,
    ) {
        let Some(flight) = &mut self.flights[id as usize] else {
            return;
        };
        if flight.phase == Phase::Test {
            flight.phase = Phase::Shade;
            let is_dead = flight.is_dead();
            self.counters.dead_warps += u64::from(is_dead);
            let has_test = flight.state.depth_test && !flight.state.late_depth;
            if !is_dead || has_test && ports.facts.depth_test.is_some() {
                self.ready.push_back(id);
                return;
            }
            self.n_outside -= 1;
        }
        if let Some(slot) = flight.slot {
            ports.core.release(slot, now);
        }
        let left = |quad: &TcQuad| {
            let state = flight.state;
            match (state.depth_write && state.depth_test, state.late_depth) {
                (false, _) => 0,
                (true, true) => quad.quad.written(),
                (true, false) => quad.quad.live(),
            }
        };
        let depths = flight.quads.iter().map(|quad| (quad.at, left(quad)));
        ended.push(Ended {
            place: flight.place,
            tile: flight.tile,
            depths: depths.filter(|(_, bits)| *bits != 0).collect(),
        });
        self.flights[id as usize] = None;
        self.free.push(id);
        self.n_flights -= 1;
    }

    /// Takes the warps of fragments that the core has finished.
    fn collect(&mut self, now: Cycles, ports: &mut OperationPorts<'_, '_>, ended: &mut Vec<Ended>) {
        let mut nth = 0;
        while let Some(&slot) = ports.core.finished.get(nth) {
            let job = *ports.core.job(slot);
            if job.tile == crate::memory::NOBODY {
                nth += 1;
                continue;
            }
            ports.core.finished.remove(nth);
            let age = ports.core.age(slot, now);
            (ports.attribution).warp(job.tile, job.draw, ports.core.work(slot), age);
            self.progress = true;
            let Some(flight) = &mut self.flights[job.ticket as usize] else {
                continue;
            };
            flight.slot = Some(slot);
            if flight.is_dead() {
                self.end_phase(job.ticket, now, ports, ended);
            } else {
                self.begin_write(job.ticket, now, ports);
            }
        }
    }

    /// Runs the programs of warps with tested depths.
    fn run_programs(&mut self, now: Cycles, ports: &mut OperationPorts<'_, '_>) {
        while let Some(&id) = self.ready.front() {
            let Some(flight) = &self.flights[id as usize] else {
                self.ready.pop_front();
                continue;
            };
            let is_dead = flight.is_dead();
            let own = ports.facts.fragment_programs[flight.draw as usize];
            let test = ports.facts.depth_test.filter(|_| is_dead);
            let program = test.unwrap_or(own);
            let shape = &ports.facts.programs.programs[program as usize];
            if !ports.core.has_room_for(shape) {
                break;
            }
            self.ready.pop_front();
            let mut quads = [TexelCursor::default(); MAX_QUADS];
            let runs = |quad: &&TcQuad| is_dead || quad.quad.is_shaded();
            let live = flight.quads.iter().filter(runs);
            let mut n_quads = 0;
            for (place, quad) in quads.iter_mut().zip(live) {
                *place = quad.cursor;
                n_quads += 1;
            }
            let origin = (flight.tile, flight.draw);
            let job = WarpJob::of_quads(program, origin, (quads, n_quads), id);
            let paths = job.paths(ports.facts);
            ports.core.launch(job, &paths, now, ports.facts);
            self.n_outside -= 1;
            self.counters.quads_shaded += if is_dead { 0 } else { u64::from(n_quads) };
            self.progress = true;
        }
    }

    /// One line of one of the caches.
    fn access(&mut self, now: Cycles, ports: &mut OperationPorts<'_, '_>, of_depth: bool) {
        let port = if of_depth {
            &mut self.depth
        } else {
            &mut self.color
        };
        let Some(&next) = port.waiting.front() else {
            return;
        };
        let Some(flight) = &mut self.flights[next.flight as usize] else {
            return;
        };
        let requester = Requester {
            traffic: port.traffic,
            tile: flight.tile,
            draw: flight.draw,
        };
        let access = if next.is_write {
            // By byte: nothing has to be there.
            port.cache.write(next.line, true, requester, ports.memory)
        } else {
            let waiter = Waiter(next.flight.into());
            (port.cache).read(next.line, requester, waiter, ports.memory)
        };
        if access == LineAccess::Refused {
            self.polls = true;
            return;
        }
        port.waiting.pop_front();
        flight.left -= 1;
        self.progress = true;
        if access == LineAccess::Pending {
            flight.pending += 1;
        } else {
            self.line_leaves(next.flight, now, of_depth);
        }
    }

    /// The frame is drawn: colours go to the L2, depths are of no more use.
    pub(super) fn flush(&mut self) {
        self.color.cache.flush();
        self.depth.cache.discard();
        self.progress = true;
    }

    /// Whether no warp is under way.
    pub(super) const fn is_idle(&self) -> bool {
        self.n_flights == 0
    }

    /// Whether nothing is on its way from the caches.
    pub(super) fn caches_are_idle(&self) -> bool {
        self.depth.cache.is_idle() && self.color.cache.is_idle()
    }

    /// The first cycle after `now` at which something can happen here without anything from outside.
    pub(super) fn next_wake(&self, now: Cycles) -> Cycles {
        let waits = !self.depth.waiting.is_empty() || !self.color.waiting.is_empty();
        if self.progress || self.polls || waits || self.caches_have_writes() {
            return now.next();
        }
        self.done.front().map_or(Cycles::MAX, |(at, _)| *at)
    }

    fn caches_have_writes(&self) -> bool {
        self.depth.cache.has_writes() || self.color.cache.has_writes()
    }

    /// Accesses of depth cache and colour cache.
    pub(super) fn take_cache_counters(&mut self) -> [crate::cache::CacheCounters; 2] {
        [
            self.depth.cache.take_counters(),
            self.color.cache.take_counters(),
        ]
    }

    /// Misses of both caches with their line under way already.
    pub(super) fn take_joined(&mut self) -> [u64; 2] {
        [&mut self.depth, &mut self.color].map(|port| port.cache.take_joined())
    }
}

fn n_warps(tile: &TcTile, core: &Core) -> usize {
    let per_warp = core.spec().quads_per_warp().min(MAX_QUADS);
    tile.quads.len().div_ceil(per_warp)
}
