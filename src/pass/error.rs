//! Faults of passes: what an API's validation says, and what a program does while it runs.

use azulejo_shader::RunError;

/// A resource, a pipeline or a pass that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PassError(String);

impl PassError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// Says where it was found, before what is wrong.
    pub(crate) fn within(self, place: impl std::fmt::Display) -> Self {
        Self(format!("{place}: {}", self.0))
    }
}

impl From<RunError> for PassError {
    fn from(error: RunError) -> Self {
        Self(error.to_string())
    }
}

/// Result of what can fail so.
pub(crate) type Result<T> = std::result::Result<T, PassError>;

/// An error in one line.
macro_rules! fault {
    ($($part:tt)*) => { $crate::error::PassError::new(format!($($part)*)) };
}
pub(crate) use fault;
