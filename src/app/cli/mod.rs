//! Command line: what was typed (`args`) becomes what will be done (`shot`), a command does it, and its outcome becomes an
//! exit code: 0 done, 1 failed, 2 wrong usage.
//!
//! Results go to standard output; progress, warnings and errors go to standard error, so that pipes carry results only.

mod args;
mod commands;
mod console;
mod failure;
mod files;
mod interrupt;
mod likeness;
mod machine_input;
mod output;
mod shot;
mod stamp;
mod standard_input;
mod tables;
mod trace_input;

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};

use azulejo_demo::Demo;
use commands::{Command, overview};
use console::Console;
use failure::Outcome;
use likeness::most_like;

/// A tile-based GPU in software: draws glTF scenes the way a mobile GPU does, and counts what each frame, tile and draw
/// costs.
#[derive(Debug, Parser)]
#[command(name = "azulejo", version, about, propagate_version = true)]
#[command(args_override_self = true, max_term_width = 110)]
// `help` is a command of ours: it prints guides too.
#[command(after_help = IMPLIED, disable_help_subcommand = true)]
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

/// Help text on a command line that is a scene alone.
const IMPLIED: &str = "`azulejo SCENE` (a file or a demo) is short for `azulejo view SCENE` where there is a display, else, or with options of \
    `render`, for `azulejo render SCENE`. `azulejo help` lists guides, `azulejo help TOPIC` prints one.

Exit codes: 0 done. 1 it could not be done: a file is missing, damaged or cannot be written. 2 the command line is wrong: an option, a \
    value or a name that does not exist, or outputs that would destroy something. 130 or 143 interrupted; what is whole is kept.";

/// Runs the command line `arguments`, of which the first is the program's own name. Results name the `commit` that the
/// program was built from, as far as it is known.
#[must_use]
pub fn run(arguments: Vec<OsString>, commit: Option<&'static str>) -> ExitCode {
    stamp::know_commit(commit);
    let arguments = with_help_first(with_command_implied(arguments, display_is_likely()));
    let cli = match parse(&arguments) {
        Ok(cli) => cli,
        Err(error) => return report_usage(&error),
    };
    interrupt::install();
    let console = Console::new(cli.quiet, cli.verbose);
    let outcome = match cli.command {
        Some(command) => command.run(Cli::command, console),
        None => overview::run(console),
    };
    finish(console, outcome)
}

/// Parses what was typed.
///
/// # Errors
/// Everything that is wrong with it; help and version too.
fn parse(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let mut command = taking_negative_numbers(Cli::command());
    let matches = command.try_get_matches_from_mut(arguments)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Takes a negative number behind an option as its value, so that an option that refuses it is named; clap would look for
/// an option of the number's name.
fn taking_negative_numbers(command: clap::Command) -> clap::Command {
    command
        .mut_args(|arg| {
            let takes_value = arg.get_action().takes_values() && !arg.is_positional();
            arg.allow_negative_numbers(takes_value)
        })
        .mut_subcommands(taking_negative_numbers)
}

fn finish(console: Console, outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // The reader closed the pipe: it has read enough.
        Err(failure) if failure.is_broken_pipe => ExitCode::SUCCESS,
        Err(failure) => {
            console.error(&failure);
            ExitCode::from(failure.exit_code)
        }
    }
}

/// Prints what clap says instead of a command line. Help and version are no errors for clap's users, but come as such.
fn report_usage(error: &clap::Error) -> ExitCode {
    // Nothing is left to report to if the terminal is gone.
    let _ = error.print();
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(failure::USAGE))
}

#[cfg(feature = "window")]
use super::window::display_is_likely;

/// False without the window: there is nothing to show on a display.
#[cfg(not(feature = "window"))]
fn display_is_likely() -> bool {
    false
}

/// Inserts the command before a scene: `azulejo Fox.glb` means `azulejo view Fox.glb` on a display if `view` takes the
/// options, else `azulejo render Fox.glb`.
fn with_command_implied(arguments: Vec<OsString>, on_display: bool) -> Vec<OsString> {
    let first = arguments.get(1).map(OsString::as_os_str);
    if !first.is_some_and(is_scene) {
        return arguments;
    }
    let with = |command: &str| {
        let mut line = arguments.clone();
        line.insert(1, command.into());
        line
    };
    let view = with("view");
    if on_display && parse(&view).is_ok() {
        view
    } else {
        with("render")
    }
}

