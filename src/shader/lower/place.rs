//! Places in memory: which space, which words.

use super::super::code::Register;
use super::super::layout::Layout;
use super::super::operation::Memory;

/// Memory of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    /// Registers of a variable.
    Registers {
        /// First of the variable.
        base: Register,
        /// How many.
        length: u32,
    },
    /// Memory of the workgroup.
    Workgroup,
    /// Buffer, by position in the bindings.
    Buffer(u32),
}

/// Place in memory.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) space: Space,
    /// Words from the beginning.
    pub(super) offset: u32,
    /// Register with more words, by lane.
    pub(super) dynamic: Option<Register>,
}

impl Place {
    pub(super) fn layout(&self) -> Layout {
        match self.space {
            Space::Buffer(_) => Layout::Buffer,
            _ => Layout::Dense,
        }
    }

    pub(super) fn memory(&self) -> Memory {
        match self.space {
            Space::Buffer(buffer) => Memory::Buffer(buffer),
            _ => Memory::Workgroup,
        }
    }
}
