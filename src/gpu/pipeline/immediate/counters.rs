//! Counters of the units of a machine that renders immediately.

use crate::cache::CacheCounters;
use crate::statistics::ActivityCounters;

/// Counters of a machine without tiles beside those that all machines have.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct ImmediateReport {
    /// Edge of the frame's work tiles in TC tiles.
    pub work_tile: u32,
    /// Masks that VPO sent, each to every cluster.
    pub masks: u64,
    /// Bytes that vertex programs handed over.
    pub vertex_output_bytes: u64,
    /// Counters of each cluster, by its number.
    pub clusters: Vec<ClusterCounters>,
}

/// Counters of a cluster beside those that Raster Units have as well.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct ClusterCounters {
    /// Masks to raster tiles.
    #[serde(flatten)]
    pub front: FrontCounters,
    /// Raster tiles to TC tiles.
    pub coalescer: CoalescerCounters,
    /// Launch of TC tiles; stalled = the core has no room, or the place is still being shaded.
    pub launch: ActivityCounters,
    /// Warps of fragments, those without a live fragment included.
    pub warps: u64,
    /// Warps ended by the early depth test.
    pub dead_warps: u64,
    /// Accesses of the buffer of vertices.
    pub vertex_buffer: CacheCounters,
    /// Accesses of all depth caches (L1Z).
    pub depth_caches: CacheCounters,
    /// Misses of the depth caches with their line under way already.
    pub depth_joined: u64,
    /// Accesses of all data caches (L1D), which hold colours.
    pub color_caches: CacheCounters,
    /// Misses of the data caches with their line under way already.
    pub color_joined: u64,
}

/// Counters of the front of a cluster.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct FrontCounters {
    /// Set-up; stalled = waits for vertices, or for coarse rasterisation.
    pub setup: ActivityCounters,
    /// Coarse and fine rasterisation; stalled = the stage behind has no room.
    pub rasteriser: ActivityCounters,
    /// Hierarchical depth test; stalled = waits for a coalescing engine.
    pub hi_z: ActivityCounters,
    /// Masks that came from VPO.
    pub masks: u64,
    /// Primitives in them that concern the cluster.
    pub primitives: u64,
    /// Attributes of those that have come into set-up.
    pub attributes_set_up: u64,
    /// Raster tiles that coarse rasterisation found.
    pub coarse_tiles: u64,
    /// Raster tiles that fine rasterisation filled.
    pub fine_tiles: u64,
    /// Raster tiles that the hierarchical test looked at.
    pub hi_z_tested: u64,
    /// Raster tiles that the hierarchical test left out.
    pub hi_z_killed: u64,
    /// Quads in those left out.
    pub hi_z_killed_quads: u64,
    /// Raster tiles kept though no fragment passes: depths inside differ too much for one stored depth to tell.
    pub hi_z_missed: u64,
    /// Quads of all raster tiles.
    pub quads: u64,
    /// Attributes interpolated, over all fragments of these quads.
    pub attributes: u64,
}

/// Counters of the engines of a cluster.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct CoalescerCounters {
    /// Raster tiles that came.
    pub raster_tiles: u64,
    /// TC tiles that left.
    pub tc_tiles: u64,
    /// TC tiles that left with every position taken.
    pub flushed_whole: u64,
    /// Because a raster tile found no bin.
    pub flushed_full: u64,
    /// Because none came for too long.
    pub flushed_timeout: u64,
    /// Cycles in which a raster tile waited for an engine.
    pub stalled: u64,
}

/// Counters of the operations of a core.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct OperationCounters {
    pub(super) warps: u64,
    /// Warps of which the early test left nothing.
    pub(super) dead_warps: u64,
    pub(super) quads_shaded: u64,
    pub(super) tested_early: u64,
    pub(super) killed_early: u64,
    pub(super) tested_late: u64,
    pub(super) killed_late: u64,
    /// Quads through all operations, shaded ones only.
    pub(super) written: u64,
}
