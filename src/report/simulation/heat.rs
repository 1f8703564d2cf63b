//! Costs of a tile on a machine, for heat maps.

use crate::heatmap::TileMeasure;
use azulejo_gpu::memory::Traffic;
use azulejo_gpu::statistics::TileCost;

/// Measures of a tile's costs, out of its columns in `tiles.csv`.
pub const TILE_COSTS: &[TileMeasure<TileCost>] = &[
    TileMeasure::total("fragment_cycles", "cycles in the fragment stage", |tile| {
        tile.fragment_cycles.0
    }),
    TileMeasure::total("cycles", "cycles from fetch to flush", |tile| {
        tile.end.saturating_sub(tile.start).0
    }),
    TileMeasure::total("order", "tiles fetched before", |tile: &TileCost| {
        tile.start.0
    })
    .ranked(),
    TileMeasure::total(
        "raster_unit",
        "number of the Raster Unit",
        |tile: &TileCost| u64::from(tile.raster_unit),
    )
    .kinds(),
    TileMeasure::total("skipped", "1 where the tile was left out", |tile| {
        u64::from(tile.skipped)
    }),
    TileMeasure::total("flush_skipped", "1 where the flush was left out", |tile| {
        u64::from(tile.flush_skipped)
    }),
    TileMeasure::total("warps", "warps", |tile| tile.cost.warps),
    TileMeasure::total("warp_cycles", "cycles of its warps", |tile| {
        tile.cost.warp_cycles.0
    }),
    TileMeasure::total("instructions", "warp instructions", |tile| {
        tile.cost.instructions
    }),
    TileMeasure::total("texture_accesses", "L1 accesses", |tile| {
        tile.cost.texture_accesses
    }),
    TileMeasure::total("texture_misses", "L1 misses", |tile| {
        tile.cost.texture_misses
    }),
    TileMeasure::total("l2_misses", "lines that the L2 had to read", |tile| {
        let lines = &tile.cost.dram_lines;
        lines[Traffic::Texture] + lines[Traffic::ParameterRead]
    }),
    TileMeasure::total("dram_lines", "lines over the pins, all kinds", |tile| {
        tile.cost.dram_lines.total()
    }),
    TileMeasure::total("dram_texture", "lines of texels over the pins", |tile| {
        tile.cost.dram_lines[Traffic::Texture]
    }),
    TileMeasure::total(
        "dram_parameter_read",
        "lines of lists and attributes over the pins",
        |tile| tile.cost.dram_lines[Traffic::ParameterRead],
    ),
    TileMeasure::total(
        "dram_parameter_write",
        "lines of lists over the pins",
        |tile| tile.cost.dram_lines[Traffic::ParameterWrite],
    ),
    TileMeasure::total("dram_color_load", "lines of colours read", |tile| {
        tile.cost.dram_lines[Traffic::ColorLoad]
    }),
    TileMeasure::total("dram_color_flush", "lines of colours written", |tile| {
        tile.cost.dram_lines[Traffic::ColorFlush]
    }),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HeatMap;
    use crate::simulation::tests::small_report;

    /// Costs that depend on technique, machine and contents of the caches.
    const MAY_BE_ZERO: [&str; 8] = [
        "raster_unit",
        "skipped",
        "flush_skipped",
        "dram_color_load",
        "dram_parameter_read",
        "dram_parameter_write",
        "l2_misses",
        "order",
    ];

    #[test]
    fn tile_cost_has_a_value_for_each_tile() {
        let frame = small_report();
        for cost in TILE_COSTS {
            let heat = HeatMap::of_tiles(frame.grid, &frame.tiles, cost);
            assert_eq!(heat.values.len(), frame.tiles.len(), "{}", cost.name);
            if !MAY_BE_ZERO.contains(&cost.name) {
                assert!(heat.max() > 0.0, "{}: the screen is covered", cost.name);
            }
        }
    }

    #[test]
    fn tile_order_has_each_number_once() {
        let frame = small_report();
        let order = TileMeasure::by_name(TILE_COSTS, "order").expect("a cost");
        let mut places = HeatMap::of_tiles(frame.grid, &frame.tiles, order).values;
        places.sort_by(f64::total_cmp);
        let expected: Vec<f64> = (0..frame.tiles.len()).map(|n| n as f64).collect();
        assert_eq!(places, expected, "from 0 to the last tile");
    }
}
