//! Loads, stores and atomics to the cycle. An instruction that is issued at 1 enters the unit at 3, and makes an access a cycle;
//! the data cache takes 2.

use super::{ALU, Bench};
use azulejo_trace::synthetic::{TexelPattern, fragment_program, independent};
use azulejo_trace::{Instruction, InstructionClass, Region};
use azulejo_units::Cycles;

const LOAD: InstructionClass = InstructionClass::Load;
const STORE: InstructionClass = InstructionClass::Store;
const ATOMIC: InstructionClass = InstructionClass::Atomic;

/// Cycles from a request to its line, which is in the L2.
const LATENCY: u64 = 100;

/// So many instructions with lines of their own, all in the L2.
fn in_the_l2(class: InstructionClass, n: usize) -> Bench {
    let mut bench = Bench::new(independent(class, n));
    bench.texels = TexelPattern::AlwaysNew;
    bench.ideal = false;
    bench.spec.l2.latency = Cycles(LATENCY - 1);
    bench.warm = 16;
    bench.end = 1000;
    bench
}

#[test]
fn load_hit_is_there_after_the_cache() {
    let bench = Bench::new(independent(LOAD, 1));
    let (finished, counters) = bench.run();
    assert_eq!(finished, [6], "looked up at 3, there at 5, a cycle later");
    let data = counters.data;
    assert_eq!((data.instructions, data.accesses, data.hits), (1, 1, 1));
    assert_eq!(data.latency_sum, 2, "3 to 5");
    assert_eq!(counters.texture.accesses, 0, "nothing of textures");
}

#[test]
fn load_is_waited_for_by_its_reader() {
    let reads = |class, sources: &[u32]| Instruction::new(class, sources);
    let list = vec![reads(LOAD, &[]), reads(ALU, &[0])];
    let bench = Bench::new(fragment_program("reads", list));
    assert_eq!(bench.finished(), [11], "issued at 5: 5 + 2 + 4");
}

#[test]
fn load_takes_a_cycle_for_each_line() {
    let mut bench = Bench::new(independent(LOAD, 2));
    assert_eq!(bench.finished(), [7], "looked up at 3 and 4");
    bench.n_quads = 4;
    assert_eq!(bench.finished(), [7], "four quads in one line");
    bench.texels = TexelPattern::AlwaysNew;
    let (finished, counters) = bench.run();
    assert_eq!(finished, [13], "eight lines, 3 to 10");
    assert_eq!(counters.data.accesses, 8, "no two quads share one");
}

#[test]
fn load_miss_is_there_after_its_line() {
    let mut bench = Bench::new(independent(LOAD, 1));
    bench.ideal = false;
    bench.fills = vec![(40, 0)];
    let (finished, counters) = bench.run();
    assert_eq!(finished, [43], "40 + 2, and a cycle for the warp");
    assert_eq!(counters.data.misses, 1, "a line asked for");
    assert_eq!(counters.data.latency_sum, 39, "from 3 to 42");
}

#[test]
fn load_of_a_line_under_way_joins_it() {
    let mut bench = Bench::new(independent(LOAD, 2));
    bench.ideal = false;
    bench.fills = vec![(40, 0)];
    let (finished, counters) = bench.run();
    assert_eq!(finished, [43], "both with the one line");
    let data = counters.data;
    assert_eq!((data.misses, data.pending_hits), (1, 1), "asked for once");
}

#[test]
fn load_waits_for_a_miss_register() {
    let mut bench = Bench::new(independent(LOAD, 2));
    bench.texels = TexelPattern::AlwaysNew;
    bench.ideal = false;
    bench.core.data_cache.mshrs = 1;
    bench.fills = vec![(40, 0), (60, 1)];
    let (finished, counters) = bench.run();
    assert_eq!(finished, [63], "the second line, at 60");
    assert_eq!(counters.data.stalled, 36, "from 4 to 40");
}

#[test]
fn store_is_complete_when_the_l2_has_taken_its_lines() {
    let mut bench = Bench::new(independent(STORE, 1));
    bench.ideal = false;
    let (finished, counters) = bench.run();
    assert_eq!(finished, [5], "written at 3, complete at 4");
    assert_eq!((counters.data.stored, counters.data.misses), (1, 0));
    bench.texels = TexelPattern::AlwaysNew;
    bench.n_quads = 4;
    assert_eq!(bench.finished(), [8], "four lines, 3 to 6");
}

#[test]
fn store_leaves_the_data_cache_as_it_is() {
    let list = [LOAD, STORE, LOAD].map(|class| Instruction::new(class, &[]));
    let mut chained = list.to_vec();
    chained[2].sources[0] = 0;
    let mut bench = Bench::new(fragment_program("load, store, load", chained));
    bench.ideal = false;
    bench.fills = vec![(40, 0)];
    let (finished, counters) = bench.run();
    assert_eq!(counters.data.hits, 1, "the second load");
    assert_eq!(finished, [47], "issued at 42, looked up at 44");
}

#[test]
fn atomic_goes_to_the_l2_each_time() {
    let mut bench = in_the_l2(ATOMIC, 2);
    let (finished, counters) = bench.run();
    assert_eq!(finished, [4 + LATENCY + 3], "asked for at 3 and 4");
    assert_eq!(counters.data.changed, 2, "lines");
    bench.texels = TexelPattern::SameBlock;
    let (finished, counters) = bench.run();
    // The bank takes the first's line back before it looks up the second's.
    let twice = 3 + LATENCY + (1 + LATENCY) + 3;
    assert_eq!(finished, [twice], "the second after the first");
    assert_eq!(counters.data.stalled, LATENCY - 1, "from 4 on");
}

#[test]
fn access_is_made_by_those_quads_that_execute_it() {
    let list = vec![Instruction::new(LOAD, &[]); 2];
    let mut program = fragment_program("parts", list);
    let arm = |at: u32| vec![Region::Block(at..at + 1)];
    program.regions = vec![Region::If([arm(0), arm(1)])];
    let mut bench = Bench::new(program);
    bench.texels = TexelPattern::AlwaysNew;
    bench.n_quads = 4;
    bench.paths = vec![vec![0x0f, 15], vec![0xf0, 15], vec![0x03, 3]];
    let (finished, counters) = bench.run();
    let data = counters.data;
    assert_eq!((data.instructions, data.accesses), (2, 4), "both arms");
    assert_eq!(finished, [9], "3 to 5 by three quads, 6 by one");
    assert_eq!(counters.buffer_threads, 4 + 4 + 2 + 4, "lanes of each path");
}
