//! What a technique that leaves work out has done in a frame, and what it needs for it.

use std::ops::AddAssign;

use serde::Serialize;

use crate::units::{Bytes, Cycles};

/// Accesses of a small memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ArrayUse {
    /// As the paper calls it.
    pub name: &'static str,
    /// How large it is.
    pub size: Bytes,
    /// How many there are of this size.
    pub count: u32,
    /// Bytes of an access.
    pub word: Bytes,
    /// Reads of all of them.
    pub reads: u64,
    /// Writes of all of them.
    pub writes: u64,
}

/// What was left out of a frame, and at what price.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ElisionReport {
    /// Tiles of the frame.
    pub tiles: u64,
    /// Tiles whose Raster Pipeline was left out.
    pub tiles_skipped: u64,
    /// Tiles that were drawn and not flushed.
    pub flushes_skipped: u64,
    /// Tiles with the signature of other inputs: false positives, which a chip would leave as they were.
    pub collisions: u64,
    /// Tiles whose inputs changed and whose colours did not: false negatives.
    pub false_negatives: u64,
    /// Cycles in which the Polygon List Builder waited for the technique.
    pub stall_cycles: Cycles,
    /// Cycles in which the technique's units worked, one after the other.
    pub busy_cycles: Cycles,
    /// The memories that it brings along.
    pub arrays: Vec<ArrayUse>,
}

impl ElisionReport {
    /// Takes what another technique did beside this one in the same frame.
    pub fn join(&mut self, other: Self) {
        let tiles = self.tiles;
        *self += &other;
        self.tiles = tiles;
        self.arrays.extend(other.arrays);
    }
}

impl AddAssign<&Self> for ElisionReport {
    /// Adds another frame; memories are not added up.
    fn add_assign(&mut self, other: &Self) {
        self.tiles += other.tiles;
        self.tiles_skipped += other.tiles_skipped;
        self.flushes_skipped += other.flushes_skipped;
        self.collisions += other.collisions;
        self.false_negatives += other.false_negatives;
        self.stall_cycles += other.stall_cycles;
        self.busy_cycles += other.busy_cycles;
    }
}
