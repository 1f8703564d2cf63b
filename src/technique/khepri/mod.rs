//! KHEPRI: a GPU whose Raster Units have shader cores of two types, and the tile scheduler that sends each tile to the type
//! that suits it. A. Tomás, J. L. Aragón, J.-M. Parcerisa, A. González, "Design of a GPU with Heterogeneous Cores for
//! Graphics", sections III-B to III-D.
//!
//! Tiles are ranked by misses of the texture caches per thousand instructions in the frame before, and dealt from both ends
//! so that both types get equal time: the affinity of each tile. Tiles that lie alone among those of the other type change
//! sides, in pairs; connected tiles of a type are a region, and regions that are too small join what surrounds them. A
//! Raster Unit draws a region as a whole, row by row in alternate directions.
//!
//! Choices made here where the paper leaves something open:
//! - Misses are those of the L1 texture caches, instructions those of warps. A tile's time is what it spent in the fragment
//!   stage, on whichever type drew it. A tile that another technique left out has the counts of the frame that drew it last
//!   and no time.
//! - MPKI has 16 bits, six of them behind the point; time has 16 bits; both saturate. Equal tiles are ranked by number.
//! - "75 % of their neighboring tiles" are of the eight around a tile; at the edge of the screen, of those that there are.
//! - Candidates are found in the map as it was before the pass, and the k-th of one type changes sides with the k-th of the
//!   other, in scan order: one pass over the tiles, as the paper's cycles have it, leaves no time to look for the best
//!   partner.
//! - Small regions join in scan order. That moves time from one type to the other, which the paper accepts; the report has
//!   both sums.
//! - The paper charges one flood fill, of seven cycles a tile (section V-C). Which regions there are after small ones have
//!   joined, and whether one is still small, only another flood fill tells: each one made is charged, and a map without
//!   small regions costs what the paper says. `passes` of the report counts them; the table and its queues are as large for
//!   any number of them.
//! - Several Raster Units of a type share its regions. One that finds none left waits for the next frame.
//! - The first frame is drawn in the machine's order, by the least occupied unit.
//! - Regions, and the tiles inside of each, go backwards in every second frame if the machine's walk does.
//!
//! Seam: [`azulejo_gpu::schedule`].

mod affinity;
mod regions;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use serde::Deserialize;

use affinity::{Affinity, Profile, affinities};
use regions::{TypeMap, join_small_regions, swap_isolated};

use super::ranking::comparisons;
use azulejo_gpu::machine::MachineSpec;
use azulejo_gpu::parameters::{Document, ParameterError, in_range};
use azulejo_gpu::schedule::{FrameStart, LeastOccupied, TileScheduler};
use azulejo_gpu::{
    CounterUnit, FrameReport, MapKind, MapSpec, MemoryKind, TechniqueCounter, TechniqueMap,
    TechniqueMemory, TechniqueReport,
};
use azulejo_grid::TileId;
use azulejo_units::{Bytes, Cycles};

/// Name on the command line, in machine files and in reports.
pub(super) const NAME: &str = "khepri";

/// The scheduler's parameters, `[technique.khepri]` of a machine.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KhepriSpec {
    /// The type of shader core that memory-intensive tiles go to; all others are for compute-intensive ones.
    pub memory_cores: String,
    /// Regions of fewer tiles join what surrounds them (section III-C: 8).
    #[serde(deserialize_with = "in_range::<1, 65_536, _, _>")]
    pub least_region: u32,
}

/// Names of the types, in the order of [`Affinity`].
const TYPES: MapKind = MapKind::Kinds(&["compute", "memory"]);

/// Misses per thousand instructions, by which tiles are ranked.
static MPKI: MapSpec = MapSpec {
    name: "mpki",
    unit: "L1 texture misses / 1000 instructions, frame before",
    kind: MapKind::Amounts,
};

/// Types by the ranking alone (Fig. 5b).
static AFFINITY: MapSpec = MapSpec {
    name: "affinity",
    unit: "cores that suit it by its misses alone",
    kind: TYPES,
};

/// Types after the locality passes (Fig. 5c).
static CORE_TYPE: MapSpec = MapSpec {
    name: "core_type",
    unit: "cores that it goes to with its region",
    kind: TYPES,
};

/// Regions in scan order.
static REGION: MapSpec = MapSpec {
    name: "region",
    unit: "connected tiles of a core type",
    kind: MapKind::Areas,
};

/// Values for every tile of a frame.
pub(super) const MAPS: &[&MapSpec] = &[&MPKI, &AFFINITY, &CORE_TYPE, &REGION];

/// The tile scheduler of KHEPRI.
#[derive(Debug)]
pub struct Khepri {
    least_region: usize,
    /// Type of tile that each Raster Unit draws.
    units: Vec<Affinity>,
    /// Order of the machine while no tile has been measured.
    unknown: Option<LeastOccupied>,
    /// Regions not yet taken, by [`Affinity`].
    queues: [VecDeque<Vec<TileId>>; 2],
    /// Tiles left of each unit's region.
    open: Vec<VecDeque<TileId>>,
    ready_at: Cycles,
    counters: FrameCounters,
    maps: Vec<TechniqueMap>,
}

