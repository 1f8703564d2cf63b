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

use crate::scene::ImageId;
use crate::simd::{Lanes, Tape};

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

impl<L: Lanes> FragmentInputs<L> {
    /// Inputs to be filled in.
    #[inline(always)]
    #[must_use]
    pub fn zero(lanes: L) -> Self {
        Self {
            varyings: [lanes.f(0.0); MAX_VARYINGS],
            front_facing: lanes.mask(0xffff),
            position_px: [lanes.f(0.0); 2],
        }
    }
}

/// What a fragment program says.
#[derive(Debug, Clone, Copy)]
pub struct FragmentOutput<L: Lanes> {
    /// Scene-linear radiance and alpha (straight, not premultiplied).
    pub rgba: [L::F; 4],
    /// Unset where the fragment is discarded; only programs whose [`FragmentProgram::discards`] is true unset lanes.
    pub keep: L::M,
}

/// What a texture instruction reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SampledTexture {
    /// An image of the scene.
    Image(ImageId),
    /// The environment.
    Environment,
}

/// The instruction list of a program: varyings, body, colour handed over.
#[must_use]
pub fn record(program: &impl FragmentProgram) -> Tape {
    Tape::record(|recorder| {
        let layout = program.varyings();
        let mut inputs = FragmentInputs::zero(recorder);
        let mut begins: Vec<usize> = layout.attribute_offsets().map(usize::from).collect();
        begins.push(usize::from(layout.len));
        for attribute in begins.windows(2) {
            inputs.varyings[attribute[0]..attribute[1]].fill(recorder.varying::<1>()[0]);
        }
        let output = program.shade(recorder, &inputs);
        recorder.output(&output.rgba);
    })
}

/// A fragment program: one source for every lane type.
pub trait FragmentProgram {
    /// What it reads.
    fn varyings(&self) -> VaryingLayout;
    /// Whether it may discard; such fragments get the late depth test.
    fn discards(&self) -> bool;
    /// Texture sample instructions a fragment executes.
    fn texture_samples(&self) -> u32;
    /// What each of them samples, in program order; programs of one's own that sample nothing need not say so.
    fn textures(&self) -> Vec<SampledTexture> {
        Vec::new()
    }
    /// Shades sixteen lanes; helper lanes (outside the coverage) run too, so that derivatives exist.
    fn shade<L: Lanes>(&self, lanes: L, inputs: &FragmentInputs<L>) -> FragmentOutput<L>;
}
