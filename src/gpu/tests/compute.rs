//! Compute passes to the cycle: workgroups, barriers, memory of workgroups, and what a kernel leaves for a frame.
//!
//! A dispatch's command is parsed in 100 cycles, a workgroup launched in the cycle after issues in the next one, and the pass
//! ends in the cycle behind that in which its last warp is through. Without more a kernel takes 101 cycles and those of a warp
//! that is launched at 0.

use super::*;
use azulejo_trace::synthetic::Kernel;
use azulejo_trace::{FrameTrace, Instruction, Region};

const ALU: InstructionClass = InstructionClass::Alu;
const LOAD: InstructionClass = InstructionClass::Load;
const STORE: InstructionClass = InstructionClass::Store;
const ATOMIC: InstructionClass = InstructionClass::Atomic;
const SHARED: InstructionClass = InstructionClass::Shared;
const BARRIER: InstructionClass = InstructionClass::Barrier;
const TEXTURE: InstructionClass = InstructionClass::Texture;

const MACHINES: [&str; 4] = [
    "mali450-re",
    "valhall-libra",
    "valhall-khepri",
    "emerald-gpu",
];

/// Cycles of a dispatch around its warps.
const AROUND: u64 = 101;

fn ideal() -> MachineSpec {
    machine("valhall-libra-baseline", &["ideal_memory=true"])
}

fn kernel(classes: &[InstructionClass]) -> Kernel {
    let list = classes.iter().map(|class| Instruction::new(*class, &[]));
    Kernel::new("kernel", list.collect())
}

/// A frame behind compute passes.
fn frame(spec: &MachineSpec, before: Vec<FrameTrace>) -> FrameTrace {
    let tile = spec.screen.grid.tile_size;
    FrameTrace {
        before,
        ..CoveredScreen::new(grid(64, 32, tile), independent(ALU, 1)).frame(0)
    }
}

fn reports(spec: &MachineSpec, frame: &FrameTrace) -> [FrameReport; 2] {
    assert_eq!(frame.validate(), Ok(()), "the frame's facts");
    let mut gpu = Gpu::new(spec).expect("a valid machine");
    [(); 2].map(|()| gpu.run_frame(frame).expect("no deadlock, all laws"))
}

/// Cycles of a kernel's pass.
fn cycles(spec: &MachineSpec, kernel: &Kernel) -> u64 {
    let [report, again] = reports(spec, &frame(spec, vec![kernel.pass()]));
    let [first, second] = [report, again].map(|report| report.passes[0].cycles.0);
    assert_eq!(first, second, "the same every time");
    first - AROUND
}

#[test]
fn kernel_takes_its_command_and_its_warps() {
    let mut one = kernel(&[ALU]);
    one.n_groups = 1;
    assert_eq!(cycles(&ideal(), &one), 7, "as a warp of any other stage");
    one.n_groups = 8;
    assert_eq!(cycles(&ideal(), &one), 7 + 7, "one launched a cycle");
    one.group_threads = 1;
    assert_eq!(cycles(&ideal(), &one), 7 + 7, "of any size");
}

#[test]
fn kernel_waits_at_a_barrier_for_the_last_warp() {
    let mut one = kernel(&[ALU, BARRIER, ALU]);
    (one.n_groups, one.group_threads) = (1, 16);
    assert_eq!(cycles(&ideal(), &one), 10, "arrives at 3, goes on at 4");
    one.group_threads = 64;
    // Four instructions a cycle: the last two warps issue at 2.
    assert_eq!(cycles(&ideal(), &one), 11, "arrive at 3 and 4");
    one.instructions.truncate(2);
    assert_eq!(cycles(&ideal(), &one), 8, "their arithmetic, issued at 2");
}

