//! Why a command ends early: a message that names file and element, and how to go on.

use std::fmt::Display;
use std::io;
use std::path::Path;

/// Exit code of a command that could not do what it was told.
pub(super) const FAILED: u8 = 1;
/// Exit code of a command line that makes no sense.
pub(super) const USAGE: u8 = 2;

/// How a command ends.
pub(super) type Outcome<T = ()> = Result<T, Failure>;

/// An error for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    /// What is wrong where, and what was expected.
    pub(super) message: String,
    /// How to go on.
    pub(super) hint: Option<String>,
    /// [`FAILED`] or [`USAGE`].
    pub(super) exit_code: u8,
    /// The reader of our output went away; nothing is wrong.
    pub(super) is_broken_pipe: bool,
}

impl Failure {
    /// Something could not be done.
    pub(super) fn new(message: impl Display) -> Self {
        Self {
            message: message.to_string(),
            hint: None,
            exit_code: FAILED,
            is_broken_pipe: false,
        }
    }

    /// The command line makes no sense.
    pub(super) fn usage(message: impl Display) -> Self {
        Self {
            exit_code: USAGE,
            ..Self::new(message)
        }
    }

    /// `path`: what went wrong with it.
    pub(super) fn of_file(path: &Path, problem: impl Display) -> Self {
        Self::new(format!("{}: {problem}", path.display()))
    }

    /// The same with a way to go on.
    pub(super) fn hint(self, hint: impl Display) -> Self {
        Self {
            hint: Some(hint.to_string()),
            ..self
        }
    }
}

/// Of writing to standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self {
            is_broken_pipe: error.kind() == io::ErrorKind::BrokenPipe,
            ..Self::new(format!("standard output: {error}"))
        }
    }
}
