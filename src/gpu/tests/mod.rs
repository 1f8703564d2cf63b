//! The whole machine against closed formulas: frames with a cost that follows from the machine's numbers alone.

mod branching;
mod buffers;
mod compute;
mod core_types;
mod formats;
mod l2;
mod laws;
mod passes;
mod sharing;

use super::energy::EnergyReport;
use super::machine::{MachineSpec, Overlay};
use super::memory::Traffic;
use super::{FrameReport, Gpu, TechniqueReport};
use azulejo_grid::TileGrid;
use azulejo_trace::synthetic::{CoveredScreen, TexelPattern, chain, independent};
use azulejo_trace::{InstructionClass, Program, TargetInfo};
use azulejo_units::{Cycles, DramCycles, Picojoules};

fn machine(name: &str, changes: &[&str]) -> MachineSpec {
    let overlays: Vec<Overlay> = (changes.iter())
        .map(|change| change.parse().expect("KEY=VALUE"))
        .collect();
    MachineSpec::built_in(name, &overlays).expect("a valid machine")
}

fn run(spec: &MachineSpec, screen: &CoveredScreen) -> FrameReport {
    let trace = screen.frame(0);
    assert_eq!(trace.validate(), Ok(()), "the frame's facts");
    let mut gpu = Gpu::new(spec).expect("a valid machine");
    let report = gpu.run_frame(&trace).expect("no deadlock");
    assert_eq!(report.check(&trace), Ok(()), "conservation");
    report
}

fn grid(width: u32, height: u32, tile_size: u32) -> TileGrid {
    TileGrid {
        width,
        height,
        tile_size,
    }
}

/// Layers over one large tile that stays on the chip, so that neither barriers between tiles nor the flush are part of the
/// cost.
fn layers(n: u32, program: Program) -> CoveredScreen {
    let mut screen = CoveredScreen::new(grid(128, 128, 128), program);
    screen.layers = n;
    screen.targets[0].store = false;
    screen
}

/// Warps of 16 threads in a layer of [`layers`].
const WARPS: f64 = 32.0 * 32.0;

/// `measured` is at most 1 % above the formula and not below it.
fn assert_close(measured: u64, formula: f64, what: &str) {
    let ratio = measured as f64 / formula;
    assert!(
        (0.9999..=1.01).contains(&ratio),
        "{what}: {measured} cycles, formula {formula:.0}, ratio {ratio:.4}"
    );
}

const ALU: InstructionClass = InstructionClass::Alu;

#[test]
fn flat_layers_are_fill_bound() {
    for (name, quads_per_cycle) in [("mali450-re", 1.0), ("valhall-libra-baseline", 4.0)] {
        let screen = layers(40, independent(ALU, 1));
        let report = run(&machine(name, &[]), &screen);
        let quads = 64.0 * 64.0 * 40.0;
        assert_close(report.raster_cycles.0, quads / quads_per_cycle, name);
    }
}

#[test]
fn interpolation_bounds_the_rasteriser() {
    let mut screen = layers(20, independent(ALU, 1));
    screen.n_attributes = 6;
    let report = run(&machine("valhall-libra-baseline", &[]), &screen);
    // 4 fragments x 6 attributes a quad, 64 a cycle.
    let formula = 64.0 * 64.0 * 20.0 * 24.0 / 64.0;
    assert_close(report.raster_cycles.0, formula, "attributes");
}

#[test]
fn independent_operations_are_issue_bound() {
    let screen = layers(10, independent(ALU, 200));
    let report = run(&machine("valhall-libra-baseline", &[]), &screen);
    let warps = WARPS * 10.0;
    assert_close(
        report.raster_cycles.0,
        warps * 200.0 / 4.0 / 8.0,
        "k / width a warp",
    );
}

#[test]
fn narrow_arithmetic_bounds_a_wide_issue() {
    let screen = layers(10, independent(ALU, 200));
    let report = run(
        &machine("valhall-libra-baseline", &["core.baseline.alus=2"]),
        &screen,
    );
    let warps = WARPS * 10.0;
    assert_close(
        report.raster_cycles.0,
        warps * 200.0 / 2.0 / 8.0,
        "k / ALUs a warp",
    );
}

#[test]
fn special_functions_run_at_their_rate() {
    let program = independent(InstructionClass::Transcendental, 50);
    let screen = layers(10, program);
    let report = run(&machine("valhall-libra-baseline", &[]), &screen);
    let warps = WARPS * 10.0;
    assert_close(
        report.raster_cycles.0,
        warps * 50.0 * 4.0 / 4.0 / 8.0,
        "a quarter of the rate",
    );
}

