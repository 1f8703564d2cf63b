//! `azulejo compare`: the same frame by this machine's graphics driver, side by side.

#[cfg(feature = "reference")]
mod driver;

use std::path::PathBuf;

use super::{Console, Outcome};
use crate::app::cli::args::{ShotArgs, png_paths};

/// Draw the same frame by this machine's Vulkan driver: how pictures differ, and both times
#[derive(Debug, Clone, clap::Args)]
pub(in crate::app::cli) struct CompareArgs {
    #[command(flatten)]
    shot: ShotArgs,
    /// Time 20 frames of each side after warm-up, in turns
    #[arg(long, help_heading = "Output")]
    bench: bool,
    /// As JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Also write ours | theirs | difference beside each other
    #[arg(short, long, value_name = "FILE.png", value_parser = png_paths(), help_heading = "Output")]
    output: Option<PathBuf>,
}

#[cfg(not(feature = "reference"))]
pub(super) fn run(_args: &CompareArgs, _console: Console) -> Outcome {
    let message = "this build has no reference renderer";
    Err(crate::app::cli::failure::Failure::new(message)
        .hint("build with the default features: cargo build --release"))
}

#[cfg(feature = "reference")]
pub(super) use driver::run;
