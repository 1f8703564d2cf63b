//! User interfaces: the command line and the window. The only room that prints and reads the clock, the environment and
//! arguments.

pub mod cli;
mod model;
#[cfg(feature = "window")]
mod window;
