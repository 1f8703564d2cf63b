//! Output of the recording lanes: an instruction list with what its instructions sample, and what the program brought
//! along.
//!
//! Two tapes of one structure and equal uniforms are two programs that do the same, whatever Rust values they came from:
//! the structure is a digest of every operation, its operands and the memory that it reads, also of what a texture unit or
//! a special function does inside its one instruction. So nothing that decides a colour can be forgotten.

use std::cell::{Cell, RefCell};
use std::hash::{BuildHasher, Hash, Hasher};

use foldhash::quality::{FixedState, FoldHasher};

/// The functional unit that an instruction occupies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Arithmetic, comparison, selection, bit operations, conversion.
    Alu,
    /// Division, square root and special functions.
    Transcendental,
    /// A texture sample, or another read of memory by lane.
    Texture,
    /// Interpolation of a varying of up to four components.
    Varying,
    /// A vertex attribute of up to four components read.
    Attribute,
    /// A result of up to four components handed over.
    Output,
}

/// Memory that a program reads by lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Table {
    /// Position among the tables that the recording knew.
    Known(u32),
    /// Memory beyond the tables of the recording, distinguished by its content.
    Other {
        /// Number of its 32-bit words.
        len: u32,
        /// Digest of the elements.
        digest: u64,
    },
}

/// One instruction; its position on the tape is its name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TapeInstruction {
    /// Functional unit that executes it.
    pub unit: Unit,
    /// Positions of the instructions whose results it reads, ascending, each once.
    pub sources: Vec<u32>,
    /// Memory that a texture instruction samples; `None` for one that reads no memory at all.
    pub table: Option<Table>,
}

/// An instruction list in program order, with what distinguishes one program's work from another's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Tape {
    /// Instructions in program order.
    pub instructions: Vec<TapeInstruction>,
    /// Bits of the distinct constants and uniforms that the program names, in the order of their first use.
    pub uniforms: Vec<u32>,
    /// Positions of the known tables that the program reads, in the order of their first use.
    pub tables: Vec<u32>,
    /// A digest of all that the program does with its inputs and uniforms, contents of unknown tables included.
    pub structure: u64,
}

impl Tape {
    /// Instructions of one unit.
    #[must_use]
    pub fn count(&self, unit: Unit) -> usize {
        let of_unit = self
            .instructions
            .iter()
            .filter(|instruction| instruction.unit == unit);
        of_unit.count()
    }

    /// Memory that each texture instruction samples, in program order.
    pub fn sampled(&self) -> impl Iterator<Item = Option<Table>> {
        let textures = self.instructions.iter();
        textures
            .filter(|instruction| instruction.unit == Unit::Texture)
            .map(|instruction| instruction.table)
    }
}

/// Log that recording lanes report to. The structure of a program is a graph of numbered values.
pub trait TapeLog {
    /// A new value: an operation on values.
    fn value(&self, operation: &'static str, operands: &[u32]) -> u32;
    /// A new value that the program brings along: these bits.
    fn uniform(&self, bits: &[u32]) -> u32;
    /// A new instruction; its position.
    fn instruction(&self, unit: Unit, sources: impl Iterator<Item = u32>) -> Option<u32>;
    /// The instruction under way reads this memory; otherwise the last one does.
    fn reads(&self, table: &[u32]);
    /// Marks a dependence on the contents of this table.
    fn depends(&self, table: &[u32]);
    /// Opens the inside of a special function (0 members), or of the last `members` texture samples.
    fn enter(&self, members: u32);
    /// Assigns what follows to this member.
    fn member(&self, member: u32);
    /// Returns to the level of instructions.
    fn leave(&self);
    /// Whether the program is inside of an instruction.
    fn is_inside(&self) -> bool;
    /// Whether it is worth to look inside of instructions.
    const LOOKS_INSIDE: bool;
}

/// Log that writes a [`Tape`].
pub struct TapeWriter(RefCell<Writing>);

// By hand, as the hasher has none.
impl std::fmt::Debug for TapeWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tape = &self.0.borrow().tape;
        f.debug_tuple("TapeWriter").field(tape).finish()
    }
}

struct Writing {
    tape: Tape,
    structure: FoldHasher<'static>,
    n_values: u32,
    /// Address and elements of the tables that have a number.
    known: Vec<(usize, usize)>,
    /// Instructions around what runs, the innermost last.
    inside: Vec<Inside>,
}

/// Open texture instructions, or with no members an open special function.
#[derive(Debug, Clone, Copy)]
struct Inside {
    /// Position of the first member on the tape.
    first: usize,
    members: u32,
    /// Position of the member that reads.
    current: Option<usize>,
}

impl TapeWriter {
    /// An empty tape that numbers these tables.
    pub(super) fn new(known: &[&[u32]]) -> Self {
        let known = known.iter().map(|table| place(table)).collect();
        Self(RefCell::new(Writing {
            tape: Tape::default(),
            structure: FixedState::default().build_hasher(),
            n_values: 0,
            known,
            inside: Vec::new(),
        }))
    }

