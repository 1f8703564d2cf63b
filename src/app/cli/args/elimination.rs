//! Options of techniques that work at once, here and on a machine: what drawing into frame buffers in turn may leave out.

use super::parse::count;
use super::technique_set::{TechniqueSet, one_set};
use azulejo_render::elimination::SwapChain;
use azulejo_technique::{HostHook, Technique};

/// Options of techniques that leave work out or decide tile by tile.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Techniques (the pictures are the same for each of these)")]
pub(in crate::cli) struct EliminationArgs {
    /// Techniques, at once: `re`, or `re+te` for both
    ///
    /// `re` leaves out work of earlier frames here and on --machine, others (`azulejo list`) act on --machine. The machine
    /// goes by the frames that it has drawn before.
    #[arg(long = "technique", value_name = "T[+T...]", value_parser = one_set)]
    technique: Option<TechniqueSet>,
    #[command(flatten)]
    buffers: BufferArgs,
}

impl EliminationArgs {
    /// All techniques that the option names.
    pub(in crate::cli) fn techniques(&self) -> impl Iterator<Item = &'static Technique> {
        let sets = self.technique.iter();
        sets.flat_map(|TechniqueSet(set)| set.iter().copied())
    }

    /// Empty frame buffers in turn, where one of the techniques is done by the renderer itself.
    pub(in crate::cli) fn chain(&self) -> Option<SwapChain> {
        let mut techniques = self.techniques();
        let eliminates =
            techniques.any(|technique| technique.host == Some(HostHook::KeepEqualTiles));
        eliminates.then(|| self.buffers.chain())
    }
}

/// Options of a technique's frame buffers.
#[derive(Debug, Clone, Copy, clap::Args)]
struct BufferArgs {
    /// Frame buffers that are drawn into in turn
    ///
    /// A tile is compared with the frame that its buffer holds.
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u8).range(1..=3))]
    #[arg(requires = "technique")]
    frame_buffers: u8,
    /// Draw every buffer whole once in so many frames
    #[arg(long, value_name = "FRAMES", value_parser = count, requires = "technique")]
    refresh: Option<u64>,
}

impl BufferArgs {
    /// Frame buffers in turn that hold nothing yet.
    fn chain(&self) -> SwapChain {
        SwapChain::new(self.frame_buffers.into(), self.refresh)
    }
}
