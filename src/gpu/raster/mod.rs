//! A Raster Unit: input FIFO, rasteriser, early depth test, fragment queue, warp dispatch, blending, colour flush. One tile
//! at a time in each stage: a tile enters a stage only when its predecessor has left it.
//!
//! Pixels may have four samples, which are tested, blended and resolved at the rate of pixels with one: the rates are those
//! of quads, whatever the samples. Arm says so of its GPUs in words (4x MSAA "with minimal impact to your application's
//! performance", Understanding Render Passes); that it is no cycle more is assumed. Samples cost smaller tiles
//! ([`MachineSpec::tile_size_for`]), quads that cover no centre, and energy in the tile buffers. A flush writes resolved
//! pixels.
//!
//! [`MachineSpec::tile_size_for`]: crate::machine::MachineSpec::tile_size_for

mod blend;
mod early_z;
mod flush;
mod fragment;
mod queue;
mod rasteriser;
mod tiles;
mod unit;
mod walk;

pub(crate) use rasteriser::FifoEntry;
pub use unit::RasterUnitCounters;
pub(crate) use unit::{RasterPorts, RasterUnit};

#[cfg(test)]
mod tests;
