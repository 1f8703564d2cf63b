//! Operations of instructions, and the units that execute them.

/// Number of a register: one number of 32 bits for each lane of a batch.
pub type Register = u32;

/// Unused result or operand.
pub const NONE: Register = u32::MAX;

/// Operation of the arithmetic unit, lane by lane; booleans are 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Alu {
    /// Copy.
    Move,
    /// Arithmetic of floats.
    Float(FloatOp),
    /// Comparison.
    Compare(CompareOp),
    /// Arithmetic of integers, and choice.
    Integer(IntegerOp),
    /// Operation on single bits.
    Bits(BitOp),
    /// Conversion between types.
    Convert(ConvertOp),
}

/// Arithmetic of floats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "names say the operation and the type: F float, I signed, U unsigned"
)]
pub enum FloatOp {
    AddF,
    SubF,
    MulF,
    NegF,
    MinF,
    MaxF,
    AbsF,
    FloorF,
    CeilF,
    TruncF,
    RoundF,
    SignF,
    FmaF,
    Ldexp,
    FrexpMantissa,
    FrexpExponent,
}

/// Comparison, 1 where it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "names say the operation and the type: F float, I signed, U unsigned"
)]
pub enum CompareOp {
    LtF,
    LeF,
    EqF,
    NeF,
    LtI,
    LeI,
    LtU,
    LeU,
    EqI,
    NeI,
}

/// Arithmetic of integers, and choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "names say the operation and the type: F float, I signed, U unsigned"
)]
pub enum IntegerOp {
    AddI,
    SubI,
    MulI,
    MinI,
    MaxI,
    MinU,
    MaxU,
    AbsI,
    SignI,
    /// `min(a, length - 1) * stride + c`, unsigned: the address of an element, clamped to the array.
    Index,
    /// Operand 1 where operand 0 is true, operand 2 elsewhere.
    Select,
}

/// Operation on single bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "names say the operation and the type: I signed, U unsigned"
)]
pub enum BitOp {
    And,
    Or,
    Xor,
    Not,
    Shl,
    ShrU,
    ShrI,
    CountOnes,
    LeadingZeros,
    TrailingZeros,
    ReverseBits,
    FirstLeadingU,
    FirstLeadingI,
    FirstTrailing,
    ExtractU,
    ExtractI,
    Insert,
}

/// Conversion between types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "names say both types: I signed, U unsigned")]
pub enum ConvertOp {
    FloatToI,
    FloatToU,
    IToFloat,
    UToFloat,
    FloatToHalf,
    HalfToFloat,
}

impl From<FloatOp> for Alu {
    fn from(op: FloatOp) -> Self {
        Self::Float(op)
    }
}

impl From<CompareOp> for Alu {
    fn from(op: CompareOp) -> Self {
        Self::Compare(op)
    }
}

impl From<IntegerOp> for Alu {
    fn from(op: IntegerOp) -> Self {
        Self::Integer(op)
    }
}

impl From<BitOp> for Alu {
    fn from(op: BitOp) -> Self {
        Self::Bits(op)
    }
}

impl From<ConvertOp> for Alu {
    fn from(op: ConvertOp) -> Self {
        Self::Convert(op)
    }
}

/// Operation of the special-function unit, lane by lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "WGSL's own names")]
pub enum Special {
    DivF,
    RemF,
    DivI,
    DivU,
    RemI,
    RemU,
    Sqrt,
    InverseSqrt,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Exp,
    Exp2,
    Log,
    Log2,
    Pow,
}

/// Direction and grain of a derivative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "WGSL's own names")]
pub enum Derivative {
    X,
    Y,
    XCoarse,
    YCoarse,
}

/// Read-modify-write of one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "WGSL's own names")]
pub enum AtomicOp {
    Add,
    Subtract,
    And,
    Xor,
    Or,
    MinI,
    MaxI,
    MinU,
    MaxU,
    Exchange,
    CompareExchange,
}

/// Memory that instructions address by words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Memory {
    /// Buffer, by position in [`Code::bindings`](super::Code::bindings).
    Buffer(u32),
    /// Memory of the workgroup.
    Workgroup,
}

