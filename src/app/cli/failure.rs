//! Why a command ends early: a message that names file and element, and how to go on.

use std::error::Error;
use std::fmt::Display;
use std::io;
use std::path::Path;

use crate::app::facts::TooManyFacts;

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

    /// `path`: what went wrong with it, and each cause that the message does not say already.
    pub(super) fn of_error(path: &Path, error: &dyn Error) -> Self {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            let text = error.to_string();
            if !message.contains(&text) {
                message = format!("{message}: {text}");
            }
            cause = error.source();
        }
        Self::of_file(path, message)
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

/// Of a frame that cannot be traced.
impl From<TooManyFacts> for Failure {
    fn from(error: TooManyFacts) -> Self {
        Self::new(error).hint(TooManyFacts::HINT)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("cannot read the trace")]
    struct Outer(#[source] io::Error);

    #[test]
    fn failure_says_causes_once() {
        let cause = || io::Error::other("the disk is gone");
        let failure = Failure::of_error(Path::new("a.azt"), &Outer(cause()));
        let expected = "a.azt: cannot read the trace: the disk is gone";
        assert_eq!(failure.message, expected, "the cause follows");
        let failure = Failure::of_error(Path::new("a.azt"), &cause());
        assert_eq!(failure.message, "a.azt: the disk is gone", "said once");
    }
}
