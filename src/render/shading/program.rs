//! The fragment program of a draw with its constants bound.

use glam::Vec3;

use super::{FragmentInputs, FragmentOutput, FragmentProgram, VaryingLayout};
use crate::render::RenderSettings;
use crate::scene::{Environment, LightInstance, Material, Primitive, Scene, View};
use crate::simd::Lanes;

/// What all draws of a frame share.
#[derive(Debug, Clone, Copy)]
pub struct FrameConstants<'a> {
    /// The eye, world space.
    pub eye_world: Vec3,
    /// Punctual lights.
    pub lights: &'a [LightInstance],
    /// Image-based light.
    pub environment: Option<&'a Environment>,
}

/// A built-in fragment program with its constants.
#[derive(Debug, Clone)]
pub enum DrawProgram<'a> {
    /// Base colour, darker where the surface turns away from the eye.
    Headlight(&'a Material, bool),
    /// The environment's mean radiance.
    Sky(Vec3),
}

impl<'a> DrawProgram<'a> {
    /// The program that draws `primitive` with `material`.
    #[must_use]
    pub fn new(
        _: &'a Scene,
        material: &'a Material,
        primitive: &'a Primitive,
        _: &FrameConstants<'a>,
    ) -> Self {
        Self::Headlight(material, !primitive.normals.is_empty())
    }

    /// The program that draws the environment behind everything.
    #[must_use]
    pub fn sky(environment: &'a Environment, _: &View, _: &RenderSettings) -> Self {
        Self::Sky(environment.irradiance[0] * 0.28)
    }
}

impl FragmentProgram for DrawProgram<'_> {
    fn varyings(&self) -> VaryingLayout {
        let mut layout = VaryingLayout::default();
        if let Self::Headlight(_, true) = self {
            layout.normal_world = layout.take(3);
        }
        layout
    }

    fn discards(&self) -> bool {
        false
    }

    fn texture_samples(&self) -> u32 {
        0
    }

    #[inline(always)]
    fn shade<L: Lanes>(&self, l: L, inputs: &FragmentInputs<L>) -> FragmentOutput<L> {
        let half = l.f(0.5);
        let rgba = match self {
            Self::Headlight(material, lit) => {
                let up = if *lit {
                    l.mul_add(inputs.varyings[1], half, half)
                } else {
                    l.f(1.0)
                };
                let c = material.base_color;
                [up * l.f(c.x), up * l.f(c.y), up * l.f(c.z), l.f(c.w)]
            }
            Self::Sky(c) => [l.f(c.x), l.f(c.y), l.f(c.z), l.f(1.0)],
        };
        FragmentOutput {
            rgba,
            keep: l.mask(0xffff),
        }
    }
}
