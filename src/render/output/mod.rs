//! Output: a tile's colours leave the chip. Linear premultiplied RGBA comes in; exposure, tone map and sRGB encoding turn
//! it into the bytes of a [`super::Picture`], which [`png`] writes down.
//!
//! Everything per pixel is generic over the lanes and uses only operations that every lane type does alike, so that the
//! picture is the same bytes at every SIMD level.

mod difference;
pub mod png;
mod radiance;
mod radiance_levels;
mod resolve;
mod srgb;
mod targets;
mod tile;
mod tone_map;

pub use difference::{Difference, TOLERANCE, coverage_mismatch, side_by_side};
pub(crate) use radiance::RadianceTarget;
pub(crate) use radiance_levels::fill_radiance_levels;
#[doc(hidden)]
pub use resolve::Transfer;
pub use srgb::{linear_from_srgb, srgb_from_linear};
#[doc(hidden)]
pub use targets::TileTarget;
pub(crate) use targets::{PatchRows, TILES_TOGETHER};
#[doc(hidden)]
pub use tile::resolve_tile;

#[cfg(test)]
mod tests;
