//! Warps whose quads part: cycles of small programs by hand, and by the rule that they follow.
//!
//! The rule: a list of what any quad executes, arm after arm, trip after trip. Each instruction is issued in the cycle of the
//! one before it or later, as soon as the results that it reads are there; a result of arithmetic is there 6 cycles after
//! its issue, and the warp is through with its last result. [`through`] has that as a formula, over lists written down by
//! hand. Numbers of the core are those of the tests above: the first issue is in cycle 1.

use super::*;
use azulejo_trace::{PathRecorder, Region};

/// Cycles from the issue of arithmetic to its result.
const RESULT: u64 = 2 + 4;

/// Cycle in which a warp is through with arithmetic that is issued in order; each entry has the places of the results that
/// it reads.
fn through(list: &[&[usize]]) -> u64 {
    let mut issued: Vec<u64> = Vec::new();
    for reads in list {
        let results = reads.iter().map(|read| issued[*read] + RESULT);
        let before = issued.last().copied().unwrap_or(1);
        issued.push(results.fold(before, u64::max));
    }
    issued.last().map_or(1, |last| last + RESULT)
}

fn alu(sources: &[u32]) -> Instruction {
    Instruction::new(ALU, sources)
}

fn block(instructions: std::ops::Range<u32>) -> Region {
    Region::Block(instructions)
}

fn program(list: Vec<Instruction>, regions: Vec<Region>) -> Program {
    Program {
        regions,
        ..fragment_program("branches", list)
    }
}

/// A warp of a quad for each path, and threads of its instructions.
fn run(program: &Program, paths: &[&[u8]]) -> (u64, CoreCounters) {
    let mut bench = Bench::new(program.clone());
    bench.paths = paths.iter().map(|path| path.to_vec()).collect();
    bench.n_quads = paths.len() as u32;
    let (finished, counters) = bench.run();
    (finished[0], counters)
}

/// Both cycles: the core's, and those of the list.
fn cycles(program: &Program, paths: &[&[u8]], list: &[&[usize]]) -> [u64; 2] {
    let (finished, counters) = run(program, paths);
    assert_eq!(counters.instructions, list.len() as u64, "of the list");
    [finished, through(list)]
}

/// A result; then a chain of three that begins with it, or one of two; then a sum of both chains.
fn if_program() -> Program {
    let list = vec![
        alu(&[]),
        alu(&[0]),
        alu(&[1]),
        alu(&[2]),
        alu(&[0]),
        alu(&[4]),
        alu(&[3, 5]),
    ];
    let arms = [vec![block(1..4)], vec![block(4..6)]];
    program(list, vec![block(0..1), Region::If(arms), block(6..7)])
}

#[test]
fn if_that_all_lanes_take_costs_its_arm_alone() {
    let program = if_program();
    let first: &[u8] = &[15, 0x0f, 15, 15];
    let list: [&[usize]; 5] = [&[], &[0], &[1], &[2], &[3]];
    assert_eq!(cycles(&program, &[first], &list), [31; 2], "five in a row");
    let second: &[u8] = &[15, 0xf0, 15, 15];
    let list: [&[usize]; 4] = [&[], &[0], &[1], &[2]];
    assert_eq!(cycles(&program, &[second], &list), [25; 2], "four in a row");
}

#[test]
fn if_that_parts_the_lanes_costs_both_arms() {
    let program = if_program();
    // The second arm's first is issued with the first arm's last, at 19; its last at 25; the sum at 31.
    let list: [&[usize]; 7] = [&[], &[0], &[1], &[2], &[0], &[4], &[3, 5]];
    let of_quads: [&[u8]; 2] = [&[15, 0x0f, 15, 15], &[15, 0xf0, 15, 15]];
    assert_eq!(cycles(&program, &of_quads, &list), [37; 2], "by quads");
    let of_lanes: &[u8] = &[15, 0x3c, 12, 3, 15];
    assert_eq!(cycles(&program, &[of_lanes], &list), [37; 2], "by lanes");
    let threads = |paths: &[&[u8]]| run(&program, paths).1.thread_instructions;
    assert_eq!(threads(&of_quads), 4 * (5 + 4), "of each its arm");
    assert_eq!(threads(&[of_lanes]), 4 * 2 + 2 * 3 + 2 * 2, "by lane");
}

