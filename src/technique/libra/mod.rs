//! LIBRA: A. Tomás, J. L. Aragón, J.-M. Parcerisa, A. González, "LIBRA: Memory Bandwidth- and Locality-Aware Parallel Tile
//! Rendering", section III.
//!
//! Tiles are grouped into supertiles, which one Raster Unit draws one tile after the other, so that neighbours find their
//! texels. A supertile's temperature is what its tiles moved over the DRAM's pins for each instruction in the frame before.
//! One Raster Unit takes supertiles from the hot end of their ranking, all others from the cold end, so that two that press
//! on the memory are rarely drawn at a time. Frame by frame the scheduler chooses between this order and the conventional
//! one, and the supertiles' size.
//!
//! Choices made here where the paper leaves something open:
//! - Fig. 10 is a picture; the text gives three rules for the order and no precedence. We decide only where raster cycles
//!   changed by more than the threshold (Fig. 19b: with a large threshold the order is "temperature all the time"), begin
//!   with temperature, and then: slower and fewer hits, the other order; else the conventional order where the hit ratio is
//!   above its threshold, and temperature where it is not.
//! - The conventional order is the machine's walk, dealt to the Raster Units in turn, tile by tile. Supertiles keep their
//!   size in it, since it has no effect, and where the order has just changed, since the cycles say nothing of the size
//!   then.
//! - The size begins at the smallest, or at `first_edge`. Faster by more than the threshold: a step on in the same direction; slower: turn
//!   around.
//! - With more than two Raster Units one takes hot supertiles and all others cold ones.
//! - DRAM accesses of a tile are those of its Raster Pipeline: texels, lists and attributes that are read back, colours.
//!   Instructions are those of warps. A tile that another technique left out has the counts of the frame that drew it last.
//! - Accesses per instruction have 15 bits, read as a fraction below one; more saturates. Equal supertiles are ranked in
//!   Z-order.
//! - The hit ratio counts every quad's access, as it does where nothing merges them.
//! - Supertiles in Z-order, and the tiles inside of each, go backwards in every second frame if the machine's walk does;
//!   the ranking by temperature stays.
//!
//! Seam: [`azulejo_gpu::schedule`].

mod adaptation;
mod ranking;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;

pub(super) use adaptation::{Adaptation, Observed, Plan};
pub use adaptation::{LibraOrder, LibraSpec};
use ranking::{TemperatureTable, ranking_cycles};

use azulejo_gpu::schedule::{FrameStart, TileScheduler};
use azulejo_gpu::{
    CounterUnit, FrameReport, MapKind, MapSpec, TechniqueCounter, TechniqueMap, TechniqueReport,
};
use azulejo_grid::{Corner, TileGrid, TileId, TileOrder};
use azulejo_units::Cycles;

/// Name on the command line, in machine files and in reports.
pub(super) const NAME: &str = "libra";

/// Temperature by tile: of the whole supertile, where tiles are grouped.
static TEMPERATURE: MapSpec = MapSpec {
    name: "temperature",
    unit: "DRAM accesses / 1000 instructions of its supertile, frame before",
    kind: MapKind::Amounts,
};

/// Place of each tile's supertile in the ranking.
static SUPERTILE: MapSpec = MapSpec {
    name: "supertile",
    unit: "place of its supertile, the hottest first",
    kind: MapKind::Places,
};

/// Values for every tile of a frame.
pub(super) const MAPS: &[&MapSpec] = &[&TEMPERATURE, &SUPERTILE];

/// The tile scheduler of LIBRA.
#[derive(Debug)]
pub struct Libra {
    adaptation: Adaptation,
    /// Edge of the smallest supertiles, which the table has entries for, in tiles.
    smallest: u32,
    queues: Queues,
    ready_at: Cycles,
    counters: FrameCounters,
    maps: Vec<TechniqueMap>,
}

/// Counters of the scheduler in a frame.
#[derive(Debug, Clone, Copy, Default)]
struct FrameCounters {
    by_temperature: bool,
    resized: bool,
    supertiles: u64,
    ranking_cycles: u64,
    /// Supertiles of the smallest size on the screen.
    entries: u64,
}

