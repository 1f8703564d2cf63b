//! Everything behind assembly on a machine that renders immediately: vertices' outputs on their way to the L2, Vertex
//! Processing and Operations (which primitives concern which cluster), and the clusters.
//!
//! Triangles come from assembly in draw order. VPO puts those that follow each other to masks of a warp's width and sends
//! each cluster its bits over the interconnect; a mask waits until every cluster has room for it, and a triangle until its
//! vertices have been written. A triangle concerns the clusters that have a part of its bounding box, whether or not it
//! covers pixels there (section 3.3.4).
//!
//! Differences to the paper:
//! - A trace has no positions: the box is that of the pixels which the triangle covers, so corners too thin for a pixel do
//!   not count.
//! - Each cluster's VPO makes masks of the vertex warps that ran there, and reorder buffers put them in the order of the
//!   draws. Here masks are made in that order, as many triangles a cycle as there are clusters: a warp that is late holds
//!   up the ones after it either way.
//! - Warps of vertices do not overlap: a vertex runs once a draw however many triangles have it, and set-up reads it from
//!   the L2. The paper's overlap, whose degree it does not say, runs vertices again that two warps share.

use std::collections::VecDeque;

use super::cluster::{Cluster, ClusterPorts};
use super::coalescer::Coalescer;
use super::counters::ImmediateReport;
use super::front::{Front, Mask};
use super::operations::Operations;
use super::order::DrawOrder;
use super::screen::{Clusters, ScreenMap};
use super::surface::{Surfaces, depth_layout};
use crate::gpu::cache::{CacheSpecError, CacheTags, Victim};
use crate::gpu::frame::PreparedFrame;
use crate::gpu::machine::{CacheUnitSpec, ImmediateSpec, MachineSpec};
use crate::gpu::memory::{
    FrameNeeds, LineCache, LineRequest, MemoryMap, MemorySystem, NOBODY, Requester, Source,
    Traffic, Waiter,
};
use crate::gpu::raster::RasterUnitCounters;
use crate::gpu::report::TechniqueReport;
use crate::gpu::schedule::{FrameStart, WorkTiles};
use crate::gpu::seams::Wiring;
use crate::gpu::shading::Core;
use crate::gpu::statistics::Attribution;
use crate::grid::TileGrid;
use crate::units::Cycles;

/// Inputs and outputs of the pipeline in a cycle.
#[derive(Debug)]
pub(crate) struct ImmediatePorts<'a, 'f> {
    pub(crate) facts: &'a PreparedFrame<'f>,
    pub(crate) order: &'a DrawOrder,
    pub(crate) memory: &'a mut MemorySystem,
    pub(crate) cores: &'a mut [Core],
    pub(crate) attribution: &'a mut Attribution,
    /// Triangles that assembly has handed over.
    pub(crate) triangles: &'a mut VecDeque<(Cycles, u32)>,
    /// Vertices with finished programs.
    pub(crate) vertices_done: u64,
    pub(crate) frame_start: Cycles,
}

/// Pipeline behind assembly: outputs of vertices, VPO and the clusters.
#[derive(Debug)]
pub(crate) struct ImmediatePipeline {
    spec: ImmediateSpec,
    sizes: Option<Box<dyn WorkTiles>>,
    cores_of_each: usize,
    clusters: Vec<Cluster>,
    work_tile: u32,
    screen: ScreenMap,
    surfaces: Surfaces,
    /// Address of the first of the vertices' outputs.
    outputs: u64,
    line_bytes: u64,
    /// Number of the first cache of the clusters as a source of requests.
    first_source: usize,
    output_source: Source,
    /// Vertices of the pass.
    n_vertices: u64,
    /// Vertices that were through when nothing was left to write; others have come since, where it differs.
    settled: Option<u64>,
    /// Vertices with written outputs, and where the next line of outputs begins.
    written: u64,
    next_output: u64,
    /// Primitives of the mask under way.
    mask: Vec<u32>,
    mask_draw: u32,
    masks: u64,
    output_bytes: u64,
    waiters: Vec<Waiter>,
    progress: bool,
    polls: bool,
}

/// Primitives of a mask, at most.
const MASK: usize = 32;