#[test]
fn if_with_an_empty_arm_costs_nothing_where_nobody_takes_the_other() {
    let list = vec![alu(&[]), alu(&[0]), alu(&[0, 1])];
    let arms = [vec![block(1..2)], vec![]];
    let program = program(list, vec![block(0..1), Region::If(arms), block(2..3)]);
    let skipped: [&[usize]; 2] = [&[], &[0]];
    assert_eq!(cycles(&program, &[&[15, 0xf0, 15]], &skipped), [13; 2]);
    let taken: [&[usize]; 3] = [&[], &[0], &[0, 1]];
    assert_eq!(cycles(&program, &[&[15, 0xe1, 1, 15]], &taken), [19; 2]);
}

#[test]
fn if_in_an_if_costs_the_arms_that_any_lane_takes() {
    // 0; if { 1; if { 2 } else { 3 }; 4 } else { 5 }; 6. All but 5 are a chain, in whatever way.
    let list = vec![
        alu(&[]),
        alu(&[0]),
        alu(&[1]),
        alu(&[1]),
        alu(&[2, 3]),
        alu(&[0]),
        alu(&[4, 5]),
    ];
    let inner = Region::If([vec![block(2..3)], vec![block(3..4)]]);
    let arms = [vec![block(1..2), inner, block(4..5)], vec![block(5..6)]];
    let program = program(list, vec![block(0..1), Region::If(arms), block(6..7)]);
    let [deep, other_deep, outside]: [&[u8]; 3] = [
        &[15, 0x0f, 15, 0x0f, 15, 15, 15],
        &[15, 0x0f, 15, 0xf0, 15, 15, 15],
        &[15, 0xf0, 15, 15],
    ];
    let list: [&[usize]; 5] = [&[], &[0], &[1], &[2], &[3]];
    assert_eq!(cycles(&program, &[deep, deep], &list), [31; 2], "all alike");
    // Both inner arms are issued at 13, what follows at 19.
    let list: [&[usize]; 6] = [&[], &[0], &[1], &[1], &[2, 3], &[4]];
    assert_eq!(cycles(&program, &[deep, other_deep], &list), [31; 2]);
    // The outer other arm is issued at 19 as well.
    let list: [&[usize]; 7] = [&[], &[0], &[1], &[1], &[2, 3], &[0], &[4, 5]];
    let all = [deep, other_deep, outside];
    assert_eq!(cycles(&program, &all, &list), [31; 2], "in its shadow");
    let of_lanes: &[u8] = &[15, 0x87, 7, 0x43, 3, 4, 7, 8, 15];
    assert_eq!(cycles(&program, &[of_lanes], &list), [31; 2], "in one quad");
    let threads = run(&program, &[of_lanes]).1.thread_instructions;
    assert_eq!(threads, 4 + 3 + 2 + 1 + 3 + 1 + 4, "lanes of each block");
}

/// A result, and a loop of one instruction that reads it or that of the trip before.
fn loop_program() -> Program {
    let list = vec![alu(&[]), alu(&[0, 1]), alu(&[0, 1])];
    let body = vec![block(1..2)];
    program(list, vec![block(0..1), Region::Loop(body), block(2..3)])
}

/// A path through it on which each lane makes so many trips.
fn trips(of_lanes: [u32; 4]) -> Vec<u8> {
    let mut path = PathRecorder::default();
    path.block(15);
    path.begin_loop();
    for trip in 0..of_lanes.into_iter().max().unwrap_or(0) {
        let lanes = (0..4).filter(|lane| of_lanes[*lane] > trip);
        path.trip();
        path.block(lanes.fold(0, |lanes, lane| lanes | 1 << lane));
    }
    path.end_loop();
    path.block(15);
    path.steps().to_vec()
}