/// Counters of the scheduler in a frame.
#[derive(Debug, Clone, Copy, Default)]
struct FrameCounters {
    n_tiles: u64,
    /// Tiles of each type, by [`Affinity`].
    tiles: [u64; 2],
    /// Fragment-stage cycles of the tiles in the frame before, by [`Affinity`].
    cycles: [u64; 2],
    regions: u64,
    swapped: u64,
    joined: u64,
    /// Flood fills over all tiles.
    passes: u64,
    ranking: u64,
}

impl Khepri {
    /// Returns the scheduler of a machine.
    ///
    /// # Errors
    /// If the machine has no Raster Unit of one of the two kinds.
    pub fn new(spec: &MachineSpec, parameters: &Document) -> Result<Self, ParameterError> {
        const EXPECTED: &str = "a core type that some Raster Units have and others do not, as on machine valhall-khepri";
        let error = || parameters.error("memory_cores", EXPECTED);
        if parameters.text("memory_cores").is_none() {
            return Err(error());
        }
        let own: KhepriSpec = parameters.get()?;
        let raster = &spec.raster;
        let affinity_of = |unit: &usize| match raster.core_types[*unit].name == own.memory_cores {
            true => Affinity::Memory,
            false => Affinity::Compute,
        };
        let units: Vec<_> = raster.units.iter().map(affinity_of).collect();
        if !units.contains(&Affinity::Memory) || !units.contains(&Affinity::Compute) {
            return Err(error());
        }
        Ok(Self {
            least_region: own.least_region as usize,
            open: vec![VecDeque::new(); units.len()],
            units,
            unknown: None,
            queues: Default::default(),
            ready_at: Cycles::ZERO,
            counters: FrameCounters::default(),
            maps: Vec::new(),
        })
    }

    /// Assigns tiles to types of core by the report of the frame before, and finds the regions in scan order.
    fn assign(&mut self, start: &FrameStart<'_>, previous: &FrameReport) {
        let grid = &start.grid;
        let profiles: Vec<_> = previous.tiles.iter().map(Profile::of).collect();
        let mut map = TypeMap::new(grid, affinities(&profiles));
        let alone = map.types.clone();
        let swapped = swap_isolated(&mut map);
        let joined = join_small_regions(&mut map, self.least_region);
        let regions = joined.regions;
        let counters = &mut self.counters;
        (counters.swapped, counters.joined) = (swapped, joined.tiles);
        counters.passes = joined.passes;
        for (affinity, profile) in map.types.iter().zip(&profiles) {
            counters.tiles[*affinity as usize] += 1;
            counters.cycles[*affinity as usize] += u64::from(profile.cycles);
        }
        counters.regions = regions.len() as u64;
        let walks: Vec<_> = regions
            .iter()
            .map(|region| region.in_s_order(grid))
            .collect();
        self.maps = maps(&profiles, &alone, &map.types, &walks);
        for (region, mut walk) in regions.iter().zip(walks) {
            let queue = &mut self.queues[region.affinity as usize];
            if start.is_backwards() {
                walk.reverse();
                queue.push_front(walk);
            } else {
                queue.push_back(walk);
            }
        }
    }
}

impl TileScheduler for Khepri {
    fn begin_frame(&mut self, start: &FrameStart<'_>) {
        let n_tiles = u64::from(start.grid.n_tiles());
        self.counters = FrameCounters {
            n_tiles,
            ..FrameCounters::default()
        };
        self.queues = Default::default();
        self.open.fill(VecDeque::new());
        self.ready_at = start.now;
        self.unknown = None;
        self.maps = Vec::new();
        let known = start.previous.filter(|_| self.serves(start.n_raster_units));
        if let Some(previous) = known {
            self.assign(start, previous);
            self.counters.ranking =
                ranking_cycles(n_tiles) + locality_cycles(n_tiles, self.counters.passes);
            self.ready_at += Cycles(self.counters.ranking);
        } else {
            let mut first = LeastOccupied::default();
            first.begin_frame(start);
            self.unknown = Some(first);
        }
    }

    fn ready_at(&self) -> Cycles {
        self.ready_at
    }

    fn next_tile(&mut self, unit: usize) -> Option<TileId> {
        if let Some(unknown) = &mut self.unknown {
            return unknown.next_tile(unit);
        }
        let open = self.open.get_mut(unit)?;
        if open.is_empty() {
            *open = self.queues[self.units[unit] as usize].pop_front()?.into();
        }
        open.pop_front()
    }

    fn is_done(&self) -> bool {
        match &self.unknown {
            Some(unknown) => unknown.is_done(),
            None => {
                self.queues.iter().all(VecDeque::is_empty)
                    && self.open.iter().all(VecDeque::is_empty)
            }
        }
    }

    fn take_report(&mut self) -> Option<TechniqueReport> {
        let counters = std::mem::take(&mut self.counters);
        Some(TechniqueReport {
            technique: NAME,
            counters: counters.named(),
            memories: memories(&counters),
            maps: std::mem::take(&mut self.maps),
        })
    }
}

