//! Walks over the cells of a rectangle.

use super::cells::{Cell, Extent};
use super::hilbert;

/// A walk over all cells of a rectangle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum TileCurve {
    /// Row by row, left to right.
    #[default]
    ScanLine,
    /// Row by row, every second row from right to left: consecutive cells share an edge.
    SOrder,
    /// Morton order: the bits of column and row interleaved, and what lies outside of the rectangle passed over.
    ZOrder,
    /// Hilbert's curve, and its kin on rectangles of other sizes than powers of two: consecutive cells share an edge on
    /// every rectangle.
    Hilbert,
}

impl TileCurve {
    /// Every curve, with the name by which users choose it.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::ScanLine, "scanline"),
        (Self::SOrder, "s-order"),
        (Self::ZOrder, "z-order"),
        (Self::Hilbert, "hilbert"),
    ];

    /// Name on the command line and in configurations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ScanLine => "scanline",
            Self::SOrder => "s-order",
            Self::ZOrder => "z-order",
            Self::Hilbert => "hilbert",
        }
    }

    pub(super) fn of_name(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, known)| *known == name);
        found.map(|(curve, _)| *curve)
    }

    /// All cells, each once.
    pub(super) fn walk(self, extent: Extent) -> Vec<Cell> {
        match self {
            Self::ScanLine => rows(extent).collect(),
            Self::SOrder => rows(extent)
                .map(|Cell { column, row }| match row % 2 {
                    0 => Cell { column, row },
                    _ => Cell {
                        column: extent.wide - 1 - column,
                        row,
                    },
                })
                .collect(),
            Self::ZOrder => {
                let mut cells: Vec<Cell> = rows(extent).collect();
                cells.sort_by_key(|cell| interleave(cell.column) | interleave(cell.row) << 1);
                cells
            }
            Self::Hilbert => hilbert::walk(extent),
        }
    }
}

/// Row by row, left to right.
fn rows(extent: Extent) -> impl Iterator<Item = Cell> {
    let row = move |row| (0..extent.wide).map(move |column| Cell { column, row });
    (0..extent.high).flat_map(row)
}

