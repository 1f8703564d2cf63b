//! The unlit program (`KHR_materials_unlit`): base colour as it is. Also for points and lines without normals.

use super::source::ProgramSource;
use super::surface_inputs::{Needs, SurfaceInputs};
use super::{FlatSurface, FragmentInputs, FragmentOutput, FragmentProgram, VaryingLayout};
use crate::simd::Lanes;

/// Colour without light.
#[derive(Debug, Clone)]
pub struct Unlit<'a> {
    inputs: SurfaceInputs<'a>,
}

impl<'a> Unlit<'a> {
    /// The program of a material on a primitive.
    #[must_use]
    pub fn new(source: &ProgramSource<'a, '_>) -> Self {
        let inputs = SurfaceInputs::new(source).lay_out(Needs::Color);
        Self { inputs }
    }

    /// What it reads of the material.
    pub(super) const fn inputs_mut(&mut self) -> &mut SurfaceInputs<'a> {
        &mut self.inputs
    }
}

impl FragmentProgram for Unlit<'_> {
    fn varyings(&self) -> VaryingLayout {
        self.inputs.varyings
    }

    fn flat(&self) -> Option<FlatSurface<'_>> {
        self.inputs.flat()
    }

    #[inline(always)]
    fn shade<L: Lanes>(&self, l: L, inputs: &FragmentInputs<L>) -> FragmentOutput<L> {
        // It has the first slot alone: all others would be filled for nothing, a tenth of its time.
        let [texture] = self.inputs.sample(l, inputs);
        let [r, g, b, alpha] = self.inputs.base_color(l, inputs, texture);
        let (alpha, keep) = self.inputs.coverage(l, alpha);
        FragmentOutput {
            rgba: [r, g, b, alpha],
            keep,
        }
    }
}
