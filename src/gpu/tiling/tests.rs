//! The Tiling Engine to the cycle: writes of the Polygon List Builder and primitives from the Tile Fetcher, each with its
//! cycle.
//!
//! The machine's numbers: one access of the tile cache a cycle, data 2 cycles later; lists in blocks of 64 bytes; 48 bytes
//! an attribute.

use super::{BuilderPorts, FetchPorts, PolygonListBuilder, TileFetcher, TileLists};
use crate::elide::{BinningItem, Elider, KeepAll};
use crate::machine::{Dispatch, MachineSpec};
use crate::memory::{LineCache, Source};
use crate::raster::{FifoEntry, RasterUnit};
use crate::schedule::{FrameStart, WatchedScheduler, baseline};
use crate::statistics::Attribution;
use crate::test_support::{Placed, machine, memory, one_tile};
use azulejo_grid::{TileGrid, TileId};
use azulejo_trace::synthetic::{CoveredScreen, independent};
use azulejo_trace::{DrawTrace, FrameTrace, InstructionClass};
use azulejo_units::Cycles;

fn screen(grid: TileGrid, layers: u32) -> CoveredScreen {
    let mut screen = CoveredScreen::new(grid, independent(InstructionClass::Alu, 1));
    screen.layers = layers;
    screen
}

fn tile_cache(spec: &MachineSpec, ideal: bool) -> LineCache {
    let cache = LineCache::new(&spec.tiling.tile_cache, Source(0), ideal).expect("a valid cache");
    cache.with_banks(spec.tiling.tile_cache_banks)
}

/// Keeps everything, but takes a triangle every 10 cycles, and a tile every 4.
#[derive(Debug, Default)]
struct SlowSignature {
    next_primitive: u64,
    next_tile: u64,
}

impl Elider for SlowSignature {
    fn begin_frame(&mut self, _: &FrameTrace, _: u32) {}

    fn ready(&mut self, item: BinningItem, now: Cycles) -> Cycles {
        now.max(Cycles(match item {
            BinningItem::Primitive => self.next_primitive,
            BinningItem::Tile => self.next_tile,
        }))
    }

    fn primitive(&mut self, _: u32, _: &DrawTrace, now: Cycles) {
        self.next_primitive = now.0 + 10;
    }

    fn overlap(&mut self, _: TileId, now: Cycles) {
        self.next_tile = now.0 + 4;
    }
}

/// The cycles in which triangles are taken and list entries are written, of triangles that are all there in cycle 5.
fn build(
    spec: &MachineSpec,
    screen: &CoveredScreen,
    elider: &mut dyn Elider,
) -> (Vec<u64>, Vec<u64>) {
    let placed = Placed::new(spec, screen.frame(0));
    let facts = placed.facts();
    let mut lists = TileLists::new(&placed.trace, &spec.tiling);
    let (mut cache, mut memory) = (tile_cache(spec, false), memory(spec));
    let mut builder = PolygonListBuilder::default();
    (builder.queue).extend((0..screen.layers).map(|primitive| (Cycles(5), primitive)));
    let (mut taken, mut entries) = (Vec::new(), Vec::new());
    for cycle in 0..100 {
        let mut ports = BuilderPorts {
            facts: &facts,
            map: &placed.map,
            lists: &mut lists,
            cache: &mut cache,
            memory: &mut memory,
            elider: &mut *elider,
            ports: spec.tiling.tile_cache_ports,
            entry_bytes: spec.tiling.list_entry_bytes,
        };
        builder.tick(Cycles(cycle), &mut ports);
        let counters = builder.take_counters(Cycles(cycle + 1));
        taken.extend((0..counters.primitives).map(|_| cycle));
        entries.extend((0..counters.entries).map(|_| cycle));
    }
    assert!(builder.is_idle(), "everything is written");
    (taken, entries)
}

#[test]
fn list_builder_writes_a_line_or_an_entry_a_cycle() {
    let mut screen = screen(one_tile(64, 32), 1);
    let (taken, entries) = build(&machine(), &screen, &mut KeepAll);
    assert_eq!(taken, [5], "when it is there");
    assert_eq!(entries, [6, 7], "a line of attributes, then two tiles");
    screen.n_attributes = 3;
    let (_, entries) = build(&machine(), &screen, &mut KeepAll);
    assert_eq!(entries, [8, 9], "144 bytes are three lines");
}

