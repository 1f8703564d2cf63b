//! Vertex fetch and vertex programs: indices and attributes come through the vertex cache, one access a cycle; fetched
//! vertices wait in a queue until they fill a warp; warps run on shader cores or vertex processors; results count in the
//! order of fetch.

use std::collections::VecDeque;

use crate::frame::PreparedFrame;
use crate::memory::{
    LineAccess, LineCache, MemoryMap, MemorySystem, NOBODY, Requester, Traffic, Waiter,
};
use crate::shading::{Core, MAX_QUADS, MAX_THREADS, TexelCursor, WarpJob};
use crate::statistics::{Activity, ActivityCounters, Attribution, State};
use azulejo_units::Cycles;

/// Counters of vertex fetch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct VertexCounters {
    /// Stalled = waits for memory, or for room in the queue.
    pub activity: ActivityCounters,
    /// Vertices fetched and run.
    pub vertices: u64,
    /// Warps that ran them.
    pub warps: u64,
    /// Bytes of indices and attributes requested.
    pub bytes: u64,
}

/// A vertex with lines on their way.
#[derive(Debug, Clone, Copy)]
struct Fetch {
    pending: u32,
    ready_at: Cycles,
    complete: bool,
    draw: u32,
    /// Position in the draw.
    vertex: usize,
}

/// Vertices of one warp.
#[derive(Debug, Clone, Copy)]
struct Batch {
    n: u32,
    done: bool,
}

/// Place of the fetcher in the frame.
#[derive(Debug, Clone, Copy, Default)]
struct Position {
    draw: u32,
    vertex: usize,
    /// Bytes of indices read.
    index_bytes: u64,
    /// Lines of the vertex's next range; a range is the indices, or a stream.
    range: usize,
    line: u64,
    end: u64,
    /// The vertex has an entry in the queue.
    begun: bool,
}

/// Vertex fetcher and the vertices on the cores.
#[derive(Debug)]
pub(super) struct VertexStage {
    at: Position,
    fetches: VecDeque<Fetch>,
    /// Number of the front of `fetches`.
    first: u64,
    batches: VecDeque<Batch>,
    first_batch: u32,
    /// Vertices with finished programs, in order, since the start of the frame.
    pub(super) done: u64,
    /// Vertices given to the cores since the start of the frame.
    pub(super) launched: u64,
    next_core: usize,
    /// All miss registers of the cache are taken: no line can be requested before one comes.
    is_held: bool,
    activity: Activity,
    counters: VertexCounters,
    pub(super) progress: bool,
}

/// Inputs and outputs of the stage.
#[derive(Debug)]
pub(super) struct VertexPorts<'a, 'f> {
    pub(super) facts: &'a PreparedFrame<'f>,
    pub(super) map: &'a MemoryMap,
    pub(super) cache: &'a mut LineCache,
    pub(super) memory: &'a mut MemorySystem,
    /// All cores of the machine; `eligible` says which run vertex programs.
    pub(super) cores: &'a mut [Core],
    pub(super) eligible: &'a [usize],
    pub(super) attribution: &'a mut Attribution,
    /// Draws that the command processor has handed over.
    pub(super) draws_ready: u32,
    pub(super) queue: usize,
    /// Whether another warp may go to a core.
    pub(super) may_launch: bool,
}

impl VertexStage {
    pub(super) fn new() -> Self {
        Self {
            at: Position::default(),
            fetches: VecDeque::new(),
            first: 0,
            batches: VecDeque::new(),
            first_batch: 0,
            done: 0,
            launched: 0,
            next_core: 0,
            is_held: false,
            activity: Activity::default(),
            counters: VertexCounters::default(),
            progress: false,
        }
    }

    pub(super) fn begin_frame(&mut self) {
        self.at = Position::default();
        self.done = 0;
        self.launched = 0;
    }

    /// The draw of the vertices that are fetched.
    pub(super) fn draw(&self) -> u32 {
        self.at.draw
    }

    pub(super) fn is_idle(&self) -> bool {
        self.fetches.is_empty() && self.batches.is_empty()
    }

    /// A line has come into the cache.
    pub(super) const fn line_came(&mut self) {
        self.is_held = false;
    }

    /// A line has come for a vertex.
    pub(super) fn wake(&mut self, waiter: Waiter, now: Cycles) {
        let number = waiter.0 - self.first;
        let fetch = &mut self.fetches[number as usize];
        fetch.pending -= 1;
        fetch.ready_at = fetch.ready_at.max(now);
    }