#[test]
fn dependent_chain_is_latency_bound_with_one_warp() {
    let screen = layers(4, chain(ALU, 400));
    let spec = machine("valhall-libra-baseline", &["core.baseline.warps=1"]);
    let report = run(&spec, &screen);
    // Collecting 2, arithmetic 4.
    let warps = WARPS * 4.0;
    assert_close(
        report.raster_cycles.0,
        warps * 400.0 * 6.0 / 8.0,
        "k x latency",
    );
}

/// A core has as many warps resident as it has slots, and each waits for its own results alone.
#[test]
fn slots_share_the_latency_of_a_chain() {
    let screen = layers(4, chain(ALU, 400));
    for slots in [2, 4, 16] {
        let slots_of_core = format!("core.baseline.warps={slots}");
        let spec = machine("valhall-libra-baseline", &[&slots_of_core]);
        let report = run(&spec, &screen);
        let waits = WARPS * 4.0 * 400.0 * 6.0;
        let formula = waits / 8.0 / f64::from(slots);
        assert_close(report.raster_cycles.0, formula, &slots_of_core);
    }
}

#[test]
fn warp_cycles_of_a_chain_are_its_latency() {
    let screen = layers(4, chain(ALU, 400));
    let spec = machine("valhall-libra-baseline", &["core.baseline.warps=1"]);
    let report = run(&spec, &screen);
    let of_tile = report.tiles[0].cost.warp_cycles.0;
    assert_close(of_tile, WARPS * 4.0 * 400.0 * 6.0, "k x latency, each warp");
    let of_draws: u64 = report
        .draws
        .iter()
        .map(|draw| draw.cost.warp_cycles.0)
        .sum();
    assert!(of_draws > of_tile, "vertices have no tile");
}

#[test]
fn dependent_chain_is_hidden_by_many_warps() {
    let screen = layers(30, chain(ALU, 200));
    let report = run(&machine("valhall-libra-baseline", &[]), &screen);
    let warps = WARPS * 30.0;
    assert_close(
        report.raster_cycles.0,
        warps * 200.0 / 4.0 / 8.0,
        "k / width a warp",
    );
}

#[test]
fn texture_hits_run_at_the_filter_rate() {
    let screen = layers(10, independent(InstructionClass::Texture, 8));
    let report = run(&machine("valhall-libra-baseline", &[]), &screen);
    // Two cycles a quad over two pipelines, 8 cores.
    let quads = 64.0 * 64.0 * 10.0;
    assert_close(
        report.raster_cycles.0,
        quads * 8.0 * 2.0 / 2.0 / 8.0,
        "texels a clock",
    );
}

#[test]
fn texture_stream_that_always_misses_is_bandwidth_bound() {
    let mut screen = layers(32, independent(InstructionClass::Texture, 1));
    screen.texels = TexelPattern::AlwaysNew;
    let spec = machine("valhall-libra-baseline", &[]);
    let report = run(&spec, &screen);
    let lines = 64 * 64 * 32;
    assert_eq!(report.dram.reads[Traffic::Texture], lines, "each line once");
    // Bytes at the peak of both channels, less the time of refreshes.
    let timing = &spec.dram.timing;
    let refresh = timing.t_rfc.0 as f64 / timing.t_refi.0 as f64;
    let peak = 2.0 * spec.dram.peak_gbps_per_channel() * (1.0 - refresh);
    let cycles = (lines * 64) as f64 / peak * 0.8;
    assert_close(report.raster_cycles.0, cycles, "peak less refresh");
}

#[test]
fn color_flush_writes_every_pixel_once() {
    for (width, height, tile) in [(1920, 1080, 32), (1196, 768, 16), (70, 33, 8), (1, 1, 128)] {
        let screen = CoveredScreen::new(grid(width, height, tile), independent(ALU, 2));
        let report = run(&machine("valhall-libra", &[]), &screen);
        let bytes: u64 = report
            .raster_units
            .iter()
            .map(|unit| unit.flush_bytes)
            .sum();
        assert_eq!(
            bytes,
            u64::from(width) * u64::from(height) * 4,
            "{width}x{height} in {tile}"
        );
    }
}

