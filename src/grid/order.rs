//! Orders in which the tiles of a grid are visited. Pure functions of the grid; orders that learn live with their technique.

use std::fmt;
use std::str::FromStr;

use super::{TileGrid, TileId};

/// A fixed walk over all tiles.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum TileOrder {
    /// Row by row, left to right.
    #[default]
    ScanLine,
    /// Row by row, every second row from right to left.
    SOrder,
    /// Morton order: the bits of column and row interleaved.
    ZOrder,
    /// Hilbert curve: consecutive tiles always share an edge on square grids of a power of two.
    Hilbert,
    /// Z-order, walked backwards in every odd frame (Boustrophedonic Frames, PACT 2023, section III-C).
    Boustrophedonic,
}

impl TileOrder {
    /// Every order, with the name by which users choose it.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::ScanLine, "scanline"),
        (Self::SOrder, "s-order"),
        (Self::ZOrder, "z-order"),
        (Self::Hilbert, "hilbert"),
        (Self::Boustrophedonic, "boustrophedonic"),
    ];

    /// All tiles of `grid`, each exactly once, in the order of frame number `frame`.
    #[must_use]
    pub fn walk(self, grid: &TileGrid, frame: u64) -> Vec<TileId> {
        let (wide, high) = (grid.tiles_wide(), grid.tiles_high());
        let mut tiles: Vec<TileId> = (0..grid.n_tiles()).map(TileId).collect();
        match self {
            Self::ScanLine => {}
            Self::SOrder => tiles.sort_by_key(|&tile| {
                let (column, row) = grid.column_row(tile);
                (
                    row,
                    if row % 2 == 0 {
                        column
                    } else {
                        wide - 1 - column
                    },
                )
            }),
            Self::ZOrder | Self::Boustrophedonic => tiles.sort_by_key(|&tile| {
                let (column, row) = grid.column_row(tile);
                interleave(column) | (interleave(row) << 1)
            }),
            Self::Hilbert => {
                let side = wide.max(high).next_power_of_two();
                tiles.sort_by_key(|&tile| {
                    let (column, row) = grid.column_row(tile);
                    hilbert_distance(side, column, row)
                });
            }
        }
        if self == Self::Boustrophedonic && frame % 2 == 1 {
            tiles.reverse();
        }
        tiles
    }
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

/// Distance along the Hilbert curve of a `side` x `side` square (a power of two) at which cell (x, y) is met.
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

impl fmt::Display for TileOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL
            .iter()
            .find(|(order, _)| order == self)
            .map_or("", |(_, name)| name);
        f.write_str(name)
    }
}

/// A name that no tile order has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown tile order '{0}': expected one of scanline, s-order, z-order, hilbert, boustrophedonic"
)]
pub struct ParseTileOrderError(String);

impl FromStr for TileOrder {
    type Err = ParseTileOrderError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .find(|(_, known)| *known == name)
            .map(|(order, _)| *order)
            .ok_or_else(|| ParseTileOrderError(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: TileGrid = TileGrid {
        width: 256,
        height: 256,
        tile_size: 16,
    };

    #[test]
    fn order_visits_every_tile_once() {
        let odd = TileGrid {
            width: 300,
            height: 130,
            tile_size: 32,
        };
        for (order, name) in TileOrder::ALL {
            let mut tiles = order.walk(&odd, 1);
            tiles.sort_unstable();
            assert_eq!(
                tiles,
                (0..odd.n_tiles()).map(TileId).collect::<Vec<_>>(),
                "{name}"
            );
        }
    }

    #[test]
    fn hilbert_steps_to_a_neighbour() {
        let tiles = TileOrder::Hilbert.walk(&GRID, 0);
        for pair in tiles.windows(2) {
            let ((ax, ay), (bx, by)) = (GRID.column_row(pair[0]), GRID.column_row(pair[1]));
            assert_eq!(
                ax.abs_diff(bx) + ay.abs_diff(by),
                1,
                "{:?} -> {:?}",
                pair[0],
                pair[1]
            );
        }
    }

    #[test]
    fn z_order_starts_with_the_first_square() {
        let start: Vec<_> = TileOrder::ZOrder.walk(&GRID, 0)[..4]
            .iter()
            .map(|&tile| GRID.column_row(tile))
            .collect();
        assert_eq!(
            start,
            [(0, 0), (1, 0), (0, 1), (1, 1)],
            "column is the low bit"
        );
    }

    #[test]
    fn boustrophedonic_reverses_odd_frames() {
        let mut backwards = TileOrder::Boustrophedonic.walk(&GRID, 7);
        backwards.reverse();
        assert_eq!(
            backwards,
            TileOrder::Boustrophedonic.walk(&GRID, 8),
            "the same walk, other end first"
        );
    }
}
