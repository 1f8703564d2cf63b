//! Fragment memoization: J.-M. Arnau, J.-M. Parcerisa, P. Xekalakis, "Eliminating Redundant Fragment Shader Executions on a
//! Mobile GPU via Hardware Memoization", ISCA 2014, as compared with by Anglada et al., HPCA 2019, section V-A.
//!
//! A table remembers the colours of fragments by a 32-bit hash of their shader inputs without screen coordinates. Two
//! frames are drawn in parallel (Parallel Frame Rendering), tile by tile, so that a fragment of the second finds what the
//! first has left; nothing lives until the next pair. The table has four ways; the original 512 entries, 2048 in the
//! comparison.
//!
//! Differences: of two tiles drawn in parallel, the first frame's fragments come before the second's. No time is modelled:
//! the paper compares fragments.
//!
//! Seam: none. It reads the hashes of a trace that was taken with them.
//!
//! ```
//! # mod azulejo { pub use azulejo_grid as grid; pub use azulejo_technique as technique; pub use azulejo_trace as trace; }
//! use azulejo::grid::TileGrid;
//! use azulejo::technique::memoization::MemoTable;
//! use azulejo::trace::InstructionClass;
//! use azulejo::trace::synthetic::{CoveredScreen, independent};
//!
//! let grid = TileGrid { width: 32, height: 32, tile_size: 32 };
//! let screen = CoveredScreen::new(grid, independent(InstructionClass::Alu, 4));
//! let frame = |hashes: &[u32]| {
//!     let mut frame = screen.frame(0);
//!     frame.tiles[0].fragment_hashes = hashes.to_vec(); // a renderer's trace has one for each fragment
//!     frame
//! };
//! let mut table = MemoTable::new(512);
//! table.draw_pair(&frame(&[7, 8]), &frame(&[8, 9]));
//! assert_eq!((table.reuse().fragments, table.reuse().reused), (4, 1));
//! ```

use azulejo_trace::FrameTrace;

/// Entries of a set.
pub const WAYS: usize = 4;

/// Fragments looked up in a table, and found there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reuse {
    /// Fragments looked up in the table.
    pub fragments: u64,
    /// Fragments found there, so that their colours were reused.
    pub reused: u64,
}

/// Memoization table: sets of hashes, the one used last in front.
#[derive(Debug, Clone)]
pub struct MemoTable {
    sets: Vec<Vec<u32>>,
    reuse: Reuse,
}

impl MemoTable {
    /// Returns an empty table of `entries` entries, at least [`WAYS`].
    #[must_use]
    pub fn new(entries: usize) -> Self {
        let sets = (entries / WAYS).max(1);
        Self {
            sets: vec![Vec::with_capacity(WAYS); sets],
            reuse: Reuse::default(),
        }
    }

    /// Draws two frames in parallel, with a table that is empty at the start.
    pub fn draw_pair(&mut self, first: &FrameTrace, second: &FrameTrace) {
        self.sets.iter_mut().for_each(Vec::clear);
        for (first, second) in first.tiles.iter().zip(&second.tiles) {
            for &hash in first.fragment_hashes.iter().chain(&second.fragment_hashes) {
                self.ask(hash);
            }
        }
    }

    /// Looks up a fragment by its inputs' hash, and enters it if it is missing.
    fn ask(&mut self, hash: u32) {
        let n_sets = self.sets.len();
        let set = &mut self.sets[hash as usize % n_sets];
        self.reuse.fragments += 1;
        if let Some(at) = set.iter().position(|known| *known == hash) {
            self.reuse.reused += 1;
            set[..=at].rotate_right(1);
            return;
        }
        set.truncate(WAYS - 1);
        set.insert(0, hash);
    }

    /// Counts of all pairs drawn so far.
    #[must_use]
    pub const fn reuse(&self) -> Reuse {
        self.reuse
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_grid::TileGrid;
    use azulejo_trace::synthetic::{CoveredScreen, fragment_program};
    use azulejo_trace::{Instruction, InstructionClass};

    /// A frame of one tile whose fragments have these hashes.
    fn frame(hashes: &[u32]) -> FrameTrace {
        let grid = TileGrid {
            width: 32,
            height: 32,
            tile_size: 32,
        };
        let alu = Instruction::new(InstructionClass::Alu, &[]);
        let mut frame = CoveredScreen::new(grid, fragment_program("alu", vec![alu])).frame(0);
        frame.tiles[0].fragment_hashes = hashes.to_vec();
        frame
    }

    #[test]
    fn memo_table_spares_the_second_of_two_equal_frames() {
        let mut table = MemoTable::new(2048);
        let distinct: Vec<u32> = (0..1000).collect();
        table.draw_pair(&frame(&distinct), &frame(&distinct));
        let half = Reuse {
            fragments: 2000,
            reused: 1000,
        };
        assert_eq!(table.reuse(), half, "odd frames find nothing");
        table.draw_pair(&frame(&distinct), &frame(&distinct));
        assert_eq!(table.reuse().reused, 2000, "nor does the next pair");
    }

    #[test]
    fn memo_table_forgets_what_was_used_longest_ago() {
        let mut table = MemoTable::new(WAYS);
        table.draw_pair(&frame(&[1, 2, 3, 4, 1, 5, 1, 2]), &frame(&[]));
        // 2 left when 5 came, because 1 had been used again.
        assert_eq!(table.reuse().reused, 2, "1 and 1");
    }

    #[test]
    fn memo_table_of_a_larger_tile_than_it_holds_finds_nothing() {
        let mut table = MemoTable::new(512);
        let distinct: Vec<u32> = (0..1000).collect();
        table.draw_pair(&frame(&distinct), &frame(&distinct));
        assert_eq!(
            table.reuse().reused,
            0,
            "every entry is gone before its twin comes"
        );
    }
}
