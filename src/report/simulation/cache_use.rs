//! Caches of a machine by kind: accesses, hits, and lines fetched from below.

use azulejo_gpu::FrameReport;
use azulejo_gpu::cache::CacheCounters;
use azulejo_gpu::immediate::ClusterCounters;
use azulejo_gpu::memory::Traffic;
use azulejo_gpu::shading::DataCounters;

/// Use of a kind of cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheUse {
    /// Name of the kind in tables.
    pub name: &'static str,
    /// Number of reads and writes.
    pub accesses: u64,
    /// Accesses that found their line.
    pub hits: u64,
    /// Lines requested from the level below; misses on a line that is under way request none.
    pub fetched: u64,
}

/// Data caches of the cores' load/store units, in tables.
const DATA_CACHES: &str = "load/store caches";

impl CacheUse {
    /// Whether tables have it: data caches only where programs access buffers.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.accesses > 0 || self.name != DATA_CACHES
    }
}

/// Caches of a frame, by kind.
pub(super) fn caches(frame: &FrameReport) -> Vec<CacheUse> {
    let line_cache = |name, counters: &CacheCounters, fetched| CacheUse {
        name,
        accesses: counters.accesses(),
        hits: counters.hits(),
        fetched,
    };
    let l2 = &frame.l2;
    let textures = frame.cores.iter().map(|core| core.texture);
    let accesses = l2.reads.total() + l2.writes.total();
    let mut caches = vec![line_cache(
        "vertex cache",
        &frame.geometry.vertex_cache,
        l2.reads[Traffic::Command] + l2.reads[Traffic::Vertex],
    )];
    if let Some(immediate) = &frame.immediate {
        type Kind = (&'static str, fn(&ClusterCounters) -> CacheCounters, Traffic);
        let of_clusters: [Kind; 3] = [
            ("vertex buffers", |c| c.vertex_buffer, Traffic::VertexOutput),
            ("depth caches", |c| c.depth_caches, Traffic::Depth),
            ("data caches", |c| c.color_caches, Traffic::Color),
        ];
        caches.extend(of_clusters.map(|(name, of, kind)| {
            let mut sum = CacheCounters::default();
            immediate
                .clusters
                .iter()
                .for_each(|cluster| sum += of(cluster));
            line_cache(name, &sum, l2.reads[kind])
        }));
    } else {
        let fetched = l2.reads[Traffic::ParameterRead];
        caches.push(line_cache("tile cache", &frame.tile_cache, fetched));
    }
    caches.extend([
        CacheUse {
            name: "texture caches",
            accesses: textures.clone().map(|texture| texture.accesses).sum(),
            hits: textures.clone().map(|texture| texture.hits).sum(),
            fetched: l2.reads[Traffic::Texture],
        },
        CacheUse {
            name: "textures, by quad",
            accesses: textures.clone().map(|texture| texture.quad_accesses).sum(),
            hits: textures
                .map(|texture| texture.quad_hits + texture.quad_pending_hits)
                .sum(),
            fetched: l2.reads[Traffic::Texture],
        },
        CacheUse {
            name: "L2",
            accesses,
            hits: accesses - l2.read_misses.total(),
            fetched: L2_KINDS.iter().map(|kind| frame.dram.reads[*kind]).sum(),
        },
        data_caches(frame),
    ]);
    caches
}

fn data_caches(frame: &FrameReport) -> CacheUse {
    let data = frame.cores.iter().map(|core| &core.data);
    CacheUse {
        name: DATA_CACHES,
        accesses: data.clone().map(DataCounters::loaded).sum(),
        hits: data.clone().map(|data| data.hits).sum(),
        fetched: data.map(|data| data.misses).sum(),
    }
}

/// Traffic that the L2 reads from the DRAM; loads and flushes of tiles and the display go past it.
const L2_KINDS: [Traffic; 8] = [
    Traffic::Command,
    Traffic::Vertex,
    Traffic::ParameterRead,
    Traffic::Texture,
    Traffic::VertexOutput,
    Traffic::Depth,
    Traffic::Color,
    Traffic::Buffer,
];
