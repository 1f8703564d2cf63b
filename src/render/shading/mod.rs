//! Shading: programs that turn a quad's interpolated varyings into colours.

use crate::simd::Lanes;

/// Most floats that a primitive can hand from vertices to fragments.
pub const MAX_VARYINGS: usize = 24;

/// Which varyings a program reads, and where each begins among the interpolated floats. `None` = not interpolated.
///
/// The order in memory is the order of the fields. Geometry writes exactly these floats a vertex into the Parameter Buffer.
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
    /// Floats in all.
    pub len: u8,
}

/// Texture coordinate sets that one draw can use at once; sets beyond are announced by a warning at load.
pub const MAX_TEX_COORDS: usize = 4;

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
