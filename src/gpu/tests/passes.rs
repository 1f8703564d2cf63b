//! Frames of several passes: what a pass leaves in a texture, the next one finds in the L2; what never leaves the chip costs
//! nothing.

use std::sync::{Arc, Mutex};

use super::{grid, machine};
use crate::memory::{L2Recording, Traffic};
use crate::{FrameReport, Gpu};
use azulejo_trace::synthetic::{CoveredScreen, Kernel, TexelPattern, independent};
use azulejo_trace::{
    BufferInfo, FrameTrace, Instruction, InstructionClass, ProgramId, TargetInfo, TargetTexture,
    TextureIdx,
};
use azulejo_units::{Bytes, Cycles};

const MACHINE: &str = "valhall-libra-baseline";

/// A pass that samples a texture of the screen's size once a pixel, behind one that draws it.
fn drawn_and_sampled(edge: u32, ops: TargetInfo) -> FrameTrace {
    let program = independent(InstructionClass::Texture, 1);
    let mut sampling = CoveredScreen::new(grid(edge, edge, 16), program);
    sampling.texels = TexelPattern::ScreenAligned;
    let sampling = sampling.frame(0);
    let program = independent(InstructionClass::Alu, 1);
    let mut drawing = CoveredScreen::new(grid(edge, edge, 16), program).frame(0);
    drawing.name = "drawing".to_owned();
    drawing.textures.clone_from(&sampling.textures);
    let texture = Some(TargetTexture {
        texture: TextureIdx(0),
        first_block: 0,
    });
    drawing.targets = vec![TargetInfo { texture, ..ops }];
    FrameTrace {
        name: "sampling".to_owned(),
        before: vec![drawing],
        ..sampling
    }
}

fn run(gpu: &mut Gpu, frame: &FrameTrace) -> FrameReport {
    assert_eq!(frame.validate(), Ok(()), "the frame's facts");
    gpu.run_frame(frame).expect("no deadlock, all laws")
}

fn gpu(changes: &[&str]) -> Gpu {
    Gpu::new(&machine(MACHINE, changes)).expect("a valid machine")
}

#[test]
fn pass_finds_what_the_one_before_has_drawn_in_the_l2() {
    let frame = drawn_and_sampled(64, TargetInfo::default());
    let report = run(&mut gpu(&[]), &frame);
    let lines = 64 * 64 * 4 / 64;
    assert_eq!(report.l2.writes[Traffic::Color], lines, "each line once");
    assert_eq!(report.l2.read_misses[Traffic::Texture], 0, "all are there");
    assert_eq!(report.dram.reads[Traffic::Texture], 0, "so none is read");
    assert_eq!(report.dram.writes[Traffic::Color], 0, "nor written yet");
    assert_eq!(
        report.dram.writes[Traffic::ColorFlush],
        lines,
        "the picture"
    );
}

/// A kernel that stores to all of a frame's texture, a pixel an invocation.
fn storing(frame: &FrameTrace, edge: u32) -> FrameTrace {
    let store = Instruction::new(InstructionClass::Store, &[]);
    let mut kernel = Kernel::new("storing", vec![store]);
    kernel.n_groups = edge * edge / kernel.group_threads;
    kernel.texels = TexelPattern::ScreenAligned;
    let mut pass = kernel.pass();
    pass.textures.clone_from(&frame.textures);
    pass.buffers[0] = BufferInfo {
        name: "storage".to_owned(),
        bytes: frame.textures[0].bytes(),
        texture: Some(TextureIdx(0)),
    };
    pass
}

/// A compute pass that samples a texture, stores to it or to a buffer beside it, and samples it again, a workgroup a core.
fn sampled_and_stored(into_texture: bool) -> FrameTrace {
    let kernel = |class| {
        let mut kernel = Kernel::new("kernel", vec![Instruction::new(class, &[])]);
        kernel.n_groups = 8;
        kernel.texels = TexelPattern::ScreenAligned;
        kernel.pass()
    };
    let mut pass = kernel(InstructionClass::Texture);
    let mut storing = kernel(InstructionClass::Store);
    storing.dispatches[0].program = ProgramId(1);
    pass.programs.append(&mut storing.programs);
    pass.buffers = storing.buffers;
    pass.buffers[0].texture = into_texture.then_some(TextureIdx(0));
    let again = pass.dispatches[0].clone();
    pass.dispatches.append(&mut storing.dispatches);
    pass.dispatches.push(again);
    pass
}

#[test]
fn texture_caches_forget_what_a_dispatch_has_stored() {
    let reads = |into_texture| {
        let program = independent(InstructionClass::Alu, 1);
        let frame = FrameTrace {
            before: vec![sampled_and_stored(into_texture)],
            ..CoveredScreen::new(grid(64, 64, 16), program).frame(0)
        };
        run(&mut gpu(&[]), &frame).l2.reads[Traffic::Texture]
    };
    let lines = 8 * 64 / 16;
    assert_eq!(reads(false), lines, "held from the first dispatch on");
    assert_eq!(reads(true), 2 * lines, "asked for again");
}

