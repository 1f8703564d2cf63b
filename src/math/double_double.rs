//! Double-double arithmetic: a number as the unevaluated sum of two `f64`, 106 bits (Dekker, "A Floating-Point Technique
//! for Extending the Available Precision", Numerische Mathematik 1971; Knuth, TAOCP vol. 2, 4.2.2 for the error of a sum).
//!
//! For the few sums that cancel nearly all of their digits, such as the place where an edge of 40,000 km passes the eye at
//! a millimetre. A sum keeps 2^-104 of its operands, products and quotients 2^-102 of themselves.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number of 106 bits: `high` is its nearest `f64`, `low` what that leaves. Ordered by value.
#[derive(Debug, Clone, Copy, Default, PartialEq, PartialOrd)]
pub struct DoubleDouble {
    high: f64,
    low: f64,
}

impl DoubleDouble {
    /// The number 0, exactly.
    pub const ZERO: Self = Self {
        high: 0.0,
        low: 0.0,
    };
    /// The number 1, exactly.
    pub const ONE: Self = Self {
        high: 1.0,
        low: 0.0,
    };

    /// Rounds to the nearest `f64`.
    #[must_use]
    pub const fn to_f64(self) -> f64 {
        self.high
    }

    /// Neither infinite nor NaN.
    #[must_use]
    pub const fn is_finite(self) -> bool {
        self.high.is_finite() && self.low.is_finite()
    }

    /// a + b without error.
    fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let of_b = high - a;
        let low = (a - (high - of_b)) + (b - of_b);
        Self { high, low }
    }

    /// a + b without error, where a is not the smaller one.
    fn ordered_sum(a: f64, b: f64) -> Self {
        let high = a + b;
        Self {
            high,
            low: b - (high - a),
        }
    }
}

impl From<f64> for DoubleDouble {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl From<f32> for DoubleDouble {
    fn from(value: f32) -> Self {
        f64::from(value).into()
    }
}

impl Add for DoubleDouble {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let high = Self::sum(self.high, other.high);
        let low = Self::sum(self.low, other.low);
        let high = Self::ordered_sum(high.high, high.low + low.high);
        Self::ordered_sum(high.high, high.low + low.low)
    }
}

impl Neg for DoubleDouble {
    type Output = Self;

    fn neg(self) -> Self {
        Self {
            high: -self.high,
            low: -self.low,
        }
    }
}

impl Sub for DoubleDouble {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let high = self.high * other.high;
        let low = self.high.mul_add(other.high, -high);
        let cross = self.high.mul_add(other.low, self.low * other.high);
        Self::ordered_sum(high, low + cross)
    }
}

impl Div for DoubleDouble {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * first.into();
        let second = rest.high / other.high;
        let rest = rest - other * second.into();
        Self::ordered_sum(first, second) + (rest.high / other.high).into()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Whole numbers of up to 100 bits, which are exact.
    fn number(value: i128) -> DoubleDouble {
        let high = value as f64;
        let low = (value - high as i128) as f64;
        DoubleDouble::sum(high, low)
    }

    fn whole(value: DoubleDouble) -> i128 {
        value.high as i128 + value.low as i128
    }

    proptest! {
        #[test]
        fn double_double_is_exact_for_whole_numbers_of_100_bits(
            a in -(1_i128 << 100)..1 << 100, b in -(1_i128 << 100)..1 << 100,
            x in -(1_i128 << 50)..1 << 50, y in -(1_i128 << 50)..1 << 50,
        ) {
            prop_assert_eq!(whole(number(a) + number(b)), a + b);
            prop_assert_eq!(whole(number(a) - number(b)), a - b);
            prop_assert_eq!(whole(number(x) * number(y)), x * y);
            prop_assert_eq!(number(a) < number(b), a < b);
            if y != 0 {
                prop_assert_eq!(whole(number(x * y) / number(y)), x);
            }
        }
    }

    #[test]
    fn double_double_keeps_what_a_sum_cancels() {
        let [large, small] = [1e16_f64, 1e-10].map(DoubleDouble::from);
        assert_eq!((large + small - large).to_f64(), 1e-10, "26 digits apart");
        assert!(!(DoubleDouble::ONE / DoubleDouble::ZERO).is_finite(), "1/0");
    }
}
