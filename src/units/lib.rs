//! Units of the model as types: a number with a unit never travels as a bare integer.
//!
//! Counts and times are integers, so that sums are exact and independent of order; conversions to floating point happen
//! where a person reads the result. Energy is a floating-point number from the start, because its tables are. Sums and
//! products that do not fit end the program instead of wrapping: numbers from files come through ranges that keep them far
//! from there.
//!
//! ```
//! # mod azulejo { pub use azulejo_units as units; }
//! use azulejo::units::{Cycles, Hertz, Picoseconds};
//!
//! assert_eq!(Hertz::from_mhz(800).time_of(Cycles(4)), Picoseconds(5_000));
//! ```

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Sub};

/// Frames of a second of game time, as displays show them.
pub const FRAMES_PER_SECOND: u32 = 60;

/// A sum, difference or product of quantities is outside its 64 bits.
#[cold]
#[inline(never)]
#[track_caller]
fn out_of_range() -> ! {
    panic!("a quantity is out of the range of its 64 bits")
}

macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident, $suffix:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl $name {
            /// Nothing, 0; as a time, when the machine began.
            pub const ZERO: Self = Self(0);
            /// Largest count, above any that occurs; as a time, never.
            pub const MAX: Self = Self(u64::MAX);

            /// The difference, or zero where `other` is larger.
            #[must_use]
            pub const fn saturating_sub(self, other: Self) -> Self {
                Self(self.0.saturating_sub(other.0))
            }
        }

        impl From<u64> for $name {
            fn from(value: u64) -> Self {
                Self(value)
            }
        }

        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                match self.0.checked_add(other.0) {
                    Some(sum) => Self(sum),
                    None => out_of_range(),
                }
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                match self.0.checked_sub(other.0) {
                    Some(difference) => Self(difference),
                    None => out_of_range(),
                }
            }
        }

        impl Mul<u64> for $name {
            type Output = Self;
            fn mul(self, factor: u64) -> Self {
                match self.0.checked_mul(factor) {
                    Some(product) => Self(product),
                    None => out_of_range(),
                }
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
                items.fold(Self::ZERO, Add::add)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!("{}", $suffix), self.0)
            }
        }
    };
}

quantity!(
    /// Cycles of the GPU's clock: a time since the machine began, or a duration.
    Cycles, " cycles"
);
quantity!(
    /// Cycles of the DRAM's clock: a time since the machine began, or a duration.
    DramCycles, " DRAM cycles"
);

/// Sums of times that a running machine reaches. They are far from the end of 64 bits, so that checks can be left to builds
/// that check every sum.
impl Cycles {
    /// The cycle that comes after this one.
    #[doc(hidden)]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// The cycle that comes `cycles` after this one.
    #[doc(hidden)]
    pub const fn after(self, cycles: Self) -> Self {
        Self(self.0 + cycles.0)
    }

    /// Cycles since `earlier`, which is no later than this one.
    #[doc(hidden)]
    pub const fn since(self, earlier: Self) -> Self {
        Self(self.0 - earlier.0)
    }
}

quantity!(
    /// Clock frequency in cycles a second.
    Hertz, " Hz"
);
quantity!(
    /// Simulated time, common to all clock domains.
    Picoseconds, " ps"
);
quantity!(
    /// An amount of data in bytes.
    Bytes, " B"
);

/// Energy in picojoules, fractions included.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, PartialOrd, serde::Serialize, serde::Deserialize,
)]
#[serde(transparent)]
pub struct Picojoules(pub f64);

impl Picojoules {
    /// No energy, 0 pJ.
    pub const ZERO: Self = Self(0.0);
}

impl From<f64> for Picojoules {
    fn from(value: f64) -> Self {
        Self(value)
    }
}

impl Add for Picojoules {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Picojoules {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

/// The energy of a number of events, each of this energy.
impl Mul<f64> for Picojoules {
    type Output = Self;
    fn mul(self, events: f64) -> Self {
        Self(self.0 * events)
    }
}

impl Sum for Picojoules {
    fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
        Self(items.map(|item| item.0).sum())
    }
}

/// Power in milliwatts, fractions included.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, PartialOrd, serde::Serialize, serde::Deserialize,
)]
#[serde(transparent)]
pub struct Milliwatts(pub f64);

impl From<f64> for Milliwatts {
    fn from(value: f64) -> Self {
        Self(value)
    }
}

