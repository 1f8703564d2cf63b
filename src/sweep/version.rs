//! The version of all numbers.

/// Raised whenever the same scene on the same machine gives other numbers than before, so that no sweep mixes results of two programs
/// that differ. `tests/model/results_version.rs` holds it against what the program says.
pub const RESULTS_VERSION: u32 = 11;
