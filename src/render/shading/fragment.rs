//! Fragments as programs see them: sixteen at a time, inputs in, colours out.

use crate::geometry::MAX_VARYINGS;
use azulejo_simd::Lanes;

/// Input of a fragment program for sixteen fragments.
#[derive(Debug, Clone, Copy)]
pub struct FragmentInputs<L: Lanes> {
    /// Interpolated floats, at the positions that the program's [`VaryingLayout`](crate::geometry::VaryingLayout) says.
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

/// Output of a fragment program for sixteen fragments.
#[derive(Debug, Clone, Copy)]
pub struct FragmentOutput<L: Lanes> {
    /// Scene-linear radiance and alpha (straight, not premultiplied).
    pub rgba: [L::F; 4],
    /// Unset where the fragment is discarded; looked at in draws of
    /// [`FragmentMode::Masked`](crate::raster::FragmentMode) alone.
    pub keep: L::M,
}
