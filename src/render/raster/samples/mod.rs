//! Four samples a pixel (MSAA): coverage, depth and colour by sample, shading by pixel.
//!
//! A triangle is tested at each sample as it is at pixel centres otherwise ([`mod@cover`]). A pixel of which any sample
//! passed is shaded once, at its centre, by the code that shades every pixel; attributes are extrapolated where the centre
//! lies outside the triangle, as in Vulkan without `centroid`. The result is written to the samples that passed
//! ([`mod@write`]). When the tile is done each pixel becomes the mean of its samples in linear light, before tone mapping,
//! as render targets of GPUs are resolved. All of it stays in the tile buffers: no sample ever leaves them.
//!
//! Most quads lie within triangles, and their pixels have one colour each. Samples have colours of their own only in quads
//! where a triangle covered a part of a pixel, until one replaces the whole quad; else the tile's colour buffer holds the
//! colour of all four.

mod buffers;
mod cover;
mod masks;
mod visible;
mod write;

pub(super) use buffers::SampleBuffers;
pub(super) use cover::RasteriseSamples;
pub use cover::{Cover, CoveredBlock};
pub use masks::SampleMasks;
pub(super) use visible::{hide_replaced, resolve};
pub(super) use write::{ShadedBatch, write};

#[cfg(test)]
mod tests;
