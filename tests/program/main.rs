//! Tests of the program: the command line as a shell runs it, hostile inputs and outputs, the window as a user's keys reach it.

mod command_line;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/shared.rs"]
mod shared;
#[cfg(all(feature = "window", target_os = "linux"))]
mod x_client;

mod check;
mod cli;
mod demo;
mod hostile;
mod inspect;
mod memory;
mod passes;
mod shader;
mod simulate;
mod sweep;
#[cfg(all(feature = "window", target_os = "linux"))]
mod window;
