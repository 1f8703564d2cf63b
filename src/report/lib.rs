//! Reports of measurements, for people and for programs: tables, JSON, CSV, traces, heat maps. Takes counters and reports,
//! gives text and pixels; writes nowhere.
//!
//! ```
//! # mod azulejo { pub use azulejo_gpu as gpu; pub use azulejo_grid as grid; pub use azulejo_report as report; pub use azulejo_trace as trace; }
//! use azulejo::gpu::Gpu;
//! use azulejo::gpu::machine::MachineSpec;
//! use azulejo::grid::TileGrid;
//! use azulejo::report::{FrameLine, MachineFrames, Simulation, frames_csv, simulation_table};
//! use azulejo::trace::InstructionClass;
//! use azulejo::trace::synthetic::{CoveredScreen, independent};
//!
//! let grid = TileGrid { width: 128, height: 64, tile_size: 32 };
//! let screen = CoveredScreen::new(grid, independent(InstructionClass::Alu, 10));
//! let mut gpu = Gpu::new(&MachineSpec::built_in("valhall-libra", &[])?)?;
//! let frames = [gpu.run_frame(&screen.frame(0))?, gpu.run_frame(&screen.frame(1))?];
//!
//! let sum = Simulation::of("valhall-libra", &frames).ok_or("no frames")?;
//! let lines = frames.each_ref().map(FrameLine::from);
//! println!("{}", simulation_table("covered screen", &sum, &lines));
//!
//! let csv = frames_csv(&[MachineFrames { machine: "valhall-libra", frames: &frames, system: None }]);
//! assert_eq!(csv.lines().count(), 3, "names, then a line a frame");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bandwidth;
mod bitmap;
#[doc(hidden)]
pub mod canvas;
mod changes;
mod counters;
mod csv;
mod font;
pub mod heatmap;
mod memory;
pub mod page;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "shader")]
pub mod program;
mod reuse;
mod simulation;
mod system;
mod table;
mod text;

#[cfg(feature = "parquet")]
pub use self::parquet::{ParquetError, parquet};
pub use bandwidth::{Bandwidth, BandwidthPart, BandwidthPhase};
pub use bitmap::Bitmap;
pub use changes::{Change, Changes, Reworded, Threshold, Unmatched, changes_table, number_text};
pub use counters::{FrameRecord, counters_table, frames_table};
pub use csv::CsvText;
pub use heatmap::HeatMap;
pub use memory::{cache_table, dram_summary, dram_table};
pub use reuse::reuse_table;
pub use simulation::{
    ALIASES, Alias, CacheUse, DRAM_SPLIT, EnergyUse, FrameEnergy, FrameLine, MachineFrames,
    PassUse, Simulation, StageUse, TILE_COSTS, draws_csv, flat, folded, frame_record, frames_csv,
    intervals_csv, machines_table, passes_csv, simulation_table, tiles_csv, write_perfetto,
    write_stats,
};
pub use system::{SystemRecord, bandwidth_chart, system_record, system_table};
pub use table::{Align, aligned};
pub use text::{bytes, counted, decimal, grouped, percent};
