//! Tile Coalescing to the cycle and by its rules; work tiles; the whole pipeline against the tiled one and against closed
//! formulas.

mod shader_operations;
mod vpo;

use super::coalescer::{Coalescer, TcTile};
use super::counters::ClusterCounters;
use super::order::DrawOrder;
use super::quads::raster_tile;
use super::screen::{Clusters, ScreenMap};
use crate::machine::{ImmediateSpec, MachineSpec, Overlay, Pipeline};
use crate::memory::Traffic;
use crate::raster::RasterUnitCounters;
use crate::{FrameReport, Gpu};
use azulejo_grid::TileGrid;
use azulejo_trace::synthetic::{CoveredScreen, TexelPattern, independent};
use azulejo_trace::{FrameTrace, InstructionClass, Quad};
use azulejo_units::Cycles;

const ALU: InstructionClass = InstructionClass::Alu;

/// Emerald's GPU with changes.
fn machine(changes: &[&str]) -> MachineSpec {
    let overlays: Vec<Overlay> = (["pipeline=immediate"].iter().chain(changes))
        .map(|change| change.parse().expect("KEY=VALUE"))
        .collect();
    MachineSpec::built_in("emerald-gpu", &overlays).expect("a valid machine")
}

fn immediate() -> ImmediateSpec {
    match machine(&[]).pipeline {
        Pipeline::Immediate(spec) => spec,
        Pipeline::Tiled => panic!("it renders immediately"),
    }
}

fn run(spec: &MachineSpec, trace: &FrameTrace) -> FrameReport {
    assert_eq!(trace.validate(), Ok(()), "the frame's facts");
    let mut gpu = Gpu::new(spec).expect("a valid machine");
    let report = gpu.run_frame(trace).expect("no deadlock");
    assert_eq!(report.check(trace), Ok(()), "conservation");
    report
}

fn screen(width: u32, height: u32) -> TileGrid {
    TileGrid {
        width,
        height,
        tile_size: 8,
    }
}

/// Four quads of raster tile `nth` of a TC tile.
const fn quarter(nth: u32) -> u32 {
    0xf << (4 * nth)
}

/// Engines of 4 bins with a time-out of 8 cycles, on a screen of 16 places.
struct Engines(Coalescer);

impl Engines {
    fn new() -> Self {
        let mut coalescer = Coalescer::new(&immediate());
        coalescer.begin_frame(16);
        Self(coalescer)
    }

    fn take(&mut self, place: u32, positions: u32, draw: u32, now: u64) -> bool {
        self.0
            .take(&raster_tile(place, positions, draw), Cycles(now))
    }

    /// TC tiles that have left: place, number there, draw, quads.
    fn left(&mut self) -> Vec<(u32, u32, u32, usize)> {
        let of = |tile: TcTile| (tile.place, tile.nth, tile.draw, tile.quads.len());
        let outputs = self.0.outputs();
        outputs.flat_map(|out| out.drain(..).map(of)).collect()
    }
}

#[test]
fn tc_engine_gives_a_whole_tile_up_in_the_cycle_of_its_last_raster_tile() {
    let mut engines = Engines::new();
    for nth in 0..3 {
        assert!(engines.take(5, quarter(nth), 0, nth.into()), "{nth}");
        assert_eq!(engines.left(), [], "after {nth}");
    }
    assert!(engines.take(5, quarter(3), 0, 3), "the last");
    assert_eq!(engines.left(), [(5, 0, 0, 16)], "16 quads");
    assert!(engines.0.is_idle(), "nothing is left");
    assert_eq!(engines.0.counters.flushed_whole, 1, "by its reason");
}

#[test]
fn tc_engine_times_out_eight_cycles_after_the_last_raster_tile() {
    let mut engines = Engines::new();
    assert!(engines.take(1, quarter(0), 0, 10), "first");
    assert!(engines.take(1, quarter(1), 0, 14), "second");
    assert_eq!(engines.0.next_wake(Cycles(14)), Cycles(22), "14 + 8");
    assert!(!engines.0.time_out(Cycles(21)), "not at t - 1");
    assert!(engines.0.time_out(Cycles(22)), "yes at t");
    assert_eq!(engines.left(), [(1, 0, 0, 8)], "what there was");
    assert_eq!(engines.0.counters.flushed_timeout, 1, "by its reason");
}

