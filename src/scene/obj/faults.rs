//! Statements that cannot be read: the first few are named, the others counted.

use std::borrow::Cow;

/// Most faults that are named one by one; a file may have millions.
const SHOWN: usize = 20;

/// Sentence about a statement.
pub(super) type Problem = Cow<'static, str>;

/// Faults so far, of all files of a scene.
#[derive(Debug, Default)]
pub(super) struct Faults {
    shown: Vec<String>,
    more: u64,
}

impl Faults {
    /// Adds a fault: the file and line of a statement, and what is wrong with it.
    pub(super) fn add(&mut self, file: &str, line: u32, problem: &str) {
        if self.shown.len() < SHOWN {
            self.shown
                .push(format!("{file}, line {line}: {problem}: left out"));
        } else {
            self.more += 1;
        }
    }

    /// One sentence each, and one about those that are not named.
    pub(super) fn into_warnings(self) -> impl Iterator<Item = String> {
        let more = (self.more > 0).then(|| format!("{} more statements are left out", self.more));
        self.shown.into_iter().chain(more)
    }
}
