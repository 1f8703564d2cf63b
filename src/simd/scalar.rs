//! Lanes as plain arrays: one element after the other, always fused where `mul_add` is written. Slow; what every other
//! implementation is compared with, bit for bit. Operations are calls, never copies: unrolled sixteen times into every
//! program they would take longer to compile than all vector registers together.

use std::array::from_fn;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Sub};

use super::lanes::{LANES, Lanes};

/// The scalar twin of the vector registers.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scalar;

/// Sixteen `f32` in an array.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScalarF(pub [f32; LANES]);

/// Sixteen `i32` in an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScalarI(pub [i32; LANES]);

/// Sixteen booleans in an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScalarM(pub [bool; LANES]);

macro_rules! operators {
    ($type:ident: $($operator:ident $method:ident $element:expr;)*) => {$(
        impl $operator for $type {
            type Output = Self;
            #[inline(never)]
            fn $method(self, other: Self) -> Self {
                Self(from_fn(|lane| $element(self.0[lane], other.0[lane])))
            }
        }
    )*};
}

operators! { ScalarF:
    Add add |a: f32, b: f32| a + b;
    Sub sub |a: f32, b: f32| a - b;
    Mul mul |a: f32, b: f32| a * b;
    Div div |a: f32, b: f32| a / b;
}
operators! { ScalarI:
    Add add i32::wrapping_add;
    Sub sub i32::wrapping_sub;
    Mul mul i32::wrapping_mul;
    BitAnd bitand |a: i32, b: i32| a & b;
    BitOr bitor |a: i32, b: i32| a | b;
    BitXor bitxor |a: i32, b: i32| a ^ b;
}
operators! { ScalarM:
    BitAnd bitand |a: bool, b: bool| a & b;
    BitOr bitor |a: bool, b: bool| a | b;
}

impl Neg for ScalarF {
    type Output = Self;
    #[inline(never)]
    fn neg(self) -> Self {
        Self(self.0.map(|a| -a))
    }
}

impl Lanes for Scalar {
    type F = ScalarF;
    type I = ScalarI;
    type M = ScalarM;
    type Unwatched = Self;

    #[inline(always)]
    fn unwatched(self) -> Self {
        self
    }

    #[inline(never)]
    fn f(self, value: f32) -> ScalarF {
        ScalarF([value; LANES])
    }

    #[inline(never)]
    fn i(self, value: i32) -> ScalarI {
        ScalarI([value; LANES])
    }

    #[inline(never)]
    fn load(self, values: &[f32; LANES]) -> ScalarF {
        ScalarF(*values)
    }

    #[inline(never)]
    fn load_i(self, values: &[i32; LANES]) -> ScalarI {
        ScalarI(*values)
    }

    #[inline(never)]
    fn store(self, value: ScalarF, to: &mut [f32; LANES]) {
        *to = value.0;
    }

    #[inline(never)]
    fn store_i(self, value: ScalarI, to: &mut [i32; LANES]) {
        *to = value.0;
    }

    #[inline(never)]
    fn mul_add(self, a: ScalarF, b: ScalarF, c: ScalarF) -> ScalarF {
        ScalarF(from_fn(|lane| a.0[lane].mul_add(b.0[lane], c.0[lane])))
    }

    #[inline(never)]
    fn sqrt(self, a: ScalarF) -> ScalarF {
        ScalarF(a.0.map(f32::sqrt))
    }

    #[inline(never)]
    fn min(self, a: ScalarF, b: ScalarF) -> ScalarF {
        self.select(self.lt(a, b), a, b)
    }

    #[inline(never)]
    fn max(self, a: ScalarF, b: ScalarF) -> ScalarF {
        self.select(self.lt(b, a), a, b)
    }

    #[inline(never)]
    fn abs(self, a: ScalarF) -> ScalarF {
        ScalarF(a.0.map(f32::abs))
    }

    #[inline(never)]
    fn floor(self, a: ScalarF) -> ScalarF {
        ScalarF(a.0.map(f32::floor))
    }

    #[inline(never)]
    fn lt(self, a: ScalarF, b: ScalarF) -> ScalarM {
        ScalarM(from_fn(|lane| a.0[lane] < b.0[lane]))
    }

    #[inline(never)]
    fn le(self, a: ScalarF, b: ScalarF) -> ScalarM {
        ScalarM(from_fn(|lane| a.0[lane] <= b.0[lane]))
    }

    #[inline(never)]
    fn select(self, mask: ScalarM, a: ScalarF, b: ScalarF) -> ScalarF {
        ScalarF(from_fn(
            |lane| if mask.0[lane] { a.0[lane] } else { b.0[lane] },
        ))
    }

    #[inline(never)]
    fn to_int(self, a: ScalarF) -> ScalarI {
        ScalarI(a.0.map(|a| a as i32))
    }

    #[inline(never)]
    fn to_float(self, a: ScalarI) -> ScalarF {
        ScalarF(a.0.map(|a| a as f32))
    }

    #[inline(never)]
    fn to_bits(self, a: ScalarF) -> ScalarI {
        ScalarI(a.0.map(|a| a.to_bits().cast_signed()))
    }

