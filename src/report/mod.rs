//! What was measured, for people and for programs: tables, JSON, heat maps. Takes counters and reports, gives text and
//! pixels; writes nowhere.

mod counters;
pub mod heatmap;
mod memory;
mod simulation;
mod table;
mod text;

pub use counters::{FrameRecord, counters_table, frames_table};
pub use heatmap::{Bitmap, HeatMap};
pub use memory::{cache_table, dram_summary, dram_table};
pub use simulation::{
    CacheUse, EnergyUse, Simulation, StageUse, flat, frame_record, machines_table, simulation_table,
};
pub use table::{Align, aligned};
pub use text::{bytes, grouped, percent};
