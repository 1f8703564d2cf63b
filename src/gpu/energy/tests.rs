//! Every part against a number worked out by hand: a machine with round energies, a frame with given counters, and the
//! arithmetic beside each number. The frame takes 800 cycles at 800 MHz, so that a milliwatt is 1000 pJ.

use crate::cache::CacheCounters;
use crate::energy::{EnergyPart, EnergyReport, EnergySpec};
use crate::geometry::GeometryCounters;
use crate::machine::{MachineSpec, Overlay};
use crate::memory::{Traffic, TrafficCounts};
use crate::raster::RasterUnitCounters;
use crate::shading::{CoreCounters, TextureCounters};
use crate::statistics::CostCounters;
use crate::{FrameReport, Gpu, L2Report, MemoryKind, TechniqueMemory, TechniqueReport};
use azulejo_grid::TileGrid;
use azulejo_trace::InstructionClass;
use azulejo_trace::synthetic::{CoveredScreen, independent};
use azulejo_units::{Bytes, Cycles};

/// One array of each kind, of which all others follow: energy goes with the square root of the size, leakage with the size.
/// All figures hold for 22 nm and 1 V, and so does the machine.
const ROUND: [&str; 42] = [
    "energy.voltage_V=1.0",
    "energy.array_voltage_V=1.0",
    "energy.cache=[{size_KiB=4, read_pJ=40, write_pJ=20, leakage_mW=2, area_mm2=0.01}]",
    "energy.sequential=[{size_KiB=2048, read_pJ=100, write_pJ=50, leakage_mW=30, area_mm2=2}]",
    "energy.ram=[{size_KiB=4, read_pJ=64, write_pJ=32, leakage_mW=1, area_mm2=0.01}]",
    "energy.rom.leakage_of_ram=0.5",
    "energy.instruction_cache=4KiB",
    "energy.operation.node_nm=22",
    "energy.operation.voltage_V=1.0",
    "energy.operation.alu_pJ=5",
    "energy.operation.alu_um2=1000",
    "energy.operation.transcendental_pJ=20",
    "energy.operation.add_pJ=1",
    "energy.operation.add_um2=500",
    "energy.operation.int_add_pJ=0.5",
    "energy.operation.int_add_um2=100",
    "energy.operation.half_multiply_pJ=2",
    "energy.operation.half_multiply_um2=200",
    "energy.operation.half_add_pJ=1",
    "energy.operation.half_add_um2=100",
    "energy.operation.fetch_pJ=10",
    "energy.operation.control_pJ=30",
    "energy.logic.arithmetic_mW_per_mm2=10",
    "energy.logic.control_mW_per_mm2=20",
    "energy.logic.control_mm2=0.1",
    "energy.logic.command_mm2=0.05",
    "energy.queue.vertex_bytes=64",
    "energy.queue.primitive_bytes=256",
    "energy.queue.quad_bytes=16",
    "energy.request.bytes=8",
    "energy.request.register_bytes=32",
    "energy.wire.voltage_V=1.0",
    "energy.wire.transition_fJ_per_mm=200",
    "energy.interface.phy_pJ_per_bit=1",
    "energy.interface.phy_mW=10",
    "energy.interface.driver_pF=2",
    "energy.interface.load_pF=4",
    "energy.interface.supply_V=1",
    "energy.interface.swing_V=0.5",
    "energy.interface.termination_ohm=50",
    "tiling.tile_cache.size=16KiB",
    "core.baseline.texture_cache.size=16KiB",
];

fn machine(name: &str, changes: &[&str]) -> MachineSpec {
    let overlays: Vec<Overlay> = (changes.iter())
        .map(|change| change.parse().expect("KEY=VALUE"))
        .collect();
    MachineSpec::built_in(name, &overlays).expect("a valid machine")
}

