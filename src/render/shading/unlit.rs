//! The program without lighting: base colour as it is (`KHR_materials_unlit`), or, for points and lines without normals,
//! base colour plus emission (glTF 2.0, 3.9.7).

use glam::Vec3;

use super::source::ProgramSource;
use super::surface_inputs::{Needs, Slot, SurfaceInputs, TextureColors};
use super::texture::Channels;
use super::{FlatSurface, FragmentInputs, FragmentOutput, FragmentProgram, VaryingLayout};
use azulejo_scene::{Material, Shading};
use azulejo_simd::{Lanes, each};

/// Program of surfaces that show their colour without lighting.
#[derive(Debug, Clone)]
pub struct Unlit<'a> {
    inputs: SurfaceInputs<'a>,
    /// Linear RGB before its texture.
    emissive: Vec3,
}

/// Emission of a material where no light reaches the surface, before its texture: `KHR_materials_unlit` has none.
const fn emission(material: &Material) -> Vec3 {
    match material.shading {
        Shading::MetallicRoughness => material.emissive,
        Shading::Unlit => Vec3::ZERO,
    }
}

impl<'a> Unlit<'a> {
    /// The program of a material on a primitive.
    #[must_use]
    pub fn new(source: &ProgramSource<'a, '_>) -> Self {
        let mut inputs = SurfaceInputs::new(source);
        let emissive = emission(source.material);
        if emissive != Vec3::ZERO {
            let texture = source.material.emissive_texture.as_ref();
            inputs.add_texture(source.scene, texture, Slot::Emissive, Channels::RGB);
        }
        let inputs = inputs.lay_out(Needs::Color);
        Self { inputs, emissive }
    }

    /// Whether emission is added to its colour.
    pub(super) fn emits(&self) -> bool {
        self.emissive != Vec3::ZERO
    }

    /// Inputs that it reads of the material.
    pub(super) const fn inputs_mut(&mut self) -> &mut SurfaceInputs<'a> {
        &mut self.inputs
    }
}

impl FragmentProgram for Unlit<'_> {
    fn varyings(&self) -> VaryingLayout {
        self.inputs.varyings
    }

    fn flat(&self) -> Option<FlatSurface<'_>> {
        if self.emits() {
            return None;
        }
        self.inputs.flat()
    }

    #[inline(always)]
    fn shade<L: Lanes>(&self, l: L, inputs: &FragmentInputs<L>) -> FragmentOutput<L> {
        if self.emits() {
            return self.shade_with_emission(l, inputs);
        }
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

impl Unlit<'_> {
    #[inline(always)]
    fn shade_with_emission<L: Lanes>(&self, l: L, inputs: &FragmentInputs<L>) -> FragmentOutput<L> {
        let textures: TextureColors<L> = self.inputs.sample(l, inputs);
        let base = textures[Slot::BaseColor as usize];
        let [r, g, b, alpha] = self.inputs.base_color(l, inputs, base);
        let (emissive, texel) = (self.emissive.to_array(), textures[Slot::Emissive as usize]);
        let color = [r, g, b];
        let [r, g, b] = each!(3, k => l.mul_add(texel[k], l.f(emissive[k]), color[k]));
        let (alpha, keep) = self.inputs.coverage(l, alpha);
        FragmentOutput {
            rgba: [r, g, b, alpha],
            keep,
        }
    }
}
