//! The two things that can be asked of a memory. One type for caches and DRAM, so that a request keeps its meaning on the
//! way.

/// Direction of a memory access, read or write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AccessKind {
    /// Data flows towards the requester.
    Read,
    /// Data flows towards the memory.
    Write,
}

impl AccessKind {
    /// True for writes, false for reads.
    #[must_use]
    pub const fn is_write(self) -> bool {
        matches!(self, Self::Write)
    }
}