#[test]
fn loop_costs_the_trips_of_the_lane_that_makes_most() {
    let program = loop_program();
    for of_quads in [
        vec![[3; 4]],
        vec![[0; 4]],
        vec![[7, 0, 2, 1]],
        vec![[1; 4], [5; 4], [3, 4, 4, 3]],
        vec![[0; 4], [300; 4], [299, 300, 0, 1]],
    ] {
        let paths: Vec<Vec<u8>> = of_quads.iter().map(|quad| trips(*quad)).collect();
        let mut bench = Bench::new(program.clone());
        bench.n_quads = paths.len() as u32;
        bench.paths = paths;
        bench.end = 2000;
        let (finished, counters) = bench.run();
        let most = of_quads.iter().flatten().max().copied().unwrap_or(0);
        let most = u64::from(most);
        assert_eq!(finished, [1 + RESULT * (1 + most + 1)], "{of_quads:?}");
        assert_eq!(counters.instructions, 1 + most + 1, "{of_quads:?}");
        let all: u64 = of_quads.iter().flatten().map(|n| u64::from(*n)).sum();
        let threads = 4 * of_quads.len() as u64 * 2 + all;
        assert_eq!(counters.thread_instructions, threads, "{of_quads:?}");
    }
}

#[test]
fn loop_that_is_left_in_its_middle_ends_with_the_last_lane() {
    // 0; loop { 1; if (lanes that leave) { 2 } ; 3 }; lanes that took the arm are not in 3, nor in later trips.
    let list = vec![alu(&[]), alu(&[0, 3]), alu(&[1]), alu(&[1])];
    let arm = Region::If([vec![block(2..3)], vec![]]);
    let body = vec![block(1..2), arm, block(3..4)];
    let program = program(list, vec![block(0..1), Region::Loop(body)]);
    // Lanes 0 and 1 leave in the first trip, the others in the third.
    let path: &[u8] = &[
        15, 1, 15, 0xc3, 3, 12, 1, 12, 0xc0, 12, 1, 12, 0x0c, 12, 0, 0,
    ];
    // 1 at 7; 2 and 3 at 13; 1 at 19; 3 at 25; 1 at 31; 2 at 37.
    let list: [&[usize]; 7] = [&[], &[0], &[1], &[1], &[3], &[4], &[5]];
    let expected: [&[usize]; 8] = [&[], &[0], &[1], &[1], &[3], &[4], &[5], &[6]];
    assert_eq!(through(&list), 37, "up to the third trip's 1");
    assert_eq!(cycles(&program, &[path], &expected), [43; 2], "and its 2");
    let threads = run(&program, &[path]).1.thread_instructions;
    assert_eq!(threads, 4 + 4 + 2 + 2 + 2 + 2 + 2 + 2, "lanes of each");
}

#[test]
fn discard_ends_what_no_lane_is_left_for() {
    // 0; if (discarded) { 1 }; then a chain of two that only lanes that are left execute.
    let list = vec![alu(&[]), alu(&[0]), alu(&[0]), alu(&[2])];
    let arm = Region::If([vec![block(1..2)], vec![]]);
    let program = program(list, vec![block(0..1), arm, block(2..4)]);
    let [gone, stays, halved]: [&[u8]; 3] =
        [&[15, 0x0f, 15, 0], &[15, 0xf0, 15], &[15, 0xc3, 3, 12]];
    let list: [&[usize]; 2] = [&[], &[0]];
    assert_eq!(cycles(&program, &[gone], &list), [13; 2], "all its lanes");
    let list: [&[usize]; 4] = [&[], &[0], &[0], &[2]];
    let together = [gone, stays];
    assert_eq!(
        cycles(&program, &together, &list),
        [19; 2],
        "one quad stays"
    );
    let threads = run(&program, &together).1.thread_instructions;
    assert_eq!(threads, 4 * 2 + 4 * 3, "each quad's own");
    assert_eq!(
        cycles(&program, &[halved], &list),
        [19; 2],
        "two lanes stay"
    );
    let threads = run(&program, &[halved]).1.thread_instructions;
    assert_eq!(threads, 4 + 2 + 2 * 2, "without those discarded");
}

