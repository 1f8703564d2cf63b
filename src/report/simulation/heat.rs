//! Costs of a tile on a machine that a heat map can show.

use crate::gpu::FrameReport;
use crate::gpu::statistics::TileCost;
use crate::report::HeatMap;

/// A per-tile cost that users choose by name.
#[derive(Debug, Clone, Copy)]
pub struct CostMap {
    /// As in `tiles.csv`, where it is one of its columns.
    pub name: &'static str,
    /// Of what.
    pub unit: &'static str,
    cost: fn(&TileCost) -> u64,
}

const fn map(name: &'static str, unit: &'static str, cost: fn(&TileCost) -> u64) -> CostMap {
    CostMap { name, unit, cost }
}

/// Every cost of a tile.
pub const COST_MAPS: &[CostMap] = &[
    map("fragment_cycles", "cycles in the fragment stage", |tile| {
        tile.fragment_cycles.0
    }),
    map("cycles", "cycles from fetch to flush", |tile| {
        tile.end.saturating_sub(tile.start).0
    }),
    map("warps", "warps", |tile| tile.cost.warps),
    map("instructions", "warp instructions", |tile| {
        tile.cost.instructions
    }),
    map("texture_accesses", "cache accesses", |tile| {
        tile.cost.texture_accesses
    }),
    map("texture_misses", "cache misses", |tile| {
        tile.cost.texture_misses
    }),
    map("dram_lines", "lines over the pins", |tile| {
        tile.cost.dram_lines.total()
    }),
];

impl CostMap {
    /// The cost of a name; dashes stand for underscores as well.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        let name = name.replace('-', "_");
        COST_MAPS.iter().find(|map| map.name == name)
    }

    /// The map of a frame.
    #[must_use]
    pub fn of_frame(&self, frame: &FrameReport) -> HeatMap {
        let tiles = frame.tiles.iter();
        HeatMap {
            grid: frame.grid,
            values: tiles.map(|tile| (self.cost)(tile) as f64).collect(),
            title: self.name.replace('_', " "),
            unit: self.unit.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::simulation::tests::small_report;

    #[test]
    fn cost_map_has_a_value_for_each_tile() {
        let frame = small_report();
        for map in COST_MAPS {
            let heat = map.of_frame(&frame);
            assert_eq!(heat.values.len(), frame.tiles.len(), "{}", map.name);
            assert!(heat.max() > 0.0, "{}: the screen is covered", map.name);
        }
        assert!(CostMap::by_name("dram-lines").is_some(), "dashes");
    }
}
