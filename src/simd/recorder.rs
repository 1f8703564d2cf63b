//! Lanes that compute nothing: running a program on them writes its instruction list, with data dependences, on a tape.
//!
//! Counted as a shader core executes: constants, uniforms and what is computed from them alone are free; so are sign,
//! absolute value, mask negation and bit casts, which are modifiers of operands. Division, square root and
//! [`Lanes::special`] are one transcendental instruction, a sample of [`Lanes::textures`] is one texture instruction, whatever
//! they cost here. [`Lanes::any`] says yes, so that both sides of a skip are recorded.

use std::cell::RefCell;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Sub};

use super::lanes::{LANES, Lanes};

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

/// One instruction; its position on the tape is its name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TapeInstruction {
    /// Who executes it.
    pub unit: Unit,
    /// Positions of the instructions whose results it reads, ascending, each once.
    pub sources: Vec<u32>,
}

/// An instruction list in program order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Tape {
    /// All of them.
    pub instructions: Vec<TapeInstruction>,
}

/// Recording lanes.
#[derive(Debug, Clone, Copy)]
pub struct Recorder<'a> {
    tape: &'a RefCell<Tape>,
}

/// A value of the program: the instruction that makes it, or none for what is known before the program runs.
#[derive(Debug, Clone, Copy)]
pub struct Recorded<'a> {
    tape: &'a RefCell<Tape>,
    source: Option<u32>,
}

impl Tape {
    /// The instructions of a program: `program` runs once.
    pub fn record(program: impl FnOnce(Recorder<'_>)) -> Self {
        let tape = RefCell::default();
        program(Recorder { tape: &tape });
        tape.into_inner()
    }

    /// Instructions of one unit.
    #[must_use]
    pub fn count(&self, unit: Unit) -> usize {
        let of_unit = self
            .instructions
            .iter()
            .filter(|instruction| instruction.unit == unit);
        of_unit.count()
    }
}

impl<'a> Recorder<'a> {
    /// Interpolates a varying of `N` components.
    pub fn varying<const N: usize>(self) -> [Recorded<'a>; N] {
        [self.push(Unit::Varying, &[]); N]
    }

    /// Hands a result over.
    pub fn output(self, components: &[Recorded<'a>]) {
        self.push(Unit::Output, components);
    }

    /// A value known before the program runs.
    const fn free(self) -> Recorded<'a> {
        Recorded {
            tape: self.tape,
            source: None,
        }
    }