#[test]
fn texture_that_a_copy_has_read_stays_in_texture_caches() {
    let mut frame = drawn_and_sampled(64, TargetInfo::default());
    let mut copying = storing(&frame, 64);
    let copy = &mut copying.programs[0].instructions;
    *copy = vec![
        Instruction::new(InstructionClass::Load, &[]),
        Instruction::new(InstructionClass::Store, &[0]),
    ];
    copying.buffers.push(BufferInfo {
        name: "rows".to_owned(),
        bytes: frame.textures[0].bytes(),
        texture: None,
    });
    let dispatch = &mut copying.dispatches[0];
    dispatch.buffers = vec![0, 1];
    let lines = std::mem::take(&mut dispatch.accesses.lines);
    dispatch.accesses.counts = vec![1; 2 * lines.len()];
    dispatch.accesses.lines = lines.iter().flat_map(|line| [*line; 2]).collect();
    frame.before = vec![copying];
    let mut gpu = gpu(&[]);
    let reads = |gpu: &mut Gpu| run(gpu, &frame).l2.reads[Traffic::Texture];
    let [first, second] = [(); 2].map(|()| reads(&mut gpu));
    assert!(second < first / 2, "{first} reads, then {second}");
}

#[test]
fn texture_that_is_drawn_and_stored_to_goes_out_twice() {
    let mut frame = drawn_and_sampled(512, TargetInfo::default());
    let (lines, held) = (512 * 512 * 4 / 64, 65536 / 64);
    for storing_first in [false, true] {
        let storing = storing(&frame, 512);
        let drawing = frame.before.swap_remove(0);
        frame.before = match storing_first {
            true => vec![storing, drawing],
            false => vec![drawing, storing],
        };
        let report = run(&mut gpu(&["l2.size=65536"]), &frame);
        let written = &report.dram.writes;
        let written = written[Traffic::Color] + written[Traffic::Buffer];
        assert!(
            (2 * lines - held..=2 * lines).contains(&written),
            "{written} of two times {lines}"
        );
        frame.before.retain(|pass| pass.dispatches.is_empty());
    }
}

#[test]
fn pass_finds_what_a_kernel_has_stored_of_its_texture_in_the_l2() {
    let mut frame = drawn_and_sampled(64, TargetInfo::default());
    frame.before = vec![storing(&frame, 64)];
    let mut gpu = gpu(&[]);
    for number in 0..2 {
        frame.frame = number;
        let report = run(&mut gpu, &frame);
        let lines = 64 * 64 * 4 / 64;
        assert_eq!(report.l2.read_misses[Traffic::Texture], 0, "all are there");
        // A second frame finds nothing in texture caches that the kernel has changed since.
        let core_reads = report.l2.reads[Traffic::Texture];
        assert!(core_reads >= lines, "{core_reads} in frame {number}");
    }
}

#[test]
fn pass_that_keeps_its_target_on_the_chip_moves_nothing() {
    let transient = TargetInfo {
        store: false,
        ..TargetInfo::default()
    };
    let report = run(&mut gpu(&[]), &drawn_and_sampled(64, transient));
    assert_eq!(report.l2.writes[Traffic::Color], 0, "nothing leaves");
    let lines = 64 * 64 * 4 / 64;
    assert_eq!(report.dram.reads[Traffic::Texture], lines, "of old content");
    assert_eq!(report.passes[0].targets[0].stored, Bytes(0), "as reported");
}

#[test]
fn target_that_outgrows_the_l2_goes_to_the_dram_and_comes_back() {
    let frame = drawn_and_sampled(512, TargetInfo::default());
    let report = run(&mut gpu(&["l2.size=65536"]), &frame);
    let (lines, held) = (512 * 512 * 4 / 64, 65536 / 64);
    let written = report.dram.writes[Traffic::Color];
    assert!(
        (lines - held..=lines).contains(&written),
        "all but what the cache holds: {written} of {lines}"
    );
    let read = report.dram.reads[Traffic::Texture];
    assert!(read >= lines - held, "they are read again: {read}");
}

#[test]
fn texture_caches_forget_what_a_pass_has_drawn_anew() {
    // 4 KiB: less than the texture cache of a core.
    let both = drawn_and_sampled(32, TargetInfo::default());
    let sampling = FrameTrace {
        before: Vec::new(),
        ..both.clone()
    };
    let mut gpu = gpu(&["raster.units=1", "raster.cores_per_unit=1"]);
    let mut asked = |frame: &FrameTrace| run(&mut gpu, frame).l2.reads[Traffic::Texture];
    let lines = 32 * 32 * 4 / 64;
    assert_eq!(asked(&both), lines, "at first");
    assert_eq!(asked(&both), lines, "drawn anew");
    assert_eq!(asked(&sampling), 0, "not drawn since");
}

