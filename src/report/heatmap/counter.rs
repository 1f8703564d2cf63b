//! Counters of the renderer in a tile, for heat maps.

use super::TileMeasure;
use azulejo_trace::{TileCounters, TileTrace};

/// Measures of a tile's counters, and overdraw.
pub const TILE_COUNTERS: &[TileMeasure<TileCounters>] = &[
    TileMeasure::total(
        "overdraw",
        "shaded fragments / pixel",
        |tile: &TileCounters| tile.raster.fragments_shaded,
    )
    .per_pixel(),
    TileMeasure::total("primitives", "triangles in the tile's list", |tile| {
        tile.primitives
    }),
    TileMeasure::total("parameter_buffer_bytes", "bytes read", |tile| {
        tile.parameter_buffer_bytes
    }),
    TileMeasure::total("quads_rasterised", "quads", |tile| {
        tile.raster.quads_rasterised
    }),
    TileMeasure::total("quads_killed_early", "quads", |tile| {
        tile.raster.quads_killed_early
    }),
    TileMeasure::total("quads_shaded", "quads", |tile| tile.raster.quads_shaded),
    TileMeasure::total("quads_killed_late", "quads", |tile| {
        tile.raster.quads_killed_late
    }),
    TileMeasure::total("fragments_rasterised", "fragments", |tile| {
        tile.raster.fragments_rasterised
    }),
    TileMeasure::total("fragments_shaded", "fragments", |tile| {
        tile.raster.fragments_shaded
    }),
    TileMeasure::total("fragments_killed_late", "fragments", |tile| {
        tile.raster.fragments_killed_late
    }),
    TileMeasure::total("fragments_written", "fragments", |tile| {
        tile.raster.fragments_written
    }),
    TileMeasure::total("fragments_blended", "fragments", |tile| {
        tile.raster.fragments_blended
    }),
    TileMeasure::total("texture_samples", "samples", |tile| {
        tile.raster.texture_samples
    }),
    TileMeasure::total("samples_covered", "samples", |tile| {
        tile.raster.samples_covered
    }),
    TileMeasure::total("samples_passed", "samples", |tile| {
        tile.raster.samples_passed
    }),
    TileMeasure::total("pixels_resolved", "pixels", |tile| tile.pixels_resolved),
];

/// Measures that only a trace of the frame has for a tile.
pub const TILE_FACTS: &[TileMeasure<TileTrace>] = &[TileMeasure::total(
    "texture_blocks",
    "4x4-texel blocks read by quads",
    |tile| tile.blocks.len() as u64,
)];

/// Name of the map of tiles that a technique left out, in the renderer or on a machine.
pub const SKIPPED: &str = "skipped";

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_trace::RasterCounters;

    #[test]
    fn tile_counters_cover_every_raster_counter() {
        for (name, _) in RasterCounters::default().entries() {
            let counter = TileMeasure::by_name(TILE_COUNTERS, name);
            assert!(counter.is_some(), "{name}");
        }
    }

    #[test]
    fn overdraw_counts_by_pixel() {
        let mut tile = TileCounters::default();
        tile.raster.fragments_shaded = 96;
        let overdraw = TileMeasure::by_name(TILE_COUNTERS, "overdraw");
        let value = overdraw.map(|counter| counter.value(&tile, 64));
        assert_eq!(value, Some(1.5), "96 fragments on 64 pixels");
    }
}
