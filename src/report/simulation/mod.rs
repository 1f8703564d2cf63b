//! What a model of the hardware said of frames: a table for people; JSON for programs.

mod record;
mod summary;
mod table;

pub use record::{flat, frame_record};
pub use summary::{CacheUse, EnergyUse, Simulation, StageUse};
pub use table::{machines_table, simulation_table};
