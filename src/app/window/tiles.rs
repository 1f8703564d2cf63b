//! State and numbers of the tile view: which measure is shown, a value for each tile, and which tile is drawn when.

use super::model::ModelledFrame;
use super::render_thread::DrawnFrame;
use azulejo_gpu::statistics::TileCost;
use azulejo_gpu::{FrameReport, MapKind, MapSpec, TechniqueMap};
use azulejo_grid::{TileGrid, TileId};
use azulejo_report::heatmap::{SKIPPED, TILE_COUNTERS, TILE_FACTS, TileMeasure};
use azulejo_report::{HeatMap, TILE_COSTS};
use azulejo_technique::Technique;
use azulejo_trace::TileCounters;

/// Tile view over the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TileView {
    /// Whether the tile view is shown.
    pub(super) on: bool,
    /// Whether lines are drawn between tiles.
    pub(super) grid: bool,
    /// Whether tiles carry numbers in drawing order.
    pub(super) numbers: bool,
    /// Measure that the heat map shows.
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

/// Measure of a tile: a position in a table of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// Index of [`TILE_COUNTERS`], which the renderer counts.
    Counter(usize),
    /// Index of [`TILE_FACTS`], which need a trace.
    Fact(usize),
    /// Tiles that a technique lets the renderer leave out.
    Skipped,
    /// Index of [`TILE_COSTS`], which a machine spends.
    Cost(usize),
    /// Map of a technique on a machine.
    Technique(&'static MapSpec),
}

impl Measure {
    /// All measures that the renderer can show, with or without a technique.
    pub(super) fn drawn(technique: bool) -> Vec<Self> {
        let skipped = technique.then_some(Self::Skipped);
        let counters = (0..TILE_COUNTERS.len()).map(Self::Counter);
        let facts = (0..TILE_FACTS.len()).map(Self::Fact);
        skipped.into_iter().chain(counters).chain(facts).collect()
    }

    /// All measures that a machine with these techniques can show.
    pub(super) fn modelled(techniques: &[&'static Technique]) -> Vec<Self> {
        let maps = techniques.iter().flat_map(|technique| technique.maps);
        let maps = maps.map(|map| Self::Technique(map));
        (0..TILE_COSTS.len()).map(Self::Cost).chain(maps).collect()
    }

    /// Title as menus show it.
    pub(super) fn name(self) -> String {
        let name = match self {
            Self::Counter(at) => TILE_COUNTERS[at].name,
            Self::Fact(at) => TILE_FACTS[at].name,
            Self::Skipped => SKIPPED,
            Self::Cost(at) => TILE_COSTS[at].name,
            Self::Technique(map) => map.name,
        };
        name.replace('_', " ")
    }

    /// Whether a machine measures it.
    pub(super) fn is_modelled(self) -> bool {
        matches!(self, Self::Cost(_) | Self::Technique(_))
    }

    /// Value of the measure for each tile; `None` until renderer or machine has measured it.
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
            Self::Fact(at) => frame?.facts.as_ref().ok()?.get(at).cloned(),
            Self::Skipped => {
                let frame = frame?;
                let reasons = frame.kept.as_ref()?.reasons.iter();
                let grid = frame.plan.shot.settings.grid();
                Some(HeatMap::of_skipped(
                    grid,
                    reasons.map(|reason| reason.is_kept()),
                ))
            }
            Self::Cost(at) => {
                let report = &modelled?.report;
                let measure: &TileMeasure<TileCost> = &TILE_COSTS[at];
                Some(HeatMap::of_tiles(report.grid, &report.tiles, measure))
            }
            Self::Technique(map) => {
                let report = &modelled?.report;
                let found = report.techniques.iter().find_map(|own| own.map(map.name))?;
                Some(HeatMap::of_technique(report.grid, found))
            }
        }
    }
}

impl TileView {
    /// Whether a measure is shown for which a frame has to be traced.
    pub(super) fn shows_facts(&self) -> bool {
        matches!(self.measure, Some(Measure::Fact(_)))
    }
}

