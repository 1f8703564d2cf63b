//! A draw: geometry, placement, fragment program and fixed-function state.

use std::fmt;

use glam::{DMat4, Mat4};

use super::constants::SceneDraw;
use super::geometry::{Placement, VertexProgram};
use super::identity::faces;
use super::raster::FragmentMode;
use super::shading::FragmentProgram;
use azulejo_scene::{DepthState, Primitive, View, mirrors};

/// Name of a draw in tables; put together where it is read, for a frame may have thousands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DrawName<'a> {
    /// A name of your own.
    Own(String),
    /// Name of a scene's instance: those of mesh and material, which may be empty, and the primitive's position in the
    /// mesh.
    OfScene {
        /// Name of the mesh in the scene's file; may be empty.
        mesh: &'a str,
        /// Position of the primitive in it.
        primitive: u32,
        /// Name of the material in the scene's file; may be empty.
        material: &'a str,
    },
}

impl Default for DrawName<'_> {
    fn default() -> Self {
        Self::Own(String::new())
    }
}

impl From<String> for DrawName<'_> {
    fn from(name: String) -> Self {
        Self::Own(name)
    }
}

impl From<&str> for DrawName<'_> {
    fn from(name: &str) -> Self {
        Self::Own(name.to_owned())
    }
}

impl fmt::Display for DrawName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Own(ref name) => f.write_str(name),
            Self::OfScene {
                mesh,
                primitive,
                material,
            } => match (mesh, material) {
                ("", "") => write!(f, "primitive {primitive}"),
                (mesh, "") => write!(f, "{mesh}[{primitive}]"),
                ("", material) => f.write_str(material),
                (mesh, material) => write!(f, "{mesh}[{primitive}] {material}"),
            },
        }
    }
}

/// Source of the bytes that tell a draw from another. The default is right for all draws made by hand: they are recorded.
#[derive(Debug, Clone, Default)]
pub struct DrawIdentity<'a>(pub(super) Option<SceneDraw<'a>>);

impl DrawIdentity<'_> {
    /// [`Primitive::geometry_digest`] of what is drawn: a scene remembers that of its own.
    pub(super) fn geometry_digest(&self, primitive: &Primitive) -> u64 {
        let remembered = (self.0).and_then(|scene| scene.geometry_digest(primitive));
        remembered.unwrap_or_else(|| primitive.geometry_digest())
    }

    /// `clip_from_world` before its elements were rounded; unchanged in a draw made by hand.
    fn exact(&self, clip_from_world: Mat4) -> DMat4 {
        let view = (self.0.as_ref()).and_then(SceneDraw::view);
        let unrounded = view.filter(|view| view.clip_from_world() == clip_from_world);
        unrounded.map_or(clip_from_world.as_dmat4(), View::clip_from_world_exact)
    }
}

/// One draw of a frame, ready for the pipeline.
#[derive(Debug, Clone)]
pub struct Draw<'a, P> {
    /// Shown in tables; need not be unique.
    pub name: DrawName<'a>,
    /// Vertex streams and indices, in local space.
    pub primitive: &'a Primitive,
    /// Local space to world space.
    pub placement: Placement<'a>,
    /// One weight a morph target.
    pub morph_weights: &'a [f32],
    /// World to clip space.
    pub clip_from_world: Mat4,
    /// Fragment program of the draw; the fields of the value are its constants.
    pub program: P,
    /// Blending, discard and time of the depth test of its fragments.
    pub mode: FragmentMode,
    /// Depth test and depth write of its fragments.
    pub depth: DepthState,
    /// Back faces are drawn too.
    pub double_sided: bool,
    /// Bytes that distinguish it from a draw that looks different; the default is right for draws made by hand.
    pub identity: DrawIdentity<'a>,
}

impl<'a, P> Draw<'a, P> {
    /// A draw of opaque triangles that lie in clip space already; give it what else it has by
    /// `Draw { placement, ..Draw::new(primitive, program) }`.
    #[must_use]
    pub fn new(primitive: &'a Primitive, program: P) -> Self {
        Self {
            name: DrawName::default(),
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
            (
                self.clip_from_world,
                self.identity.exact(self.clip_from_world),
            ),
            self.placement,
            self.morph_weights,
        )
    }

    /// Whether the placement turns counter-clockwise triangles into clockwise ones.
    #[must_use]
    pub fn mirrored(&self) -> bool {
        match &self.placement {
            Placement::Rigid(world_from_local) => mirrors(world_from_local),
            Placement::Skinned { mirrored, .. } => *mirrored,
        }
    }
}

impl<P> Draw<'_, P> {
    /// Fixed-function state of culling, as a byte; a rigid placement's matrix says which way it turns faces.
    pub(super) fn faces(&self) -> u8 {
        let mirrored = matches!(self.placement, Placement::Skinned { mirrored: true, .. });
        faces(self.double_sided, mirrored)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draw_names_leave_out_what_has_no_name() {
        let name = |mesh, material| {
            let name = DrawName::OfScene {
                mesh,
                primitive: 3,
                material,
            };
            name.to_string()
        };
        assert_eq!(name("rock", "moss"), "rock[3] moss");
        assert_eq!(name("rock", ""), "rock[3]", "no material");
        assert_eq!(name("", "moss"), "moss", "no mesh");
        assert_eq!(name("", ""), "primitive 3", "neither");
        assert_eq!(DrawName::from("sky").to_string(), "sky", "one's own");
    }
}