/// Caches of a machine's clusters, as sources of requests.
pub(crate) fn n_sources(spec: &MachineSpec) -> usize {
    let clusters = spec.raster.units.len();
    2 * clusters * spec.raster.cores_per_unit as usize + clusters + 1
}

impl ImmediatePipeline {
    pub(crate) fn new(
        machine: &MachineSpec,
        spec: &ImmediateSpec,
        wiring: &mut Wiring,
        first_source: usize,
    ) -> Result<Self, CacheSpecError> {
        let n_clusters = machine.raster.units.len();
        let cores_of_each = machine.raster.cores_per_unit as usize;
        let ideal = machine.ideal.colors;
        let source = |nth: usize| Source((first_source + nth) as u8);
        let cache = |of: &CacheUnitSpec, nth, ideal, kind| {
            let tags = CacheTags::of_machine(of.tags, Victim::Lru)?;
            let cache = LineCache::with_tags(of, tags, source(nth), ideal);
            Ok::<_, CacheSpecError>(cache.of_traffic(kind))
        };
        let n_cores = n_clusters * cores_of_each;
        let cluster = |number: usize| {
            let nth = 2 * n_cores + number;
            let no_memory = machine.ideal.vertex_cache;
            let vertices = cache(&spec.vertex_buffer, nth, no_memory, Traffic::VertexOutput)?;
            let operations = (0..cores_of_each).map(|core| {
                let nth = 2 * (number * cores_of_each + core);
                let depth = cache(&spec.depth_cache, nth, ideal, Traffic::Depth)?;
                let color = cache(&spec.color_cache, nth + 1, ideal, Traffic::Color)?;
                Ok(Operations::new(spec.operation_latency, depth, color))
            });
            Ok(Cluster::new(
                number as u32,
                Front::new(spec, vertices),
                Coalescer::new(spec),
                operations.collect::<Result<_, CacheSpecError>>()?,
            ))
        };
        let clusters = (0..n_clusters).map(cluster);
        Ok(Self {
            spec: *spec,
            clusters: clusters.collect::<Result<_, CacheSpecError>>()?,
            sizes: (wiring.take(|seams| &mut seams.work_tiles)).map(|(_, sizes)| sizes),
            cores_of_each,
            work_tile: spec.work_tile,
            screen: ScreenMap::new(
                machine.screen.grid,
                spec,
                spec.work_tile,
                Clusters {
                    n: n_clusters as u32,
                    cores_of_each: cores_of_each as u32,
                },
            ),
            surfaces: Surfaces::default(),
            outputs: 0,
            line_bytes: machine.l2.tags.line.0,
            first_source,
            output_source: source(2 * n_cores + n_clusters),
            n_vertices: 0,
            settled: None,
            written: 0,
            next_output: 0,
            mask: Vec::with_capacity(MASK),
            mask_draw: 0,
            masks: 0,
            output_bytes: 0,
            waiters: Vec::new(),
            progress: false,
            polls: false,
        })
    }

    /// Bytes in memory that the frame needs: its depth buffer.
    pub(crate) fn depth_bytes(facts: &crate::trace::FrameTrace, needs: &FrameNeeds) -> u64 {
        depth_layout(needs.writes, &facts.grid).bytes()
    }

    /// Instructions of a depth test or a blend.
    pub(crate) const fn operation_instructions(&self) -> u32 {
        self.spec.operation_instructions
    }

    /// Vertices that may be ahead of VPO: as many warps as a cluster's reorder buffer holds masks.
    pub(crate) fn vertices_ahead(&self, warp_threads: u32) -> u64 {
        u64::from(self.spec.primitive_masks) * u64::from(warp_threads)
    }

    /// Chooses the size of the frame's work tiles: the technique's, or the machine's own.
    pub(crate) fn begin_schedule(&mut self, start: &FrameStart<'_>) {
        let chosen = self.sizes.as_mut().map(|sizes| sizes.begin_frame(start));
        self.work_tile = chosen.unwrap_or(self.spec.work_tile);
        self.keep_schedule(start.grid);
    }

