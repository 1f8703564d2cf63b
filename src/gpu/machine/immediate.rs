//! The parameters of a pipeline that renders immediately, in the order of the draws, without tiles on the chip (Emerald, Table 7).

use serde::Deserialize;

use super::cache_unit::{CacheUnitSpec, MAX_LATENCY};
use crate::parameters::{in_range, in_range_or_default, power_of_two};
use azulejo_units::{Bytes, Cycles};

/// Pixels of a raster tile's edge (Emerald, Table 7).
pub const RASTER_TILE: u32 = 4;

/// How pixels are drawn: a machine's choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pipeline {
    /// Triangles are listed by tile; tiles are drawn one by one in memories on the chip.
    Tiled,
    /// Triangles are drawn one by one where they lie; depths and colours lie in memory.
    Immediate(ImmediateSpec),
}

/// `pipeline` in a machine file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum PipelineName {
    #[default]
    Tiled,
    Immediate,
}

/// `[immediate]`: everything behind assembly; each cluster has these units and as many cores as a Raster Unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct ImmediateSpec {
    /// Edge of a work tile in TC tiles: work tiles are dealt to the clusters in turn, row by row.
    #[serde(deserialize_with = "in_range::<1, 64, _, _>")]
    pub work_tile: u32,
    /// Edge of a TC tile in raster tiles.
    #[serde(deserialize_with = "power_of_two::<1, 2, _, _>")]
    pub tc_tile: u32,
    /// Tile Coalescing engines of a cluster.
    #[serde(deserialize_with = "in_range::<1, 16, _, _>")]
    pub tc_engines: u32,
    /// TC tiles under assembly in an engine, all of one place.
    #[serde(deserialize_with = "in_range::<1, 16, _, _>")]
    pub tc_bins: u32,
    /// Cycles without a new raster tile after which an engine gives up what it has.
    #[serde(deserialize_with = "in_range::<1, MAX_LATENCY, _, _>")]
    pub tc_timeout: Cycles,
    /// Raster tiles that coarse rasterisation finds per cycle.
    #[serde(deserialize_with = "in_range::<1, 16, _, _>")]
    pub coarse_tiles_per_cycle: u32,
    /// Raster tiles that fine rasterisation fills per cycle.
    #[serde(deserialize_with = "in_range::<1, 16, _, _>")]
    pub fine_tiles_per_cycle: u32,
    /// Raster tiles that the hierarchical depth test looks at per cycle.
    #[serde(deserialize_with = "in_range::<1, 16, _, _>")]
    pub hi_z_tiles_per_cycle: u32,
    /// Whether there is a hierarchical depth test.
    pub hi_z: bool,
    /// From one stage of the rasteriser to the next.
    #[serde(deserialize_with = "in_range::<1, MAX_LATENCY, _, _>")]
    pub stage_latency: Cycles,
    /// Raster tiles between two stages.
    #[serde(deserialize_with = "in_range::<1, 4096, _, _>")]
    pub stage_queue: u32,
    /// Primitives in set-up at the same time, each waiting for its vertices.
    #[serde(deserialize_with = "in_range::<1, 256, _, _>")]
    pub setup_queue: u32,
    /// Masks of a cluster's reorder buffer; as many warps of vertices may be ahead of it.
    #[serde(deserialize_with = "in_range::<1, 256, _, _>")]
    pub primitive_masks: u32,
    /// A mask's way over the interconnect.
    #[serde(deserialize_with = "in_range::<1, MAX_LATENCY, _, _>")]
    pub mask_latency: Cycles,
    /// Instructions of a depth test, and as many of a blend, each of which reads the one before: they run in the shader, in front of its
    /// program or behind it.
    #[serde(deserialize_with = "in_range_or_default::<0, 64, _, _>")]
    pub operation_instructions: u32,
    /// Each core's cache of depths (L1Z); its latency is from a warp's last access of it to the test.
    pub depth_cache: CacheUnitSpec,
    /// Each core's cache of colours (L1D); its latency is from a warp's last access of it to the end of blending.
    pub color_cache: CacheUnitSpec,
    /// Each cluster's buffer of vertices for set-up.
    pub vertex_buffer: CacheUnitSpec,
}

impl ImmediateSpec {
    /// Edge of a TC tile in pixels.
    #[must_use]
    pub const fn tc_pixels(&self) -> u32 {
        self.tc_tile * RASTER_TILE
    }

    pub(super) const fn set_line(&mut self, line: Bytes) {
        self.depth_cache.tags.line = line;
        self.color_cache.tags.line = line;
        self.vertex_buffer.tags.line = line;
    }
}
