//! A dispatch: what the command processor gets for a grid of workgroups, and what their invocations accessed.

use super::{BufferAccesses, PathIdx, ProgramId, TextureIdx};

/// Most invocations of a workgroup: WebGPU's limit on any device is 1,024.
pub const MAX_GROUP_THREADS: u32 = 1024;

/// Most quads of a dispatch, for each of which a machine keeps a place.
pub const MAX_DISPATCH_QUADS: u64 = 1 << 22;

/// A dispatch of a compute pass. Four invocations of a workgroup that follow each other, x first, are a quad: their facts stand
/// together, workgroup by workgroup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DispatchTrace {
    /// Shown to people; need not be unique.
    pub name: String,
    /// Runs once for each invocation.
    pub program: ProgramId,
    /// Size of the constants that the program reads, in bytes.
    pub constant_bytes: u32,
    /// Textures that the program's texture instructions access, in program order.
    pub textures: Vec<TextureIdx>,
    /// Buffers that its loads, stores and atomics access, in program order: indices in [`super::FrameTrace::buffers`].
    pub buffers: Vec<u32>,
    /// Invocations of a workgroup, 1 to [`MAX_GROUP_THREADS`].
    pub group_threads: u32,
    /// Workgroups.
    pub n_groups: u32,
    /// Path of each quad where the program branches, else empty.
    pub paths: Vec<PathIdx>,
    /// Distinct blocks touched, for each quad and each texture instruction that it executed, in that order.
    pub block_counts: Vec<u8>,
    /// The blocks themselves, in the same order.
    pub blocks: Vec<u32>,
    /// Lines of buffers that each quad accessed.
    pub accesses: BufferAccesses,
}

impl DispatchTrace {
    /// Quads of a workgroup, of which the last may have fewer than four invocations.
    #[must_use]
    pub const fn group_quads(&self) -> u32 {
        self.group_threads.div_ceil(4)
    }

    /// Quads of all workgroups.
    #[must_use]
    pub const fn n_quads(&self) -> u64 {
        self.group_quads() as u64 * self.n_groups as u64
    }
}