/// A frame of `machine` in which nothing happened but that 800 cycles went by.
fn idle_frame(machine: &MachineSpec) -> FrameReport {
    let grid = TileGrid {
        width: 32,
        height: 32,
        tile_size: 32,
    };
    let screen = CoveredScreen::new(grid, independent(InstructionClass::Alu, 1));
    let mut gpu = Gpu::new(machine).expect("a valid machine");
    let mut report = gpu.run_frame(&screen.frame(0)).expect("no deadlock");
    report.cycles = Cycles(800);
    report.geometry = GeometryCounters::default();
    report.tile_cache = CacheCounters::default();
    report.l2 = L2Report::default();
    (report.dram.reads, report.dram.writes) = (TrafficCounts::default(), TrafficCounts::default());
    report.dram.column_commands = 0;
    report.raster_units.fill(RasterUnitCounters::default());
    report.cores.fill(CoreCounters::default());
    report
}

/// Lines of 64 bytes go over the pins.
fn move_lines(report: &mut FrameReport, n: u64) {
    report.dram.column_commands = n * 64 / report.dram.burst_bytes.0;
}

fn energy(machine: &MachineSpec, report: &FrameReport) -> EnergyReport {
    let energies: &EnergySpec = machine.energy.as_ref().expect("a technology");
    energies.of_frame(machine, report)
}

fn assert_part(part: &EnergyPart, dynamic: f64, leakage: f64) {
    let close = |measured: f64, by_hand: f64| (measured - by_hand).abs() <= by_hand.abs() * 1e-9;
    assert!(
        close(part.dynamic.0, dynamic) && close(part.leakage.0, leakage),
        "{part:?}: by hand {dynamic} and {leakage}"
    );
}

/// The part `name` of a frame of LIBRA's baseline with round energies.
fn part_of(name: &str, happened: impl Fn(&mut FrameReport)) -> EnergyPart {
    let machine = machine("valhall-libra-baseline", &ROUND);
    let mut report = idle_frame(&machine);
    happened(&mut report);
    *energy(&machine, &report).part(name).expect("a part")
}

#[test]
fn vertex_cache_by_hand() {
    let part = part_of("vertex cache", |report| {
        let cache = &mut report.geometry.vertex_cache;
        (cache.read_hits, cache.read_misses, cache.dirty_writebacks) = (5, 3, 2);
        (cache.write_hits, cache.write_misses) = (1, 2);
    });
    // 4 KiB: (5 + 3 + 2) reads x 40 + (1 + 2) writes and 3 fills x 20; 2 mW.
    assert_part(&part, 520.0, 2000.0);
}

#[test]
fn tile_cache_by_hand() {
    let part = part_of("tile cache", |report| {
        (report.tile_cache.read_hits, report.tile_cache.write_hits) = (1, 2);
    });
    // 16 KiB, four times the table's: 1 read x 80 + 2 writes x 40; 8 mW.
    assert_part(&part, 160.0, 8000.0);
}

#[test]
fn l2_by_hand() {
    let part = part_of("L2", |report| {
        report.l2.reads[Traffic::Texture] = 4;
        report.l2.read_misses[Traffic::Texture] = 2;
        report.l2.writes[Traffic::ParameterWrite] = 1;
        report.l2.writebacks = 1;
    });
    // (4 + 1 written back) x 100 + (2 fills + 1) x 50; 30 mW.
    assert_part(&part, 650.0, 30_000.0);
}

/// 10 quads tested early, 4 killed; 3 tested late, 1 killed, 9 through the blend stage; 2 lines flushed.
fn raster_events(report: &mut FrameReport) {
    let unit = &mut report.raster_units[0];
    (unit.early_z_tested, unit.early_z_killed) = (10, 4);
    (unit.late_z_tested, unit.late_killed) = (3, 1);
    (unit.quads_blended, unit.flush_lines) = (9, 2);
}

