//! A Raster Unit to the cycle: the events of each stage by cycle, for tiles that are put into the FIFO in cycle 0.
//!
//! The unit's numbers: 4 quads a cycle in every stage, 16 attributes a cycle (a triangle costs 3 to set up, a quad 4 for
//! each of its attributes), early depth test 4, blending 4, one flushed line a cycle, warps to all cores in turn. A warp of
//! one arithmetic instruction that is dispatched in cycle t is through in t + 7 (collecting 2, arithmetic 4, issue a cycle
//! after dispatch).

use super::{FifoEntry, RasterPorts, RasterUnit, RasterUnitCounters};
use crate::elide::KeepAll;
use crate::machine::{MachineSpec, QuadMapping};
use crate::memory::Source;
use crate::shading::{Core, TexturePorts};
use crate::statistics::Attribution;
use crate::test_support::{Placed, machine, memory, one_tile};
use azulejo_grid::TileGrid;
use azulejo_trace::synthetic::{CoveredScreen, TexelPattern, independent};
use azulejo_trace::{BLOCK_BYTES, InstructionClass};
use azulejo_units::Cycles;

/// A unit with its cores, and the tiles of a screen in its FIFO.
struct Bench {
    spec: MachineSpec,
    screen: CoveredScreen,
    n_cores: u16,
    /// In this cycle the line of this texel block comes for all cores; without any, every texel is in the cache.
    texels: Vec<(u64, u64)>,
    /// In this cycle this line of the loaded target comes.
    colors: Vec<(u64, u64)>,
    /// All layers but the first are of a second draw, which tests its depth early.
    tests_early_behind: bool,
}

/// Events of a run: for every kind the cycles with how many there were.
struct Timeline {
    cycles: Vec<(u64, RasterUnitCounters)>,
    /// When each tile's flush was over.
    ends: Vec<u64>,
}

impl Timeline {
    fn of(&self, event: fn(&RasterUnitCounters) -> u64) -> Vec<(u64, u64)> {
        let events = self
            .cycles
            .iter()
            .map(|(at, counters)| (*at, event(counters)));
        events.filter(|(_, n)| *n > 0).collect()
    }

    fn rasterised(&self) -> Vec<(u64, u64)> {
        self.of(|counters| counters.quads_rasterised)
    }

    fn warps(&self) -> Vec<(u64, u64)> {
        self.of(|counters| counters.warps)
    }

    fn blended(&self) -> Vec<(u64, u64)> {
        self.of(|counters| counters.quads_blended)
    }

    fn flushed(&self) -> Vec<(u64, u64)> {
        self.of(|counters| counters.flush_lines)
    }
}

impl Bench {
    /// A screen of one tile, one arithmetic instruction a fragment.
    fn new(width: u32, height: u32) -> Self {
        let program = independent(InstructionClass::Alu, 1);
        let mut spec = machine();
        spec.raster.attributes_per_cycle = 16;
        spec.raster.flush_lines_per_cycle = 1;
        spec.raster.quad_mapping = QuadMapping::RoundRobin;
        Self {
            spec,
            screen: CoveredScreen::new(one_tile(width, height), program),
            n_cores: 8,
            texels: Vec::new(),
            colors: Vec::new(),
            tests_early_behind: false,
        }
    }

    fn run(&self) -> Timeline {
        let mut trace = self.screen.frame(0);
        if self.tests_early_behind {
            let mut second = trace.draws[0].clone();
            second.state.late_depth = false;
            trace.draws.push(second);
        }
        let placed = Placed::new(&self.spec, trace);
        let facts = placed.facts();
        let n_tiles = placed.trace.tiles.len();
        let core = self.spec.raster.core_types[0].core;
        let ideal = self.texels.is_empty();
        let core = |nth| Core::new(&core, Source(nth), ideal).expect("a valid core");
        let mut cores: Vec<Core> = (0..self.n_cores).map(core).collect();
        let mut memory = memory(&self.spec);
        let mut attribution = Attribution::new(n_tiles, 2);
        let mut unit = RasterUnit::new(&self.spec.raster);
        for (id, tile) in (0..).zip(&placed.trace.tiles) {
            unit.push(FifoEntry::Begin(id));
            for (layer, primitive) in tile.primitives.iter().enumerate() {
                let draw = u32::from(self.tests_early_behind && layer > 0);
                unit.push(FifoEntry::Primitive(draw, primitive.n_quads));
            }
            unit.push(FifoEntry::End);
        }
        let mut cycles = Vec::new();
        for cycle in 1..100 {
            for (_, line) in self.colors.iter().filter(|(at, _)| *at == cycle) {
                unit.color_arrived(placed.map.target(0, 1, 0) + line * 64);
            }
            for core in &mut cores {
                for (_, block) in self.texels.iter().filter(|(at, _)| *at == cycle) {
                    let line = facts.texture(0, 0).base + block * BLOCK_BYTES;
                    core.fill(line, false, Cycles(cycle));
                }
                let mut ports = TexturePorts {
                    facts: &facts,
                    memory: &mut memory,
                    attribution: &mut attribution,
                };
                core.tick(Cycles(cycle), &facts.programs, &mut ports);
            }
            let mut ports = RasterPorts {
                facts: &facts,
                map: &placed.map,
                cores: &mut cores,
                memory: &mut memory,
                source: Source(0),
                loads: Source(0),
                attribution: &mut attribution,
                elider: &mut KeepAll,
                frame_start: Cycles::ZERO,
                line_bytes: 64,
                ideal: false,
            };
            unit.tick(Cycles(cycle), &mut ports);
            cycles.push((cycle, unit.take_counters(Cycles(cycle + 1))));
        }
        assert!(unit.is_idle(), "everything is through");
        let ends = attribution.tiles.iter().map(|tile| tile.end.0).collect();
        Timeline { cycles, ends }
    }
}

