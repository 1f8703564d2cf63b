//! Shared state of the reading stages: the typed tree, the raw bytes, the warnings so far.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use gltf::json::Root;

use super::buffers::Buffers;
use super::error::LoadError;
use super::json::{ExtraMorphs, Pointer};
use super::places::Place;
use super::warnings::Warnings;

/// An opened file, its buffers in memory.
#[derive(Debug)]
pub(super) struct File {
    pub root: Root,
    pub extra_morphs: ExtraMorphs,
    /// Places of the nodes in double precision, by node, if one is far away.
    pub places: Vec<Place>,
    /// Channels of `KHR_animation_pointer`, by animation.
    pub pointers: BTreeMap<usize, Vec<Pointer>>,
    pub buffers: Buffers,
    pub warnings: Warnings,
    /// Bytes that may still be decoded or drawn.
    pub budget: AtomicU64,
}

impl File {
    /// Takes `bytes` of the memory that decoding and drawing may use, before they are allocated.
    pub(super) fn reserve(&self, bytes: u64, element: &str) -> Result<(), LoadError> {
        let take = |left: u64| left.checked_sub(bytes);
        let taken = self
            .budget
            .try_update(Ordering::Relaxed, Ordering::Relaxed, take);
        taken.map(|_| ()).map_err(|left| {
            let problem = format!("needs {bytes} bytes of memory; the limit leaves {left}");
            LoadError::invalid(element, problem)
        })
    }

    /// Adds a warning, unless it has been given already.
    pub(super) fn warn(&self, warning: impl Into<String>) {
        self.warnings.add(warning.into());
    }
}
