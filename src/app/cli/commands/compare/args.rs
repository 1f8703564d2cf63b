//! Options of `azulejo compare`.

use std::path::PathBuf;

use crate::cli::args::{ShotArgs, png_paths};

/// Draw a frame by this machine's Vulkan driver too: differences, both times
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct CompareArgs {
    #[command(flatten)]
    pub(super) shot: ShotArgs,
    /// Time 20 frames of each side after warm-up, in turns
    #[arg(long, help_heading = "Output")]
    pub(super) bench: bool,
    /// Print the figures as JSON
    #[arg(long, help_heading = "Output")]
    pub(super) json: bool,
    /// Also write ours | theirs | difference beside each other
    #[arg(short, long, value_name = "FILE.png", value_parser = png_paths(), help_heading = "Output")]
    pub(super) output: Option<PathBuf>,
}