#[test]
fn tile_buffers_by_hand() {
    let part = part_of("tile buffers", raster_events);
    // Depth: 13 reads, 6 + 2 writes; colour of 8 quads read and written: (21 x 64 + 16 x 32) x a quarter line; 2 lines x
    // 64.
    // 4 KiB: 1 mW, two colour buffers and one of depth.
    assert_part(&part, 464.0 + 128.0, 3000.0);
}

#[test]
fn queues_by_hand() {
    let part = part_of("queues", |report| {
        report.geometry.vertices.vertices = 5;
        report.geometry.assembly.primitives_out = 3;
        report.raster_units[0].primitives = 2;
        report.raster_units[0].quads_shaded = 8;
    });
    // Written and read, in 4 KiB 64 + 32 = 96 pJ a line: 64 vertices of 64 B, twice: 5 x 2 x 96; 16 triangles of 256 B,
    // before the lists and behind them: (3 + 2) x 4 x 96; 64 quads of 16 B in 1 KiB, half the energy: 8 x 48 / 4. 2 + 1 + 1
    // + 1/4 mW.
    assert_part(&part, 960.0 + 1920.0 + 96.0, 4250.0);
}

#[test]
fn miss_registers_by_hand() {
    let part = part_of("miss registers", |report| {
        report.geometry.vertex_cache.read_misses = 2;
        report.tile_cache.write_misses = 3;
        report.l2.read_misses[Traffic::Vertex] = 4;
        (
            report.cores[1].texture.misses,
            report.cores[2].texture.pending_hits,
        ) = (5, 1);
    });
    // Registers of 32 B, an addition for each to compare with, and half a line written and read: 32 in 1 KiB 32 x 0.5 + 48
    // / 2 = 40, 16 in 512 B 8 + 48 / 2 / sqrt(2), 64 in 2 KiB 32 + 48 / sqrt(2), 128 in 4 KiB 64 + 48.
    let root = 2.0_f64.sqrt();
    let events = 2.0 * 40.0 + 3.0 * (8.0 + 24.0 / root) + 4.0 * (32.0 + 48.0 / root) + 6.0 * 112.0;
    // 0.25 + 0.125 + 4 banks x 0.5 + 8 cores x 1 mW.
    assert_part(&part, events, 10_375.0);
}

#[test]
fn request_queues_by_hand() {
    let part = part_of("request queues", |report| {
        report.l2.reads[Traffic::Texture] = 16;
        report.l2.writes[Traffic::ParameterWrite] = 8;
        report.dram.reads[Traffic::Texture] = 8;
        report.dram.writes[Traffic::ColorFlush] = 4;
    });
    // Eight of 72 B in front of a bank, and a channel's 32 of 8 B and 32 of 72 B; 96 pJ for 64 B in 4 KiB, by the root of
    // the size.
    // The first hold 16 x 8 + 8 x 72 B = 11 lines, then 8 x 8 B = 1 line, 4 x 72 B = 4.5 lines.
    let events = [(576.0, 11.0), (256.0, 1.0), (2304.0, 4.5)];
    let dynamic = events.map(|(size, lines): (f64, f64)| 96.0 * (size / 4096.0).sqrt() * lines);
    // 4 banks x 0.140625, 2 channels x (0.0625 + 0.5625) mW.
    assert_part(&part, dynamic.iter().sum(), 562.5 + 1250.0);
}

#[test]
fn wires_by_hand() {
    let part = part_of("wires", |report| {
        report.l2.reads[Traffic::Texture] = 5;
        report.l2.writes[Traffic::ParameterWrite] = 3;
        report.dram.writes[Traffic::ColorFlush] = 2;
        report.dram.reads[Traffic::Texture] = 100;
    });
    // A core: 80 lanes x 1000 um2, 8 banks of 16 KiB of 0.04 mm2, control 0.1 + 0.01, texture cache 0.04: 0.55 mm2. With
    // the L2 6.4 mm2.
    // Ten lines with requests are 5760 bits, each half a transition of 0.2 pJ over half the edge of the square.
    assert_part(&part, 5760.0 * 0.1 * 6.4_f64.sqrt() / 2.0, 0.0);
}