/// Moves `help` before a command with commands of its own: `machine help check` means `help machine check`.
fn with_help_first(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let has_commands = |name: &OsString| {
        let all = Cli::command();
        let command = name.to_str().and_then(|name| all.find_subcommand(name));
        command.is_some_and(clap::Command::has_subcommands)
    };
    let is_help = arguments.get(2).is_some_and(|word| word == "help");
    if is_help && has_commands(&arguments[1]) {
        arguments.swap(1, 2);
    }
    arguments
}

/// Whether an argument can only be a scene: named like one, a demo, more like a demo than like any command, or an existing
/// file that is no command.
fn is_scene(argument: &OsStr) -> bool {
    let path = Path::new(argument);
    let endings = ["glb", "gltf", "obj"];
    let named = (path.extension())
        .is_some_and(|is| endings.iter().any(|ending| is.eq_ignore_ascii_case(ending)));
    let option = argument.to_string_lossy().starts_with('-');
    let all = Cli::command();
    let commands: Vec<&str> = all.get_subcommands().map(clap::Command::get_name).collect();
    let command = commands.iter().any(|name| *name == argument);
    let demos = Demo::all().map(|demo| demo.name);
    let known = commands.iter().copied().chain(demos);
    let meant = argument.to_str().and_then(|typed| most_like(typed, known));
    let demo = meant.and_then(Demo::find).is_some();
    !option && !command && (named || demo || path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use azulejo_guide::Topic;

    /// Commands whose help says all of them.
    const WITHOUT_GUIDE: [(&str, &str); 4] = [
        ("list", "its output explains itself"),
        ("completions", "prints a script for a shell"),
        ("man", "prints the options as a manual page"),
        ("help", "prints the guides"),
    ];

    #[test]
    fn every_command_has_a_guide_or_a_reason() {
        for command in Cli::command().get_subcommands() {
            let name = command.get_name();
            let is_excused = WITHOUT_GUIDE.iter().any(|(excused, _)| *excused == name);
            let topic = Topic::of_command(name);
            assert_ne!(topic.is_some(), is_excused, "{name}: a guide or a reason");
        }
    }

    #[test]
    fn help_behind_a_command_asks_for_its_commands() {
        let line = |words: &str| words.split(' ').map(OsString::from).collect::<Vec<_>>();
        let moved = with_help_first(line("azulejo machine help check"));
        assert_eq!(moved, line("azulejo help machine check"), "moved");
        for words in [
            "azulejo help",
            "azulejo render help",
            "azulejo machine check",
        ] {
            assert_eq!(with_help_first(line(words)), line(words), "left alone");
        }
    }

    #[test]
    fn command_line_is_consistent() {
        taking_negative_numbers(Cli::command()).debug_assert();
    }

    #[test]
    fn scene_alone_is_rendered_without_display() {
        let line = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        let implied = with_command_implied(line(&["azulejo", "a/Fox.GLB", "-q"]), false);
        assert_eq!(
            implied,
            line(&["azulejo", "render", "a/Fox.GLB", "-q"]),
            "inserted"
        );
        let demo = with_command_implied(line(&["azulejo", "match3"]), false);
        assert_eq!(demo, line(&["azulejo", "render", "match3"]), "a demo");
        let meant = with_command_implied(line(&["azulejo", "mach3"]), false);
        assert_eq!(meant[1], "render", "which says what demo is meant");
        for words in [
            &["azulejo"][..],
            &["azulejo", "list"],
            &["azulejo", "-q"],
            &["azulejo", "help"],
            &["azulejo", "rendr"],
            &["azulejo", "machin"],
        ] {
            let same = with_command_implied(line(words), true);
            assert_eq!(same, line(words), "left alone");
        }
    }

    #[cfg(feature = "window")]
    #[test]
    fn scene_alone_is_shown_on_a_display_unless_render_is_meant() {
        let line = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        let shown = with_command_implied(line(&["azulejo", "Fox.glb"]), true);
        assert_eq!(shown, line(&["azulejo", "view", "Fox.glb"]), "a window");
        let written = with_command_implied(line(&["azulejo", "Fox.glb", "-o", "f.png"]), true);
        assert_eq!(written[1], "render", "-o is an option of render");
    }
}
