//! Tile buffer to memory and back: the lines of a tile in each target, row by row.

use crate::gpu::frame::PreparedFrame;
use crate::gpu::memory::MemoryMap;
use crate::grid::TileId;
use crate::math::PixelRect;
use crate::trace::TargetInfo;

/// A walk over the lines of one tile in all targets of a kind.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LineWalk {
    tile: u32,
    /// Load or store?
    loads: bool,
    target: usize,
    row: u32,
    /// Next line, and the end of the row.
    line: u64,
    end: u64,
    done: bool,
    /// Bytes of the tile in these targets.
    pub(crate) bytes: u64,
}

/// Pixels from one row of a frame buffer to the next: whole lines for RGBA8.
pub(crate) fn pitch(width: u32) -> u64 {
    u64::from(width.next_multiple_of(16))
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

    /// Ends the walk.
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
        let grid = &facts.trace.grid;
        let PixelRect { x0, y0, x1, y1 } = grid.rect(TileId(self.tile));
        let targets = &facts.trace.targets;
        while targets
            .get(self.target)
            .is_some_and(|target| !wanted(target, self.loads))
        {
            self.target += 1;
        }
        let Some(target) = targets.get(self.target) else {
            self.done = true;
            return;
        };
        let bytes = u64::from(target.bytes_per_pixel);
        let base = map.target(self.target, targets.len(), facts.trace.frame);
        let y = u64::from(y0.unsigned_abs() + self.row);
        let row = base + y * pitch(grid.width) * bytes;
        self.line = (row + u64::from(x0.unsigned_abs()) * bytes) & !(line_bytes - 1);
        self.end = row + u64::from(x1.unsigned_abs()) * bytes;
        self.row += 1;
        if self.row >= y0.abs_diff(y1) {
            self.row = 0;
            self.target += 1;
        }
    }
}

fn wanted(target: &TargetInfo, loads: bool) -> bool {
    if loads { target.load } else { target.store }
}
