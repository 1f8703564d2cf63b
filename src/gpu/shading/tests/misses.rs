//! Misses, hits under them and the width of texture pipelines, in closed forms over the number of warps, of miss registers,
//! and the latency. Warps have one texture instruction each; there are two memory pipelines (KHEPRI, Table II).
//!
//! Two pipelines take an instruction each in cycle 3, and the next two when these are through: a quad keeps its pipeline for
//! two cycles. So the misses of warps are looked up at 3, 3, 5, 5, 7, 7 and so on while nothing holds them. A line comes
//! `LATENCY` cycles after its request; the result is there 2 + 8 cycles later (cache, filter), and its warp is through in the
//! cycle after that.

use super::{Bench, TEXTURE};
use azulejo_trace::synthetic::{TexelPattern, independent};
use azulejo_units::Cycles;

/// Cycles from a request to its line: a bank of the L2 accepts it in the cycle after it was made.
const LATENCY: u64 = 100;

/// One quad a warp with a line of its own, which is in the L2.
fn misses(n_warps: u32, n_registers: u32) -> Bench {
    let mut bench = Bench::new(independent(TEXTURE, 1));
    bench.texels = TexelPattern::AlwaysNew;
    bench.apart = true;
    bench.ideal = false;
    bench.n_warps = n_warps;
    bench.core.texture_cache.mshrs = n_registers;
    bench.spec.l2.latency = Cycles(LATENCY - 1);
    bench.warm = n_warps.into();
    bench.end = 2000;
    bench
}

/// N misses with M registers, an even number: the first M are asked for at 3, 3, 5, 5 up to M + 1, each later one when the
/// line of the one M before it has come. The last of N is asked for at M + 1 + (N / M - 1) L.
#[test]
fn misses_go_in_rounds_of_as_many_as_there_are_registers() {
    let n = 24;
    for registers in [2, 4, 6, 8, 12, 24] {
        let (finished, counters) = misses(n, registers).run();
        let rounds = u64::from(n / registers);
        let last = u64::from(registers) + 1 + rounds * LATENCY + 11;
        assert_eq!(finished.iter().max(), Some(&last), "{registers} registers");
        let texture = counters.texture;
        assert_eq!(texture.misses, u64::from(n), "{registers} registers");
        let each = u64::from(n) * LATENCY;
        assert_eq!(texture.under_way_sum, each, "{registers} registers");
    }
}

/// Registers beyond the number of misses that the pipelines can ask for in a latency, one a cycle, are never used: with 128,
/// as memory cores have, 48 misses take what they take with 48.
#[test]
fn misses_need_no_more_registers_than_there_are_misses() {
    let n = 48;
    let [enough, plenty] = [48, 128].map(|registers| misses(n, registers).finished());
    assert_eq!(enough, plenty, "none is refused");
    assert_eq!(enough.last(), Some(&(u64::from(n) + 1 + LATENCY + 11)));
}

/// Refused misses wait, and that wait is in the latency of accesses, not in the lines under way: with one register, the
/// second of two lines is under way for as long as the first, and its access takes twice the time.
#[test]
fn misses_that_are_refused_wait_without_being_under_way() {
    let (_, counters) = misses(2, 1).run();
    let texture = counters.texture;
    assert_eq!(texture.under_way_sum, 2 * LATENCY, "one after the other");
    let latencies = (LATENCY + 2) + (2 * LATENCY + 2);
    assert_eq!(texture.quad_latency_sum, latencies, "both from 3 on");
    assert_eq!(texture.stalled, LATENCY, "the second pipeline");
}

/// Eight warps that want one line: the first asks for it at 3, the others join by their look-ups at 3 to 9.
#[test]
fn misses_that_join_are_one_line_under_way() {
    let mut bench = misses(8, 1);
    bench.apart = false;
    let (finished, counters) = bench.run();
    assert_eq!(finished, [3 + LATENCY + 11; 8], "all with the one line");
    let texture = counters.texture;
    assert_eq!((texture.misses, texture.pending_hits), (1, 7), "once");
    assert_eq!(texture.under_way_sum, LATENCY, "once");
    let waits = [0, 0, 2, 2, 4, 4, 6, 6].map(|after| LATENCY - after + 2);
    assert_eq!(texture.quad_latency_sum, waits.iter().sum::<u64>());
}

