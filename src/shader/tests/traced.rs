//! Paths against the interpreter's own count of each instruction's lanes, and trees by hand.

use azulejo_grid::TileGrid;
use azulejo_simd::SimdLevel;
use azulejo_trace::synthetic::CoveredScreen;
use azulejo_trace::{InstructionClass, Program, Region};

use super::super::code::{Slot, Stage};
use super::super::operation::Unit;
use super::super::{
    Batch, Buffer, Code, LANES_OF_BATCH, Module, NoTextures, Resources, Runner, TracedCode,
    Untraceable,
};
use super::generator::{Random, program};
use super::run;

/// Runs 64 lanes of a program of the tests' compute stage; its batch and the words that it wrote.
fn run_traced(code: &Code) -> (Batch, Vec<u32>) {
    let mut words = vec![0; LANES_OF_BATCH];
    let mut resources =
        Resources::new(code, &NoTextures).with(code, (0, 0), Buffer::Write(&mut words));
    let backend = SimdLevel::Auto.backend().expect("an available level");
    let runner = Runner::new(code, backend, &mut resources).expect("all is bound");
    let mut batch = runner.batch();
    let lanes = std::array::from_fn(|lane| lane as u32);
    runner.set(&mut batch, (Slot::LocalInvocationIndex, 0), &lanes);
    let ran = runner.run(&mut batch, u64::MAX, &mut resources);
    ran.expect("loops end");
    (batch, words)
}

/// A lawful trace of one quad for each path.
fn validate(program: &Program, paths: Vec<Vec<u8>>) {
    let grid = TileGrid {
        width: 2 * paths.len() as u32,
        height: 2,
        tile_size: 128,
    };
    let mut screen = CoveredScreen::new(grid, program.clone());
    screen.paths = paths;
    assert_eq!(screen.frame(0).validate(), Ok(()), "{program:#?}");
}

/// Lanes of each instruction of the program, summed over the paths of a batch.
fn lanes_on_paths(traced: &TracedCode, batch: &Batch) -> (Vec<u64>, Vec<Vec<u8>>) {
    let program = traced.program();
    let mut lanes = vec![0; program.instructions.len()];
    let paths = traced.paths(batch, u64::MAX);
    for path in &paths {
        let followed = program.follow(path.steps(), |executed| {
            for at in executed.instructions {
                lanes[at as usize] += executed.times * u64::from(executed.lanes.count_ones());
            }
        });
        assert!(followed.is_ok() || !program.branches(), "{followed:?}");
    }
    (
        lanes,
        paths.iter().map(|path| path.steps().to_vec()).collect(),
    )
}

#[test]
fn paths_of_random_programs_sum_up_to_the_instructions_that_lanes_executed() {
    let (mut random, mut compared, mut branching) = (Random(3), 0, 0);
    while compared < 300 {
        let source = program(&mut random, compared % 2 == 1);
        let Ok(module) = Module::parse(&source) else {
            continue;
        };
        let plain = module.compile("main", &[]).expect("it lowers");
        let stage = [Stage::Vertex, Stage::Fragment, Stage::Compute][compared % 3];
        let code = Code {
            stage,
            ..plain.clone()
        };
        let traced = TracedCode::new(&code);
        let (batch, words) = run_traced(traced.code());
        compared += 1;
        let expected = run(&plain, SimdLevel::Auto, vec![0; LANES_OF_BATCH]);
        assert_eq!(words, expected, "marks change nothing: {source}");
        let program = traced.program();
        if !program.branches() {
            continue;
        }
        branching += 1;
        let (lanes, paths) = lanes_on_paths(&traced, &batch);
        let counted = |at: &Option<u32>| {
            let count = at.and_then(|at| batch.counts.get(at as usize));
            count.copied().unwrap_or(0)
        };
        let counted: Vec<u64> = traced.positions().iter().map(counted).collect();
        assert_eq!(lanes, counted, "lanes of each instruction: {source}");
        if stage == Stage::Fragment {
            validate(program, paths);
        }
    }
    assert!(branching > 100, "{branching} programs branch");
}

/// A fragment program of `v`, which returns a number.
fn fragment(body: &str) -> Code {
    let source =
        format!("@fragment fn main(@location(0) v: vec4<f32>) -> @location(0) f32 {{ {body} }}");
    let code = Module::parse(&source).and_then(|module| module.compile("main", &[]));
    code.unwrap_or_else(|error| panic!("{error}\n{source}"))
}

/// The program, and the paths of quads whose lanes have these numbers as `v.x`, the others 0.
fn traced(body: &str, quads: &[[f32; 4]]) -> (Program, Vec<Vec<u8>>) {
    let traced = TracedCode::new(&fragment(body));
    let mut resources = Resources::new(traced.code(), &NoTextures);
    let backend = SimdLevel::Auto.backend().expect("an available level");
    let runner = Runner::new(traced.code(), backend, &mut resources).expect("nothing is bound");
    let mut batch = runner.batch();
    let mut x = [0; LANES_OF_BATCH];
    for (lane, value) in x.iter_mut().zip(quads.as_flattened()) {
        *lane = value.to_bits();
    }
    runner.set(&mut batch, (Slot::Location(0), 0), &x);
    let lanes = u64::MAX >> (LANES_OF_BATCH - 4 * quads.len());
    runner
        .run(&mut batch, lanes, &mut resources)
        .expect("it ends");
    let paths = traced.paths(&batch, lanes);
    let steps = paths[..quads.len()]
        .iter()
        .map(|path| path.steps().to_vec());
    let (program, steps) = (traced.program().clone(), steps.collect::<Vec<_>>());
    if program.branches() {
        validate(&program, steps.clone());
    }
    (program, steps)
}

