//! Operations that lanes have no vector instruction for, a lane at a time; the compiler makes vectors of the simple ones.

use super::super::operation::{AtomicOp, Special};

#[inline(always)]
pub(super) fn f(bits: i32) -> f32 {
    f32::from_bits(bits.cast_unsigned())
}

#[inline(always)]
pub(super) fn b(value: f32) -> i32 {
    value.to_bits().cast_signed()
}

/// Quotient as WGSL has it: by zero, and the one that overflows, it is the dividend.
pub(super) fn div_i(a: i32, b: i32) -> i32 {
    a.checked_div(b).unwrap_or(a)
}

pub(super) fn rem_i(a: i32, b: i32) -> i32 {
    a.checked_rem(b).unwrap_or(0)
}

pub(super) fn div_u(a: i32, b: i32) -> i32 {
    let (a, b) = (a.cast_unsigned(), b.cast_unsigned());
    a.checked_div(b).unwrap_or(a).cast_signed()
}

pub(super) fn rem_u(a: i32, b: i32) -> i32 {
    let (a, b) = (a.cast_unsigned(), b.cast_unsigned());
    a.checked_rem(b).unwrap_or(0).cast_signed()
}

/// Field of a word, without sign; what lies beyond the word is left out.
pub(super) fn extract_u(word: i32, offset: i32, count: i32) -> i32 {
    let (offset, count) = field(offset, count);
    let shifted = word.cast_unsigned().checked_shr(offset).unwrap_or(0);
    (shifted & low_bits(count)).cast_signed()
}

pub(super) fn extract_i(word: i32, offset: i32, count: i32) -> i32 {
    let (offset, count) = field(offset, count);
    if count == 0 {
        return 0;
    }
    (word << (32 - offset - count)) >> (32 - count)
}

pub(super) fn insert(word: i32, value: i32, offset: i32, count: i32) -> i32 {
    let (offset, count) = field(offset, count);
    let mask = low_bits(count).checked_shl(offset).unwrap_or(0);
    let moved = value.cast_unsigned().checked_shl(offset).unwrap_or(0);
    ((word.cast_unsigned() & !mask) | (moved & mask)).cast_signed()
}

fn field(offset: i32, count: i32) -> (u32, u32) {
    let offset = offset.cast_unsigned().min(32);
    (offset, count.cast_unsigned().min(32 - offset))
}

fn low_bits(count: u32) -> u32 {
    u32::MAX.checked_shr(32 - count).unwrap_or(0)
}

pub(super) fn first_leading_u(word: i32) -> i32 {
    31 - word.leading_zeros().cast_signed()
}

pub(super) fn first_leading_i(word: i32) -> i32 {
    first_leading_u(if word < 0 { !word } else { word })
}

pub(super) fn first_trailing(word: i32) -> i32 {
    match word {
        0 => -1,
        _ => word.trailing_zeros().cast_signed(),
    }
}

pub(super) fn sign_f(bits: i32) -> i32 {
    let value = f(bits);
    b(if value > 0.0 {
        1.0
    } else if value < 0.0 {
        -1.0
    } else {
        0.0
    })
}

/// Integer of a float as WGSL has it: beyond the range it is the last one that is a float too.
#[inline(always)]
pub(super) fn to_i(bits: i32) -> i32 {
    (f(bits) as i32).min(0x7fff_ff80)
}

/// Unsigned integer of a float, as [`to_i`].
#[inline(always)]
pub(super) fn to_u(bits: i32) -> i32 {
    (f(bits) as u32).min(0xffff_ff00).cast_signed()
}

pub(super) fn to_half(bits: i32) -> i32 {
    half::f16::from_f32_const(f(bits)).to_bits().into()
}

pub(super) fn of_half(bits: i32) -> i32 {
    b(half::f16::from_bits(bits as u16).to_f32_const())
}

pub(super) fn ldexp(bits: i32, exponent: i32) -> i32 {
    b(libm::ldexpf(f(bits), exponent))
}

pub(super) fn mantissa(bits: i32) -> i32 {
    b(libm::frexpf(f(bits)).0)
}

pub(super) fn exponent(bits: i32) -> i32 {
    let value = f(bits);
    if value.is_finite() {
        libm::frexpf(value).1
    } else {
        0
    }
}

/// A special function of one lane.
pub(super) fn special(op: Special, x: i32, y: i32) -> i32 {
    let (a, c) = (f(x), f(y));
    b(match op {
        Special::DivI => return div_i(x, y),
        Special::DivU => return div_u(x, y),
        Special::RemI => return rem_i(x, y),
        Special::RemU => return rem_u(x, y),
        Special::DivF => a / c,
        Special::RemF => a - c * libm::truncf(a / c),
        Special::Sqrt => a.sqrt(),
        Special::InverseSqrt => 1.0 / a.sqrt(),
        Special::Sin => libm::sinf(a),
        Special::Cos => libm::cosf(a),
        Special::Tan => libm::tanf(a),
        Special::Asin => libm::asinf(a),
        Special::Acos => libm::acosf(a),
        Special::Atan => libm::atanf(a),
        Special::Atan2 => libm::atan2f(a, c),
        Special::Sinh => libm::sinhf(a),
        Special::Cosh => libm::coshf(a),
        Special::Tanh => libm::tanhf(a),
        Special::Asinh => libm::asinhf(a),
        Special::Acosh => libm::acoshf(a),
        Special::Atanh => libm::atanhf(a),
        Special::Exp => libm::expf(a),
        Special::Exp2 => libm::exp2f(a),
        Special::Log => libm::logf(a),
        Special::Log2 => libm::log2f(a),
        Special::Pow => libm::powf(a, c),
    })
}

/// New value of a word, and whether it was exchanged.
pub(super) fn atomic(op: AtomicOp, old: u32, value: u32, compare: u32) -> (u32, bool) {
    let (old_i, value_i) = (old.cast_signed(), value.cast_signed());
    let new = match op {
        AtomicOp::Add => old.wrapping_add(value),
        AtomicOp::Subtract => old.wrapping_sub(value),
        AtomicOp::And => old & value,
        AtomicOp::Xor => old ^ value,
        AtomicOp::Or => old | value,
        AtomicOp::MinI => old_i.min(value_i).cast_unsigned(),
        AtomicOp::MaxI => old_i.max(value_i).cast_unsigned(),
        AtomicOp::MinU => old.min(value),
        AtomicOp::MaxU => old.max(value),
        AtomicOp::Exchange => value,
        AtomicOp::CompareExchange if old == compare => return (value, true),
        AtomicOp::CompareExchange => return (old, false),
    };
    (new, true)
}