#[test]
fn switch_costs_the_cases_that_any_lane_takes() {
    let list = vec![alu(&[]), alu(&[0]), alu(&[0]), alu(&[2]), alu(&[0])];
    let cases = vec![vec![block(1..2)], vec![block(2..4)], vec![block(4..5)]];
    let program = program(list, vec![block(0..1), Region::Switch(cases)]);
    let [first, second, last]: [&[u8]; 3] = [
        &[15, 15, 15, 0, 0],
        &[15, 0, 15, 15, 0],
        &[15, 0, 0, 15, 15],
    ];
    let list: [&[usize]; 2] = [&[], &[0]];
    assert_eq!(cycles(&program, &[last], &list), [13; 2], "one case");
    let list: [&[usize]; 4] = [&[], &[0], &[0], &[2]];
    assert_eq!(
        cycles(&program, &[second, first], &list),
        [19; 2],
        "in order"
    );
    let list: [&[usize]; 5] = [&[], &[0], &[0], &[2], &[0]];
    assert_eq!(cycles(&program, &[last, second, first], &list), [19; 2]);
}

#[test]
fn texture_of_an_arm_takes_the_time_of_the_quads_that_executed_it() {
    let texture = Instruction::new(TEXTURE, &[]);
    let arms = [vec![block(0..1)], vec![block(1..2)]];
    let program = program(vec![texture; 2], vec![Region::If(arms)]);
    let mut bench = Bench::new(program);
    bench.core.memory_pipelines = 1;
    bench.texels = TexelPattern::AlwaysNew;
    let [first, second] = [vec![0x0f, 15], vec![0xf0, 15]];
    bench.paths = vec![first.clone(), first.clone(), second.clone()];
    bench.n_quads = 3;
    let (finished, counters) = bench.run();
    // The first enters at 3 and keeps the pipeline for two quads, the second enters at 7.
    assert_eq!(finished, [7 + 2 + 8 + 1], "with one line to look up");
    let texture = counters.texture;
    assert_eq!((texture.instructions, texture.accesses), (2, 3), "2 + 1");
    assert_eq!(counters.texture_threads, 3 * 4, "of each quad once");
    bench.paths = vec![second, first.clone(), first];
    assert_eq!(bench.finished(), [18], "whichever quads these are");
}

#[test]
fn texture_of_a_loop_reads_the_texels_of_the_trips_own_quads() {
    // Quad 0 makes one trip, quad 1 three, quad 2 two: of blocks 0, 1 to 3, 4 and 5.
    let texture = Instruction::new(TEXTURE, &[0]);
    let program = program(vec![texture], vec![Region::Loop(vec![block(0..1)])]);
    let mut program = program;
    program.instructions[0].sources[0] = 0;
    let mut bench = Bench::new(program);
    bench.texels = TexelPattern::AlwaysNew;
    bench.paths = vec![vec![1, 15, 0], vec![3, 15, 0], vec![2, 15, 0]];
    bench.n_quads = 3;
    bench.ideal = false;
    bench.core.texture_cache.mshrs = 8;
    // First trip: blocks 0, 1, 4. The second waits for them: 2 and 5. The third: 3.
    bench.fills = vec![(40, 0), (40, 1), (50, 4), (80, 5), (90, 2), (130, 3)];
    bench.end = 200;
    let (finished, counters) = bench.run();
    // A trip's result is there 10 cycles after its last line; the next is issued then, and looked up 2 later.
    assert_eq!(finished, [130 + 10 + 1], "through with the last line");
    let texture = counters.texture;
    assert_eq!(
        (texture.instructions, texture.misses),
        (3, 6),
        "one line each"
    );
    let latencies = (50 + 10 - 3) + (90 + 10 - (60 + 2)) + (130 + 10 - (100 + 2));
    assert_eq!(texture.latency_sum, latencies, "trip by trip");
}

#[test]
fn warps_of_equal_paths_run_the_same_list() {
    let mut bench = Bench::new(loop_program());
    bench.n_warps = 3;
    bench.n_quads = 2;
    bench.core.issue_width = 1;
    bench.paths = vec![trips([2; 4]), trips([1, 2, 2, 2])];
    let together = bench.finished();
    // Four in a row, and a cycle for each warp that goes first.
    assert_eq!(together, [25, 26, 27], "three warps");
    bench.paths.rotate_left(1);
    assert_eq!(
        bench.finished(),
        together,
        "in whatever order the quads come"
    );
}
