//! Depths and colours in memory: where a quad's rows lie, and which of them hold nothing yet.
//!
//! Rows of a surface lie one after the other, as a display reads them. A surface that begins cleared holds nothing in memory: the first
//! access of a stretch of eight pixels in a frame reads nothing (a fast clear, which all GPUs have). A TC tile is a whole number of such
//! stretches wide at most two, so no two clusters share one.

use crate::frame::PreparedFrame;
use crate::memory::{MemoryMap, TargetLayout, TargetWrites};
use azulejo_grid::TileGrid;

/// Pixels of a stretch.
const STRETCH: u32 = 8;

/// Bytes of a depth.
const DEPTH_BYTES: u32 = 4;

/// A depth buffer or a colour target of the frame.
#[derive(Debug, Clone, Default)]
pub(super) struct Surface {
    base: u64,
    layout: TargetLayout,
    columns: u32,
    /// Stretches that hold something, as bits.
    touched: Vec<u64>,
}

/// All surfaces of a frame.
#[derive(Debug, Clone, Default)]
pub(super) struct Surfaces {
    pub(super) depth: Surface,
    pub(super) colors: Vec<Surface>,
}

/// The depth buffer of this screen.
pub(super) fn depth_layout(writes: TargetWrites, grid: &TileGrid) -> TargetLayout {
    TargetLayout::new(writes, grid, DEPTH_BYTES)
}

impl Surfaces {
    pub(super) fn new(facts: &PreparedFrame<'_>, map: &MemoryMap, line: u64) -> Self {
        let grid = &facts.trace.grid;
        let targets = &facts.trace.targets;
        let color = |(nth, target): (usize, &azulejo_trace::TargetInfo)| {
            let base = map.target(nth, targets.len(), facts.trace.frame);
            Surface::new(grid, base, map.layout(nth), target.load)
        };
        let writes = TargetWrites {
            line,
            by_tile: false,
        };
        let depth = depth_layout(writes, grid);
        Self {
            depth: Surface::new(grid, map.depth, depth, false),
            colors: targets.iter().enumerate().map(color).collect(),
        }
    }
}

impl Surface {
    fn new(grid: &TileGrid, base: u64, layout: TargetLayout, holds: bool) -> Self {
        let columns = grid.width.div_ceil(STRETCH);
        let words = (columns as usize * grid.height as usize).div_ceil(64);
        let filling = if holds { u64::MAX } else { 0 };
        Self {
            base,
            layout,
            columns,
            touched: vec![filling; words],
        }
    }

    /// Address of a pixel.
    pub(super) fn address(&self, at: [u32; 2]) -> u64 {
        self.base + self.layout.pixel(at)
    }

    /// Whether the pixel's stretch holds something.
    pub(super) fn holds(&self, at: [u32; 2]) -> bool {
        let nth = self.stretch(at);
        let word = self.touched.get(nth / 64);
        word.is_some_and(|word| word >> (nth % 64) & 1 == 1)
    }

    /// From now on the pixel's stretch holds something.
    pub(super) fn touch(&mut self, at: [u32; 2]) {
        let nth = self.stretch(at);
        if let Some(word) = self.touched.get_mut(nth / 64) {
            *word |= 1 << (nth % 64);
        }
    }

    const fn stretch(&self, [x, y]: [u32; 2]) -> usize {
        y as usize * self.columns as usize + (x / STRETCH) as usize
    }
}
