//! Corners of the screen, at one of which a walk over the tiles begins.

use serde::{Deserialize, Serialize};

use super::TileGrid;

/// Corner of the screen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Corner {
    /// First column, first row.
    #[default]
    TopLeft,
    /// Last column, first row.
    TopRight,
    /// First column, last row.
    BottomLeft,
    /// Last column, last row.
    BottomRight,
}

impl Corner {
    /// Corners by name.
    pub const NAMED: [(Self, &'static str); 4] = [
        (Self::TopLeft, "top-left"),
        (Self::TopRight, "top-right"),
        (Self::BottomLeft, "bottom-left"),
        (Self::BottomRight, "bottom-right"),
    ];

    /// Name of the corner in a tile order's text.
    #[must_use]
    pub fn name(self) -> &'static str {
        let named = Self::NAMED.iter().find(|(corner, _)| *corner == self);
        named.map_or("", |(_, name)| name)
    }

    /// Column and row of a tile as counted from this corner; of such a place, those of the tile.
    #[must_use]
    pub const fn mirrored(self, grid: &TileGrid, (column, row): (u32, u32)) -> (u32, u32) {
        let column = match self {
            Self::TopLeft | Self::BottomLeft => column,
            Self::TopRight | Self::BottomRight => grid.tiles_wide() - 1 - column,
        };
        let row = match self {
            Self::TopLeft | Self::TopRight => row,
            Self::BottomLeft | Self::BottomRight => grid.tiles_high() - 1 - row,
        };
        (column, row)
    }
}
