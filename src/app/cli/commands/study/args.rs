//! Options of `azulejo study`.

use std::path::PathBuf;

use super::super::suite::SuiteArgs;
use super::choice::{Choice, choice};
use crate::app::cli::args::{DemoChoice, demos};

/// Measure the papers' figures again, over demos, beside what the papers state
///
/// All figures of a paper come from the same frames. Tiles and fragments are those of all frames; cycles and energies those
/// of some frames, which stand for the others and go through the machine with and without each technique. How far they are
/// from what all frames say is a study as well: sampling.error runs every frame, with and without Rendering Elimination,
/// and holds the sample against it. LIBRA and KHEPRI learn from frame to frame, and Boustrophedonic Frames reuse what the
/// last has left: theirs are 25 and 31 frames after each other, as in the papers. em1 runs whole systems on chip, on demos
/// that stand for its paper's four models; em2 tries ten sizes of work tiles on as many frames, and its means weigh these
/// as ten to a hundred.
#[derive(Debug, Clone, clap::Args)]
#[command(
    mut_arg("machine", |machine| machine.help("Machine by name or TOML file [default: the paper's]").long_help(MACHINE)),
    mut_arg("frames", |frames| frames.help("Frames to draw, from the first on [default: by study]").long_help(FRAMES)),
    mut_arg("sample", |sample| sample.help("Frames to simulate: auto, all, every:N [default: by study]").long_help(SAMPLE))
)]
pub(in crate::app::cli) struct StudyArgs {
    /// A figure such as re.fig13a, or all of a study such as `re`, or `all`
    ///
    /// Studies are `re`, `libra`, `khepri`, `boustro`, `em1`, `em2`, `sampling`, `area`; libra.fig19, on machines of its
    /// own, only by name. `all` is every study, one after the other, each on the machine of its paper; `numbers` is all but
    /// `sampling`, with libra.fig19, and says every number that the papers state beside ours, with a verdict.
    #[arg(value_name = "ID", value_parser = choice)]
    pub(super) study: Choice,
    /// Demos by name, or all
    ///
    /// For em1, all are those that stand for its models; for em2, all are the models of `azulejo list`.
    #[arg(long, value_name = "DEMO[,DEMO...]", value_delimiter = ',', default_value = "all", value_parser = demos)]
    pub(super) demos: Vec<DemoChoice>,
    /// A .gltf, .glb or .obj file instead of demos; several by one --scene each
    ///
    /// Trends were declared of the demos and are not judged.
    #[arg(long = "scene", value_name = "FILE", conflicts_with = "demos")]
    pub(super) scenes: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) suite: SuiteArgs,
    /// A first look in minutes: fewer pixels and frames
    ///
    /// Half as many pixels each way, and five frames of a demo where --frames says nothing.
    #[arg(long)]
    pub(super) quick: bool,
    /// Folder of each demo's measurements [default: with -o, measured in its folder]
    ///
    /// A study that was stopped and is started again goes on where it was.
    #[arg(long, value_name = "DIR")]
    pub(super) keep: Option<PathBuf>,
    /// Also a table for programs of each figure, ID.csv
    #[arg(long, value_name = "DIR")]
    pub(super) csv: Option<PathBuf>,
    /// Also a report: index.html, studies.md, study.json and tables ID.csv
    ///
    /// index.html is one page with every figure beside the paper's numbers, which needs nothing else; studies.md is the
    /// report as text; study.json has all numbers.
    #[arg(short, long, value_name = "FOLDER")]
    pub(super) output: Option<PathBuf>,
}

/// Help text of `--machine` here.
const MACHINE: &str = "Machine by name or TOML file\n\n[default: the paper's: mali450-re; libra valhall-libra-baseline; khepri valhall-khepri; boustro boustrophedonic; em1 emerald-soc; em2 emerald-gpu]";

/// Help text of `--frames` here.
const FRAMES: &str = "Frames to draw, from the first on\n\n[default: 50; libra and khepri 25; boustro 31; em1 5; em2 20]";

/// Help text of `--sample` here.
const SAMPLE: &str = "Frames to simulate: auto (one per group of like frames, weighted), all, every:N\n\nFrames before one that warm the machine up do not count. [default: auto; libra, khepri, boustro, em1 and em2 all]";
