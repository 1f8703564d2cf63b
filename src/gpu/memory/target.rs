//! Places of pixels in a target: rows one after the other, each of whole lines, as a display reads them. If tiles are
//! flushed and a tile's part of a row is shorter than a line, a line holds that part of several rows, so that no two tiles
//! write the same line.
//!
//! A texture that a pass draws to keeps its blocks, row by row, so that a later pass samples the lines that were written.

use azulejo_grid::TileGrid;
use azulejo_math::PixelRect;
use azulejo_trace::TexelFormat;

/// Pixels that rows are a multiple of, as drivers align them.
const ROW_PIXELS: u32 = 16;

/// How a machine writes its targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TargetWrites {
    /// Bytes of a line, a power of two.
    pub(crate) line: u64,
    /// Tile by tile, and not pixels anywhere.
    pub(crate) by_tile: bool,
}

/// The layout of a target.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct TargetLayout {
    /// Rows that lie in the same lines.
    rows: u32,
    /// Bytes from one such group of rows to the next, and of all.
    pitch: u64,
    bytes: u64,
    /// Bytes from a pixel, and from a column of tiles, to the next.
    pixel: u64,
    column: u64,
    tile_size: u32,
    /// Width of a block in pixels, where it is a texture.
    block: Option<u32>,
}

impl TargetLayout {
    /// Layout of a level of a texture, from its first block on.
    pub(crate) fn in_texture(format: TexelFormat, grid: &TileGrid) -> Self {
        let ([width, height], block) = (format.block_size(), format.block_bytes());
        let blocks = |pixels: u32| u64::from(pixels.div_ceil(width));
        let pitch = blocks(grid.width) * block;
        Self {
            rows: height,
            pitch,
            bytes: pitch * u64::from(grid.height.div_ceil(height)),
            pixel: block / u64::from(width * height),
            column: blocks(grid.tile_size) * block,
            tile_size: grid.tile_size.max(1),
            block: Some(width),
        }
    }

    pub(crate) fn new(writes: TargetWrites, grid: &TileGrid, bytes_per_pixel: u32) -> Self {
        let (line, pixel) = (writes.line, u64::from(bytes_per_pixel));
        let whole_row = u64::from(grid.width.next_multiple_of(ROW_PIXELS)) * pixel;
        let part = u64::from(grid.tile_size) * pixel;
        let columns = u64::from(grid.width.div_ceil(grid.tile_size.max(1)));
        let (rows, column, pitch) = if !writes.by_tile || part.is_multiple_of(line) {
            (1, part, whole_row.next_multiple_of(line))
        } else if part > line {
            let column = part.next_multiple_of(line);
            (1, column, columns * column)
        } else {
            // A tile that is smaller than a line has one by itself.
            let rows = (line / part.next_power_of_two()).min(grid.tile_size.into());
            (rows as u32, line, columns * line)
        };
        Self {
            rows,
            pitch,
            bytes: pitch * u64::from(grid.height.div_ceil(rows)),
            pixel,
            column,
            tile_size: grid.tile_size.max(1),
            block: None,
        }
    }

    /// Bytes of the whole target.
    pub(crate) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The place of a pixel in a target of single rows, or in a texture.
    pub(crate) fn pixel(&self, [x, y]: [u32; 2]) -> u64 {
        if let Some(width) = self.block {
            let block_bytes = u64::from(width * self.rows) * self.pixel;
            let row = u64::from(y / self.rows) * self.pitch;
            let inside = u64::from(y % self.rows * width + x % width) * self.pixel;
            return row + u64::from(x / width) * block_bytes + inside;
        }
        u64::from(y) * self.pitch + u64::from(x) * self.pixel
    }