/// Four 32-bit targets at Full HD and 60 pictures a second that stay in tile memory save up to 4 GB/s (Arm, tile-based
/// rendering).
#[test]
fn g_buffer_that_leaves_the_chip_costs_four_gigabytes_a_second() {
    let mut screen = CoveredScreen::new(grid(1920, 1080, 32), independent(ALU, 2));
    screen.targets = vec![
        TargetInfo {
            load: true,
            ..TargetInfo::default()
        };
        4
    ];
    let report = run(&machine("valhall-libra-baseline", &[]), &screen);
    let moved = (report.raster_units.iter())
        .map(|unit| unit.flush_bytes + unit.load_bytes)
        .sum::<u64>();
    assert_eq!(moved * 60, 3_981_312_000, "3.98 GB/s");
    let lines = report.dram.reads[Traffic::ColorLoad] + report.dram.writes[Traffic::ColorFlush];
    assert_eq!(lines * 64, moved, "whole lines at this width");
}

#[test]
fn ideal_memory_leaves_no_reads() {
    let program = independent(InstructionClass::Texture, 4);
    let mut screen = CoveredScreen::new(grid(256, 256, 32), program);
    screen.texels = TexelPattern::AlwaysNew;
    let real = run(&machine("valhall-libra-baseline", &[]), &screen);
    let ideal = run(
        &machine("valhall-libra-baseline", &["ideal_memory=true"]),
        &screen,
    );
    assert_eq!(ideal.dram.reads.total(), 0, "all accesses hit");
    assert!(ideal.cycles < real.cycles, "and nothing waits");
    assert_eq!(ideal.texture_hit_ratio(), Some(1.0), "every texel");
}

#[test]
fn ideal_unit_leaves_the_memory_to_the_others() {
    let program = independent(InstructionClass::Texture, 4);
    let mut screen = CoveredScreen::new(grid(64, 64, 16), program);
    screen.texels = TexelPattern::AlwaysNew;
    // 46 KiB of attributes: more than the tile cache holds.
    (screen.layers, screen.n_attributes) = (60, 16);
    // Lines that leave the first level or go around it, by kind.
    let moved = |changes: &[&str]| {
        let report = run(&machine("valhall-libra-baseline", changes), &screen);
        let (l2, dram) = (&report.l2, &report.dram);
        Traffic::ALL.map(|(kind, _)| match kind {
            Traffic::ColorLoad | Traffic::ColorFlush => dram.reads[kind] + dram.writes[kind],
            _ => l2.reads[kind] + l2.writes[kind],
        })
    };
    let all = moved(&[]);
    for (unit, its_own) in [
        ("vertex_cache", &[Traffic::Command, Traffic::Vertex][..]),
        (
            "tile_cache",
            &[Traffic::ParameterRead, Traffic::ParameterWrite],
        ),
        ("texture_caches", &[Traffic::Texture]),
        ("colors", &[Traffic::ColorFlush]),
    ] {
        let left = moved(&[&format!("ideal.{unit}=true")]);
        for (kind, name) in Traffic::ALL {
            let at = kind as usize;
            let expected = if its_own.contains(&kind) { 0 } else { all[at] };
            assert_eq!(left[at], expected, "ideal {unit}: {name}");
        }
        let something = its_own.iter().any(|kind| all[*kind as usize] > 0);
        assert!(something, "{unit}: had traffic to lose");
    }
}

#[test]
fn machine_runs_the_same_twice() {
    let program = independent(InstructionClass::Texture, 3);
    let mut screen = CoveredScreen::new(grid(300, 200, 16), program);
    screen.layers = 3;
    screen.texels = TexelPattern::AlwaysNew;
    for machine_name in super::machine::BUILT_IN {
        let spec = machine(machine_name.name, &[]);
        let first = run(&spec, &screen);
        assert_eq!(first, run(&spec, &screen), "{}", machine_name.name);
    }
}

#[test]
fn barriers_between_tiles_are_what_two_raster_units_hide() {
    let screen = CoveredScreen::new(grid(512, 512, 32), chain(ALU, 60));
    let one = run(&machine("valhall-libra-baseline", &[]), &screen);
    let two = run(&machine("valhall-libra", &[]), &screen);
    assert!(
        two.raster_cycles < one.raster_cycles,
        "8 cores in one unit {}, in two {}",
        one.raster_cycles,
        two.raster_cycles
    );
}

