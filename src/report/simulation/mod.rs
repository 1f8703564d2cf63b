//! Reports of a model of the hardware on frames: a table for people; JSON, CSV, gem5's and Perfetto's formats for programs.

mod cache_use;
mod csv;
mod heat;
mod names;
mod pass_use;
mod passes;
mod perfetto;
mod record;
mod stats;
mod summary;
mod table;
#[cfg(test)]
pub(crate) mod tests;

pub use cache_use::CacheUse;
pub use csv::{MachineFrames, draws_csv, frames_csv, intervals_csv, tiles_csv};
pub use heat::TILE_COSTS;
pub use names::{ALIASES, Alias};
pub use pass_use::PassUse;
pub use passes::passes_csv;
pub use perfetto::write_perfetto;
pub use record::{flat, folded, frame_record};
pub use stats::write_stats;
pub use summary::{EnergyUse, FrameEnergy, Simulation, StageUse};
pub use table::{DRAM_SPLIT, FrameLine, machines_table, simulation_table};
