//! Errors of surveys.

use azulejo_gpu::parameters::ParameterError;
use azulejo_gpu::{BuildError, FrameError};

/// Error that ends a survey.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SurveyError {
    /// The machine cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A machine cannot go on.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A machine lacks what it is compared by.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}