    fn push(self, unit: Unit, operands: &[Recorded<'a>]) -> Recorded<'a> {
        let mut sources: Vec<u32> = operands
            .iter()
            .filter_map(|operand| operand.source)
            .collect();
        sources.sort_unstable();
        sources.dedup();
        let mut tape = self.tape.borrow_mut();
        let source = u32::try_from(tape.instructions.len()).ok();
        tape.instructions.push(TapeInstruction { unit, sources });
        Recorded {
            tape: self.tape,
            source,
        }
    }

    /// An instruction unless all operands are known before the program runs.
    fn compute(self, unit: Unit, operands: &[Recorded<'a>]) -> Recorded<'a> {
        if operands.iter().all(|operand| operand.source.is_none()) {
            return self.free();
        }
        self.push(unit, operands)
    }

    fn alu(self, operands: &[Recorded<'a>]) -> Recorded<'a> {
        self.compute(Unit::Alu, operands)
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident $unit:ident,)*) => {$(
        impl $operator for Recorded<'_> {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                Recorder { tape: self.tape }.compute(Unit::$unit, &[self, other])
            }
        }
    )*};
}

operators! {
    Add add Alu,
    Sub sub Alu,
    Mul mul Alu,
    Div div Transcendental,
    BitAnd bitand Alu,
    BitOr bitor Alu,
    BitXor bitxor Alu,
}

impl Neg for Recorded<'_> {
    type Output = Self;
    fn neg(self) -> Self {
        self
    }
}

impl<'a> Lanes for Recorder<'a> {
    type F = Recorded<'a>;
    type I = Recorded<'a>;
    type M = Recorded<'a>;

    fn f(self, _: f32) -> Self::F {
        self.free()
    }

    fn i(self, _: i32) -> Self::I {
        self.free()
    }

    fn load(self, _: &[f32; LANES]) -> Self::F {
        self.free()
    }

    fn load_i(self, _: &[i32; LANES]) -> Self::I {
        self.free()
    }

    fn store(self, _: Self::F, to: &mut [f32; LANES]) {
        *to = [0.0; LANES];
    }

    fn store_i(self, _: Self::I, to: &mut [i32; LANES]) {
        *to = [0; LANES];
    }

    fn mul_add(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        self.alu(&[a, b, c])
    }

    fn sqrt(self, a: Self::F) -> Self::F {
        self.compute(Unit::Transcendental, &[a])
    }

    fn min(self, a: Self::F, b: Self::F) -> Self::F {
        self.alu(&[a, b])
    }

    fn max(self, a: Self::F, b: Self::F) -> Self::F {
        self.alu(&[a, b])
    }

    fn abs(self, a: Self::F) -> Self::F {
        a
    }

    fn floor(self, a: Self::F) -> Self::F {
        self.alu(&[a])
    }

    fn lt(self, a: Self::F, b: Self::F) -> Self::M {
        self.alu(&[a, b])
    }

    fn le(self, a: Self::F, b: Self::F) -> Self::M {
        self.alu(&[a, b])
    }

    fn select(self, mask: Self::M, a: Self::F, b: Self::F) -> Self::F {
        self.alu(&[mask, a, b])
    }

    fn to_int(self, a: Self::F) -> Self::I {
        self.alu(&[a])
    }

    fn to_float(self, a: Self::I) -> Self::F {
        self.alu(&[a])
    }

    fn to_bits(self, a: Self::F) -> Self::I {
        a
    }

    fn of_bits(self, a: Self::I) -> Self::F {
        a
    }

    fn shl<const N: u32>(self, a: Self::I) -> Self::I {
        self.alu(&[a])
    }

    fn shr<const N: u32>(self, a: Self::I) -> Self::I {
        self.alu(&[a])
    }

    fn shr_by(self, a: Self::I, by: Self::I) -> Self::I {
        self.alu(&[a, by])
    }

    fn sar<const N: u32>(self, a: Self::I) -> Self::I {
        self.alu(&[a])
    }

    fn min_i(self, a: Self::I, b: Self::I) -> Self::I {
        self.alu(&[a, b])
    }

    fn max_i(self, a: Self::I, b: Self::I) -> Self::I {
        self.alu(&[a, b])
    }

    fn min_u(self, a: Self::I, b: Self::I) -> Self::I {
        self.alu(&[a, b])
    }

    fn lt_i(self, a: Self::I, b: Self::I) -> Self::M {
        self.alu(&[a, b])
    }

    fn eq_i(self, a: Self::I, b: Self::I) -> Self::M {
        self.alu(&[a, b])
    }

    fn select_i(self, mask: Self::M, a: Self::I, b: Self::I) -> Self::I {
        self.alu(&[mask, a, b])
    }

    fn mask(self, _: u32) -> Self::M {
        self.free()
    }

    fn mask_bits(self, _: Self::M) -> u32 {
        0xffff
    }

    fn not(self, mask: Self::M) -> Self::M {
        mask
    }

    fn any(self, _: Self::M) -> bool {
        true
    }

    fn gather(self, _: &[u32], index: Self::I) -> Self::I {
        self.compute(Unit::Texture, &[index])
    }

    fn ddx(self, a: Self::F) -> Self::F {
        self.alu(&[a])
    }

    fn ddy(self, a: Self::F) -> Self::F {
        self.alu(&[a])
    }

    fn quad_first(self, a: Self::F) -> Self::F {
        self.alu(&[a])
    }

    fn quad_columns(self, _: [&[f32; 4]; 4]) -> [Self::F; 4] {
        [self.free(); 4]
    }

    fn gather_4(self, _: &[u32], index: Self::I) -> [Self::I; 4] {
        [self.compute(Unit::Texture, &[index]); 4]
    }

    fn lookup(self, _: &[i32; LANES], index: Self::I) -> Self::I {
        self.alu(&[index])
    }

    fn fetch(self, _: &[u32], texels: &[Self::I; 4]) -> [Self::I; 4] {
        [self.compute(Unit::Texture, texels); 4]
    }

    fn attribute<const N: usize>(self, _: &[u32], vertex: Self::I) -> [Self::F; N] {
        [self.push(Unit::Attribute, &[vertex]); N]
    }

    fn special(self, operands: &[Self::F], _: impl FnOnce() -> Self::F) -> Self::F {
        self.compute(Unit::Transcendental, operands)
    }

    fn textures(
        self,
        slots: &[u8],
        coordinates: &[Self::F],
        colors: &mut [[Self::F; 4]],
        _: impl FnOnce(&mut [[Self::F; 4]]),
    ) {
        for &slot in slots {
            colors[usize::from(slot)] = [self.push(Unit::Texture, coordinates); 4];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// sqrt(x y + 2) in one lane type or another.
    fn root<L: Lanes>(l: L, x: L::F, y: L::F) -> L::F {
        l.sqrt(l.mul_add(x, y, l.f(1.0) + l.f(1.0)))
    }

    #[test]
    fn tape_lists_instructions_with_their_sources() {
        let tape = Tape::record(|l| {
            let [x, y] = l.varying();
            l.output(&[root(l, x, y)]);
        });
        let expected = [
            (Unit::Varying, vec![]),
            (Unit::Alu, vec![0]),
            (Unit::Transcendental, vec![1]),
            (Unit::Output, vec![2]),
        ];
        let found = tape.instructions.into_iter().map(|i| (i.unit, i.sources));
        assert_eq!(found.collect::<Vec<_>>(), expected, "constants are free");
    }

    #[test]
    fn tape_has_one_instruction_for_a_sample_of_many_lane_operations() {
        let tape = Tape::record(|l| {
            let coordinates = l.varying::<2>();
            let mut colors = [[l.f(0.0); 4]; 3];
            let host = |_: &mut [_]| unreachable!("the recorder runs no texture unit");
            l.textures(&[0, 2], &coordinates, &mut colors, host);
            l.output(&colors[2]);
        });
        assert_eq!(tape.count(Unit::Texture), 2, "one a slot");
        assert_eq!(
            tape.instructions[3].sources,
            [2],
            "the output reads the second"
        );
    }
}