    /// Work tiles of the size that the last frame had.
    pub(crate) fn keep_schedule(&mut self, grid: TileGrid) {
        self.screen = ScreenMap::new(
            grid,
            &self.spec,
            self.work_tile,
            Clusters {
                n: self.clusters.len() as u32,
                cores_of_each: self.cores_of_each as u32,
            },
        );
    }

    pub(crate) fn begin_pass(&mut self, facts: &PreparedFrame<'_>, map: &MemoryMap) {
        self.surfaces = Surfaces::new(facts, map, self.line_bytes);
        self.outputs = map.outputs;
        let draws = facts.trace.draws.iter();
        self.n_vertices = draws.map(|draw| draw.vertices.len() as u64).sum();
        self.settled = None;
        self.written = 0;
        self.next_output = 0;
        for cluster in &mut self.clusters {
            cluster.begin_frame(&self.screen);
        }
    }

    /// Whether everything that came has been drawn; the caches may still hold colours.
    pub(crate) fn is_idle(&self, facts: &PreparedFrame<'_>, order: &DrawOrder) -> bool {
        self.mask.is_empty()
            && self.next_output >= order.outputs_until(self.n_vertices, facts.trace)
            && self.clusters.iter().all(Cluster::is_idle)
    }

    /// The frame is drawn: colours go to the L2.
    pub(crate) fn flush(&mut self) {
        self.clusters.iter_mut().for_each(Cluster::flush);
        self.progress = true;
    }

    /// Whether nothing is on its way out of the cores' caches.
    pub(crate) fn is_flushed(&self) -> bool {
        let mut cores = self.clusters.iter().flat_map(|c| &c.operations);
        cores.all(Operations::caches_are_idle)
    }

    /// A line has come for one of the clusters' caches.
    pub(crate) fn fill(&mut self, source: usize, line: u64, now: Cycles) {
        let nth = source - self.first_source;
        let of_cores = 2 * self.clusters.len() * self.cores_of_each;
        let waiters = &mut self.waiters;
        if nth < of_cores {
            let core = nth / 2;
            let cluster = &mut self.clusters[core / self.cores_of_each];
            let of_depth = nth.is_multiple_of(2);
            cluster.fill_surface(core % self.cores_of_each, of_depth, line, now, waiters);
        } else if let Some(cluster) = self.clusters.get_mut(nth - of_cores) {
            cluster.fill_vertices(line, now, waiters);
        }
    }

    /// One cycle: clusters, then VPO, then outputs of vertices.
    pub(crate) fn tick(&mut self, now: Cycles, ports: &mut ImmediatePorts<'_, '_>) {
        self.polls = false;
        self.progress = false;
        let cores = ports.cores.chunks_mut(self.cores_of_each);
        for (cluster, cores) in self.clusters.iter_mut().zip(cores) {
            if !cluster.is_due(now, cores) {
                continue;
            }
            let mut ports = ClusterPorts {
                facts: ports.facts,
                order: ports.order,
                screen: &self.screen,
                memory: ports.memory,
                cores,
                attribution: ports.attribution,
                surfaces: &mut self.surfaces,
                outputs: self.outputs,
                frame_start: ports.frame_start,
            };
            cluster.tick(now, &mut ports);
        }
        self.make_masks(now, ports);
        self.write_outputs(ports);
    }

    /// Triangles with written vertices come into the mask, one for each cluster's VPO a cycle; a mask goes when it is full,
    /// when the draw ends, or when no triangle comes.
    fn make_masks(&mut self, now: Cycles, ports: &mut ImmediatePorts<'_, '_>) {
        let mut came = false;
        for _ in 0..self.clusters.len() {
            let written = self.written;
            let there = |(at, primitive): &mut (Cycles, u32)| {
                *at <= now && ports.order.vertices_before(*primitive) <= written
            };
            let draw_of = |primitive: u32| ports.facts.draw_of_primitive[primitive as usize];
            let Some(&(_, next)) = ports.triangles.front() else {
                break;
            };
            let fits =
                self.mask.len() < MASK && (self.mask.is_empty() || draw_of(next) == self.mask_draw);
            if !fits {
                break;
            }
            let Some((_, primitive)) = ports.triangles.pop_front_if(there) else {
                break;
            };
            self.mask_draw = draw_of(primitive);
            self.mask.push(primitive);
            came = true;
        }
        self.progress |= came;
        let full = self.mask.len() == MASK;
        if self.mask.is_empty() || (came && !full) {
            return;
        }
        if self.clusters.iter().all(|cluster| cluster.front.has_room()) {
            self.send_mask(now, ports.order);
        }
    }