/// Spreads the bits of `value` to the even positions.
fn interleave(value: u32) -> u64 {
    let mut bits = u64::from(value);
    for (shift, mask) in [
        (16, 0x0000_ffff_0000_ffff_u64),
        (8, 0x00ff_00ff_00ff_00ff),
        (4, 0x0f0f_0f0f_0f0f_0f0f),
        (2, 0x3333_3333_3333_3333),
        (1, 0x5555_5555_5555_5555),
    ] {
        bits = (bits | (bits << shift)) & mask;
    }
    bits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Column and row of each cell of a walk.
    fn walk(curve: TileCurve, wide: u32, high: u32) -> Vec<(u32, u32)> {
        let cells = curve.walk(Extent { wide, high }).into_iter();
        cells.map(|cell| (cell.column, cell.row)).collect()
    }

    fn share_an_edge(pair: &[(u32, u32)]) -> bool {
        pair[0].0.abs_diff(pair[1].0) + pair[0].1.abs_diff(pair[1].1) == 1
    }

    #[test]
    fn curves_of_small_rectangles_are_as_drawn_by_hand() {
        let three_by_two = |curve| walk(curve, 3, 2);
        assert_eq!(
            three_by_two(TileCurve::ScanLine),
            [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)],
            "rows"
        );
        assert_eq!(
            three_by_two(TileCurve::SOrder),
            [(0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1)],
            "the second row backwards"
        );
        assert_eq!(
            three_by_two(TileCurve::ZOrder),
            [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (2, 1)],
            "a square of four, then what is left of the next"
        );
        assert_eq!(
            three_by_two(TileCurve::Hilbert),
            [(0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1)],
            "out and back"
        );
        assert_eq!(
            walk(TileCurve::Hilbert, 4, 4),
            [
                [(0, 0), (1, 0), (1, 1), (0, 1)],
                [(0, 2), (0, 3), (1, 3), (1, 2)],
                [(2, 2), (2, 3), (3, 3), (3, 2)],
                [(3, 1), (2, 1), (2, 0), (3, 0)],
            ]
            .concat(),
            "the curve of second order"
        );
    }

    #[test]
    fn curves_know_their_names() {
        for (curve, name) in TileCurve::ALL {
            assert_eq!(curve.name(), name, "{curve:?}");
            assert_eq!(TileCurve::of_name(name), Some(curve), "{name}");
        }
    }

    #[test]
    fn curves_visit_every_cell_of_every_small_rectangle_once() {
        for (curve, name) in TileCurve::ALL {
            for (wide, high) in (1..=20).flat_map(|wide| (1..=20).map(move |high| (wide, high))) {
                let mut cells = walk(curve, wide, high);
                assert_eq!(cells[0], (0, 0), "{name} of {wide} x {high} begins there");
                let is_joined = cells.windows(2).all(share_an_edge);
                let promises = matches!(curve, TileCurve::SOrder | TileCurve::Hilbert);
                assert!(
                    is_joined || !promises,
                    "{name} of {wide} x {high}: {cells:?}"
                );
                cells.sort_unstable();
                let all = (0..wide).flat_map(|column| (0..high).map(move |row| (column, row)));
                assert_eq!(cells, all.collect::<Vec<_>>(), "{name} of {wide} x {high}");
            }
        }
    }

    /// Distance along the curve at which a cell is met, by the bits of column and row: only of squares of a power of two.
    fn hilbert_distance(side: u32, mut x: u32, mut y: u32) -> u64 {
        let mut distance = 0_u64;
        let mut half = side / 2;
        while half > 0 {
            let (right, below) = (u32::from(x & half > 0), u32::from(y & half > 0));
            distance += u64::from(half) * u64::from(half) * u64::from((3 * right) ^ below);
            if below == 0 {
                if right == 1 {
                    x = (side - 1).wrapping_sub(x);
                    y = (side - 1).wrapping_sub(y);
                }
                std::mem::swap(&mut x, &mut y);
            }
            half /= 2;
        }
        distance
    }

    #[test]
    fn hilbert_is_the_curve_of_its_bits_on_squares_of_a_power_of_two() {
        for side in [1, 2, 4, 8, 16, 32, 64] {
            let cells = walk(TileCurve::Hilbert, side, side);
            let distances = cells.iter().map(|&(x, y)| hilbert_distance(side, x, y));
            let in_order = 0..u64::from(side) * u64::from(side);
            assert!(distances.eq(in_order), "side {side}");
        }
    }

    #[test]
    fn z_order_is_that_of_codes_bit_by_bit() {
        let code = |(column, row): (u32, u32)| {
            (0..16).fold(0_u64, |code, bit| {
                code | u64::from(column >> bit & 1) << (2 * bit)
                    | u64::from(row >> bit & 1) << (2 * bit + 1)
            })
        };
        let codes: Vec<u64> = walk(TileCurve::ZOrder, 61, 24)
            .into_iter()
            .map(code)
            .collect();
        assert!(codes.is_sorted(), "of the cells that there are");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) })]

        #[test]
        fn hilbert_joins_and_gathers_the_cells_of_any_rectangle(wide in 1..200_u32, high in 1..200_u32) {
            let cells = walk(TileCurve::Hilbert, wide, high);
            prop_assert_eq!(cells.len() as u32, wide * high);
            prop_assert!(cells.windows(2).all(share_an_edge), "neighbours");
            let mut seen = cells.clone();
            seen.sort_unstable();
            seen.dedup();
            prop_assert_eq!(seen.len(), cells.len(), "each once");
            // Locality: 64 cells in a row of the curve fit a small box, while a row of the screen would not.
            for near in cells.windows(64) {
                let spread = |of: fn(&(u32, u32)) -> u32| {
                    let (least, most) = near.iter().map(of).fold((u32::MAX, 0), |(a, b), x| (a.min(x), b.max(x)));
                    most - least + 1
                };
                let (columns, rows) = (spread(|cell| cell.0), spread(|cell| cell.1));
                let narrow = wide.min(high) < 8;
                prop_assert!(narrow || columns.max(rows) <= 32, "{} x {}", columns, rows);
            }
        }
    }
}
