//! Several ways to leave work out as one: a tile or a flush is left out if any of them leaves it out.

use super::{BinningItem, Elider, Verdict};
use crate::report::TechniqueReport;
use azulejo_grid::TileId;
use azulejo_trace::{DrawTrace, FrameTrace, TileTrace};
use azulejo_units::Cycles;

/// Eliders side by side; none leave nothing out.
#[derive(Debug, Default)]
pub(crate) struct ElisionStack(Vec<Box<dyn Elider>>);

impl ElisionStack {
    pub(crate) fn push(&mut self, elider: Box<dyn Elider>) {
        self.0.push(elider);
    }

    /// Asks all of them, so that each sees every tile.
    fn any(&mut self, mut ask: impl FnMut(&mut dyn Elider) -> Verdict) -> Verdict {
        let mut verdict = Verdict::Keep;
        for elider in &mut self.0 {
            if ask(&mut **elider) == Verdict::Skip {
                verdict = Verdict::Skip;
            }
        }
        verdict
    }

    /// Reports of all eliders on the frame.
    pub(crate) fn take_reports(&mut self) -> impl Iterator<Item = TechniqueReport> {
        self.0.iter_mut().filter_map(|elider| elider.take_report())
    }
}

impl Elider for ElisionStack {
    fn begin_frame(&mut self, frame: &FrameTrace, frame_buffers: u32) {
        for elider in &mut self.0 {
            elider.begin_frame(frame, frame_buffers);
        }
    }

    fn ready(&mut self, item: BinningItem, now: Cycles) -> Cycles {
        let each = self.0.iter_mut().map(|elider| elider.ready(item, now));
        each.max().unwrap_or(now)
    }

    fn constants(&mut self, draw: u32, facts: &DrawTrace, now: Cycles) {
        for elider in &mut self.0 {
            elider.constants(draw, facts, now);
        }
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
}
