//! azulejo: a tile-based GPU in software.

pub mod units;

pub mod math;

pub mod simd;

pub mod grid;

pub mod scene;

pub mod trace;

pub mod render;

pub mod gpu;

pub mod report;

#[cfg(feature = "reference")]
pub mod reference;

pub mod app;
