//! Builders for content made of formulas: meshes from surfaces, texture maps from noise and patterns, baked light.
//!
//! Everything here is a plain function of its arguments: same call, same bytes.

mod curve;
mod maps;
mod noise;
mod surface;

pub use curve::Curve;
pub use maps::{SurfaceMaps, SurfacePoint};
pub use noise::{Cells, Noise, hash, lerp, random, smooth_step};
pub use surface::{Patch, append, capsule, ellipsoid, lathe, plane, rounded_box, torus, tube};