/// Values and decisions of each tile: `alone` by MPKI alone, `types` in the end, `regions` in scan order.
fn maps(
    profiles: &[Profile],
    alone: &[Affinity],
    types: &[Affinity],
    regions: &[Vec<TileId>],
) -> Vec<TechniqueMap> {
    let kinds = |spec, types: &[Affinity]| {
        let kind = |affinity: &Affinity| f64::from(*affinity as u8);
        TechniqueMap {
            spec,
            values: types.iter().map(kind).collect(),
        }
    };
    let mpki = profiles.iter().map(|profile| profile.misses_per_thousand());
    let regions = regions.iter().map(Vec::as_slice);
    vec![
        TechniqueMap {
            spec: &MPKI,
            values: mpki.collect(),
        },
        kinds(&AFFINITY, alone),
        kinds(&CORE_TYPE, types),
        TechniqueMap::of_groups(&REGION, types.len() as u32, regions),
    ]
}

impl Khepri {
    /// Whether these are the units that the scheduler was made for, of both types.
    fn serves(&self, n_units: usize) -> bool {
        let units = self.units.get(..n_units).unwrap_or_default();
        units.len() == self.units.len()
    }
}

/// Name, meaning, unit and value of a counter.
type Named = (&'static str, &'static str, CounterUnit, u64);

impl FrameCounters {
    fn named(&self) -> Vec<TechniqueCounter> {
        let counters = self.of_types().into_iter().chain(self.of_regions());
        counters
            .map(|(name, about, unit, value)| TechniqueCounter {
                name,
                about,
                unit,
                value,
            })
            .collect()
    }

    fn of_types(&self) -> [Named; 4] {
        let [compute, memory] = [Affinity::Compute as usize, Affinity::Memory as usize];
        [
            (
                "compute_tiles",
                "tiles for compute cores",
                CounterUnit::Tiles,
                self.tiles[compute],
            ),
            (
                "memory_tiles",
                "tiles for memory cores",
                CounterUnit::Tiles,
                self.tiles[memory],
            ),
            (
                "compute_balance_cycles",
                "their time in the frame before, on compute cores",
                CounterUnit::Cycles,
                self.cycles[compute],
            ),
            (
                "memory_balance_cycles",
                "the same, on memory cores",
                CounterUnit::Cycles,
                self.cycles[memory],
            ),
        ]
    }

    fn of_regions(&self) -> [Named; 5] {
        [
            (
                "regions",
                "connected tiles of a type",
                CounterUnit::Events,
                self.regions,
            ),
            (
                "isolated_tiles",
                "isolated tiles that changed sides",
                CounterUnit::Tiles,
                self.swapped,
            ),
            (
                "joined_tiles",
                "tiles of small regions that joined others",
                CounterUnit::Tiles,
                self.joined,
            ),
            (
                "passes",
                "flood fills until no region was small",
                CounterUnit::Events,
                self.passes,
            ),
            (
                "ranking_cycles",
                "ranking and regions, beside the geometry",
                CounterUnit::Cycles,
                self.ranking,
            ),
        ]
    }
}

/// Ranking: three cycles for each of n log2 n comparisons, and two a tile for the partition (section V-C).
fn ranking_cycles(n_tiles: u64) -> u64 {
    (3.0 * comparisons(n_tiles)) as u64 + 2 * n_tiles
}

/// Locality: one cycle a tile for each of the two passes over isolated tiles, and seven for its region in each flood fill
/// (section V-C).
fn locality_cycles(n_tiles: u64, flood_fills: u64) -> u64 {
    (1 + 1 + 7 * flood_fills) * n_tiles
}

/// Bits of a tile in the table (section V-C): fragment-stage cycles, MPKI, affinity; its number comes on top.
const ENTRY_BITS: u64 = 16 + 16 + 1;

/// The table of tiles and the two queues of the flood fill, with numbers just wide enough, and a mark for each tile.
fn memories(counters: &FrameCounters) -> Vec<TechniqueMemory> {
    let n = counters.n_tiles;
    let number_bits = u64::from(n.next_power_of_two().trailing_zeros());
    let is_used = u64::from(counters.ranking > 0);
    let memory = |name, bits: u64, count, accesses: [u64; 2]| TechniqueMemory {
        name,
        kind: MemoryKind::Ram,
        size: Bytes((n * bits).div_ceil(8)),
        count,
        word: Bytes(bits.div_ceil(8)),
        reads: accesses[0] * is_used,
        writes: accesses[1] * is_used,
    };
    let ranked = comparisons(n) as u64;
    // Each flood fill visits each tile: into both queues and out of them, a mark, four neighbours.
    let visits = n * counters.passes;
    vec![
        // Two reads and a write a comparison; the partition and the two passes read and write each tile.
        memory(
            "Tile Table",
            ENTRY_BITS + number_bits,
            1,
            [2 * ranked + 3 * n, ranked + 3 * n],
        ),
        memory("Region Queues", number_bits, 2, [2 * visits, 2 * visits]),
        memory("Visited Tiles", 1, 1, [4 * visits, visits]),
    ]
}
