//! A draw: geometry, placement, fragment program and fixed-function state.

use glam::Mat4;

use super::geometry::{Placement, VertexProgram};
use super::identity::DrawIdentity;
use super::raster::FragmentMode;
use super::shading::FragmentProgram;
use crate::scene::{DepthState, Primitive};

/// One draw of a frame, ready for the pipeline.
#[derive(Debug, Clone)]
pub struct Draw<'a, P> {
    /// Shown in tables; need not be unique.
    pub name: String,
    /// Vertices and indices.
    pub primitive: &'a Primitive,
    /// Local space to world space.
    pub placement: Placement<'a>,
    /// One weight a morph target.
    pub morph_weights: &'a [f32],
    /// World to clip space.
    pub clip_from_world: Mat4,
    /// Its fragment program; the fields of the value are its constants.
    pub program: P,
    /// What becomes of its fragments.
    pub mode: FragmentMode,
    /// What it does with the depth buffer.
    pub depth: DepthState,
    /// Back faces are drawn too.
    pub double_sided: bool,
    /// What distinguishes it from a draw that looks different; the default is right for draws made by hand.
    pub identity: DrawIdentity,
}

impl<'a, P> Draw<'a, P> {
    /// A draw of opaque triangles that lie in clip space already; give it what else it has by
    /// `Draw { placement, ..Draw::new(primitive, program) }`.
    #[must_use]
    pub fn new(primitive: &'a Primitive, program: P) -> Self {
        Self {
            name: String::new(),
            primitive,
            placement: Placement::Rigid(Mat4::IDENTITY),
            morph_weights: &[],
            clip_from_world: Mat4::IDENTITY,
            program,
            mode: FragmentMode::Opaque,
            depth: DepthState::default(),
            double_sided: false,
            identity: DrawIdentity::default(),
        }
    }
}

impl<P: FragmentProgram> Draw<'_, P> {
    /// The draw's vertex program.
    #[must_use]
    pub fn vertex_program(&self) -> VertexProgram<'_> {
        let layout = self.program.varyings();
        VertexProgram::new(
            self.primitive,
            layout,
            self.clip_from_world,
            self.placement,
            self.morph_weights,
        )
    }

    /// Whether the placement turns counter-clockwise triangles into clockwise ones.
    #[must_use]
    pub fn mirrored(&self) -> bool {
        match self.placement {
            Placement::Rigid(world_from_local) => world_from_local.determinant() < 0.0,
            Placement::Skinned(joints) => joints
                .first()
                .is_some_and(|joint| joint.determinant() < 0.0),
        }
    }
}