impl Libra {
    /// Returns the scheduler before its first frame.
    #[must_use]
    pub fn new(spec: &LibraSpec) -> Self {
        Self {
            smallest: spec.smallest(),
            adaptation: Adaptation::new(spec),
            queues: Queues::default(),
            ready_at: Cycles::ZERO,
            counters: FrameCounters::default(),
            maps: Vec::new(),
        }
    }
}

impl TileScheduler for Libra {
    fn begin_frame(&mut self, start: &FrameStart<'_>) {
        let plan = self.adaptation.plan(start.previous.map(Observed::of));
        let by_temperature = matches!(plan, Plan::Temperature { .. });
        let mut groups = groups(plan, start);
        let mut table = (start.previous).map(|previous| TemperatureTable::new(&groups, previous));
        if let Some(table) = table.as_mut().filter(|_| by_temperature) {
            table.rank(&mut groups);
        }
        let ranking = if by_temperature {
            ranking_cycles(groups.len())
        } else {
            Cycles::ZERO
        };
        self.ready_at = start.now + ranking;
        self.counters = FrameCounters {
            by_temperature,
            resized: self.adaptation.has_resized(),
            supertiles: groups.len() as u64,
            ranking_cycles: ranking.0,
            entries: n_supertiles(&start.grid, self.smallest),
        };
        self.maps = maps(&start.grid, &groups, table.as_ref());
        self.queues = if by_temperature {
            Queues::by_temperature(groups, start.n_raster_units)
        } else {
            Queues::in_turn(groups, start.n_raster_units)
        };
    }

    fn ready_at(&self) -> Cycles {
        self.ready_at
    }

    fn next_tile(&mut self, unit: usize) -> Option<TileId> {
        self.queues.next_tile(unit)
    }

    fn is_done(&self) -> bool {
        self.queues.is_empty()
    }

    fn take_report(&mut self) -> Option<TechniqueReport> {
        let counters = std::mem::take(&mut self.counters);
        let count = |name, about, unit, value| TechniqueCounter {
            name,
            about,
            unit,
            value,
        };
        let events = CounterUnit::Events;
        Some(TechniqueReport {
            technique: NAME,
            counters: vec![
                count(
                    "temperature_frames",
                    "frames in order of temperature",
                    events,
                    counters.by_temperature.into(),
                ),
                count(
                    "resized_frames",
                    "frames with supertiles of another size",
                    events,
                    counters.resized.into(),
                ),
                count(
                    "groups",
                    "supertiles, or tiles in turn, handed out",
                    events,
                    counters.supertiles,
                ),
                count(
                    "ranking_cycles",
                    "ranking, beside the geometry",
                    CounterUnit::Cycles,
                    counters.ranking_cycles,
                ),
            ],
            memories: vec![ranking::memory(counters.entries, counters.ranking_cycles)],
            maps: std::mem::take(&mut self.maps),
        })
    }
}

/// Supertiles of `edge` tiles, a power of two, in Z-order, each with its tiles in Z-order; from the corner `first`
/// on; at the other edges there may be fewer tiles in one. Z-order visits such squares one after the other.
fn supertiles(grid: &TileGrid, edge: u32, first: Corner) -> Vec<Vec<TileId>> {
    let square = |tile: &TileId| {
        let (column, row) = first.mirrored(grid, grid.column_row(*tile));
        (column / edge, row / edge)
    };
    let walk = TileOrder::Z_ORDER.from_corner(first).walk(grid, 0);
    let supertiles = walk.chunk_by(|a, b| square(a) == square(b));
    supertiles.map(<[_]>::to_vec).collect()
}

/// Number of supertiles of `edge` tiles on a screen.
fn n_supertiles(grid: &TileGrid, edge: u32) -> u64 {
    let along = |tiles: u32| u64::from(tiles.div_ceil(edge));
    along(grid.tiles_wide()) * along(grid.tiles_high())
}

