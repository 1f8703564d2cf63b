//! A scheduler under watch: counts what it hands out, so that a tile that comes twice, or never, is an error in every
//! build.

use super::{FrameStart, TileScheduler};
use crate::failure::{ScheduleBreach, ScheduleError};
use crate::report::TechniqueReport;
use azulejo_grid::TileId;
use azulejo_units::Cycles;

/// A scheduler and what it has handed out of the frame.
#[derive(Debug)]
pub(crate) struct WatchedScheduler {
    /// Technique that brought the scheduler; `None` for the machine's own.
    technique: Option<&'static str>,
    scheduler: Box<dyn TileScheduler>,
    handed_out: Vec<bool>,
    n_left: usize,
}

impl WatchedScheduler {
    pub(crate) fn new(technique: Option<&'static str>, scheduler: Box<dyn TileScheduler>) -> Self {
        Self {
            technique,
            scheduler,
            handed_out: Vec::new(),
            n_left: 0,
        }
    }

    pub(crate) fn begin_frame(&mut self, start: &FrameStart<'_>) {
        self.n_left = start.grid.n_tiles() as usize;
        self.handed_out.clear();
        self.handed_out.resize(self.n_left, false);
        self.scheduler.begin_frame(start);
    }

    pub(crate) fn ready_at(&self) -> Cycles {
        self.scheduler.ready_at()
    }

    pub(crate) fn is_turn_of(&self, unit: usize) -> bool {
        self.scheduler.is_turn_of(unit)
    }

    /// The next tile for a unit, if there is one now.
    pub(crate) fn next_tile(&mut self, unit: usize) -> Result<Option<TileId>, ScheduleError> {
        let Some(tile) = self.scheduler.next_tile(unit) else {
            return Ok(None);
        };
        match self.handed_out.get_mut(tile.0 as usize) {
            None => Err(self.error(tile, ScheduleBreach::Unknown)),
            Some(true) => Err(self.error(tile, ScheduleBreach::Twice)),
            Some(handed_out) => {
                *handed_out = true;
                self.n_left -= 1;
                Ok(Some(tile))
            }
        }
    }

    /// Whether all tiles have been handed out; the scheduler must say so exactly then.
    pub(crate) fn is_done(&self) -> Result<bool, ScheduleError> {
        let is_done = self.scheduler.is_done();
        match self.handed_out.iter().position(|handed_out| !handed_out) {
            Some(tile) if is_done => Err(self.error(TileId(tile as u32), ScheduleBreach::Dropped)),
            _ => Ok(is_done),
        }
    }

    /// Tiles not yet handed out.
    pub(crate) fn n_left(&self) -> usize {
        self.n_left
    }

    /// Owner of the scheduler, in words: the machine or a technique.
    pub(crate) fn owner(&self) -> String {
        self.technique.map_or_else(
            || "the machine's own tile scheduler".to_owned(),
            |name| format!("the tile scheduler of technique {name}"),
        )
    }

    pub(crate) fn take_report(&mut self) -> Option<TechniqueReport> {
        self.scheduler.take_report()
    }

    fn error(&self, tile: TileId, breach: ScheduleBreach) -> ScheduleError {
        ScheduleError {
            technique: self.technique,
            tile,
            breach,
        }
    }
}