    pub(super) fn tick(&mut self, now: Cycles, ports: &mut VertexPorts<'_, '_>) {
        self.progress = false;
        self.collect(now, ports);
        self.dispatch(now, ports);
        self.fetch(now, ports);
        let state = if self.progress {
            State::Busy
        } else if self.is_idle() && self.at.draw as usize >= ports.facts.trace.draws.len() {
            State::Idle
        } else {
            State::Stalled
        };
        self.activity.set(state, now);
    }

    /// Warps that are through.
    fn collect(&mut self, now: Cycles, ports: &mut VertexPorts<'_, '_>) {
        for &core in ports.eligible {
            let core = &mut ports.cores[core];
            let mut nth = 0;
            while let Some(&slot) = core.finished.get(nth) {
                let job = *core.job(slot);
                if job.tile != NOBODY {
                    // A warp of fragments, which the unit that launched it takes.
                    nth += 1;
                    continue;
                }
                core.finished.remove(nth);
                let age = core.age(slot, now);
                (ports.attribution).warp(NOBODY, job.draw, core.work(slot), age);
                self.batches[(job.ticket - self.first_batch) as usize].done = true;
                core.release(slot, now);
                self.progress = true;
            }
        }
        while let Some(batch) = self.batches.pop_front_if(|batch| batch.done) {
            self.done += u64::from(batch.n);
            self.first_batch = self.first_batch.wrapping_add(1);
        }
    }

    /// A warp's worth of fetched vertices of one draw goes to a core.
    fn dispatch(&mut self, now: Cycles, ports: &mut VertexPorts<'_, '_>) {
        let Some(front) = self.fetches.front().copied().filter(|_| ports.may_launch) else {
            return;
        };
        let n_cores = ports.eligible.len();
        let program = ports.facts.trace.draws[front.draw as usize].vertex_program;
        let shape = ports.facts.programs.programs[program.0 as usize];
        let core = (0..n_cores)
            .map(|nth| (self.next_core + nth) % n_cores)
            .find(|&nth| ports.cores[ports.eligible[nth]].has_room_for(&shape));
        let Some(nth_core) = core else {
            return;
        };
        let core = &mut ports.cores[ports.eligible[nth_core]];
        // A queue smaller than a warp fills it as far as it goes.
        let wanted = (core.spec().warp_threads as usize).min(ports.queue);
        let there = |fetch: &&Fetch| {
            fetch.draw == front.draw
                && fetch.complete
                && fetch.pending == 0
                && fetch.ready_at <= now
        };
        let n = self.fetches.iter().take(wanted).take_while(there).count();
        let draw_is_fetched = self.at.draw > front.draw;
        let closes = draw_is_fetched
            && self
                .fetches
                .get(n)
                .is_none_or(|next| next.draw != front.draw);
        if n == 0 || (n < wanted && !closes) {
            return;
        }
        self.next_core = (nth_core + 1) % n_cores;
        self.fetches.drain(..n);
        self.first += n as u64;
        self.batches.push_back(Batch {
            n: n as u32,
            done: false,
        });
        let ticket = self.first_batch.wrapping_add(self.batches.len() as u32 - 1);
        let mut quads = [TexelCursor::default(); MAX_QUADS];
        quads[0].quad = front.vertex as u32;
        let job = WarpJob {
            program: program.0,
            draw: front.draw,
            tile: NOBODY,
            next_texture: 0,
            n_quads: (n as u32).div_ceil(4),
            n_members: n as u32,
            quads,
            ticket,
            of_group: false,
        };
        let paths = &ports.facts.trace.draws[front.draw as usize].vertex_paths;
        let paths = paths.get(front.vertex..front.vertex + n).unwrap_or(&[]);
        core.launch(job, paths, now, ports.facts);
        self.launched += n as u64;
        self.counters.vertices += n as u64;
        self.counters.warps += 1;
        self.progress = true;
    }

