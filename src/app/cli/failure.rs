//! Failures of commands: a message that names file and element, and how to go on.

use std::error::Error;
use std::fmt::{self, Display};
use std::io;
use std::path::Path;

use azulejo_shot::facts::TooManyFacts;

/// Exit code of a command that could not do what it was told.
pub(super) const FAILED: u8 = 1;
/// Exit code of a command line that makes no sense.
pub(super) const USAGE: u8 = 2;

/// Result of a command, or of a step of one.
pub(super) type Outcome<T = ()> = Result<T, Failure>;

/// Error message for the terminal, with its hint and exit code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    /// Problem and its place, and what was expected.
    pub(super) message: String,
    /// Way to go on, printed below the message.
    pub(super) hint: Option<String>,
    /// [`FAILED`], [`USAGE`], or that of a shell for a signal.
    pub(super) exit_code: u8,
    /// True where the reader of our output went away; nothing is wrong.
    pub(super) is_broken_pipe: bool,
}

impl Failure {
    /// Failure to do what was asked, with exit code [`FAILED`].
    pub(super) fn new(message: impl Display) -> Self {
        Self {
            message: message.to_string(),
            hint: None,
            exit_code: FAILED,
            is_broken_pipe: false,
        }
    }

    /// Failure of a command line that makes no sense, with exit code [`USAGE`].
    pub(super) fn usage(message: impl Display) -> Self {
        Self {
            exit_code: USAGE,
            ..Self::new(message)
        }
    }

    /// Failure at `path`: the error, and each cause that its message does not say already.
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

    /// Failure at `path`: the problem with it.
    pub(super) fn of_file(path: &Path, problem: impl Display) -> Self {
        Self::new(format!("{}: {problem}", path.display()))
    }

    /// Adds a way to go on.
    pub(super) fn hint(self, hint: impl Display) -> Self {
        Self {
            hint: Some(hint.to_string()),
            ..self
        }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Failure {}

/// Advice beside a frame that cannot be traced.
const FEWER_FACTS: &str = "a smaller picture (--size), or fewer things over each other, has fewer quads; `azulejo render` counts them without a trace";

/// Failure of a frame that cannot be traced.
impl From<TooManyFacts> for Failure {
    fn from(error: TooManyFacts) -> Self {
        Self::new(error).hint(FEWER_FACTS)
    }
}

/// Failure of writing to standard output.
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
