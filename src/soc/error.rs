//! Why a system on chip cannot be built, or cannot go on.

use azulejo_gpu::parameters::ParameterError;
use azulejo_gpu::{BuildError, Deadlock, FrameError};

/// A system that cannot be built or cannot go on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SystemError {
    /// The machine's `[soc]` is not one.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The machine cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The machine has no `[soc]`.
    #[error("{0} has no [soc]: nobody shares its memory; emerald-soc has")]
    NotShared(String),
    /// The GPU cannot go on.
    #[error(transparent)]
    Frame(#[from] FrameError),
}

impl From<Deadlock> for SystemError {
    fn from(deadlock: Deadlock) -> Self {
        Self::Frame(deadlock.into())
    }
}
