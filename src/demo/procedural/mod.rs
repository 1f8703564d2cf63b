//! Builders for content made of formulas: meshes from surfaces, texture maps from noise and patterns, baked light.
//!
//! Everything here is a plain function of its arguments: same call, same bytes.

mod bake;
mod curve;
mod maps;
mod noise;
mod sheet;
mod surface;

pub(crate) use bake::{Illumination, Occluder, Occlusion};
pub use curve::Curve;
pub(crate) use maps::{SurfaceMaps, SurfacePoint};
pub(crate) use noise::{Noise, hash, lerp, random, smooth_step};
pub(crate) use sheet::Grain;
pub(crate) use surface::append;
pub use surface::{Patch, capsule, ellipsoid, lathe, plane, rounded_box, torus, tube};
