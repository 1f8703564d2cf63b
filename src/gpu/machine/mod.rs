//! A machine as numbers: TOML in, a validated [`MachineSpec`] out. Everything that a paper says about its chip, and nothing of what a
//! frame is made of.
//!
//! Files may `include` another machine and change keys of it; a command line may change keys again (`l2.size=1MiB`). A value
//! that the model cannot run with is refused with the file it came from, its key, and what would be allowed. [`guide`] describes a GPU of
//! one's own, and [`Peaks`] say what it could do at most.

#[doc = include_str!("guide.md")]
pub mod guide {}

mod cache_unit;
mod catalog;
mod file;
mod fit;
mod immediate;
mod peaks;
mod spec;
mod tile_storage;
mod workgroups;

pub use cache_unit::CacheUnitSpec;
pub use catalog::{BUILT_IN, BuiltIn, built_in};
pub use file::{load_machine, machine_parameters};
pub use immediate::{ImmediateSpec, Pipeline, RASTER_TILE};
pub use peaks::Peaks;
pub use spec::{
    CommandSpec, CoreSpec, CoreType, Dispatch, DisplaySpec, GeometrySpec, IdealSpec, L2Spec,
    MachineSpec, QuadMapping, RasterSpec, ScreenSpec, TilingSpec, Traversal, VertexCores,
};

pub use tile_storage::SampleStorageError;
pub use workgroups::WorkgroupError;

pub use crate::parameters::Overlay;

#[cfg(test)]
mod tests;
