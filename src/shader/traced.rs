//! Code as a trace has it: a program of regions, and the path of each quad or vertex that ran it.
//!
//! A copy of the code with marks runs in its place: a mark before each block of instructions, each `if`, each case and each trip
//! notes the lanes that come by. The code without marks has no cost of it.
//!
//! A branch costs an instruction of the arithmetic unit: an `if` or `switch` once, a loop for each trip, and each jump.

mod sources;
mod tree;

use azulejo_trace::{
    Instruction as TracedInstruction, InstructionClass, PathRecorder, Program, Region, ShaderStage,
};

use super::code::{Code, Instruction, Stage};
use super::operation::{Op, Unit};
use super::run::Batch;
use tree::{Node, Tree};

/// Code that notes its paths, with its program.
#[derive(Debug, Clone)]
pub struct TracedCode {
    code: Code,
    program: Program,
    nodes: Vec<Node>,
    /// Position in `code` of each instruction of the program, but of inputs and outputs.
    #[cfg(test)]
    positions: Vec<Option<u32>>,
}

/// Part of a program that a trace has no instructions for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Untraceable {
    /// Stage.
    #[error("a compute program; expected one of vertices or fragments")]
    Stage,
    /// Instruction.
    #[error("line {line}: an instruction of unit {}; expected others", unit.name())]
    Unit {
        /// Unit that would execute it.
        unit: Unit,
        /// Line in the source, 0 where it comes from none.
        line: u32,
    },
}

/// Class of a unit's instructions; uniforms that lanes read are operands of arithmetic, as recording lanes have them.
fn class_of(unit: Unit) -> Option<InstructionClass> {
    match unit {
        Unit::Alu | Unit::Control => Some(InstructionClass::Alu),
        Unit::Transcendental => Some(InstructionClass::Transcendental),
        Unit::Texture => Some(InstructionClass::Texture),
        Unit::Load => Some(InstructionClass::Load),
        Unit::Store => Some(InstructionClass::Store),
        Unit::Atomic => Some(InstructionClass::Atomic),
        Unit::Shared | Unit::Barrier => None,
    }
}

impl TracedCode {
    /// The program of a code, which is straight if no region is left in it.
    ///
    /// # Errors
    /// If a trace has no instructions of a unit that the code uses, or no programs of its stage.
    pub fn new(code: &Code) -> Result<Self, Untraceable> {
        Self::with_classes(code, class_of)
    }

    /// The program of a code that accesses no buffer but uniforms.
    ///
    /// # Errors
    /// As [`TracedCode::new`], and if it does.
    pub(super) fn without_buffers(code: &Code) -> Result<Self, Untraceable> {
        let is_other = |class: &InstructionClass| !class.accesses_buffer();
        Self::with_classes(code, |unit| class_of(unit).filter(is_other))
    }

    /// The program with instructions of classes that `class_of` gives to units.
    pub(super) fn with_classes(
        code: &Code,
        class_of: impl Fn(Unit) -> Option<InstructionClass>,
    ) -> Result<Self, Untraceable> {
        let stage = match code.stage {
            Stage::Vertex => ShaderStage::Vertex,
            Stage::Fragment => ShaderStage::Fragment,
            Stage::Compute => return Err(Untraceable::Stage),
        };
        let Tree {
            code,
            nodes,
            regions,
            positions,
        } = Tree::of(code);
        let mut instructions = Vec::with_capacity(positions.len());
        for (position, sources) in positions.iter().zip(sources::of(&code, &positions)) {
            let class = match position.map(|at| code.instructions[at as usize]) {
                None => interface_class(&code, instructions.len()),
                Some(instruction) => {
                    let Instruction { op, line, .. } = instruction;
                    let unit = match op {
                        Op::Load { memory, .. } if code.is_uniform(memory) => Unit::Alu,
                        _ => op.unit().unwrap_or(Unit::Control),
                    };
                    class_of(unit).ok_or(Untraceable::Unit { unit, line })?
                }
            };
            instructions.push(TracedInstruction { class, sources });
        }
        let branches = regions
            .iter()
            .any(|region| !matches!(region, Region::Block(_)));
        Ok(Self {
            program: Program {
                name: code.entry.clone(),
                stage,
                instructions,
                regions: if branches { regions } else { Vec::new() },
            },
            code,
            nodes,
            #[cfg(test)]
            positions,
        })
    }

    /// The code to run.
    #[must_use]
    pub const fn code(&self) -> &Code {
        &self.code
    }

    /// The program.
    #[must_use]
    pub const fn program(&self) -> &Program {
        &self.program
    }

    /// Positions of the bindings that its loads, stores and atomics access, in program order.
    pub fn accessed(&self) -> impl Iterator<Item = u32> + '_ {
        let instructions = self.code.instructions.iter();
        instructions.filter_map(|instruction| self.code.accessed(instruction.op))
    }

    /// Words of storage buffers that are loaded once for all threads, as constants are: no instruction of the program stands for
    /// them.
    #[must_use]
    pub fn constant_words(&self) -> usize {
        let prologue = self.code.prologue.iter();
        let loads = prologue.filter(|instruction| self.code.accessed(instruction.op).is_some());
        loads.map(|load| load.written().count()).sum()
    }

    /// Positions in the code that its instructions stand for, none of inputs and outputs.
    #[cfg(test)]
    pub(super) fn positions(&self) -> &[Option<u32>] {
        &self.positions
    }

    /// Paths of a batch that has run with these lanes, a bit each: of its quads, or of its vertices.
    #[must_use]
    pub fn paths(&self, batch: &Batch, lanes: u64) -> Vec<PathRecorder> {
        tree::paths(&self.nodes, &batch.notes, (lanes, self.program.stage))
    }
}

/// Class of an instruction that stands for an input or an output.
fn interface_class(code: &Code, position: usize) -> InstructionClass {
    match (position < code.located_inputs().count(), code.stage) {
        (true, Stage::Vertex) => InstructionClass::Attribute,
        (true, _) => InstructionClass::Varying,
        (false, _) => InstructionClass::Output,
    }
}
