//! A picture's pixels, cut so that several threads write its tiles at once.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use azulejo_grid::{TileGrid, TileId};
use azulejo_simd::prefetch;

/// Tiles side by side that share a lock. One thread cuts all rows out of the picture while the others wait, so rows of
/// several tiles are cut as one; a thread that takes so many consecutive tiles at once has the lock for itself in most
/// orders.
pub(crate) const TILES_TOGETHER: u32 = 4;

/// The pixels of one tile: a part of each of these rows.
#[derive(Debug)]
#[doc(hidden)]
pub struct TileTarget<'a, 'b> {
    /// Rows from the tile's first one down.
    pub rows: &'a mut [&'b mut [[u8; 4]]],
    /// The tile's first column in them.
    pub column: usize,
    /// Number of its columns, in pixels.
    pub width: usize,
}

/// The rows of the patches that a picture is cut into: as high as a tile, and some tiles wide.
#[derive(Debug)]
pub(crate) struct PatchRows<'a> {
    /// Patch by patch, from left to right and down.
    rows: Vec<&'a mut [[u8; 4]]>,
    grid: TileGrid,
}

/// The tiles of a picture, to be written by any thread.
#[derive(Debug)]
pub(crate) struct TileTargets<'a, 'b> {
    patches: Vec<Mutex<&'a mut [&'b mut [[u8; 4]]]>>,
    grid: TileGrid,
}

fn patches_wide(grid: &TileGrid) -> usize {
    grid.tiles_wide().div_ceil(TILES_TOGETHER) as usize
}

impl<'a> PatchRows<'a> {
    /// Cuts the pixels of a picture on this grid into rows of patches.
    pub(crate) fn new(pixels: &'a mut [[u8; 4]], grid: TileGrid) -> Self {
        let (width, tile_size) = (grid.width as usize, grid.tile_size as usize);
        let patch_px = TILES_TOGETHER as usize * tile_size;
        let n_patches = patches_wide(&grid);
        let mut rows: Vec<&mut [[u8; 4]]> = Vec::new();
        rows.resize_with(n_patches * grid.height as usize, Default::default);
        let bands = pixels.chunks_mut(width * tile_size);
        for (band, rows) in bands.zip(rows.chunks_mut(n_patches * tile_size)) {
            let n_rows = rows.len() / n_patches;
            for (y, row) in band.chunks_mut(width).enumerate() {
                for (x, part) in row.chunks_mut(patch_px).enumerate() {
                    rows[x * n_rows + y] = part;
                }
            }
        }
        Self { rows, grid }
    }

    /// The tiles of which these are the rows.
    pub(crate) fn targets(&mut self) -> TileTargets<'_, 'a> {
        let grid = self.grid;
        let n_patches = patches_wide(&grid);
        let bands = (self.rows).chunks_mut(n_patches * grid.tile_size as usize);
        let patches = bands.flat_map(|band| {
            let n_rows = band.len() / n_patches;
            band.chunks_mut(n_rows)
        });
        TileTargets {
            patches: patches.map(Mutex::new).collect(),
            grid,
        }
    }
}

/// Position of a tile among the patches.
struct TilePlace {
    /// Number of the patch that holds it.
    patch: usize,
    /// Columns of the patch's rows, in pixels.
    columns: Range<usize>,
}

impl<'b> TileTargets<'_, 'b> {
    fn place(&self, tile: TileId) -> TilePlace {
        let grid = &self.grid;
        let (column, row) = grid.column_row(tile);
        let rect = grid.rect(tile);
        let first = (column % TILES_TOGETHER * grid.tile_size) as usize;
        TilePlace {
            patch: row as usize * patches_wide(grid) + (column / TILES_TOGETHER) as usize,
            columns: first..first + (rect.x1 - rect.x0) as usize,
        }
    }

    /// Prefetches the memory of a tile that is to be written soon, unless a tile beside it is being written.
    pub(crate) fn expect(&self, tile: TileId) {
        let TilePlace { patch, columns } = self.place(tile);
        if let Ok(rows) = self.patches[patch].try_lock() {
            rows.iter().for_each(|row| prefetch(&row[columns.clone()]));
        }
    }

    /// Lets a tile be written, while no tile beside it is.
    pub(crate) fn write(&self, tile: TileId, write: impl FnOnce(&mut TileTarget<'_, 'b>)) {
        let TilePlace { patch, columns } = self.place(tile);
        // No writer leaves anything behind that the next frame relies on.
        let mut rows = (self.patches[patch].lock()).unwrap_or_else(PoisonError::into_inner);
        write(&mut TileTarget {
            rows: &mut rows,
            column: columns.start,
            width: columns.len(),
        });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn tile_targets_are_the_pixels_of_their_tiles(
            width in 1_u32..700,
            height in 1_u32..90,
            tile_size in prop_oneof![Just(8_u32), Just(16), Just(32), Just(64), Just(512)],
        ) {
            let grid = TileGrid { width, height, tile_size };
            let mut pixels = vec![[0; 4]; (width * height) as usize];
            let mut rows = PatchRows::new(&mut pixels, grid);
            let targets = rows.targets();
            for tile in 0..grid.n_tiles() {
                targets.expect(TileId(tile));
                targets.write(TileId(tile), |target| {
                    for row in target.rows.iter_mut() {
                        for pixel in &mut row[target.column..target.column + target.width] {
                            let written = u32::from_le_bytes(*pixel) + tile + 1;
                            *pixel = written.to_le_bytes();
                        }
                    }
                });
            }
            for (at, pixel) in (0..).zip(&pixels) {
                let (x, y) = (at % width, at / width);
                let tile = y / tile_size * width.div_ceil(tile_size) + x / tile_size;
                prop_assert_eq!(u32::from_le_bytes(*pixel), tile + 1, "{}, {}", x, y);
            }
        }
    }
}
