//! Rectangles of cells, whatever is in the cells: tiles, or supertiles of them.

/// A cell of a rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Cell {
    pub(super) column: u32,
    pub(super) row: u32,
}

/// A rectangle of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Extent {
    pub(super) wide: u32,
    pub(super) high: u32,
}