/// Two of three warps miss; the line of the third is in the cache from the beginning.
fn hit_behind_two_misses(n_pipelines: u32, n_registers: u32) -> Vec<u64> {
    let mut bench = misses(3, n_registers);
    bench.core.memory_pipelines = n_pipelines;
    bench.fills = vec![(1, 2)];
    bench.finished()
}

#[test]
fn hit_goes_on_under_misses() {
    let one_pipeline = hit_behind_two_misses(1, 2);
    let hit = 3 + 2 + 2 + 11;
    assert_eq!(
        one_pipeline,
        [3 + LATENCY + 11, 5 + LATENCY + 11, hit],
        "looked up at 3, 5 and 7"
    );
}

/// A pipeline keeps its order: what is refused holds up all behind it, hits too.
#[test]
fn hit_waits_behind_a_refused_miss_of_its_pipeline() {
    let first = 3 + LATENCY + 11;
    let second = first + LATENCY;
    assert_eq!(
        hit_behind_two_misses(1, 1),
        [first, second, first + 1],
        "asked for at 3 and at 3 + L; looked up a cycle after that"
    );
    assert_eq!(
        hit_behind_two_misses(2, 1),
        [first, second, 3 + 2 + 11],
        "the other pipeline takes it at 5"
    );
}

/// W warps of Q quads over P pipelines of C cycles a quad: the last enters after (W / P - 1) others, Q C cycles each. A warp
/// of 16 threads has four quads; with two cycles a quad it keeps a pipeline for eight, two threads a cycle.
#[test]
fn texture_pipelines_take_a_warp_in_its_quads_times_their_cycles() {
    let n_warps = 12;
    for (pipelines, cycles, quads) in [(1, 2, 4), (2, 2, 4), (2, 1, 4), (3, 4, 2), (4, 2, 8)] {
        let mut bench = Bench::new(independent(TEXTURE, 1));
        bench.n_warps = n_warps;
        bench.n_quads = quads;
        bench.core.memory_pipelines = pipelines;
        bench.core.texture_cycles_per_quad = Cycles(cycles);
        bench.end = 200;
        let before = u64::from(n_warps / pipelines - 1);
        let last = 3 + before * u64::from(quads) * cycles + 11;
        assert_eq!(
            bench.finished().iter().max(),
            Some(&last),
            "{pipelines} pipelines, {cycles} cycles, {quads} quads"
        );
    }
}

/// A layer of a tile on one of four cores: 16 warps of four quads, each quad with a line of its own, from an L2 that brings two
/// lines a cycle after L cycles. Eight warps a pipeline enter every eight cycles from 3 on and look four lines up: the last at
/// 62. If M registers bind, M lines go in a round, the last of the first at M - 2, and each round waits L for the one before.
///
/// So 32 registers, as compute cores have, do not bind at the L2's 18 cycles, and double the time at the 100 that DRAM takes;
/// 128, as memory cores have, bind at neither (KHEPRI, section III-A: more registers for more under way).
#[test]
fn registers_bind_a_layer_of_a_tile_where_the_latency_is_longer_than_they_are_many() {
    let through = |registers: u32, latency: u64| {
        let mut bench = misses(16, registers);
        bench.n_quads = 4;
        bench.warm = 64;
        bench.spec.l2.banks = 8;
        bench.spec.l2.latency = Cycles(latency - 1);
        bench.finished().into_iter().max()
    };
    for (registers, at_18, at_100) in [
        (128, 62 + 18 + 11, 62 + 100 + 11),
        (64, 62 + 18 + 11, 62 + 100 + 11),
        (32, 62 + 18 + 11, 30 + 2 * 100 + 11),
        (16, 14 + 4 * 18 + 11, 14 + 4 * 100 + 11),
        (8, 6 + 8 * 18 + 11, 6 + 8 * 100 + 11),
    ] {
        let found = [through(registers, 18), through(registers, 100)];
        assert_eq!(found, [Some(at_18), Some(at_100)], "{registers} registers");
    }
}
