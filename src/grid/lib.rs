//! The screen cut into tiles: which pixels a tile owns and in which order tiles are visited.
//!
//! Tiles are numbered in scan-line order; an edge tile keeps its number and is simply smaller.
//!
//! ```
//! # mod azulejo { pub use azulejo_grid as grid; }
//! use azulejo::grid::{TileGrid, TileId, TileOrder};
//!
//! let grid = TileGrid { width: 100, height: 64, tile_size: 32 };
//! assert_eq!(grid.rect(TileId(3)).width(), 4, "what is left of the last column");
//!
//! let walk = TileOrder::S_ORDER.walk(&grid, 0);
//! assert_eq!(walk, [0, 1, 2, 3, 7, 6, 5, 4].map(TileId));
//! ```

mod binning;
mod cells;
mod corner;
mod curve;
mod hilbert;
mod order;
mod samples;

pub use binning::{Binning, ParseBinningError};
pub use corner::Corner;
pub use curve::TileCurve;
pub use order::{EXPECTED_TILE_ORDER, ParseTileOrderError, Supertiles, TileOrder};
#[doc(hidden)]
pub use samples::FOUR_OFFSETS;
pub use samples::{SampleCount, SampleCountError};

use azulejo_math::PixelRect;

/// A tile's number in scan-line order: `row * tiles_wide + column`.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(transparent)]
pub struct TileId(pub u32);

/// A screen of `width` x `height` pixels cut into square tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct TileGrid {
    /// Screen width in pixels.
    pub width: u32,
    /// Screen height in pixels.
    pub height: u32,
    /// Edge of a tile in pixels.
    pub tile_size: u32,
}

impl TileGrid {
    /// Tiles in a row.
    #[must_use]
    pub const fn tiles_wide(&self) -> u32 {
        self.width.div_ceil(self.tile_size)
    }

    /// Rows of tiles, the last one perhaps cut.
    #[must_use]
    pub const fn tiles_high(&self) -> u32 {
        self.height.div_ceil(self.tile_size)
    }

    /// Tiles on the screen.
    #[must_use]
    pub const fn n_tiles(&self) -> u32 {
        self.tiles_wide() * self.tiles_high()
    }

    /// The tile in `column`, `row` of the grid.
    #[must_use]
    pub const fn tile_at(&self, column: u32, row: u32) -> TileId {
        TileId(row * self.tiles_wide() + column)
    }

    /// Column and row of a tile in the grid.
    #[must_use]
    pub const fn column_row(&self, tile: TileId) -> (u32, u32) {
        (tile.0 % self.tiles_wide(), tile.0 / self.tiles_wide())
    }

    /// The screen pixels that the tile owns.
    #[must_use]
    pub fn rect(&self, tile: TileId) -> PixelRect {
        let (column, row) = self.column_row(tile);
        let (x0, y0) = (
            (column * self.tile_size).cast_signed(),
            (row * self.tile_size).cast_signed(),
        );
        let edge = self.tile_size.cast_signed();
        PixelRect {
            x0,
            y0,
            x1: x0 + edge,
            y1: y0 + edge,
        }
        .intersect(PixelRect::of_size(self.width, self.height))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grid_of_full_hd_in_32_has_2040_tiles() {
        let grid = TileGrid {
            width: 1920,
            height: 1080,
            tile_size: 32,
        };
        assert_eq!(grid.n_tiles(), 2040, "60 x 34 of 32 pixels");
    }

    #[test]
    fn grid_tiles_cover_every_pixel_once() {
        let grid = TileGrid {
            width: 70,
            height: 33,
            tile_size: 16,
        };
        let covered: u64 = (0..grid.n_tiles())
            .map(|tile| grid.rect(TileId(tile)).area())
            .sum();
        assert_eq!(covered, 70 * 33, "edge tiles are cut at the screen's edge");
    }
}
