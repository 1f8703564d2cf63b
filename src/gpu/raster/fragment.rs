//! The fragment stage: quads of one draw are put together to warps and go to the unit's cores, in turn or by their place on
//! the screen. Warps under way are remembered until their quads are blended, with the order in which quads of one place
//! must be.

use super::queue::FragmentQueue;
use super::tiles::{POSITIONS, PipeQuad, Tiles, position};
use crate::frame::PreparedFrame;
use crate::machine::RasterSpec;
use crate::shading::{Core, MAX_QUADS, TexelCursor, WarpJob};
use crate::statistics::{Attribution, State};
use azulejo_trace::Quad;
use azulejo_units::Cycles;

/// Number of no quad.
const NONE: u32 = u32::MAX;

/// A warp between dispatch and the blending of its last quad.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flight {
    pub(super) core: usize,
    pub(super) slot: u8,
    pub(super) draw: u32,
    pub(super) tile: u32,
    pub(super) n_quads: u8,
    /// Quads not yet blended.
    pub(super) left: u8,
    finished: bool,
    /// Quads that must wait for an older one of their place, as bits.
    waits: u8,
    pub(super) quads: [Quad; MAX_QUADS],
    /// The younger quad that waits for each, or [`NONE`].
    successors: [u32; MAX_QUADS],
}

/// Inputs of dispatch in a cycle.
#[derive(Debug)]
pub(super) struct DispatchPorts<'a> {
    /// Shader cores of the unit alone.
    pub(super) cores: &'a mut [Core],
    /// No more quads will come before these have gone.
    pub(super) closed: bool,
}

/// A warp that a core can take.
#[derive(Debug, Clone, Copy)]
struct NextWarp {
    core: usize,
    n_quads: usize,
}

/// State of the fragment stage: its queue, warps under way and the order of their quads.
#[derive(Debug)]
pub(super) struct FragmentStage {
    pub(super) queue: FragmentQueue,
    flights: Vec<Flight>,
    free: Vec<u32>,
    pub(super) n_flights: usize,
    /// The youngest unblended quad of each place, or [`NONE`].
    youngest: Vec<u32>,
    next_core: usize,
    pub(super) warps: u64,
    pub(super) quads: u64,
}

/// A quad of a warp under way as one number.
fn name(flight: u32, quad: usize) -> u32 {
    flight * MAX_QUADS as u32 + quad as u32
}

impl FragmentStage {
    pub(super) fn new(spec: &RasterSpec) -> Self {
        Self {
            queue: FragmentQueue::new(spec),
            flights: Vec::new(),
            free: Vec::new(),
            n_flights: 0,
            youngest: vec![NONE; POSITIONS],
            next_core: 0,
            warps: 0,
            quads: 0,
        }
    }

    /// Dispatches warps to the cores of the unit.
    pub(super) fn tick(
        &mut self,
        now: Cycles,
        spec: &RasterSpec,
        facts: &PreparedFrame<'_>,
        tiles: &mut Tiles,
        ports: DispatchPorts<'_>,
    ) -> State {
        let DispatchPorts { cores, closed } = ports;
        let mut state = if self.queue.len() == 0 {
            State::Idle
        } else {
            State::Stalled
        };
        let closed = closed || self.queue.is_full();
        let mut left = spec.quads_per_cycle as usize;
        while left > 0
            && let Some(warp) = self.next_warp(tiles.fragment, facts, cores, closed)
        {
            self.dispatch(now, warp, facts, tiles, cores);
            state = State::Busy;
            left = left.saturating_sub(warp.n_quads);
        }
        state
    }

    /// A warp of tile number `tile` for the next core in turn that has room and quads for one.
    fn next_warp(
        &self,
        tile: u32,
        facts: &PreparedFrame<'_>,
        cores: &[Core],
        closed: bool,
    ) -> Option<NextWarp> {
        let in_turn = (0..cores.len()).map(|nth| (self.next_core + nth) % cores.len());
        let has_room = |core: &usize| {
            let front = self.queue.of_core(*core).front();
            front.is_some_and(|front| cores[*core].has_room_for(facts.fragment_program(front.draw)))
        };
        let mut free = in_turn.filter(has_room);
        let warp_for = |core| {
            let n_quads = self.warp_for(core, tile, cores, closed)?;
            Some(NextWarp { core, n_quads })
        };
        if self.queue.is_shared() {
            // A warp that one core cannot take, none can.
            return free.next().and_then(warp_for);
        }
        free.find_map(warp_for)
    }