#[test]
fn passes_of_a_frame_sum_to_it() {
    let frame = drawn_and_sampled(64, TargetInfo::default());
    let report = run(&mut gpu(&[]), &frame);
    let [drawing, sampling] = report.passes.as_slice() else {
        panic!("two passes: {:?}", report.passes);
    };
    assert_eq!(drawing.cycles + sampling.cycles, report.cycles);
    assert_eq!(
        drawing.geometry_cycles + sampling.geometry_cycles,
        report.geometry_cycles
    );
    assert_eq!(drawing.activity.start, Cycles::ZERO);
    assert_eq!(sampling.activity.start, drawing.cycles);
    for (kind, name) in Traffic::ALL {
        let passes = report.passes.iter().map(|pass| &pass.activity.dram_lines);
        let whole = report.dram.reads[kind] + report.dram.writes[kind];
        assert_eq!(
            passes.map(|lines| lines[kind]).sum::<u64>(),
            whole,
            "{name}"
        );
    }
    let pixels = 64 * 64;
    assert_eq!(drawing.targets[0].name, "synthetic 0");
    assert_eq!(drawing.targets[0].stored, Bytes(4 * pixels));
    assert_eq!(sampling.targets[0].name, "frame buffer");
    assert_eq!(sampling.targets[0].stored, Bytes(4 * pixels));
    let names = report.draws.iter().map(|draw| draw.name.as_str());
    let expected = ["sampling: layers", "drawing: layers"];
    assert_eq!(names.collect::<Vec<_>>(), expected);
    assert_eq!((sampling.draws, drawing.draws), ([0, 1], [1, 1]));
}

#[test]
fn passes_may_have_other_tiles_and_samples() {
    let mut frame = drawn_and_sampled(64, TargetInfo::default());
    let small = CoveredScreen::new(grid(40, 24, 8), independent(InstructionClass::Alu, 3));
    let small = FrameTrace {
        name: "small".to_owned(),
        samples: azulejo_grid::SampleCount::Four,
        pixel_bytes: 128,
        targets: Vec::new(),
        ..small.frame(0)
    };
    frame.before.insert(0, small);
    let report = run(&mut gpu(&[]), &frame);
    assert_eq!(report.passes.len(), 3);
    assert_eq!(report.passes[0].tiles.len(), 5 * 3, "its own");
    assert_eq!(report.tiles.len(), 4 * 4, "of the last");
}

#[test]
fn passes_with_other_tiles_are_not_in_streams_of_the_l2() {
    let stream = |frame: &FrameTrace| {
        let mut gpu = gpu(&[]);
        let recording = L2Recording::new(gpu.l2_stream_header());
        let recording = Arc::new(Mutex::new(recording));
        gpu.observe_l2(Arc::clone(&recording));
        run(&mut gpu, frame);
        let recording = recording.lock().expect("nobody else has it");
        recording.words().expect("few").len()
    };
    let both = drawn_and_sampled(64, TargetInfo::default());
    let program = independent(InstructionClass::Texture, 1);
    let mut larger = CoveredScreen::new(grid(128, 128, 16), program);
    larger.texels = TexelPattern::ScreenAligned;
    let behind_larger = FrameTrace {
        before: vec![larger.frame(0)],
        ..both.clone()
    };
    let alone = FrameTrace {
        before: Vec::new(),
        ..both.clone()
    };
    assert_eq!(stream(&behind_larger), stream(&alone), "64 tiles and no 16");
}

#[test]
fn passes_run_on_a_machine_without_tiles() {
    let spec = machine("emerald-gpu", &["pipeline=immediate"]);
    let mut gpu = Gpu::new(&spec).expect("a valid machine");
    let report = run(&mut gpu, &drawn_and_sampled(64, TargetInfo::default()));
    assert_eq!(report.passes.len(), 2);
    assert_eq!(report.dram.reads[Traffic::Texture], 0, "all in the L2");
}

#[test]
fn pass_that_goes_on_with_a_target_loads_it_from_the_l2() {
    let mut frame = drawn_and_sampled(64, TargetInfo::default());
    let again = TargetInfo {
        load: true,
        ..frame.before[0].targets[0]
    };
    let program = independent(InstructionClass::Alu, 1);
    let second = FrameTrace {
        name: "again".to_owned(),
        textures: frame.textures.clone(),
        targets: vec![again],
        ..CoveredScreen::new(grid(64, 64, 16), program).frame(0)
    };
    frame.before.push(second);
    let report = run(&mut gpu(&[]), &frame);
    let lines = 64 * 64 * 4 / 64;
    assert_eq!(report.l2.reads[Traffic::Color], lines, "each line once");
    assert_eq!(report.l2.read_misses[Traffic::Color], 0, "all are there");
    assert_eq!(
        report.dram.reads.total(),
        report.dram.reads[Traffic::Vertex]
            + report.dram.reads[Traffic::Command]
            + report.dram.reads[Traffic::Display]
    );
    assert_eq!(report.passes[1].targets[0].loaded, Bytes(64 * lines));
}
