//! Tile buffer to memory and back: the lines of a tile in each target, row by row. No other tile has one of them.

use crate::frame::PreparedFrame;
use crate::memory::MemoryMap;
use azulejo_grid::TileId;
use azulejo_trace::TargetInfo;

/// A walk over the lines of one tile in all targets of a kind.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LineWalk {
    tile: u32,
    /// Direction: true for tile loads, false for flushes.
    loads: bool,
    target: usize,
    /// Groups of rows that are behind.
    rows: u32,
    /// Next line, and the end of the row.
    line: u64,
    end: u64,
    done: bool,
    /// Bytes of the tile in these targets.
    pub(crate) bytes: u64,
}

impl LineWalk {
    pub(crate) fn new(tile: u32, loads: bool, facts: &PreparedFrame<'_>) -> Self {
        let area = facts.trace.grid.rect(TileId(tile)).area();
        let targets = facts.trace.targets.iter();
        let bytes = targets
            .filter(|target| wanted(target, loads))
            .map(|target| area * u64::from(target.bytes_per_pixel))
            .sum();
        Self {
            tile,
            loads,
            done: bytes == 0,
            bytes,
            ..Self::default()
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// Whether the lines at hand go through the L2, as those of textures do, which a later pass samples.
    pub(crate) fn is_in_texture(&self, facts: &PreparedFrame<'_>) -> bool {
        let target = facts.trace.targets.get(self.target);
        target.is_some_and(|target| target.texture.is_some())
    }

    /// Ends the walk with lines left.
    pub(crate) fn skip(&mut self) {
        self.done = true;
    }

    /// The next line, if there is one. It stays the next until [`LineWalk::advance`].
    pub(crate) fn line(
        &mut self,
        facts: &PreparedFrame<'_>,
        map: &MemoryMap,
        line_bytes: u64,
    ) -> Option<u64> {
        while !self.done && self.line >= self.end {
            self.next_row(facts, map, line_bytes);
        }
        (!self.done).then_some(self.line)
    }

    pub(crate) fn advance(&mut self, line_bytes: u64) {
        self.line += line_bytes;
    }

    fn next_row(&mut self, facts: &PreparedFrame<'_>, map: &MemoryMap, line_bytes: u64) {
        let rect = facts.trace.grid.rect(TileId(self.tile));
        let targets = &facts.trace.targets;
        while targets
            .get(self.target)
            .is_some_and(|target| !wanted(target, self.loads))
        {
            self.target += 1;
        }
        if self.target >= targets.len() {
            self.done = true;
            return;
        }
        let Some(bytes) = map.layout(self.target).rows_of_tile(rect, self.rows) else {
            self.rows = 0;
            self.target += 1;
            return;
        };
        let base = map.target(self.target, targets.len(), facts.trace.frame);
        self.line = (base + bytes.start) & !(line_bytes - 1);
        self.end = base + bytes.end;
        self.rows += 1;
    }
}

fn wanted(target: &TargetInfo, loads: bool) -> bool {
    if loads { target.load } else { target.store }
}
