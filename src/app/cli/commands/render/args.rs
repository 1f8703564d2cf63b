//! Options of `azulejo render`.

use std::path::PathBuf;

use crate::cli::args::{
    EliminationArgs, Mapped, ScaleArg, ShotArgs, SpecArgs, TileMap, count, frame_view, png_paths,
    tile_map,
};
use azulejo_inspect::FrameView;

/// Draw a scene to a PNG file or a sequence, and print the pipeline's counters
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct RenderArgs {
    #[command(flatten)]
    pub(super) shot: ShotArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
    #[command(flatten)]
    pub(super) elimination: EliminationArgs,
}

/// Options of a render's output.
#[derive(Debug, Clone, clap::Args)]
#[command(
    next_help_heading = "Output",
    mut_arg("machine", |machine| machine.help("Machine of heat maps of costs, by name or TOML file").long_help(MACHINE))
)]
pub(super) struct OutputArgs {
    /// The picture [default: the scene's name with .png, in the current directory]
    #[arg(short, long, value_name = "FILE.png", value_parser = png_paths())]
    pub(super) output: Option<PathBuf>,
    /// Draw a sequence: FILE.0000.png and on, each 1/FPS seconds after the one before
    #[arg(long, value_name = "N", value_parser = count)]
    pub(super) frames: Option<u64>,
    /// Frames of a second in the sequence [default: 30; for demos, 60]
    #[arg(long, value_name = "FPS", value_parser = frames_per_second)]
    pub(super) fps: Option<f64>,
    /// Counters of the pipeline, by frame and draw, and in JSON also by tile
    #[arg(long, value_name = "FORMAT", default_value = "table", value_enum)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "table")]
    pub(super) stats: Stats,
    /// Print the counters as JSON; short for --stats=json
    #[arg(long, conflicts_with = "stats")]
    pub(super) json: bool,
    /// Also write a heat map of a counter or cost by tile; may be repeated
    ///
    /// It goes to FILE.COUNTER.png or the file named here. `azulejo list` names counters and costs, and what techniques
    /// decide; these are of the frame on --machine, with --technique.
    #[arg(long, value_name = "COUNTER[=FILE.png]", value_parser = tile_map)]
    pub(super) heatmap: Vec<Mapped<TileMap>>,
    /// Scale from value to colour in heat maps
    #[arg(long, value_name = "SCALE", default_value = "linear", value_enum)]
    pub(super) heatmap_scale: ScaleArg,
    /// Also write a picture of what lies in every pixel; may be repeated
    ///
    /// It goes to FILE.VIEW.png or the file named here. VIEW is wireframe, depth, overdraw, quad-overdraw, mip, primitive
    /// or draw.
    #[arg(long, value_name = "VIEW[=FILE.png]", value_parser = frame_view)]
    pub(super) view: Vec<Mapped<FrameView>>,
    #[command(flatten)]
    pub(super) spec: SpecArgs,
}

/// Help text of `--machine` here.
const MACHINE: &str = "Machine of heat maps of costs, by name or TOML file\n\nIt runs the frame at the picture's size, with --technique after the two frames before the first. [default: valhall-libra-baseline]";

/// Format in which counters are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Stats {
    /// Table, to be read by people
    Table,
    /// JSON, to be read by programs
    Json,
    /// No counters at all
    None,
}

pub(in crate::cli::commands) fn frames_per_second(text: &str) -> Result<f64, String> {
    let fps = text.parse().ok().filter(|fps| (0.001..=1e6).contains(fps));
    fps.ok_or_else(|| "expected a number from 0.001 to 1000000".to_owned())
}
