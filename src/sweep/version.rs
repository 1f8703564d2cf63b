//! Version of all numbers.

/// Version number, raised whenever a scene on a machine gives other numbers than before, so that no sweep mixes results of
/// two programs that differ. `tests/model/results_version.rs` holds it against the program's numbers.
pub const RESULTS_VERSION: u32 = 12;
