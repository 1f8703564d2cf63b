//! From "which instruction set?" to code compiled for it: the one place where lane types are chosen.
//!
//! A [`LaneJob`] is compiled once for each backend. Everything that its `run` calls must be `#[inline(always)]`: only code
//! that ends up inside the dispatched function is compiled with the instruction set's features.

use std::fmt;

use fearless_simd::Level;
#[cfg(target_arch = "aarch64")]
use fearless_simd::Neon;
#[cfg(target_arch = "x86_64")]
use fearless_simd::{Avx2, Avx512};

use super::isa::Isa;
use super::{Lanes, Scalar, Wide};

/// Which instruction set draws.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum SimdLevel {
    /// The best that this machine has.
    #[default]
    Auto,
    /// The array of scalars: slow, the yardstick of the tests.
    Scalar,
    /// AVX2 with FMA, 256-bit vectors.
    Avx2,
    /// AVX-512 as of Ice Lake.
    Avx512,
    /// NEON of 64-bit Arm.
    Neon,
}

/// The level asked for does not exist on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnavailableLevel(pub SimdLevel);

impl fmt::Display for UnavailableLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let available = SimdLevel::available();
        write!(f, "this machine has no {}; available: ", self.0)?;
        for (position, level) in available.iter().enumerate() {
            let separator = if position == 0 { "" } else { ", " };
            write!(f, "{separator}{level}")?;
        }
        Ok(())
    }
}

impl std::error::Error for UnavailableLevel {}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Scalar => "scalar",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
        })
    }
}

/// An instruction set that this machine was seen to have.
#[derive(Debug, Clone, Copy)]
pub struct Backend(Token);

#[derive(Debug, Clone, Copy)]
enum Token {
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
    Scalar,
}

impl SimdLevel {
    /// The levels of this machine, best first; `Scalar` is always the last.
    #[must_use]
    pub fn available() -> Vec<Self> {
        let tokens = backends(Level::new());
        tokens
            .into_iter()
            .map(|token| Backend(token).level())
            .collect()
    }

    /// The instruction set to run on.
    ///
    /// # Errors
    /// If this machine lacks it.
    pub fn backend(self) -> Result<Backend, UnavailableLevel> {
        backends(Level::new())
            .into_iter()
            .map(Backend)
            .find(|backend| self == Self::Auto || backend.level() == self)
            .ok_or(UnavailableLevel(self))
    }
}

#[cfg(target_arch = "x86_64")]
fn backends(level: Level) -> Vec<Token> {
    let mut tokens = Vec::new();
    tokens.extend(level.as_avx512().map(Token::Avx512));
    tokens.extend(level.as_avx2().map(Token::Avx2));
    tokens.push(Token::Scalar);
    tokens
}

#[cfg(target_arch = "aarch64")]
fn backends(level: Level) -> Vec<Token> {
    let mut tokens: Vec<_> = level.as_neon().map(Token::Neon).into_iter().collect();
    tokens.push(Token::Scalar);
    tokens
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn backends(_level: Level) -> Vec<Token> {
    vec![Token::Scalar]
}

impl Backend {
    /// Level of the backend; never `Auto`.
    #[must_use]
    pub const fn level(self) -> SimdLevel {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Token::Avx512(_) => SimdLevel::Avx512,
            #[cfg(target_arch = "x86_64")]
            Token::Avx2(_) => SimdLevel::Avx2,
            #[cfg(target_arch = "aarch64")]
            Token::Neon(_) => SimdLevel::Neon,
            Token::Scalar => SimdLevel::Scalar,
        }
    }
}

/// Work written for any lane type.
pub trait LaneJob {
    /// Result of the work.
    type Output;

    /// Does the work. Mark it `#[inline(always)]`, and everything below it.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// Runs `job` compiled for the instruction set of `backend`. A call costs a branch: dispatch a tile, not a quad.
#[inline]
pub fn dispatch<J: LaneJob>(backend: Backend, job: J) -> J::Output {
    match backend.0 {
        #[cfg(target_arch = "x86_64")]
        Token::Avx512(simd) => vectorize(simd, job),
        #[cfg(target_arch = "x86_64")]
        Token::Avx2(simd) => vectorize(simd, job),
        #[cfg(target_arch = "aarch64")]
        Token::Neon(simd) => vectorize(simd, job),
        Token::Scalar => job.run(Scalar),
    }
}

/// Runs `job` on the lanes that nearly every machine of this architecture has, or on plain arrays: one copy of code instead
/// of several, for work whose speed matters less than the time to compile it.
#[inline]
#[doc(hidden)]
pub fn dispatch_common<J: LaneJob>(backend: Backend, job: J) -> J::Output {
    match backend.0 {
        #[cfg(target_arch = "x86_64")]
        Token::Avx512(_) | Token::Avx2(_) => match Level::new().as_avx2() {
            Some(simd) => vectorize(simd, job),
            None => job.run(Scalar),
        },
        #[cfg(target_arch = "aarch64")]
        Token::Neon(simd) => vectorize(simd, job),
        Token::Scalar => job.run(Scalar),
    }
}

#[inline]
fn vectorize<S: Isa, J: LaneJob>(simd: S, job: J) -> J::Output {
    simd.vectorize(
        #[inline(always)]
        || job.run(Wide(simd)),
    )
}
