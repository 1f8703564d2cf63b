//! Tables of draws and of a tile's steps, sorted by one of their costs.

use super::draws::{DrawCost, ModelledCost, quotient};
use super::tile_history::TileStep;

/// Cost by which rows can be sorted.
#[derive(Debug, Clone, Copy)]
pub struct CostColumn<T: 'static> {
    /// The column's header in lower case, with `-` for blanks.
    pub name: &'static str,
    /// The cost of a row; nothing where it was not measured.
    pub value: fn(&T) -> Option<f64>,
}

/// Costs of a draw that a machine need not run.
pub const DRAW_COLUMNS: &[CostColumn<DrawCost>] = &[
    column("vertices", |draw| whole(draw.geometry.vertices_shaded)),
    column("primitives", |draw| whole(draw.geometry.primitives_in)),
    column("culled", |draw| whole(draw.primitives_culled())),
    column("binned", |draw| whole(draw.geometry.primitives_binned)),
    column("tiles/tri", DrawCost::tiles_per_primitive),
    column("pixels/tri", DrawCost::pixels_per_primitive),
    column("quads", |draw| whole(draw.raster.quads_rasterised)),
    column("early", |draw| {
        quotient(draw.raster.quads_killed_early, draw.raster.quads_rasterised)
    }),
    column("fragments", |draw| whole(draw.raster.fragments_shaded)),
    column("share", |draw| whole(draw.raster.fragments_shaded)),
    column("instructions", |draw| whole(draw.shader_instructions)),
];

/// Costs of a draw on a machine.
pub const MODELLED_COLUMNS: &[CostColumn<DrawCost>] = &[
    column("warps", |draw| modelled(draw, |cost| whole(cost.warps))),
    column("warp-cycles", |draw| {
        modelled(draw, |cost| whole(cost.warp_cycles))
    }),
    column("l1-misses", |draw| {
        modelled(draw, |cost| {
            quotient(cost.texture_misses, cost.texture_accesses)
        })
    }),
    column("dram", |draw| {
        modelled(draw, |cost| whole(cost.dram_bytes_total))
    }),
];

/// Costs of a step of a tile.
pub const STEP_COLUMNS: &[CostColumn<TileStep>] = &[
    column("quads", |step| whole(step.raster.quads_rasterised)),
    column("early", |step| whole(step.raster.quads_killed_early)),
    column("shaded", |step| whole(step.raster.fragments_shaded)),
    column("late", |step| whole(step.raster.fragments_killed_late)),
    column("written", |step| whole(step.raster.fragments_written)),
    column("blended", |step| whole(step.raster.fragments_blended)),
    column("texel-blocks", |step| whole(step.texture_blocks)),
];

const fn column<T>(name: &'static str, value: fn(&T) -> Option<f64>) -> CostColumn<T> {
    CostColumn { name, value }
}

const fn whole(count: u64) -> Option<f64> {
    Some(count as f64)
}

fn modelled(draw: &DrawCost, value: fn(&ModelledCost) -> Option<f64>) -> Option<f64> {
    draw.modelled.as_ref().and_then(value)
}

impl<T> CostColumn<T> {
    /// Column of this name among `columns`, in upper or lower case, with blanks or underscores for `-`.
    pub fn by_name(columns: &'static [Self], name: &str) -> Option<&'static Self> {
        let name = name.to_lowercase().replace([' ', '_'], "-");
        columns.iter().find(|column| column.name == name)
    }

    /// Sorts rows from the highest cost to the lowest and those that were not measured; rows that cost the same keep their
    /// order.
    pub fn sort<R>(&self, rows: &mut [R], of: impl Fn(&R) -> &T) {
        // Costs are not negative, so that -1 stands behind all of them.
        let cost = |row: &R| (self.value)(of(row)).unwrap_or(-1.0);
        rows.sort_by(|a, b| cost(b).total_cmp(&cost(a)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sort_puts_the_costliest_first_and_the_unmeasured_last() {
        let costs = CostColumn::<(u32, Option<f64>)> {
            name: "cost",
            value: |row| row.1,
        };
        let mut rows = [
            (0, None),
            (1, Some(2.0)),
            (2, Some(0.0)),
            (3, Some(7.5)),
            (4, Some(2.0)),
        ];
        costs.sort(&mut rows, |row| row);
        assert_eq!(
            rows.map(|row| row.0),
            [3, 1, 4, 2, 0],
            "stable among equals"
        );
    }

    #[test]
    fn column_is_found_as_its_header_says_or_as_a_shell_takes_it() {
        for typed in ["warp-cycles", "warp cycles", "Warp_Cycles"] {
            let found = CostColumn::by_name(MODELLED_COLUMNS, typed);
            assert_eq!(
                found.map(|column| column.name),
                Some("warp-cycles"),
                "{typed}"
            );
        }
        assert!(
            CostColumn::by_name(STEP_COLUMNS, "cycles").is_none(),
            "no part of a name"
        );
    }
}
