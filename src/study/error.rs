//! Errors of the run of a study.

use super::workload::Problem;
use azulejo_gpu::parameters::ParameterError;
use azulejo_render::RendererError;

/// Error that ends the run of a study.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The study's machine does not take a change.
    #[error(transparent)]
    Machine(#[from] ParameterError),
    /// The machine gives no line-up for the study.
    #[error("{0}")]
    Lineup(Problem),
    /// A name that no figure of the study has.
    #[error("{study}: no figure {figure}")]
    Figure {
        /// Name of the study.
        study: &'static str,
        /// Name that was asked for.
        figure: String,
    },
    /// A figure of energies alone, on a machine that states none.
    #[error("{0}: the machine does not say what its events cost")]
    Energy(&'static str),
    /// The study does not work with the sample.
    #[error("{0}")]
    Sampling(&'static str),
    /// So few frames that nothing could be measured.
    #[error("{frames} frames: expected at least {least}: {why}")]
    Frames {
        /// Frames that were asked for.
        frames: u64,
        /// Least frames that give a result.
        least: u64,
        /// Reason for the bound.
        why: &'static str,
    },
    /// The machine carries no technique that adds memories.
    #[error("the machine carries no technique that adds memories")]
    NoMemories,
    /// The Raster Units cannot start.
    #[error("cannot start the Raster Units: {0}")]
    Renderer(#[from] RendererError),
    /// Workload that cannot be drawn, or a measurement that cannot be kept.
    #[error("{0}")]
    Workload(Problem),
    /// A machine that cannot go on.
    #[error("{name}: {problem}")]
    Measure {
        /// Name of the content.
        name: String,
        /// Error of the measurement.
        problem: Problem,
    },
}
