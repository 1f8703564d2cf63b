//! Questions that need more than one frame, machine or scene, answered beside the papers' numbers.

mod characterize;
mod elimination;
mod figures;

pub use characterize::{Character, DramSplit, Survey, SurveyError};
pub use elimination::{
    Fragments, Game, GameStudy, LEAST_FRAMES, Spent, StudyError, Tiles, is_modelled,
};
pub use figures::{FIGURES, Figure, FigureSpec, Trend, trends};