#[test]
fn barrier_waits_for_what_its_warp_has_asked_of_memory() {
    let mut one = kernel(&[LOAD, BARRIER, ALU]);
    (one.n_groups, one.group_threads) = (1, 16);
    // The load is there at 5, the barrier is reached at 7, and the rest issues at 8.
    assert_eq!(cycles(&ideal(), &one), 14);
    one.instructions[0].class = SHARED;
    assert_eq!(cycles(&ideal(), &one), 14, "memory of the workgroup alike");
}

#[test]
fn barriers_are_those_of_each_workgroup() {
    let mut many = kernel(&[ALU, BARRIER, ALU]);
    (many.n_groups, many.group_threads) = (40, 16);
    let spec = ideal();
    let [report, _] = reports(&spec, &frame(&spec, vec![many.pass()]));
    assert_eq!(report.passes[0].cycles.0 - AROUND, 39 + 10, "one a cycle");
    let kernel = &report.draws[1];
    assert_eq!(kernel.name, "kernel: kernel");
    assert_eq!((kernel.cost.warps, kernel.cost.instructions), (40, 120));
}

#[test]
fn barrier_in_a_loop_holds_each_trip() {
    let trips = 3;
    let mut looping = kernel(&[ALU, BARRIER]);
    looping.regions = vec![Region::Loop(vec![Region::Block(0..2)])];
    looping.paths = vec![vec![trips, 15, 0]];
    (looping.n_groups, looping.group_threads) = (1, 16);
    let unrolled = [ALU, BARRIER].repeat(trips.into());
    let mut straight = kernel(&unrolled);
    (straight.n_groups, straight.group_threads) = (1, 16);
    let expected = cycles(&ideal(), &straight);
    assert_eq!(cycles(&ideal(), &looping), expected);
    // Trips issue at 1, 4 and 7; the last barrier is passed at 10, and its arithmetic is done at 13.
    assert_eq!(expected, 13);
}

#[test]
fn workgroup_whose_warps_meet_at_no_common_barrier_comes_to_its_end() {
    let mut parting = kernel(&[BARRIER, ALU]);
    parting.regions = vec![Region::Loop(vec![Region::Block(0..1)]), Region::Block(1..2)];
    (parting.n_groups, parting.group_threads) = (3, 64);
    // Quads of the first warp of four make no trip, those of the others up to three.
    let trips = |n: u8| match n {
        0 => vec![0, 15],
        n => vec![n, 15, 0, 15],
    };
    parting.paths = (0..16).map(|quad| trips(quad / 4)).collect();
    for name in MACHINES {
        let spec = machine(name, &[]);
        reports(&spec, &frame(&spec, vec![parting.pass()]));
    }
}

#[test]
fn quads_that_part_make_a_warp_take_both_arms() {
    let mut parting = kernel(&[ALU, ALU, ALU, ALU]);
    parting.instructions[1].sources[0] = 0;
    parting.instructions[3].sources[0] = 2;
    parting.regions = vec![Region::If([
        vec![Region::Block(0..2)],
        vec![Region::Block(2..4)],
    ])];
    (parting.n_groups, parting.group_threads) = (1, 16);
    parting.paths = vec![vec![0x0f, 15]];
    assert_eq!(cycles(&ideal(), &parting), 13, "a chain of two");
    parting.paths = vec![vec![0x0f, 15], vec![0xf0, 15]];
    let both = cycles(&ideal(), &parting);
    // The second arm's first instruction issues with the first arm's second, in order.
    assert_eq!(both, 7 + 6 + 6, "one arm behind the other");
}

#[test]
fn workgroups_wait_for_room_on_a_core() {
    let spec = machine(
        "valhall-libra-baseline",
        &["ideal_memory=true", "raster.cores_per_unit=1"],
    );
    let mut large = kernel(&[ALU, BARRIER]);
    (large.n_groups, large.group_threads) = (1, 1024);
    let alone = cycles(&spec, &large);
    large.n_groups = 3;
    // The next is launched in the cycle in which the one before is through.
    assert_eq!(cycles(&spec, &large), 3 * alone, "64 warps each");
}

