//! Cost of the picture: the hardware, fed with the facts of a frame. Units are values with a specification, a state and
//! counters; no code here computes the colour of a pixel.
//!
//! ```
//! # mod azulejo { pub use azulejo_gpu as gpu; pub use azulejo_grid as grid; pub use azulejo_trace as trace; }
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
//!
//! | rooms | |
//! |---|---|
//! | `engine` | [`Gpu`]: one clock and one loop over cores, memory and a pipeline |
//! | `pipeline` | from triangles to pixels, each way a value: tiled, and [`immediate`] |
//! | [`geometry`], [`tiling`], [`raster`], [`shading`], [`output`] | units |
//! | [`memory`], [`cache`], [`dram`] | the way of a line; the GPU is the first of the memory's agents |
//! | `seams`, [`schedule`], [`elide`] | places at which techniques change the machine, a row each |
//! | [`machine`], [`parameters`], `frame` | numbers of a machine, and facts of a frame prepared for it |
//! | `report`, [`statistics`], [`energy`] | costs of a frame, and the laws that they obey |

pub mod access;

pub mod machine;

pub mod parameters;

mod engine;
mod failure;
mod frame;
mod pipeline;
mod report;
mod seams;

pub mod geometry;

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

pub use engine::{FrameBuffer, Gpu, Rest};
pub use failure::{
    BuildError, ConservationError, Deadlock, FrameError, NoSuchPart, ScheduleBreach, ScheduleError,
    SeamConflict,
};
pub use pipeline::immediate;
#[doc(hidden)]
pub use report::by_name as techniques_by_name;
pub use report::{
    CounterUnit, DramReport, DrawCost, FrameReport, INTERVAL, Interval, L2Report, MapKind, MapSpec,
    MemoryKind, PassReport, TargetReport, TechniqueCounter, TechniqueMap, TechniqueMemory,
    TechniqueReport, statistics,
};
pub use seams::{Maker, PolicyMaker, RequestSchedulerMaker, Seams, TechniqueSeams};

#[cfg(test)]
mod test_support;
#[cfg(test)]
mod tests;
