//! Caches, tile buffers and queues: accesses and sizes in, energy of their arrays out.

use super::account::{ACCESS_BYTES, Account};
use super::report::EnergyPart;
use super::technology::Sram;
use crate::cache::CacheCounters;
use crate::immediate::{ClusterCounters, ImmediateReport};
use crate::machine::{CacheUnitSpec, ImmediateSpec, Pipeline};
use crate::raster::RasterUnitCounters;
use azulejo_units::{Bytes, Milliwatts, Picojoules};

/// Bytes of a quad's colours or depths.
const QUAD_BYTES: f64 = 16.0;
/// Rendering Elimination's Table I: in front of the vertex processor and behind it.
const VERTEX_QUEUES: f64 = 2.0;

/// Queues of one kind, and the entries that went through all of them.
struct Queues {
    /// Entries of one queue.
    entries: u32,
    /// Bytes of an entry.
    entry_bytes: u32,
    /// How many there are.
    count: f64,
    /// Entries written, and read again.
    passed: f64,
}

/// First-level caches of one kind.
pub(super) struct Caches<'a> {
    name: &'static str,
    pub(super) unit: &'a CacheUnitSpec,
    /// How many there are.
    pub(super) count: f64,
    /// Sums over all of them.
    pub(super) counters: CacheCounters,
}

