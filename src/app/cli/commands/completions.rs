//! `azulejo completions`: what a shell needs to complete commands and options.

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Console, Outcome};
use crate::app::cli::Cli;

/// Print completions for a shell, such as `azulejo completions bash > ~/.local/share/bash-completion/completions/azulejo`
#[derive(Debug, Clone, clap::Args)]
pub(in crate::app::cli) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(args: &CompletionsArgs, console: Console) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "azulejo", &mut script);
    console.print(&String::from_utf8_lossy(&script))
}