/// Operation of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// Arithmetic.
    Alu(Alu),
    /// Special function.
    Special(Special),
    /// Difference within a quad.
    Derivative(Derivative),
    /// Reads register `base + min(operand + offset, length - 1)`, by lane.
    ReadIndexed {
        /// First register of the array.
        base: Register,
        /// Registers of the array.
        length: u32,
        /// Added to the operand.
        offset: u32,
    },
    /// Writes operand 1 to register `base + min(operand 0 + offset, length - 1)`, by lane.
    WriteIndexed {
        /// First register of the array.
        base: Register,
        /// Registers of the array.
        length: u32,
        /// Added to the operand.
        offset: u32,
    },
    /// Reads up to four consecutive words from word `operand 0 + offset` on.
    Load {
        /// Source.
        memory: Memory,
        /// Words added to the operand.
        offset: u32,
    },
    /// Writes operand 1 to word `operand 0 + offset`.
    Store {
        /// Destination.
        memory: Memory,
        /// Words added to the operand.
        offset: u32,
    },
    /// Changes word `operand 0 + offset` by operand 1 (and compares with operand 2); results: the old word, and whether it
    /// was exchanged.
    Atomic {
        /// The word's memory.
        memory: Memory,
        /// Words added to the operand.
        offset: u32,
        /// Change.
        op: AtomicOp,
    },
    /// Elements of a buffer's array that has no length in the source.
    ArrayLength {
        /// Position in [`Code::bindings`](super::Code::bindings).
        buffer: u32,
        /// Words before the array.
        offset: u32,
        /// Words of an element.
        stride: u32,
    },
    /// Texture access, by position in [`Code::images`](super::Code::images).
    Image(u32),
    /// Lanes with operand 0 go on; the others wait for [`Op::Else`].
    If,
    /// The lanes that waited for it go on.
    Else,
    /// Lanes of both branches go on.
    EndIf,
    /// Begins a loop.
    Loop {
        /// Trips that the source tells, at most; 0 where it does not.
        trips: u32,
    },
    /// Lanes that continued go on.
    Continuing,
    /// Lanes with operand 0 leave the loop.
    BreakIf,
    /// Lanes that have not left go back to [`Op::Loop`].
    EndLoop,
    /// Begins a switch over operand 0.
    Switch,
    /// Lanes go on whose selector is one of [`Code::cases`](super::Code::cases) at this position; the list `None` takes all that are left.
    Case(u32),
    /// Ends the last case.
    EndSwitch,
    /// Begins a function's body that has returns inside.
    Scope,
    /// Lanes that returned go on.
    EndScope,
    /// Lanes leave the innermost loop or switch.
    Break,
    /// Lanes wait for the loop's [`Op::Continuing`].
    Continue,
    /// Lanes wait for [`Op::EndScope`].
    Return,
    /// Lanes become helpers: they go on, but leave no trace in memory.
    Kill,
    /// All batches of the workgroup arrive before one goes on.
    Barrier,
    /// Notes the lanes that come by, and those of them with operand 0, for [`TracedCode`](super::TracedCode).
    Mark(u32),
}

/// Functional unit that executes an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Arithmetic at full rate.
    Alu,
    /// Division, square root, exponential, logarithm, trigonometry.
    Transcendental,
    /// Texture unit.
    Texture,
    /// Reads from buffers.
    Load,
    /// Writes to buffers.
    Store,
    /// Atomic accesses of buffers.
    Atomic,
    /// Accesses of workgroup memory.
    Shared,
    /// Barriers.
    Barrier,
    /// Branches.
    Control,
}

impl Unit {
    /// Every unit, in the order of reports.
    pub const ALL: [Self; 9] = [
        Self::Alu,
        Self::Transcendental,
        Self::Texture,
        Self::Load,
        Self::Store,
        Self::Atomic,
        Self::Shared,
        Self::Barrier,
        Self::Control,
    ];

    /// Name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Alu => "alu",
            Self::Transcendental => "transcendental",
            Self::Texture => "texture",
            Self::Load => "load",
            Self::Store => "store",
            Self::Atomic => "atomic",
            Self::Shared => "shared",
            Self::Barrier => "barrier",
            Self::Control => "control",
        }
    }
}

impl Op {
    /// Unit that executes it; markers cost nothing.
    #[must_use]
    pub const fn unit(self) -> Option<Unit> {
        Some(match self {
            Self::Alu(_) | Self::Derivative(_) => Unit::Alu,
            Self::ReadIndexed { .. } | Self::WriteIndexed { .. } | Self::ArrayLength { .. } => {
                Unit::Alu
            }
            Self::Special(_) => Unit::Transcendental,
            Self::Load {
                memory: Memory::Workgroup,
                ..
            }
            | Self::Store {
                memory: Memory::Workgroup,
                ..
            }
            | Self::Atomic {
                memory: Memory::Workgroup,
                ..
            } => Unit::Shared,
            Self::Load { .. } => Unit::Load,
            Self::Store { .. } => Unit::Store,
            Self::Atomic { .. } => Unit::Atomic,
            Self::Image(_) => Unit::Texture,
            Self::Barrier => Unit::Barrier,
            Self::If | Self::Else | Self::Switch | Self::Case(_) | Self::BreakIf => Unit::Control,
            Self::EndLoop | Self::Break | Self::Continue | Self::Return | Self::Kill => {
                Unit::Control
            }
            Self::EndIf | Self::Loop { .. } | Self::Continuing | Self::EndSwitch => return None,
            Self::Scope | Self::EndScope | Self::Mark(_) => return None,
        })
    }

    /// Whether it only computes its results, so that nothing is lost where nobody reads them.
    pub(super) fn is_pure(self) -> bool {
        matches!(
            self,
            Self::Alu(_)
                | Self::Special(_)
                | Self::Derivative(_)
                | Self::ReadIndexed { .. }
                | Self::Load { .. }
                | Self::ArrayLength { .. }
        )
    }
}