impl Account<'_> {
    /// The memories outside the cores.
    pub(super) fn memories(&self) -> Vec<EnergyPart> {
        let vertex = self.machine.geometry.vertex_cache.tags.size;
        let mut parts =
            vec![self.first_level("vertex cache", vertex, &self.report.geometry.vertex_cache)];
        let (caches, tile_buffers) = self.behind_geometry();
        parts.extend(caches.iter().map(|caches| {
            let one = self.first_level(caches.name, caches.unit.tags.size, &caches.counters);
            let leakage = one.leakage * caches.count;
            EnergyPart { leakage, ..one }
        }));
        parts.push(self.l2());
        parts.extend(tile_buffers);
        parts
    }

    /// First-level caches behind geometry, and tile buffers where the machine has them.
    pub(super) fn behind_geometry(&self) -> (Vec<Caches<'_>>, Option<EnergyPart>) {
        match (&self.machine.pipeline, &self.report.immediate) {
            (Pipeline::Immediate(spec), Some(report)) => {
                (self.caches_of_clusters(spec, report).into(), None)
            }
            _ => {
                let tile_cache = Caches {
                    name: "tile cache",
                    unit: &self.machine.tiling.tile_cache,
                    count: 1.0,
                    counters: self.report.tile_cache,
                };
                (vec![tile_cache], Some(self.tile_buffers()))
            }
        }
    }

    /// Caches of a machine that renders immediately, in place of tile cache and tile buffers.
    fn caches_of_clusters<'a>(
        &self,
        spec: &'a ImmediateSpec,
        report: &ImmediateReport,
    ) -> [Caches<'a>; 3] {
        let clusters = self.machine.raster.units.len() as f64;
        let cores = clusters * f64::from(self.machine.raster.cores_per_unit);
        let caches = |name, unit, count, of: fn(&ClusterCounters) -> CacheCounters| {
            let mut counters = CacheCounters::default();
            let clusters = report.clusters.iter();
            clusters.for_each(|cluster| counters += of(cluster));
            Caches {
                name,
                unit,
                count,
                counters,
            }
        };
        [
            caches("vertex buffers", &spec.vertex_buffer, clusters, |c| {
                c.vertex_buffer
            }),
            caches("depth caches", &spec.depth_cache, cores, |c| c.depth_caches),
            caches("data caches", &spec.color_cache, cores, |c| c.color_caches),
        ]
    }

    /// Every access, and every line that came in or was read to be written back.
    fn first_level(&self, name: &'static str, size: Bytes, counters: &CacheCounters) -> EnergyPart {
        let array = self.energies.cache(size);
        let reads = counters.read_hits + counters.read_misses + counters.dirty_writebacks;
        let writes = counters.write_hits + counters.write_misses + counters.read_misses;
        let dynamic = array.read * reads as f64 + array.write * writes as f64;
        self.part(name, dynamic, array.leakage)
    }

    fn l2(&self) -> EnergyPart {
        let array = self.energies.sequential_cache(self.machine.l2.tags.size);
        let l2 = &self.report.l2;
        let reads = l2.reads.total() + l2.writebacks;
        let writes = l2.read_misses.total() + l2.writes.total();
        let dynamic = array.read * reads as f64 + array.write * writes as f64;
        self.part("L2", dynamic, array.leakage)
    }

    fn tile_buffers(&self) -> EnergyPart {
        let edge = u64::from(self.report.grid.tile_size);
        let samples = self.report.samples.get();
        let array = self
            .energies
            .ram(Bytes(edge * edge * 4 * u64::from(samples)));
        let raster = &self.machine.raster;
        let n_arrays = raster.units.len() as f64 * f64::from(raster.color_buffers + 1);
        let units = self.report.raster_units.iter();
        let dynamic: Picojoules = units.map(|unit| tile_buffer_accesses(&array, unit)).sum();
        // Every sample has a depth and a colour, and the flush reads all of them.
        let dynamic = dynamic * f64::from(samples);
        self.part("tile buffers", dynamic, array.leakage * n_arrays)
    }

    /// Between the stages: vertices, triangles and quads, written once and read once.
    pub(super) fn queues(&self) -> EnergyPart {
        let bytes = self.energies.queue_entries();
        let (geometry, raster) = (&self.machine.geometry, &self.machine.raster);
        let units = |count: fn(&RasterUnitCounters) -> u64| {
            self.report.raster_units.iter().map(count).sum::<u64>() as f64
        };
        let of_units = raster.units.len() as f64;
        let vertices = self.report.geometry.vertices.vertices as f64;
        let kinds = [
            Queues {
                entries: geometry.vertex_queue,
                entry_bytes: bytes.vertex,
                count: VERTEX_QUEUES,
                passed: vertices * VERTEX_QUEUES,
            },
            Queues {
                entries: geometry.triangle_queue,
                entry_bytes: bytes.primitive,
                count: 1.0,
                passed: self.report.geometry.assembly.primitives_out as f64,
            },
            Queues {
                entries: raster.fifo,
                entry_bytes: bytes.primitive,
                count: of_units,
                passed: units(|unit| unit.primitives),
            },
            Queues {
                entries: raster.fragment_queue,
                entry_bytes: bytes.quad,
                count: of_units,
                passed: units(|unit| unit.quads_shaded),
            },
        ];
        let (mut dynamic, mut leakage) = (Picojoules::ZERO, Milliwatts::default());
        for queues in kinds {
            let size = u64::from(queues.entries) * u64::from(queues.entry_bytes);
            let array = self.energies.ram(Bytes(size));
            let entry = f64::from(queues.entry_bytes) / ACCESS_BYTES;
            dynamic += (array.read + array.write) * (queues.passed * entry);
            leakage += array.leakage * queues.count;
        }
        self.part("queues", dynamic, leakage)
    }
}

/// Depth is read for every quad tested and written for those that pass; colour is read and written for what is left to
/// blend, and read by the flush.
fn tile_buffer_accesses(array: &Sram, unit: &RasterUnitCounters) -> Picojoules {
    let tested = (unit.early_z_tested + unit.late_z_tested) as f64;
    let passed_late = unit.late_z_tested.saturating_sub(unit.late_killed);
    let passed = (unit.early_z_tested - unit.early_z_killed + passed_late) as f64;
    let blended = (unit.quads_blended - unit.late_killed) as f64;
    let reads = array.read * (tested + blended);
    let writes = array.write * (passed + blended);
    (reads + writes) * (QUAD_BYTES / ACCESS_BYTES) + array.read * unit.flush_lines as f64
}
