//! A program as the hardware sees it: the list of instructions that every thread executes, with data dependences.
//!
//! Comes from running the program once on recording lanes, so there is no hand-kept instruction count. Such a list is
//! straight: what the source skips by a uniform condition is absent, what it masks by lane is present. A program that
//! branches has a tree of regions over its list, and each quad or vertex that ran it has a [path](super::PathTable).

use std::ops::Range;

/// Shader stage of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ShaderStage {
    /// Runs once a vertex.
    Vertex,
    /// Runs once a fragment.
    Fragment,
    /// Runs once an invocation of a workgroup.
    Compute,
}

/// The functional unit that executes an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InstructionClass {
    /// Add, multiply, fused multiply-add, compare, select, bit operations, conversions: full rate.
    Alu,
    /// Division, square root, exponential, logarithm, sine: the special-function unit.
    Transcendental,
    /// Interpolation of one varying of up to four components.
    Varying,
    /// One texture sample, filtering included; the result is up to four components.
    Texture,
    /// Reads a vertex attribute from the vertex cache.
    Attribute,
    /// Hands a result over: the fragment's colour, or a vertex's position or varying of up to four components.
    Output,
    /// Reads up to four words of a buffer.
    Load,
    /// Writes a word of a buffer.
    Store,
    /// Reads a word of a buffer and changes it, undivided.
    Atomic,
    /// Reads, writes or changes memory of the workgroup.
    Shared,
    /// Waits until all threads of the workgroup have arrived.
    Barrier,
}

impl InstructionClass {
    /// Every class, in declaration order.
    pub const ALL: [Self; 11] = [
        Self::Alu,
        Self::Transcendental,
        Self::Varying,
        Self::Texture,
        Self::Attribute,
        Self::Output,
        Self::Load,
        Self::Store,
        Self::Atomic,
        Self::Shared,
        Self::Barrier,
    ];

    /// Whether it samples a texture.
    #[must_use]
    pub const fn is_texture(self) -> bool {
        matches!(self, Self::Texture)
    }

    /// Whether it accesses a buffer that the program names. Attributes and constants are not accessed so.
    #[must_use]
    pub const fn accesses_buffer(self) -> bool {
        matches!(self, Self::Load | Self::Store | Self::Atomic)
    }

    /// Whether it writes such a buffer.
    #[must_use]
    pub const fn writes_buffer(self) -> bool {
        matches!(self, Self::Store | Self::Atomic)
    }
}

/// One instruction; its position in the program is its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// Functional unit that executes it.
    pub class: InstructionClass,
    /// Positions of the instructions whose results it reads, [`Instruction::NONE`] where fewer: of each the latest execution
    /// before this one. All smaller than its own, but in a loop a source may be the instruction itself or a later one: its
    /// result of the trip before. Constants and uniforms are free and don't appear.
    pub sources: [u32; 4],
}

impl Instruction {
    /// Marks an unused entry of `sources`.
    pub const NONE: u32 = u32::MAX;

    /// An instruction that reads the given results; those beyond four are dropped.
    #[must_use]
    pub fn new(class: InstructionClass, sources: &[u32]) -> Self {
        let mut padded = [Self::NONE; 4];
        for (slot, source) in padded.iter_mut().zip(sources) {
            *slot = *source;
        }
        Self {
            class,
            sources: padded,
        }
    }

    /// Positions of the instructions that this one waits for.
    pub fn reads(&self) -> impl Iterator<Item = usize> {
        self.sources
            .into_iter()
            .filter(|&source| source != Self::NONE)
            .map(|source| source as usize)
    }
}

/// Part of a program that branches. Lanes part at its beginning and meet again at its end.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Region {
    /// Instructions one after the other, by position.
    Block(Range<u32>),
    /// Two arms, one after the other. A lane takes one at most.
    If([Vec<Self>; 2]),
    /// A body that is executed, trip by trip, while a lane is left in it.
    Loop(Vec<Self>),
    /// Cases, one after the other. A lane takes one at most.
    Switch(Vec<Vec<Self>>),
}

/// An instruction list with a name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Program {
    /// Shown to people; need not be unique.
    pub name: String,
    /// Shader stage that runs the program.
    pub stage: ShaderStage,
    /// Instructions in program order.
    pub instructions: Vec<Instruction>,
    /// Tree over the instructions: its blocks have all of them, in order. Empty for a straight program, which is one block.
    pub regions: Vec<Region>,
}

impl Program {
    /// Whether its threads need not all execute the same instructions.
    #[must_use]
    pub fn branches(&self) -> bool {
        !self.regions.is_empty()
    }

    /// Instructions of some classes before each position, and before the end.
    #[doc(hidden)]
    #[must_use]
    pub fn counts_before(&self, is_counted: impl Fn(InstructionClass) -> bool) -> Vec<u32> {
        let mut counts = vec![0];
        let after = self.instructions.iter().scan(0, |sum, instruction| {
            *sum += u32::from(is_counted(instruction.class));
            Some(*sum)
        });
        counts.extend(after);
        counts
    }

    /// Instructions of one class.
    #[must_use]
    pub fn count(&self, class: InstructionClass) -> usize {
        self.instructions
            .iter()
            .filter(|instruction| instruction.class == class)
            .count()
    }

    /// Instructions that access buffers.
    #[must_use]
    pub fn count_of_buffers(&self) -> usize {
        let instructions = self.instructions.iter();
        instructions
            .filter(|instruction| instruction.class.accesses_buffer())
            .count()
    }
}
