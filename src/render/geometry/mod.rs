//! Geometry: vertices to screen-space primitives.

mod varyings;

pub use varyings::{MAX_TEX_COORDS, MAX_VARYINGS, VaryingLayout};
