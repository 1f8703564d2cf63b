//! Programs that branch, and paths, in a file.

use super::super::wire::Encoder;
use super::{GRID, frames, read, written};
use crate::synthetic::{CoveredScreen, TexelPattern, fragment_program};
use crate::{FrameTrace, Instruction, InstructionClass, PathIdx, ProgramId, Region};

/// A frame with every kind of region, a source of the trip before, and paths of quads and vertices.
fn branching_frame() -> FrameTrace {
    let texture = |sources: &[u32]| Instruction::new(InstructionClass::Texture, sources);
    let alu = |sources: &[u32]| Instruction::new(InstructionClass::Alu, sources);
    let list = vec![
        texture(&[]),
        alu(&[0, 1]),
        alu(&[3]),
        texture(&[2]),
        alu(&[]),
    ];
    let mut program = fragment_program("branches", list);
    program.regions = vec![
        Region::If([vec![Region::Block(0..1)], vec![]]),
        Region::Loop(vec![
            Region::Block(1..2),
            Region::Switch(vec![vec![Region::Block(2..3)], vec![Region::Block(3..4)]]),
        ]),
        Region::Block(4..5),
    ];
    let mut screen = CoveredScreen::new(GRID, program);
    screen.texels = TexelPattern::AlwaysNew;
    screen.paths = vec![
        vec![0xf, 15, 200, 15, 15, 15, 0, 0, 15],
        vec![0x96, 6, 1, 15, 3, 3, 12, 12, 2, 12, 0, 8, 8, 0, 15],
    ];
    let mut frame = screen.frame(0);
    frame.programs[0].regions = vec![Region::Loop(vec![Region::Block(0..2)])];
    frame.paths.push(ProgramId(0), &[7, 1, 0]);
    frame.draws[0].vertex_paths = vec![PathIdx(2); 3];
    frame
}

#[test]
fn trace_file_keeps_regions_and_paths() {
    let mut expected = frames();
    expected.insert(1, branching_frame());
    expected[2].before = vec![branching_frame()];
    assert_eq!(read(&written(&expected)).expect("as written"), expected);
}

#[test]
fn trace_file_of_branching_programs_cut_or_damaged_is_an_error() {
    let bytes = written(&[branching_frame()]);
    for at in 0..bytes.len() {
        assert!(read(&bytes[..at]).is_err(), "cut to {at} bytes");
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(read(&damaged).is_err(), "bit {} of byte {at}", at % 8);
    }
}

#[test]
fn trace_file_of_regions_nested_too_deep_is_refused() {
    let mut payload = Encoder::default();
    for number in [1, 0, 1, 0] {
        payload.unsigned(number); // one program without a name, of fragments, no instruction
    }
    payload.bytes.extend([1, 2].repeat(100_000)); // loops in loops
    let taken = super::super::branching::take_programs(&mut super::super::wire::Decoder::new(
        &payload.bytes,
        1 << 30,
    ));
    let expected = super::super::wire::Malformed::Content("a program's regions");
    assert_eq!(taken, Err(expected), "before the stack ends");
}
