//! `azulejo compare`: the same frame by this machine's graphics driver, side by side.

mod args;
#[cfg(feature = "reference")]
mod driver;

#[cfg(not(feature = "reference"))]
use super::{Console, Outcome};
pub(in crate::cli) use args::CompareArgs;

#[cfg(not(feature = "reference"))]
pub(super) fn run(_args: &CompareArgs, _console: Console) -> Outcome {
    let message = "this build has no reference renderer";
    Err(crate::cli::failure::Failure::new(message)
        .hint("build with the default features: cargo build --release"))
}

#[cfg(feature = "reference")]
pub(super) use driver::run;