#[test]
fn memory_interface_by_hand() {
    let part = part_of("memory interface", |report| {
        move_lines(report, 5);
    });
    // 2560 bits x (1 + 3/8 x 1 V x (2 x 1 + 4 x 0.5) + 5/8 x 1 V x 0.5 V / 50 ohm x 415 ps); two channels of 10 mW.
    assert_part(&part, 2560.0 * (1.0 + 1.5 + 2.593_75), 20_000.0);
}

#[test]
fn memory_interface_without_termination_draws_no_current() {
    let changes: Vec<_> = (ROUND.iter().copied())
        .chain(["energy.interface.termination_ohm=0"])
        .collect();
    let machine = machine("valhall-libra-baseline", &changes);
    let mut report = idle_frame(&machine);
    move_lines(&mut report, 1);
    let energy = energy(&machine, &report);
    let part = energy.part("memory interface").expect("a part");
    assert_part(part, 512.0 * 2.5, 20_000.0);
}

#[test]
fn command_processor_by_hand() {
    let part = part_of("command processor", |report| {
        report.geometry.command.draws = 3;
    });
    // 3 x 100 instructions x (10 + 30 + 0.5). 0.05 mm2 x 20 mW + 2 mW of the instruction cache.
    assert_part(&part, 12_150.0, 3000.0);
}

#[test]
fn triangle_set_up_by_hand() {
    let part = part_of("triangle setup", |report| {
        report.geometry.vertices.vertices = 6;
        report.geometry.assembly.primitives_in = 4;
        let unit = &mut report.raster_units[0];
        (unit.primitives, unit.attributes_set_up) = (3, 9);
    });
    // A vertex: 20 + 6 x 5 + 6 x 1; a primitive: 4 x 1 + 2 x 5; a triangle: 20 + 6 x (1 + 5) and its depth 6 x 5 + 2 x 1;
    // an attribute: four of these.
    let events = 6.0 * 56.0 + 4.0 * 14.0 + 3.0 * 88.0 + 9.0 * 128.0;
    // A vertex a cycle: 4 + 6 lanes and 6 x 500 um2; a primitive: 2 lanes and 4 x 500; a triangle: 4 + 6 + 6 lanes and 8 x
    // 500. 37,000 um2.
    assert_part(&part, events, 370.0);
}

#[test]
fn interpolation_by_hand() {
    let part = part_of("interpolation", |report| {
        report.raster_units[0].attributes_interpolated = 7;
    });
    // 7 x 4 components x 2 multiply-adds x 5. 64 attributes a cycle x 8 x 1000 um2 = 0.512 mm2 x 10 mW.
    assert_part(&part, 280.0, 5120.0);
}

#[test]
fn rasterisers_by_hand() {
    let part = part_of("rasterisers", |report| {
        report.raster_units[0].quads_rasterised = 10;
    });
    // 10 quads x 4 fragments x (3 edges x 0.5 + 2 multiply-adds x 5). 4 quads a cycle x 4 x (300 + 2000) um2 = 0.0368 mm2 x
    // 10 mW.
    assert_part(&part, 460.0, 368.0);
}

#[test]
fn depth_and_blend_by_hand() {
    let part = part_of("depth and blend", raster_events);
    // 13 tests x 4 fragments x 1; 8 quads x 16 components x (2 x 2 + 1). 4 x 4 x 500 + 4 x 16 x (400 + 100) um2 = 0.04 mm2
    // x 10 mW.
    assert_part(&part, 52.0 + 640.0, 400.0);
}

/// 100 instructions of full warps, among them 12.5 warps' special functions and 25 warps' samples.
fn core_events(report: &mut FrameReport) {
    let core = &mut report.cores[0];
    (core.instructions, core.thread_instructions) = (100, 1600);
    (core.transcendental_threads, core.texture_threads) = (200, 400);
}