    #[inline(never)]
    fn of_bits(self, a: ScalarI) -> ScalarF {
        ScalarF(a.0.map(|a| f32::from_bits(a.cast_unsigned())))
    }

    #[inline(never)]
    fn shl<const N: u32>(self, a: ScalarI) -> ScalarI {
        ScalarI(a.0.map(|a| a << N))
    }

    #[inline(never)]
    fn shr<const N: u32>(self, a: ScalarI) -> ScalarI {
        ScalarI(a.0.map(|a| (a.cast_unsigned() >> N).cast_signed()))
    }

    #[inline(never)]
    fn shr_by(self, a: ScalarI, by: ScalarI) -> ScalarI {
        let shift = |lane: usize| a.0[lane].cast_unsigned() >> (by.0[lane] & 31);
        ScalarI(from_fn(|lane| shift(lane).cast_signed()))
    }

    #[inline(never)]
    fn sar<const N: u32>(self, a: ScalarI) -> ScalarI {
        ScalarI(a.0.map(|a| a >> N))
    }

    #[inline(never)]
    fn min_i(self, a: ScalarI, b: ScalarI) -> ScalarI {
        ScalarI(from_fn(|lane| a.0[lane].min(b.0[lane])))
    }

    #[inline(never)]
    fn max_i(self, a: ScalarI, b: ScalarI) -> ScalarI {
        ScalarI(from_fn(|lane| a.0[lane].max(b.0[lane])))
    }

    #[inline(never)]
    fn min_u(self, a: ScalarI, b: ScalarI) -> ScalarI {
        let min = |a: i32, b: i32| a.cast_unsigned().min(b.cast_unsigned()).cast_signed();
        ScalarI(from_fn(|lane| min(a.0[lane], b.0[lane])))
    }

    #[inline(never)]
    fn lt_i(self, a: ScalarI, b: ScalarI) -> ScalarM {
        ScalarM(from_fn(|lane| a.0[lane] < b.0[lane]))
    }

    #[inline(never)]
    fn eq_i(self, a: ScalarI, b: ScalarI) -> ScalarM {
        ScalarM(from_fn(|lane| a.0[lane] == b.0[lane]))
    }

    #[inline(never)]
    fn select_i(self, mask: ScalarM, a: ScalarI, b: ScalarI) -> ScalarI {
        ScalarI(from_fn(
            |lane| if mask.0[lane] { a.0[lane] } else { b.0[lane] },
        ))
    }

    #[inline(never)]
    fn mask(self, bits: u32) -> ScalarM {
        ScalarM(from_fn(|lane| bits >> lane & 1 == 1))
    }

    #[inline(never)]
    fn mask_bits(self, mask: ScalarM) -> u32 {
        let bit = |(lane, set): (usize, bool)| u32::from(set) << lane;
        mask.0.into_iter().enumerate().map(bit).sum()
    }

    #[inline(never)]
    fn not(self, mask: ScalarM) -> ScalarM {
        ScalarM(mask.0.map(|set| !set))
    }

    #[inline(never)]
    fn any(self, mask: ScalarM) -> bool {
        mask.0.contains(&true)
    }

    #[inline(never)]
    fn gather(self, table: &[u32], index: ScalarI) -> ScalarI {
        let read = |index: i32| {
            let clamped = (index.cast_unsigned() as usize).min(table.len().saturating_sub(1));
            table.get(clamped).map_or(0, |value| value.cast_signed())
        };
        ScalarI(index.0.map(read))
    }

    #[inline(never)]
    fn part<R>(self, part: impl FnOnce() -> R) -> R {
        part()
    }

    #[inline(never)]
    fn ddx(self, a: ScalarF) -> ScalarF {
        ScalarF(from_fn(|lane| a.0[lane | 1] - a.0[lane & !1]))
    }

    #[inline(never)]
    fn ddy(self, a: ScalarF) -> ScalarF {
        ScalarF(from_fn(|lane| a.0[lane | 2] - a.0[lane & !2]))
    }

    #[inline(never)]
    fn quad_first(self, a: ScalarF) -> ScalarF {
        ScalarF(from_fn(|lane| a.0[lane & !3]))
    }

    #[inline(never)]
    fn quad_columns(self, rows: [&[f32; 4]; 4]) -> [ScalarF; 4] {
        from_fn(|k| ScalarF(from_fn(|lane| rows[lane / 4][k])))
    }

    #[inline(never)]
    fn gather_4(self, table: &[u32], index: ScalarI) -> [ScalarI; 4] {
        let read = |lane: usize, k: usize| {
            let last = table.len().checked_sub(4)?;
            let first = (index.0[lane].cast_unsigned() as usize).min(last);
            Some(table[first + k].cast_signed())
        };
        from_fn(|k| ScalarI(from_fn(|lane| read(lane, k).unwrap_or(0))))
    }

    #[inline(never)]
    fn lookup(self, table: &[i32; LANES], index: ScalarI) -> ScalarI {
        ScalarI(index.0.map(|index| table[(index & 15) as usize]))
    }
}
