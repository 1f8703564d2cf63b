//! A cluster: front, coalescing engines, and its cores' operations, last stage first. TC tiles go to the core that their
//! place belongs to, in the order of their numbers there, and only when the one before has ended.

use super::coalescer::Coalescer;
use super::counters::{ClusterCounters, OperationCounters};
use super::front::{Front, FrontPorts, Mask};
use super::operations::{Ended, OperationPorts, Operations};
use super::order::DrawOrder;
use super::screen::ScreenMap;
use super::surface::Surfaces;
use crate::frame::PreparedFrame;
use crate::memory::{MemorySystem, Waiter};
use crate::raster::RasterUnitCounters;
use crate::shading::Core;
use crate::statistics::{Activity, ActivityCounters, Attribution, State};
use azulejo_units::Cycles;

/// Inputs and outputs of a cluster.
#[derive(Debug)]
pub(super) struct ClusterPorts<'a, 'f> {
    pub(super) facts: &'a PreparedFrame<'f>,
    pub(super) order: &'a DrawOrder,
    pub(super) screen: &'a ScreenMap,
    pub(super) memory: &'a mut MemorySystem,
    /// Shader cores of this cluster alone.
    pub(super) cores: &'a mut [Core],
    pub(super) attribution: &'a mut Attribution,
    pub(super) surfaces: &'a mut Surfaces,
    pub(super) outputs: u64,
    pub(super) frame_start: Cycles,
}

/// A cluster without its cores.
#[derive(Debug)]
pub(super) struct Cluster {
    number: u32,
    pub(super) front: Front,
    coalescer: Coalescer,
    pub(super) operations: Vec<Operations>,
    /// Warps of the TC tile that is being shaded, by place.
    under_way: Vec<u8>,
    /// TC tiles of each place that have ended.
    ended: Vec<u32>,
    launch: Activity,
    fragment: Activity,
    /// The first cycle in which something can happen here, without anything from outside.
    wake: Cycles,
    spare: Vec<Ended>,
    drawn: u64,
}

impl Cluster {
    pub(super) fn new(
        number: u32,
        front: Front,
        coalescer: Coalescer,
        operations: Vec<Operations>,
    ) -> Self {
        Self {
            number,
            front,
            coalescer,
            operations,
            under_way: Vec::new(),
            ended: Vec::new(),
            launch: Activity::default(),
            fragment: Activity::default(),
            wake: Cycles::ZERO,
            spare: Vec::new(),
            drawn: 0,
        }
    }

    pub(super) fn begin_frame(&mut self, screen: &ScreenMap) {
        let n_places = screen.n_places();
        self.front.begin_frame(screen);
        self.coalescer.begin_frame(n_places);
        self.under_way.clear();
        self.under_way.resize(n_places as usize, 0);
        self.ended.clear();
        self.ended.resize(n_places as usize, 0);
        self.wake = Cycles::ZERO;
    }

    pub(super) fn is_idle(&self) -> bool {
        self.front.is_idle()
            && self.coalescer.is_idle()
            && self.operations.iter().all(Operations::is_idle)
    }

    /// Whether a cycle at `now` could change anything: its time has come, or a core has finished a warp or has other room
    /// than before.
    pub(super) fn is_due(&self, now: Cycles, cores: &[Core]) -> bool {
        let mut cores = self.operations.iter().zip(cores);
        self.wake <= now || cores.any(|(operations, core)| operations.is_due(core))
    }

    pub(super) fn tick(&mut self, now: Cycles, ports: &mut ClusterPorts<'_, '_>) {
        let mut ended = std::mem::take(&mut self.spare);
        for (core, operations) in ports.cores.iter_mut().zip(&mut self.operations) {
            let mut ports = OperationPorts {
                facts: ports.facts,
                memory: ports.memory,
                core,
                attribution: ports.attribution,
                surfaces: ports.surfaces,
            };
            operations.tick(now, &mut ports, &mut ended);
        }
        for warp in ended.drain(..) {
            self.end_warp(&warp, now, ports);
        }
        self.spare = ended;
        let launch = self.launch(now, ports);
        self.launch.set(launch, now);
        let timed_out = self.coalescer.time_out(now);
        let coalescer = &mut self.coalescer;
        let mut front_ports = FrontPorts {
            facts: ports.facts,
            order: ports.order,
            screen: ports.screen,
            memory: ports.memory,
            outputs: ports.outputs,
            cluster: self.number,
        };
        self.front
            .tick(now, &mut front_ports, &mut |tile| coalescer.take(tile, now));
        let resident = self.operations.iter().any(|core| !core.is_idle());
        let fragment = if resident { State::Busy } else { State::Idle };
        self.fragment.set(fragment, now);
        for (operations, core) in self.operations.iter_mut().zip(&*ports.cores) {
            operations.n_free_seen = core.n_free_warps();
        }
        let goes_on = timed_out || launch == State::Busy;
        self.wake = if goes_on {
            now.next()
        } else {
            self.earliest(now)
        };
    }

    fn end_warp(&mut self, warp: &Ended, now: Cycles, ports: &mut ClusterPorts<'_, '_>) {
        self.drawn += 1;
        for &(at, bits) in &warp.depths {
            self.front.depths_written(ports.screen, at, bits);
        }
        let place = warp.place as usize;
        self.under_way[place] -= 1;
        self.ended[place] += u32::from(self.under_way[place] == 0);
        let cost = &mut ports.attribution.tiles[warp.tile as usize];
        cost.end = now.next().since(ports.frame_start);
        cost.fragment_cycles = cost.end.saturating_sub(cost.start);
    }

