//! Per-tile primitive lists: all chunks' overlaps sorted by tile, program order kept.

use super::bin::BinnedChunk;
use azulejo_grid::{TileGrid, TileId};
use azulejo_units::Bytes;

/// Lists grow by blocks of one cache line, sixteen entries of four bytes.
const LIST_BLOCK_BYTES: Bytes = Bytes(64);

/// Entries in a list block.
const ENTRIES_PER_BLOCK: u64 = 16;

/// A triangle in a tile's list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TileEntry {
    /// Chunk of the frame.
    pub chunk: u32,
    /// Position in the chunk.
    pub triangle: u32,
}

/// The lists of all tiles.
#[derive(Debug, Clone, Default)]
pub struct TileLists {
    /// First entry of each tile, and the end of the last.
    offsets: Vec<u32>,
    entries: Vec<TileEntry>,
}

impl TileLists {
    /// Sorts the overlaps of all chunks, given in program order; buffers are reused.
    pub fn fill(&mut self, grid: &TileGrid, chunks: &[BinnedChunk]) {
        let n_tiles = grid.n_tiles() as usize;
        self.offsets.clear();
        self.offsets.resize(n_tiles + 2, 0);
        // Counted two places ahead, so that filling moves each start to where the next tile begins.
        for (tile, _) in chunks.iter().flat_map(|chunk| &chunk.overlaps) {
            self.offsets[tile.0 as usize + 2] += 1;
        }
        for at in 2..self.offsets.len() {
            self.offsets[at] += self.offsets[at - 1];
        }
        let total = self.offsets[n_tiles + 1] as usize;
        self.entries.resize(total, TileEntry::default());
        for (number, chunk) in chunks.iter().enumerate() {
            for &(tile, triangle) in &chunk.overlaps {
                let next = &mut self.offsets[tile.0 as usize + 1];
                self.entries[*next as usize] = TileEntry {
                    chunk: number as u32,
                    triangle,
                };
                *next += 1;
            }
        }
        self.offsets.truncate(n_tiles + 1);
    }

    /// A tile's triangles in program order.
    #[must_use]
    pub fn entries(&self, tile: TileId) -> &[TileEntry] {
        let at = tile.0 as usize;
        &self.entries[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }

    /// Bytes of a list of `entries` entries.
    #[must_use]
    pub(crate) fn list_bytes(entries: usize) -> Bytes {
        LIST_BLOCK_BYTES * (entries as u64).div_ceil(ENTRIES_PER_BLOCK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_program_order_across_chunks() {
        let grid = TileGrid {
            width: 32,
            height: 16,
            tile_size: 16,
        };
        let (left, right) = (TileId(0), TileId(1));
        let chunks = [
            BinnedChunk {
                overlaps: vec![(left, 0), (right, 0), (right, 1)],
            },
            BinnedChunk {
                overlaps: vec![(right, 0), (left, 2)],
            },
        ];
        let mut lists = TileLists::default();
        lists.fill(&grid, &chunks);
        let pairs = |tile| {
            lists
                .entries(tile)
                .iter()
                .map(|entry| (entry.chunk, entry.triangle))
                .collect::<Vec<_>>()
        };
        assert_eq!(pairs(left), [(0, 0), (1, 2)], "left tile");
        assert_eq!(pairs(right), [(0, 0), (0, 1), (1, 0)], "right tile");
    }
}
