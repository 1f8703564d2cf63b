//! The `azulejo` command: parses, dispatches, maps errors to exit codes.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Allocator with its memory in large pages, of which the processor finds more in its table of addresses (TLB).
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    azulejo::app::cli::run(std::env::args_os().collect())
}
