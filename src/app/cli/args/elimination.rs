//! Options of Rendering Elimination on this machine: what drawing into frame buffers in turn may leave out.

use super::parse::count;
use crate::render::elimination::SwapChain;

/// The frame buffers of a technique.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(in crate::app::cli) struct BufferArgs {
    /// Frame buffers that are drawn into in turn: a tile is compared with the frame that its buffer holds
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u8).range(1..=3))]
    #[arg(requires = "technique")]
    frame_buffers: u8,
    /// Draw every buffer whole once in so many frames
    #[arg(long, value_name = "FRAMES", value_parser = count, requires = "technique")]
    refresh: Option<u64>,
}

impl BufferArgs {
    /// Buffers that hold nothing yet.
    pub(in crate::app::cli) fn chain(&self) -> SwapChain {
        SwapChain::new(self.frame_buffers.into(), self.refresh)
    }
}
