//! What goes into a DRAM and what comes back.

use crate::gpu::access::AccessKind;
use crate::units::DramCycles;

/// Who asks, as a small number that only schedulers look at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(transparent)]
pub struct AgentId(pub u8);

/// One burst asked of the DRAM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DramRequest {
    /// Byte address. Bits below a burst and above the capacity don't select anything, but requests merge only if all bits agree.
    pub address: u64,
    /// Read or write.
    pub kind: AccessKind,
    /// Who asks; only schedulers look at it.
    pub agent: AgentId,
    /// Comes back with the completion; the DRAM doesn't look at it.
    pub tag: u64,
}

/// A request that is done: read data has arrived, or a write was taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DramCompletion {
    /// The request's tag, as it was given.
    pub tag: u64,
    /// Whether it was a read or a write.
    pub kind: AccessKind,
    /// When the controller first saw the request.
    pub arrival: DramCycles,
    /// When it is done.
    pub at: DramCycles,
    /// Channel that served it.
    pub channel: u32,
}
