//! The `azulejo` command: parses, dispatches, maps errors to exit codes.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Allocator in pages of 2 MiB: fewer TLB misses.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    azulejo::app::cli::run(std::env::args_os().collect(), option_env!("AZULEJO_GIT_ID"))
}
