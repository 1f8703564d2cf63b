//! Which vertex attributes travel to the fragments, and in which order they lie in the Parameter Buffer.

pub use azulejo_scene::MAX_TEX_COORDS;

/// Most floats that a primitive can hand from vertices to fragments.
pub const MAX_VARYINGS: usize = 24;

/// Which varyings a program reads, and where each begins among the interpolated floats. `None` = not interpolated.
///
/// Attributes that a primitive has no stream for are 0. The order in memory is the order of the fields. Geometry writes
/// exactly these floats a vertex into the Parameter Buffer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct VaryingLayout {
    /// World position, 3 floats.
    pub position_world: Option<u8>,
    /// World normal, not normalised, 3 floats.
    pub normal_world: Option<u8>,
    /// World tangent (not normalised) and bitangent sign, 4 floats.
    pub tangent_world: Option<u8>,
    /// Linear RGBA vertex colour, 4 floats.
    pub color: Option<u8>,
    /// Texture coordinate sets, 2 floats each.
    pub tex_coords: [Option<u8>; MAX_TEX_COORDS],
    /// Number of floats of one vertex, over all attributes.
    pub len: u8,
}

impl VaryingLayout {
    /// Takes the next `n` floats.
    pub const fn take(&mut self, n: u8) -> Option<u8> {
        let at = self.len;
        self.len += n;
        Some(at)
    }

    /// First float of each attribute, in memory order.
    pub(crate) fn attribute_offsets(&self) -> impl Iterator<Item = u8> {
        let geometry = [
            self.position_world,
            self.normal_world,
            self.tangent_world,
            self.color,
        ];
        geometry.into_iter().chain(self.tex_coords).flatten()
    }

    /// Attributes as the hardware stores them: each padded to a vec4, the position included.
    #[must_use]
    pub fn attributes(&self) -> u32 {
        1 + self.attribute_offsets().count() as u32
    }
}