    /// Quads at the front of a core's part of the queue that make a warp: as many as it holds, or fewer where no more of
    /// them can come.
    fn warp_for(&self, core: usize, tile: u32, cores: &[Core], closed: bool) -> Option<usize> {
        let quads = self.queue.of_core(core);
        let front = quads.front().filter(|front| front.tile == tile)?;
        let per_warp = cores[core].spec().quads_per_warp().min(MAX_QUADS);
        let fits = |quad: &&PipeQuad| quad.draw == front.draw && quad.tile == front.tile;
        let n = quads.iter().take(per_warp).take_while(fits).count();
        (n == per_warp || n < quads.len() || closed).then_some(n)
    }

    fn dispatch(
        &mut self,
        now: Cycles,
        NextWarp { core, n_quads: n }: NextWarp,
        facts: &PreparedFrame<'_>,
        tiles: &mut Tiles,
        cores: &mut [Core],
    ) {
        self.next_core = (core + 1) % cores.len();
        let first = self.queue.of_core(core)[0];
        let id = self.new_flight(core, n, &first);
        let mut cursors = [TexelCursor::default(); MAX_QUADS];
        for (nth, quad) in self.queue.take(core, n).enumerate() {
            cursors[nth] = quad.cursor;
            let place = position(quad.quad);
            let older = std::mem::replace(&mut self.youngest[place], name(id, nth));
            self.flights[id as usize].quads[nth] = quad.quad;
            if older != NONE {
                let (flight, quad) = (older as usize / MAX_QUADS, older as usize % MAX_QUADS);
                self.flights[flight].successors[quad] = name(id, nth);
                self.flights[id as usize].waits |= 1 << nth;
            }
        }
        let tile = tiles.get(first.tile);
        tile.queued -= n as u32;
        tile.warps += 1;
        tile.unblended += n as u32;
        tile.fragment_start.get_or_insert(now);
        let program = facts.trace.draws[first.draw as usize].fragment_program;
        let origin = (tile.tile, first.draw);
        let job = WarpJob::of_quads(program.0, origin, (cursors, n as u32), id);
        cores[core].launch(job, &job.paths(facts), now, facts);
        self.warps += 1;
        self.quads += n as u64;
    }

    fn new_flight(&mut self, core: usize, n: usize, first: &PipeQuad) -> u32 {
        let flight = Flight {
            core,
            slot: 0,
            draw: first.draw,
            tile: first.tile,
            n_quads: n as u8,
            left: n as u8,
            finished: false,
            waits: 0,
            quads: [Quad(0); MAX_QUADS],
            successors: [NONE; MAX_QUADS],
        };
        self.n_flights += 1;
        if let Some(id) = self.free.pop() {
            self.flights[id as usize] = flight;
            return id;
        }
        self.flights.push(flight);
        (self.flights.len() - 1) as u32
    }

    /// Takes the warps that the cores have finished: their quads may be blended, unless older ones of their place must come
    /// first.
    pub(super) fn collect(
        &mut self,
        now: Cycles,
        tiles: &mut Tiles,
        cores: &mut [Core],
        attribution: &mut Attribution,
    ) -> bool {
        let mut any = false;
        for core in cores {
            for nth in 0..core.finished.len() {
                any = true;
                let slot = core.finished[nth];
                let job = core.job(slot);
                let age = core.age(slot, now);
                attribution.warp(job.tile, job.draw, core.work(slot), age);
                let id = job.ticket;
                let flight = &mut self.flights[id as usize];
                flight.finished = true;
                flight.slot = slot;
                let tile = tiles.get(flight.tile);
                tile.warps -= 1;
                for quad in 0..flight.n_quads {
                    if flight.waits >> quad & 1 == 0 {
                        tile.blend_ready.push_back((id, quad));
                    }
                }
            }
            core.finished.clear();
        }
        any
    }

    pub(super) fn flight(&self, id: u32) -> &Flight {
        &self.flights[id as usize]
    }

    /// A quad has been blended: the next one of its place may be, and the last one of a warp frees the warp.
    pub(super) fn blended(
        &mut self,
        now: Cycles,
        id: u32,
        quad: u8,
        tiles: &mut Tiles,
        cores: &mut [Core],
    ) {
        let nth = usize::from(quad);
        let flight = &mut self.flights[id as usize];
        let place = position(flight.quads[nth]);
        let successor = flight.successors[nth];
        flight.left -= 1;
        if flight.left == 0 {
            let (core, slot) = (flight.core, flight.slot);
            cores[core].release(slot, now);
            self.free.push(id);
            self.n_flights -= 1;
        }
        if self.youngest[place] == name(id, nth) {
            self.youngest[place] = NONE;
        }
        if successor != NONE {
            let (id, nth) = (successor / MAX_QUADS as u32, successor as usize % MAX_QUADS);
            let flight = &mut self.flights[id as usize];
            flight.waits &= !(1 << nth);
            if flight.finished {
                let tile = tiles.get(flight.tile);
                tile.blend_ready.push_back((id, nth as u8));
            }
        }
    }
}