#[test]
fn list_builder_writes_as_often_as_the_cache_has_ports() {
    let mut spec = machine();
    spec.tiling.tile_cache_ports = 2;
    let mut screen = screen(one_tile(64, 32), 1);
    screen.n_attributes = 3;
    let (_, entries) = build(&spec, &screen, &mut KeepAll);
    assert_eq!(entries, [6, 7], "five writes in three cycles");
}

#[test]
fn list_builder_writes_to_each_bank_once_a_cycle() {
    let mut spec = machine();
    spec.tiling.tile_cache_ports = 8;
    let mut screen = screen(one_tile(64, 32), 1);
    screen.n_attributes = 3;
    // Three lines of attributes lie in the banks 0 to 2, the first blocks of both lists in 0 and 1.
    let (_, entries) = build(&spec, &screen, &mut KeepAll);
    assert_eq!(entries, [6, 6], "the attributes have the banks at 5");
    spec.tiling.tile_cache_banks = 2;
    let (_, entries) = build(&spec, &screen, &mut KeepAll);
    assert_eq!(entries, [7, 7], "two lines, one, and both lists");
    spec.tiling.tile_cache_banks = 1;
    let (_, entries) = build(&spec, &screen, &mut KeepAll);
    assert_eq!(entries, [8, 9], "as with one port");
}

#[test]
fn list_builder_takes_the_next_triangle_after_the_last_write() {
    let (taken, entries) = build(&machine(), &screen(one_tile(32, 32), 2), &mut KeepAll);
    // The second one's 48 bytes lie in two lines.
    assert_eq!(taken, [5, 7], "one line and one entry later");
    assert_eq!(entries, [6, 9], "after its lines");
}

#[test]
fn list_builder_waits_for_the_unit_that_makes_it_wait() {
    let mut slow = SlowSignature::default();
    let (taken, entries) = build(&machine(), &screen(one_tile(96, 32), 2), &mut slow);
    assert_eq!(taken, [5, 15], "ten cycles apart");
    assert_eq!(entries, [6, 10, 14, 18, 22, 26], "tiles four cycles apart");
}

/// Blocks come in this cycle, attributes in that; without, all are in the tile cache.
type Fills = Option<(u64, u64)>;

/// The cycles in which primitives are handed to the Raster Unit, which takes one out of its FIFO never.
fn fetch(spec: &MachineSpec, layers: u32, fills: Fills) -> Vec<u64> {
    fetch_for(spec, [1, layers], fills, 0)
}

/// The cycles in which primitives are handed to Raster Units, with a tile for each of so many units and layers; the first
/// unit takes no tile before cycle `free_at`.
fn fetch_for(
    spec: &MachineSpec,
    [n_units, layers]: [u32; 2],
    fills: Fills,
    free_at: u64,
) -> Vec<u64> {
    let placed = Placed::new(spec, screen(one_tile(32 * n_units, 32), layers).frame(0));
    let facts = placed.facts();
    let mut lists = TileLists::new(&placed.trace, &spec.tiling);
    (0..layers).for_each(|_| (0..n_units).for_each(|tile| lists.append(tile)));
    let mut scheduler = WatchedScheduler::new(None, baseline(spec.raster.dispatch));
    scheduler.begin_frame(&FrameStart {
        frame: 0,
        now: Cycles::ZERO,
        grid: placed.trace.grid,
        order: spec.screen.order,
        drawn: 0,
        n_raster_units: n_units as usize,
        previous: None,
    });
    let (mut cache, mut memory) = (tile_cache(spec, fills.is_none()), memory(spec));
    let unit = || RasterUnit::new(&spec.raster);
    let mut units: Vec<_> = (0..n_units).map(|_| unit()).collect();
    if free_at > 0 {
        (0..spec.raster.tiles_in_flight).for_each(|_| units[0].push(FifoEntry::Begin(0)));
    }
    let mut attribution = Attribution::new(n_units as usize, 1);
    let mut fetcher = TileFetcher::new(n_units as usize, &spec.tiling);
    fetcher.begin_frame();
    let (mut handed_over, mut waiters) = (Vec::new(), Vec::new());
    for cycle in 1..100 {
        if let Some((blocks, attributes)) = fills {
            if cycle == blocks {
                cache.fill(placed.map.lists, &mut waiters);
            } else if cycle == attributes {
                cache.fill(placed.map.attributes, &mut waiters);
            }
        }
        if cycle == free_at {
            units[0] = unit();
        }
        for waiter in waiters.drain(..) {
            fetcher.wake(waiter, Cycles(cycle));
        }
        let mut ports = FetchPorts {
            facts: &facts,
            map: &placed.map,
            lists: &lists,
            cache: &mut cache,
            memory: &mut memory,
            units: &mut units,
            scheduler: &mut scheduler,
            elider: &mut KeepAll,
            attribution: &mut attribution,
            frame_start: Cycles::ZERO,
        };
        fetcher.tick(Cycles(cycle), &mut ports);
        let counters = fetcher.take_counters(Cycles(cycle + 1));
        handed_over.extend((0..counters.primitives).map(|_| cycle));
    }
    handed_over
}

