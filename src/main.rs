//! The `azulejo` command: parses, dispatches, maps errors to exit codes.

use std::process::ExitCode;

fn main() -> ExitCode {
    azulejo::app::cli::run(std::env::args_os().collect())
}
