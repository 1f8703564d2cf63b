//! The tile view's state and numbers: which measure is shown, a value for each tile, and which tile is drawn when.

use super::artist::DrawnFrame;
use super::model::ModelledFrame;
use crate::gpu::FrameReport;
use crate::gpu::statistics::TileCost;
use crate::grid::{TileGrid, TileId};
use crate::report::HeatMap;
use crate::report::TILE_COSTS;
use crate::report::heatmap::{TILE_COUNTERS, TileMeasure};
use crate::trace::TileCounters;

/// What is laid over the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TileView {
    /// Whether anything is.
    pub(super) on: bool,
    /// Lines between tiles.
    pub(super) grid: bool,
    /// Numbers in drawing order.
    pub(super) numbers: bool,
    /// The heat map.
    pub(super) measure: Option<Measure>,
    /// Whether colours follow the logarithm.
    pub(super) logarithmic: bool,
    /// Slow motion, if it runs.
    pub(super) replay: Option<Replay>,
}

impl Default for TileView {
    fn default() -> Self {
        Self {
            on: false,
            grid: true,
            numbers: false,
            measure: Some(Measure::Counter(0)),
            logarithmic: false,
            replay: None,
        }
    }
}

/// A number of a tile: position in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// Of what the renderer counts, [`TILE_COUNTERS`].
    Counter(usize),
    /// Of what a machine spends, [`TILE_COSTS`].
    Cost(usize),
}

impl Measure {
    /// Everything that can be shown, with or without a machine.
    pub(super) fn all(machine: bool) -> Vec<Self> {
        let costs = if machine { TILE_COSTS.len() } else { 0 };
        let counters = (0..TILE_COUNTERS.len()).map(Self::Counter);
        counters.chain((0..costs).map(Self::Cost)).collect()
    }

    /// For people.
    pub(super) fn name(self) -> String {
        let name = match self {
            Self::Counter(at) => TILE_COUNTERS[at].name,
            Self::Cost(at) => TILE_COSTS[at].name,
        };
        name.replace('_', " ")
    }

    /// Whether a machine says it.
    pub(super) fn is_modelled(self) -> bool {
        matches!(self, Self::Cost(_))
    }

    /// Its value for each tile; nothing if who knows has not said.
    pub(super) fn map(
        self,
        frame: Option<&DrawnFrame>,
        modelled: Option<&ModelledFrame>,
    ) -> Option<HeatMap> {
        match self {
            Self::Counter(at) => {
                let counters = frame?.counters.as_ref()?;
                let measure: &TileMeasure<TileCounters> = &TILE_COUNTERS[at];
                Some(HeatMap::of_tiles(counters.grid, &counters.tiles, measure))
            }
            Self::Cost(at) => {
                let report = &modelled?.report;
                let measure: &TileMeasure<TileCost> = &TILE_COSTS[at];
                Some(HeatMap::of_tiles(report.grid, &report.tiles, measure))
            }
        }
    }
}

/// Slow motion over a frame's tiles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Replay {
    /// How far, 0..=1.
    pub(super) position: f64,
    /// Whether it runs.
    pub(super) running: bool,
    /// Seconds that the whole frame takes.
    pub(super) seconds: f64,
}

impl Default for Replay {
    fn default() -> Self {
        Self {
            position: 0.0,
            running: true,
            seconds: 12.0,
        }
    }
}

impl Replay {
    /// Lets time pass; stops at the end.
    pub(super) fn advance(&mut self, elapsed: f64) {
        if self.running {
            self.position = (self.position + elapsed / self.seconds).min(1.0);
            self.running = self.position < 1.0;
        }
    }
}

/// When a tile is drawn and by whom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Turn {
    /// Its number.
    pub(super) tile: TileId,
    /// When it begins and ends, in cycles; in tiles where no machine says.
    pub(super) start: u64,
    /// When it is done.
    pub(super) end: u64,
    /// Raster Unit.
    pub(super) unit: u32,
}

/// The tiles of a frame in the order in which they are begun.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Schedule {
    /// The screen.
    pub(super) grid: TileGrid,
    /// In order.
    pub(super) turns: Vec<Turn>,
    /// In what starts and ends count.
    pub(super) unit: &'static str,
}

impl Schedule {
    /// As the machine chose, or as the renderer's order goes.
    pub(super) fn of(frame: Option<&DrawnFrame>, modelled: Option<&ModelledFrame>) -> Option<Self> {
        match modelled {
            Some(modelled) => Some(Self::of_machine(&modelled.report)),
            None => frame.map(Self::of_order),
        }
    }

    fn of_machine(report: &FrameReport) -> Self {
        let turn = |(number, tile): (u32, &TileCost)| Turn {
            tile: TileId(number),
            start: tile.start.0,
            end: tile.end.0,
            unit: tile.raster_unit,
        };
        let mut turns: Vec<Turn> = (0..).zip(&report.tiles).map(turn).collect();
        turns.sort_by_key(|turn| (turn.start, turn.tile));
        Self {
            grid: report.grid,
            turns,
            unit: "cycles",
        }
    }

    fn of_order(frame: &DrawnFrame) -> Self {
        let settings = &frame.plan.settings;
        let grid = TileGrid {
            width: settings.width,
            height: settings.height,
            tile_size: settings.tile_size,
        };
        let order = settings.tile_order.walk(&grid, settings.frame);
        let turns = (0..).zip(order).map(|(number, tile)| Turn {
            tile,
            start: number,
            end: number + 1,
            unit: 0,
        });
        Self {
            grid,
            turns: turns.collect(),
            unit: "tiles",
        }
    }

    /// The moment at a part 0..=1 of the way from the first tile's begin to the last one's end.
    pub(super) fn moment(&self, position: f64) -> u64 {
        let first = self.turns.first().map_or(0, |turn| turn.start);
        let last = self.turns.iter().map(|turn| turn.end).max().unwrap_or(0);
        first + (position * last.saturating_sub(first) as f64) as u64
    }

    /// Raster Units at work.
    pub(super) fn units(&self) -> u32 {
        self.turns
            .iter()
            .map(|turn| turn.unit + 1)
            .max()
            .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule() -> Schedule {
        let turn = |tile, start, end, unit| Turn {
            tile: TileId(tile),
            start,
            end,
            unit,
        };
        Schedule {
            grid: TileGrid {
                width: 64,
                height: 64,
                tile_size: 32,
            },
            turns: vec![
                turn(2, 100, 300, 1),
                turn(0, 150, 200, 0),
                turn(1, 210, 250, 0),
            ],
            unit: "cycles",
        }
    }

    #[test]
    fn replay_goes_from_the_first_begin_to_the_last_end() {
        let schedule = schedule();
        let moments = [0.0, 0.5, 1.0].map(|position| schedule.moment(position));
        assert_eq!(
            moments,
            [100, 200, 300],
            "although another tile begins last"
        );
        assert_eq!(schedule.units(), 2, "two Raster Units");
    }

    #[test]
    fn replay_stops_at_the_end() {
        let mut replay = Replay::default();
        replay.advance(6.0);
        assert_eq!((replay.position, replay.running), (0.5, true), "half-way");
        replay.advance(60.0);
        assert_eq!((replay.position, replay.running), (1.0, false), "done");
    }

    #[test]
    fn measures_of_machines_need_a_machine() {
        let without = Measure::all(false);
        assert!(
            !without.iter().any(|measure| measure.is_modelled()),
            "counters"
        );
        assert_eq!(
            Measure::all(true).len(),
            TILE_COUNTERS.len() + TILE_COSTS.len(),
            "both tables"
        );
    }
}
