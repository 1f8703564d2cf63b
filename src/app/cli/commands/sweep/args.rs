//! Options of `azulejo sweep`.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

/// Run every combination of scenes, machines, techniques and changes of a file
///
/// Changes are parameters with other values. Each result is kept.
///
/// Finished points are never run again: stop it at any time and start it anew, here or on another computer that sees the
/// folder. Frames are drawn once for each scene and screen.
#[derive(Debug, Clone, clap::Args)]
#[command(
    after_long_help = EXAMPLE,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(in crate::cli) struct SweepArgs {
    #[command(subcommand)]
    pub(super) ask: Option<Ask>,
    /// Sweep to run (TOML)
    #[arg(value_name = "FILE.toml", required = true)]
    file: Option<PathBuf>,
    #[command(flatten)]
    folder: FolderArg,
    #[command(flatten)]
    pub(super) run: RunArgs,
}

/// Example of a file, as help shows it.
const EXAMPLE: &str = r#"A file:

    scenes = ["match3", "helmet.glb"]        # demos, built-in, or files beside this one
    machines = ["valhall-libra"]             # [default: valhall-libra-baseline]
    techniques = ["none", "libra"]           # [default: none]
    frames = 4                               # also first_frame, seed, env
    [set]
    "l2.size" = ["512KiB", "1MiB", "2MiB"]   # keys as --set takes them"#;

/// Option of the results' folder.
#[derive(Debug, Clone, clap::Args)]
struct FolderArg {
    /// Results folder [default: the file's name with .sweep, in the current directory]
    #[arg(short = 'o', long = "output", value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Options of how points are run.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct RunArgs {
    /// Engine that runs the points
    #[arg(long, value_name = "ENGINE", default_value = "local", value_enum)]
    pub(super) on: Engine,
    /// Only these points, by number from 0
    #[arg(long, value_name = "K[-L]", value_parser = numbers)]
    pub(super) point: Option<Numbers>,
    /// Only draw the frames, for points that run later
    #[arg(long, conflicts_with = "point")]
    pub(super) frames_only: bool,
    /// With slurm and hyperqueue, points of a task [default: for at most 500 tasks]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) chunk: Option<u64>,
    /// Points at a time, 0 for one on each core as far as memory allows
    ///
    /// That number of threads also draws frames.
    #[arg(long, value_name = "N", default_value = "0", value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(super) threads: u16,
    /// Print the results as JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Engine for points: this process, or one that runs commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Engine {
    /// This process, on this computer
    Local,
    /// None: prints the command of each point that is left, for GNU parallel or others
    Print,
    /// Slurm: an array job, submitted and followed
    Slurm,
    /// HyperQueue, by its Python package (pip install hyperqueue)
    Hyperqueue,
}

/// Points from `first` to `last`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) first: u64,
    pub(super) last: u64,
}

/// Questions about a sweep.
#[derive(Debug, Clone, clap::Subcommand)]
pub(super) enum Ask {
    /// Count the points that are done, running, failed and left
    Status(AskArgs),
    /// Print a line for each finished point
    ///
    /// results.csv holds every counter, index.html draws what each choice does.
    Report(AskArgs),
}

/// Options that name the sweep.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct AskArgs {
    /// Sweep that was run (TOML)
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    #[command(flatten)]
    folder: FolderArg,
    /// Print the answer as JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// File and folder of a sweep.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) file: PathBuf,
    pub(super) folder: PathBuf,
}

impl SweepArgs {
    /// Place of the sweep that is to be run. Clap asks for the file where nothing is asked of another.
    pub(super) fn place(&self) -> Place {
        place(self.file.as_deref().unwrap_or(Path::new("")), &self.folder)
    }
}

impl AskArgs {
    /// Place of the sweep that is asked about.
    pub(super) fn place(&self) -> Place {
        place(&self.file, &self.folder)
    }
}

fn place(file: &Path, folder: &FolderArg) -> Place {
    let unnamed = || {
        let mut name = file.file_stem().unwrap_or_default().to_owned();
        name.push(".sweep");
        PathBuf::from(name)
    };
    Place {
        file: file.to_owned(),
        folder: folder.folder.clone().unwrap_or_else(unnamed),
    }
}

fn numbers(text: &str) -> Result<Numbers, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let numbers = first.parse().ok().zip(last.parse().ok());
    let numbers = numbers.map(|(first, last)| Numbers { first, last });
    numbers
        .filter(|numbers| numbers.first <= numbers.last)
        .ok_or_else(|| {
            "expected a point's number, or the first and the last of several: 7 or 100-199"
                .to_owned()
        })
}
