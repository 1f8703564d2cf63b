//! A Raster Unit: input FIFO, rasteriser, early depth test, fragment queue, warp dispatch, blending, colour flush. One tile at a time in
//! each stage: a tile enters a stage only when its predecessor has left it.

mod blend;
mod early_z;
mod flush;
mod fragment;
mod queue;
mod rasteriser;
mod tiles;
mod unit;
mod walk;

pub(crate) use flush::pitch;
pub(crate) use rasteriser::FifoEntry;
pub use unit::RasterUnitCounters;
pub(crate) use unit::{RasterPorts, RasterUnit};

#[cfg(test)]
mod tests;
