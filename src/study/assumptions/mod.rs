//! Assumptions behind the papers' figures: numbers that no paper states, as keys of machine files, and the study that
//! changes one at a time and says which of them decides which conclusion.
//!
//! Every headline is measured on the machine of its paper, as shipped and with each other value of each assumption, all
//! else as it is. Defaults are readings: they are changed by evidence on hardware or by a paper's text, never by what comes
//! out here.
//!
//! ```
//! # mod azulejo { pub use azulejo_study as study; }
//! use azulejo::study::{ASSUMPTIONS, Headline};
//!
//! let warps = ASSUMPTIONS.iter().find(|own| own.key == "core.*.warp_threads");
//! assert!(warps.is_some_and(|own| own.touches.contains(&Headline::Ptr)));
//! ```

mod findings;
mod headline;
mod plan;
mod study;
mod table;

pub use headline::Headline;
pub use study::ASSUMPTIONS_STUDY;
pub use table::{ASSUMPTIONS, Assumption};