#[test]
fn instructions_by_hand() {
    let part = part_of("instructions", core_events);
    // 100 x (10 + 30), whatever the warp's width. 8 cores x (0.1 mm2 x 20 mW + 2 mW of the instruction cache).
    assert_part(&part, 4000.0, 32_000.0);
}

#[test]
fn arithmetic_by_hand() {
    let part = part_of("arithmetic", core_events);
    // (1600 - 200 - 400) x 5 + 200 x 20. 8 cores x (64 lanes + 16 of special functions) x 1000 um2 = 0.64 mm2 x 10 mW.
    assert_part(&part, 9000.0, 6400.0);
}

#[test]
fn registers_by_hand() {
    let part = part_of("registers", core_events);
    // 1600 x 4 B = 100 lines; banks of 16 KiB: (3 x 128 + 64). 64 x 16 threads x 128 B are 8 banks x 4 mW, in 8 cores.
    assert_part(&part, 44_800.0, 256_000.0);
}

#[test]
fn operand_collectors_by_hand() {
    let part = part_of("operand collectors", core_events);
    // 12 x 3 x 64 B = 2.25 KiB, 0.5625 of the table's, so 0.75 of the energy: 100 lines x 3 x (48 + 24). 8 cores x 0.5625
    // mW.
    assert_part(&part, 21_600.0, 4500.0);
}

#[test]
fn texture_filters_by_hand() {
    let part = part_of("texture filters", core_events);
    // 400 x 12 x (2 + 2 x 1). 8 cores x 4 samples a cycle x 12 x (200 + 2 x 100) um2 = 0.1536 mm2 x 10 mW.
    assert_part(&part, 19_200.0, 1536.0);
}

#[test]
fn texture_caches_by_hand() {
    let part = part_of("texture caches", |report| {
        report.cores[3].texture = TextureCounters {
            accesses: 30,
            misses: 5,
            ..TextureCounters::default()
        };
    });
    // 16 KiB: 30 x 80 + 5 fills x 40. 8 cores x 8 mW.
    assert_part(&part, 2600.0, 64_000.0);
}

#[test]
fn programs_of_a_draw_by_hand() {
    let machine = machine("valhall-libra-baseline", &ROUND);
    let mut report = idle_frame(&machine);
    core_events(&mut report);
    move_lines(&mut report, 3);
    let energy = energy(&machine, &report);
    let mut cost = CostCounters {
        instructions: 100,
        thread_instructions: 1600,
        transcendental_threads: 200,
        texture_threads: 400,
        ..CostCounters::default()
    };
    cost.dram_lines[Traffic::Texture] = 3;
    // Instructions 4000, arithmetic 9000, filters 19,200, as these parts by hand; 1536 bits over pins.
    let close = |measured: f64, by_hand: f64| (measured - by_hand).abs() <= by_hand * 1e-9;
    let programs = energy.events.of_programs(&cost).0;
    assert!(close(programs, 32_200.0), "{programs}");
    let pins = energy.events.of_pins(&cost).0;
    let part = energy.part("memory interface").expect("a part");
    assert!(close(pins, part.dynamic.0), "{pins}: {part:?}");
}

#[test]
fn clock_tree_takes_its_share_of_what_it_drives() {
    let part = part_of("clock tree", |report| {
        core_events(report);
        raster_events(report);
    });
    // Arithmetic 9000, registers 44,800, collectors 21,600, filters 19,200, tile buffers 592, depth and blend 692, and no
    // instructions: 95,884 are three quarters.
    assert_part(&part, 95_884.0 / 3.0, 0.0);
}