#[test]
fn tc_engine_puts_small_primitives_together_and_parts_what_overlaps() {
    let mut engines = Engines::new();
    // Two primitives side by side in one raster tile, then one over the first.
    assert!(engines.take(2, 0b0011, 0, 0), "left");
    assert!(engines.take(2, 0b1100, 0, 1), "right");
    assert!(engines.take(2, 0b0001, 0, 2), "over the first");
    // Behind the overlapping one, though the first bin has this position free as well: order within a place is kept by bins
    // alone.
    assert!(engines.take(2, quarter(1), 0, 3), "elsewhere");
    assert!(engines.0.time_out(Cycles(11)), "time-out");
    assert_eq!(
        engines.left(),
        [(2, 0, 0, 8), (2, 1, 0, 1)],
        "the first bin that nothing stands against"
    );
}

#[test]
fn tc_engine_keeps_draws_apart() {
    let mut engines = Engines::new();
    assert!(engines.take(3, 0b0001, 0, 0), "draw 0");
    assert!(engines.take(3, 0b0010, 1, 1), "draw 1");
    assert!(engines.take(3, 0b0100, 0, 2), "draw 0 again");
    assert!(engines.0.time_out(Cycles(10)), "time-out");
    assert_eq!(
        engines.left(),
        [(3, 0, 0, 2), (3, 1, 1, 1)],
        "one program a warp"
    );
}

#[test]
fn tc_engine_gives_all_bins_up_when_a_raster_tile_finds_none() {
    let mut engines = Engines::new();
    for layer in 0..4 {
        assert!(engines.take(4, 0b0001, 0, layer), "bin {layer}");
        assert_eq!(engines.left(), [], "bin {layer}");
    }
    assert!(engines.take(4, 0b0001, 0, 4), "a fifth layer");
    let left: Vec<_> = (0..4).map(|nth| (4, nth, 0, 1)).collect();
    assert_eq!(engines.left(), left, "oldest first");
    assert_eq!(engines.0.counters.flushed_full, 4, "by its reason");
    assert!(engines.0.time_out(Cycles(12)), "the fifth, 8 cycles later");
    assert_eq!(engines.left(), [(4, 4, 0, 1)], "behind them");
}

#[test]
fn tc_engine_full_and_with_nobody_taking_refuses() {
    let mut engines = Engines::new();
    for layer in 0..8 {
        assert!(engines.take(4, 0b0001, 0, layer), "layer {layer}");
    }
    assert!(!engines.take(4, 0b0001, 0, 8), "four staged, four behind");
    assert_eq!(engines.left().len(), 4, "the cores take the first four");
    assert!(engines.take(4, 0b0001, 0, 9), "and there is room");
}

#[test]
fn tc_engines_are_two_places_at_a_time() {
    let mut engines = Engines::new();
    assert!(engines.take(0, 0b0001, 0, 0), "first engine");
    assert!(engines.take(1, 0b0001, 0, 1), "second engine");
    assert!(!engines.take(2, 0b0001, 0, 2), "none is empty");
    assert!(engines.take(1, 0b0010, 0, 3), "its own place still goes");
    assert!(engines.0.time_out(Cycles(8)), "the first gives up");
    assert!(engines.take(2, 0b0001, 0, 8), "and takes the third place");
    assert_eq!(engines.0.counters.stalled, 1, "one cycle");
}

#[test]
fn tc_engines_count_the_cycles_of_a_wait_however_often_they_are_asked() {
    for asked in [&[2][..], &[2, 3, 7], &[2, 3, 4, 5, 6, 7]] {
        let mut engines = Engines::new();
        assert!(engines.take(0, 0b0001, 0, 0), "first engine");
        assert!(engines.take(1, 0b0001, 0, 1), "second engine");
        for &cycle in asked {
            assert!(!engines.take(2, 0b0001, 0, cycle), "none is empty");
        }
        assert!(engines.0.time_out(Cycles(8)), "the first gives up");
        assert!(engines.take(2, 0b0001, 0, 8), "and takes the third place");
        assert_eq!(engines.0.counters.stalled, 6, "cycles 2 to 7: {asked:?}");
    }
}

#[test]
fn work_tiles_are_dealt_in_turn_row_by_row() {
    let clusters = Clusters {
        n: 6,
        cores_of_each: 1,
    };
    // 10 x 4 TC tiles.
    let map = |work_tile| ScreenMap::new(screen(80, 32), &immediate(), work_tile, clusters);
    let row = |map: &ScreenMap, row: u32| -> Vec<u32> {
        let at = |column: u32| map.place([8 * column, 8 * row]);
        (0..10).map(|column| map.cluster(at(column))).collect()
    };
    assert_eq!(
        row(&map(1), 0),
        [0, 1, 2, 3, 4, 5, 0, 1, 2, 3],
        "one by one"
    );
    assert_eq!(row(&map(1), 1), [4, 5, 0, 1, 2, 3, 4, 5, 0, 1], "goes on");
    let threes = map(3);
    assert_eq!(row(&threes, 2), [0, 0, 0, 1, 1, 1, 2, 2, 2, 3], "3 x 3");
    assert_eq!(row(&threes, 3), [4, 4, 4, 5, 5, 5, 0, 0, 0, 1], "next row");
    assert_eq!(threes.clusters_of_tile(3), 1 << 1, "the tile of column 3");
}

