//! Units of the model as types: a number with a unit never travels as a bare integer.
//!
//! Integers throughout, so that sums are exact and independent of order; conversions to floating point happen where a
//! person reads the result.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Sub};

macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident, $suffix:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl $name {
            /// Nothing of it.
            pub const ZERO: Self = Self(0);

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
                Self(self.0 + other.0)
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                self.0 += other.0;
            }
        }

        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }

        impl Mul<u64> for $name {
            type Output = Self;
            fn mul(self, factor: u64) -> Self {
                Self(self.0 * factor)
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
                Self(items.map(|item| item.0).sum())
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
    /// Clock cycles of the domain that the value's owner runs in.
    Cycles, " cycles"
);
quantity!(
    /// Clock frequency.
    Hertz, " Hz"
);
quantity!(
    /// Simulated time, common to all clock domains.
    Picoseconds, " ps"
);
quantity!(
    /// An amount of data.
    Bytes, " B"
);
quantity!(
    /// Energy.
    Picojoules, " pJ"
);

impl Hertz {
    /// `mhz` million cycles a second.
    #[must_use]
    pub const fn from_mhz(mhz: u64) -> Self {
        Self(mhz * 1_000_000)
    }

    /// Time that `cycles` of this clock take, rounded down to a picosecond.
    #[must_use]
    pub fn time_of(self, cycles: Cycles) -> Picoseconds {
        let ps = u128::from(cycles.0) * 1_000_000_000_000 / u128::from(self.0.max(1));
        Picoseconds(u64::try_from(ps).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hertz_time_of_cycles_is_exact() {
        assert_eq!(
            Hertz::from_mhz(800).time_of(Cycles(4)),
            Picoseconds(5000),
            "800 MHz is 1250 ps a cycle"
        );
    }
}