    /// Closes the digest and returns the tape.
    pub(super) fn finish(self) -> Tape {
        let Writing {
            mut tape,
            structure,
            ..
        } = self.0.into_inner();
        tape.structure = structure.finish();
        tape
    }
}

impl Writing {
    fn next_value(&mut self) -> u32 {
        self.n_values += 1;
        self.n_values
    }

    /// The slot of a uniform; the same bits share one.
    fn slot(&mut self, bits: u32) -> usize {
        let uniforms = &mut self.tape.uniforms;
        let known = uniforms.iter().position(|other| *other == bits);
        known.unwrap_or_else(|| {
            uniforms.push(bits);
            uniforms.len() - 1
        })
    }

    fn table(&mut self, table: &[u32]) -> Table {
        match self.known.iter().position(|known| *known == place(table)) {
            Some(at) => {
                let (at, tables) = (at as u32, &mut self.tape.tables);
                if !tables.contains(&at) {
                    tables.push(at);
                }
                Table::Known(at)
            }
            None => Table::Other {
                len: u32::try_from(table.len()).unwrap_or(u32::MAX),
                digest: FixedState::default().hash_one(table),
            },
        }
    }
}

impl TapeLog for TapeWriter {
    const LOOKS_INSIDE: bool = true;

    #[inline(never)]
    fn value(&self, operation: &'static str, operands: &[u32]) -> u32 {
        let mut writing = self.0.borrow_mut();
        (operation, operands).hash(&mut writing.structure);
        writing.next_value()
    }

    #[inline(never)]
    fn uniform(&self, bits: &[u32]) -> u32 {
        let mut writing = self.0.borrow_mut();
        if writing.inside.is_empty() {
            for &bits in bits {
                let slot = writing.slot(bits);
                slot.hash(&mut writing.structure);
            }
        } else {
            bits.hash(&mut writing.structure);
        }
        writing.next_value()
    }

    #[inline(never)]
    fn instruction(&self, unit: Unit, sources: impl Iterator<Item = u32>) -> Option<u32> {
        let mut sources: Vec<u32> = sources.collect();
        sources.sort_unstable();
        sources.dedup();
        let instructions = &mut self.0.borrow_mut().tape.instructions;
        let position = u32::try_from(instructions.len()).ok();
        instructions.push(TapeInstruction {
            unit,
            sources,
            table: None,
        });
        position
    }

    #[inline(never)]
    fn reads(&self, table: &[u32]) {
        let mut writing = self.0.borrow_mut();
        let table = writing.table(table);
        table.hash(&mut writing.structure);
        let reader = match writing.inside.last() {
            Some(inside) => inside.current,
            None => writing.tape.instructions.len().checked_sub(1),
        };
        let instruction = reader.and_then(|at| writing.tape.instructions.get_mut(at));
        if let Some(instruction) = instruction {
            instruction.table.get_or_insert(table);
        }
    }

    #[inline(never)]
    fn depends(&self, table: &[u32]) {
        let mut writing = self.0.borrow_mut();
        let table = writing.table(table);
        table.hash(&mut writing.structure);
    }

    fn enter(&self, members: u32) {
        let mut writing = self.0.borrow_mut();
        let first = writing.tape.instructions.len() - members as usize;
        writing.inside.push(Inside {
            first,
            members,
            current: None,
        });
    }

    fn member(&self, member: u32) {
        if let Some(inside) = self.0.borrow_mut().inside.last_mut() {
            inside.current = (member < inside.members).then_some(inside.first + member as usize);
        }
    }

    fn leave(&self) {
        self.0.borrow_mut().inside.pop();
    }

    fn is_inside(&self) -> bool {
        !self.0.borrow().inside.is_empty()
    }
}

/// Address and number of elements of a table.
fn place(table: &[u32]) -> (usize, usize) {
    (table.as_ptr().addr(), table.len())
}

/// Counts texture instructions and keeps nothing else, so that the compiler drops all other work.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct TextureCounter(pub(super) Cell<u32>);

impl TapeLog for TextureCounter {
    const LOOKS_INSIDE: bool = false;

    #[inline(always)]
    fn value(&self, _: &'static str, _: &[u32]) -> u32 {
        0
    }
    #[inline(always)]
    fn uniform(&self, _: &[u32]) -> u32 {
        0
    }
    #[inline(always)]
    fn instruction(&self, unit: Unit, _: impl Iterator<Item = u32>) -> Option<u32> {
        if unit == Unit::Texture {
            self.0.set(self.0.get() + 1);
        }
        Some(0)
    }
    #[inline(always)]
    fn reads(&self, _: &[u32]) {}
    #[inline(always)]
    fn depends(&self, _: &[u32]) {}
    #[inline(always)]
    fn enter(&self, _: u32) {}
    #[inline(always)]
    fn member(&self, _: u32) {}
    #[inline(always)]
    fn leave(&self) {}
    #[inline(always)]
    fn is_inside(&self) -> bool {
        false
    }
}
