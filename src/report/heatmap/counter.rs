//! Which numbers of a tile a heat map can show.

use crate::trace::TileCounters;

/// A per-tile counter that users choose by name.
#[derive(Debug, Clone, Copy)]
pub struct TileCounter {
    /// As in the JSON of a tile.
    pub name: &'static str,
    /// What is counted, and in relation to what.
    pub unit: &'static str,
    /// Whether the value is divided by the tile's pixels.
    pub per_pixel: bool,
    count: fn(&TileCounters) -> u64,
}

impl TileCounter {
    /// The counter of a name; dashes stand for underscores as well.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        let name = name.replace('-', "_");
        TILE_COUNTERS.iter().find(|counter| counter.name == name)
    }

    /// The value for a tile of `pixels` pixels.
    #[must_use]
    pub fn value(&self, counters: &TileCounters, pixels: u64) -> f64 {
        let count = (self.count)(counters) as f64;
        if self.per_pixel {
            count / pixels.max(1) as f64
        } else {
            count
        }
    }
}

const fn total(
    name: &'static str,
    unit: &'static str,
    count: fn(&TileCounters) -> u64,
) -> TileCounter {
    TileCounter {
        name,
        unit,
        per_pixel: false,
        count,
    }
}

/// Every counter of a tile, and overdraw.
pub const TILE_COUNTERS: &[TileCounter] = &[
    TileCounter {
        name: "overdraw",
        unit: "shaded fragments / pixel",
        per_pixel: true,
        count: |tile| tile.raster.fragments_shaded,
    },
    total("primitives", "triangles in the tile's list", |tile| {
        tile.primitives
    }),
    total("parameter_buffer_bytes", "bytes read", |tile| {
        tile.parameter_buffer_bytes
    }),
    total("quads_rasterised", "quads", |tile| {
        tile.raster.quads_rasterised
    }),
    total("quads_killed_early", "quads", |tile| {
        tile.raster.quads_killed_early
    }),
    total("quads_shaded", "quads", |tile| tile.raster.quads_shaded),
    total("quads_killed_late", "quads", |tile| {
        tile.raster.quads_killed_late
    }),
    total("fragments_rasterised", "fragments", |tile| {
        tile.raster.fragments_rasterised
    }),
    total("fragments_shaded", "fragments", |tile| {
        tile.raster.fragments_shaded
    }),
    total("fragments_killed_late", "fragments", |tile| {
        tile.raster.fragments_killed_late
    }),
    total("fragments_written", "fragments", |tile| {
        tile.raster.fragments_written
    }),
    total("fragments_blended", "fragments", |tile| {
        tile.raster.fragments_blended
    }),
    total("texture_samples", "samples", |tile| {
        tile.raster.texture_samples
    }),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::RasterCounters;

    #[test]
    fn tile_counters_cover_every_raster_counter() {
        for (name, _) in RasterCounters::default().entries() {
            assert!(TileCounter::by_name(name).is_some(), "{name}");
        }
    }

    #[test]
    fn tile_counter_names_take_dashes() {
        let counter = TileCounter::by_name("quads-shaded").map(|counter| counter.name);
        assert_eq!(counter, Some("quads_shaded"), "as typed by most people");
        assert!(TileCounter::by_name("quads").is_none(), "no guessing");
    }

    #[test]
    fn overdraw_counts_by_pixel() {
        let mut tile = TileCounters::default();
        tile.raster.fragments_shaded = 96;
        let overdraw = TileCounter::by_name("overdraw").map(|counter| counter.value(&tile, 64));
        assert_eq!(overdraw, Some(1.5), "96 fragments on 64 pixels");
    }
}