#[test]
fn draw_order_finds_each_quad_once_with_its_texels() {
    let program = independent(InstructionClass::Texture, 2);
    let mut layers = CoveredScreen::new(screen(20, 12), program);
    layers.layers = 3;
    layers.texels = TexelPattern::AlwaysNew;
    let trace = layers.frame(0);
    let order = DrawOrder::new(&trace);
    // A naive walk: for each primitive all tiles, counting texels from the tile's start.
    for primitive in 0..3 {
        let tiles: Vec<u32> = order.tiles(primitive).iter().map(|e| e.tile).collect();
        assert_eq!(tiles, [0, 1, 2, 3, 4, 5], "every tile, row by row");
        for entry in order.tiles(primitive) {
            let tile = &trace.tiles[entry.tile as usize];
            let before: u32 = (tile.primitives.iter())
                .take_while(|other| other.primitive != primitive)
                .map(|other| other.n_quads)
                .sum();
            assert_eq!(entry.quad, before, "its first quad");
            assert_eq!(entry.cursor.count, 2 * before, "two instructions each");
            assert_eq!(entry.cursor.block, 2 * before, "a block each");
        }
        let vertices = u64::from(primitive) * 3 + 3;
        assert_eq!(order.vertices_before(primitive), vertices, "its own three");
        let outputs = order.outputs_of(primitive, 0, 1);
        assert_eq!(outputs, (vertices * 16 - 48, vertices * 16), "a vec4 each");
    }
}

/// Quads rasterised, killed early, shaded, killed late, blended.
fn quads(report: &FrameReport) -> [u64; 5] {
    let sum = |of: fn(&RasterUnitCounters) -> u64| report.raster_units.iter().map(of).sum();
    [
        sum(|unit| unit.quads_rasterised),
        sum(|unit| unit.early_z_killed),
        sum(|unit| unit.quads_shaded),
        sum(|unit| unit.late_killed),
        sum(|unit| unit.quads_blended),
    ]
}

/// Layers of which all but the first are hidden.
fn hidden_layers(n: u32, grid: TileGrid) -> FrameTrace {
    let mut screen = CoveredScreen::new(grid, independent(ALU, 4));
    screen.layers = n;
    screen.state.depth_test = true;
    screen.state.depth_write = true;
    let mut trace = screen.frame(0);
    for tile in &mut trace.tiles {
        let first = tile.primitives[0].n_quads as usize;
        for quad in &mut tile.quads[first..] {
            *quad = Quad::new(quad.column(), quad.row(), quad.covered(), 0).with_behind(true);
        }
    }
    trace
}

#[test]
fn both_pipelines_shade_the_same_quads() {
    let mut blended = CoveredScreen::new(screen(70, 33), independent(InstructionClass::Texture, 2));
    blended.layers = 5;
    blended.texels = TexelPattern::ScreenAligned;
    blended.state.blend = true;
    let mut late = blended.clone();
    (late.state.depth_test, late.state.late_depth) = (true, true);
    let mut hidden_late = hidden_layers(6, screen(70, 33));
    (hidden_late.draws.iter_mut()).for_each(|draw| draw.state.late_depth = true);
    let mut hidden_untested = hidden_layers(6, screen(70, 33));
    (hidden_untested.draws.iter_mut()).for_each(|draw| draw.state.depth_test = false);
    for (trace, what) in [
        (hidden_late, "hidden and tested late"),
        (hidden_untested, "called hidden and not tested"),
        (blended.frame(0), "blended"),
        (late.frame(0), "tested late"),
        (hidden_layers(6, screen(70, 33)), "hidden"),
    ] {
        let tiled = run(&machine(&["pipeline=tiled"]), &trace);
        for hi_z in ["immediate.hi_z=false", "immediate.hi_z=true"] {
            for edge in 1..=4 {
                let work_tile = format!("immediate.work_tile={edge}");
                let report = run(&machine(&[hi_z, &work_tile]), &trace);
                assert_eq!(quads(&report), quads(&tiled), "{what}, {hi_z}, {edge}");
                let textures = |report: &FrameReport| -> u64 {
                    let cores = report.cores.iter();
                    cores.map(|core| core.texture.quad_accesses).sum()
                };
                assert_eq!(textures(&report), textures(&tiled), "{what}: texels");
            }
        }
    }
}

