//! `azulejo man`: manual pages, made from the same descriptions as the help.

use clap_mangen::Man;

use super::{Console, Outcome};
use crate::cli::failure::Failure;
use crate::cli::likeness::did_you_mean;

/// Print a manual page, such as `azulejo man > ~/.local/share/man/man1/azulejo.1`
#[derive(Debug, Clone, clap::Args)]
pub(in crate::cli) struct ManArgs {
    /// The command that the page is about; without, the program as a whole
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

pub(super) fn run(args: &ManArgs, mut program: clap::Command, console: Console) -> Outcome {
    // Gives the commands their full names and the options that all of them have.
    program.build();
    let about = match &args.command {
        None => program,
        Some(name) => command(&program, name)?,
    };
    let mut page = Vec::new();
    Man::new(about).render(&mut page)?;
    console.print(&String::from_utf8_lossy(&page))
}

/// Finds the command of this name.
fn command(program: &clap::Command, name: &str) -> Outcome<clap::Command> {
    if let Some(command) = program.find_subcommand(name) {
        return Ok(command.clone());
    }
    let names = program.get_subcommands().map(clap::Command::get_name);
    let meant = did_you_mean(name, names);
    let failure = Failure::usage(format!("no command '{name}'{meant}"));
    Err(failure.hint("`azulejo help` names all commands"))
}
