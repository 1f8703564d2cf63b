//! Builders for content made of formulas: meshes from surfaces, texture maps from noise and patterns, baked light.
//!
//! Everything here is a plain function of its arguments: same call, same bytes.

mod bake;
mod curve;
mod maps;
mod noise;
mod sheet;
mod surface;

pub use bake::{Illumination, Occluder, Occlusion};
pub use curve::Curve;
pub use maps::{SurfaceMaps, SurfacePoint};
pub use noise::{Cells, Noise, hash, lerp, random, smooth_step};
pub use sheet::{Grain, Sheet};
pub use surface::{Patch, append, capsule, ellipsoid, lathe, plane, rounded_box, torus, tube};
