//! The built-in programs, chosen and resolved for one draw of one frame. Draws of one material on one primitive share a
//! program, so its contents lie behind a pointer.

use std::sync::Arc;

use super::layered::Layered;
use super::pbr::MetallicRoughness;
use super::sky::Sky;
use super::source::ProgramSource;
use super::through::BehindView;
use super::unlit::Unlit;
use super::{FlatSurface, FragmentInputs, FragmentOutput, FragmentProgram, VaryingLayout};
use crate::RenderSettings;
use azulejo_scene::{Environment, Shading, View};
use azulejo_simd::Lanes;

/// One of the built-in programs with its constants.
#[derive(Debug, Clone)]
pub enum DrawProgram<'a> {
    /// Lighting model of glTF's core.
    MetallicRoughness(Arc<MetallicRoughness<'a>>),
    /// Lighting model of glTF's core under the layers of its extensions.
    Layered(Arc<Layered<'a>>),
    /// Colour without light, and emission where the surface would be lit if it had normals.
    Unlit(Arc<Unlit<'a>>),
    /// The environment behind everything.
    Sky(Arc<Sky<'a>>),
}

impl<'a> DrawProgram<'a> {
    /// The program of a material on a primitive. Without normals there is no lighting.
    #[must_use]
    pub fn new(source: &ProgramSource<'a, '_>) -> Self {
        let material = source.material;
        if material.shading == Shading::Unlit || source.primitive.normals.is_empty() {
            Self::Unlit(Unlit::new(source).into())
        } else if material.has_layers() {
            Self::Layered(Layered::new(source).into())
        } else {
            Self::MetallicRoughness(MetallicRoughness::new(source).into())
        }
    }

    /// Whether light reaches the surface.
    #[must_use]
    pub(crate) const fn is_lit(&self) -> bool {
        matches!(self, Self::MetallicRoughness(_) | Self::Layered(_))
    }

    /// Whether the surface emits where no light reaches it.
    #[must_use]
    pub(crate) fn emits_unlit(&self) -> bool {
        matches!(self, Self::Unlit(program) if program.emits())
    }

    /// Whether light comes through the surface.
    #[must_use]
    pub fn lets_light_through(&self) -> bool {
        matches!(self, Self::Layered(program) if program.lets_light_through())
    }

    /// Binds the pass that was drawn before, if the program samples the picture behind its surface; returns whether it
    /// does.
    pub fn look_through(&mut self, behind: BehindView) -> bool {
        match self {
            Self::Layered(program) => Arc::make_mut(program).look_through(behind),
            Self::MetallicRoughness(_) | Self::Unlit(_) | Self::Sky(_) => false,
        }
    }

    /// Says which part of a pixel an alpha mask keeps, as alpha, where the renderer makes coverage of samples from it.
    #[must_use]
    pub(crate) fn masked_by_alpha(mut self) -> Self {
        let inputs = match &mut self {
            Self::MetallicRoughness(program) => &mut Arc::make_mut(program).inputs,
            Self::Layered(program) => Arc::make_mut(program).inputs_mut(),
            Self::Unlit(program) => Arc::make_mut(program).inputs_mut(),
            Self::Sky(_) => return self,
        };
        inputs.masks_by_alpha = true;
        self
    }

    /// Program of the background, an environment.
    #[must_use]
    pub fn sky(environment: &'a Environment, view: &View, settings: &RenderSettings) -> Self {
        let size = [settings.width, settings.height];
        Self::Sky(Sky::new(environment, view, size).into())
    }
}

impl FragmentProgram for DrawProgram<'_> {
    fn varyings(&self) -> VaryingLayout {
        match self {
            Self::MetallicRoughness(program) => program.varyings(),
            Self::Layered(program) => program.varyings(),
            Self::Unlit(program) => program.varyings(),
            Self::Sky(program) => program.varyings(),
        }
    }

    fn flat(&self) -> Option<FlatSurface<'_>> {
        match self {
            Self::Unlit(program) => program.flat(),
            Self::MetallicRoughness(_) | Self::Layered(_) | Self::Sky(_) => None,
        }
    }

    #[inline(always)]
    fn shade<L: Lanes>(&self, l: L, inputs: &FragmentInputs<L>) -> FragmentOutput<L> {
        match self {
            Self::MetallicRoughness(program) => program.shade(l, inputs),
            Self::Layered(program) => program.shade(l, inputs),
            Self::Unlit(program) => program.shade(l, inputs),
            Self::Sky(program) => program.shade(l, inputs),
        }
    }
}
