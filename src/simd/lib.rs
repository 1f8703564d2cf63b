//! The lanes: arithmetic on sixteen numbers at once, written once and run by the vector registers of x86 and Arm, or by
//! plain arrays; `record` lists its instructions instead. The only room that may hold `unsafe`.
//!
//! ```
//! # mod azulejo { pub use azulejo_simd as simd; }
//! use azulejo::simd::{LANES, LaneJob, Lanes, SimdLevel, dispatch};
//!
//! #[inline(always)]
//! fn length<L: Lanes>(l: L, x: L::F, y: L::F) -> L::F {
//!     l.sqrt(l.mul_add(x, x, y * y))
//! }
//!
//! struct Lengths<'a>(&'a mut [f32; LANES]);
//!
//! impl LaneJob for Lengths<'_> {
//!     type Output = ();
//!
//!     #[inline(always)]
//!     fn run<L: Lanes>(self, l: L) {
//!         let x = l.load(self.0);
//!         l.store(length(l, x, l.f(4.0)), self.0);
//!     }
//! }
//!
//! let mut values = [3.0; LANES];
//! dispatch(SimdLevel::Auto.backend()?, Lengths(&mut values)); // the widest registers of this machine
//! assert_eq!(values, [5.0; LANES]);
//! # Ok::<(), azulejo::simd::UnavailableLevel>(())
//! ```
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "gathers, loads and hints of x86 take pointers; the indices are clamped here"
    )
)]

mod array;
#[cfg(test)]
mod bilinear_tests;
mod block;
mod dispatch;
mod each;
mod isa;
mod lanes;
mod prefetch;
mod scalar;
#[cfg(test)]
mod tests;
mod wide;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use array::map;
pub use block::{Across, BlockSamples, Down};
#[doc(hidden)]
pub use dispatch::dispatch_common;
pub use dispatch::{Backend, LaneJob, SimdLevel, UnavailableLevel, dispatch};
pub use lanes::{BILINEAR_SCALE, LANES, Lanes, quads};
#[doc(hidden)]
pub use prefetch::prefetch;
pub use scalar::{Scalar, ScalarF, ScalarI, ScalarM};
pub use wide::Wide;