/// Reasons why a tile was drawn or left out, by the renderer and on the machine, where a technique decides.
pub(super) fn reasons(
    tile: TileId,
    frame: Option<&DrawnFrame>,
    modelled: Option<&ModelledFrame>,
) -> Vec<String> {
    let at = tile.0 as usize;
    let kept = frame.and_then(|frame| frame.kept.as_ref());
    let here = kept.and_then(|kept| kept.reasons.get(at)).map(|reason| {
        let what = if reason.is_kept() { "kept" } else { "drawn" };
        format!("{what}: {}", reason.words())
    });
    let report = modelled.map(|modelled| &modelled.report);
    let decided = report.filter(|report| !report.techniques.is_empty());
    let there = decided.and_then(|report| report.tiles.get(at)).map(|cost| {
        let what = match (cost.skipped, cost.flush_skipped) {
            (true, _) => "left out, inputs of the frame in its buffer",
            (false, true) => "drawn, not flushed: colours of the frame in its buffer",
            (false, false) => "drawn and flushed",
        };
        format!("machine: {what}")
    });
    here.into_iter().chain(there).collect()
}

/// Values and decisions of techniques on the machine for a tile, a line each.
pub(super) fn decisions(tile: TileId, modelled: Option<&ModelledFrame>) -> Vec<String> {
    let techniques = modelled.map(|modelled| &modelled.report.techniques);
    let maps = techniques.into_iter().flatten().flat_map(|own| &own.maps);
    let line = |TechniqueMap { spec, values }: &TechniqueMap| {
        let value = *values.get(tile.0 as usize)?;
        let name = spec.name.replace('_', " ");
        Some(match spec.kind {
            MapKind::Amounts => format!("{name} {value:.1}"),
            MapKind::Kinds(names) if (value as usize) < names.len() => {
                format!("{name} {}", names[value as usize])
            }
            _ => format!("{name} {value}"),
        })
    };
    maps.filter_map(line).collect()
}

/// Slow motion over a frame's tiles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Replay {
    /// Part of the frame's time that has passed, 0..=1.
    pub(super) position: f64,
    /// Whether the slow motion runs.
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

/// Turn of a tile: its time and its Raster Unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Turn {
    /// Tile that is drawn then.
    pub(super) tile: TileId,
    /// Begin of the tile, in cycles; in tiles where there is no machine.
    pub(super) start: u64,
    /// End of the tile, in the unit of its begin.
    pub(super) end: u64,
    /// Index of the Raster Unit that draws it.
    pub(super) unit: u32,
}

/// Tiles of a frame in the order in which they are begun.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Schedule {
    /// Grid of the screen's tiles.
    pub(super) grid: TileGrid,
    /// Tiles in the order in which they are begun.
    pub(super) turns: Vec<Turn>,
    /// Unit in which starts and ends count.
    pub(super) unit: &'static str,
}

impl Schedule {
    /// Schedule of the machine, else of the renderer's order.
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
        let tiles = (0..).zip(&report.tiles);
        let drawn = tiles.filter(|(_, tile)| !tile.skipped);
        let mut turns: Vec<Turn> = drawn.map(turn).collect();
        turns.sort_by_key(|turn| (turn.start, turn.tile));
        Self {
            grid: report.grid,
            turns,
            unit: "cycles",
        }
    }

    fn of_order(frame: &DrawnFrame) -> Self {
        let settings = &frame.plan.shot.settings;
        let grid = settings.grid();
        let mut order = settings.tile_order.walk(&grid, frame.drawn_before);
        if let Some(kept) = &frame.kept {
            order.retain(|tile| !kept.is_kept(*tile));
        }
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

    /// Moment at a part 0..=1 of the way from the first tile's begin to the last one's end.
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
    use azulejo_technique::KHEPRI;

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
    fn measures_are_all_that_render_draws_maps_of() {
        let (drawn, modelled) = (Measure::drawn(true), Measure::modelled(&[&KHEPRI]));
        assert!(
            modelled.iter().all(|measure| measure.is_modelled()),
            "costs"
        );
        assert!(!drawn.iter().any(|measure| measure.is_modelled()), "not");
        assert_eq!(
            drawn.len() + modelled.len(),
            1 + TILE_COUNTERS.len() + TILE_FACTS.len() + TILE_COSTS.len() + KHEPRI.maps.len(),
            "all tables, and what the technique decides"
        );
        assert!(
            !Measure::drawn(false).contains(&Measure::Skipped),
            "nothing is left out without a technique"
        );
    }
}
