//! Seam: what may be left out of a frame. Baseline: nothing.

mod stack;

use std::fmt::Debug;

pub(crate) use stack::ElisionStack;

use crate::report::TechniqueReport;
use azulejo_grid::TileId;
use azulejo_trace::{DrawTrace, FrameTrace, TileTrace};
use azulejo_units::Cycles;

/// Decision about a tile, or about its flush.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is done as without a technique.
    Keep,
    /// Left out; the frame buffer keeps what it has.
    Skip,
}

/// Next item that the Polygon List Builder hands over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinningItem {
    /// The attributes of a primitive.
    Primitive,
    /// A tile that the primitive overlaps.
    Tile,
}

/// A way to leave work out. Contract: a verdict of `Skip` never changes a pixel of what is displayed.
pub trait Elider: Debug + Send {
    /// A frame begins that goes to one of `frame_buffers` buffers in turn.
    fn begin_frame(&mut self, frame: &FrameTrace, frame_buffers: u32);

    /// The first cycle, `now` or later, in which the Polygon List Builder may hand this over; it waits until then.
    fn ready(&mut self, _: BinningItem, now: Cycles) -> Cycles {
        now
    }

    /// The Command Processor has read the constants of draw number `draw`, before any of its primitives comes, in the
    /// draws' order.
    fn constants(&mut self, _draw: u32, _facts: &DrawTrace, _now: Cycles) {}

    /// The Polygon List Builder begins with a primitive of draw number `draw`.
    fn primitive(&mut self, _draw: u32, _facts: &DrawTrace, _now: Cycles) {}

    /// It has written an entry for a tile that the primitive overlaps.
    fn overlap(&mut self, _: TileId, _now: Cycles) {}

    /// The cycle in which the work on all that was handed over is done; the Raster Pipeline begins no earlier.
    fn done_at(&self) -> Cycles {
        Cycles::ZERO
    }

    /// A tile has been scheduled. `Skip` leaves all of its Raster Pipeline out.
    fn tile(&mut self, _: TileId, _: &TileTrace) -> Verdict {
        Verdict::Keep
    }

    /// A tile has been drawn. `Skip` leaves its colour flush out.
    fn flush(&mut self, _: TileId, _: &TileTrace) -> Verdict {
        Verdict::Keep
    }

    /// Counters of the technique in the frame, under its name. The machine itself counts the tiles and flushes left out.
    fn take_report(&mut self) -> Option<TechniqueReport> {
        None
    }
}

/// Elider of the baseline, which leaves nothing out.
#[derive(Debug, Clone, Copy, Default)]
pub struct KeepAll;

impl Elider for KeepAll {
    fn begin_frame(&mut self, _: &FrameTrace, _: u32) {}
}
