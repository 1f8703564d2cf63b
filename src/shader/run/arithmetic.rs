//! Arithmetic on registers of a batch.

use azulejo_simd::{LANES, Lanes};

use super::super::code::{NONE, Register};
use super::super::operation::{Alu, Derivative, Special};
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
    if op == Alu::Move {
        registers[to] = registers[operands[0] as usize];
        return;
    }
    let step = &mut Step {
        l,
        registers,
        operands,
        to,
    };
    let known = float(step, op)
        || float_bits(step, op)
        || integer(step, op)
        || integer_test(step, op)
        || bits(step, op)
        || conversion(step, op);
    debug_assert!(known, "every operation has a family");
}

/// Floats' arithmetic; these functions say whether the operation is theirs.
#[inline(always)]
fn float<L: Lanes>(step: &mut Step<'_, L>, op: Alu) -> bool {
    let l = step.l;
    match op {
        Alu::AddF => float!(step, |a, b| a + b),
        Alu::SubF => float!(step, |a, b| a - b),
        Alu::MulF => float!(step, |a, b| a * b),
        Alu::MinF => float!(step, |a, b| l.min(a, b)),
        Alu::MaxF => float!(step, |a, b| l.max(a, b)),
        Alu::FloorF => float!(step, |a| l.floor(a)),
        Alu::CeilF => by_lane!(step, |a| scalar::b(libm::ceilf(scalar::f(a)))),
        Alu::TruncF => by_lane!(step, |a| scalar::b(libm::truncf(scalar::f(a)))),
        Alu::RoundF => by_lane!(step, |a| scalar::b(scalar::f(a).round_ties_even())),
        Alu::SignF => by_lane!(step, |a| scalar::sign_f(a)),
        Alu::FmaF => float!(step, |a, b, c| l.mul_add(a, b, c)),
        Alu::Ldexp => by_lane!(step, |a, b| scalar::ldexp(a, b)),
        Alu::FrexpMantissa => by_lane!(step, |a| scalar::mantissa(a)),
        Alu::FrexpExponent => by_lane!(step, |a| scalar::exponent(a)),
        _ => return false,
    }
    true
}

/// Signs of floats, and their comparisons.
#[inline(always)]
fn float_bits<L: Lanes>(step: &mut Step<'_, L>, op: Alu) -> bool {
    let l = step.l;
    let sign = l.i(i32::MIN);
    match op {
        Alu::NegF => integer!(step, |a| a ^ sign),
        Alu::AbsF => integer!(step, |a| a & l.i(i32::MAX)),
        Alu::LtF => test!(step, |a, b| l.lt(l.of_bits(a), l.of_bits(b))),
        Alu::LeF => test!(step, |a, b| l.le(l.of_bits(a), l.of_bits(b))),
        Alu::EqF => by_lane!(step, |a, b| i32::from(scalar::f(a) == scalar::f(b))),
        Alu::NeF => by_lane!(step, |a, b| i32::from(scalar::f(a) != scalar::f(b))),
        _ => return false,
    }
    true
}

/// Integers' arithmetic, and choices.
#[inline(always)]
fn integer<L: Lanes>(step: &mut Step<'_, L>, op: Alu) -> bool {
    let l = step.l;
    let sign = l.i(i32::MIN);
    match op {
        Alu::AddI => integer!(step, |a, b| a + b),
        Alu::SubI => integer!(step, |a, b| a - b),
        Alu::MulI => integer!(step, |a, b| a * b),
        Alu::MinI => integer!(step, |a, b| l.min_i(a, b)),
        Alu::MaxI => integer!(step, |a, b| l.max_i(a, b)),
        Alu::MinU => integer!(step, |a, b| l.min_u(a, b)),
        Alu::MaxU => integer!(step, |a, b| l.max_i(a ^ sign, b ^ sign) ^ sign),
        Alu::AbsI => by_lane!(step, |a| a.wrapping_abs()),
        Alu::SignI => by_lane!(step, |a| a.signum()),
        Alu::Index => integer!(step, |a, length, stride, before| {
            // An array without elements: the word before it is clamped where it is read.
            let last = l.max_i(length, l.i(1)) - l.i(1);
            l.min_u(a, last) * stride + before
        }),
        Alu::Select => integer!(step, |mask, a, b| l.select_i(l.eq_i(mask, l.i(0)), b, a)),
        _ => return false,
    }
    true
}