#[test]
fn technique_by_hand() {
    let machine = machine("valhall-libra-baseline", &ROUND);
    let mut report = idle_frame(&machine);
    let memory = |kind, size, count, word, reads, writes| TechniqueMemory {
        name: "a memory",
        kind,
        size: Bytes(size),
        count,
        word: Bytes(word),
        reads,
        writes,
    };
    report.techniques = vec![TechniqueReport {
        technique: "own",
        counters: Vec::new(),
        memories: vec![
            memory(MemoryKind::Ram, 4096, 1, 16, 8, 4),
            memory(MemoryKind::Rom, 1024, 8, 4, 80, 0),
        ],
        maps: Vec::new(),
    }];
    let energy = energy(&machine, &report);
    assert_eq!(energy.techniques[0].name, "own", "a part of its own");
    // 4 KiB: (8 x 64 + 4 x 32) / 4 = 160. Eight tables of 1 KiB: 80 x 32 / 16 + 80 XORs x 0.5 = 200. With the clock four
    // thirds.
    // 1 mW, and half of 8 x 0.25.
    assert_part(&energy.techniques[0], 480.0, 2000.0);
    let parts: f64 = energy.parts.iter().map(|part| part.total().0).sum();
    assert!(
        (energy.gpu.0 - parts - 2480.0).abs() < 1e-6,
        "part of the GPU: {energy:?}"
    );
}

#[test]
fn parts_are_named_once() {
    let machine = machine("valhall-khepri", &[]);
    let report = energy(&machine, &idle_frame(&machine));
    let mut names: Vec<_> = report.parts.iter().map(|part| part.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), report.parts.len(), "{names:?}");
    for part in &report.parts {
        assert!(part.dynamic.0 == 0.0, "nothing happened: {part:?}");
        let passive = ["clock tree", "wires"].contains(&part.name);
        assert_eq!(part.leakage.0 == 0.0, passive, "{part:?}");
    }
}

/// The arithmetic of an idle frame at other machines' rates: leakage follows the machine, core type by core type.
#[test]
fn leakage_of_arithmetic_follows_the_core_types() {
    let changes = [
        "energy.array_voltage_V=1.0",
        "energy.operation.node_nm=22",
        "energy.operation.alu_um2=1000",
        "energy.logic.arithmetic_mW_per_mm2=10",
    ];
    let machine = machine("valhall-khepri", &changes);
    let report = energy(&machine, &idle_frame(&machine));
    let part = report.part("arithmetic").expect("a part");
    // Four cores of 5 arithmetic units and four of 3: 32 x 16 x (1 + 1/4) lanes x 1000 um2 = 0.64 mm2 x 10 mW.
    assert_part(part, 0.0, 6400.0);
}

#[test]
fn vertex_processors_have_no_texture_path() {
    let changes = [
        "energy.array_voltage_V=1.0",
        "energy.cache=[{size_KiB=8, read_pJ=40, write_pJ=20, leakage_mW=3, area_mm2=0.01}]",
    ];
    let machine = machine("mali450-re", &changes);
    let report = energy(&machine, &idle_frame(&machine));
    let part = report.part("texture caches").expect("a part");
    // Four fragment processors x 3 mW, over 800 cycles of 2.5 ns.
    assert_part(part, 0.0, 24_000.0);
}

#[test]
fn voltage_scales_events_by_its_square_and_leakage_by_itself() {
    let parts = ["1.0", "0.5"].map(|voltage| {
        let change = format!("energy.voltage_V={voltage}");
        let machine = machine("valhall-libra-baseline", &[&change]);
        let mut report = idle_frame(&machine);
        core_events(&mut report);
        energy(&machine, &report).parts
    });
    // Pins and physical layer have a supply of their own.
    let on_chip = |part: &&EnergyPart| part.name != "memory interface";
    let [full, half] = &parts;
    for (full, half) in full.iter().zip(half).filter(|(full, _)| on_chip(full)) {
        assert_part(half, full.dynamic.0 / 4.0, full.leakage.0 / 2.0);
    }
}
