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

use super::code::{Code, ImageAccess, Stage};
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

/// Access to a buffer by a program that may make none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: an instruction of unit {}; expected arithmetic or textures", unit.name())]
pub struct Untraceable {
    /// Unit that would execute it.
    pub unit: Unit,
    /// Line in the source, 0 where it comes from none.
    pub line: u32,
}

/// Class of a unit's instructions; uniforms that lanes read are operands of arithmetic, as recording lanes have them.
const fn class_of(unit: Unit) -> InstructionClass {
    match unit {
        Unit::Alu | Unit::Control => InstructionClass::Alu,
        Unit::Transcendental => InstructionClass::Transcendental,
        Unit::Texture => InstructionClass::Texture,
        Unit::Load => InstructionClass::Load,
        Unit::Store => InstructionClass::Store,
        Unit::Atomic => InstructionClass::Atomic,
        Unit::Shared => InstructionClass::Shared,
        Unit::Barrier => InstructionClass::Barrier,
    }
}

impl TracedCode {
    /// The program of a code, which is straight if no region is left in it.
    #[must_use]
    pub fn new(code: &Code) -> Self {
        let stage = match code.stage {
            Stage::Vertex => ShaderStage::Vertex,
            Stage::Fragment => ShaderStage::Fragment,
            Stage::Compute => ShaderStage::Compute,
        };
        let Tree {
            code,
            nodes,
            regions,
            positions,
        } = Tree::of(code);
        let mut instructions = Vec::with_capacity(positions.len());
        for (position, sources) in positions.iter().zip(sources::of(&code, &positions)) {
            let class = match position.map(|at| code.instructions[at as usize].op) {
                None => interface_class(&code, instructions.len()),
                Some(Op::Load { memory, .. }) if code.is_uniform(memory) => InstructionClass::Alu,
                Some(Op::Image(image))
                    if code.images[image as usize].access == ImageAccess::Store =>
                {
                    InstructionClass::Store
                }
                Some(op) => class_of(op.unit().unwrap_or(Unit::Control)),
            };
            instructions.push(TracedInstruction { class, sources });
        }
        let branches = regions
            .iter()
            .any(|region| !matches!(region, Region::Block(_)));
        Self {
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
        }
    }

    /// The program of a code that accesses no buffer but uniforms.
    ///
    /// # Errors
    /// The first access to another one.
    pub(super) fn without_buffers(code: &Code) -> Result<Self, Untraceable> {
        let instructions = code.instructions.iter().chain(&code.prologue);
        let mut accesses = instructions.filter(|one| code.accessed(one.op).is_some());
        match accesses.next() {
            None => Ok(Self::new(code)),
            Some(access) => Err(Untraceable {
                unit: access.op.unit().unwrap_or(Unit::Load),
                line: access.line,
            }),
        }
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

    /// Positions of the bindings that its loads, stores and atomics access, in program order: buffers, and textures that it
    /// stores to.
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

    /// Paths of a batch that has run with these lanes, a bit each: of its quads, or of its vertices; four invocations of a
    /// workgroup, one after the other, are a quad.
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
