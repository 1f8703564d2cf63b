//! The tile lists of a frame as memory: blocks of one line each, chained by tile, taken from the Parameter Buffer as lists
//! grow.

use crate::machine::TilingSpec;
use azulejo_trace::FrameTrace;

/// Bytes of a block that point to the next one.
const LINK_BYTES: u64 = 4;

/// Tiles of each primitive, and the blocks of each tile.
#[derive(Debug, Default)]
pub(crate) struct TileLists {
    /// Entries in a block.
    pub(crate) entries_per_block: u32,
    pub(crate) block_bytes: u64,
    /// First of each primitive's tiles in `tiles`, one more than primitives.
    first: Vec<u32>,
    tiles: Vec<u32>,
    /// Blocks of each tile so far, in order.
    blocks: Vec<Vec<u32>>,
    /// Entries of each tile so far.
    n_entries: Vec<u32>,
    /// Tile that each block belongs to.
    tile_of_block: Vec<u32>,
}

impl TileLists {
    pub(crate) fn entries_per_block(spec: &TilingSpec) -> u32 {
        let line = spec.tile_cache.tags.line.0;
        ((line - LINK_BYTES) / u64::from(spec.list_entry_bytes)).max(1) as u32
    }

    /// Bytes of all blocks that the frame will need.
    pub(crate) fn bytes(frame: &FrameTrace, spec: &TilingSpec) -> u64 {
        let per_block = Self::entries_per_block(spec) as usize;
        let blocks: usize = frame
            .tiles
            .iter()
            .map(|tile| tile.primitives.len().div_ceil(per_block))
            .sum();
        blocks as u64 * spec.tile_cache.tags.line.0
    }

    /// Inverts the tiles' lists: the Polygon List Builder works out the tiles of each primitive.
    pub(crate) fn new(frame: &FrameTrace, spec: &TilingSpec) -> Self {
        let n_primitives = frame.n_primitives() as usize;
        let mut first = vec![0_u32; n_primitives + 1];
        for entry in frame.tiles.iter().flat_map(|tile| &tile.primitives) {
            first[entry.primitive as usize + 1] += 1;
        }
        let mut sum = 0;
        for count in &mut first {
            sum += *count;
            *count = sum;
        }
        let mut next = first.clone();
        let mut tiles = vec![0; sum as usize];
        for (tile, trace) in (0..).zip(&frame.tiles) {
            for entry in &trace.primitives {
                let place = &mut next[entry.primitive as usize];
                tiles[*place as usize] = tile;
                *place += 1;
            }
        }
        Self {
            entries_per_block: Self::entries_per_block(spec),
            block_bytes: spec.tile_cache.tags.line.0,
            first,
            tiles,
            blocks: vec![Vec::new(); frame.tiles.len()],
            n_entries: vec![0; frame.tiles.len()],
            tile_of_block: Vec::new(),
        }
    }

    /// The tiles that a primitive overlaps, in scan-line order.
    pub(crate) fn tiles_of(&self, primitive: u32) -> &[u32] {
        let primitive = primitive as usize;
        &self.tiles[self.first[primitive] as usize..self.first[primitive + 1] as usize]
    }

    /// The block that a tile's next entry goes to, and whether it is a new one. It becomes the tile's with
    /// [`TileLists::append`].
    pub(crate) fn next_block(&self, tile: u32) -> (u32, bool) {
        let tile = tile as usize;
        let full = self.n_entries[tile].is_multiple_of(self.entries_per_block);
        match self.blocks[tile].last() {
            Some(last) if !full => (*last, false),
            _ => (self.tile_of_block.len() as u32, true),
        }
    }

    /// Appends the entry that was written to the tile's list.
    pub(crate) fn append(&mut self, tile: u32) {
        let (block, fresh) = self.next_block(tile);
        if fresh {
            self.blocks[tile as usize].push(block);
            self.tile_of_block.push(tile);
        }
        self.n_entries[tile as usize] += 1;
    }

    /// The tile with a block so many bytes behind the first one.
    pub(crate) fn tile_at(&self, offset: u64) -> Option<u32> {
        let block = usize::try_from(offset / self.block_bytes).ok()?;
        self.tile_of_block.get(block).copied()
    }

    /// Blocks of a tile's list.
    pub(crate) fn blocks_of(&self, tile: u32) -> &[u32] {
        &self.blocks[tile as usize]
    }
}
