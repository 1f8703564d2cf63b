//! The fragment queue: quads between the early depth test and the cores, in the order of the rasteriser. If quads go to
//! cores by their place on the screen, each core has its own part of the queue; all parts share the queue's entries.

use std::collections::VecDeque;

use super::tiles::PipeQuad;
use crate::machine::RasterSpec;
use azulejo_grid::{TileGrid, TileId};

/// Fragment queue of one Raster Unit, in one part or in one for each core.
#[derive(Debug)]
pub(super) struct FragmentQueue {
    /// One for all cores, or one for each.
    parts: Vec<VecDeque<PipeQuad>>,
    len: usize,
    entries: usize,
    /// Edge in pixels of the squares of the screen that go to one core each.
    square: Option<u32>,
    /// Number and left upper corner in pixels of the tile of the last quad.
    corner: Option<(u32, [u32; 2])>,
}

impl FragmentQueue {
    pub(super) fn new(spec: &RasterSpec) -> Self {
        let square = spec.quad_mapping.square();
        let n_parts = square.map_or(1, |_| spec.cores_per_unit as usize);
        Self {
            parts: vec![VecDeque::new(); n_parts],
            len: 0,
            entries: spec.fragment_queue as usize,
            square,
            corner: None,
        }
    }

    /// Number of quads that wait in all parts.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn is_full(&self) -> bool {
        self.len >= self.entries
    }

    /// Whether every core may take every quad.
    pub(super) fn is_shared(&self) -> bool {
        self.parts.len() == 1
    }

    /// Takes a quad of tile number `tile` on the screen.
    pub(super) fn push(&mut self, quad: PipeQuad, tile: u32, grid: &TileGrid) {
        let part = match self.square {
            None => 0,
            Some(pixels) => {
                let [x, y] = self.corner(tile, grid);
                let block = |from: u32, quads: u32| (from + 2 * quads) / pixels;
                let (column, row) = (quad.quad.column(), quad.quad.row());
                core_of_block(block(x, column), block(y, row), self.parts.len())
            }
        };
        self.parts[part].push_back(quad);
        self.len += 1;
    }

    fn corner(&mut self, tile: u32, grid: &TileGrid) -> [u32; 2] {
        match self.corner {
            Some((known, corner)) if known == tile => corner,
            _ => {
                let rect = grid.rect(TileId(tile));
                let corner = [rect.x0.unsigned_abs(), rect.y0.unsigned_abs()];
                self.corner = Some((tile, corner));
                corner
            }
        }
    }

    /// The quads that may go to this core, in order.
    pub(super) fn of_core(&self, core: usize) -> &VecDeque<PipeQuad> {
        &self.parts[core % self.parts.len()]
    }

    /// Removes the first `n` quads that may go to this core.
    pub(super) fn take(&mut self, core: usize, n: usize) -> impl Iterator<Item = PipeQuad> + '_ {
        self.len -= n;
        let part = core % self.parts.len();
        self.parts[part].drain(..n)
    }
}

/// The core of a square of the screen: neighbours in a row go to consecutive cores, and each row is shifted against the one
/// above so that neighbours in a column differ too.
fn core_of_block(column: u32, row: u32, n_cores: usize) -> usize {
    let shift = n_cores.isqrt().max(1);
    (column as usize + shift * row as usize) % n_cores
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn screen_interleave_gives_each_core_as_many_squares() {
        for n_cores in 1..=16 {
            let mut squares = vec![0; n_cores];
            for (row, column) in (0..16).flat_map(|row| (0..16).map(move |column| (row, column))) {
                squares[core_of_block(column, row, n_cores)] += 1;
            }
            let (least, most) = (squares.iter().min(), squares.iter().max());
            let spread = most.zip(least).map(|(most, least)| most - least);
            assert!(spread <= Some(8), "{n_cores} cores: {squares:?}");
        }
    }

    #[test]
    fn screen_interleave_parts_neighbours_in_rows_and_columns() {
        for n_cores in [2, 3, 4, 6, 8, 16] {
            let core = core_of_block(5, 7, n_cores);
            assert_ne!(
                core,
                core_of_block(6, 7, n_cores),
                "{n_cores}, to the right"
            );
            assert_ne!(core, core_of_block(5, 8, n_cores), "{n_cores}, below");
        }
    }
}
