//! Seam: what may be left out of a frame. Baseline: nothing.

use std::fmt::Debug;

use crate::grid::TileId;
use crate::trace::{DrawTrace, FrameTrace, TileTrace};
use crate::units::Cycles;

/// What happens with a tile, or with its flush.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// As always.
    Keep,
    /// Left out; the frame buffer keeps what it has.
    Skip,
}

/// A way to leave work out. Contract: a verdict of `Skip` never changes a pixel of what is displayed.
pub trait Elider: Debug + Send {
    /// A frame begins.
    fn begin_frame(&mut self, frame: &FrameTrace);

    /// The Polygon List Builder has begun with a primitive of `draw` that overlaps `n_tiles` tiles; the answer is how long the builder
    /// must wait for this unit before the next primitive.
    fn primitive(&mut self, draw: &DrawTrace, n_tiles: usize, now: Cycles) -> Cycles;

    /// A tile has been scheduled. `Skip` leaves all of its Raster Pipeline out.
    fn tile(&mut self, tile: TileId, facts: &TileTrace) -> Verdict;

    /// A tile has been drawn. `Skip` leaves its colour flush out.
    fn flush(&mut self, tile: TileId, facts: &TileTrace) -> Verdict;
}

/// Leaves nothing out.
#[derive(Debug, Clone, Copy, Default)]
pub struct KeepAll;

impl Elider for KeepAll {
    fn begin_frame(&mut self, _: &FrameTrace) {}

    fn primitive(&mut self, _: &DrawTrace, _: usize, _: Cycles) -> Cycles {
        Cycles::ZERO
    }

    fn tile(&mut self, _: TileId, _: &TileTrace) -> Verdict {
        Verdict::Keep
    }

    fn flush(&mut self, _: TileId, _: &TileTrace) -> Verdict {
        Verdict::Keep
    }
}
