//! Accesses to buffers and dispatches on disk.

use super::*;
use crate::synthetic::Kernel;

#[test]
fn trace_file_keeps_accesses_to_buffers() {
    let mut screen = CoveredScreen::new(GRID, independent(InstructionClass::Load, 2));
    screen.texels = TexelPattern::ScreenAligned;
    let mut expected = screen.frame(0);
    let vertex = &mut expected.programs[0];
    vertex.instructions[0].class = InstructionClass::Atomic;
    let draw = &mut expected.draws[0];
    draw.vertex_buffers = vec![1];
    for line in 0..draw.vertices.len() {
        draw.vertex_accesses.push([line as u32]);
    }
    let read = read(&written(&[expected.clone()])).expect("as written");
    assert_eq!(read, [expected]);
}

/// A frame behind two dispatches, the second of a program that branches.
fn computed() -> Vec<FrameTrace> {
    let one = |class| crate::Instruction::new(class, &[]);
    let classes = [
        InstructionClass::Load,
        InstructionClass::Shared,
        InstructionClass::Barrier,
        InstructionClass::Texture,
    ];
    let straight = Kernel::new("straight", classes.map(one).to_vec());
    let mut parting = Kernel::new("parting", vec![one(InstructionClass::Store); 2]);
    let arm = |at: u32| vec![crate::Region::Block(at..at + 1)];
    parting.regions = vec![crate::Region::If([arm(0), arm(1)])];
    parting.paths = vec![vec![0x0f, 15], vec![0xf0, 15]];
    parting.group_threads = 10;
    let mut frames = frames();
    frames[0].before = vec![straight.pass(), parting.pass()];
    frames
}

#[test]
fn trace_file_keeps_dispatches() {
    let expected = computed();
    assert_eq!(read(&written(&expected)).expect("as written"), expected);
}

#[test]
fn trace_file_of_dispatches_cut_or_damaged_is_an_error() {
    let bytes = written(&computed()[..1]);
    for end in 0..bytes.len() {
        assert!(read(&bytes[..end]).is_err(), "cut at {end}");
    }
    for bit in 0..8 * bytes.len() {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(read(&damaged).is_err(), "bit {bit}");
    }
}

/// Error message for a lawful frame after a change of its first compute pass.
fn complaint(change: impl FnOnce(&mut FrameTrace)) -> String {
    let mut frame = computed().remove(0);
    assert_eq!(frame.validate(), Ok(()), "lawful before the change");
    change(&mut frame.before[0]);
    frame.validate().expect_err("a contradiction").to_string()
}

#[test]
fn dispatch_is_refused_where_its_parts_do_not_fit() {
    let said = complaint(|pass| pass.grid.width = 8);
    assert!(said.contains("expected dispatches alone"), "{said}");
    let said = complaint(|pass| pass.dispatches[0].group_threads = 1025);
    assert!(said.contains("expected 1 to 1024"), "{said}");
    let said = complaint(|pass| pass.dispatches[0].n_groups = u32::MAX);
    assert!(said.contains("quads of invocations; expected"), "{said}");
    let said = complaint(|pass| pass.dispatches[0].buffers.clear());
    assert!(said.contains("0 buffers bound, 1 accessed"), "{said}");
    let said = complaint(|pass| pass.dispatches[0].textures.clear());
    assert!(said.contains("0 textures bound, 1 sampled"), "{said}");
    let said = complaint(|pass| pass.dispatches[0].n_groups += 1);
    assert!(said.contains("counts are missing"), "{said}");
    let said = complaint(|pass| pass.programs[0].stage = crate::ShaderStage::Fragment);
    assert!(said.contains("expected them in compute programs"), "{said}");
    let mut frame = computed().remove(0);
    frame = frame.before.remove(0);
    let said = frame.validate().expect_err("nothing is shown").to_string();
    assert!(
        said.contains("dispatches in the frame's last pass"),
        "{said}"
    );
}
