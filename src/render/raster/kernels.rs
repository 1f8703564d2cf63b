//! Compiled code of a fragment program, by instruction set: the largest part of the renderer, so it is named once, and
//! crates that draw a list which a library made call that library's code.

use std::fmt;

use super::shade::ShadeQuads;
use super::trace::TraceQuads;
use super::write::KilledLate;
use crate::shading::{FragmentProgram, count_texture_instructions, record};
use azulejo_record::Tape;
use azulejo_simd::{Backend, dispatch, dispatch_common};

/// A fragment program as it was compiled where [`Kernels::new`] was called.
///
/// Rust compiles generic code again in each crate that uses it. A function that is not generic and makes these of a program
/// keeps the program's code in its own crate.
pub struct Kernels<P> {
    pub(super) shade: fn(Backend, ShadeQuads<'_, P>) -> KilledLate,
    pub(super) trace: fn(Backend, TraceQuads<'_, P>) -> KilledLate,
    pub(crate) record: fn(&P, &[&[u32]]) -> Tape,
    pub(crate) count_texture_instructions: fn(&P) -> u32,
}

/// Kernels on the instruction set that is to run them.
#[derive(Debug)]
pub struct BoundKernels<P> {
    /// Instruction set; also runs code that does not depend on the program.
    pub backend: Backend,
    /// Compiled code of the program, by instruction set.
    pub kernels: Kernels<P>,
}

impl<P> Kernels<P> {
    /// Binds the kernels to the instruction set of `backend`.
    #[must_use]
    pub const fn on(self, backend: Backend) -> BoundKernels<P> {
        BoundKernels {
            backend,
            kernels: self,
        }
    }
}

impl<P: FragmentProgram> Kernels<P> {
    /// Code of a program, compiled into the crate that calls this.
    #[must_use]
    pub fn new() -> Self {
        Self {
            shade: |backend, job| dispatch(backend, job),
            trace: |backend, job| dispatch_common(backend, job),
            record: |program, tables| record(program, tables),
            count_texture_instructions: |program| count_texture_instructions(program),
        }
    }
}

impl<P: FragmentProgram> Default for Kernels<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P> Clone for Kernels<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Kernels<P> {}

impl<P> Clone for BoundKernels<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for BoundKernels<P> {}

impl<P> fmt::Debug for Kernels<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kernels")
    }
}
