//! Cost of the picture: the hardware, fed with the facts of a frame. Units are values with a specification, a state and
//! counters; no code here computes the colour of a pixel.
//!
//! ```
//! use azulejo::gpu::Gpu;
//! use azulejo::gpu::machine::MachineSpec;
//! use azulejo::grid::TileGrid;
//! use azulejo::trace::InstructionClass;
//! use azulejo::trace::synthetic::{CoveredScreen, independent};
//!
//! // The facts of a frame: a renderer's, a file's, or these of a screen that one triangle covers.
//! let grid = TileGrid { width: 128, height: 64, tile_size: 32 };
//! let frame = CoveredScreen::new(grid, independent(InstructionClass::Alu, 10)).frame(0);
//!
//! let machine = MachineSpec::built_in("valhall-libra", &[])?;
//! let report = Gpu::new(&machine)?.run_frame(&frame)?;
//! assert!(report.cycles.0 > 0 && report.fps() > 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod access;

mod by_address;

pub mod machine;

pub mod parameters;

mod accounting;
mod build;
mod clock;
mod engine;
mod failure;
mod frame;
mod laws;
mod programs;
mod report;
mod seams;
mod sharing;
mod standstill;
mod technique_map;
mod technique_report;
mod watchdog;

pub mod geometry;

pub mod immediate;

pub mod tiling;

pub mod raster;

pub mod shading;

pub mod output;

pub mod schedule;

pub mod elide;

pub mod memory;

pub mod cache;

pub mod dram;

pub mod energy;

pub mod statistics;

pub use engine::Gpu;
pub use failure::{
    BuildError, ConservationError, Deadlock, FrameError, NoSuchPart, ScheduleBreach, ScheduleError,
    SeamConflict,
};
pub use report::{DramReport, DrawCost, FrameReport, INTERVAL, Interval, L2Report};
pub use seams::{Maker, PolicyMaker, RequestSchedulerMaker, Seams, TechniqueSeams};
pub use sharing::{FrameBuffer, Rest};
pub use technique_map::{MapKind, MapSpec, TechniqueMap};
pub(crate) use technique_report::by_name as techniques_by_name;
pub use technique_report::{
    CounterUnit, MemoryKind, TechniqueCounter, TechniqueMemory, TechniqueReport,
};

#[cfg(test)]
mod test_support;
#[cfg(test)]
mod tests;