#[test]
fn raster_unit_moves_quads_through_its_stages() {
    let timeline = Bench::new(16, 2).run();
    assert_eq!(timeline.rasterised(), [(1, 4), (2, 4)], "8 quads");
    assert_eq!(timeline.warps(), [(6, 1), (7, 1)], "after the depth test");
    assert_eq!(timeline.blended(), [(14, 4), (15, 4)], "after their warps");
    assert_eq!(
        timeline.flushed(),
        [(20, 1), (21, 1)],
        "a line a row, when the last quad is in the tile buffer at 19"
    );
    assert_eq!(timeline.ends, [22], "flushed by the end of cycle 21");
}

#[test]
fn rasteriser_pays_for_set_up_and_attributes() {
    let mut bench = Bench::new(16, 2);
    bench.screen.n_attributes = 6;
    let cycles: Vec<u64> = bench.run().rasterised().iter().map(|(at, _)| *at).collect();
    // 18 for the triangle and 24 a quad, at 16 a cycle: a quad may begin as long as anything is left.
    assert_eq!(cycles, [2, 3, 5, 6, 8, 9, 11, 12], "a quad each");
}

#[test]
fn rasteriser_begins_one_triangle_a_cycle() {
    let mut bench = Bench::new(2, 2);
    bench.screen.layers = 4;
    let taken = bench.run().of(|counters| counters.primitives);
    assert_eq!(taken, [(1, 1), (2, 1), (3, 1), (4, 1)], "of one quad each");
}

#[test]
fn raster_fifo_has_room_when_the_rasteriser_has_taken_one() {
    let mut spec = machine();
    spec.raster.fifo = 2;
    let mut unit = RasterUnit::new(&spec.raster);
    unit.push(FifoEntry::Begin(0));
    unit.push(FifoEntry::Primitive(0, 1));
    assert!(unit.has_room(), "one of two: marks take no room");
    unit.push(FifoEntry::Primitive(0, 1));
    assert!(!unit.has_room(), "two of two");
}

#[test]
fn early_z_takes_no_more_than_its_depth() {
    let mut bench = Bench::new(16, 2);
    bench.spec.raster.early_z_in_flight = 2;
    let rasterised = bench.run().rasterised();
    let expected = [(1, 2), (5, 2), (9, 2), (13, 2)];
    assert_eq!(rasterised, expected, "two every 4 cycles");
}

#[test]
fn early_z_waits_for_room_in_the_fragment_queue() {
    let mut bench = Bench::new(32, 2);
    bench.spec.raster.core_types[0].core.warps = 1;
    bench.spec.raster.fragment_queue = 4;
    bench.spec.raster.early_z_in_flight = 4;
    bench.n_cores = 1;
    let timeline = bench.run();
    // A warp leaves its core when its last quad is blended, 8 cycles after dispatch; then the queue takes the next four.
    let expected = [(6, 1), (14, 1), (22, 1), (30, 1)];
    assert_eq!(timeline.warps(), expected, "one at a time");
    // Four in the queue, four in the depth test: the first stay there for 4 cycles, the third until the queue is empty.
    let expected = [(1, 4), (5, 4), (9, 4), (14, 4)];
    assert_eq!(timeline.rasterised(), expected, "behind the queue");
}

#[test]
fn fragment_dispatch_closes_an_incomplete_warp_at_the_end_of_its_tile() {
    let timeline = Bench::new(6, 2).run();
    assert_eq!(timeline.warps(), [(6, 1)], "when its last quad is there");
    assert_eq!(timeline.blended(), [(14, 3)], "three quads");
}

#[test]
fn fragment_dispatch_by_place_fills_a_warp_for_each_core() {
    let mut bench = Bench::new(16, 2);
    // Squares of 4 x 4 pixels, two quads of each on the screen: warps of two cores in turn are full after eight quads.
    bench.spec.raster.quad_mapping = QuadMapping::Interleave4;
    bench.n_cores = 2;
    bench.spec.raster.cores_per_unit = 2;
    // The quads come out of the depth test at 5 and 6: the first and third square are one core's, the second and fourth the
    // other's.
    let warps = bench.run().warps();
    assert_eq!(
        warps,
        [(7, 1), (8, 1)],
        "not before both are full, four quads a cycle"
    );
}