fn classes(program: &Program) -> Vec<InstructionClass> {
    let instructions = program.instructions.iter();
    instructions.map(|instruction| instruction.class).collect()
}

#[test]
fn straight_code_is_a_straight_program_with_inputs_and_outputs() {
    use InstructionClass::{Alu, Output, Transcendental, Varying};
    let (program, _) = traced("return sqrt(v.x * v.y);", &[[0.0; 4]]);
    assert!(!program.branches(), "one block");
    assert_eq!(classes(&program), [Varying, Alu, Transcendental, Output]);
    let reads = program.instructions.iter().map(|i| i.reads().collect());
    let expected: [&[usize]; 4] = [&[], &[0], &[1], &[2]];
    assert_eq!(reads.collect::<Vec<Vec<usize>>>(), expected, "in a row");
}

#[test]
fn if_parts_quads_and_joins_what_both_arms_wrote() {
    let body = "var x = v.y; if v.x > 1.0 { x = sqrt(v.z); } else { x = v.w * v.z; } return x;";
    let (program, paths) = traced(body, &[[2.0; 4], [0.0; 4], [2.0, 0.0, 0.0, 2.0]]);
    let regions = &program.regions;
    let [Region::Block(_), Region::If([arm, other]), Region::Block(_)] = &regions[..] else {
        panic!("{regions:?}");
    };
    assert_eq!((arm.len(), other.len()), (1, 1), "a block each");
    let expected: [&[u8]; 3] = [
        &[15, 0x0f, 15, 15],
        &[15, 0xf0, 15, 15],
        &[15, 0x69, 9, 6, 15],
    ];
    assert_eq!(paths, expected, "by lanes");
    // The first value, then a root or a product in its place; a copy, and the output.
    let [Region::Block(arm), Region::Block(other)] = [&arm[0], &other[0]] else {
        panic!("{regions:?}");
    };
    let reads = |at: usize| -> Vec<u32> {
        program.instructions[at]
            .reads()
            .map(|at| at as u32)
            .collect()
    };
    let copy = program.instructions.len() - 2;
    assert_eq!(reads(copy + 1), [copy as u32], "the output reads the copy");
    assert_eq!(
        reads(copy),
        [other.start, arm.start, 1],
        "the nearest first"
    );
}

#[test]
fn loop_has_the_trips_of_each_lane_and_reads_the_trip_before() {
    let body = "var x = v.x; while x > 1.0 { x = sqrt(x); } return x;";
    // The root of 3 is above 1 for ever smaller differences; of 1 and below there is no trip.
    let (program, paths) = traced(body, &[[1.0; 4], [1.000_000_1, 1.0, 1.0, 1.0]]);
    let root = classes(&program)
        .iter()
        .position(|class| *class == InstructionClass::Transcendental)
        .expect("a root");
    let reads: Vec<usize> = program.instructions[root].reads().collect();
    assert!(
        reads.contains(&root),
        "{reads:?}: its own of the trip before"
    );
    let trips = |path: &[u8]| {
        let mut roots = 0;
        let followed = program.follow(path, |executed| {
            let has = executed.instructions.contains(&(root as u32));
            roots += if has { executed.times } else { 0 };
        });
        followed.expect("it fits");
        roots
    };
    assert_eq!(trips(&paths[0]), 0, "no lane is above 1");
    assert_eq!(trips(&paths[1]), 1, "the root of the next number is 1");
}

#[test]
fn discard_ends_a_quad_of_which_no_lane_is_left() {
    let body = "if v.x > 1.0 { discard; } return sqrt(v.y);";
    let (program, paths) = traced(body, &[[2.0; 4], [2.0, 2.0, 2.0, 0.0], [0.0; 4]]);
    let n = program.instructions.len() as u32;
    let lanes_at_end = |path: &[u8]| {
        let mut lanes = 0;
        let followed = program.follow(path, |executed| {
            if executed.instructions.end == n {
                lanes = executed.lanes;
            }
        });
        followed.expect("it fits");
        lanes
    };
    let lanes: Vec<u8> = paths.iter().map(|path| lanes_at_end(path)).collect();
    assert_eq!(lanes, [0, 15, 15], "helpers run while one lane is left");
}

#[test]
fn code_of_scenes_that_loads_from_storage_is_refused_by_its_line() {
    let source = "@group(0) @binding(0) var<storage, read> words: array<f32>;\n\
                  @fragment fn main(@location(0) @interpolate(flat) i: u32) -> @location(0) f32 {\n\
                  return words[i]; }";
    let code = Module::parse(source).and_then(|module| module.compile("main", &[]));
    let code = code.expect("it lowers");
    let refused = TracedCode::without_buffers(&code).expect_err("a load");
    let expected = Untraceable {
        unit: Unit::Load,
        line: 3,
    };
    assert_eq!(refused, expected);
    let traced = TracedCode::new(&code);
    let loads = traced.program().count(InstructionClass::Load);
    assert_eq!((loads, traced.accessed().count()), (1, 1));
}