#[test]
fn state_lives_from_frame_to_frame() {
    let program = independent(InstructionClass::Texture, 1);
    let mut screen = CoveredScreen::new(grid(256, 256, 32), program);
    screen.texels = TexelPattern::AlwaysNew;
    let spec = machine("valhall-libra-baseline", &[]);
    let mut gpu = Gpu::new(&spec).expect("a valid machine");
    let mut reads = Vec::new();
    for frame in 0..3 {
        let report = gpu.run_frame(&screen.frame(frame)).expect("no deadlock");
        reads.push(report.dram.reads[Traffic::Texture]);
    }
    assert_eq!(
        reads,
        [128 * 128, 0, 0],
        "1 MiB of texels stays in the L2 of 2 MiB"
    );
}

#[test]
fn warp_of_late_tested_quads_need_not_be_full_at_the_end_of_a_tile() {
    // Tiles of 16, 12, 9 and 12 quads in this order: one quad of the third tile is left over, and the fourth's wait for its
    // late test.
    let mut screen = CoveredScreen::new(grid(14, 14, 8), independent(ALU, 4));
    screen.state.depth_test = true;
    screen.state.late_depth = true;
    let changes = ["screen.tile_order=s-order"];
    let report = run(&machine("valhall-libra-baseline", &changes), &screen);
    assert_eq!(report.raster_units[0].tiles, 4, "no deadlock");
    assert_eq!(report.raster_units[0].late_z_tested, 49, "every quad");
}

#[test]
fn units_of_geometry_rest_while_tiles_are_drawn() {
    let screen = layers(10, independent(ALU, 50));
    let report = run(&machine("valhall-libra-baseline", &[]), &screen);
    let geometry = &report.geometry;
    for activity in [
        geometry.command.activity,
        geometry.vertices.activity,
        geometry.assembly.activity,
        report.list_builder.activity,
    ] {
        let awake = activity.busy + activity.stalled;
        assert!(awake <= report.geometry_cycles, "{activity:?}");
    }
}

fn energy(report: &mut FrameReport) -> &mut EnergyReport {
    report.energy.as_mut().expect("the machine says how much")
}

/// Changes a report so that it breaks a law.
type Change = fn(&mut FrameReport);

#[test]
fn conservation_is_seen_to_break() {
    let screen = layers(2, independent(ALU, 4));
    let report = run(&machine("valhall-libra-baseline", &[]), &screen);
    let breaks: [(&str, Change); 18] = [
        ("tiles drawn", |report| report.raster_units[0].tiles += 1),
        ("triangles set up", |report| {
            report.raster_units[0].primitives += 1;
        }),
        ("attributes set up", |report| {
            report.raster_units[0].attributes_set_up += 1;
        }),
        ("quads shaded", |report| {
            report.raster_units[0].quads_shaded -= 1;
        }),
        ("bytes flushed", |report| {
            report.raster_units[0].flush_bytes += 4;
        }),
        ("texture accesses = hits + misses", |report| {
            report.cores[0].texture.accesses += 1;
        }),
        ("cycles of a core", |report| {
            report.cores[0].activity.idle += Cycles(1);
        }),
        ("instructions by draw", |report| {
            report.cores[0].instructions += 1;
        }),
        ("instructions of threads by draw", |report| {
            report.draws[0].cost.thread_instructions += 1;
        }),
        ("special functions by draw", |report| {
            report.draws[0].cost.transcendental_threads += 1;
        }),
        ("texture samples by draw", |report| {
            report.draws[0].cost.texture_threads += 1;
        }),
        ("energy of programs by draw", |report| {
            energy(report).events.instruction += Picojoules(1.0);
        }),
        ("warps by draw", |report| report.cores[0].warps += 1),
        ("energy of parts", |report| {
            energy(report).parts[3].dynamic += Picojoules(1.0);
        }),
        ("energies below zero", |report| {
            energy(report).parts[0].leakage = Picojoules(-1.0);
        }),
        ("cycles of a DRAM rank", |report| {
            report.dram.channels[0].rank_idle[0] += DramCycles(1);
        }),
        ("energy of the DRAM", |report| report.dram.energy.act += 1.0),
        ("techniques charged", |report| {
            report.techniques.push(TechniqueReport::default());
        }),
    ];
    for (law, change) in breaks {
        let mut broken = report.clone();
        change(&mut broken);
        let error = broken.check(&screen.frame(0)).expect_err("a broken law");
        assert_eq!(error.law, law, "{error}");
    }
}