#[test]
fn fragment_dispatch_by_place_closes_warps_of_a_full_queue() {
    let mut bench = Bench::new(32, 2);
    bench.spec.raster.quad_mapping = QuadMapping::Interleave4;
    bench.spec.raster.fragment_queue = 8;
    // Eight cores with two quads each: no warp is ever full, and the queue is after eight quads.
    let timeline = bench.run();
    let warps: u64 = timeline.warps().iter().map(|(_, n)| n).sum();
    assert_eq!(warps, 8, "a warp for each core");
}

#[test]
fn raster_unit_takes_as_many_tiles_as_it_may_hold() {
    let mut spec = machine();
    spec.raster.tiles_in_flight = 2;
    let mut unit = RasterUnit::new(&spec.raster);
    for tile in 0..2 {
        assert!(unit.takes_tile(), "tile {tile}");
        unit.push(FifoEntry::Begin(tile));
        unit.push(FifoEntry::End);
    }
    assert!(!unit.takes_tile(), "empty ones count too");
}

#[test]
fn blend_takes_its_rate_a_cycle() {
    let mut bench = Bench::new(8, 2);
    bench.spec.raster.blend_quads_per_cycle = 1;
    let timeline = bench.run();
    let expected = [(14, 1), (15, 1), (16, 1), (17, 1)];
    assert_eq!(timeline.blended(), expected, "four quads");
    assert_eq!(timeline.flushed()[0].0, 22, "4 cycles for the last, then");
}

#[test]
fn blend_keeps_the_order_of_quads_of_a_place() {
    let mut bench = Bench::new(8, 2);
    bench.screen = CoveredScreen {
        layers: 2,
        texels: TexelPattern::AlwaysNew,
        ..CoveredScreen::new(one_tile(8, 2), independent(InstructionClass::Texture, 1))
    };
    // The first layer's four texels at 60, the second's at 40.
    bench.texels = (0..8)
        .map(|nth| (if nth < 4 { 60 } else { 40 }, nth))
        .collect();
    // Cache 2, filter 8, a cycle for the warp and one to be blended: the second layer is ready at 52, the first at 72.
    assert_eq!(bench.run().blended(), [(72, 4), (73, 4)], "oldest first");
}

#[test]
fn blend_waits_for_the_colors_that_are_loaded() {
    let mut bench = Bench::new(16, 2);
    bench.screen.targets[0].load = true;
    bench.colors = vec![(30, 1), (40, 0)];
    let timeline = bench.run();
    assert_eq!(
        timeline.blended(),
        [(40, 4), (41, 4)],
        "the last line's cycle"
    );
}

/// Two tiles of 16 quads: the second one's quads enter each stage when the first has left it.
fn two_tiles(color_buffers: u32) -> Timeline {
    let mut bench = Bench::new(16, 8);
    bench.screen.grid = TileGrid {
        tile_size: 8,
        ..bench.screen.grid
    };
    bench.spec.raster.color_buffers = color_buffers;
    bench.run()
}

fn each(cycles: std::ops::RangeInclusive<u64>, n: u64) -> Vec<(u64, u64)> {
    cycles.map(|at| (at, n)).collect()
}

#[test]
fn tiles_pass_each_stage_one_after_the_other() {
    let timeline = two_tiles(2);
    let expected = [each(1..=4, 4), each(9..=12, 4)].concat();
    assert_eq!(
        timeline.rasterised(),
        expected,
        "out of the depth test at 8"
    );
    let expected = [each(6..=9, 1), each(17..=20, 1)].concat();
    assert_eq!(timeline.warps(), expected, "the last warp is through at 16");
    let expected = [each(14..=17, 4), each(25..=28, 4)].concat();
    assert_eq!(timeline.blended(), expected, "the other buffer is free");
    let expected = [each(22..=25, 1), each(33..=36, 1)].concat();
    assert_eq!(timeline.flushed(), expected, "8 rows, two a line");
}

#[test]
fn tile_with_the_only_color_buffer_is_flushed_before_the_next_blends() {
    let timeline = two_tiles(1);
    let expected = [each(14..=17, 4), each(25..=28, 4)].concat();
    assert_eq!(timeline.blended(), expected, "the last line leaves at 25");
    assert_eq!(timeline.ends, [Cycles(26).0, Cycles(37).0], "then 33 to 36");
}

/// Nine quads that are tested late: two warps and a quad alone; an early test of its place waits behind eight others, with
/// as many quads behind it as the early depth test holds.
#[test]
fn early_test_that_waits_for_a_late_one_sends_its_warp_off() {
    let mut bench = Bench::new(18, 2);
    bench.screen.state.depth_test = true;
    bench.screen.state.late_depth = true;
    bench.screen.layers = 6;
    bench.tests_early_behind = true;
    let warps: u64 = bench.run().warps().iter().map(|(_, n)| n).sum();
    // 54 quads: 2 and 1 warps for the late ones, 45 quads behind them in warps of four and one of the rest.
    assert_eq!(warps, 3 + 12, "all go");
}
