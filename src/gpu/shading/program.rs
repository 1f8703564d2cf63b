//! Instruction lists, prepared for issue: which earlier results an instruction must really be checked for.
//!
//! A warp issues in order. So a result that one instruction has waited for needs no check by any later one: each producer is
//! checked by its first reader only. Results of the last [`WINDOW`] instructions are remembered; an instruction therefore also
//! checks the result that it is about to overwrite, unless somebody has waited for it in between: a scoreboard of [`WINDOW`] entries.
//! Texture results have their own scoreboard, one bit each, because nobody knows when they come.

use crate::trace::{InstructionClass, Program};

/// Arithmetic results of a warp that can be outstanding.
pub(crate) const WINDOW: usize = 32;

/// Results that one instruction can be waiting for: four sources and the window's own.
const MAX_WAITS: usize = 5;

/// Of these, those that every instruction has; unused ones name the instruction's own place, which is complete by then anyway.
pub(crate) const FIXED_WAITS: usize = 2;

/// The pipeline that an instruction takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Pipe {
    /// Arithmetic units.
    Alu,
    /// Special-function units.
    Transcendental,
    /// Memory pipelines.
    Memory,
    /// No instruction: the warp is through once all texture results have come.
    End,
}

/// An instruction as the issue stage sees it, in sixteen bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Op {
    pub(crate) pipe: Pipe,
    /// Where its completion time is kept: its position modulo [`WINDOW`].
    pub(crate) slot: u8,
    /// Number of wait slots in use.
    pub(crate) n_waits: u8,
    /// Window positions whose completion it needs.
    pub(crate) waits: [u8; MAX_WAITS],
    /// Texture results that it needs; for a texture instruction also its own bit.
    pub(crate) texture_waits: u32,
    /// Of a texture instruction: its bit.
    pub(crate) texture_bit: u32,
}

/// The programs of a frame, one after the other, each closed by an [`Pipe::End`].
#[derive(Debug, Clone, Default)]
pub(crate) struct ProgramStore {
    pub(crate) ops: Vec<Op>,
    /// By program number.
    pub(crate) programs: Vec<ProgramShape>,
}

/// Where a program lies in the store, and what is in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProgramShape {
    pub(crate) first: u32,
    /// Instructions without the end mark.
    pub(crate) n_instructions: u32,
    pub(crate) n_transcendentals: u32,
}

impl ProgramStore {
    pub(crate) fn new(programs: &[Program]) -> Self {
        let mut store = Self::default();
        for program in programs {
            store.add(program);
        }
        store
    }

    fn add(&mut self, program: &Program) {
        let ops = &mut self.ops;
        let first = ops.len() as u32;
        let mut waited = vec![false; program.instructions.len()];
        // Number of each texture instruction among its kind, by position.
        let mut texture_number = vec![0_u32; program.instructions.len()];
        let mut n_textures = 0;
        let mut n_transcendentals = 0;
        for (position, instruction) in program.instructions.iter().enumerate() {
            let mut op = Op {
                pipe: pipe_of(instruction.class),
                slot: (position % WINDOW) as u8,
                n_waits: 0,
                waits: [(position % WINDOW) as u8; MAX_WAITS],
                texture_waits: 0,
                texture_bit: 0,
            };
            // A texture instruction keeps nothing in the window.
            let overwritten = position
                .checked_sub(WINDOW)
                .filter(|&source| !is_texture(program, source));
            for source in instruction.reads().chain(overwritten) {
                if std::mem::replace(&mut waited[source], true) {
                    continue;
                }
                if is_texture(program, source) {
                    // Beyond 32 the bit has been taken over by a later texture instruction, which waited for this one.
                    if n_textures - texture_number[source] <= u32::BITS {
                        op.texture_waits |= 1 << (texture_number[source] % u32::BITS);
                    }
                } else {
                    op.waits[usize::from(op.n_waits)] = (source % WINDOW) as u8;
                    op.n_waits += 1;
                }
            }
            if op.pipe == Pipe::Memory {
                texture_number[position] = n_textures;
                op.texture_bit = 1 << (n_textures % u32::BITS);
                op.texture_waits |= op.texture_bit;
                n_textures += 1;
            }
            n_transcendentals += u32::from(op.pipe == Pipe::Transcendental);
            ops.push(op);
        }
        ops.push(Op {
            pipe: Pipe::End,
            slot: 0,
            n_waits: 0,
            // Complete when the mark is reached: the place that the next instruction would take.
            waits: [(program.instructions.len().saturating_sub(1) % WINDOW) as u8; MAX_WAITS],
            texture_waits: u32::MAX,
            texture_bit: 0,
        });
        self.programs.push(ProgramShape {
            first,
            n_instructions: program.instructions.len() as u32,
            n_transcendentals,
        });
    }
}

fn is_texture(program: &Program, position: usize) -> bool {
    program.instructions[position].class == InstructionClass::Texture
}

fn pipe_of(class: InstructionClass) -> Pipe {
    match class {
        // Varyings are interpolated by the rasteriser and attributes fetched by the vertex fetcher: in the core both are
        // register moves, as is handing a result over.
        InstructionClass::Alu
        | InstructionClass::Varying
        | InstructionClass::Attribute
        | InstructionClass::Output => Pipe::Alu,
        InstructionClass::Transcendental => Pipe::Transcendental,
        InstructionClass::Texture => Pipe::Memory,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Instruction;
    use crate::trace::synthetic::{chain, fragment_program, independent};

    fn waits(op: &Op) -> &[u8] {
        &op.waits[..usize::from(op.n_waits)]
    }

    #[test]
    fn program_checks_a_result_once() {
        let read = |sources: &[u32]| Instruction::new(InstructionClass::Alu, sources);
        let program = fragment_program("", vec![read(&[]), read(&[0]), read(&[0, 1]), read(&[0])]);
        let ops = ProgramStore::new(&[program]).ops;
        assert_eq!(waits(&ops[1]), [0], "first reader of 0");
        assert_eq!(waits(&ops[2]), [1], "0 was complete when 1 issued");
        assert_eq!(waits(&ops[3]), [0_u8; 0], "nothing left to check");
    }

    #[test]
    fn program_checks_the_window_place_it_takes() {
        let ops = ProgramStore::new(&[independent(InstructionClass::Alu, 40)]).ops;
        assert_eq!(waits(&ops[31]), [0_u8; 0], "window not yet full");
        assert_eq!(waits(&ops[32]), [0], "takes the place of instruction 0");
        let ops = ProgramStore::new(&[chain(InstructionClass::Alu, 40)]).ops;
        assert_eq!(
            waits(&ops[32]),
            [31],
            "instruction 0 was waited for long ago"
        );
    }

    #[test]
    fn program_checks_textures_by_bit() {
        let mut instructions = vec![Instruction::new(InstructionClass::Texture, &[]); 33];
        instructions.push(Instruction::new(InstructionClass::Alu, &[0, 32]));
        let ops = ProgramStore::new(&[fragment_program("", instructions)]).ops;
        assert_eq!(ops[1].texture_waits, 0b10, "its own bit must be free");
        assert_eq!(
            ops[33].texture_waits, 1,
            "bit 0 is that of texture 32, which waited for texture 0"
        );
    }
}