    /// A TC tile of each engine goes to its core, if that has room and the one before of the place has ended.
    fn launch(&mut self, now: Cycles, ports: &mut ClusterPorts<'_, '_>) -> State {
        let mut state = State::Idle;
        for out in self.coalescer.outputs() {
            let Some(next) = out.front() else {
                continue;
            };
            let place = next.place as usize;
            let nth = ports.screen.core(next.place) as usize;
            let core = &mut ports.cores[nth];
            let operations = &mut self.operations[nth];
            let in_turn = self.under_way[place] == 0 && self.ended[place] == next.nth;
            if !in_turn || !operations.has_room(next, core, ports.facts) {
                state = state.max(State::Stalled);
                continue;
            }
            state = State::Busy;
            let cost = &mut ports.attribution.tiles[next.tile as usize];
            if cost.start == Cycles::ZERO {
                cost.raster_unit = self.number;
                cost.start = now.since(ports.frame_start);
            }
            let mut ports = OperationPorts {
                facts: ports.facts,
                memory: ports.memory,
                core,
                attribution: ports.attribution,
                surfaces: ports.surfaces,
            };
            self.under_way[place] = operations.launch(now, next, &mut ports) as u8;
            out.pop_front();
        }
        state
    }

    /// A line has come for the buffer of vertices.
    pub(super) fn fill_vertices(&mut self, line: u64, now: Cycles, all: &mut Vec<Waiter>) {
        self.front.fill(line, now, all);
        self.wake = now;
    }

    /// A line has come for the cache of depths or of colours of a core.
    pub(super) fn fill_surface(
        &mut self,
        core: usize,
        of_depth: bool,
        line: u64,
        now: Cycles,
        all: &mut Vec<Waiter>,
    ) {
        self.operations[core].fill(line, of_depth, now, all);
        self.wake = now;
    }

    /// Hands over a mask of primitives, for which there must be room.
    pub(super) fn push(&mut self, mask: Mask, now: Cycles) {
        self.front.push(mask);
        self.wake = self.wake.min(now.next());
    }

    /// The frame is drawn: colours go to the L2, depths are of no more use.
    pub(super) fn flush(&mut self) {
        self.operations.iter_mut().for_each(Operations::flush);
        self.wake = Cycles::ZERO;
    }

    pub(super) fn work_done(&self) -> u64 {
        let warps = self.operations.iter().map(|core| core.counters.warps);
        self.front.work_done() + self.drawn + warps.sum::<u64>()
    }

    /// The first cycle in which something can happen here without anything from outside.
    pub(super) const fn next_wake(&self) -> Cycles {
        self.wake
    }

    fn earliest(&self, now: Cycles) -> Cycles {
        let operations = self.operations.iter().map(|core| core.next_wake(now));
        let front = self.front.next_wake(now);
        let timeout = self.coalescer.next_wake(now);
        operations.fold(front.min(timeout), Cycles::min)
    }

    /// Has nothing to do from `now` on.
    pub(super) fn rest(&mut self, now: Cycles) {
        self.front.rest(now);
        self.launch.set(State::Idle, now);
        self.fragment.set(State::Idle, now);
    }

    /// Counters since the last call: those that Raster Units have as well, and the rest.
    pub(super) fn take_counters(&mut self, now: Cycles) -> (RasterUnitCounters, ClusterCounters) {
        let mut sum = OperationCounters::default();
        let mut own = ClusterCounters {
            front: self.front.take_counters(now),
            coalescer: std::mem::take(&mut self.coalescer.counters),
            launch: self.launch.take(now),
            vertex_buffer: self.front.take_cache_counters(),
            ..ClusterCounters::default()
        };
        for core in &mut self.operations {
            sum.add(&std::mem::take(&mut core.counters));
            let [depth, color] = core.take_cache_counters();
            own.depth_caches += depth;
            own.color_caches += color;
            let [depth, color] = core.take_joined();
            own.depth_joined += depth;
            own.color_joined += color;
        }
        (own.warps, own.dead_warps) = (sum.warps, sum.dead_warps);
        let front = &own.front;
        let idle = ActivityCounters {
            idle: own.launch.total(),
            ..ActivityCounters::default()
        };
        let common = RasterUnitCounters {
            rasteriser: front.rasteriser,
            early_z: front.hi_z,
            dispatch: own.launch,
            fragment: self.fragment.take(now),
            blend: idle,
            flush: idle,
            primitives: front.primitives,
            attributes_set_up: front.attributes_set_up,
            quads_rasterised: front.quads,
            attributes_interpolated: front.attributes,
            early_z_tested: sum.tested_early + front.hi_z_killed_quads,
            early_z_killed: sum.killed_early + front.hi_z_killed_quads,
            warps: sum.warps - sum.dead_warps,
            quads_shaded: sum.quads_shaded,
            quads_blended: sum.written,
            late_z_tested: sum.tested_late,
            late_killed: sum.killed_late,
            ..RasterUnitCounters::default()
        };
        (common, own)
    }
}

impl OperationCounters {
    const fn add(&mut self, other: &Self) {
        self.warps += other.warps;
        self.dead_warps += other.dead_warps;
        self.quads_shaded += other.quads_shaded;
        self.tested_early += other.tested_early;
        self.killed_early += other.killed_early;
        self.tested_late += other.tested_late;
        self.killed_late += other.killed_late;
        self.written += other.written;
    }
}