impl AddAssign for Milliwatts {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

/// The power of a number of arrays, each of this power.
impl Mul<f64> for Milliwatts {
    type Output = Self;
    fn mul(self, count: f64) -> Self {
        Self(self.0 * count)
    }
}

/// The energy in a time: 1 mW is 1e-3 pJ a ps.
impl Mul<Picoseconds> for Milliwatts {
    type Output = Picojoules;
    fn mul(self, time: Picoseconds) -> Picojoules {
        Picojoules(self.0 * time.0 as f64 * 1e-3)
    }
}

impl Picoseconds {
    /// One second, 10^12 picoseconds.
    pub const SECOND: Self = Self(1_000_000_000_000);
}

impl Hertz {
    /// A frequency in MHz.
    #[must_use]
    pub const fn from_mhz(mhz: u64) -> Self {
        Self(mhz * 1_000_000)
    }

    /// Time that `cycles` of this clock take, rounded down to a picosecond.
    #[must_use]
    pub fn time_of(self, cycles: Cycles) -> Picoseconds {
        let ps =
            u128::from(cycles.0) * u128::from(Picoseconds::SECOND.0) / u128::from(self.0.max(1));
        Picoseconds(u64::try_from(ps).unwrap_or(u64::MAX))
    }
}

/// A rational factor in lowest terms, such as one clock's cycles in another's: products are exact for any two frequencies.
///
/// ```
/// # mod azulejo { pub use azulejo_units as units; }
/// use azulejo::units::Ratio;
///
/// let third = Ratio::new(2, 6);
/// assert_eq!((third.floor_of(8), third.ceil_of(8)), (2, 3));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ratio {
    numerator: u64,
    denominator: u64,
}

impl Ratio {
    /// `numerator / denominator`, whose lowest terms must fit 64 bits each; a denominator of 0 counts as 1.
    #[must_use]
    pub fn new(numerator: u128, denominator: u128) -> Self {
        let (mut divisor, mut rest) = (numerator, denominator.max(1));
        while rest > 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        let lowest = |term: u128| u64::try_from(term / divisor).unwrap_or_else(|_| out_of_range());
        Self {
            numerator: lowest(numerator),
            denominator: lowest(denominator.max(1)),
        }
    }

    /// The reciprocal; that of 0 is 1 over 1.
    #[must_use]
    pub fn inverse(self) -> Self {
        Self {
            numerator: self.denominator,
            denominator: self.numerator.max(1),
        }
    }

    /// Numerator and denominator, in lowest terms.
    #[must_use]
    pub const fn terms(self) -> (u64, u64) {
        (self.numerator, self.denominator)
    }

    /// The product, rounded down; `u64::MAX` where it does not fit.
    #[must_use]
    pub fn floor_of(self, factor: u64) -> u64 {
        match factor.checked_mul(self.numerator) {
            Some(product) => product / self.denominator,
            None => {
                let product = u128::from(factor) * u128::from(self.numerator);
                u64::try_from(product / u128::from(self.denominator)).unwrap_or(u64::MAX)
            }
        }
    }

    /// The product, rounded up; `u64::MAX` where it does not fit.
    #[must_use]
    pub fn ceil_of(self, factor: u64) -> u64 {
        match factor.checked_mul(self.numerator) {
            Some(product) => product.div_ceil(self.denominator),
            None => {
                let product = u128::from(factor) * u128::from(self.numerator);
                u64::try_from(product.div_ceil(u128::from(self.denominator))).unwrap_or(u64::MAX)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratio_rounds_exactly_where_64_bits_do_not_hold_the_product() {
        // 10^12 / 7 over and over: what the remainder makes of 2^60 is known by 128 bits.
        let ratio = Ratio::new(1_000_000_000_000, 7_000_000_000);
        assert_eq!(ratio.terms(), (1000, 7), "lowest terms");
        let large = 1_u64 << 56;
        let exact = u128::from(large) * 1000;
        assert_eq!(u128::from(ratio.floor_of(large)), exact / 7, "down");
        assert_eq!(u128::from(ratio.ceil_of(large)), exact / 7 + 1, "up");
        assert_eq!(ratio.ceil_of(7), 1000, "a whole product stays");
        assert_eq!(ratio.inverse().floor_of(1000), 7, "and back");
    }

    #[test]
    fn hertz_time_of_cycles_is_exact() {
        assert_eq!(
            Hertz::from_mhz(800).time_of(Cycles(4)),
            Picoseconds(5000),
            "800 MHz is 1250 ps a cycle"
        );
    }

    #[test]
    #[should_panic(expected = "out of the range")]
    fn sum_that_does_not_fit_is_never_a_small_number() {
        let _ = Cycles::MAX + Cycles(1);
    }

    #[test]
    #[should_panic(expected = "out of the range")]
    fn time_before_the_beginning_is_never_a_late_one() {
        let _ = DramCycles(1) - DramCycles(2);
    }

    #[test]
    fn milliwatts_over_time_are_picojoules() {
        let energy = Milliwatts(2.0) * Picoseconds(1_500_000);
        assert_eq!(energy, Picojoules(3000.0), "2 mW over 1.5 us");
    }
}
