//! Shading: programs that turn a quad's interpolated varyings into colours.
//!
//! A program is a value that implements [`FragmentProgram`]: its constants are resolved for one draw of one frame, so what a
//! material lacks is decided once for sixteen lanes. [`DrawProgram`] holds the built-in ones; the formulas stand in [`pbr`].

mod brdf;
mod image_light;
mod light;
pub mod pbr;
mod program;
mod sky;
mod surface_inputs;
pub mod texture;
mod unlit;
mod vector;

use crate::simd::Lanes;

pub use pbr::MetallicRoughness;
pub use program::{DrawProgram, FrameConstants};
pub use sky::Sky;
pub use unlit::Unlit;

pub use super::geometry::{MAX_TEX_COORDS, MAX_VARYINGS, VaryingLayout};

/// What a fragment program sees of its fragments.
#[derive(Debug, Clone, Copy)]
pub struct FragmentInputs<L: Lanes> {
    /// Interpolated floats, at the positions that the program's [`VaryingLayout`] says.
    pub varyings: [L::F; MAX_VARYINGS],
    /// Set where the fragment belongs to a front face.
    pub front_facing: L::M,
    /// Pixel centre, screen space, pixels.
    pub position_px: [L::F; 2],
}

/// What a fragment program says.
#[derive(Debug, Clone, Copy)]
pub struct FragmentOutput<L: Lanes> {
    /// Scene-linear radiance and alpha (straight, not premultiplied).
    pub rgba: [L::F; 4],
    /// Unset where the fragment is discarded; only programs whose [`FragmentProgram::discards`] is true unset lanes.
    pub keep: L::M,
}

/// A fragment program: one source for every lane type.
pub trait FragmentProgram {
    /// What it reads.
    fn varyings(&self) -> VaryingLayout;
    /// Whether it may discard; such fragments get the late depth test.
    fn discards(&self) -> bool;
    /// Texture sample instructions a fragment executes.
    fn texture_samples(&self) -> u32;
    /// Shades sixteen lanes; helper lanes (outside the coverage) run too, so that derivatives exist.
    fn shade<L: Lanes>(&self, lanes: L, inputs: &FragmentInputs<L>) -> FragmentOutput<L>;
}
