//! Lanes that compute nothing: running a program on them writes its instruction list, with data dependences, on a tape.
//!
//! Counted as a shader core executes: constants, uniforms and what is computed from them alone are free; so are sign,
//! absolute value, mask negation and bit casts, which are modifiers of operands. Division, square root and
//! [`Lanes::special`] are one transcendental instruction, a sample of [`Lanes::textures`] is one texture instruction,
//! whatever they cost here; what happens inside goes into the tape's structure alone. [`Lanes::any`] says yes, so that both
//! sides of a skip are recorded.
//!
//! Operations are calls, never copies: a program is one function, and copied a thousand times into it they would take
//! minutes to compile. A log that does not look inside gets none of those calls.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Sub};

use super::tape::{Tape, TapeLog, TapeWriter, TextureCounter, Unit};
use azulejo_simd::{LANES, Lanes};

/// Recording lanes: every operation on them is written into the log.
#[derive(Debug)]
pub struct Recorder<'a, T = TapeWriter> {
    log: &'a T,
}

/// A value of the program: the instruction that makes it, or none for what is known before the program runs.
#[derive(Debug)]
pub struct Recorded<'a, T = TapeWriter> {
    log: &'a T,
    source: Option<u32>,
    /// Number of the value in the structure.
    value: u32,
}

// By hand, as `derive` would ask it of the log too.
impl<T> Clone for Recorder<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Recorder<'_, T> {}

impl<T> Clone for Recorded<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Recorded<'_, T> {}

impl Tape {
    /// The tape of a program, which runs once.
    pub fn record(program: impl FnOnce(Recorder<'_>)) -> Self {
        Self::record_knowing(&[], program)
    }

    /// [`Self::record`]; what the program reads of these tables counts by their position, not by their contents.
    #[doc(hidden)]
    pub fn record_knowing(tables: &[&[u32]], program: impl FnOnce(Recorder<'_>)) -> Self {
        let writer = TapeWriter::new(tables);
        program(Recorder { log: &writer });
        writer.finish()
    }
}

/// The texture instructions of a program, which runs once: as many as its tape has, for a fraction of the work.
#[doc(hidden)]
pub fn count_textures(program: impl FnOnce(Recorder<'_, TextureCounter>)) -> u32 {
    let counter = TextureCounter::default();
    program(Recorder { log: &counter });
    counter.0.get()
}

impl<'a, T: TapeLog> Recorder<'a, T> {
    /// Interpolates a varying of `N` components.
    #[inline(always)]
    pub fn varying<const N: usize>(self) -> [Recorded<'a, T>; N] {
        self.components(self.push("varying", Unit::Varying, &[]))
    }

    /// Interpolates a varying of as many components as there are places.
    #[inline(never)]
    pub fn varyings(self, components: &mut [Recorded<'a, T>]) {
        let all = self.push("varying", Unit::Varying, &[]);
        for (k, component) in components.iter_mut().enumerate() {
            *component = self.component(all, k);
        }
    }

    /// Hands a result over.
    #[inline(never)]
    pub fn output(self, components: &[Recorded<'a, T>]) {
        self.push("output", Unit::Output, components);
    }

    /// Records a value that decides on a result beside its components, such as which fragments are kept: no instruction.
    #[inline(always)]
    pub fn decides(self, value: Recorded<'a, T>) {
        self.value("decides", &[value]);
    }

    /// The components of what one instruction makes.
    #[inline(never)]
    fn components<const N: usize>(self, all: Recorded<'a, T>) -> [Recorded<'a, T>; N] {
        std::array::from_fn(|k| self.component(all, k))
    }

    #[inline(always)]
    fn component(self, all: Recorded<'a, T>, k: usize) -> Recorded<'a, T> {
        Recorded {
            value: self.log.value("component", &[all.value, k as u32]),
            ..all
        }
    }

    /// Uniforms and constants of the program.
    #[inline(always)]
    fn uniforms(self, bits: &[u32]) -> Recorded<'a, T> {
        self.free(if T::LOOKS_INSIDE {
            self.log.uniform(bits)
        } else {
            0
        })
    }

    /// A value known before the program runs.
    #[inline(always)]
    const fn free(self, value: u32) -> Recorded<'a, T> {
        Recorded {
            log: self.log,
            source: None,
            value,
        }
    }

    #[inline(always)]
    fn value(self, operation: &'static str, operands: &[Recorded<'a, T>]) -> u32 {
        if T::LOOKS_INSIDE {
            self.value_of(operation, operands)
        } else {
            0
        }
    }

    #[inline(never)]
    fn value_of(self, operation: &'static str, operands: &[Recorded<'a, T>]) -> u32 {
        let mut numbers = [0; OPERANDS_AT_ONCE];
        let mut rest = operands;
        loop {
            let (some, others) = rest.split_at(rest.len().min(OPERANDS_AT_ONCE));
            for (number, operand) in numbers.iter_mut().zip(some) {
                *number = operand.value;
            }
            let value = self.log.value(operation, &numbers[..some.len()]);
            rest = others;
            if rest.is_empty() {
                return value;
            }
        }
    }

    /// An instruction, unless this is inside of another.
    #[inline(never)]
    fn push(
        self,
        operation: &'static str,
        unit: Unit,
        operands: &[Recorded<'a, T>],
    ) -> Recorded<'a, T> {
        let value = self.value(operation, operands);
        if self.log.is_inside() {
            return self.free(value);
        }
        let sources = operands.iter().filter_map(|operand| operand.source);
        Recorded {
            log: self.log,
            source: self.log.instruction(unit, sources),
            value,
        }
    }

    /// An instruction unless all operands are known before the program runs; no texture instruction, so that logs of these
    /// alone skip it.
    #[inline(always)]
    fn compute(
        self,
        operation: &'static str,
        unit: Unit,
        operands: &[Recorded<'a, T>],
    ) -> Recorded<'a, T> {
        if T::LOOKS_INSIDE {
            self.computed(operation, unit, operands)
        } else {
            self.free(0)
        }
    }

    #[inline(never)]
    fn computed(
        self,
        operation: &'static str,
        unit: Unit,
        operands: &[Recorded<'a, T>],
    ) -> Recorded<'a, T> {
        if operands.iter().all(|operand| operand.source.is_none()) {
            return self.free(self.value(operation, operands));
        }
        self.push(operation, unit, operands)
    }

    #[inline(always)]
    fn alu(self, operation: &'static str, operands: &[Recorded<'a, T>]) -> Recorded<'a, T> {
        self.compute(operation, Unit::Alu, operands)
    }

