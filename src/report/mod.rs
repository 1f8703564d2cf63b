//! What was measured, for people and for programs: tables, JSON, CSV, traces, heat maps. Takes counters and reports, gives text and
//! pixels; writes nowhere.

pub(crate) mod canvas;
mod counters;
mod csv;
mod font;
pub mod heatmap;
mod memory;
mod simulation;
mod table;
mod text;

pub use counters::{FrameRecord, counters_table, frames_table};
pub use csv::CsvText;
pub use heatmap::{Bitmap, HeatMap};
pub use memory::{cache_table, dram_summary, dram_table};
pub use simulation::{
    ALIASES, Alias, CacheUse, EnergyUse, MachineFrames, Simulation, StageUse, TILE_COSTS,
    draws_csv, flat, frame_record, frames_csv, intervals_csv, machines_table, perfetto_trace,
    simulation_table, stats_text, tiles_csv,
};
pub use table::{Align, aligned};
pub use text::{bytes, grouped, percent};
