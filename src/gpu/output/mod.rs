//! Output of the chip beside tiles: the display's scan-out.

mod display;

pub(crate) use display::Display;
pub use display::DisplayCounters;

#[cfg(test)]
mod tests;