    fn send_mask(&mut self, now: Cycles, order: &DrawOrder) {
        let mut bits = [0_u32; 32];
        for (nth, primitive) in self.mask.iter().enumerate() {
            let around = order.bounding_box(*primitive);
            let concerned = around.map_or(0, |around| self.screen.clusters_of_box(around));
            for (cluster, bits) in bits.iter_mut().enumerate() {
                *bits |= (concerned >> cluster & 1) << nth;
            }
        }
        let first = self.mask.first().copied().unwrap_or(0);
        for (cluster, bits) in self.clusters.iter_mut().zip(bits) {
            let at = now + self.spec.mask_latency;
            cluster.push(Mask { first, bits, at }, now);
        }
        self.masks += 1;
        self.mask.clear();
        self.progress = true;
    }

    /// A line of outputs goes to the L2 when all vertices that have a part of it are through.
    fn write_outputs(&mut self, ports: &mut ImmediatePorts<'_, '_>) {
        let trace = ports.facts.trace;
        let done = ports.vertices_done;
        if self.settled == Some(done) {
            return;
        }
        let until = ports.order.outputs_until(done, trace);
        let is_last = done == self.n_vertices;
        let line_end = self.next_output + self.line_bytes;
        let writes = self.next_output < until && (line_end <= until || is_last);
        if writes {
            let line = (self.outputs + self.next_output) & !(self.line_bytes - 1);
            if !ports.memory.has_room(line) {
                self.polls = true;
                return;
            }
            ports.memory.push(LineRequest {
                line,
                source: self.output_source,
                requester: Requester {
                    traffic: Traffic::VertexOutput,
                    tile: NOBODY,
                    draw: NOBODY,
                },
                is_write: true,
            });
            self.output_bytes += line_end.min(until) - self.next_output;
            self.next_output = line_end;
            self.progress = true;
        }
        // The part of a line that is through is in the cores' hands until its line is whole.
        if self.next_output + self.line_bytes > until {
            self.progress |= self.written != done;
            self.written = done;
            self.settled = (!writes).then_some(done);
        }
    }

    /// Grows with everything that is done in a frame.
    pub(crate) fn work_done(&self) -> u64 {
        let clusters = self.clusters.iter().map(Cluster::work_done);
        clusters.sum::<u64>() + self.masks + self.next_output
    }

    /// The first cycle after `now` at which something can happen without anything from outside.
    pub(crate) fn next_wake(&self, now: Cycles) -> Cycles {
        // A mask that waits for room in the clusters' reorder buffers goes on in a cycle in which one of them does.
        if self.progress || self.polls {
            return now.next();
        }
        let clusters = self.clusters.iter().map(Cluster::next_wake);
        clusters.min().unwrap_or(Cycles::MAX)
    }

    /// Has nothing to do from `now` on.
    pub(crate) fn rest(&mut self, now: Cycles) {
        self.clusters
            .iter_mut()
            .for_each(|cluster| cluster.rest(now));
    }

    /// Counters since the last call.
    pub(crate) fn take_counters(
        &mut self,
        now: Cycles,
    ) -> (Vec<RasterUnitCounters>, ImmediateReport) {
        let clusters = self.clusters.iter_mut();
        let (common, clusters) = clusters.map(|cluster| cluster.take_counters(now)).unzip();
        let report = ImmediateReport {
            work_tile: self.screen.work_tile(),
            masks: std::mem::take(&mut self.masks),
            vertex_output_bytes: std::mem::take(&mut self.output_bytes),
            clusters,
        };
        (common, report)
    }

    /// Report of the technique that chooses work tiles.
    pub(crate) fn take_technique_report(&mut self) -> Option<TechniqueReport> {
        self.sizes.as_mut().and_then(|sizes| sizes.take_report())
    }
}
