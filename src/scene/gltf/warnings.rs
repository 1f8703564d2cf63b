//! Sentences about what a file has that was left out or repaired. Any stage adds to them, from any thread.

use std::sync::{Mutex, PoisonError};

/// Most warnings that are kept; a broken exporter would give one a vertex.
const MAX_WARNINGS: usize = 100;

/// The warnings so far, each once.
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

    /// Warnings in the order in which they came up.
    pub(super) fn into_list(self) -> Vec<String> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
