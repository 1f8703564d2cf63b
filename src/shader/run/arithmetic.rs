//! Arithmetic on registers of a batch.

use azulejo_simd::{LANES, Lanes};

use super::super::code::{NONE, Register};
use super::super::operation::{
    Alu, BitOp, CompareOp, ConvertOp, Derivative, FloatOp, IntegerOp, Special,
};
use super::batch::{BLOCKS, Row};
use super::scalar;

/// One operation on registers: its operands, and the register of its result.
struct Step<'r, L> {
    l: L,
    registers: &'r mut [Row],
    operands: &'r [Register; 4],
    to: usize,
}

macro_rules! integer {
    ($step:ident, |$($x:ident),+| $value:expr) => {
        for block in 0..BLOCKS {
            let mut _k = 0;
            $(let $x = $step.l.load_i(&$step.registers[$step.operands[_k] as usize][block]); _k += 1;)+
            let value = $value;
            $step.l.store_i(value, &mut $step.registers[$step.to][block]);
        }
    };
}

macro_rules! float {
    ($step:ident, |$($x:ident),+| $value:expr) => {
        integer!($step, |$($x),+| { $(let $x = $step.l.of_bits($x);)+ $step.l.to_bits($value) })
    };
}

macro_rules! test {
    ($step:ident, |$($x:ident),+| $value:expr) => {
        integer!($step, |$($x),+| {
            let mask = $value;
            $step.l.select_i(mask, $step.l.i(1), $step.l.i(0))
        })
    };
}

macro_rules! by_lane {
    ($step:ident, |$($x:ident),+| $value:expr) => {
        for block in 0..BLOCKS {
            let mut _k = 0;
            $(let $x = $step.registers[$step.operands[_k] as usize][block]; _k += 1;)+
            let result = &mut $step.registers[$step.to][block];
            for lane in 0..LANES {
                $(let $x = $x[lane];)+
                result[lane] = $value;
            }
        }
    };
}

#[inline(always)]
pub(super) fn alu<L: Lanes>(
    l: L,
    op: Alu,
    registers: &mut [Row],
    operands: &[Register; 4],
    to: usize,
) {
    let step = &mut Step {
        l,
        registers,
        operands,
        to,
    };
    match op {
        Alu::Move => step.registers[to] = step.registers[operands[0] as usize],
        Alu::Float(op) => float(step, op),
        Alu::Compare(op) => compare(step, op),
        Alu::Integer(op) => integer(step, op),
        Alu::Bits(op) => bits(step, op),
        Alu::Convert(op) => convert(step, op),
    }
}

#[inline(always)]
fn float<L: Lanes>(step: &mut Step<'_, L>, op: FloatOp) {
    let l = step.l;
    let sign = l.i(i32::MIN);
    match op {
        FloatOp::AddF => float!(step, |a, b| a + b),
        FloatOp::SubF => float!(step, |a, b| a - b),
        FloatOp::MulF => float!(step, |a, b| a * b),
        FloatOp::NegF => integer!(step, |a| a ^ sign),
        FloatOp::MinF => float!(step, |a, b| l.min(a, b)),
        FloatOp::MaxF => float!(step, |a, b| l.max(a, b)),
        FloatOp::AbsF => integer!(step, |a| a & l.i(i32::MAX)),
        FloatOp::FloorF => float!(step, |a| l.floor(a)),
        FloatOp::CeilF => by_lane!(step, |a| scalar::b(libm::ceilf(scalar::f(a)))),
        FloatOp::TruncF => by_lane!(step, |a| scalar::b(libm::truncf(scalar::f(a)))),
        FloatOp::RoundF => by_lane!(step, |a| scalar::b(scalar::f(a).round_ties_even())),
        FloatOp::SignF => by_lane!(step, |a| scalar::sign_f(a)),
        FloatOp::FmaF => float!(step, |a, b, c| l.mul_add(a, b, c)),
        FloatOp::Ldexp => by_lane!(step, |a, b| scalar::ldexp(a, b)),
        FloatOp::FrexpMantissa => by_lane!(step, |a| scalar::mantissa(a)),
        FloatOp::FrexpExponent => by_lane!(step, |a| scalar::exponent(a)),
    }
}

#[inline(always)]
fn compare<L: Lanes>(step: &mut Step<'_, L>, op: CompareOp) {
    let l = step.l;
    let sign = l.i(i32::MIN);
    match op {
        CompareOp::LtF => test!(step, |a, b| l.lt(l.of_bits(a), l.of_bits(b))),
        CompareOp::LeF => test!(step, |a, b| l.le(l.of_bits(a), l.of_bits(b))),
        CompareOp::EqF => by_lane!(step, |a, b| i32::from(scalar::f(a) == scalar::f(b))),
        CompareOp::NeF => by_lane!(step, |a, b| i32::from(scalar::f(a) != scalar::f(b))),
        CompareOp::LtI => test!(step, |a, b| l.lt_i(a, b)),
        CompareOp::LeI => test!(step, |a, b| l.not(l.lt_i(b, a))),
        CompareOp::LtU => test!(step, |a, b| l.lt_i(a ^ sign, b ^ sign)),
        CompareOp::LeU => test!(step, |a, b| l.not(l.lt_i(b ^ sign, a ^ sign))),
        CompareOp::EqI => test!(step, |a, b| l.eq_i(a, b)),
        CompareOp::NeI => test!(step, |a, b| l.not(l.eq_i(a, b))),
    }
}