    /// Modifier of an operand, which costs nothing.
    #[inline(always)]
    fn modified(self, operation: &'static str, operand: Recorded<'a, T>) -> Recorded<'a, T> {
        Recorded {
            value: self.value(operation, &[operand]),
            ..operand
        }
    }

    /// A texture instruction that reads this table.
    #[inline(never)]
    fn read(
        self,
        operation: &'static str,
        table: &[u32],
        operands: &[Recorded<'a, T>],
    ) -> Recorded<'a, T> {
        let read = self.push(operation, Unit::Texture, operands);
        self.log.reads(table);
        read
    }

    /// A shift by a number that is part of the operation.
    #[inline(always)]
    fn shifted(self, operation: &'static str, a: Recorded<'a, T>, by: u32) -> Recorded<'a, T> {
        if !T::LOOKS_INSIDE {
            return self.free(0);
        }
        let by = self.free(self.log.value("by", &[by]));
        self.alu(operation, &[a, by])
    }
}

/// Operands of an operation that go into the structure together; of more, the rest follows.
const OPERANDS_AT_ONCE: usize = 8;

macro_rules! operators {
    ($($operator:ident $method:ident $unit:ident,)*) => {$(
        impl<T: TapeLog> $operator for Recorded<'_, T> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let operation = stringify!($method);
                Recorder { log: self.log }.compute(operation, Unit::$unit, &[self, other])
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

impl<T: TapeLog> Neg for Recorded<'_, T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Recorder { log: self.log }.modified("neg", self)
    }
}

/// Operations that are one instruction of the ALU.
macro_rules! arithmetic {
    ($($name:ident($($operand:ident),*);)*) => {
        $(
            #[inline(always)]
            fn $name(self, $($operand: Recorded<'a, T>),*) -> Recorded<'a, T> {
                self.alu(stringify!($name), &[$($operand),*])
            }
        )*
    };
}

/// Modifiers of an operand.
macro_rules! modifiers {
    ($($name:ident)*) => {
        $(
            #[inline(always)]
            fn $name(self, a: Recorded<'a, T>) -> Recorded<'a, T> {
                self.modified(stringify!($name), a)
            }
        )*
    };
}

impl<'a, T: TapeLog> Lanes for Recorder<'a, T> {
    const WATCHED: bool = true;
    const COMPUTES: bool = false;

    type F = Recorded<'a, T>;
    type I = Recorded<'a, T>;
    type M = Recorded<'a, T>;
    type Unwatched = Self;

    #[inline(always)]
    fn unwatched(self) -> Self {
        self
    }

    #[inline(always)]
    fn f(self, value: f32) -> Self::F {
        self.uniforms(&[value.to_bits()])
    }

    #[inline(always)]
    fn i(self, value: i32) -> Self::I {
        self.uniforms(&[value.cast_unsigned()])
    }

    #[inline(always)]
    fn load(self, values: &[f32; LANES]) -> Self::F {
        self.uniforms(bytemuck::cast_slice(values))
    }

    #[inline(always)]
    fn load_i(self, values: &[i32; LANES]) -> Self::I {
        self.uniforms(bytemuck::cast_slice(values))
    }

    #[inline(always)]
    fn store(self, _: Self::F, to: &mut [f32; LANES]) {
        *to = [0.0; LANES];
    }

    #[inline(always)]
    fn store_i(self, _: Self::I, to: &mut [i32; LANES]) {
        *to = [0; LANES];
    }

    arithmetic! {
        mul_add(a, b, c);
        min(a, b);
        max(a, b);
        floor(a);
        lt(a, b);
        le(a, b);
        select(mask, a, b);
        to_int(a);
        to_float(a);
        shr_by(a, by);
        min_i(a, b);
        max_i(a, b);
        min_u(a, b);
        lt_i(a, b);
        eq_i(a, b);
        select_i(mask, a, b);
        ddx(a);
        ddy(a);
        quad_first(a);
    }

    modifiers! {
        abs
        to_bits
        of_bits
        not
    }

    #[inline(always)]
    fn sqrt(self, a: Self::F) -> Self::F {
        self.compute("sqrt", Unit::Transcendental, &[a])
    }

    #[inline(always)]
    fn shl<const N: u32>(self, a: Self::I) -> Self::I {
        self.shifted("shl", a, N)
    }

    #[inline(always)]
    fn shr<const N: u32>(self, a: Self::I) -> Self::I {
        self.shifted("shr", a, N)
    }

    #[inline(always)]
    fn sar<const N: u32>(self, a: Self::I) -> Self::I {
        self.shifted("sar", a, N)
    }

    #[inline(always)]
    fn mask(self, bits: u32) -> Self::M {
        self.uniforms(&[bits])
    }

    #[inline(always)]
    fn mask_bits(self, _: Self::M) -> u32 {
        0xffff
    }

    #[inline(always)]
    fn any(self, _: Self::M) -> bool {
        true
    }

    #[inline(always)]
    fn gather(self, table: &[u32], index: Self::I) -> Self::I {
        self.read("gather", table, &[index])
    }

    #[inline(always)]
    fn uniform(self, table: &[u32], index: Self::I) -> Self::I {
        let read = self.alu("uniform", &[index]);
        self.log.depends(table);
        read
    }

    #[inline(always)]
    fn quad_columns(self, rows: [&[f32; 4]; 4]) -> [Self::F; 4] {
        let bits = rows.map(|row| row.map(f32::to_bits));
        self.components(self.uniforms(bits.as_flattened()))
    }

    #[inline(always)]
    fn gather_4(self, table: &[u32], index: Self::I) -> [Self::I; 4] {
        self.components(self.read("gather_4", table, &[index]))
    }

    #[inline(always)]
    fn lookup(self, table: &[i32; LANES], index: Self::I) -> Self::I {
        let table = self.load_i(table);
        self.alu("lookup", &[table, index])
    }

    #[inline(always)]
    fn fetch(self, table: &[u32], texels: &[Self::I; 4]) -> [Self::I; 4] {
        self.components(self.read("fetch", table, texels))
    }

    #[inline(always)]
    fn attribute<const N: usize>(self, _: &[u32], vertex: Self::I) -> [Self::F; N] {
        self.components(self.push("attribute", Unit::Attribute, &[vertex]))
    }

    #[inline(never)]
    fn part<R>(self, part: impl FnOnce() -> R) -> R {
        part()
    }

    #[inline(never)]
    fn special(self, operands: &[Self::F], host: impl FnOnce() -> Self::F) -> Self::F {
        let result = self.compute("special", Unit::Transcendental, operands);
        if T::LOOKS_INSIDE {
            self.log.enter(0);
            self.decides(host());
            self.log.leave();
        }
        result
    }

    #[inline(never)]
    fn textures(
        self,
        slots: &[u8],
        coordinates: &[Self::F],
        colors: &mut [[Self::F; 4]],
        host: impl FnOnce(&mut [[Self::F; 4]]),
    ) {
        let samples = slots
            .iter()
            .map(|_| self.push("texture", Unit::Texture, coordinates));
        let samples: Vec<_> = samples.collect();
        if T::LOOKS_INSIDE {
            self.log.enter(slots.len() as u32);
            host(colors);
            self.log.leave();
        }
        for (&slot, sample) in slots.iter().zip(samples) {
            let color = &mut colors[usize::from(slot)];
            color.iter().for_each(|inside| self.decides(*inside));
            *color = self.components(sample);
        }
    }

    #[inline(always)]
    fn samples(self, member: usize) {
        self.log.member(member as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Table;

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
            let host = |_: &mut [_]| {
                // The work of a texture unit is no instruction of the program.
                let _ = l.sqrt(l.f(2.0));
            };
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

    #[test]
    fn tape_texture_instructions_name_what_they_sample() {
        let (first, second, other) = ([1, 2], [3; 9], [4; 3]);
        let tape = Tape::record_knowing(&[&first, &second], |l| {
            let [u] = l.varying();
            let mut colors = [[l.f(0.0); 4]; 2];
            l.textures(&[1, 0], &[u], &mut colors, |_| {
                l.samples(0);
                l.gather_4(&second, l.i(0));
                l.samples(1);
                l.fetch(&first, &[l.i(0); 4]);
            });
            l.gather(&other, l.to_int(u));
        });
        let sampled: Vec<_> = tape.sampled().collect();
        assert_eq!(sampled[..2], [Some(Table::Known(1)), Some(Table::Known(0))]);
        let by_content = matches!(sampled[2], Some(Table::Other { len: 3, .. }));
        assert!(by_content && sampled.len() == 3, "{sampled:?}");
    }

    /// Uniforms and structure of a program of one varying.
    fn identity(program: impl FnOnce(Recorder<'_>, Recorded<'_>)) -> (Vec<u32>, u64) {
        let tape = Tape::record(|l| {
            let [x] = l.varying();
            program(l, x);
        });
        (tape.uniforms, tape.structure)
    }

    #[test]
    fn tape_structure_tells_what_instructions_do() {
        let programs = [
            identity(|l, x| l.output(&[x + l.f(1.0)])),
            identity(|l, x| l.output(&[x - l.f(1.0)])),
            identity(|l, x| l.output(&[l.f(1.0) - x])),
            identity(|l, x| l.output(&[-x + l.f(1.0)])),
            identity(|l, x| l.output(&[l.of_bits(l.shl::<1>(l.to_bits(x))), l.f(1.0)])),
            identity(|l, x| l.output(&[l.of_bits(l.shl::<2>(l.to_bits(x))), l.f(1.0)])),
            identity(|l, x| {
                l.output(&[x]);
                l.decides(l.lt(x, l.f(1.0)));
            }),
            identity(|l, x| {
                l.output(&[x]);
                let _ = l.lt(x, l.f(1.0));
            }),
        ];
        for (at, program) in programs.iter().enumerate() {
            assert_eq!(program.0, [1.0_f32.to_bits()], "one uniform, program {at}");
            assert!(!programs[..at].contains(program), "program {at} is another");
        }
    }

    #[test]
    fn tape_structure_tells_what_happens_inside_an_instruction() {
        let special =
            |power: f32| identity(move |l, x| l.output(&[l.special(&[x], || x * l.f(power))]));
        assert_eq!(special(2.0), special(2.0), "the same function");
        assert_ne!(special(2.0).1, special(3.0).1, "another constant of a unit");
        assert!(special(2.0).0.is_empty(), "which is no uniform");
        let sampled = |texels: [u32; 3], wraps: bool| {
            identity(move |l, x| {
                let mut colors = [[x; 4]];
                l.textures(&[0], &[x], &mut colors, |_| {
                    let u = l.to_int(if wraps { x - l.floor(x) } else { x });
                    l.gather(&texels, u);
                });
                l.output(&colors[0]);
            })
        };
        assert_eq!(
            sampled([1, 2, 3], true),
            sampled([1, 2, 3], true),
            "the same"
        );
        assert_ne!(
            sampled([1, 2, 3], true),
            sampled([1, 2, 4], true),
            "a texel"
        );
        assert_ne!(
            sampled([1, 2, 3], true),
            sampled([1, 2, 3], false),
            "a sampler"
        );
    }

    #[test]
    fn tape_uniforms_tell_which_of_them_is_used_where() {
        let pair = |a: f32, b: f32| identity(move |l, x| l.output(&[x * l.f(a) + l.f(b)]));
        assert_eq!(pair(1.0, 2.0).1, pair(3.0, 4.0).1, "the same program");
        assert_ne!(pair(1.0, 2.0), pair(2.0, 1.0), "other uniforms");
        assert_ne!(pair(1.0, 1.0).1, pair(1.0, 2.0).1, "one uniform used twice");
    }

    #[test]
    fn counted_textures_are_those_of_the_tape() {
        fn program<T: TapeLog>(l: Recorder<'_, T>) {
            let [x] = l.varying();
            let mut colors = [[x; 4]; 3];
            l.textures(&[0, 2], &[x], &mut colors, |_| {
                l.samples(0);
                l.gather(&[1, 2], l.i(0));
            });
            l.gather(&[1], l.to_int(colors[2][0] + l.f(1.0)));
            l.uniform(&[1], l.to_int(x));
            l.output(&[l.special(&[x], || x)]);
        }
        let tape = Tape::record(program);
        assert_eq!(tape.count(Unit::Texture), 3, "two samples, one read");
        assert_eq!(count_textures(program), 3, "the same without a tape");
    }
}
