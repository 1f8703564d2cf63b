//! Options of `azulejo simulate`.

use std::path::PathBuf;

use crate::cli::args::{
    CameraArgs, LookArgs, MachineMap, Mapped, ScaleArg, SceneArgs, TechniqueSet, count,
    machine_map, size, techniques,
};
use crate::cli::commands::render::frames_per_second;
use azulejo_gpu::machine::Overlay;

/// Say what frames would cost on a chip: cycles, stalls, DRAM traffic, energy
///
/// Costs are by frame, tile and draw, cache misses among them. The scene is drawn at the machine's screen and tile
/// size. A trace from `azulejo capture` is taken as it is.
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct SimulateArgs {
    #[command(flatten)]
    pub(super) hardware: HardwareArgs,
    #[command(flatten)]
    pub(super) scene: SceneArgs,
    #[command(flatten)]
    pub(super) camera: CameraArgs,
    #[command(flatten)]
    pub(super) look: LookArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

/// Options of the machines.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Hardware")]
pub(super) struct HardwareArgs {
    /// A machine of `azulejo list`, or a TOML file; several run side by side
    ///
    /// A file may say `include = "NAME"` and what differs. Several machines, by commas or one --machine each, run on the
    /// same frames.
    #[arg(
        short,
        long = "machine",
        value_name = "NAME|FILE[,...]",
        value_delimiter = ',',
        default_value = "valhall-libra-baseline"
    )]
    pub(super) machines: Vec<String>,
    /// Change a value of every machine, such as l2.size=1MiB
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(super) set: Vec<Overlay>,
    /// Techniques, each beside the machine without: `re`, `te`, or `re+te` for both
    ///
    /// Each runs on every machine that can carry it. Frames must follow each other (--frames), since what is left out is
    /// what earlier ones have done.
    #[arg(short, long = "technique", value_name = "T[,T...]", value_delimiter = ',', value_parser = techniques)]
    pub(super) techniques: Vec<TechniqueSet>,
    /// Another screen for every machine, in pixels
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub(super) size: Option<(u32, u32)>,
    /// Threads that draw and that simulate; 0 takes one for each core
    ///
    /// Results are the same for any number.
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(super) threads: u16,
}

/// Options of the output.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArgs {
    /// Frames, each 1/FPS seconds after the one before [default: 1; of a trace, all]
    #[arg(long, value_name = "N", value_parser = count)]
    pub(super) frames: Option<u64>,
    /// Frames of a second
    #[arg(long, value_name = "FPS", default_value_t = 60.0, value_parser = frames_per_second)]
    pub(super) fps: f64,
    /// Print one line for each machine instead of all tables
    #[arg(long, conflicts_with = "json")]
    pub(super) brief: bool,
    /// All counters as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Tables for programs: frames, passes, tiles, draws and intervals
    ///
    /// The files are frames.csv, passes.csv, tiles.csv, draws.csv, intervals.csv, and stamp.json, which says how they
    /// came about.
    #[arg(long, value_name = "DIR")]
    pub(super) csv: Option<PathBuf>,
    /// All counters as gem5 prints its own, with Arm's names beside ours
    #[arg(long, value_name = "FILE")]
    pub(super) stats_txt: Option<PathBuf>,
    /// Texture accesses that the L2 sees, for `azulejo cache` and `azulejo reuse`
    ///
    /// The stream has marks for frames and tiles. Several machines write one each, FILE.MACHINE.
    #[arg(long, value_name = "FILE")]
    pub(super) l2_stream: Option<PathBuf>,
    /// Units over simulated time, as JSON trace events for ui.perfetto.dev
    #[arg(long, value_name = "FILE.json")]
    pub(super) perfetto: Option<PathBuf>,
    /// Memory bandwidth by agent over time, as a page of charts
    ///
    /// It has a chart for each machine whose memory is shared, such as emerald-soc.
    #[arg(long, value_name = "FILE.html")]
    pub(super) bandwidth: Option<PathBuf>,
    /// Also draw a cost of each tile as a PNG, such as texture-misses
    ///
    /// Or what a technique decides of it, such as libra's temperature (`azulejo list` names them) [default file: the
    /// scene's name with the cost's].
    #[arg(long, value_name = "COST[=FILE.png]", value_parser = machine_map)]
    pub(super) heatmap: Vec<Mapped<MachineMap>>,
    /// Pass whose tiles heat maps show, by name or number from 0 [default: the last]
    #[arg(long, value_name = "PASS", requires = "heatmap")]
    pub(super) pass: Option<String>,
    /// Scale from value to colour in heat maps
    #[arg(long, value_name = "SCALE", default_value = "linear", value_enum)]
    pub(super) heatmap_scale: ScaleArg,
}