#[test]
fn dispatch_begins_when_the_one_before_has_ended() {
    let mut one = kernel(&[ALU]);
    one.n_groups = 1;
    let mut pass = one.pass();
    pass.dispatches.push(pass.dispatches[0].clone());
    let spec = ideal();
    let [report, _] = reports(&spec, &frame(&spec, vec![pass]));
    assert_eq!(report.passes[0].cycles.0, 2 * (AROUND - 1 + 7) + 1);
    assert_eq!(report.passes[0].draws, [1, 2], "both behind the frame's");
}

#[test]
fn kernel_accesses_memory_on_every_machine() {
    for name in MACHINES {
        let spec = machine(name, &[]);
        let mut all = kernel(&[LOAD, TEXTURE, STORE, ATOMIC, SHARED]);
        all.texels = TexelPattern::ScreenAligned;
        (all.n_groups, all.group_threads) = (32, 64);
        let [first, second] = reports(&spec, &frame(&spec, vec![all.pass()]));
        // 2,048 words, of each kind.
        let lines = 2048 * 4 / spec.l2.tags.line.0;
        let (kind, texture) = (Traffic::Buffer, Traffic::Texture);
        assert_eq!(first.dram.reads[texture], lines, "{name}: texels");
        assert!(first.dram.reads[kind] <= lines, "{name}: each once");
        assert_eq!(second.dram.reads[kind], 0, "{name}: the L2 has them");
        let data = |of: fn(&crate::shading::DataCounters) -> u64| {
            let cores = second.cores.iter();
            cores.map(|core| of(&core.data)).sum::<u64>()
        };
        let stored = data(|data| data.stored);
        assert!(stored >= lines, "{name}: {stored} stored");
        assert_eq!(data(|data| data.changed), stored, "{name}: as many");
        let kernel = second.draws[1].cost;
        let threads = 5 * 2048;
        assert_eq!(kernel.thread_instructions, threads, "{name}");
        assert_eq!(kernel.buffer_threads, 3 * 2048, "{name}");
        assert_eq!(kernel.texture_threads, 2048, "{name}");
    }
}

#[test]
fn frame_finds_what_a_kernel_has_stored_in_the_l2() {
    let spec = machine("valhall-libra-baseline", &[]);
    let tile = spec.screen.grid.tile_size;
    let mut reading = CoveredScreen::new(grid(64, 32, tile), independent(LOAD, 1));
    reading.texels = TexelPattern::ScreenAligned;
    let reading = reading.frame(0);
    let mut writing = kernel(&[STORE]);
    writing.texels = TexelPattern::ScreenAligned;
    (writing.n_groups, writing.group_threads) = (32, 64);
    let writing = writing.pass();
    assert_eq!(reading.buffers[1], writing.buffers[0], "the same buffer");
    let frame = FrameTrace {
        before: vec![writing],
        ..reading
    };
    let [report, _] = reports(&spec, &frame);
    assert_eq!(report.l2.writes[Traffic::Buffer], 128, "lines");
    assert_eq!(report.dram.reads[Traffic::Buffer], 0, "none is read");
    assert_eq!(report.l2.read_misses[Traffic::Buffer], 0, "all are there");
}

#[test]
fn workgroup_that_no_core_holds_is_refused() {
    let spec = machine("valhall-libra-baseline", &["core.baseline.warps=32"]);
    let mut large = kernel(&[ALU]);
    large.group_threads = 1024;
    let frame = frame(&spec, vec![large.pass()]);
    let mut gpu = Gpu::new(&spec).expect("a valid machine");
    let said = gpu.run_frame(&frame).expect_err("64 warps").to_string();
    let expected = "dispatch `kernel` has workgroups of 1024 invocations, and cores of \
                    valhall-libra-baseline hold 512";
    assert!(said.starts_with(expected), "{said}");
}
