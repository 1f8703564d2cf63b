//! Programs that access buffers, on whole machines: lines through the data caches and the L2 by closed form, whatever the
//! pipeline is.

use super::*;
use azulejo_trace::synthetic::{fragment_program, surface};
use azulejo_trace::{FrameTrace, Instruction, Region};

const MACHINES: [&str; 4] = [
    "mali450-re",
    "valhall-libra",
    "valhall-khepri",
    "emerald-gpu",
];

/// One layer over 16x16 blocks of 4x4 pixels, each block a line of 64 bytes.
fn screen(spec: &MachineSpec, class: InstructionClass) -> CoveredScreen {
    let tile = spec.screen.grid.tile_size;
    let mut screen = CoveredScreen::new(grid(64, 64, tile), independent(class, 1));
    screen.texels = TexelPattern::ScreenAligned;
    screen
}

/// Blocks of the screen.
const BLOCKS: u64 = 256;

/// Reports of two frames with the same facts, after the laws of conservation.
fn reports(spec: &MachineSpec, trace: &FrameTrace) -> [FrameReport; 2] {
    assert_eq!(trace.validate(), Ok(()), "the frame's facts");
    let mut gpu = Gpu::new(spec).expect("a valid machine");
    [(); 2].map(|()| gpu.run_frame(trace).expect("no deadlock"))
}

fn sum(report: &FrameReport, of: fn(&crate::shading::DataCounters) -> u64) -> u64 {
    report.cores.iter().map(|core| of(&core.data)).sum()
}

/// Lines of the machine that the blocks lie in.
fn lines(spec: &MachineSpec) -> u64 {
    BLOCKS * 64 / spec.l2.tags.line.0
}

#[test]
fn loads_ask_the_l2_for_what_the_data_caches_lack() {
    for name in MACHINES {
        let spec = machine(name, &[]);
        let [first, second] = reports(&spec, &screen(&spec, InstructionClass::Load).frame(0));
        let kind = Traffic::Buffer;
        assert_eq!(first.dram.reads[kind], lines(&spec), "{name}: each once");
        assert_eq!(second.dram.reads[kind], 0, "{name}: the L2 holds them");
        assert!(second.l2.reads[kind] >= lines(&spec), "{name}: begun empty");
        assert_eq!(second.l2.read_misses[kind], 0, "{name}");
        for report in [first, second] {
            let misses = sum(&report, |data| data.misses);
            assert_eq!(report.l2.reads[kind], misses, "{name}: one a miss");
            assert_eq!(report.l2.writes[kind], 0, "{name}: nothing written");
        }
    }
}

#[test]
fn stores_and_atomics_leave_their_lines_in_the_l2() {
    for name in MACHINES {
        let spec = machine(name, &[]);
        for class in [InstructionClass::Store, InstructionClass::Atomic] {
            let [first, second] = reports(&spec, &screen(&spec, class).frame(0));
            let kind = Traffic::Buffer;
            for report in [&first, &second] {
                let stored = sum(report, |data| data.stored);
                let changed = sum(report, |data| data.changed);
                assert!(stored + changed >= lines(&spec), "{name}: each line");
                assert_eq!(report.l2.writes[kind], stored + changed, "{name}");
                assert_eq!(report.l2.reads[kind], changed, "{name}: atomics read");
                assert_eq!(report.dram.writes[kind], 0, "{name}: they fit");
            }
            let read = first.dram.reads[kind];
            let expected = match class {
                InstructionClass::Store => 0,
                _ => lines(&spec),
            };
            assert_eq!(read, expected, "{name}: stores need nothing first");
            assert_eq!(second.dram.reads[kind], 0, "{name}: all are there");
        }
    }
}

#[test]
fn stored_lines_that_leave_the_l2_are_traffic_of_buffers() {
    let spec = machine("valhall-libra-baseline", &["l2.size=4KiB", "l2.ways=4"]);
    let [first, second] = reports(&spec, &screen(&spec, InstructionClass::Store).frame(0));
    let kind = Traffic::Buffer;
    let written = first.dram.writes[kind] + second.dram.writes[kind];
    let stored = first.l2.writes[kind] + second.l2.writes[kind];
    // 64 lines stay.
    assert!(written + 64 >= 2 * BLOCKS, "{written} lines");
    assert!(written <= stored, "{written} of {stored}");
    assert_eq!(first.dram.reads[kind], 0, "whole lines");
}