#[test]
fn tile_fetcher_reads_the_list_then_the_attributes() {
    let cycles = fetch(&machine(), 1, None);
    assert_eq!(cycles, [5], "block at 1, there at 3; attributes there at 5");
}

#[test]
fn tile_fetcher_asks_for_a_line_a_cycle() {
    // The second and third of 48 bytes lie in two lines each, the fourth in one: requested at 3, 5, 7 and 8.
    let cycles = fetch(&machine(), 4, None);
    assert_eq!(cycles, [5, 7, 9, 10], "each 2 cycles later");
}

#[test]
fn tile_fetcher_runs_so_many_primitives_ahead() {
    let mut spec = machine();
    spec.tiling.fetch_ahead = 1;
    let cycles = fetch(&spec, 4, None);
    // The next is requested when one has been handed over.
    assert_eq!(cycles, [5, 8, 11, 13], "its lines, then 2 cycles");
}

#[test]
fn tile_fetcher_waits_for_list_and_attributes() {
    let cycles = fetch(&machine(), 1, Some((50, 80)));
    assert_eq!(cycles, [80], "in the cycle of the line");
}

#[test]
fn tile_fetcher_hands_over_no_more_than_the_fifo_holds() {
    let mut spec = machine();
    spec.raster.fifo = 2;
    assert_eq!(fetch(&spec, 4, None), [5, 7], "nobody takes them");
}

#[test]
fn tile_fetcher_with_one_context_reads_a_tile_after_the_other() {
    let mut spec = machine();
    let cycles = fetch_for(&spec, [2, 1], None, 0);
    assert_eq!(cycles, [5, 6], "blocks at 1 and 2, attributes at 3 and 4");
    spec.tiling.fetch_contexts = 2;
    assert_eq!(fetch_for(&spec, [2, 1], None, 0), cycles, "one a unit");
    spec.tiling.fetch_contexts = 1;
    let cycles = fetch_for(&spec, [2, 1], None, 0);
    assert_eq!(
        cycles,
        [5, 9],
        "the second block when the first tile is handed over"
    );
}

#[test]
fn tile_fetcher_that_alternates_strictly_waits_for_the_unit_whose_turn_it_is() {
    let mut spec = machine();
    let cycles = fetch_for(&spec, [2, 1], None, 20);
    assert_eq!(cycles, [5, 24], "the second unit does not wait");
    spec.raster.dispatch = Dispatch::StrictAlternating;
    let cycles = fetch_for(&spec, [2, 1], None, 20);
    assert_eq!(cycles, [24, 25], "neither begins at 19, both at 20");
    assert!(fetch_for(&spec, [2, 1], None, 100).is_empty(), "nor ever");
    assert_eq!(fetch_for(&spec, [2, 1], None, 0), [5, 6], "with room");
}
