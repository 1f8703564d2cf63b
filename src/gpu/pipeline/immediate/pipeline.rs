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
use crate::cache::{CacheSpecError, CacheTags, Victim};
use crate::elide::KeepAll;
use crate::failure::FrameError;
use crate::frame::PreparedFrame;
use crate::machine::{CacheUnitSpec, ImmediateSpec, MachineSpec};
use crate::memory::{
    FrameNeeds, LineCache, LineRequest, MemorySystem, NOBODY, Requester, Source, Traffic, Waiter,
};
use crate::pipeline::{Common, Pass, PipelineCounters, PixelPipeline, Role};
use crate::report::TechniqueReport;
use crate::schedule::{FrameStart, WorkTiles};
use crate::seams::Wiring;
use crate::statistics::Activity;
use crate::tiling::{ListBuilderCounters, TileFetcherCounters};
use azulejo_grid::TileGrid;
use azulejo_trace::FrameTrace;
use azulejo_units::Cycles;

/// Pipeline behind assembly: outputs of vertices, VPO and the clusters.
#[derive(Debug)]
pub(crate) struct ImmediatePipeline {
    spec: ImmediateSpec,
    sizes: Option<Box<dyn WorkTiles>>,
    cores_of_each: usize,
    clusters: Vec<Cluster>,
    /// Triangles that assembly has handed over.
    triangles: VecDeque<(Cycles, u32)>,
    order: DrawOrder,
    /// When the pass's last triangle was handed over.
    geometry_end: Option<Cycles>,
    /// All is drawn: lines held in caches go to the L2.
    is_flushing: bool,
    /// Tiling Engine, which the machine does not have.
    tiling: Activity,
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

/// The screen as the clusters of a machine share it.
fn screen(
    spec: &ImmediateSpec,
    grid: TileGrid,
    work_tile: u32,
    machine: &MachineSpec,
) -> ScreenMap {
    let clusters = Clusters {
        n: machine.raster.units.len() as u32,
        cores_of_each: machine.raster.cores_per_unit,
    };
    ScreenMap::new(grid, spec, work_tile, clusters)
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
        let source = |nth: usize| Source((first_source + nth) as u16);
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
                Ok(Operations::new(depth, color))
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
            triangles: VecDeque::new(),
            order: DrawOrder::default(),
            geometry_end: None,
            is_flushing: false,
            tiling: Activity::default(),
            work_tile: spec.work_tile,
            screen: screen(spec, machine.screen.grid, spec.work_tile, machine),
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

    /// Whether everything that came has been drawn; the caches may still hold colours.
    fn is_drawn(&self, facts: &PreparedFrame<'_>) -> bool {
        self.geometry_end.is_some()
            && self.triangles.is_empty()
            && self.mask.is_empty()
            && self.next_output >= self.order.outputs_until(self.n_vertices, facts.trace)
            && self.clusters.iter().all(Cluster::is_idle)
    }

    /// Whether nothing is on its way out of the cores' caches.
    fn is_flushed(&self) -> bool {
        let mut cores = self.clusters.iter().flat_map(|c| &c.operations);
        cores.all(Operations::caches_are_idle)
    }

    fn tick_clusters(&mut self, now: Cycles, pass: &mut Pass<'_, '_>, common: &mut Common) {
        let cores = common.cores.chunks_mut(self.cores_of_each);
        for (cluster, cores) in self.clusters.iter_mut().zip(cores) {
            if !cluster.is_due(now, cores) {
                continue;
            }
            let mut ports = ClusterPorts {
                facts: pass.facts,
                order: &self.order,
                screen: &self.screen,
                memory: &mut common.memory,
                cores,
                attribution: pass.attribution,
                surfaces: &mut self.surfaces,
                outputs: self.outputs,
                frame_start: pass.frame_start,
            };
            cluster.tick(now, &mut ports);
        }
    }

    /// Triangles with written vertices come into the mask, one for each cluster's VPO a cycle; a mask goes when it is full,
    /// when the draw ends, or when no triangle comes.
    fn make_masks(&mut self, now: Cycles, facts: &PreparedFrame<'_>) {
        let mut came = false;
        for _ in 0..self.clusters.len() {
            let written = self.written;
            let there = |(at, primitive): &mut (Cycles, u32)| {
                *at <= now && self.order.vertices_before(*primitive) <= written
            };
            let draw_of = |primitive: u32| facts.draw_of_primitive[primitive as usize];
            let Some(&(_, next)) = self.triangles.front() else {
                break;
            };
            let fits =
                self.mask.len() < MASK && (self.mask.is_empty() || draw_of(next) == self.mask_draw);
            if !fits {
                break;
            }
            let Some((_, primitive)) = self.triangles.pop_front_if(there) else {
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
            self.send_mask(now);
        }
    }

    fn send_mask(&mut self, now: Cycles) {
        let mut bits = [0_u32; 32];
        for (nth, primitive) in self.mask.iter().enumerate() {
            let around = self.order.bounding_box(*primitive);
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
    fn write_outputs(&mut self, done: u64, trace: &FrameTrace, memory: &mut MemorySystem) {
        if self.settled == Some(done) {
            return;
        }
        let until = self.order.outputs_until(done, trace);
        let is_last = done == self.n_vertices;
        let line_end = self.next_output + self.line_bytes;
        let writes = self.next_output < until && (line_end <= until || is_last);
        if writes {
            let line = (self.outputs + self.next_output) & !(self.line_bytes - 1);
            if !memory.has_room(line) {
                self.polls = true;
                return;
            }
            memory.push(LineRequest {
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
}

impl PixelPipeline for ImmediatePipeline {
    fn prepare<'f>(&mut self, trace: &'f FrameTrace, common: &mut Common) -> PreparedFrame<'f> {
        self.order = DrawOrder::new(trace);
        let (spec, map) = (&common.spec, &mut common.map);
        let needs = FrameNeeds::without_tiles(spec.display.frame_buffers, self.line_bytes);
        map.place(trace, &needs);
        let depth_bytes = depth_layout(needs.writes, &trace.grid).bytes();
        map.place_immediate(depth_bytes, self.order.output_bytes());
        common.memory.l2.written_areas = Some(map.written_areas(Traffic::Color));
        let mut facts = PreparedFrame::new(trace, map);
        facts.add_operations(self.spec.operation_instructions);
        facts
    }

    /// Work tiles of the frame's last pass are as large as the technique or the machine has them; those of passes before it, as
    /// they were in the frame before.
    fn begin(
        &mut self,
        role: Role,
        start: &FrameStart<'_>,
        facts: &PreparedFrame<'_>,
        common: &Common,
    ) {
        if role == Role::Last {
            let chosen = self.sizes.as_mut().map(|sizes| sizes.begin_frame(start));
            self.work_tile = chosen.unwrap_or(self.spec.work_tile);
        }
        self.screen = screen(&self.spec, start.grid, self.work_tile, &common.spec);
        self.surfaces = Surfaces::new(facts, &common.map, self.line_bytes);
        self.outputs = common.map.outputs;
        let draws = facts.trace.draws.iter();
        self.n_vertices = draws.map(|draw| draw.vertices.len() as u64).sum();
        self.geometry_end = None;
        self.is_flushing = false;
        self.settled = None;
        self.written = 0;
        self.next_output = 0;
        for cluster in &mut self.clusters {
            cluster.begin_frame(&self.screen);
        }
    }

    /// Clusters first, then VPO and outputs of vertices, then geometry, which fills the queue that they empty.
    fn tick(&mut self, now: Cycles, pass: &mut Pass<'_, '_>, common: &mut Common) {
        self.polls = false;
        self.progress = false;
        let vertices_done = common.geometry.vertices_done();
        self.tick_clusters(now, pass, common);
        self.make_masks(now, pass.facts);
        self.write_outputs(vertices_done, pass.facts.trace, &mut common.memory);
        if self.geometry_end.is_some() {
            return;
        }
        // As many warps may be ahead of VPO as a cluster's reorder buffer holds masks.
        let threads = common.cores[common.vertex_cores[0]].spec().warp_threads;
        let ahead = u64::from(self.spec.primitive_masks) * u64::from(threads);
        common.tick_geometry(now, pass, &mut self.triangles, Some(ahead), &mut KeepAll);
        if common.geometry.is_done(pass.facts) {
            self.geometry_end = Some(now);
            common.geometry.rest(now.next());
        }
    }

    fn fill(&mut self, source: usize, line: u64, now: Cycles) {
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

    fn is_done(
        &self,
        _: Cycles,
        facts: &PreparedFrame<'_>,
        common: &Common,
    ) -> Result<bool, FrameError> {
        Ok(common.memory.is_idle()
            && match self.is_flushing {
                true => self.is_flushed(),
                false => self.is_drawn(facts),
            })
    }

    fn end_phase(&mut self, now: Cycles) -> bool {
        for cluster in &mut self.clusters {
            cluster.rest(now);
        }
        if self.is_flushing {
            return false;
        }
        self.is_flushing = true;
        self.clusters.iter_mut().for_each(Cluster::flush);
        self.progress = true;
        true
    }

    fn geometry_end(&self) -> Cycles {
        self.geometry_end.unwrap_or_default()
    }

    fn next_wake(&self, now: Cycles, common: &Common) -> Cycles {
        // A mask that waits for room in the clusters' reorder buffers goes on in a cycle in which one of them does.
        if self.progress || self.polls {
            return now.next();
        }
        let triangle = self.triangles.front().map(|(at, _)| *at);
        let triangle = triangle.filter(|at| *at > now);
        let clusters = self.clusters.iter().map(Cluster::next_wake);
        let wakes = clusters.chain(triangle);
        wakes.fold(common.geometry.next_wake(now), Cycles::min)
    }

    fn waiting(&self, _: Cycles, facts: &PreparedFrame<'_>, common: &Common) -> Vec<String> {
        let mut waiting = common.waiting_geometry(facts, self.triangles.len());
        waiting.push("clusters have primitives, raster tiles or warps left".to_owned());
        waiting
    }

    fn work_done(&self) -> u64 {
        let clusters = self.clusters.iter().map(Cluster::work_done);
        clusters.sum::<u64>() + self.masks + self.next_output
    }

    fn take_counters(&mut self, now: Cycles) -> PipelineCounters {
        let clusters = self.clusters.iter_mut();
        let (raster_units, clusters) = clusters.map(|cluster| cluster.take_counters(now)).unzip();
        let activity = self.tiling.take(now);
        PipelineCounters {
            list_builder: ListBuilderCounters {
                activity,
                ..ListBuilderCounters::default()
            },
            tile_fetcher: TileFetcherCounters {
                activity,
                ..TileFetcherCounters::default()
            },
            raster_units,
            immediate: Some(ImmediateReport {
                work_tile: self.screen.work_tile(),
                masks: std::mem::take(&mut self.masks),
                vertex_output_bytes: std::mem::take(&mut self.output_bytes),
                clusters,
            }),
            ..PipelineCounters::default()
        }
    }

    fn take_reports(&mut self) -> Vec<TechniqueReport> {
        let sizes = self.sizes.as_mut();
        let report = sizes.and_then(|sizes| sizes.take_report());
        report.into_iter().collect()
    }
}