/// Integers' comparisons.
#[inline(always)]
fn integer_test<L: Lanes>(step: &mut Step<'_, L>, op: Alu) -> bool {
    let l = step.l;
    let sign = l.i(i32::MIN);
    match op {
        Alu::LtI => test!(step, |a, b| l.lt_i(a, b)),
        Alu::LeI => test!(step, |a, b| l.not(l.lt_i(b, a))),
        Alu::LtU => test!(step, |a, b| l.lt_i(a ^ sign, b ^ sign)),
        Alu::LeU => test!(step, |a, b| l.not(l.lt_i(b ^ sign, a ^ sign))),
        Alu::EqI => test!(step, |a, b| l.eq_i(a, b)),
        Alu::NeI => test!(step, |a, b| l.not(l.eq_i(a, b))),
        _ => return false,
    }
    true
}

/// Operations on single bits.
#[inline(always)]
fn bits<L: Lanes>(step: &mut Step<'_, L>, op: Alu) -> bool {
    let l = step.l;
    match op {
        Alu::And => integer!(step, |a, b| a & b),
        Alu::Or => integer!(step, |a, b| a | b),
        Alu::Xor => integer!(step, |a, b| a ^ b),
        Alu::Not => integer!(step, |a| a ^ l.i(-1)),
        Alu::Shl => by_lane!(step, |a, b| a.wrapping_shl(b.cast_unsigned())),
        Alu::ShrU => integer!(step, |a, b| l.shr_by(a, b & l.i(31))),
        Alu::ShrI => by_lane!(step, |a, b| a.wrapping_shr(b.cast_unsigned())),
        Alu::CountOnes => by_lane!(step, |a| a.count_ones().cast_signed()),
        Alu::LeadingZeros => by_lane!(step, |a| a.leading_zeros().cast_signed()),
        Alu::TrailingZeros => by_lane!(step, |a| a.trailing_zeros().cast_signed()),
        Alu::ReverseBits => by_lane!(step, |a| a.reverse_bits()),
        Alu::FirstLeadingU => by_lane!(step, |a| scalar::first_leading_u(a)),
        Alu::FirstLeadingI => by_lane!(step, |a| scalar::first_leading_i(a)),
        Alu::FirstTrailing => by_lane!(step, |a| scalar::first_trailing(a)),
        Alu::ExtractU => by_lane!(step, |a, b, c| scalar::extract_u(a, b, c)),
        Alu::ExtractI => by_lane!(step, |a, b, c| scalar::extract_i(a, b, c)),
        Alu::Insert => by_lane!(step, |a, b, c, d| scalar::insert(a, b, c, d)),
        _ => return false,
    }
    true
}

/// Conversions between types.
#[inline(always)]
fn conversion<L: Lanes>(step: &mut Step<'_, L>, op: Alu) -> bool {
    let l = step.l;
    match op {
        Alu::FloatToI => by_lane!(step, |a| scalar::f(a) as i32),
        Alu::FloatToU => by_lane!(step, |a| (scalar::f(a) as u32).cast_signed()),
        Alu::IToFloat => integer!(step, |a| l.to_bits(l.to_float(a))),
        Alu::UToFloat => by_lane!(step, |a| scalar::b(a.cast_unsigned() as f32)),
        Alu::FloatToHalf => by_lane!(step, |a| scalar::to_half(a)),
        Alu::HalfToFloat => by_lane!(step, |a| scalar::of_half(a)),
        _ => return false,
    }
    true
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
