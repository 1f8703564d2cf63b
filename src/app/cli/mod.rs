//! The command line: what was typed (`args`) becomes what will be done (`shot`), a command does it, and its outcome
//! becomes an exit code: 0 done, 1 failed, 2 wrong usage.
//!
//! Results go to standard output; progress, warnings and errors go to standard error, so that pipes carry results only.

mod args;
mod commands;
mod console;
mod failure;
mod files;
mod machine_input;
mod shot;
mod stamp;
mod trace_input;

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use commands::{Command, overview};
use console::Console;
use failure::Outcome;

/// A tile-based GPU in software: draws glTF scenes the way a mobile GPU does, and counts what each frame, tile and draw costs.
#[derive(Debug, Parser)]
#[command(name = "azulejo", version, about, propagate_version = true)]
#[command(
    disable_help_subcommand = true,
    args_override_self = true,
    max_term_width = 110
)]
#[command(after_help = "`azulejo SCENE.glb` is short for `azulejo render SCENE.glb`.")]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Say nothing but results and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Show every warning of a scene, and what the program does
    #[arg(short, long, global = true)]
    verbose: bool,
}

/// Runs the command line `arguments`, of which the first is the program's own name.
#[must_use]
pub fn run(arguments: Vec<OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(with_render_implied(arguments)) {
        Ok(cli) => cli,
        Err(error) => return report_usage(&error),
    };
    let console = Console::new(cli.quiet, cli.verbose);
    let outcome = match cli.command {
        Some(command) => command.run(console),
        None => overview::run(console),
    };
    finish(console, outcome)
}

fn finish(console: Console, outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // Who closed the pipe has read enough.
        Err(failure) if failure.is_broken_pipe => ExitCode::SUCCESS,
        Err(failure) => {
            console.error(&failure);
            ExitCode::from(failure.exit_code)
        }
    }
}

/// Help and version are no errors for clap's users, but come as such.
fn report_usage(error: &clap::Error) -> ExitCode {
    // Nobody is left to tell if the terminal is gone.
    let _ = error.print();
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(failure::USAGE))
}

/// `azulejo Fox.glb` means `azulejo render Fox.glb`.
fn with_render_implied(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let first = arguments.get(1).map(OsString::as_os_str);
    if first.is_some_and(is_scene) {
        arguments.insert(1, "render".into());
    }
    arguments
}

/// Whether an argument can only be a scene: named like one, or an existing file that is no command.
fn is_scene(argument: &OsStr) -> bool {
    let path = Path::new(argument);
    let named = path.extension().is_some_and(|extension| {
        extension.eq_ignore_ascii_case("glb") || extension.eq_ignore_ascii_case("gltf")
    });
    let option = argument.to_string_lossy().starts_with('-');
    let command = Cli::command()
        .get_subcommands()
        .any(|command| command.get_name() == argument);
    !option && !command && (named || path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn scene_alone_is_rendered() {
        let line = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        let implied = with_render_implied(line(&["azulejo", "a/Fox.GLB", "-q"]));
        assert_eq!(
            implied,
            line(&["azulejo", "render", "a/Fox.GLB", "-q"]),
            "inserted"
        );
        for words in [&["azulejo"][..], &["azulejo", "list"], &["azulejo", "-q"]] {
            assert_eq!(with_render_implied(line(words)), line(words), "left alone");
        }
    }
}
