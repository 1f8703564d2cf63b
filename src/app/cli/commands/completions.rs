//! `azulejo completions`: scripts by which a shell completes commands and options.

use clap_complete::Shell;

use super::{Console, Outcome};

/// Print completions for a shell
///
/// For example `azulejo completions bash > ~/.local/share/bash-completion/completions/azulejo`.
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct CompletionsArgs {
    /// Shell to print completions for
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(args: &CompletionsArgs, mut line: clap::Command, console: Console) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut line, "azulejo", &mut script);
    console.print(&String::from_utf8_lossy(&script))
}
