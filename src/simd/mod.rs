//! The lanes.

mod lanes;

pub use lanes::{LANES, Lanes};

/// Which instruction set draws.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SimdLevel {
    /// The best that this machine has.
    #[default]
    Auto,
    /// The array of scalars: slow, the yardstick of the tests.
    Scalar,
    /// AVX2 with FMA, where present.
    Avx2,
    /// AVX-512, where present.
    Avx512,
}
