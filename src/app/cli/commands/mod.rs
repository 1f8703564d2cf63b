//! Commands of the program: a file for each, which holds its options and runs it.

mod cache;
mod capture;
mod characterize;
mod check;
mod compare;
mod completions;
mod diff;
mod dram;
mod help;
mod inspect;
mod kept;
mod list;
mod machine;
mod man;
mod memory_trace;
pub(super) mod overview;
mod render;
mod reuse;
mod scene_input;
mod shader;
mod simulate;
mod study;
mod suite;
mod sweep;
#[cfg(feature = "window")]
mod view;
mod workload;

use super::console::Console;
use super::failure::Outcome;

/// Command with its options.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    Render(render::RenderArgs),
    #[cfg(feature = "window")]
    View(view::ViewArgs),
    Inspect(inspect::InspectArgs),
    Compare(compare::CompareArgs),
    Simulate(simulate::SimulateArgs),
    Capture(capture::CaptureArgs),
    Characterize(characterize::CharacterizeArgs),
    Study(study::StudyArgs),
    Sweep(sweep::SweepArgs),
    Check(check::CheckArgs),
    Diff(diff::DiffArgs),
    Dram(dram::DramArgs),
    Cache(cache::CacheArgs),
    Reuse(reuse::ReuseArgs),
    Shader(shader::ShaderArgs),
    List(list::ListArgs),
    Machine(machine::MachineArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
    Help(help::HelpArgs),
}

impl Command {
    /// Runs the command; `line` describes the whole command line.
    pub(super) fn run(self, line: impl FnOnce() -> clap::Command, console: Console) -> Outcome {
        match self {
            Self::Render(args) => render::run(&args, console),
            #[cfg(feature = "window")]
            Self::View(args) => view::run(&args, console),
            Self::Inspect(args) => inspect::run(&args, console),
            Self::Compare(args) => compare::run(&args, console),
            Self::Simulate(args) => simulate::run(&args, console),
            Self::Capture(args) => capture::run(&args, console),
            Self::Characterize(args) => characterize::run(&args, console),
            Self::Study(args) => study::run(&args, console),
            Self::Sweep(args) => sweep::run(&args, console),
            Self::Check(args) => check::run(&args, console),
            Self::Diff(args) => diff::run(&args, console),
            Self::Dram(args) => dram::run(&args, console),
            Self::Cache(args) => cache::run(&args, console),
            Self::Reuse(args) => reuse::run(&args, console),
            Self::Shader(args) => shader::run(&args, console),
            Self::List(args) => list::run(&args, console),
            Self::Machine(args) => machine::run(&args, console),
            Self::Completions(args) => completions::run(&args, line(), console),
            Self::Man(args) => man::run(&args, line(), console),
            Self::Help(args) => help::run(&args, line(), console),
        }
    }
}
