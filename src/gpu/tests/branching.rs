//! Programs that branch on whole machines: quads that all go one way cost what a straight program costs, and the work of quads
//! that part is the sum over their paths.

use super::*;
use azulejo_trace::synthetic::{fragment_program, surface};
use azulejo_trace::{FrameTrace, Instruction, PathIdx, PathTable, ProgramId, Region};

/// A warp of one quad and warps of several, with tiles and without.
const MACHINES: [&str; 4] = [
    "mali450-re",
    "valhall-libra",
    "valhall-khepri",
    "emerald-gpu",
];

fn block(instructions: std::ops::Range<u32>) -> Region {
    Region::Block(instructions)
}

/// Report of the second of two frames, after the laws of conservation.
fn report(spec: &MachineSpec, trace: &FrameTrace) -> FrameReport {
    assert_eq!(trace.validate(), Ok(()), "the frame's facts");
    let mut gpu = Gpu::new(spec).expect("a valid machine");
    gpu.run_frame(trace).expect("no deadlock");
    gpu.run_frame(trace).expect("no deadlock")
}

/// Two blended layers of a program on a screen of several tiles.
fn screen(spec: &MachineSpec, program: Program) -> CoveredScreen {
    let tile = spec.screen.grid.tile_size;
    let mut screen = CoveredScreen::new(grid(90, 50, tile), program);
    screen.layers = 2;
    screen.texels = TexelPattern::ScreenAligned;
    screen.state.depth_test = true;
    screen.state.late_depth = true;
    screen.state.blend = true;
    screen
}

#[test]
fn branches_that_all_quads_take_alike_cost_what_a_straight_program_costs() {
    let straight = surface(3, 20);
    let n = straight.instructions.len() as u32;
    let mut branching = straight.clone();
    let never = [Instruction::new(InstructionClass::Alu, &[]); 4];
    branching.instructions.extend(never);
    branching.regions = vec![
        block(0..4),
        Region::If([vec![block(4..8)], vec![]]),
        Region::Loop(vec![Region::Switch(vec![vec![block(8..15)], vec![]])]),
        block(15..n),
        Region::If([vec![], vec![block(n..n + 4)]]),
    ];
    for name in MACHINES {
        let spec = machine(name, &[]);
        let expected = report(&spec, &screen(&spec, straight.clone()).frame(0));
        let mut alike = screen(&spec, branching.clone());
        alike.paths = vec![vec![15, 0x0f, 15, 1, 15, 15, 0, 0, 15, 0x0f]];
        let found = report(&spec, &alike.frame(0));
        let [expected, found] = [expected, found]
            .map(|report| serde_json::to_string(&report).expect("a report is plain data"));
        assert!(found == expected, "{name}: every number");
    }
}

/// Textures and special functions in arms and loops, with paths that differ from quad to quad.
fn parting(spec: &MachineSpec) -> CoveredScreen {
    let one = |class| Instruction::new(class, &[]);
    let (alu, special) = (InstructionClass::Alu, InstructionClass::Transcendental);
    let texture = InstructionClass::Texture;
    let list = [alu, texture, special, alu, alu, texture, special, alu].map(one);
    let mut program = fragment_program("parts", list.to_vec());
    program.regions = vec![
        block(0..1),
        Region::If([vec![block(1..3)], vec![block(3..4)]]),
        Region::Loop(vec![block(4..6)]),
        Region::Switch(vec![vec![block(6..7)], vec![block(7..8)]]),
    ];
    let mut screen = screen(spec, program);
    screen.paths = vec![
        vec![15, 0x0f, 15, 0, 15, 15, 0],
        vec![15, 0xf0, 15, 3, 15, 0, 0, 15, 15],
        vec![15, 0x69, 9, 6, 2, 15, 1, 12, 4, 8, 0, 3, 3, 4, 4],
        vec![15, 0x01, 1, 0, 0, 0],
        vec![0, 0, 0, 0, 0],
    ];
    screen
}

