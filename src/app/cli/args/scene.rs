//! Options that say what is drawn.

use std::path::PathBuf;

use super::parse::number;

/// What is drawn.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Scene")]
pub(in crate::app::cli) struct SceneArgs {
    /// A .gltf or .glb file; without one, the built-in scene
    #[arg(value_name = "SCENE")]
    pub(in crate::app::cli) file: Option<PathBuf>,
    /// Which scene of the file, by its name or number from 0 [default: the file's own choice]
    #[arg(long = "scene", value_name = "NAME|INDEX", requires = "file")]
    pub(in crate::app::cli) choice: Option<String>,
    /// Which animation plays: its name or number from 0, `all` or `none`
    #[arg(long, value_name = "NAME|INDEX|all|none", default_value = "all")]
    pub(in crate::app::cli) animation: String,
    /// Seconds into the animation
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = number)]
    #[arg(allow_negative_numbers = true)]
    pub(in crate::app::cli) time: f32,
}
