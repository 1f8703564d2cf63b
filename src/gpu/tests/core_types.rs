//! Types of cores (KHEPRI, Table II) against closed forms: how much of a type's width, registers and slots reaches a frame past
//! the units around the cores.
//!
//! The machines have two Raster Units of four cores, a tile for each unit at a time, and two quads a cycle from each unit.

use super::{ALU, assert_close, grid, machine, run};
use crate::machine::MachineSpec;
use azulejo_trace::synthetic::{CoveredScreen, TexelPattern, independent};
use azulejo_trace::{InstructionClass, Program};

const TYPES: [&str; 3] = ["compute", "memory", "baseline"];

/// Cycles from the L2 to the DRAM and back, beside which all others are few; texels alone go there.
const LATENCY: f64 = 100_000.0;
const FAR: [&str; 3] = [
    "l2.memory_latency=100000",
    "ideal.tile_cache=true",
    "ideal.vertex_cache=true",
];

fn far<'a>(changes: &[&'a str]) -> Vec<&'a str> {
    FAR.into_iter().chain(changes.iter().copied()).collect()
}

/// KHEPRI's machine with cores of one type alone.
fn only(core: &str, changes: &[&str]) -> MachineSpec {
    let mut spec = machine("valhall-khepri", changes);
    let mut types = spec.raster.core_types.iter();
    let found = types.position(|own| own.name == core).expect("a type");
    spec.raster.units.fill(found);
    spec
}

/// Tiles side by side whose colours stay on the chip.
fn tiles(n: u32, tile_size: u32, program: Program) -> CoveredScreen {
    let mut screen = CoveredScreen::new(grid(n * tile_size, tile_size, tile_size), program);
    screen.targets[0].store = false;
    screen
}

/// Two quads a cycle are half a warp, which four cores take in turn: each gets one every eight cycles. So a program of k
/// instructions costs cores of width w the k / w cycles of a warp only from k = 8 w on: 40 on compute cores, 24 on memory
/// cores. Shorter ones cost the eight cycles whatever the cores are (KHEPRI, section III-A: compute cores have more units and
/// a wider issue for tiles bound by arithmetic).
#[test]
fn width_of_cores_is_felt_from_eight_times_as_many_instructions_on() {
    let n_layers = 40;
    let warps_a_core = f64::from(32 * 32 * n_layers) / 4.0;
    for k in [12, 20, 48, 120] {
        let mut screen = tiles(2, 128, independent(ALU, k));
        screen.layers = n_layers;
        for (core, width) in TYPES.into_iter().zip([5.0, 3.0, 4.0]) {
            let cycles = run(&only(core, &[]), &screen).raster_cycles.0;
            let each = f64::max(8.0, k as f64 / width);
            assert_close(cycles, warps_a_core * each, &format!("{k} on {core}"));
        }
    }
}

/// One texture instruction a quad with a line of its own, none of which is in the L2.
fn misses(mut screen: CoveredScreen, spec: &MachineSpec) -> u64 {
    screen.program = independent(InstructionClass::Texture, 1);
    screen.texels = TexelPattern::AlwaysNew;
    run(spec, &screen).raster_cycles.0
}

/// N misses that take L cycles each, as many at a time as have registers in an L1 and in the L2: N L / min(8 M, 4 S). Cores get
/// warps where they have room, so that one may have a round more.
///
/// The L2's shipped 256 are as many as those of eight compute cores: memory cores' 1024 are felt with more in the L2 alone
/// (KHEPRI, section III-A: memory cores have more registers to have more under way; no paper states the L2's).
#[test]
fn misses_are_under_way_as_both_levels_have_registers() {
    let n_lines = 2.0 * 64.0 * 64.0;
    for (core, in_l2, at_a_time) in [
        ("compute", 512, 256.0),
        ("memory", 512, 1024.0),
        ("compute", 16, 64.0),
        ("memory", 16, 64.0),
        ("memory", 64, 256.0),
    ] {
        let of_bank = format!("l2.mshrs_per_bank={in_l2}");
        let spec = only(core, &far(&[&of_bank]));
        let cycles = misses(tiles(2, 128, independent(ALU, 1)), &spec);
        let (rounds, formula) = (cycles as f64 / LATENCY, n_lines / at_a_time);
        assert!(
            (formula..formula + 1.1).contains(&rounds),
            "{core}, {in_l2} a bank: {rounds:.3} latencies, formula {formula}"
        );
    }
}

/// Misses that the DRAM brings at half a line a cycle, its 25.6 GB/s: with L cycles from request to line, more than L / 2
/// under way only wait longer. Those are 50 at the most that Table I states, and the fewest registers of eight cores are 256.
#[test]
fn misses_at_the_bandwidth_of_the_dram_take_as_long_on_any_cores() {
    let mut screen = tiles(2, 128, independent(ALU, 1));
    screen.layers = 8;
    let n_lines = 2.0 * 64.0 * 64.0 * 8.0;
    for core in TYPES {
        let spec = only(core, &[]);
        let timing = &spec.dram.timing;
        let refresh = timing.t_rfc.0 as f64 / timing.t_refi.0 as f64;
        let formula = 2.0 * n_lines / (1.0 - refresh);
        let ratio = misses(screen.clone(), &spec) as f64 / formula;
        assert!((0.9999..=1.03).contains(&ratio), "{core}: {ratio:.4}");
    }
}

/// A tile enters the fragment stage when the one before has left it (LIBRA, section III-A), so each pays for the latency of its
/// own misses. One layer of 32 x 32 pixels is 16 warps a core, 64 lines: slots beyond 16 are never used, and registers only up to
/// 64. Two units have 512 lines under way, or half of them in each of two rounds, which the DRAM brings in two cycles each.
#[test]
fn misses_of_a_tile_are_not_hidden_by_the_next() {
    let n_tiles = 8;
    for (core, rounds) in [("compute", 2.0), ("memory", 1.0), ("baseline", 1.0)] {
        for slots in [32, 64, 96] {
            let warps = format!("core.{core}.warps={slots}");
            let spec = only(core, &far(&["l2.mshrs_per_bank=256", &warps]));
            let cycles = misses(tiles(n_tiles, 32, independent(ALU, 1)), &spec);
            let each = rounds * LATENCY + 512.0 / rounds * 2.0;
            let formula = f64::from(n_tiles) / 2.0 * each;
            assert_close(cycles, formula, &format!("{core} with {slots} slots"));
        }
    }
}
