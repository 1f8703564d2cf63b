//! What a tile costs on a machine, for heat maps.

use crate::gpu::statistics::TileCost;
use crate::report::heatmap::TileMeasure;

/// Every cost of a tile, out of what `tiles.csv` says of it.
pub const TILE_COSTS: &[TileMeasure<TileCost>] = &[
    TileMeasure::total("fragment_cycles", "cycles in the fragment stage", |tile| {
        tile.fragment_cycles.0
    }),
    TileMeasure::total("cycles", "cycles from fetch to flush", |tile| {
        tile.end.saturating_sub(tile.start).0
    }),
    TileMeasure::total("warps", "warps", |tile| tile.cost.warps),
    TileMeasure::total("instructions", "warp instructions", |tile| {
        tile.cost.instructions
    }),
    TileMeasure::total("texture_accesses", "cache accesses", |tile| {
        tile.cost.texture_accesses
    }),
    TileMeasure::total("texture_misses", "cache misses", |tile| {
        tile.cost.texture_misses
    }),
    TileMeasure::total("dram_lines", "lines over the pins", |tile| {
        tile.cost.dram_lines.total()
    }),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::HeatMap;
    use crate::report::simulation::tests::small_report;

    #[test]
    fn tile_cost_has_a_value_for_each_tile() {
        let frame = small_report();
        for cost in TILE_COSTS {
            let heat = HeatMap::of_tiles(frame.grid, &frame.tiles, cost);
            assert_eq!(heat.values.len(), frame.tiles.len(), "{}", cost.name);
            assert!(heat.max() > 0.0, "{}: the screen is covered", cost.name);
        }
    }
}