    /// Byte range of a tile in the `nth` group of its rows, as far as lines of it are transferred; nothing behind the last
    /// group.
    pub(crate) fn rows_of_tile(&self, tile: PixelRect, nth: u32) -> Option<std::ops::Range<u64>> {
        let y = tile.y0.unsigned_abs() + nth * self.rows;
        if y >= tile.y1.unsigned_abs() {
            return None;
        }
        let x = tile.x0.unsigned_abs();
        let row = u64::from(y / self.rows) * self.pitch;
        let begin = row + u64::from(x / self.tile_size) * self.column;
        let pixels = tile.x0.abs_diff(tile.x1);
        let width = match (self.block, self.rows) {
            (Some(width), rows) => u64::from(pixels.div_ceil(width) * width * rows) * self.pixel,
            (None, 1) => u64::from(pixels) * self.pixel,
            _ => self.column,
        };
        Some(begin..begin + width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_grid::TileId;
    use std::collections::BTreeSet;

    #[test]
    fn target_has_no_line_in_two_tiles_and_no_more_lines_than_bytes() {
        for (line, tile_size, bytes_per_pixel) in (4..10)
            .flat_map(|line| [8, 16, 32, 64].map(|tile| (1 << line, tile)))
            .flat_map(|(line, tile)| (1..=16).map(move |bytes| (line, tile, bytes)))
        {
            // Whole tiles: nothing beside them is written.
            let grid = TileGrid {
                width: 3 * tile_size,
                height: 2 * tile_size,
                tile_size,
            };
            let writes = TargetWrites {
                line,
                by_tile: true,
            };
            let layout = TargetLayout::new(writes, &grid, bytes_per_pixel);
            let what = format!("lines of {line}, tiles of {tile_size}, {bytes_per_pixel} a pixel");
            let mut all = BTreeSet::new();
            let mut n_lines = 0;
            for tile in 0..grid.n_tiles() {
                for nth in 0.. {
                    let Some(bytes) = layout.rows_of_tile(grid.rect(TileId(tile)), nth) else {
                        break;
                    };
                    assert!(bytes.end <= layout.bytes(), "{what}: inside");
                    for at in (bytes.start / line)..bytes.end.div_ceil(line) {
                        assert!(all.insert(at), "{what}: line {at} twice");
                        n_lines += 1;
                    }
                }
            }
            let bytes = u64::from(grid.width * grid.height * bytes_per_pixel);
            let part = u64::from(tile_size * bytes_per_pixel);
            if bytes_per_pixel.is_power_of_two() && part * u64::from(tile_size) >= line {
                assert_eq!(n_lines * line, bytes, "{what}");
            }
        }
    }

    #[test]
    fn target_in_a_texture_has_each_block_in_the_tile_of_its_pixels() {
        for bytes in [1, 2, 4, 8, 16, 32, 64] {
            let format = TexelFormat::Plain { bytes };
            let grid = TileGrid {
                width: 52,
                height: 37,
                tile_size: 16,
            };
            let layout = TargetLayout::in_texture(format, &grid);
            let mut of_tile = BTreeSet::new();
            for id in 0..grid.n_tiles() {
                let rect = grid.rect(TileId(id));
                for nth in 0.. {
                    let Some(range) = layout.rows_of_tile(rect, nth) else {
                        break;
                    };
                    for block in range.step_by(64) {
                        assert!(of_tile.insert((block / 64, id)), "{bytes}: once");
                    }
                }
                for y in rect.y0..rect.y1 {
                    for x in rect.x0..rect.x1 {
                        let at = layout.pixel([x.cast_unsigned(), y.cast_unsigned()]);
                        assert!(of_tile.contains(&(at / 64, id)), "{bytes}: {x}, {y}");
                    }
                }
            }
            let [width, height] = format.block_size();
            let blocks = grid.width.div_ceil(width) * grid.height.div_ceil(height);
            assert_eq!(of_tile.len(), blocks as usize, "{bytes}: no other");
            assert_eq!(layout.bytes(), u64::from(blocks) * 64, "{bytes}");
        }
    }

    #[test]
    fn target_rows_are_whole_lines() {
        let grid = TileGrid {
            width: 40,
            height: 8,
            tile_size: 8,
        };
        let writes = TargetWrites {
            line: 128,
            by_tile: false,
        };
        let layout = TargetLayout::new(writes, &grid, 4);
        assert_eq!(layout.pixel([0, 1]), 256, "40 pixels of 4 bytes are 160");
        assert_eq!(layout.bytes(), 8 * 256, "of eight rows");
    }
}
