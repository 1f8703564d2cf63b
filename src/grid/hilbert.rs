//! Hilbert's curve on any rectangle: blocks in, cells in order out, and every cell shares an edge with the one before.
//!
//! A block is walked from one of its corners along an edge to the next corner. A long one is cut across into two
//! such blocks; else into three: one from the corner away from the edge, one along the far side, and one back to the edge.
//! On squares of a power of two this is the curve of D. Hilbert (Mathematische Annalen 38, 1891).
//!
//! Colour the cells as on a chess board: a walk over `along x across` cells between those corners needs `along` even, or
//! both odd. The cuts keep that: those across are at even places, and so are those along.

use super::cells::{Cell, Extent};

/// A place, or a step from one place to the next.
#[derive(Debug, Clone, Copy)]
struct Vector {
    x: i64,
    y: i64,
}

impl Vector {
    const fn plus(self, step: Self, n: u32) -> Self {
        Self {
            x: self.x + step.x * n as i64,
            y: self.y + step.y * n as i64,
        }
    }

    const fn reversed(self) -> Self {
        Self {
            x: -self.x,
            y: -self.y,
        }
    }
}

/// An edge of a block: its direction and its cells.
#[derive(Debug, Clone, Copy)]
struct Edge {
    step: Vector,
    cells: u32,
}

impl Edge {
    const fn of(self, cells: u32) -> Self {
        Self { cells, ..self }
    }

    const fn back(self, cells: u32) -> Self {
        Self {
            step: self.step.reversed(),
            cells,
        }
    }
}

/// Cells from `start` along one edge and across it, to be walked from `start` to the other end of `along`.
#[derive(Debug, Clone, Copy)]
struct Block {
    start: Vector,
    along: Edge,
    across: Edge,
}

/// All cells of a rectangle from its first corner on.
pub(super) fn walk(extent: Extent) -> Vec<Cell> {
    let Extent { wide, high } = extent;
    let row = Edge {
        step: Vector { x: 1, y: 0 },
        cells: wide,
    };
    let column = Edge {
        step: Vector { x: 0, y: 1 },
        cells: high,
    };
    let (along, across) = match can_be_walked(wide, high) {
        true => (row, column),
        false => (column, row),
    };
    let mut cells = Vec::with_capacity(wide as usize * high as usize);
    if wide > 0 && high > 0 {
        let start = Vector { x: 0, y: 0 };
        let whole = Block {
            start,
            along,
            across,
        };
        whole.walk(&mut cells);
    }
    cells
}

/// Whether steps to neighbours lead over all cells from one corner to the next along the edge of `along` cells.
const fn can_be_walked(along: u32, across: u32) -> bool {
    match along {
        0 | 1 => along == across,
        _ => along.is_multiple_of(2) || !across.is_multiple_of(2),
    }
}

/// The even number next to the half, from 2 on.
const fn even_half(n: u32) -> u32 {
    (n + 2) / 4 * 2
}

impl Block {
    fn walk(self, cells: &mut Vec<Cell>) {
        debug_assert!(
            can_be_walked(self.along.cells, self.across.cells),
            "{self:?}"
        );
        let (along, across) = (self.along.cells, self.across.cells);
        if across == 1 {
            cells.extend((0..along).map(|n| cell(self.start.plus(self.along.step, n))));
        } else if 2 * u64::from(along) > 3 * u64::from(across) {
            self.walk_halves(cells);
        } else if across == 2 {
            // Two along, as three could not be walked.
            let far = self.start.plus(self.across.step, 1);
            let steps = [self.start, far, far.plus(self.along.step, 1)];
            cells.extend(steps.map(cell));
            cells.push(cell(self.start.plus(self.along.step, 1)));
        } else {
            self.walk_out_and_back(cells);
        }
    }

    /// A long one: the first half, then the second.
    fn walk_halves(self, cells: &mut Vec<Cell>) {
        let first = even_half(self.along.cells);
        let half = |start, n| Self {
            start,
            along: self.along.of(n),
            across: self.across,
        };
        half(self.start, first).walk(cells);
        let start = self.start.plus(self.along.step, first);
        half(start, self.along.cells - first).walk(cells);
    }

    /// Away from the edge, along the far side, back to the edge.
    fn walk_out_and_back(self, cells: &mut Vec<Cell>) {
        let Self {
            start,
            along,
            across,
        } = self;
        let (out, left) = (even_half(across.cells), along.cells / 2);
        let away = Self {
            start,
            along: across.of(out),
            across: along.of(left),
        };
        let far = Self {
            start: start.plus(across.step, out),
            along,
            across: across.of(across.cells - out),
        };
        let end = start.plus(along.step, along.cells - 1);
        let back = Self {
            start: end.plus(across.step, out - 1),
            along: across.back(out),
            across: along.back(along.cells - left),
        };
        for part in [away, far, back] {
            part.walk(cells);
        }
    }
}

/// Cell at a place inside the rectangle.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "blocks lie inside the rectangle, whose edges are u32"
)]
const fn cell(place: Vector) -> Cell {
    Cell {
        column: place.x as u32,
        row: place.y as u32,
    }
}
