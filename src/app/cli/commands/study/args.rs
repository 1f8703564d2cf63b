//! Options of `azulejo study`.

use std::path::PathBuf;

use super::super::suite::SuiteArgs;
use super::choice::{Choice, choice};
use crate::cli::args::{DemoChoice, demos};
use azulejo_study::{STUDIES, Sampling, Study};

/// Measure the papers' figures again, over demos, beside what the papers state
///
/// A study runs over the demos that stand for the games of its paper, where --demos says nothing.
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
    mut_arg("machine", |machine| machine.help("Machine by name or TOML file [default: the paper's]").long_help(machine_help())),
    mut_arg("frames", |frames| frames.help("Frames to draw, from the first on [default: by study]").long_help(frames_help())),
    mut_arg("sample", |sample| sample.help("Frames to simulate: auto, all, every:N [default: by study]").long_help(sample_help()))
)]
pub(in crate::cli) struct StudyArgs {
    /// A figure such as re.fig13a, or all of a study such as `re`, or `all`
    ///
    /// Studies are `re`, `libra`, `khepri`, `boustro`, `em1`, `em2`, `sampling`, `area`; libra.fig19 and
    /// khepri.sensitivity, on machines of their own, only by name. `all` is every study, one after the other, each on the
    /// machine of its paper; `numbers` is all but `sampling`, with libra.fig19, and says every number that the papers
    /// state beside ours, with a verdict.
    #[arg(value_name = "ID", value_parser = choice)]
    pub(super) study: Choice,
    /// Demos by name, or all [default: those that stand for the paper's games]
    ///
    /// `azulejo list --suites` shows which stand for which. All are the games of `azulejo list`, for em2 its models; for
    /// assumptions both, for every headline.
    #[arg(long, value_name = "DEMO[,DEMO...]", value_delimiter = ',', value_parser = demos)]
    pub(super) demos: Vec<DemoChoice>,
    /// A .gltf, .glb or .obj file instead of demos; several by one --scene each
    ///
    /// Trends are judged over the papers' games or all demos, not over files.
    #[arg(long = "scene", value_name = "FILE", conflicts_with = "demos")]
    pub(super) scenes: Vec<PathBuf>,
    /// Also means weighted by the kinds of the paper's games: 2D, 2.5D, 3D
    ///
    /// Each kind of demos gets the share that it has of the paper's games (LIBRA and KHEPRI: 8, 7 and 17 of 32). The plain
    /// mean stays the one that is held against the paper's.
    #[arg(long, conflicts_with = "scenes")]
    pub(super) weigh_kinds: bool,
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
fn machine_help() -> String {
    let machines = by_study(|study| study.usual.machine.to_owned());
    format!("Machine by name or TOML file\n\n[default: the paper's: {machines}]")
}

/// Help text of `--frames` here.
fn frames_help() -> String {
    let frames = by_study(|study| study.usual.frames.to_string());
    format!("Frames to draw, from the first on\n\n[default: {frames}]")
}

/// Help text of `--sample` here.
fn sample_help() -> String {
    let samples = by_study(|study| match study.usual.sampling {
        Sampling::Groups { .. } => "auto".to_owned(),
        Sampling::Every(1) => "all".to_owned(),
        Sampling::Every(step) => format!("every:{step}"),
    });
    format!(
        "Frames to simulate: auto (one per group of like frames, weighted), all, every:N\n\n\
         Frames before one that warm the machine up do not count. [default: {samples}]"
    )
}

/// A default in words: that of the first study, then by name those that differ from it.
fn by_study(default: impl Fn(&Study) -> String) -> String {
    let all = STUDIES.iter().filter(|study| study.in_all);
    let all: Vec<_> = all.map(|study| (study.name, default(study))).collect();
    let first = all.first().map_or("", |(_, value)| value);
    let others: Vec<_> = all.iter().filter(|(_, value)| value != first).collect();
    let alike = others.chunk_by(|a, b| a.1 == b.1).map(|alike| {
        let names: Vec<_> = alike.iter().map(|(name, _)| *name).collect();
        let value = &alike[0].1;
        match names.split_last() {
            Some((last, before)) if !before.is_empty() => {
                format!("; {} and {last} {value}", before.join(", "))
            }
            _ => format!("; {} {value}", names[0]),
        }
    });
    format!("{first}{}", alike.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_told_by_study() {
        let told = [machine_help(), frames_help(), sample_help()];
        let expected = [
            "[default: the paper's: mali450-re; libra valhall-libra-baseline; khepri valhall-khepri; boustro boustrophedonic; em1 emerald-soc; em2 emerald-gpu]",
            "[default: 50; libra and khepri 25; boustro 31; em1 5; em2 20]",
            "[default: auto; libra, khepri, boustro, em1 and em2 all]",
        ];
        for (told, expected) in told.iter().zip(expected) {
            assert!(told.ends_with(expected), "{told}");
        }
    }
}