#[test]
fn vertices_access_lines_of_their_own() {
    for name in MACHINES {
        let spec = machine(name, &[]);
        let mut frame = screen(&spec, InstructionClass::Load).frame(0);
        frame.programs[0].instructions[1].class = InstructionClass::Load;
        let draw = &mut frame.draws[0];
        draw.vertex_buffers = vec![1];
        let line = |vertex: usize| [vertex as u32 * 8];
        (0..draw.vertices.len()).for_each(|vertex| draw.vertex_accesses.push(line(vertex)));
        let n_vertices = draw.vertices.len() as u64;
        let [before, after] = [screen(&spec, InstructionClass::Load).frame(0), frame]
            .map(|frame| reports(&spec, &frame));
        for (before, after) in before.iter().zip(&after) {
            let added = sum(after, |data| data.accesses) - sum(before, |data| data.accesses);
            assert_eq!(added, n_vertices, "{name}: apart by eight lines");
            let threads = |report: &FrameReport| report.draws[0].cost.buffer_threads;
            assert!(threads(after) > threads(before), "{name}: by thread");
        }
        let read = before[0].dram.reads[Traffic::Buffer];
        assert_eq!(
            after[0].dram.reads[Traffic::Buffer],
            read,
            "{name}: the same"
        );
    }
}

#[test]
fn accesses_that_all_quads_make_alike_cost_what_a_straight_program_costs() {
    let one = |class| Instruction::new(class, &[]);
    let mut straight = surface(2, 10);
    let classes = [
        InstructionClass::Load,
        InstructionClass::Atomic,
        InstructionClass::Store,
    ];
    straight.instructions.extend(classes.map(one));
    let n = straight.instructions.len() as u32;
    let mut branching = straight.clone();
    let never = [one(InstructionClass::Load); 2];
    branching.instructions.extend(never);
    branching.regions = vec![
        Region::Block(0..n - 3),
        Region::Loop(vec![Region::Block(n - 3..n)]),
        Region::If([vec![], vec![Region::Block(n..n + 2)]]),
    ];
    for name in MACHINES {
        let spec = machine(name, &[]);
        let tile = spec.screen.grid.tile_size;
        let of = |program: &Program, path: Option<Vec<u8>>| {
            let mut screen = CoveredScreen::new(grid(90, 50, tile), program.clone());
            screen.layers = 2;
            screen.texels = TexelPattern::ScreenAligned;
            screen.state.depth_test = true;
            screen.state.blend = true;
            screen.paths = path.into_iter().collect();
            let [_, report] = reports(&spec, &screen.frame(0));
            serde_json::to_string(&report).expect("a report is plain data")
        };
        let expected = of(&straight, None);
        let found = of(&branching, Some(vec![15, 1, 15, 0, 0x0f]));
        assert!(found == expected, "{name}: every number");
    }
}

#[test]
fn ideal_memory_has_no_lines_of_buffers() {
    let spec = machine("valhall-libra-baseline", &["ideal_memory=true"]);
    for class in [InstructionClass::Load, InstructionClass::Atomic] {
        let [report, _] = reports(&spec, &screen(&spec, class).frame(0));
        assert_eq!(report.l2.reads[Traffic::Buffer], 0, "none is asked for");
        assert!(sum(&report, |data| data.accesses) >= BLOCKS, "all are made");
    }
}

/// Programs without branches whose accesses cannot overlap: what the unit takes is felt.
#[test]
fn loads_of_one_line_a_cycle_bound_a_frame_of_them() {
    let spec = machine("valhall-libra-baseline", &["ideal_memory=true"]);
    let loads = 16;
    let program = fragment_program(
        "loads",
        vec![Instruction::new(InstructionClass::Load, &[]); loads],
    );
    let tile = spec.screen.grid.tile_size;
    let mut screen = CoveredScreen::new(grid(64, 64, tile), program);
    screen.texels = TexelPattern::AlwaysNew;
    let [report, _] = reports(&spec, &screen.frame(0));
    // A quad is one access of each load; eight cores share them.
    let accesses = 32 * 32 * loads as u64;
    assert_eq!(sum(&report, |data| data.accesses), accesses);
    assert!(
        report.raster_cycles.0 >= accesses / 8,
        "one a core and cycle"
    );
    assert!(
        report.raster_cycles.0 < accesses / 8 * 5 / 4,
        "and little more"
    );
}