#[inline(always)]
fn integer<L: Lanes>(step: &mut Step<'_, L>, op: IntegerOp) {
    let l = step.l;
    let sign = l.i(i32::MIN);
    match op {
        IntegerOp::AddI => integer!(step, |a, b| a + b),
        IntegerOp::SubI => integer!(step, |a, b| a - b),
        IntegerOp::MulI => integer!(step, |a, b| a * b),
        IntegerOp::MinI => integer!(step, |a, b| l.min_i(a, b)),
        IntegerOp::MaxI => integer!(step, |a, b| l.max_i(a, b)),
        IntegerOp::MinU => integer!(step, |a, b| l.min_u(a, b)),
        IntegerOp::MaxU => integer!(step, |a, b| l.max_i(a ^ sign, b ^ sign) ^ sign),
        IntegerOp::AbsI => by_lane!(step, |a| a.wrapping_abs()),
        IntegerOp::SignI => by_lane!(step, |a| a.signum()),
        IntegerOp::Index => integer!(step, |a, length, stride, before| {
            // An array without elements: the word before it is clamped where it is read.
            let last = l.max_i(length, l.i(1)) - l.i(1);
            l.min_u(a, last) * stride + before
        }),
        IntegerOp::Select => integer!(step, |mask, a, b| l.select_i(l.eq_i(mask, l.i(0)), b, a)),
    }
}

#[inline(always)]
fn bits<L: Lanes>(step: &mut Step<'_, L>, op: BitOp) {
    let l = step.l;
    match op {
        BitOp::And => integer!(step, |a, b| a & b),
        BitOp::Or => integer!(step, |a, b| a | b),
        BitOp::Xor => integer!(step, |a, b| a ^ b),
        BitOp::Not => integer!(step, |a| a ^ l.i(-1)),
        BitOp::Shl => by_lane!(step, |a, b| a.wrapping_shl(b.cast_unsigned())),
        BitOp::ShrU => integer!(step, |a, b| l.shr_by(a, b & l.i(31))),
        BitOp::ShrI => by_lane!(step, |a, b| a.wrapping_shr(b.cast_unsigned())),
        BitOp::CountOnes => by_lane!(step, |a| a.count_ones().cast_signed()),
        BitOp::LeadingZeros => by_lane!(step, |a| a.leading_zeros().cast_signed()),
        BitOp::TrailingZeros => by_lane!(step, |a| a.trailing_zeros().cast_signed()),
        BitOp::ReverseBits => by_lane!(step, |a| a.reverse_bits()),
        BitOp::FirstLeadingU => by_lane!(step, |a| scalar::first_leading_u(a)),
        BitOp::FirstLeadingI => by_lane!(step, |a| scalar::first_leading_i(a)),
        BitOp::FirstTrailing => by_lane!(step, |a| scalar::first_trailing(a)),
        BitOp::ExtractU => by_lane!(step, |a, b, c| scalar::extract_u(a, b, c)),
        BitOp::ExtractI => by_lane!(step, |a, b, c| scalar::extract_i(a, b, c)),
        BitOp::Insert => by_lane!(step, |a, b, c, d| scalar::insert(a, b, c, d)),
    }
}

#[inline(always)]
fn convert<L: Lanes>(step: &mut Step<'_, L>, op: ConvertOp) {
    let l = step.l;
    match op {
        ConvertOp::FloatToI => by_lane!(step, |a| scalar::to_i(a)),
        ConvertOp::FloatToU => by_lane!(step, |a| scalar::to_u(a)),
        ConvertOp::IToFloat => integer!(step, |a| l.to_bits(l.to_float(a))),
        ConvertOp::UToFloat => by_lane!(step, |a| scalar::b(a.cast_unsigned() as f32)),
        ConvertOp::FloatToHalf => by_lane!(step, |a| scalar::to_half(a)),
        ConvertOp::HalfToFloat => by_lane!(step, |a| scalar::of_half(a)),
    }
}

#[inline(always)]
pub(super) fn special<L: Lanes>(
    l: L,
    op: Special,
    registers: &mut [Row],
    operands: &[Register; 4],
    to: usize,
) {
    let second = |registers: &[Row], block: usize| match operands[1] {
        NONE => [0; LANES],
        register => registers[register as usize][block],
    };
    macro_rules! float {
        (|$a:ident, $b:ident| $value:expr) => {
            for block in 0..BLOCKS {
                let $a = l.of_bits(l.load_i(&registers[operands[0] as usize][block]));
                let $b = l.of_bits(l.load_i(&second(registers, block)));
                l.store_i(l.to_bits($value), &mut registers[to][block]);
            }
        };
    }
    match op {
        Special::DivF => float!(|a, b| a / b),
        Special::Sqrt => float!(|a, _b| l.sqrt(a)),
        Special::InverseSqrt => float!(|a, _b| l.f(1.0) / l.sqrt(a)),
        _ => {
            for block in 0..BLOCKS {
                let (a, b) = (
                    registers[operands[0] as usize][block],
                    second(registers, block),
                );
                let result = &mut registers[to][block];
                for lane in 0..LANES {
                    result[lane] = scalar::special(op, a[lane], b[lane]);
                }
            }
        }
    }
}

#[inline(always)]
pub(super) fn derivative<L: Lanes>(
    l: L,
    op: Derivative,
    registers: &mut [Row],
    from: Register,
    to: usize,
) {
    let row = registers[from as usize];
    for (block, result) in row.iter().zip(&mut registers[to]) {
        let value = l.of_bits(l.load_i(block));
        let difference = match op {
            Derivative::X => l.ddx(value),
            Derivative::Y => l.ddy(value),
            Derivative::XCoarse => l.quad_first(l.ddx(value)),
            Derivative::YCoarse => l.quad_first(l.ddy(value)),
        };
        l.store_i(l.to_bits(difference), result);
    }
}
