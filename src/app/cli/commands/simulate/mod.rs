//! `azulejo simulate`: what frames would cost on chips. A scene is drawn once for each screen that the machines have, and what
//! the pipeline did goes through every machine; or a captured trace does.

mod files;
mod machines;
mod output;
mod run;
mod source;

use std::path::PathBuf;

use super::{Console, Outcome};
use crate::app::cli::args::{
    CameraArgs, LookArgs, Mapped, ScaleArg, SceneArgs, cost_map, count, size,
};
use crate::gpu::machine::Overlay;
use crate::gpu::statistics::TileCost;
use crate::report::heatmap::TileMeasure;
pub(super) use machines::{TechniqueSet, techniques};
use run::Modelled;
use source::Source;

/// Say what frames would cost on a chip: cycles, stalls, cache misses, DRAM traffic and energy, by frame, tile and draw
///
/// The scene is drawn at the machine's screen and tile size. A trace from `azulejo capture` is taken as it is.
#[derive(Debug, Clone, clap::Args)]
pub(in crate::app::cli) struct SimulateArgs {
    #[command(flatten)]
    hardware: HardwareArgs,
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    camera: CameraArgs,
    #[command(flatten)]
    look: LookArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// The machines.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Hardware")]
struct HardwareArgs {
    /// A machine by name (`azulejo list` shows them) or a TOML file, which may say `include = "NAME"` and what differs; several run on
    /// the same frames, side by side
    #[arg(
        short,
        long = "machine",
        value_name = "NAME|FILE",
        default_value = "valhall-libra-baseline"
    )]
    machines: Vec<String>,
    /// Change a value of every machine, such as l2.size=1MiB
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<Overlay>,
    /// Techniques, each beside every machine without: `re`, `te`, or `re+te` for both at once. Frames must follow each other
    /// (--frames), since what is left out is what earlier ones have done
    #[arg(short, long = "technique", value_name = "T[,T...]", value_delimiter = ',', value_parser = techniques)]
    techniques: Vec<TechniqueSet>,
    /// Another screen for every machine, in pixels
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<(u32, u32)>,
    /// Threads that draw and that simulate; 0 takes one for each core. Results are the same for any number
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u16).range(..=1024))]
    threads: u16,
}

/// What comes out.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Output")]
struct OutputArgs {
    /// Frames, each 1/FPS seconds after the one before [default: 1; of a trace, all]
    #[arg(long, value_name = "N", value_parser = count)]
    frames: Option<u64>,
    /// Frames of a second
    #[arg(long, value_name = "FPS", default_value_t = 60.0, value_parser = super::render::frames_per_second)]
    fps: f64,
    /// All counters as JSON
    #[arg(long)]
    json: bool,
    /// Tables for programs: frames.csv, tiles.csv, draws.csv, intervals.csv, and stamp.json, which says how they came about
    #[arg(long, value_name = "DIR")]
    csv: Option<PathBuf>,
    /// All counters as gem5 prints its own, with Arm's names beside ours
    #[arg(long, value_name = "FILE")]
    stats_txt: Option<PathBuf>,
    /// Units over simulated time, as JSON trace events for ui.perfetto.dev
    #[arg(long, value_name = "FILE.json")]
    perfetto: Option<PathBuf>,
    /// Also draw a cost of each tile as a PNG, such as texture-misses (`azulejo list` names them) [default file: the scene's
    /// name with the cost's]
    #[arg(long, value_name = "COST[=FILE.png]", value_parser = cost_map)]
    heatmap: Vec<Mapped<&'static TileMeasure<TileCost>>>,
    /// From value to colour in heat maps
    #[arg(long, value_name = "SCALE", default_value = "linear", value_enum)]
    heatmap_scale: ScaleArg,
}

pub(super) fn run(args: &SimulateArgs, console: Console) -> Outcome {
    let specs = machines::load(&args.hardware)?;
    let outputs = files::plan(args, &specs)?;
    let console = console.beside_file(outputs.take_standard_output());
    let mut source = Source::open(args, &specs, console)?;
    if !args.hardware.techniques.is_empty() && !source.is_sequence() {
        let lone = "a single frame has none before it: what leaves out work of earlier frames can only cost here; add --frames";
        console.warn("--technique", &[lone.to_owned()]);
    }
    let Modelled { runs, cut } = run::all(args, &specs, &mut source, console)?;
    // Results are printed first: no file that cannot be written may cost them.
    let printed = output::print(args, (source.stamp(), cut.as_ref()), &runs, console);
    let outputs = match cut {
        None => outputs,
        Some(_) => outputs.partial(),
    };
    let written = files::write(&args.output, &outputs, source.stamp(), &runs)?;
    output::say_written(args, &written, console)?;
    printed?;
    cut.map_or(Ok(()), Err)
}
