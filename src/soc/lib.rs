//! A system on chip: other users of the memory, and time between frames. In: a [`Gpu`](azulejo_gpu::Gpu) and the facts of
//! frames; out: the share that GPU, display and CPU cores each got of the memory, when, and how many frames the display
//! missed.
//!
//! One frame after the other: cores prepare it (their first job), then the GPU draws it while cores do their second job and
//! then wait for it, then it is queued for the display. The display reads the frame that it shows over and over, one scan a
//! refresh; at the beginning of a scan it takes the next frame of the queue, if there is one. A frame is begun when the one
//! before is done and a frame buffer is free, so vertical synchronisation paces a system that is fast enough, and nothing
//! else paces one that is not.
//!
//! The cores are substitutes for those that run Android in Emerald (Gubran and Aamodt, ISCA 2019, section 5): synthetic
//! streams of misses with the dependency that is that paper's finding, busy before a frame and waiting during it.
//! [`CpuSpec`] has their parameters.
//!
//! ```
//! # mod azulejo { pub use azulejo_gpu as gpu; pub use azulejo_grid as grid; pub use azulejo_soc as soc; pub use azulejo_trace as trace; }
//! use azulejo::gpu::Gpu;
//! use azulejo::gpu::machine::MachineSpec;
//! use azulejo::grid::TileGrid;
//! use azulejo::soc::System;
//! use azulejo::trace::InstructionClass;
//! use azulejo::trace::synthetic::{CoveredScreen, independent};
//!
//! let machine = MachineSpec::built_in("emerald-soc", &[])?;
//! let mut system = System::new(Gpu::new(&machine)?)?;
//! let grid = TileGrid { width: 64, height: 64, tile_size: 32 };
//! let screen = CoveredScreen::new(grid, independent(InstructionClass::Alu, 10));
//! for number in 0..2 {
//!     system.run_frame(&screen.frame(number))?;
//! }
//! let report = system.report();
//! assert_eq!(report.frames.len(), 2);
//! assert!(report.frames.iter().all(|frame| frame.gpu() < frame.whole()), "cores prepare a frame before it is drawn");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agents;
mod alone;
mod cpu;
mod display;
mod error;
mod report;
mod spec;
mod system;
#[cfg(test)]
mod tests;
mod totals;

pub use alone::Alone;
pub use cpu::CoreCounters;
pub use display::ScanCounters;
pub use error::SystemError;
pub use report::{AgentReport, FrameTimes, Slowdown, SystemReport, TechniquePhase};
pub use spec::{CpuSpec, ScanSpec, SocSpec};
pub use system::{System, SystemFrame};
pub use totals::{Totals, growth};