/// Groups that Raster Units take whole: supertiles in Z-order, all of it backwards where the machine's walk is; or that
/// walk tile by tile.
fn groups(plan: Plan, start: &FrameStart<'_>) -> Vec<Vec<TileId>> {
    let edge = match plan {
        Plan::Temperature { edge } => Some(edge),
        Plan::Supertiles { edge } => Some(edge).filter(|edge| *edge > 1),
        Plan::Conventional => None,
    };
    let Some(edge) = edge else {
        let walk = start.walk();
        return walk.into_iter().map(|tile| vec![tile]).collect();
    };
    let mut supertiles = supertiles(&start.grid, edge, start.order.corner);
    if start.is_backwards() {
        supertiles.reverse();
        supertiles.iter_mut().for_each(|tiles| tiles.reverse());
    }
    supertiles
}

/// Values and decisions of each tile.
fn maps(
    grid: &TileGrid,
    groups: &[Vec<TileId>],
    table: Option<&TemperatureTable>,
) -> Vec<TechniqueMap> {
    let order = groups.iter().map(Vec::as_slice);
    let places = TechniqueMap::of_groups(&SUPERTILE, grid.n_tiles(), order);
    let temperatures = table.map(|table| {
        let by_group: Vec<f64> = table.per_thousand().collect();
        let of_tile = |group: &f64| by_group[*group as usize];
        TechniqueMap {
            spec: &TEMPERATURE,
            values: places.values.iter().map(of_tile).collect(),
        }
    });
    temperatures.into_iter().chain([places]).collect()
}

/// Rest of the frame: groups of tiles, which a Raster Unit takes whole.
#[derive(Debug, Default)]
struct Queues {
    /// Groups not yet taken: one queue for all units, or one for each of them.
    groups: Groups,
    /// Tiles left of each unit's group.
    open: Vec<VecDeque<TileId>>,
}

#[derive(Debug)]
enum Groups {
    /// Queue for all units, hottest first: unit 0 takes from the front, all others from the back.
    Ranked(VecDeque<Vec<TileId>>),
    /// Queue for each unit.
    InTurn(Vec<VecDeque<Vec<TileId>>>),
}

impl Default for Groups {
    fn default() -> Self {
        Self::Ranked(VecDeque::new())
    }
}

impl Queues {
    fn by_temperature(hottest_first: Vec<Vec<TileId>>, n_units: usize) -> Self {
        Self {
            groups: Groups::Ranked(hottest_first.into()),
            open: vec![VecDeque::new(); n_units],
        }
    }

    /// Deals group k to unit k modulo units.
    fn in_turn(groups: Vec<Vec<TileId>>, n_units: usize) -> Self {
        let mut dealt = vec![VecDeque::new(); n_units];
        for (number, group) in groups.into_iter().enumerate() {
            dealt[number % n_units].push_back(group);
        }
        Self {
            groups: Groups::InTurn(dealt),
            open: vec![VecDeque::new(); n_units],
        }
    }

    fn next_tile(&mut self, unit: usize) -> Option<TileId> {
        let open = self.open.get_mut(unit)?;
        if open.is_empty() {
            let group = match &mut self.groups {
                Groups::Ranked(groups) if unit == 0 => groups.pop_front(),
                Groups::Ranked(groups) => groups.pop_back(),
                Groups::InTurn(dealt) => dealt[unit].pop_front(),
            };
            *open = group?.into();
        }
        open.pop_front()
    }

    fn is_empty(&self) -> bool {
        let nothing_left = match &self.groups {
            Groups::Ranked(groups) => groups.is_empty(),
            Groups::InTurn(dealt) => dealt.iter().all(VecDeque::is_empty),
        };
        nothing_left && self.open.iter().all(VecDeque::is_empty)
    }
}

impl Observed {
    fn of(report: &FrameReport) -> Self {
        Self {
            raster_cycles: report.raster_cycles,
            // Without samples there are no misses.
            hit_ratio: report.texture_quad_hit_ratio().unwrap_or(1.0),
        }
    }
}