#[test]
fn immediate_machine_has_no_parameter_buffer() {
    let report = run(&machine(&[]), &hidden_layers(3, screen(64, 64)));
    for kind in [Traffic::ParameterRead, Traffic::ParameterWrite] {
        assert_eq!(
            report.l2.reads[kind] + report.l2.writes[kind],
            0,
            "{kind:?}"
        );
    }
    let own = report.immediate.as_ref().expect("renders immediately");
    // Three layers of three vertices with one attribute.
    assert_eq!(own.vertex_output_bytes, 3 * 3 * 16, "outputs");
    assert!(
        report.l2.reads[Traffic::VertexOutput] > 0,
        "set-up reads them"
    );
    assert!(
        report.l2.writes[Traffic::Color] > 0,
        "colours go through caches"
    );
}

#[test]
fn misses_that_join_none_ask_for_a_line_or_begin_one() {
    let trace = hidden_layers(20, screen(96, 96));
    let small = "immediate.depth_cache.size=4KiB";
    // Neighbours in a line come to one core.
    let spec = machine(&["immediate.hi_z=false", "immediate.work_tile=4", small]);
    let report = run(&spec, &trace);
    let own = report.immediate.as_ref().expect("renders immediately");
    let sum = |of: fn(&ClusterCounters) -> u64| -> u64 { own.clusters.iter().map(of).sum() };
    let misses = sum(|cluster| cluster.depth_caches.misses());
    let joined = sum(|cluster| cluster.depth_joined);
    let asked = report.l2.reads[Traffic::Depth];
    assert!(
        joined > 0 && asked > 0,
        "{joined} joined, {asked} asked for"
    );
    // Stretches of a line, a row of eight pixels, that a TC tile finds empty need not be read, once.
    let begun = misses - joined - asked;
    assert!((1..=96 * 96 / 8).contains(&begun), "{begun} begun");
}

#[test]
fn hi_z_leaves_out_what_covered_raster_tiles_hide() {
    let trace = hidden_layers(20, screen(96, 96));
    let killed = |hi_z: &str| {
        let report = run(&machine(&[hi_z]), &trace);
        let own = report.immediate.expect("renders immediately");
        let clusters = own.clusters.iter();
        clusters.fold((0, 0), |sum, cluster| {
            let killed = cluster.front.hi_z_killed;
            (sum.0 + killed, sum.1 + cluster.dead_warps)
        })
    };
    let tiles = 24 * 24;
    let (hidden, dead) = killed("immediate.hi_z=true");
    assert!(
        (tiles..=19 * tiles).contains(&hidden),
        "{hidden} raster tiles"
    );
    let (none, all_dead) = killed("immediate.hi_z=false");
    assert_eq!(none, 0, "switched off");
    // 144 TC tiles of two warps, 19 layers.
    assert_eq!(all_dead, 144 * 2 * 19, "the cores test all of them");
    assert!(dead < all_dead, "{dead}");
}

/// `measured` is at most 5 % above the formula and not below it.
fn assert_close(measured: u64, formula: f64, what: &str) {
    let ratio = measured as f64 / formula;
    assert!(
        (1.0..=1.05).contains(&ratio),
        "{what}: {measured} cycles, formula {formula:.0}, ratio {ratio:.4}"
    );
}

/// 20 layers over as many TC tiles for each cluster; their places have long been shaded when the next layer comes.
fn layers(program: azulejo_trace::Program) -> FrameTrace {
    let mut layers = CoveredScreen::new(screen(384, 384), program);
    layers.layers = 20;
    layers.frame(0)
}

/// TC tiles of each cluster in [`layers`].
const TC_TILES: f64 = 48.0 * 48.0 / 6.0 * 20.0;

#[test]
fn flat_layers_are_bound_by_the_data_cache() {
    // Eight rows of a TC tile lie in eight lines, one a cycle; half a TC tile is a warp.
    let report = run(
        &machine(&["immediate.work_tile=2"]),
        &layers(independent(ALU, 1)),
    );
    assert_close(report.cycles.0, TC_TILES * 8.0, "a line a cycle");
}

#[test]
fn arithmetic_of_an_immediate_machine_is_issue_bound() {
    let report = run(&machine(&[]), &layers(independent(ALU, 100)));
    assert_close(report.cycles.0, TC_TILES * 2.0 * 100.0, "an ALU a core");
}

#[test]
fn hidden_raster_tiles_go_at_the_rate_of_rasterisation() {
    let grid = screen(384, 384);
    let first = run(&machine(&[]), &hidden_layers(1, grid)).cycles;
    let all = run(&machine(&[]), &hidden_layers(41, grid)).cycles;
    let layers = 40.0 * 96.0 * 96.0 / 6.0;
    let ratio = all.since(first).0 as f64 / layers;
    assert!(
        (0.95..=1.05).contains(&ratio),
        "a raster tile a cycle: {ratio}"
    );
}