    /// One access of the vertex cache.
    fn fetch(&mut self, now: Cycles, ports: &mut VertexPorts<'_, '_>) {
        while self.at.draw < ports.draws_ready && !self.is_held {
            if !self.next_line(now, ports) {
                if self.at.begun {
                    self.end_vertex();
                    continue;
                }
                let draw = &ports.facts.trace.draws[self.at.draw as usize];
                if self.at.vertex >= draw.vertices.len() {
                    self.at = Position {
                        draw: self.at.draw + 1,
                        ..Position::default()
                    };
                    self.progress = true;
                    continue;
                }
                return;
            }
            let number = self.first + self.fetches.len() as u64 - 1;
            let requester = Requester {
                traffic: Traffic::Vertex,
                tile: NOBODY,
                draw: self.at.draw,
            };
            let waiter = Waiter(number);
            let access = ports
                .cache
                .read(self.at.line, requester, waiter, ports.memory);
            let Some(fetch) = self.fetches.back_mut() else {
                return;
            };
            match access {
                LineAccess::Refused => {
                    self.is_held = ports.cache.waits_for_line(self.at.line);
                    return;
                }
                LineAccess::Hit => {
                    fetch.ready_at = fetch.ready_at.max(now.after(ports.cache.latency()))
                }
                LineAccess::Pending => fetch.pending += 1,
            }
            self.at.line += ports.cache.line_bytes();
            self.progress = true;
            if !self.next_line(now, ports) && self.at.begun {
                self.end_vertex();
            }
            return;
        }
    }

    fn end_vertex(&mut self) {
        if let Some(fetch) = self.fetches.back_mut() {
            fetch.complete = true;
        }
        self.at.begun = false;
        self.at.vertex += 1;
        self.at.range = 0;
        self.progress = true;
    }

    /// Makes sure that there is a line to ask for: of the vertex, or of the next one if the queue has room.
    fn next_line(&mut self, now: Cycles, ports: &VertexPorts<'_, '_>) -> bool {
        let draw = &ports.facts.trace.draws[self.at.draw as usize];
        let Some(&vertex) = draw.vertices.get(self.at.vertex) else {
            return false;
        };
        if !self.at.begun {
            if self.fetches.len() >= ports.queue {
                return false;
            }
            self.fetches.push_back(Fetch {
                pending: 0,
                ready_at: now,
                complete: false,
                draw: self.at.draw,
                vertex: self.at.vertex,
            });
            self.at.begun = true;
            self.at.line = 0;
            self.at.end = 0;
        }
        let of_instance = draw.vertices.len() / draw.instances.max(1) as usize;
        let (instance, nth) = (self.at.vertex / of_instance, self.at.vertex % of_instance);
        while self.at.line >= self.at.end {
            let range = self.at.range;
            self.at.range += 1;
            let (from, bytes) = if range == 0 {
                let Some(indices) = draw.indices else {
                    continue;
                };
                // Indices are read in step with the vertices that they bring, for each instance again.
                let all = u64::from(indices.count) * u64::from(indices.bytes_per_index);
                let due = all * (nth as u64 + 1) / of_instance as u64;
                if nth == 0 {
                    self.at.index_bytes = 0;
                }
                let from = ports.map.buffers[indices.buffer as usize] + indices.offset;
                let read = std::mem::replace(&mut self.at.index_bytes, due);
                self.counters.bytes += due - read;
                // A line that was read for the vertex before is still at hand.
                let line = |bytes: u64| ports.cache.line_of(from + bytes.max(1) - 1);
                if due == read || (read > 0 && line(read) == line(due)) {
                    continue;
                }
                (from + read, due - read)
            } else if let Some(stream) = draw.vertex_streams.get(range - 1) {
                let base = ports.map.buffers[stream.buffer as usize] + stream.offset;
                self.counters.bytes += u64::from(stream.bytes);
                let element = match stream.per_instance {
                    true => instance as u64,
                    false => vertex.into(),
                };
                let from = base + element * u64::from(stream.stride);
                (from, u64::from(stream.bytes))
            } else {
                return false;
            };
            self.at.line = ports.cache.line_of(from);
            self.at.end = from + bytes;
        }
        true
    }

    /// Grows with everything that the unit does in a frame.
    pub(super) fn work_done(&self) -> u64 {
        self.counters.vertices + self.counters.bytes
    }

    /// The first cycle after `now` at which something can happen without anything from outside.
    pub(super) fn next_wake(&self, now: Cycles) -> Cycles {
        if self.progress {
            return now.next();
        }
        // Later ones wait for these to be dispatched.
        let next_warp = self.fetches.iter().take(MAX_THREADS);
        let ready = next_warp.map(|fetch| fetch.ready_at);
        ready.filter(|at| *at > now).min().unwrap_or(Cycles::MAX)
    }

    /// Has nothing to do from `now` on.
    pub(super) fn rest(&mut self, now: Cycles) {
        self.activity.set(State::Idle, now);
        self.progress = false;
    }

    pub(super) fn take_counters(&mut self, now: Cycles) -> VertexCounters {
        let mut counters = std::mem::take(&mut self.counters);
        counters.activity = self.activity.take(now);
        counters
    }
}
