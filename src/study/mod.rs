//! Questions that need more than one frame, machine or scene, answered beside the papers' numbers.

mod characterize;

pub use characterize::{Character, DramSplit, Survey, SurveyError};
