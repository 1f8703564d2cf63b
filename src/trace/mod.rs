//! The contract between the wings: what the renderer tells of a frame. Facts only, never verdicts, no addresses.

mod counters;

pub use counters::{DrawCounters, FrameCounters, GeometryCounters, RasterCounters, TileCounters};
