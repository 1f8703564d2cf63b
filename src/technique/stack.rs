//! Several techniques that leave work out as one: a tile or a flush is left out if any of them leaves it out.

use crate::gpu::elide::{BinningItem, Elider, ElisionReport, Verdict};
use crate::grid::TileId;
use crate::trace::{DrawTrace, FrameTrace, TileTrace};
use crate::units::Cycles;

/// Eliders side by side.
#[derive(Debug)]
pub(super) struct Stack(Vec<Box<dyn Elider>>);

impl Stack {
    pub(super) fn new(eliders: Vec<Box<dyn Elider>>) -> Self {
        Self(eliders)
    }

    /// Asks all of them, so that each sees every tile.
    fn any(&mut self, ask: impl FnMut(&mut Box<dyn Elider>) -> Verdict) -> Verdict {
        let verdicts: Vec<_> = self.0.iter_mut().map(ask).collect();
        if verdicts.contains(&Verdict::Skip) {
            Verdict::Skip
        } else {
            Verdict::Keep
        }
    }
}

impl Elider for Stack {
    fn begin_frame(&mut self, frame: &FrameTrace, frame_buffers: u32) {
        for elider in &mut self.0 {
            elider.begin_frame(frame, frame_buffers);
        }
    }

    fn ready(&mut self, item: BinningItem, now: Cycles) -> Cycles {
        let each = self.0.iter_mut().map(|elider| elider.ready(item, now));
        each.max().unwrap_or(now)
    }

    fn primitive(&mut self, draw: u32, facts: &DrawTrace, now: Cycles) {
        for elider in &mut self.0 {
            elider.primitive(draw, facts, now);
        }
    }

    fn overlap(&mut self, tile: TileId, now: Cycles) {
        for elider in &mut self.0 {
            elider.overlap(tile, now);
        }
    }

    fn done_at(&self) -> Cycles {
        let each = self.0.iter().map(|elider| elider.done_at());
        each.max().unwrap_or_default()
    }

    fn tile(&mut self, tile: TileId, facts: &TileTrace) -> Verdict {
        self.any(|elider| elider.tile(tile, facts))
    }

    fn flush(&mut self, tile: TileId, facts: &TileTrace) -> Verdict {
        self.any(|elider| elider.flush(tile, facts))
    }

    fn take_report(&mut self) -> Option<ElisionReport> {
        let each = self.0.iter_mut().filter_map(|elider| elider.take_report());
        each.reduce(|mut sum, report| {
            sum.join(report);
            sum
        })
    }
}