/// Executions, lanes, lanes of specials and lanes of textures of each of these paths, counted by hand.
const WORK: [[u64; 4]; 5] = [
    [1 + 2 + 1, 4 + 8 + 4, 4 + 4, 4],
    [1 + 1 + 6 + 1, 4 + 4 + 24 + 4, 0, 12],
    [1 + 3 + 14 + 2, 4 + 4 + 2 + 28 + 3, 2 + 2, 2 + 14],
    [1 + 2, 4 + 2, 1, 1],
    [0; 4],
];

#[test]
fn work_of_quads_that_part_is_the_sum_over_their_paths() {
    for name in MACHINES {
        let spec = machine(name, &[]);
        let frame = parting(&spec).frame(0);
        let mut alone = frame.clone();
        for quad in alone.tiles.iter_mut().flat_map(|tile| &mut tile.paths) {
            *quad = PathIdx(4);
        }
        for tile in &mut alone.tiles {
            tile.block_counts.clear();
            tile.blocks.clear();
        }
        let taken = frame.tiles.iter().flat_map(|tile| &tile.paths);
        let mut sum = [0; 4];
        for path in taken {
            let work = WORK[path.0 as usize];
            sum = [0, 1, 2, 3].map(|of| sum[of] + work[of]);
        }
        let [found, nothing] = [&frame, &alone].map(|frame| report(&spec, frame).draws[0].cost);
        // Vertices, depth tests and blending are the same without any path.
        let threads = found.thread_instructions - nothing.thread_instructions;
        assert_eq!(threads, sum[1], "{name}: lanes");
        assert_eq!(found.transcendental_threads, sum[2], "{name}: specials");
        assert_eq!(found.texture_threads, sum[3], "{name}: textures");
        let issued = found.instructions - nothing.instructions;
        let quad_warps = spec.raster.core_types[0].core.warp_threads == 4;
        if quad_warps {
            assert_eq!(issued, sum[0], "{name}: a warp is a quad");
        } else {
            assert!(
                issued < sum[0],
                "{name}: quads of a warp share what they can"
            );
        }
    }
}

#[test]
fn quads_that_part_are_the_same_report_every_time() {
    for name in ["valhall-libra", "emerald-gpu"] {
        let spec = machine(name, &[]);
        let frame = parting(&spec).frame(0);
        let [first, second] = [0, 1].map(|_| report(&spec, &frame));
        assert!(first == second, "{name}: every number");
    }
}

#[test]
fn vertices_that_part_cost_their_own_lanes() {
    let spec = machine("valhall-libra-baseline", &[]);
    let mut screen = screen(&spec, independent(InstructionClass::Alu, 1));
    screen.layers = 5;
    let straight = screen.frame(0);
    let mut frame = straight.clone();
    // An attribute for all, an output in a loop.
    frame.programs[0].regions = vec![block(0..1), Region::Loop(vec![block(1..2)])];
    frame.paths = PathTable::default();
    let paths = [&[1, 1, 1, 0][..], &[1, 3, 1, 0], &[1, 0]];
    let paths = paths.map(|steps| frame.paths.push(ProgramId(0), steps));
    frame.draws[0].vertex_paths = (0..15).map(|vertex| paths[vertex % 3]).collect();
    let found = report(&spec, &frame).draws[0].cost;
    let expected = report(&spec, &straight).draws[0].cost;
    // A straight warp has whole quads of threads: 15 vertices take 16.
    let threads = expected.thread_instructions - 2 * 16;
    let own = 5 * ((1 + 1) + (1 + 3) + 1);
    assert_eq!(
        found.thread_instructions,
        threads + own,
        "lanes of vertices"
    );
    let warps = expected.warps - report_of_no_vertices(&spec, &straight);
    // One trip of all became the three of a third of them.
    assert_eq!(
        found.instructions,
        expected.instructions + 2 * warps,
        "trips"
    );
}

/// Warps of a frame's fragments.
fn report_of_no_vertices(spec: &MachineSpec, frame: &FrameTrace) -> u64 {
    let tiles = report(spec, frame).tiles;
    tiles.iter().map(|tile| tile.cost.warps).sum()
}
