//! What the reading stages share: the typed tree, the raw bytes, the warnings so far.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use gltf::json::Root;

use super::accessor::Accessor;
use super::buffers::Buffers;
use super::error::LoadError;
use super::json::ExtraMorphs;

/// Most warnings that are kept; a broken exporter would give one a vertex.
const MAX_WARNINGS: usize = 100;

/// An opened file.
#[derive(Debug)]
pub(super) struct File {
    pub root: Root,
    pub extra_morphs: ExtraMorphs,
    pub buffers: Buffers,
    pub warnings: Warnings,
    /// Bytes that may still be decoded.
    pub budget: AtomicU64,
}

impl File {
    /// Takes `bytes` of the memory that decoding may use, before they are allocated.
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

    /// The accessor `index`, checked; `purpose` is what it is read for.
    pub(super) fn accessor(&self, index: usize, purpose: &str) -> Result<Accessor<'_>, LoadError> {
        Accessor::new(self, index, purpose)
    }

    /// Adds a warning, unless it has been given already.
    pub(super) fn warn(&self, warning: impl Into<String>) {
        self.warnings.add(warning.into());
    }
}

/// Sentences about what was left out or repaired, each once.
#[derive(Debug, Default)]
pub(super) struct Warnings(Mutex<Vec<String>>);

impl Warnings {
    /// Adds a warning, unless it has been given already.
    pub(super) fn add(&self, warning: String) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if list.len() < MAX_WARNINGS && !list.contains(&warning) {
            list.push(warning);
            if list.len() == MAX_WARNINGS {
                list.push("there are more warnings, which are not shown".to_owned());
            }
        }
    }

    /// All of them, in the order in which they came up.
    pub(super) fn into_list(self) -> Vec<String> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
